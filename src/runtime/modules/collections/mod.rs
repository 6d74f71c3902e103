//! `_collections` (`_collectionsmodule.c`, `odictobject.c`): what `collections` has natively. The rest of it is
//! `py/collections.py`.

mod count;
mod defaultdict;
mod deque;
mod deque_iter;
mod deque_methods;
mod ordered_dict;
mod tuplegetter;

use super::{add_type, with_functions};
use crate::object::descr::{MethodDef, meth};
use crate::object::types::HashFn;
use crate::object::{PyResult, Vm};
use crate::runtime::thread::Thread;

static FUNCTIONS: [MethodDef; 1] = [MethodDef::new(
    "_count_elements",
    meth::FASTCALL,
    count::count_elements,
)];

pub(super) fn make(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = with_functions(vm, "_collections", &FUNCTIONS)?;
    let types = &ts.module_types;
    let (object, dict) = (vm.types.object, vm.types.dict);
    for (place, spec, base) in [
        (&types.deque, deque::spec(vm), object),
        (&types.deque_iterator, deque_iter::spec(), object),
        (
            &types.deque_reverse_iterator,
            deque_iter::reverse_spec(),
            object,
        ),
        (&types.defaultdict, defaultdict::spec(), dict),
        (&types.ordered_dict, ordered_dict::spec(), dict),
        (&types.tuplegetter, tuplegetter::spec(), object),
    ] {
        place.set(add_type(vm, Some(&module), &spec, base)?);
    }
    Ok(module)
}

/// What stands in the hash slot of a type whose instances change.
fn unhashable(vm: Vm) -> Option<HashFn> {
    // SAFETY: built-in types live as long as the VM.
    unsafe { (*vm.types.list).slots.hash }
}
