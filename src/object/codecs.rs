//! Encoding and decoding text: UTF-8, -16 and -32, ASCII and Latin-1 (`codecs.c`'s part that needs no registry). What
//! error handlers make of what does not fit is in `codec_errors.rs`.

use super::args::Signature;
use super::bytes;
use super::codec_errors::{self, Flaw};
use super::owned::{PyResult, Raised};
use super::str::{self, Chars};
use super::str_writer::StrWriter;
use super::vm::Vm;
use super::word::Word;

/// How the bytes of a wider unit are ordered; `Mark` is this machine's order, behind a byte order mark.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Order {
    Mark,
    Little,
    Big,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Codec {
    Utf8,
    /// UTF-8 behind a byte order mark.
    Utf8Sig,
    Utf16(Order),
    Utf32(Order),
    Ascii,
    Latin1,
}
impl Codec {
    fn find(name: &str) -> Option<Codec> {
        use Codec::*;
        use Order::*;
        Some(
            match name.to_ascii_lowercase().replace(['_', ' '], "-").as_str() {
                "utf-8" | "utf8" | "u8" | "utf" | "cp65001" | "utf8-ucs2" | "utf8-ucs4" => Utf8,
                "utf-8-sig" => Utf8Sig,
                "utf-16" | "utf16" | "u16" => Utf16(Mark),
                "utf-16-le" | "utf-16le" | "unicodelittleunmarked" => Utf16(Little),
                "utf-16-be" | "utf-16be" | "unicodebigunmarked" => Utf16(Big),
                "utf-32" | "utf32" | "u32" => Utf32(Mark),
                "utf-32-le" | "utf-32le" => Utf32(Little),
                "utf-32-be" | "utf-32be" => Utf32(Big),
                "ascii" | "us-ascii" | "646" => Ascii,
                "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" | "l1" | "8859" | "cp819"
                | "latin" => Latin1,
                _ => return None,
            },
        )
    }
    /// As errors name it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Codec::Utf8 | Codec::Utf8Sig => "utf-8",
            Codec::Utf16(Order::Mark) => "utf-16",
            Codec::Utf16(Order::Little) => "utf-16-le",
            Codec::Utf16(Order::Big) => "utf-16-be",
            Codec::Utf32(Order::Mark) => "utf-32",
            Codec::Utf32(Order::Little) => "utf-32-le",
            Codec::Utf32(Order::Big) => "utf-32-be",
            Codec::Ascii => "ascii",
            Codec::Latin1 => "latin-1",
        }
    }
    /// The bytes of a unit.
    pub(super) fn unit(self) -> usize {
        match self {
            Codec::Utf16(_) => 2,
            Codec::Utf32(_) => 4,
            _ => 1,
        }
    }
    fn encodes(self, c: u32) -> bool {
        match self {
            Codec::Ascii => c < 0x80,
            Codec::Latin1 => c < 0x100,
            _ => !(0xd800..0xe000).contains(&c),
        }
    }
    fn refusal(self) -> &'static str {
        match self {
            Codec::Ascii => "ordinal not in range(128)",
            Codec::Latin1 => "ordinal not in range(256)",
            _ => "surrogates not allowed",
        }
    }
    /// Appends a character; a lone surrogate in the form that `surrogatepass` wants.
    pub(super) fn put(self, data: &mut Vec<u8>, c: u32) {
        match self {
            Codec::Ascii | Codec::Latin1 => data.push(c as u8),
            Codec::Utf8 | Codec::Utf8Sig => match char::from_u32(c) {
                Some(c) => data.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                None => data.extend_from_slice(&[
                    0xe0 | (c >> 12) as u8,
                    0x80 | (c >> 6 & 0x3f) as u8,
                    0x80 | (c & 0x3f) as u8,
                ]),
            },
            Codec::Utf16(order) => {
                let mut put = |unit: u16| {
                    data.extend_from_slice(&match order {
                        Order::Mark => unit.to_ne_bytes(),
                        Order::Little => unit.to_le_bytes(),
                        Order::Big => unit.to_be_bytes(),
                    });
                };
                match c.checked_sub(0x1_0000) {
                    None => put(c as u16),
                    Some(rest) => {
                        put(0xd800 | (rest >> 10) as u16);
                        put(0xdc00 | (rest & 0x3ff) as u16);
                    }
                }
            }
            Codec::Utf32(order) => data.extend_from_slice(&match order {
                Order::Mark => c.to_ne_bytes(),
                Order::Little => c.to_le_bytes(),
                Order::Big => c.to_be_bytes(),
            }),
        }
    }
    /// The unit at the start of these bytes, of which there are enough.
    pub(super) fn get(self, data: &[u8]) -> u32 {
        let unit = &data[..self.unit()];
        let big = match self {
            Codec::Utf16(order) | Codec::Utf32(order) => match order {
                Order::Mark => cfg!(target_endian = "big"),
                Order::Little => false,
                Order::Big => true,
            },
            _ => true,
        };
        let join = |value: u32, b: &u8| value << 8 | u32::from(*b);
        match big {
            true => unit.iter().fold(0, join),
            false => unit.iter().rev().fold(0, join),
        }
    }
    /// Takes a byte order mark off the front of what is decoded; from there on the order is known.
    fn after_mark(self, data: &[u8]) -> (Codec, usize) {
        let (unit, with): (usize, fn(Order) -> Codec) = match self {
            Codec::Utf8Sig if data.starts_with(b"\xef\xbb\xbf") => return (Codec::Utf8, 3),
            Codec::Utf16(Order::Mark) => (2, Codec::Utf16),
            Codec::Utf32(Order::Mark) => (4, Codec::Utf32),
            _ => return (self, 0),
        };
        for codec in [with(Order::Little), with(Order::Big)] {
            if data.len() >= unit && codec.get(data) == 0xfeff {
                return (codec, unit);
            }
        }
        match cfg!(target_endian = "big") {
            true => (with(Order::Big), 0),
            false => (with(Order::Little), 0),
        }
    }
}

