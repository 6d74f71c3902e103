//! Frames: a header, locals and stack in one run of words on the data stack (`_PyInterpreterFrame`).

use super::code::CodeObject;
use super::function::FunctionObject;
use crate::object::Word;

/// Next instruction: code units of two bytes, opcode and oparg.
pub type Ip = *mut u8;
/// One above the topmost word of the stack.
pub type Sp = *mut Word;
/// The locals of a frame; its header stands below them.
pub type Locals = *mut Word;

/// What stands below a frame's locals. A call writes all of it but `namespace`.
///
/// The header of a called frame begins where the callable stood on the caller's stack, so that the caller's stack
/// pointer after the return is known from the callee's place. Where a frame lies in another chunk than its caller, a
/// bridge frame (`Meta::BRIDGE`) at the start of the chunk keeps that true.
#[repr(C)]
pub struct Frame {
    /// The function, a slot's word; NULL in shims and bridges.
    pub func: Word,
    /// `co_consts`' words, for LOAD_CONST. The word before them is the code's address: the function may have been given
    /// other code since, which the frame has nothing to do with.
    pub consts: *const Word,
    /// The caller's locals (`previous`).
    pub previous: Locals,
    /// Where the caller goes on.
    pub return_ip: Ip,
    pub meta: Meta,
    /// In frames of module and class bodies: the mapping that LOAD_NAME and its kin use, a slot's word. In a generator's:
    /// the generator, borrowed from whoever resumes it. Not written in others.
    pub namespace: Word,
}

/// Words of a frame header.
pub const HEADER: usize = size_of::<Frame>() / 8;

/// Number of locals, cells and free variables in the low half, flags in the high half: a frame that can be left on the
/// fast path has none.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Meta(pub u64);

impl Meta {
    /// Entry shim (`FRAME_OWNED_BY_INTERPRETER`): its code is one INTERPRETER_EXIT.
    pub const SHIM: u64 = 1 << 32;
    /// First in its chunk: returning to it leaves the chunk.
    pub const BRIDGE: u64 = 1 << 33;
    /// Has a namespace.
    pub const NAMESPACE: u64 = 1 << 34;
    /// Has a frame object, which takes the frame over if it outlives it.
    pub const FRAME_OBJECT: u64 = 1 << 35;
    /// Lives in a generator (`FRAME_OWNED_BY_GENERATOR`).
    pub const GENERATOR: u64 = 1 << 36;

    /// From here up: one more than the unit of the last LINE that the frame has passed, while lines are monitored.
    const LINE_SHIFT: u32 = 40;

    /// Writes down which LINE the frame passes; the one before, if any. Units that do not fit are not remembered.
    pub fn replace_line_unit(&mut self, unit: usize) -> Option<usize> {
        let before = (self.0 >> Self::LINE_SHIFT).checked_sub(1);
        let rest = self.0 & ((1 << Self::LINE_SHIFT) - 1);
        let kept = (unit as u64 + 1) << Self::LINE_SHIFT;
        let fits = kept >> Self::LINE_SHIFT == unit as u64 + 1;
        self.0 = rest | if fits { kept } else { 0 };
        before.map(|unit| unit as usize)
    }
    #[inline(always)]
    pub const fn locals(self) -> usize {
        self.0 as u32 as usize
    }
    #[inline(always)]
    pub const fn is_plain(self) -> bool {
        self.0 >> 32 == 0
    }
    #[inline(always)]
    pub const fn has(self, flag: u64) -> bool {
        self.0 & flag != 0
    }
}

/// The header of the frame with these locals.
///
/// # Safety
/// `locals` are those of a live frame.
#[inline(always)]
pub unsafe fn frame(locals: Locals) -> *mut Frame {
    unsafe { locals.sub(HEADER).cast() }
}

/// The function that runs in a frame.
///
/// # Safety
/// The frame is live and no shim or bridge.
#[inline(always)]
pub unsafe fn function(locals: Locals) -> *mut FunctionObject {
    unsafe { (*frame(locals)).func.cast() }
}

/// The code that runs in a frame.
///
/// # Safety
/// As [`function`].
#[inline(always)]
pub unsafe fn code(locals: Locals) -> *mut CodeObject {
    unsafe { (*(*frame(locals)).consts.sub(1)).bits() as *mut CodeObject }
}

/// Asserts that a stack pointer lies between the locals and the end of its frame.
///
/// # Safety
/// They are the registers of the running frame.
pub unsafe fn check_bounds(sp: Sp, locals: Locals) {
    unsafe {
        let meta = (*frame(locals)).meta;
        if meta.has(Meta::SHIM | Meta::BRIDGE) {
            return;
        }
        let base = locals.add(meta.locals());
        let top = base.add((*code(locals)).stacksize as usize);
        assert!(
            base <= sp && sp <= top,
            "stack pointer outside its frame: {} of {}",
            sp as isize - base as isize,
            (*code(locals)).stacksize
        );
    }
}
