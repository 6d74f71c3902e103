//! The generator: instruction definitions in `handlers/` to tables and three forms of dispatch.
//!
//! Compiled into the build script, and by path into its own tests; it uses nothing of the crate.

pub mod analyze;
pub mod diag;
pub mod effect;
pub mod emit;
pub mod parse;
pub mod scan;
pub mod stack;

pub use diag::Diag;
pub use emit::Output;
pub use parse::Source;
pub use scan::Helpers;

/// Definitions to analysed instructions. `support` declares the functions that bodies may call.
pub fn analyze(sources: &[Source], support: &[Source]) -> Result<analyze::Analysis, Vec<Diag>> {
    let mut helpers = Helpers::default();
    for file in support {
        helpers.merge(Helpers::parse(&file.path, &file.text).map_err(|d| vec![d])?);
    }
    analyze::analyze(parse::parse(sources)?, &helpers)
}

/// All of it: definitions to the text of every generated file, or the rules that they break.
pub fn generate(
    sources: &[Source],
    support: &[Source],
    replicate_all: bool,
) -> Result<Vec<Output>, Vec<Diag>> {
    let analysis = analyze(sources, support)?;
    let names: Vec<&str> = sources.iter().map(|s| s.path.as_str()).collect();
    emit::all(&analysis, replicate_all, &names)
}
