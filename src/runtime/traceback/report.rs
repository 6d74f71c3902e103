//! The text for an exception that nobody caught: its chain, each with a traceback (`TracebackException.format`).

use super::excerpt::{Span, excerpt};
use super::{TracebackObject, entries, hints, syntax};
use crate::object::exc::{self, field};
use crate::object::{Owned, Raised, Vm, Word, attr, list, protocol, str, tuple};
use crate::runtime::thread::Thread;
use crate::runtime::utf8::replace_surrogates as printable;
use std::collections::HashSet;
use std::fmt::Write;

const CAUSE: &str = "\nThe above exception was the direct cause of the following exception:\n\n";
const CONTEXT: &str = "\nDuring handling of the above exception, another exception occurred:\n\n";

/// How many equal entries in a row are shown (`_RECURSIVE_CUTOFF`).
const REPEATS_SHOWN: usize = 3;
const MAX_GROUP_WIDTH: usize = 15;
const MAX_GROUP_DEPTH: usize = 10;

/// The whole report, as it goes to `sys.stderr`. Whatever fails while it is made is left out of it.
pub fn format_exception(ts: &Thread, exception: Word) -> String {
    let mut report = Report {
        ts,
        out: String::new(),
        depth: 0,
        need_close: false,
        seen: HashSet::new(),
    };
    report.exception(exception);
    report.out
}

struct Report<'a> {
    ts: &'a Thread,
    out: String,
    /// Groups around the exception being shown.
    depth: usize,
    need_close: bool,
    /// Exceptions shown or about to be: a chain that comes back to one ends there.
    seen: HashSet<*mut crate::object::Object>,
}

impl Report<'_> {
    fn exception(&mut self, exception: Word) {
        for (exception, link) in self.chain(exception).into_iter().rev() {
            if let Some(link) = link {
                self.emit(link, '|');
            }
            match group_members(self.ts.vm(), exception) {
                Some(_) if self.depth > MAX_GROUP_DEPTH => {
                    self.emit(
                        &format!("... (max_group_depth is {MAX_GROUP_DEPTH})\n"),
                        '|',
                    );
                }
                Some(members) => self.group(exception, &members),
                None => self.single(exception, "Traceback (most recent call last):\n", '|'),
            }
        }
    }
    /// The exception and what it came from, newest first, each with the sentence that links it to the next.
    fn chain(&mut self, exception: Word) -> Vec<(Word, Option<&'static str>)> {
        let mut chain = Vec::new();
        let mut current = exception;
        self.seen.insert(current.object());
        loop {
            let object = exc::object(current);
            let mut unseen =
                |next: Option<Word>| next.filter(|next| self.seen.insert(next.object()));
            let cause = unseen(object.cause.get());
            let context = || {
                if object.suppress_context.get() {
                    None
                } else {
                    object.context.get()
                }
            };
            let (next, link) = match cause {
                Some(cause) => (cause, CAUSE),
                None => match context().and_then(|context| unseen(Some(context))) {
                    Some(context) => (context, CONTEXT),
                    None => {
                        chain.push((current, None));
                        return chain;
                    }
                },
            };
            chain.push((current, Some(link)));
            current = next;
        }
    }
    fn single(&mut self, exception: Word, title: &str, margin: char) {
        if let Some(first) = exc::object(exception).traceback.get() {
            self.emit(title, margin);
            let stack = stack_text(self.ts, first);
            self.emit(&stack, '|');
        }
        let last = exception_only(self.ts, exception);
        self.emit(&last, '|');
    }
    fn group(&mut self, exception: Word, members: &[Owned]) {
        let top = self.depth == 0;
        if top {
            self.depth = 1;
        }
        self.single(
            exception,
            "Exception Group Traceback (most recent call last):\n",
            if top { '+' } else { '|' },
        );
        let shown = if members.len() > MAX_GROUP_WIDTH {
            MAX_GROUP_WIDTH + 1
        } else {
            members.len()
        };
        self.need_close = false;
        for (index, member) in members.iter().take(shown).enumerate() {
            let last = index + 1 == shown;
            if last {
                self.need_close = true;
            }
            let truncated = index >= MAX_GROUP_WIDTH;
            let title = if truncated {
                "...".to_string()
            } else {
                (index + 1).to_string()
            };
            let corner = if index == 0 { "+-" } else { "  " };
            let _ = writeln!(
                self.out,
                "{}{corner}+---------------- {title} ----------------",
                self.indent()
            );
            self.depth += 1;
            if truncated {
                let rest = members.len() - MAX_GROUP_WIDTH;
                let s = if rest > 1 { "s" } else { "" };
                self.emit(&format!("and {rest} more exception{s}\n"), '|');
            } else {
                self.exception(member.as_word());
            }
            if last && self.need_close {
                let _ = writeln!(
                    self.out,
                    "{}+------------------------------------",
                    self.indent()
                );
                self.need_close = false;
            }
            self.depth -= 1;
        }
        if top {
            self.depth = 0;
        }
    }
    fn indent(&self) -> String {
        " ".repeat(2 * self.depth)
    }
    fn emit(&mut self, text: &str, margin: char) {
        if self.depth == 0 {
            self.out.push_str(text);
            return;
        }
        let indent = self.indent();
        for line in text.split_inclusive('\n') {
            let _ = write!(self.out, "{indent}{margin} {line}");
        }
    }
}

