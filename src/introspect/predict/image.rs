//! The code of a running process, cut into blocks as valgrind cuts it.

use super::Kind;
use crate::introspect::asm::Error;
use crate::introspect::asm::binary::Arch;
use crate::introspect::asm::decode::{Decoder, Flow, Inst};
use object::{Object, ObjectSegment, ObjectSymbol};
use rustc_hash::FxHashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Instructions after which valgrind ends a block whatever they are (`--vex-guest-max-insns`).
pub const MOST_INSTRUCTIONS: usize = 60;
const LONGEST_INSTRUCTION: usize = 15;

/// The function of the C library that reads `/proc/self/maps`: what it does depends on the mappings of valgrind's tools.
pub const READER: &str = "pthread_getattr_np";

/// A straight run of instructions, entered at its beginning only.
pub struct Block {
    /// Addresses of the instructions, and behind the last.
    addresses: Vec<u64>,
    end: End,
}

/// What ends a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Branch {
        kind: Kind,
        target: Option<u64>,
    },
    /// An instruction that repeats or leaves for the kernel, or the limit: no branch.
    Cut,
}

impl Block {
    fn pc(&self) -> u64 {
        self.addresses[self.addresses.len() - 2]
    }

    /// Where control comes back to if the block ends in a call.
    pub fn after(&self) -> u64 {
        self.addresses[self.addresses.len() - 1]
    }

    /// How many instructions were executed, and the branch, if control went on at `next`.
    pub fn left_for(&self, next: u64) -> (usize, Option<(Kind, u64)>) {
        let instructions = self.addresses.len() - 1;
        match self.end {
            End::Cut => (instructions, None),
            End::Branch {
                kind: Kind::Conditional { .. },
                target,
            } => {
                let taken = next != self.after() && Some(next) == target;
                (instructions, Some((Kind::Conditional { taken }, self.pc())))
            }
            End::Branch { kind, .. } => (instructions, Some((kind, self.pc()))),
        }
    }
}

struct Mapping {
    start: u64,
    end: u64,
    offset: u64,
    executable: bool,
    path: PathBuf,
}

/// The mapped code of a process.
pub struct Image {
    maps: PathBuf,
    mappings: Vec<Mapping>,
    files: FxHashMap<PathBuf, Rc<Vec<u8>>>,
    decoder: Decoder,
    blocks: FxHashMap<u64, Rc<Block>>,
    reader: Option<u64>,
}

impl Image {
    pub fn of_process(pid: u32, arch: Arch) -> Result<Image, Error> {
        Ok(Image {
            maps: PathBuf::from(format!("/proc/{pid}/maps")),
            mappings: Vec::new(),
            files: FxHashMap::default(),
            decoder: Decoder::new(arch)?,
            blocks: FxHashMap::default(),
            reader: None,
        })
    }

    /// What is added to the addresses in a file where it is mapped: nothing if it is linked at a fixed address. None
    /// before its code runs.
    pub fn bias(&self, path: &Path) -> Option<u64> {
        let data = self.files.get(path)?;
        let first = |mapping: &&Mapping| mapping.path == path && mapping.offset == 0;
        let start = self.mappings.iter().find(first)?.start;
        Some(start.wrapping_sub(first_address(&object::File::parse(&***data).ok()?)?))
    }

    /// Where `READER` begins, once the library that has it runs.
    pub fn reader(&self) -> Option<u64> {
        self.reader
    }

    /// The block entered at an address.
    pub fn block(&mut self, address: u64) -> Result<Rc<Block>, Error> {
        if let Some(block) = self.blocks.get(&address) {
            return Ok(block.clone());
        }
        let block = Rc::new(self.decode(address)?);
        self.blocks.insert(address, block.clone());
        Ok(block)
    }

