#[inst("sp -- oparg")]
fn X() {}

#[inst("counter/1, table/2, close_0 --")]
fn Y() {}

//~ 1:9: `sp` is a register's name [name-reserved]
//~ 1:15: `oparg` is a register's name [name-reserved]
//~ 4:20: `table` is a register's name [name-reserved]
//~ 4:29: `close_0` is a register's name [name-reserved]
