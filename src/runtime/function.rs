//! Python functions (`PyFunctionObject`).

use super::code::CodeObject;
use super::thread::Thread;
use crate::object::dict::{self, DictObject};
use crate::object::{Header, Kind, Object, Owned, PyResult, Vm, Word};
use std::cell::Cell;

/// A function. Words are slots' words; NULL where the attribute is absent.
#[repr(C)]
pub struct FunctionObject {
    pub header: Header,
    pub code: Cell<*mut CodeObject>,
    /// What call sites guard on: the code's version, or 0 once `__code__`, `__defaults__` or `__kwdefaults__` was
    /// assigned, and 0 for good.
    pub version: Cell<u32>,
    pub globals: Cell<*mut DictObject>,
    pub builtins: Cell<*mut DictObject>,
    /// A tuple or NULL.
    pub defaults: Cell<Word>,
    /// A dict or NULL.
    pub kwdefaults: Cell<Word>,
    /// A tuple of cells or NULL.
    pub closure: Cell<Word>,
    pub name: Cell<Word>,
    pub qualname: Cell<Word>,
    pub doc: Cell<Word>,
    pub module: Cell<Word>,
    /// `__dict__`, made when first asked for.
    pub dict: Cell<Option<Word>>,
    pub annotations: Cell<Word>,
    pub annotate: Cell<Word>,
    pub type_params: Cell<Word>,
}

const _: () = assert!(std::mem::offset_of!(FunctionObject, version) == 24);

impl FunctionObject {
    /// Every counted word of the function but its code and dicts, its own `__dict__` among them.
    fn words(&self) -> [&Cell<Word>; 10] {
        [
            &self.defaults,
            &self.kwdefaults,
            &self.closure,
            &self.name,
            &self.qualname,
            &self.doc,
            &self.module,
            &self.annotations,
            &self.annotate,
            &self.type_params,
        ]
    }
}

/// A function that runs `code` with these globals (`PyFunction_New`).
///
/// # Safety
/// `code` is a live code object, `globals` a live dict.
pub unsafe fn new_function(
    ts: &Thread,
    code: *mut CodeObject,
    globals: *mut DictObject,
) -> PyResult {
    let vm = ts.vm();
    unsafe {
        let builtins = ts.builtins_of(globals);
        let module =
            dict::get_str(globals, vm.names.__name__).map_or(Word::NULL, |w| w.dup().to_slot());
        let doc = match (*code).flags & crate::bytecode::spec::code_flags::HAS_DOCSTRING {
            0 => Word::NONE,
            _ => (*code)
                .consts()
                .first()
                .map_or(Word::NONE, |doc| doc.dup().to_slot()),
        };
        let function: *mut FunctionObject = vm.alloc(vm.types.function)?;
        let header = Header {
            refcount: Cell::new(1),
            kind: Cell::new(Kind::FUNCTION),
            flags: Cell::new((*function.cast::<Object>()).flags.get()),
            extra: Cell::new(0),
            ty: Cell::new(vm.types.function),
        };
        (*code).header.incref();
        (*globals).header.incref();
        (*builtins).header.incref();
        let null = || Cell::new(Word::NULL);
        function.write(FunctionObject {
            header,
            code: Cell::new(code),
            version: Cell::new((*code).version),
            globals: Cell::new(globals),
            builtins: Cell::new(builtins),
            defaults: null(),
            kwdefaults: null(),
            closure: null(),
            name: Cell::new((*code).name.dup().to_slot()),
            qualname: Cell::new((*code).qualname.dup().to_slot()),
            doc: Cell::new(doc),
            module: Cell::new(module),
            dict: Cell::new(None),
            annotations: null(),
            annotate: null(),
            type_params: null(),
        });
        Ok(Owned::from_raw(function))
    }
}

/// Frees a function; installed as the type's `dealloc`.
///
/// # Safety
/// As [`crate::object::header::dealloc`].
pub unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let function: *mut FunctionObject = object.cast();
        let words = (*function).words().map(Cell::get);
        let code = (*function).code.get();
        let dicts = [(*function).globals.get(), (*function).builtins.get()];
        let own_dict = (*function).dict.get();
        // Only a function without a version may have had other code.
        let former = match (*function).version.get() {
            0 => Thread::of(vm)
                .former_code
                .borrow_mut()
                .remove(&(function as usize)),
            _ => None,
        };
        vm.free(function);
        for word in words.into_iter().chain(own_dict) {
            word.release_slot();
        }
        Header::decref(code.cast());
        for dict in dicts {
            Header::decref(dict.cast());
        }
        for word in former.into_iter().flatten() {
            word.release_slot();
        }
    }
}

/// Visits what a function holds; installed as the type's `traverse`.
///
/// # Safety
/// As [`crate::object::types::TraverseFn`].
pub unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let function: *mut FunctionObject = object.cast();
        for word in (*function).words() {
            if word.get().is_pointer() {
                visit(word.get());
            }
        }
        (*function).dict.get().into_iter().for_each(&mut *visit);
        visit(Word::from_borrowed((*function).code.get()));
        visit(Word::from_borrowed((*function).globals.get()));
        visit(Word::from_borrowed((*function).builtins.get()));
    }
}

/// Drops what may close a cycle; installed as the type's `clear` (`func_clear`).
///
/// # Safety
/// As [`crate::object::types::ClearFn`].
pub unsafe fn clear(_: Vm, object: *mut Object) {
    unsafe {
        let function: *mut FunctionObject = object.cast();
        // Name and qualified name stay: a frame may still show them.
        let words = [
            &(*function).defaults,
            &(*function).kwdefaults,
            &(*function).closure,
            &(*function).annotations,
        ];
        for word in words {
            word.replace(Word::NULL).release_slot();
        }
        if let Some(dict) = (*function).dict.take() {
            dict.release_slot();
        }
    }
}
