//! The evaluation loop: the only place with dispatch. Its three forms are generated from `handlers/`.

pub mod abi;
#[cfg(any(feature = "match", feature = "replicated"))]
mod cold;
#[cfg(any(feature = "match", feature = "replicated"))]
mod match_loop;
#[cfg(feature = "replicated")]
mod replicated;
#[cfg(any(feature = "match", feature = "replicated"))]
mod state;
mod support;
#[cfg(feature = "tail")]
// Private: a function that another crate can reach is called through the GOT.
mod tail;

pub use abi::Dispatch;

use crate::runtime::thread::Thread;

/// Whether a counting run in `form` counts what leaves the fast path too: the loop does, the tail form's table cannot.
pub fn counts_departures(form: Dispatch) -> bool {
    form != Dispatch::Tail
}

/// How many dispatches of their own the arms of the replicated form were written with: one for each hot opcode, one each
/// way for a conditional jump. 0 where the form is not compiled in.
pub const fn replicated_sites() -> usize {
    #[cfg(feature = "replicated")]
    return replicated::SITES;
    #[cfg(not(feature = "replicated"))]
    0
}

/// Lets `ts` execute so many instructions more in `form`, or as many as it likes: then KeyboardInterrupt is raised at
/// every check. They are counted meanwhile, which makes each of them slower.
pub fn limit_instructions(ts: &Thread, form: Dispatch, budget: Option<u64>) {
    select(ts, form, budget.is_some());
    ts.pending.limit_instructions(ts, budget);
}

/// Makes `ts` run in `form`, counting instructions or not. The form is one that this build holds.
pub fn select(ts: &Thread, form: Dispatch, counting: bool) {
    ts.counting.set(counting);
    #[cfg(feature = "tail")]
    ts.set_raw_table(tail::table(counting));
    let run: abi::Run = match form {
        #[cfg(feature = "tail")]
        Dispatch::Tail => tail::run,
        #[cfg(any(feature = "match", feature = "replicated"))]
        // The forms execute the same instructions, so one counting loop serves both.
        Dispatch::Match | Dispatch::Replicated if counting => match_loop::run::<true>,
        #[cfg(feature = "match")]
        Dispatch::Match => match_loop::run::<false>,
        #[cfg(feature = "replicated")]
        Dispatch::Replicated => replicated::run,
        #[allow(unreachable_patterns)]
        _ => panic!("this build does not hold the form {form}"),
    };
    ts.run.set(run);
}
