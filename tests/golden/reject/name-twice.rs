#[inst("--")]
fn X() {}

instruction!(X = unused/1 + _BASE);

pseudo!(BASE("--") = X);

//~ 4:14: `X` is defined twice [name-twice]
//~ 4:14: the cache of `X` must begin with `counter/1` [counter-first]
//~ 6:9: `BASE` is defined twice [name-twice]
