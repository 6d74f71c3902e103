//! `rattail lab`.

use super::args::Lab as Options;
use super::{Outcome, print};
use crate::introspect::lab_data::{Lab, Sweep};
use crate::lab::measure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::process::ExitCode;

pub fn run(options: &Options) -> Outcome {
    let target = if io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} points, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::with_draw_target(None, target).with_style(style);
    let lab = measure(
        options.rounds as usize,
        options.length as usize,
        &mut |done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        },
    )?;
    bar.finish_and_clear();
    if options.json {
        print(&(serde_json::to_string_pretty(&lab)? + "\n"))?;
    } else {
        print(&text(&lab))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(lab: &Lab) -> String {
    let mut text = String::new();
    for sweep in Sweep::ALL {
        text += &format!(
            "ns per dispatch against {}\n{}\n",
            sweep.axis(),
            lab.table(sweep)
        );
    }
    for line in &lab.missing {
        text += &format!("missing    {line}\n");
    }
    for line in &lab.compilers {
        text += &format!("peers      {line}\n");
    }
    text + &lab.machine.to_string()
}
