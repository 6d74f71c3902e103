//! Branches: a jump where each arm dispatches, a select where one fetch is shared.

#[op("counter/1, cond --")]
fn _POP_JUMP() {
    let taken = cond.is_null();
    close!(cond);
    branch_if!(taken, oparg);
}

instruction!(POP_JUMP = _POP_JUMP);

#[inst("--")]
fn JUMP_FAR() {
    jump!(-(oparg as isize));
}

#[inst("iter -- iter, next")]
fn FOR() {
    jump_out_if!(iter.is_null(), oparg + 1);
    next = quiet(iter);
}

#[inst("value --")]
fn STORE_AND_SKIP() {
    let old = *locals.add(oparg);
    *locals.add(oparg) = value;
    steal!(value);
    release!(old);
    skip_next!();
}

hot!(POP_JUMP);
