//! Built-in functions called natively: results and messages are CPython 3.14's.

use super::testing::TestMachine;
use crate::object::Word;

const fn int(value: i64) -> Word {
    Word::int_unchecked(value)
}

#[test]
fn numbers() {
    let test = TestMachine::new();
    let float = |value| Word::try_float(value).unwrap();
    let text = test.str("a");
    let sum = test.builtin("sum");
    let tenths = test.list(&[float(0.1); 10]);
    assert_eq!(test.call(&sum, &[tenths.as_word()]), "1.0");
    let mixed = test.list(&[int(1), float(2.5), Word::TRUE]);
    assert_eq!(test.call(&sum, &[mixed.as_word()]), "4.5");
    assert_eq!(
        test.call(&sum, &[]),
        "TypeError: sum() takes at least 1 positional argument (0 given)"
    );
    let strings = test.list(&[text.as_word()]);
    assert_eq!(
        test.call(&sum, &[strings.as_word(), text.as_word()]),
        "TypeError: sum() can't sum strings [use ''.join(seq) instead]"
    );
    assert_eq!(
        test.call(&sum, &[strings.as_word()]),
        "TypeError: unsupported operand type(s) for +: 'int' and 'str'"
    );
    let pow = test.builtin("pow");
    assert_eq!(test.call(&pow, &[int(2), int(-1), int(7)]), "4");
    assert_eq!(
        test.call(&pow, &[int(2)]),
        "TypeError: pow() missing required argument 'exp' (pos 2)"
    );
    let round = test.builtin("round");
    assert_eq!(test.call(&round, &[float(2.5)]), "2");
    assert_eq!(test.call(&round, &[float(2.567), int(2)]), "2.57");
    assert_eq!(
        test.call(&round, &[text.as_word()]),
        "TypeError: type str doesn't define __round__ method"
    );
    assert_eq!(
        test.call(&test.builtin("abs"), &[text.as_word()]),
        "TypeError: bad operand type for abs(): 'str'"
    );
    assert_eq!(
        test.call(&test.builtin("divmod"), &[int(-7), int(2)]),
        "(-4, 1)"
    );
}

#[test]
fn text() {
    let test = TestMachine::new();
    assert_eq!(test.call(&test.builtin("chr"), &[int(0x20ac)]), "'€'");
    assert_eq!(
        test.call(&test.builtin("chr"), &[int(-1)]),
        "ValueError: chr() arg not in range(0x110000)"
    );
    let (one, two) = (test.str("é"), test.str("ab"));
    assert_eq!(test.call(&test.builtin("ord"), &[one.as_word()]), "233");
    assert_eq!(
        test.call(&test.builtin("ord"), &[two.as_word()]),
        "TypeError: ord() expected a character, but string of length 2 found"
    );
    assert_eq!(
        test.call(&test.builtin("ascii"), &[one.as_word()]),
        "\"'\\\\xe9'\""
    );
    assert_eq!(test.call(&test.builtin("hex"), &[int(-255)]), "'-0xff'");
    assert_eq!(test.call(&test.builtin("bin"), &[int(5)]), "'0b101'");
    let spec = test.str(">5");
    assert_eq!(
        test.call(&test.builtin("format"), &[int(42), spec.as_word()]),
        "'   42'"
    );
    assert_eq!(
        test.call(&test.builtin("format"), &[int(1), int(2)]),
        "TypeError: format() argument 2 must be str, not int"
    );
}

