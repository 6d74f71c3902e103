//! The sections of `results/README.md`.

use super::data::{AuditedBinary, Folder, STARTUP, Spread};
use super::{beside, criterion, lab, noise, specialisation};
use crate::introspect::predict::{Indirect, LastTarget, per_thousand};
use crate::introspect::race::{self, Estimate, Race, geomean_table, geometric_mean};
use crate::introspect::table::Table;

pub fn head() -> String {
    "# Results\n\n\
     One folder a machine. `rattail report results` makes this page, the plots and [claims.md](claims.md) from the raw \
     data in the folders, and a test fails if they are not what the data yield; nothing here is written by hand. \
     `results/record` records a machine ([docs/measuring.md](../docs/measuring.md) says how, and how to read the tables).\n"
        .to_owned()
}

pub fn folder(folder: &Folder) -> String {
    let mut text = format!("\n## {}\n", folder.name);
    for (key, value) in &folder.metadata {
        text += &format!("\n* {key}: {value}");
    }
    if !folder.metadata.is_empty() {
        text.push('\n');
    }
    text += &races(folder);
    text += &noise::section(folder);
    text += &variants(folder);
    text += &criterion::section(folder);
    text += &specialisation::section(folder);
    text += &beside::section(folder);
    text += &predictions(folder);
    text += &counters(folder);
    text += &lab::section(folder);
    text += &audits(folder);
    text += &builds(folder);
    if !folder.emulated.is_empty() {
        let passed = folder
            .emulated
            .iter()
            .filter(|line| line.contains(" passed"));
        text += &format!(
            "\n### Programs under emulation\n\n{} of {} runs printed what CPython printed. Emulated time says nothing and \
             is not taken. On AArch64 hardware: not measured yet.\n",
            passed.count(),
            folder.emulated.len()
        );
    }
    text
}

fn races(folder: &Folder) -> String {
    if folder.races.is_empty() {
        return String::new();
    }
    let geomean = geomean_table(&folder.races).map_or_else(String::new, |table| table.markdown());
    let machine = &folder.races[0].machine;
    format!(
        "\n### Forms on programs\n\nTimes as fast as the match form; \"match again\" is the same form a second time, the \
         noise. In parentheses the interval. Times and counts are in [tables.md]({}/tables.md).\n\n{geomean}\n```text\n{machine}```\n",
        folder.name
    )
}

/// Every race of a folder in full.
pub fn tables(races: &[Race]) -> String {
    let mut text = String::new();
    for race in races {
        text += &format!(
            "{}\n```text\n{}```\n\n",
            race.table().markdown(),
            race.notes()
        );
    }
    text + &geomean_table(races).map_or_else(String::new, |table| table.markdown())
}

/// Median seconds of a form in each race that has it.
fn medians(races: &[Race], form: &str) -> Vec<(String, f64)> {
    let median = |race: &Race| {
        let entry = race.entry(form)?;
        Some((race.program.clone(), Estimate::of(&entry.seconds)?.median))
    };
    races.iter().filter_map(median).collect()
}

/// How many times as fast `b` is as `a`, over the programs that both ran.
pub fn speed(a: &[(String, f64)], b: &[(String, f64)]) -> Option<f64> {
    let ratios: Vec<f64> = a
        .iter()
        .filter_map(|(program, a)| {
            let (_, b) = b.iter().find(|(other, _)| other == program)?;
            Some(a / b)
        })
        .collect();
    geometric_mean(&ratios)
}

/// How many times as fast one form is as another, by the rounds of one race.
pub fn ratio(race: &Race, form: &str, other: &str) -> Option<Estimate> {
    let seconds = |form: &str| race.entry(form).map(|entry| entry.seconds.as_slice());
    race::speed(seconds(other)?, seconds(form)?)
}

/// The speed of one form against another within a set of races.
pub fn against(races: &[Race], form: &str, other: &str) -> Option<f64> {
    speed(&medians(races, other), &medians(races, form))
}

