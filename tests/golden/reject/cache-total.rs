instruction!(X = counter/1 + unused/200 + _BASE + unused/55);

//~ 1:14: `X` has 256 cache units, of at most 255 [cache-total]
