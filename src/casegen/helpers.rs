//! The functions that bodies may call, with what the support files declare of each: a function escapes (may run Python
//! code, or look at the saved registers) unless it is marked `#[cfg_attr(casegen, non_escaping)]`.

use super::diag::{Diag, Pos};
use super::parse::Source;
use super::rules::Rule;
use std::collections::{HashMap, HashSet};

#[derive(Default)]
pub struct Helpers {
    escaping: HashMap<String, bool>,
    /// Functions marked `#[inline(always)]`: a body's call of one is no call in machine code.
    inlined: HashSet<String>,
}

impl Helpers {
    pub fn parse(files: &[Source], diags: &mut Vec<Diag>) -> Helpers {
        let mut helpers = Helpers::default();
        for file in files {
            match syn::parse_file(&file.text) {
                Ok(parsed) => parsed.items.iter().for_each(|item| helpers.item(item)),
                Err(e) => {
                    let pos = Pos::new(&file.path, e.span());
                    diags.push(Diag::new(
                        &pos,
                        Rule::SupportSyntax,
                        format!("not Rust: {e}"),
                    ));
                }
            }
        }
        helpers
    }

    fn item(&mut self, item: &syn::Item) {
        if let syn::Item::Fn(item) = item
            && matches!(item.vis, syn::Visibility::Public(_))
        {
            let marked = item.attrs.iter().any(is_non_escaping);
            self.escaping.insert(item.sig.ident.to_string(), !marked);
            if item.attrs.iter().any(is_inline_always) {
                self.inlined.insert(item.sig.ident.to_string());
            }
        }
    }

    pub fn is_inlined(&self, name: &str) -> bool {
        self.inlined.contains(name)
    }
    pub fn escapes(&self, name: &str) -> Option<bool> {
        self.escaping.get(name).copied()
    }
}

fn is_inline_always(attr: &syn::Attribute) -> bool {
    attr.path().is_ident("inline")
        && attr
            .parse_args::<syn::Ident>()
            .is_ok_and(|word| word == "always")
}

fn is_non_escaping(attr: &syn::Attribute) -> bool {
    type Words = syn::punctuated::Punctuated<syn::Ident, syn::Token![,]>;
    attr.path().is_ident("cfg_attr")
        && attr
            .parse_args_with(Words::parse_terminated)
            .is_ok_and(|list| {
                list.iter()
                    .map(ToString::to_string)
                    .eq(["casegen", "non_escaping"])
            })
}
