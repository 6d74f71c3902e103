//! Looking at what runs: disassembly, traces, reports.

pub mod dis;
