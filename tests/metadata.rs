//! The generated tables against CPython 3.14.2's own: `opcode`, `_opcode_metadata`, `dis.stack_effect`, written down in
//! `tests/reference/`.

use rattail::bytecode::Opcode;
use rattail::bytecode::expansion::{EXPANSIONS, UOP_NAMES};
use serde_json::Value;
use std::collections::BTreeSet;

/// What rattail adds: a bridge between chunks of the data stack, which no code object holds.
const ADDED: [(&str, u16); 1] = [("LEAVE_CHUNK", 233)];

struct Row {
    name: &'static str,
    family: &'static str,
    caches: usize,
    /// arg, jump, const, local, name, free.
    has: [bool; 6],
    /// For the opargs 0, 1, 2, 3, 5; empty for specialised forms, which `dis.stack_effect` does not know.
    effects: Vec<i32>,
    format: Vec<(&'static str, u8)>,
}

fn rows() -> Vec<Row> {
    let text = include_str!("reference/opcodes-3.14.tsv");
    text.lines().skip(1).map(row).collect()
}

fn row(line: &'static str) -> Row {
    let fields: Vec<&str> = line.split('\t').collect();
    let effects = fields[9].split(',').filter(|text| !text.is_empty());
    let effects: Vec<i32> = effects
        .map(|text| text.parse().expect("a number"))
        .collect();
    let format = fields[10].split_whitespace().map(|entry| {
        let (name, units) = entry.split_once(':').expect("name:units");
        (name, units.parse().expect("a number"))
    });
    Row {
        name: fields[0],
        family: fields[1],
        caches: fields[2].parse().expect("a number"),
        has: std::array::from_fn(|i| fields[3 + i] == "1"),
        effects: match effects[..] {
            [one] => vec![one; OPARGS.len()],
            _ => effects,
        },
        format: format.collect(),
    }
}

const OPARGS: [i32; 5] = [0, 1, 2, 3, 5];

fn metadata() -> Value {
    serde_json::from_str(include_str!("reference/metadata-3.14.json")).expect("JSON")
}

fn opcode(name: &str) -> Opcode {
    Opcode::from_name(name).unwrap_or_else(|| panic!("no opcode is called {name}"))
}

fn own() -> impl Iterator<Item = Opcode> {
    Opcode::all().filter(|op| !ADDED.iter().any(|(name, _)| *name == op.name()))
}

/// The reference is in order of number, and CPython leaves two gaps and one in front of pseudo-instructions.
#[test]
fn names_and_numbers() {
    let names: Vec<_> = rows().iter().map(|row| row.name).collect();
    assert_eq!(own().map(Opcode::name).collect::<Vec<_>>(), names);
    let mut number = 0;
    for name in names {
        number = match name {
            "RESUME" => 128,
            "INSTRUMENTED_END_FOR" => {
                metadata()["min_instrumented"].as_u64().expect("a number") as u16
            }
            _ => number,
        };
        assert_eq!(opcode(name).0, number, "{name}");
        number += 1;
    }
    for (name, number) in ADDED {
        assert_eq!(opcode(name).0, number, "{name}");
    }
    assert_eq!(metadata()["have_argument"], Opcode::HAVE_ARGUMENT);
}

#[test]
fn flags() {
    for row in rows() {
        let op = opcode(row.name);
        let has = [
            op.has_arg(),
            op.has_jump(),
            op.has_const(),
            op.has_local(),
            op.has_name(),
            op.has_free(),
        ];
        assert_eq!(
            has, row.has,
            "{}: arg, jump, const, local, name, free",
            row.name
        );
    }
}

#[test]
fn stack_effects() {
    for row in rows() {
        let op = opcode(row.name);
        for (oparg, effect) in OPARGS.iter().zip(&row.effects) {
            let pushed = op.num_pushed(*oparg).expect("an opcode");
            let popped = op.num_popped(*oparg).expect("an opcode");
            assert_eq!(pushed - popped, *effect, "{} {oparg}", row.name);
        }
    }
}

#[test]
fn caches() {
    for row in rows() {
        let op = opcode(row.name);
        assert_eq!(op.caches(), row.caches, "{}", row.name);
        assert_eq!(op.cache_format(), row.format, "{}", row.name);
        let units: u8 = row.format.iter().map(|(_, units)| units).sum();
        assert_eq!(usize::from(units), row.caches, "{}", row.name);
    }
}

#[test]
fn families() {
    let metadata = metadata();
    let expected = metadata["families"].as_object().expect("an object");
    let heads: BTreeSet<&str> = expected.keys().map(String::as_str).collect();
    let found = Opcode::families().iter().map(|family| family.head.name());
    assert_eq!(found.collect::<BTreeSet<_>>(), heads);
    for family in Opcode::families() {
        let members = family.members.iter().map(|op| op.name());
        let expected = expected[family.head.name()].as_array().expect("an array");
        // CPython's specialised forms in CPython's order; a form of rattail's own may follow.
        let members: Vec<_> = members.filter(|name| !is_added(name)).collect();
        assert_eq!(
            members,
            expected
                .iter()
                .map(Value::as_str)
                .map(Option::unwrap)
                .collect::<Vec<_>>()
        );
    }
    for row in rows() {
        let op = opcode(row.name);
        let head = if row.family.is_empty() {
            row.name
        } else {
            row.family
        };
        assert_eq!(op.deopt().name(), head, "{}", row.name);
    }
}

fn is_added(name: &str) -> bool {
    ADDED.iter().any(|(added, _)| *added == name)
}

/// `_PyOpcode_PseudoTargets`.
#[test]
fn pseudo_targets() {
    let found = Opcode::all().filter(|op| op.is_pseudo());
    let found = found.map(|op| {
        let targets = op.targets().iter().map(|target| target.name());
        (op.name(), targets.collect::<Vec<_>>())
    });
    let expected = [
        ("ANNOTATIONS_PLACEHOLDER", vec!["NOP"]),
        ("JUMP", vec!["JUMP_FORWARD", "JUMP_BACKWARD"]),
        ("JUMP_IF_FALSE", vec!["POP_JUMP_IF_FALSE"]),
        ("JUMP_IF_TRUE", vec!["POP_JUMP_IF_TRUE"]),
        (
            "JUMP_NO_INTERRUPT",
            vec!["JUMP_FORWARD", "JUMP_BACKWARD_NO_INTERRUPT"],
        ),
        ("LOAD_CLOSURE", vec!["LOAD_FAST"]),
        ("POP_BLOCK", vec!["NOP"]),
        ("SETUP_CLEANUP", vec!["NOP"]),
        ("SETUP_FINALLY", vec!["NOP"]),
        ("SETUP_WITH", vec!["NOP"]),
        ("STORE_FAST_MAYBE_NULL", vec!["STORE_FAST"]),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

/// Every instruction has micro-ops, each of them listed, reading within the instruction's cache.
#[test]
fn micro_ops() {
    let names: BTreeSet<&str> = UOP_NAMES.iter().copied().collect();
    assert_eq!(names.len(), UOP_NAMES.len());
    let instructions: Vec<_> = Opcode::all().filter(|op| !op.is_pseudo()).collect();
    let expanded: Vec<_> = EXPANSIONS
        .iter()
        .map(|expansion| expansion.opcode)
        .collect();
    assert_eq!(expanded, instructions);
    for op in instructions {
        assert!(!op.uops().is_empty(), "{op:?}");
        for uop in op.uops() {
            assert!(names.contains(uop.name), "{op:?}: {}", uop.name);
            for oparg in 0..uop.replicas {
                let replica = format!("{}_{oparg}", uop.name);
                assert!(names.contains(replica.as_str()), "{replica}");
            }
            for read in uop.reads {
                assert!(
                    read.unit + read.units <= op.caches(),
                    "{op:?}: {}",
                    read.name
                );
            }
        }
    }
    assert_eq!(Opcode::JUMP.uops(), []);
}

#[test]
fn a_micro_op_knows_its_replicas_and_its_cache() {
    let [load] = Opcode::LOAD_FAST.uops() else {
        panic!("one op")
    };
    assert_eq!((load.name, load.replicas), ("_LOAD_FAST", 8));
    let uops = Opcode::TO_BOOL_ALWAYS_TRUE.uops();
    let reads = uops.iter().flat_map(|uop| uop.reads);
    let reads: Vec<_> = reads
        .map(|read| (read.name, read.unit, read.units))
        .collect();
    assert_eq!(reads, [("version", 1, 2)]);
}
