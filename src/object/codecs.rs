//! Encoding and decoding text: UTF-8, ASCII and Latin-1, with the error handlers strict, ignore, replace,
//! backslashreplace and surrogateescape (`codecs.c`'s part that needs no registry).

use super::args::Signature;
use super::bytes;
use super::exc_methods;
use super::owned::{PyResult, Raised};
use super::str::{self, Chars};
use super::str_writer::StrWriter;
use super::vm::Vm;
use super::word::Word;

#[derive(Clone, Copy, PartialEq)]
enum Codec {
    Utf8,
    Ascii,
    Latin1,
}
impl Codec {
    fn name(self) -> &'static str {
        match self {
            Codec::Utf8 => "utf-8",
            Codec::Ascii => "ascii",
            Codec::Latin1 => "latin-1",
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
            let given = vm.type_name(word);
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
    match name.to_ascii_lowercase().replace(['_', ' '], "-").as_str() {
        "utf-8" | "utf8" | "u8" | "utf" | "cp65001" => Ok(Codec::Utf8),
        "ascii" | "us-ascii" | "646" => Ok(Codec::Ascii),
        "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" | "l1" | "8859" | "cp819" | "latin" => {
            Ok(Codec::Latin1)
        }
        _ => Err(vm.raise(vm.exc.LookupError, format!("unknown encoding: {name}"))),
    }
}
fn unknown_handler(vm: Vm, name: &str) -> Raised {
    vm.raise(
        vm.exc.LookupError,
        format!("unknown error handler name '{name}'"),
    )
}

/// `s.encode(encoding, errors)` (`PyUnicode_AsEncodedString`).
pub fn encode(vm: Vm, text: Word, encoding: Option<Word>, errors: Option<Word>) -> PyResult {
    let codec = codec(vm, encoding)?;
    let errors = text_argument(vm, errors, "strict")?;
    let chars = str::chars(text);
    if let Chars::One(units) = chars
        && (codec == Codec::Latin1 || str::object(text).is_ascii())
    {
        return bytes::new_bytes(vm, units);
    }
    let mut data: Vec<u8> = Vec::new();
    if !vm.heap.has_room(chars.len().saturating_mul(8)) || data.try_reserve(chars.len()).is_err() {
        return Err(vm.no_memory());
    }
    for (index, c) in chars.iter().enumerate() {
        let encodable = match codec {
            Codec::Utf8 => char::from_u32(c).is_some(),
            Codec::Ascii => c < 0x80,
            Codec::Latin1 => c < 0x100,
        };
        if encodable {
            match (codec, char::from_u32(c)) {
                (Codec::Utf8, Some(c)) => {
                    data.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes())
                }
                _ => data.push(c as u8),
            }
            continue;
        }
        match errors.as_str() {
            "strict" => {
                let reason = match codec {
                    Codec::Utf8 => "surrogates not allowed",
                    Codec::Ascii => "ordinal not in range(128)",
                    Codec::Latin1 => "ordinal not in range(256)",
                };
                return Err(exc_methods::raise_unicode_error(
                    vm,
                    vm.exc.UnicodeEncodeError,
                    codec.name(),
                    text,
                    (index, index + 1),
                    reason,
                ));
            }
            "ignore" => {}
            "replace" => data.push(b'?'),
            "backslashreplace" => {
                let escaped = match c {
                    0..0x100 => format!("\\x{c:02x}"),
                    0x100..0x1_0000 => format!("\\u{c:04x}"),
                    _ => format!("\\U{c:08x}"),
                };
                data.extend_from_slice(escaped.as_bytes());
            }
            "xmlcharrefreplace" => data.extend_from_slice(format!("&#{c};").as_bytes()),
            "surrogateescape" if (0xdc80..0xdd00).contains(&c) => data.push((c - 0xdc00) as u8),
            "surrogatepass" if codec == Codec::Utf8 => {
                data.extend_from_slice(&[
                    0xe0 | (c >> 12) as u8,
                    0x80 | (c >> 6 & 0x3f) as u8,
                    0x80 | (c & 0x3f) as u8,
                ]);
            }
            other => return Err(unknown_handler(vm, other)),
        }
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
    if codec == Codec::Latin1 || data.is_ascii() {
        return vm.str_from_chars(Chars::One(data));
    }
    if codec == Codec::Utf8
        && let Ok(text) = std::str::from_utf8(data)
    {
        return vm.new_str(text);
    }
    let mut writer = StrWriter::new(vm);
    let mut at = 0;
    while at < data.len() {
        let (valid, bad, reason) = match codec {
            Codec::Ascii => {
                let valid = data[at..].iter().take_while(|b| b.is_ascii()).count();
                (
                    valid,
                    usize::from(at + valid < data.len()),
                    "ordinal not in range(128)",
                )
            }
            _ => match std::str::from_utf8(&data[at..]) {
                Ok(_) => (data.len() - at, 0, ""),
                Err(error) => {
                    let valid = error.valid_up_to();
                    let rest = data.len() - at - valid;
                    let lead = data[at + valid];
                    match error.error_len() {
                        None => (valid, rest, "unexpected end of data"),
                        Some(length) if (0xc2..0xf5).contains(&lead) => {
                            (valid, length, "invalid continuation byte")
                        }
                        Some(length) => (valid, length, "invalid start byte"),
                    }
                }
            },
        };
        writer.push_str(&String::from_utf8_lossy(&data[at..at + valid]))?;
        at += valid;
        if bad == 0 {
            break;
        }
        match errors.as_str() {
            "strict" => {
                return Err(exc_methods::raise_unicode_error(
                    vm,
                    vm.exc.UnicodeDecodeError,
                    codec.name(),
                    object,
                    (at, at + bad),
                    reason,
                ));
            }
            "ignore" => {}
            "replace" => writer.push(0xfffd)?,
            "backslashreplace" => {
                for b in &data[at..at + bad] {
                    writer.push_str(&format!("\\x{b:02x}"))?;
                }
            }
            "surrogateescape" => {
                for &b in &data[at..at + bad] {
                    writer.push(0xdc00 + u32::from(b))?;
                }
            }
            other => return Err(unknown_handler(vm, other)),
        }
        at += bad;
    }
    writer.finish()
}
