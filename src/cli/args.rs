//! Arguments and their help.

use super::warnings::Filter;
use crate::interp::Dispatch;
use crate::introspect::asm::Form;
use clap::{Args, Parser, Subcommand};
use std::collections::VecDeque;
use std::ffi::OsString;
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
    /// Run a Python program; it imports from its own folder, then from those that RATTAILPATH lists
    Run(Run),
    /// Run a program under every form of dispatch, side by side
    Race(Race),
    /// Show the machine code of the dispatch, from the binary itself
    Asm(Asm),
    /// Show the bytecode of a program
    Dis(Dis),
    /// Show an instruction's definition beside what each form makes of it
    Expand(Expand),
    /// Run the branches that a program really executes through models of predictors
    Predict(Predict),
    /// Read the processor's counters while a program runs under every form
    Counters(Counters),
    /// Time the lab's machines, which do nothing but dispatch, in every form and in C
    #[cfg(feature = "lab")]
    Lab(Lab),
    /// Make tables from the JSON of races
    Report(Report),
    /// Count what a program executes and how it is specialised
    Stats(Stats),
    /// Show what happens to a program's instructions, one by one
    Watch(Watch),
}

#[derive(Debug, Args)]
#[command(
    override_usage = "rattail run [OPTION]... FILE [ARG]...\n       rattail run [OPTION]... -c CODE [ARG]..."
)]
pub struct Run {
    /// The form of dispatch: tail, match or replicated, as far as compiled in
    #[arg(long, value_name = "FORM")]
    pub dispatch: Option<Dispatch>,

    /// Keep every instruction as the compiler wrote it
    #[arg(long)]
    pub no_specialise: bool,
    /// The most memory that objects may take, such as 500M: more is a MemoryError
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory_limit: Option<usize>,

    /// What to do about warnings, as Python's -W says it: default, error or ignore
    #[arg(short = 'W', value_name = "FILTER")]
    pub warnings: Vec<Filter>,

    /// Code instead of a file; what follows are its arguments
    #[arg(short, value_name = "CODE", allow_hyphen_values = true)]
    pub code: Option<String>,

    /// The program, - for standard input, and its arguments
    #[arg(
        required_unless_present = "code",
        value_name = "FILE [ARG]",
        last = false
    )]
    pub program: Vec<OsString>,
}

#[derive(Debug, Args)]
pub struct Race {
    /// The program; without it a built-in one runs
    pub file: Option<PathBuf>,

    /// Rounds that count
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rounds: u32,

    /// Rounds before them, for warm-up
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub warmup: u32,

    /// Another interpreter to race, such as /usr/bin/python3; the program must report its own time (--time)
    #[arg(long = "peer", value_name = "COMMAND", requires = "file")]
    pub peers: Vec<OsString>,

    /// Race every form a second time, with specialisation off
    #[arg(long)]
    pub unspecialised: bool,

    /// Print JSON; the program's output goes to standard error
    #[arg(long)]
    pub json: bool,

    /// Arguments of the program
    #[arg(last = true, value_name = "ARG", requires = "file")]
    pub arguments: Vec<OsString>,
}

#[derive(Debug, Args)]
pub struct Predict {
    /// The program; it runs under valgrind, so choose a small size
    pub file: PathBuf,

    /// One form, or all that are compiled in
    #[arg(long, value_name = "FORM", default_value = "all", value_parser = forms)]
    pub form: Forms,

    /// The binary to run instead of this one
    #[arg(long, value_name = "FILE")]
    pub binary: Option<PathBuf>,

    /// Run callgrind too, and fail unless the model of its predictor counts what it counts
    #[arg(long)]
    pub check: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Arguments of the program
    #[arg(last = true, value_name = "ARG")]
    pub arguments: Vec<OsString>,
}

#[derive(Debug, Args)]
pub struct Counters {
    /// The program
    pub file: PathBuf,

    /// One form, or all that are compiled in
    #[arg(long, value_name = "FORM", default_value = "all", value_parser = forms)]
    pub form: Forms,

    /// Count events of the kernel instead, which need no hardware
    #[arg(long)]
    pub software: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Arguments of the program
    #[arg(last = true, value_name = "ARG")]
    pub arguments: Vec<OsString>,
}

#[cfg(feature = "lab")]
#[derive(Debug, Args)]
pub struct Lab {
    /// Rounds that count
    #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rounds: u32,

    /// Opcodes in a program
    #[arg(long, default_value_t = 1 << 18, value_parser = clap::value_parser!(u32).range(1..=1 << 28))]
    pub length: u32,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Forms of dispatch that are compiled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forms(pub Vec<Dispatch>);

#[derive(Debug, Args)]
pub struct Asm {
    /// The opcode whose code to list, such as LOAD_FAST
    #[arg(required_unless_present_any = ["audit", "check"])]
    pub name: Option<String>,

