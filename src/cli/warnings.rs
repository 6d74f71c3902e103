//! Warnings of the compiler: what `-W` says of them, and how they are shown.

use super::complain;
use crate::compiler::{Warning, WarningAction};
use std::sync::OnceLock;

/// The action for all of this process, as `sys.warnoptions` is the whole process's.
static ACTION: OnceLock<WarningAction> = OnceLock::new();

/// Takes the filters of the command line; the last that concerns a SyntaxWarning counts.
pub fn choose(filters: &[Filter]) {
    if let Some(action) = filters.iter().rev().find_map(|filter| filter.0) {
        _ = ACTION.set(action);
    }
}

pub fn action() -> WarningAction {
    ACTION.get().copied().unwrap_or(WarningAction::Collect)
}

/// `-W ACTION[:MESSAGE[:CATEGORY[:MODULE[:LINE]]]]`; none where it concerns other warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter(Option<WarningAction>);

impl std::str::FromStr for Filter {
    type Err = String;

    fn from_str(text: &str) -> Result<Filter, String> {
        let mut fields = text.split(':').map(str::trim);
        let action = fields.next().unwrap_or_default();
        let fields: Vec<&str> = fields.collect();
        // Any beginning of the word will do.
        const ACTIONS: [(&str, WarningAction); 7] = [
            ("all", WarningAction::Collect),
            ("always", WarningAction::Collect),
            ("default", WarningAction::Collect),
            ("error", WarningAction::Raise),
            ("ignore", WarningAction::Ignore),
            ("module", WarningAction::Collect),
            ("once", WarningAction::Collect),
        ];
        let known = ACTIONS.iter().find(|(word, _)| word.starts_with(action));
        let Some((_, action)) = known else {
            return Err(format!("invalid action: '{action}'"));
        };
        let concerned = fields.iter().enumerate().all(|(i, field)| match i {
            1 => matches!(*field, "" | "Warning" | "SyntaxWarning"),
            _ => field.is_empty(),
        });
        Ok(Filter(concerned.then_some(*action)))
    }
}

/// Prints warnings on standard error (`warnings.showwarning`). Only files can show their lines.
pub fn show(warnings: &[Warning], filename: &str) {
    if warnings.is_empty() {
        return;
    }
    let text = match filename.starts_with('<') {
        true => Vec::new(),
        false => std::fs::read(filename).unwrap_or_default(),
    };
    let text = String::from_utf8_lossy(&text);
    for Warning { message, lineno } in warnings {
        complain(&format!("{filename}:{lineno}: SyntaxWarning: {message}\n"));
        let line = usize::try_from(lineno - 1).ok();
        let line = line.and_then(|n| text.lines().nth(n)).map(str::trim);
        if let Some(line) = line.filter(|line| !line.is_empty()) {
            complain(&format!("  {line}\n"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_name_an_action_and_may_concern_others() {
        let parse = |text: &str| text.parse::<Filter>().map(|filter| filter.0);
        assert_eq!(parse("error"), Ok(Some(WarningAction::Raise)));
        assert_eq!(parse("ign"), Ok(Some(WarningAction::Ignore)));
        assert_eq!(
            parse("ignore::SyntaxWarning"),
            Ok(Some(WarningAction::Ignore))
        );
        assert_eq!(parse("ignore::DeprecationWarning"), Ok(None));
        assert_eq!(parse("error:some text"), Ok(None));
        assert!(parse("loud").is_err());
    }
}
