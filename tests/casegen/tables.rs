//! Tables that definitions give; `tests/metadata.rs` compares those of the crate with CPython's.

use super::generate;

fn file(definitions: &str, name: &str) -> String {
    let files = generate("case.rs", definitions).unwrap_or_else(|diags| panic!("{diags:#?}"));
    let file = files.into_iter().find(|file| file.name == name);
    file.expect("generated").text
}

fn opcodes(definitions: &str) -> String {
    file(definitions, "opcode_tables.rs")
}

/// The flags of a row, by the letters of their order: arg, jump, const, local, name, free, deopt, error, escapes, pure,
/// exit.
fn flags(definitions: &str, name: &str) -> String {
    let text = opcodes(definitions);
    let (_, row) = text
        .split_once(&format!("name: \"{name}\","))
        .expect("a row");
    let (_, bits) = row.split_once("flags: ").expect("flags");
    let bits: u16 = bits
        .split(',')
        .next()
        .expect("a number")
        .parse()
        .expect("a number");
    let letters = "ajclnfdEepx".chars().enumerate();
    letters
        .filter(|(i, _)| bits >> i & 1 == 1)
        .map(|(_, letter)| letter)
        .collect()
}

#[test]
fn flags_follow_from_bodies_and_their_continuations() {
    assert_eq!(flags("", "BASE"), "Ee");
    assert_eq!(flags("", "BASE_QUIET"), "x");
    let cold = "#[inst(\"a[oparg] -- b\")]\nfn X() {\n cold_if!(a.is_null(), _Y);\n b = quiet(*a);\n dead!(a);\n}
        #[cold(\"a[oparg] -- b\")]\nfn _Y() {\n jump_out_if!(oparg == 1, oparg);\n b = loud(*a);\n dead!(a);\n}";
    assert_eq!(flags(cold, "X"), "aje");
    let pure = "#[pure]\n#[inst(\"a -- b\")]\n#[flags(local, name)]\nfn X() {\n b = quiet(a);\n dead!(a);\n}";
    assert_eq!(flags(pure, "X"), "lnp");
    let guarded = "#[op(\"a -- a\")]\nfn _X() {\n deopt_if!(a.is_null());\n}
        instruction!(X = counter/1 + _BASE);\ninstruction!(X_QUIET = unused/1 + _X);\nfamily!(X / 1 = X_QUIET);";
    assert_eq!(flags(guarded, "X_QUIET"), "d");
    assert_eq!(
        flags("pseudo!(X(\"--\", arg, const_, free) = BASE);", "X"),
        "acf"
    );
}

#[test]
fn numbers_are_given_as_cpython_gives_them() {
    let text = opcodes(
        "#[inst(\"--\")]\nfn B() {}\n#[inst(\"--\")]\nfn A() {}\n#[inst(\"a[oparg] --\")]\nfn AN_ARG() {\n dead!(a);\n}
        #[inst(\"--\")]\n#[opcode(2)]\nfn PINNED() {}\npseudo!(Z(\"--\") = A);\npseudo!(Y(\"--\") = A);",
    );
    for (name, number) in [
        ("A", 1),
        ("PINNED", 2),
        ("B", 3),
        ("BASE", 4),
        ("AN_ARG", 5),
        ("BASE_QUIET", 129),
        ("Y", 256),
        ("Z", 257),
    ] {
        let line = format!("pub const {name}: Opcode = Opcode({number});");
        assert!(text.contains(&line), "{line}\n{text}");
    }
    assert!(text.contains("pub const HAVE_ARGUMENT: u16 = 4;"), "{text}");
}

#[test]
fn stack_effects_reach_below_the_first_op() {
    let text = opcodes(
        "#[op(\"a -- b, c\")]\nfn _UP() {\n b = quiet(a);\n c = a;\n steal!(a);\n}
        #[op(\"a, b, c, d --\")]\nfn _DOWN() {\n close!(a);\n close!(b);\n close!(c);\n close!(d);\n}
        instruction!(X = _UP + _DOWN);
        #[inst(\"a[oparg * 2], b -- c if (oparg & 1)\")]\nfn Y() {\n c = b;\n steal!(b);\n dead!(a);\n}",
    );
    let (popped, pushed) = text
        .split_once("fn popped")
        .and_then(|(_, t)| t.split_once("fn pushed"))
        .expect("both");
    assert!(popped.contains("Opcode::X => 3,"), "{popped}");
    assert!(pushed.contains("Opcode::X => 0,"), "{pushed}");
    assert!(popped.contains("Opcode::Y => 1 + (oparg * 2),"), "{popped}");
    assert!(pushed.contains("Opcode::Y => 0 + (oparg & 1),"), "{pushed}");
}

#[test]
fn families_and_pseudo_instructions_are_listed() {
    let text = opcodes("pseudo!(X(\"--\") = BASE, BASE_QUIET);").replace(['\n', ' '], "");
    let family = "Family{head:Opcode::BASE,members:&[Opcode::BASE_QUIET],caches:&[(\"counter\",1),(\"key\",2)],}";
    assert!(text.contains(family), "{text}");
    assert!(
        text.contains("(Opcode::X,&[Opcode::BASE,Opcode::BASE_QUIET])"),
        "{text}"
    );
}

#[test]
fn expansions_name_micro_ops_replicas_and_reads() {
    let text = file(
        "#[replicate(2)]\n#[inst(\"counter/1, key/4, a -- a\")]\nfn X() {}",
        "uops.rs",
    );
    let text = text
        .replace(['\n', ' '], "")
        .replace(",]", "]")
        .replace(",}", "}");
    assert!(text.contains("\"_X\",\"_X_0\",\"_X_1\""), "{text}");
    let reads = "reads:&[CacheRead{name:\"counter\",unit:0,units:1},CacheRead{name:\"key\",unit:1,units:4}]";
    let expansion =
        format!("Expansion{{opcode:Opcode::X,uops:&[Uop{{name:\"_X\",replicas:2,{reads}}}]}}");
    assert!(text.contains(&expansion), "{text}");
    let quiet = "uops:&[Uop{name:\"_BASE_QUIET\",replicas:0,reads:&[CacheRead{name:\"key\",unit:1,units:2}]}]";
    assert!(text.contains(quiet), "{text}");
}
