//! What single exception types do beyond `BaseException`: arguments that become attributes, and their text
//! (`exceptions.c`).

use super::args::keyword_names;
use super::descr::MemberDef;
use super::exc::{self, ExceptionObject, field};
use super::exc_group;
use super::exc_methods::{self, BASE_SLOTS};
use super::header::Kind;
use super::int::{self, IntRef};
use super::owned::{Owned, PyResult, Raised};
use super::types::{Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{protocol, str, tuple};

/// A field of an exception whose type has it.
fn cell<'a>(exception: Word, index: usize) -> &'a std::cell::Cell<Option<Word>> {
    // SAFETY: callers know the type's fields.
    unsafe { exc::object(exception).field(index) }
}
fn set(exception: Word, index: usize, value: Word) {
    exc::replace(cell(exception, index), Some(value));
}
fn get(exception: Word, index: usize) -> Option<Word> {
    cell(exception, index)
        .get()
        .filter(|value| !value.is_none())
}
fn args_of<'a>(exception: Word) -> &'a [Word] {
    // SAFETY: `args` is a tuple that the exception keeps.
    exc::object(exception)
        .args
        .get()
        .map_or(&[], |args| unsafe { tuple::items(args) })
}

/// `__new__` of all exceptions: the positional arguments become `args`.
fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let positional = &args[..args.len() - keyword_names(kwnames).len()];
    let ty = if ty == vm.exc.OSError {
        os_error_type(vm, positional)
    } else {
        ty
    };
    exc_methods::alloc_exception(vm, ty, positional)
}

/// `__init__` of all exceptions, by type.
pub(super) fn init(
    vm: Vm,
    exception: Word,
    args: &[Word],
    kwnames: Option<Word>,
) -> Result<(), Raised> {
    let names = keyword_names(kwnames);
    let (args, values) = args.split_at(args.len() - names.len());
    let own = exc::object(exception);
    let same = args_of(exception).len() == args.len()
        && args_of(exception).iter().zip(args).all(|(a, b)| a.is(*b));
    if !same {
        let tuple = vm.new_tuple(args)?;
        exc::replace(&own.args, Some(tuple.as_word()));
    }
    // SAFETY: types are live as long as an instance.
    let size = unsafe { (*vm.type_of(exception)).basic_size as usize };
    if size == exc_methods::exception_size(0) && names.is_empty() {
        // Most exceptions: nothing is filled in that is not there.
        return Ok(());
    }
    let is = |ty: *mut TypeObject| vm.is_instance(exception, ty);
    let allowed: &[(&str, usize)] = if is(vm.exc.ImportError) {
        &[("name", 1), ("path", 2), ("name_from", 3)]
    } else if is(vm.exc.AttributeError) {
        &[("name", 0), ("obj", 1)]
    } else if is(vm.exc.NameError) {
        &[("name", 0)]
    } else {
        &[]
    };
    for (&name, &value) in names.iter().zip(values) {
        match allowed
            .iter()
            .find(|(allowed, _)| str::equals(name, allowed))
        {
            Some((_, index)) => set(exception, *index, value),
            None if allowed.is_empty() => {
                return Err(vm.type_error(format!(
                    "{}() takes no keyword arguments",
                    vm.type_name(exception)
                )));
            }
            None => {
                return Err(vm.type_error(format!(
                    "{}() got an unexpected keyword argument '{}'",
                    if is(vm.exc.ImportError) {
                        "ImportError"
                    } else if is(vm.exc.NameError) {
                        "NameError"
                    } else {
                        "AttributeError"
                    },
                    str::to_string_lossy(name)
                )));
            }
        }
    }
    if is(vm.exc.StopIteration) {
        set(
            exception,
            field::STOP_ITERATION_VALUE,
            args.first().copied().unwrap_or(Word::NONE),
        );
    } else if is(vm.exc.SystemExit) {
        match args {
            [] => {}
            [code] => set(exception, field::SYSTEM_EXIT_CODE, *code),
            _ => set(
                exception,
                field::SYSTEM_EXIT_CODE,
                own.args.get().unwrap_or(Word::NONE),
            ),
        }
    } else if is(vm.exc.ImportError) {
        if let [message] = args {
            set(exception, field::IMPORT_ERROR_MSG, *message);
        }
    } else if is(vm.exc.OSError) {
        init_os_error(vm, exception, args)?;
    } else if is(vm.exc.SyntaxError) {
        init_syntax_error(vm, exception, args)?;
    } else if is(vm.exc.UnicodeEncodeError) || is(vm.exc.UnicodeDecodeError) {
        if args.len() != 5 {
            return Err(vm.type_error(format!(
                "function takes exactly 5 arguments ({} given)",
                args.len()
            )));
        }
        let encodes = is(vm.exc.UnicodeEncodeError);
        check_unicode(vm, args, if encodes { "ssiis" } else { "sbiis" })?;
        (0..5).for_each(|index| set(exception, index, args[index]));
    } else if is(vm.exc.UnicodeTranslateError) {
        if args.len() != 4 {
            return Err(vm.type_error(format!(
                "function takes exactly 4 arguments ({} given)",
                args.len()
            )));
        }
        check_unicode(vm, args, "siis")?;
        (0..4).for_each(|index| set(exception, index + 1, args[index]));
    }
    Ok(())
}

