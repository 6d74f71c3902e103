#[inst("-- a")]
fn X_ARG() {
    a = *locals.add(oparg);
}

#[inst("-- a")]
fn X() {
    a = *locals;
}

family!(X / 0 = X_ARG);

//~ 2:4: `X_ARG` uses oparg, its family head `X` has none [family-arg]
