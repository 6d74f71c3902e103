//! The verifier: everything that the compiler makes passes, and wrong code is refused with what and where.

use rattail::bytecode::spec::{CodeSpec, Constant, code_flags};
use rattail::bytecode::verify::{verify, verify_one};
use rattail::bytecode::{Opcode, instructions};
use rattail::compiler::{self, Mode};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

fn python_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.map(|entry| entry.expect("readable").path()) {
        if path.is_dir() {
            python_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "py") {
            files.push(path);
        }
    }
}

/// RATTAIL_SOURCES names a further folder to take Python files from.
#[test]
fn what_compiles_verifies() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![];
    for folder in ["tests", "benches/programs", "src/runtime/modules/py"] {
        python_files(&root.join(folder), &mut files);
    }
    if let Some(folder) = std::env::var_os("RATTAIL_SOURCES") {
        python_files(Path::new(&folder), &mut files);
    }
    assert!(files.len() > 60, "{}", files.len());
    let mut verified = 0;
    for file in &files {
        let source = fs::read(file).expect("readable");
        let compiled = compiler::compile(&source, "x.py", Mode::Exec, Default::default());
        if let Ok(code) = compiled {
            verified += 1;
            if let Err(error) = verify(&code) {
                panic!("{}: {error}", file.display());
            }
        }
    }
    println!("{verified} of {} files", files.len());
    assert!(verified > 60);
}

/// The first code object in the source, damaged.
fn damaged(source: &str, damage: impl Fn(&mut CodeSpec)) -> String {
    let module = compiler::compile(source.as_bytes(), "x.py", Mode::Exec, Default::default());
    let module = module.expect("compiles");
    let nested = module.consts.iter().find_map(|constant| match constant {
        Constant::Code(code) => Some(Rc::clone(code)),
        _ => None,
    });
    let mut code = CodeSpec::clone(&nested.unwrap_or(module));
    verify_one(&code).expect("it verifies as it is");
    // Locations do not follow the damage; what has none is on no line.
    code.linetable.clear();
    damage(&mut code);
    verify_one(&code).expect_err(source).to_string()
}

/// The byte offset of the first instruction with this opcode.
fn find(code: &CodeSpec, op: Opcode) -> usize {
    let mut found = instructions::instructions(&code.code).filter(|instr| instr.op == op);
    2 * found.next().unwrap_or_else(|| panic!("no {op:?}")).offset
}

/// Puts an instruction in the place of one.
fn put(code: &mut CodeSpec, at: Opcode, op: Opcode, arg: u8) {
    let at = find(code, at);
    code.code[at] = op.0 as u8;
    code.code[at + 1] = arg;
}

macro_rules! refused {
    ($name:ident: $source:literal, $damage:expr, $message:literal) => {
        #[test]
        fn $name() {
            assert_eq!(damaged($source, $damage), $message);
        }
    };
}

const F: &str = "def f(a, b):\n    return a";

#[test]
fn opcodes_that_are_not_the_compilers() {
    let refused = |op: Opcode| damaged(F, |code| put(code, Opcode::LOAD_FAST_BORROW, op, 0));
    for op in [
        Opcode::CACHE,
        Opcode::RESERVED,
        Opcode::LOAD_CONST_MORTAL,
        Opcode::RESUME_CHECK,
        Opcode::BINARY_OP_ADD_INT,
        Opcode::INSTRUMENTED_LINE,
        Opcode::INSTRUMENTED_RESUME,
        Opcode::ENTER_EXECUTOR,
        Opcode::INTERPRETER_EXIT,
        Opcode::EXIT_INIT_CHECK,
        Opcode::LEAVE_CHUNK,
        Opcode(125),
    ] {
        let expected = format!("f at 2: opcode {} ({op:?}) in fresh code", op.0);
        assert_eq!(refused(op), expected);
    }
}

refused!(an_empty_code: "def f(): 1", |c| c.code.clear(), "f at 0: code is empty or ends in half a unit");
refused!(an_end_without_return: "def f(a): return a", |c| c.code.truncate(4), "f at 2: control runs off the end");
refused!(a_constant_that_is_not_there: "def f(): return 'x'", |c| c.consts.clear(),
    "f at 2: LOAD_CONST: argument 0 is out of range");
refused!(a_local_that_is_not_there: "def f(a): return a", |c| c.code[3] = 7,
    "f at 2: LOAD_FAST_BORROW: argument 7 is out of range");
refused!(an_unbound_local: "def f(a):\n    b = a\n    return b", |c| c.argcount = 0,
    "f at 2: LOAD_FAST: local may be unbound");
refused!(an_empty_stack: "def f(a): return a", |c| put(c, Opcode::LOAD_FAST_BORROW, Opcode::NOP, 0),
    "f at 4: RETURN_VALUE: stack is empty");
