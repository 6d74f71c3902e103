//! `cmp_to_key`: objects that compare by a function.

use crate::object::args::Signature;
use crate::object::descr::GetSetDef;
use crate::object::types::{CompareOp, Slots, type_flag};
use crate::object::vectorcall::Args;
use crate::object::{Kind, Owned, PyResult, TypeSpec, Vm, Word, call, protocol};
use crate::runtime::modules::record::{self, held, place, place_opt, place_ref, record};
use crate::runtime::thread::Thread;

record! { Key { compare, /** Nothing in what `cmp_to_key` returns. */ object } }

static KEY: Signature<1> = Signature::new("K", ["obj"], 1);
static CMP_TO_KEY: Signature<1> = Signature::new("cmp_to_key", ["mycmp"], 1);

static GETSET: [GetSetDef; 1] = [GetSetDef::new(
    "obj",
    |_, this| Ok(held(&record::of::<Key>(this).object).unwrap_or(Owned::NONE)),
    Some(|_, this, value| {
        crate::object::exc::replace(&record::of::<Key>(this).object, value);
        Ok(())
    }),
)];

pub(super) fn spec() -> TypeSpec {
    let (dealloc, traverse, clear) = record::memory_slots::<Key>();
    TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        getset: &GETSET,
        ..TypeSpec::new::<Key>(
            "functools.KeyWrapper",
            Kind::OTHER,
            Slots {
                dealloc,
                traverse,
                clear,
                call: Some(make_key),
                richcompare: Some(compare),
                hash: Some(|vm, _| Err(vm.type_error("unhashable type: 'functools.KeyWrapper'"))),
                ..Slots::EMPTY
            },
        )
    }
}

pub(super) fn cmp_to_key(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [compare] = CMP_TO_KEY.unpack(vm, args, kwnames)?;
    let ty = Thread::of(vm).module_types.cmp_key.get();
    record::new(vm, ty, |header| Key {
        header,
        compare: place_opt(compare),
        object: place_opt(None),
    })
}

fn make_key(vm: Vm, this: Word, args: Args<'_>, kwnames: Option<Word>) -> PyResult {
    let [object] = KEY.unpack(vm, &args, kwnames)?;
    let compare = held(&record::of::<Key>(this).compare).unwrap_or(Owned::NONE);
    let ty = Thread::of(vm).module_types.cmp_key.get();
    record::new(vm, ty, |header| Key {
        header,
        compare: place(compare),
        object: place_ref(object.unwrap_or(Word::NONE)),
    })
}

fn compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    let ty = Thread::of(vm).module_types.cmp_key.get();
    if !vm.is_instance(b, ty) || !vm.is_instance(a, ty) {
        return Err(vm.type_error("other argument must be K instance"));
    }
    let (left, right) = (record::of::<Key>(a), record::of::<Key>(b));
    let (Some(function), Some(x), Some(y)) =
        (held(&left.compare), held(&left.object), held(&right.object))
    else {
        return Err(vm.raise_with(vm.exc.AttributeError, &[vm.intern_str("object")?.as_word()]));
    };
    let answer = call::call(vm, function.as_word(), &[x.as_word(), y.as_word()], None)?;
    protocol::rich_compare(vm, answer.as_word(), Word::int_unchecked(0), op)
}
