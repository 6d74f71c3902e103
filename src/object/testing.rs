//! A VM of the object layer alone, for unit tests.

use super::owned::{Owned, PyResult};
use super::types::TypeObject;
use super::vm::{Core, Vm};
use super::word::Word;
use super::{attr, call, protocol, str};
use std::cell::RefCell;
use std::ops::Deref;
use std::ptr::NonNull;

/// The core, and what `check` found wrong.
pub struct TestVm(*mut Core, RefCell<String>);

impl TestVm {
    pub fn new() -> TestVm {
        let core = Box::into_raw(Box::new(Core::new()));
        let test = TestVm(core, RefCell::default());
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
        let wrong = self.1.take();
        assert!(wrong.is_empty() || std::thread::panicking(), "{wrong}");
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
    pub fn none(&self) -> Owned {
        Owned::NONE
    }
    pub fn b(&self, value: bool) -> Owned {
        Owned::bool(value)
    }
    pub fn big(&self, digits: &str) -> Owned {
        self.vm().new_bigint(digits.parse().unwrap()).unwrap()
    }
    pub fn points(&self, points: &[u32]) -> Owned {
        self.vm().str_from_chars(str::Chars::Four(points)).unwrap()
    }
    pub fn dict(&self, items: &[(Owned, Owned)]) -> Owned {
        unsafe {
            let dict = Owned::from_raw(self.vm().new_dict().unwrap());
            for (key, value) in items {
                super::dict::set_item(self.vm(), dict.as_ptr(), key.as_word(), value.as_word())
                    .unwrap();
            }
            dict
        }
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
    /// Compares `repr(object.method(*args))` with what is expected; all differences are reported at the end.
    pub fn check(&self, object: &Owned, method: &str, args: &[Owned], expected: &str) {
        let shown = self.call_show(object, method, &args.iter().collect::<Vec<_>>());
        if shown != expected {
            let call = self.tuple(args);
            let (object, args) = (self.show(Ok(object.clone())), self.show(Ok(call)));
            self.1.borrow_mut().push_str(&format!(
                "\n{object}.{method}{args}\n   gives {shown}\n  expect {expected}"
            ));
        }
    }
    pub fn call_show(&self, object: &Owned, name: &str, args: &[&Owned]) -> String {
        self.show(self.call(object, name, args))
    }
}
