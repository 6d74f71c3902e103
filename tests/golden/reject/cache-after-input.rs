#[inst("a, counter/1 --")]
fn X() {
    close!(a);
}

//~ 1:12: cache entry `counter/1` stands after a stack input [cache-after-input]
