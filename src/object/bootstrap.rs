//! Making a VM's types and constants, and taking them down (`pylifecycle.c`'s part for objects).

use super::dict::{self, KeysKind};
use super::exc::{Exceptions, HIERARCHY};
use super::exc_methods::{self, exception_size};
use super::header::{Header, Kind, Object, flag};
use super::names::Names;
use super::owned::{Owned, Raised};
use super::types::{self, TypeObject, TypeSpec, type_flag};
use super::vm::{Core, Vm};
use super::word::Word;
use super::{builtin_types, int, str};
use std::cell::{Cell, UnsafeCell};
use std::ptr::null_mut;

/// Fills the core. None when memory is short.
///
/// # Safety
/// As [`Vm::bootstrap`]; no Rust reference to the core is held.
pub(super) unsafe fn bootstrap(vm: Vm) -> Option<()> {
    let core = vm.as_ptr();
    // SAFETY: fields of the core are written through its pointer while nobody holds a reference to it.
    unsafe {
        // The types that making a type needs, first as bare blocks: their class is `type` and names are strings.
        let early = builtin_types::early_types(core);
        for (slot, spec, _) in &early {
            **slot = alloc_type(vm, spec)?;
        }
        for (slot, ..) in &early {
            (***slot).header.ty.set((*core).types.type_);
        }
        (*core).empty_keys = dict::new_keys(vm, 0, KeysKind::Unicode).ok()?;
        let empty = vm
            .alloc_sized::<super::tuple::TupleObject>(vm.types.tuple, super::tuple::ITEMS_OFFSET)
            .ok()?;
        (*empty).length = 0;
        (*empty).hash = Cell::new(-1);
        (*core).empty_tuple = Owned::from_raw(empty).into_slot();
        let empty = vm.alloc_str(0, 0).ok()?;
        (*core).empty_str = Owned::from_raw(empty).into_slot();
        for c in 0..256 {
            let string = vm.str_from_chars_exact(str::Chars::Four(&[c])).ok()?;
            (*core).latin1[c as usize] = vm.intern(string.as_word()).ok()?.into_slot();
        }
        drop(vm.intern(vm.empty_str).ok()?);
        (*core).names = Names::fill(vm)?;
        for (slot, spec, base) in &early {
            finish_type(
                vm,
                **slot,
                spec,
                if base.is_null() { null_mut() } else { **base },
            )
            .ok()?;
        }
        for (slot, spec, base) in builtin_types::other_types(core) {
            *slot = new_static_type(vm, &spec, *base).ok()?;
        }
        make_exceptions(vm)?;
        let error = exc_methods::alloc_exception(vm, vm.exc.MemoryError, &[]).ok()?;
        (*core).memory_error = error.into_slot();
        (*core).modules = vm.new_dict().ok()?;
    }
    Some(())
}

unsafe fn make_exceptions(vm: Vm) -> Option<()> {
    unsafe {
        let table = &raw mut (*vm.as_ptr()).exc as *mut *mut TypeObject;
        const _: () = assert!(size_of::<Exceptions>().is_multiple_of(8));
        for (index, &(name, base, members)) in HIERARCHY.iter().enumerate() {
            let base = match HIERARCHY[..index].iter().position(|other| other.0 == base) {
                Some(base) => *table.add(base),
                None => vm.types.object,
            };
            let spec = super::exc_types::spec(name, members, exception_size(members.len()));
            *table.add(index) = new_static_type(vm, &spec, base).ok()?;
        }
        // The one built-in type with two bases.
        let exc = &vm.exc;
        let (group, base_group) = (&*exc.ExceptionGroup, &*exc.BaseExceptionGroup);
        let bases = vm
            .new_tuple(&[base_group.word(), (*exc.Exception).word()])
            .ok()?;
        let mut mro = vec![group.word(), base_group.word()];
        mro.extend((*exc.Exception).mro_slice());
        let mro = vm.new_tuple(&mro).ok()?;
        for (cell, value) in [(&group.bases, bases), (&group.mro, mro)] {
            super::exc::replace(cell, Some(value.as_word()));
        }
        (*(*exc.Exception).subclasses.get()).push(exc.ExceptionGroup);
    }
    Some(())
}