/// The types of a Unicode error's arguments: `s` for text, `b` for bytes, `i` for a number.
fn check_unicode(vm: Vm, args: &[Word], format: &str) -> Result<(), Raised> {
    for (index, (&arg, kind)) in args.iter().zip(format.chars()).enumerate() {
        let fits = match kind {
            's' => str::is_str(arg),
            'b' => super::bytes::is_bytes_like(arg),
            _ => super::number::is_index(vm, arg),
        };
        if fits {
            continue;
        }
        let name = vm.type_name(arg);
        return Err(vm.type_error(match kind {
            's' => format!("argument {} must be str, not {name}", index + 1),
            'b' => format!("a bytes-like object is required, not '{name}'"),
            _ => format!("'{name}' object cannot be interpreted as an integer"),
        }));
    }
    Ok(())
}

// ---- OSError

/// `OSError(errno, ...)` makes the subclass for the number (`oserror_parse_args`, `errnomap`).
fn os_error_type(vm: Vm, args: &[Word]) -> *mut TypeObject {
    let number = match args {
        [number, _, ..] if args.len() <= 5 => int::value(*number).and_then(IntRef::to_i64),
        _ => None,
    };
    let exc = &vm.exc;
    match number.and_then(|number| i32::try_from(number).ok()) {
        Some(libc::EAGAIN | libc::EALREADY | libc::EINPROGRESS) => exc.BlockingIOError,
        Some(libc::EPIPE | libc::ESHUTDOWN) => exc.BrokenPipeError,
        Some(libc::ECHILD) => exc.ChildProcessError,
        Some(libc::ECONNABORTED) => exc.ConnectionAbortedError,
        Some(libc::ECONNREFUSED) => exc.ConnectionRefusedError,
        Some(libc::ECONNRESET) => exc.ConnectionResetError,
        Some(libc::EEXIST) => exc.FileExistsError,
        Some(libc::ENOENT) => exc.FileNotFoundError,
        Some(libc::EISDIR) => exc.IsADirectoryError,
        Some(libc::ENOTDIR) => exc.NotADirectoryError,
        Some(libc::EINTR) => exc.InterruptedError,
        Some(libc::EACCES | libc::EPERM) => exc.PermissionError,
        Some(libc::ESRCH) => exc.ProcessLookupError,
        Some(libc::ETIMEDOUT) => exc.TimeoutError,
        _ => exc.OSError,
    }
}
fn init_os_error(vm: Vm, exception: Word, args: &[Word]) -> Result<(), Raised> {
    if !(2..=5).contains(&args.len()) {
        return Ok(());
    }
    set(exception, field::OS_ERROR_ERRNO, args[0]);
    set(exception, field::OS_ERROR_STRERROR, args[1]);
    if let Some(&filename) = args.get(2) {
        set(exception, field::OS_ERROR_FILENAME, filename);
        // `args` is number and text alone, as programs have come to expect.
        let short = vm.new_tuple(&args[..2])?;
        exc::replace(&exc::object(exception).args, Some(short.as_word()));
    }
    if let Some(&filename) = args.get(4) {
        set(exception, field::OS_ERROR_FILENAME2, filename);
    }
    Ok(())
}
fn text(vm: Vm, word: Option<Word>) -> Result<String, Raised> {
    Ok(str::to_string_lossy(
        protocol::str(vm, word.unwrap_or(Word::NONE))?.as_word(),
    ))
}
fn repr(vm: Vm, word: Word) -> Result<String, Raised> {
    Ok(str::to_string_lossy(protocol::repr(vm, word)?.as_word()))
}
fn os_error_str(vm: Vm, exception: Word) -> PyResult {
    let (number, message) = (
        get(exception, field::OS_ERROR_ERRNO),
        get(exception, field::OS_ERROR_STRERROR),
    );
    let names = (
        get(exception, field::OS_ERROR_FILENAME),
        get(exception, field::OS_ERROR_FILENAME2),
    );
    if names.0.is_none() && (number.is_none() || message.is_none()) {
        return exception_str(vm, exception);
    }
    let head = format!("[Errno {}] {}", text(vm, number)?, text(vm, message)?);
    vm.new_str(&match names {
        (Some(first), Some(second)) => {
            format!("{head}: {} -> {}", repr(vm, first)?, repr(vm, second)?)
        }
        (Some(first), None) => format!("{head}: {}", repr(vm, first)?),
        _ => head,
    })
}

