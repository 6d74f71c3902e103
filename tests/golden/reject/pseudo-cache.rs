pseudo!(X("counter/1 --", arg) = BASE);

//~ 1:12: pseudo-instruction `X` cannot have a cache [pseudo-cache]