/// The speed of a form in one build against the same form in another.
pub fn against_build(races: &[Race], base: &[Race], form: &str) -> Option<f64> {
    speed(&medians(base, form), &medians(races, form))
}

fn variants(folder: &Folder) -> String {
    let Some(base) = folder.variants.get("base") else {
        return String::new();
    };
    let mut table = Table::new(&[
        "build",
        "tail vs match",
        "replicated vs match",
        "match again",
        "tail vs base",
        "replicated vs base",
        "match vs base",
    ]);
    let shown = |speed: Option<f64>| speed.map_or_else(String::new, |s| format!("{s:.3}"));
    for (name, races) in &folder.variants {
        table.row([
            name.clone(),
            shown(against(races, "tail", "match")),
            shown(against(races, "replicated", "match")),
            shown(against(races, "match again", "match")),
            shown(against_build(races, base, "tail")),
            shown(against_build(races, base, "replicated")),
            shown(against_build(races, base, "match")),
        ]);
    }
    let mut text = format!(
        "\n### Builds and layouts\n\nGeometric means over {} programs. Within a row, forms against each other; then each form \
         against itself in the build `base`. The builds called layout differ in nothing but the order of their functions.\n\n{}",
        base.len(),
        table.markdown()
    );
    let layouts: Vec<_> = folder
        .variants
        .iter()
        .filter(|(name, _)| name.starts_with("layout") || *name == "base")
        .collect();
    for form in ["tail", "replicated", "match"] {
        let speeds: Vec<f64> = layouts
            .iter()
            .filter_map(|(_, races)| against_build(races, base, form))
            .collect();
        if let Some(spread) = spread(&speeds) {
            text += &format!(
                "\n{form}: the fastest of {} layouts is {:.1}% faster than the slowest.",
                speeds.len(),
                spread * 100.0
            );
        }
    }
    text + "\n"
}

/// How much faster the largest is than the smallest.
pub fn spread(speeds: &[f64]) -> Option<f64> {
    let largest = speeds.iter().copied().reduce(f64::max)?;
    let smallest = speeds.iter().copied().reduce(f64::min)?;
    (speeds.len() > 1).then_some(largest / smallest - 1.0)
}

fn predictions(folder: &Folder) -> String {
    let Some(first) = folder.predictions.first().and_then(|p| p.forms.first()) else {
        return String::new();
    };
    let models: Vec<&str> = first.scores.iter().map(|s| s.model.as_str()).collect();
    let mut dispatches = Table::new(&[&["program", "form"], models.as_slice()].concat());
    let mut instructions = Table::new(
        &[
            &["program", "form", "instructions", "indirect", "dispatches"],
            models.as_slice(),
        ]
        .concat(),
    );
    let mut equal = Table::new(&[
        "program",
        "form",
        "Bi",
        "Bim",
        "Bi by the model",
        "Bim by the model",
        "without maps",
        "by the model",
    ]);
    let mut any = false;
    for prediction in &folder.predictions {
        for form in &prediction.forms {
            let mut row = vec![prediction.program.clone(), form.form.clone()];
            let mut whole = row.clone();
            row.extend(form.scores.iter().map(|score| {
                let share = per_thousand(score.dispatches_mispredicted, form.dispatches);
                format!("{share:.1}")
            }));
            if prediction.program != STARTUP {
                dispatches.row(row);
            }
            whole.extend([
                form.instructions.to_string(),
                form.indirect.to_string(),
                form.dispatches.to_string(),
            ]);
            whole.extend(form.scores.iter().map(|score| {
                let share = per_thousand(score.mispredicted, form.instructions);
                format!("{share:.2}")
            }));
            instructions.row(whole);
            if let Some(counted) = form.callgrind {
                let pair = |counts: Option<Indirect>| {
                    let Indirect {
                        executed,
                        mispredicted,
                    } = counts.unwrap_or_default();
                    format!("{executed}, {mispredicted}")
                };
                any = true;
                let missed = form
                    .score(LastTarget::CALLGRIND)
                    .map_or(0, |s| s.mispredicted);
                equal.row([
                    prediction.program.clone(),
                    form.form.clone(),
                    counted.indirect.to_string(),
                    counted.indirect_mispredicted.to_string(),
                    form.indirect.to_string(),
                    missed.to_string(),
                    pair(Some(counted.outside())),
                    pair(form.outside()),
                ]);
            }
        }
    }
    let mut text = format!(
        "\n### Predictions\n\nMispredicted dispatches in every 1,000 (`rattail predict`):\n\n{}\n\
         All mispredicted indirect branches in every 1,000 instructions, the start of the process included, which is all that `startup` is:\n\n{}",
        dispatches.markdown(),
        instructions.markdown()
    );
    if any {
        text += &format!(
            "\nWhat callgrind counted in a run of its own, beside the model of its predictor, whole and (Bi, Bim) without \
             what the C library does with the text of `/proc/self/maps`, where each of valgrind's tools puts mappings of \
             its own:\n\n{}",
            equal.markdown()
        );
    }
    text
}

