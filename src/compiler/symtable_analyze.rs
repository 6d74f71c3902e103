//! The second pass of the symbol table: local, global, free or cell (`symtable_analyze`).

use super::error::{CompileError, ErrorKind};
use super::names::{Interner, NameId, known};
use super::symtable::{
    BlockId, BlockType, Comprehension, Scope, Symbol, SymbolMap, SymbolTable, def,
};
use rustc_hash::FxHashSet;

type NameSet = FxHashSet<NameId>;
type Result<T = ()> = std::result::Result<T, CompileError>;

/// Decides every name of every block.
pub(super) fn analyze(table: &mut SymbolTable, names: &Interner) -> Result {
    let mut analyzer = Analyzer {
        table,
        names,
        outside: vec![0; names.len()],
        undo: Vec::new(),
    };
    analyzer.block(SymbolTable::TOP, None).map(drop)
}

/// Some function around binds the name (CPython's set `bound`).
const BOUND: u8 = 1;
/// As a type parameter (`type_params`).
const TYPE_PARAM: u8 = 2;

struct Analyzer<'t> {
    table: &'t mut SymbolTable,
    names: &'t Interner,
    /// By name: what the blocks around the present one say of it. CPython hands every block copies of sets; here a
    /// block notes what it overwrites and puts it back when it ends.
    outside: Vec<u8>,
    undo: Vec<(NameId, u8)>,
}

