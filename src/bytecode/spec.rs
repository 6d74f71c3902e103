//! A code object as plain data: what the compiler hands over, free of any VM (`_PyCodeConstructor`).

use num_bigint::BigInt;
use std::rc::Rc;

/// Text that may hold lone surrogates, in generalised UTF-8 (WTF-8): a surrogate is its three-byte form. Copies
/// share it: most names stand in many code objects.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Wtf8(pub Rc<[u8]>);

/// A compile-time constant. Equality is by type and value as in CPython's `_PyCode_ConstantKey`:
/// 1, 1.0 and True differ, 0.0 and -0.0 differ.
#[derive(Clone, Debug)]
pub enum Constant {
    None,
    True,
    False,
    Ellipsis,
    Int(i64),
    BigInt(Rc<BigInt>),
    Float(f64),
    Complex(f64, f64),
    Str(Wtf8),
    Bytes(Rc<[u8]>),
    Tuple(Rc<[Constant]>),
    FrozenSet(Rc<[Constant]>),
    Slice(Rc<[Constant; 3]>),
    Code(Rc<CodeSpec>),
    /// What a program put into a code object of its own making: for another code object, how many free variables it has.
    Given {
        code: Option<u32>,
    },
}

/// `CO_FAST_*`: what kinds of variable a local slot is.
pub mod local_kind {
    pub const ARG_POS: u8 = 0x02;
    pub const ARG_KW: u8 = 0x04;
    pub const ARG_VAR: u8 = 0x08;
    pub const HIDDEN: u8 = 0x10;
    pub const LOCAL: u8 = 0x20;
    pub const CELL: u8 = 0x40;
    pub const FREE: u8 = 0x80;
}

/// `CO_*` flags of `co_flags`.
pub mod code_flags {
    pub const OPTIMIZED: u32 = 0x1;
    pub const NEWLOCALS: u32 = 0x2;
    pub const VARARGS: u32 = 0x4;
    pub const VARKEYWORDS: u32 = 0x8;
    pub const NESTED: u32 = 0x10;
    pub const GENERATOR: u32 = 0x20;
    pub const COROUTINE: u32 = 0x80;
    pub const ITERABLE_COROUTINE: u32 = 0x100;
    pub const ASYNC_GENERATOR: u32 = 0x200;
    /// Its frame moves into an object that its call returns.
    pub const SUSPENDS: u32 = GENERATOR | COROUTINE | ASYNC_GENERATOR;
    pub const HAS_DOCSTRING: u32 = 0x4000000;
    pub const METHOD: u32 = 0x8000000;
}

#[derive(Clone, Debug)]
pub struct CodeSpec {
    pub filename: Rc<str>,
    pub name: Wtf8,
    pub qualname: Wtf8,
    pub flags: u32,
    /// Two bytes a unit, inline caches included and zero (`co_code`).
    pub code: Vec<u8>,
    pub firstlineno: i32,
    /// `co_linetable`, CPython's location table format.
    pub linetable: Vec<u8>,
    pub consts: Vec<Constant>,
    pub names: Vec<Wtf8>,
    /// Locals, then cells that are not arguments, then free variables.
    pub localsplusnames: Vec<Wtf8>,
    /// One `local_kind` mask per entry of `localsplusnames`.
    pub localspluskinds: Vec<u8>,
    pub argcount: u32,
    pub posonlyargcount: u32,
    pub kwonlyargcount: u32,
    /// Most words on the stack at once, without locals.
    pub stacksize: u32,
    /// `co_exceptiontable`, CPython's varint format.
    pub exceptiontable: Vec<u8>,
}

impl CodeSpec {
    /// How many free variables the code has.
    pub fn free_count(&self) -> usize {
        let free = |kinds: &&u8| **kinds & local_kind::FREE != 0;
        self.localspluskinds.iter().filter(free).count()
    }
}

impl Wtf8 {
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }
    pub fn to_string_lossy(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }
}
/// Text in generalised UTF-8: a lone surrogate is its three-byte form.
impl FromIterator<u32> for Wtf8 {
    fn from_iter<I: IntoIterator<Item = u32>>(chars: I) -> Self {
        let mut bytes = Vec::new();
        for c in chars {
            match char::from_u32(c) {
                Some(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                None => {
                    let tail = |shift: u32| 0x80 | (c >> shift & 0x3f) as u8;
                    bytes.extend([0xe0 | (c >> 12) as u8, tail(6), tail(0)]);
                }
            }
        }
        Wtf8(bytes.into())
    }
}
impl From<&str> for Wtf8 {
    fn from(s: &str) -> Self {
        Wtf8(s.as_bytes().into())
    }
}
impl From<Vec<u8>> for Wtf8 {
    fn from(bytes: Vec<u8>) -> Self {
        Wtf8(bytes.into())
    }
}
impl std::fmt::Debug for Wtf8 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.to_string_lossy())
    }
}

impl PartialEq for Constant {
    fn eq(&self, other: &Constant) -> bool {
        use Constant::*;
        match (self, other) {
            (None, None) | (True, True) | (False, False) | (Ellipsis, Ellipsis) => true,
            (Int(a), Int(b)) => a == b,
            (BigInt(a), BigInt(b)) => a == b,
            (Float(a), Float(b)) => a.to_bits() == b.to_bits(),
            (Complex(a, b), Complex(c, d)) => {
                a.to_bits() == c.to_bits() && b.to_bits() == d.to_bits()
            }
            (Str(a), Str(b)) => a == b,
            (Bytes(a), Bytes(b)) => a == b,
            (Tuple(a), Tuple(b)) | (FrozenSet(a), FrozenSet(b)) => a == b,
            (Slice(a), Slice(b)) => a == b,
            (Code(a), Code(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}
impl Eq for Constant {}
impl std::hash::Hash for Constant {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        use Constant::*;
        std::mem::discriminant(self).hash(state);
        match self {
            None | True | False | Ellipsis => {}
            Int(a) => a.hash(state),
            BigInt(a) => a.hash(state),
            Float(a) => a.to_bits().hash(state),
            Complex(a, b) => (a.to_bits(), b.to_bits()).hash(state),
            Str(a) => a.hash(state),
            Bytes(a) => a.hash(state),
            Tuple(a) | FrozenSet(a) => a.hash(state),
            Slice(a) => a.hash(state),
            Code(a) => Rc::as_ptr(a).hash(state),
            Given { code } => code.hash(state),
        }
    }
}
