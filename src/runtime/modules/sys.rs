//! `sys` (`sysmodule.c`): its functions and streams. What describes the build and the machine is in `sys_info.rs`.

use super::stream::{self, Which};
use super::{asyncgen_hooks, monitoring, set, sys_info, sys_trace, unraisable, with_functions};
use crate::object::args::{self, Signature};
use crate::object::descr::{MethodDef, meth};
use crate::object::exc;
use crate::object::{
    Kind, Owned, PyResult, Raised, Vm, Word, attr, dict, int, module, number, protocol, str, tuple,
};
use crate::runtime::thread::Thread;
use crate::runtime::{frame_object, traceback};

const NOARGS: u16 = meth::NOARGS;
const O: u16 = meth::O;
const FAST: u16 = meth::FASTCALL;
const FAST_KEYWORDS: u16 = meth::FASTCALL | meth::KEYWORDS;

static FUNCTIONS: [MethodDef; 22] = [
    MethodDef::new("_current_frames", NOARGS, frame_object::current_frames),
    MethodDef::new("_getframe", FAST, frame_object::getframe),
    MethodDef::new(
        "_getframemodulename",
        FAST_KEYWORDS,
        sys_info::getframemodulename,
    ),
    MethodDef::new("displayhook", O, |vm, _, args, _| {
        display(Thread::of(vm), args[0])
    }),
    MethodDef::new("exc_info", NOARGS, exc_info),
    MethodDef::new("excepthook", FAST, excepthook),
    MethodDef::new("exception", NOARGS, |vm, _, _, _| {
        Ok(vm.topmost_handled().map_or(Owned::NONE, Owned::new_ref))
    }),
    MethodDef::new("exit", FAST, exit),
    MethodDef::new("get_int_max_str_digits", NOARGS, |vm, _, _, _| {
        vm.new_int_usize(vm.int_max_str_digits.get())
    }),
    MethodDef::new("get_asyncgen_hooks", NOARGS, asyncgen_hooks::get),
    MethodDef::new("getdefaultencoding", NOARGS, |vm, _, _, _| {
        vm.new_str("utf-8")
    }),
    MethodDef::new("getfilesystemencodeerrors", NOARGS, |vm, _, _, _| {
        vm.new_str("surrogateescape")
    }),
    MethodDef::new("getfilesystemencoding", NOARGS, |vm, _, _, _| {
        vm.new_str("utf-8")
    }),
    MethodDef::new("getrecursionlimit", NOARGS, |vm, _, _, _| {
        vm.new_int(i64::from(Thread::of(vm).recursion_limit.get()))
    }),
    MethodDef::new("getrefcount", O, getrefcount),
    MethodDef::new("getsizeof", FAST_KEYWORDS, sys_info::getsizeof),
    MethodDef::new("intern", O, intern),
    MethodDef::new("is_finalizing", NOARGS, |_, _, _, _| Ok(Owned::FALSE)),
    MethodDef::new("set_asyncgen_hooks", FAST_KEYWORDS, asyncgen_hooks::set),
    MethodDef::new(
        "set_int_max_str_digits",
        FAST_KEYWORDS,
        set_int_max_str_digits,
    ),
    MethodDef::new("setrecursionlimit", O, setrecursionlimit),
    MethodDef::new("unraisablehook", O, unraisable::unraisablehook),
];

/// Makes the module and puts it into `sys.modules` (`_PySys_Create`).
pub(in crate::runtime) fn make(ts: &Thread) -> Result<(), Raised> {
    let vm = ts.vm();
    let module = with_functions(vm, "sys", &FUNCTIONS)?;
    unraisable::make_type(ts)?;
    // SAFETY: a live module; `sys.modules` keeps it.
    ts.sys.set(unsafe { module::dict_of(module.as_word()) });
    for (name, which) in [
        ("stdin", Which::Stdin),
        ("stdout", Which::Stdout),
        ("stderr", Which::Stderr),
    ] {
        let stream = stream::new(ts, which)?;
        set(vm, &module, name, stream.as_word())?;
        set(vm, &module, &format!("__{name}__"), stream.as_word())?;
    }
    for name in ["displayhook", "excepthook", "unraisablehook"] {
        let hook = required_attr(ts, vm.intern_str(name)?.as_word())?;
        set(vm, &module, &format!("__{name}__"), hook.as_word())?;
    }
    let argv = ts
        .argv
        .borrow()
        .iter()
        .map(|arg| vm.new_str(arg))
        .collect::<Result<Vec<_>, _>>()?;
    set(vm, &module, "argv", vm.list_from_owned(argv)?.as_word())?;
    let path = ts
        .path
        .borrow()
        .iter()
        .map(|path| vm.new_str(&path.to_string_lossy()))
        .collect::<Result<Vec<_>, _>>()?;
    set(vm, &module, "path", vm.list_from_owned(path)?.as_word())?;
    // SAFETY: the dict of modules lives as long as the VM.
    unsafe {
        set(vm, &module, "modules", Word::from_borrowed(vm.modules))?;
        dict::set_item(vm, vm.modules, vm.names.sys, module.as_word())?;
    }
    sys_trace::fill(vm, &module)?;
    set(vm, &module, "monitoring", monitoring::make(ts)?.as_word())?;
    sys_info::fill(vm, &module)
}

