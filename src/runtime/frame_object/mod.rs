//! Frame objects (`frameobject.c`): made when somebody asks for one, and owner of the frame once that has ended.
//!
//! A frame on the data stack holds a count of its object, which [`Table`] finds by the frame's place; a generator holds
//! the one of its frame itself. When the frame ends and somebody else holds the object too, the variables move there
//! (`take_ownership`): what a frame object shows never depends on a chunk or a generator that is gone.

mod attributes;
pub mod line_jump;
pub mod locals_proxy;
mod mark_stacks;
mod proxy_methods;
mod variables;
pub mod walk;

pub(super) use attributes::{current_frames, getframe, type_spec};
pub use variables::{hidden_in_use, snapshot};

use super::code::CodeObject;
use super::frame::{self, Ip, Locals, Meta};
use super::function::FunctionObject;
use super::generator::GeneratorObject;
use super::thread::Thread;
use crate::bytecode::tables::Location;
use crate::object::dict::DictObject;
use crate::object::{Header, Kind, Object, Owned, PyResult, Raised, Vm, Word, dict};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::ptr::null_mut;

/// Where a frame object finds its variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// In a frame on the data stack.
    Stack,
    /// In a generator, which may be at work.
    Generator,
    /// In the object itself: the frame has ended.
    Own,
}

/// `PyFrameObject`. As many words as the code has variables follow. Words are slots' words.
#[repr(C)]
pub struct FrameObject {
    pub header: Header,
    place: Cell<Place>,
    /// Of a frame on the data stack.
    locals: Cell<Locals>,
    /// Of a generator's frame; the generator lets go of the object before it goes.
    generator: Cell<*mut GeneratorObject>,
    func: Word,
    code: Word,
    /// Of a module's or class body's frame that has ended.
    namespace: Cell<Option<Word>>,
    /// The caller's object, kept since the frame has ended.
    back: Cell<Option<Word>>,
    /// Index of the code unit at which the frame has ended.
    unit: Cell<u32>,
    /// `f_trace`
    pub trace: Cell<Option<Word>>,
    /// `f_trace_lines`
    pub trace_lines: Cell<bool>,
    /// `f_trace_opcodes`
    pub trace_opcodes: Cell<bool>,
    /// A dict of what `f_locals` was given that is no variable.
    extra: Cell<Option<Word>>,
    /// A list of values that `f_locals` has replaced: the frame's stack may hold them borrowed.
    replaced: Cell<Option<Word>>,
}

const WORDS_OFFSET: usize = size_of::<FrameObject>();

/// The frame object behind a word known to be one.
pub fn object<'a>(word: Word) -> &'a FrameObject {
    debug_assert!(word.is_exact(Kind::FRAME));
    // SAFETY: contract of Word; the fields that change are cells.
    unsafe { &*word.cast::<FrameObject>() }
}

/// The objects of frames on the data stack, each a slot's word, by the address of the locals.
#[derive(Default)]
pub struct Table(RefCell<FxHashMap<usize, Word>>);

impl Table {
    fn get(&self, locals: Locals) -> Option<Word> {
        self.0.borrow().get(&(locals as usize)).copied()
    }
    /// False without memory; the word is not consumed then.
    fn insert(&self, locals: Locals, word: Word) -> bool {
        let mut map = self.0.borrow_mut();
        let enough = map.try_reserve(1).is_ok();
        if enough {
            map.insert(locals as usize, word);
        }
        enough
    }
    fn remove(&self, locals: Locals) -> Option<Word> {
        self.0.borrow_mut().remove(&(locals as usize))
    }
}

// ---- making

/// The object of the frame with these locals, made at the first call (`_PyFrame_GetFrameObject`).
///
/// # Safety
/// `locals` are those of a live frame that has a function: no shim, no bridge.
pub unsafe fn object_of(ts: &Thread, locals: Locals) -> PyResult {
    unsafe {
        let header = frame::frame(locals);
        let meta = (*header).meta;
        debug_assert!(!meta.has(Meta::SHIM | Meta::BRIDGE));
        if meta.has(Meta::GENERATOR) {
            return of_generator(ts, (*header).namespace.cast());
        }
        if meta.has(Meta::FRAME_OBJECT)
            && let Some(word) = ts.frame_objects.get(locals)
        {
            return Ok(Owned::new_ref(word));
        }
        let function = (*header).func;
        let object = new(ts, function, frame::code(locals))?;
        self::object(object.as_word()).locals.set(locals);
        let kept = object.clone().into_slot();
        if !ts.frame_objects.insert(locals, kept) {
            kept.release_slot();
            return Err(ts.vm().no_memory());
        }
        (*header).meta = Meta(meta.0 | Meta::FRAME_OBJECT);
        Ok(object)
    }
}