/// A type's block with everything but name, dict and bases, counted once for the VM.
unsafe fn alloc_type(vm: Vm, spec: &TypeSpec) -> Option<*mut TypeObject> {
    unsafe {
        let block = vm
            .heap
            .alloc_object(size_of::<TypeObject>())?
            .cast::<TypeObject>()
            .as_ptr();
        block.write(TypeObject {
            header: Header {
                refcount: Cell::new(1),
                kind: Cell::new(Kind::TYPE),
                flags: Cell::new(if size_of::<TypeObject>() > super::heap::MAX_SMALL {
                    flag::LARGE
                } else {
                    0
                }),
                extra: Cell::new(0),
                ty: Cell::new(vm.types.type_),
            },
            vm,
            version: Cell::new(0),
            flags: Cell::new(spec.flags | type_flag::IMMUTABLETYPE),
            kind: spec.kind,
            basic_size: spec.basic_size as u32,
            item_size: spec.item_size as u32,
            extension: 0,
            dict_offset: spec.dict_offset as i32,
            values_offset: 0,
            versions_used: Cell::new(0),
            cached_keys: Cell::new(null_mut()),
            spec_init: Cell::new(None),
            spec_getitem: Cell::new(None),
            spec_getitem_version: Cell::new(0),
            slots: spec.slots,
            dict: null_mut(),
            mro: Cell::new(None),
            bases: Cell::new(None),
            base: Cell::new(null_mut()),
            static_name: Some(spec.name),
            name: Cell::new(Word::NULL),
            qualname: Cell::new(Word::NULL),
            subclasses: UnsafeCell::new(Vec::new()),
            member_offsets: UnsafeCell::new(Vec::new()),
        });
        Some(block)
    }
}

/// Names, dict, bases, MRO, inherited slots (`PyType_Ready`).
unsafe fn finish_type(
    vm: Vm,
    ty: *mut TypeObject,
    spec: &TypeSpec,
    base: *mut TypeObject,
) -> Result<(), Raised> {
    unsafe {
        let short = spec.name.rsplit('.').next().unwrap_or(spec.name);
        (*ty).name.set(vm.intern_str(short)?.into_slot());
        (*ty).qualname.set((*ty).name.get().dup().to_slot());
        (*ty).dict = vm.new_dict()?;
        (*ty).base.set(base);
        if base.is_null() {
            (*ty).bases.set(Some(vm.empty_tuple().into_slot()));
            (*ty)
                .mro
                .set(Some(vm.new_tuple(&[(*ty).word()])?.into_slot()));
        } else {
            (*ty)
                .bases
                .set(Some(vm.new_tuple(&[(*base).word()])?.into_slot()));
            let mut mro = vec![(*ty).word()];
            mro.extend((*base).mro_slice());
            (*ty).mro.set(Some(vm.new_tuple(&mro)?.into_slot()));
            (*(*base).subclasses.get()).push(ty);
            let base_slots = (*base).slots;
            (*ty).slots.inherit(&base_slots);
            // `object`'s `__new__` is not handed down to a built-in type (`type_ready_set_new`).
            if base == vm.types.object {
                (*ty).slots.new = spec.slots.new;
            }
            if (*ty).dict_offset == 0 {
                (*ty).dict_offset = (*base).dict_offset;
            }
        }
        if let Some((module, _)) = spec.name.rsplit_once('.') {
            let module = vm.intern_str(module)?;
            dict::set_str(vm, (*ty).dict, vm.names.__module__, module.as_word())?;
        }
        super::type_ready::fill_dict(vm, ty, spec)
    }
}

/// See [`Vm::new_type`].
pub(super) fn new_static_type(
    vm: Vm,
    spec: &TypeSpec,
    base: *mut TypeObject,
) -> Result<*mut TypeObject, Raised> {
    // SAFETY: a new type is ours until it is returned.
    unsafe {
        let ty = alloc_type(vm, spec).ok_or_else(|| vm.no_memory())?;
        finish_type(
            vm,
            ty,
            spec,
            if base.is_null() {
                vm.types.object
            } else {
                base
            },
        )?;
        Ok(ty)
    }
}

/// Drops what objects own outside the heap. Their blocks go with the heap.
///
/// # Safety
/// No object of the VM is used any more.
pub(super) unsafe fn tear_down(core: &mut Core) {
    super::word_debug::tear_down(core);
    core.heap.for_each_object(|object: *mut Object| unsafe {
        match (*object).kind().base() {
            Kind::INT => int::drop_payload(object),
            Kind::TYPE => types::drop_payload(object.cast()),
            _ => {}
        }
    });
}