/// Raises TypeError for names that are no strings.
pub fn check_names(
    vm: Vm,
    function: &str,
    encoding: Option<Word>,
    errors: Option<Word>,
) -> Result<(), Raised> {
    for (argument, name) in [(encoding, "encoding"), (errors, "errors")] {
        if let Some(word) = argument.filter(|&word| !str::is_str(word)) {
            let given = vm.argument_type(word);
            return Err(vm.type_error(format!(
                "{function}() argument '{name}' must be str, not {given}"
            )));
        }
    }
    Ok(())
}

fn text_argument(vm: Vm, word: Option<Word>, default: &str) -> Result<String, Raised> {
    match word {
        None => Ok(default.to_owned()),
        Some(word) if str::is_str(word) => Ok(str::to_string_lossy(word)),
        Some(word) => {
            Err(vm.type_error(format!("argument must be str, not {}", vm.type_name(word))))
        }
    }
}
fn codec(vm: Vm, encoding: Option<Word>) -> Result<Codec, Raised> {
    let name = text_argument(vm, encoding, "utf-8")?;
    Codec::find(&name)
        .ok_or_else(|| vm.raise(vm.exc.LookupError, format!("unknown encoding: {name}")))
}

/// `s.encode(encoding, errors)` (`PyUnicode_AsEncodedString`).
pub fn encode(vm: Vm, text: Word, encoding: Option<Word>, errors: Option<Word>) -> PyResult {
    let codec = codec(vm, encoding)?;
    let errors = text_argument(vm, errors, "strict")?;
    let chars = str::chars(text);
    if let Chars::One(units) = chars
        && (codec == Codec::Latin1 || codec.unit() == 1 && str::object(text).is_ascii())
        && codec != Codec::Utf8Sig
    {
        return bytes::new_bytes(vm, units);
    }
    let mut data: Vec<u8> = Vec::new();
    let length = chars.len();
    if !vm.heap.has_room(length.saturating_mul(8))
        || data
            .try_reserve(length.saturating_mul(codec.unit()))
            .is_err()
    {
        return Err(vm.no_memory());
    }
    if matches!(
        codec,
        Codec::Utf8Sig | Codec::Utf16(Order::Mark) | Codec::Utf32(Order::Mark)
    ) {
        codec.put(&mut data, 0xfeff);
    }
    let mut at = 0;
    while at < length {
        let c = chars.at(at);
        if codec.encodes(c) {
            codec.put(&mut data, c);
            at += 1;
            continue;
        }
        // The narrow codecs hand over all that they cannot encode in one go.
        let mut end = at + 1;
        while codec.unit() == 1 && end < length && !codec.encodes(chars.at(end)) {
            end += 1;
        }
        let flaw = Flaw {
            codec,
            errors: &errors,
            object: text,
            range: (at, end),
            reason: codec.refusal(),
        };
        codec_errors::encoded(vm, &flaw, chars, &mut data)?;
        at = end;
    }
    bytes::new_bytes(vm, &data)
}
pub(super) fn str_encode(vm: Vm, self_: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    const SIGNATURE: Signature<2> = Signature::new("encode", ["encoding", "errors"], 0);
    let [encoding, errors] = SIGNATURE.unpack(vm, args, kwnames)?;
    check_names(vm, "encode", encoding, errors)?;
    encode(vm, self_, encoding, errors)
}

