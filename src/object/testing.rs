//! A VM of the object layer alone, for unit tests.

use super::vm::{Core, Vm};
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
