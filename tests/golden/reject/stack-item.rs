#[inst("a b -- c[oparg")]
fn X() {}

#[inst("a[size()] -- b if (oparg)")]
fn Y() {}

#[inst("a[oparg / 2], r#fn --")]
fn Z() {}

//~ 1:9: bad name in stack item `a b` [stack-item]
//~ 1:16: bad array size in stack item `c[oparg` [stack-item]
//~ 4:9: bad array size in stack item `a[size()]` [stack-item]
//~ 4:22: bad condition in stack item `b if (oparg)` [stack-item]
//~ 7:9: bad array size in stack item `a[oparg / 2]` [stack-item]
//~ 7:23: bad name in stack item `r#fn` [stack-item]