    fn decode(&mut self, address: u64) -> Result<Block, Error> {
        let (file, offset, end) = self.find(address)?;
        for most in [64, 256, LONGEST_INSTRUCTION * (MOST_INSTRUCTIONS + 1)] {
            let end = end.min(offset.saturating_add(most));
            let code = file.get(offset..end).unwrap_or_default();
            let insts = self.decoder.decode(code, address)?;
            // What looks like no instruction at the end may be the beginning of one.
            let certain = if code.len() < most {
                u64::MAX
            } else {
                address + (most - LONGEST_INSTRUCTION) as u64
            };
            if let Some(block) = cut(&insts, certain) {
                return Ok(block);
            }
        }
        Err(Error::NotFound(format!("end of the block at {address:#x}")))
    }

    fn find(&mut self, address: u64) -> Result<(Rc<Vec<u8>>, usize, usize), Error> {
        let unknown = || Error::NotFound(format!("code at {address:#x}, where the process went"));
        let at = match self.mapping(address) {
            Some(at) => at,
            None => {
                // A library came in since.
                let text = fs::read_to_string(&self.maps)
                    .map_err(|error| Error::Read(self.maps.clone(), error))?;
                self.mappings = text.lines().filter_map(mapping).collect();
                self.mapping(address).ok_or_else(unknown)?
            }
        };
        let path = self.mappings[at].path.clone();
        let file = match self.files.get(&path) {
            Some(file) => file.clone(),
            None => {
                let data = fs::read(&path).map_err(|error| Error::Read(path.clone(), error))?;
                let data = Rc::new(data);
                self.files.insert(path.clone(), data.clone());
                if let (Some(bias), Some(address)) = (self.bias(&path), exported(&data, READER)) {
                    self.reader = Some(bias.wrapping_add(address));
                }
                data
            }
        };
        let mapping = &self.mappings[at];
        let offset = (address - mapping.start + mapping.offset) as usize;
        let end = (mapping.end - mapping.start + mapping.offset) as usize;
        let length = file.len();
        Ok((file, offset, end.min(length)))
    }

    fn mapping(&self, address: u64) -> Option<usize> {
        let holds = |mapping: &Mapping| {
            mapping.executable && (mapping.start..mapping.end).contains(&address)
        };
        self.mappings.iter().position(holds)
    }
}

/// Where the first byte of a file is linked to lie.
fn first_address(file: &object::File<'_>) -> Option<u64> {
    let segments = file.segments().map(|segment| segment.address());
    segments.min().map(|address| address & !0xfff)
}

/// The address of a function that a library has for others.
fn exported(data: &[u8], name: &str) -> Option<u64> {
    let file = object::File::parse(data).ok()?;
    let found = file
        .dynamic_symbols()
        .find(|symbol| symbol.is_definition() && symbol.name() == Ok(name))?;
    Some(found.address())
}

/// A line of `/proc/PID/maps` that maps a file.
fn mapping(line: &str) -> Option<Mapping> {
    let mut words = line.split_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let flags = words.next()?;
    let offset = words.next()?;
    let path = words.nth(2)?;
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    path.starts_with('/').then_some(Mapping {
        start: number(start)?,
        end: number(end)?,
        offset: number(offset)?,
        executable: flags.contains('x'),
        path: path.into(),
    })
}

/// The block at the beginning of `insts`; None if more of them are needed. From `certain` on, what is no instruction may
/// be one cut off.
fn cut(insts: &[Inst], certain: u64) -> Option<Block> {
    let mut addresses = Vec::new();
    for (n, inst) in insts.iter().enumerate() {
        if inst.flow == Flow::Stop && inst.address >= certain {
            return None;
        }
        addresses.push(inst.address);
        let branch = |kind, target| Some(End::Branch { kind, target });
        let end = match inst.flow {
            _ if inst.mnemonic.ends_with("ret") => branch(Kind::Return, None),
            Flow::Branch(target) => branch(Kind::Conditional { taken: true }, Some(target)),
            Flow::Jump(Some(target)) => branch(Kind::Jump, Some(target)),
            // Through the linker's table.
            Flow::Jump(None) | Flow::Indirect => branch(Kind::IndirectJump, None),
            Flow::Call(Some(target)) => branch(Kind::Call, Some(target)),
            Flow::Call(None) => branch(Kind::IndirectCall, None),
            Flow::Return => branch(Kind::Return, None),
            Flow::Stop => Some(End::Cut),
            Flow::Next if ends_block(inst) || n + 1 == MOST_INSTRUCTIONS => Some(End::Cut),
            Flow::Next => None,
        };
        if let Some(end) = end {
            addresses.push(inst.end());
            return Some(Block { addresses, end });
        }
    }
    None
}