/// The object of a generator's frame, at work or not; the generator has not ended.
///
/// # Safety
/// The generator is live.
pub unsafe fn of_generator(ts: &Thread, generator: *mut GeneratorObject) -> PyResult {
    unsafe {
        if let Some(word) = (*generator).frame_object.get() {
            return Ok(Owned::new_ref(word));
        }
        let object = new(ts, (*generator).function(), (*generator).code_object())?;
        attach(self::object(object.as_word()), generator);
        (*generator)
            .frame_object
            .set(Some(object.clone().into_slot()));
        Ok(object)
    }
}

fn attach(object: &FrameObject, generator: *mut GeneratorObject) {
    object.place.set(Place::Generator);
    object.locals.set(null_mut());
    object.generator.set(generator);
}

/// The object of the innermost frame, `depth` frames up; None if there are not so many.
pub fn at_depth(ts: &Thread, depth: usize) -> Option<PyResult> {
    let running = walk::Walk::new(ts).nth(depth)?;
    // SAFETY: frames of the walk are live and have functions.
    Some(unsafe { object_of(ts, running.locals) })
}

unsafe fn new(ts: &Thread, function: Word, code: *mut CodeObject) -> PyResult {
    let vm = ts.vm();
    unsafe {
        let words = (*code).nlocalsplus();
        let object: *mut FrameObject = vm.alloc_sized(vm.types.frame, WORDS_OFFSET + 8 * words)?;
        let none = || Cell::new(None);
        (&raw mut (*object).place).write(Cell::new(Place::Stack));
        (&raw mut (*object).locals).write(Cell::new(null_mut()));
        (&raw mut (*object).generator).write(Cell::new(null_mut()));
        (&raw mut (*object).func).write(function.borrow().to_slot());
        (&raw mut (*object).code).write(Word::from_borrowed(code).to_slot());
        (&raw mut (*object).namespace).write(none());
        (&raw mut (*object).back).write(none());
        (&raw mut (*object).unit).write(Cell::new(0));
        (&raw mut (*object).trace).write(none());
        (&raw mut (*object).trace_lines).write(Cell::new(true));
        (&raw mut (*object).trace_opcodes).write(Cell::new(false));
        (&raw mut (*object).extra).write(none());
        (&raw mut (*object).replaced).write(none());
        let own = (*object).own_words();
        for index in 0..words {
            own.add(index).write(Word::NULL);
        }
        Ok(Owned::from_raw(object))
    }
}

// ---- the end of a frame

/// The frame with these locals ends: lets go of its object, which takes over the variables if somebody else holds it.
/// They are NULL in the frame then. `ip` is where the frame stands. No Python code runs here; it may in
/// [`drop_extra`], and when the result is dropped, as the last thing that the frame holds: then the values that
/// `f_locals` has replaced go.
///
/// # Safety
/// The frame is live, has `Meta::FRAME_OBJECT` or is a generator's at work, and is left next.
pub unsafe fn leave(ts: &Thread, locals: Locals, ip: Ip) -> Option<Owned> {
    unsafe {
        let header = frame::frame(locals);
        let meta = (*header).meta;
        let word = if meta.has(Meta::GENERATOR) {
            (*(*header).namespace.cast::<GeneratorObject>())
                .frame_object
                .take()
        } else {
            (*header).meta = Meta(meta.0 & !Meta::FRAME_OBJECT);
            ts.frame_objects.remove(locals)
        };
        let object = Owned::from_slot(word?);
        let frame = self::object(object.as_word());
        if is_unique(&object) {
            frame.forget();
            return Some(object);
        }
        let back = walk::caller(locals).map(|caller| object_of(ts, caller.locals));
        let back = match back {
            Some(Ok(back)) => Some(back.into_slot()),
            // Without memory the chain ends here.
            Some(Err(Raised)) => {
                ts.vm().clear_exception();
                None
            }
            None => None,
        };
        frame.back.set(back);
        frame.unit.set((*frame.code()).unit_of_running(ip) as u32);
        frame.take_words(locals);
        if meta.has(Meta::NAMESPACE) {
            let namespace = std::mem::replace(&mut (*header).namespace, Word::NULL);
            frame
                .namespace
                .set(Some(namespace).filter(|word| !word.is_null()));
        }
        Some(object)
    }
}

