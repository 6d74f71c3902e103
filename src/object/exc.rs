//! Exceptions: their layout, the built-in hierarchy, raising and taking them (`exceptions.c`, `errors.c`).
//! Construction and methods are in `exc_methods.rs`.

use super::descr::MemberDef;
use super::header::{Header, Kind};
use super::owned::{Owned, PyResult, Raised};
use super::types::TypeObject;
use super::vm::Vm;
use super::word::Word;
use std::cell::Cell;
use std::ptr::null_mut;

/// `PyBaseExceptionObject` and everything that derives from it: the subtypes' own fields follow as words.
#[repr(C)]
pub struct ExceptionObject {
    pub header: Header,
    pub dict: Cell<Option<Word>>,
    /// A tuple.
    pub args: Cell<Option<Word>>,
    pub traceback: Cell<Option<Word>>,
    pub context: Cell<Option<Word>>,
    pub cause: Cell<Option<Word>>,
    pub suppress_context: Cell<bool>,
}

/// Offset of a subtype's first own field.
pub const FIELDS_OFFSET: usize = size_of::<ExceptionObject>();
const _: () = assert!(FIELDS_OFFSET == 64);

impl ExceptionObject {
    /// A field of the subtype, by number: `field::*`.
    ///
    /// # Safety
    /// The type has that field.
    #[inline]
    pub unsafe fn field(&self, index: usize) -> &Cell<Option<Word>> {
        let fields = (&raw const *self as *const u8).wrapping_add(FIELDS_OFFSET)
            as *const Cell<Option<Word>>;
        unsafe { &*fields.add(index) }
    }
}

/// Numbers of the fields that subtypes have.
pub mod field {
    pub const STOP_ITERATION_VALUE: usize = 0;
    pub const SYSTEM_EXIT_CODE: usize = 0;
    pub const NAME_ERROR_NAME: usize = 0;
    pub const ATTRIBUTE_ERROR_NAME: usize = 0;
    pub const ATTRIBUTE_ERROR_OBJ: usize = 1;
    pub const IMPORT_ERROR_MSG: usize = 0;
    pub const IMPORT_ERROR_NAME: usize = 1;
    pub const IMPORT_ERROR_PATH: usize = 2;
    pub const IMPORT_ERROR_NAME_FROM: usize = 3;
    pub const OS_ERROR_ERRNO: usize = 0;
    pub const OS_ERROR_STRERROR: usize = 1;
    pub const OS_ERROR_FILENAME: usize = 2;
    pub const OS_ERROR_FILENAME2: usize = 3;
    pub const SYNTAX_ERROR_MSG: usize = 0;
    pub const SYNTAX_ERROR_FILENAME: usize = 1;
    pub const SYNTAX_ERROR_LINENO: usize = 2;
    pub const SYNTAX_ERROR_OFFSET: usize = 3;
    pub const SYNTAX_ERROR_TEXT: usize = 4;
    pub const SYNTAX_ERROR_END_LINENO: usize = 5;
    pub const SYNTAX_ERROR_END_OFFSET: usize = 6;
    pub const UNICODE_ERROR_ENCODING: usize = 0;
    pub const UNICODE_ERROR_OBJECT: usize = 1;
    pub const UNICODE_ERROR_START: usize = 2;
    pub const UNICODE_ERROR_END: usize = 3;
    pub const UNICODE_ERROR_REASON: usize = 4;
    pub const GROUP_MESSAGE: usize = 0;
    pub const GROUP_EXCEPTIONS: usize = 1;
}

const fn member(name: &'static str, index: u32) -> MemberDef {
    MemberDef {
        name,
        offset: FIELDS_OFFSET as u32 + 8 * index,
        readonly: false,
        required: false,
    }
}
const fn readonly(name: &'static str, index: u32) -> MemberDef {
    MemberDef {
        readonly: true,
        ..member(name, index)
    }
}

