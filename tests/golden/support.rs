//! Support functions of the cases.

/// Escapes.
pub fn loud(value: Word) -> Word {
    value
}

#[cfg_attr(casegen, non_escaping)]
pub fn quiet(value: Word) -> Word {
    value
}

/// No body may call it.
fn private() {}