refused!(words_left_over: "def f(a):\n    a.b\n    return a",
    |c| {
    put(c, Opcode::POP_TOP, Opcode::NOP, 0);
    c.stacksize = 3;
}, "f at 28: words are left on the stack");
refused!(too_deep_a_stack: "def f(a): return (a, a, a)", |c| c.stacksize = 2,
    "f at 4: stack is deeper than co_stacksize");
refused!(a_null_operand: "def f(a): return a", |c| put(c, Opcode::LOAD_FAST_BORROW, Opcode::PUSH_NULL, 0),
    "f at 4: RETURN_VALUE: operand may be NULL");
refused!(a_cache_with_something: "def f(a): return a + 1", |c| {
    let at = find(c, Opcode::BINARY_OP);
    c.code[at + 3] = 1;
}, "f at 6: BINARY_OP: cache is not empty");
refused!(a_jump_into_a_cache: "def f(a):\n    while a: a.b", |c| {
    let at = find(c, Opcode::JUMP_BACKWARD);
    c.code[at + 1] -= 2;
}, "f at 42: jump to 6");
refused!(a_borrow_that_outlives_its_local: "def f(a, b):\n    b = (a, b)\n    return b", |c| {
    put(c, Opcode::BUILD_TUPLE, Opcode::STORE_FAST, 1);
}, "f at 4: STORE_FAST: a borrowed reference is stored");
refused!(a_condition_that_is_no_bool: "def f(a):\n    if a: return a", |c| {
    let at = find(c, Opcode::TO_BOOL);
    c.code.drain(at..at + 8);
}, "f at 4: POP_JUMP_IF_FALSE: operand is not known to be a bool");
refused!(an_append_to_no_list: "def f(a): return [i for i in a]", |c| {
    put(c, Opcode::BUILD_LIST, Opcode::BUILD_SET, 0);
}, "f at 20: LIST_APPEND: what it fills has not been built for that");
refused!(a_function_without_its_closure: "def f(a):\n    return lambda: a", |c| {
    put(c, Opcode::SET_FUNCTION_ATTRIBUTE, Opcode::POP_TOP, 0);
}, "f at 12: POP_TOP: a function without its closure is used");
refused!(a_function_of_no_code: "def f(a):\n    return lambda: 1", |c| {
    put(c, Opcode::LOAD_CONST, Opcode::LOAD_FAST, 0);
}, "f at 4: MAKE_FUNCTION: operand is no constant that is code");
refused!(a_variable_without_a_cell: "def f(a):\n    return a, lambda: a", |c| {
    put(c, Opcode::MAKE_CELL, Opcode::NOP, 0);
}, "f at 4: LOAD_DEREF: variable may have no cell");
refused!(a_yield_in_a_function: "def f(a): yield a", |c| {
    put(c, Opcode::RETURN_GENERATOR, Opcode::LOAD_FAST, 0);
    c.flags &= !code_flags::GENERATOR;
}, "f at 8: YIELD_VALUE outside of a generator");
refused!(a_generator_that_does_not_say_so: "def f(a): yield a", |c| c.flags &= !code_flags::GENERATOR,
    "f at 0: co_flags do not say whether the code makes a generator");
refused!(keywords_that_are_no_names: "def f(a): return a(b=1)", |c| {
    for constant in &mut c.consts {
        *constant = Constant::Int(1);
    }
}, "f at 10: CALL_KW: operand is no constant tuple of names");
refused!(a_handler_for_words_that_are_gone: "def f(a):\n    try: a(1)\n    except: pass", |c| {
    c.exceptiontable = vec![0x80 | 2, 6, 15, 2 << 1];
}, "f at 8: handler wants 2 words, there are 0");
refused!(a_table_of_handlers_that_overlap: "def f(a):\n    try: a(1)\n    except: pass", |c| {
    let table = c.exceptiontable.clone();
    c.exceptiontable.extend(table);
}, "f at 2: exception table: ranges overlap or are out of order");
refused!(a_table_that_ends_early: "def f(a):\n    try: a(1)\n    except: pass", |c| {
    c.exceptiontable.pop();
}, "f at 0: exception table: malformed table at byte 7");
refused!(locations_that_make_no_sense: "def f(a): return a", |c| c.linetable = vec![1],
    "f at 0: location table: malformed table at byte 0");
refused!(a_loop_that_nothing_interrupts: "def f(a):\n    while True: pass", |c| {
    put(c, Opcode::JUMP_BACKWARD, Opcode::JUMP_BACKWARD_NO_INTERRUPT, 2);
    let at = find(c, Opcode::JUMP_BACKWARD_NO_INTERRUPT);
    c.code.drain(at + 2..at + 4);
}, "f at 2: a loop that cannot be interrupted");
refused!(an_argument_of_five_bytes: "def f(a): return a", |c| {
    c.code.splice(2..2, [Opcode::EXTENDED_ARG.0 as u8, 0].repeat(4));
}, "f at 8: argument is too long");
refused!(arguments_without_names: "def f(a): return a", |c| c.argcount = 3,
    "f at 0: names, kinds and arguments do not match");
