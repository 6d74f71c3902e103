#[inst("a -- a")]
fn X() {
    error_if!(loud(a).is_null());
    while quiet(a) {
        loud(a);
    }
    let f = || loud(a);
}

//~ 3:15: `loud` escapes in `error_if!`, where the registers are not saved [escape-unsaved]
//~ 5:9: `loud` escapes in a loop, where the registers are not saved [escape-unsaved]
//~ 7:16: `loud` escapes in a closure, where the registers are not saved [escape-unsaved]
