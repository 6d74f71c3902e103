//! What criterion said of the bench `dispatch`: of each form built alone, and of all of them in one binary.

use super::data::Folder;
use crate::introspect::table::Table;
use serde::{Deserialize, Serialize};

/// One bench, as criterion left it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bench {
    /// `program/PROGRAM` in a build of one form, `forms/PROGRAM/FORM` in one of several.
    pub id: String,
    pub estimates: Estimates,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimates {
    pub median: Estimate,
}

/// In nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    pub point_estimate: f64,
    pub confidence_interval: Interval,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    pub lower_bound: f64,
    pub upper_bound: f64,
}

const FORMS: [&str; 3] = ["tail", "replicated", "match"];

pub fn section(folder: &Folder) -> String {
    let found = |build: &str, id: &str| {
        let benches = folder.criterion.get(build)?;
        let bench = benches.iter().find(|bench| bench.id == id)?;
        let Estimate {
            point_estimate,
            confidence_interval:
                Interval {
                    lower_bound,
                    upper_bound,
                },
        } = &bench.estimates.median;
        let ms = |ns: &f64| format!("{:.1}", ns / 1e6);
        Some(format!(
            "{} ({}..{})",
            ms(point_estimate),
            ms(lower_bound),
            ms(upper_bound)
        ))
    };
    let mut programs: Vec<&str> = Vec::new();
    for bench in folder.criterion.values().flatten() {
        let Some(program) = bench.id.split('/').nth(1) else {
            continue;
        };
        if !programs.contains(&program) {
            programs.push(program);
        }
    }
    if programs.is_empty() {
        return String::new();
    }
    let mut head = vec!["program".to_owned()];
    head.extend(FORMS.iter().map(|form| format!("{form} alone")));
    head.extend(FORMS.iter().map(|form| format!("{form} of three")));
    let mut table = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    for program in programs {
        let alone = FORMS.map(|form| found(form, &format!("program/{program}")));
        let joint = FORMS.map(|form| found("all", &format!("forms/{program}/{form}")));
        let cells = alone
            .into_iter()
            .chain(joint)
            .map(Option::unwrap_or_default);
        table.row(
            [program.to_owned()]
                .into_iter()
                .chain(cells)
                .collect::<Vec<_>>(),
        );
    }
    format!(
        "\n### By criterion\n\nMilliseconds of `cargo bench --bench dispatch`, medians with intervals, at sizes of their own: \
         each form in a binary of its own, and the three in one. One bench follows the other, so races compare forms better; \
         this shows what a form loses or gains by the others' company.\n\n{}",
        table.markdown()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_stands_alone_and_among_the_others() {
        let text = r#"[{"id": "program/fib", "sample": {"times": [1.0]}, "estimates": {"slope": null, "median":
            {"confidence_interval": {"confidence_level": 0.95, "lower_bound": 1e6, "upper_bound": 3e6},
            "point_estimate": 2e6, "standard_error": 1.0}}}]"#;
        let alone: Vec<Bench> = serde_json::from_str(text).expect("criterion's JSON");
        let joint: Vec<Bench> =
            serde_json::from_str(&text.replace("program/fib", "forms/fib/match")).expect("JSON");
        let mut folder = Folder::default();
        assert!(section(&folder).is_empty());
        folder.criterion.insert("tail".into(), alone);
        folder.criterion.insert("all".into(), joint);
        let text = section(&folder);
        let row = "| fib | 2.0 (1.0..3.0) |  |  |  |  | 2.0 (1.0..3.0) |";
        assert!(text.contains(row), "{text}");
    }
}
