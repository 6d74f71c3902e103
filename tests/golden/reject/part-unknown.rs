instruction!(X = counter/1 + _BASE + _NOWHERE);
instruction!(Y = counter/1 + _BASE + _SPECIALIZE_BASE_NOW);

//~ 1:38: no micro-op is called `_NOWHERE` [part-unknown]
//~ 2:38: no micro-op is called `_SPECIALIZE_BASE_NOW` [part-unknown]
