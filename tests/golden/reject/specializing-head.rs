#[specializing]
#[inst("--")]
fn X() {}

//~ 3:4: `X` specialises, but `X` heads no family [specializing-head]
