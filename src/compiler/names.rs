//! Identifiers as small numbers, what is known by them, and the name mangling of classes.

use crate::bytecode::spec::Wtf8;
use ruff_python_ast::{ExprName, NodeIndex};
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct NameId(u32);

impl NameId {
    /// Set in the number of a name that classes mangle: two underscores in front, not at the end, no dot.
    const PRIVATE: u32 = 1 << 29;

    /// Names are numbered from 0 in order of first mention.
    pub(super) fn index(self) -> usize {
        (self.0 & !NameId::PRIVATE) as usize
    }
    fn is_private(self) -> bool {
        self.0 & NameId::PRIVATE != 0
    }
}

/// Names the compiler itself speaks of; an interner starts with them, so that their ids are constants.
macro_rules! known_names {
    ($($id:ident = $text:literal,)*) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($id),* }
        pub(super) mod known {
            use super::{Index, NameId};
            $(pub(in crate::compiler) const $id: NameId = NameId(Index::$id as u32);)*
        }
        const KNOWN: &[&str] = &[$($text),*];
    };
}

known_names! {
    TOP = "top",
    LAMBDA = "lambda",
    GENEXPR = "genexpr",
    LISTCOMP = "listcomp",
    SETCOMP = "setcomp",
    DICTCOMP = "dictcomp",
    ANON_MODULE = "<module>",
    ANON_LAMBDA = "<lambda>",
    ANON_GENEXPR = "<genexpr>",
    ANON_LISTCOMP = "<listcomp>",
    ANON_SETCOMP = "<setcomp>",
    ANON_DICTCOMP = "<dictcomp>",
    EMPTY = "",
    DOT_0 = ".0",
    DOT_FORMAT = ".format",
    FORMAT = "format",
    DOT_DEFAULTS = ".defaults",
    DOT_KWDEFAULTS = ".kwdefaults",
    DOT_TYPE_PARAMS = ".type_params",
    DOT_GENERIC_BASE = ".generic_base",
    RETURN = "return",
    SUPER = "super",
    JOIN = "join",
    DUNDER_ANNOTATE = "__annotate__",
    DUNDER_ANNOTATE_FUNC = "__annotate_func__",
    DUNDER_ANNOTATIONS = "__annotations__",
    DUNDER_CLASS = "__class__",
    DUNDER_CLASSCELL = "__classcell__",
    DUNDER_CLASSDICT = "__classdict__",
    DUNDER_CLASSDICTCELL = "__classdictcell__",
    DUNDER_CONDITIONAL_ANNOTATIONS = "__conditional_annotations__",
    DUNDER_DEBUG = "__debug__",
    DUNDER_DOC = "__doc__",
    DUNDER_FIRSTLINENO = "__firstlineno__",
    DUNDER_MODULE = "__module__",
    DUNDER_NAME = "__name__",
    DUNDER_QUALNAME = "__qualname__",
    DUNDER_STATIC_ATTRIBUTES = "__static_attributes__",
    DUNDER_TYPE_PARAMS = "__type_params__",
}

pub(super) struct Interner {
    ids: FxHashMap<Rc<str>, NameId>,
    names: Vec<Rc<str>>,
}

impl Default for Interner {
    fn default() -> Interner {
        let mut interner = Interner {
            ids: FxHashMap::default(),
            names: Vec::new(),
        };
        for name in KNOWN {
            interner.intern(name);
        }
        interner
    }
}

impl Interner {
    pub(super) fn intern(&mut self, name: &str) -> NameId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let mut id = NameId(self.names.len() as u32);
        if name.starts_with("__") && !name.ends_with("__") && !name.contains('.') {
            id.0 |= NameId::PRIVATE;
        }
        let name: Rc<str> = name.into();
        self.names.push(name.clone());
        self.ids.insert(name, id);
        id
    }
    /// The name of a node, which keeps its number from the first time.
    pub(super) fn of(&mut self, node: &ExprName) -> NameId {
        match node.node_index.load().as_u32() {
            Some(id) => NameId(id),
            None => {
                let id = self.intern(&node.id);
                node.node_index.set(NodeIndex::from(id.0));
                id
            }
        }
    }
    pub(super) fn get(&self, id: NameId) -> &str {
        &self.names[id.index()]
    }
    pub(super) fn wtf8(&self, id: NameId) -> Wtf8 {
        Wtf8(Rc::from(self.names[id.index()].clone()))
    }
    /// How many names there are.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }
    /// `__name` in a class body becomes `_Class__name` (`_Py_Mangle`).
    pub(super) fn mangle(&mut self, private: Option<NameId>, name: NameId) -> NameId {
        match private {
            Some(class) if name.is_private() => self.mangle_private(class, name),
            _ => name,
        }
    }
    #[cold]
    fn mangle_private(&mut self, class: NameId, name: NameId) -> NameId {
        let class = self.get(class).trim_start_matches('_');
        if class.is_empty() {
            return name;
        }
        let mangled = format!("_{class}{}", self.get(name));
        self.intern(&mangled)
    }
}

/// What belongs to each of some names, in order of insertion. A short map is searched through; a long one also has
/// a table of places, open addressing over at least twice as many slots.
#[derive(Clone, Debug)]
pub(super) struct NameMap<T> {
    entries: Vec<(NameId, T)>,
    table: Vec<u32>,
}

