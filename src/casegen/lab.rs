//! The lab's machines: nothing but dispatch, in every form, from one body emitter for Rust and C.
//!
//! A machine has so many opcodes and handler bodies of so many instructions. Four registers, a program of bytes, and
//! behind the opcodes one more that starts the program again or ends. What a body does is settled by the opcode's
//! number, so every form and every language computes the same.

use std::fmt::Write;

/// Opcodes and instructions in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    pub opcodes: usize,
    pub body: usize,
}

/// The machines along two axes that cross at 16 opcodes with bodies of 4.
pub const MACHINES: &[Machine] = &[
    machine(4, 4),
    machine(16, 4),
    machine(64, 4),
    machine(200, 4),
    machine(16, 1),
    machine(16, 16),
    machine(16, 64),
];

/// So many opcodes replicate where the compiler optimises, unless everything shall: compile time grows as the square.
const HOT: usize = 64;
const HOT_UNOPTIMISED: usize = 8;

/// How many opcodes have a dispatch of their own in the replicated form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replicate {
    Few,
    Hot,
    All,
}

const fn machine(opcodes: usize, body: usize) -> Machine {
    Machine { opcodes, body }
}

impl Machine {
    pub fn name(self) -> String {
        format!("{}x{}", self.opcodes, self.body)
    }

    fn module(self) -> String {
        format!("m{}_{}", self.opcodes, self.body)
    }
}

/// One instruction of a body.
#[derive(Clone, Copy)]
enum Step {
    Add(char, char),
    Xor(char, char),
    AddConstant(char, u32),
    Rotate(char, u32),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Rust,
    /// Registers behind a pointer.
    RustInMemory,
    C,
}

/// The body of an opcode. Neighbouring steps work on different registers, so that some run side by side.
fn steps(opcode: usize, body: usize) -> impl Iterator<Item = Step> {
    const REGISTERS: [char; 4] = ['a', 'b', 'c', 'd'];
    (0..body).map(move |n| {
        let mixed = opcode * 7 + n * 5 + opcode * n % 11;
        let to = REGISTERS[(opcode + n) % 4];
        let from = REGISTERS[(opcode + n + 1 + mixed % 3) % 4];
        match mixed % 4 {
            0 => Step::Add(to, from),
            1 => Step::Xor(to, from),
            2 => Step::AddConstant(to, ((opcode * 2654435 + n * 40503) as u32 % 1_000_003) | 1),
            _ => Step::Rotate(to, 1 + (mixed % 62) as u32),
        }
    })
}

fn body(opcode: usize, machine: Machine, language: Language) -> String {
    let register = |name: char| match language {
        Language::RustInMemory => format!("r.{name}"),
        _ => name.to_string(),
    };
    // Keeps handlers apart that differ in a constant only; the compiler would make a table of the constants.
    let mut out = match language {
        Language::C => format!("__asm__ volatile(\"# opcode {opcode}\");"),
        _ => format!(
            "std::arch::asm!(\"/* opcode {opcode} */\", options(nomem, nostack, preserves_flags));"
        ),
    };
    for step in steps(opcode, machine.body) {
        let _ = match (step, language) {
            (Step::Add(to, from), Language::C) => write!(out, " {to} += {from};"),
            (Step::AddConstant(to, by), Language::C) => write!(out, " {to} += {by}u;"),
            (Step::Rotate(to, by), Language::C) => {
                write!(out, " {to} = {to} << {by} | {to} >> {};", 64 - by)
            }
            (Step::Add(to, from), _) => {
                let (to, from) = (register(to), register(from));
                write!(out, " {to} = {to}.wrapping_add({from});")
            }
            (Step::AddConstant(to, by), _) => {
                let to = register(to);
                write!(out, " {to} = {to}.wrapping_add({by});")
            }
            (Step::Rotate(to, by), _) => {
                let to = register(to);
                write!(out, " {to} = {to}.rotate_left({by});")
            }
            (Step::Xor(to, from), _) => write!(out, " {} ^= {};", register(to), register(from)),
        };
    }
    out
}

