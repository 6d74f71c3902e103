//! Calling any object (`call.c`), and the objects of native functions.

use super::args::keyword_names;
use super::descr::{
    BuiltinFunctionObject, MethodDef, MethodDescriptorObject, MethodObject, is_method_self, meth,
};
use super::header::Kind;
use super::owned::{Owned, PyResult, Raised};
use super::types::{TypeObject, type_flag};
use super::vectorcall::Args;
use super::vm::Vm;
use super::word::Word;
use std::ptr::fn_addr_eq;

/// `callable(*args)`: positional arguments followed by the values named in `kwnames`. Only arguments that were given as
/// [`Args`] have room in front.
#[inline(always)]
pub fn call<'a>(
    vm: Vm,
    callable: Word,
    args: impl Into<Args<'a>>,
    kwnames: Option<Word>,
) -> PyResult {
    vectorcall(vm, callable, args.into(), kwnames)
}

/// The same (`PyObject_Vectorcall`).
#[inline]
pub fn vectorcall(vm: Vm, callable: Word, args: Args<'_>, kwnames: Option<Word>) -> PyResult {
    // SAFETY: types are live as long as an instance.
    match unsafe { (*vm.type_of(callable)).slots.call } {
        Some(call) => {
            vm.check_stack(" while calling a Python object")?;
            call(vm, callable, args, kwnames)
        }
        None => Err(vm.type_error(format!(
            "'{}' object is not callable",
            vm.type_name(callable)
        ))),
    }
}

/// `callable(arg)`, with room in front (`PyObject_CallOneArg`).
#[inline]
pub fn call_one(vm: Vm, callable: Word, arg: Word) -> PyResult {
    vectorcall(
        vm,
        callable,
        Args::behind_first(&mut [Word::NULL, arg]),
        None,
    )
}

/// Calls with one more argument in front: in the room there, or in a copy, which has room in front again.
pub fn call_prepend<'a>(
    vm: Vm,
    callable: Word,
    first: Word,
    args: impl Into<Args<'a>>,
    kwnames: Option<Word>,
) -> PyResult {
    const SHORT: usize = 8;
    let args = args.into();
    if args.has_offset() {
        return args.with_front(first, |all| vectorcall(vm, callable, all, kwnames));
    }
    let count = args.len() + 2;
    if count <= SHORT {
        let mut all = [Word::NULL; SHORT];
        all[1] = first;
        all[2..count].copy_from_slice(&args);
        return vectorcall(vm, callable, Args::behind_first(&mut all[..count]), kwnames);
    }
    let mut all = Vec::new();
    all.try_reserve_exact(count).map_err(|_| vm.no_memory())?;
    all.extend([Word::NULL, first]);
    all.extend_from_slice(&args);
    vectorcall(vm, callable, Args::behind_first(&mut all), kwnames)
}

/// Whether a value can be called (`PyCallable_Check`).
pub fn is_callable(vm: Vm, object: Word) -> bool {
    // SAFETY: types are live as long as an instance.
    unsafe { (*vm.type_of(object)).slots.call.is_some() }
}

/// Calls a native function after checking its arguments by its flags; `describe` names it in errors.
#[inline]
pub fn call_native(
    vm: Vm,
    def: &MethodDef,
    self_: Word,
    args: &[Word],
    kwnames: Option<Word>,
    describe: impl FnOnce() -> String,
) -> PyResult {
    let flags = def.flags;
    if flags & meth::KEYWORDS == 0 && kwnames.is_some() && !keyword_names(kwnames).is_empty() {
        return Err(vm.type_error(format!("{} takes no keyword arguments", describe())));
    }
    if flags & meth::O != 0 && args.len() != 1 {
        return Err(vm.type_error(format!(
            "{} takes exactly one argument ({} given)",
            describe(),
            args.len()
        )));
    }
    if flags & meth::NOARGS != 0 && !args.is_empty() {
        return Err(vm.type_error(format!(
            "{} takes no arguments ({} given)",
            describe(),
            args.len()
        )));
    }
    (def.func)(vm, self_, args, kwnames)
}

pub(super) fn builtin_function_call(
    vm: Vm,
    callable: Word,
    args: Args<'_>,
    kwnames: Option<Word>,
) -> PyResult {
    // SAFETY: contract of Word; the fields do not change.
    let function = unsafe { &*callable.cast::<BuiltinFunctionObject>() };
    let self_ = function.self_.unwrap_or(Word::NULL);
    call_native(vm, function.def, self_, &args, kwnames, || {
        format!("{}()", qualified_name(vm, callable))
    })
}

