//! Looking at what was built and what it does: machine code, times, bytecode listings.

pub mod adaptive;
pub mod asm;
pub mod counters;
pub mod dis;
pub mod expand;
pub mod fast_path;
pub mod lab_data;
pub mod plot;
pub mod predict;
pub mod race;
pub mod results;
pub mod summary;
pub mod table;
pub mod watch;