static NO_FIELDS: [MemberDef; 0] = [];
static STOP_ITERATION: [MemberDef; 1] = [member("value", 0)];
static SYSTEM_EXIT: [MemberDef; 1] = [member("code", 0)];
static NAME_ERROR: [MemberDef; 1] = [member("name", 0)];
static ATTRIBUTE_ERROR: [MemberDef; 2] = [member("name", 0), member("obj", 1)];
static IMPORT_ERROR: [MemberDef; 4] = [
    member("msg", 0),
    member("name", 1),
    member("path", 2),
    member("name_from", 3),
];
static OS_ERROR: [MemberDef; 4] = [
    member("errno", 0),
    member("strerror", 1),
    member("filename", 2),
    member("filename2", 3),
];
static SYNTAX_ERROR: [MemberDef; 8] = [
    member("msg", 0),
    member("filename", 1),
    member("lineno", 2),
    member("offset", 3),
    member("text", 4),
    member("end_lineno", 5),
    member("end_offset", 6),
    member("print_file_and_line", 7),
];
static UNICODE_ERROR: [MemberDef; 5] = [
    member("encoding", 0),
    member("object", 1),
    member("start", 2),
    member("end", 3),
    member("reason", 4),
];
static GROUP: [MemberDef; 2] = [readonly("message", 0), readonly("exceptions", 1)];

macro_rules! exceptions {
    ($($name:ident: $base:ident, $fields:ident;)*) => {
        /// The built-in exception types, by their own names.
        #[repr(C)]
        #[allow(non_snake_case)]
        pub struct Exceptions { $(pub $name: *mut TypeObject,)* }
        impl Exceptions {
            pub(super) const NULL: Exceptions = Exceptions { $($name: null_mut(),)* };
            /// Every one of them, bases first.
            pub fn all(&self) -> impl Iterator<Item = *mut TypeObject> + use<> {
                [$(self.$name),*].into_iter()
            }
        }
        /// Name, name of the base, own fields; bases first.
        pub(super) static HIERARCHY: &[(&str, &str, &[MemberDef])] = &[$((stringify!($name), stringify!($base), &$fields),)*];
        const _: () = assert!(size_of::<Exceptions>() == 8 * [$(stringify!($name)),*].len());
    };
}

