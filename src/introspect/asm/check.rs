//! What must hold of the dispatch code, checked on the machine code of a release build.

use super::audit::{Audit, FormAudit};
use super::layout::Form;
use super::measure::Row;
use crate::introspect::fast_path::percent;

/// What the audit is checked against.
pub struct Expectations<'a> {
    /// Every opcode that a tail handler must exist for.
    pub opcodes: Vec<&'a str>,
    /// Opcodes whose meaning is a call (allocation, a hash lookup, a native function), each with the reason: one
    /// push that aligns the stack and no spill. Every other handler has no frame.
    pub calls: &'a [(&'a str, &'a str)],
    /// Handlers that do not end in a dispatch, each with the reason.
    pub ends: &'a [(&'a str, &'a str)],
    /// Largest share of a program's opcodes that may leave the fast path.
    pub departures: f64,
    /// Dispatches that the arms of the replicated form have of their own.
    pub replicated: usize,
}

/// Instructions of the middle handler and of the middle dispatch, neither to grow, as one compiler makes them.
pub struct Medians {
    /// How the compiler's version begins.
    pub rustc: &'static str,
    pub arch: &'static str,
    pub form: Form,
    pub handler: usize,
    pub dispatch: usize,
}

/// Medians that grew, and a warning where no expectation is of this compiler.
pub fn check_medians(
    audit: &Audit,
    rustc: &str,
    expected: &[Medians],
) -> (Vec<String>, Option<String>) {
    let of_this: Vec<&Medians> = expected
        .iter()
        .filter(|medians| medians.arch == audit.arch && rustc.starts_with(medians.rustc))
        .collect();
    if of_this.is_empty() {
        let warning = format!(
            "no medians of handlers are known for {rustc} on {}",
            audit.arch
        );
        return (Vec::new(), Some(warning));
    }
    let mut wrong = Vec::new();
    for medians in of_this {
        let Some(form) = audit.form(medians.form) else {
            continue;
        };
        let pairs = [
            ("handler", form.handler, medians.handler),
            ("dispatch", form.dispatch, medians.dispatch),
        ];
        for (what, found, most) in pairs {
            if let Some(found) = found.filter(|found| found.median > most) {
                wrong.push(format!(
                    "{}: the median {what} has {} instructions, more than {most}",
                    form.form, found.median
                ));
            }
        }
    }
    (wrong, None)
}

/// What does not hold, one sentence each.
pub fn check(audit: &Audit, expected: &Expectations<'_>) -> Vec<String> {
    let mut wrong = Vec::new();
    for form in &audit.forms {
        match form.form {
            Form::Tail => tail(form, expected, audit.arch, &mut wrong),
            Form::Match => jumps(form, 1, &mut wrong),
            Form::Replicated => jumps(form, expected.replicated + 1, &mut wrong),
        }
    }
    for program in &audit.programs {
        if program.share() > expected.departures {
            wrong.push(format!(
                "{}: {} of the opcodes leave the fast path, more than {}",
                program.program,
                percent(program.share()),
                percent(expected.departures)
            ));
        }
    }
    wrong
}

fn jumps(form: &FormAudit, wanted: usize, wrong: &mut Vec<String>) {
    if form.indirect_jumps != wanted {
        wrong.push(format!(
            "{}: {} indirect jumps, not {wanted}",
            form.form, form.indirect_jumps
        ));
    }
}

fn tail(form: &FormAudit, expected: &Expectations<'_>, arch: &str, wrong: &mut Vec<String>) {
    let listed = |list: &[(&str, &str)], name: &str| list.iter().any(|(listed, _)| *listed == name);
    for opcode in &expected.opcodes {
        if !form.rows.iter().any(|row| row.name == *opcode) {
            wrong.push(format!("tail: {opcode} has no handler of its own: merged with an equal one, or not generated"));
        }
    }
    for row in &form.rows {
        if row.indirect_jumps == 0 && !listed(expected.ends, &row.name) {
            wrong.push(format!(
                "tail: {} does not end in an indirect jump",
                row.name
            ));
        }
        if listed(expected.calls, &row.name) {
            calling(row, alignment(arch), wrong);
        } else if row.frame > 0 || row.spills > 0 {
            let (name, frame, spills) = (&row.name, row.frame, row.spills);
            wrong.push(format!("tail: {name} takes {frame} bytes of stack and spills {spills} values, and is no call"));
        }
    }
    for (name, _) in expected.calls.iter().chain(expected.ends) {
        if !form.rows.iter().any(|row| row.name == *name) {
            wrong.push(format!(
                "tail: {name} is listed as an exception and has no handler"
            ));
        }
    }
    // The list is of x86-64: with more registers a call on a rare path may need no frame.
    for (name, _) in expected.calls.iter().filter(|_| arch == "x86_64") {
        if form
            .rows
            .iter()
            .any(|row| row.name == *name && row.frame == 0)
        {
            wrong.push(format!(
                "tail: {name} is listed as a call and needs no frame: take it off the list"
            ));
        }
    }
}

/// The stack that a call costs its caller: one push aligns it on x86-64; on AArch64 the link register is saved, and the
/// stack moves by sixteens.
fn alignment(arch: &str) -> u64 {
    if arch == "aarch64" { 16 } else { 8 }
}

