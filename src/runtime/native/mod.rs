//! Functions of the embedding program that Python code calls: closures, their arguments and results, without `unsafe`.
//!
//! ```
//! use rattail::runtime::native::Exception;
//! use rattail::runtime::vm::{Machine, Options};
//!
//! let vm = Machine::new(Options::default()).expect("memory for a VM");
//! vm.function("repeat", |args| {
//!     let (text, times): (String, usize) = (args.get(0)?, args.get(1)?);
//!     if times > 1000 {
//!         return Err(Exception::value_error(args, "too often"));
//!     }
//!     args.ok(text.repeat(times))
//! })
//! .expect("memory for a function");
//! ```
//!
//! From then on programs of this VM find `repeat` among the builtins. `examples/embed.rs` is a whole program.
//!
//! A closure that returns an [`Exception`] raises it in the caller. One that panics raises RuntimeError there: nothing of
//! the VM is unwound. What a closure holds must be its own (`'static`), and lives as long as the VM.

mod values;

pub use values::{Exception, FromPython, Mismatch, ToPython, Value};

use super::thread::Thread;
use super::vm::Machine;
use crate::object::args::{check_positional, keyword_names};
use crate::object::descr::{MethodDef, meth};
use crate::object::types::{Slots, type_flag};
use crate::object::{
    Header, Kind, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, dict, str,
};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{NonNull, null_mut};

/// How Python code may call a function, and what a call costs (`METH_*`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Convention {
    /// No arguments.
    NoArgs,
    /// Exactly one positional argument.
    OneArg,
    /// Any positional arguments.
    Fast,
    /// Any positional and named arguments.
    FastKeywords,
    /// Any positional arguments, which a tuple is made of for each call ([`Args::tuple`]). Call sites do not specialise on
    /// such a function: it is the slow way, kept to be measured.
    VarArgs,
}

impl Convention {
    const fn flags(self) -> u16 {
        match self {
            Convention::NoArgs => meth::NOARGS,
            Convention::OneArg => meth::O,
            Convention::Fast => meth::FASTCALL,
            Convention::FastKeywords => meth::FASTCALL | meth::KEYWORDS,
            Convention::VarArgs => meth::VARARGS,
        }
    }
}

type Closure = dyn for<'a> Fn(&Args<'a>) -> Result<Value<'a>, Exception<'a>>;

struct Native {
    name: Box<str>,
    def: Option<MethodDef>,
    closure: Box<Closure>,
}

/// The closures of a VM, which keep their place until it goes.
pub struct Natives {
    list: RefCell<Vec<NonNull<Native>>>,
    capsule: Cell<*mut TypeObject>,
}

impl Drop for Natives {
    fn drop(&mut self) {
        for native in self.list.take() {
            // SAFETY: made by `make` from a box; the VM, which goes with this, does not call it any more.
            drop(unsafe { Box::from_raw(native.as_ptr()) });
        }
    }
}

impl Default for Natives {
    fn default() -> Natives {
        Natives {
            list: RefCell::default(),
            capsule: Cell::new(null_mut()),
        }
    }
}

/// What a function is bound to: its closure.
#[repr(C)]
struct Capsule {
    header: Header,
    native: *const Native,
}

pub(super) fn make_types(ts: &Thread) -> Result<(), Raised> {
    let spec = TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        ..TypeSpec::new::<Capsule>("native_closure", Kind::NATIVE_CLOSURE, Slots::EMPTY)
    };
    ts.natives.capsule.set(ts.vm().new_type(&spec, null_mut())?);
    Ok(())
}

impl Machine {
    /// Puts a function that takes any arguments among the builtins, under this name.
    pub fn function<F>(&self, name: &str, closure: F) -> Result<(), Exception<'_>>
    where
        F: for<'a> Fn(&Args<'a>) -> Result<Value<'a>, Exception<'a>> + 'static,
    {
        self.function_as(Convention::FastKeywords, name, closure)
    }

    /// The same for a function that is called in this way.
    pub fn function_as<F>(
        &self,
        convention: Convention,
        name: &str,
        closure: F,
    ) -> Result<(), Exception<'_>>
    where
        F: for<'a> Fn(&Args<'a>) -> Result<Value<'a>, Exception<'a>> + 'static,
    {
        let ts = self.thread();
        let made = make(ts, convention, name, Box::new(closure));
        made.map_err(|Raised| Exception::take(ts))
    }
}

fn make(
    ts: &Thread,
    convention: Convention,
    name: &str,
    closure: Box<Closure>,
) -> Result<(), Raised> {
    let vm = ts.vm();
    let native = NonNull::from(Box::leak(Box::new(Native {
        name: name.into(),
        def: None,
        closure,
    })));
    ts.natives.list.borrow_mut().push(native);
    let address: *const Native = native.as_ptr();
    // SAFETY: the native keeps its place until the VM and all its objects are gone; nobody else has it yet.
    let def: &'static MethodDef = unsafe {
        let name: &'static str = &(*address).name;
        let def = MethodDef::new(name, convention.flags(), trampoline);
        let place = &mut (*native.as_ptr()).def;
        &*place.insert(def)
    };
    // SAFETY: the type is laid out so; the builtins live as long as the VM.
    unsafe {
        let capsule = vm.alloc::<Capsule>(ts.natives.capsule.get())?;
        (&raw mut (*capsule).native).write(address);
        let capsule = Owned::from_raw(capsule);
        let module = vm.intern_str("builtins")?;
        let function =
            vm.new_builtin_function(def, Some(capsule.as_word()), Some(module.as_word()))?;
        let name = vm.intern_str(name)?;
        dict::set_str(vm, ts.builtins.get(), name.as_word(), function.as_word())
    }
}

