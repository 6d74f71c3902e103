#[inst("a, b, c, d, e --")]
fn X() {
    close!(a);
    close!(b);
    close!(c);
    close!(d);
    close!(e);
}

//~ 2:4: `X` releases more than 4 words [close-count]
