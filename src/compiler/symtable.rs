//! The symbol table: every block of a module and what its names mean there (CPython's `symtable.c`).
//!
//! `symtable_visit` collects raw facts from the tree, `symtable_analyze` decides the scope of each name.

use super::instr::Location;
use super::names::{Interner, NameId, NameMap};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// `DEF_*` and `USE` of `pycore_symtable.h`.
pub(super) mod def {
    pub const GLOBAL: u16 = 1;
    pub const LOCAL: u16 = 2;
    pub const PARAM: u16 = 4;
    pub const NONLOCAL: u16 = 8;
    pub const USE: u16 = 16;
    pub const FREE_CLASS: u16 = 64;
    pub const IMPORT: u16 = 128;
    pub const ANNOT: u16 = 256;
    pub const COMP_ITER: u16 = 512;
    pub const TYPE_PARAM: u16 = 1024;
    pub const COMP_CELL: u16 = 2048;
    pub const BOUND: u16 = LOCAL | PARAM | IMPORT | TYPE_PARAM;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Scope {
    /// No name of the block, or not analysed yet.
    #[default]
    Unknown,
    Local,
    GlobalExplicit,
    GlobalImplicit,
    Free,
    Cell,
}

/// What a block knows of one name (a value of `ste_symbols`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Symbol {
    pub flags: u16,
    pub scope: Scope,
}

impl Symbol {
    pub(super) fn has(self, flags: u16) -> bool {
        self.flags & flags != 0
    }
}

/// Symbols in order of first mention.
pub(super) type SymbolMap = NameMap<Symbol>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockType {
    Function,
    Class,
    Module,
    Annotation,
    TypeVariable,
    TypeAlias,
    TypeParameters,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comprehension {
    None,
    List,
    Dict,
    Set,
    Generator,
}

/// Which of the blocks that belong to one syntax node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum BlockKey {
    Body,
    TypeParams,
    Annotations,
    Bound,
    Default,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct BlockId(pub u32);

/// One block (`PySTEntryObject`).
#[derive(Debug)]
pub(super) struct Block {
    pub name: NameId,
    pub kind: BlockType,
    pub symbols: SymbolMap,
    /// Parameters in order.
    pub varnames: Vec<NameId>,
    pub children: Vec<BlockId>,
    /// Where `global` and `nonlocal` statements name what they name.
    pub directives: Vec<(NameId, Location)>,
    /// Type parameters of a generic class: the only names that its private prefix applies to.
    pub mangled_names: Option<Rc<std::cell::RefCell<FxHashSet<NameId>>>>,
    pub nested: bool,
    pub generator: bool,
    pub coroutine: bool,
    pub comprehension: Comprehension,
    pub varargs: bool,
    pub varkeywords: bool,
    pub needs_class_closure: bool,
    pub needs_classdict: bool,
    pub comp_inlined: bool,
    pub comp_iter_target: bool,
    pub comp_iter_expr: u32,
    pub can_see_class_scope: bool,
    pub annotations_used: bool,
    pub has_conditional_annotations: bool,
    pub in_conditional_block: bool,
    pub in_unevaluated_annotation: bool,
    pub annotation_block: Option<BlockId>,
    pub has_docstring: bool,
    pub method: bool,
    /// How an error calls a type variable's bound or default.
    pub scope_info: &'static str,
    pub loc: Location,
}

impl Block {
    /// `_PyST_IsFunctionLike`
    pub(super) fn is_function_like(&self) -> bool {
        !matches!(self.kind, BlockType::Class | BlockType::Module)
    }
    /// `_PyST_GetSymbol`, with the empty symbol for a stranger
    pub(super) fn symbol(&self, name: NameId) -> Symbol {
        self.symbols.get(name).unwrap_or_default()
    }
    /// `_PyST_GetScope`
    pub(super) fn scope(&self, name: NameId) -> Scope {
        self.symbol(name).scope
    }
    /// `_Py_MaybeMangle`
    pub(super) fn mangle(
        &self,
        names: &mut Interner,
        private: Option<NameId>,
        name: NameId,
    ) -> NameId {
        if let Some(mangled) = &self.mangled_names
            && !mangled.borrow().contains(&name)
        {
            return name;
        }
        names.mangle(private, name)
    }
}

pub(super) struct SymbolTable {
    pub blocks: Vec<Block>,
    /// By the address of the syntax node; nodes do not move while the table lives.
    by_node: FxHashMap<(usize, BlockKey), BlockId>,
}

impl SymbolTable {
    pub(super) fn new() -> SymbolTable {
        SymbolTable {
            blocks: Vec::new(),
            by_node: FxHashMap::default(),
        }
    }
    /// The module's block.
    pub(super) const TOP: BlockId = BlockId(0);

    pub(super) fn insert(&mut self, node: usize, key: BlockKey, block: Block) -> BlockId {
        let id = BlockId(self.blocks.len() as u32);
        self.blocks.push(block);
        self.by_node.insert((node, key), id);
        id
    }
    /// `_PySymtable_LookupOptional`
    pub(super) fn lookup(&self, node: usize, key: BlockKey) -> Option<BlockId> {
        self.by_node.get(&(node, key)).copied()
    }
}

impl std::ops::Index<BlockId> for SymbolTable {
    type Output = Block;
    fn index(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }
}
impl std::ops::IndexMut<BlockId> for SymbolTable {
    fn index_mut(&mut self, id: BlockId) -> &mut Block {
        &mut self.blocks[id.0 as usize]
    }
}

/// The address by which a syntax node is known in the table.
pub(super) fn node_key<T>(node: &T) -> usize {
    std::ptr::from_ref(node).addr()
}
