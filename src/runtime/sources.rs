//! Source text by file name, for tracebacks (`linecache`).

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Text that was compiled without a file, and files as they were when a traceback first wanted a line.
#[derive(Default)]
pub struct Sources(RefCell<HashMap<String, Option<Rc<str>>>>);

/// A file larger than this is no source that a traceback would quote.
const MAX_FILE: u64 = 64 << 20;

impl Sources {
    /// Makes `text` the source of `filename`, whatever a file of that name says.
    pub fn register(&self, filename: &str, text: &[u8]) {
        self.0
            .borrow_mut()
            .insert(filename.to_string(), Some(decode(text)));
    }
    /// The whole text, None if there is none to be had.
    pub fn get(&self, filename: &str) -> Option<Rc<str>> {
        if let Some(known) = self.0.borrow().get(filename) {
            return known.clone();
        }
        let text = read(filename);
        self.0
            .borrow_mut()
            .insert(filename.to_string(), text.clone());
        text
    }
}

fn read(filename: &str) -> Option<Rc<str>> {
    // Names in angle brackets are those of text that came from no file.
    if filename.starts_with('<') && filename.ends_with('>') {
        return None;
    }
    let size = std::fs::metadata(filename).ok()?;
    if !size.is_file() || size.len() > MAX_FILE {
        return None;
    }
    Some(decode(&std::fs::read(filename).ok()?))
}

fn decode(text: &[u8]) -> Rc<str> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    String::from_utf8_lossy(text).into()
}
