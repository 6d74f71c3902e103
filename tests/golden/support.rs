//! Support functions of the cases.

/// Escapes.
pub fn loud(value: Word) -> Word {
    value
}

/// No call in machine code.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn quiet(value: Word) -> Word {
    value
}

/// No body may call it.
fn private() {}
