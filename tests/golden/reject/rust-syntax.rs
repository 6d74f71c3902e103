#[op("--")]
fn 3() {}

//~ 2:4: not Rust: expected identifier [rust-syntax]
