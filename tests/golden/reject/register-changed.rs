#[inst("--")]
fn X() {
    ip = ip.add(2);
    oparg += 1;
}

//~ 3:5: the register `ip` is changed by macros only [register-changed]
//~ 4:5: the register `oparg` is changed by macros only [register-changed]
