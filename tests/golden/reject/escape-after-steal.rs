#[inst("a, b --")]
fn X() {
    *locals = a;
    steal!(a);
    let c = loud(b);
    close!(b);
}

//~ 5:13: `loud` escapes after `a` was moved away [escape-after-steal]
