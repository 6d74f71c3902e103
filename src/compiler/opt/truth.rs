//! The truth of a constant (`PyObject_IsTrue`).

use crate::bytecode::spec::Constant;

pub fn is_true(value: &Constant) -> bool {
    match value {
        Constant::None | Constant::False => false,
        Constant::True
        | Constant::Ellipsis
        | Constant::Slice(_)
        | Constant::Code(_)
        | Constant::Given { .. } => true,
        Constant::Int(value) => *value != 0,
        // What fits the small form is never stored in the large one.
        Constant::BigInt(_) => true,
        Constant::Float(value) => *value != 0.0,
        Constant::Complex(real, imag) => *real != 0.0 || *imag != 0.0,
        Constant::Str(text) => !text.0.is_empty(),
        Constant::Bytes(bytes) => !bytes.is_empty(),
        Constant::Tuple(items) | Constant::FrozenSet(items) => !items.is_empty(),
    }
}
