//! Imports.

#[inst("level, fromlist -- res")]
#[flags(name)]
fn IMPORT_NAME() {
    res = import_name(ts, locals, level, fromlist, oparg);
    error_if!(res.is_null());
    close!(level);
    close!(fromlist);
}

#[inst("from -- from, res")]
#[flags(name)]
fn IMPORT_FROM() {
    res = import_from(ts, locals, from, oparg);
    error_if!(res.is_null());
}
