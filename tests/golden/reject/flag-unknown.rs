#[inst("--")]
#[flags(arg, pure)]
fn X() {}

//~ 2:14: unknown flag `pure`; there are arg, jump, const_, local, name, free [flag-unknown]
