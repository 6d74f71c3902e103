//! Building lists, tuples, maps, sets, slices, strings.

#[inst("values[oparg] -- list")]
fn BUILD_LIST() {
    list = build_list(ts, values, oparg);
    dead!(values);
    error_if!(list.is_null());
}

#[inst("values[oparg] -- tup")]
fn BUILD_TUPLE() {
    tup = build_tuple(ts, values, oparg);
    dead!(values);
    error_if!(tup.is_null());
}

#[inst("values[oparg * 2] -- map")]
fn BUILD_MAP() {
    map = build_map(ts, values, oparg);
    dead!(values);
    error_if!(map.is_null());
}

#[inst("values[oparg] -- set")]
fn BUILD_SET() {
    set = build_set(ts, values, oparg);
    dead!(values);
    error_if!(set.is_null());
}

#[inst("args[oparg] -- slice")]
fn BUILD_SLICE() {
    slice = build_slice(ts, args, oparg);
    dead!(args);
    error_if!(slice.is_null());
}

#[inst("pieces[oparg] -- str_")]
fn BUILD_STRING() {
    str_ = build_string(ts, pieces, oparg);
    dead!(pieces);
    error_if!(str_.is_null());
}

#[inst("list, unused[oparg-1], v -- list, unused[oparg-1]")]
fn LIST_APPEND() {
    cold_if!(!list_has_room(list), _LIST_APPEND_GROWING);
    list_push(list, v.to_slot());
    steal!(v);
}

#[cold("list, unused[oparg-1], v -- list, unused[oparg-1]")]
fn _LIST_APPEND_GROWING() {
    let done = list_append(ts, list, v);
    error_if!(!done);
    close!(v);
}

#[inst("list, unused[oparg-1], iterable -- list, unused[oparg-1]")]
fn LIST_EXTEND() {
    let done = list_extend(ts, list, iterable);
    error_if!(!done);
    close!(iterable);
}

#[inst("set, unused[oparg-1], v -- set, unused[oparg-1]")]
fn SET_ADD() {
    let done = set_add(ts, set, v);
    error_if!(!done);
    close!(v);
}

#[inst("set, unused[oparg-1], iterable -- set, unused[oparg-1]")]
fn SET_UPDATE() {
    let done = set_update(ts, set, iterable);
    error_if!(!done);
    close!(iterable);
}

#[inst("dict, unused[oparg-1], key, value -- dict, unused[oparg-1]")]
fn MAP_ADD() {
    let done = dict_store(ts, dict, key, value);
    error_if!(!done);
    close!(key);
    close!(value);
}

#[inst("dict, unused[oparg-1], update -- dict, unused[oparg-1]")]
fn DICT_UPDATE() {
    let done = dict_update(ts, dict, update);
    error_if!(!done);
    close!(update);
}

#[inst("callable, unused, unused, dict, unused[oparg-1], update -- callable, unused, unused, dict, unused[oparg-1]")]
fn DICT_MERGE() {
    let done = dict_merge(ts, callable, dict, update);
    error_if!(!done);
    close!(update);
}
