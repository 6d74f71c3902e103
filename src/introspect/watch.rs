//! The timeline of a run: what happened to its instructions, in order.

use super::table::Table;
use crate::bytecode::Opcode;
use crate::bytecode::backoff::BackoffCounter;
use crate::bytecode::instructions::instructions;
use crate::bytecode::tables::read_locations;
use crate::runtime::code::CodeObject;
use crate::runtime::stats::{Event, Happening, Listener};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// What to watch.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// A function by name or qualified name.
    pub function: Option<String>,
    /// A family by its head's name.
    pub family: Option<Opcode>,
    /// Kinds of events; none for all.
    pub events: Vec<String>,
    /// The state of the sites before every so many calls, instead of what happens to them.
    pub every: Option<u64>,
    /// How many entries to keep.
    pub limit: usize,
}

impl Filter {
    fn concerns(&self, code: &CodeObject) -> bool {
        let spec = &code.spec;
        self.function.as_ref().is_none_or(|function| {
            spec.qualname.to_string_lossy() == function.as_str()
                || spec.name.to_string_lossy() == function.as_str()
        })
    }
    fn concerns_family(&self, opcode: Opcode) -> bool {
        self.family.is_none_or(|head| opcode.deopt() == head)
    }
}

struct Entry {
    /// Calls of the watched functions that had begun.
    call: u64,
    function: String,
    offset: usize,
    position: String,
    /// None for the state of a site.
    happening: Option<Happening>,
    from: Opcode,
    to: Opcode,
    counters: Option<(BackoffCounter, BackoffCounter)>,
}

#[derive(Default)]
struct Record {
    entries: Vec<Entry>,
    calls: u64,
    left_out: u64,
}

/// Listens; what it has heard is shared with the [`Timeline`] that it was made with.
struct Watcher {
    filter: Filter,
    record: Rc<RefCell<Record>>,
}

/// What was heard.
pub struct Timeline {
    record: Rc<RefCell<Record>>,
    sampled: bool,
}

/// A timeline, and the listener that fills it.
pub fn timeline(filter: Filter) -> (Timeline, Box<dyn Listener>) {
    let record = Rc::<RefCell<Record>>::default();
    let timeline = Timeline {
        record: record.clone(),
        sampled: filter.every.is_some(),
    };
    (timeline, Box::new(Watcher { filter, record }))
}

/// Where the instruction's source is: `line:column-column`, and the last line too where it is another. Columns count
/// from 1.
fn position(code: &CodeObject, unit: usize) -> String {
    let spec = &code.spec;
    let Ok(ranges) = read_locations(&spec.linetable, spec.firstlineno) else {
        return String::new();
    };
    let found = ranges
        .iter()
        .find(|range| (range.start as usize..range.end as usize).contains(&unit));
    let Some(loc) = found.map(|range| range.loc).filter(|loc| loc.lineno >= 0) else {
        return String::new();
    };
    if loc.col_offset < 0 {
        return loc.lineno.to_string();
    }
    let (from, to) = (loc.col_offset + 1, loc.end_col_offset + 1);
    if loc.end_lineno == loc.lineno {
        format!("{}:{from}-{to}", loc.lineno)
    } else {
        format!("{}:{from}-{}:{to}", loc.lineno, loc.end_lineno)
    }
}

impl Watcher {
    fn keep(&self, entry: impl FnOnce(u64) -> Entry) {
        let mut record = self.record.borrow_mut();
        if record.entries.len() < self.filter.limit {
            let entry = entry(record.calls);
            record.entries.push(entry);
        } else {
            record.left_out += 1;
        }
    }

