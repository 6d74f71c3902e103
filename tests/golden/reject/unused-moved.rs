#[inst("unused, a -- unused, unused")]
fn X() {
    close!(a);
}

//~ 1:30: an unused output must be an unused input in its place [unused-moved]
