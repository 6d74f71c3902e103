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

#[inst("strings, interpolations -- template")]
fn BUILD_TEMPLATE() {
    template = build_template(ts, strings, interpolations);
    error_if!(template.is_null());
    close!(strings);
    close!(interpolations);
}

#[inst("value, str, format[oparg & 1] -- interpolation")]
fn BUILD_INTERPOLATION() {
    interpolation = build_interpolation(ts, format.sub(2), oparg);
    dead!(value);
    dead!(str);
    dead!(format);
    error_if!(interpolation.is_null());
}
