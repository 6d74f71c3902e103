//! Modules that CPython has as files: Python source in the binary, compiled on import.

use crate::object::{Owned, Raised};
use crate::runtime::import;
use crate::runtime::thread::Thread;

/// A module's source, and whether it is a package.
struct Source {
    name: &'static str,
    text: &'static str,
    package: bool,
}

macro_rules! sources {
    ($($name:literal $file:literal $package:literal)*) => {
        [$(Source { name: $name, text: include_str!(concat!("py/", $file, ".py")), package: $package }),*]
    };
}

static SOURCES: [Source; 35] = sources! {
    "_struct_time" "_struct_time" false
    "_typing" "_typing" false
    "_weakref_containers" "weakref_containers" false
    "abc" "abc" false
    "asyncio" "asyncio" false
    "bisect" "bisect" false
    "collections" "collections" true
    "collections._user" "collections_user" false
    "collections.abc" "collections_abc" false
    "contextlib" "contextlib" false
    "copy" "copy" false
    "dataclasses" "dataclasses" false
    "dis" "dis" false
    "enum" "enum" false
    "functools" "functools" false
    "heapq" "heapq" false
    "inspect" "inspect" false
    "io" "io" false
    "json" "json" true
    "json.decoder" "json_decoder" false
    "json.encoder" "json_encoder" false
    "keyword" "keyword" false
    "linecache" "linecache" false
    "opcode" "opcode" false
    "operator" "operator" false
    "random" "random" false
    "signal" "signal" false
    "statistics" "statistics" false
    "string" "string" true
    "string.templatelib" "string_templatelib" false
    "textwrap" "textwrap" false
    "traceback" "traceback" false
    "types" "types" false
    "typing" "typing" false
    "weakref" "weakref" false
};

/// The module of this name, run if it is source; None if there is none.
pub(super) fn make(ts: &Thread, name: &str) -> Result<Option<Owned>, Raised> {
    let Some(source) = SOURCES.iter().find(|source| source.name == name) else {
        return Ok(None);
    };
    let filename = format!("<frozen {name}>");
    let paths = source.package.then(Vec::new);
    import::run_source(ts, name, source.text.as_bytes(), &filename, paths).map(Some)
}
