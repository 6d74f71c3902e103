//! Strings as UTF-8 (`PyUnicode_AsUTF8String` and what streams do with lone surrogates).

use crate::object::{Raised, Vm, Word, str};
use std::borrow::Cow;

/// The string in UTF-8; UnicodeEncodeError if a lone surrogate is in it.
pub fn encode<'a>(vm: Vm, string: Word) -> Result<Cow<'a, [u8]>, Raised> {
    if let Some(text) = str::as_ascii(string) {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    match str::to_utf8(string) {
        Some(text) => Ok(Cow::Owned(text.into_bytes())),
        None => Err(encode_error(vm, string)),
    }
}

#[cold]
fn encode_error(vm: Vm, string: Word) -> Raised {
    let surrogate = |c: u32| (0xd800..0xe000).contains(&c);
    let chars = str::chars(string);
    let start = chars.iter().position(surrogate).unwrap_or(0);
    let end = start
        + chars
            .iter()
            .skip(start)
            .take_while(|c| surrogate(*c))
            .count();
    let raise = || {
        let (encoding, reason) = (vm.new_str("utf-8")?, vm.new_str("surrogates not allowed")?);
        let (start, end) = (vm.new_int_usize(start)?, vm.new_int_usize(end)?);
        let args = [
            encoding.as_word(),
            string,
            start.as_word(),
            end.as_word(),
            reason.as_word(),
        ];
        Ok::<Raised, Raised>(vm.raise_with(vm.exc.UnicodeEncodeError, &args))
    };
    raise().unwrap_or_else(|raised| raised)
}

/// Rust text with lone surrogates written as `\udc80` (the error handler `backslashreplace`).
pub fn replace_surrogates(string: Word) -> String {
    if let Some(text) = str::as_ascii(string) {
        return text.to_string();
    }
    let mut out = String::new();
    for c in str::chars(string).iter() {
        match char::from_u32(c) {
            Some(c) => out.push(c),
            None => out.push_str(&format!("\\u{c:04x}")),
        }
    }
    out
}
