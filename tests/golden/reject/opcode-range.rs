#[inst("--")]
#[opcode(256)]
fn X() {}

//~ 3:4: `X` cannot have a number above 255 [opcode-range]