/// A generator that is not at work ends: as [`leave`], for the words that it holds.
///
/// # Safety
/// The generator is suspended or has not begun, and releases its words next.
pub unsafe fn leave_generator(generator: &GeneratorObject) -> Option<Owned> {
    let word = generator.frame_object.take()?;
    unsafe {
        let object = Owned::from_slot(word);
        let frame = self::object(object.as_word());
        if is_unique(&object) {
            frame.forget();
        } else {
            frame
                .unit
                .set((*frame.code()).unit_at(generator.ip()) as u32);
            frame.take_words(generator.words());
        }
        Some(object)
    }
}

/// The running frame's words move into a generator, and its object with them.
///
/// # Safety
/// The frame has `Meta::FRAME_OBJECT`; the generator is new.
pub unsafe fn move_to_generator(ts: &Thread, locals: Locals, generator: *mut GeneratorObject) {
    let Some(word) = ts.frame_objects.remove(locals) else {
        return;
    };
    attach(object(word), generator);
    // SAFETY: the caller's promise.
    unsafe { (*generator).frame_object.set(Some(word)) };
}

/// What `f_locals` was given beside the variables goes before them, if nobody else holds the object of the frame that
/// has ended. Python code may run.
pub fn drop_extra(left: &Option<Owned>) {
    let Some(object) = left.as_ref().filter(|object| is_unique(object)) else {
        return;
    };
    if let Some(extra) = self::object(object.as_word()).extra.take() {
        // SAFETY: the count was the object's.
        unsafe { extra.release_slot() };
    }
}

fn is_unique(object: &Owned) -> bool {
    // SAFETY: a live object.
    unsafe { (*object.as_ptr::<Object>()).refcount.get() == 1 }
}

impl FrameObject {
    pub fn code(&self) -> *mut CodeObject {
        self.code.cast()
    }
    fn function(&self) -> &FunctionObject {
        // SAFETY: the object holds a count of it.
        unsafe { &*self.func.cast::<FunctionObject>() }
    }
    pub fn globals(&self) -> *mut DictObject {
        self.function().globals.get()
    }
    fn own_words(&self) -> Locals {
        (&raw const *self as *mut u8)
            .wrapping_add(WORDS_OFFSET)
            .cast()
    }
    /// The frame is gone, and so is everybody who could look at its variables.
    fn forget(&self) {
        self.place.set(Place::Own);
        self.locals.set(null_mut());
        self.generator.set(null_mut());
    }
    unsafe fn take_words(&self, from: Locals) {
        unsafe {
            let own = self.own_words();
            for index in 0..(*self.code()).nlocalsplus() {
                *own.add(index) = std::mem::replace(&mut *from.add(index), Word::NULL);
            }
        }
        self.forget();
    }
    /// Whether the variables are its own.
    pub fn has_ended(&self) -> bool {
        self.place.get() == Place::Own
    }
    /// The generator whose frame it is, while that has not ended.
    fn generator(&self) -> Option<&GeneratorObject> {
        // SAFETY: a generator lets go of its frame's object before it goes.
        (self.place.get() == Place::Generator).then(|| unsafe { &*self.generator.get() })
    }
    /// The frame at work, if it is.
    pub fn running(&self, ts: &Thread) -> Option<walk::Running> {
        match self.place.get() {
            Place::Stack => walk::find(ts, self.locals.get()),
            Place::Generator => {
                let generator = self.generator()?;
                generator
                    .is_executing()
                    .then(|| walk::find_generator(ts, generator))
                    .flatten()
            }
            Place::Own => None,
        }
    }
    /// Where the variables are; the address is good until Python code runs.
    fn words(&self, ts: &Thread) -> Locals {
        match self.place.get() {
            Place::Stack => self.locals.get(),
            Place::Own => self.own_words(),
            Place::Generator => match self.generator() {
                // One that only counts as running, while its delegate is closed, has them still.
                Some(generator) => self
                    .running(ts)
                    .map_or(generator.words(), |running| running.locals),
                None => self.own_words(),
            },
        }
    }
    /// Index of the running instruction's code unit, of the last one that ran, or of the one a generator goes on with.
    pub fn unit(&self, ts: &Thread) -> usize {
        // SAFETY: the object holds a count of the code.
        let code = unsafe { &*self.code() };
        match self.running(ts) {
            Some(running) => (ts.monitoring.line_jumps.unit(running.locals))
                .unwrap_or_else(|| code.unit_of_running(running.ip)),
            None => match self.generator() {
                Some(generator) => code.unit_at(generator.ip()),
                None => self.unit.get() as usize,
            },
        }
    }
    pub fn location(&self, ts: &Thread) -> Location {
        // SAFETY: as above.
        unsafe { (*self.code()).location(self.unit(ts)) }
    }
    /// `f_back`: None for a suspended generator's frame.
    pub fn back(&self, ts: &Thread) -> Result<Option<Owned>, Raised> {
        if self.place.get() == Place::Own {
            return Ok(self.back.get().map(Owned::new_ref));
        }
        // SAFETY: a frame of the walk is live, as is its caller's.
        let caller = self
            .running(ts)
            .and_then(|running| unsafe { walk::caller(running.locals) });
        match caller {
            Some(caller) => unsafe { object_of(ts, caller.locals) }.map(Some),
            None => Ok(None),
        }
    }
    /// `f_locals` of a module's or class body's frame: the mapping that it runs in.
    fn namespace(&self) -> Option<Word> {
        match self.place.get() {
            Place::Own => return self.namespace.get(),
            Place::Generator => return None,
            Place::Stack => {}
        }
        // SAFETY: the frame is live while the object belongs to it.
        unsafe {
            let header = frame::frame(self.locals.get());
            Some((*header).namespace).filter(|word| !word.is_null())
        }
    }
}

