#[inst("-- a, b, c")]
fn X() {
    if oparg == 0 {
        a = NULL;
        b = NULL;
    } else if oparg == 1 {
        b = NULL;
    } else {
        goto!(error);
    }
}

//~ 1:12: output `a` is not assigned on every path of `X` [output-unassigned]
//~ 1:18: output `c` is not assigned on every path of `X` [output-unassigned]
