#[inst("a[oparg], b -- a, b if (oparg & 1)")]
fn X() {}

//~ 1:24: `a` is passed on in another shape [passed-shape]
//~ 1:27: `b` is passed on in another shape [passed-shape]
