//! `compile`, `eval`, `exec`, and the namespaces of the running frame.

use crate::object::args::{self, Signature};
use crate::object::{Kind, Owned, PyResult, Raised, Vm, Word, attr, bytes, dict, number, str};
use crate::runtime::code::CodeObject;
use crate::runtime::frame::{self, Locals, Meta};
use crate::runtime::thread::Thread;
use crate::runtime::{entry, frame_object, function, utf8};

/// The innermost Python frame: that of the caller of a native function. None before the first.
pub(super) fn current_frame(ts: &Thread) -> Option<Locals> {
    let (_, _, mut locals) = ts.saved_registers();
    // SAFETY: saved locals are those of a live frame, as is each `previous`.
    unsafe {
        while !locals.is_null() && (*frame::frame(locals)).meta.has(Meta::SHIM | Meta::BRIDGE) {
            locals = (*frame::frame(locals)).previous;
        }
    }
    (!locals.is_null()).then_some(locals)
}

fn no_frame(vm: Vm) -> Raised {
    vm.raise(vm.exc.SystemError, "frame does not exist")
}

/// The globals of the running function, for the object layer.
pub fn globals_of_frame(vm: Vm) -> Option<Owned> {
    let locals = current_frame(Thread::of(vm))?;
    // SAFETY: a frame with a function.
    Some(unsafe { Owned::from_borrowed((*frame::function(locals)).globals.get()) })
}

/// `globals()`.
pub fn current_globals(ts: &Thread) -> PyResult {
    let locals = current_frame(ts).ok_or_else(|| no_frame(ts.vm()))?;
    // SAFETY: a frame with a function.
    Ok(unsafe { Owned::from_borrowed((*frame::function(locals)).globals.get()) })
}

/// `locals()`: the namespace, or a dict of the fast locals as they are now (`_PyFrame_GetLocals`).
pub fn current_locals(ts: &Thread) -> PyResult {
    let locals = current_frame(ts).ok_or_else(|| no_frame(ts.vm()))?;
    // SAFETY: a frame with a function.
    unsafe {
        let header = frame::frame(locals);
        if (*header).meta.has(Meta::NAMESPACE) && !frame_object::hidden_in_use(locals) {
            return Ok(Owned::new_ref((*header).namespace));
        }
        frame_object::snapshot(ts, locals)
    }
}

pub fn globals(vm: Vm, _: Word, _: &[Word], _: Option<Word>) -> PyResult {
    current_globals(Thread::of(vm))
}

pub fn locals(vm: Vm, _: Word, _: &[Word], _: Option<Word>) -> PyResult {
    current_locals(Thread::of(vm))
}

pub fn vars(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    args::positional(vm, "vars", args, kwnames, 0, 1)?;
    match args.first() {
        None => current_locals(Thread::of(vm)),
        Some(object) => match attr::get_attr_opt(vm, *object, vm.names.__dict__)? {
            Some(dict) => Ok(dict),
            None => Err(vm.type_error("vars() argument must have __dict__ attribute")),
        },
    }
}

// ---- compiling

static COMPILE: Signature<6> = Signature::new(
    "compile",
    [
        "source",
        "filename",
        "mode",
        "flags",
        "dont_inherit",
        "optimize",
    ],
    3,
);

/// Those of `__future__`, of `ast` and nested scopes (`PyCF_MASK`, `PyCF_COMPILE_MASK`).
const KNOWN_FLAGS: u32 = 0x1fe_f610;

