#[inst("--")]
fn X() {
    goto!(y);
}

#[label]
fn y() {
    if oparg == 0 {
        leave!(0);
    }
}

//~ 7:4: the label `y` does not leave on every path [label-ends]
