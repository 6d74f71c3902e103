//! The type parameters in a generic alias or a union, and what stands for them (`_Py_make_parameters`,
//! `_Py_subs_parameters`).

use super::header::Kind;
use super::owned::{Owned, PyResult, Raised};
use super::vm::Vm;
use super::word::Word;
use super::{attr, call, list, protocol, sequence, str, tuple};

fn attribute(vm: Vm, word: Word, name: &str) -> Result<Option<Owned>, Raised> {
    if word.is_instance(Kind::TYPE) {
        return Ok(None);
    }
    let name = vm.intern_str(name)?;
    attr::get_attr_opt(vm, word, name.as_word())
}

/// What an argument that is no parameter says of its own.
fn inner(vm: Vm, arg: Word) -> Result<Vec<Owned>, Raised> {
    match attribute(vm, arg, "__parameters__")? {
        Some(own) if tuple::is_tuple(own.as_word()) => sequence::collect(vm, own.as_word()),
        _ => Ok(Vec::new()),
    }
}

fn position(found: &[Owned], parameter: Word) -> Option<usize> {
    found.iter().position(|own| own.as_word().is(parameter))
}

fn collect(vm: Vm, args: &[Word], found: &mut Vec<Owned>) -> Result<(), Raised> {
    vm.check_stack("")?;
    for &arg in args {
        if attribute(vm, arg, "__typing_subst__")?.is_some() {
            if position(found, arg).is_none() {
                found.push(Owned::new_ref(arg));
            }
        } else if list::is_list(arg) || tuple::is_tuple(arg) {
            let parts = sequence::collect(vm, arg)?;
            let parts: Vec<Word> = parts.iter().map(Owned::as_word).collect();
            collect(vm, &parts, found)?;
        } else {
            for own in inner(vm, arg)? {
                if position(found, own.as_word()).is_none() {
                    found.push(own);
                }
            }
        }
    }
    Ok(())
}

/// `__parameters__`, a tuple.
pub(super) fn parameters(vm: Vm, args: &[Word]) -> PyResult {
    let mut found = Vec::new();
    collect(vm, args, &mut found)?;
    vm.tuple_from_owned(found)
}

/// The arguments of `alias` with those of `item` in the place of its parameters, a tuple.
pub(super) fn substitute(vm: Vm, alias: Word, args: &[Word], item: Word) -> PyResult {
    let mut parameters = Vec::new();
    collect(vm, args, &mut parameters)?;
    let shown = || {
        let text = protocol::repr(vm, alias)?;
        Ok::<_, Raised>(str::to_string_lossy(text.as_word()))
    };
    if parameters.is_empty() {
        return Err(vm.type_error(format!("{} is not a generic class", shown()?)));
    }
    let mut items = match tuple::is_tuple(item) {
        true => Owned::new_ref(item),
        false => vm.new_tuple(&[item])?,
    };
    for parameter in &parameters {
        let prepare = attribute(vm, parameter.as_word(), "__typing_prepare_subst__")?;
        if let Some(prepare) = prepare {
            let prepared = call::call(vm, prepare.as_word(), &[alias, items.as_word()], None)?;
            items = vm.tuple_from_owned(sequence::collect(vm, prepared.as_word())?)?;
        }
    }
    // SAFETY: a tuple that this keeps.
    let values = unsafe { tuple::items(items.as_word()) };
    if values.len() != parameters.len() {
        let amount = match values.len() > parameters.len() {
            true => "many",
            false => "few",
        };
        return Err(vm.type_error(format!(
            "Too {amount} arguments for {}; actual {}, expected {}",
            shown()?,
            values.len(),
            parameters.len()
        )));
    }
    replaced(vm, args, &parameters, values)
}

fn replaced(vm: Vm, args: &[Word], parameters: &[Owned], values: &[Word]) -> PyResult {
    vm.check_stack("")?;
    let mut new = Vec::with_capacity(args.len());
    for &arg in args {
        new.push(if let Some(index) = position(parameters, arg) {
            match attribute(vm, arg, "__typing_subst__")? {
                Some(subst) => call::call(vm, subst.as_word(), &[values[index]], None)?,
                None => Owned::new_ref(values[index]),
            }
        } else if list::is_list(arg) || tuple::is_tuple(arg) {
            let parts = sequence::collect(vm, arg)?;
            let parts: Vec<Word> = parts.iter().map(Owned::as_word).collect();
            let parts = replaced(vm, &parts, parameters, values)?;
            match list::is_list(arg) {
                true => vm.list_from_owned(sequence::collect(vm, parts.as_word())?)?,
                false => parts,
            }
        } else {
            let own = inner(vm, arg)?;
            if own.is_empty() {
                Owned::new_ref(arg)
            } else {
                let given = own
                    .iter()
                    .filter_map(|parameter| position(parameters, parameter.as_word()))
                    .map(|index| Owned::new_ref(values[index]))
                    .collect();
                let given = vm.tuple_from_owned(given)?;
                sequence::get_item(vm, arg, given.as_word())?
            }
        });
    }
    vm.tuple_from_owned(new)
}
