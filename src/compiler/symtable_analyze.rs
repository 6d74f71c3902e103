//! The second pass of the symbol table: local, global, free or cell (`symtable_analyze`).

use super::error::{CompileError, ErrorKind};
use super::names::{Interner, NameId, known};
use super::symtable::{BlockId, BlockType, Comprehension, Scope, Symbol, SymbolTable, def};
use rustc_hash::{FxHashMap, FxHashSet};

type NameSet = FxHashSet<NameId>;
type Result<T = ()> = std::result::Result<T, CompileError>;

/// Decides every name of every block.
pub(super) fn analyze(table: &mut SymbolTable, names: &Interner) -> Result {
    let mut analyzer = Analyzer { table, names };
    let mut visible = Visible::default();
    analyzer
        .block(SymbolTable::TOP, None, &mut visible, None)
        .map(drop)
}

/// The names that a block sees from outside, each set its own copy.
#[derive(Default, Clone)]
struct Visible {
    global: NameSet,
    type_params: NameSet,
}

struct Analyzer<'t> {
    table: &'t mut SymbolTable,
    names: &'t Interner,
}

/// Scopes decided so far in one block, in order.
#[derive(Default)]
struct Scopes {
    order: Vec<NameId>,
    scope: FxHashMap<NameId, Scope>,
}

impl Scopes {
    fn set(&mut self, name: NameId, scope: Scope) {
        if self.scope.insert(name, scope).is_none() {
            self.order.push(name);
        }
    }
}

