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
