#[inst("--")]
pub fn X() {}

#[inst("--")]
fn Y(oparg: usize) {}

#[inst("--")]
fn Z() -> usize {}

#[inst("--")]
unsafe fn W() {}

//~ 2:8: `X` must be a plain `fn X()` [fn-signature]
//~ 5:4: `Y` must be a plain `fn Y()` [fn-signature]
//~ 8:4: `Z` must be a plain `fn Z()` [fn-signature]
//~ 11:11: `W` must be a plain `fn W()` [fn-signature]