impl Analyzer<'_> {
    /// `analyze_block`; the answer is the set of names free in the block.
    fn block(
        &mut self,
        id: BlockId,
        mut bound: Option<NameSet>,
        visible: &mut Visible,
        class_entry: Option<BlockId>,
    ) -> Result<NameSet> {
        stacker::maybe_grow(super::STACK_RED_ZONE, super::STACK_SEGMENT, || {
            self.block_inner(id, bound.as_mut(), visible, class_entry)
        })
    }

    fn block_inner(
        &mut self,
        id: BlockId,
        mut bound: Option<&mut NameSet>,
        visible: &mut Visible,
        class_entry: Option<BlockId>,
    ) -> Result<NameSet> {
        let kind = self.table[id].kind;
        let is_class = kind == BlockType::Class;
        let mut local = NameSet::default();
        let mut free = NameSet::default();
        let mut scopes = Scopes::default();
        let mut new_bound = NameSet::default();
        let mut new_global = NameSet::default();
        // Class bindings are invisible in methods: hand down what was visible before them.
        if is_class {
            new_global.clone_from(&visible.global);
            if let Some(bound) = &bound {
                new_bound.clone_from(bound);
            }
        }
        for index in 0..self.table[id].symbols.len() {
            let (name, symbol) = self.table[id].symbols.at(index);
            let scope = self.name(
                id,
                name,
                symbol.flags,
                bound.as_deref_mut(),
                &mut local,
                &mut free,
                visible,
                class_entry,
            )?;
            scopes.set(name, scope);
        }
        if is_class {
            new_bound.extend([
                known::DUNDER_CLASS,
                known::DUNDER_CLASSDICT,
                known::DUNDER_CONDITIONAL_ANNOTATIONS,
            ]);
        } else {
            if self.table[id].is_function_like() {
                new_bound.extend(&local);
            }
            if let Some(bound) = &bound {
                new_bound.extend(bound.iter());
            }
            new_global.extend(&visible.global);
        }
        // What children leave free; the block's own free names stay apart in `free`.
        let mut new_free = NameSet::default();
        let mut inlined_cells = NameSet::default();
        for child in self.table[id].children.clone() {
            let child_class = match self.table[child].can_see_class_scope {
                true if is_class => Some(id),
                true => class_entry,
                false => None,
            };
            let inline = self.table[child].comprehension != Comprehension::None
                && !self.table[child].generator
                && !self.table[id].can_see_class_scope;
            let mut child_visible = Visible {
                global: new_global.clone(),
                type_params: visible.type_params.clone(),
            };
            let mut child_free = self.block(
                child,
                Some(new_bound.clone()),
                &mut child_visible,
                child_class,
            )?;
            if inline {
                self.inline_comprehension(
                    id,
                    child,
                    &mut scopes,
                    &mut child_free,
                    &mut inlined_cells,
                );
                self.table[child].comp_inlined = true;
            }
            new_free.extend(child_free);
        }
        self.splice_inlined_children(id);
        if self.table[id].is_function_like() {
            analyze_cells(&mut scopes, &mut new_free, &inlined_cells);
        } else if is_class {
            let block = &mut self.table[id];
            block.needs_class_closure |= new_free.remove(&known::DUNDER_CLASS);
            block.needs_classdict |= new_free.remove(&known::DUNDER_CLASSDICT);
            block.has_conditional_annotations |=
                new_free.remove(&known::DUNDER_CONDITIONAL_ANNOTATIONS);
        }
        self.update_symbols(id, &scopes, bound.as_deref(), &new_free, &inlined_cells);
        free.extend(new_free);
        Ok(free)
    }

    /// `analyze_name`
    #[expect(clippy::too_many_arguments)]
    fn name(
        &self,
        id: BlockId,
        name: NameId,
        flags: u16,
        mut bound: Option<&mut NameSet>,
        local: &mut NameSet,
        free: &mut NameSet,
        visible: &mut Visible,
        class_entry: Option<BlockId>,
    ) -> Result<Scope> {
        let text = || self.names.get(name);
        if flags & def::GLOBAL != 0 {
            if flags & def::NONLOCAL != 0 {
                let message = format!("name '{}' is nonlocal and global", text());
                return Err(self.at_directive(id, name, message));
            }
            visible.global.insert(name);
            if let Some(bound) = &mut bound {
                bound.remove(&name);
            }
            return Ok(Scope::GlobalExplicit);
        }
        if flags & def::NONLOCAL != 0 {
            let message = match &bound {
                None => "nonlocal declaration not allowed at module level".to_string(),
                Some(bound) if !bound.contains(&name) => {
                    format!("no binding for nonlocal '{}' found", text())
                }
                Some(_) if visible.type_params.contains(&name) => format!(
                    "nonlocal binding not allowed for type parameter '{}'",
                    text()
                ),
                Some(_) => {
                    free.insert(name);
                    return Ok(Scope::Free);
                }
            };
            return Err(self.at_directive(id, name, message));
        }
        if flags & def::BOUND != 0 {
            local.insert(name);
            visible.global.remove(&name);
            if flags & def::TYPE_PARAM != 0 {
                visible.type_params.insert(name);
            } else {
                visible.type_params.remove(&name);
            }
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
        if bound.is_some_and(|bound| bound.contains(&name)) {
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
        scopes: &mut Scopes,
        comp_free: &mut NameSet,
        inlined_cells: &mut NameSet,
    ) {
        let is_class = self.table[id].kind == BlockType::Class;
        let mut remove_dunder_class = false;
        for index in 0..self.table[comp].symbols.len() {
            let (name, symbol) = self.table[comp].symbols.at(index);
            if symbol.has(def::PARAM) {
                continue;
            }
            let mut scope = symbol.scope;
            if scope == Scope::Cell || symbol.has(def::COMP_CELL) {
                inlined_cells.insert(name);
            }
            if scope == Scope::Free && is_class && name == known::DUNDER_CLASS {
                scope = Scope::GlobalImplicit;
                comp_free.remove(&name);
                remove_dunder_class = true;
            }
            match self.table[id].symbols.get(name) {
                None => {
                    let flags = symbol.flags;
                    self.table[id].symbols.set(
                        name,
                        Symbol {
                            flags,
                            scope: Scope::Unknown,
                        },
                    );
                    scopes.set(name, scope);
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
        if remove_dunder_class {
            self.table[comp].symbols.remove(known::DUNDER_CLASS);
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

    /// `update_symbols`
    fn update_symbols(
        &mut self,
        id: BlockId,
        scopes: &Scopes,
        bound: Option<&NameSet>,
        free: &NameSet,
        inlined_cells: &NameSet,
    ) {
        let block = &mut self.table[id];
        let class_flag = block.kind == BlockType::Class || block.can_see_class_scope;
        for index in 0..block.symbols.len() {
            let (name, mut symbol) = block.symbols.at(index);
            if inlined_cells.contains(&name) {
                symbol.flags |= def::COMP_CELL;
            }
            symbol.scope = scopes.scope.get(&name).copied().unwrap_or_default();
            block.symbols.set(name, symbol);
        }
        let mut free: Vec<NameId> = free.iter().copied().collect();
        free.sort_unstable();
        for name in free {
            if let Some(mut symbol) = block.symbols.get(name) {
                // A method's free variable that the class or a scope seeing it also binds.
                if class_flag {
                    symbol.flags |= def::FREE_CLASS;
                    block.symbols.set(name, symbol);
                }
            } else if bound.is_none_or(|bound| bound.contains(&name)) {
                block.symbols.set(
                    name,
                    Symbol {
                        flags: 0,
                        scope: Scope::Free,
                    },
                );
            }
        }
    }
}

/// A local that a child finds free becomes a cell (`analyze_cells`).
fn analyze_cells(scopes: &mut Scopes, free: &mut NameSet, inlined_cells: &NameSet) {
    for name in &scopes.order {
        let Some(scope) = scopes.scope.get_mut(name) else {
            continue;
        };
        if *scope == Scope::Local && (free.contains(name) || inlined_cells.contains(name)) {
            *scope = Scope::Cell;
            free.remove(name);
        }
    }
}
