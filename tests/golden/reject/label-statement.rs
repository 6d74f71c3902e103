#[inst("--")]
fn X() {
    goto!(y);
}

#[label]
fn y() {
    exit_if!(true);
    let next = next_instr!();
    leave!(0);
}

//~ 8:5: `exit_if!` means nothing in the label `y` [label-statement]
//~ 9:16: `next_instr!` means nothing in the label `y` [label-statement]