    /// The sites of a function as they are now.
    fn sample(&self, code: &CodeObject) {
        let bytes: Vec<u8> = code.adaptive().iter().map(|byte| byte.get()).collect();
        for instruction in instructions(&bytes) {
            let opcode = instruction.op;
            let has_counter = opcode.caches() > 0 && !opcode.deopt().forms().is_empty();
            if !has_counter || !self.filter.concerns_family(opcode) {
                continue;
            }
            let unit = instruction.offset;
            let counter = u16::from_le_bytes([bytes[2 * unit + 2], bytes[2 * unit + 3]]);
            let counter = BackoffCounter(counter);
            self.keep(|call| Entry {
                call,
                function: code.spec.qualname.to_string_lossy().into_owned(),
                offset: 2 * unit,
                position: position(code, unit),
                happening: None,
                from: opcode,
                to: opcode,
                counters: Some((counter, counter)),
            });
        }
    }
}

impl Listener for Watcher {
    fn event(&mut self, event: &Event<'_>) {
        let events = &self.filter.events;
        let kind = event.happening.kind(event.from);
        let wanted = self.filter.every.is_none()
            && (events.is_empty() || events.iter().any(|wanted| wanted == kind))
            && self.filter.concerns_family(event.from)
            && self.filter.concerns(event.code);
        if !wanted {
            return;
        }
        self.keep(|call| Entry {
            call,
            function: event.code.spec.qualname.to_string_lossy().into_owned(),
            offset: 2 * event.unit,
            position: position(event.code, event.unit),
            happening: Some(event.happening),
            from: event.from,
            to: event.to,
            counters: event.counters,
        });
    }

    fn begins(&mut self, code: &CodeObject) {
        if !self.filter.concerns(code) {
            return;
        }
        let calls = self.record.borrow().calls;
        if self
            .filter
            .every
            .is_some_and(|every| calls.is_multiple_of(every))
        {
            self.sample(code);
        }
        self.record.borrow_mut().calls += 1;
    }
}

impl Entry {
    fn what(&self) -> &'static str {
        self.happening
            .map_or("state", |happening| happening.kind(self.from))
    }
    fn reason(&self) -> Option<&'static str> {
        match self.happening {
            Some(Happening::Refused(refusal)) => Some(refusal.name()),
            _ => None,
        }
    }

    fn cells(&self) -> [String; 9] {
        let shown = |counter: BackoffCounter| format!("{counter} = {}", counter.0);
        let (before, after) = self.counters.unzip();
        [
            self.call.to_string(),
            format!("{}+{}", self.function, self.offset),
            self.position.clone(),
            self.what().into(),
            self.from.name().into(),
            self.to.name().into(),
            before.map_or_else(String::new, shown),
            after.map_or_else(String::new, shown),
            self.reason().unwrap_or_default().into(),
        ]
    }

    fn json(&self) -> Value {
        let (before, after) = self.counters.unzip();
        let counter = |counter: Option<BackoffCounter>| {
            counter.map(|counter| json!([counter.value(), counter.backoff()]))
        };
        json!({
            "call": self.call,
            "function": self.function,
            "offset": self.offset,
            "position": self.position,
            "event": self.what(),
            "from": self.from.name(),
            "to": self.to.name(),
            "counter_before": counter(before),
            "counter_after": counter(after),
            "reason": self.reason(),
        })
    }
}

impl Timeline {
    /// The table, and a line on what was left out.
    pub fn text(&self) -> String {
        let record = self.record.borrow();
        let mut table = match self.sampled {
            true => Table::new(&["calls", "site", "opcode", "counter"]),
            false => Table::new(&[
                "call", "site", "source", "event", "from", "to", "before", "after", "reason",
            ]),
        };
        for entry in &record.entries {
            let cells = entry.cells();
            if self.sampled {
                let [call, site, _, _, opcode, _, counter, ..] = cells;
                table.row([call, site, opcode, counter]);
            } else {
                table.row(cells);
            }
        }
        let left_out = match record.left_out {
            0 => String::new(),
            n => format!("\n{n} more left out: --limit shows more\n"),
        };
        table.to_string() + &left_out
    }

    pub fn json(&self) -> Value {
        let record = self.record.borrow();
        let entries: Vec<Value> = record.entries.iter().map(Entry::json).collect();
        json!({ "timeline": entries, "left_out": record.left_out })
    }
}
