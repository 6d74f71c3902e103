//! The ways out of an instruction.

#[inst("callable, args[oparg] -- res")]
fn CALL() {
    let frame = quiet(callable);
    dead!(callable);
    dead!(args);
    if frame.is_null() {
        reload!();
    }
    enter!(frame.ip(), args, args.add(1));
}

#[inst("value --")]
fn RETURN() {
    steal!(value);
    leave!(value);
}

#[inst("--")]
fn EXTENDED() {
    dispatch_as!(*ip, oparg << 8 | *ip.add(1) as usize, next_instr!().add(2));
}

#[inst("value --")]
fn RAISE() {
    let done = loud(value);
    steal!(value);
    error_if!(!done);
}

#[label]
fn error() {
    loud(ip);
    if quiet(sp) {
        reload!();
    }
    goto!(out);
}

#[label]
fn out() {
    leave!(0);
}
