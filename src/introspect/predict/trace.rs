//! From the blocks that a run enters to the branches that it executes, and through the models.

use super::image::Image;
use super::{Branch, FormPrediction, Indirect, Kind, LastTarget, Predictor, Score};
use crate::introspect::asm::Error;
use rustc_hash::{FxHashMap, FxHashSet};
use std::io::BufRead;
use std::path::Path;

/// What the models are fed with, and what is counted on the way.
pub struct Run<'a> {
    image: Image,
    binary: &'a Path,
    /// What is added to addresses in the binary, once that is known.
    bias: Option<u64>,
    /// Addresses of the form's dispatch jumps in the binary.
    sites: FxHashSet<u64>,
    models: Vec<(Box<dyn Predictor>, Score)>,
    counts: Counts,
    executed: FxHashMap<u64, u64>,
    previous: Option<u64>,
    /// Where the last call comes back to.
    back: Option<u64>,
    /// Where the function that reads the mappings comes back to, while it runs.
    reading_until: Option<u64>,
    in_reader: Indirect,
}

#[derive(Default)]
struct Counts {
    instructions: u64,
    conditional: u64,
    indirect: u64,
    dispatches: u64,
}

/// Blocks between two calls of the progress function.
const STEP: u64 = 1 << 16;

impl<'a> Run<'a> {
    pub fn new(
        image: Image,
        binary: &'a Path,
        sites: FxHashSet<u64>,
        models: Vec<Box<dyn Predictor>>,
    ) -> Run<'a> {
        let scored = |model: Box<dyn Predictor>| {
            let score = Score {
                model: model.name().into(),
                mispredicted: 0,
                dispatches_mispredicted: 0,
            };
            (model, score)
        };
        Run {
            image,
            binary,
            bias: None,
            sites,
            models: models.into_iter().map(scored).collect(),
            counts: Counts::default(),
            executed: FxHashMap::default(),
            previous: None,
            back: None,
            reading_until: None,
            in_reader: Indirect::default(),
        }
    }

    /// Reads lackey's lines to the end. `progress` hears now and then how many dispatches there were.
    pub fn read(
        &mut self,
        mut lines: impl BufRead,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Failed> {
        let mut line = Vec::new();
        let mut blocks = 0;
        loop {
            line.clear();
            if lines.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            let Some(address) = block_address(&line) else {
                continue;
            };
            self.enter(address)?;
            blocks += 1;
            if blocks % STEP == 0 {
                progress(self.counts.dispatches);
            }
        }
        Ok(())
    }

    fn enter(&mut self, address: u64) -> Result<(), Error> {
        // Decoded before it is left: then the process is still there to say where its code lies.
        self.image.block(address)?;
        if self.bias.is_none() {
            self.bias = self.image.bias(self.binary);
        }
        if let Some(previous) = self.previous.replace(address) {
            let block = self.image.block(previous)?;
            let (instructions, branch) = block.left_for(address);
            self.counts.instructions += instructions as u64;
            if let Some((kind, pc)) = branch {
                self.branch(&Branch {
                    kind,
                    pc,
                    target: address,
                });
                if let Kind::Call | Kind::IndirectCall = kind {
                    self.back = Some(block.after());
                }
            }
        }
        if self.reading_until == Some(address) {
            self.reading_until = None;
        } else if self.reading_until.is_none() && self.image.reader() == Some(address) {
            self.reading_until = self.back;
        }
        Ok(())
    }

    fn branch(&mut self, branch: &Branch) {
        let indirect = branch.kind.is_indirect();
        let dispatch = indirect
            && self
                .bias
                .is_some_and(|bias| self.sites.contains(&branch.pc.wrapping_sub(bias)));
        let reading = indirect && self.reading_until.is_some();
        self.in_reader.executed += u64::from(reading);
        if let Kind::Conditional { .. } = branch.kind {
            self.counts.conditional += 1;
        }
        if indirect {
            self.counts.indirect += 1;
        }
        if dispatch {
            self.counts.dispatches += 1;
            *self.executed.entry(branch.pc).or_default() += 1;
        }
        for (model, score) in &mut self.models {
            if !model.see(branch) {
                score.mispredicted += 1;
                score.dispatches_mispredicted += u64::from(dispatch);
                if reading && model.name() == LastTarget::CALLGRIND {
                    self.in_reader.mispredicted += 1;
                }
            }
        }
    }

    pub fn finish(mut self, form: &str, opcodes: u64) -> Result<FormPrediction, Error> {
        // The last block ends in the kernel.
        if let Some(last) = self.previous {
            let (instructions, _) = self.image.block(last)?.left_for(last);
            self.counts.instructions += instructions as u64;
        }
        Ok(FormPrediction {
            form: form.into(),
            opcodes,
            instructions: self.counts.instructions,
            conditional: self.counts.conditional,
            indirect: self.counts.indirect,
            dispatches: self.counts.dispatches,
            sites: self.executed.len(),
            scores: self.models.into_iter().map(|(_, score)| score).collect(),
            in_reader: self.in_reader,
            callgrind: None,
        })
    }
}

/// The address in a line `SB 0401c2f0`; None in any other line.
fn block_address(line: &[u8]) -> Option<u64> {
    let digits = line.strip_prefix(b"SB ")?.trim_ascii();
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Why a trace could not be read.
pub enum Failed {
    Read(std::io::Error),
    Code(Error),
}

impl From<std::io::Error> for Failed {
    fn from(error: std::io::Error) -> Failed {
        Failed::Read(error)
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        Failed::Code(error)
    }
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failed::Read(error) => write!(f, "reading valgrind's trace: {error}"),
            Failed::Code(error) => error.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_blocks_are_told_from_others() {
        assert_eq!(block_address(b"SB 0401c2f0\n"), Some(0x401c2f0));
        assert_eq!(block_address(b"SB 1ffefff0"), Some(0x1ffefff0));
        assert_eq!(block_address(b"==1== Lackey\n"), None);
        assert_eq!(block_address(b"SB \n"), None);
    }
}
