#[op("--")]
fn _X() {}

#[cold("value -- res")]
fn _Y() {
    redispatch!();
}

#[label]
fn z() {
    leave!(0);
}

//~ 2:4: nothing uses `_X` [unused]
//~ 5:4: nothing uses `_Y` [unused]
//~ 10:4: nothing uses `z` [unused]
