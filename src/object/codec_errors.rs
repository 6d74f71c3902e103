//! Error handlers of codecs: strict, ignore, replace, backslashreplace, xmlcharrefreplace, surrogateescape and
//! surrogatepass (`codecs.c`, `PyCodec_*Errors`).

use super::codecs::Codec;
use super::exc_methods;
use super::owned::Raised;
use super::str::Chars;
use super::str_writer::StrWriter;
use super::vm::Vm;
use super::word::Word;

/// What cannot be encoded or decoded.
pub(super) struct Flaw<'a> {
    pub codec: Codec,
    /// The handler's name.
    pub errors: &'a str,
    pub object: Word,
    pub range: (usize, usize),
    pub reason: &'static str,
}

impl Flaw<'_> {
    fn raise(&self, vm: Vm, encoding: bool) -> Raised {
        let class = match encoding {
            true => vm.exc.UnicodeEncodeError,
            false => vm.exc.UnicodeDecodeError,
        };
        let name = self.codec.name();
        exc_methods::raise_unicode_error(vm, class, name, self.object, self.range, self.reason)
    }
    fn unknown(&self, vm: Vm) -> Raised {
        let name = self.errors;
        vm.raise(
            vm.exc.LookupError,
            format!("unknown error handler name '{name}'"),
        )
    }
}

/// Appends what the handler puts in the place of characters.
pub(super) fn encoded(
    vm: Vm,
    flaw: &Flaw,
    chars: Chars<'_>,
    data: &mut Vec<u8>,
) -> Result<(), Raised> {
    let (start, end) = flaw.range;
    let codec = flaw.codec;
    let text = |data: &mut Vec<u8>, text: &str| {
        text.bytes().for_each(|b| codec.put(data, u32::from(b)));
    };
    for index in start..end {
        let c = chars.at(index);
        match flaw.errors {
            "strict" => return Err(flaw.raise(vm, true)),
            "ignore" => {}
            "replace" => text(data, "?"),
            "backslashreplace" => text(data, &escape(c)),
            "xmlcharrefreplace" => text(data, &format!("&#{c};")),
            // The byte has to be a whole unit.
            "surrogateescape" if codec.unit() == 1 && (0xdc80..0xdd00).contains(&c) => {
                data.push((c - 0xdc00) as u8);
            }
            "surrogatepass"
                if !matches!(codec, Codec::Ascii | Codec::Latin1)
                    && (0xd800..0xe000).contains(&c) =>
            {
                codec.put(data, c);
            }
            "surrogateescape" | "surrogatepass" => return Err(flaw.raise(vm, true)),
            _ => return Err(flaw.unknown(vm)),
        }
    }
    Ok(())
}

fn escape(c: u32) -> String {
    match c {
        0..0x100 => format!("\\x{c:02x}"),
        0x100..0x1_0000 => format!("\\u{c:04x}"),
        _ => format!("\\U{c:08x}"),
    }
}

/// Appends what the handler puts in the place of bytes; the answer is where decoding goes on.
pub(super) fn decoded(
    vm: Vm,
    flaw: &Flaw,
    data: &[u8],
    writer: &mut StrWriter,
) -> Result<usize, Raised> {
    let (start, end) = flaw.range;
    match flaw.errors {
        "strict" => return Err(flaw.raise(vm, false)),
        "ignore" => {}
        "replace" => writer.push(0xfffd)?,
        "backslashreplace" => {
            for &b in &data[start..end] {
                writer.push_str(&escape(u32::from(b)))?;
            }
        }
        "surrogateescape" => {
            let bytes = data[start..end].iter().take_while(|b| !b.is_ascii());
            let mut at = start;
            for &b in bytes {
                writer.push(0xdc00 + u32::from(b))?;
                at += 1;
            }
            if at == start {
                return Err(flaw.raise(vm, false));
            }
            return Ok(at);
        }
        "surrogatepass" => {
            let Some((c, length)) = surrogate(flaw.codec, &data[start..]) else {
                return Err(flaw.raise(vm, false));
            };
            writer.push(c)?;
            return Ok(start + length);
        }
        _ => return Err(flaw.unknown(vm)),
    }
    Ok(end)
}

/// A lone surrogate at the front of the bytes, and how many of them it takes.
fn surrogate(codec: Codec, data: &[u8]) -> Option<(u32, usize)> {
    let (c, length) = match codec {
        Codec::Utf8 | Codec::Utf8Sig => match *data.first_chunk()? {
            [0xed, b @ 0xa0..0xc0, c @ 0x80..0xc0] => {
                (0xd000 | u32::from(b & 0x3f) << 6 | u32::from(c & 0x3f), 3)
            }
            _ => return None,
        },
        Codec::Utf16(_) | Codec::Utf32(_) if data.len() >= codec.unit() => {
            (codec.get(data), codec.unit())
        }
        _ => return None,
    };
    (0xd800..0xe000).contains(&c).then_some((c, length))
}
