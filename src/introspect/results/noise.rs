//! The noise beside what is to be seen through it: is a difference between two forms one of dispatch?

use super::data::Folder;
use super::sections::{against, against_build, ratio, spread};
use crate::introspect::race::Race;
use crate::introspect::table::Table;

/// Every two forms, the one that is expected to be faster first.
const PAIRS: [(&str, &str); 3] = [
    ("tail", "match"),
    ("replicated", "match"),
    ("tail", "replicated"),
];
const AGAIN: &str = "match again";

/// A difference between two forms, and what it has to be larger than.
struct Noise {
    /// Of the first form against the second: over all programs, and the least and the most over the layouts.
    speed: f64,
    layouts: Option<(f64, f64)>,
    /// How much the same form differs from itself: in the second run of each round, and between layouts.
    again: Option<f64>,
    moved: Option<f64>,
    /// On how many programs the interval of the first form's speed leaves out 1.
    outside: usize,
}

impl Noise {
    fn of(folder: &Folder, form: &str, other: &str) -> Option<Noise> {
        let layouts = layouts(folder);
        let base = folder.variants.get("base");
        let speeds: Vec<f64> = layouts
            .iter()
            .filter_map(|races| against(races, form, other))
            .collect();
        let moved = |form: &str| {
            let speeds: Vec<f64> = layouts
                .iter()
                .filter_map(|races| against_build(races, base?, form))
                .collect();
            spread(&speeds)
        };
        let least = speeds.iter().copied().reduce(f64::min);
        let most = speeds.iter().copied().reduce(f64::max);
        Some(Noise {
            speed: against(&folder.races, form, other)?,
            layouts: least.zip(most).filter(|_| speeds.len() > 1),
            again: against(&folder.races, AGAIN, "match").map(|s| away(s) - 1.0),
            moved: moved(form).zip(moved(other)).map(|(a, b)| a.max(b)),
            outside: outside(&folder.races, form, other),
        })
    }

    /// A difference is real if it is larger than what the same code differs by, and points the same way in every layout.
    fn verdict(&self) -> &'static str {
        let difference = away(self.speed) - 1.0;
        let (Some((least, most)), Some(moved)) = (self.layouts, self.moved) else {
            return "not known: no other layouts are recorded";
        };
        if difference <= self.again.unwrap_or(0.0) {
            "not told from the same form run again"
        } else if difference <= moved {
            "not told from layout"
        } else if (least > 1.0) != (most > 1.0) || (least > 1.0) != (self.speed > 1.0) {
            "turns with the layout"
        } else {
            REAL
        }
    }
}

/// Of a difference that nothing else makes.
pub(super) const REAL: &str = "real";

/// What the difference between two forms is, by the rules of this section.
pub(super) fn told(folder: &Folder, form: &str, other: &str) -> Option<&'static str> {
    Some(Noise::of(folder, form, other)?.verdict())
}

/// The races of the builds that differ in layout alone.
fn layouts(folder: &Folder) -> Vec<&[Race]> {
    let named = |name: &str| name == "base" || name.starts_with("layout");
    let found = folder.variants.iter().filter(|(name, _)| named(name));
    found.map(|(_, races)| races.as_slice()).collect()
}

/// A ratio without its direction: at least 1.
fn away(ratio: f64) -> f64 {
    ratio.max(1.0 / ratio)
}

fn outside(races: &[Race], form: &str, other: &str) -> usize {
    let differs = |race: &&Race| {
        ratio(race, form, other).is_some_and(|ratio| ratio.low > 1.0 || ratio.high < 1.0)
    };
    races.iter().filter(differs).count()
}

pub fn section(folder: &Folder) -> String {
    let rows: Vec<_> = PAIRS
        .into_iter()
        .filter_map(|(form, other)| Some((form, other, Noise::of(folder, form, other)?)))
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let percent =
        |share: Option<f64>| share.map_or_else(String::new, |s| format!("{:.1}%", s * 100.0));
    let mut table = Table::new(&[
        "forms",
        "times as fast",
        "over layouts",
        "programs that show it",
        "match against itself",
        "a form over layouts",
        "the difference is",
    ]);
    for (form, other, noise) in rows {
        table.row([
            format!("{form} against {other}"),
            format!("{:.3}", noise.speed),
            noise
                .layouts
                .map_or_else(String::new, |(a, b)| format!("{a:.3} .. {b:.3}")),
            format!("{} of {}", noise.outside, folder.races.len()),
            percent(noise.again),
            percent(noise.moved),
            noise.verdict().to_owned(),
        ]);
    }
    format!(
        "\n### The noise\n\nIs a difference between two forms one of dispatch? It has to be larger than what the match form \
         differs from itself by, run a second time in every round, and than what either form gains or loses by another \
         order of its functions, and it has to point the same way in every layout. A program shows a difference if the \
         interval of the ratio leaves out 1; of the match form and its second run {} of {} do. Geometric means over the \
         programs; the layouts were raced on fewer of them.\n\n{}",
        outside(&folder.races, AGAIN, "match"),
        folder.races.len(),
        table.markdown()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::introspect::race::{Entry, Machine};

    fn race(tail: f64, replicated: f64, again: f64) -> Race {
        let entry = |form: &str, seconds: f64| Entry {
            seconds: vec![seconds; 6],
            ..Entry::new(form)
        };
        Race {
            program: "fib".into(),
            machine: Machine::default(),
            baseline: "match".into(),
            entries: vec![
                entry("tail", tail),
                entry("replicated", replicated),
                entry("match", 1.0),
                entry("match again", again),
            ],
        }
    }

    #[test]
    fn a_difference_counts_against_the_noise() {
        let mut folder = Folder {
            races: vec![race(0.5, 0.98, 0.99)],
            ..Folder::default()
        };
        let verdict = |folder: &Folder, form, other| {
            Noise::of(folder, form, other).map(|noise| noise.verdict())
        };
        let unknown = "not known: no other layouts are recorded";
        assert_eq!(verdict(&folder, "tail", "match"), Some(unknown));
        let mut insert = |name: &str, tail, replicated| {
            folder
                .variants
                .insert(name.into(), vec![race(tail, replicated, 1.0)]);
        };
        insert("base", 0.5, 0.98);
        insert("layout1", 0.52, 1.01);
        // Of another kind, and so no layout.
        insert("native", 2.0, 2.0);
        assert_eq!(verdict(&folder, "tail", "match"), Some("real"));
        assert_eq!(
            verdict(&folder, "replicated", "match"),
            Some("not told from layout")
        );
        folder.races = vec![race(0.5, 0.995, 0.99)];
        let same = "not told from the same form run again";
        assert_eq!(verdict(&folder, "replicated", "match"), Some(same));
        folder.races = vec![race(0.5, 0.9, 0.99)];
        assert_eq!(
            verdict(&folder, "replicated", "match"),
            Some("turns with the layout")
        );
        let text = section(&folder);
        assert!(text.contains("| tail against match | 2.000 |"), "{text}");
        assert!(text.contains("1.923 .. 2.000"), "{text}");
        assert!(section(&Folder::default()).is_empty());
    }
}
