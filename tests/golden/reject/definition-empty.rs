instruction!(X = unused/1);
family!(BASE / 3 =);
pseudo!(Y("--") =);

//~ 1:14: `X` needs a micro-op [definition-empty]
//~ 2:9: `BASE` needs a form [definition-empty]
//~ 3:9: `Y` needs a target [definition-empty]
