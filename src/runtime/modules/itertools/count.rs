//! `count`: numbers without end.

use super::iterator;
use crate::object::args::Signature;
use crate::object::number::{self, nb};
use crate::object::types::Slots;
use crate::object::{
    Kind, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, int, protocol, str,
};
use crate::runtime::modules::record::{self, held, place_ref, put, record};

record! { Count { value, step } }

static NEW: Signature<2> = Signature::new("count", ["start", "step"], 0);

pub(super) fn spec() -> TypeSpec {
    let spec = iterator::<Count>("itertools.count", Some(new), next);
    TypeSpec {
        slots: Slots {
            repr: Some(repr),
            ..spec.slots
        },
        ..spec
    }
}

fn is_number(vm: Vm, word: Word) -> bool {
    // SAFETY: types are live as long as an instance.
    let slots = unsafe { &raw const (*vm.type_of(word)).slots };
    unsafe {
        (*slots).index.is_some()
            || (*slots).int.is_some()
            || (*slots).float.is_some()
            || word.is_instance(Kind::COMPLEX)
    }
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [start, step] = NEW.unpack(vm, args, kwnames)?;
    let start = start.unwrap_or(Word::int_unchecked(0));
    let step = step.unwrap_or(Word::int_unchecked(1));
    if !is_number(vm, start) || !is_number(vm, step) {
        return Err(vm.type_error("a number is required"));
    }
    record::new(vm, ty, |header| Count {
        header,
        value: place_ref(start),
        step: place_ref(step),
    })
}

fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<Count>(this);
    let (Some(value), Some(step)) = (held(&this.value), held(&this.step)) else {
        return Ok(None);
    };
    let following = number::number_binary(vm, nb::ADD, value.as_word(), step.as_word())?;
    put(&this.value, following);
    Ok(Some(value))
}

fn repr(vm: Vm, this: Word) -> PyResult {
    let name = vm.type_name(this);
    let name = name.rsplit('.').next().unwrap_or_default().to_owned();
    let this = record::of::<Count>(this);
    let text = |word: Option<Owned>| -> Result<String, Raised> {
        let word = word.unwrap_or(Owned::NONE);
        let text = protocol::repr(vm, word.as_word())?;
        Ok(str::to_string_lossy(text.as_word()))
    };
    let step = held(&this.step).unwrap_or(Owned::NONE);
    let is_one = int::is_int(step.as_word()) && step.as_word().is(Word::int_unchecked(1));
    let value = text(held(&this.value))?;
    vm.new_str(&if is_one {
        format!("{name}({value})")
    } else {
        format!("{name}({value}, {})", text(Some(step))?)
    })
}
