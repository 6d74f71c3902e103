//! The definition macros: `instruction!`, `family!`, `pseudo!`, `hot!`, `outlined!`.

use super::diag::Pos;
use super::parse::{FamilyDef, InstructionDef, Part, PseudoDef, Reader, attribute};
use super::rules::Rule;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;

pub(super) fn list(reader: &mut Reader, item: &syn::ItemMacro) {
    let word = item
        .mac
        .path
        .get_ident()
        .map(ToString::to_string)
        .unwrap_or_default();
    let mut opcode = None;
    for attr in &item.attrs {
        match (attribute(attr).as_str(), word.as_str()) {
            ("doc", _) => {}
            ("opcode", "instruction") => opcode = reader.number(attr),
            (name, _) => {
                let message = format!("attribute `{name}` means nothing on `{word}!`");
                reader.reject(attr.span(), Rule::ListAttribute, message);
            }
        }
    }
    let tokens = item.mac.tokens.clone();
    let read = match word.as_str() {
        "instruction" => instruction
            .parse2(tokens)
            .map(|it| reader.instruction(opcode, it)),
        "family" => family.parse2(tokens).map(|it| reader.family(it)),
        "pseudo" => pseudo.parse2(tokens).map(|it| reader.pseudo(it)),
        "hot" => names.parse2(tokens).map(|it| {
            let hot = reader.positions(it);
            reader.defs.hot.extend(hot);
        }),
        "outlined" => names.parse2(tokens).map(|it| {
            let outlined = reader.positions(it);
            reader.defs.outlined.extend(outlined);
        }),
        _ => {
            let message = format!("unknown definition macro `{word}!`");
            return reader.reject(item.mac.span(), Rule::DefinitionUnknown, message);
        }
    };
    if let Err(e) = read {
        reader.reject(
            e.span(),
            Rule::DefinitionSyntax,
            format!("in `{word}!`: {e}"),
        );
    }
}

enum RawPart {
    Op(syn::Ident),
    Skip(syn::Ident, syn::LitInt),
}

/// `NAME = part + unused/2 + part`.
fn instruction(s: ParseStream<'_>) -> syn::Result<(syn::Ident, Vec<RawPart>)> {
    let ident: syn::Ident = s.parse()?;
    s.parse::<syn::Token![=]>()?;
    let mut parts = vec![];
    loop {
        let part: syn::Ident = s.parse()?;
        if s.peek(syn::Token![/]) {
            s.parse::<syn::Token![/]>()?;
            parts.push(RawPart::Skip(part, s.parse()?));
        } else {
            parts.push(RawPart::Op(part));
        }
        if s.is_empty() {
            return Ok((ident, parts));
        }
        s.parse::<syn::Token![+]>()?;
    }
}

/// `HEAD / size = FORM, FORM`.
fn family(s: ParseStream<'_>) -> syn::Result<(syn::Ident, usize, Vec<syn::Ident>)> {
    let ident: syn::Ident = s.parse()?;
    s.parse::<syn::Token![/]>()?;
    let size: syn::LitInt = s.parse()?;
    s.parse::<syn::Token![=]>()?;
    Ok((ident, size.base10_parse()?, names(s)?))
}

fn names(s: ParseStream<'_>) -> syn::Result<Vec<syn::Ident>> {
    type Names = syn::punctuated::Punctuated<syn::Ident, syn::Token![,]>;
    Ok(Names::parse_terminated(s)?.into_iter().collect())
}

type RawPseudo = (syn::Ident, syn::LitStr, Vec<syn::Ident>, Vec<syn::Ident>);

/// `NAME("effect", flag, flag) = TARGET, TARGET`.
fn pseudo(s: ParseStream<'_>) -> syn::Result<RawPseudo> {
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
    Ok((ident, text, flags, names(s)?))
}

impl Reader {
    fn positions(&self, idents: Vec<syn::Ident>) -> Vec<(String, Pos)> {
        idents
            .iter()
            .map(|i| (i.to_string(), self.pos(i.span())))
            .collect()
    }

    fn not_empty(&mut self, ident: &syn::Ident, empty: bool, what: &str) {
        if empty {
            let message = format!("`{ident}` needs {what}");
            self.reject(ident.span(), Rule::DefinitionEmpty, message);
        }
    }

    fn instruction(&mut self, opcode: Option<u16>, (ident, raw): (syn::Ident, Vec<RawPart>)) {
        self.named(&ident.to_string(), "instruction", ident.span());
        let no_op = !raw.iter().any(|part| matches!(part, RawPart::Op(_)));
        self.not_empty(&ident, no_op, "a micro-op");
        let parts = raw
            .iter()
            .map(|part| match part {
                RawPart::Op(op) => Part::Op(op.to_string(), self.pos(op.span())),
                RawPart::Skip(name, size) => self.skip(name, size),
            })
            .collect();
        self.defs.instructions.push(InstructionDef {
            name: ident.to_string(),
            parts,
            opcode,
            pos: self.pos(ident.span()),
        });
    }

    fn family(&mut self, (ident, size, members): (syn::Ident, usize, Vec<syn::Ident>)) {
        self.not_empty(&ident, members.is_empty(), "a form");
        let members = self.positions(members);
        self.defs.families.push(FamilyDef {
            name: ident.to_string(),
            size,
            members,
            pos: self.pos(ident.span()),
        });
    }

    fn pseudo(&mut self, (ident, text, flags, targets): RawPseudo) {
        self.named(&ident.to_string(), "pseudo", ident.span());
        self.not_empty(&ident, targets.is_empty(), "a target");
        let effect = self.effect_of(&text);
        if let Some(cache) = effect.caches.first() {
            let message = format!("pseudo-instruction `{ident}` cannot have a cache");
            let diag = super::diag::Diag::new(&cache.pos, Rule::PseudoCache, message);
            self.diags.push(diag);
        }
        let flags = flags.iter().filter_map(|i| self.flag(i)).collect();
        let targets = self.positions(targets);
        self.defs.pseudos.push(PseudoDef {
            name: ident.to_string(),
            effect,
            targets,
            flags,
            pos: self.pos(ident.span()),
        });
    }
}
