//! The calling convention between instructions, and the names of the forms.

pub use crate::runtime::frame::{Ip, Locals, Sp};
#[cfg(feature = "tail")]
use crate::runtime::thread::Thread;

/// What a run of the loop ends with: the bits of an owned word, or 0 when an exception is set.
pub type Exit = u64;

pub use crate::runtime::thread::Run;

/// A handler of the tail form. With `rust-preserve-none` the first four arguments stay in r12 to r15 (x20 to x23 and on
/// AArch64), which survive ordinary calls; `table` and `oparg` do not.
#[cfg(feature = "tail")]
pub type RawHandler =
    unsafe extern "rust-preserve-none" fn(Ip, Sp, Locals, &Thread, Table, usize) -> Exit;

/// A newtype, since a function pointer type cannot name itself.
#[cfg(feature = "tail")]
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Handler(pub RawHandler);

/// 256 handlers by opcode.
#[cfg(feature = "tail")]
pub type Table = *const Handler;

/// Form of dispatch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dispatch {
    /// Every opcode a function, left by an explicit tail call.
    Tail,
    /// One loop, one `match`.
    Match,
    /// A loop whose hot opcodes dispatch for themselves.
    Replicated,
}

impl Dispatch {
    /// The forms that this build holds, the default first.
    pub const COMPILED: &'static [Dispatch] = &[
        #[cfg(feature = "tail")]
        Dispatch::Tail,
        #[cfg(feature = "replicated")]
        Dispatch::Replicated,
        #[cfg(feature = "match")]
        Dispatch::Match,
    ];
    pub const fn name(self) -> &'static str {
        match self {
            Dispatch::Tail => "tail",
            Dispatch::Match => "match",
            Dispatch::Replicated => "replicated",
        }
    }
    pub fn is_compiled(self) -> bool {
        Self::COMPILED.contains(&self)
    }
}

impl std::str::FromStr for Dispatch {
    type Err = String;
    fn from_str(name: &str) -> Result<Dispatch, String> {
        let form = [Dispatch::Tail, Dispatch::Match, Dispatch::Replicated]
            .into_iter()
            .find(|d| d.name() == name);
        match form {
            Some(form) if form.is_compiled() => Ok(form),
            Some(_) => Err(format!(
                "this build does not hold the form `{name}`: enable the feature of that name"
            )),
            None => Err(format!(
                "`{name}` is no form of dispatch; there are tail, match and replicated"
            )),
        }
    }
}

impl std::fmt::Display for Dispatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
