pseudo!(X("--") = BASE, NOWHERE);

//~ 1:25: `X` stands for `NOWHERE`, which is no instruction [pseudo-target]
