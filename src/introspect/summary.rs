//! What the generated tables say of an instruction: number, family, stack effect, flags, micro-ops, code units.

use crate::bytecode::Opcode;
use std::fmt::Write;
use std::ops::Range;

/// As a comment of a few lines.
pub fn summary(op: Opcode) -> String {
    let mut out = format!("// {}: {}\n", op.name(), kind(op));
    let _ = writeln!(out, "//   stack      {}", stack(op));
    let _ = writeln!(out, "//   flags      {}", or_none(flags(op)));
    if op.is_pseudo() {
        return out;
    }
    let uops = op.uops().iter().map(|uop| match uop.replicas {
        0 => uop.name.to_string(),
        n => format!("{} ({n} replicas)", uop.name),
    });
    let _ = writeln!(
        out,
        "//   micro-ops  {}",
        wrapped(&uops.collect::<Vec<_>>(), " + ")
    );
    let _ = writeln!(
        out,
        "//   {:<6} {:<7} {:<22} read by",
        "unit", "bytes", "entry"
    );
    let _ = writeln!(out, "//   {:<6} {:<7} opcode, oparg", "0", "0-1");
    let mut unit = 0;
    for (name, units) in op.cache_format() {
        let entry = unit..unit + usize::from(*units);
        unit = entry.end;
        let shown = span(entry.start + 1, entry.end);
        let bytes = span(2 * (entry.start + 1), 2 * entry.end + 1);
        let _ = writeln!(
            out,
            "//   {shown:<6} {bytes:<7} {name:<22} {}",
            readers(op, name, entry)
        );
    }
    out
}

fn kind(op: Opcode) -> String {
    let number = op.0;
    let family = Opcode::families().iter().find(|f| f.head == op.deopt());
    let hot = if Opcode::hot().contains(&op) {
        ", hot"
    } else {
        ""
    };
    if op.is_pseudo() {
        let targets = op.targets().iter().map(|target| target.name());
        let targets: Vec<_> = targets.collect();
        return format!(
            "pseudo-instruction {number}, becomes {}",
            targets.join(" or ")
        );
    }
    match family {
        None => format!("opcode {number}{hot}"),
        Some(family) if family.head == op => {
            format!(
                "opcode {number}{hot}, head of a family with {} forms",
                family.members.len()
            )
        }
        Some(family) => format!("opcode {number}{hot}, a form of {}", family.head.name()),
    }
}

fn stack(op: Opcode) -> String {
    const OPARGS: Range<i32> = 0..4;
    let several = |words: fn(Opcode, i32) -> Option<i32>| {
        let mut words: Vec<_> = OPARGS.filter_map(|n| words(op, n)).collect();
        if words.iter().all(|n| *n == words[0]) {
            words.truncate(1);
        }
        words.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let (popped, pushed) = (several(Opcode::num_popped), several(Opcode::num_pushed));
    let opargs = match popped.len().max(pushed.len()) {
        1 => "",
        _ => " for the opargs 0, 1, 2, 3",
    };
    format!(
        "takes {}, leaves {}{opargs}",
        popped.join(", "),
        pushed.join(", ")
    )
}

fn flags(op: Opcode) -> Vec<&'static str> {
    let all = [
        (op.has_arg(), "arg"),
        (op.has_jump(), "jump"),
        (op.has_const(), "const"),
        (op.has_local(), "local"),
        (op.has_name(), "name"),
        (op.has_free(), "free"),
        (op.deopts(), "deopt"),
        (op.exits(), "exit"),
        (op.may_raise(), "error"),
        (op.escapes(), "escapes"),
        (op.is_pure(), "pure"),
    ];
    all.iter()
        .filter(|(on, _)| *on)
        .map(|(_, name)| *name)
        .collect()
}

fn or_none(list: Vec<&str>) -> String {
    match list.is_empty() {
        true => "none".to_string(),
        false => list.join(", "),
    }
}

fn span(first: usize, last: usize) -> String {
    match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    }
}

