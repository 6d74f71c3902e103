//! A VM of the object layer alone, for unit tests.

use super::owned::{Owned, PyResult};
use super::types::TypeObject;
use super::vm::{Core, Vm};
use super::word::Word;
use super::{attr, call, protocol, str};
use std::ops::Deref;
use std::ptr::NonNull;

pub struct TestVm(*mut Core);

impl TestVm {
    pub fn new() -> TestVm {
        let core = Box::into_raw(Box::new(Core::new()));
        let test = TestVm(core);
        // SAFETY: the core stays in its box until the drop, and is used by this thread only.
        unsafe {
            Vm::from_raw(NonNull::new(core).unwrap())
                .bootstrap()
                .unwrap()
        };
        test
    }
    pub fn vm(&self) -> Vm {
        // SAFETY: as above.
        unsafe { Vm::from_raw(NonNull::new(self.0).unwrap()) }
    }
}

impl Deref for TestVm {
    type Target = Core;
    fn deref(&self) -> &Core {
        // SAFETY: as above.
        unsafe { &*self.0 }
    }
}

impl Drop for TestVm {
    fn drop(&mut self) {
        // SAFETY: made by `Box::into_raw`.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// Shorthands for tests: values from Rust, methods by name, text of results and of exceptions.
impl TestVm {
    pub fn s(&self, text: &str) -> Owned {
        self.vm().new_str(text).unwrap()
    }
    pub fn i(&self, value: i64) -> Owned {
        self.vm().new_int(value).unwrap()
    }
    pub fn f(&self, value: f64) -> Owned {
        self.vm().new_float(value).unwrap()
    }
    pub fn list(&self, items: &[Owned]) -> Owned {
        self.vm()
            .new_list(&items.iter().map(Owned::as_word).collect::<Vec<_>>())
            .unwrap()
    }
    pub fn tuple(&self, items: &[Owned]) -> Owned {
        self.vm()
            .new_tuple(&items.iter().map(Owned::as_word).collect::<Vec<_>>())
            .unwrap()
    }
    /// `object.name(*args)`.
    pub fn call(&self, object: &Owned, name: &str, args: &[&Owned]) -> PyResult {
        let name = self.vm().intern_str(name).unwrap();
        let args: Vec<Word> = args.iter().map(|arg| arg.as_word()).collect();
        attr::call_method(self.vm(), object.as_word(), name.as_word(), &args)
    }
    /// `ty(*args)`.
    pub fn make(&self, ty: *mut TypeObject, args: &[&Owned]) -> PyResult {
        let args: Vec<Word> = args.iter().map(|arg| arg.as_word()).collect();
        call::call(self.vm(), unsafe { (*ty).word() }, &args, None)
    }
    /// `repr` of a result, or type and text of its exception.
    pub fn show(&self, result: PyResult) -> String {
        let vm = self.vm();
        match result.and_then(|value| protocol::repr(vm, value.as_word())) {
            Ok(text) => str::to_string_lossy(text.as_word()),
            Err(_) => {
                let exception = vm.take_exception().expect("an exception is set");
                let text = protocol::str(vm, exception.as_word()).unwrap();
                format!(
                    "{}: {}",
                    vm.type_name(exception.as_word()),
                    str::to_string_lossy(text.as_word())
                )
            }
        }
    }
    pub fn call_show(&self, object: &Owned, name: &str, args: &[&Owned]) -> String {
        self.show(self.call(object, name, args))
    }
}
