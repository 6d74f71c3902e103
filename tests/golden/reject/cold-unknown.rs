#[inst("--")]
fn X() {
    cold_if!(oparg == 0, _NOWHERE);
    cold_if!(oparg == 1, _BASE);
}

//~ 3:26: no continuation is called `_NOWHERE` [cold-unknown]
//~ 4:26: no continuation is called `_BASE` [cold-unknown]
