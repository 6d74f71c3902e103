//! `OrderedDict`: a dict whose order counts. A dict's entries stand in the order of insertion already, so that moving
//! an item to the end is taking it out and putting it in again.

use crate::object::args::Signature;
use crate::object::descr::{GetSetDef, MethodDef, meth};
use crate::object::dict::{self, DictObject};
use crate::object::generic_alias::CLASS_GETITEM;
use crate::object::header::flag;
use crate::object::number::nb;
use crate::object::types::{CompareOp, Slots, type_flag};
use crate::object::{
    Kind, Object, Owned, PyResult, TypeObject, TypeSpec, Vm, Word, attr, call, dict_methods, exc,
    instance, protocol, sequence, str,
};
use crate::runtime::modules::record::Place;
use crate::runtime::thread::Thread;

#[repr(C)]
struct OrderedDict {
    dict: DictObject,
    /// `__dict__`, once it has attributes.
    attributes: Place,
}

static MOVE_TO_END: Signature<2> = Signature::new("move_to_end", ["key", "last"], 1);
static POPITEM: Signature<1> = Signature::new("popitem", ["last"], 0);

const FAST_KEYWORDS: u16 = meth::FASTCALL | meth::KEYWORDS;
static METHODS: [MethodDef; 5] = [
    MethodDef::new("move_to_end", FAST_KEYWORDS, move_to_end),
    MethodDef::new("popitem", FAST_KEYWORDS, popitem),
    MethodDef::new("copy", meth::NOARGS, |vm, this, _, _| copy(vm, this)),
    MethodDef::new("__copy__", meth::NOARGS, |vm, this, _, _| copy(vm, this)),
    CLASS_GETITEM,
];
static GETSET: [GetSetDef; 1] = [GetSetDef::new(
    "__dict__",
    |vm, this| Ok(instance::instance_dict(vm, this)?.unwrap_or(Owned::NONE)),
    None,
)];

pub(super) fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE
            | type_flag::MATCH_SELF
            | type_flag::MAPPING
            | type_flag::WEAKREF,
        dict_offset: std::mem::offset_of!(OrderedDict, attributes),
        methods: &METHODS,
        getset: &GETSET,
        ..TypeSpec::new::<OrderedDict>(
            "collections.OrderedDict",
            Kind::DICT.subclass(),
            Slots {
                dealloc,
                traverse: Some(traverse),
                clear: Some(clear),
                repr: Some(repr),
                richcompare: Some(compare),
                hash: None,
                nb: {
                    let mut slots = Slots::EMPTY.nb;
                    slots[nb::OR] = Some(or);
                    slots
                },
                new: Some(new),
                ..Slots::EMPTY
            },
        )
    }
}

fn base(vm: Vm) -> &'static Slots {
    // SAFETY: built-in types live as long as the VM, and their slots do not change.
    unsafe { &(*vm.types.dict).slots }
}
fn is_ordered(vm: Vm, word: Word) -> bool {
    vm.is_instance(word, Thread::of(vm).module_types.ordered_dict.get())
}
fn items(this: Word) -> *mut DictObject {
    this.cast()
}

fn new(vm: Vm, ty: *mut TypeObject, _: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let object = vm.alloc_instance::<OrderedDict>(ty, size_of::<OrderedDict>())?;
        dict::init_empty(vm, object.cast());
        (*object).attributes = Place::new(None);
        Ok(Owned::from_raw(object))
    }
}

fn move_to_end(vm: Vm, this: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [key, last] = MOVE_TO_END.unpack(vm, args, kwnames)?;
    let key = key.unwrap_or(Word::NONE);
    let last = protocol::is_true(vm, last.unwrap_or(Word::TRUE))?;
    let hash = dict::hash_key(vm, key)?;
    // SAFETY: a dict that the caller keeps; the key put back is the one that was there.
    unsafe {
        let dict = items(this);
        let Some(own) = dict::own_key(vm, dict, key, hash)? else {
            return Err(vm.key_error(key));
        };
        if last {
            if let Some(value) = dict::remove(vm, dict, own.as_word(), hash)? {
                dict::insert(vm, dict, own.as_word(), hash, value)?;
            }
            return Ok(Owned::NONE);
        }
        // To the front: everything else goes behind it.
        let mut others = Vec::new();
        let mut position = 0;
        while let Some((key, _, hash)) = dict::next(dict, &mut position) {
            if !key.is(own.as_word()) {
                others.push((Owned::new_ref(key), hash));
            }
        }
        for (key, hash) in others {
            if let Some(value) = dict::remove(vm, dict, key.as_word(), hash)? {
                dict::insert(vm, dict, key.as_word(), hash, value)?;
            }
        }
    }
    Ok(Owned::NONE)
}

