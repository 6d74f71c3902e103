#[inst("a[oparg] --")]
fn X() {
    close!(a);
}

//~ 3:5: `close!` takes one word, and `a` is an array [close-array]
