//! Arguments and their help.

use crate::introspect::asm::Form;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// CPython 3.14's evaluation loop in three forms of dispatch.
#[derive(Debug, Parser)]
#[command(name = "rattail", version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the machine code of the dispatch, from the binary itself
    Asm(Asm),
    /// Show the bytecode of a program
    Dis(Dis),
    /// Show an instruction's definition beside what each form makes of it
    Expand(Expand),
    /// Make tables from the JSON of races
    Report(Report),
}

#[derive(Debug, Args)]
pub struct Asm {
    /// The opcode whose code to list, such as LOAD_FAST
    #[arg(required_unless_present_any = ["audit", "check"])]
    pub name: Option<String>,

    /// Count jumps, frames, pushes, spills and bytes of every form
    #[arg(long, conflicts_with = "name")]
    pub audit: bool,

    /// Fail unless every form's code is what it is meant to be
    #[arg(long, conflicts_with_all = ["name", "json"])]
    pub check: bool,

    /// Print JSON
    #[arg(long, conflicts_with = "name")]
    pub json: bool,

    /// Only this form; a listing is of the tail form without it
    #[arg(long, value_parser = form)]
    pub form: Option<Form>,

    /// The binary to read instead of this one
    #[arg(long, value_name = "FILE")]
    pub binary: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Dis {
    /// The program; - is standard input
    #[arg(required_unless_present = "code")]
    pub file: Option<PathBuf>,

    /// Code instead of a file
    #[arg(short, value_name = "CODE", conflicts_with = "file")]
    pub code: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Expand {
    /// An instruction or a micro-op, such as LOAD_FAST or _GUARD_TYPE_VERSION
    #[arg(required_unless_present = "all")]
    pub name: Option<String>,

    /// Write every generated file into a folder
    #[arg(long, value_name = "DIR", conflicts_with = "name")]
    pub all: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Report {
    /// Files that `rattail race --json` wrote
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print Markdown
    #[arg(long)]
    pub markdown: bool,
}

fn form(text: &str) -> Result<Form, String> {
    Form::ALL
        .into_iter()
        .find(|form| form.name() == text)
        .ok_or_else(|| "the forms are tail, match and replicated".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    fn parse(arguments: &[&str]) -> Result<Command, ErrorKind> {
        Arguments::try_parse_from([&["rattail"], arguments].concat())
            .map(|arguments| arguments.command)
            .map_err(|error| error.kind())
    }

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn asm_lists_or_audits() {
        assert!(matches!(
            parse(&["asm", "LOAD_FAST", "--form", "match"]),
            Ok(Command::Asm(Asm {
                name: Some(_),
                form: Some(Form::Match),
                ..
            }))
        ));
        assert!(matches!(
            parse(&["asm", "--audit", "--json"]),
            Ok(Command::Asm(Asm {
                audit: true,
                json: true,
                ..
            }))
        ));
        assert_eq!(
            parse(&["asm"]).err(),
            Some(ErrorKind::MissingRequiredArgument)
        );
        assert_eq!(
            parse(&["asm", "X", "--audit"]).err(),
            Some(ErrorKind::ArgumentConflict)
        );
        assert_eq!(
            parse(&["asm", "X", "--json"]).err(),
            Some(ErrorKind::ArgumentConflict)
        );
        assert_eq!(
            parse(&["asm", "X", "--form", "goto"]).err(),
            Some(ErrorKind::ValueValidation)
        );
    }

    #[test]
    fn dis_takes_a_file_or_code() {
        assert!(matches!(
            parse(&["dis", "-", "--json"]),
            Ok(Command::Dis(Dis {
                file: Some(_),
                json: true,
                ..
            }))
        ));
        assert!(matches!(
            parse(&["dis", "-c", "-x"]),
            Err(ErrorKind::UnknownArgument)
        ));
        assert!(matches!(
            parse(&["dis", "-c", "x"]),
            Ok(Command::Dis(Dis { code: Some(_), .. }))
        ));
        assert_eq!(
            parse(&["dis"]).err(),
            Some(ErrorKind::MissingRequiredArgument)
        );
        assert_eq!(
            parse(&["dis", "-c", "x", "f.py"]).err(),
            Some(ErrorKind::ArgumentConflict)
        );
    }

    #[test]
    fn expand_shows_one_or_writes_all() {
        assert!(matches!(
            parse(&["expand", "NOP"]),
            Ok(Command::Expand(Expand {
                name: Some(_),
                all: None
            }))
        ));
        assert!(matches!(
            parse(&["expand", "--all", "x"]),
            Ok(Command::Expand(Expand {
                name: None,
                all: Some(_)
            }))
        ));
        assert_eq!(
            parse(&["expand"]).err(),
            Some(ErrorKind::MissingRequiredArgument)
        );
    }

    #[test]
    fn report_wants_files() {
        assert_eq!(
            parse(&["report"]).err(),
            Some(ErrorKind::MissingRequiredArgument)
        );
    }
}