pub fn compile(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [source, filename, mode, flags, _, optimize] = COMPILE.unpack(vm, args, kwnames)?;
    let (source, filename, mode) = (
        source.unwrap_or(Word::NONE),
        filename.unwrap_or(Word::NONE),
        mode.unwrap_or(Word::NONE),
    );
    let filename = path_text(vm, filename)?;
    if !str::is_str(mode) {
        return Err(vm.type_error(format!(
            "compile() argument 'mode' must be str, not {}",
            vm.argument_type(mode)
        )));
    }
    let mode = str::to_string_lossy(mode);
    if !matches!(&*mode, "exec" | "eval" | "single") {
        return Err(vm.value_error("compile() mode must be 'exec', 'eval' or 'single'"));
    }
    let flags = match flags {
        Some(flags) => u32::try_from(number::index_isize(vm, flags)?).ok(),
        None => Some(0),
    };
    let Some(flags) = flags.filter(|flags| flags & !KNOWN_FLAGS == 0) else {
        return Err(vm.value_error("compile(): unrecognised flags"));
    };
    let optimize = match optimize {
        Some(optimize) => number::index_isize(vm, optimize)?,
        None => -1,
    };
    if !(-1..=2).contains(&optimize) {
        return Err(vm.value_error("compile(): invalid optimize value"));
    }
    compile_source(vm, "compile", source, &filename, &mode, flags)
}

/// A path given as string or bytes (`PyUnicode_FSDecoder`).
fn path_text(vm: Vm, path: Word) -> Result<String, Raised> {
    if str::is_str(path) {
        return Ok(str::to_string_lossy(path));
    }
    if path.is_instance(Kind::BYTES) {
        return Ok(String::from_utf8_lossy(bytes::contents(path)).into_owned());
    }
    Err(vm.type_error(format!(
        "expected str, bytes or os.PathLike object, not {}",
        vm.type_name(path)
    )))
}

/// Source as string, bytes or bytearray, without NUL (`_Py_SourceAsString`).
fn compile_source(
    vm: Vm,
    function: &str,
    source: Word,
    filename: &str,
    mode: &str,
    flags: u32,
) -> PyResult {
    let ts = Thread::of(vm);
    let text = if str::is_str(source) {
        utf8::encode(vm, source)?.into_owned()
    } else if source.is_instance(Kind::BYTES) || source.is_instance(Kind::BYTEARRAY) {
        bytes::contents(source).to_vec()
    } else {
        let what = if function == "compile" {
            "string, bytes or AST object"
        } else {
            "string, bytes or code object"
        };
        return Err(vm.type_error(format!("{function}() arg 1 must be a {what}")));
    };
    if text.contains(&0) {
        return Err(vm.raise(
            vm.exc.SyntaxError,
            "source code string cannot contain null bytes",
        ));
    }
    match ts.compile.get() {
        Some(compile) => compile(ts, &text, filename, mode, flags),
        None => Err(vm.raise(vm.exc.SystemError, "no compiler is installed")),
    }
}

// ---- running

static EVAL: Signature<3> =
    Signature::new("eval", ["source", "globals", "locals"], 1).positional_only(1);
static EXEC: Signature<4> = Signature::new("exec", ["source", "globals", "locals", "closure"], 1)
    .positional_only(1)
    .keyword_only(3);

pub fn eval(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [source, globals, locals] = EVAL
        .unpack(vm, args, kwnames)?
        .map(|word| word.unwrap_or(Word::NONE));
    if !locals.is_none() && !is_mapping(vm, locals) {
        return Err(vm.type_error("locals must be a mapping"));
    }
    if !globals.is_none() && !dict::is_dict(globals) {
        let hint = if is_mapping(vm, globals) {
            "globals must be a real dict; try eval(code, {}, mapping)"
        } else {
            "globals must be a dict"
        };
        return Err(vm.type_error(hint));
    }
    let (globals, locals) = namespaces(vm, globals, locals)?;
    if source.is_exact(Kind::CODE) {
        return run(vm, "eval", source, &globals, &locals, Word::NONE);
    }
    // Leading blanks would be an indentation.
    let stripped = strip_blanks(vm, source)?;
    let code = compile_source(vm, "eval", stripped.as_word(), "<string>", "eval", 0)?;
    run(vm, "eval", code.as_word(), &globals, &locals, Word::NONE)
}

