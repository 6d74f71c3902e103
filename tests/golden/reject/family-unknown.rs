instruction!(X = counter/1 + _BASE);
family!(X / 1 = X_QUIET);
family!(Y / 1 = BASE_SMALL);

//~ 2:17: family `X`: `X_QUIET` is no instruction [family-unknown]
//~ 3:9: family `Y`: `Y` is no instruction [family-unknown]
//~ 3:17: family `Y`: `BASE_SMALL` is no instruction [family-unknown]
