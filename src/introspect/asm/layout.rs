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
    /// The module of the tail form: a function an opcode, and what they continue in off the fast path.
    pub handlers: String,
    /// The loop of the match form.
    pub match_loop: String,
    /// The loop of the replicated form.
    pub replicated: String,
    /// The module of what the loops continue in off the fast path.
    pub continuations: String,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout {
            handlers: "rattail::interp::tail::handlers".into(),
            match_loop: "rattail::interp::match_loop::generated::run".into(),
            replicated: "rattail::interp::replicated::generated::run".into(),
            continuations: "rattail::interp::cold::continuations".into(),
        }
    }
}

impl Layout {
    /// The name of the tail form's function at this path: an opcode's handler or one of the others.
    pub fn handler<'a>(&self, path: &'a str) -> Option<&'a str> {
        item(&self.handlers, path)
    }

    /// The name of the loops' continuation at this path.
    pub fn continuation<'a>(&self, path: &'a str) -> Option<&'a str> {
        item(&self.continuations, path)
    }

    /// Whether this path is the loop of the form that does not count. What is compiled for it is `run` or
    /// `run::<false>`; the older mangling leaves the argument out.
    pub fn is_loop(&self, form: Form, path: &str) -> bool {
        let wanted = match form {
            Form::Tail => return false,
            Form::Match => &self.match_loop,
            Form::Replicated => &self.replicated,
        };
        path.strip_prefix(wanted.as_str())
            .is_some_and(|rest| rest.is_empty() || rest == "::<false>")
    }
}

/// The name of an item directly in a module: not of what is nested in one, such as a closure.
fn item<'a>(module: &str, path: &'a str) -> Option<&'a str> {
    let name = path.strip_prefix(module)?.strip_prefix("::")?;
    let name = name.split_once("::<").map_or(name, |(name, _)| name);
    (!name.contains("::")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handlers_continuations_and_loops_are_told_apart() {
        let layout = Layout::default();
        let handlers = "rattail::interp::tail::handlers";
        assert_eq!(
            layout.handler(&format!("{handlers}::LOAD_FAST")),
            Some("LOAD_FAST")
        );
        assert_eq!(
            layout.handler(&format!("{handlers}::LOAD_FAST::inner")),
            None
        );
        assert_eq!(layout.handler("rattail::interp::tail::run"), None);
        let continuation = "rattail::interp::cold::continuations::cold_CALL__CALL";
        assert_eq!(layout.continuation(continuation), Some("cold_CALL__CALL"));

        let run = "rattail::interp::match_loop::generated::run";
        assert!(layout.is_loop(Form::Match, run));
        assert!(layout.is_loop(Form::Match, &format!("{run}::<false>")));
        assert!(
            !layout.is_loop(Form::Match, &format!("{run}::<true>")),
            "it counts"
        );
        assert!(!layout.is_loop(Form::Match, &format!("{run}_to_end")));
        assert!(!layout.is_loop(Form::Replicated, run));
    }
}
