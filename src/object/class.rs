//! Making classes: `type.__new__`, the MRO, the slots of a class (`type_new`, `mro_implementation`,
//! `update_slot` of `typeobject.c`).

use super::args;
use super::attr;
use super::call;
use super::class_layout::{self, Layout};
use super::descr::BuiltinFunctionObject;
use super::dict::{self, DictObject};
use super::generic_slots as generic;
use super::header::Kind;
use super::owned::{Owned, PyResult, Raised};
use super::slot_defs::{SLOT_DEFS, SlotDef};
use super::types::{NewFn, Slots, TypeObject};
use super::vm::Vm;
use super::word::Word;
use super::wrapper_types::WrapperDescriptorObject;
use super::{property, str, tuple, type_object};
use std::ptr::fn_addr_eq;

/// Whether a name begins and ends with two underscores.
pub fn is_dunder(name: Word) -> bool {
    str::as_ascii(name)
        .is_some_and(|name| name.len() > 4 && name.starts_with("__") && name.ends_with("__"))
}

/// `type(name, bases, namespace, **keywords)`.
pub(super) fn type_new(
    vm: Vm,
    metatype: *mut TypeObject,
    args: &[Word],
    kwnames: Option<Word>,
) -> PyResult {
    let positional = args.len() - args::keyword_names(kwnames).len();
    if metatype == vm.types.type_ && positional == 1 {
        if args.len() > 1 {
            return Err(vm.type_error("type() takes no keyword arguments"));
        }
        // SAFETY: types are live as long as an instance.
        return Ok(Owned::new_ref(unsafe { (*vm.type_of(args[0])).word() }));
    }
    if positional != 3 {
        if metatype == vm.types.type_ && positional != 1 {
            return Err(vm.type_error("type() takes 1 or 3 arguments"));
        }
        return Err(vm.type_error(format!(
            "type.__new__() takes exactly 3 arguments ({positional} given)"
        )));
    }
    let (name, bases, namespace) = (args[0], args[1], args[2]);
    let expect = |index: u32, right: bool, what: &str, word: Word| {
        if right {
            return Ok(());
        }
        Err(vm.type_error(format!(
            "type.__new__() argument {index} must be {what}, not {}",
            vm.argument_type(word)
        )))
    };
    expect(1, str::is_str(name), "str", name)?;
    expect(2, tuple::is_tuple(bases), "tuple", bases)?;
    expect(3, dict::is_dict(namespace), "dict", namespace)?;
    // SAFETY: the arguments are kept by the caller, the rest by handles.
    unsafe {
        let winner = calculate_metaclass(vm, metatype, bases)?;
        if winner != metatype
            && let Some(new) = (*winner).slots.new
            && !fn_addr_eq(new, type_new as NewFn)
        {
            return new(vm, winner, args, kwnames);
        }
        let bases = if tuple::items(bases).is_empty() {
            vm.new_tuple(&[(*vm.types.object).word()])?
        } else {
            Owned::new_ref(bases)
        };
        let base = class_layout::best_base(vm, bases.as_word())?;
        let class = build(vm, winner, name, bases, base, namespace)?;
        set_names(vm, class.as_word())?;
        init_subclass(vm, class.as_word(), &args[3..], kwnames)?;
        Ok(class)
    }
}

/// The most derived metaclass among that asked for and those of the bases (`_PyType_CalculateMetaclass`).
///
/// # Safety
/// `bases` is a live tuple, `metatype` a live type.
pub unsafe fn calculate_metaclass(
    vm: Vm,
    metatype: *mut TypeObject,
    bases: Word,
) -> Result<*mut TypeObject, Raised> {
    let mut winner = metatype;
    for &base in unsafe { tuple::items(bases) } {
        let candidate = vm.type_of(base);
        // SAFETY: types are live as long as an instance.
        unsafe {
            if (*winner).is_subtype(candidate) {
                continue;
            }
            if (*candidate).is_subtype(winner) {
                winner = candidate;
                continue;
            }
        }
        return Err(vm.type_error(
            "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses \
             of all its bases",
        ));
    }
    Ok(winner)
}