/// `str(bytes, encoding, errors)`, `bytes.decode` (`PyUnicode_FromEncodedObject`).
pub fn decode_object(
    vm: Vm,
    object: Word,
    encoding: Option<Word>,
    errors: Option<Word>,
) -> PyResult {
    if str::is_str(object) {
        return Err(vm.type_error("decoding str is not supported"));
    }
    if !bytes::is_bytes_like(object) {
        return Err(vm.type_error(format!(
            "decoding to str: need a bytes-like object, {} found",
            vm.type_name(object)
        )));
    }
    let codec = codec(vm, encoding)?;
    let errors = text_argument(vm, errors, "strict")?;
    let data = bytes::contents(object);
    if codec == Codec::Latin1 || codec.unit() == 1 && data.is_ascii() {
        return vm.str_from_chars(Chars::One(data));
    }
    if codec == Codec::Utf8
        && let Ok(text) = std::str::from_utf8(data)
    {
        return vm.new_str(text);
    }
    let (codec, mut at) = codec.after_mark(data);
    let mut writer = StrWriter::new(vm);
    while at < data.len() {
        let found = match codec {
            Codec::Ascii | Codec::Utf8 | Codec::Utf8Sig => narrow(codec, data, at, &mut writer)?,
            _ => wide(codec, data, at, &mut writer)?,
        };
        let Some((range, reason)) = found else {
            break;
        };
        let flaw = Flaw {
            codec,
            errors: &errors,
            object,
            range,
            reason,
        };
        at = codec_errors::decoded(vm, &flaw, data, &mut writer)?;
    }
    writer.finish()
}

/// What cannot be decoded, and why.
type Found = Option<((usize, usize), &'static str)>;

/// Decodes ASCII or UTF-8 up to the first flaw.
fn narrow(codec: Codec, data: &[u8], at: usize, writer: &mut StrWriter) -> Result<Found, Raised> {
    let rest = &data[at..];
    if codec == Codec::Ascii {
        let valid = rest.iter().take_while(|b| b.is_ascii()).count();
        writer.push_chars(Chars::One(&rest[..valid]))?;
        let start = at + valid;
        return Ok(
            (valid < rest.len()).then_some(((start, start + 1), "ordinal not in range(128)"))
        );
    }
    let error = match std::str::from_utf8(rest) {
        Ok(text) => {
            writer.push_str(text)?;
            return Ok(None);
        }
        Err(error) => error,
    };
    let valid = error.valid_up_to();
    writer.push_str(&String::from_utf8_lossy(&rest[..valid]))?;
    let start = at + valid;
    let (length, reason) = match error.error_len() {
        None => (rest.len() - valid, "unexpected end of data"),
        Some(length) if (0xc2..0xf5).contains(&rest[valid]) => {
            (length, "invalid continuation byte")
        }
        Some(length) => (length, "invalid start byte"),
    };
    Ok(Some(((start, start + length), reason)))
}

/// Decodes UTF-16 or UTF-32 up to the first flaw.
fn wide(codec: Codec, data: &[u8], mut at: usize, writer: &mut StrWriter) -> Result<Found, Raised> {
    let unit = codec.unit();
    while at < data.len() {
        if data.len() - at < unit {
            return Ok(Some(((at, data.len()), "truncated data")));
        }
        let mut c = codec.get(&data[at..]);
        let mut length = unit;
        if unit == 2 {
            match c {
                0xd800..0xdc00 if data.len() - at < 4 => {
                    return Ok(Some(((at, data.len()), "unexpected end of data")));
                }
                0xd800..0xdc00 => {
                    let low = codec.get(&data[at + 2..]);
                    if !(0xdc00..0xe000).contains(&low) {
                        return Ok(Some(((at, at + 2), "illegal UTF-16 surrogate")));
                    }
                    c = 0x1_0000 + ((c & 0x3ff) << 10 | low & 0x3ff);
                    length = 4;
                }
                0xdc00..0xe000 => return Ok(Some(((at, at + 2), "illegal encoding"))),
                _ => {}
            }
        } else if (0xd800..0xe000).contains(&c) {
            let reason = "code point in surrogate code point range(0xd800, 0xe000)";
            return Ok(Some(((at, at + 4), reason)));
        } else if c > str::MAX_CHAR {
            return Ok(Some(((at, at + 4), "code point not in range(0x110000)")));
        }
        writer.push(c)?;
        at += length;
    }
    Ok(None)
}