/// Names of variables and of what else `f_locals` holds, for suggestions.
pub fn variable_names(ts: &Thread, frame: &FrameObject) -> Vec<Owned> {
    let mut names: Vec<Owned> = variables::names_with_values(ts, frame);
    // SAFETY: an optimized frame has no namespace.
    let namespace = unsafe { !(*frame.code()).is_optimized() }
        .then(|| frame.namespace())
        .flatten();
    let dicts = [namespace, frame.extra.get()];
    for dict in dicts
        .into_iter()
        .flatten()
        .filter(|word| dict::is_dict(*word))
    {
        let mut position = 0;
        // SAFETY: a dict that the frame holds; nothing changes it here.
        while let Some((key, _, _)) = unsafe { dict::next(dict.cast(), &mut position) } {
            names.push(Owned::new_ref(key));
        }
    }
    names
}

/// The value of a variable of that name.
pub fn variable(ts: &Thread, frame: &FrameObject, name: &str) -> Option<Owned> {
    variables::value_of(ts, frame, name)
}

// ---- memory

fn held(frame: &FrameObject) -> [Option<Word>; 7] {
    [
        Some(frame.func),
        Some(frame.code),
        frame.namespace.get(),
        frame.back.get(),
        frame.trace.get(),
        frame.extra.get(),
        frame.replaced.get(),
    ]
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let frame = object.cast::<FrameObject>();
        debug_assert!((*frame).place.get() == Place::Own);
        let words = held(&*frame);
        let count = (*(*frame).code()).nlocalsplus();
        let own = (*frame).own_words();
        for index in (0..count).rev() {
            std::mem::replace(&mut *own.add(index), Word::NULL).release_slot();
        }
        vm.free(frame);
        for word in words.into_iter().flatten() {
            word.release_slot();
        }
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let frame = &*object.cast::<FrameObject>();
        held(frame).into_iter().flatten().for_each(&mut *visit);
        let own = frame.own_words();
        for index in 0..(*frame.code()).nlocalsplus() {
            let word = *own.add(index);
            if word.is_pointer() {
                visit(word);
            }
        }
    }
}

/// Drops the variables of a frame that has ended, and what was added to them (`frame_tp_clear`).
///
/// # Safety
/// As [`crate::object::types::ClearFn`].
unsafe fn clear(_: Vm, object: *mut Object) {
    unsafe {
        let frame = &*object.cast::<FrameObject>();
        let taken = [
            frame.trace.take(),
            frame.extra.take(),
            frame.replaced.take(),
            frame.namespace.take(),
        ];
        let own = frame.own_words();
        for index in (0..(*frame.code()).nlocalsplus()).rev() {
            std::mem::replace(&mut *own.add(index), Word::NULL).release_slot();
        }
        for word in taken.into_iter().flatten() {
            word.release_slot();
        }
    }
}