/// The type object with everything that its namespace decides.
unsafe fn build(
    vm: Vm,
    metatype: *mut TypeObject,
    name: Word,
    bases: Owned,
    base: *mut TypeObject,
    namespace: Word,
) -> PyResult {
    unsafe {
        if str::chars(name).iter().any(|c| c == 0) {
            return Err(vm.value_error("type name must not contain null characters"));
        }
        let names = &vm.names;
        let dict = super::dict_methods::copy(vm, namespace.cast())?;
        let attributes = dict.as_ptr::<DictObject>();
        let qualname = match remove_str(vm, attributes, names.__qualname__)? {
            Some(qualname) if !str::is_str(qualname.as_word()) => {
                return Err(vm.type_error(format!(
                    "type __qualname__ must be a str, not {}",
                    vm.type_name(qualname.as_word())
                )));
            }
            Some(qualname) => qualname,
            None => Owned::new_ref(name),
        };
        let layout = class_layout::decide(vm, base, bases.as_word(), attributes, name)?;
        if dict::get_str(attributes, names.__module__).is_none()
            && let Some(globals) = (vm.hooks.get().current_globals)(vm)
            && let Some(module) = dict::get_str(globals.as_ptr(), names.__name__)
        {
            dict::set_str(vm, attributes, names.__module__, module)?;
        }
        if dict::get_str(attributes, names.__doc__).is_none() {
            dict::set_str(vm, attributes, names.__doc__, Word::NONE)?;
        }
        let wrap = |key: Word, make: fn(Vm, Word) -> PyResult| -> Result<(), Raised> {
            match dict::get_str(attributes, key) {
                Some(function) if function.is_exact(Kind::FUNCTION) => {
                    let wrapped = make(vm, function)?;
                    dict::set_str(vm, attributes, key, wrapped.as_word())
                }
                _ => Ok(()),
            }
        };
        wrap(names.__new__, property::new_staticmethod)?;
        wrap(names.__init_subclass__, property::new_classmethod)?;
        wrap(names.__class_getitem__, property::new_classmethod)?;
        if dict::get_str(attributes, names.__eq__).is_some()
            && dict::get_str(attributes, names.__hash__).is_none()
        {
            dict::set_str(vm, attributes, names.__hash__, Word::NONE)?;
        }
        let cells = [
            remove_str(vm, attributes, names.__classcell__)?,
            remove_str(vm, attributes, names.__classdictcell__)?,
        ];
        for (cell, name) in cells.iter().zip(["__classcell__", "__classdictcell__"]) {
            if let Some(cell) = cell
                && !cell.as_word().is_exact(Kind::CELL)
            {
                return Err(vm.type_error(format!(
                    "{name} must be a nonlocal cell, not <class '{}'>",
                    (*vm.type_of(cell.as_word())).full_name()
                )));
            }
        }
        let name = super::str_text::exact(vm, name)?;
        let class =
            class_layout::alloc_class(vm, metatype, name, qualname, bases, base, dict, &layout)?;
        let ty = class.as_ptr::<TypeObject>();
        add_slot_members(vm, ty, &layout)?;
        let mro = find_mro(vm, class.as_word())?;
        (*ty).mro.set(Some(mro.into_slot()));
        for &base in (*ty).bases_slice() {
            (*(*base.cast::<TypeObject>()).subclasses.get()).push(ty);
        }
        fill_slots(ty);
        for (cell, value) in cells.iter().zip([class.as_word(), namespace]) {
            if let Some(cell) = cell {
                super::exc::replace(
                    &(*cell.as_ptr::<super::descr::CellObject>()).value,
                    Some(value),
                );
            }
        }
        Ok(class)
    }
}

unsafe fn remove_str(vm: Vm, dict: *mut DictObject, key: Word) -> Result<Option<Owned>, Raised> {
    unsafe { dict::remove(vm, dict, key, str::hash(vm, key)) }
}

/// Descriptors for `__slots__`, `__dict__` and `__weakref__`.
unsafe fn add_slot_members(vm: Vm, ty: *mut TypeObject, layout: &Layout) -> Result<(), Raised> {
    unsafe {
        for (name, offset) in &layout.members {
            let member = vm.new_member_descriptor(ty, name.as_word(), *offset, false, true)?;
            dict::set_str(vm, (*ty).dict, name.as_word(), member.as_word())?;
        }
        if layout.adds_dict {
            let descriptor = vm.new_getset_descriptor(&super::object_type::DICT_GETSET, ty)?;
            dict::set_str(vm, (*ty).dict, vm.names.__dict__, descriptor.as_word())?;
        }
        if layout.adds_weakref {
            let descriptor = vm.new_getset_descriptor(&super::object_type::WEAKREF_GETSET, ty)?;
            dict::set_str(vm, (*ty).dict, vm.names.__weakref__, descriptor.as_word())?;
        }
        Ok(())
    }
}

