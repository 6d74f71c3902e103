//! Pattern matching.

#[inst("obj -- obj, len")]
fn GET_LEN() {
    len = len_of(ts, obj);
    error_if!(len.is_null());
}

#[inst("subject -- subject, res")]
fn MATCH_MAPPING() {
    res = match_mapping(ts, subject);
}

#[inst("subject -- subject, res")]
fn MATCH_SEQUENCE() {
    res = match_sequence(ts, subject);
}

#[inst("subject, keys -- subject, keys, values_or_none")]
fn MATCH_KEYS() {
    values_or_none = match_keys(ts, subject, keys);
    error_if!(values_or_none.is_null());
}

#[inst("subject, class, names -- attrs")]
fn MATCH_CLASS() {
    attrs = match_class(ts, subject, class, names, oparg);
    error_if!(attrs.is_null());
    close!(subject);
    close!(class);
    close!(names);
}