// ---- SyntaxError

fn init_syntax_error(vm: Vm, exception: Word, args: &[Word]) -> Result<(), Raised> {
    if let Some(&message) = args.first() {
        set(exception, field::SYNTAX_ERROR_MSG, message);
    }
    if let [_, info] = *args {
        let info = super::sequence::collect(vm, info)?;
        if info.len() < 4 {
            return Err(vm.type_error(format!(
                "function takes at least 4 arguments ({} given)",
                info.len()
            )));
        }
        for (index, value) in info.iter().take(6).enumerate() {
            set(
                exception,
                field::SYNTAX_ERROR_FILENAME + index,
                value.as_word(),
            );
        }
    }
    Ok(())
}
fn syntax_error_str(vm: Vm, exception: Word) -> PyResult {
    let message = text(vm, cell(exception, field::SYNTAX_ERROR_MSG).get())?;
    let filename = get(exception, field::SYNTAX_ERROR_FILENAME).filter(|&name| str::is_str(name));
    // The name without its directories.
    let filename = filename
        .map(str::to_string_lossy)
        .map(|name| name.rsplit('/').next().unwrap_or("").to_owned());
    let line = get(exception, field::SYNTAX_ERROR_LINENO)
        .and_then(int::value)
        .and_then(IntRef::to_i64);
    vm.new_str(&match (filename, line) {
        (Some(name), Some(line)) => format!("{message} ({name}, line {line})"),
        (Some(name), None) => format!("{message} ({name})"),
        (None, Some(line)) => format!("{message} (line {line})"),
        (None, None) => message,
    })
}

// ---- text

