//! Code objects (`PyCodeObject`): the compiler's plain data made into constants, names and code that adapts itself.

use super::arena::GRANULE;
use super::frame::{HEADER, Ip, Meta};
use super::monitoring::CodeMonitoring;
use super::thread::Thread;
use crate::bytecode::backoff::BackoffCounter;
use crate::bytecode::spec::{CodeSpec, Constant, Wtf8, code_flags};
use crate::bytecode::tables::{self, Location};
use crate::bytecode::{Opcode, verify};
use crate::object::{self, Header, Kind, Object, Owned, PyResult, Raised, Vm, Word};
use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// A code object. It stands in the arena, its code right behind it, so that an inline cache can name both.
#[repr(C)]
pub struct CodeObject {
    pub header: Header,
    /// What a new frame's `meta` is.
    pub meta: Meta,
    /// The constants; the word before them is the address of this object, so that a frame finds its code.
    pub consts: *mut Word,
    /// Positional parameters, `self` included.
    pub argcount: u32,
    /// Words of a frame: header, locals, stack, slack.
    pub framesize: u32,
    pub flags: u32,
    /// `co_version`: the place in the arena.
    pub version: u32,
    pub stacksize: u32,
    pub kwonlyargcount: u32,
    /// How many arguments a call of `__init__` passes that the loop may turn into a frame by itself: `argcount` if there
    /// are no other parameters and the frame is an ordinary one that fits the headroom, `u32::MAX` otherwise.
    pub exact_argcount: u32,
    /// Interned strings, slot's words.
    pub names: Box<[Word]>,
    pub localsplusnames: Box<[Word]>,
    pub name: Word,
    pub qualname: Word,
    pub filename: Word,
    /// Everything the compiler said; tables and names are read from here.
    pub spec: Rc<CodeSpec>,
    /// First unit that is not a prefix of generator or cell set-up, as an index (`_co_firsttraceable`).
    pub first_traceable: u32,
    nconsts: u32,
    specializing: Cell<bool>,
    /// Units of the RESUMEs.
    pub resumes: Box<[u32]>,
    /// What tools watch here, once one has asked.
    pub monitoring: OnceCell<Box<CodeMonitoring>>,
    /// The version of monitoring that the code is instrumented for.
    pub instrumentation_version: Cell<u64>,
    /// What hooks keep with the code (`co_extra`).
    pub extra: RefCell<Vec<Option<Rc<dyn Any>>>>,
}

/// Where the code units begin behind the header.
pub const CODE_OFFSET: usize = size_of::<CodeObject>().next_multiple_of(GRANULE);

