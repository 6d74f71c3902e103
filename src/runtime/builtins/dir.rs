//! `dir`: the names in the running namespace, or what an object says that it has (`_dir_locals`, `_dir_object`).

use super::attributes::call_special;
use super::evaluate;
use crate::object::{
    Kind, Owned, PyResult, Raised, TypeObject, Vm, Word, args, attr, call, dict, instance,
    list_sort, module,
};
use crate::object::{sequence, str};
use crate::runtime::thread::Thread;

pub fn dir(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    args::positional(vm, "dir", args, kwnames, 0, 1)?;
    let names = match args.first() {
        Some(object) => names_of(vm, *object)?,
        None => {
            let namespace = evaluate::current_locals(Thread::of(vm))?;
            let keys = attr::call_method(vm, namespace.as_word(), vm.names.keys, &[])?;
            sequence::collect(vm, keys.as_word())?
        }
    };
    let list = vm.list_from_owned(names)?;
    list_sort::sort(vm, list.as_word(), None, false)?;
    Ok(list)
}

/// What `__dir__` says, in whatever order.
pub fn names_of(vm: Vm, object: Word) -> Result<Vec<Owned>, Raised> {
    // A module may say itself what it has (`module_dir`).
    let own = if object.is_instance(Kind::MODULE) {
        // SAFETY: a live module.
        let own = unsafe { dict::get_str(module::dict_of(object), vm.names.__dir__) };
        own.map(Owned::new_ref)
    } else {
        None
    };
    let names = match own {
        Some(own) => Some(call::call(vm, own.as_word(), &[], None)?),
        None => call_special(vm, object, vm.names.__dir__, &[])?,
    };
    match names {
        Some(names) => sequence::collect(vm, names.as_word()),
        None => default_names(vm, object),
    }
}

/// `object.__dir__`, `type.__dir__` and `module.__dir__`: keys of the instance's dict and of its classes' dicts.
fn default_names(vm: Vm, object: Word) -> Result<Vec<Owned>, Raised> {
    let mut names: Vec<Owned> = Vec::new();
    // SAFETY: a dict just made.
    let seen: Owned = unsafe { Owned::from_raw(vm.new_dict()?) };
    let mut add = |dict: Word| {
        let mut position = 0;
        // SAFETY: the dict is live; strings as keys run no code.
        while let Some((key, _, _)) = unsafe { dict::next(dict.cast(), &mut position) } {
            if str::is_str(key) && unsafe { dict::get_item(vm, seen.as_ptr(), key) }?.is_none() {
                unsafe { dict::set_item(vm, seen.as_ptr(), key, Word::NONE) }?;
                names.push(Owned::new_ref(key));
            }
        }
        Ok(())
    };
    let class = if object.is_instance(Kind::TYPE) {
        object.cast::<TypeObject>()
    } else {
        vm.type_of(object)
    };
    if !object.is_instance(Kind::TYPE)
        && let Some(dict) = instance::instance_dict(vm, object)?
    {
        add(dict.as_word())?;
    }
    // A module shows what it holds, not what modules can do.
    if !object.is_instance(Kind::MODULE) {
        // SAFETY: types are live as long as an instance; so are those of the MRO.
        for ty in unsafe { (*class).mro_slice() } {
            add(unsafe { Word::from_borrowed((*ty.cast::<TypeObject>()).dict) })?;
        }
    }
    Ok(names)
}
