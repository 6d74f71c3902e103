//! Behaviour of native functions and descriptors as Python objects (`methodobject.c`, `descrobject.c`).

use super::attr;
use super::call;
use super::descr::{
    BuiltinFunctionObject, GetSetDef, GetSetDescriptorObject, MemberDescriptorObject,
    MethodDescriptorObject, is_method_self,
};
use super::dict;
use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::str;
use super::types::{Slots, TypeObject, TypeSpec, type_flag};
use super::vectorcall::Args;
use super::vm::Vm;
use super::word::Word;

fn builtin<'a>(word: Word) -> &'a BuiltinFunctionObject {
    // SAFETY: contract of Word; the callers' types have this layout and the fields do not change.
    unsafe { &*word.cast() }
}
fn method_descriptor<'a>(word: Word) -> &'a MethodDescriptorObject {
    // SAFETY: as above.
    unsafe { &*word.cast() }
}
fn getset<'a>(word: Word) -> &'a GetSetDescriptorObject {
    // SAFETY: as above.
    unsafe { &*word.cast() }
}
fn member<'a>(word: Word) -> &'a MemberDescriptorObject {
    // SAFETY: as above.
    unsafe { &*word.cast() }
}
pub(super) fn name_of(ty: *mut TypeObject) -> String {
    // SAFETY: types outlive their descriptors.
    unsafe { (*ty).name_string() }
}
pub(super) fn owner_word(ty: *mut TypeObject) -> Owned {
    // SAFETY: as above.
    unsafe { Owned::from_borrowed(ty) }
}

// ---- builtin functions

fn builtin_repr(vm: Vm, word: Word) -> PyResult {
    let function = builtin(word);
    let name = function.def.name;
    vm.new_str(&match function.self_ {
        Some(self_) if is_method_self(self_) => {
            format!(
                "<built-in method {name} of {} object at {}>",
                vm.type_name(self_),
                address(self_)
            )
        }
        _ => format!("<built-in function {name}>"),
    })
}
/// An address as `%p` prints it.
pub fn address(word: Word) -> String {
    format!(
        "{:#x}",
        if word.is_pointer() {
            word.object() as u64
        } else {
            word.bits()
        }
    )
}
unsafe fn builtin_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let function = object as *mut BuiltinFunctionObject;
        for word in [(*function).self_, (*function).module]
            .into_iter()
            .flatten()
        {
            word.release_slot();
        }
        vm.free(object);
    }
}
unsafe fn builtin_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let function = object as *mut BuiltinFunctionObject;
        [(*function).self_, (*function).module]
            .into_iter()
            .flatten()
            .for_each(visit);
    }
}
static BUILTIN_GETSET: [GetSetDef; 5] = [
    GetSetDef::new("__name__", |vm, f| vm.intern_str(builtin(f).def.name), None),
    GetSetDef::new(
        "__qualname__",
        |vm, f| {
            let name = builtin(f).def.name;
            match builtin(f).self_ {
                Some(self_) if self_.is_instance(Kind::TYPE) => {
                    vm.new_str(&format!("{}.{name}", name_of(self_.cast())))
                }
                Some(self_) if is_method_self(self_) => {
                    vm.new_str(&format!("{}.{name}", vm.type_name(self_)))
                }
                _ => vm.intern_str(name),
            }
        },
        None,
    ),
    GetSetDef::new(
        "__self__",
        |vm, f| {
            let own = builtin(f).self_;
            let own = own.filter(|self_| !self_.is_exact(Kind::NATIVE_CLOSURE));
            if let Some(own) = own {
                return Ok(Owned::new_ref(own));
            }
            // A module's function does without the module, and finds it by name when it is asked for.
            let Some(module) = builtin(f).module else {
                return Ok(Owned::NONE);
            };
            // SAFETY: `sys.modules` lives as long as the VM.
            let module = unsafe { dict::get_item(vm, vm.modules, module)? };
            Ok(module.map_or(Owned::NONE, Owned::new_ref))
        },
        None,
    ),
    GetSetDef::new(
        "__module__",
        |_, f| Ok(builtin(f).module.map_or(Owned::NONE, Owned::new_ref)),
        None,
    ),
    GetSetDef::new("__doc__", |vm, f| doc(vm, builtin(f).def.doc), None),
];
fn doc(vm: Vm, text: &str) -> PyResult {
    if text.is_empty() {
        Ok(Owned::NONE)
    } else {
        vm.new_str(text)
    }
}

