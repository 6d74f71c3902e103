//! Shuffles, constants, pops.

#[inst("--")]
#[opcode(0)]
fn CACHE() {
    goto!(invalid);
}

#[inst("--")]
#[opcode(17)]
fn RESERVED() {
    goto!(invalid);
}

#[pure]
#[inst("--")]
fn NOP() {}

#[pure]
#[inst("--")]
fn NOT_TAKEN() {}

#[pure]
#[inst("value --")]
fn POP_TOP() {
    close!(value);
}

#[pure]
#[inst("value --")]
fn END_FOR() {
    close!(value);
}

#[pure]
#[inst("value --")]
fn POP_ITER() {
    close!(value);
}

#[pure]
#[inst("receiver, value -- val")]
fn END_SEND() {
    val = value;
    steal!(value);
    close!(receiver);
}

#[pure]
#[inst("-- res")]
fn PUSH_NULL() {
    res = Word::NULL;
}

/// A word borrowed from a slot may be on the stack twice; an owned one is counted again.
#[pure]
#[inst("bottom, unused[oparg-1] -- bottom, unused[oparg-1], top")]
fn COPY() {
    top = copy(bottom);
}

#[pure]
#[inst("bottom, unused[oparg-2], top -- top, unused[oparg-2], bottom")]
fn SWAP() {}

#[inst("-- value")]
#[flags(const_)]
fn LOAD_CONST() {
    value = const_at(locals, oparg);
    // The first execution decides between the two forms; which of them makes no difference to the value.
    specialize_load_const(ts, this_instr!(), value);
}

#[pure]
#[inst("-- value")]
#[flags(const_)]
fn LOAD_CONST_MORTAL() {
    value = const_at(locals, oparg);
}

#[pure]
#[inst("-- value")]
#[flags(const_)]
fn LOAD_CONST_IMMORTAL() {
    value = const_at(locals, oparg);
}

family!(LOAD_CONST / 0 = LOAD_CONST_MORTAL, LOAD_CONST_IMMORTAL);

#[pure]
#[replicate(4)]
#[inst("-- value")]
fn LOAD_SMALL_INT() {
    value = Word::int_unchecked(oparg as i64);
}

#[inst("-- value")]
fn LOAD_COMMON_CONSTANT() {
    value = common_constant(ts, oparg);
}
