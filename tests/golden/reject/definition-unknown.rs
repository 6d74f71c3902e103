macro_instruction!(X = _BASE);

//~ 1:1: unknown definition macro `macro_instruction!` [definition-unknown]
