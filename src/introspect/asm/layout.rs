//! Where each form keeps its dispatch code, by symbol.

use serde::Serialize;
use std::fmt;

/// A form of dispatch, as the audit names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    Tail,
    Match,
    Replicated,
}

impl Form {
    pub const ALL: [Form; 3] = [Form::Tail, Form::Match, Form::Replicated];

    pub fn name(self) -> &'static str {
        match self {
            Form::Tail => "tail",
            Form::Match => "match",
            Form::Replicated => "replicated",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Demangled paths of the dispatch code.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The module of the tail form's handlers, one function an opcode.
    pub handlers: String,
    /// What the last path segment of a handler's cold continuation starts with.
    pub cold: String,
    /// The loop of the match form.
    pub match_loop: String,
    /// The loop of the replicated form.
    pub replicated: String,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout {
            handlers: "rattail::interp::tail::handlers".into(),
            cold: "cold_".into(),
            match_loop: "rattail::interp::match_loop::run".into(),
            replicated: "rattail::interp::replicated::run".into(),
        }
    }
}

impl Layout {
    /// The name of the tail handler at this path; None for anything else, cold continuations included.
    pub fn handler<'a>(&self, path: &'a str) -> Option<&'a str> {
        self.in_handlers(path)
            .filter(|name| !name.starts_with(&self.cold))
    }

    /// The name of the cold continuation at this path.
    pub fn cold<'a>(&self, path: &'a str) -> Option<&'a str> {
        self.in_handlers(path)
            .filter(|name| name.starts_with(&self.cold))
    }

    /// Whether this path is the loop of the form, whatever its generic arguments are.
    pub fn is_loop(&self, form: Form, path: &str) -> bool {
        let wanted = match form {
            Form::Tail => return false,
            Form::Match => &self.match_loop,
            Form::Replicated => &self.replicated,
        };
        match path.strip_prefix(wanted.as_str()) {
            Some(rest) => rest.is_empty() || rest.starts_with("::<"),
            None => false,
        }
    }

    fn in_handlers<'a>(&self, path: &'a str) -> Option<&'a str> {
        let name = path
            .strip_prefix(self.handlers.as_str())?
            .strip_prefix("::")?;
        // Nested items of a handler (closures, inner functions) are not handlers.
        let name = name.split_once("::<").map_or(name, |(name, _)| name);
        (!name.contains("::")).then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handlers_cold_parts_and_loops_are_told_apart() {
        let layout = Layout::default();
        let handlers = "rattail::interp::tail::handlers";
        assert_eq!(
            layout.handler(&format!("{handlers}::LOAD_FAST")),
            Some("LOAD_FAST")
        );
        assert_eq!(
            layout.handler(&format!("{handlers}::LOAD_FAST::<true>")),
            Some("LOAD_FAST")
        );
        assert_eq!(
            layout.handler(&format!("{handlers}::LOAD_FAST::inner")),
            None
        );
        assert_eq!(layout.handler(&format!("{handlers}::cold_CALL_1")), None);
        assert_eq!(
            layout.cold(&format!("{handlers}::cold_CALL_1")),
            Some("cold_CALL_1")
        );
        assert_eq!(layout.handler("rattail::interp::tail::run"), None);

        assert!(layout.is_loop(Form::Match, "rattail::interp::match_loop::run"));
        assert!(layout.is_loop(
            Form::Match,
            "rattail::interp::match_loop::run::<rattail::interp::Plain>"
        ));
        assert!(!layout.is_loop(Form::Match, "rattail::interp::match_loop::run_to_end"));
        assert!(!layout.is_loop(Form::Replicated, "rattail::interp::match_loop::run"));
    }
}
