#[opcode(7)]
#[op("--")]
fn _X() {}

#[pure]
#[label]
fn y() {
    leave!(0);
}

//~ 1:1: attribute `opcode` means nothing on #[op] `_X` [attribute-place]
//~ 5:1: attribute `pure` means nothing on #[label] `y` [attribute-place]
