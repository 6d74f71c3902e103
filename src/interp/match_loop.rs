//! The match form: one loop, one `match`.

#[allow(
    unused_mut,
    unused_variables,
    unused_assignments,
    unreachable_code,
    clippy::all
)]
mod generated {
    use crate::interp::abi::{Exit, Ip, Locals, Sp};
    use crate::interp::cold;
    use crate::interp::state::State;
    use crate::interp::support::prelude::*;
    use crate::runtime::counts::Departure;
    use crate::runtime::thread::Thread;

    include!(concat!(env!("OUT_DIR"), "/match_loop.rs"));
}
pub use generated::run;