impl CodeObject {
    /// Number of locals, cells and free variables (`co_nlocalsplus`).
    #[inline(always)]
    pub fn nlocalsplus(&self) -> usize {
        self.meta.locals()
    }
    pub fn consts(&self) -> &[Word] {
        // SAFETY: written by `new_code`, live as long as the code.
        unsafe { std::slice::from_raw_parts(self.consts, self.nconsts as usize) }
    }
    /// Code units, caches included.
    pub fn units(&self) -> usize {
        self.spec.code.len() / 2
    }
    /// The code as it is now, specialised (`_co_code_adaptive`).
    pub fn adaptive(&self) -> &[Cell<u8>] {
        // SAFETY: the bytes behind the header, as many as `new_code` copied there; written through cells only.
        unsafe {
            std::slice::from_raw_parts(
                start(self as *const _ as *mut CodeObject).cast(),
                self.spec.code.len(),
            )
        }
    }
    /// Index of the unit at `ip`.
    pub fn unit_at(&self, ip: Ip) -> usize {
        (ip as usize - (self as *const CodeObject as usize + CODE_OFFSET)) / 2
    }
    /// The opcode at a unit as the compiler wrote it: neither specialised nor instrumented (`_Py_GetBaseCodeUnit`).
    #[inline(always)]
    pub fn base_opcode(&self, unit: usize) -> Opcode {
        Opcode(u16::from(self.spec.code[2 * unit]))
    }
    /// Index of the instruction that ends where `ip` stands, or that it stands in the caches of.
    pub fn instruction_before(&self, ip: Ip) -> usize {
        self.instruction_ending_at(self.unit_at(ip))
    }
    /// The same for the index of a unit. Caches are zero in what the compiler wrote, which is no instruction's number:
    /// the verifier sees to both.
    pub fn instruction_ending_at(&self, end: usize) -> usize {
        (0..end)
            .rfind(|&unit| self.base_opcode(unit) != Opcode::CACHE)
            .unwrap_or(0)
    }
    /// Index of the instruction that runs in a frame whose `ip` stands there; 0 if that is not in the code.
    pub fn unit_of_running(&self, ip: Ip) -> usize {
        let begin = self as *const CodeObject as usize + CODE_OFFSET;
        if (begin..=begin + self.spec.code.len()).contains(&(ip as usize)) {
            self.instruction_before(ip)
        } else {
            0
        }
    }
    /// Where in the source the instruction with this index is; without a line if it has none.
    pub fn location(&self, unit: usize) -> Location {
        tables::read_locations(&self.spec.linetable, self.spec.firstlineno)
            .ok()
            .and_then(|ranges| {
                ranges
                    .into_iter()
                    .find(|range| (range.start as usize..range.end as usize).contains(&unit))
            })
            .map_or(Location::NO_LOCATION, |range| range.loc)
    }
    /// How many free variables the code has.
    pub fn free_count(&self) -> usize {
        self.spec.free_count()
    }
    pub fn is_optimized(&self) -> bool {
        self.flags & code_flags::OPTIMIZED != 0
    }
}

/// The first instruction of a code object.
///
/// # Safety
/// `code` is a live code object.
#[inline(always)]
pub unsafe fn start(code: *mut CodeObject) -> Ip {
    unsafe { code.cast::<u8>().add(CODE_OFFSET) }
}

/// Makes a code object of what the compiler said. Raises ValueError if the code would not be safe to run.
pub fn new_code(ts: &Thread, spec: &Rc<CodeSpec>) -> PyResult {
    // What is nested is made, and so verified, with the constants.
    let consts = constants(ts, &spec.consts)?;
    new_code_of(ts, spec, consts)
}

/// Makes a code object whose constants are there already; those in `spec` say what is known of them.
pub fn new_code_of(ts: &Thread, spec: &Rc<CodeSpec>, consts: Vec<Owned>) -> PyResult {
    let vm = ts.vm();
    if let Err(e) = verify::verify_one(spec) {
        return Err(vm.value_error(format!("code: {e}")));
    }
    let consts: Vec<Word> = consts.into_iter().map(Owned::into_slot).collect();
    let intern_all = |list: &[Wtf8]| {
        let words = list.iter().map(|n| Ok(intern(vm, n)?.into_slot()));
        words.collect::<Result<Box<[Word]>, Raised>>()
    };
    let (names, localsplusnames) = (intern_all(&spec.names)?, intern_all(&spec.localsplusnames)?);
    let nlocals = spec.localsplusnames.len();
    let meta = if spec.flags & code_flags::OPTIMIZED != 0 {
        nlocals as u64
    } else {
        nlocals as u64 | Meta::NAMESPACE
    };
    let size = CODE_OFFSET + spec.code.len();
    let framesize = HEADER + nlocals + spec.stacksize as usize + super::datastack::SLACK;
    // Nothing can fail once the block is taken: blocks in use are code objects.
    let name = intern(vm, &spec.name)?;
    let qualname = intern(vm, &spec.qualname)?;
    let filename = vm.new_str(&spec.filename)?;
    let block = ts.arena.alloc(size).ok_or_else(|| vm.no_memory())?;
    let code: *mut CodeObject = block.as_ptr().cast();
    let nconsts = consts.len() as u32;
    // SAFETY: a number, which nobody takes for a reference.
    let own = unsafe { Word::from_bits(code as u64) };
    let consts: Box<[Word]> = std::iter::once(own).chain(consts).collect();
    let header = Header {
        refcount: Cell::new(1),
        kind: Cell::new(Kind::CODE),
        flags: Cell::new(object::header::flag::FOREIGN),
        extra: Cell::new(0),
        ty: Cell::new(ts.types.code),
    };
    // SAFETY: a fresh block of that size.
    unsafe {
        code.write(CodeObject {
            header,
            meta: Meta(meta),
            consts: Box::into_raw(consts).cast::<Word>().add(1),
            argcount: spec.argcount,
            framesize: framesize as u32,
            flags: spec.flags,
            version: ts.arena.version(block.as_ptr()),
            stacksize: spec.stacksize,
            kwonlyargcount: spec.kwonlyargcount,
            exact_argcount: exact_argcount(spec, framesize),
            names,
            localsplusnames,
            name: name.into_slot(),
            qualname: qualname.into_slot(),
            filename: filename.into_slot(),
            spec: spec.clone(),
            first_traceable: first_traceable(&spec.code),
            nconsts,
            specializing: Cell::new(true),
            resumes: resumes(&spec.code),
            monitoring: OnceCell::new(),
            instrumentation_version: Cell::new(0),
            extra: RefCell::default(),
        });
        start(code).copy_from_nonoverlapping(spec.code.as_ptr(), spec.code.len());
        quicken(ts, (*code).adaptive());
        Ok(Owned::from_raw(code))
    }
}

