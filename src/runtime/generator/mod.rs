//! Generators, coroutines and asynchronous generators (`genobject.c`): the object in which a suspended frame lives.
//!
//! A frame is at work on the data stack only. Resuming copies its words there, above the resumer's stack; yielding copies
//! them back, with what has been computed since. So a call from a generator finds room above its stack as any call does,
//! and what it returns or yields lands where the result of a called function would.

mod async_type;
mod asynchronous;
mod await_iter;
mod drive;
mod throwing;
mod types;

pub use await_iter::{
    awaitable_iter, builtin_aiter, builtin_anext, get_aiter, get_anext, yield_from_iter,
};
pub use drive::{stop_iteration_value, take_stop_iteration};
pub use throwing::finalize;
pub(super) use types::make_types;

pub use async_type::wrap as async_gen_wrap;

use super::code::CodeObject;
use super::datastack::{HEADROOM, SLACK};
use super::frame::{self, Frame, HEADER, Ip, Locals, Meta, Sp};
use super::frame_object;
use super::thread::Thread;
use crate::bytecode::spec::code_flags;
use crate::object::vm::HandledItem;
use crate::object::{Header, Kind, Object, Owned, PyResult, Word};
use std::cell::Cell;
use std::ptr::null_mut;

/// Where a generator is in its life (`gi_frame_state`); it stands in `Header::extra`.
pub mod state {
    pub const CREATED: u16 = 0;
    /// Suspended at a `yield`.
    pub const SUSPENDED: u16 = 1;
    /// Suspended by what it delegates to.
    pub const SUSPENDED_YIELD_FROM: u16 = 2;
    /// Its frame is on the data stack, the words here are stale. Lower states can be resumed.
    pub const EXECUTING: u16 = 3;
    /// Closed before it began; the words are still there.
    pub const COMPLETED: u16 = 4;
    pub const CLEARED: u16 = 5;
}

/// `PyGenObject`, `PyCoroObject`, `PyAsyncGenObject`. The frame's locals and stack follow.
#[repr(C)]
pub struct GeneratorObject {
    pub header: Header,
    /// Where it goes on.
    ip: Cell<Ip>,
    /// How many words of the frame are live: locals and stack.
    live: Cell<u32>,
    /// Words that the frame needs on the data stack.
    framesize: u32,
    handled: HandledItem,
    /// Where the resumer goes on when the generator returns; where it yields, the frame's `return_ip` says.
    returned_ip: Cell<Ip>,
    /// Slots' words.
    pub name: Cell<Word>,
    pub qualname: Cell<Word>,
    code: Word,
    /// An asynchronous generator's finalizer hook (`ag_origin_or_finalizer`).
    finalizer: Cell<Option<Word>>,
    hooks_inited: Cell<bool>,
    /// `ag_closed`
    closed: Cell<bool>,
    /// `ag_running_async`
    running_async: Cell<bool>,
    /// The object of the frame, if somebody has asked for it: a slot's word.
    pub frame_object: Cell<Option<Word>>,
    /// Header of the frame. Its links are written anew where it goes.
    frame: Frame,
}

/// Where the words of the frame begin.
const WORDS_OFFSET: usize = size_of::<GeneratorObject>();

/// The generator behind a word known to be one of the three kinds.
#[inline(always)]
fn object<'a>(word: Word) -> &'a GeneratorObject {
    // SAFETY: contract of Word; the fields that change are cells.
    unsafe { &*word.cast() }
}

