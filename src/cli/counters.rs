//! `rattail counters`.

use super::args::Counters as Options;
use super::machine::{Observer, Program, Run, run_observed, run_once};
use super::source::Source;
use super::{Outcome, complain, print};
use crate::introspect::counters::{
    Counters, Event, FormCounters, Group, SOFTWARE_GROUPS, hardware_groups, unknown_event,
};
use crate::introspect::race::{Machine, title};
use std::process::ExitCode;

impl Observer for Group {
    fn start(&mut self, _: &crate::runtime::vm::Machine) {
        Group::start(self);
    }

    fn stop(&mut self, _: &crate::runtime::vm::Machine) {
        Group::stop(self);
    }
}

pub fn run(options: &Options) -> Outcome {
    let source = Source::read(&options.file)?;
    let mut argv = vec![source.name.clone()];
    argv.extend(
        options
            .arguments
            .iter()
            .map(|argument| argument.to_string_lossy().into_owned()),
    );
    let program = Program::new(&source, argv)?;
    let groups: Vec<Vec<Event>> = if options.software {
        SOFTWARE_GROUPS.iter().map(|group| group.to_vec()).collect()
    } else {
        hardware_groups()
    };
    let mut counters = Counters {
        program: title(&source.name, &options.arguments),
        machine: Machine::here(),
        forms: Vec::new(),
    };
    for &form in &options.form.0 {
        let counted = run_once(&program, form, true).and_then(Run::succeeded)?;
        let mut readings = Vec::new();
        for events in &groups {
            let mut group = Group::open(events);
            run_observed(&program, form, false, &mut group).and_then(Run::succeeded)?;
            readings.extend(group.readings());
        }
        counters.forms.push(FormCounters {
            form: form.name().into(),
            opcodes: counted.counts.total(),
            readings,
        });
    }
    if options.json {
        print(&(serde_json::to_string_pretty(&counters)? + "\n"))?;
    } else {
        print(&format!(
            "{}: user space, one group of events at a time\n\n{}\n{}",
            counters.program,
            counters.table(),
            counters.machine
        ))?;
    }
    complain(&counters.notes());
    if let Some(why) = unknown_event().filter(|_| !options.software) {
        complain(&format!("{why}\n"));
    }
    Ok(ExitCode::SUCCESS)
}