/// Every machine in the forms of Rust.
pub fn rust(replicate: Replicate) -> String {
    let mut out = String::new();
    for &machine in MACHINES {
        let hot = match replicate {
            Replicate::Few => HOT_UNOPTIMISED,
            Replicate::Hot => HOT,
            Replicate::All => machine.opcodes,
        };
        let _ = writeln!(
            out,
            "pub mod {} {{ use super::*;\n{}\n{}\n{}\n{}\n{}\n{}\n}}",
            machine.module(),
            states(machine),
            tail(machine, "tail", "Tail", "extern \"rust-preserve-none\""),
            tail(machine, "plain", "Plain", ""),
            calls(machine),
            match_loop(machine),
            replicated(machine, hot),
        );
    }
    let _ = writeln!(out, "pub static MACHINES: &[Forms] = &[");
    for &machine in MACHINES {
        let (name, module) = (machine.name(), machine.module());
        let Machine { opcodes, body } = machine;
        let _ = writeln!(
            out,
            "Forms {{ name: \"{name}\", opcodes: {opcodes}, body: {body}, rust: [{module}::run_tail, \
             {module}::run_replicated, {module}::run_match, {module}::run_plain, {module}::run_calls] }},"
        );
    }
    out + "];"
}

/// The numbers as an enum, which `loop_match` wants.
fn states(machine: Machine) -> String {
    let names: Vec<String> = (0..=machine.opcodes).map(|n| format!("O{n}")).collect();
    format!(
        "#[repr(u8)] #[derive(Clone, Copy)] pub enum State {{ {} }}",
        names.join(", ")
    )
}

/// Functions that hand over by `become`, under a calling convention.
fn tail(machine: Machine, name: &str, wrapper: &str, convention: &str) -> String {
    let parameters =
        "mut ip: Ip, context: *mut Context, mut a: u64, mut b: u64, mut c: u64, mut d: u64";
    let table = name.to_uppercase();
    let next = format!(
        "let opcode = *ip as usize; become ({table}.get_unchecked(opcode).0)(ip.add(1), context, a, b, c, d)"
    );
    let mut out = String::new();
    for opcode in 0..machine.opcodes {
        let body = body(opcode, machine, Language::Rust);
        let _ = writeln!(
            out,
            "unsafe {convention} fn {name}_{opcode}({parameters}) -> u64 {{ unsafe {{ {body} {next} }} }}"
        );
    }
    let last = machine.opcodes;
    let _ = writeln!(
        out,
        "unsafe {convention} fn {name}_{last}({parameters}) -> u64 {{ unsafe {{ \
         (*context).left -= 1; if (*context).left == 0 {{ return finish(a, b, c, d); }} ip = (*context).code; {next} }} }}"
    );
    let entries: Vec<String> = (0..=last)
        .map(|n| format!("{wrapper}({name}_{n})"))
        .collect();
    let _ = writeln!(
        out,
        "static {table}: [{wrapper}; {}] = [{}];",
        last + 1,
        entries.join(", ")
    );
    let _ = writeln!(
        out,
        "pub unsafe fn run_{name}(context: &mut Context) -> u64 {{ unsafe {{ let ip = context.code; \
         let [a, b, c, d] = context.registers; \
         ({table}.get_unchecked(*ip as usize).0)(ip.add(1), context, a, b, c, d) }} }}"
    );
    out
}

/// What stable Rust has instead: functions called from a loop, the registers in memory.
fn calls(machine: Machine) -> String {
    let mut out = String::new();
    for opcode in 0..machine.opcodes {
        let body = body(opcode, machine, Language::RustInMemory);
        let _ = writeln!(
            out,
            "unsafe fn call_{opcode}(ip: Ip, r: &mut Registers) -> Ip {{ unsafe {{ {body} ip.add(1) }} }}"
        );
    }
    let last = machine.opcodes;
    let _ = writeln!(
        out,
        "unsafe fn call_{last}(_ip: Ip, r: &mut Registers) -> Ip {{ r.left -= 1; \
         if r.left == 0 {{ std::ptr::null() }} else {{ r.code }} }}"
    );
    let entries: Vec<String> = (0..=last).map(|n| format!("call_{n}")).collect();
    let _ = writeln!(
        out,
        "static CALLS: [Call; {}] = [{}];",
        last + 1,
        entries.join(", ")
    );
    out + "pub unsafe fn run_calls(context: &mut Context) -> u64 { unsafe { let mut r = Registers::of(context); \
           let mut ip = context.code; \
           while !ip.is_null() { ip = CALLS.get_unchecked(*ip as usize)(ip, &mut r); } \
           finish(r.a, r.b, r.c, r.d) } }"
}

