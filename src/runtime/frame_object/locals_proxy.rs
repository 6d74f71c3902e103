//! `FrameLocalsProxy`: `f_locals` of a function, which reads and writes its variables (PEP 667).

use super::variables;
use crate::object::args;
use crate::object::number::nb;
use crate::object::types::{CompareOp, Slots, TypeObject, type_flag};
use crate::object::{
    Header, Kind, Object, Owned, PyResult, Raised, TypeSpec, Vm, Word, dict, protocol, sequence,
    str,
};
use crate::runtime::thread::Thread;

/// `PyFrameLocalsProxyObject`.
#[repr(C)]
struct Proxy {
    header: Header,
    /// A slot's word.
    frame: Word,
}

/// The frame whose variables it shows; `proxy` is one.
pub(super) fn frame_of<'a>(proxy: Word) -> &'a super::FrameObject {
    super::object(frame_word(proxy))
}
fn frame_word(proxy: Word) -> Word {
    // SAFETY: contract of Word; the field does not change.
    unsafe { (*proxy.cast::<Proxy>()).frame }
}
pub(super) fn is_proxy(vm: Vm, word: Word) -> bool {
    vm.type_of(word) == vm.types.frame_locals_proxy
}

/// `_PyFrameLocalsProxy_New`.
pub fn new(vm: Vm, frame: Word) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let proxy = vm.alloc::<Proxy>(vm.types.frame_locals_proxy)?;
        (&raw mut (*proxy).frame).write(Owned::new_ref(frame).into_slot());
        Ok(Owned::from_raw(proxy))
    }
}

pub(in crate::runtime) fn type_spec() -> TypeSpec {
    let mut number = Slots::EMPTY.nb;
    number[nb::OR] = Some(or);
    number[nb::OR + nb::INPLACE] = Some(inplace_or);
    let slots = Slots {
        dealloc,
        traverse: Some(traverse),
        new: Some(make),
        repr: Some(repr),
        richcompare: Some(compare),
        iter: Some(|vm, proxy| sequence::get_iter(vm, keys(vm, proxy)?.as_word())),
        len: Some(|vm, proxy| Ok(variables::items(Thread::of(vm), frame_of(proxy)).len())),
        getitem: Some(getitem),
        setitem: Some(setitem),
        contains: Some(|vm, proxy, key| {
            Ok(variables::get(Thread::of(vm), frame_of(proxy), key)?.is_some())
        }),
        nb: number,
        ..Slots::EMPTY
    };
    TypeSpec {
        flags: type_flag::MAPPING,
        methods: &super::proxy_methods::METHODS,
        ..TypeSpec::new::<Proxy>("FrameLocalsProxy", Kind::OTHER, slots)
    }
}

fn make(vm: Vm, _: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let named = args::keyword_names(kwnames).len();
    let given = args.len() - named;
    if given != 1 {
        return Err(vm.type_error(format!("FrameLocalsProxy expected 1 argument, got {given}")));
    }
    if !args[0].is_exact(Kind::FRAME) {
        let name = vm.type_name(args[0]);
        return Err(vm.type_error(format!("expect frame, not {name}")));
    }
    if named > 0 {
        return Err(vm.type_error("FrameLocalsProxy takes no keyword arguments"));
    }
    new(vm, args[0])
}

pub(super) fn keys(vm: Vm, proxy: Word) -> PyResult {
    let items = variables::items(Thread::of(vm), frame_of(proxy));
    vm.list_from_owned(items.into_iter().map(|(key, _)| key).collect())
}

fn repr(vm: Vm, proxy: Word) -> PyResult {
    use crate::object::header::flag;
    // SAFETY: contract of Word, the object is live.
    let header = unsafe { &*proxy.object() };
    if header.has_flag(flag::IN_REPR) {
        return vm.new_str("{...}");
    }
    header.set_flag(flag::IN_REPR);
    let text = variables::as_dict(Thread::of(vm), frame_of(proxy))
        .and_then(|dict| protocol::repr(vm, dict.as_word()));
    header.clear_flag(flag::IN_REPR);
    text
}

