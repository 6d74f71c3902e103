#[inst("counter/3, a --")]
fn X() {
    close!(a);
}

instruction!(Y = _BASE + key/8 + unused/0);

//~ 1:9: cache entry `counter/3` must have 1, 2 or 4 units [cache-size]
//~ 6:26: cache entry `key/8` must have 1, 2 or 4 units [cache-size]
//~ 6:34: cache entry `unused/0` must have 1, 2 or 4 units [cache-size]
