fn _X() {}

#[op("--")]
#[cold("--")]
fn _Y() {}

//~ 1:4: `_X` needs one of #[op], #[inst], #[cold], #[label] [op-kind]
//~ 5:4: `_Y` needs one of #[op], #[inst], #[cold], #[label] [op-kind]