fn group_members(vm: Vm, exception: Word) -> Option<Vec<Owned>> {
    if !vm.is_instance(exception, vm.exc.BaseExceptionGroup) {
        return None;
    }
    // SAFETY: groups have that field; the exception keeps the tuple.
    unsafe {
        let members = exc::object(exception)
            .field(field::GROUP_EXCEPTIONS)
            .get()
            .filter(|m| tuple::is_tuple(*m))?;
        Some(
            tuple::items(members)
                .iter()
                .map(|member| Owned::new_ref(*member))
                .collect(),
        )
    }
}

/// The entries of a traceback, equal ones in a row counted (`StackSummary.format`).
fn stack_text(ts: &Thread, first: Word) -> String {
    let mut out = String::new();
    let mut last: Option<(String, i32, String)> = None;
    let mut count = 0;
    for entry in entries(Some(first)) {
        let spec = &entry.code().spec;
        let (line, name) = (entry.line(), spec.name.to_string_lossy().into_owned());
        let key = (spec.filename.to_string(), line, name);
        if last.as_ref() != Some(&key) {
            repeated(&mut out, count);
            last = Some(key);
            count = 0;
        }
        count += 1;
        if count <= REPEATS_SHOWN {
            out.push_str(&entry_text(ts, entry));
        }
    }
    repeated(&mut out, count);
    out
}

fn repeated(out: &mut String, count: usize) {
    if count > REPEATS_SHOWN {
        let more = count - REPEATS_SHOWN;
        let s = if more > 1 { "s" } else { "" };
        let _ = writeln!(out, "  [Previous line repeated {more} more time{s}]");
    }
}

fn entry_text(ts: &Thread, entry: &TracebackObject) -> String {
    let spec = &entry.code().spec;
    let place = entry.location();
    let name = spec.name.to_string_lossy();
    let mut text = match place.lineno {
        line if line >= 0 => format!("  File \"{}\", line {line}, in {name}\n", spec.filename),
        _ => return format!("  File \"{}\", line None, in {name}\n", spec.filename),
    };
    let Some(source) = ts.sources.get(&spec.filename) else {
        return text;
    };
    let count = usize::try_from(place.end_lineno - place.lineno).unwrap_or(0) + 1;
    let first = usize::try_from(place.lineno - 1).unwrap_or(0);
    let mut lines: Vec<&str> = source.lines().skip(first).take(count).collect();
    if lines.is_empty() {
        return text;
    }
    lines.resize(count.min(lines.len().max(1)), "");
    let columns = match (
        usize::try_from(place.col_offset),
        usize::try_from(place.end_col_offset),
    ) {
        (Ok(start), Ok(end)) if lines.len() == count => Some((start, end)),
        _ => None,
    };
    text.push_str(&excerpt(&Span { lines, columns }));
    text
}

/// The exception's class and message, its hints and notes (`format_exception_only`).
fn exception_only(ts: &Thread, exception: Word) -> String {
    let vm = ts.vm();
    let class = class_text(vm, exception);
    let mut out = if vm.is_instance(exception, vm.exc.SyntaxError) {
        syntax::format(vm, exception, &class)
    } else {
        let mut message =
            text_of(vm, exception).unwrap_or_else(|| "<exception str() failed>".into());
        message.push_str(&hints::hint(ts, exception));
        if message.is_empty() {
            format!("{class}\n")
        } else {
            format!("{class}: {message}\n")
        }
    };
    notes(vm, exception, &mut out);
    out
}

/// Module and qualified name of the exception's class; built-in classes and those of `__main__` by name alone.
fn class_text(vm: Vm, exception: Word) -> String {
    // SAFETY: types are live as long as an instance.
    let ty = unsafe { (*vm.type_of(exception)).word() };
    let part = |name| match attr::get_attr_opt(vm, ty, name) {
        Ok(value) => value
            .filter(|value| str::is_str(value.as_word()))
            .map(|value| printable(value.as_word())),
        Err(Raised) => {
            vm.clear_exception();
            None
        }
    };
    let name = part(vm.names.__qualname__).unwrap_or_else(|| vm.type_name(exception));
    match part(vm.names.__module__) {
        Some(module) if module == "builtins" || module == "__main__" => name,
        Some(module) => format!("{module}.{name}"),
        None => format!("<unknown>.{name}"),
    }
}

fn notes(vm: Vm, exception: Word, out: &mut String) {
    let found = attr::get_attr_opt(vm, exception, vm.names.__notes__);
    let notes = match found {
        Ok(Some(notes)) if !notes.as_word().is_none() => notes,
        Ok(_) => return,
        Err(Raised) => {
            vm.clear_exception();
            return;
        }
    };
    let word = notes.as_word();
    let mut lines = |text: String| {
        text.split('\n')
            .for_each(|line| *out += &format!("{line}\n"))
    };
    if list::is_list(word) || tuple::is_tuple(word) {
        // SAFETY: the slice is copied before a note's `__str__` could change the list.
        let items = unsafe {
            if list::is_list(word) {
                list::items(word)
            } else {
                tuple::items(word)
            }
        };
        let items: Vec<Owned> = items.iter().map(|note| Owned::new_ref(*note)).collect();
        for note in items {
            lines(text_of(vm, note.as_word()).unwrap_or_else(|| "<note str() failed>".into()));
        }
    } else {
        let text = protocol::repr(vm, word).map(|text| printable(text.as_word()));
        match text {
            Ok(text) => out.push_str(&format!("{text}\n")),
            Err(Raised) => {
                vm.clear_exception();
                out.push_str("<__notes__ repr() failed>\n");
            }
        }
    }
}

/// `str(object)`; None if that fails.
pub fn text_of(vm: Vm, object: Word) -> Option<String> {
    match protocol::str(vm, object) {
        Ok(text) => Some(printable(text.as_word())),
        Err(Raised) => {
            vm.clear_exception();
            None
        }
    }
}
