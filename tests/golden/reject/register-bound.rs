#[inst("--")]
fn X() {
    let (sp, n) = (1, 2);
}

//~ 3:10: `sp` is a register's name [register-bound]
