//! The wrapper that `lru_cache` makes (`lru_cache_object`). The results stand in a dict whose order is that of their
//! last use: a hit moves the item to the end, and the first one is the next to go.

use crate::object::args;
use crate::object::descr::{GetSetDef, MethodDef, meth};
use crate::object::dict::{self, DictObject};
use crate::object::types::{Slots, type_flag};
use crate::object::vectorcall::Args;
use crate::object::{
    Kind, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, call, instance, number, protocol,
};
use crate::runtime::modules::record::{self, held, place, place_ref, record};
use std::cell::Cell;

record! {
    LruCache {
        function,
        /// What `cache_info` calls with its four numbers.
        info,
        /// A dict.
        results,
        /// Stands between positional and keyword arguments in a key.
        mark,
        dict;
        /// `usize::MAX` for no limit.
        limit: usize,
        typed: bool,
        hits: Cell<usize>,
        misses: Cell<usize>
    }
}

static METHODS: [MethodDef; 5] = [
    MethodDef::new("cache_info", meth::NOARGS, info),
    MethodDef::new("cache_clear", meth::NOARGS, clear),
    MethodDef::new("__copy__", meth::NOARGS, |_, this, _, _| {
        Ok(Owned::new_ref(this))
    }),
    MethodDef::new("__deepcopy__", meth::O, |_, this, _, _| {
        Ok(Owned::new_ref(this))
    }),
    MethodDef::new("__reduce__", meth::NOARGS, |vm, this, _, _| {
        let name = vm.names.__qualname__;
        crate::object::attr::get_attr(vm, this, name)
    }),
];
static GETSET: [GetSetDef; 1] = [GetSetDef::new(
    "__dict__",
    |vm, this| Ok(instance::instance_dict(vm, this)?.unwrap_or(Owned::NONE)),
    None,
)];

pub(super) fn spec() -> TypeSpec {
    let (dealloc, traverse, clear) = record::memory_slots::<LruCache>();
    TypeSpec {
        flags: type_flag::BASETYPE | type_flag::WEAKREF | type_flag::METHOD_DESCRIPTOR,
        dict_offset: std::mem::offset_of!(LruCache, dict),
        methods: &METHODS,
        getset: &GETSET,
        ..TypeSpec::new::<LruCache>(
            "functools._lru_cache_wrapper",
            Kind::OTHER,
            Slots {
                dealloc,
                traverse,
                clear,
                call: Some(call_cached),
                descr_get: Some(|vm, this, object, _| match object {
                    Some(object) if !object.is_none() => vm.new_method(this, object),
                    _ => Ok(Owned::new_ref(this)),
                }),
                new: Some(new),
                ..Slots::EMPTY
            },
        )
    }
}

/// `_lru_cache_wrapper(user_function, maxsize, typed, cache_info_type)`.
fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    args::positional(vm, "_lru_cache_wrapper", args, kwnames, 4, 4)?;
    if !call::is_callable(vm, args[0]) {
        return Err(vm.type_error("the first argument must be callable"));
    }
    let limit = if args[1].is_none() {
        usize::MAX
    } else {
        if !number::is_index(vm, args[1]) {
            return Err(vm.type_error("maxsize should be integer or None"));
        }
        number::index_isize(vm, args[1])?.max(0) as usize
    };
    let typed = protocol::is_true(vm, args[2])?;
    // SAFETY: a dict just made.
    let results = unsafe { Owned::from_raw(vm.new_dict()?) };
    let mark = vm.new_list(&[])?;
    record::new(vm, ty, |header| LruCache {
        header,
        function: place_ref(args[0]),
        info: place_ref(args[3]),
        results: place(results),
        mark: place(mark),
        dict: Cell::new(None),
        limit,
        typed,
        hits: Cell::new(0),
        misses: Cell::new(0),
    })
}

