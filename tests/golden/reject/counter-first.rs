#[inst("key/1, a --")]
fn X() {
    close!(a);
}

//~ 2:4: the cache of `X` must begin with `counter/1` [counter-first]
