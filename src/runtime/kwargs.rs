//! The starred arguments of calls: merging keywords (`_PyDict_MergeEx` with errors as `_PyEval_FormatKwargsError` says
//! them), gathering positional ones.

use crate::object::{
    Kind, Owned, PyResult, Raised, Vm, Word, attr, dict, dict_methods, sequence, str,
};

/// Adds the items of `update` to `dict`, arguments of a call of `callable`. A name that is there already, or that is no
/// string, is an error.
///
/// # Safety
/// `dict` is an exact dict and live.
pub unsafe fn merge(vm: Vm, callable: Word, dict: Word, update: Word) -> Result<(), Raised> {
    unsafe {
        let add = |key: Word, value: Word| {
            let hash = dict::hash_key(vm, key)?;
            if dict::get_item_hash(vm, dict.cast(), key, hash)?.is_some() {
                return Err(repeated(vm, callable, key));
            }
            dict::insert(vm, dict.cast(), key, hash, Owned::new_ref(value))
        };
        if update.is_exact(Kind::DICT) {
            let mut position = 0;
            while let Some((key, value, _)) = dict::next(update.cast(), &mut position) {
                let (key, value) = (Owned::new_ref(key), Owned::new_ref(value));
                add(key.as_word(), value.as_word())?;
            }
            return Ok(());
        }
        let merged = (|| {
            for key in dict_methods::keys_of(vm, update)? {
                let value = sequence::get_item(vm, update, key.as_word())?;
                add(key.as_word(), value.as_word())?;
            }
            Ok(())
        })();
        dict_methods::merged_mapping(vm, merged, || {
            let function = function_text(vm, callable)?;
            let name = vm.type_name(update);
            Ok(format!(
                "{function} argument after ** must be a mapping, not {name}"
            ))
        })
    }
}

#[cold]
fn repeated(vm: Vm, callable: Word, key: Word) -> Raised {
    let function = match function_text(vm, callable) {
        Ok(text) => text,
        Err(raised) => return raised,
    };
    if !str::is_str(key) {
        return vm.type_error(format!("{function} keywords must be strings"));
    }
    let key = str::to_string_lossy(key);
    vm.type_error(format!(
        "{function} got multiple values for keyword argument '{key}'"
    ))
}

/// The positional arguments of `callable(*args)` (`check_args_iterable`, `PySequence_Tuple`).
pub fn star_args(vm: Vm, callable: Word, args: Word) -> PyResult {
    // SAFETY: types are live as long as an instance.
    let slots = unsafe { &(*vm.type_of(args)).slots };
    if slots.iter.is_none() && slots.getitem.is_none() {
        let function = function_text(vm, callable)?;
        let name = vm.type_name(args);
        return Err(vm.type_error(format!(
            "{function} argument after * must be an iterable, not {name}"
        )));
    }
    vm.tuple_from_owned(sequence::collect(vm, args)?)
}

/// How messages call a callable: `module.qualname()`, the module left out for builtins (`_PyObject_FunctionStr`).
pub fn function_text(vm: Vm, callable: Word) -> Result<String, Raised> {
    let Some(qualname) = attr::get_attr_opt(vm, callable, vm.names.__qualname__)? else {
        let text = crate::object::protocol::str(vm, callable)?;
        return Ok(str::to_string_lossy(text.as_word()));
    };
    let qualname = crate::object::protocol::str(vm, qualname.as_word())?;
    let qualname = str::to_string_lossy(qualname.as_word());
    if let Some(module) = attr::get_attr_opt(vm, callable, vm.names.__module__)?
        && !module.as_word().is_none()
        && !(str::is_str(module.as_word()) && str::equals(module.as_word(), "builtins"))
    {
        let module = crate::object::protocol::str(vm, module.as_word())?;
        return Ok(format!(
            "{}.{qualname}()",
            str::to_string_lossy(module.as_word())
        ));
    }
    Ok(format!("{qualname}()"))
}