/// The key of a call (`lru_cache_make_key`): a lone int or str stands for itself.
fn make_key(
    vm: Vm,
    this: &LruCache,
    args: &[Word],
    kwnames: Option<Word>,
) -> Result<(Owned, i64), Raised> {
    let names = args::keyword_names(kwnames);
    if !this.typed && names.is_empty() {
        if let [only] = args
            && (only.is_int() || only.is_exact(Kind::STR) || only.is_exact(Kind::INT))
        {
            return Ok((Owned::new_ref(*only), dict::hash_key(vm, *only)?));
        }
        let key = vm.new_tuple(args)?;
        let hash = protocol::hash(vm, key.as_word())?;
        return Ok((key, hash));
    }
    let (positional, values) = args.split_at(args.len() - names.len());
    let mut parts: Vec<Word> = positional.to_vec();
    let mark = held(&this.mark);
    // The mark is a list, which no hash may see: its place in the key is taken by its address.
    let mark = vm.new_int_usize(mark.map_or(0, |mark| mark.as_word().object() as usize))?;
    if !names.is_empty() {
        parts.push(mark.as_word());
        for (name, value) in names.iter().zip(values) {
            parts.extend([*name, *value]);
        }
    }
    if this.typed {
        for value in args {
            // SAFETY: types are live as long as an instance.
            parts.push(unsafe { (*vm.type_of(*value)).word() });
        }
    }
    let key = vm.new_tuple(&parts)?;
    let hash = protocol::hash(vm, key.as_word())?;
    Ok((key, hash))
}

fn call_cached(vm: Vm, word: Word, args: Args<'_>, kwnames: Option<Word>) -> PyResult {
    let this = record::of::<LruCache>(word);
    let (Some(function), Some(results)) = (held(&this.function), held(&this.results)) else {
        return Err(vm.type_error("cache without a function"));
    };
    let count = |counter: &Cell<usize>| counter.set(counter.get() + 1);
    if this.limit == 0 {
        count(&this.misses);
        return call::call(vm, function.as_word(), args, kwnames);
    }
    let (key, hash) = make_key(vm, this, &args, kwnames)?;
    let results = results.as_ptr::<DictObject>();
    // SAFETY: a dict, held.
    unsafe {
        if this.limit == usize::MAX {
            if let Some(result) = dict::get_item_hash(vm, results, key.as_word(), hash)? {
                count(&this.hits);
                return Ok(Owned::new_ref(result));
            }
        } else if let Some(result) = dict::remove(vm, results, key.as_word(), hash)? {
            count(&this.hits);
            dict::insert(vm, results, key.as_word(), hash, result.clone())?;
            return Ok(result);
        }
        count(&this.misses);
        let result = call::call(vm, function.as_word(), args, kwnames)?;
        // The call may have cached the same key.
        let known = dict::get_item_hash(vm, results, key.as_word(), hash)?.is_some();
        if !known {
            if (*results).len() >= this.limit
                && let Some((oldest, _, hash)) = dict::first(results)
            {
                let oldest = Owned::new_ref(oldest);
                drop(dict::remove(vm, results, oldest.as_word(), hash)?);
            }
            dict::insert(vm, results, key.as_word(), hash, result.clone())?;
        }
        Ok(result)
    }
}

fn info(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let this = record::of::<LruCache>(word);
    let info = held(&this.info).unwrap_or(Owned::NONE);
    let limit = match this.limit {
        usize::MAX => Owned::NONE,
        limit => vm.new_int_usize(limit)?,
    };
    // SAFETY: a dict, held by the cache.
    let used = held(&this.results).map_or(0, |results| unsafe {
        (*results.as_ptr::<DictObject>()).len()
    });
    let (hits, misses) = (
        vm.new_int_usize(this.hits.get())?,
        vm.new_int_usize(this.misses.get())?,
    );
    let used = vm.new_int_usize(used)?;
    let numbers = [
        hits.as_word(),
        misses.as_word(),
        limit.as_word(),
        used.as_word(),
    ];
    call::call(vm, info.as_word(), &numbers, None)
}
fn clear(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let this = record::of::<LruCache>(word);
    this.hits.set(0);
    this.misses.set(0);
    if let Some(results) = held(&this.results) {
        // SAFETY: a dict, held.
        unsafe { dict::clear(vm, results.as_ptr()) };
    }
    Ok(Owned::NONE)
}