/// An attribute that the VM itself needs (`_PySys_GetRequiredAttr`).
pub fn required_attr(ts: &Thread, name: Word) -> PyResult {
    let vm = ts.vm();
    // SAFETY: the dict of `sys` lives as long as the VM.
    match unsafe { dict::get_item(vm, ts.sys.get(), name)? } {
        Some(value) => Ok(Owned::new_ref(value)),
        None => Err(vm.raise(
            vm.exc.RuntimeError,
            format!("lost sys.{}", str::to_string_lossy(name)),
        )),
    }
}

/// `sys.displayhook`: shows what is not None and keeps it as `builtins._`.
pub fn display(ts: &Thread, value: Word) -> PyResult {
    let vm = ts.vm();
    if value.is_none() {
        return Ok(Owned::NONE);
    }
    let underscore = vm.intern_str("_")?;
    // SAFETY: the dict of builtins lives as long as the VM.
    let keep = |value| unsafe { dict::set_str(vm, ts.builtins.get(), underscore.as_word(), value) };
    keep(Word::NONE)?;
    let stdout = required_attr(ts, vm.names.stdout)?;
    let text = protocol::repr(vm, value)?;
    let newline = vm.str_from_char(u32::from(b'\n'))?;
    for piece in [&text, &newline] {
        match stream::which(vm, stdout.as_word()) {
            Some(which) => stream::write(ts, which, piece.as_word())?,
            None => drop(attr::call_method(
                vm,
                stdout.as_word(),
                vm.names.write,
                &[piece.as_word()],
            )?),
        }
    }
    keep(value)?;
    Ok(Owned::NONE)
}

fn exc_info(vm: Vm, _: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let Some(exception) = vm.topmost_handled() else {
        return vm.new_tuple(&[Word::NONE; 3]);
    };
    // SAFETY: types are live as long as an instance.
    let class = unsafe { (*vm.type_of(exception)).word() };
    let traceback = exc::object(exception).traceback.get().unwrap_or(Word::NONE);
    vm.new_tuple(&[class, exception, traceback])
}

fn excepthook(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "excepthook", args.len(), 3, 3)?;
    if exc::is_exception(args[1]) {
        let ts = Thread::of(vm);
        let report = traceback::format_exception(ts, args[1]);
        unraisable::write_stderr(ts, &report);
    }
    Ok(Owned::NONE)
}

/// A tuple stands for the exception's arguments.
fn exit(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "exit", args.len(), 0, 1)?;
    Err(match args.first() {
        None | Some(&Word::NONE) => vm.raise_with(vm.exc.SystemExit, &[]),
        // SAFETY: a tuple that the caller keeps.
        Some(status) if tuple::is_tuple(*status) => {
            vm.raise_with(vm.exc.SystemExit, unsafe { tuple::items(*status) })
        }
        Some(status) => vm.raise_with(vm.exc.SystemExit, &[*status]),
    })
}

/// An immediate has no count; it is as immortal as CPython's small ints, whose count reads so.
fn getrefcount(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    const IMMORTAL: i64 = 3 << 30;
    if !args[0].is_pointer() {
        return vm.new_int(IMMORTAL);
    }
    // SAFETY: contract of Word, the object is live.
    vm.new_int(i64::from(unsafe { (*args[0].object()).refcount.get() }))
}

fn intern(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if args[0].is_exact(Kind::STR) {
        return vm.intern(args[0]);
    }
    let name = vm.argument_type(args[0]);
    if str::is_str(args[0]) {
        return Err(vm.type_error(format!("can't intern {name}")));
    }
    Err(vm.type_error(format!("intern() argument must be str, not {name}")))
}

/// The least limit that is not none (`_PY_LONG_MAX_STR_DIGITS_THRESHOLD`).
const MIN_INT_DIGITS: usize = 640;

static SET_INT_MAX_STR_DIGITS: Signature<1> =
    Signature::new("set_int_max_str_digits", ["maxdigits"], 1);

fn set_int_max_str_digits(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [digits] = SET_INT_MAX_STR_DIGITS.unpack(vm, args, kwnames)?;
    let digits = number::index_isize(vm, digits.unwrap_or(Word::NONE))?;
    match usize::try_from(digits) {
        Ok(digits) if digits == 0 || digits >= MIN_INT_DIGITS => {
            vm.int_max_str_digits.set(digits);
            Ok(Owned::NONE)
        }
        _ => Err(vm.value_error(format!(
            "maxdigits must be >= {MIN_INT_DIGITS} or 0 for unlimited"
        ))),
    }
}

fn setrecursionlimit(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let limit = number::index(vm, args[0])?;
    let limit = int::value(limit.as_word())
        .and_then(|limit| limit.to_i64())
        .and_then(|limit| i32::try_from(limit).ok());
    let Some(limit) = limit else {
        return Err(vm.overflow_error("Python int too large to convert to C int"));
    };
    if limit < 1 {
        return Err(vm.value_error("recursion limit must be greater or equal than 1"));
    }
    let ts = Thread::of(vm);
    let depth = ts.recursion_limit.get() - ts.recursion_remaining.get();
    if depth >= limit {
        return Err(vm.raise(
            vm.exc.RecursionError,
            format!("cannot set the recursion limit to {limit} at the recursion depth {depth}: the limit is too low"),
        ));
    }
    ts.recursion_limit.set(limit);
    ts.recursion_remaining.set(limit - depth);
    Ok(Owned::NONE)
}
