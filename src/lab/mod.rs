//! The lab: machines with nothing but dispatch in them, in the forms of this crate and in C.
//!
//! The generator makes every machine from one description (`src/casegen/lab.rs`); programs are drawn with a chosen
//! entropy (`program`), so that what a dispatch costs can be seen against how well its target can be foretold, against
//! the number of opcodes and against the work between two dispatches. All forms compute the same, or it is an error.

mod measure;
mod program;

pub use measure::measure;
pub use program::{Drawn, Spec, draw};

/// Points into a program: a byte an opcode.
type Ip = *const u8;

/// What a run starts from. The C peers have the same structure.
#[repr(C)]
pub struct Context {
    code: Ip,
    /// How many more times the program runs.
    left: u64,
    registers: [u64; 4],
}

/// A form's function for one machine.
///
/// # Safety
/// The context points to a program of the machine's opcodes that ends in the opcode behind the last.
type Run = unsafe fn(&mut Context) -> u64;
type PeerRun = unsafe extern "C" fn(*mut Context) -> u64;

/// Cannot be named recursively without a type of its own.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Tail(unsafe extern "rust-preserve-none" fn(Ip, *mut Context, u64, u64, u64, u64) -> u64);

#[derive(Clone, Copy)]
#[repr(transparent)]
struct Plain(unsafe fn(Ip, *mut Context, u64, u64, u64, u64) -> u64);

/// Handlers that are called from a loop keep the registers in memory.
struct Registers {
    a: u64,
    b: u64,
    c: u64,
    d: u64,
    code: Ip,
    left: u64,
}

type Call = unsafe fn(Ip, &mut Registers) -> Ip;

impl Registers {
    fn of(context: &Context) -> Registers {
        let [a, b, c, d] = context.registers;
        Registers {
            a,
            b,
            c,
            d,
            code: context.code,
            left: context.left,
        }
    }
}

#[inline(always)]
fn finish(a: u64, b: u64, c: u64, d: u64) -> u64 {
    a ^ b.rotate_left(16) ^ c.rotate_left(32) ^ d.rotate_left(48)
}

/// The forms of Rust, in the order in which a machine has them.
pub const RUST_FORMS: [&str; 5] = [
    "tail",
    "replicated",
    "match",
    "tail, ordinary ABI",
    "calls from a loop",
];

struct Forms {
    name: &'static str,
    opcodes: usize,
    body: usize,
    rust: [Run; 5],
}

struct Peer {
    compiler: &'static str,
    version: &'static str,
    form: &'static str,
    /// A function for each machine, or why there are none.
    run: Result<&'static [PeerRun], &'static str>,
}

#[allow(unused, unsafe_op_in_unsafe_fn, clippy::all)]
mod generated {
    use super::{Call, Context, Forms, Ip, Peer, Plain, Registers, Tail, finish};

    include!(concat!(env!("OUT_DIR"), "/lab.rs"));
    include!(concat!(env!("OUT_DIR"), "/lab_peers.rs"));
}

/// A machine: so many opcodes with bodies of so many instructions.
#[derive(Clone, Copy)]
pub struct Machine(&'static Forms);

impl Machine {
    pub fn all() -> impl Iterator<Item = Machine> {
        generated::MACHINES.iter().map(Machine)
    }

    pub fn with(opcodes: usize, body: usize) -> Option<Machine> {
        Machine::all().find(|m| m.opcodes() == opcodes && m.body() == body)
    }

    pub fn name(self) -> &'static str {
        self.0.name
    }

    pub fn opcodes(self) -> usize {
        self.0.opcodes
    }

    pub fn body(self) -> usize {
        self.0.body
    }

    /// What is compiled in for this machine.
    pub fn variants(self) -> Vec<Variant> {
        let rust = RUST_FORMS
            .iter()
            .zip(self.0.rust)
            .map(|(name, run)| Variant {
                name: (*name).to_owned(),
                run: Code::Rust(run),
            });
        let index = Machine::all().position(|other| std::ptr::eq(other.0, self.0));
        let peers = generated::PEERS.iter().filter_map(move |peer| {
            Some(Variant {
                name: format!("{} {}", peer.compiler, peer.form),
                run: Code::C(*peer.run.ok()?.get(index?)?),
            })
        });
        rust.chain(peers).collect()
    }
}

/// One form of one machine.
pub struct Variant {
    pub name: String,
    run: Code,
}

#[derive(Clone, Copy)]
enum Code {
    Rust(Run),
    C(PeerRun),
}

impl Variant {
    /// Runs a program so many times over; the answer is what its registers come to.
    pub fn run(&self, program: &Drawn, times: u64) -> u64 {
        let mut context = Context {
            code: program.code.as_ptr(),
            left: times.max(1),
            registers: [1, 0x9e37_79b9, 0x7f4a_7c15, 0xdead_beef],
        };
        // SAFETY: `Drawn` is a program of its machine's opcodes with the last one at its end.
        unsafe {
            match self.run {
                Code::Rust(run) => run(&mut context),
                Code::C(run) => run(&mut context),
            }
        }
    }
}

/// Peers that are not there, each with the reason; and the versions of the compilers that are.
pub fn compilers() -> (Vec<String>, Vec<String>) {
    let mut missing = Vec::new();
    let mut versions = Vec::new();
    for peer in generated::PEERS {
        match peer.run {
            Err(why) => missing.push(format!("{} {}: {why}", peer.compiler, peer.form)),
            Ok(_) => {
                let version = peer.version.to_owned();
                if !versions.contains(&version) {
                    versions.push(version);
                }
            }
        }
    }
    (missing, versions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_all_machines_agree() {
        for machine in Machine::all() {
            for surprise in [0.0, 0.3, 1.0] {
                let spec = Spec {
                    surprise,
                    length: 5_000,
                    ..Spec::of(machine)
                };
                let program = draw(&spec);
                let variants = machine.variants();
                let expected = variants[0].run(&program, 3);
                for variant in &variants {
                    let name = machine.name();
                    assert_eq!(
                        variant.run(&program, 3),
                        expected,
                        "{name}: {}",
                        variant.name
                    );
                }
            }
        }
    }

    #[test]
    fn every_peer_is_there_or_says_why() {
        let (missing, versions) = compilers();
        assert!(missing.len() + 4 * versions.len() >= 4);
        assert!(missing.iter().all(|line| line.contains(": ")));
    }
}
