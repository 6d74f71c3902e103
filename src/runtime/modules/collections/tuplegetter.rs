//! The fields of a named tuple (`_tuplegetter`).

use crate::object::descr::{MemberDef, MethodDef, meth};
use crate::object::types::Slots;
use crate::object::{Kind, Owned, PyResult, TypeObject, TypeSpec, Vm, Word, args, number, tuple};
use crate::runtime::modules::record::{self, place_ref, record};

record! { TupleGetter { doc; index: usize } }

static METHODS: [MethodDef; 1] = [MethodDef::new(
    "__reduce__",
    meth::NOARGS,
    |vm, this, _, _| {
        let own = record::of::<TupleGetter>(this);
        // SAFETY: types are live as long as an instance.
        let class = Owned::new_ref(unsafe { (*vm.type_of(this)).word() });
        let index = vm.new_int_usize(own.index)?;
        let doc = record::held(&own.doc).unwrap_or(Owned::NONE);
        let made_of = vm.tuple_from_owned(vec![index, doc])?;
        vm.tuple_from_owned(vec![class, made_of])
    },
)];
static MEMBERS: [MemberDef; 1] = [MemberDef {
    name: "__doc__",
    offset: std::mem::offset_of!(TupleGetter, doc) as u32,
    readonly: false,
    required: false,
}];

pub(super) fn spec() -> TypeSpec {
    let (dealloc, traverse, clear) = record::memory_slots::<TupleGetter>();
    TypeSpec {
        methods: &METHODS,
        members: &MEMBERS,
        ..TypeSpec::new::<TupleGetter>(
            "_collections._tuplegetter",
            Kind::OTHER,
            Slots {
                dealloc,
                traverse,
                clear,
                new: Some(new),
                descr_get: Some(get),
                descr_set: Some(|vm, _, _, value| {
                    let message = match value {
                        Some(_) => "can't set attribute",
                        None => "can't delete attribute",
                    };
                    Err(vm.raise(vm.exc.AttributeError, message))
                }),
                ..Slots::EMPTY
            },
        )
    }
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    args::positional(vm, "_tuplegetter", args, kwnames, 2, 2)?;
    let Ok(index) = usize::try_from(number::index_isize(vm, args[0])?) else {
        return Err(vm.value_error("index must be non-negative"));
    };
    record::new(vm, ty, |header| TupleGetter {
        header,
        doc: place_ref(args[1]),
        index,
    })
}

fn get(vm: Vm, this: Word, object: Option<Word>, _: Option<Word>) -> PyResult {
    let Some(object) = object.filter(|object| !object.is_none()) else {
        return Ok(Owned::new_ref(this));
    };
    let index = record::of::<TupleGetter>(this).index;
    if !tuple::is_tuple(object) {
        return Err(vm.type_error(format!(
            "descriptor for index '{index}' for tuple subclasses doesn't apply to '{}' object",
            vm.type_name(object)
        )));
    }
    // SAFETY: a tuple, kept by the caller.
    match unsafe { tuple::items(object) }.get(index) {
        Some(item) => Ok(Owned::new_ref(*item)),
        None => Err(vm.index_error("tuple index out of range")),
    }
}