/// What could be counted, and why the rest could not.
fn counters(folder: &Folder) -> String {
    if folder.counters.is_empty() {
        return String::new();
    }
    let mut text = "\n### Counters\n".to_owned();
    for counters in &folder.counters {
        text += &format!("\n{}:\n\n{}", counters.program, counters.table().markdown());
        for note in counters.notes().lines() {
            text += &format!("\n* {note}");
        }
        text.push('\n');
    }
    text
}

fn audits(folder: &Folder) -> String {
    let mut text = String::new();
    if let Some(audit) = &folder.audit {
        text += &format!(
            "\n### Machine code, {}\n\n{}",
            audit.arch,
            audit_table(audit).markdown()
        );
    }
    if !folder.variant_audits.is_empty() {
        let mut table = Table::new(&["build", "tail", "replicated", "match"]);
        for (name, audit) in &folder.variant_audits {
            let jumps = |form: &str| {
                let found = audit.forms.iter().find(|audited| audited.form == form);
                found.map_or_else(String::new, |audited| audited.indirect_jumps.to_string())
            };
            table.row([
                name.clone(),
                jumps("tail"),
                jumps("replicated"),
                jumps("match"),
            ]);
        }
        text += &format!("\nIndirect jumps of other builds:\n\n{}", table.markdown());
    }
    text
}

fn audit_table(audit: &AuditedBinary) -> Table {
    let mut table = Table::new(&[
        "form",
        "functions",
        "indirect jumps",
        "with frame",
        "pushes",
        "spills",
        "instructions per handler",
        "per dispatch",
        "bytes",
    ]);
    let median = |spread: Option<Spread>| {
        spread.map_or_else(String::new, |s| {
            if s.min == s.max {
                s.median.to_string()
            } else {
                format!("{} ({}..{})", s.median, s.min, s.max)
            }
        })
    };
    for form in &audit.forms {
        table.row([
            form.form.clone(),
            form.functions.to_string(),
            form.indirect_jumps.to_string(),
            form.with_frame.to_string(),
            form.pushes.to_string(),
            form.spills.to_string(),
            median(form.handler),
            median(form.dispatch),
            form.bytes.to_string(),
        ]);
    }
    table
}

fn builds(folder: &Folder) -> String {
    if folder.builds.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["build", "flags", "seconds", "text bytes", "file bytes"]);
    let mut commits: Vec<&str> = Vec::new();
    for build in &folder.builds {
        if !build.commit.is_empty() && !commits.contains(&build.commit.as_str()) {
            commits.push(&build.commit);
        }
        table.row([
            build.name.clone(),
            build.flags.clone(),
            format!("{:.0}", build.seconds),
            build.text_bytes.to_string(),
            build.file_bytes.to_string(),
        ]);
    }
    let commits = if commits.is_empty() {
        String::new()
    } else {
        format!(" Commit: {}.", commits.join(", "))
    };
    format!(
        "\n### Builds: time and size\n\nSeconds of processor time for the crate alone. The builds called layout are linked \
         again and not compiled, those called only have one form.{commits}\n\n{}",
        table.markdown()
    )
}
