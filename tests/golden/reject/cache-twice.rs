#[inst("counter/1, key/2, key/2 --")]
fn X() {}

//~ 1:27: cache entry `key` is read twice [cache-twice]
