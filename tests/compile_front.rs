//! Sources at the edges of what the compiler takes: encodings, line endings, literals, and nesting without end.

use rattail::bytecode::spec::{CodeSpec, Constant};
use rattail::compiler::{
    ErrorKind, Mode, Options, SyntaxError, WarningAction, compile, compile_with_warnings,
};
use std::rc::Rc;

fn exec(source: &[u8]) -> Result<Rc<CodeSpec>, SyntaxError> {
    compile(source, "x.py", Mode::Exec, Options::default())
}

/// The first string among a module's constants.
fn string(source: &[u8]) -> Vec<u8> {
    let code = exec(source).expect("compiles");
    let found = code.consts.iter().find_map(|c| match c {
        Constant::Str(text) => Some(text.0.to_vec()),
        _ => None,
    });
    found.expect("has a string")
}

#[test]
fn bytes_become_text() {
    assert_eq!(
        string(b"# coding: latin-1\nx = '\xe9'\n"),
        "\u{e9}".as_bytes()
    );
    assert_eq!(string(b"\xef\xbb\xbfx = 'a'\n"), b"a");
    assert_eq!(string(b"x = '''a\r\nb\rc'''\r\n"), b"a\nb\nc");
    let error = exec(b"a\nx = '\xff'\n").expect_err("is no UTF-8");
    assert!(
        error
            .msg
            .starts_with("Non-UTF-8 code starting with '\\xff' on line 2")
    );
    assert_eq!(
        exec(b"# coding: foo\n").expect_err("unknown").msg,
        "unknown encoding: foo"
    );
    assert_eq!(
        exec(b"x = 1\0\n").expect_err("null").msg,
        "source code cannot contain null bytes"
    );
}

#[test]
fn string_escapes() {
    assert_eq!(
        string(br"x = '\x41\u00e9\N{DIGIT ONE}\101\q'"),
        "A\u{e9}1A\\q".as_bytes()
    );
    assert_eq!(string(b"x = 'a\\\nb'"), b"ab");
    // A lone surrogate is its three bytes.
    assert_eq!(string(br"x = '\ud800'"), b"\xed\xa0\x80");
    assert_eq!(string(br"x = r'\x41'"), br"\x41");
}

#[test]
fn integers_have_a_digit_limit() {
    let digits = "1".repeat(4301);
    let error = exec(format!("x = {digits}\n").as_bytes()).expect_err("is too long");
    assert!(error.msg.starts_with(
        "Exceeds the limit (4300 digits) for integer string conversion: value has 4301 digits;"
    ));
    exec(format!("x = {}\n", &digits[1..]).as_bytes()).expect("fits");
    exec(format!("x = 0x{digits}\n").as_bytes()).expect("hexadecimal has no limit");
}

#[test]
fn modes_and_optimisation() {
    let eval = compile(b"1 + x", "x.py", Mode::Eval, Options::default()).expect("compiles");
    assert_eq!(eval.names.len(), 1);
    let body = b"def f():\n    'doc'\n    assert x\n    return __debug__\n";
    let sizes = [0, 1, 2].map(|optimize| {
        let code = compile(
            body,
            "x.py",
            Mode::Exec,
            Options {
                optimize,
                ..Options::default()
            },
        )
        .expect("compiles");
        match &code.consts[0] {
            Constant::Code(f) => (f.consts.clone(), f.names.len()),
            other => panic!("{other:?}"),
        }
    });
    assert_eq!(sizes[0].1, 1);
    assert_eq!(sizes[1].1, 0);
    assert!(sizes[1].0.contains(&Constant::Str("doc".into())));
    assert!(!sizes[2].0.contains(&Constant::Str("doc".into())));
}