/// Instructions that are no branches and end a block nevertheless.
fn ends_block(inst: &Inst) -> bool {
    let mnemonic = inst.mnemonic.as_str();
    mnemonic.starts_with("rep")
        || matches!(
            mnemonic,
            "syscall" | "svc" | "sysenter" | "pause" | "yield" | "clflush" | "isb"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(code: &[u8]) -> Option<Block> {
        let insts = Decoder::new(Arch::X86_64)
            .expect("a disassembler")
            .decode(code, 0x1000)
            .expect("decodable");
        cut(&insts, u64::MAX)
    }

    #[test]
    fn a_branch_ends_a_block() {
        let conditional = block(&[0x48, 0x85, 0xc0, 0x75, 0x10, 0x90]).expect("test, jne");
        let kind = |taken| Some((Kind::Conditional { taken }, 0x1003));
        assert_eq!(conditional.left_for(0x1015), (2, kind(true)));
        assert_eq!(conditional.left_for(0x1005), (2, kind(false)));
        let jump = block(&[0x90, 0xff, 0xe0]).expect("nop, jmp rax");
        assert_eq!(
            jump.left_for(0x2000),
            (2, Some((Kind::IndirectJump, 0x1001)))
        );
        let linked = block(&[0xff, 0x25, 0, 0, 0, 0]).expect("jmp [rip]");
        assert_eq!(
            linked.left_for(0x2000),
            (1, Some((Kind::IndirectJump, 0x1000)))
        );
        let returned = block(&[0xf3, 0xc3]).expect("repz ret");
        assert_eq!(returned.left_for(0x2000), (1, Some((Kind::Return, 0x1000))));
    }

    #[test]
    fn some_instructions_and_the_limit_end_one_too() {
        assert_eq!(
            block(&[0x0f, 0x05, 0x90])
                .expect("syscall")
                .left_for(0x1002),
            (1, None)
        );
        assert_eq!(
            block(&[0xf3, 0xa4]).expect("rep movsb").left_for(0x1000),
            (1, None)
        );
        assert_eq!(
            block(&[0x90; 100]).expect("nops").left_for(0x103c),
            (60, None)
        );
        assert!(block(&[0x90; 20]).is_none());
    }

    #[test]
    fn an_instruction_that_was_cut_off_is_asked_for_again() {
        let code = [0x90, 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0xe0];
        let decoder = Decoder::new(Arch::X86_64).expect("a disassembler");
        let some = decoder.decode(&code[..6], 0x1000).expect("decodable");
        assert!(cut(&some, 0x1000).is_none());
        let all = decoder.decode(&code, 0x1000).expect("decodable");
        let block = cut(&all, 0x1000).expect("nop, movabs, jmp rax");
        assert_eq!(
            block.left_for(0x2000),
            (3, Some((Kind::IndirectJump, 0x100b)))
        );
    }

    #[test]
    fn mappings_of_code_are_read() {
        let line = "00108000-0010c000 r-xp 00002000 fd:00 1234    /usr/bin/x";
        let found = mapping(line).expect("a mapping");
        assert_eq!(
            (found.start, found.end, found.offset),
            (0x108000, 0x10c000, 0x2000)
        );
        assert_eq!(found.path, Path::new("/usr/bin/x"));
        assert!(mapping("1000-2000 rw-p 00000000 00:00 0 [heap]").is_none());
        let data = mapping("1000-2000 r--p 00000000 fd:00 1 /usr/bin/x").expect("a mapping");
        assert!(found.executable && !data.executable);
    }
}
