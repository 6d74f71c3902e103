//! Definition files to plain data: CPython's `inst`, `op`, `macro`, `family`, `pseudo`, `label` as Rust items.

use super::diag::{Diag, Pos, Result};
use super::effect::Effect;
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

#[derive(Clone, Debug)]
pub struct OpDef {
    pub name: String,
    pub kind: Kind,
    pub effect: Effect,
    pub body: syn::Block,
    pub specializing: bool,
    pub pure: bool,
    pub replicate: Option<u32>,
    /// A number that the numbering rule must respect (RESUME, CACHE, ...).
    pub opcode: Option<u16>,
    pub flags: Vec<String>,
    pub pos: Pos,
}

#[derive(Clone, Debug)]
pub enum Part {
    Op(String, Pos),
    /// `unused/n` between ops: cache units that this instruction does not read.
    Skip(usize),
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
}

const SYNTAX: &str = "definition-syntax";

/// Reads every file; the first broken rule of each file is reported.
pub fn parse(sources: &[Source]) -> std::result::Result<Definitions, Vec<Diag>> {
    let mut defs = Definitions::default();
    let mut diags = vec![];
    for source in sources {
        if let Err(diag) = parse_file(source, &mut defs) {
            diags.push(diag);
        }
    }
    if diags.is_empty() {
        Ok(defs)
    } else {
        Err(diags)
    }
}

fn parse_file(source: &Source, defs: &mut Definitions) -> Result<()> {
    let path = source.path.as_str();
    let file = syn::parse_file(&source.text).map_err(|e| {
        Diag::new(
            &Pos::new(path, e.span()),
            SYNTAX,
            format!("not a Rust item: {e}"),
        )
    })?;
    for item in file.items {
        match item {
            syn::Item::Fn(item) => defs.ops.push(op(path, item)?),
            syn::Item::Macro(item) => list(path, &item, defs)?,
            other => {
                let pos = Pos::new(path, other.span());
                return Err(Diag::new(
                    &pos,
                    SYNTAX,
                    "only `fn` items and definition macros may stand here",
                ));
            }
        }
    }
    Ok(())
}

fn op(path: &str, item: syn::ItemFn) -> Result<OpDef> {
    let pos = Pos::new(path, item.sig.ident.span());
    let name = item.sig.ident.to_string();
    let mut def = OpDef {
        name,
        kind: Kind::Op,
        effect: Effect::default(),
        body: *item.block,
        specializing: false,
        pure: false,
        replicate: None,
        opcode: None,
        flags: vec![],
        pos: pos.clone(),
    };
    let mut kind = None;
    for attr in &item.attrs {
        let at = Pos::new(path, attr.span());
        let word = attr
            .path()
            .get_ident()
            .map(ToString::to_string)
            .unwrap_or_default();
        match word.as_str() {
            "doc" => {}
            "op" => (kind, def.effect) = (Some(Kind::Op), effect(path, attr)?),
            "inst" => (kind, def.effect) = (Some(Kind::Inst), effect(path, attr)?),
            "cold" => (kind, def.effect) = (Some(Kind::Cold), effect(path, attr)?),
            "label" => kind = Some(Kind::Label),
            "specializing" => def.specializing = true,
            "pure" => def.pure = true,
            "replicate" => def.replicate = Some(number(path, attr)?),
            "opcode" => def.opcode = Some(number(path, attr)?),
            "flags" => def.flags = flags(path, attr)?,
            _ => {
                return Err(Diag::new(
                    &at,
                    SYNTAX,
                    format!("unknown attribute `{word}` on `{}`", def.name),
                ));
            }
        }
    }
    def.kind = kind.ok_or_else(|| {
        Diag::new(
            &pos,
            SYNTAX,
            format!("`{}` needs #[op], #[inst], #[cold] or #[label]", def.name),
        )
    })?;
    if !item.sig.inputs.is_empty() || !matches!(item.sig.output, syn::ReturnType::Default) {
        return Err(Diag::new(
            &pos,
            SYNTAX,
            format!(
                "`{}` takes its operands from its stack effect only",
                def.name
            ),
        ));
    }
    Ok(def)
}

fn effect(path: &str, attr: &syn::Attribute) -> Result<Effect> {
    let text: syn::LitStr = attr.parse_args().map_err(|e| {
        Diag::new(
            &Pos::new(path, e.span()),
            SYNTAX,
            "a stack effect is one string literal",
        )
    })?;
    // The effect begins one column after the opening quote.
    Effect::parse(&text.value(), &Pos::new(path, text.span()).shifted(1))
}

fn number<T: std::str::FromStr>(path: &str, attr: &syn::Attribute) -> Result<T>
where
    T::Err: std::fmt::Display,
{
    attr.parse_args::<syn::LitInt>()
        .and_then(|n| n.base10_parse())
        .map_err(|e| Diag::new(&Pos::new(path, e.span()), SYNTAX, "expected one number"))
}

const FLAGS: [&str; 6] = ["arg", "jump", "const_", "local", "name", "free"];

fn flags(path: &str, attr: &syn::Attribute) -> Result<Vec<String>> {
    let list = attr
        .parse_args_with(
            syn::punctuated::Punctuated::<syn::Ident, syn::Token![,]>::parse_terminated,
        )
        .map_err(|e| {
            Diag::new(
                &Pos::new(path, e.span()),
                SYNTAX,
                "expected a list of flags",
            )
        })?;
    list.iter().map(|ident| flag(path, ident)).collect()
}

