#[inst("a --")]
fn X() {
    branch_if!(quiet(a) == TRUE, oparg);
    close!(a);
}

//~ 3:5: `branch_if!` must be the last statement of `X` [branch-last]
