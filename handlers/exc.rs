//! Raising, handling, and the bookkeeping of handlers.

#[inst("args[oparg] --")]
fn RAISE_VARARGS() {
    raise_varargs(ts, args, oparg);
    dead!(args);
    goto!(error);
}

#[inst("values[oparg], exc -- values[oparg]")]
fn RERAISE() {
    reraise(ts, locals, values, exc, oparg);
    steal!(exc);
    error_if!(true);
}

#[inst("exc -- prev_exc, exc")]
fn PUSH_EXC_INFO() {
    prev_exc = push_exc_info(ts, exc);
}

#[inst("exc_value --")]
fn POP_EXCEPT() {
    let old = pop_except(ts, exc_value);
    steal!(exc_value);
    release!(old);
}

#[inst("left, right -- left, b")]
fn CHECK_EXC_MATCH() {
    b = check_exc_match(ts, left, right);
    error_if!(b.is_null());
    close!(right);
}

/// What of an exception `except*` handles, and the rest of it.
#[inst("exc_value, match_type -- rest, matched")]
fn CHECK_EG_MATCH() {
    let (left, found) = check_eg_match(ts, exc_value, match_type);
    rest = left;
    matched = found;
    error_if!(matched.is_null());
    close!(exc_value);
    close!(match_type);
}

/// `__enter__`, `__exit__` and their like, found on the type; a method comes with its instance.
#[inst("owner -- attr, self_or_null")]
fn LOAD_SPECIAL() {
    let (found, instance) = load_special(ts, owner, oparg);
    attr = found;
    self_or_null = instance;
    error_if!(attr.is_null());
    close!(owner);
}

#[inst("exit_func, exit_self, lasti, unused, val -- exit_func, exit_self, lasti, unused, val, res")]
fn WITH_EXCEPT_START() {
    res = with_except_start(ts, exit_func, exit_self, val);
    error_if!(res.is_null());
}

pseudo!(SETUP_FINALLY("--", arg) = NOP);

pseudo!(SETUP_CLEANUP("--", arg) = NOP);

pseudo!(SETUP_WITH("--", arg) = NOP);

pseudo!(POP_BLOCK("--") = NOP);

pseudo!(ANNOTATIONS_PLACEHOLDER("--") = NOP);