impl GeneratorObject {
    #[inline(always)]
    pub fn state(&self) -> u16 {
        self.header.extra.get()
    }
    #[inline(always)]
    fn set_state(&self, state: u16) {
        self.header.extra.set(state);
    }
    /// It has begun or may begin, and is not running (`gi_frame_state < FRAME_EXECUTING`).
    #[inline(always)]
    pub fn can_resume(&self) -> bool {
        self.state() < state::EXECUTING
    }
    pub fn is_executing(&self) -> bool {
        self.state() == state::EXECUTING
    }
    /// The function whose frame it is, until the generator has ended.
    pub fn function(&self) -> Word {
        self.frame.func
    }
    pub fn is_suspended(&self) -> bool {
        matches!(self.state(), state::SUSPENDED | state::SUSPENDED_YIELD_FROM)
    }
    fn is_finished(&self) -> bool {
        self.state() >= state::COMPLETED
    }
    #[inline(always)]
    pub fn word(&self) -> Word {
        // SAFETY: a generator that can be asked is live.
        unsafe { Word::from_borrowed(&raw const *self as *mut GeneratorObject) }
    }
    #[inline(always)]
    pub fn words(&self) -> *mut Word {
        (&raw const *self as *mut u8)
            .wrapping_add(WORDS_OFFSET)
            .cast()
    }
    pub fn code_object(&self) -> *mut CodeObject {
        self.code.cast()
    }
    fn code(&self) -> &CodeObject {
        // SAFETY: the generator holds a count of it.
        unsafe { &*self.code.cast::<CodeObject>() }
    }
    /// Whether a specialised site may put the frame at `base` without asking further.
    #[inline(always)]
    pub fn fits(&self, ts: &Thread, base: Sp) -> bool {
        base.wrapping_add(self.framesize as usize) <= ts.stack_limit.get().wrapping_add(HEADROOM)
    }

    /// Puts the frame on the data stack, its header at `base`. The resumer goes on at `yielded_ip` or `returned_ip`, with
    /// what comes out in the header's place. The result is where the locals are; `live` words of them and the stack.
    ///
    /// # Safety
    /// The generator can be resumed; `base` is above the live stack of the frame with the locals `previous`, or is what
    /// `call::place` gave, and there is room.
    #[inline(always)]
    pub unsafe fn push(
        &self,
        ts: &Thread,
        base: *mut Word,
        previous: Locals,
        yielded_ip: Ip,
        returned_ip: Ip,
    ) -> Locals {
        unsafe {
            let header = base.cast::<Frame>();
            let locals = base.add(HEADER);
            (*header).func = self.frame.func;
            (*header).consts = self.frame.consts;
            (*header).previous = previous;
            (*header).return_ip = yielded_ip;
            (*header).meta = self.frame.meta;
            (*header).namespace = self.word();
            copy_words(self.words(), locals, self.live.get() as usize);
            self.returned_ip.set(returned_ip);
            self.set_state(state::EXECUTING);
            self.swap_handled(ts);
            self.handled.outside.set(ts.handled_outside.get());
            ts.handled_outside.set(&self.handled);
            locals
        }
    }
    /// Writes down which LINE the running frame has passed, for when it is resumed.
    ///
    /// # Safety
    /// `word` is a generator, and no reference to its stored header is held.
    pub unsafe fn keep_line_unit(word: Word, unit: usize) {
        let generator = word.cast::<GeneratorObject>();
        unsafe { (*generator).frame.meta.replace_line_unit(unit) };
    }
    #[inline(always)]
    fn swap_handled(&self, ts: &Thread) {
        let own = self.handled.exception.get();
        self.handled.exception.set(ts.handled_exception.get());
        ts.handled_exception.set(own);
    }
    /// What was handled outside is handled again.
    #[inline(always)]
    fn leave_handled(&self, ts: &Thread) {
        self.swap_handled(ts);
        ts.handled_outside.set(self.handled.outside.get());
    }
    /// Above the topmost live word of the frame at `locals`.
    ///
    /// # Safety
    /// [`GeneratorObject::push`] gave them.
    #[inline(always)]
    pub unsafe fn top(&self, locals: Locals) -> Sp {
        unsafe { locals.add(self.live.get() as usize) }
    }
    #[inline(always)]
    pub fn ip(&self) -> Ip {
        self.ip.get()
    }
    /// Words that the frame needs.
    pub fn framesize(&self) -> usize {
        self.framesize as usize
    }
    /// Where the resumer goes on when the frame at work returns.
    pub fn returned_ip(&self) -> Ip {
        self.returned_ip.get()
    }
    /// Takes the words of the frame at `locals` up to `sp` back; it goes on at `ip`.
    ///
    /// # Safety
    /// The frame is the generator's, at work; it is left next.
    #[inline(always)]
    pub unsafe fn suspend(&self, ts: &Thread, locals: Locals, sp: Sp, ip: Ip, state: u16) {
        unsafe {
            let live = sp.offset_from(locals) as usize;
            copy_words(locals, self.words(), live);
            self.live.set(live as u32);
            self.ip.set(ip);
            self.set_state(state);
            self.leave_handled(ts);
        }
    }
}

