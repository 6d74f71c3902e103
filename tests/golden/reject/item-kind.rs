struct Word;

#[inst("--")]
fn X() {}

//~ 1:1: only `fn` items and definition macros may stand here [item-kind]