exceptions! {
    BaseException: object, NO_FIELDS;
    BaseExceptionGroup: BaseException, GROUP;
    Exception: BaseException, NO_FIELDS;
    GeneratorExit: BaseException, NO_FIELDS;
    KeyboardInterrupt: BaseException, NO_FIELDS;
    SystemExit: BaseException, SYSTEM_EXIT;
    ArithmeticError: Exception, NO_FIELDS;
    FloatingPointError: ArithmeticError, NO_FIELDS;
    OverflowError: ArithmeticError, NO_FIELDS;
    ZeroDivisionError: ArithmeticError, NO_FIELDS;
    AssertionError: Exception, NO_FIELDS;
    AttributeError: Exception, ATTRIBUTE_ERROR;
    BufferError: Exception, NO_FIELDS;
    EOFError: Exception, NO_FIELDS;
    ImportError: Exception, IMPORT_ERROR;
    ModuleNotFoundError: ImportError, IMPORT_ERROR;
    LookupError: Exception, NO_FIELDS;
    IndexError: LookupError, NO_FIELDS;
    KeyError: LookupError, NO_FIELDS;
    MemoryError: Exception, NO_FIELDS;
    NameError: Exception, NAME_ERROR;
    UnboundLocalError: NameError, NAME_ERROR;
    OSError: Exception, OS_ERROR;
    BlockingIOError: OSError, OS_ERROR;
    ChildProcessError: OSError, OS_ERROR;
    ConnectionError: OSError, OS_ERROR;
    BrokenPipeError: ConnectionError, OS_ERROR;
    ConnectionAbortedError: ConnectionError, OS_ERROR;
    ConnectionRefusedError: ConnectionError, OS_ERROR;
    ConnectionResetError: ConnectionError, OS_ERROR;
    FileExistsError: OSError, OS_ERROR;
    FileNotFoundError: OSError, OS_ERROR;
    InterruptedError: OSError, OS_ERROR;
    IsADirectoryError: OSError, OS_ERROR;
    NotADirectoryError: OSError, OS_ERROR;
    PermissionError: OSError, OS_ERROR;
    ProcessLookupError: OSError, OS_ERROR;
    TimeoutError: OSError, OS_ERROR;
    ReferenceError: Exception, NO_FIELDS;
    RuntimeError: Exception, NO_FIELDS;
    NotImplementedError: RuntimeError, NO_FIELDS;
    PythonFinalizationError: RuntimeError, NO_FIELDS;
    RecursionError: RuntimeError, NO_FIELDS;
    StopAsyncIteration: Exception, NO_FIELDS;
    StopIteration: Exception, STOP_ITERATION;
    SyntaxError: Exception, SYNTAX_ERROR;
    IndentationError: SyntaxError, SYNTAX_ERROR;
    TabError: IndentationError, SYNTAX_ERROR;
    SystemError: Exception, NO_FIELDS;
    TypeError: Exception, NO_FIELDS;
    ValueError: Exception, NO_FIELDS;
    UnicodeError: ValueError, NO_FIELDS;
    UnicodeDecodeError: UnicodeError, UNICODE_ERROR;
    UnicodeEncodeError: UnicodeError, UNICODE_ERROR;
    UnicodeTranslateError: UnicodeError, UNICODE_ERROR;
    Warning: Exception, NO_FIELDS;
    BytesWarning: Warning, NO_FIELDS;
    DeprecationWarning: Warning, NO_FIELDS;
    EncodingWarning: Warning, NO_FIELDS;
    FutureWarning: Warning, NO_FIELDS;
    ImportWarning: Warning, NO_FIELDS;
    PendingDeprecationWarning: Warning, NO_FIELDS;
    ResourceWarning: Warning, NO_FIELDS;
    RuntimeWarning: Warning, NO_FIELDS;
    SyntaxWarning: Warning, NO_FIELDS;
    UnicodeWarning: Warning, NO_FIELDS;
    UserWarning: Warning, NO_FIELDS;
    ExceptionGroup: BaseExceptionGroup, GROUP;
}

/// Whether a value is an exception instance (`PyExceptionInstance_Check`).
#[inline]
pub fn is_exception(word: Word) -> bool {
    word.is_instance(Kind::EXCEPTION)
}
/// The exception behind a word known to be one.
#[inline]
pub fn object<'a>(word: Word) -> &'a ExceptionObject {
    debug_assert!(is_exception(word));
    // SAFETY: contract of Word; all fields that change are cells.
    unsafe { &*word.cast::<ExceptionObject>() }
}
/// Puts a new reference into a cell and releases what was there.
pub fn replace(cell: &Cell<Option<Word>>, value: Option<Word>) {
    let old = cell.replace(value.map(|word| Owned::new_ref(word).into_slot()));
    if let Some(old) = old {
        // SAFETY: a slot's word, overwritten.
        unsafe { old.release_slot() }
    }
}

