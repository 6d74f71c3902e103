//! Opcode ids and their metadata, CPython 3.14's `opcode_ids.h` and `pycore_opcode_metadata.h`.

use std::fmt;

/// An opcode: real ones fit a byte, pseudo-instructions (compiler only) start at 256.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Opcode(pub u16);

include!(concat!(env!("OUT_DIR"), "/opcode_tables.rs"));

/// What the definitions say of one opcode.
#[derive(Clone, Copy)]
struct Row {
    name: &'static str,
    caches: u8,
    flags: u16,
    deopt: u16,
}

impl Row {
    const NONE: Row = Row {
        name: "",
        caches: 0,
        flags: 0,
        deopt: u16::MAX,
    };
}

/// A family: its head, its specialised forms, its cache entries by name and code units.
pub struct Family {
    pub head: Opcode,
    pub members: &'static [Opcode],
    pub caches: &'static [(&'static str, u8)],
}

/// Bits of `Row::flags` (`HAS_*_FLAG`).
mod flag {
    pub const ARG: u16 = 1;
    pub const JUMP: u16 = 1 << 1;
    pub const CONST: u16 = 1 << 2;
    pub const LOCAL: u16 = 1 << 3;
    pub const NAME: u16 = 1 << 4;
    pub const FREE: u16 = 1 << 5;
    pub const DEOPT: u16 = 1 << 6;
    pub const ERROR: u16 = 1 << 7;
    pub const ESCAPES: u16 = 1 << 8;
    pub const PURE: u16 = 1 << 9;
    pub const EXIT: u16 = 1 << 10;
}

impl Opcode {
    /// First pseudo-instruction; nothing at or above it reaches a code object.
    pub const MIN_PSEUDO: Opcode = Opcode(256);

    #[inline(always)]
    fn row(self) -> Row {
        ROWS.get(usize::from(self.0)).copied().unwrap_or(Row::NONE)
    }
    #[inline(always)]
    fn has(self, flag: u16) -> bool {
        self.row().flags & flag != 0
    }
    /// Every defined opcode and pseudo-instruction, in order of number.
    pub fn all() -> impl Iterator<Item = Opcode> {
        (0..ROWS.len() as u16)
            .map(Opcode)
            .filter(|op| op.is_defined())
    }
    pub fn is_defined(self) -> bool {
        !self.row().name.is_empty()
    }
    /// Its name, `<n>` for a number that no opcode has, as `dis` shows it.
    pub fn name(self) -> &'static str {
        if self.is_defined() {
            self.row().name
        } else {
            "<unknown>"
        }
    }
    pub fn from_name(name: &str) -> Option<Opcode> {
        Opcode::all().find(|op| op.name() == name)
    }
    pub fn is_pseudo(self) -> bool {
        self >= Self::MIN_PSEUDO
    }
    /// Code units of inline cache that follow the instruction.
    #[inline(always)]
    pub fn caches(self) -> usize {
        usize::from(self.row().caches)
    }
    /// The cache entries by name and code units (`opcode._cache_format`).
    pub fn cache_format(self) -> &'static [(&'static str, u8)] {
        let head = self.deopt();
        let family = FAMILIES.iter().find(|f| f.head == head).map(|f| f.caches);
        family
            .or_else(|| {
                CACHE_FORMATS
                    .iter()
                    .find(|(op, _)| *op == head)
                    .map(|(_, format)| *format)
            })
            .unwrap_or(&[])
    }
    pub fn has_arg(self) -> bool {
        self.has(flag::ARG)
    }
    pub fn has_jump(self) -> bool {
        self.has(flag::JUMP)
    }
    pub fn has_const(self) -> bool {
        self.has(flag::CONST)
    }
    pub fn has_local(self) -> bool {
        self.has(flag::LOCAL)
    }
    pub fn has_name(self) -> bool {
        self.has(flag::NAME)
    }
    pub fn has_free(self) -> bool {
        self.has(flag::FREE)
    }
    /// Has a guard that may send it to its family head, where a second tier would go back to the first.
    pub fn deopts(self) -> bool {
        self.has(flag::DEOPT)
    }
    /// The same, where a second tier would go on in another trace.
    pub fn exits(self) -> bool {
        self.has(flag::EXIT)
    }
    pub fn may_raise(self) -> bool {
        self.has(flag::ERROR)
    }
    /// May run Python code.
    pub fn escapes(self) -> bool {
        self.has(flag::ESCAPES)
    }
    pub fn is_pure(self) -> bool {
        self.has(flag::PURE)
    }
    /// The family head of a specialised form; the opcode itself otherwise (`_PyOpcode_Deopt`).
    #[inline(always)]
    pub fn deopt(self) -> Opcode {
        if self.is_defined() {
            Opcode(self.row().deopt)
        } else {
            self
        }
    }
    /// The 17 families.
    pub fn families() -> &'static [Family] {
        FAMILIES
    }
    /// The specialised forms of a family's head; none for any other opcode.
    pub fn forms(self) -> &'static [Opcode] {
        let family = FAMILIES.iter().find(|family| family.head == self);
        family.map_or(&[], |family| family.members)
    }
    /// Opcodes that replicate dispatch in the replicated form, unless all do.
    pub fn hot() -> &'static [Opcode] {
        HOT
    }
    /// What a pseudo-instruction may become; empty for a real one.
    pub fn targets(self) -> &'static [Opcode] {
        PSEUDO_TARGETS
            .iter()
            .find(|(op, _)| *op == self)
            .map_or(&[], |(_, targets)| targets)
    }
    /// Words that the handler of a block-push pseudo-instruction finds on the stack: the exception, below it the offset of
    /// the failing instruction where the handler wants that. None for everything else.
    pub fn handler_words(self) -> Option<i32> {
        match self {
            Opcode::SETUP_CLEANUP => Some(2),
            Opcode::SETUP_FINALLY | Opcode::SETUP_WITH => Some(1),
            _ => None,
        }
    }
    /// What the interpreter writes between chunks of its stack: no code object holds it, and programs are not told of it.
    pub fn is_private(self) -> bool {
        self == Opcode::LEAVE_CHUNK
    }
    /// First opcode of those that monitoring writes (`MIN_INSTRUMENTED_OPCODE`); `ENTER_EXECUTOR` is the last of all.
    pub const MIN_INSTRUMENTED: Opcode = Opcode::INSTRUMENTED_END_FOR;
    /// Net change of the stack (`PyCompile_OpcodeStackEffectWithJump`); a block push has one only where it jumps. None for
    /// specialised forms, for numbers that no opcode has, and for arguments that no stack has room for.
    pub fn stack_effect(self, oparg: i32, jumps: bool) -> Option<i32> {
        const MOST: i32 = 1 << 28;
        if self.deopt() != self || !(-MOST..MOST).contains(&oparg) {
            return None;
        }
        if let Some(words) = self.handler_words() {
            return Some(if jumps { words } else { 0 });
        }
        let (popped, pushed) = (self.num_popped(oparg)?, self.num_pushed(oparg)?);
        (popped >= 0 && pushed >= 0).then(|| pushed - popped)
    }
    /// Words taken off the stack (`_PyOpcode_num_popped`); None for a number that is no opcode.
    pub fn num_popped(self, oparg: i32) -> Option<i32> {
        popped(self, oparg)
    }
    /// Words put on the stack (`_PyOpcode_num_pushed`).
    pub fn num_pushed(self, oparg: i32) -> Option<i32> {
        pushed(self, oparg)
    }
}

impl fmt::Debug for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
