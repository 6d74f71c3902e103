//! Python objects and exceptions as a closure holds them, and what they convert to.

use super::Args;
use crate::object::number;
use crate::object::{
    Owned, PyResult, Raised, Vm, Word, attr, call, exc, exc_methods, int, list, protocol, str,
    tuple,
};
use crate::runtime::thread::Thread;

/// A Python object, counted; it cannot outlive the call that it came from.
#[derive(Clone)]
pub struct Value<'a> {
    owned: Owned,
    ts: &'a Thread,
}

impl<'a> Value<'a> {
    pub(super) fn new(ts: &'a Thread, owned: Owned) -> Value<'a> {
        Value { owned, ts }
    }
    pub(super) fn from_result(
        ts: &'a Thread,
        result: PyResult,
    ) -> Result<Value<'a>, Exception<'a>> {
        match result {
            Ok(owned) => Ok(Value::new(ts, owned)),
            Err(Raised) => Err(Exception::take(ts)),
        }
    }
    pub(super) fn into_owned(self) -> Owned {
        self.owned
    }
    fn word(&self) -> Word {
        self.owned.as_word()
    }
    pub fn is_none(&self) -> bool {
        self.word().is_none()
    }
    /// The name of its type.
    pub fn type_name(&self) -> String {
        self.ts.vm().type_name(self.word())
    }
    /// The object as a Rust value; TypeError if it is of another type.
    pub fn extract<T: FromPython<'a>>(&self) -> Result<T, Exception<'a>> {
        T::from_python(self).map_err(|mismatch| match mismatch {
            Mismatch::Raised(exception) => exception,
            Mismatch::Expected(what) => {
                let message = format!("must be {what}, not {}", self.type_name());
                self.ts.vm().type_error(message);
                Exception::take(self.ts)
            }
        })
    }
    /// Calls it with positional arguments.
    pub fn call(&self, args: &[Value<'a>]) -> Result<Value<'a>, Exception<'a>> {
        let words: Vec<Word> = args.iter().map(Value::word).collect();
        Value::from_result(self.ts, call::call(self.ts.vm(), self.word(), &words, None))
    }
    /// An attribute.
    pub fn attr(&self, name: &str) -> Result<Value<'a>, Exception<'a>> {
        let vm = self.ts.vm();
        let found = vm
            .intern_str(name)
            .and_then(|name| attr::get_attr(vm, self.word(), name.as_word()));
        Value::from_result(self.ts, found)
    }
    /// `repr(object)`
    pub fn repr(&self) -> Result<String, Exception<'a>> {
        let text = protocol::repr(self.ts.vm(), self.word());
        Ok(str::to_string_lossy(
            Value::from_result(self.ts, text)?.word(),
        ))
    }
}

/// A Python exception, taken from where it was raised: to be returned, or to be handled by dropping it.
pub struct Exception<'a>(Value<'a>);

impl<'a> Exception<'a> {
    /// The exception that has just been raised.
    pub(super) fn take(ts: &'a Thread) -> Exception<'a> {
        let vm = ts.vm();
        let taken = vm.take_exception().or_else(|| {
            vm.raise(vm.exc.SystemError, "error without an exception set");
            vm.take_exception()
        });
        // Raising sets an exception, at worst the MemoryError that needs no memory.
        Exception(Value::new(ts, taken.unwrap_or(Owned::NONE)))
    }
    pub(super) fn set(self, ts: &Thread) -> Raised {
        let exception = self.0.into_owned();
        if exc::is_exception(exception.as_word()) {
            ts.vm().raise_object(exception)
        } else {
            ts.vm().no_memory()
        }
    }
    pub fn type_error(args: &Args<'a>, message: impl AsRef<str>) -> Exception<'a> {
        let ts = args.thread();
        ts.vm().type_error(message);
        Exception::take(ts)
    }
    pub fn value_error(args: &Args<'a>, message: impl AsRef<str>) -> Exception<'a> {
        let ts = args.thread();
        ts.vm().value_error(message);
        Exception::take(ts)
    }
    pub fn runtime_error(args: &Args<'a>, message: impl AsRef<str>) -> Exception<'a> {
        let ts = args.thread();
        ts.vm().raise(ts.exc.RuntimeError, message);
        Exception::take(ts)
    }
    /// The name of its class.
    pub fn type_name(&self) -> String {
        self.0.type_name()
    }
    /// Its text.
    pub fn message(&self) -> String {
        exc_methods::message(self.0.ts.vm(), self.0.word())
    }
}

impl std::fmt::Debug for Exception<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.type_name(), self.message())
    }
}
impl std::fmt::Display for Exception<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.type_name(), self.message())
    }
}

