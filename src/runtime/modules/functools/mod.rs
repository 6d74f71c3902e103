//! `_functools` (`_functoolsmodule.c`): what `functools` has natively. The rest of it is `py/functools.py`.

mod cmp_key;
mod lru_cache;
mod partial;

use super::{add_type, set, with_functions};
use crate::object::args::Signature;
use crate::object::descr::{MethodDef, meth};
use crate::object::{Owned, PyResult, Vm, Word, call, sequence};
use crate::runtime::thread::Thread;

static FUNCTIONS: [MethodDef; 2] = [
    MethodDef::new(
        "cmp_to_key",
        meth::FASTCALL | meth::KEYWORDS,
        cmp_key::cmp_to_key,
    ),
    MethodDef::new("reduce", meth::FASTCALL | meth::KEYWORDS, reduce),
];

pub(super) fn make(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = with_functions(vm, "_functools", &FUNCTIONS)?;
    let types = &ts.module_types;
    let object = vm.types.object;
    types
        .partial
        .set(add_type(vm, Some(&module), &partial::spec(), object)?);
    types
        .placeholder
        .set(add_type(vm, None, &partial::placeholder_spec(), object)?);
    types
        .lru_cache
        .set(add_type(vm, Some(&module), &lru_cache::spec(), object)?);
    types
        .cmp_key
        .set(add_type(vm, None, &cmp_key::spec(), object)?);
    let placeholder = partial::new_placeholder(vm)?;
    set(vm, &module, "Placeholder", placeholder.as_word())?;
    Ok(module)
}

static REDUCE: Signature<3> =
    Signature::new("reduce", ["function", "iterable", "initial"], 2).positional_only(2);

fn reduce(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [function, iterable, initial] = REDUCE.unpack(vm, args, kwnames)?;
    let (function, iterable) = (
        function.unwrap_or(Word::NONE),
        iterable.unwrap_or(Word::NONE),
    );
    let iterator = match sequence::get_iter(vm, iterable) {
        Ok(iterator) => iterator,
        Err(raised) => {
            if vm.exception_matches(vm.exc.TypeError) {
                vm.clear_exception();
                return Err(vm.type_error("reduce() arg 2 must support iteration"));
            }
            return Err(raised);
        }
    };
    let mut result = initial.map(Owned::new_ref);
    while let Some(item) = sequence::next_unless_interrupted(vm, iterator.as_word())? {
        result = Some(match result {
            None => item,
            Some(result) => call::call(vm, function, &[result.as_word(), item.as_word()], None)?,
        });
    }
    result.ok_or_else(|| vm.type_error("reduce() of empty iterable with no initial value"))
}