/// Deep nesting compiles or is refused, but takes no more native stack than there is.
#[test]
fn nesting_is_bounded() {
    let deep = |s: &str, n: usize| s.repeat(n);
    let fine = [
        format!("x = {}1\n", deep("1+", 20_000)),
        format!("x{}\n", deep(".a", 20_000)),
        format!("x{}\n", deep("()", 20_000)),
        format!("x = {}a\n", deep("a and b or ", 5_000)),
        format!("if a: b\n{}", deep("elif a: b\n", 5_000)),
        format!("x = {}1{}\n", deep("(", 199), deep(")", 199)),
    ];
    for source in fine {
        exec(source.as_bytes()).expect("compiles");
    }
    let refused = [
        (format!("x = {}", deep("(", 100_000)), ErrorKind::Syntax),
        (format!("x = {}1\n", deep("-", 100_000)), ErrorKind::Memory),
        (
            format!("x = {}1\n", deep("lambda: ", 10_000)),
            ErrorKind::Memory,
        ),
        (format!("x = {}\n", deep("-", 50_000)), ErrorKind::Syntax),
    ];
    for (source, kind) in refused {
        assert_eq!(exec(source.as_bytes()).expect_err("is refused").kind, kind);
    }
}

#[test]
fn annotations_as_text() {
    let source = "from __future__ import annotations\nx: \
        (a if b else c, [x for x in y if z], not a or b and -c ** d, lambda x, /, y=1, *z, w, **k: k, \
        f'{x!r:>{y}}', a[1:2, ::3], 1.5e300, {1: 2, **k}, *a) = 1\n";
    assert_eq!(
        String::from_utf8_lossy(&string_after_import(source)),
        "(a if b else c, [x for x in y if z], not a or b and -c ** d, lambda x, /, y=1, *z, w, **k: k, \
         f'{x!r:>{y}}', a[1:2, ::3], 1.5e+300, {1: 2, **k}, *a)"
    );
}

fn string_after_import(source: &str) -> Vec<u8> {
    let code = exec(source.as_bytes()).expect("compiles");
    let found = code.consts.iter().find_map(|c| match c {
        Constant::Str(text) if text.0.len() > 20 => Some(text.0.to_vec()),
        _ => None,
    });
    found.expect("has the annotation")
}

/// What CPython 3.14 warns about, recorded: lines and texts.
#[test]
fn warnings_equal_cpythons() {
    #[derive(serde::Deserialize)]
    struct Case {
        source: String,
        warnings: Vec<(i32, String)>,
    }
    let cases: Vec<Case> = serde_json::from_str(include_str!("vectors/warnings-3.14.json"))
        .expect("the cases are JSON");
    let options = |warnings| Options {
        warnings,
        ..Options::default()
    };
    for case in cases {
        let source = case.source.as_bytes();
        let collect = options(WarningAction::Collect);
        let (_, list) = compile_with_warnings(source, "x.py", Mode::Exec, collect);
        let ours: Vec<_> = list.into_iter().map(|w| (w.lineno, w.message)).collect();
        assert_eq!(ours, case.warnings, "{:?}", case.source);
        let raise = compile(source, "x.py", Mode::Exec, options(WarningAction::Raise));
        if let Some((_, message)) = case.warnings.first() {
            let future = " Such sequences will not work in the future.";
            let message = message.replace(future, "");
            assert_eq!(
                raise.expect_err("is an error").msg,
                message,
                "{:?}",
                case.source
            );
        }
    }
}

/// CPython ends in a SystemError here.
#[test]
fn comprehensions_leave_a_class_its_cell() {
    for value in [
        "lambda: __class__",
        "lambda s: super()",
        "list(__class__ for y in x)",
    ] {
        let source = format!("class A:\n    x = [[{value} for y in x] for z in x]\n");
        let module = exec(source.as_bytes()).expect("compiles");
        let class = module.consts.iter().find_map(|c| match c {
            Constant::Code(code) => Some(code),
            _ => None,
        });
        let class = class.expect("has a class");
        let names = format!("{:?}", class.localsplusnames);
        assert!(names.contains("__class__"), "{names}");
    }
}