/// Tells attributes their name (`type_new_set_names`).
fn set_names(vm: Vm, class: Word) -> Result<(), Raised> {
    // SAFETY: the class is live; the items are counted while methods run.
    unsafe {
        let dict = type_object::object(class).dict;
        let (mut items, mut position) = (Vec::new(), 0);
        while let Some((key, value, _)) = dict::next(dict, &mut position) {
            if (*vm.type_of(value)).lookup(vm.names.__set_name__).is_some() {
                items.push((Owned::new_ref(key), Owned::new_ref(value)));
            }
        }
        for (key, value) in items {
            if let Err(raised) = generic::call_special(
                vm,
                value.as_word(),
                vm.names.__set_name__,
                &[class, key.as_word()],
            ) {
                let repr = super::protocol::repr(vm, key.as_word());
                let note = repr.map(|repr| {
                    format!(
                        "Error calling __set_name__ on '{}' instance {} in '{}'",
                        vm.type_name(value.as_word()),
                        str::to_string_lossy(repr.as_word()),
                        type_object::object(class).name_string()
                    )
                });
                if let Ok(note) = note {
                    super::exc_methods::add_note_to_current(vm, &note);
                }
                return Err(raised);
            }
        }
        Ok(())
    }
}

/// `super(cls, cls).__init_subclass__(**keywords)`.
fn init_subclass(
    vm: Vm,
    class: Word,
    values: &[Word],
    kwnames: Option<Word>,
) -> Result<(), Raised> {
    let method = super::super_object::lookup(vm, class.cast(), class, vm.names.__init_subclass__)?;
    match method {
        Some(method) => call::call(vm, method.as_word(), values, kwnames).map(drop),
        None => Ok(()),
    }
}

// ---- the MRO

/// The MRO of a class: by its metaclass's `mro()` if that is overridden (`mro_invoke`).
pub(super) fn find_mro(vm: Vm, class: Word) -> PyResult {
    let metatype = vm.type_of(class);
    let mro = if metatype == vm.types.type_ {
        compute_mro(vm, class.cast())?
    } else {
        let answer = generic::call_special(vm, class, vm.names.mro, &[])?;
        let items = super::sequence::collect(vm, answer.as_word())?;
        for item in &items {
            if !item.as_word().is_instance(Kind::TYPE) {
                return Err(vm.type_error(format!(
                    "mro() returned a non-class ('{}')",
                    vm.type_name(item.as_word())
                )));
            }
            // SAFETY: types, which the list keeps.
            if !unsafe { class_layout::suits(class.cast(), item.as_ptr()) } {
                return Err(vm.type_error(format!(
                    "mro() returned base with unsuitable layout ('{}')",
                    type_object::object(item.as_word()).name_string()
                )));
            }
        }
        items
    };
    if mro.is_empty() {
        return Err(vm.type_error("type MRO must not be empty"));
    }
    vm.tuple_from_owned(mro)
}

