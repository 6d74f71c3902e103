//! From a frame to its caller: the frames that run Python code, innermost first.

use crate::runtime::call;
use crate::runtime::frame::{self, Ip, Locals, Meta};
use crate::runtime::generator::GeneratorObject;
use crate::runtime::thread::Thread;

/// A frame at work, and where its code stands: behind the running instruction, or where it goes on after the call.
#[derive(Clone, Copy)]
pub struct Running {
    pub locals: Locals,
    pub ip: Ip,
}

/// The frames at work, from the innermost one that native code was called from.
pub struct Walk(Running);

impl Walk {
    pub fn new(ts: &Thread) -> Walk {
        let (ip, _, locals) = ts.saved_registers();
        Walk(Running { locals, ip })
    }
}

impl Iterator for Walk {
    type Item = Running;

    fn next(&mut self) -> Option<Running> {
        // SAFETY: saved locals are those of a live frame, as is each `previous`.
        unsafe {
            while !self.0.locals.is_null() {
                let here = self.0;
                let header = frame::frame(here.locals);
                self.0 = Running {
                    locals: (*header).previous,
                    ip: call::return_ip(header),
                };
                if !(*header).meta.has(Meta::SHIM | Meta::BRIDGE) {
                    return Some(here);
                }
            }
        }
        None
    }
}

/// The frame with these locals, if it is at work.
pub fn find(ts: &Thread, locals: Locals) -> Option<Running> {
    Walk::new(ts).find(|running| running.locals == locals)
}

/// The frame in which a generator is at work.
pub fn find_generator(ts: &Thread, generator: *const GeneratorObject) -> Option<Running> {
    // SAFETY: frames of the walk are live; a generator's has it as its namespace.
    Walk::new(ts).find(|running| unsafe {
        let header = frame::frame(running.locals);
        (*header).meta.has(Meta::GENERATOR)
            && std::ptr::eq((*header).namespace.cast::<GeneratorObject>(), generator)
    })
}

/// The frame that called this one, or resumed it.
///
/// # Safety
/// `locals` are a live frame's.
pub unsafe fn caller(locals: Locals) -> Option<Running> {
    let header = unsafe { frame::frame(locals) };
    // SAFETY: as in the walk.
    unsafe {
        Walk(Running {
            locals: (*header).previous,
            ip: call::return_ip(header),
        })
    }
    .next()
}
