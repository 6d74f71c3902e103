//! `results/claims.md`: what others published, beside what the newest data here say.

mod code;
mod lab;
mod prediction;
mod speed;

use super::data::{Folder, STARTUP};
use super::sections::against;
use crate::introspect::lab_data::{Lab, Point, Sweep};
use crate::introspect::predict::{FormPrediction, Prediction, per_thousand};
use crate::introspect::race::{Estimate, geometric_mean};

/// What a claim came to.
enum Verdict {
    Reproduced,
    Refuted,
    /// Not testable here, and why.
    Untestable(&'static str),
    /// The data that would settle it are not recorded yet.
    Unmeasured,
}

#[derive(Clone, Copy)]
struct Claim {
    /// As the collection of claims numbers it.
    id: &'static str,
    said: &'static str,
    source: &'static str,
    judge: fn(&Evidence<'_>) -> (String, Verdict),
}

/// The newest folder that has each kind of data.
#[derive(Default)]
struct Evidence<'a> {
    races: Option<&'a Folder>,
    variants: Option<&'a Folder>,
    predictions: Option<&'a Folder>,
    lab: Option<&'a Lab>,
    audit: Option<&'a Folder>,
}

impl<'a> Evidence<'a> {
    fn of(folders: &'a [Folder]) -> Evidence<'a> {
        let mut evidence = Evidence::default();
        for folder in folders {
            if !folder.races.is_empty() {
                evidence.races = Some(folder);
            }
            if folder.variants.contains_key("base") {
                evidence.variants = Some(folder);
            }
            if !folder.predictions.is_empty() {
                evidence.predictions = Some(folder);
            }
            if let Some(lab) = &folder.lab {
                evidence.lab = Some(lab);
            }
            if folder.audit.as_ref().is_some_and(|a| a.arch == "x86_64") {
                evidence.audit = Some(folder);
            }
        }
        evidence
    }

    fn speed(&self, form: &str, other: &str) -> Option<f64> {
        against(&self.races?.races, form, other)
    }

    /// What a form executed of each program.
    fn predicted(&self, form: &str) -> Vec<&'a FormPrediction> {
        let folder = self.predictions.into_iter();
        folder
            .flat_map(|folder| &folder.predictions)
            .filter(|prediction| prediction.program != STARTUP)
            .filter_map(|prediction| of_form(prediction, form))
            .collect()
    }

    /// The same without what a process executes before its program, which at small sizes is most of it; nothing if that
    /// is not recorded.
    fn executed(&self, form: &str) -> Vec<Executed> {
        let mut all = self.predictions.into_iter().flat_map(|f| &f.predictions);
        let Some(start) = all
            .find(|prediction| prediction.program == STARTUP)
            .and_then(|prediction| of_form(prediction, form))
        else {
            return Vec::new();
        };
        let without_start = |program: &FormPrediction| Executed {
            opcodes: program.opcodes.saturating_sub(start.opcodes),
            instructions: program.instructions.saturating_sub(start.instructions),
            indirect: program.indirect.saturating_sub(start.indirect),
            missed_by_large: program
                .score(LARGE)
                .map_or(0, |score| score.dispatches_mispredicted),
        };
        self.predicted(form)
            .into_iter()
            .map(without_start)
            .collect()
    }

    /// The share of a form's dispatches that a model mispredicts, in percent: mean over the programs, smallest, largest.
    fn missed(&self, form: &str, model: &str) -> Option<(f64, f64, f64)> {
        let shares: Vec<f64> = self
            .predicted(form)
            .into_iter()
            .filter_map(|form| {
                let score = form.score(model)?;
                Some(per_thousand(score.dispatches_mispredicted, form.dispatches) / 10.0)
            })
            .collect();
        let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        let smallest = shares.iter().copied().reduce(f64::min)?;
        Some((mean, smallest, shares.iter().copied().reduce(f64::max)?))
    }

    fn jumps(&self, form: &str) -> Option<usize> {
        let audit = self.audit?.audit.as_ref()?;
        let found = audit.forms.iter().find(|audited| audited.form == form)?;
        Some(found.indirect_jumps)
    }

    /// Geometric mean of how many times as fast one form of the lab is as another.
    fn lab_speed(&self, form: &str, other: &str) -> Option<f64> {
        let of = |point: &Point, form: &str| {
            let series = point.series.iter().find(|series| series.form == form)?;
            Some(Estimate::of(&series.ns)?.median)
        };
        let points = self.lab?.points(Sweep::Entropy);
        let ratios: Vec<f64> = points
            .filter_map(|point| Some(of(point, other)? / of(point, form)?))
            .collect();
        geometric_mean(&ratios)
    }
}

/// What a program executed, its process's start left out.
struct Executed {
    opcodes: u64,
    instructions: u64,
    indirect: u64,
    /// Dispatches that the large ITTAGE mispredicts.
    missed_by_large: u64,
}

fn of_form<'a>(prediction: &'a Prediction, form: &str) -> Option<&'a FormPrediction> {
    prediction.forms.iter().find(|found| found.form == form)
}

const TAGGED: &str = "last target, 4096 tagged";
const TWO_LEVEL: &str = "two-level, 4096 tagged";
const LARGE: &str = "ITTAGE 64 KB";

fn verdict(reproduced: bool) -> Verdict {
    if reproduced {
        Verdict::Reproduced
    } else {
        Verdict::Refuted
    }
}

/// A judgement on figures, where they are recorded.
fn on(figures: Option<(String, bool)>) -> (String, Verdict) {
    figures.map_or(
        (String::new(), Verdict::Unmeasured),
        |(ours, reproduced)| (ours, verdict(reproduced)),
    )
}

fn percent_faster(speed: f64) -> String {
    format!("{:+.1}%", (speed - 1.0) * 100.0)
}

fn none(why: &'static str) -> (String, Verdict) {
    (String::new(), Verdict::Untestable(why))
}

pub fn page(folders: &[Folder]) -> String {
    let evidence = Evidence::of(folders);
    let mut text = "# Claims\n\n\
         What others published, and what the newest data in this folder say about it. Made by `rattail report results` from \
         the raw data, verdicts included; the bounds of each are in `src/introspect/results/claims/`. A verdict is about \
         this crate on the machines of these data, no more.\n\n\
         | claim | published | source | here | verdict |\n| --- | --- | --- | --- | --- |\n"
        .to_owned();
    let mut judged = 0;
    let claims = [speed::CLAIMS, lab::CLAIMS, code::CLAIMS, prediction::CLAIMS];
    let mut claims = claims.concat();
    // The hypotheses come first, numbered; the others stay by subject.
    claims.sort_by_key(|claim| match claim.id.starts_with('H') {
        true => (0, claim.id),
        false => (1, ""),
    });
    for claim in &claims {
        let (ours, verdict) = (claim.judge)(&evidence);
        let verdict = match verdict {
            Verdict::Reproduced => "reproduced".to_owned(),
            Verdict::Refuted => "refuted".to_owned(),
            Verdict::Untestable(why) => format!("not testable here: {why}"),
            Verdict::Unmeasured => "not measured yet".to_owned(),
        };
        judged += usize::from(verdict == "reproduced" || verdict == "refuted");
        let Claim {
            id, said, source, ..
        } = claim;
        text += &format!("| {id} | {said} | {source} | {ours} | {verdict} |\n");
    }
    text + &format!("\n{judged} of {} are judged by figures.\n", claims.len())
}
