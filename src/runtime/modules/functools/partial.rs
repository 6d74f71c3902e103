//! `partial`, and the placeholder for positions that its calls fill.

use crate::object::args;
use crate::object::descr::{GetSetDef, MethodDef, meth};
use crate::object::dict::{self, DictObject};
use crate::object::generic_alias::CLASS_GETITEM;
use crate::object::header::flag;
use crate::object::types::{Slots, type_flag};
use crate::object::vectorcall::Args;
use crate::object::{
    Kind, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, call, instance, protocol, str,
    tuple,
};
use crate::runtime::modules::record::{self, held, place, place_ref, put, record};
use crate::runtime::thread::Thread;
use std::cell::Cell;

record! {
    Partial {
        function,
        /// A tuple.
        args,
        /// A dict.
        keywords,
        /// `__dict__`, once somebody asks.
        dict;
        /// How many of the arguments are placeholders.
        gaps: Cell<usize>
    }
}
record! { Placeholder { } }

fn field(this: Word, get: fn(&Partial) -> &record::Place) -> PyResult {
    Ok(held(get(record::of::<Partial>(this))).unwrap_or(Owned::NONE))
}

static METHODS: [MethodDef; 3] = [
    MethodDef::new("__reduce__", meth::NOARGS, reduce),
    MethodDef::new("__setstate__", meth::O, set_state),
    CLASS_GETITEM,
];
static GETSET: [GetSetDef; 4] = [
    GetSetDef::new("func", |_, this| field(this, |own| &own.function), None),
    GetSetDef::new("args", |_, this| field(this, |own| &own.args), None),
    GetSetDef::new("keywords", |_, this| field(this, |own| &own.keywords), None),
    GetSetDef::new(
        "__dict__",
        |vm, this| Ok(instance::instance_dict(vm, this)?.unwrap_or(Owned::NONE)),
        None,
    ),
];

pub(super) fn spec() -> TypeSpec {
    let (dealloc, traverse, clear) = record::memory_slots::<Partial>();
    TypeSpec {
        flags: type_flag::BASETYPE | type_flag::WEAKREF | type_flag::METHOD_DESCRIPTOR,
        dict_offset: std::mem::offset_of!(Partial, dict),
        methods: &METHODS,
        getset: &GETSET,
        ..TypeSpec::new::<Partial>(
            "functools.partial",
            Kind::OTHER,
            Slots {
                dealloc,
                traverse,
                clear,
                repr: Some(repr),
                call: Some(call_partial),
                descr_get: Some(bind),
                new: Some(new),
                ..Slots::EMPTY
            },
        )
    }
}
pub(super) fn placeholder_spec() -> TypeSpec {
    let (dealloc, traverse, clear) = record::memory_slots::<Placeholder>();
    TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        ..TypeSpec::new::<Placeholder>(
            "functools._PlaceholderType",
            Kind::OTHER,
            Slots {
                dealloc,
                traverse,
                clear,
                repr: Some(|vm, _| vm.new_str("Placeholder")),
                ..Slots::EMPTY
            },
        )
    }
}
pub(super) fn new_placeholder(vm: Vm) -> PyResult {
    let ty = Thread::of(vm).module_types.placeholder.get();
    record::new(vm, ty, |header| Placeholder { header })
}
fn is_placeholder(vm: Vm, word: Word) -> bool {
    std::ptr::eq(
        vm.type_of(word),
        Thread::of(vm).module_types.placeholder.get(),
    )
}