/// `__qualname__` of a builtin function: with its class when it is bound to an instance or a class, and a module's
/// name in front unless it is builtins (`_PyObject_FunctionStr`).
fn qualified_name(vm: Vm, callable: Word) -> String {
    // SAFETY: as above.
    let function = unsafe { &*callable.cast::<BuiltinFunctionObject>() };
    let name = function.def.name;
    let module = function
        .module
        .filter(|&module| super::str::is_str(module))
        .map(super::str::to_string_lossy);
    match (function.self_, module) {
        (Some(self_), _) if self_.is_instance(Kind::TYPE) => {
            // SAFETY: the kind has this layout.
            format!("{}.{name}", unsafe {
                (*self_.cast::<TypeObject>()).name_string()
            })
        }
        (Some(self_), _) if is_method_self(self_) => {
            format!("{}.{name}", vm.type_name(self_))
        }
        (_, Some(module)) if module != "builtins" => format!("{module}.{name}"),
        _ => name.to_owned(),
    }
}

pub(super) fn method_descriptor_call(
    vm: Vm,
    callable: Word,
    args: Args<'_>,
    kwnames: Option<Word>,
) -> PyResult {
    // SAFETY: as above; types outlive their descriptors.
    let (def, owner) = unsafe {
        let descriptor = callable.cast::<MethodDescriptorObject>();
        ((*descriptor).def, (*descriptor).owner)
    };
    let owner_name = || unsafe { (*owner).name_string() };
    let positional = args.len() - keyword_names(kwnames).len();
    if positional == 0 {
        return Err(vm.type_error(format!(
            "unbound method {}.{}() needs an argument",
            owner_name(),
            def.name
        )));
    }
    let self_ = args[0];
    check_descriptor_self(vm, def.name, owner, self_)?;
    call_native(vm, def, self_, &args[1..], kwnames, || {
        format!("{}.{}()", owner_name(), def.name)
    })
}

/// Fails unless `self_` is an instance of the type a descriptor belongs to (`descr_check`).
pub(super) fn check_descriptor_self(
    vm: Vm,
    name: &str,
    owner: *mut TypeObject,
    self_: Word,
) -> Result<(), Raised> {
    if vm.is_instance(self_, owner) {
        return Ok(());
    }
    // SAFETY: types outlive their descriptors.
    let owner = unsafe { (*owner).name_string() };
    Err(vm.type_error(format!(
        "descriptor '{name}' for '{owner}' objects doesn't apply to a '{}' object",
        vm.type_name(self_)
    )))
}

pub(super) fn method_call(
    vm: Vm,
    callable: Word,
    args: Args<'_>,
    kwnames: Option<Word>,
) -> PyResult {
    // SAFETY: as above.
    let (function, self_) = unsafe {
        let method = callable.cast::<MethodObject>();
        ((*method).function, (*method).self_)
    };
    let _alive = (Owned::new_ref(function), Owned::new_ref(self_));
    call_prepend(vm, function, self_, args, kwnames)
}

/// `type(...)`: `__new__`, then `__init__` if that made an instance (`type_call`).
pub(super) fn type_call(vm: Vm, callable: Word, args: Args<'_>, kwnames: Option<Word>) -> PyResult {
    let ty = callable.cast::<TypeObject>();
    if ty == vm.types.type_
        && let [object] = *args
        && kwnames.is_none()
    {
        // SAFETY: types are live as long as an instance.
        return Ok(Owned::new_ref(unsafe { (*vm.type_of(object)).word() }));
    }
    // SAFETY: contract of Word.
    unsafe {
        let Some(new) = (*ty).slots.new else {
            return Err(vm.type_error(format!("cannot create '{}' instances", (*ty).full_name())));
        };
        let object = new(vm, ty, &args, kwnames)?;
        let made = vm.type_of(object.as_word());
        if made != ty && !(*made).is_subtype(ty) {
            return Ok(object);
        }
        // A built-in type with a `__new__` and no `__init__` of its own has taken the arguments already.
        if let Some(init) = (*made).slots.init
            && !((*made).has_flag(type_flag::VECTORCALL)
                && fn_addr_eq(
                    init,
                    super::object_type::object_init as super::types::InitFn,
                ))
        {
            init(vm, object.as_word(), &args, kwnames)?;
        }
        Ok(object)
    }
}