fn arms(machine: Machine, pattern: &str, end: &dyn Fn(usize) -> String) -> String {
    let mut out = String::new();
    for opcode in 0..machine.opcodes {
        let (body, end) = (body(opcode, machine, Language::Rust), end(opcode));
        let _ = writeln!(out, "{pattern}{opcode} => {{ {body} {end} }}");
    }
    out
}

fn match_loop(machine: Machine) -> String {
    let arms = arms(machine, "", &|_| String::new());
    let last = machine.opcodes;
    format!(
        "#[inline(never)] pub unsafe fn run_match(context: &mut Context) -> u64 {{ unsafe {{ \
         let [mut a, mut b, mut c, mut d] = context.registers; let mut ip = context.code; \
         loop {{ let opcode = *ip; ip = ip.add(1); match opcode {{\n{arms}\
         {last} => {{ context.left -= 1; if context.left == 0 {{ return finish(a, b, c, d); }} ip = context.code; }}\n\
         _ => std::hint::unreachable_unchecked() }} }} }} }}"
    )
}

fn replicated(machine: Machine, hot: usize) -> String {
    let last = machine.opcodes;
    let mut targets = String::new();
    for n in 0..=last {
        let _ = write!(
            targets,
            "{n} => {{ #[const_continue] break 'next State::O{n}; }} "
        );
    }
    let shared =
        "let opcode = *ip; ip = ip.add(1); break 'next std::mem::transmute::<u8, State>(opcode);";
    let arms = arms(machine, "State::O", &|opcode| {
        if opcode < hot { "next!()" } else { shared }.to_owned()
    });
    format!(
        "#[inline(never)] pub unsafe fn run_replicated(context: &mut Context) -> u64 {{ unsafe {{ \
         let [mut a, mut b, mut c, mut d] = context.registers; let mut ip = context.code.add(1); \
         let mut state = std::mem::transmute::<u8, State>(*context.code); \
         #[loop_match] loop {{ state = 'next: {{ \
         macro_rules! next {{ () => {{{{ let opcode = *ip; ip = ip.add(1); match opcode {{ {targets} \
         _ => std::hint::unreachable_unchecked() }} }}}} }}\n\
         match state {{\n{arms}\
         State::O{last} => {{ context.left -= 1; if context.left == 0 {{ return finish(a, b, c, d); }} \
         ip = context.code; {shared} }} }} }} }} }} }}"
    )
}

/// The forms of C, by name and by what a compiler must have for them.
pub const C_FORMS: &[(&str, &[&str])] = &[
    ("switch", &[]),
    ("goto", &[]),
    ("musttail", &["musttail"]),
    ("preserve_none", &["musttail", "preserve_none"]),
];

const C_HEAD: &str = "\
#include <stdint.h>
struct context { const uint8_t *code; uint64_t left; uint64_t registers[4]; };
#define ROTATE(x, n) ((x) << (n) | (x) >> (64 - (n)))
#define FINISH(a, b, c, d) ((a) ^ ROTATE(b, 16) ^ ROTATE(c, 32) ^ ROTATE(d, 48))
#define START uint64_t a = x->registers[0], b = x->registers[1], c = x->registers[2], d = x->registers[3];
#define AGAIN x->left -= 1; if (x->left == 0) return FINISH(a, b, c, d); ip = x->code;
";

/// The symbol of a machine in one of C's forms, as one compiler builds it.
pub fn symbol(compiler: &str, form: &str, machine: Machine) -> String {
    format!("lab_{compiler}_{form}_{}", machine.module())
}