/// `str(e)`: nothing, the argument, or the tuple of arguments (`BaseException_str`).
fn exception_str(vm: Vm, exception: Word) -> PyResult {
    match args_of(exception) {
        [] => Ok(vm.empty_string()),
        [argument] => protocol::str(vm, *argument),
        _ => protocol::str(vm, exc::object(exception).args.get().unwrap_or(Word::NONE)),
    }
}
/// `Name(args)` (`BaseException_repr`).
fn exception_repr(vm: Vm, exception: Word) -> PyResult {
    let name = vm.type_name(exception);
    let name = name.rsplit('.').next().unwrap_or(&name);
    let args = match args_of(exception) {
        [argument] => format!("({})", repr(vm, *argument)?),
        _ => repr(vm, exc::object(exception).args.get().unwrap_or(Word::NONE))?,
    };
    vm.new_str(&format!("{name}{args}"))
}
/// A key is shown as a literal, so that `KeyError('')` is not blank.
fn key_error_str(vm: Vm, exception: Word) -> PyResult {
    match args_of(exception) {
        [key] => protocol::repr(vm, *key),
        _ => exception_str(vm, exception),
    }
}
fn import_error_str(vm: Vm, exception: Word) -> PyResult {
    match get(exception, field::IMPORT_ERROR_MSG) {
        Some(message) if message.is_exact(Kind::STR) => Ok(Owned::new_ref(message)),
        _ => exception_str(vm, exception),
    }
}
fn unicode_error_str(vm: Vm, exception: Word) -> PyResult {
    let Some(object) = get(exception, field::UNICODE_ERROR_OBJECT) else {
        return Ok(vm.empty_string());
    };
    let position = |index| {
        get(exception, index)
            .and_then(int::value)
            .and_then(IntRef::to_i64)
            .unwrap_or(0)
    };
    let (start, end) = (
        position(field::UNICODE_ERROR_START),
        position(field::UNICODE_ERROR_END),
    );
    let reason = text(vm, cell(exception, field::UNICODE_ERROR_REASON).get())?;
    let encoding = text(vm, cell(exception, field::UNICODE_ERROR_ENCODING).get())?;
    let single = end == start + 1;
    if str::is_str(object) {
        let verb = if vm.is_instance(exception, vm.exc.UnicodeTranslateError) {
            "can't translate".to_owned()
        } else {
            format!("'{encoding}' codec can't encode")
        };
        let chars = str::chars(object);
        if single && (start as usize) < chars.len() {
            let c = chars.at(start as usize);
            let shown = match c {
                0..0x100 => format!("\\x{c:02x}"),
                0x100..0x1_0000 => format!("\\u{c:04x}"),
                _ => format!("\\U{c:08x}"),
            };
            return vm.new_str(&format!(
                "{verb} character '{shown}' in position {start}: {reason}"
            ));
        }
        return vm.new_str(&format!(
            "{verb} characters in position {start}-{}: {reason}",
            end - 1
        ));
    }
    if single
        && super::bytes::is_bytes_like(object)
        && let Some(byte) = super::bytes::contents(object).get(start as usize)
    {
        return vm.new_str(&format!(
            "'{encoding}' codec can't decode byte 0x{byte:02x} in position {start}: {reason}"
        ));
    }
    vm.new_str(&format!(
        "'{encoding}' codec can't decode bytes in position {start}-{}: {reason}",
        end - 1
    ))
}
fn group_str(vm: Vm, exception: Word) -> PyResult {
    let count = get(exception, field::GROUP_EXCEPTIONS)
        .map_or(Ok(0), |all| super::sequence::len(vm, all))?;
    let s = if count == 1 { "" } else { "s" };
    let message = text(vm, cell(exception, field::GROUP_MESSAGE).get())?;
    vm.new_str(&format!("{message} ({count} sub-exception{s})"))
}

/// What a built-in exception type is made from.
pub(super) fn spec(name: &'static str, members: &'static [MemberDef], size: usize) -> TypeSpec {
    let own_str: Option<super::types::UnaryFn> = match name {
        "BaseException" => Some(exception_str),
        "BaseExceptionGroup" => Some(group_str),
        "KeyError" => Some(key_error_str),
        "ImportError" => Some(import_error_str),
        "OSError" => Some(os_error_str),
        "SyntaxError" => Some(syntax_error_str),
        "UnicodeEncodeError" | "UnicodeDecodeError" | "UnicodeTranslateError" => {
            Some(unicode_error_str)
        }
        _ => None,
    };
    let is_group = matches!(name, "BaseExceptionGroup" | "ExceptionGroup");
    let is_base = name == "BaseException";
    let spec = TypeSpec {
        basic_size: size,
        dict_offset: std::mem::offset_of!(ExceptionObject, dict),
        flags: type_flag::BASETYPE,
        members,
        ..TypeSpec::new::<ExceptionObject>(
            name,
            Kind::EXCEPTION,
            Slots {
                repr: if is_base { Some(exception_repr) } else { None },
                str: own_str,
                init: Some(init),
                new: Some(if is_group { exc_group::group_new } else { new }),
                ..BASE_SLOTS
            },
        )
    };
    match name {
        "BaseException" => exc_methods::base_exception_parts(spec),
        "BaseExceptionGroup" => TypeSpec {
            methods: exc_group::METHODS,
            ..spec
        },
        _ => spec,
    }
}
