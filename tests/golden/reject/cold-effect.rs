#[inst("counter/1, a, b[oparg] -- c")]
fn X() {
    cold_if!(counter == 0, _Y);
    cold_if!(counter == 1, _Z);
    c = quiet(a);
    dead!(a);
    dead!(b);
}

#[cold("a -- c")]
fn _Y() {
    c = loud(a);
    close!(a);
}

#[cold("counter/1, a, b[oparg] -- c")]
fn _Z() {
    redispatch!();
}

//~ 11:4: `_Y` must have the stack effect of `X`, which names it, and no cache [cold-effect]
//~ 17:4: `_Z` must have the stack effect of `X`, which names it, and no cache [cold-effect]