fn strip_blanks(vm: Vm, source: Word) -> PyResult {
    if !str::is_str(source) {
        return Ok(Owned::new_ref(source));
    }
    let chars = str::chars(source);
    let blanks = chars
        .iter()
        .take_while(|c| *c == u32::from(b' ') || *c == u32::from(b'\t'))
        .count();
    vm.str_from_chars(chars.slice(blanks, chars.len()))
}

pub fn exec(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [source, globals, locals, closure] = EXEC
        .unpack(vm, args, kwnames)?
        .map(|word| word.unwrap_or(Word::NONE));
    if !globals.is_none() && !dict::is_dict(globals) {
        return Err(vm.type_error(format!(
            "exec() globals must be a dict, not {}",
            vm.type_name(globals)
        )));
    }
    if !locals.is_none() && !is_mapping(vm, locals) {
        return Err(vm.type_error(format!(
            "locals must be a mapping or None, not {}",
            vm.type_name(locals)
        )));
    }
    let (globals, locals) = namespaces(vm, globals, locals)?;
    if source.is_exact(Kind::CODE) {
        return run(vm, "exec", source, &globals, &locals, closure).map(|_| Owned::NONE);
    }
    if !closure.is_none() {
        return Err(vm.type_error("closure can only be used when source is a code object"));
    }
    let code = compile_source(vm, "exec", source, "<string>", "exec", 0)?;
    run(vm, "exec", code.as_word(), &globals, &locals, Word::NONE).map(|_| Owned::NONE)
}

/// `PyMapping_Check`.
fn is_mapping(vm: Vm, object: Word) -> bool {
    // SAFETY: types are live as long as an instance.
    unsafe { (*vm.type_of(object)).slots.getitem.is_some() }
}

/// The namespaces to use: the running frame's where none are given, and builtins in the globals.
fn namespaces(vm: Vm, globals: Word, locals: Word) -> Result<(Owned, Owned), Raised> {
    let ts = Thread::of(vm);
    let (globals, locals) = match (globals.is_none(), locals.is_none()) {
        (true, true) => (current_globals(ts)?, current_locals(ts)?),
        (true, false) => (current_globals(ts)?, Owned::new_ref(locals)),
        (false, true) => (Owned::new_ref(globals), Owned::new_ref(globals)),
        (false, false) => (Owned::new_ref(globals), Owned::new_ref(locals)),
    };
    // SAFETY: a live dict.
    unsafe { ts.ensure_builtins(globals.as_ptr())? };
    Ok((globals, locals))
}

/// Runs a code object with these namespaces.
fn run(
    vm: Vm,
    caller: &str,
    code: Word,
    globals: &Owned,
    locals: &Owned,
    closure: Word,
) -> PyResult {
    let ts = Thread::of(vm);
    // SAFETY: a live code object, a live dict.
    unsafe {
        let object = code.cast::<CodeObject>();
        let free = (*object).free_count();
        if closure.is_none() && free > 0 {
            return Err(vm.type_error(format!(
                "code object passed to {caller}() may not contain free variables"
            )));
        }
        if !closure.is_none() && !fits_closure(closure, free) {
            let message = match free {
                0 => "cannot use a closure with this code object".to_string(),
                _ => format!("code object requires a closure of exactly length {free}"),
            };
            return Err(vm.type_error(message));
        }
        let made = function::new_function(ts, object, globals.as_ptr())?;
        if !closure.is_none() {
            (*made.as_ptr::<function::FunctionObject>())
                .closure
                .set(closure.dup().to_slot());
        }
        entry::run_body(ts, made.as_word(), locals.as_word())
    }
}

/// A tuple of as many cells.
unsafe fn fits_closure(closure: Word, count: usize) -> bool {
    if !closure.is_exact(Kind::TUPLE) || count == 0 {
        return false;
    }
    // SAFETY: a tuple by its kind.
    let cells = unsafe { crate::object::tuple::items(closure) };
    cells.len() == count && cells.iter().all(|cell| cell.is_exact(Kind::CELL))
}
