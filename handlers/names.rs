//! Globals, builtins, names of module and class bodies.

#[specializing]
#[op("counter/1 --")]
fn _SPECIALIZE_LOAD_GLOBAL() {
    cold_if!(triggers(counter), _SPECIALIZE_LOAD_GLOBAL_NOW);
    advance(ip, counter);
}

#[cold("--")]
fn _SPECIALIZE_LOAD_GLOBAL_NOW() {
    specialize_load_global(ts, this_instr!(), locals, oparg);
    redispatch!();
}

#[op("-- res")]
#[flags(name)]
fn _LOAD_GLOBAL() {
    res = load_global(ts, locals, oparg >> 1);
    error_if!(res.is_null());
}

#[pure]
#[op("-- null if (oparg & 1)")]
fn _PUSH_NULL_CONDITIONAL() {
    null = Word::NULL;
}

instruction!(LOAD_GLOBAL = _SPECIALIZE_LOAD_GLOBAL + index/1 + module_keys_version/1 + builtin_keys_version/1 + _LOAD_GLOBAL
    + _PUSH_NULL_CONDITIONAL);

/// The value stands in the 48 bits above the counter while `Watchers` keeps it right; zero is a miss, and a negative
/// number leads to a value that does not fit.
#[op("cached/4 -- res")]
fn _LOAD_GLOBAL_CACHED() {
    cold_if!((cached as i64) >> 16 <= 0, _LOAD_GLOBAL_AT_PLACE);
    res = cached_word(cached).dup();
}

#[cold("-- res")]
fn _LOAD_GLOBAL_AT_PLACE() {
    exit_if!(global_place_is_empty(ip));
    res = value_at_global_place(ip).dup();
}

instruction!(LOAD_GLOBAL_MODULE = _LOAD_GLOBAL_CACHED + _PUSH_NULL_CONDITIONAL);

instruction!(LOAD_GLOBAL_BUILTIN = _LOAD_GLOBAL_CACHED + _PUSH_NULL_CONDITIONAL);

family!(LOAD_GLOBAL / 4 = LOAD_GLOBAL_MODULE, LOAD_GLOBAL_BUILTIN);

#[inst("v --")]
#[flags(name)]
fn STORE_GLOBAL() {
    let done = store_global(ts, locals, oparg, v);
    error_if!(!done);
    close!(v);
}

#[inst("--")]
#[flags(name)]
fn DELETE_GLOBAL() {
    let done = delete_global(ts, locals, oparg);
    error_if!(!done);
}

#[inst("-- v")]
#[flags(name)]
fn LOAD_NAME() {
    v = load_name(ts, locals, oparg);
    error_if!(v.is_null());
}

#[inst("mod_or_class_dict -- v")]
#[flags(name)]
fn LOAD_FROM_DICT_OR_GLOBALS() {
    v = load_from_dict_or_globals(ts, locals, mod_or_class_dict, oparg);
    error_if!(v.is_null());
    close!(mod_or_class_dict);
}

#[inst("v --")]
#[flags(name)]
fn STORE_NAME() {
    let done = store_name(ts, locals, oparg, v);
    error_if!(!done);
    close!(v);
}

#[inst("--")]
#[flags(name)]
fn DELETE_NAME() {
    let done = delete_name(ts, locals, oparg);
    error_if!(!done);
}

#[inst("-- locals_")]
fn LOAD_LOCALS() {
    locals_ = load_locals(ts, locals);
    error_if!(locals_.is_null());
}

#[inst("-- bc")]
fn LOAD_BUILD_CLASS() {
    bc = load_build_class(ts, locals);
    error_if!(bc.is_null());
}

#[inst("--")]
fn SETUP_ANNOTATIONS() {
    let done = setup_annotations(ts, locals);
    error_if!(!done);
}
