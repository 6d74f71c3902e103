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

// ---- attributes of the instance itself. `place` is an offset in bytes, or an index, in the place of `keys_version`

#[op("version/2, place/2, unused/4, owner -- attr")]
fn _LOAD_ATTR_INSTANCE_VALUE() {
    exit_if!(!has_type_version(owner, version) || !has_inline_values(owner));
    exit_if!(!has_word_at(owner, place));
    attr = word_at(owner, place).dup();
    close!(owner);
}

instruction!(LOAD_ATTR_INSTANCE_VALUE = unused/1 + _LOAD_ATTR_INSTANCE_VALUE + _PUSH_NULL_CONDITIONAL);

/// A dict of the instance's own.
#[op("version/2, place/2, unused/4, owner -- attr")]
#[flags(name)]
fn _LOAD_ATTR_WITH_HINT() {
    exit_if!(!has_type_version(owner, version));
    let value = value_at_hint(locals, owner, place as usize, oparg >> 1);
    exit_if!(value.is_null());
    attr = value;
    close!(owner);
}

instruction!(LOAD_ATTR_WITH_HINT = unused/1 + _LOAD_ATTR_WITH_HINT + _PUSH_NULL_CONDITIONAL);

/// A slot of `__slots__`, or the header's type for `__class__`.
#[op("version/2, place/2, unused/4, owner -- attr")]
fn _LOAD_ATTR_SLOT() {
    cold_if!(!owner.is_pointer(), _LOAD_ATTR_CLASS_OF_IMMEDIATE);
    exit_if!(!has_type_version(owner, version));
    exit_if!(!has_word_at(owner, place));
    attr = word_at(owner, place).dup();
    close!(owner);
}

#[cold("owner -- attr")]
fn _LOAD_ATTR_CLASS_OF_IMMEDIATE() {
    exit_if!(!is_immediate_of_cached_type(ts, this_instr!(), owner));
    attr = class_of_immediate(ts, owner).dup();
    dead!(owner);
}

instruction!(LOAD_ATTR_SLOT = unused/1 + _LOAD_ATTR_SLOT + _PUSH_NULL_CONDITIONAL);

#[op("version/2, place/2, unused/4, owner -- attr")]
fn _LOAD_ATTR_MODULE() {
    exit_if!(!is_module_of_version(owner, version));
    exit_if!(!has_module_value(owner, place));
    attr = module_value(owner, place).dup();
    close!(owner);
}

instruction!(LOAD_ATTR_MODULE = unused/1 + _LOAD_ATTR_MODULE + _PUSH_NULL_CONDITIONAL);

// ---- attributes of a class

#[op("version/2, owner -- owner")]
fn _CHECK_ATTR_CLASS() {
    exit_if!(!is_class_of_version(owner, version));
}

#[op("meta_version/2, owner -- owner")]
fn _CHECK_METACLASS() {
    exit_if!(!has_type_version(owner, meta_version));
}

#[op("descr/4, owner -- attr")]
fn _LOAD_ATTR_CLASS() {
    attr = cached_word_of(descr);
    close!(owner);
}

instruction!(LOAD_ATTR_CLASS = unused/1 + _CHECK_ATTR_CLASS + unused/2 + _LOAD_ATTR_CLASS + _PUSH_NULL_CONDITIONAL);

instruction!(LOAD_ATTR_CLASS_WITH_METACLASS_CHECK = unused/1 + _CHECK_ATTR_CLASS + _CHECK_METACLASS + _LOAD_ATTR_CLASS
    + _PUSH_NULL_CONDITIONAL);

// ---- attributes of the instance's class, which the instance itself has not. The borrow of a method's instance goes on.

#[op("version/2, owner -- owner")]
fn _GUARD_TYPE_VERSION() {
    exit_if!(!has_type_version(owner, version));
}

