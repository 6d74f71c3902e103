#[inst("a, b")]
fn X() {}

#[inst("a -- b -- c")]
fn Y() {}

//~ 1:9: stack effect "a, b" needs one `--` [effect-dashes]
//~ 4:9: stack effect "a -- b -- c" needs one `--` [effect-dashes]
