//! `itemgetter`, `attrgetter` and `methodcaller`.

use super::record::{self, held, place, record};
use crate::object::args;
use crate::object::types::{CallFn, NewFn, Slots, UnaryFn, type_flag};
use crate::object::vectorcall::Args;
use crate::object::{
    Kind, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, attr, call, protocol, sequence,
    str, tuple,
};

record! {
    /// What to get: a tuple. Of an attrgetter each item is a tuple of the names between dots.
    Getter { wanted, shown }
}
record! { MethodCaller { name, args, /** A tuple or nothing. */ names } }

pub(super) fn specs() -> [TypeSpec; 3] {
    [
        spec::<Getter>(
            "operator.itemgetter",
            new_itemgetter,
            get_items,
            |vm, this| getter_repr(vm, "operator.itemgetter", this),
        ),
        spec::<Getter>(
            "operator.attrgetter",
            new_attrgetter,
            get_attrs,
            |vm, this| getter_repr(vm, "operator.attrgetter", this),
        ),
        spec::<MethodCaller>(
            "operator.methodcaller",
            new_methodcaller,
            call_method,
            caller_repr,
        ),
    ]
}

fn spec<T: record::Record>(
    name: &'static str,
    new: NewFn,
    call: CallFn,
    repr: UnaryFn,
) -> TypeSpec {
    let (dealloc, traverse, clear) = record::memory_slots::<T>();
    TypeSpec {
        flags: type_flag::BASETYPE,
        ..TypeSpec::new::<T>(
            name,
            Kind::OTHER,
            Slots {
                dealloc,
                traverse,
                clear,
                repr: Some(repr),
                call: Some(call),
                new: Some(new),
                ..Slots::EMPTY
            },
        )
    }
}

fn held_tuple(place: &record::Place) -> Option<Owned> {
    held(place).filter(|held| tuple::is_tuple(held.as_word()))
}

/// One argument, as the getters and the caller take it.
fn single(vm: Vm, name: &str, args: &[Word], names: Option<Word>) -> Result<Word, Raised> {
    args::no_keywords(vm, name, names)?;
    args::check_positional(vm, name, args.len(), 1, 1)?;
    Ok(args[0])
}

fn at_least_one(vm: Vm, name: &str, args: &[Word]) -> Result<(), Raised> {
    args::check_positional(vm, name, args.len(), 1, args.len().max(1))
}

fn new_itemgetter(vm: Vm, ty: *mut TypeObject, args: &[Word], names: Option<Word>) -> PyResult {
    args::no_keywords(vm, "itemgetter", names)?;
    at_least_one(vm, "itemgetter", args)?;
    let wanted = vm.new_tuple(args)?;
    record::new(vm, ty, |header| Getter {
        header,
        shown: place(wanted.clone()),
        wanted: place(wanted),
    })
}
fn get_items(vm: Vm, this: Word, args: Args<'_>, names: Option<Word>) -> PyResult {
    let object = single(vm, "itemgetter", &args, names)?;
    get_each(vm, this, |key| sequence::get_item(vm, object, key))
}
/// The one thing wanted, or a tuple of them.
fn get_each(vm: Vm, this: Word, get: impl Fn(Word) -> PyResult) -> PyResult {
    let Some(wanted) = held_tuple(&record::of::<Getter>(this).wanted) else {
        return Ok(Owned::NONE);
    };
    // SAFETY: a tuple, held.
    let wanted = unsafe { tuple::items(wanted.as_word()) };
    if let [only] = wanted {
        return get(*only);
    }
    let items = wanted
        .iter()
        .map(|key| get(*key))
        .collect::<Result<Vec<_>, _>>()?;
    vm.tuple_from_owned(items)
}