impl Analyzer<'_> {
    fn mark(&mut self, name: NameId, value: u8) {
        let place = &mut self.outside[name.index()];
        if *place != value {
            self.undo.push((name, *place));
            *place = value;
        }
    }
    fn is_outside(&self, name: NameId, what: u8) -> bool {
        self.outside[name.index()] & what != 0
    }

    /// `analyze_block`; the answer is the set of names free in the block.
    fn block(&mut self, id: BlockId, class_entry: Option<BlockId>) -> Result<NameSet> {
        let marks = self.undo.len();
        let free = super::grown(|| self.block_inner(id, class_entry))?;
        for (name, value) in self.undo.drain(marks..).rev() {
            self.outside[name.index()] = value;
        }
        Ok(free)
    }

    fn block_inner(&mut self, id: BlockId, class_entry: Option<BlockId>) -> Result<NameSet> {
        let is_class = self.table[id].kind == BlockType::Class;
        let marks = self.undo.len();
        let mut free = NameSet::default();
        for index in 0..self.table[id].symbols.len() {
            let (name, symbol) = self.table[id].symbols.at(index);
            let scope = self.name(id, name, symbol.flags, &mut free, class_entry)?;
            self.table[id].symbols.value_mut(index).scope = scope;
        }
        // A class's bindings are invisible in its methods: they see what was visible before it, type parameters
        // aside.
        if is_class {
            for &(name, old) in self.undo[marks..].iter().rev() {
                let place = &mut self.outside[name.index()];
                *place = *place & TYPE_PARAM | old & BOUND;
            }
            for name in CLASS_CELLS {
                self.mark(name, self.outside[name.index()] | BOUND);
            }
        }
        // What children leave free; the block's own free names stay apart in `free`.
        let mut new_free = NameSet::default();
        let mut inlined_cells = NameSet::default();
        for index in 0..self.table[id].children.len() {
            let child = self.table[id].children[index];
            let child_class = match self.table[child].can_see_class_scope {
                true if is_class => Some(id),
                true => class_entry,
                false => None,
            };
            let inline = self.table[child].comprehension != Comprehension::None
                && !self.table[child].generator
                && !self.table[id].can_see_class_scope;
            let mut child_free = self.block(child, child_class)?;
            if inline {
                self.inline_comprehension(id, child, &mut child_free, &mut inlined_cells);
                self.table[child].comp_inlined = true;
            }
            new_free.extend(child_free);
        }
        self.splice_inlined_children(id);
        let block = &mut self.table[id];
        if block.is_function_like() {
            analyze_cells(&mut block.symbols, &mut new_free, &inlined_cells);
        } else if is_class {
            block.needs_class_closure |= new_free.remove(&known::DUNDER_CLASS);
            block.needs_classdict |= new_free.remove(&known::DUNDER_CLASSDICT);
            block.has_conditional_annotations |=
                new_free.remove(&known::DUNDER_CONDITIONAL_ANNOTATIONS);
        }
        self.update_symbols(id, &new_free, &inlined_cells);
        free.extend(new_free);
        Ok(free)
    }

    /// `analyze_name`
    fn name(
        &mut self,
        id: BlockId,
        name: NameId,
        flags: u16,
        free: &mut NameSet,
        class_entry: Option<BlockId>,
    ) -> Result<Scope> {
        let outside = self.outside[name.index()];
        let text = || self.names.get(name);
        if flags & def::GLOBAL != 0 {
            if flags & def::NONLOCAL != 0 {
                let message = format!("name '{}' is nonlocal and global", text());
                return Err(self.at_directive(id, name, message));
            }
            self.mark(name, outside & !BOUND);
            return Ok(Scope::GlobalExplicit);
        }
        if flags & def::NONLOCAL != 0 {
            let message = if id == SymbolTable::TOP {
                "nonlocal declaration not allowed at module level".to_string()
            } else if outside & BOUND == 0 {
                format!("no binding for nonlocal '{}' found", text())
            } else if outside & TYPE_PARAM != 0 {
                let name = text();
                format!("nonlocal binding not allowed for type parameter '{name}'")
            } else {
                free.insert(name);
                return Ok(Scope::Free);
            };
            return Err(self.at_directive(id, name, message));
        }
        if flags & def::BOUND != 0 {
            let bound = match self.table[id].is_function_like() {
                true => BOUND,
                false => outside & BOUND,
            };
            let type_param = match flags & def::TYPE_PARAM {
                0 => 0,
                _ => TYPE_PARAM,
            };
            self.mark(name, bound | type_param);
            return Ok(Scope::Local);
        }
        // A scope that sees a class namespace resolves the class's names there or globally, never in a
        // function around the class.
        if let Some(class) = class_entry {
            let symbol = self.table[class].symbol(name);
            if symbol.has(def::GLOBAL) {
                return Ok(Scope::GlobalExplicit);
            }
            if symbol.has(def::BOUND) && !symbol.has(def::NONLOCAL) {
                return Ok(Scope::GlobalImplicit);
            }
        }
        if outside & BOUND != 0 {
            free.insert(name);
            return Ok(Scope::Free);
        }
        Ok(Scope::GlobalImplicit)
    }

    /// `error_at_directive`
    fn at_directive(&self, id: BlockId, name: NameId, message: String) -> CompileError {
        let loc = self.table[id]
            .directives
            .iter()
            .find(|d| d.0 == name)
            .map_or(self.table[id].loc, |d| d.1);
        CompileError::new(ErrorKind::Syntax, message, loc)
    }

    /// Adds a comprehension's names to the block it is inlined into (PEP 709, `inline_comprehension`).
    fn inline_comprehension(
        &mut self,
        id: BlockId,
        comp: BlockId,
        comp_free: &mut NameSet,
        inlined_cells: &mut NameSet,
    ) {
        let is_class = self.table[id].kind == BlockType::Class;
        let mut class_cells = Vec::new();
        for index in 0..self.table[comp].symbols.len() {
            let (name, symbol) = self.table[comp].symbols.at(index);
            if symbol.has(def::PARAM) {
                continue;
            }
            let mut scope = symbol.scope;
            if scope == Scope::Cell || symbol.has(def::COMP_CELL) {
                inlined_cells.insert(name);
            }
            if scope == Scope::Free && is_class && CLASS_CELLS.contains(&name) {
                scope = Scope::GlobalImplicit;
                // CPython forgets the functions inside, for which the class has to keep its cell, and ends in a
                // SystemError.
                if !self.is_free_in_any_child(comp, name) {
                    comp_free.remove(&name);
                }
                class_cells.push(name);
            }
            match self.table[id].symbols.get(name) {
                None => {
                    let flags = symbol.flags;
                    self.table[id].symbols.push(name, Symbol { flags, scope });
                }
                // A name free in the comprehension and bound outside becomes plain local, unless a child
                // of the comprehension needs it as a cell.
                Some(existing) => {
                    if existing.has(def::BOUND)
                        && !is_class
                        && !self.is_free_in_any_child(comp, name)
                    {
                        comp_free.remove(&name);
                    }
                }
            }
        }
        for name in class_cells {
            self.table[comp].symbols.remove(name);
        }
    }

    fn is_free_in_any_child(&self, id: BlockId, name: NameId) -> bool {
        self.table[id]
            .children
            .iter()
            .any(|&child| self.table[child].scope(name) == Scope::Free)
    }

    fn splice_inlined_children(&mut self, id: BlockId) {
        if !self.table[id]
            .children
            .iter()
            .any(|&c| self.table[c].comp_inlined)
        {
            return;
        }
        let mut spliced = Vec::with_capacity(self.table[id].children.len());
        for &child in &self.table[id].children {
            if self.table[child].comp_inlined {
                spliced.extend_from_slice(&self.table[child].children);
            } else {
                spliced.push(child);
            }
        }
        self.table[id].children = spliced;
    }

    /// `update_symbols`, without the scopes, which are there already
    fn update_symbols(&mut self, id: BlockId, free: &NameSet, inlined_cells: &NameSet) {
        let block = &mut self.table[id];
        let class_flag = block.kind == BlockType::Class || block.can_see_class_scope;
        if !inlined_cells.is_empty() {
            for (name, symbol) in block.symbols.values_mut() {
                if inlined_cells.contains(&name) {
                    symbol.flags |= def::COMP_CELL;
                }
            }
        }
        let mut free: Vec<NameId> = free.iter().copied().collect();
        free.sort_unstable_by_key(|name| name.index());
        for name in free {
            let block = &mut self.table[id];
            if let Some(mut symbol) = block.symbols.get(name) {
                // A method's free variable that the class or a scope seeing it also binds.
                if class_flag {
                    symbol.flags |= def::FREE_CLASS;
                    block.symbols.set(name, symbol);
                }
            } else if id == SymbolTable::TOP || self.is_outside(name, BOUND) {
                let (flags, scope) = (0, Scope::Free);
                self.table[id].symbols.push(name, Symbol { flags, scope });
            }
        }
    }
}

/// What a class provides to its methods.
const CLASS_CELLS: [NameId; 3] = [
    known::DUNDER_CLASS,
    known::DUNDER_CLASSDICT,
    known::DUNDER_CONDITIONAL_ANNOTATIONS,
];

/// A local that a child finds free becomes a cell (`analyze_cells`).
fn analyze_cells(symbols: &mut SymbolMap, free: &mut NameSet, inlined_cells: &NameSet) {
    if free.is_empty() && inlined_cells.is_empty() {
        return;
    }
    for (name, symbol) in symbols.values_mut() {
        if symbol.scope == Scope::Local && (free.contains(&name) || inlined_cells.contains(&name)) {
            symbol.scope = Scope::Cell;
            free.remove(&name);
        }
    }
}