#[test]
fn iterables() {
    let test = TestMachine::new();
    let list = test.list(&[int(3), int(1), int(2)]);
    let empty = test.list(&[]);
    let (min, max) = (test.builtin("min"), test.builtin("max"));
    assert_eq!(test.call(&min, &[list.as_word()]), "1");
    assert_eq!(test.call(&max, &[int(3), int(9), int(4)]), "9");
    assert_eq!(
        test.call(&min, &[empty.as_word()]),
        "ValueError: min() iterable argument is empty"
    );
    assert_eq!(
        test.call(&max, &[]),
        "TypeError: max expected at least 1 argument, got 0"
    );
    assert_eq!(
        test.call_named(&max, &[empty.as_word(), int(7)], &["default"]),
        "7"
    );
    assert_eq!(
        test.call_named(&max, &[int(1), int(2), int(7)], &["default"]),
        "TypeError: Cannot specify a default for max() with multiple positional arguments"
    );
    let sorted = test.builtin("sorted");
    assert_eq!(
        test.call_named(&sorted, &[list.as_word(), Word::TRUE], &["reverse"]),
        "[3, 2, 1]"
    );
    assert_eq!(
        test.call_named(&sorted, &[list.as_word(), int(1)], &["foo"]),
        "TypeError: sort() got an unexpected keyword argument 'foo'"
    );
    let as_list = |iterable: &str, args: &[Word]| {
        let made = crate::object::call::call(
            test.machine.vm(),
            test.builtin(iterable).as_word(),
            args,
            None,
        );
        match made {
            Ok(made) => test.call(&test.builtin("list"), &[made.as_word()]),
            Err(raised) => test.show(Err(raised)),
        }
    };
    assert_eq!(
        as_list("enumerate", &[list.as_word(), int(5)]),
        "[(5, 3), (6, 1), (7, 2)]"
    );
    assert_eq!(
        as_list("zip", &[list.as_word(), list.as_word()]),
        "[(3, 3), (1, 1), (2, 2)]"
    );
    assert_eq!(
        as_list("map", &[test.builtin("bin").as_word(), list.as_word()]),
        "['0b11', '0b1', '0b10']"
    );
    assert_eq!(
        as_list("filter", &[Word::NONE, list.as_word()]),
        "[3, 1, 2]"
    );
    assert_eq!(as_list("reversed", &[list.as_word()]), "[2, 1, 3]");
    assert_eq!(
        as_list("reversed", &[int(1)]),
        "TypeError: 'int' object is not reversible"
    );
    assert_eq!(
        as_list("map", &[int(1)]),
        "TypeError: map() must have at least two arguments."
    );
    let zip = test.builtin("zip");
    let one = test.list(&[int(1)]);
    let zipped = crate::object::call::call(
        test.machine.vm(),
        zip.as_word(),
        &[list.as_word(), one.as_word(), Word::TRUE],
        Some(
            test.machine
                .vm()
                .new_tuple(&[test.machine.vm().intern_str("strict").unwrap().as_word()])
                .unwrap()
                .as_word(),
        ),
    )
    .unwrap();
    assert_eq!(
        test.call(&test.builtin("list"), &[zipped.as_word()]),
        "ValueError: zip() argument 2 is shorter than argument 1"
    );
    let next = test.builtin("next");
    assert_eq!(
        test.call(&next, &[int(1)]),
        "TypeError: 'int' object is not an iterator"
    );
    assert_eq!(test.call(&test.builtin("all"), &[list.as_word()]), "True");
    assert_eq!(test.call(&test.builtin("any"), &[empty.as_word()]), "False");
}

#[test]
fn printing_and_reading() {
    let test = TestMachine::with_input("première\nlast".as_bytes());
    let print = test.builtin("print");
    let (sep, end, text) = (test.str("-"), test.str("!\n"), test.str("été"));
    assert_eq!(test.call(&print, &[int(1), text.as_word()]), "None");
    let named = [int(1), Word::NONE, sep.as_word(), end.as_word()];
    test.call_named(&print, &named, &["sep", "end"]);
    assert_eq!(test.output(), "1 été\n1-None!\n");
    assert_eq!(
        test.call_named(&print, &[int(1)], &["sep"]),
        "TypeError: sep must be None or a string, not int"
    );
    assert_eq!(
        test.call_named(&print, &[int(1)], &["foo"]),
        "TypeError: print() got an unexpected keyword argument 'foo'"
    );
    let surrogate = test.machine.vm().str_from_char(0xdc80).unwrap();
    assert_eq!(
        test.call(&print, &[surrogate.as_word()]),
        "UnicodeEncodeError: 'utf-8' codec can't encode character '\\udc80' in position 0: surrogates not allowed"
    );
    let input = test.builtin("input");
    assert_eq!(test.call(&input, &[sep.as_word()]), "'première'");
    assert_eq!(test.call(&input, &[]), "'last'");
    assert_eq!(test.call(&input, &[]), "EOFError: EOF when reading a line");
}

#[test]
fn attributes_and_classes() {
    let test = TestMachine::new();
    let name = test.str("nothing");
    assert_eq!(
        test.call(&test.builtin("getattr"), &[int(1), name.as_word()]),
        "AttributeError: 'int' object has no attribute 'nothing'"
    );
    assert_eq!(
        test.call(&test.builtin("getattr"), &[int(1), name.as_word(), int(5)]),
        "5"
    );
    assert_eq!(
        test.call(&test.builtin("hasattr"), &[int(1), int(2)]),
        "TypeError: attribute name must be string, not 'int'"
    );
    let int_type = test.builtin("int");
    let isinstance = test.builtin("isinstance");
    assert_eq!(
        test.call(&isinstance, &[Word::TRUE, int_type.as_word()]),
        "True"
    );
    assert_eq!(
        test.call(&isinstance, &[int(1), int(1)]),
        "TypeError: isinstance() arg 2 must be a type, a tuple of types, or a union"
    );
    assert_eq!(
        test.call(&test.builtin("callable"), &[isinstance.as_word()]),
        "True"
    );
    let dir = test.call(&test.builtin("dir"), &[int_type.as_word()]);
    assert!(
        dir.contains("'bit_length'") && dir.contains("'__add__'"),
        "{dir}"
    );
}

