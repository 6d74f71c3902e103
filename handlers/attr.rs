//! Attributes: loads, stores, deletion.

#[specializing]
#[op("counter/1, owner -- owner")]
fn _SPECIALIZE_LOAD_ATTR() {
    cold_if!(triggers(counter), _SPECIALIZE_LOAD_ATTR_NOW);
    advance(ip, counter);
}

#[cold("owner -- owner")]
fn _SPECIALIZE_LOAD_ATTR_NOW() {
    specialize_load_attr(ts, this_instr!(), locals, owner, oparg);
    redispatch!();
}

/// With the low bit set, a method comes with its instance instead of being bound.
#[op("owner -- attr, self_or_null if (oparg & 1)")]
#[flags(name)]
fn _LOAD_ATTR() {
    let (found, instance) = load_attr(ts, locals, owner, oparg);
    attr = found;
    self_or_null = instance;
    error_if!(attr.is_null());
    close!(owner);
}

instruction!(LOAD_ATTR = _SPECIALIZE_LOAD_ATTR + version/2 + keys_version/2 + descr/4 + _LOAD_ATTR);

/// A method of a type without instance dict: the descriptor is in the cache, the instance is self.
#[op("version/2, unused/2, descr/4, owner -- attr, instance")]
#[flags(arg)]
fn _LOAD_ATTR_METHOD_NO_DICT() {
    exit_if!(type_version(ts, owner) != version);
    attr = cached_method(descr);
    instance = owner.steal();
    steal!(owner);
}

#[specializing]
#[op("counter/1, owner -- owner")]
fn _SPECIALIZE_STORE_ATTR() {
    cold_if!(triggers(counter), _SPECIALIZE_STORE_ATTR_NOW);
    advance(ip, counter);
}

#[cold("owner -- owner")]
fn _SPECIALIZE_STORE_ATTR_NOW() {
    specialize_store_attr(ts, this_instr!(), locals, owner, oparg);
    redispatch!();
}

#[op("v, owner --")]
#[flags(name)]
fn _STORE_ATTR() {
    let done = store_attr(ts, locals, owner, v, oparg);
    error_if!(!done);
    close!(v);
    close!(owner);
}

instruction!(STORE_ATTR = _SPECIALIZE_STORE_ATTR + version/2 + index/1 + _STORE_ATTR);

#[inst("owner --")]
#[flags(name)]
fn DELETE_ATTR() {
    let done = delete_attr(ts, locals, owner, oparg);
    error_if!(!done);
    close!(owner);
}

instruction!(LOAD_ATTR_METHOD_NO_DICT = unused/1 + _LOAD_ATTR_METHOD_NO_DICT);

family!(STORE_ATTR / 4 = STORE_ATTR_INSTANCE_VALUE, STORE_ATTR_SLOT, STORE_ATTR_WITH_HINT);

family!(LOAD_ATTR / 9 = LOAD_ATTR_INSTANCE_VALUE, LOAD_ATTR_MODULE, LOAD_ATTR_WITH_HINT, LOAD_ATTR_SLOT,
    LOAD_ATTR_CLASS, LOAD_ATTR_CLASS_WITH_METACLASS_CHECK, LOAD_ATTR_PROPERTY, LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN,
    LOAD_ATTR_METHOD_WITH_VALUES, LOAD_ATTR_METHOD_NO_DICT, LOAD_ATTR_METHOD_LAZY_DICT,
    LOAD_ATTR_NONDESCRIPTOR_WITH_VALUES, LOAD_ATTR_NONDESCRIPTOR_NO_DICT);

family!(LOAD_SUPER_ATTR / 1 = LOAD_SUPER_ATTR_ATTR, LOAD_SUPER_ATTR_METHOD);

