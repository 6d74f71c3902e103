//! Module objects (`moduleobject.c`).

use super::args::Signature;
use super::descr::GetSetDef;
use super::dict::{self, DictObject};
use super::header::{Header, Object};
use super::owned::{Owned, PyResult, Raised};
use super::types::TypeObject;
use super::vm::Vm;
use super::word::Word;
use super::{protocol, str};

/// `PyModuleObject`.
#[repr(C)]
pub struct ModuleObject {
    pub header: Header,
    pub dict: *mut DictObject,
}

const _: () = assert!(std::mem::offset_of!(ModuleObject, dict) == 16);

/// In the header's `extra`: no program has made this module.
const OF_THE_VM: u16 = 1;

impl Vm {
    /// A module with `__name__`, `__doc__`, `__package__`, `__loader__`, `__spec__` (`PyModule_NewObject`).
    pub fn new_module(self, name: &str) -> PyResult {
        // SAFETY: the type is laid out so; the dict is new.
        unsafe {
            let dict = Owned::from_raw(self.new_dict()?);
            let name = self.intern_str(name)?;
            let names = &self.names;
            dict::set_str(self, dict.as_ptr(), names.__name__, name.as_word())?;
            for key in [
                names.__doc__,
                names.__package__,
                names.__loader__,
                names.__spec__,
            ] {
                dict::set_str(self, dict.as_ptr(), key, Word::NONE)?;
            }
            let module = self.alloc::<ModuleObject>(self.types.module)?;
            (*module).header.extra.set(OF_THE_VM);
            (*module).dict = dict.into_ptr().cast();
            Ok(Owned::from_raw(module))
        }
    }
}

/// A module with an empty dict (`module_new`).
pub(super) fn module_new(vm: Vm, ty: *mut TypeObject, _: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: the type is laid out so; the dict is new.
    unsafe {
        let dict = Owned::from_raw(vm.new_dict()?);
        let module = vm.alloc_instance::<ModuleObject>(ty, size_of::<ModuleObject>())?;
        (*module).dict = dict.into_ptr().cast();
        Ok(Owned::from_raw(module))
    }
}

/// `module(name, doc=None)` (`module___init___impl`).
pub(super) fn module_init(
    vm: Vm,
    self_: Word,
    args: &[Word],
    kwnames: Option<Word>,
) -> Result<(), Raised> {
    const SIGNATURE: Signature<2> = Signature::new("module", ["name", "doc"], 1);
    let [name, doc] = SIGNATURE.unpack(vm, args, kwnames)?;
    let name = name.unwrap_or(Word::NONE);
    if !str::is_str(name) {
        return Err(vm.type_error(format!(
            "module() argument 'name' must be str, not {}",
            vm.argument_type(name)
        )));
    }
    // SAFETY: a module has a dict, which it keeps.
    unsafe {
        let dict = (*self_.cast::<ModuleObject>()).dict;
        let names = &vm.names;
        dict::set_str(vm, dict, names.__name__, name)?;
        dict::set_str(vm, dict, names.__doc__, doc.unwrap_or(Word::NONE))?;
        for key in [names.__package__, names.__loader__, names.__spec__] {
            dict::set_str(vm, dict, key, Word::NONE)?;
        }
    }
    Ok(())
}

/// A module's `__dict__`.
///
/// # Safety
/// `module` is a module: contract of [`Word`].
pub unsafe fn dict_of(module: Word) -> *mut DictObject {
    unsafe { (*module.cast::<ModuleObject>()).dict }
}

/// # Safety
/// As [`super::header::dealloc`].
pub(super) unsafe fn module_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        Word::from_owned((*(object as *mut ModuleObject)).dict).close();
        vm.free(object);
    }
}

/// # Safety
/// As [`super::types::TraverseFn`].
pub(super) unsafe fn module_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    visit(unsafe { Word::from_borrowed((*(object as *mut ModuleObject)).dict) });
}

/// `<module 'name'>`, with what its spec says of its origin (`module_repr`).
pub(super) fn module_repr(vm: Vm, word: Word) -> PyResult {
    // SAFETY: contract of Word; a module has a dict.
    unsafe {
        let dict = (*word.cast::<ModuleObject>()).dict;
        let text = |key: Word| {
            let value = dict::get_str(dict, key).map(Owned::new_ref);
            value
                .map(|value| {
                    protocol::repr(vm, value.as_word())
                        .map(|text| str::to_string_lossy(text.as_word()))
                })
                .transpose()
        };
        let name = text(vm.names.__name__)?.unwrap_or_else(|| "'?'".to_owned());
        // What namespace packages have in place of a file.
        let portions = dict::get_str(dict, vm.names.__file__).is_some_and(Word::is_none);
        if portions && let Some(path) = text(vm.names.__path__)? {
            return vm.new_str(&format!("<module {name} (namespace) from {path}>"));
        }
        vm.new_str(&match text(vm.names.__file__)?.filter(|_| !portions) {
            Some(file) => format!("<module {name} from {file}>"),
            None if (*word.cast::<ModuleObject>()).header.extra.get() == OF_THE_VM => {
                format!("<module {name} (built-in)>")
            }
            None => format!("<module {name}>"),
        })
    }
}

pub(super) static GETSET: [GetSetDef; 1] = [GetSetDef::new(
    "__dict__",
    // SAFETY: contract of Word; a module has a dict.
    |_, word| Ok(unsafe { Owned::from_borrowed((*word.cast::<ModuleObject>()).dict) }),
    None,
)];