impl Vm {
    /// Raises an exception of a built-in type with a message (`PyErr_SetString`).
    #[cold]
    pub fn raise(self, ty: *mut TypeObject, message: impl AsRef<str>) -> Raised {
        self.raise_message(ty, message.as_ref())
    }
    #[cold]
    #[inline(never)]
    fn raise_message(self, ty: *mut TypeObject, message: &str) -> Raised {
        match self.new_str(message) {
            Ok(message) => self.raise_with(ty, &[message.as_word()]),
            Err(raised) => raised,
        }
    }
    #[cold]
    pub fn type_error(self, message: impl AsRef<str>) -> Raised {
        self.raise_message(self.exc.TypeError, message.as_ref())
    }
    #[cold]
    pub fn value_error(self, message: impl AsRef<str>) -> Raised {
        self.raise_message(self.exc.ValueError, message.as_ref())
    }
    #[cold]
    pub fn index_error(self, message: impl AsRef<str>) -> Raised {
        self.raise_message(self.exc.IndexError, message.as_ref())
    }
    #[cold]
    pub fn overflow_error(self, message: impl AsRef<str>) -> Raised {
        self.raise_message(self.exc.OverflowError, message.as_ref())
    }
    /// `KeyError(key)` (`_PyErr_SetKeyError`).
    #[cold]
    pub fn key_error(self, key: Word) -> Raised {
        self.raise_with(self.exc.KeyError, &[key])
    }
    /// Raises an exception of a built-in type with these arguments.
    #[cold]
    pub fn raise_with(self, ty: *mut TypeObject, args: &[Word]) -> Raised {
        match self.new_exception(ty, args) {
            Ok(exception) => self.raise_object(exception),
            Err(raised) => raised,
        }
    }
    /// Raises this exception; the one being handled becomes its context (`_PyErr_SetObject`).
    #[cold]
    #[inline(never)]
    pub fn raise_object(self, exception: Owned) -> Raised {
        if let Some(handled) = self.topmost_handled() {
            self.chain_context(exception.as_word(), handled);
        }
        self.set_exception(exception);
        Raised
    }
    /// The exception being handled, here or further out (`_PyErr_GetTopmostException`).
    pub fn topmost_handled(self) -> Option<Word> {
        let own = self.handled_exception.get();
        if own.is_some() {
            return own;
        }
        let mut item = self.handled_outside.get();
        while !item.is_null() {
            // SAFETY: the items of running generators, which their resumers keep.
            let level = unsafe { &*item };
            if let Some(exception) = level.exception.get() {
                return Some(exception);
            }
            item = level.outside.get();
        }
        None
    }
    /// Makes `handled` the context of `exception`, unless that would close a ring, which is cut first.
    fn chain_context(self, exception: Word, handled: Word) {
        if handled.is(exception) {
            return;
        }
        // A ring made by hand is walked with a second pointer at half speed, as CPython does.
        let (mut slow, mut advance) = (handled, false);
        let mut current = handled;
        while let Some(context) = object(current).context.get() {
            if context.is(exception) {
                replace(&object(current).context, None);
                break;
            }
            current = context;
            if current.is(slow) {
                break;
            }
            if advance {
                slow = object(slow).context.get().unwrap_or(slow);
            }
            advance = !advance;
        }
        replace(&object(exception).context, Some(handled));
    }
    /// Makes this the current exception, dropping another one there may be.
    pub fn set_exception(self, exception: Owned) {
        let old = self.current_exception.replace(Some(exception.into_slot()));
        if let Some(old) = old {
            // SAFETY: a slot's word, overwritten.
            unsafe { old.release_slot() }
        }
    }
    /// The current exception, taken out (`PyErr_GetRaisedException`).
    pub fn take_exception(self) -> Option<Owned> {
        // SAFETY: a slot's word, taken out.
        self.current_exception
            .take()
            .map(|word| unsafe { Owned::from_slot(word) })
    }
    pub fn clear_exception(self) {
        drop(self.take_exception());
    }
    /// Whether the current exception is an instance of a type (`PyErr_ExceptionMatches`).
    pub fn exception_matches(self, ty: *mut TypeObject) -> bool {
        self.current_exception
            .get()
            .is_some_and(|exception| self.is_instance(exception, ty))
    }
    /// An instance of a built-in exception type as calling the type makes it.
    pub fn new_exception(self, ty: *mut TypeObject, args: &[Word]) -> PyResult {
        let exception = super::exc_methods::alloc_exception(self, ty, args)?;
        super::exc_types::init(self, exception.as_word(), args, None)?;
        Ok(exception)
    }
}
