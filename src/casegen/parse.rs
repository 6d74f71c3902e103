//! Definition files to plain data: CPython's `inst`, `op`, `cold`, `label` as functions; `lists` reads the rest.

use super::diag::{Diag, Pos, settle};
use super::effect::{Effect, UNUSED, is_name};
use super::lists;
use super::rules::Rule;
use syn::spanned::Spanned;

/// One file of definitions.
pub struct Source {
    pub path: String,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A micro-op, part of instructions.
    Op,
    /// A micro-op that is an instruction by itself.
    Inst,
    /// The rest of an op, out of line: reached by `cold_if!` only.
    Cold,
    /// A piece of control flow that is no instruction (`label` in bytecodes.c).
    Label,
}

impl Kind {
    fn attribute(self) -> &'static str {
        match self {
            Kind::Op => "op",
            Kind::Inst => "inst",
            Kind::Cold => "cold",
            Kind::Label => "label",
        }
    }
}

#[derive(Clone, Debug)]
pub struct OpDef {
    pub name: String,
    pub kind: Kind,
    pub effect: Effect,
    pub body: syn::Block,
    pub specializing: bool,
    pub pure: bool,
    /// A second tier has an op of its own for each oparg below this.
    pub replicate: Option<u8>,
    /// A number that the numbering rule must respect (RESUME, CACHE, ...).
    pub opcode: Option<u16>,
    pub flags: Vec<String>,
    pub pos: Pos,
}

#[derive(Clone, Debug)]
pub enum Part {
    Op(String, Pos),
    /// `name/n` between ops: cache units that the instruction does not read.
    Skip(String, usize),
}

#[derive(Clone, Debug)]
pub struct InstructionDef {
    pub name: String,
    pub parts: Vec<Part>,
    pub opcode: Option<u16>,
    pub pos: Pos,
}

#[derive(Clone, Debug)]
pub struct FamilyDef {
    pub name: String,
    /// Cache units of every member.
    pub size: usize,
    pub members: Vec<(String, Pos)>,
    pub pos: Pos,
}

#[derive(Clone, Debug)]
pub struct PseudoDef {
    pub name: String,
    pub effect: Effect,
    pub targets: Vec<(String, Pos)>,
    pub flags: Vec<String>,
    pub pos: Pos,
}

#[derive(Default, Debug)]
pub struct Definitions {
    pub ops: Vec<OpDef>,
    pub instructions: Vec<InstructionDef>,
    pub families: Vec<FamilyDef>,
    pub pseudos: Vec<PseudoDef>,
    /// Opcodes that replicate dispatch, hottest first.
    pub hot: Vec<(String, Pos)>,
    /// Opcodes that the loops call functions for.
    pub outlined: Vec<(String, Pos)>,
}

/// Reads every item of every file; an item that breaks a rule is left out.
pub fn parse(sources: &[Source]) -> std::result::Result<Definitions, Vec<Diag>> {
    let mut reader = Reader::default();
    for source in sources {
        reader.path.clone_from(&source.path);
        match syn::parse_file(&source.text) {
            Ok(file) => file.items.into_iter().for_each(|item| reader.item(item)),
            Err(e) => reader.reject(e.span(), Rule::RustSyntax, format!("not Rust: {e}")),
        }
    }
    settle(reader.defs, reader.diags)
}

/// The names that Rust code beside the generated items uses in the same places.
const TAKEN: [&str; 5] = [
    "TABLE",
    "HAVE_ARGUMENT",
    "MIN_PSEUDO",
    "CACHE_FORMATS",
    "HOT",
];

/// Reads items, noting what is wrong with them.
#[derive(Default)]
pub(super) struct Reader {
    pub path: String,
    pub defs: Definitions,
    pub diags: Vec<Diag>,
}

impl Reader {
    pub fn pos(&self, span: proc_macro2::Span) -> Pos {
        Pos::new(&self.path, span)
    }
    pub fn reject(&mut self, span: proc_macro2::Span, rule: Rule, message: impl Into<String>) {
        let pos = self.pos(span);
        self.diags.push(Diag::new(&pos, rule, message));
    }

