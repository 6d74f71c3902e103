instruction!(X _BASE);
family!(BASE = BASE_QUIET);
pseudo!(Y = BASE);
hot!(BASE BASE_QUIET);

//~ 1:16: in `instruction!`: expected `=` [definition-syntax]
//~ 2:14: in `family!`: expected `/` [definition-syntax]
//~ 3:11: in `pseudo!`: expected parentheses [definition-syntax]
//~ 4:11: in `hot!`: expected `,` [definition-syntax]
