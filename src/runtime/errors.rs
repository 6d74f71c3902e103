//! Exceptions that name what was missing (`_PyEval_FormatExcCheckArg`, `_PyEval_FormatExcUnbound`).

use super::code::CodeObject;
use crate::bytecode::spec::local_kind;
use crate::object::exc::{self, field};
use crate::object::{Raised, TypeObject, Vm, Word, str};

/// `NameError: name 'x' is not defined`, with the name for a suggestion.
#[cold]
pub fn raise_name_error(vm: Vm, name: Word) -> Raised {
    let message = format!("name '{}' is not defined", str::to_string_lossy(name));
    raise_named(vm, vm.exc.NameError, &message, name)
}

/// A name or import error that knows the name it is about.
#[cold]
pub fn raise_named(vm: Vm, ty: *mut TypeObject, message: &str, name: Word) -> Raised {
    let raised = vm.raise(ty, message);
    if let Some(error) = vm.current_exception.get()
        && vm.is_instance(error, vm.exc.NameError)
    {
        // SAFETY: the type has that field.
        exc::replace(
            unsafe { exc::object(error).field(field::NAME_ERROR_NAME) },
            Some(name),
        );
    }
    raised
}

/// A local, cell or free variable without a value.
///
/// # Safety
/// `code` is live and `index` one of its locals.
#[cold]
pub unsafe fn raise_unbound(vm: Vm, code: *mut CodeObject, index: usize) -> Raised {
    // SAFETY: the caller's promise.
    let code = unsafe { &*code };
    let name = code.localsplusnames[index];
    let text = str::to_string_lossy(name);
    if code.spec.localspluskinds[index] & local_kind::FREE == 0 {
        let message = format!(
            "cannot access local variable '{text}' where it is not associated with a value"
        );
        return vm.raise(vm.exc.UnboundLocalError, message);
    }
    let message = format!(
        "cannot access free variable '{text}' where it is not associated with a value in enclosing scope"
    );
    raise_named(vm, vm.exc.NameError, &message, name)
}