fn exact_argcount(spec: &CodeSpec, framesize: usize) -> u32 {
    // A generator's frame moves away from where it was called.
    let complex = code_flags::VARARGS | code_flags::VARKEYWORDS | code_flags::SUSPENDS;
    let simple = spec.flags & (complex | code_flags::OPTIMIZED) == code_flags::OPTIMIZED
        && spec.kwonlyargcount == 0
        && framesize <= super::datastack::HEADROOM;
    if simple { spec.argcount } else { u32::MAX }
}

fn intern(vm: Vm, text: &Wtf8) -> PyResult {
    let string = vm.str_from_wtf8(&text.0)?;
    vm.intern(string.as_word())
}

/// `_PyCode_Quicken`: writes the initial counter into every instruction that has one.
fn quicken(ts: &Thread, code: &[Cell<u8>]) {
    let mut unit = 0;
    while unit * 2 < code.len() {
        let op = Opcode(u16::from(code[unit * 2].get()));
        let caches = op.caches();
        if caches > 0 {
            let counter = BackoffCounter::initial(op, ts.specialization.get()).0;
            let bytes = counter.to_le_bytes();
            code[unit * 2 + 2].set(bytes[0]);
            code[unit * 2 + 3].set(bytes[1]);
        }
        unit += 1 + caches;
    }
}

fn first_traceable(code: &[u8]) -> u32 {
    let at = code
        .chunks_exact(2)
        .position(|unit| u16::from(unit[0]) == Opcode::RESUME.0);
    at.unwrap_or(0) as u32
}

fn resumes(code: &[u8]) -> Box<[u32]> {
    let (mut unit, mut found) = (0, vec![]);
    while 2 * unit < code.len() {
        let op = Opcode(u16::from(code[2 * unit]));
        if op == Opcode::RESUME {
            found.push(unit as u32);
        }
        unit += 1 + op.caches();
    }
    found.into()
}

fn constants(ts: &Thread, list: &[Constant]) -> Result<Vec<Owned>, Raised> {
    list.iter().map(|c| constant(ts, c)).collect()
}