fn compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    let equal = if !matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Owned::NOT_IMPLEMENTED);
    } else if is_proxy(vm, a) && is_proxy(vm, b) {
        frame_word(a).is(frame_word(b))
    } else if is_proxy(vm, a) && dict::is_dict(b) {
        let dict = variables::as_dict(Thread::of(vm), frame_of(a))?;
        protocol::rich_compare_bool(vm, dict.as_word(), b, CompareOp::Eq)?
    } else {
        return Ok(Owned::NOT_IMPLEMENTED);
    };
    Ok(Owned::bool(equal == (op == CompareOp::Eq)))
}

pub(super) fn getitem(vm: Vm, proxy: Word, key: Word) -> PyResult {
    if let Some(value) = variables::get(Thread::of(vm), frame_of(proxy), key)? {
        return Ok(value);
    }
    let key = protocol::repr(vm, key)?;
    let key = str::to_string_lossy(key.as_word());
    Err(vm.raise(
        vm.exc.KeyError,
        format!("local variable '{key}' is not defined"),
    ))
}

fn setitem(vm: Vm, proxy: Word, key: Word, value: Option<Word>) -> Result<(), Raised> {
    let (ts, frame) = (Thread::of(vm), frame_of(proxy));
    match value {
        Some(value) => variables::set(ts, frame, key, value),
        None => remove(vm, proxy, key)
            .and_then(|removed| removed.ok_or_else(|| vm.raise_with(vm.exc.KeyError, &[key])))
            .map(drop),
    }
}

/// Takes what is no variable out; None if it is not there.
pub(super) fn remove(vm: Vm, proxy: Word, key: Word) -> Result<Option<Owned>, Raised> {
    let frame = frame_of(proxy);
    if variables::is_variable(Thread::of(vm), frame, key)? {
        return Err(vm.value_error("cannot remove local variables from FrameLocalsProxy"));
    }
    let Some(extra) = frame.extra.get().map(Owned::new_ref) else {
        return Ok(None);
    };
    // SAFETY: a dict, held here.
    unsafe {
        let hash = dict::hash_key(vm, key)?;
        dict::remove(vm, extra.as_ptr(), key, hash)
    }
}

/// Takes over what a dict or another proxy holds; false for anything else (`framelocalsproxy_merge`).
pub(super) fn merge(vm: Vm, proxy: Word, other: Word) -> Result<bool, Raised> {
    let ts = Thread::of(vm);
    let items = if is_proxy(vm, other) {
        variables::items(ts, frame_of(other))
    } else if dict::is_dict(other) {
        let mut items = Vec::new();
        let mut position = 0;
        // SAFETY: the caller keeps the dict; nothing runs meanwhile.
        while let Some((key, value, _)) = unsafe { dict::next(other.cast(), &mut position) } {
            items.push((Owned::new_ref(key), Owned::new_ref(value)));
        }
        items
    } else {
        return Ok(false);
    };
    for (key, value) in items {
        variables::set(ts, frame_of(proxy), key.as_word(), value.as_word())?;
    }
    Ok(true)
}

fn or(vm: Vm, a: Word, b: Word) -> PyResult {
    if !is_proxy(vm, b) && !dict::is_dict(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    // SAFETY: a dict just made.
    unsafe {
        let result = Owned::from_raw(vm.new_dict()?);
        for side in [a, b] {
            crate::object::dict_methods::merge(vm, result.as_ptr(), side, true)?;
        }
        Ok(result)
    }
}

fn inplace_or(vm: Vm, proxy: Word, other: Word) -> PyResult {
    if merge(vm, proxy, other)? {
        Ok(Owned::new_ref(proxy))
    } else {
        Ok(Owned::NOT_IMPLEMENTED)
    }
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let frame = (*object.cast::<Proxy>()).frame;
        vm.free(object);
        frame.release_slot();
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    visit(unsafe { (*object.cast::<Proxy>()).frame });
}
