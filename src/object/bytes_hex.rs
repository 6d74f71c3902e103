//! Hexadecimal text of bytes and back: `bytes.hex`, `bytes.fromhex` (`pystrhex.c`, `_PyBytes_FromHex`).

use super::args::Signature;
use super::bytes::{contents, is_bytes_like, new_bytes};
use super::call;
use super::owned::{PyResult, Raised};
use super::str::{self, Chars};
use super::str_writer::StrWriter;
use super::vm::Vm;
use super::word::Word;
use super::{bytes, number, sequence};

/// `b.hex([sep[, bytes_per_sep]])`: groups are counted from the right, or from the left if the number is negative.
pub(super) fn hex(vm: Vm, self_: Word, args: &[Word], names: Option<Word>) -> PyResult {
    const SIGNATURE: Signature<2> = Signature::new("hex", ["sep", "bytes_per_sep"], 0);
    let [separator, group] = SIGNATURE.unpack(vm, args, names)?;
    let group = group.map_or(Ok(1), |group| number::index_isize(vm, group))?;
    let separator = separator
        .map(|separator| separator_char(vm, separator))
        .transpose()?;
    let data = contents(self_);
    let size = if separator.is_some() {
        group.unsigned_abs()
    } else {
        0
    };
    let mut writer = StrWriter::new(vm);
    writer.reserve(data.len().saturating_mul(2))?;
    for (index, &byte) in data.iter().enumerate() {
        let before = if group > 0 { data.len() - index } else { index };
        if let Some(separator) = separator
            && index > 0
            && size > 0
            && before % size == 0
        {
            writer.push(separator)?;
        }
        for digit in [byte >> 4, byte & 15] {
            writer.push(char::from_digit(u32::from(digit), 16).map_or(0, u32::from))?;
        }
    }
    writer.finish()
}
fn separator_char(vm: Vm, separator: Word) -> Result<u32, Raised> {
    if sequence::len(vm, separator)? != 1 {
        return Err(vm.value_error("sep must be length 1."));
    }
    let c = if str::is_str(separator) {
        str::chars(separator).at(0)
    } else if is_bytes_like(separator) {
        u32::from(contents(separator)[0])
    } else {
        return Err(vm.type_error("sep must be str or bytes."));
    };
    if c < 0x80 {
        Ok(c)
    } else {
        Err(vm.value_error("sep must be ASCII."))
    }
}

/// `bytes.fromhex(string)`: pairs of digits with white space between pairs.
pub(super) fn fromhex(vm: Vm, class: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let text = if str::is_str(args[0]) {
        str::chars(args[0])
    } else if is_bytes_like(args[0]) {
        Chars::One(contents(args[0]))
    } else {
        let name = vm.type_name(args[0]);
        return Err(vm.type_error(format!(
            "fromhex() argument must be str or bytes-like, not {name}"
        )));
    };
    let digit = |c: u32| char::from_u32(c).and_then(|c| c.to_digit(16));
    let (mut data, mut index) = (Vec::new(), 0);
    while index < text.len() {
        if matches!(text.at(index), 0x20 | 0x09..=0x0d) {
            index += 1;
            continue;
        }
        let high = digit(text.at(index)).ok_or_else(|| wrong_digit(vm, index))?;
        index += 1;
        if index == text.len() {
            return Err(
                vm.value_error("fromhex() arg must contain an even number of hexadecimal digits")
            );
        }
        let low = digit(text.at(index)).ok_or_else(|| wrong_digit(vm, index))?;
        bytes::push(vm, &mut data, (high << 4 | low) as u8)?;
        index += 1;
    }
    let result = new_bytes(vm, &data)?;
    // SAFETY: the type is live; only its address is compared.
    if class.is(unsafe { (*vm.types.bytes).word() }) {
        return Ok(result);
    }
    call::call_one(vm, class, result.as_word())
}
#[cold]
fn wrong_digit(vm: Vm, index: usize) -> Raised {
    vm.value_error(format!(
        "non-hexadecimal number found in fromhex() arg at position {index}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::testing::TestVm;

    #[test]
    fn groups_of_digits() {
        let test = TestVm::new();
        let vm = test.vm();
        let bytes = new_bytes(vm, b"hello").unwrap();
        let colon = vm.new_str(":").unwrap();
        let text = |args: &[Word]| {
            str::to_string_lossy(hex(vm, bytes.as_word(), args, None).unwrap().as_word())
        };
        assert_eq!(text(&[]), "68656c6c6f");
        assert_eq!(text(&[colon.as_word()]), "68:65:6c:6c:6f");
        assert_eq!(
            text(&[colon.as_word(), Word::int_unchecked(2)]),
            "68:656c:6c6f"
        );
        assert_eq!(
            text(&[colon.as_word(), Word::int_unchecked(-2)]),
            "6865:6c6c:6f"
        );
    }

    #[test]
    fn pairs_of_digits() {
        let test = TestVm::new();
        let vm = test.vm();
        // SAFETY: the type is live.
        let class = unsafe { (*vm.types.bytes).word() };
        let parse = |text: &str| {
            let text = vm.new_str(text).unwrap();
            fromhex(vm, class, &[text.as_word()], None)
        };
        assert_eq!(contents(parse(" 68 65\n6c").unwrap().as_word()), b"hel");
        for wrong in ["6", "zz", "1 2", "12\u{e9}"] {
            assert!(parse(wrong).is_err());
            vm.clear_exception();
        }
    }
}
