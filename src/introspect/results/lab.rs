//! The lab's section: tables, plots, and what each plot says, as sentences about its data.

use super::data::Folder;
use crate::introspect::lab_data::{Lab, Point, Sweep};
use crate::introspect::plot::{Axes, Line, lines};
use crate::introspect::race::Estimate;

pub fn section(folder: &Folder) -> String {
    let Some(lab) = &folder.lab else {
        return String::new();
    };
    let mut text = "\n### The lab\n\nNanoseconds per dispatch, medians. \"tail, ordinary ABI\" is `become` without \
                    preserve-none.\n"
        .to_owned();
    for sweep in Sweep::ALL {
        text += &format!(
            "\n{}\n![ns per dispatch against {}]({}/lab-{}.svg)\n\n{}\n",
            lab.table(sweep).markdown(),
            sweep.axis(),
            folder.name,
            sweep.name(),
            said(lab, sweep).unwrap_or_default()
        );
    }
    for line in lab.compilers.iter().chain(&lab.missing) {
        text += &format!("\n* {line}");
    }
    text + "\n"
}

fn ns(point: &Point, form: &str) -> Option<f64> {
    let series = point.series.iter().find(|series| series.form == form)?;
    Some(Estimate::of(&series.ns)?.median)
}

fn fastest(point: &Point) -> Option<(&str, f64)> {
    let times = point
        .series
        .iter()
        .filter_map(|series| Some((series.form.as_str(), Estimate::of(&series.ns)?.median)));
    times.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// What a plot says, in three sentences: what the axis does to the forms, what to the difference between them, and who
/// wins where.
fn said(lab: &Lab, sweep: Sweep) -> Option<String> {
    let mut points: Vec<&Point> = lab.points(sweep).collect();
    points.sort_by(|a, b| a.x().total_cmp(&b.x()));
    let (first, last) = (*points.first()?, *points.last()?);
    let at = |form: &str| Some((ns(first, form)?, ns(last, form)?));
    let (tail, replicated, one_jump) = (at("tail")?, at("replicated")?, at("match")?);
    let growth = |(a, b): (f64, f64)| {
        let factor = b / a;
        match factor {
            1.05.. => format!("takes {factor:.2} times as long"),
            ..=0.95 => format!("takes {:.0}% less time", (1.0 - factor) * 100.0),
            _ => "takes as long".to_owned(),
        }
    };
    let unit = match sweep {
        Sweep::Entropy => "bits a dispatch",
        Sweep::Opcodes => "opcodes",
        Sweep::Body => "instructions in a body",
    };
    let x = |point: &Point| format!("{}", (point.x() * 100.0).round() / 100.0);
    let before = one_jump.0 - tail.0;
    let after = one_jump.1 - tail.1;
    // A nanosecond's tenth is below what two runs of the lab agree in.
    let gap = if (after - before).abs() < 0.1 {
        "stays"
    } else if after > before {
        "grows"
    } else {
        "shrinks"
    };
    let (winner, least) = fastest(first)?;
    let (later, most) = fastest(last)?;
    let ends = if winner == later {
        format!("The fastest form at both ends is {winner} ({least:.2} and {most:.2} ns)")
    } else {
        format!(
            "The fastest form is {winner} at the left end ({least:.2} ns) and {later} at the right ({most:.2} ns)"
        )
    };
    Some(format!(
        "From {} to {} {unit}, a dispatch of the tail form {}, of the replicated form {} and of the match form {}. What the \
         match form takes beyond the tail form {gap}: {before:.2} ns at the left end, {after:.2} ns at the right. {ends}.",
        x(first),
        x(last),
        growth(tail),
        growth(replicated),
        growth(one_jump),
    ))
}

/// The plots of a folder, by file name.
pub fn plots(folder: &Folder) -> Result<Vec<(String, String)>, String> {
    let mut files = Vec::new();
    let Some(lab) = &folder.lab else {
        return Ok(files);
    };
    for sweep in Sweep::ALL {
        let mut drawn: Vec<Line> = Vec::new();
        for point in lab.points(sweep) {
            for series in &point.series {
                let Some(ns) = Estimate::of(&series.ns) else {
                    continue;
                };
                let at = (point.x(), ns.median);
                match drawn.iter_mut().find(|line| line.name == series.form) {
                    Some(line) => line.points.push(at),
                    None => drawn.push(Line {
                        name: series.form.clone(),
                        points: vec![at],
                    }),
                }
            }
        }
        let axes = Axes {
            title: &format!("ns per dispatch against {}", sweep.axis()),
            x: sweep.axis(),
            y: "ns per dispatch",
            doubling: sweep != Sweep::Entropy,
        };
        files.push((format!("lab-{}.svg", sweep.name()), lines(&axes, &drawn)?));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::introspect::lab_data::Series;
    use crate::introspect::race::Machine;

    #[test]
    fn a_plot_is_put_into_three_sentences() {
        let point = |opcodes, times: [f64; 3]| Point {
            sweep: Sweep::Opcodes,
            opcodes,
            body: 4,
            surprise: 0.1,
            entropy: 1.0,
            dispatches: 1,
            series: ["tail", "replicated", "match"]
                .iter()
                .zip(times)
                .map(|(form, ns)| Series {
                    form: (*form).into(),
                    ns: vec![ns; 6],
                })
                .collect(),
        };
        let lab = Lab {
            machine: Machine::default(),
            compilers: Vec::new(),
            missing: Vec::new(),
            length: 1,
            points: vec![point(4, [2.0, 1.5, 3.0]), point(200, [2.0, 3.0, 6.0])],
        };
        assert_eq!(
            said(&lab, Sweep::Opcodes).as_deref(),
            Some(
                "From 4 to 200 opcodes, a dispatch of the tail form takes as long, of the replicated form takes 2.00 times as \
                 long and of the match form takes 2.00 times as long. What the match form takes beyond the tail form grows: \
                 1.00 ns at the left end, 4.00 ns at the right. The fastest form is replicated at the left end (1.50 ns) and \
                 tail at the right (2.00 ns)."
            )
        );
        assert_eq!(said(&lab, Sweep::Body), None);
    }
}
