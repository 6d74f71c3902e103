//! Claims about what the compiler makes of a form, and what layout does to it.

use super::{Claim, on, percent_faster};
use crate::introspect::race::geometric_mean;
use crate::introspect::results::sections::{against_build, spread};

pub(super) const CLAIMS: &[Claim] = &[
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
                    let values: Vec<f64> = e
                        .executed(form)
                        .iter()
                        .map(|run| run.instructions as f64 / run.opcodes.max(1) as f64)
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
];
