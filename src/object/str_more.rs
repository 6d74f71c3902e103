//! `str.translate`, `str.maketrans`, `str.expandtabs`.

use super::args::{self, Signature};
use super::dict::{self, DictObject};
use super::header::Kind;
use super::int;
use super::owned::{Owned, PyResult, Raised};
use super::str;
use super::str_case::build;
use super::vm::Vm;
use super::word::Word;
use super::{number, sequence};

type Names = Option<Word>;

pub(super) fn expandtabs(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    const SIGNATURE: Signature<1> = Signature::new("expandtabs", ["tabsize"], 0);
    let [size] = SIGNATURE.unpack(vm, args, names)?;
    let size = size.map_or(Ok(8), |size| number::index_isize(vm, size))?;
    if i32::try_from(size).is_err() {
        return Err(vm.overflow_error("Python int too large to convert to C int"));
    }
    let chars = str::chars(self_);
    build(vm, chars.len(), |writer| {
        let mut column = 0usize;
        for c in chars.iter() {
            match c {
                0x09 if size > 0 => {
                    let spaces = size as usize - column % size as usize;
                    writer.push_repeated(0x20, spaces)?;
                    column += spaces;
                }
                0x09 => {}
                _ => {
                    writer.push(c)?;
                    column = if matches!(c, 0x0a | 0x0d) {
                        0
                    } else {
                        column + 1
                    };
                }
            }
        }
        Ok(())
    })
}

/// `s.translate(table)` (`_PyUnicode_TranslateCharmap`).
pub(super) fn translate(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let chars = str::chars(self_);
    build(vm, chars.len(), |writer| {
        for c in chars.iter() {
            let answer = match sequence::get_item(vm, args[0], Word::int_unchecked(i64::from(c))) {
                Ok(answer) => answer,
                Err(raised) => {
                    if !vm.exception_matches(vm.exc.LookupError) {
                        return Err(raised);
                    }
                    vm.clear_exception();
                    writer.push(c)?;
                    continue;
                }
            };
            let answer = answer.as_word();
            if str::is_str(answer) {
                writer.push_word(answer)?;
            } else if let Some(value) = int::value(answer) {
                match value.to_i64() {
                    Some(value @ 0..=0x10_ffff) => writer.push(value as u32)?,
                    _ => return Err(vm.value_error("character mapping must be in range(0x110000)")),
                }
            } else if !answer.is_none() {
                return Err(vm.type_error("character mapping must return integer, None or str"));
            }
        }
        Ok(())
    })
}

/// `str.maketrans(x[, y[, z]])`.
pub(super) fn maketrans(vm: Vm, _: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "maketrans", args.len(), 1, 3)?;
    // SAFETY: the table is new and ours.
    unsafe {
        let table = Owned::from_raw(vm.new_dict()?);
        let dict = table.as_ptr::<DictObject>();
        let point = |c: u32| Word::int_unchecked(i64::from(c));
        if let [from, to, ..] = *args {
            if !str::is_str(from) {
                return Err(vm.type_error(
                    "first maketrans argument must be a string if there is a second argument",
                ));
            }
            require(vm, 2, to)?;
            let (from, to) = (str::chars(from), str::chars(to));
            if from.len() != to.len() {
                return Err(
                    vm.value_error("the first two maketrans arguments must have equal length")
                );
            }
            for (from, to) in from.iter().zip(to.iter()) {
                dict::set_item(vm, dict, point(from), point(to))?;
            }
            if let Some(&removed) = args.get(2) {
                require(vm, 3, removed)?;
                for c in str::chars(removed).iter() {
                    dict::set_item(vm, dict, point(c), Word::NONE)?;
                }
            }
            return Ok(table);
        }
        if !args[0].is_exact(Kind::DICT) {
            return Err(
                vm.type_error("if you give only one argument to maketrans it must be a dict")
            );
        }
        let mut position = 0;
        while let Some((key, value, _)) = dict::next(args[0].cast(), &mut position) {
            let (key, value) = (Owned::new_ref(key), Owned::new_ref(value));
            let key = key.as_word();
            if str::is_str(key) {
                if str::object(key).length != 1 {
                    return Err(
                        vm.value_error("string keys in translate table must be of length 1")
                    );
                }
                dict::set_item(vm, dict, point(str::chars(key).at(0)), value.as_word())?;
            } else if int::is_int(key) {
                dict::set_item(vm, dict, key, value.as_word())?;
            } else {
                return Err(vm.type_error("keys in translate table must be strings or integers"));
            }
        }
        Ok(table)
    }
}
fn require(vm: Vm, position: u32, word: Word) -> Result<(), Raised> {
    if str::is_str(word) {
        return Ok(());
    }
    Err(vm.type_error(format!(
        "maketrans() argument {position} must be str, not {}",
        vm.argument_type(word)
    )))
}