#[op("keys_version/2, owner -- owner")]
fn _GUARD_VALUES_AND_KEYS() {
    exit_if!(!has_inline_values(owner) || shared_keys_version(owner) != keys_version);
}

#[op("descr/4, owner -- attr, instance")]
#[flags(arg)]
fn _LOAD_ATTR_METHOD() {
    attr = cached_word_of(descr);
    instance = owner;
    steal!(owner);
}

#[op("descr/4, owner -- attr")]
#[flags(arg)]
fn _LOAD_ATTR_NONDESCRIPTOR() {
    attr = cached_word_of(descr);
    close!(owner);
}

instruction!(LOAD_ATTR_METHOD_WITH_VALUES = unused/1 + _GUARD_TYPE_VERSION + _GUARD_VALUES_AND_KEYS + _LOAD_ATTR_METHOD);

instruction!(LOAD_ATTR_NONDESCRIPTOR_WITH_VALUES = unused/1 + _GUARD_TYPE_VERSION + _GUARD_VALUES_AND_KEYS
    + _LOAD_ATTR_NONDESCRIPTOR);

/// A type without instance dict, that of an immediate value perhaps.
#[op("version/2, unused/2, descr/4, owner -- attr, instance")]
#[flags(arg)]
fn _LOAD_ATTR_METHOD_NO_DICT() {
    cold_if!(!owner.is_pointer(), _LOAD_ATTR_METHOD_OF_IMMEDIATE);
    exit_if!(!has_type_version(owner, version));
    attr = cached_word_of(descr);
    instance = owner;
    steal!(owner);
}

#[cold("owner -- attr, instance")]
fn _LOAD_ATTR_METHOD_OF_IMMEDIATE() {
    exit_if!(!is_immediate_of_cached_type(ts, this_instr!(), owner));
    attr = cached_descr(this_instr!()).dup();
    instance = owner;
    steal!(owner);
}

instruction!(LOAD_ATTR_METHOD_NO_DICT = unused/1 + _LOAD_ATTR_METHOD_NO_DICT);

#[op("version/2, unused/2, descr/4, owner -- attr")]
#[flags(arg)]
fn _LOAD_ATTR_NONDESCRIPTOR_NO_DICT() {
    cold_if!(!owner.is_pointer(), _LOAD_ATTR_NONDESCRIPTOR_OF_IMMEDIATE);
    exit_if!(!has_type_version(owner, version));
    attr = cached_word_of(descr);
    close!(owner);
}

#[cold("owner -- attr")]
fn _LOAD_ATTR_NONDESCRIPTOR_OF_IMMEDIATE() {
    exit_if!(!is_immediate_of_cached_type(ts, this_instr!(), owner));
    attr = cached_descr(this_instr!()).dup();
    dead!(owner);
}

instruction!(LOAD_ATTR_NONDESCRIPTOR_NO_DICT = unused/1 + _LOAD_ATTR_NONDESCRIPTOR_NO_DICT);

#[op("owner -- owner")]
fn _CHECK_ATTR_METHOD_LAZY_DICT() {
    exit_if!(!has_no_dict_yet(owner));
}

instruction!(LOAD_ATTR_METHOD_LAZY_DICT = unused/1 + _GUARD_TYPE_VERSION + _CHECK_ATTR_METHOD_LAZY_DICT + unused/2
    + _LOAD_ATTR_METHOD);

// ---- attributes that a Python function computes: it gets a frame in the owner's place

/// The cache has the property, and the version of its getter.
#[op("version/2, function_version/2, descr/4, owner -- attr")]
#[flags(arg)]
fn _LOAD_ATTR_PROPERTY() {
    exit_if!(!has_type_version(owner, version));
    exit_if!(sp > ts.stack_limit.get() || ts.recursion_remaining.get() <= 1);
    let getter = property_getter(descr);
    cold_if!(!is_function(getter, function_version), _LOAD_ATTR_PROPERTY_GENERAL);
    let code = ts.code_of_version(function_version);
    dead!(owner);
    let callee = push_attribute_frame(sp.sub(1), getter, code, owner, Word::NULL, locals, next_instr!());
    ts.count_frame();
    enter!(code_start(code), frame_stack(callee, code), callee);
}

