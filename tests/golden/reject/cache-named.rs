instruction!(X = counter/1 + key/1 + _BASE);
instruction!(X_QUIET = unused/1 + key/1 + _BASE);
family!(X / 2 = X_QUIET);

//~ 2:14: `X_QUIET` is no family head, so it cannot name `key/1` unread [cache-named]