/// Every machine in one of C's forms.
pub fn c(compiler: &str, form: &str) -> String {
    let mut out = C_HEAD.to_owned();
    for &machine in MACHINES {
        let symbol = symbol(compiler, form, machine);
        out += &match form {
            "switch" => c_switch(machine, &symbol),
            "goto" => c_goto(machine, &symbol),
            "musttail" => c_tail(machine, &symbol, ""),
            _ => c_tail(machine, &symbol, "__attribute__((preserve_none)) "),
        };
    }
    out
}

fn c_switch(machine: Machine, symbol: &str) -> String {
    let mut out = format!(
        "uint64_t {symbol}(struct context *x) {{ START const uint8_t *ip = x->code;\nfor (;;) switch (*ip++) {{\n"
    );
    for opcode in 0..machine.opcodes {
        let body = body(opcode, machine, Language::C);
        let _ = writeln!(out, "case {opcode}: {body} break;");
    }
    let last = machine.opcodes;
    out + &format!("case {last}: AGAIN break;\ndefault: __builtin_unreachable();\n}} }}\n")
}

fn c_goto(machine: Machine, symbol: &str) -> String {
    let last = machine.opcodes;
    let labels: Vec<String> = (0..=last).map(|n| format!("&&o{n}")).collect();
    let mut out = format!(
        "uint64_t {symbol}(struct context *x) {{ START const uint8_t *ip = x->code;\n\
         static void *const labels[] = {{ {} }};\ngoto *labels[*ip++];\n",
        labels.join(", ")
    );
    for opcode in 0..machine.opcodes {
        let body = body(opcode, machine, Language::C);
        let _ = writeln!(out, "o{opcode}: {body} goto *labels[*ip++];");
    }
    out + &format!("o{last}: AGAIN goto *labels[*ip++];\n}}\n")
}

fn c_tail(machine: Machine, symbol: &str, convention: &str) -> String {
    let parameters =
        "const uint8_t *ip, struct context *x, uint64_t a, uint64_t b, uint64_t c, uint64_t d";
    let last = machine.opcodes;
    let next =
        format!("__attribute__((musttail)) return {symbol}_table[*ip](ip + 1, x, a, b, c, d);");
    let mut out = format!(
        "typedef {convention}uint64_t (*{symbol}_fn)({parameters});\nextern const {symbol}_fn {symbol}_table[];\n"
    );
    for opcode in 0..machine.opcodes {
        let body = body(opcode, machine, Language::C);
        let _ = writeln!(
            out,
            "{convention}static uint64_t {symbol}_{opcode}({parameters}) {{ {body} {next} }}"
        );
    }
    let _ = writeln!(
        out,
        "{convention}static uint64_t {symbol}_{last}({parameters}) {{ AGAIN {next} }}"
    );
    let entries: Vec<String> = (0..=last).map(|n| format!("{symbol}_{n}")).collect();
    out + &format!(
        "const {symbol}_fn {symbol}_table[] = {{ {} }};\n\
         uint64_t {symbol}(struct context *x) {{ START const uint8_t *ip = x->code; \
         return {symbol}_table[*ip](ip + 1, x, a, b, c, d); }}\n",
        entries.join(", ")
    )
}

/// A compiler's attempt at one of C's forms.
pub struct Built {
    pub compiler: &'static str,
    pub version: String,
    pub form: &'static str,
    /// Why there is nothing.
    pub missing: Option<String>,
}

/// Declarations of what was built, and the list of everything that was tried.
pub fn peers(built: &[Built]) -> String {
    let mut declarations = String::new();
    let mut list = String::new();
    for peer in built {
        let Built {
            compiler,
            version,
            form,
            missing,
        } = peer;
        let run = match missing {
            Some(why) => format!("Err({why:?})"),
            None => {
                let symbols: Vec<String> = MACHINES
                    .iter()
                    .map(|&machine| symbol(compiler, form, machine))
                    .collect();
                for symbol in &symbols {
                    let _ = writeln!(declarations, "fn {symbol}(context: *mut Context) -> u64;");
                }
                format!("Ok(&[{}])", symbols.join(", "))
            }
        };
        let _ = writeln!(
            list,
            "Peer {{ compiler: {compiler:?}, version: {version:?}, form: {form:?}, run: {run} }},"
        );
    }
    format!("unsafe extern \"C\" {{ {declarations} }}\npub static PEERS: &[Peer] = &[\n{list}];\n")
}
