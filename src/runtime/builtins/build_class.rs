//! `__build_class__`: what a class statement calls (`builtin___build_class__`).

use crate::object::{
    Kind, Owned, PyResult, Raised, TypeObject, Vm, Word, args, attr, call, class, descr, sequence,
    str, tuple,
};
use crate::runtime::entry::run_body;
use crate::runtime::thread::Thread;

pub fn build_class(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let names = args::keyword_names(kwnames);
    let (positional, values) = args.split_at(args.len() - names.len());
    let [function, name, original @ ..] = positional else {
        return Err(vm.type_error("__build_class__: not enough arguments"));
    };
    if !function.is_exact(Kind::FUNCTION) {
        return Err(vm.type_error("__build_class__: func must be a function"));
    }
    if !str::is_str(*name) {
        return Err(vm.type_error("__build_class__: name is not a string"));
    }
    let original_bases = vm.new_tuple(original)?;
    let bases = resolve_bases(vm, original, &original_bases)?;

    // The keyword `metaclass` is ours, the others are the metaclass's.
    let mut metaclass = None;
    let (mut other_names, mut other_values) = (Vec::new(), Vec::new());
    for (key, value) in names.iter().zip(values) {
        if str::equals(*key, "metaclass") {
            metaclass = Some(*value);
        } else {
            other_names.push(Owned::new_ref(*key));
            other_values.push(*value);
        }
    }
    let other_names = if other_names.is_empty() {
        None
    } else {
        Some(vm.tuple_from_owned(other_names)?)
    };
    let keywords = Keywords {
        names: other_names.as_ref().map(Owned::as_word),
        values: other_values,
    };

    let metaclass = match metaclass {
        // Whatever is callable may make the class.
        Some(given) if !given.is_instance(Kind::TYPE) => Owned::new_ref(given),
        given => {
            // SAFETY: the tuple is ours.
            let first = unsafe { tuple::items(bases.as_word()) }.first().copied();
            let own = match given {
                Some(given) => given.cast::<TypeObject>(),
                None => first.map_or(vm.types.type_, |first| vm.type_of(first)),
            };
            // SAFETY: live types; the bases are classes, or making the class will say that they are not.
            unsafe {
                Owned::new_ref((*class::calculate_metaclass(vm, own, bases.as_word())?).word())
            }
        }
    };
    let namespace = prepare(vm, metaclass.as_word(), *name, &bases, &keywords)?;
    // SAFETY: an exact function, whose code is a class body's.
    let cell = unsafe { run_body(Thread::of(vm), *function, namespace.as_word())? };
    if !bases.as_word().is(original_bases.as_word()) {
        sequence::set_item(
            vm,
            namespace.as_word(),
            vm.names.__orig_bases__,
            original_bases.as_word(),
        )?;
    }
    let class = keywords.call(
        vm,
        metaclass.as_word(),
        &[*name, bases.as_word(), namespace.as_word()],
    )?;
    if class.as_word().is_instance(Kind::TYPE) && cell.as_word().is_exact(Kind::CELL) {
        check_class_cell(vm, *name, class.as_word(), cell.as_word())?;
    }
    Ok(class)
}

/// Keyword arguments of the class statement, but for `metaclass`.
struct Keywords {
    names: Option<Word>,
    values: Vec<Word>,
}

impl Keywords {
    fn call(&self, vm: Vm, callable: Word, positional: &[Word]) -> PyResult {
        let all = [positional, &self.values].concat();
        call::call(vm, callable, &all, self.names)
    }
}

/// Bases that are no classes say by `__mro_entries__` what to use instead (`update_bases`).
fn resolve_bases(vm: Vm, bases: &[Word], original: &Owned) -> PyResult {
    let mut resolved: Vec<Owned> = Vec::new();
    let mut changed = false;
    for base in bases {
        if !base.is_instance(Kind::TYPE)
            && let Some(entries) = attr::get_attr_opt(vm, *base, vm.names.__mro_entries__)?
        {
            let entries = call::call_one(vm, entries.as_word(), original.as_word())?;
            if !tuple::is_tuple(entries.as_word()) {
                return Err(vm.type_error("__mro_entries__ must return a tuple"));
            }
            // SAFETY: a tuple that we hold.
            resolved.extend(
                unsafe { tuple::items(entries.as_word()) }
                    .iter()
                    .map(|entry| Owned::new_ref(*entry)),
            );
            changed = true;
        } else {
            resolved.push(Owned::new_ref(*base));
        }
    }
    if changed {
        vm.tuple_from_owned(resolved)
    } else {
        Ok(original.clone())
    }
}

/// The mapping that the body fills: what `__prepare__` gives, or a new dict.
fn prepare(vm: Vm, metaclass: Word, name: Word, bases: &Owned, keywords: &Keywords) -> PyResult {
    let namespace = class::prepare(
        vm,
        metaclass,
        name,
        bases.as_word(),
        &keywords.values,
        keywords.names,
    )?;
    // SAFETY: types are live as long as an instance.
    if unsafe { (*vm.type_of(namespace.as_word())).slots.getitem.is_some() } {
        return Ok(namespace);
    }
    let metaclass_name = if metaclass.is_instance(Kind::TYPE) {
        // SAFETY: a live type by its kind.
        unsafe { (*metaclass.cast::<TypeObject>()).name_string() }
    } else {
        "<metaclass>".into()
    };
    let got = vm.type_name(namespace.as_word());
    Err(vm.type_error(format!(
        "{metaclass_name}.__prepare__() must return a mapping, not {got}"
    )))
}

/// `type.__new__` has put the class into the cell that `super` and `__class__` read; a metaclass that keeps
/// `__classcell__` from it is told.
fn check_class_cell(vm: Vm, name: Word, class: Word, cell: Word) -> Result<(), Raised> {
    // SAFETY: a cell by its kind.
    let held = unsafe { (*cell.cast::<descr::CellObject>()).value.get() };
    if held.is_some_and(|held| held.is(class)) {
        return Ok(());
    }
    let name_text = crate::object::protocol::repr(vm, name)?;
    let class_text = crate::object::protocol::repr(vm, class)?;
    let (name_text, class_text) = (
        str::to_string_lossy(name_text.as_word()),
        str::to_string_lossy(class_text.as_word()),
    );
    match held {
        None => Err(vm.raise(
            vm.exc.RuntimeError,
            format!("__class__ not set defining {name_text} as {class_text}. Was __classcell__ propagated to type.__new__?"),
        )),
        Some(held) => {
            let held = crate::object::protocol::repr(vm, held)?;
            let held = str::to_string_lossy(held.as_word());
            Err(vm.type_error(format!("__class__ set to {held} defining {name_text} as {class_text}")))
        }
    }
}