/// C3 linearisation of the bases (`mro_implementation`).
pub(super) fn compute_mro(vm: Vm, ty: *mut TypeObject) -> Result<Vec<Owned>, Raised> {
    // SAFETY: the class and the types of its bases' MROs are live.
    unsafe {
        let bases = (*ty).bases_slice();
        let mut mro = vec![Owned::new_ref((*ty).word())];
        for (index, base) in bases.iter().enumerate() {
            if bases[index + 1..].iter().any(|other| other.is(*base)) {
                let name = type_object::object(*base).name_string();
                return Err(vm.type_error(format!("duplicate base class {name}")));
            }
        }
        let mut sequences: Vec<Vec<Word>> = bases
            .iter()
            .map(|base| type_object::object(*base).mro_slice().to_vec())
            .collect();
        sequences.push(bases.to_vec());
        loop {
            sequences.retain(|sequence| !sequence.is_empty());
            if sequences.is_empty() {
                return Ok(mro);
            }
            // The first head that is in no tail.
            let next = sequences.iter().map(|sequence| sequence[0]).find(|head| {
                !sequences
                    .iter()
                    .any(|sequence| sequence[1..].iter().any(|other| other.is(*head)))
            });
            let Some(next) = next else {
                let mut names: Vec<String> = Vec::new();
                for sequence in &sequences {
                    let name = type_object::object(sequence[0]).name_string();
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                return Err(vm.type_error(format!(
                    "Cannot create a consistent method resolution order (MRO) for bases {}",
                    names.join(", ")
                )));
            };
            mro.push(Owned::new_ref(next));
            for sequence in &mut sequences {
                if sequence[0].is(next) {
                    sequence.remove(0);
                }
            }
        }
    }
}

// ---- slots

/// Fills a class's slots from what its MRO defines (`fixup_slot_dispatchers`).
///
/// # Safety
/// `ty` is a class with its MRO.
unsafe fn fill_slots(ty: *mut TypeObject) {
    unsafe {
        let vm = (*ty).vm;
        let base = (*ty).base.get();
        let mut slots = (*base).slots;
        slots.dealloc = class_layout::subtype_dealloc;
        slots.traverse = Some(class_layout::subtype_traverse);
        slots.clear = Some(class_layout::subtype_clear);
        let mut index = 0;
        while index < SLOT_DEFS.len() {
            let group = SLOT_DEFS[index].group;
            let end = index
                + SLOT_DEFS[index..]
                    .iter()
                    .take_while(|def| def.group == group)
                    .count();
            fill_group(vm, ty, &SLOT_DEFS[index..end], &mut slots);
            index = end;
        }
        slots.power_mod = match slots.nb[super::number::nb::POWER] {
            Some(slot) if fn_addr_eq(slot, generic::pow as super::types::BinaryFn) => {
                Some(generic::power_mod)
            }
            _ => slots.power_mod,
        };
        if (*ty)
            .lookup_uncached(vm.names.__hash__)
            .is_some_and(Word::is_none)
        {
            slots.hash = Some(generic::unhashable);
        }
        slots.finalize = (*ty)
            .lookup_uncached(vm.names.__del__)
            .map(|_| generic::finalize as fn(Vm, Word));
        slots.new = match (*ty).lookup_uncached(vm.names.__new__) {
            Some(new) => Some(native_new(new).unwrap_or(generic::new)),
            None => slots.new,
        };
        (*ty).slots = slots;
    }
}

/// The `new` slot behind a built-in type's `__new__`.
fn native_new(word: Word) -> Option<NewFn> {
    if !word.is_exact(Kind::BUILTIN_FUNCTION) {
        return None;
    }
    // SAFETY: the kind has this layout; the function is bound to a type.
    unsafe {
        let function = word.cast::<BuiltinFunctionObject>();
        if !std::ptr::eq((*function).def, &super::type_ready::NEW) {
            return None;
        }
        (*(*function).self_?.cast::<TypeObject>()).slots.new
    }
}

unsafe fn fill_group(vm: Vm, ty: *mut TypeObject, group: &'static [SlotDef], slots: &mut Slots) {
    unsafe {
        let mut native: Option<*mut TypeObject> = None;
        let mut defined = false;
        for def in group {
            let Some(name) = vm.intern_static(def.name) else {
                return;
            };
            let Some(descriptor) = (*ty).lookup_uncached(name.as_word()) else {
                continue;
            };
            if descriptor.is_exact(Kind::WRAPPER_DESCRIPTOR) {
                let wrapper = descriptor.cast::<WrapperDescriptorObject>();
                // A wrapper of another slot under the same name says nothing about this one.
                if (*wrapper).def.group == def.group {
                    native = native.or(Some((*wrapper).owner));
                } else if (*wrapper).def.name != def.name {
                    // `__str__ = int.__repr__`: the method of another slot.
                    defined = true;
                }
            } else {
                defined = true;
            }
        }
        let def = &group[0];
        match native {
            _ if defined => (def.set_generic)(slots),
            Some(owner) => (def.copy)(slots, &(*owner).slots),
            None => (def.clear)(slots),
        }
    }
}

/// Fills slots anew after an attribute was set or deleted, here and in all subclasses (`update_slot`).
///
/// # Safety
/// `ty` is a live class.
pub(super) unsafe fn update_slots(ty: *mut TypeObject, name: Option<Word>) {
    unsafe {
        let affects = |name: Word| {
            let vm = (*ty).vm;
            name.is(vm.names.__new__)
                || name.is(vm.names.__del__)
                || SLOT_DEFS.iter().any(|def| str::equals(name, def.name))
        };
        if name.is_some_and(|name| !affects(name)) {
            return;
        }
        fill_slots(ty);
        for &subclass in &*(*ty).subclasses.get() {
            update_slots(subclass, None);
        }
    }
}

/// Calls `__prepare__` of a metaclass if it has one: the namespace of a class statement.
pub fn prepare(
    vm: Vm,
    metaclass: Word,
    name: Word,
    bases: Word,
    values: &[Word],
    kwnames: Option<Word>,
) -> PyResult {
    match attr::get_attr_opt(vm, metaclass, vm.names.__prepare__)? {
        Some(prepare) => {
            let mut all = vec![name, bases];
            all.extend_from_slice(values);
            call::call(vm, prepare.as_word(), &all, kwnames)
        }
        // SAFETY: a new dict's count passes to the handle.
        None => vm.new_dict().map(|dict| unsafe { Owned::from_raw(dict) }),
    }
}

#[cfg(test)]
mod tests {
    use crate::object::testing::TestVm;

    #[test]
    fn a_class_and_its_instances() {
        let t = TestVm::new();
        let vm = t.vm();
        let empty = unsafe { crate::object::Owned::from_raw(vm.new_dict().unwrap()) };
        let class = t
            .make(vm.types.type_, &[&t.s("C"), &t.tuple(&[]), &empty])
            .unwrap();
        assert_eq!(t.show(Ok(class.clone())), "<class 'C'>");
        let instance = t.make(class.as_ptr(), &[]).unwrap();
        assert_eq!(
            t.call_show(&instance, "__setattr__", &[&t.s("a"), &t.i(1)]),
            "None"
        );
        assert_eq!(
            t.call_show(&instance, "__setattr__", &[&t.s("b"), &t.s("x")]),
            "None"
        );
        assert_eq!(
            t.call_show(&instance, "__getattribute__", &[&t.s("a")]),
            "1"
        );
        assert_eq!(
            t.call_show(&instance, "__getattribute__", &[&t.s("__dict__")]),
            "{'a': 1, 'b': 'x'}"
        );
        assert_eq!(t.call_show(&instance, "__delattr__", &[&t.s("a")]), "None");
        assert_eq!(
            t.call_show(&instance, "__getattribute__", &[&t.s("a")]),
            "AttributeError: 'C' object has no attribute 'a'"
        );
        let list_class = unsafe { crate::object::Owned::from_borrowed(vm.types.list) };
        let derived = t
            .make(
                vm.types.type_,
                &[&t.s("L"), &t.tuple(&[list_class]), &empty],
            )
            .unwrap();
        let list = t.make(derived.as_ptr(), &[&t.s("ab")]).unwrap();
        assert_eq!(
            t.call_show(&list, "__setattr__", &[&t.s("a"), &t.i(1)]),
            "None"
        );
        assert_eq!(t.call_show(&list, "append", &[&list]), "None");
        assert_eq!(t.show(Ok(list.clone())), "['a', 'b', [...]]");
        assert_eq!(t.call_show(&list, "clear", &[]), "None");
        let tuple_class = unsafe { crate::object::Owned::from_borrowed(vm.types.tuple) };
        let derived = t
            .make(
                vm.types.type_,
                &[&t.s("T"), &t.tuple(&[tuple_class]), &empty],
            )
            .unwrap();
        let tuple = t.make(derived.as_ptr(), &[&t.s("abc")]).unwrap();
        assert_eq!(
            t.call_show(&tuple, "__setattr__", &[&t.s("a"), &t.i(1)]),
            "None"
        );
        assert_eq!(t.call_show(&tuple, "__getattribute__", &[&t.s("a")]), "1");
        assert_eq!(t.show(Ok(tuple)), "('a', 'b', 'c')");
        let bool_class = unsafe { crate::object::Owned::from_borrowed(vm.types.bool_) };
        assert_eq!(
            t.show(t.make(
                vm.types.type_,
                &[&t.s("B"), &t.tuple(&[bool_class]), &empty]
            )),
            "TypeError: type 'bool' is not an acceptable base type"
        );
    }
}
