//! Cold continuations of the two loops, as ordinary functions that return the state to go on with.

use super::abi::{Ip, Locals, Sp};
use super::state::State;
use crate::runtime::thread::Thread;

/// Fetches the next instruction for the loop.
#[inline(always)]
unsafe fn fetch(ip: Ip, sp: Sp, locals: Locals, ts: &Thread) -> State {
    unsafe {
        let (opcode, oparg) = (*ip, *ip.add(1) as usize);
        ts.suspend(ip.add(2), sp, locals, oparg);
        ts.fetched(ip);
        State::of(opcode)
    }
}

/// Leaves the registers for the loop, which goes on with `state`.
#[inline(always)]
unsafe fn suspend(
    ip: Ip,
    sp: Sp,
    locals: Locals,
    ts: &Thread,
    oparg: usize,
    state: State,
) -> State {
    ts.suspend(ip, sp, locals, oparg);
    state
}

#[allow(
    unused_mut,
    unused_variables,
    unused_assignments,
    unreachable_code,
    non_snake_case,
    clippy::all
)]
mod continuations {
    use super::*;
    use crate::interp::support::prelude::*;

    include!(concat!(env!("OUT_DIR"), "/cold.rs"));
}
pub use continuations::*;
