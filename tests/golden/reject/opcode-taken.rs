#[inst("--")]
#[opcode(7)]
fn X() {}

#[inst("--")]
#[opcode(7)]
fn Y() {}

//~ 7:4: `Y` and `X` both have the number 7 [opcode-taken]
