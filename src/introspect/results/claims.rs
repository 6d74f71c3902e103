//! `results/claims.md`: what others published, beside what the newest data here say.

use super::data::Folder;
use super::sections::{against, against_build, spread};
use crate::introspect::lab_data::{Lab, Point, Sweep};
use crate::introspect::predict::{FormPrediction, LastTarget, per_thousand};
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

    fn predicted(&self, form: &str) -> Vec<&'a FormPrediction> {
        let folder = self.predictions.into_iter();
        folder
            .flat_map(|folder| &folder.predictions)
            .filter_map(|p| p.forms.iter().find(|f| f.form == form))
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

const CLAIMS: &[Claim] = &[
    Claim {
        id: "H1",
        said: "tail calls gain at most 5% over correctly replicated dispatch",
        source: "CPython 3.14 notes (3-5%); Elhage 2025",
        judge: |e| {
            on(e.speed("tail", "replicated").map(|s| {
                (
                    format!(
                        "tail {} against replicated, geometric mean of the programs",
                        percent_faster(s)
                    ),
                    s <= 1.05,
                )
            }))
        },
    },
    Claim {
        id: "H2",
        said: "replicated dispatch gains about 2% over one jump on cores after Haswell",
        source: "Elhage 2025; Rohou et al. 2015",
        judge: |e| {
            on(e.speed("replicated", "match").map(|s| {
                (
                    format!("replicated {} against match", percent_faster(s)),
                    (1.0..=1.05).contains(&s),
                )
            }))
        },
    },
    Claim {
        id: "H3",
        said: "without a flag for tail duplication the loop has 3 to 5 indirect jumps at most",
        source: "Elhage 2025: clang 19 leaves 3 of 306-332",
        judge: |e| {
            on(e.jumps("match")
                .map(|jumps| (format!("the match form has {jumps}"), jumps <= 5)))
        },
    },
    Claim {
        id: "H4",
        said: "tail calls with the ordinary calling convention lose on x86-64",
        source: "CPython #132138; raven 2026",
        judge: |e| {
            on(e.lab_speed("tail, ordinary ABI", "tail").map(|s| {
                (
                    format!("in the lab {} against preserve-none", percent_faster(s)),
                    s < 0.99,
                )
            }))
        },
    },
    Claim {
        id: "H5",
        said: "tail calls are slower than a loop on WebAssembly",
        source: "raven 2026: 1.2x to 4.6x",
        judge: |_| none("rattail is built for x86-64 and AArch64"),
    },
    Claim {
        id: "H6",
        said: "a 512-entry last-target buffer does far better on threaded code than on a switch, and ITTAGE levels the two",
        source: "Rohou et al. 2015; Casey et al. 2007",
        judge: |e| {
            let figures = || {
                let last = |form| e.missed(form, LastTarget::CALLGRIND);
                let large = |form| e.missed(form, LARGE);
                let (switch, threaded) = (last("match")?.0, last("tail")?.0);
                let (switch_large, threaded_large) = (large("match")?.0, large("tail")?.0);
                Some((
                    format!(
                        "mispredicted dispatches: match {switch:.1}%, tail {threaded:.1}%; with ITTAGE {switch_large:.1}% and \
                         {threaded_large:.1}%"
                    ),
                    switch > 1.5 * threaded && (switch_large - threaded_large).abs() < 2.0,
                ))
            };
            on(figures())
        },
    },
    Claim {
        id: "H7",
        said: "alignment alone moves results by 4% or more",
        source: "tcvm 2026; wincode",
        judge: |e| {
            let figures = || {
                let variants = &e.variants?.variants;
                let base = variants.get("base")?;
                let aligned = variants
                    .iter()
                    .filter(|(name, _)| name.starts_with("align"));
                let mut most: f64 = 0.0;
                for form in ["tail", "replicated", "match"] {
                    let speeds: Vec<f64> = aligned
                        .clone()
                        .filter_map(|(_, races)| against_build(races, base, form))
                        .chain([1.0])
                        .collect();
                    most = most.max(spread(&speeds)?);
                }
                Some((
                    format!("at most {:.1}% between alignments", most * 100.0),
                    most >= 0.04,
                ))
            };
            on(figures())
        },
    },
    Claim {
        id: "A9",
        said: "turning computed goto off costs about 1% on Linux",
        source: "faster-cpython/ideas #496 (2022)",
        judge: |e| {
            on(e.speed("match", "replicated").map(|s| {
                (
                    format!("match {} against replicated", percent_faster(s)),
                    (0.97..1.0).contains(&s),
                )
            }))
        },
    },
    Claim {
        id: "A10a",
        said: "gcc's computed goto is 20% faster than its switch",
        source: "discuss.python.org 27246 (2023)",
        judge: |e| {
            on(e.lab_speed("gcc goto", "gcc switch").map(|s| {
                (
                    format!("in the lab {}", percent_faster(s)),
                    (1.1..1.3).contains(&s),
                )
            }))
        },
    },
    Claim {
        id: "A10b",
        said: "clang's tail calls are 10% faster than its switch",
        source: "discuss.python.org 27246 (2023)",
        judge: |e| {
            on(e.lab_speed("clang preserve_none", "clang switch").map(|s| {
                (
                    format!("in the lab {}", percent_faster(s)),
                    (1.05..1.15).contains(&s),
                )
            }))
        },
    },
    Claim {
        id: "A8",
        said: "musttail without preserve_none is no gain over computed goto (gcc 15)",
        source: "CPython #132138",
        judge: |e| {
            on(e.lab_speed("clang musttail", "clang goto").map(|s| {
                (
                    format!(
                        "in the lab, by clang: {} against computed goto",
                        percent_faster(s)
                    ),
                    s < 1.02,
                )
            }))
        },
    },
    Claim {
        id: "A13",
        said: "source form and machine form are independent: a switch may be replicated by the compiler, computed goto merged",
        source: "Elhage 2025",
        judge: |e| {
            let figures = || {
                let duplicated = e
                    .variants?
                    .variant_audits
                    .get("tail-dup")?
                    .forms
                    .iter()
                    .find(|form| form.form == "match")?
                    .indirect_jumps;
                let plain = e.jumps("match")?;
                Some((
                    format!(
                        "the match form has {plain} indirect jump, {duplicated} with LLVM's flags for tail duplication"
                    ),
                    duplicated > 10 * plain,
                ))
            };
            on(figures())
        },
    },
    Claim {
        id: "A15",
        said: "what threading still buys on modern cores is mostly fewer instructions",
        source: "Elhage 2025-07",
        judge: |e| {
            let figures = || {
                let per_opcode = |form: &str| {
                    let forms = e.predicted(form);
                    let values: Vec<f64> = forms
                        .iter()
                        .map(|form| form.instructions as f64 / form.dispatches.max(1) as f64)
                        .collect();
                    geometric_mean(&values)
                };
                let fewer = per_opcode("match")? / per_opcode("tail")?;
                let faster = e.speed("tail", "match")?;
                Some((
                    format!(
                        "the match form executes {:.1}% more instructions, the tail form is {} in time",
                        (fewer - 1.0) * 100.0,
                        percent_faster(faster)
                    ),
                    fewer - 1.0 > (faster - 1.0) / 2.0,
                ))
            };
            on(figures())
        },
    },
    Claim {
        id: "A22",
        said: "ITTAGE mispredicts less than 0.5 in 1,000 instructions of an interpreter",
        source: "Rohou et al. 2015",
        judge: |e| {
            let shares: Vec<f64> = e
                .predicted("match")
                .iter()
                .filter_map(|form| {
                    let score = form.score(LARGE)?;
                    Some(per_thousand(
                        score.dispatches_mispredicted,
                        form.instructions,
                    ))
                })
                .collect();
            let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
            on((!shares.is_empty()).then(|| {
                (
                    format!("{mean:.2} in the match form, mean of the programs, dispatches only"),
                    mean < 0.5,
                )
            }))
        },
    },
    Claim {
        id: "A23",
        said: "3.2% to 13% of an interpreter's instructions are indirect branches",
        source: "Ertl and Gregg 2003",
        judge: |e| {
            let shares: Vec<f64> = e
                .predicted("match")
                .iter()
                .map(|form| per_thousand(form.indirect, form.instructions) / 10.0)
                .collect();
            let least = shares.iter().copied().reduce(f64::min);
            let most = shares.iter().copied().reduce(f64::max);
            on(least.zip(most).map(|(least, most)| {
                (
                    format!("{least:.1}% to {most:.1}%, by program"),
                    least >= 3.0 && most <= 13.5,
                )
            }))
        },
    },
    Claim {
        id: "A24a",
        said: "a last-target buffer mispredicts 81-98% of a switch interpreter's dispatches",
        source: "Casey, Ertl and Gregg 2007 (second hand)",
        judge: |e| {
            on(e.missed("match", TAGGED).map(|(mean, least, most)| {
                (
                    format!("{mean:.1}%, from {least:.1}% to {most:.1}%"),
                    (81.0..=98.5).contains(&mean),
                )
            }))
        },
    },
    Claim {
        id: "A24b",
        said: "and 50-63% of a threaded interpreter's",
        source: "the same",
        judge: |e| {
            on(e.missed("tail", TAGGED).map(|(mean, least, most)| {
                (
                    format!("{mean:.1}%, from {least:.1}% to {most:.1}%"),
                    (50.0..=63.0).contains(&mean),
                )
            }))
        },
    },
    Claim {
        id: "A25",
        said: "branch target buffers are right for 2% to 50% of an interpreter's dispatches",
        source: "Ertl and Gregg, PLDI 2003",
        judge: |e| {
            let figures = || {
                let switch = 100.0 - e.missed("match", TAGGED)?.0;
                let threaded = 100.0 - e.missed("tail", TAGGED)?.0;
                let inside = switch >= 1.0 && threaded <= 50.0;
                Some((
                    format!("match {switch:.1}%, tail {threaded:.1}%, means"),
                    inside,
                ))
            };
            on(figures())
        },
    },
    Claim {
        id: "D3",
        said: "a target cache removes 63% to 93% of what a last-target buffer mispredicts",
        source: "Chang, Hao and Patt 1997",
        judge: |e| {
            let figures = || {
                let (last, cache) = (
                    e.missed("match", TAGGED)?.0,
                    e.missed("match", TWO_LEVEL)?.0,
                );
                let removed = (1.0 - cache / last) * 100.0;
                Some((
                    format!("{removed:.1}% in the match form"),
                    (63.0..=94.0).contains(&removed),
                ))
            };
            on(figures())
        },
    },
    Claim {
        id: "A28",
        said: "modern branch predictors need no threaded code: LuaJIT's gain over a switch",
        source: "Pall, several",
        judge: |_| none("no figure was published"),
    },
    Claim {
        id: "A30",
        said: "`become` with preserve-none takes 7.9% less time than the same interpreter without tail calls",
        source: "rust-lang/rust #112788 (2026)",
        judge: |e| {
            on(e.speed("tail", "match").map(|s| {
                let less = (1.0 - 1.0 / s) * 100.0;
                (
                    format!("{less:.1}% less than the match form"),
                    (5.0..=11.0).contains(&less),
                )
            }))
        },
    },
    Claim {
        id: "A32",
        said: "a native switch takes 1.5 times as long as tail calls",
        source: "Wingo 2026",
        judge: |e| {
            on(e.speed("tail", "match")
                .map(|s| (format!("{s:.2} times"), (1.3..=1.7).contains(&s))))
        },
    },
    Claim {
        id: "A33",
        said: "tail calls ended up slower than the loop",
        source: "polkavm #321 (2026), without figures",
        judge: |e| {
            on(e.speed("tail", "match")
                .map(|s| (format!("tail {} against match", percent_faster(s)), s < 1.0)))
        },
    },
    Claim {
        id: "A34",
        said: "match is 1.13 to 1.19 times as fast as tail on some programs, tail 1.03 times on others",
        source: "Pulley, wasmtime #9995 (2025)",
        judge: |e| {
            let figures = || {
                let races = &e.races?.races;
                let slower = races.iter().filter(|race| {
                    against(std::slice::from_ref(race), "tail", "match").is_some_and(|s| s < 1.0)
                });
                let slower = slower.count();
                Some((
                    format!(
                        "tail is slower than match on {slower} of {} programs",
                        races.len()
                    ),
                    slower > 0,
                ))
            };
            on(figures())
        },
    },
    Claim {
        id: "A38a",
        said: "calls from a loop take 1.86 times as long as tail calls in a toy",
        source: "boa #4858 (2026): 2.95 ms and 1.59 ms",
        judge: |e| {
            on(e.lab_speed("tail", "calls from a loop")
                .map(|s| (format!("in the lab {s:.2} times"), (1.5..=2.2).contains(&s))))
        },
    },
    Claim {
        id: "A38b",
        said: "a switch takes 1.55 times as long as tail calls in a toy",
        source: "boa #4858 (2026): 2.47 ms and 1.59 ms",
        judge: |e| {
            on(e.lab_speed("tail", "match")
                .map(|s| (format!("in the lab {s:.2} times"), (1.3..=1.8).contains(&s))))
        },
    },
    Claim {
        id: "B25",
        said: "one binary is one sample of layout: layouts spread by 1% to 5%",
        source: "csar_zig #22; fast_mail_parser #240",
        judge: |e| {
            let figures = || {
                let variants = &e.variants?.variants;
                let base = variants.get("base")?;
                let mut most: f64 = 0.0;
                for form in ["tail", "replicated", "match"] {
                    let speeds: Vec<f64> = variants
                        .iter()
                        .filter(|(name, _)| name.starts_with("layout"))
                        .filter_map(|(_, races)| against_build(races, base, form))
                        .chain([1.0])
                        .collect();
                    most = most.max(spread(&speeds)?);
                }
                Some((
                    format!("up to {:.1}% between layouts", most * 100.0),
                    (0.01..=0.06).contains(&most),
                ))
            };
            on(figures())
        },
    },
    Claim {
        id: "A1",
        said: "tail calls gain 7.4% to 14.7% over computed goto in CPython 3.14",
        source: "python/cpython #128718; withdrawn by its author",
        judge: |e| {
            on(e.speed("tail", "replicated").map(|s| {
                (
                    format!("tail {} against replicated", percent_faster(s)),
                    (1.07..=1.15).contains(&s),
                )
            }))
        },
    },
    Claim {
        id: "A12",
        said: "hardware mispredicts: Nehalem 12.8, Sandy Bridge 3.5, Haswell 1.4 in 1,000 instructions",
        source: "Rohou et al. 2015",
        judge: |_| {
            none("those processors are not at hand, and this virtual machine has no counters")
        },
    },
];

pub fn page(folders: &[Folder]) -> String {
    let evidence = Evidence::of(folders);
    let mut text = "# Claims\n\n\
         What others published, and what the newest data in this folder say about it. Made by `rattail report results` from \
         the raw data, verdicts included; the bounds of each are in `src/introspect/results/claims.rs`. A verdict is about \
         this crate on the machines of these data, no more.\n\n\
         | claim | published | source | here | verdict |\n| --- | --- | --- | --- | --- |\n"
        .to_owned();
    let mut judged = 0;
    for claim in CLAIMS {
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
    text + &format!("\n{judged} of {} are judged by figures.\n", CLAIMS.len())
}