    fn item(&mut self, item: syn::Item) {
        match item {
            syn::Item::Fn(item) => {
                if let Some(op) = self.op(item) {
                    self.defs.ops.push(op);
                }
            }
            syn::Item::Macro(item) => lists::list(self, &item),
            other => {
                let message = "only `fn` items and definition macros may stand here";
                self.reject(other.span(), Rule::ItemKind, message);
            }
        }
    }

    fn op(&mut self, item: syn::ItemFn) -> Option<OpDef> {
        let span = item.sig.ident.span();
        let mut def = OpDef {
            name: item.sig.ident.to_string(),
            kind: Kind::Op,
            effect: Effect::default(),
            body: *item.block,
            specializing: false,
            pure: false,
            replicate: None,
            opcode: None,
            flags: vec![],
            pos: self.pos(span),
        };
        let mut kinds = vec![];
        self.once(&item.attrs);
        for attr in &item.attrs {
            match attribute(attr).as_str() {
                "doc" => {}
                "op" => kinds.push((Kind::Op, self.effect(attr))),
                "inst" => kinds.push((Kind::Inst, self.effect(attr))),
                "cold" => kinds.push((Kind::Cold, self.effect(attr))),
                "label" => kinds.push((Kind::Label, self.bare(attr).then(Effect::default))),
                "specializing" => def.specializing = self.bare(attr),
                "pure" => def.pure = self.bare(attr),
                "replicate" => def.replicate = self.number(attr),
                "opcode" => def.opcode = self.number(attr),
                "flags" => def.flags = self.flags(attr),
                word => {
                    let message = format!("unknown attribute `{word}` on `{}`", def.name);
                    self.reject(attr.span(), Rule::AttributeUnknown, message);
                }
            }
        }
        let plain = matches!(item.vis, syn::Visibility::Inherited)
            && item.sig.inputs.is_empty()
            && matches!(item.sig.output, syn::ReturnType::Default)
            && item.sig.generics.params.is_empty()
            && item.sig.generics.where_clause.is_none()
            && quote::ToTokens::to_token_stream(&item.sig)
                .into_iter()
                .next()
                .is_some_and(|token| token.to_string() == "fn");
        if !plain {
            let message = format!("`{}` must be a plain `fn {0}()`", def.name);
            self.reject(span, Rule::FnSignature, message);
        }
        let [(kind, effect)] = <[_; 1]>::try_from(kinds)
            .map_err(|_| {
                let message = format!(
                    "`{}` needs one of #[op], #[inst], #[cold], #[label]",
                    def.name
                );
                self.reject(span, Rule::OpKind, message);
            })
            .ok()?;
        (def.kind, def.effect) = (kind, effect?);
        self.placed(&def, &item.attrs);
        self.named(&def.name, kind.attribute(), span);
        Some(def)
    }

    /// An attribute other than documentation stands once.
    fn once(&mut self, attrs: &[syn::Attribute]) {
        for (i, attr) in attrs.iter().enumerate() {
            let word = attribute(attr);
            if word != "doc" && attrs[..i].iter().any(|other| attribute(other) == word) {
                let message = format!("attribute `{word}` stands twice");
                self.reject(attr.span(), Rule::AttributeTwice, message);
            }
        }
    }

    fn placed(&mut self, def: &OpDef, attrs: &[syn::Attribute]) {
        for attr in attrs {
            let word = attribute(attr);
            let allowed: &[Kind] = match word.as_str() {
                "opcode" => &[Kind::Inst],
                "specializing" | "pure" | "replicate" | "flags" => &[Kind::Op, Kind::Inst],
                _ => continue,
            };
            if !allowed.contains(&def.kind) {
                let kind = def.kind.attribute();
                let message = format!(
                    "attribute `{word}` means nothing on #[{kind}] `{}`",
                    def.name
                );
                self.reject(attr.span(), Rule::AttributePlace, message);
            }
        }
    }