fn flag(path: &str, ident: &syn::Ident) -> Result<String> {
    let name = ident.to_string();
    if FLAGS.contains(&name.as_str()) {
        return Ok(name);
    }
    let message = format!("unknown flag `{name}`; there are {}", FLAGS.join(", "));
    Err(Diag::new(&Pos::new(path, ident.span()), SYNTAX, message))
}

fn list(path: &str, item: &syn::ItemMacro, defs: &mut Definitions) -> Result<()> {
    let word = item
        .mac
        .path
        .get_ident()
        .map(ToString::to_string)
        .unwrap_or_default();
    let fail = |e: syn::Error| {
        Diag::new(
            &Pos::new(path, e.span()),
            SYNTAX,
            format!("in `{word}!`: {e}"),
        )
    };
    let opcode = match item.attrs.iter().find(|a| a.path().is_ident("opcode")) {
        Some(attr) => Some(number(path, attr)?),
        None => None,
    };
    let body = |parser: &dyn Fn(syn::parse::ParseStream<'_>) -> syn::Result<()>| {
        syn::parse::Parser::parse2(
            |s: syn::parse::ParseStream<'_>| parser(s),
            item.mac.tokens.clone(),
        )
        .map_err(fail)
    };
    let slot = std::cell::RefCell::new(defs);
    match word.as_str() {
        "instruction" => body(&|s| {
            slot.borrow_mut()
                .instructions
                .push(instruction(path, opcode, s)?);
            Ok(())
        }),
        "family" => body(&|s| {
            slot.borrow_mut().families.push(family(path, s)?);
            Ok(())
        }),
        "hot" => body(&|s| {
            slot.borrow_mut().hot.extend(names(path, s)?);
            Ok(())
        }),
        "pseudo" => {
            let parsed = std::cell::RefCell::new(None);
            body(&|s| {
                *parsed.borrow_mut() = Some(pseudo_tokens(path, s)?);
                Ok(())
            })?;
            let (ident, text, flag_idents, targets) = parsed.into_inner().expect("parsed");
            slot.borrow_mut().pseudos.push(PseudoDef {
                name: ident.to_string(),
                effect: Effect::parse(&text.value(), &Pos::new(path, text.span()).shifted(1))?,
                flags: flag_idents
                    .iter()
                    .map(|i| flag(path, i))
                    .collect::<Result<_>>()?,
                targets,
                pos: Pos::new(path, ident.span()),
            });
            Ok(())
        }
        _ => {
            let pos = Pos::new(path, item.mac.span());
            Err(Diag::new(
                &pos,
                SYNTAX,
                format!("unknown definition macro `{word}!`"),
            ))
        }
    }
}

/// `NAME = part + unused/2 + part`.
fn instruction(
    path: &str,
    opcode: Option<u16>,
    s: syn::parse::ParseStream<'_>,
) -> syn::Result<InstructionDef> {
    let ident: syn::Ident = s.parse()?;
    s.parse::<syn::Token![=]>()?;
    let mut parts = vec![];
    loop {
        let part: syn::Ident = s.parse()?;
        if s.peek(syn::Token![/]) {
            s.parse::<syn::Token![/]>()?;
            let size: syn::LitInt = s.parse()?;
            if part != "unused" {
                return Err(syn::Error::new(
                    part.span(),
                    "only `unused/n` may stand between ops",
                ));
            }
            parts.push(Part::Skip(size.base10_parse()?));
        } else {
            parts.push(Part::Op(part.to_string(), Pos::new(path, part.span())));
        }
        if s.is_empty() {
            break;
        }
        s.parse::<syn::Token![+]>()?;
    }
    Ok(InstructionDef {
        name: ident.to_string(),
        parts,
        opcode,
        pos: Pos::new(path, ident.span()),
    })
}

/// `HEAD / size = MEMBER, MEMBER`.
fn family(path: &str, s: syn::parse::ParseStream<'_>) -> syn::Result<FamilyDef> {
    let ident: syn::Ident = s.parse()?;
    s.parse::<syn::Token![/]>()?;
    let size: syn::LitInt = s.parse()?;
    s.parse::<syn::Token![=]>()?;
    let members = names(path, s)?;
    Ok(FamilyDef {
        name: ident.to_string(),
        size: size.base10_parse()?,
        members,
        pos: Pos::new(path, ident.span()),
    })
}

fn names(path: &str, s: syn::parse::ParseStream<'_>) -> syn::Result<Vec<(String, Pos)>> {
    let list = syn::punctuated::Punctuated::<syn::Ident, syn::Token![,]>::parse_terminated(s)?;
    Ok(list
        .iter()
        .map(|i| (i.to_string(), Pos::new(path, i.span())))
        .collect())
}

type PseudoTokens = (syn::Ident, syn::LitStr, Vec<syn::Ident>, Vec<(String, Pos)>);

/// `NAME("effect", flag, flag) = TARGET, TARGET`.
fn pseudo_tokens(path: &str, s: syn::parse::ParseStream<'_>) -> syn::Result<PseudoTokens> {
    let ident: syn::Ident = s.parse()?;
    let inner;
    syn::parenthesized!(inner in s);
    let text: syn::LitStr = inner.parse()?;
    let mut flags = vec![];
    while !inner.is_empty() {
        inner.parse::<syn::Token![,]>()?;
        flags.push(inner.parse()?);
    }
    s.parse::<syn::Token![=]>()?;
    Ok((ident, text, flags, names(path, s)?))
}
