//! Items of a `memoryview`: the native formats of `struct`, one letter each.

use super::header::Kind;
use super::owned::{Owned, PyResult, Raised};
use super::vm::Vm;
use super::word::Word;
use super::{bytes, int, number, protocol};
use num_bigint::BigInt;

/// The format that a text names, and the size of its items.
pub(super) fn format_of(text: &str) -> Option<(u8, usize)> {
    let [format] = *text.as_bytes() else {
        return None;
    };
    let size = match format {
        b'b' | b'B' | b'c' | b'?' => 1,
        b'h' | b'H' => 2,
        b'i' | b'I' | b'f' => 4,
        b'l' | b'L' | b'q' | b'Q' | b'n' | b'N' | b'd' => 8,
        _ => return None,
    };
    Some((format, size))
}

fn take<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut own = [0; N];
    own.copy_from_slice(&bytes[..N]);
    own
}

pub(super) fn decode(vm: Vm, format: u8, item: &[u8]) -> PyResult {
    let small = |value: i64| Ok(Owned::small_int(value));
    match format {
        b'b' => small(i64::from(item[0] as i8)),
        b'B' => small(item[0].into()),
        b'c' => bytes::new_bytes(vm, item),
        b'?' => Ok(Owned::bool(item[0] != 0)),
        b'h' => small(i16::from_ne_bytes(take(item)).into()),
        b'H' => small(u16::from_ne_bytes(take(item)).into()),
        b'i' => small(i32::from_ne_bytes(take(item)).into()),
        b'I' => small(u32::from_ne_bytes(take(item)).into()),
        b'l' | b'q' | b'n' => vm.new_int(i64::from_ne_bytes(take(item))),
        b'L' | b'Q' | b'N' => vm.new_bigint(BigInt::from(u64::from_ne_bytes(take(item)))),
        b'f' => vm.new_float(f32::from_ne_bytes(take(item)).into()),
        b'd' => vm.new_float(f64::from_ne_bytes(take(item))),
        _ => Err(vm.raise(
            vm.exc.NotImplementedError,
            format!("memoryview: format {} not supported", char::from(format)),
        )),
    }
}

/// An item's bytes, the first of the answer.
pub(super) fn encode(vm: Vm, format: u8, value: Word) -> Result<[u8; 8], Raised> {
    let wrong = |what: &str| {
        let shown = char::from(format);
        format!("memoryview: invalid {what} for format '{shown}'")
    };
    let mut item = [0; 8];
    match format {
        b'c' => {
            if !value.is_instance(Kind::BYTES) {
                return Err(vm.type_error(wrong("type")));
            }
            let [byte] = *bytes::contents(value) else {
                return Err(vm.value_error(wrong("value")));
            };
            item[0] = byte;
        }
        b'?' => item[0] = protocol::is_true(vm, value)?.into(),
        b'f' | b'd' => {
            let value = match number::to_float(vm, value) {
                Ok(value) => value,
                Err(raised) if !vm.exception_matches(vm.exc.TypeError) => return Err(raised),
                Err(_) => {
                    vm.clear_exception();
                    return Err(vm.type_error(wrong("type")));
                }
            };
            if format == b'd' {
                item = value.to_ne_bytes();
            } else {
                item[..4].copy_from_slice(&(value as f32).to_ne_bytes());
            }
        }
        _ => {
            if !number::is_index(vm, value) {
                return Err(vm.type_error(wrong("type")));
            }
            let value = number::index(vm, value)?;
            let exact = int::value(value.as_word()).and_then(|value| match value.to_i64() {
                Some(value) => Some(i128::from(value)),
                None => i128::try_from(&value.to_bigint()).ok(),
            });
            let (low, high) = match format {
                b'b' => (i8::MIN as i128, i8::MAX as i128),
                b'B' => (0, u8::MAX as i128),
                b'h' => (i16::MIN as i128, i16::MAX as i128),
                b'H' => (0, u16::MAX as i128),
                b'i' => (i32::MIN as i128, i32::MAX as i128),
                b'I' => (0, u32::MAX as i128),
                b'l' | b'q' | b'n' => (i64::MIN as i128, i64::MAX as i128),
                _ => (0, u64::MAX as i128),
            };
            let Some(exact) = exact.filter(|exact| (low..=high).contains(exact)) else {
                return Err(vm.value_error(wrong("value")));
            };
            item.copy_from_slice(&exact.to_le_bytes()[..8]);
        }
    }
    Ok(item)
}
