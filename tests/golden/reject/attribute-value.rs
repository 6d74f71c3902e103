#[inst(3)]
fn X() {}

#[inst("--")]
#[opcode("three")]
fn Y() {}

#[pure(yes)]
#[inst("--")]
fn Z() {}

#[inst("--")]
#[flags(1)]
fn W() {}

//~ 1:8: expected a stack effect in quotes [attribute-value]
//~ 5:10: expected one number [attribute-value]
//~ 8:7: expected no argument [attribute-value]
//~ 13:9: expected a list of flags [attribute-value]