fn calling(row: &Row, alignment: u64, wrong: &mut Vec<String>) {
    if row.frame > alignment || row.spills > 0 {
        let (name, frame, spills) = (&row.name, row.frame, row.spills);
        wrong.push(format!(
            "tail: {name} is a call, and takes {frame} bytes of stack and spills {spills} values"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::audit::Spread;
    use super::*;
    use crate::introspect::fast_path::{Departures, FastPath};

    fn row(name: &str, indirect_jumps: usize, frame: u64, spills: usize) -> Row {
        Row {
            name: name.into(),
            indirect_jumps,
            frame,
            spills,
            ..Row::default()
        }
    }

    fn form(form: Form, rows: Vec<Row>) -> FormAudit {
        FormAudit {
            form,
            functions: rows.len(),
            indirect_jumps: rows.iter().map(|row| row.indirect_jumps).sum(),
            with_frame: 0,
            pushes: 0,
            spills: 0,
            handler: None,
            dispatch: None,
            bytes: 0,
            cold_functions: 0,
            cold_bytes: 0,
            rows,
        }
    }

    fn expected() -> Expectations<'static> {
        Expectations {
            opcodes: vec!["ADD", "CALL", "EXIT"],
            calls: &[("CALL", "calls a native function")],
            ends: &[("EXIT", "leaves the loop")],
            replicated: 2,
            departures: 0.02,
        }
    }

    fn check_tail(rows: Vec<Row>) -> Vec<String> {
        check(
            &Audit {
                arch: "x86_64",
                forms: vec![form(Form::Tail, rows)],
                programs: vec![],
            },
            &expected(),
        )
    }

    #[test]
    fn the_wanted_code_passes() {
        let tail = vec![
            row("ADD", 1, 0, 0),
            row("CALL", 2, 8, 0),
            row("EXIT", 0, 0, 0),
        ];
        assert_eq!(check_tail(tail), Vec::<String>::new());
        let forms = vec![
            form(Form::Match, vec![row("(all)", 1, 0, 9)]),
            form(Form::Replicated, vec![row("(all)", 3, 0, 9)]),
        ];
        assert_eq!(
            check(
                &Audit {
                    arch: "x86_64",
                    forms,
                    programs: vec![],
                },
                &expected()
            ),
            Vec::<String>::new()
        );
    }

    #[test]
    fn each_fault_is_named() {
        let good = || {
            vec![
                row("ADD", 1, 0, 0),
                row("CALL", 1, 8, 0),
                row("EXIT", 0, 0, 0),
            ]
        };
        let with = |n: usize, row: Row| {
            let mut rows = good();
            rows[n] = row;
            check_tail(rows)
        };
        let one = |text: &str| vec![text.to_owned()];
        assert_eq!(
            with(0, row("ADD", 0, 0, 0)),
            one("tail: ADD does not end in an indirect jump")
        );
        assert_eq!(
            with(0, row("ADD", 1, 8, 0)),
            one("tail: ADD takes 8 bytes of stack and spills 0 values, and is no call")
        );
        assert_eq!(
            with(0, row("ADD", 1, 0, 1)),
            one("tail: ADD takes 0 bytes of stack and spills 1 values, and is no call")
        );
        assert_eq!(
            with(1, row("CALL", 1, 24, 1)),
            one("tail: CALL is a call, and takes 24 bytes of stack and spills 1 values")
        );
        assert_eq!(
            with(1, row("CALL", 1, 0, 0)),
            one("tail: CALL is listed as a call and needs no frame: take it off the list")
        );
        assert_eq!(
            check_tail(good()[1..].to_vec()),
            one("tail: ADD has no handler of its own: merged with an equal one, or not generated")
        );
        let forms = vec![form(Form::Match, vec![row("(all)", 2, 0, 0)])];
        assert_eq!(
            check(
                &Audit {
                    arch: "x86_64",
                    forms,
                    programs: vec![],
                },
                &expected()
            ),
            one("match: 2 indirect jumps, not 1")
        );
    }

    #[test]
    fn medians_must_not_grow_under_a_known_compiler() {
        let spread = |median| {
            Some(Spread {
                min: 1,
                median,
                max: 90,
            })
        };
        let mut tail = form(Form::Tail, vec![]);
        (tail.handler, tail.dispatch) = (spread(31), spread(5));
        let audit = Audit {
            arch: "x86_64",
            forms: vec![tail],
            programs: vec![],
        };
        let known = |handler, dispatch| {
            [Medians {
                rustc: "rustc 1.97.",
                arch: "x86_64",
                form: Form::Tail,
                handler,
                dispatch,
            }]
        };
        let (wrong, warning) = check_medians(&audit, "rustc 1.97.0-nightly", &known(31, 5));
        assert_eq!((wrong.len(), warning), (0, None));
        let (wrong, _) = check_medians(&audit, "rustc 1.97.0-nightly", &known(30, 4));
        assert_eq!(
            wrong,
            [
                "tail: the median handler has 31 instructions, more than 30",
                "tail: the median dispatch has 5 instructions, more than 4"
            ]
        );
        let (wrong, warning) = check_medians(&audit, "rustc 1.98.0", &known(30, 4));
        assert!(wrong.is_empty() && warning.is_some_and(|text| text.contains("1.98.0")));
    }

    #[test]
    fn a_program_off_the_fast_path_is_named() {
        let program = |cold| FastPath {
            program: "fib.py".into(),
            opcodes: 1000,
            departures: Departures {
                cold,
                ..Departures::default()
            },
            foremost: vec![],
        };
        let audit = Audit {
            arch: "x86_64",
            forms: vec![],
            programs: vec![program(20), program(21)],
        };
        assert_eq!(
            check(&audit, &expected()),
            ["fib.py: 2.10% of the opcodes leave the fast path, more than 2.00%"]
        );
    }
}
