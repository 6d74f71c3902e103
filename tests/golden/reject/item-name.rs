#[inst("--")]
fn _X() {}

#[op("--")]
fn Y() {}

#[label]
fn Z() {
    leave!(0);
}

#[inst("--")]
fn TABLE() {}

//~ 2:4: `_X` cannot name inst: such names are UPPER_CASE [item-name]
//~ 5:4: `Y` cannot name op: such names are _UPPER_CASE [item-name]
//~ 8:4: `Z` cannot name label: such names are lower_case [item-name]
//~ 13:4: `TABLE` cannot name inst: such names are UPPER_CASE [item-name]
