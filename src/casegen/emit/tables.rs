//! Ids, names, effects, cache sizes and formats, flags, families, pseudo-instructions, micro-op expansions.

use crate::casegen::analyze::{Analysis, Flags, Placement, Step};
use crate::casegen::parse::{Kind, OpDef};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

fn flag_bits(flags: &Flags) -> Literal {
    let list = [
        flags.arg,
        flags.jump,
        flags.const_,
        flags.local,
        flags.name,
        flags.free,
        flags.deopt,
        flags.error,
        flags.escapes,
        flags.pure,
        flags.exit,
    ];
    Literal::u16_unsuffixed(
        list.iter()
            .enumerate()
            .map(|(i, on)| u16::from(*on) << i)
            .sum(),
    )
}

pub fn opcodes(analysis: &Analysis) -> TokenStream {
    let mut consts = TokenStream::new();
    let mut rows = vec![];
    let (mut popped, mut pushed) = (TokenStream::new(), TokenStream::new());
    let number = |n: u16| Literal::u16_unsuffixed(n);
    let mut numbers: std::collections::HashMap<&str, u16> = Default::default();
    for inst in &analysis.instructions {
        numbers.insert(&inst.name, inst.opcode);
    }
    for inst in &analysis.instructions {
        let (name, ident, opcode) = (
            &inst.name,
            format_ident!("{}", inst.name),
            number(inst.opcode),
        );
        let doc = format!("`{name}`");
        consts.extend(quote!(#[doc = #doc] pub const #ident: Opcode = Opcode(#opcode);));
        let head = number(
            inst.family
                .as_ref()
                .map_or(inst.opcode, |f| numbers[f.as_str()]),
        );
        let caches = Literal::u8_unsuffixed(inst.caches as u8);
        let flags = flag_bits(&inst.flags);
        rows.push((
            inst.opcode,
            quote!(Row { name: #name, caches: #caches, flags: #flags, deopt: #head }),
        ));
        let (pop, push) = (inst.popped.as_i32(), inst.pushed.as_i32());
        popped.extend(quote!(Opcode::#ident => #pop,));
        pushed.extend(quote!(Opcode::#ident => #push,));
    }
    for (pseudo, opcode) in &analysis.pseudos {
        let (name, ident, code) = (
            &pseudo.name,
            format_ident!("{}", pseudo.name),
            number(*opcode),
        );
        let doc = format!("`{name}`, a pseudo-instruction");
        consts.extend(quote!(#[doc = #doc] pub const #ident: Opcode = Opcode(#code);));
        let mut flags = Flags::default();
        flags.declare(&pseudo.flags);
        let flags = flag_bits(&flags);
        rows.push((
            *opcode,
            quote!(Row { name: #name, caches: 0, flags: #flags, deopt: #code }),
        ));
        let (pop, push) = (
            pseudo.effect.popped().as_i32(),
            pseudo.effect.pushed().as_i32(),
        );
        popped.extend(quote!(Opcode::#ident => #pop,));
        pushed.extend(quote!(Opcode::#ident => #push,));
    }
    let end = rows
        .iter()
        .map(|r| r.0)
        .max()
        .map_or(0, |m| usize::from(m) + 1);
    let mut table = vec![quote!(Row::NONE); end];
    for (opcode, row) in rows {
        table[usize::from(opcode)] = row;
    }
    let families = analysis.families.iter().map(|family| {
        let head = format_ident!("{}", family.name);
        let members = family.members.iter().map(|(m, _)| format_ident!("{m}"));
        let format = cache_format(analysis, &family.name);
        quote!(Family { head: Opcode::#head, members: &[#(Opcode::#members),*], caches: &[#(#format),*] })
    });
    let heads: Vec<&str> = analysis.families.iter().map(|f| f.name.as_str()).collect();
    let formats = analysis
        .instructions
        .iter()
        .filter(|i| i.caches > 0 && i.family.is_none())
        .map(|i| {
            debug_assert!(!heads.contains(&i.name.as_str()));
            let ident = format_ident!("{}", i.name);
            let format = cache_format(analysis, &i.name);
            quote!((Opcode::#ident, &[#(#format),*]))
        });
    let targets = analysis.pseudos.iter().map(|(pseudo, _)| {
        let ident = format_ident!("{}", pseudo.name);
        let targets = pseudo.targets.iter().map(|(t, _)| format_ident!("{t}"));
        quote!((Opcode::#ident, &[#(Opcode::#targets),*]))
    });
    let hot = analysis
        .instructions
        .iter()
        .filter(|i| i.placement == Placement::Hot)
        .map(|i| format_ident!("{}", i.name));
    let have_argument = number(analysis.have_argument());
    quote! {
        impl Opcode {
            #consts
            /// The last opcode without an argument (`dis.HAVE_ARGUMENT`).
            pub const HAVE_ARGUMENT: u16 = #have_argument;
        }
        static ROWS: &[Row] = &[#(#table),*];
        static FAMILIES: &[Family] = &[#(#families),*];
        static CACHE_FORMATS: &[(Opcode, &[(&str, u8)])] = &[#(#formats),*];
        static PSEUDO_TARGETS: &[(Opcode, &[Opcode])] = &[#(#targets),*];
        static HOT: &[Opcode] = &[#(Opcode::#hot),*];
        #[allow(clippy::identity_op)]
        fn popped(op: Opcode, oparg: i32) -> Option<i32> {
            Some(match op { #popped _ => return None })
        }
        #[allow(clippy::identity_op)]
        fn pushed(op: Opcode, oparg: i32) -> Option<i32> {
            Some(match op { #pushed _ => return None })
        }
    }
}

/// Cache entries by name and units, as the head of a family names them.
fn cache_format(analysis: &Analysis, head: &str) -> Vec<TokenStream> {
    let inst = analysis.instructions.iter().find(|i| i.name == head);
    let entries = inst.map(|inst| analysis.cache_entries(inst));
    let entries = entries.into_iter().flatten();
    entries
        .map(|(name, units, _)| {
            let units = Literal::u8_unsuffixed(units as u8);
            quote!((#name, #units))
        })
        .collect()
}

/// `_PyOpcode_macro_expansion`: the micro-ops of every instruction with the cache entries that each reads.
pub fn uops(analysis: &Analysis) -> TokenStream {
    let used = analysis
        .ops
        .iter()
        .filter(|op| matches!(op.kind, Kind::Op | Kind::Inst));
    let names = used.flat_map(|op| {
        let name = uop_name(op);
        let replicas = (0..op.replicate.unwrap_or(0)).map({
            let name = name.clone();
            move |oparg| format!("{name}_{oparg}")
        });
        std::iter::once(name.clone()).chain(replicas)
    });
    let expansions = analysis.instructions.iter().map(|inst| {
        let ident = format_ident!("{}", inst.name);
        let mut unit = 0;
        let mut uops = vec![];
        for step in &inst.steps {
            match step {
                Step::Skip(_, units) => unit += units,
                Step::Op(index) => {
                    let op = &analysis.ops[*index];
                    uops.push(uop(op, unit));
                    unit += op.effect.cache_units();
                }
            }
        }
        quote!(Expansion { opcode: Opcode::#ident, uops: &[#(#uops),*] })
    });
    quote! {
        /// Every micro-op, replicated ones included.
        pub static UOP_NAMES: &[&str] = &[#(#names),*];
        /// The micro-op expansion of every instruction, ordered by opcode.
        pub static EXPANSIONS: &[Expansion] = &[#(#expansions),*];
    }
}

/// An instruction that is one op has a micro-op of its name, with an underscore in front.
fn uop_name(op: &OpDef) -> String {
    match op.kind {
        Kind::Inst => format!("_{}", op.name),
        _ => op.name.clone(),
    }
}

/// One micro-op of an instruction; its cache entries begin at `unit`.
fn uop(op: &OpDef, mut unit: usize) -> TokenStream {
    let (name, replicas) = (uop_name(op), op.replicate.unwrap_or(0));
    let replicas = Literal::u8_unsuffixed(replicas);
    let mut reads = vec![];
    for cache in &op.effect.caches {
        if !cache.is_unused() {
            let (name, at) = (&cache.name, Literal::usize_unsuffixed(unit));
            let units = Literal::usize_unsuffixed(cache.size);
            reads.push(quote!(CacheRead { name: #name, unit: #at, units: #units }));
        }
        unit += cache.size;
    }
    quote!(Uop { name: #name, replicas: #replicas, reads: &[#(#reads),*] })
}
