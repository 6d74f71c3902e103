//! `repeat`: the same object, so many times or for ever.

use super::iterator;
use crate::object::args::Signature;
use crate::object::descr::{MethodDef, meth};
use crate::object::types::Slots;
use crate::object::{
    Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, number, protocol, str,
};
use crate::runtime::modules::record::{self, held, place_ref, record};
use std::cell::Cell;

record! { Repeat { element; /** Negative for ever. */ left: Cell<isize> } }

static NEW: Signature<2> = Signature::new("repeat", ["object", "times"], 1);
static METHODS: [MethodDef; 1] = [MethodDef::new(
    "__length_hint__",
    meth::NOARGS,
    |vm, this, _, _| match record::of::<Repeat>(this).left.get() {
        left @ 0.. => vm.new_int(left as i64),
        _ => Err(vm.type_error("len() of unsized object")),
    },
)];

pub(super) fn spec() -> TypeSpec {
    let spec = iterator::<Repeat>("itertools.repeat", Some(new), next);
    TypeSpec {
        methods: &METHODS,
        slots: Slots {
            repr: Some(repr),
            ..spec.slots
        },
        ..spec
    }
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [element, times] = NEW.unpack(vm, args, kwnames)?;
    let left = match times {
        Some(times) => number::index_isize(vm, times)?.max(0),
        None => -1,
    };
    record::new(vm, ty, |header| Repeat {
        header,
        element: place_ref(element.unwrap_or(Word::NONE)),
        left: Cell::new(left),
    })
}

fn next(_: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<Repeat>(this);
    let left = this.left.get();
    if left == 0 {
        return Ok(None);
    }
    if left > 0 {
        this.left.set(left - 1);
    }
    Ok(held(&this.element))
}

fn repr(vm: Vm, this: Word) -> PyResult {
    let name = vm.type_name(this);
    let name = name.rsplit('.').next().unwrap_or_default().to_owned();
    let this = record::of::<Repeat>(this);
    let element = held(&this.element).unwrap_or(Owned::NONE);
    let element = protocol::repr(vm, element.as_word())?;
    let element = str::to_string_lossy(element.as_word());
    vm.new_str(&match this.left.get() {
        left @ 0.. => format!("{name}({element}, {left})"),
        _ => format!("{name}({element})"),
    })
}
