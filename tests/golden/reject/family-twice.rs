instruction!(X = counter/1 + unused/2 + _BASE);
family!(X / 3 = BASE_QUIET, X);

//~ 2:17: `BASE_QUIET` is already in the family `BASE` [family-twice]
//~ 2:29: `X` is already in the family `X` [family-twice]
