//! The `builtins` module (`bltinmodule.c`): its functions by subject, and the types that live here because they are
//! iterators over anything.

mod attributes;
mod build_class;
mod convert;
pub mod dir;
mod enumerate;
mod evaluate;
mod filter;
mod instance;
mod iterators;
mod map;
mod numbers;
mod print;
mod reversed;
mod sequences;
mod super_arguments;
mod zip;

pub(super) use evaluate::globals_of_frame;
pub(super) use super_arguments::super_arguments;

use super::generator;
use super::thread::Thread;
use crate::object::descr::{MethodDef, meth};
use crate::object::{Raised, TypeObject, TypeSpec, Word, dict, module};

const O: u16 = meth::O;
const NOARGS: u16 = meth::NOARGS;
const VARARGS: u16 = meth::VARARGS;
const FAST: u16 = meth::FASTCALL;
const FAST_KEYWORDS: u16 = meth::FASTCALL | meth::KEYWORDS;

static FUNCTIONS: [MethodDef; 43] = [
    MethodDef::new("__build_class__", FAST_KEYWORDS, build_class::build_class),
    MethodDef::new("__import__", FAST_KEYWORDS, super::import::builtin_import),
    MethodDef::new("abs", O, numbers::abs),
    MethodDef::new("aiter", O, generator::builtin_aiter),
    MethodDef::new("all", O, sequences::all),
    MethodDef::new("anext", FAST, generator::builtin_anext),
    MethodDef::new("any", O, sequences::any),
    MethodDef::new("ascii", O, convert::ascii),
    MethodDef::new("bin", O, convert::bin),
    MethodDef::new("callable", O, instance::callable),
    MethodDef::new("chr", O, convert::chr),
    MethodDef::new("compile", FAST_KEYWORDS, evaluate::compile),
    MethodDef::new("delattr", FAST, attributes::delattr),
    MethodDef::new("dir", VARARGS, dir::dir),
    MethodDef::new("divmod", FAST, numbers::divmod),
    MethodDef::new("eval", FAST_KEYWORDS, evaluate::eval),
    MethodDef::new("exec", FAST_KEYWORDS, evaluate::exec),
    MethodDef::new("format", FAST, convert::format),
    MethodDef::new("getattr", FAST, attributes::getattr),
    MethodDef::new("globals", NOARGS, evaluate::globals),
    MethodDef::new("hasattr", FAST, attributes::hasattr),
    MethodDef::new("hash", O, convert::hash),
    MethodDef::new("hex", O, convert::hex),
    MethodDef::new("id", O, convert::id),
    MethodDef::new("input", FAST, print::input),
    MethodDef::new("isinstance", FAST, instance::isinstance),
    MethodDef::new("issubclass", FAST, instance::issubclass),
    MethodDef::new("iter", FAST, sequences::iter),
    MethodDef::new("len", O, sequences::len),
    MethodDef::new("locals", NOARGS, evaluate::locals),
    MethodDef::new("max", FAST_KEYWORDS, sequences::max),
    MethodDef::new("min", FAST_KEYWORDS, sequences::min),
    MethodDef::new("next", FAST, sequences::next),
    MethodDef::new("oct", O, convert::oct),
    MethodDef::new("ord", O, convert::ord),
    MethodDef::new("pow", FAST_KEYWORDS, numbers::pow),
    MethodDef::new("print", FAST_KEYWORDS, print::print),
    MethodDef::new("repr", O, convert::repr),
    MethodDef::new("round", FAST_KEYWORDS, numbers::round),
    MethodDef::new("setattr", FAST, attributes::setattr),
    MethodDef::new("sorted", FAST_KEYWORDS, sequences::sorted),
    MethodDef::new("sum", FAST_KEYWORDS, numbers::sum),
    MethodDef::new("vars", VARARGS, evaluate::vars),
];

/// The types that this layer adds to the built-in ones, and where the VM keeps them.
pub(super) fn make_types(ts: &Thread) -> Result<(), Raised> {
    let vm = ts.vm();
    // SAFETY: the VM is being set up; nobody reads the fields yet.
    let types = unsafe { &raw mut (*vm.as_ptr()).types };
    let rows: [(*mut *mut TypeObject, TypeSpec); 5] = unsafe {
        [
            (&raw mut (*types).enumerate, enumerate::type_spec()),
            (&raw mut (*types).zip, zip::type_spec()),
            (&raw mut (*types).map, map::type_spec()),
            (&raw mut (*types).filter, filter::type_spec()),
            (&raw mut (*types).reversed, reversed::type_spec()),
        ]
    };
    for (place, spec) in rows {
        let ty = vm.new_type(&spec, std::ptr::null_mut())?;
        // SAFETY: as above.
        unsafe { *place = ty };
    }
    Ok(())
}

/// Makes the module and puts it into `sys.modules` (`_PyBuiltin_Init`).
pub(super) fn make_module(ts: &Thread) -> Result<(), Raised> {
    let vm = ts.vm();
    let module = vm.new_module("builtins")?;
    // SAFETY: the module is live; dicts are changed by this function only.
    unsafe {
        let dict = module::dict_of(module.as_word());
        let name = vm.intern_str("builtins")?;
        for def in &FUNCTIONS {
            let function = vm.new_builtin_function(def, None, Some(name.as_word()))?;
            dict::set_str(
                vm,
                dict,
                vm.intern_str(def.name)?.as_word(),
                function.as_word(),
            )?;
        }
        let types = &ts.types;
        let visible = [
            types.object,
            types.type_,
            types.int,
            types.bool_,
            types.float,
            types.complex,
            types.str,
            types.bytes,
            types.bytearray,
            types.memoryview,
            types.tuple,
            types.list,
            types.dict,
            types.set,
            types.frozenset,
            types.slice,
            types.range,
            types.property,
            types.staticmethod,
            types.classmethod,
            types.super_,
            types.enumerate,
            types.zip,
            types.map,
            types.filter,
            types.reversed,
        ];
        // Types that the object layer does not make yet are null.
        for ty in visible
            .into_iter()
            .chain(ts.exc.all())
            .filter(|ty| !ty.is_null())
        {
            dict::set_str(vm, dict, (*ty).name.get(), (*ty).word())?;
        }
        let os_error = (*ts.exc.OSError).word();
        let constants = [
            ("None", Word::NONE),
            ("True", Word::TRUE),
            ("False", Word::FALSE),
            ("Ellipsis", Word::ELLIPSIS),
            ("NotImplemented", Word::NOT_IMPLEMENTED),
            ("EnvironmentError", os_error),
            ("IOError", os_error),
            ("__debug__", Word::TRUE),
        ];
        for (name, value) in constants {
            dict::set_str(vm, dict, vm.intern_str(name)?.as_word(), value)?;
        }
        ts.builtins.set(dict);
        for (name, place) in [
            ("len", &ts.callables.len),
            ("isinstance", &ts.callables.isinstance),
            ("all", &ts.callables.all),
            ("any", &ts.callables.any),
            ("__import__", &ts.callables.import),
        ] {
            // A count of its own: the program may rebind the name.
            if let Some(function) = dict::get_str(dict, vm.intern_str(name)?.as_word()) {
                place.set(function.dup().to_slot());
            }
        }
        let append = (*vm.types.list)
            .lookup(vm.names.append)
            .unwrap_or(Word::NULL);
        ts.callables.list_append.set(append.borrow());
        dict::set_str(vm, vm.modules, name.as_word(), module.as_word())
    }
}
