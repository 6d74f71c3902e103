//! A machine whose output is kept, for unit tests of what needs no loop.

use super::vm::{Machine, Options};
use crate::object::{Owned, PyResult, Raised, Word, attr, call, dict, str};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

#[derive(Clone, Default)]
struct Buffer(Rc<RefCell<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(data);
        Ok(data.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub struct TestMachine {
    pub machine: Machine,
    output: Buffer,
}

impl TestMachine {
    pub fn new() -> TestMachine {
        TestMachine::with_input(b"")
    }
    pub fn with_input(input: &[u8]) -> TestMachine {
        let output = Buffer::default();
        let options = Options {
            stdin: Box::new(io::Cursor::new(input.to_vec())),
            stdout: Box::new(output.clone()),
            stderr: Box::new(output.clone()),
            ..Options::default()
        };
        TestMachine {
            machine: Machine::new(options).unwrap(),
            output,
        }
    }
    /// What was written so far.
    pub fn output(&self) -> String {
        String::from_utf8(self.output.0.borrow().clone()).unwrap()
    }
    pub fn builtin(&self, name: &str) -> Owned {
        let vm = self.machine.vm();
        let name = vm.intern_str(name).unwrap();
        // SAFETY: the dict of builtins is live.
        let found = unsafe { dict::get_str(self.machine.thread().builtins.get(), name.as_word()) };
        Owned::new_ref(found.unwrap())
    }
    /// An attribute of a module.
    pub fn of_module(&self, module: &str, name: &str) -> Owned {
        let vm = self.machine.vm();
        let module = super::import::import_module(self.machine.thread(), module).unwrap();
        let name = vm.intern_str(name).unwrap();
        attr::get_attr(vm, module.as_word(), name.as_word()).unwrap()
    }
    pub fn str(&self, text: &str) -> Owned {
        self.machine.vm().new_str(text).unwrap()
    }
    pub fn list(&self, items: &[Word]) -> Owned {
        self.machine.vm().new_list(items).unwrap()
    }
    /// Calls a function: its result's `repr`, or the exception as `Type: message`.
    pub fn call(&self, function: &Owned, args: &[Word]) -> String {
        self.show(call::call(
            self.machine.vm(),
            function.as_word(),
            args,
            None,
        ))
    }
    /// The same with keyword arguments, whose values come last.
    pub fn call_named(&self, function: &Owned, args: &[Word], names: &[&str]) -> String {
        let vm = self.machine.vm();
        let names = names.iter().map(|name| vm.intern_str(name).unwrap());
        let names = vm.tuple_from_owned(names.collect()).unwrap();
        self.show(call::call(
            vm,
            function.as_word(),
            args,
            Some(names.as_word()),
        ))
    }
    pub fn show(&self, result: PyResult) -> String {
        let vm = self.machine.vm();
        match result {
            Ok(value) => {
                let text = crate::object::protocol::repr(vm, value.as_word()).unwrap();
                str::to_string_lossy(text.as_word())
            }
            Err(Raised) => {
                let exception = vm.take_exception().unwrap();
                let name = vm.type_name(exception.as_word());
                format!(
                    "{name}: {}",
                    crate::object::exc_methods::message(vm, exception.as_word())
                )
            }
        }
    }
}
