//! Native functions and the objects that make them attributes: builtin functions, method descriptors, getset and
//! member descriptors (`methodobject.c`, `descrobject.c`). Their behaviour is in `descr_types.rs`.

use super::header::{Header, Kind};
use super::owned::{Owned, PyResult, Raised};
use super::types::{TypeObject, type_flag};
use super::vm::Vm;
use super::word::Word;
use std::cell::Cell;

/// A native function: `self` (a module's is NULL), the positional arguments followed by the values of keyword
/// arguments, and the tuple of their names. Which counts are allowed the flags say, and the caller has checked.
pub type NativeFn = fn(Vm, Word, &[Word], Option<Word>) -> PyResult;

/// `METH_*`.
pub mod meth {
    /// Any positional arguments. With `KEYWORDS` any keywords too.
    pub const VARARGS: u16 = 0x0001;
    pub const KEYWORDS: u16 = 0x0002;
    pub const NOARGS: u16 = 0x0004;
    pub const O: u16 = 0x0008;
    pub const CLASS: u16 = 0x0010;
    pub const STATIC: u16 = 0x0020;
    pub const FASTCALL: u16 = 0x0080;
    /// The flags that decide how it is called.
    pub const CALL_MASK: u16 = VARARGS | KEYWORDS | NOARGS | O | FASTCALL;
}

/// `PyMethodDef`.
pub struct MethodDef {
    pub name: &'static str,
    pub flags: u16,
    pub func: NativeFn,
    pub doc: &'static str,
}

impl MethodDef {
    pub const fn new(name: &'static str, flags: u16, func: NativeFn) -> MethodDef {
        MethodDef {
            name,
            flags,
            func,
            doc: "",
        }
    }
}

pub type Getter = fn(Vm, Word) -> PyResult;
/// None deletes.
pub type Setter = fn(Vm, Word, Option<Word>) -> Result<(), Raised>;

/// `PyGetSetDef`.
pub struct GetSetDef {
    pub name: &'static str,
    pub get: Getter,
    pub set: Option<Setter>,
}

impl GetSetDef {
    pub const fn new(name: &'static str, get: Getter, set: Option<Setter>) -> GetSetDef {
        GetSetDef { name, get, set }
    }
    /// What is a plain member in CPython that only can be read (`Py_READONLY`).
    pub const fn member(name: &'static str, get: Getter) -> GetSetDef {
        GetSetDef::new(name, get, Some(readonly))
    }
}

fn readonly(vm: Vm, _: Word, _: Option<Word>) -> Result<(), Raised> {
    Err(vm.raise(vm.exc.AttributeError, "readonly attribute"))
}

/// `PyMemberDef` for members that are an `Option<Word>`.
pub struct MemberDef {
    pub name: &'static str,
    pub offset: u32,
    pub readonly: bool,
    /// Absence reads as AttributeError (`Py_T_OBJECT_EX`) and not as None (`_Py_T_OBJECT`).
    pub required: bool,
}

/// `PyCFunctionObject`.
#[repr(C)]
pub struct BuiltinFunctionObject {
    pub header: Header,
    pub def: &'static MethodDef,
    /// What it is bound to; None for a module's function without need of its module.
    pub self_: Option<Word>,
    /// `__module__`.
    pub module: Option<Word>,
}

/// `PyMethodDescrObject`.
#[repr(C)]
pub struct MethodDescriptorObject {
    pub header: Header,
    pub def: &'static MethodDef,
    pub owner: *mut TypeObject,
}

/// `PyGetSetDescrObject`.
#[repr(C)]
pub struct GetSetDescriptorObject {
    pub header: Header,
    pub def: &'static GetSetDef,
    pub owner: *mut TypeObject,
}

/// `PyMemberDescrObject`.
#[repr(C)]
pub struct MemberDescriptorObject {
    pub header: Header,
    pub owner: *mut TypeObject,
    /// A slot's word.
    pub name: Word,
    pub offset: u32,
    pub readonly: bool,
    pub required: bool,
}

/// `PyMethodObject`: a callable and its first argument.
#[repr(C)]
pub struct MethodObject {
    pub header: Header,
    pub function: Word,
    pub self_: Word,
}

/// `PyCellObject`.
#[repr(C)]
pub struct CellObject {
    pub header: Header,
    /// A slot's word; None when unbound.
    pub value: Cell<Option<Word>>,
}

