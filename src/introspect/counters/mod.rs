//! The processor's own counters around a run.
//!
//! One group of events at a time, so that nothing is multiplexed; how long a group was enabled and how long it really
//! counted is kept, and a group that did not count all the time says so. User space only.

mod events;

pub use events::{Event, INDIRECT_MISSES, SOFTWARE_GROUPS, hardware_groups, unknown_event};

use super::race::Machine;
use super::table::Table;
use perf_event::events::Software;
use perf_event::{Builder, Counter, ReadFormat};
use serde::{Deserialize, Serialize};
use std::io;

/// What was counted of one event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    pub event: String,
    /// None where the event could not be opened.
    pub count: Option<u64>,
    /// Why not, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    pub enabled_ns: u64,
    pub running_ns: u64,
}

/// Every event of one form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormCounters {
    pub form: String,
    pub opcodes: u64,
    pub readings: Vec<Reading>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    pub program: String,
    pub machine: Machine,
    pub forms: Vec<FormCounters>,
}

/// The counters of one group, opened and not yet counting.
pub struct Group {
    /// The first that could be opened leads.
    counters: Vec<(Event, Result<Counter, String>)>,
}

impl Group {
    /// Opens what can be opened; a failure is kept beside its event.
    pub fn open(events: &[Event]) -> Group {
        let mut counters: Vec<(Event, Result<Counter, String>)> = Vec::new();
        for event in events {
            // Any event will do for the builder: the attributes say which is meant.
            let mut builder = Builder::new(Software::DUMMY);
            let (kind, config) = event.attributes();
            let attributes = builder.attrs_mut();
            (attributes.type_, attributes.config) = (kind, config);
            builder.exclude_kernel(true).exclude_hv(true);
            builder.read_format(ReadFormat::TOTAL_TIME_ENABLED | ReadFormat::TOTAL_TIME_RUNNING);
            let leader = counters
                .iter_mut()
                .find_map(|(_, counter)| counter.as_mut().ok());
            let opened = match leader {
                // Members count as soon as the leader does; one that is enabled after it waits for the next tick.
                Some(leader) => builder.enabled(true).build_with_group(leader),
                None => builder.build(),
            };
            counters.push((event.clone(), opened.map_err(|error| explain(&error))));
        }
        Group { counters }
    }

    fn leader(&mut self) -> Option<&mut Counter> {
        self.counters
            .iter_mut()
            .find_map(|(_, counter)| counter.as_mut().ok())
    }

    /// Begins to count.
    pub fn start(&mut self) {
        if let Some(leader) = self.leader() {
            // The group counts nothing if this fails, and says so by the time that it ran.
            let _ = leader.enable_group();
        }
    }

    pub fn stop(&mut self) {
        if let Some(leader) = self.leader() {
            let _ = leader.disable_group();
        }
    }

    pub fn readings(self) -> Vec<Reading> {
        let read = |(event, counter): (Event, Result<Counter, String>)| {
            let mut reading = Reading {
                event: event.name.into(),
                count: None,
                why: None,
                enabled_ns: 0,
                running_ns: 0,
            };
            let data = counter
                .and_then(|mut counter| counter.read_full().map_err(|error| explain(&error)));
            match data {
                Ok(data) => {
                    let ns = |time: Option<std::time::Duration>| {
                        time.map_or(0, |time| time.as_nanos() as u64)
                    };
                    reading.enabled_ns = ns(data.time_enabled());
                    reading.running_ns = ns(data.time_running());
                    match reading.running_ns {
                        0 => reading.why = Some("the kernel never gave it a counter: stop other users of counters, such as the NMI watchdog (sysctl kernel.nmi_watchdog=0)".into()),
                        _ => reading.count = Some(data.count()),
                    }
                }
                Err(why) => reading.why = Some(why),
            }
            reading
        };
        self.counters.into_iter().map(read).collect()
    }
}

/// An error of `perf_event_open` in one line, with what to change.
fn explain(error: &io::Error) -> String {
    let (name, advice) = match error.raw_os_error() {
        Some(libc::ENOENT) => (
            "ENOENT",
            "this processor, or the hypervisor below, has no such event: measure on bare metal, or give the guest a virtual PMU",
        ),
        Some(libc::EACCES) => (
            "EACCES",
            "not permitted: sysctl kernel.perf_event_paranoid=2, or run with CAP_PERFMON",
        ),
        Some(libc::EPERM) => (
            "EPERM",
            "not permitted: a container needs perf_event_open in its seccomp profile and CAP_PERFMON",
        ),
        Some(libc::ENOSYS) => ("ENOSYS", "the kernel is built without CONFIG_PERF_EVENTS"),
        Some(libc::EINVAL) => (
            "EINVAL",
            "the kernel does not accept the event: it is not one of this processor's",
        ),
        Some(libc::ENODEV | libc::EOPNOTSUPP) => (
            "EOPNOTSUPP",
            "this processor cannot count the event: leave it out",
        ),
        Some(libc::EBUSY) => (
            "EBUSY",
            "another user holds the counters: stop it, or the NMI watchdog (sysctl kernel.nmi_watchdog=0)",
        ),
        Some(libc::EMFILE) => ("EMFILE", "too many open files: ulimit -n"),
        _ => return error.to_string(),
    };
    format!("{name}: {advice}")
}