/// An argument that is a partial whose parts the new one can take over.
fn flattened(vm: Vm, function: Word) -> Option<(Owned, Owned, Owned)> {
    if !vm.is_instance(function, Thread::of(vm).module_types.partial.get()) {
        return None;
    }
    let inner = record::of::<Partial>(function);
    if inner.dict.get().is_some() {
        return None;
    }
    Some((
        held(&inner.function)?,
        held(&inner.args)?,
        held(&inner.keywords)?,
    ))
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let names = args::keyword_names(kwnames);
    let (positional, values) = args.split_at(args.len() - names.len());
    let [function, given @ ..] = positional else {
        return Err(vm.type_error("type 'partial' takes at least one argument"));
    };
    if !call::is_callable(vm, *function) {
        return Err(vm.type_error("the first argument must be callable"));
    }
    if given.last().is_some_and(|last| is_placeholder(vm, *last)) {
        return Err(vm.type_error("trailing Placeholders are not allowed"));
    }
    if values.iter().any(|value| is_placeholder(vm, *value)) {
        return Err(vm.type_error("Placeholder cannot be passed as a keyword argument"));
    }
    let inner = flattened(vm, *function);
    let (function, mut all, keywords) = match &inner {
        Some((function, own, keywords)) => {
            // SAFETY: a tuple and a dict, held.
            let own = unsafe { tuple::items(own.as_word()) }.to_vec();
            let copy = unsafe { Owned::from_raw(vm.new_dict()?) };
            unsafe {
                crate::object::dict_methods::merge(vm, copy.as_ptr(), keywords.as_word(), true)?;
            }
            (function.as_word(), own, copy)
        }
        None => (*function, Vec::new(), unsafe {
            Owned::from_raw(vm.new_dict()?)
        }),
    };
    // The new arguments fill the gaps of the inner ones first.
    let mut given = given.iter();
    for slot in all.iter_mut().filter(|slot| is_placeholder(vm, **slot)) {
        match given.next() {
            Some(value) => *slot = *value,
            None => break,
        }
    }
    all.extend(given);
    let gaps = all.iter().filter(|arg| is_placeholder(vm, **arg)).count();
    for (name, value) in names.iter().zip(values) {
        // SAFETY: a new dict.
        unsafe { dict::set_item(vm, keywords.as_ptr::<DictObject>(), *name, *value)? };
    }
    let all = vm.new_tuple(&all)?;
    record::new(vm, ty, |header| Partial {
        header,
        function: place_ref(function),
        args: place(all),
        keywords: place(keywords),
        dict: Cell::new(None),
        gaps: Cell::new(gaps),
    })
}

fn call_partial(vm: Vm, this: Word, args: Args<'_>, kwnames: Option<Word>) -> PyResult {
    let this = record::of::<Partial>(this);
    let (Some(function), Some(own), Some(keywords)) =
        (held(&this.function), held(&this.args), held(&this.keywords))
    else {
        return Err(vm.type_error("partial object without a function"));
    };
    // SAFETY: a tuple, held.
    let own = unsafe { tuple::items(own.as_word()) };
    let names = args::keyword_names(kwnames);
    let given = args.len() - names.len();
    let gaps = this.gaps.get();
    if given < gaps {
        return Err(vm.type_error(format!(
            "missing positional arguments in 'partial' call; expected at least {gaps}, got {given}"
        )));
    }
    // SAFETY: a dict, held.
    let no_keywords = unsafe { (*keywords.as_ptr::<DictObject>()).is_empty() };
    if let [only] = own
        && gaps == 0
        && no_keywords
    {
        return call::call_prepend(vm, function.as_word(), *only, args, kwnames);
    }
    let mut all = Vec::new();
    all.try_reserve(1 + own.len() + args.len())
        .map_err(|_| vm.no_memory())?;
    // Room in front, for a bound method's instance.
    all.push(Word::NULL);
    let mut from = args.iter();
    for arg in own {
        if gaps > 0 && is_placeholder(vm, *arg) {
            all.extend(from.next());
        } else {
            all.push(*arg);
        }
    }
    let from = from.as_slice();
    all.extend_from_slice(&from[..from.len() - names.len()]);
    // SAFETY: a dict, held; its items are counted below while the call runs.
    let dict = keywords.as_ptr::<DictObject>();
    if no_keywords {
        all.extend_from_slice(&from[from.len() - names.len()..]);
        return call::vectorcall(
            vm,
            function.as_word(),
            Args::behind_first(&mut all),
            kwnames,
        );
    }
    let mut all_names: Vec<Owned> = Vec::new();
    let mut values: Vec<Owned> = Vec::new();
    let mut position = 0;
    while let Some((name, value, _)) = unsafe { dict::next(dict, &mut position) } {
        all_names.push(Owned::new_ref(name));
        values.push(Owned::new_ref(value));
    }
    for (name, value) in names.iter().zip(&from[from.len() - names.len()..]) {
        match all_names
            .iter()
            .position(|own| str::equal(own.as_word(), *name))
        {
            Some(index) => values[index] = Owned::new_ref(*value),
            None => {
                all_names.push(Owned::new_ref(*name));
                values.push(Owned::new_ref(*value));
            }
        }
    }
    all.extend(values.iter().map(Owned::as_word));
    let names = vm.tuple_from_owned(all_names)?;
    call::vectorcall(
        vm,
        function.as_word(),
        Args::behind_first(&mut all),
        Some(names.as_word()),
    )
}