/// Why an object does not convert.
pub enum Mismatch<'a> {
    /// It is no such type.
    Expected(&'static str),
    Raised(Exception<'a>),
}

/// What a Python object converts to.
pub trait FromPython<'a>: Sized {
    fn from_python(value: &Value<'a>) -> Result<Self, Mismatch<'a>>;
}

impl<'a> FromPython<'a> for Value<'a> {
    fn from_python(value: &Value<'a>) -> Result<Self, Mismatch<'a>> {
        Ok(value.clone())
    }
}
impl<'a> FromPython<'a> for bool {
    fn from_python(value: &Value<'a>) -> Result<Self, Mismatch<'a>> {
        protocol::is_true(value.ts.vm(), value.word())
            .map_err(|Raised| Mismatch::Raised(Exception::take(value.ts)))
    }
}
impl<'a> FromPython<'a> for i64 {
    fn from_python(value: &Value<'a>) -> Result<Self, Mismatch<'a>> {
        let vm = value.ts.vm();
        let found = number::index(vm, value.word()).and_then(|index| {
            int::value(index.as_word())
                .and_then(int::IntRef::to_i64)
                .ok_or_else(|| vm.overflow_error("Python int too large to convert to C long"))
        });
        found.map_err(|Raised| Mismatch::Raised(Exception::take(value.ts)))
    }
}
impl<'a> FromPython<'a> for usize {
    fn from_python(value: &Value<'a>) -> Result<Self, Mismatch<'a>> {
        let number = i64::from_python(value)?;
        usize::try_from(number).map_err(|_| {
            value
                .ts
                .vm()
                .overflow_error("can't convert negative int to unsigned");
            Mismatch::Raised(Exception::take(value.ts))
        })
    }
}
impl<'a> FromPython<'a> for f64 {
    fn from_python(value: &Value<'a>) -> Result<Self, Mismatch<'a>> {
        number::to_float(value.ts.vm(), value.word())
            .map_err(|Raised| Mismatch::Raised(Exception::take(value.ts)))
    }
}
/// Lone surrogates become U+FFFD.
impl<'a> FromPython<'a> for String {
    fn from_python(value: &Value<'a>) -> Result<Self, Mismatch<'a>> {
        if str::is_str(value.word()) {
            Ok(str::to_string_lossy(value.word()))
        } else {
            Err(Mismatch::Expected("str"))
        }
    }
}
impl<'a, T: FromPython<'a>> FromPython<'a> for Option<T> {
    fn from_python(value: &Value<'a>) -> Result<Self, Mismatch<'a>> {
        if value.is_none() {
            Ok(None)
        } else {
            T::from_python(value).map(Some)
        }
    }
}
impl<'a, T: FromPython<'a>> FromPython<'a> for Vec<T> {
    fn from_python(value: &Value<'a>) -> Result<Self, Mismatch<'a>> {
        let word = value.word();
        // SAFETY: the items are counted before anything of theirs is asked.
        let items = unsafe {
            if list::is_list(word) {
                list::items(word)
            } else if tuple::is_tuple(word) {
                tuple::items(word)
            } else {
                return Err(Mismatch::Expected("list or tuple"));
            }
        };
        let items: Vec<Value<'a>> = items
            .iter()
            .map(|item| Value::new(value.ts, Owned::new_ref(*item)))
            .collect();
        items.iter().map(T::from_python).collect()
    }
}

/// What converts to a Python object.
pub trait ToPython<'a> {
    #[doc(hidden)]
    fn to_python(self, vm: Vm) -> PyResult;
}

impl<'a> ToPython<'a> for Value<'a> {
    fn to_python(self, _: Vm) -> PyResult {
        Ok(self.into_owned())
    }
}
impl ToPython<'_> for () {
    fn to_python(self, _: Vm) -> PyResult {
        Ok(Owned::NONE)
    }
}
impl ToPython<'_> for bool {
    fn to_python(self, _: Vm) -> PyResult {
        Ok(Owned::bool(self))
    }
}
impl ToPython<'_> for i64 {
    fn to_python(self, vm: Vm) -> PyResult {
        vm.new_int(self)
    }
}
impl ToPython<'_> for usize {
    fn to_python(self, vm: Vm) -> PyResult {
        vm.new_int_usize(self)
    }
}
impl ToPython<'_> for f64 {
    fn to_python(self, vm: Vm) -> PyResult {
        vm.new_float(self)
    }
}
impl ToPython<'_> for &str {
    fn to_python(self, vm: Vm) -> PyResult {
        vm.new_str(self)
    }
}
impl ToPython<'_> for String {
    fn to_python(self, vm: Vm) -> PyResult {
        vm.new_str(&self)
    }
}
impl<'a, T: ToPython<'a>> ToPython<'a> for Option<T> {
    fn to_python(self, vm: Vm) -> PyResult {
        self.map_or(Ok(Owned::NONE), |value| value.to_python(vm))
    }
}
impl<'a, T: ToPython<'a>> ToPython<'a> for Vec<T> {
    fn to_python(self, vm: Vm) -> PyResult {
        let items = self.into_iter().map(|item| item.to_python(vm));
        vm.list_from_owned(items.collect::<Result<_, _>>()?)
    }
}
impl<'a, A: ToPython<'a>, B: ToPython<'a>> ToPython<'a> for (A, B) {
    fn to_python(self, vm: Vm) -> PyResult {
        vm.tuple_from_owned(vec![self.0.to_python(vm)?, self.1.to_python(vm)?])
    }
}