/// The micro-ops of `op` that read a cache entry; if there are none, the instructions of the family that do.
fn readers(op: Opcode, entry_name: &str, entry: Range<usize>) -> String {
    let reads = |op: Opcode| {
        let uops = op.uops().iter();
        let reads = uops.flat_map(|uop| uop.reads.iter().map(|read| (uop.name, *read)));
        let overlaps = |unit: usize, units| unit < entry.end && entry.start < unit + units;
        let reads = reads.filter(|(_, read)| overlaps(read.unit, read.units));
        let named = reads.map(|(uop, read)| match read.name == entry_name {
            true => uop.to_string(),
            false => format!("{uop}, as {}", read.name),
        });
        named.collect::<Vec<_>>()
    };
    let own = reads(op);
    if !own.is_empty() {
        return own.join("; ");
    }
    let family = Opcode::families().iter().find(|f| f.head == op.deopt());
    let family = family
        .into_iter()
        .flat_map(|f| std::iter::once(f.head).chain(f.members.iter().copied()));
    let others: Vec<_> = family.filter(|other| !reads(*other).is_empty()).collect();
    match others.first() {
        None => "nothing".to_string(),
        Some(_) => {
            let names: Vec<_> = others.iter().map(|op| op.name().to_string()).collect();
            format!("not here: {}", wrapped(&names, ", "))
        }
    }
}

/// A list in lines of at most 120 columns.
fn wrapped(list: &[String], separator: &str) -> String {
    const WIDTH: usize = 70;
    let mut lines = vec![String::new()];
    for (i, item) in list.iter().enumerate() {
        let separator = if i == 0 { "" } else { separator };
        let line = lines.last_mut().expect("one at least");
        if !line.is_empty() && line.len() + separator.len() + item.len() > WIDTH {
            line.push_str(separator.trim_end());
            lines.push(item.clone());
        } else {
            line.push_str(separator);
            line.push_str(item);
        }
    }
    lines.join(&format!("\n//{:<45}", ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_says_who_reads_its_cache() {
        let text = summary(Opcode::LOAD_ATTR_METHOD_NO_DICT);
        let expected = "\
            //   stack      takes 1, leaves 2\n\
            //   flags      arg, exit\n\
            //   micro-ops  _LOAD_ATTR_METHOD_NO_DICT\n\
            //   unit   bytes   entry                  read by\n\
            //   0      0-1     opcode, oparg\n\
            //   1      2-3     counter                not here: LOAD_ATTR\n\
            //   2-3    4-7     version                _LOAD_ATTR_METHOD_NO_DICT\n";
        assert!(text.contains(expected), "{text}");
        assert!(text.contains(", a form of LOAD_ATTR\n"), "{text}");
        assert!(text.contains("//   6-9    12-19   descr "), "{text}");
    }

    #[test]
    fn a_read_across_entries_shows_in_each() {
        let text = summary(Opcode::LOAD_GLOBAL_MODULE);
        assert_eq!(
            text.matches("_LOAD_GLOBAL_CACHED, as cached").count(),
            4,
            "{text}"
        );
        assert!(
            text.contains("leaves 1, 2, 1, 2 for the opargs 0, 1, 2, 3"),
            "{text}"
        );
    }

    #[test]
    fn every_unit_is_accounted_for_in_120_columns() {
        for op in Opcode::all() {
            let text = summary(op);
            let width = text.lines().map(|line| line.chars().count()).max();
            assert!(width <= Some(120), "{text}");
            let units: u8 = op.cache_format().iter().map(|(_, units)| units).sum();
            assert_eq!(usize::from(units), op.caches(), "{op:?}");
        }
    }

    #[test]
    fn pseudo_instructions_have_targets_and_no_units() {
        let text = summary(Opcode::JUMP);
        assert!(text.starts_with("// JUMP: pseudo-instruction "), "{text}");
        assert!(
            text.contains("becomes JUMP_FORWARD or JUMP_BACKWARD"),
            "{text}"
        );
        assert!(!text.contains("unit"), "{text}");
    }
}