    /// Count jumps, frames, pushes, spills and bytes of every form
    #[arg(long, conflicts_with = "name")]
    pub audit: bool,

    /// Count too what leaves the fast path as a program runs: a file and its arguments, in one; may be given again
    #[arg(long = "run", value_name = "PROGRAM", requires = "audit")]
    pub programs: Vec<String>,

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

    /// Show inline caches
    #[arg(short = 'C', long)]
    pub show_caches: bool,

    /// Show instruction offsets
    #[arg(short = 'O', long)]
    pub show_offsets: bool,

    /// Show instruction positions in the source
    #[arg(short = 'P', long)]
    pub show_positions: bool,

    /// Show the code as it begins to run, its counters set
    #[arg(short = 'S', long)]
    pub specialized: bool,

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
    /// Files that `rattail race --json` wrote; or the folder results/, whose page, plots and claims are made anew
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print Markdown
    #[arg(long)]
    pub markdown: bool,
}

/// A program that runs once and is looked at; its output goes to standard error.
#[derive(Debug, Args)]
pub struct Recorded {
    /// The program; - is standard input
    pub file: PathBuf,

    /// The form of dispatch: tail, match or replicated, as far as compiled in
    #[arg(long, value_name = "FORM")]
    pub dispatch: Option<Dispatch>,

    /// Arguments of the program
    #[arg(last = true, value_name = "ARG")]
    pub arguments: Vec<OsString>,
}

impl Recorded {
    pub fn form(&self) -> Dispatch {
        self.dispatch.unwrap_or(Dispatch::COMPILED[0])
    }
    /// What the program finds in `sys.argv`.
    pub fn argv(&self) -> Vec<String> {
        let arguments = self.arguments.iter();
        let arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
        [self.file.display().to_string()]
            .into_iter()
            .chain(arguments)
            .collect()
    }
}

#[derive(Debug, Args)]
pub struct Stats {
    #[command(flatten)]
    pub recorded: Recorded,

    /// How many opcodes and pairs to show
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub top: usize,

    /// Nanoseconds by opcode and by family's miss, as JSON, for Tadaptive
    #[arg(long, value_name = "FILE")]
    pub times: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Watch {
    #[command(flatten)]
    pub recorded: Recorded,

    /// Only this function, by name or qualified name
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,

    /// Only this family, such as LOAD_ATTR
    #[arg(long, value_name = "NAME")]
    pub family: Option<String>,

    /// Only this kind of event: specialize, respecialize, miss, deopt or fail; may be given again
    #[arg(long = "event", value_name = "KIND", value_parser = ["specialize", "respecialize", "miss", "deopt", "fail"])]
    pub events: Vec<String>,

    /// Show opcode and counter of the function's sites before every so many calls instead
    #[arg(long, value_name = "CALLS", requires = "function", value_parser = clap::value_parser!(u64).range(1..))]
    pub every: Option<u64>,

    /// How many lines to show
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub limit: usize,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Puts a `--` behind the program of `rattail run`, so that whatever follows it belongs to the program.
pub fn separate(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: VecDeque<OsString> = arguments.into_iter().collect();
    let mut out: Vec<OsString> = arguments.drain(..arguments.len().min(2)).collect();
    if out.get(1).is_none_or(|command| command != "run") {
        out.extend(arguments);
        return out;
    }
    let takes_value = |option: &str| {
        let run = Run::augment_args(clap::Command::new("run"));
        let named = |arg: &&clap::Arg| match option.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            None => arg.get_short() == option.chars().nth(1) && option.chars().count() == 2,
        };
        run.get_arguments()
            .find(named)
            .is_some_and(|arg| arg.get_action().takes_values())
    };
    while let Some(argument) = arguments.pop_front() {
        let text = argument.to_string_lossy().into_owned();
        let is_option = text.starts_with('-') && text != "-";
        let is_code = text.starts_with("-c");
        if text == "--" {
            out.push(argument);
            break;
        }
        if !is_option {
            out.extend([OsString::from("--"), argument]);
            break;
        }
        out.push(argument);
        if takes_value(&text) {
            out.extend(arguments.pop_front());
        }
        if is_code {
            out.push("--".into());
            break;
        }
    }
    out.extend(arguments);
    out
}

fn forms(text: &str) -> Result<Forms, String> {
    match text {
        "all" => Ok(Forms(Dispatch::COMPILED.to_vec())),
        _ => text
            .parse()
            .map(|form| Forms(vec![form]))
            .map_err(|error: <Dispatch as std::str::FromStr>::Err| error.to_string()),
    }
}

/// A number of bytes, perhaps of thousands (K), millions (M) or billions (G) of them, in powers of two.
fn bytes(text: &str) -> Result<usize, String> {
    let (digits, shift) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(digits) => (
            digits,
            if text.ends_with('K') {
                10
            } else if text.ends_with('M') {
                20
            } else {
                30
            },
        ),
        None => (text, 0),
    };
    let number: usize = digits
        .parse()
        .map_err(|_| "a number of bytes, such as 65536, 64K, 500M or 2G".to_owned())?;
    number
        .checked_mul(1 << shift)
        .ok_or_else(|| "more bytes than there can be".to_owned())
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
        Arguments::try_parse_from(separate(
            [&["rattail"], arguments]
                .concat()
                .iter()
                .map(OsString::from),
        ))
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