/// Calls the closure that a function is bound to.
fn trampoline(vm: Vm, self_: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let ts = Thread::of(vm);
    // SAFETY: only `make` binds to a capsule; the closure lives as long as the VM.
    let native = unsafe { &*(*self_.cast::<Capsule>()).native };
    let varargs = native
        .def
        .as_ref()
        .is_some_and(|def| def.flags & meth::VARARGS != 0);
    let tuple = if varargs {
        Some(vm.new_tuple(args)?)
    } else {
        None
    };
    let names = keyword_names(kwnames);
    let args = Args {
        ts,
        name: &native.name,
        positional: &args[..args.len() - names.len()],
        names,
        named: &args[args.len() - names.len()..],
        tuple,
    };
    // The closure sees the VM through values only, each of which is whole at any time.
    match catch_unwind(AssertUnwindSafe(|| (native.closure)(&args))) {
        Ok(Ok(value)) => Ok(value.into_owned()),
        Ok(Err(exception)) => Err(exception.set(ts)),
        Err(panic) => {
            let said = panic
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            vm.clear_exception();
            let message = format!("native function '{}' panicked: {said}", native.name);
            Err(vm.raise(vm.exc.RuntimeError, message))
        }
    }
}

/// The arguments of one call.
pub struct Args<'a> {
    ts: &'a Thread,
    name: &'a str,
    positional: &'a [Word],
    names: &'a [Word],
    named: &'a [Word],
    tuple: Option<Owned>,
}

impl<'a> Args<'a> {
    pub(super) fn thread(&self) -> &'a Thread {
        self.ts
    }
    /// How many positional arguments there are.
    pub fn len(&self) -> usize {
        self.positional.len()
    }
    pub fn is_empty(&self) -> bool {
        self.positional.is_empty()
    }
    /// Raises TypeError unless the number of positional arguments is within bounds.
    pub fn expect(&self, least: usize, most: usize) -> Result<(), Exception<'a>> {
        check_positional(self.ts.vm(), self.name, self.len(), least, most)
            .map_err(|Raised| Exception::take(self.ts))
    }
    /// A positional argument as it is.
    pub fn value(&self, index: usize) -> Option<Value<'a>> {
        let word = self.positional.get(index)?;
        Some(Value::new(self.ts, Owned::new_ref(*word)))
    }
    /// A positional argument as a Rust value; TypeError if it is missing or of another type.
    pub fn get<T: FromPython<'a>>(&self, index: usize) -> Result<T, Exception<'a>> {
        let Some(value) = self.value(index) else {
            self.expect(index + 1, usize::MAX)?;
            return Err(Exception::type_error(self, "argument missing"));
        };
        T::from_python(&value).map_err(|mismatch| match mismatch {
            Mismatch::Raised(exception) => exception,
            Mismatch::Expected(what) => Exception::type_error(
                self,
                format!(
                    "{}() argument {} must be {what}, not {}",
                    self.name,
                    index + 1,
                    value.type_name()
                ),
            ),
        })
    }
    /// A named argument as a Rust value; None if it is not given.
    pub fn named<T: FromPython<'a>>(&self, name: &str) -> Result<Option<T>, Exception<'a>> {
        let Some(index) = self.names.iter().position(|own| str::equals(*own, name)) else {
            return Ok(None);
        };
        let value = Value::new(self.ts, Owned::new_ref(self.named[index]));
        T::from_python(&value)
            .map(Some)
            .map_err(|mismatch| match mismatch {
                Mismatch::Raised(exception) => exception,
                Mismatch::Expected(what) => Exception::type_error(
                    self,
                    format!(
                        "{}() argument '{name}' must be {what}, not {}",
                        self.name,
                        value.type_name()
                    ),
                ),
            })
    }
    /// Raises TypeError for a named argument that is none of these.
    pub fn expect_names(&self, known: &[&str]) -> Result<(), Exception<'a>> {
        let unknown = self
            .names
            .iter()
            .find(|name| !known.iter().any(|known| str::equals(**name, known)));
        match unknown {
            None => Ok(()),
            Some(name) => Err(Exception::type_error(
                self,
                format!(
                    "{}() got an unexpected keyword argument '{}'",
                    self.name,
                    str::to_string_lossy(*name)
                ),
            )),
        }
    }
    /// The positional arguments as a tuple: under [`Convention::VarArgs`] the one that was made for the call.
    pub fn tuple(&self) -> Result<Value<'a>, Exception<'a>> {
        match &self.tuple {
            Some(tuple) => Ok(Value::new(self.ts, tuple.clone())),
            None => Value::from_result(self.ts, self.ts.vm().new_tuple(self.positional)),
        }
    }
    /// A Rust value as a Python object.
    pub fn make(&self, value: impl ToPython<'a>) -> Result<Value<'a>, Exception<'a>> {
        Value::from_result(self.ts, value.to_python(self.ts.vm()))
    }
    /// What a function returns when all is well.
    pub fn ok(&self, value: impl ToPython<'a>) -> Result<Value<'a>, Exception<'a>> {
        self.make(value)
    }
}
