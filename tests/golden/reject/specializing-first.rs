#[op("value -- value")]
fn _X() {}

instruction!(X = counter/1 + _X + _SPECIALIZE_X + _BASE);
instruction!(X_QUIET = unused/1 + _BASE);
family!(X / 1 = X_QUIET);

#[specializing]
#[op("value -- value")]
fn _SPECIALIZE_X() {}

//~ 10:4: `_SPECIALIZE_X` specialises, so it must be the first op of `X` [specializing-first]