fn popitem(vm: Vm, this: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [last] = POPITEM.unpack(vm, args, kwnames)?;
    let last = protocol::is_true(vm, last.unwrap_or(Word::TRUE))?;
    // SAFETY: a dict that the caller keeps.
    unsafe {
        let dict = items(this);
        if (*dict).is_empty() {
            let message = vm.new_str("dictionary is empty")?;
            return Err(vm.key_error(message.as_word()));
        }
        if last {
            let name = vm.intern_str("popitem")?;
            let method = (*vm.types.dict).lookup(name.as_word());
            return call::call_one(vm, method.unwrap_or(Word::NONE), this);
        }
        let Some((key, _, hash)) = dict::first(dict) else {
            return Ok(Owned::NONE);
        };
        let key = Owned::new_ref(key);
        let value = dict::remove(vm, dict, key.as_word(), hash)?.unwrap_or(Owned::NONE);
        vm.tuple_from_owned(vec![key, value])
    }
}

/// A new one of the same class with the same items and attributes.
fn copy(vm: Vm, this: Word) -> PyResult {
    // SAFETY: types are live as long as an instance; a dict that the caller keeps.
    unsafe {
        let class = (*vm.type_of(this)).word();
        let result = call::call(vm, class, &[], None)?;
        let mut position = 0;
        while let Some((key, value, _)) = dict::next(items(this), &mut position) {
            let (key, value) = (Owned::new_ref(key), Owned::new_ref(value));
            sequence::set_item(vm, result.as_word(), key.as_word(), value.as_word())?;
        }
        if let Some(attributes) = (*this.cast::<OrderedDict>()).attributes.get() {
            let attributes = Owned::new_ref(attributes);
            let own = attr::get_attr(vm, result.as_word(), vm.names.__dict__)?;
            if dict::is_dict(own.as_word()) {
                dict_methods::merge(vm, own.as_ptr(), attributes.as_word(), true)?;
            }
        }
        Ok(result)
    }
}

fn or(vm: Vm, a: Word, b: Word) -> PyResult {
    if !dict::is_dict(a) || !dict::is_dict(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let own = if is_ordered(vm, a) { a } else { b };
    // SAFETY: types are live as long as an instance.
    let class = unsafe { (*vm.type_of(own)).word() };
    let result = call::call_one(vm, class, a)?;
    if !dict::is_dict(result.as_word()) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    // SAFETY: a dict just made.
    unsafe { dict_methods::merge(vm, result.as_ptr(), b, true)? };
    Ok(result)
}

fn compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    let Some(compare) = base(vm).richcompare else {
        return Ok(Owned::NOT_IMPLEMENTED);
    };
    let answer = compare(vm, a, b, op)?;
    let equal = op == CompareOp::Eq;
    let same_items = answer.as_word() == Word::bool(equal);
    if !same_items || !is_ordered(vm, a) || !is_ordered(vm, b) {
        return Ok(answer);
    }
    // The same items: the order of the keys decides.
    let (mut left, mut right) = (0, 0);
    loop {
        // SAFETY: dicts that the caller keeps; keys are counted while they are compared.
        let pair = unsafe {
            (
                dict::next(items(a), &mut left),
                dict::next(items(b), &mut right),
            )
        };
        let (Some((x, ..)), Some((y, ..))) = pair else {
            return Ok(Owned::bool(equal));
        };
        let (x, y) = (Owned::new_ref(x), Owned::new_ref(y));
        if !protocol::rich_compare_bool(vm, x.as_word(), y.as_word(), CompareOp::Eq)? {
            return Ok(Owned::bool(!equal));
        }
    }
}

fn repr(vm: Vm, this: Word) -> PyResult {
    // SAFETY: types are live as long as an instance; a dict that the caller keeps.
    let (name, header, is_empty) = unsafe {
        (
            (*vm.type_of(this)).name_string(),
            &(*items(this)).header,
            (*items(this)).is_empty(),
        )
    };
    let name = name.rsplit('.').next().unwrap_or_default();
    if is_empty {
        return vm.new_str(&format!("{name}()"));
    }
    if header.has_flag(flag::IN_REPR) {
        return vm.new_str("...");
    }
    // Of a subclass with items of its own making, those are what is shown.
    let text = match base(vm).repr {
        Some(repr) => repr(vm, this)?,
        None => vm.new_str("{}")?,
    };
    vm.new_str(&format!("{name}({})", str::to_string_lossy(text.as_word())))
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        exc::replace(&(*object.cast::<OrderedDict>()).attributes, None);
        (base(vm).dealloc)(vm, object);
    }
}
/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        if let Some(attributes) = (*object.cast::<OrderedDict>()).attributes.get() {
            visit(attributes);
        }
        if let Some(traverse) = base((*object).vm()).traverse {
            traverse(object, visit);
        }
    }
}
/// # Safety
/// As [`crate::object::types::ClearFn`].
unsafe fn clear(vm: Vm, object: *mut Object) {
    unsafe {
        exc::replace(&(*object.cast::<OrderedDict>()).attributes, None);
        if let Some(clear) = base(vm).clear {
            clear(vm, object);
        }
    }
}
