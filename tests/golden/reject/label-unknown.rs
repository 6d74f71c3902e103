#[inst("--")]
fn X() {
    if oparg == 0 {
        goto!(_BASE);
    }
    goto!(nowhere);
}

//~ 4:15: no label is called `_BASE` [label-unknown]
//~ 6:11: no label is called `nowhere` [label-unknown]
