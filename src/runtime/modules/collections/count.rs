//! `_count_elements`: the loop of `Counter.update`.

use crate::object::dict::{self, DictObject};
use crate::object::number::{self, nb};
use crate::object::{Owned, PyResult, Vm, Word, args, attr, call, sequence};

pub(super) fn count_elements(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "_count_elements", args.len(), 2, 2)?;
    let mapping = args[0];
    let (get, set) = (vm.intern_str("get")?, vm.names.__setitem__);
    let zero = Word::int_unchecked(0);
    let one = Word::int_unchecked(1);
    // SAFETY: types are live as long as an instance.
    let plain = dict::is_dict(mapping)
        && unsafe {
            let (own, base) = (vm.type_of(mapping), vm.types.dict);
            (*own).lookup(get.as_word()) == (*base).lookup(get.as_word())
                && (*own).lookup(set) == (*base).lookup(set)
        };
    if plain {
        let counts = mapping.cast::<DictObject>();
        sequence::for_each(vm, args[1], |element| {
            let hash = dict::hash_key(vm, element.as_word())?;
            // SAFETY: the caller keeps the dict.
            unsafe {
                let old = dict::get_item_hash(vm, counts, element.as_word(), hash)?;
                let new = match old {
                    None => Owned::small_int(1),
                    Some(old) => {
                        let old = Owned::new_ref(old);
                        number::number_binary(vm, nb::ADD, old.as_word(), one)?
                    }
                };
                dict::insert(vm, counts, element.as_word(), hash, new)
            }
        })?;
        return Ok(Owned::NONE);
    }
    let get = attr::get_attr(vm, mapping, get.as_word())?;
    sequence::for_each(vm, args[1], |element| {
        let old = call::call(vm, get.as_word(), &[element.as_word(), zero], None)?;
        let new = number::number_binary(vm, nb::ADD, old.as_word(), one)?;
        sequence::set_item(vm, mapping, element.as_word(), new.as_word())
    })?;
    Ok(Owned::NONE)
}
