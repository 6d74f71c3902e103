#[inst("--")]
#[inline]
fn X() {}

//~ 2:1: unknown attribute `inline` on `X` [attribute-unknown]
