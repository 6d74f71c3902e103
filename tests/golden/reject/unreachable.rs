#[inst("--")]
fn X() {
    if oparg == 0 {
        reload!();
    } else {
        leave!(0);
    }
    goto!(error);
}

//~ 8:5: `X` has left before this statement [unreachable]
