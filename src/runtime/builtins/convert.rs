//! From objects to text and numbers that stand for them.

use crate::object::{
    Kind, Owned, PyResult, Vm, Word, args, int_text, number, protocol, str, str_text,
};

pub fn ascii(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let text = protocol::repr(vm, args[0])?;
    str_text::escape_non_ascii(vm, text.as_word())
}

pub fn repr(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    protocol::repr(vm, args[0])
}

pub fn hash(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    vm.new_int(protocol::hash(vm, args[0])?)
}

/// The address, or for a value that has none its word, which is no address.
pub fn id(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let word = args[0];
    let id = if word.is_pointer() {
        word.object() as u64
    } else {
        word.bits()
    };
    vm.new_int_usize(id as usize)
}

pub fn bin(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    in_base(vm, args[0], 2, "0b")
}
pub fn oct(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    in_base(vm, args[0], 8, "0o")
}
pub fn hex(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    in_base(vm, args[0], 16, "0x")
}

fn in_base(vm: Vm, object: Word, base: u32, prefix: &str) -> PyResult {
    let value = number::index(vm, object)?;
    vm.new_str(&int_text::to_base(value.as_word(), base, prefix))
}

pub fn chr(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let value = number::index(vm, args[0])?;
    let code = crate::object::int::value(value.as_word()).and_then(|value| value.to_i64());
    match code
        .and_then(|code| u32::try_from(code).ok())
        .filter(|code| *code <= str::MAX_CHAR)
    {
        Some(code) => vm.str_from_char(code),
        None => Err(vm.value_error("chr() arg not in range(0x110000)")),
    }
}

pub fn ord(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let word = args[0];
    let length = if str::is_str(word) {
        let chars = str::chars(word);
        if chars.len() == 1 {
            return Ok(Owned::small_int(i64::from(chars.at(0))));
        }
        chars.len()
    } else if word.is_instance(Kind::BYTES) || word.is_instance(Kind::BYTEARRAY) {
        let bytes = crate::object::bytes::contents(word);
        if let [byte] = bytes {
            return Ok(Owned::small_int(i64::from(*byte)));
        }
        bytes.len()
    } else {
        let name = vm.type_name(word);
        return Err(vm.type_error(format!(
            "ord() expected string of length 1, but {name} found"
        )));
    };
    Err(vm.type_error(format!(
        "ord() expected a character, but string of length {length} found"
    )))
}

pub fn format(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "format", args.len(), 1, 2)?;
    if let Some(spec) = args.get(1)
        && !str::is_str(*spec)
    {
        let name = vm.argument_type(*spec);
        return Err(vm.type_error(format!("format() argument 2 must be str, not {name}")));
    }
    let empty = vm.empty_string();
    crate::object::format::format(vm, args[0], args.get(1).copied().unwrap_or(empty.as_word()))
}
