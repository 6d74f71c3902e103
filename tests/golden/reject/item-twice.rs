#[inst("a, a -- b, b")]
fn X() {}

#[inst("counter/1, counter --")]
fn Y() {}

//~ 1:12: `a` stands twice in a stack effect [item-twice]
//~ 1:20: `b` stands twice in a stack effect [item-twice]
//~ 4:20: `counter` stands twice in a stack effect [item-twice]