#[cold("owner -- attr")]
fn _LOAD_ATTR_PROPERTY_GENERAL() {
    exit_if!(!has_plain_getter(this_instr!()));
    attr = call_getter(ts, this_instr!(), next_instr!(), sp.sub(1));
    dead!(owner);
    let raised = entered_or_raised(ts);
    error_if!(raised);
    reload!();
}

instruction!(LOAD_ATTR_PROPERTY = unused/1 + _LOAD_ATTR_PROPERTY);

#[op("version/2, function_version/2, descr/4, owner -- attr")]
#[flags(name)]
fn _LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN() {
    exit_if!(!has_type_version(owner, version));
    let function = borrowed_word_of(descr);
    exit_if!(!is_function(function, function_version));
    exit_if!(sp > ts.stack_limit.get() || ts.recursion_remaining.get() <= 1);
    let code = ts.code_of_version(function_version);
    let name = attribute_name(locals, oparg);
    dead!(owner);
    let callee = push_attribute_frame(sp.sub(1), function, code, owner, name, locals, next_instr!());
    ts.count_frame();
    enter!(code_start(code), frame_stack(callee, code), callee);
}

instruction!(LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN = unused/1 + _LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN);

family!(LOAD_ATTR / 9 = LOAD_ATTR_INSTANCE_VALUE, LOAD_ATTR_MODULE, LOAD_ATTR_WITH_HINT, LOAD_ATTR_SLOT,
    LOAD_ATTR_CLASS, LOAD_ATTR_CLASS_WITH_METACLASS_CHECK, LOAD_ATTR_PROPERTY, LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN,
    LOAD_ATTR_METHOD_WITH_VALUES, LOAD_ATTR_METHOD_NO_DICT, LOAD_ATTR_METHOD_LAZY_DICT,
    LOAD_ATTR_NONDESCRIPTOR_WITH_VALUES, LOAD_ATTR_NONDESCRIPTOR_NO_DICT);

// ---- stores

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

#[op("version/2, place/1, v, owner --")]
fn _STORE_ATTR_INSTANCE_VALUE() {
    exit_if!(!has_type_version(owner, version) || !has_inline_values_only(owner));
    let old = replace_inline_value(owner, place, v.to_slot());
    steal!(v);
    close!(owner);
    release!(old);
}

instruction!(STORE_ATTR_INSTANCE_VALUE = unused/1 + _STORE_ATTR_INSTANCE_VALUE);

#[op("version/2, place/1, v, owner --")]
fn _STORE_ATTR_SLOT() {
    exit_if!(!has_type_version(owner, version));
    let old = replace_word_at(owner, place, v.to_slot());
    steal!(v);
    close!(owner);
    release!(old);
}

instruction!(STORE_ATTR_SLOT = unused/1 + _STORE_ATTR_SLOT);

#[op("version/2, place/1, v, owner --")]
#[flags(name)]
fn _STORE_ATTR_WITH_HINT() {
    exit_if!(!has_type_version(owner, version));
    let old = replace_at_hint(ts, locals, owner, place as usize, oparg, v);
    exit_if!(old.is_null());
    steal!(v);
    close!(owner);
    release!(old);
}

instruction!(STORE_ATTR_WITH_HINT = unused/1 + _STORE_ATTR_WITH_HINT);

family!(STORE_ATTR / 4 = STORE_ATTR_INSTANCE_VALUE, STORE_ATTR_SLOT, STORE_ATTR_WITH_HINT);

#[inst("owner --")]
#[flags(name)]
fn DELETE_ATTR() {
    let done = delete_attr(ts, locals, owner, oparg);
    error_if!(!done);
    close!(owner);
}