// ---- method descriptors

/// `descriptor.__get__`: bound to an instance it becomes a builtin function (`method_get`).
fn method_descriptor_get(vm: Vm, word: Word, object: Option<Word>, _: Option<Word>) -> PyResult {
    let descriptor = method_descriptor(word);
    match object {
        None => Ok(Owned::new_ref(word)),
        Some(object) => {
            call::check_descriptor_self(vm, descriptor.def.name, descriptor.owner, object)?;
            vm.new_builtin_function(descriptor.def, Some(object), None)
        }
    }
}
/// A class method binds to the class (`classmethod_get`).
fn classmethod_descriptor_get(
    vm: Vm,
    word: Word,
    object: Option<Word>,
    ty: Option<Word>,
) -> PyResult {
    let descriptor = method_descriptor(word);
    let ty = match (ty, object) {
        (Some(ty), _) => Owned::new_ref(ty),
        (None, Some(object)) => owner_word(vm.type_of(object)),
        (None, None) => return Err(vm.type_error("__get__(None, None) is invalid")),
    };
    vm.new_builtin_function(descriptor.def, Some(ty.as_word()), None)
}
fn classmethod_descriptor_call(
    vm: Vm,
    word: Word,
    args: Args<'_>,
    kwnames: Option<Word>,
) -> PyResult {
    let descriptor = method_descriptor(word);
    let Some((&ty, rest)) = args.split_first() else {
        return Err(vm.type_error(format!(
            "descriptor '{}' of '{}' object needs an argument",
            descriptor.def.name,
            name_of(descriptor.owner)
        )));
    };
    let bound = vm.new_builtin_function(descriptor.def, Some(ty), None)?;
    call::call(vm, bound.as_word(), rest, kwnames)
}
fn method_descriptor_repr(vm: Vm, word: Word) -> PyResult {
    let descriptor = method_descriptor(word);
    vm.new_str(&format!(
        "<method '{}' of '{}' objects>",
        descriptor.def.name,
        name_of(descriptor.owner)
    ))
}
static METHOD_DESCRIPTOR_GETSET: [GetSetDef; 4] = [
    GetSetDef::member("__name__", |vm, d| {
        vm.intern_str(method_descriptor(d).def.name)
    }),
    GetSetDef::new(
        "__qualname__",
        |vm, d| {
            vm.new_str(&format!(
                "{}.{}",
                name_of(method_descriptor(d).owner),
                method_descriptor(d).def.name
            ))
        },
        None,
    ),
    GetSetDef::member("__objclass__", |_, d| {
        Ok(owner_word(method_descriptor(d).owner))
    }),
    GetSetDef::new(
        "__doc__",
        |vm, d| doc(vm, method_descriptor(d).def.doc),
        None,
    ),
];

// ---- getset and member descriptors