/// Copies the few words of a frame.
#[inline(always)]
unsafe fn copy_words(from: *mut Word, to: *mut Word, count: usize) {
    unsafe {
        let mut index = 0;
        while index < count {
            *to.add(index) = *from.add(index);
            index += 1;
            // Hides the step from LLVM 22, which would otherwise unroll the loop by four, or make it a vector loop: most
            // frames are shorter than what leads into those.
            std::arch::asm!("/* {0} */", inout(reg) index, options(pure, nomem, nostack, preserves_flags));
        }
    }
}

/// The generator whose frame has these locals.
///
/// # Safety
/// The frame is at work and a generator's.
#[inline(always)]
pub unsafe fn of_frame<'a>(locals: Locals) -> &'a GeneratorObject {
    unsafe { &*(*frame::frame(locals)).namespace.cast() }
}

/// Makes a generator of the running frame, whose words move there; it goes on at `ip` (`RETURN_GENERATOR`).
///
/// # Safety
/// The frame has an empty stack and is left next.
pub unsafe fn new(ts: &Thread, locals: Locals, ip: Ip) -> PyResult {
    let vm = ts.vm();
    unsafe {
        let function = frame::function(locals);
        let code = frame::code(locals);
        let ty = match (*code).flags {
            flags if flags & code_flags::COROUTINE != 0 => ts.types.coroutine,
            flags if flags & code_flags::ASYNC_GENERATOR != 0 => ts.types.async_generator,
            _ => ts.types.generator,
        };
        let words = (*code).framesize as usize - HEADER - SLACK;
        let generator: *mut GeneratorObject = vm.alloc_sized(ty, WORDS_OFFSET + 8 * words)?;
        let meta = (*frame::frame(locals)).meta;
        debug_assert!(Meta(meta.0 & !Meta::FRAME_OBJECT).is_plain());
        let null = Cell::new(null_mut());
        (&raw mut (*generator).ip).write(Cell::new(ip));
        (&raw mut (*generator).live).write(Cell::new(meta.locals() as u32));
        (&raw mut (*generator).framesize).write((*code).framesize);
        (&raw mut (*generator).handled).write(HandledItem {
            exception: Cell::new(None),
            outside: Cell::new(std::ptr::null()),
        });
        (&raw mut (*generator).returned_ip).write(null);
        (&raw mut (*generator).name).write(Cell::new((*function).name.get().to_slot_copy()));
        (&raw mut (*generator).qualname)
            .write(Cell::new((*function).qualname.get().to_slot_copy()));
        (&raw mut (*generator).code).write(Word::from_borrowed(code).to_slot());
        (&raw mut (*generator).finalizer).write(Cell::new(None));
        (&raw mut (*generator).hooks_inited).write(Cell::new(false));
        (&raw mut (*generator).closed).write(Cell::new(false));
        (&raw mut (*generator).running_async).write(Cell::new(false));
        (&raw mut (*generator).frame_object).write(Cell::new(None));
        (&raw mut (*generator).frame).write(Frame {
            func: (*frame::frame(locals)).func,
            consts: (*code).consts,
            previous: null_mut(),
            return_ip: null_mut(),
            meta: Meta(meta.0 & !Meta::FRAME_OBJECT | Meta::GENERATOR),
            namespace: Word::NULL,
        });
        copy_words(locals, (*generator).words(), meta.locals());
        if meta.has(Meta::FRAME_OBJECT) {
            frame_object::move_to_generator(ts, locals, generator);
        }
        Ok(Owned::from_raw(generator))
    }
}

/// Another count of what a slot holds, for another slot.
trait SlotCopy {
    unsafe fn to_slot_copy(self) -> Word;
}
impl SlotCopy for Word {
    #[inline(always)]
    unsafe fn to_slot_copy(self) -> Word {
        unsafe { self.borrow().to_slot() }
    }
}

/// The generator's frame, at work, is left for good, by return or exception: its words are the caller's concern
/// (`clear_gen_frame`).
///
/// # Safety
/// `locals` are those of a generator's frame at work.
pub unsafe fn finish(ts: &Thread, locals: Locals) {
    unsafe {
        let generator = of_frame(locals);
        generator.set_state(state::CLEARED);
        generator.live.set(0);
        generator.leave_handled(ts);
        if let Some(handled) = generator.handled.exception.take() {
            handled.release_slot();
        }
    }
}

