//! Fast locals, cells, free variables.

#[pure]
#[replicate(8)]
#[inst("-- value")]
#[flags(local)]
fn LOAD_FAST() {
    value = (*locals.add(oparg)).dup();
}

/// A slot's word is what a borrow is: a plain copy.
#[pure]
#[replicate(8)]
#[inst("-- value")]
#[flags(local)]
fn LOAD_FAST_BORROW() {
    value = *locals.add(oparg);
}

#[inst("-- value")]
#[flags(local)]
fn LOAD_FAST_CHECK() {
    cold_if!((*locals.add(oparg)).is_null(), _UNBOUND_LOCAL);
    value = (*locals.add(oparg)).dup();
}

#[cold("-- value")]
fn _UNBOUND_LOCAL() {
    value = raise_unbound_local(ts, locals, oparg);
    error_if!(value.is_null());
}

#[inst("-- value")]
#[flags(local)]
fn LOAD_FAST_AND_CLEAR() {
    let local = locals.add(oparg);
    value = (*local).unslot();
    *local = Word::NULL;
}

#[pure]
#[inst("-- value1, value2")]
#[flags(local)]
fn LOAD_FAST_LOAD_FAST() {
    value1 = (*locals.add(oparg >> 4)).dup();
    value2 = (*locals.add(oparg & 15)).dup();
}

#[pure]
#[inst("-- value1, value2")]
#[flags(local)]
fn LOAD_FAST_BORROW_LOAD_FAST_BORROW() {
    value1 = *locals.add(oparg >> 4);
    value2 = *locals.add(oparg & 15);
}

#[replicate(8)]
#[inst("value --")]
#[flags(local)]
fn STORE_FAST() {
    let local = locals.add(oparg);
    let old = *local;
    *local = value.to_slot();
    steal!(value);
    release!(old);
}

pseudo!(STORE_FAST_MAYBE_NULL("v --", arg, local) = STORE_FAST);

pseudo!(LOAD_CLOSURE("-- value", arg, local) = LOAD_FAST);

#[inst("value1 -- value2")]
#[flags(local)]
fn STORE_FAST_LOAD_FAST() {
    let local = locals.add(oparg >> 4);
    let old = *local;
    *local = value1.to_slot();
    steal!(value1);
    value2 = (*locals.add(oparg & 15)).dup();
    release!(old);
}

#[inst("value2, value1 --")]
#[flags(local)]
fn STORE_FAST_STORE_FAST() {
    let first = locals.add(oparg >> 4);
    let old1 = *first;
    *first = value1.to_slot();
    steal!(value1);
    let second = locals.add(oparg & 15);
    let old2 = *second;
    *second = value2.to_slot();
    steal!(value2);
    release!(old1);
    release!(old2);
}

#[inst("--")]
#[flags(local)]
fn DELETE_FAST() {
    cold_if!((*locals.add(oparg)).is_null(), _DELETE_UNBOUND_LOCAL);
    let old = *locals.add(oparg);
    *locals.add(oparg) = Word::NULL;
    release!(old);
}

#[cold("--")]
fn _DELETE_UNBOUND_LOCAL() {
    let raised = raise_unbound_local(ts, locals, oparg);
    error_if!(raised.is_null());
}

#[inst("--")]
#[flags(free)]
fn MAKE_CELL() {
    let made = make_cell(ts, locals, oparg);
    error_if!(!made);
}

#[inst("--")]
fn COPY_FREE_VARS() {
    let done = copy_free_vars(ts, locals, oparg);
    error_if!(!done);
}

#[inst("-- value")]
#[flags(local)]
fn LOAD_DEREF() {
    cold_if!(cell_value(*locals.add(oparg)).is_null(), _UNBOUND_CELL);
    value = cell_value(*locals.add(oparg)).dup();
}

#[cold("-- value")]
fn _UNBOUND_CELL() {
    value = raise_unbound_cell(ts, locals, oparg);
    error_if!(value.is_null());
}

#[inst("v --")]
#[flags(free)]
fn STORE_DEREF() {
    let old = replace_cell_value(*locals.add(oparg), v.to_slot());
    steal!(v);
    release!(old);
}

#[inst("--")]
#[flags(free)]
fn DELETE_DEREF() {
    cold_if!(cell_value(*locals.add(oparg)).is_null(), _DELETE_UNBOUND_CELL);
    let old = replace_cell_value(*locals.add(oparg), Word::NULL);
    release!(old);
}

#[cold("--")]
fn _DELETE_UNBOUND_CELL() {
    let raised = raise_unbound_cell(ts, locals, oparg);
    error_if!(raised.is_null());
}

#[inst("class_dict -- value")]
#[flags(free)]
fn LOAD_FROM_DICT_OR_DEREF() {
    value = load_from_dict_or_deref(ts, locals, class_dict, oparg);
    error_if!(value.is_null());
    close!(class_dict);
}