impl Counters {
    /// A row a form; what could not be counted is empty.
    pub fn table(&self) -> Table {
        let events: Vec<&str> = self.forms.first().map_or_else(Vec::new, |form| {
            form.readings.iter().map(|r| r.event.as_str()).collect()
        });
        let mut head = vec!["form".to_owned(), "opcodes".into()];
        for event in &events {
            head.extend([(*event).to_owned(), "per opcode".into()]);
        }
        let mut table = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
        for form in &self.forms {
            let mut row = vec![form.form.clone(), form.opcodes.to_string()];
            for reading in &form.readings {
                let per_opcode = |count: u64| count as f64 / form.opcodes.max(1) as f64;
                let shown = |f: &dyn Fn(u64) -> String| reading.count.map_or_else(String::new, f);
                row.extend([
                    shown(&|count| count.to_string()),
                    shown(&|count| format!("{:.4}", per_opcode(count))),
                ]);
            }
            table.row(row);
        }
        table
    }

    /// One line for each event that is empty, and for each that was counted for a part of the time.
    pub fn notes(&self) -> String {
        let mut notes: Vec<String> = Vec::new();
        for reading in self.forms.iter().flat_map(|form| &form.readings) {
            let note = match &reading.why {
                Some(why) => format!("{}: {why}\n", reading.event),
                None if reading.running_ns < reading.enabled_ns => format!(
                    "{}: counted {:.0}% of the time only; the figure is what was counted\n",
                    reading.event,
                    reading.running_ns as f64 * 100.0 / reading.enabled_ns as f64
                ),
                None => continue,
            };
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes.concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spin() -> u64 {
        (0..3_000_000u64).fold(0, |sum, n| std::hint::black_box(sum ^ n))
    }

    /// Where the kernel allows no events at all, that is what the test says.
    #[test]
    fn software_events_are_counted_or_the_errno_is_said() {
        let mut group = Group::open(SOFTWARE_GROUPS[0]);
        group.start();
        spin();
        group.stop();
        let readings = group.readings();
        assert_eq!(readings.len(), 2);
        let clock = &readings[0];
        match (clock.count, &clock.why) {
            (Some(ns), None) => {
                assert!(ns > 100_000, "{clock:?}");
                assert!(clock.running_ns > 0 && clock.enabled_ns >= clock.running_ns);
                // The group is on together or not at all.
                assert!(readings[1].count.is_some(), "{:?}", readings[1]);
            }
            (None, Some(why)) => println!("unavailable here: {why}"),
            _ => panic!("neither a count nor a reason: {clock:?}"),
        }
    }

    #[test]
    fn hardware_events_are_counted_or_the_errno_is_said() {
        for events in hardware_groups() {
            let mut group = Group::open(&events);
            group.start();
            spin();
            group.stop();
            for reading in group.readings() {
                assert_ne!(
                    reading.count.is_some(),
                    reading.why.is_some(),
                    "{reading:?}"
                );
                assert_ne!(reading.count, Some(0), "{reading:?}");
            }
        }
    }

    #[test]
    fn an_error_says_its_errno_and_what_to_change() {
        let line = |errno| explain(&io::Error::from_raw_os_error(errno));
        assert!(line(libc::ENOENT).starts_with("ENOENT: this processor, or the hypervisor"));
        assert!(line(libc::EACCES).contains("kernel.perf_event_paranoid"));
        for errno in [
            libc::EPERM,
            libc::ENOSYS,
            libc::EINVAL,
            libc::EBUSY,
            libc::EMFILE,
        ] {
            assert!(!line(errno).contains('\n'));
        }
    }

    #[test]
    fn what_was_not_counted_is_empty_and_explained_once() {
        let reading = |event: &str, count| Reading {
            event: event.into(),
            count,
            why: count.is_none().then(|| "ENOENT: none".into()),
            enabled_ns: 100,
            running_ns: 50,
        };
        let form = |name: &str| FormCounters {
            form: name.into(),
            opcodes: 1000,
            readings: vec![reading("cycles", None), reading("branches", Some(2500))],
        };
        let counters = Counters {
            program: "x".into(),
            machine: Machine::default(),
            forms: vec![form("tail"), form("match")],
        };
        let table = counters.table().to_string();
        assert!(
            table.contains("2.5000") && !table.contains(" 0 "),
            "{table}"
        );
        assert_eq!(
            counters.notes(),
            "cycles: ENOENT: none\nbranches: counted 50% of the time only; the figure is what was counted\n"
        );
    }
}