/// A constant as an object. Strings that look like identifiers are interned (`intern_constants`).
pub fn constant(ts: &Thread, constant: &Constant) -> PyResult {
    let vm = ts.vm();
    match constant {
        Constant::None => Ok(Owned::NONE),
        Constant::True => Ok(Owned::TRUE),
        Constant::False => Ok(Owned::FALSE),
        Constant::Ellipsis => Ok(Owned::from_word(Word::ELLIPSIS)),
        Constant::Int(n) => vm.new_int(*n),
        Constant::BigInt(n) => vm.new_bigint(n.as_ref().clone()),
        Constant::Float(x) => vm.new_float(*x),
        Constant::Complex(re, im) => object::complex::new(vm, *re, *im),
        Constant::Str(s) if is_identifier_like(&s.0) => intern(vm, s),
        Constant::Str(s) => vm.str_from_wtf8(&s.0),
        Constant::Bytes(b) => object::bytes::new_bytes(vm, b),
        Constant::Tuple(items) => vm.tuple_from_owned(constants(ts, items)?),
        Constant::FrozenSet(items) => {
            let items = vm.tuple_from_owned(constants(ts, items)?)?;
            object::set::new_set(vm, vm.types.frozenset, Some(items.as_word()))
        }
        Constant::Slice(parts) => {
            let parts = constants(ts, &parts[..])?;
            vm.new_slice(parts[0].as_word(), parts[1].as_word(), parts[2].as_word())
        }
        Constant::Code(spec) => new_code(ts, spec),
        Constant::Given { .. } => Err(vm.raise(
            vm.exc.SystemError,
            "a constant that the compiler does not make",
        )),
    }
}

/// `should_intern_string`: ASCII letters, digits and underscores only.
pub fn is_identifier_like(text: &[u8]) -> bool {
    text.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// The constants, the word before them included.
///
/// # Safety
/// Nobody uses them any more.
unsafe fn take_consts(code: *mut CodeObject) -> Box<[Word]> {
    unsafe {
        let (first, count) = ((*code).consts.sub(1), (*code).nconsts as usize + 1);
        Box::from_raw(std::ptr::slice_from_raw_parts_mut(first, count))
    }
}

/// Frees a code object; installed as the type's `dealloc`.
///
/// # Safety
/// As [`object::header::dealloc`].
pub unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let code: *mut CodeObject = object.cast();
        let ts = Thread::of(vm);
        let size = CODE_OFFSET + 2 * (&*code).units();
        let consts = take_consts(code);
        let words = [(*code).name, (*code).qualname, (*code).filename];
        let names = std::mem::take(&mut (*code).names);
        let localsplusnames = std::mem::take(&mut (*code).localsplusnames);
        ts.watchers.forget(code, size);
        ts.forget_current();
        // What hooks have kept may be anything: it goes last.
        let extra = drop_native_parts(code);
        (*code).header.kind.set(Kind::FREE);
        ts.arena.free(code.cast(), size);
        for word in consts[1..]
            .iter()
            .chain(&names)
            .chain(&localsplusnames)
            .chain(&words)
        {
            word.release_slot();
        }
        drop(extra);
    }
}

/// Drops what a code object owns outside the VM's heap, but for what hooks have kept with it.
unsafe fn drop_native_parts(code: *mut CodeObject) -> Vec<Option<Rc<dyn Any>>> {
    unsafe {
        std::ptr::drop_in_place(&raw mut (*code).spec);
        drop(std::mem::take(&mut (*code).resumes));
        drop((*code).monitoring.take());
        (*code).extra.take()
    }
}

/// Drops what code objects own outside the VM's heap, when the VM goes.
///
/// # Safety
/// No code of the VM is used any more.
pub unsafe fn tear_down(ts: &Thread) {
    for block in ts.arena.blocks() {
        let code: *mut CodeObject = block.as_ptr().cast();
        unsafe {
            let size = CODE_OFFSET + 2 * (&*code).units();
            drop(take_consts(code));
            drop(std::mem::take(&mut (*code).names));
            drop(std::mem::take(&mut (*code).localsplusnames));
            drop(drop_native_parts(code));
            ts.arena.free(block.as_ptr(), size);
        }
    }
}