/// Most entries that are searched one by one.
const SHORT: usize = 8;
const FREE_SLOT: u32 = u32::MAX;

impl<T> Default for NameMap<T> {
    fn default() -> NameMap<T> {
        NameMap {
            entries: Vec::new(),
            table: Vec::new(),
        }
    }
}

impl<T: Copy> NameMap<T> {
    fn find(&self, name: NameId) -> Option<usize> {
        if self.table.is_empty() {
            return self.entries.iter().position(|e| e.0 == name);
        }
        let mut slot = self.first_slot(name);
        loop {
            match self.table[slot] {
                FREE_SLOT => return None,
                place if self.entries[place as usize].0 == name => return Some(place as usize),
                _ => slot = (slot + 1) & (self.table.len() - 1),
            }
        }
    }
    fn first_slot(&self, name: NameId) -> usize {
        const GOLDEN: u32 = 0x9E37_79B9;
        let bits = self.table.len().trailing_zeros();
        (name.0.wrapping_mul(GOLDEN) >> (32 - bits)) as usize
    }
    fn place(&mut self, index: usize) {
        let mut slot = self.first_slot(self.entries[index].0);
        while self.table[slot] != FREE_SLOT {
            slot = (slot + 1) & (self.table.len() - 1);
        }
        self.table[slot] = index as u32;
    }
    fn rebuild(&mut self) {
        self.table.clear();
        if self.entries.len() > SHORT {
            let slots = (self.entries.len() * 4).next_power_of_two();
            self.table.resize(slots, FREE_SLOT);
            (0..self.entries.len()).for_each(|index| self.place(index));
        }
    }
    /// Appends a name that is not there yet.
    pub(super) fn push(&mut self, name: NameId, value: T) {
        self.entries.push((name, value));
        if self.entries.len() * 2 <= self.table.len() {
            self.place(self.entries.len() - 1);
        } else if self.entries.len() > SHORT {
            self.rebuild();
        }
    }
    pub(super) fn get(&self, name: NameId) -> Option<T> {
        self.find(name).map(|i| self.entries[i].1)
    }
    pub(super) fn set(&mut self, name: NameId, value: T) {
        match self.find(name) {
            Some(i) => self.entries[i].1 = value,
            None => self.push(name, value),
        }
    }
    pub(super) fn remove(&mut self, name: NameId) {
        if let Some(i) = self.find(name) {
            self.entries.remove(i);
            self.rebuild();
        }
    }
    pub(super) fn iter(&self) -> impl Iterator<Item = (NameId, T)> + '_ {
        self.entries.iter().copied()
    }
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }
    pub(super) fn at(&self, index: usize) -> (NameId, T) {
        self.entries[index]
    }
    pub(super) fn value_mut(&mut self, index: usize) -> &mut T {
        &mut self.entries[index].1
    }
    /// The values in order, to be changed.
    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = (NameId, &mut T)> + '_ {
        self.entries.iter_mut().map(|(name, value)| (*name, value))
    }
}

/// Names in order of first use, each with its index (`u_names` and its kin).
pub(super) type NameDict = NameMap<()>;

impl NameDict {
    pub(super) fn add(&mut self, name: NameId) -> i32 {
        let index = self.find(name).unwrap_or_else(|| {
            self.push(name, ());
            self.len() - 1
        });
        index as i32
    }
    pub(super) fn index_of(&self, name: NameId) -> Option<i32> {
        self.find(name).map(|i| i as i32)
    }
    pub(super) fn first(&self) -> Option<NameId> {
        self.entries.first().map(|e| e.0)
    }
    pub(super) fn to_wtf8(&self, interner: &Interner) -> Vec<Wtf8> {
        self.iter().map(|(name, ())| interner.wtf8(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_keeps_order_however_long_it_grows() {
        let mut map = NameMap::default();
        for n in 0..1000 {
            map.set(NameId(n * 7), n);
            assert_eq!(map.get(NameId(n * 7)), Some(n));
            assert_eq!(map.get(NameId(n * 7 + 1)), None);
        }
        map.set(NameId(70), 0);
        map.remove(NameId(0));
        assert_eq!((map.len(), map.at(0)), (999, (NameId(7), 1)));
        assert_eq!(
            (map.get(NameId(70)), map.get(NameId(6993))),
            (Some(0), Some(999))
        );
        (2..1000).for_each(|n| map.remove(NameId(n * 7)));
        assert_eq!((map.len(), map.get(NameId(7))), (1, Some(1)));
    }

    #[test]
    fn classes_mangle_private_names() {
        let mut names = Interner::default();
        let class = names.intern("_A");
        let mut mangled = |name: &str| {
            let name = names.intern(name);
            let mangled = names.mangle(Some(class), name);
            names.get(mangled).to_string()
        };
        assert_eq!(mangled("__x"), "_A__x");
        assert_eq!(mangled("__x_"), "_A__x_");
        assert_eq!(mangled("__x__"), "__x__");
        assert_eq!(mangled("_x"), "_x");
        assert_eq!(mangled("__a.b"), "__a.b");
    }
}
