//! What only the interpreter itself writes: no code object holds it.

/// Where a frame in a new chunk returns to: the bridge below it, which leads to the caller's chunk.
#[inst("value --")]
#[opcode(233)]
fn LEAVE_CHUNK() {
    leave_chunk(ts, locals, value);
    steal!(value);
    reload!();
}