fn new_attrgetter(vm: Vm, ty: *mut TypeObject, args: &[Word], names: Option<Word>) -> PyResult {
    args::no_keywords(vm, "attrgetter", names)?;
    at_least_one(vm, "attrgetter", args)?;
    let mut wanted = Vec::with_capacity(args.len());
    for arg in args {
        if !str::is_str(*arg) {
            return Err(vm.type_error("attribute name must be a string"));
        }
        let chars = str::chars(*arg);
        let mut path = Vec::new();
        let mut start = 0;
        for end in (0..=chars.len()).filter(|&at| at == chars.len() || chars.at(at) == 0x2e) {
            let name = vm.str_from_chars(chars.slice(start, end))?;
            path.push(vm.intern(name.as_word())?);
            start = end + 1;
        }
        wanted.push(vm.tuple_from_owned(path)?);
    }
    let wanted = vm.tuple_from_owned(wanted)?;
    let shown = vm.new_tuple(args)?;
    record::new(vm, ty, |header| Getter {
        header,
        wanted: place(wanted),
        shown: place(shown),
    })
}
fn get_attrs(vm: Vm, this: Word, args: Args<'_>, names: Option<Word>) -> PyResult {
    let object = single(vm, "attrgetter", &args, names)?;
    get_each(vm, this, |path| {
        let mut value = Owned::new_ref(object);
        // SAFETY: a tuple, held by the tuple of all paths.
        for name in unsafe { tuple::items(path) } {
            value = attr::get_attr(vm, value.as_word(), *name)?;
        }
        Ok(value)
    })
}

/// The reprs of a tuple's items.
fn reprs(vm: Vm, items: Word) -> Result<Vec<String>, Raised> {
    // SAFETY: a tuple that the caller holds.
    unsafe { tuple::items(items) }
        .iter()
        .map(|item| {
            let text = protocol::repr(vm, *item)?;
            Ok(str::to_string_lossy(text.as_word()))
        })
        .collect()
}
fn getter_repr(vm: Vm, name: &str, this: Word) -> PyResult {
    let texts = match held_tuple(&record::of::<Getter>(this).shown) {
        Some(shown) => reprs(vm, shown.as_word())?,
        None => Vec::new(),
    };
    vm.new_str(&format!("{name}({})", texts.join(", ")))
}

fn new_methodcaller(vm: Vm, ty: *mut TypeObject, args: &[Word], names: Option<Word>) -> PyResult {
    if args.len() == args::keyword_names(names).len() {
        return Err(vm.type_error("methodcaller needs at least one argument, the method name"));
    }
    if !str::is_str(args[0]) {
        return Err(vm.type_error("method name must be a string"));
    }
    let name = vm.intern(args[0])?;
    let rest = vm.new_tuple(&args[1..])?;
    record::new(vm, ty, |header| MethodCaller {
        header,
        name: place(name),
        args: place(rest),
        names: record::place_opt(names),
    })
}
fn call_method(vm: Vm, this: Word, args: Args<'_>, names: Option<Word>) -> PyResult {
    let object = single(vm, "methodcaller", &args, names)?;
    let this = record::of::<MethodCaller>(this);
    let (Some(name), Some(rest)) = (held(&this.name), held_tuple(&this.args)) else {
        return Ok(Owned::NONE);
    };
    let names = held(&this.names);
    let (method, unbound) = attr::get_method(vm, object, name.as_word())?;
    // SAFETY: a tuple, held.
    let rest = unsafe { tuple::items(rest.as_word()) };
    let names = names.as_ref().map(Owned::as_word);
    if unbound {
        return call::call_prepend(vm, method.as_word(), object, rest, names);
    }
    call::call(vm, method.as_word(), rest, names)
}
fn caller_repr(vm: Vm, this: Word) -> PyResult {
    let this = record::of::<MethodCaller>(this);
    let (Some(name), Some(rest)) = (held(&this.name), held_tuple(&this.args)) else {
        return vm.new_str("operator.methodcaller()");
    };
    let name = protocol::repr(vm, name.as_word())?;
    let mut texts = vec![str::to_string_lossy(name.as_word())];
    texts.extend(reprs(vm, rest.as_word())?);
    if let Some(names) = held_tuple(&this.names) {
        // SAFETY: a tuple, held.
        let names = unsafe { tuple::items(names.as_word()) };
        let first = texts.len() - names.len();
        for (text, name) in texts[first..].iter_mut().zip(names) {
            *text = format!("{}={text}", str::to_string_lossy(*name));
        }
    }
    vm.new_str(&format!("operator.methodcaller({})", texts.join(", ")))
}
