//! The replicated form: a loop whose hot opcodes end in a dispatch of their own.

#[allow(
    unused_mut,
    unused_variables,
    unused_assignments,
    unreachable_code,
    unused_macros,
    clippy::all
)]
mod generated {
    use crate::interp::abi::{Exit, Ip, Locals, Sp};
    use crate::interp::cold;
    use crate::interp::state::State;
    use crate::interp::support::prelude::*;
    use crate::runtime::thread::Thread;

    include!(concat!(env!("OUT_DIR"), "/replicated.rs"));
}
pub use generated::{SITES, run};
