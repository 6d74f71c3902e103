//! No call, nothing to release: fetch and go on.

#[replicate(8)]
#[inst("-- value")]
#[flags(local)]
fn LOAD() {
    value = *locals.add(oparg);
}

/// Arms that are hot dispatch for themselves.
hot!(LOAD);

#[inst("top, below -- below, top")]
fn EXCHANGE() {}
