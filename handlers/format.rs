//! Formatted and template strings.

#[inst("value -- result")]
fn CONVERT_VALUE() {
    result = convert_value(ts, value, oparg);
    error_if!(result.is_null());
    close!(value);
}

#[inst("value -- res")]
fn FORMAT_SIMPLE() {
    res = format_simple(ts, value);
    error_if!(res.is_null());
    close!(value);
}

#[inst("value, fmt_spec -- res")]
fn FORMAT_WITH_SPEC() {
    res = format_with_spec(ts, value, fmt_spec);
    error_if!(res.is_null());
    close!(value);
    close!(fmt_spec);
}
