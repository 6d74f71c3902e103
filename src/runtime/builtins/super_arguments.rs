//! What `super()` without arguments stands for (`super_init_without_args`).

use super::evaluate::current_frame;
use crate::bytecode::spec::local_kind;
use crate::object::descr::CellObject;
use crate::object::{Kind, Owned, Raised, Vm, Word, str};
use crate::runtime::frame;
use crate::runtime::thread::Thread;

fn cell_value(word: Word) -> Option<Word> {
    // SAFETY: the kind has this layout.
    unsafe { (*word.cast::<CellObject>()).value.get() }
}

/// The class around the running function, and the function's first argument.
pub fn super_arguments(vm: Vm) -> Result<(Owned, Owned), Raised> {
    let fail = |message: &str| Err(vm.raise(vm.exc.RuntimeError, message));
    let Some(locals) = current_frame(Thread::of(vm)) else {
        return fail("super(): no current frame");
    };
    // SAFETY: the innermost frame has a function, its locals and cells are words.
    unsafe {
        let code = &*frame::code(locals);
        if code.argcount == 0 {
            return fail("super(): no arguments");
        }
        let kinds = &code.spec.localspluskinds;
        let mut first = Some(*locals).filter(|word| !word.is_null());
        if kinds[0] & local_kind::CELL != 0
            && let Some(cell) = first
            && cell.is_exact(Kind::CELL)
        {
            first = cell_value(cell);
        }
        let Some(first) = first else {
            return fail("super(): arg[0] deleted");
        };
        let mut free = (0..kinds.len()).filter(|&index| kinds[index] & local_kind::FREE != 0);
        let place = free.find(|&index| str::equals(code.localsplusnames[index], "__class__"));
        let Some(place) = place else {
            return fail("super(): __class__ cell not found");
        };
        let cell = *locals.add(place);
        if !cell.is_exact(Kind::CELL) {
            return fail("super(): bad __class__ cell");
        }
        match cell_value(cell) {
            None => fail("super(): empty __class__ cell"),
            Some(class) if class.is_instance(Kind::TYPE) => {
                Ok((Owned::new_ref(class), Owned::new_ref(first)))
            }
            Some(other) => fail(&format!(
                "super(): __class__ is not a type ({})",
                vm.type_name(other)
            )),
        }
    }
}
