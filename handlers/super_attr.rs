//! Attributes of `super()`: bit 0 of oparg asks for a method with its instance, bit 1 says that `super` had arguments.

#[specializing]
#[op("counter/1, global_super, class, instance -- global_super, class, instance")]
fn _SPECIALIZE_LOAD_SUPER_ATTR() {
    cold_if!(triggers(counter), _SPECIALIZE_LOAD_SUPER_ATTR_NOW);
    advance(ip, counter);
}

#[cold("global_super, class, instance -- global_super, class, instance")]
fn _SPECIALIZE_LOAD_SUPER_ATTR_NOW() {
    specialize_load_super_attr(ts, this_instr!(), global_super, class, oparg);
    redispatch!();
}

#[op("global_super, class, instance -- attr")]
#[flags(name)]
fn _LOAD_SUPER_ATTR() {
    attr = load_super_attr(ts, locals, global_super, class, instance, oparg);
    error_if!(attr.is_null());
    close!(global_super);
    close!(class);
    close!(instance);
}

instruction!(LOAD_SUPER_ATTR = _SPECIALIZE_LOAD_SUPER_ATTR + _LOAD_SUPER_ATTR + _PUSH_NULL_CONDITIONAL);

#[op("global_super, class, instance -- global_super, class, instance")]
fn _GUARD_SUPER() {
    exit_if!(!is_super(ts, global_super) || !class.is_instance(Kind::TYPE));
}

#[op("global_super, class, instance -- attr")]
#[flags(name)]
fn _LOAD_SUPER_ATTR_ATTR() {
    attr = super_attr(ts, locals, class, instance, oparg >> 2);
    error_if!(attr.is_null());
    close!(global_super);
    close!(class);
    close!(instance);
}

instruction!(LOAD_SUPER_ATTR_ATTR = unused/1 + _GUARD_SUPER + _LOAD_SUPER_ATTR_ATTR);

#[op("global_super, class, instance -- attr, self_or_null")]
#[flags(name)]
fn _LOAD_SUPER_ATTR_METHOD() {
    let (found, bound_to) = super_method(ts, locals, class, instance, oparg >> 2);
    attr = found;
    self_or_null = bound_to;
    error_if!(attr.is_null());
    close!(global_super);
    close!(class);
    close!(instance);
}

instruction!(LOAD_SUPER_ATTR_METHOD = unused/1 + _GUARD_SUPER + _LOAD_SUPER_ATTR_METHOD);

family!(LOAD_SUPER_ATTR / 1 = LOAD_SUPER_ATTR_ATTR, LOAD_SUPER_ATTR_METHOD);