/// Releases the words of a frame that is not at work: the generator ends here (`gen_clear_frame`).
///
/// # Safety
/// The generator is not running.
unsafe fn clear_frame(generator: &GeneratorObject) {
    unsafe {
        if generator.state() == state::CLEARED {
            return;
        }
        debug_assert!(generator.state() != state::EXECUTING);
        // Goes last, with the values that `f_locals` has replaced.
        let frame_object = frame_object::leave_generator(generator);
        let locals = generator.frame.meta.locals();
        let live = generator.live.replace(0) as usize;
        generator.set_state(state::CLEARED);
        frame_object::drop_extra(&frame_object);
        for index in (0..live).rev() {
            let word = std::mem::replace(&mut *generator.words().add(index), Word::NULL);
            // Owned words of the stack hold a count, borrowed ones are kept by a local.
            if index < locals {
                word.release_slot();
            } else {
                word.close();
            }
        }
        generator.frame.func.release_slot();
        if let Some(handled) = generator.handled.exception.take() {
            handled.release_slot();
        }
    }
}

/// Frees a generator; installed as the types' `dealloc`.
///
/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: crate::object::Vm, object: *mut Object) {
    unsafe {
        if crate::object::class_layout::finalize_from_dealloc(vm, object) {
            return;
        }
        let generator = object.cast::<GeneratorObject>();
        let saved = vm.take_exception();
        clear_frame(&*generator);
        let words = [
            (*generator).name.get(),
            (*generator).qualname.get(),
            (*generator).code,
        ];
        let finalizer = (*generator).finalizer.take();
        vm.free(generator);
        for word in words.into_iter().chain(finalizer) {
            word.release_slot();
        }
        if let Some(saved) = saved {
            vm.set_exception(saved);
        }
    }
}

/// Visits what a suspended generator holds. What a running one holds is on the data stack, which keeps it.
///
/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let generator = &*object.cast::<GeneratorObject>();
        let mut visit = |word: Word| {
            if word.is_pointer() {
                visit(word)
            }
        };
        visit(generator.name.get());
        visit(generator.qualname.get());
        visit(generator.code);
        generator.finalizer.get().into_iter().for_each(&mut visit);
        generator
            .frame_object
            .get()
            .into_iter()
            .for_each(&mut visit);
        if matches!(generator.state(), state::EXECUTING | state::CLEARED) {
            return;
        }
        visit(generator.frame.func);
        generator
            .handled
            .exception
            .get()
            .into_iter()
            .for_each(&mut visit);
        let locals = generator.frame.meta.locals();
        for index in 0..generator.live.get() as usize {
            let word = *generator.words().add(index);
            if index < locals || word.is_owned() {
                visit(word);
            }
        }
    }
}

/// Drops what may close a cycle; installed as the types' `clear`.
///
/// # Safety
/// As [`crate::object::types::ClearFn`].
unsafe fn clear(_: crate::object::Vm, object: *mut Object) {
    unsafe {
        let generator = &*object.cast::<GeneratorObject>();
        if generator.state() != state::EXECUTING {
            clear_frame(generator);
        }
    }
}

/// What a suspended generator delegates to (`_PyGen_yf`).
fn yield_from(generator: &GeneratorObject) -> Option<Owned> {
    if generator.state() != state::SUSPENDED_YIELD_FROM {
        return None;
    }
    // SAFETY: a generator in this state has it on top of its stack.
    unsafe {
        let top = *generator.words().add(generator.live.get() as usize - 1);
        Some(Owned::new_ref(top))
    }
}

/// An exact generator or coroutine (`PyGen_CheckExact`, `PyCoro_CheckExact`).
#[inline(always)]
pub fn is_generator_or_coroutine(word: Word) -> bool {
    word.is_exact(Kind::GENERATOR) || word.is_exact(Kind::COROUTINE)
}
/// A coroutine, or a generator made one by its code's flag (`gen_is_coroutine`).
fn is_awaitable_itself(word: Word) -> bool {
    word.is_exact(Kind::COROUTINE)
        || word.is_exact(Kind::GENERATOR)
            && object(word).code().flags & code_flags::ITERABLE_COROUTINE != 0
}

/// "generator", "coroutine" or "async generator", for messages.
fn kind_name(generator: &GeneratorObject) -> &'static str {
    match generator.header.kind() {
        Kind::COROUTINE => "coroutine",
        Kind::ASYNC_GENERATOR => "async generator",
        _ => "generator",
    }
}
