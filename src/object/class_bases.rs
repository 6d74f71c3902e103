//! Assigning `__bases__` of a class (`type_set_bases`).

use super::class;
use super::class_layout;
use super::header::Kind;
use super::owned::{Owned, Raised};
use super::tuple;
use super::type_object;
use super::types::{TypeObject, type_flag};
use super::vm::Vm;
use super::word::Word;

/// What an instance's layout follows from.
unsafe fn layout(ty: *mut TypeObject) -> (Kind, u32, u32, i32, bool) {
    unsafe {
        (
            (*ty).kind,
            (*ty).basic_size,
            (*ty).extension,
            (*ty).dict_offset,
            (*ty).has_flag(type_flag::INLINE_VALUES),
        )
    }
}

fn check(vm: Vm, class: Word, bases: Word) -> Result<*mut TypeObject, Raised> {
    let ty = type_object::object(class);
    let name = ty.name_string();
    if !tuple::is_tuple(bases) {
        return Err(vm.type_error(format!(
            "can only assign tuple to {name}.__bases__, not {}",
            vm.type_name(bases)
        )));
    }
    // SAFETY: the tuple is the caller's.
    let items = unsafe { tuple::items(bases) };
    if items.is_empty() {
        return Err(vm.type_error(format!(
            "can only assign non-empty tuple to {name}.__bases__, not ()"
        )));
    }
    for &item in items {
        if !item.is_instance(Kind::TYPE) {
            return Err(vm.type_error(format!(
                "{name}.__bases__ must be tuple of classes, not '{}'",
                vm.type_name(item)
            )));
        }
        if type_object::object(item).is_subtype(class.cast()) {
            return Err(vm.type_error("a __bases__ item causes an inheritance cycle"));
        }
    }
    // SAFETY: live types.
    unsafe {
        let base = class_layout::best_base(vm, bases)?;
        let old = ty.base.get();
        if layout(base) != layout(old) {
            return Err(vm.type_error(format!(
                "__bases__ assignment: '{}' object layout differs from '{}'",
                (*base).name_string(),
                (*old).name_string()
            )));
        }
        Ok(base)
    }
}

/// Gives the class and all below it their MROs anew; what they had is kept in `old`.
fn renew_mros(vm: Vm, class: Word, old: &mut Vec<(Owned, Option<Word>)>) -> Result<(), Raised> {
    vm.check_stack("")?;
    let mro = class::find_mro(vm, class)?;
    let ty = type_object::object(class);
    old.push((Owned::new_ref(class), ty.mro.replace(Some(mro.into_slot()))));
    // SAFETY: the subclasses are live; the handles keep them while `mro` methods run.
    let below: Vec<Owned> = unsafe {
        (*ty.subclasses.get())
            .iter()
            .map(|&subclass| Owned::from_borrowed(subclass))
            .collect()
    };
    below
        .iter()
        .try_for_each(|subclass| renew_mros(vm, subclass.as_word(), old))
}

unsafe fn leave_bases(ty: *mut TypeObject, bases: Word) {
    unsafe {
        for base in tuple::items(bases) {
            let siblings = &mut *(*base.cast::<TypeObject>()).subclasses.get();
            siblings.retain(|&sibling| sibling != ty);
        }
    }
}

/// `class.__bases__ = bases`, for a class that may be changed.
pub(super) fn assign(vm: Vm, class: Word, bases: Word) -> Result<(), Raised> {
    let base = check(vm, class, bases)?;
    let ty: *mut TypeObject = class.cast();
    // SAFETY: live types; the old tuple is kept until nothing refers to it.
    unsafe {
        let old_base = (*ty).base.replace(base);
        let old_bases = (*ty)
            .bases
            .replace(Some(Owned::new_ref(bases).into_slot()))
            .map(|word| Owned::from_slot(word));
        let mut old_mros = vec![];
        if let Err(raised) = renew_mros(vm, class, &mut old_mros) {
            for (class, mro) in old_mros {
                let failed = type_object::object(class.as_word()).mro.replace(mro);
                drop(failed.map(|word| Owned::from_slot(word)));
            }
            (*ty).base.set(old_base);
            let failed = (*ty).bases.replace(old_bases.map(Owned::into_slot));
            drop(failed.map(|word| Owned::from_slot(word)));
            return Err(raised);
        }
        if let Some(old_bases) = &old_bases {
            leave_bases(ty, old_bases.as_word());
        }
        for base in tuple::items(bases) {
            let siblings = &mut *(*base.cast::<TypeObject>()).subclasses.get();
            if !siblings.contains(&ty) {
                siblings.push(ty);
            }
        }
        (*ty).modified();
        class::update_slots(ty, None);
        for (_, mro) in old_mros {
            drop(mro.map(|word| Owned::from_slot(word)));
        }
    }
    Ok(())
}