fn getset_get(vm: Vm, word: Word, object: Option<Word>, _: Option<Word>) -> PyResult {
    let descriptor = getset(word);
    match object {
        None => Ok(Owned::new_ref(word)),
        Some(object) => {
            call::check_descriptor_self(vm, descriptor.def.name, descriptor.owner, object)?;
            (descriptor.def.get)(vm, object)
        }
    }
}
fn getset_set(vm: Vm, word: Word, object: Word, value: Option<Word>) -> Result<(), Raised> {
    let descriptor = getset(word);
    call::check_descriptor_self(vm, descriptor.def.name, descriptor.owner, object)?;
    match descriptor.def.set {
        Some(set) => set(vm, object, value),
        None => {
            let name = vm.intern_str(descriptor.def.name)?;
            let message = format!(
                "attribute '{}' of '{}' objects is not writable",
                descriptor.def.name,
                name_of(descriptor.owner)
            );
            Err(attr::attribute_error(vm, object, name.as_word(), message))
        }
    }
}
fn getset_repr(vm: Vm, word: Word) -> PyResult {
    let descriptor = getset(word);
    vm.new_str(&format!(
        "<attribute '{}' of '{}' objects>",
        descriptor.def.name,
        name_of(descriptor.owner)
    ))
}
static GETSET_GETSET: [GetSetDef; 4] = [
    GetSetDef::member("__name__", |vm, d| vm.intern_str(getset(d).def.name)),
    GetSetDef::new(
        "__qualname__",
        |vm, d| {
            vm.new_str(&format!(
                "{}.{}",
                name_of(getset(d).owner),
                getset(d).def.name
            ))
        },
        None,
    ),
    GetSetDef::member("__objclass__", |_, d| Ok(owner_word(getset(d).owner))),
    GetSetDef::new("__doc__", |_, _| Ok(Owned::NONE), None),
];

fn member_cell(word: Word, object: Word) -> *mut Option<Word> {
    (object.object() as *mut u8)
        .wrapping_add(member(word).offset as usize)
        .cast()
}
fn member_get(vm: Vm, word: Word, object: Option<Word>, _: Option<Word>) -> PyResult {
    let descriptor = member(word);
    let Some(object) = object else {
        return Ok(Owned::new_ref(word));
    };
    call::check_descriptor_self(
        vm,
        &str::to_string_lossy(descriptor.name),
        descriptor.owner,
        object,
    )?;
    // SAFETY: the object is an instance of the type that has the member.
    match unsafe { *member_cell(word, object) } {
        Some(value) => Ok(Owned::new_ref(value)),
        None if descriptor.required => Err(attr::no_attribute(vm, object, descriptor.name)),
        None => Ok(Owned::NONE),
    }
}
fn member_set(vm: Vm, word: Word, object: Word, value: Option<Word>) -> Result<(), Raised> {
    let descriptor = member(word);
    call::check_descriptor_self(
        vm,
        &str::to_string_lossy(descriptor.name),
        descriptor.owner,
        object,
    )?;
    if descriptor.readonly {
        return Err(attr::attribute_error(
            vm,
            object,
            descriptor.name,
            "readonly attribute",
        ));
    }
    // SAFETY: as above.
    unsafe {
        let cell = member_cell(word, object);
        let old = *cell;
        if value.is_none() && old.is_none() && descriptor.required {
            let name = str::to_string_lossy(descriptor.name);
            return Err(vm.raise(vm.exc.AttributeError, name));
        }
        *cell = value.map(|value| Owned::new_ref(value).into_slot());
        if let Some(old) = old {
            old.release_slot();
        }
    }
    Ok(())
}
fn member_repr(vm: Vm, word: Word) -> PyResult {
    let descriptor = member(word);
    let name = str::to_string_lossy(descriptor.name);
    vm.new_str(&format!(
        "<member '{name}' of '{}' objects>",
        name_of(descriptor.owner)
    ))
}
/// Gives up the count of an owner that is a class.
unsafe fn release_owner(owner: *mut TypeObject) {
    unsafe {
        if (*owner).has_flag(type_flag::HEAPTYPE) {
            Word::from_owned(owner).close();
        }
    }
}
unsafe fn visit_owner(owner: *mut TypeObject, visit: &mut dyn FnMut(Word)) {
    unsafe {
        if (*owner).has_flag(type_flag::HEAPTYPE) {
            visit((*owner).word());
        }
    }
}
unsafe fn getset_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        release_owner((*(object as *mut GetSetDescriptorObject)).owner);
        vm.free(object);
    }
}
unsafe fn getset_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { visit_owner((*(object as *mut GetSetDescriptorObject)).owner, visit) }
}
unsafe fn member_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { visit_owner((*(object as *mut MemberDescriptorObject)).owner, visit) }
}
unsafe fn member_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        (*(object as *mut MemberDescriptorObject))
            .name
            .release_slot();
        release_owner((*(object as *mut MemberDescriptorObject)).owner);
        vm.free(object);
    }
}
static MEMBER_GETSET: [GetSetDef; 3] = [
    GetSetDef::member("__name__", |_, d| Ok(Owned::new_ref(member(d).name))),
    GetSetDef::member("__objclass__", |_, d| Ok(owner_word(member(d).owner))),
    GetSetDef::new("__doc__", |_, _| Ok(Owned::NONE), None),
];

