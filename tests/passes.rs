//! The optimiser's passes on hand-made instruction sequences, against what CPython 3.14's make of them
//! (`tests/tools/record_passes.py`).

use rattail::bytecode::Opcode;
use rattail::bytecode::repr::repr;
use rattail::bytecode::spec::Constant;
use rattail::compiler::cfg::{Cfg, has_target};
use rattail::compiler::instr::{CodeUnit, Constants, InstructionSequence, Location, NO_LOCATION};
use rattail::compiler::opt::{borrow, optimize_code_unit, stack_depth};
use serde_json::{Value, json};
use std::collections::HashMap;

/// `a:; LOAD_CONST 1 @3; JUMP a`: labels, opcodes with argument and line.
fn sequence(text: &str) -> InstructionSequence {
    let mut seq = InstructionSequence::new();
    let parts: Vec<Vec<&str>> = text
        .split(';')
        .map(|p| p.split_whitespace().collect())
        .collect();
    let names = parts.iter().filter_map(|p| p[0].strip_suffix(':'));
    let labels: HashMap<&str, _> = names.map(|name| (name, seq.new_label())).collect();
    for words in &parts {
        if let Some(name) = words[0].strip_suffix(':') {
            seq.use_label(labels[name]);
            continue;
        }
        let op = Opcode::from_name(words[0]).expect("an opcode");
        let line = words.iter().find_map(|w| w.strip_prefix('@'));
        let loc = line.map_or(NO_LOCATION, |line| {
            let lineno = line.parse().expect("a line");
            Location {
                lineno,
                end_lineno: lineno,
                col_offset: 0,
                end_col_offset: 0,
            }
        });
        match words.get(1).filter(|w| !w.starts_with('@')) {
            Some(arg) if has_target(op) => seq.addop_jump(op, labels[arg], loc),
            Some(arg) => seq.addop(op, arg.parse().expect("an argument"), loc),
            None => seq.addop_noarg(op, loc),
        }
    }
    seq
}

fn constant(text: &str) -> Constant {
    match text {
        "None" => Constant::None,
        "True" => Constant::True,
        _ if text.starts_with('\'') => Constant::Str(text.trim_matches('\'').into()),
        _ if text.contains('.') => Constant::Float(text.parse().expect("a float")),
        _ => Constant::Int(text.parse().expect("an int")),
    }
}

/// Every instruction as name, argument (of a jump: the index of its target) and line.
fn listing(cfg: &Cfg) -> Vec<Value> {
    let mut starts = HashMap::new();
    let mut count = 0;
    for b in cfg.iter() {
        starts.insert(b.index(), count);
        count += cfg[b].instrs.len();
    }
    let instrs = cfg.iter().flat_map(|b| &cfg[b].instrs);
    let shown = instrs.map(|i| {
        let arg = match i.target {
            Some(target) => json!(starts[&target.index()]),
            None if i.op.has_arg() => json!(i.oparg),
            None => Value::Null,
        };
        json!([i.op.name(), arg, i.loc.lineno])
    });
    shown.collect()
}

fn run(case: &Value) -> (Vec<Value>, Vec<Value>) {
    let text = |key: &str| case[key].as_str().expect("text");
    let mut consts = Constants::new();
    for value in case["consts"].as_array().expect("constants") {
        consts.add(constant(value.as_str().expect("a repr")));
    }
    let nlocals = case["nlocals"].as_u64().expect("a number");
    let mut unit = CodeUnit {
        name: "f".into(),
        qualname: "f".into(),
        filename: "f.py".into(),
        flags: 0,
        firstlineno: 1,
        argcount: 0,
        posonlyargcount: 0,
        kwonlyargcount: 0,
        consts,
        names: Vec::new(),
        varnames: (0..nlocals)
            .map(|i| format!("v{i}").as_str().into())
            .collect(),
        cellvars: Vec::new(),
        freevars: Vec::new(),
        fast_hidden: Vec::new(),
        seq: sequence(text("instructions")),
    };
    let mut cfg = Cfg::from_sequence(&unit.seq).expect("a graph");
    optimize_code_unit(&mut cfg, &mut unit).expect("optimised");
    stack_depth::calculate_stack_depth(&mut cfg).expect("a stack depth");
    borrow::optimize_load_fast(&mut cfg);
    let consts = unit.consts.as_slice().iter().map(|c| json!(repr(c)));
    (listing(&cfg), consts.collect())
}

#[test]
fn passes_do_what_cpython_does() {
    let recorded = include_str!("vectors/passes-3.14.json");
    let cases: Vec<Value> = serde_json::from_str(recorded).expect("the vectors are JSON");
    let mut failures = Vec::new();
    for case in &cases {
        let (instrs, consts) = run(case);
        let want = (&case["result"], &case["result_consts"]);
        if (&json!(instrs), &json!(consts)) != want {
            let name = &case["name"];
            failures.push(format!(
                "{name}\n  {} {}\n  not {} {}",
                json!(instrs),
                json!(consts),
                want.0,
                want.1
            ));
        }
    }
    let count = failures.len();
    assert!(
        failures.is_empty(),
        "{count} of {} differ:\n{}",
        cases.len(),
        failures.join("\n")
    );
}
