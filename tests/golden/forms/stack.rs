//! Words in variables between ops; arrays and what an op takes as an array in memory.

#[op("value -- first, second")]
fn _SPLIT() {
    first = quiet(value);
    second = value;
    steal!(value);
}

/// Its inputs are the outputs of `_SPLIT` under each other's names, and it hides a name that stays on the stack.
#[op("second, first -- second, sum")]
fn _JOIN() {
    sum = quiet(first);
    dead!(first);
}

#[op("kept -- kept, sum, null if (oparg & 1)")]
fn _MORE() {
    sum = quiet(kept);
    null = NULL;
}

instruction!(SHUFFLE = _SPLIT + _JOIN + _MORE);

#[op("values[2] -- list")]
fn _BUILD() {
    list = quiet(*values);
    dead!(values);
}

/// `_SPLIT` leaves single words, `_BUILD` wants them in memory.
instruction!(SPLIT_AND_BUILD = _SPLIT + _BUILD);

/// The array takes the place of `seq`, which is therefore not read again after the call.
#[inst("unused[oparg - 1], unused, seq -- unused[oparg - 1], unused, items[oparg >> 8]")]
fn UNPACK() {
    let item = loud(seq);
    *items = item;
    close!(seq);
}
