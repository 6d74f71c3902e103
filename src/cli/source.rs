//! Where a program comes from: a file, standard input, or the command line.

use super::{Failure, warnings};
use crate::bytecode::spec::CodeSpec;
use crate::compiler::{Mode, Options, compile_with_warnings};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Variable of the environment that lists folders to import from, in the manner of PYTHONPATH.
const SEARCH_PATH: &str = "RATTAILPATH";

/// A program's text under the name that its tracebacks use.
pub struct Source {
    pub name: String,
    pub text: Vec<u8>,
}

/// Why a program did not come to run; both are said on standard error.
pub enum Unusable {
    /// It cannot be read.
    Unreadable(String),
    /// It does not compile: the text that Python prints.
    SyntaxError(String),
}

impl Source {
    pub fn from_code(code: &str) -> Source {
        Source {
            name: "<string>".into(),
            text: code.as_bytes().to_vec(),
        }
    }

    /// Reads a file, or standard input for `-`.
    pub fn read(path: &Path) -> Result<Source, Unusable> {
        if path == Path::new("-") {
            let mut text = Vec::new();
            let read = io::stdin().read_to_end(&mut text);
            read.map_err(|error| Unusable::Unreadable(format!("standard input: {error}")))?;
            return Ok(Source {
                name: "<stdin>".into(),
                text,
            });
        }
        let name = path.display().to_string();
        match std::fs::read(path) {
            Ok(text) => Ok(Source { name, text }),
            Err(error) => Err(Unusable::Unreadable(format!("{name}: {error}"))),
        }
    }

    /// Where its imports are looked for (`sys.path`): beside it, then in the folders that the environment lists.
    pub fn search_path(&self) -> Vec<PathBuf> {
        let folder = match Path::new(&self.name).parent() {
            Some(folder) if !self.name.starts_with('<') => folder.to_owned(),
            _ => PathBuf::new(),
        };
        let listed = std::env::var_os(SEARCH_PATH).unwrap_or_default();
        let listed = std::env::split_paths(&listed).filter(|folder| !folder.as_os_str().is_empty());
        [folder].into_iter().chain(listed).collect()
    }

    pub fn compile(&self) -> Result<Rc<CodeSpec>, Unusable> {
        let options = Options {
            warnings: warnings::action(),
            ..Options::default()
        };
        let (result, list) = compile_with_warnings(&self.text, &self.name, Mode::Exec, options);
        warnings::show(&list, &self.name);
        result.map_err(|error| Unusable::SyntaxError(error.render()))
    }
}

impl From<Unusable> for Failure {
    fn from(unusable: Unusable) -> Failure {
        match unusable {
            Unusable::Unreadable(message) => Failure(message),
            Unusable::SyntaxError(text) => {
                Failure(format!("the program does not compile\n{}", text.trim_end()))
            }
        }
    }
}