    fn run(arguments: &[&str]) -> (Option<Dispatch>, Option<String>, Vec<String>) {
        let Ok(Command::Run(run)) = parse(&[&["run"], arguments].concat()) else {
            panic!("{arguments:?}")
        };
        let program = run
            .program
            .iter()
            .map(|argument| argument.to_string_lossy().into_owned());
        (run.dispatch, run.code, program.collect())
    }

    #[test]
    fn what_follows_the_program_belongs_to_it() {
        let form = Dispatch::COMPILED[0];
        assert_eq!(run(&["f.py"]), (None, None, vec!["f.py".into()]));
        assert_eq!(
            run(&["f.py", "-c", "--dispatch"]),
            (
                None,
                None,
                ["f.py", "-c", "--dispatch"].map(Into::into).into()
            )
        );
        assert_eq!(
            run(&["f.py", "--help"]),
            (None, None, ["f.py", "--help"].map(Into::into).into())
        );
        assert_eq!(
            run(&["-", "-x"]),
            (None, None, ["-", "-x"].map(Into::into).into())
        );
        assert_eq!(
            run(&["f.py", "--", "-x"]),
            (None, None, ["f.py", "--", "-x"].map(Into::into).into())
        );
        assert_eq!(
            run(&["--", "-f.py", "-x"]),
            (None, None, ["-f.py", "-x"].map(Into::into).into())
        );
        let named = run(&["--dispatch", form.name(), "f.py", "--dispatch"]);
        assert_eq!(
            named,
            (
                Some(form),
                None,
                ["f.py", "--dispatch"].map(Into::into).into()
            )
        );
        let attached = run(&[&format!("--dispatch={form}"), "f.py"]);
        assert_eq!(attached, (Some(form), None, vec!["f.py".into()]));
    }

    #[test]
    fn code_takes_all_that_follows() {
        let code = |arguments: &[&str]| run(arguments);
        assert_eq!(code(&["-c", "x"]), (None, Some("x".into()), vec![]));
        assert_eq!(
            code(&["-cx", "-v"]),
            (None, Some("x".into()), vec!["-v".into()])
        );
        assert_eq!(
            code(&["-c", "-x", "--help", "a"]),
            (
                None,
                Some("-x".into()),
                ["--help", "a"].map(Into::into).into()
            )
        );
    }

    #[test]
    fn run_refuses_what_it_does_not_know() {
        assert_eq!(
            parse(&["run"]).err(),
            Some(ErrorKind::MissingRequiredArgument)
        );
        assert_eq!(
            parse(&["run", "--fast", "f.py"]).err(),
            Some(ErrorKind::UnknownArgument)
        );
        assert_eq!(
            parse(&["run", "--dispatch", "goto", "f.py"]).err(),
            Some(ErrorKind::ValueValidation)
        );
        assert_eq!(
            parse(&["run", "--dispatch"]).err(),
            Some(ErrorKind::InvalidValue)
        );
    }

    #[test]
    fn race_has_a_built_in_program_and_takes_arguments_behind_dashes() {
        let Ok(Command::Race(race)) =
            parse(&["race", "f.py", "--rounds", "5", "--", "100", "--json"])
        else {
            panic!()
        };
        assert_eq!((race.rounds, race.json), (5, false));
        assert_eq!(race.arguments, ["100", "--json"]);
        assert!(matches!(
            parse(&["race"]),
            Ok(Command::Race(Race { file: None, .. }))
        ));
        assert_eq!(
            parse(&["race", "--rounds", "0"]).err(),
            Some(ErrorKind::ValueValidation)
        );
        assert_eq!(
            parse(&["race", "f.py", "100"]).err(),
            Some(ErrorKind::UnknownArgument)
        );
        assert_eq!(
            parse(&["race", "--peer", "python3"]).err(),
            Some(ErrorKind::MissingRequiredArgument)
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