fn bind(vm: Vm, this: Word, object: Option<Word>, _: Option<Word>) -> PyResult {
    match object {
        Some(object) if !object.is_none() => vm.new_method(this, object),
        _ => Ok(Owned::new_ref(this)),
    }
}

fn repr(vm: Vm, word: Word) -> PyResult {
    let this = record::of::<Partial>(word);
    // SAFETY: types are live as long as an instance.
    let name = unsafe { (*vm.type_of(word)).full_name() };
    if this.header.has_flag(flag::IN_REPR) {
        return vm.new_str("...");
    }
    this.header.set_flag(flag::IN_REPR);
    let text = (|| -> Result<String, Raised> {
        let show = |word: Word| -> Result<String, Raised> {
            let text = protocol::repr(vm, word)?;
            Ok(str::to_string_lossy(text.as_word()))
        };
        let mut text = format!(
            "{name}({}",
            show(held(&this.function).unwrap_or(Owned::NONE).as_word())?
        );
        if let Some(own) = held(&this.args) {
            // SAFETY: a tuple, held.
            for arg in unsafe { tuple::items(own.as_word()) } {
                text += ", ";
                text += &show(*arg)?;
            }
        }
        if let Some(keywords) = held(&this.keywords) {
            let mut position = 0;
            // SAFETY: a dict, held; items are counted while they are shown.
            while let Some((name, value, _)) =
                unsafe { dict::next(keywords.as_ptr(), &mut position) }
            {
                let (name, value) = (Owned::new_ref(name), Owned::new_ref(value));
                let name = protocol::str(vm, name.as_word())?;
                text += &format!(", {}=", str::to_string_lossy(name.as_word()));
                text += &show(value.as_word())?;
            }
        }
        Ok(text + ")")
    })();
    this.header.clear_flag(flag::IN_REPR);
    vm.new_str(&text?)
}

/// For `copy`: class, the function, and the state that `__setstate__` takes.
fn reduce(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let this = record::of::<Partial>(word);
    let part = |place| held(place).unwrap_or(Owned::NONE);
    // SAFETY: types are live as long as an instance.
    let class = Owned::new_ref(unsafe { (*vm.type_of(word)).word() });
    let state = vm.tuple_from_owned(vec![
        part(&this.function),
        part(&this.args),
        part(&this.keywords),
        part(&this.dict),
    ])?;
    let function = vm.tuple_from_owned(vec![part(&this.function)])?;
    vm.tuple_from_owned(vec![class, function, state])
}
fn set_state(vm: Vm, word: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let this = record::of::<Partial>(word);
    // SAFETY: the caller keeps the tuple.
    let items = if tuple::is_tuple(args[0]) {
        unsafe { tuple::items(args[0]) }
    } else {
        &[]
    };
    let [function, own, keywords, dict] = *items else {
        return Err(vm.type_error("invalid partial state"));
    };
    let valid = call::is_callable(vm, function)
        && tuple::is_tuple(own)
        && (keywords.is_none() || dict::is_dict(keywords))
        && (dict.is_none() || dict::is_dict(dict));
    if !valid {
        return Err(vm.type_error("invalid partial state"));
    }
    // SAFETY: a tuple.
    let gaps = unsafe { tuple::items(own) }
        .iter()
        .filter(|arg| is_placeholder(vm, **arg))
        .count();
    let copy = unsafe { Owned::from_raw(vm.new_dict()?) };
    if !keywords.is_none() {
        // SAFETY: a new dict.
        unsafe { crate::object::dict_methods::merge(vm, copy.as_ptr(), keywords, true)? };
    }
    put(&this.function, Owned::new_ref(function));
    put(&this.args, Owned::new_ref(own));
    put(&this.keywords, copy);
    crate::object::exc::replace(&this.dict, Some(dict).filter(|dict| !dict.is_none()));
    this.gaps.set(gaps);
    Ok(Owned::NONE)
}
