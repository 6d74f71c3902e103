#[op("--")]
fn _X() {
    cold_if!(oparg == 0, _Y);
}

#[cold("--")]
fn _Y() {
    redispatch!();
}

instruction!(X = _X + _X);

//~ 7:4: `_Y` is a continuation of two ops of `X` [cold-twice]
