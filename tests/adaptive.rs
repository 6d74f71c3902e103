//! The adaptive states that CPython 3.14.2 went through, execution by execution, in every form of dispatch: which form
//! an instruction has, and where its counter stands. `tests/tools/record_adaptive.py` recorded them.

// The recorded counters have 3.14's layout.
#![cfg(not(feature = "counter-3-15"))]

use rattail::bytecode::Opcode;
use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::object::dict;
use rattail::object::{Kind, Owned, Word};
use rattail::runtime::code::{self, CodeObject};
use rattail::runtime::function::FunctionObject;
use rattail::runtime::vm::{Machine, Options};
use serde::Deserialize;
use std::rc::Rc;

/// Offset, name, argument, counter.
type Row = (usize, String, Option<u32>, Option<u16>);

#[derive(Deserialize)]
struct Case {
    name: String,
    source: String,
    observe: String,
    cold: Vec<Row>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    exec: String,
    times: usize,
    state: Vec<Row>,
}

fn cases(text: &str) -> Vec<Case> {
    serde_json::from_str(text).expect("recorded cases")
}

/// A machine with a namespace in which a case's source and statements run. The namespace goes before its machine.
struct Bench {
    namespace: Owned,
    machine: Machine,
}

impl Bench {
    fn new(form: Dispatch) -> Bench {
        let options = Options {
            stdout: Box::new(std::io::sink()),
            ..Options::default()
        };
        let machine = Machine::new(options).expect("a machine");
        interp::select(machine.thread(), form, false);
        let vm = machine.vm();
        let module = vm.new_module("case").expect("a module");
        // SAFETY: a module just made.
        let namespace = unsafe {
            let dict = rattail::object::module::dict_of(module.as_word());
            machine.thread().ensure_builtins(dict).expect("memory");
            Owned::from_borrowed(dict)
        };
        Bench { namespace, machine }
    }

    /// A function that runs the source in the namespace.
    fn compile(&self, source: &str, name: &str) -> Owned {
        let spec = compiler::compile(source.as_bytes(), name, Mode::Exec, Default::default())
            .unwrap_or_else(|error| panic!("{name}: {}", error.render()));
        let ts = self.machine.thread();
        let compiled = code::new_code(ts, &Rc::clone(&spec)).expect("code");
        // SAFETY: a code object just made, and a live dict.
        unsafe {
            let namespace = self.namespace.as_ptr();
            rattail::runtime::function::new_function(ts, compiled.as_ptr(), namespace)
                .expect("memory")
        }
    }

    /// One execution; what it raises is dropped, as the recorder drops it.
    fn run(&self, body: &Owned) {
        let ts = self.machine.thread();
        // SAFETY: a module's body and its namespace.
        let result = unsafe {
            rattail::runtime::entry::run_body(ts, body.as_word(), self.namespace.as_word())
        };
        if result.is_err() {
            ts.vm().clear_exception();
        }
    }

    /// The adaptive code of the function with this name; none if there is no such function.
    fn snapshot(&self, name: &str) -> Vec<Row> {
        let vm = self.machine.vm();
        let name = vm.intern_str(name).expect("memory");
        // SAFETY: the namespace is live, what it has is live with it.
        unsafe {
            let function = dict::get_str(self.namespace.as_ptr(), name.as_word());
            let function = function.unwrap_or(Word::NULL);
            if !function.is_exact(Kind::FUNCTION) {
                return vec![];
            }
            rows(&*(*function.cast::<FunctionObject>()).code.get())
        }
    }
}

/// As `dis` reads it: caches left out, arguments with their extension.
fn rows(code: &CodeObject) -> Vec<Row> {
    let bytes: Vec<u8> = code.adaptive().iter().map(|byte| byte.get()).collect();
    let (mut rows, mut unit, mut extended) = (vec![], 0, 0);
    while 2 * unit < bytes.len() {
        let opcode = Opcode(u16::from(bytes[2 * unit]));
        let argument = extended << 8 | u32::from(bytes[2 * unit + 1]);
        let caches = opcode.caches();
        let counter =
            (caches > 0).then(|| u16::from_le_bytes([bytes[2 * unit + 2], bytes[2 * unit + 3]]));
        let has_argument = opcode.deopt().has_arg();
        rows.push((
            2 * unit,
            opcode.name().to_owned(),
            has_argument.then_some(argument),
            counter,
        ));
        extended = if opcode == Opcode::EXTENDED_ARG {
            argument
        } else {
            0
        };
        unit += 1 + caches;
    }
    rows
}

/// The first row in which the two differ.
fn difference(found: &[Row], expected: &[Row]) -> Option<String> {
    if found.len() != expected.len() {
        return Some(format!("{} rows, not {}", found.len(), expected.len()));
    }
    found
        .iter()
        .zip(expected)
        .find(|(found, expected)| found != expected)
        .map(|(found, expected)| format!("{found:?}, not {expected:?}"))
}

fn replay(case: &Case, form: Dispatch) -> Result<(), String> {
    let bench = Bench::new(form);
    bench.run(&bench.compile(&case.source, &case.name));
    if let Some(difference) = difference(&bench.snapshot(&case.observe), &case.cold) {
        return Err(format!("cold: {difference}"));
    }
    for (index, step) in case.steps.iter().enumerate() {
        let body = bench.compile(&step.exec, "step");
        for _ in 0..step.times {
            bench.run(&body);
        }
        if let Some(difference) = difference(&bench.snapshot(&case.observe), &step.state) {
            return Err(format!(
                "step {index} ({} x {:?}): {difference}",
                step.times, step.exec
            ));
        }
    }
    Ok(())
}

fn check(text: &str) {
    let mut failures = vec![];
    for case in cases(text) {
        for &form in Dispatch::COMPILED {
            if let Err(message) = replay(&case, form) {
                failures.push(format!("{} under {form}: {message}", case.name));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn states_are_cpythons() {
    check(include_str!("vectors/adaptive-3.14.json"));
}

#[test]
fn states_of_more_cases_are_cpythons() {
    check(include_str!("vectors/adaptive-more-3.14.json"));
}
