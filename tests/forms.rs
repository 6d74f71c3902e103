//! Every specialised form is executed: 83 by a function of `tests/py/forms.py` that is named after it, in every form of
//! dispatch, and JUMP_BACKWARD_JIT, which nothing writes without a second tier, by a test that writes it. The table of
//! them is `docs/forms.md`; with `RATTAIL_DOCS=write` in the environment it is written anew.

use rattail::bytecode::Opcode;
use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::object::dict;
use rattail::runtime::code::{self, CodeObject};
use rattail::runtime::function::FunctionObject;
use rattail::runtime::stats::{Event, Happening, Listener, Statistics};
use rattail::runtime::vm::{Machine, Options};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

const PROGRAM: &str = include_str!("py/forms.py");

/// The form that nothing but a test writes, and that test.
const WRITTEN: (&str, &str) = ("JUMP_BACKWARD_JIT", "a_jump_for_a_second_tier_runs");

/// Forms with the functions in which sites became them.
type Seen = Rc<RefCell<BTreeSet<(String, String)>>>;

struct Forms(Seen);

impl Listener for Forms {
    fn event(&mut self, event: &Event<'_>) {
        if event.happening == Happening::Specialized {
            let function = event.code.spec.name.to_string_lossy().into_owned();
            let seen = (event.to.name().to_owned(), function);
            self.0.borrow_mut().insert(seen);
        }
    }
    fn begins(&mut self, _: &CodeObject) {}
}

fn machine(form: Dispatch) -> Machine {
    let options = Options {
        stdout: Box::new(std::io::sink()),
        ..Options::default()
    };
    let machine = Machine::new(options).expect("a machine");
    interp::select(machine.thread(), form, true);
    machine
}

fn run(form: Dispatch) -> (Statistics, BTreeSet<(String, String)>) {
    let machine = machine(form);
    let seen = Seen::default();
    let listener = Box::new(Forms(seen.clone()));
    machine.thread().record().listen(Some(listener));
    let code = compiler::compile(
        PROGRAM.as_bytes(),
        "forms.py",
        Mode::Exec,
        Default::default(),
    )
    .unwrap_or_else(|error| panic!("{}", error.render()));
    let outcome = machine.run_main(&code);
    assert!(outcome.is_success(), "{:?}", outcome.report);
    let statistics = machine.thread().take_statistics().expect("recorded");
    drop(machine);
    (statistics, seen.take())
}

fn forms() -> impl Iterator<Item = (Opcode, Opcode)> {
    let families = Opcode::families().iter();
    families.flat_map(|family| family.members.iter().map(|form| (family.head, *form)))
}

#[test]
fn every_form_is_executed_by_the_function_of_its_name() {
    assert_eq!(forms().count(), 84);
    for &dispatch in Dispatch::COMPILED {
        let (statistics, seen) = run(dispatch);
        for (_, form) in forms().filter(|(_, form)| form.name() != WRITTEN.0) {
            let number = usize::from(form.0);
            let hits = statistics.executed[number] - statistics.missed[number];
            assert!(hits > 0, "{form:?} was not executed under {dispatch}");
            let function = form.name().to_lowercase();
            // An instruction of `super` stands in a method, one of `yield from` in a generator.
            let functions = [
                function.clone(),
                format!("{function}_delegating"),
                "parents".into(),
                "from_parent".into(),
            ];
            let became =
                |function: &String| seen.contains(&(form.name().to_owned(), function.clone()));
            assert!(
                functions.iter().any(became),
                "no site of {function} became {form:?} under {dispatch}"
            );
        }
    }
}

/// Writes the form into the code of a loop and runs it.
#[test]
fn a_jump_for_a_second_tier_runs() {
    for &form in Dispatch::COMPILED {
        let machine = machine(form);
        let (ts, vm) = (machine.thread(), machine.vm());
        ts.record();
        let source = "total = 0\nfor i in range(10):\n    total += i\n";
        let spec = compiler::compile(source.as_bytes(), "loop", Mode::Exec, Default::default())
            .unwrap_or_else(|error| panic!("{}", error.render()));
        let compiled = code::new_code(ts, &spec).expect("code");
        let module = vm.new_module("loop").expect("memory");
        // SAFETY: objects just made; the code is not running while it is changed.
        unsafe {
            let namespace = rattail::object::module::dict_of(module.as_word());
            ts.ensure_builtins(namespace).expect("memory");
            let code: *mut CodeObject = compiled.as_ptr();
            let jump = (*code).adaptive().iter().step_by(2);
            let jump = jump
                .filter(|byte| u16::from(byte.get()) == Opcode::JUMP_BACKWARD.0)
                .last()
                .expect("a loop");
            jump.set(Opcode::JUMP_BACKWARD_JIT.0 as u8);
            let function = rattail::runtime::function::new_function(ts, code, namespace);
            let function = function.expect("memory");
            let globals = (*function.as_ptr::<FunctionObject>()).globals.get();
            let done = rattail::runtime::entry::run_body(
                ts,
                function.as_word(),
                rattail::object::Word::from_borrowed(globals),
            )
            .expect("the loop runs");
            drop(done);
            let name = vm.intern_str("total").expect("memory");
            let total = dict::get_str(namespace, name.as_word()).expect("a total");
            assert_eq!(total.as_int(), 45);
        }
        let statistics = ts.take_statistics().expect("recorded");
        let executed = statistics.executed[usize::from(Opcode::JUMP_BACKWARD_JIT.0)];
        assert_eq!(executed, 10, "{form}");
    }
}

fn table() -> String {
    let mut text = String::from(
        "# The 84 specialised forms, and the test of each\n\n\
         `cargo test --test forms` executes every form and makes this table. A function is one of `tests/py/forms.py`, run\n\
         under every form of dispatch; a test is one of `tests/forms.rs`.\n\n\
         | family | form | executed by |\n| --- | --- | --- |\n",
    );
    for (head, form) in forms() {
        let test = if form.name() == WRITTEN.0 {
            format!("test `{}`, which writes it", WRITTEN.1)
        } else {
            let function = format!("def {}(", form.name().to_lowercase());
            let line = PROGRAM.lines().position(|line| line.starts_with(&function));
            let line = line.unwrap_or_else(|| panic!("no function for {form:?}"));
            format!("`{}`, line {}", form.name().to_lowercase(), line + 1)
        };
        text += &format!("| {} | {} | {test} |\n", head.name(), form.name());
    }
    text
}

#[test]
fn the_table_is_written_down() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/forms.md");
    if std::env::var("RATTAIL_DOCS").is_ok_and(|value| value == "write") {
        std::fs::write(&path, table()).expect("docs/ can be written to");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == table(),
        "RATTAIL_DOCS=write cargo test --test forms"
    );
}
