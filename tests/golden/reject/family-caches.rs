instruction!(X = counter/1 + _BASE);
instruction!(X_QUIET = unused/3 + _BASE);
family!(X / 1 = X_QUIET);

//~ 2:14: family `X` has 1 cache units, `X_QUIET` has 3 [family-caches]
