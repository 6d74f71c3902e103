//! Identifiers as small numbers, and the name mangling of classes.

use crate::bytecode::spec::Wtf8;
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct NameId(u32);

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
        let id = NameId(self.names.len() as u32);
        let name: Rc<str> = name.into();
        self.names.push(name.clone());
        self.ids.insert(name, id);
        id
    }
    pub(super) fn get(&self, id: NameId) -> &str {
        &self.names[id.0 as usize]
    }
    pub(super) fn wtf8(&self, id: NameId) -> Wtf8 {
        Wtf8::from(self.get(id))
    }
    /// `__name` in a class body becomes `_Class__name` (`_Py_Mangle`).
    pub(super) fn mangle(&mut self, private: Option<NameId>, name: NameId) -> NameId {
        let Some(private) = private else { return name };
        let ident = self.get(name);
        if !ident.starts_with("__") || ident.ends_with("__") || ident.contains('.') {
            return name;
        }
        let class = self.get(private).trim_start_matches('_');
        if class.is_empty() {
            return name;
        }
        let mangled = format!("_{class}{ident}");
        self.intern(&mangled)
    }
}

/// Names in order of first use, each with its index (`u_names` and its kin).
#[derive(Default, Clone)]
pub(super) struct NameDict {
    names: Vec<NameId>,
    index: FxHashMap<NameId, u32>,
}

impl NameDict {
    pub(super) fn add(&mut self, name: NameId) -> i32 {
        let next = self.names.len() as u32;
        let index = *self.index.entry(name).or_insert(next);
        if index == next {
            self.names.push(name);
        }
        index as i32
    }
    pub(super) fn get(&self, name: NameId) -> Option<i32> {
        self.index.get(&name).map(|&i| i as i32)
    }
    pub(super) fn first(&self) -> Option<NameId> {
        self.names.first().copied()
    }
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }
    pub(super) fn to_wtf8(&self, interner: &Interner) -> Vec<Wtf8> {
        self.names.iter().map(|&n| interner.wtf8(n)).collect()
    }
}
