//! Dispatch never deepens the native stack: every handler, many times over, on a stack of 256 KiB.
//!
//! A handler that returned instead of being left would use it up after a few thousand instructions. Instructions
//! executed: 10^8 with optimisation, 10^6 without. `RATTAIL_TORTURE` in the environment sets another number.

use rattail::bytecode::Opcode;
use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::runtime::counts::Counts;
use rattail::runtime::vm::{Machine, Options};
use std::io;

const STACK: usize = 256 << 10;

/// Visits as many instructions and their forms as plain programs reach, a few thousand executions a round: every
/// operation on ints of both sizes, floats in words and boxed, strings, lists, tuples, dicts, sets; misses of every
/// guard; exceptions raised and handled; calls of every kind, deep and shallow.
const PROGRAM: &str = include_str!("py/torture.py");

fn machine(form: Dispatch, counting: bool) -> Machine {
    let options = Options {
        stdout: Box::new(io::sink()),
        ..Options::default()
    };
    let machine = Machine::new(options).expect("a machine");
    interp::select(machine.thread(), form, counting);
    machine
}

/// Runs the program with `rounds` rounds, returns the instructions executed by opcode.
fn run(form: Dispatch, rounds: u64, counting: bool) -> Counts {
    let source = format!("ROUNDS = {rounds}\n{PROGRAM}");
    let code = compiler::compile(
        source.as_bytes(),
        "torture.py",
        Mode::Exec,
        Default::default(),
    );
    let code = code.unwrap_or_else(|_| panic!("torture.py compiles"));
    let machine = machine(form, counting);
    let outcome = machine.run_main(&code);
    assert!(outcome.is_success(), "{form}: {:?}", outcome.report);
    machine.thread().take_counts()
}

fn on_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .expect("a thread");
    thread
        .join()
        .unwrap_or_else(|e| std::panic::resume_unwind(e))
}

fn torture(form: Dispatch) {
    if !form.is_compiled() {
        return;
    }
    let wanted = match std::env::var("RATTAIL_TORTURE") {
        Ok(number) => number.parse().expect("RATTAIL_TORTURE is a number"),
        Err(_) if cfg!(debug_assertions) => 1_000_000,
        Err(_) => 100_000_000,
    };
    let one = on_small_stack(move || run(form, 1, true));
    let executed = one.total();
    on_small_stack(move || run(form, (wanted / executed).max(1) + 1, false));
}

#[test]
fn tail() {
    torture(Dispatch::Tail);
}

#[test]
fn replicated() {
    torture(Dispatch::Replicated);
}

#[test]
fn match_() {
    torture(Dispatch::Match);
}

/// Opcodes that plain programs do not reach yet: declared only, never written into code, or for the interpreter itself.
fn is_out_of_reach(op: Opcode) -> bool {
    op.is_pseudo()
        || op.name().starts_with("INSTRUMENTED_")
        || UNREACHED.contains(&op.name())
        || rattail::introspect::asm::exceptions::is_declared_only(op.name())
}

/// Never fetched by a program: not emitted by the compiler, the interpreter's own, or only behind instructions that are
/// declared only (type parameters, annotation scopes).
const UNREACHED: &[&str] = &[
    "CACHE",
    "RESERVED",
    "ENTER_EXECUTOR",
    "JUMP_BACKWARD_JIT",
    "TO_BOOL_ALWAYS_TRUE",
    "SETUP_ANNOTATIONS",
    "LOAD_FROM_DICT_OR_GLOBALS",
];

#[test]
fn every_instruction_is_executed() {
    let form = Dispatch::COMPILED[0];
    let counts = on_small_stack(move || run(form, 3, true));
    let missing: Vec<&str> = Opcode::all()
        .filter(|op| !is_out_of_reach(*op) && counts.executed[usize::from(op.0)] == 0)
        .map(Opcode::name)
        .collect();
    assert!(missing.is_empty(), "not executed: {missing:?}");
}
