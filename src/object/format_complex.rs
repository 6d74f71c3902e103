//! `format()` of complex numbers: each part is formatted by itself, the whole is padded.

use super::complex_arith::Complex;
use super::format::{Spec, padding};
use super::format_number::format_float;
use super::owned::{PyResult, Raised};
use super::str;
use super::str_writer::StrWriter;
use super::vm::Vm;

pub(super) fn format_complex(vm: Vm, value: Complex, spec: &Spec) -> PyResult {
    if spec.fill == 0x30 {
        return Err(vm.value_error("Zero padding is not allowed in complex format specifier"));
    }
    if spec.align == '=' {
        return Err(vm.value_error("'=' alignment flag is not allowed in complex format specifier"));
    }
    // Without a type it looks like `repr`, rounded if there is a precision: in parentheses, or the imaginary part alone.
    let plain = spec.code.is_none();
    let no_real_part = plain && value.real == 0.0 && !value.real.is_sign_negative();
    let part = Spec {
        width: None,
        fill: 0x20,
        align: '>',
        code: match (plain, spec.precision) {
            (true, Some(_)) => Some('g' as u32),
            (true, None) => None,
            _ => spec.code,
        },
        ..*spec
    };
    let text = |value: f64, sign: Option<char>| -> Result<String, Raised> {
        let text = format_float(vm, value, &Spec { sign, ..part })?;
        let mut text = str::to_string_lossy(text.as_word());
        if part.code.is_none() && text.ends_with(".0") {
            text.truncate(text.len() - 2);
        }
        Ok(text)
    };
    let real = if no_real_part {
        String::new()
    } else {
        text(value.real, spec.sign)?
    };
    let imag = text(value.imag, if no_real_part { spec.sign } else { Some('+') })?;
    let parentheses = plain && !no_real_part;
    let length = real.len() + imag.len() + 1 + 2 * usize::from(parentheses);
    let (left, right) = padding(spec, length);
    let mut writer = StrWriter::new(vm);
    writer.reserve(length.saturating_add(left).saturating_add(right))?;
    writer.push_repeated(spec.fill, left)?;
    if parentheses {
        writer.push_str("(")?;
    }
    writer.push_str(&real)?;
    writer.push_str(&imag)?;
    writer.push_str(if parentheses { "j)" } else { "j" })?;
    writer.push_repeated(spec.fill, right)?;
    writer.finish()
}
