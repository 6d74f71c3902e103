#[pure]
#[inst("a -- b")]
fn X() {
    b = loud(a);
    close!(a);
}

#[pure]
#[inst("--")]
fn Y() {
    *locals = NULL;
}

//~ 3:4: `X` is #[pure], but calls what escapes [pure-claim]
//~ 10:4: `Y` is #[pure], but writes through a pointer or calls for an effect [pure-claim]