const _: () = {
    use std::mem::offset_of;
    assert!(
        offset_of!(BuiltinFunctionObject, def) == 16
            && offset_of!(BuiltinFunctionObject, self_) == 24
    );
    assert!(
        offset_of!(MethodDescriptorObject, def) == 16
            && offset_of!(MethodDescriptorObject, owner) == 24
    );
    assert!(offset_of!(MethodObject, function) == 16 && offset_of!(MethodObject, self_) == 24);
    assert!(offset_of!(CellObject, value) == 16);
};

impl Vm {
    /// `PyCFunction_NewEx`.
    pub fn new_builtin_function(
        self,
        def: &'static MethodDef,
        self_: Option<Word>,
        module: Option<Word>,
    ) -> PyResult {
        // SAFETY: the type is laid out so; all fields are written.
        unsafe {
            let function = self.alloc::<BuiltinFunctionObject>(self.types.builtin_function)?;
            (&raw mut (*function).def).write(def);
            (*function).self_ = self_.map(|word| Owned::new_ref(word).into_slot());
            (*function).module = module.map(|word| Owned::new_ref(word).into_slot());
            Ok(Owned::from_raw(function))
        }
    }
    /// A descriptor of a class keeps the class alive; built-in types live as long as the VM.
    fn count_owner(owner: *mut TypeObject) -> *mut TypeObject {
        // SAFETY: the type is live.
        unsafe {
            if (*owner).has_flag(type_flag::HEAPTYPE) {
                (*owner).header.incref();
            }
        }
        owner
    }
    pub(super) fn new_method_descriptor(
        self,
        def: &'static MethodDef,
        owner: *mut TypeObject,
    ) -> PyResult {
        // SAFETY: as above.
        unsafe {
            let ty = if def.flags & meth::CLASS != 0 {
                self.types.classmethod_descriptor
            } else {
                self.types.method_descriptor
            };
            let descriptor = self.alloc::<MethodDescriptorObject>(ty)?;
            (&raw mut (*descriptor).def).write(def);
            (*descriptor).owner = Vm::count_owner(owner);
            Ok(Owned::from_raw(descriptor))
        }
    }
    pub(super) fn new_getset_descriptor(
        self,
        def: &'static GetSetDef,
        owner: *mut TypeObject,
    ) -> PyResult {
        // SAFETY: as above.
        unsafe {
            let descriptor = self.alloc::<GetSetDescriptorObject>(self.types.getset_descriptor)?;
            (&raw mut (*descriptor).def).write(def);
            (*descriptor).owner = Vm::count_owner(owner);
            Ok(Owned::from_raw(descriptor))
        }
    }
    pub(super) fn new_member_descriptor(
        self,
        owner: *mut TypeObject,
        name: Word,
        offset: u32,
        readonly: bool,
        required: bool,
    ) -> PyResult {
        // SAFETY: as above.
        unsafe {
            let descriptor = self.alloc::<MemberDescriptorObject>(self.types.member_descriptor)?;
            (*descriptor).owner = Vm::count_owner(owner);
            (*descriptor).name = Owned::new_ref(name).into_slot();
            (*descriptor).offset = offset;
            (*descriptor).readonly = readonly;
            (*descriptor).required = required;
            Ok(Owned::from_raw(descriptor))
        }
    }
    /// A bound method (`PyMethod_New`).
    pub fn new_method(self, function: Word, self_: Word) -> PyResult {
        // SAFETY: as above.
        unsafe {
            let method = self.alloc::<MethodObject>(self.types.method)?;
            (*method).function = Owned::new_ref(function).into_slot();
            (*method).self_ = Owned::new_ref(self_).into_slot();
            Ok(Owned::from_raw(method))
        }
    }
    /// A cell (`PyCell_New`).
    pub fn new_cell(self, value: Option<Word>) -> PyResult {
        // SAFETY: as above.
        unsafe {
            let cell = self.alloc::<CellObject>(self.types.cell)?;
            (*cell).value = Cell::new(value.map(|word| Owned::new_ref(word).into_slot()));
            Ok(Owned::from_raw(cell))
        }
    }
}

/// Whether a builtin function bound to this is a method of it: functions of modules and closures are bound too.
pub fn is_method_self(self_: Word) -> bool {
    !matches!(self_.kind().base(), Kind::MODULE | Kind::NATIVE_CLOSURE)
}

/// The method definition behind a builtin function or a method descriptor, for callers that specialise on it.
pub fn method_def(word: Word) -> Option<&'static MethodDef> {
    // SAFETY: the kinds have these layouts.
    match word.kind() {
        Kind::BUILTIN_FUNCTION => Some(unsafe { (*word.cast::<BuiltinFunctionObject>()).def }),
        Kind::METHOD_DESCRIPTOR => Some(unsafe { (*word.cast::<MethodDescriptorObject>()).def }),
        _ => None,
    }
}
