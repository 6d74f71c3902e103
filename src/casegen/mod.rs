//! The generator: instruction definitions in `handlers/` to tables and three forms of dispatch.
//!
//! Compiled into the build script, and by path into its own tests; it uses nothing of the crate.

pub mod analyze;
pub mod diag;
pub mod effect;
pub mod emit;
mod families;
pub mod helpers;
pub mod lab;
mod lists;
mod macros;
mod number;
mod ops;
mod order;
pub mod parse;
pub mod rules;
pub mod scan;
pub mod stack;
pub mod words;

pub use diag::Diag;
pub use emit::Output;
pub use helpers::Helpers;
pub use parse::Source;

/// Definitions to analysed instructions. `support` declares the functions that bodies may call.
pub fn analyze(sources: &[Source], support: &[Source]) -> Result<analyze::Analysis, Vec<Diag>> {
    let mut diags = vec![];
    let helpers = Helpers::parse(support, &mut diags);
    let definitions = parse::parse(sources);
    diags.extend(definitions.as_ref().err().into_iter().flatten().cloned());
    let definitions = diag::settle(definitions.unwrap_or_default(), diags)?;
    analyze::analyze(definitions, &helpers)
}

/// All of it: definitions to the text of every generated file, or every rule that they break.
pub fn generate(
    sources: &[Source],
    support: &[Source],
    replicate_all: bool,
) -> Result<Vec<Output>, Vec<Diag>> {
    let analysis = analyze(sources, support)?;
    let names: Vec<&str> = sources.iter().map(|s| s.path.as_str()).collect();
    emit::all(&analysis, replicate_all, &names)
}