// ---- the specs

pub(super) const fn builtin_function_spec() -> TypeSpec {
    TypeSpec {
        getset: &BUILTIN_GETSET,
        ..TypeSpec::new::<BuiltinFunctionObject>(
            "builtin_function_or_method",
            Kind::BUILTIN_FUNCTION,
            Slots {
                dealloc: builtin_dealloc,
                traverse: Some(builtin_traverse),
                repr: Some(builtin_repr),
                call: Some(call::builtin_function_call),
                ..Slots::EMPTY
            },
        )
    }
}
pub(super) const fn method_descriptor_spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::METHOD_DESCRIPTOR,
        getset: &METHOD_DESCRIPTOR_GETSET,
        ..TypeSpec::new::<MethodDescriptorObject>(
            "method_descriptor",
            Kind::METHOD_DESCRIPTOR,
            Slots {
                repr: Some(method_descriptor_repr),
                call: Some(call::method_descriptor_call),
                descr_get: Some(method_descriptor_get),
                ..Slots::EMPTY
            },
        )
    }
}
pub(super) const fn classmethod_descriptor_spec() -> TypeSpec {
    TypeSpec {
        getset: &METHOD_DESCRIPTOR_GETSET,
        ..TypeSpec::new::<MethodDescriptorObject>(
            "classmethod_descriptor",
            Kind::OTHER,
            Slots {
                repr: Some(method_descriptor_repr),
                call: Some(classmethod_descriptor_call),
                descr_get: Some(classmethod_descriptor_get),
                ..Slots::EMPTY
            },
        )
    }
}
pub(super) const fn getset_descriptor_spec() -> TypeSpec {
    TypeSpec {
        getset: &GETSET_GETSET,
        ..TypeSpec::new::<GetSetDescriptorObject>(
            "getset_descriptor",
            Kind::GETSET_DESCRIPTOR,
            Slots {
                dealloc: getset_dealloc,
                traverse: Some(getset_traverse),
                repr: Some(getset_repr),
                descr_get: Some(getset_get),
                descr_set: Some(getset_set),
                ..Slots::EMPTY
            },
        )
    }
}
pub(super) const fn member_descriptor_spec() -> TypeSpec {
    TypeSpec {
        getset: &MEMBER_GETSET,
        ..TypeSpec::new::<MemberDescriptorObject>(
            "member_descriptor",
            Kind::MEMBER_DESCRIPTOR,
            Slots {
                dealloc: member_dealloc,
                traverse: Some(member_traverse),
                repr: Some(member_repr),
                descr_get: Some(member_get),
                descr_set: Some(member_set),
                ..Slots::EMPTY
            },
        )
    }
}

unsafe fn two_words(object: *mut Object) -> [Word; 2] {
    unsafe {
        *(object as *const u8)
            .add(size_of::<Header>())
            .cast::<[Word; 2]>()
    }
}
/// Frees an object that is two words behind its header.
pub(super) unsafe fn pair_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        for word in two_words(object) {
            word.release_slot();
        }
        vm.free(object);
    }
}
pub(super) unsafe fn pair_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { two_words(object) }.into_iter().for_each(visit);
}
