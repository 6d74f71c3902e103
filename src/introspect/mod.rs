//! Looking at what was built and what it does: machine code, times, bytecode listings.

pub mod adaptive;
pub mod asm;
pub mod dis;
pub mod expand;
pub mod fast_path;
pub mod race;
pub mod summary;
pub mod table;
pub mod watch;
