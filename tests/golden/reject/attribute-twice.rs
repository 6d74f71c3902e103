#[pure]
#[inst("--")]
#[pure]
fn X() {}

//~ 3:1: attribute `pure` stands twice [attribute-twice]
