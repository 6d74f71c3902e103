#[opcode(8)]
pseudo!(Y("--") = BASE);

//~ 1:1: attribute `opcode` means nothing on `pseudo!` [list-attribute]