    /// Names tell kinds apart, and keep out of each other's way in generated code.
    pub fn named(&mut self, name: &str, kind: &str, span: proc_macro2::Span) {
        let upper = |text: &str| {
            text.starts_with(|c: char| c.is_ascii_uppercase())
                && text
                    .chars()
                    .all(|c| matches!(c, 'A'..='Z' | '0'..='9' | '_'))
        };
        let (good, want) = match kind {
            "op" | "cold" => (name.strip_prefix('_').is_some_and(upper), "_UPPER_CASE"),
            "label" => (
                is_name(name)
                    && name
                        .chars()
                        .all(|c| matches!(c, 'a'..='z' | '0'..='9' | '_')),
                "lower_case",
            ),
            _ => (upper(name) && !TAKEN.contains(&name), "UPPER_CASE"),
        };
        if !good {
            let message = format!("`{name}` cannot name {kind}: such names are {want}");
            self.reject(span, Rule::ItemName, message);
        }
    }

    fn malformed(&mut self, span: proc_macro2::Span, want: &str) {
        let message = format!("expected {want}");
        self.reject(span, Rule::AttributeValue, message);
    }

    fn effect(&mut self, attr: &syn::Attribute) -> Option<Effect> {
        match attr.parse_args::<syn::LitStr>() {
            Ok(text) => Some(self.effect_of(&text)),
            Err(e) => {
                self.malformed(e.span(), "a stack effect in quotes");
                None
            }
        }
    }

    /// The effect begins one column after the opening quote.
    pub fn effect_of(&mut self, text: &syn::LitStr) -> Effect {
        let pos = self.pos(text.span()).shifted(1);
        Effect::parse(&text.value(), &pos, &mut self.diags)
    }

    fn bare(&mut self, attr: &syn::Attribute) -> bool {
        if let Err(e) = attr.meta.require_path_only() {
            self.malformed(e.span(), "no argument");
        }
        true
    }

    pub fn number<T: std::str::FromStr>(&mut self, attr: &syn::Attribute) -> Option<T>
    where
        T::Err: std::fmt::Display,
    {
        let parsed = attr
            .parse_args::<syn::LitInt>()
            .and_then(|n| n.base10_parse());
        if let Err(e) = &parsed {
            self.malformed(e.span(), "one number");
        }
        parsed.ok()
    }

    fn flags(&mut self, attr: &syn::Attribute) -> Vec<String> {
        let parse = syn::punctuated::Punctuated::<syn::Ident, syn::Token![,]>::parse_terminated;
        match attr.parse_args_with(parse) {
            Ok(list) => list.iter().filter_map(|ident| self.flag(ident)).collect(),
            Err(e) => {
                self.malformed(e.span(), "a list of flags");
                vec![]
            }
        }
    }

    pub fn flag(&mut self, ident: &syn::Ident) -> Option<String> {
        let name = ident.to_string();
        if FLAGS.contains(&name.as_str()) {
            return Some(name);
        }
        let message = format!("unknown flag `{name}`; there are {}", FLAGS.join(", "));
        self.reject(ident.span(), Rule::FlagUnknown, message);
        None
    }

    /// Cache units between ops.
    pub fn skip(&mut self, name: &syn::Ident, size: &syn::LitInt) -> Part {
        let pos = self.pos(name.span());
        let text = name.to_string();
        let units = super::effect::cache_units(&text, size.base10_digits(), &pos, &mut self.diags);
        debug_assert!(text == UNUSED || units <= 4);
        Part::Skip(text, units)
    }
}

/// What the metadata says of an instruction and no body tells.
const FLAGS: [&str; 6] = ["arg", "jump", "const_", "local", "name", "free"];

pub(super) fn attribute(attr: &syn::Attribute) -> String {
    attr.path()
        .get_ident()
        .map(ToString::to_string)
        .unwrap_or_default()
}