#[test]
fn modules() {
    let test = TestMachine::new();
    let float = |value| Word::try_float(value).unwrap();
    assert_eq!(
        test.call(&test.of_module("math", "sqrt"), &[int(2)]),
        "1.4142135623730951"
    );
    assert_eq!(
        test.call(&test.of_module("math", "sqrt"), &[int(-1)]),
        "ValueError: expected a nonnegative input, got -1.0"
    );
    assert_eq!(
        test.call(&test.of_module("math", "exp"), &[int(710)]),
        "OverflowError: math range error"
    );
    assert_eq!(
        test.call(&test.of_module("math", "gamma"), &[float(0.5)]),
        "1.7724538509055159"
    );
    assert_eq!(
        test.call(&test.of_module("math", "factorial"), &[int(25)]),
        "15511210043330985984000000"
    );
    assert_eq!(
        test.call(&test.of_module("math", "comb"), &[int(100), int(50)]),
        "100891344545564193334812497256"
    );
    let version = test.of_module("sys", "version_info");
    assert_eq!(
        test.show(Ok(version)),
        "sys.version_info(major=3, minor=14, micro=2, releaselevel='final', serial=0)"
    );
    assert_eq!(
        test.show(Ok(test.of_module("sys", "maxsize"))),
        "9223372036854775807"
    );
    let exit = test.of_module("sys", "exit");
    assert_eq!(test.call(&exit, &[int(3)]), "SystemExit: 3");
    assert_eq!(
        test.call(&test.of_module("time", "sleep"), &[int(-1)]),
        "ValueError: sleep length must be non-negative"
    );
    let import = test.builtin("__import__");
    let missing = test.str("no_such_module");
    assert_eq!(
        test.call(&import, &[missing.as_word()]),
        "ModuleNotFoundError: No module named 'no_such_module'"
    );
    let inside = test.str("sys.x");
    assert_eq!(
        test.call(&import, &[inside.as_word()]),
        "ModuleNotFoundError: No module named 'sys.x'; 'sys' is not a package"
    );
}

#[test]
fn exit_statuses() {
    let test = TestMachine::new();
    let vm = test.machine.vm();
    let exit = |args: &[Word]| {
        let raised = vm.raise_with(vm.exc.SystemExit, args);
        let outcome = test.machine.finish(Err(raised));
        (outcome.status, outcome.report)
    };
    assert_eq!(exit(&[]), (0, None));
    assert_eq!(exit(&[Word::NONE]), (0, None));
    assert_eq!(exit(&[int(3)]), (3, None));
    assert_eq!(exit(&[int(-1)]), (255, None));
    let text = test.str("stop");
    assert_eq!(exit(&[text.as_word()]), (1, Some("stop\n".into())));
    let raised = vm.key_error(text.as_word());
    let outcome = test.machine.finish(Err(raised));
    assert_eq!(outcome.report.as_deref(), Some("KeyError: 'stop'\n"));
}

#[test]
fn chains_of_exceptions() {
    let test = TestMachine::new();
    let vm = test.machine.vm();
    let make = |ty, text: &str| vm.new_exception(ty, &[test.str(text).as_word()]).unwrap();
    let cause = make(vm.exc.ValueError, "first");
    let effect = make(vm.exc.TypeError, "second");
    let report = |exception: &crate::object::Owned| {
        super::traceback::format_exception(test.machine.thread(), exception.as_word())
    };
    let object = crate::object::exc::object(effect.as_word());
    crate::object::exc::replace(&object.context, Some(cause.as_word()));
    assert_eq!(
        report(&effect),
        "ValueError: first\n\nDuring handling of the above exception, another exception occurred:\n\n\
         TypeError: second\n"
    );
    crate::object::exc::replace(&object.cause, Some(cause.as_word()));
    object.suppress_context.set(true);
    assert_eq!(
        report(&effect),
        "ValueError: first\n\nThe above exception was the direct cause of the following exception:\n\n\
         TypeError: second\n"
    );
    // A ring ends where it closes.
    let first = crate::object::exc::object(cause.as_word());
    crate::object::exc::replace(&first.context, Some(effect.as_word()));
    assert_eq!(report(&effect).matches("second").count(), 1);
    crate::object::exc::replace(&first.context, None);
}
