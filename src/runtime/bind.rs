//! Arguments to parameters (`initialize_locals`), with CPython's messages.

use super::code::CodeObject;
use super::function::FunctionObject;
use super::thread::Thread;
use super::traceback::suggest::closest;
use crate::bytecode::spec::code_flags;
use crate::object::{Owned, Raised, Word, dict, str, tuple};
use std::mem::MaybeUninit;

const INLINE: usize = 24;

/// The locals of a frame to be: slot's words, on the native stack unless they are many.
pub struct Bound {
    inline: [MaybeUninit<Word>; INLINE],
    spilled: Vec<Word>,
    len: usize,
}

impl Bound {
    fn new(len: usize) -> Bound {
        let spilled = if len > INLINE {
            vec![Word::NULL; len]
        } else {
            vec![]
        };
        Bound {
            inline: [MaybeUninit::new(Word::NULL); INLINE],
            spilled,
            len,
        }
    }
    fn words(&mut self) -> &mut [Word] {
        if self.len > INLINE {
            &mut self.spilled
        } else {
            // SAFETY: `new` wrote NULL into each.
            unsafe { std::slice::from_raw_parts_mut(self.inline.as_mut_ptr().cast(), self.len) }
        }
    }
    /// Writes the words to the frame's locals, the rest of `total` NULL.
    ///
    /// # Safety
    /// `locals` has room for `total` words.
    pub unsafe fn move_to(mut self, locals: *mut Word, total: usize) {
        let len = self.len;
        unsafe {
            locals.copy_from_nonoverlapping(self.words().as_ptr(), len);
            for index in len..total {
                *locals.add(index) = Word::NULL;
            }
        }
        self.len = 0;
    }
}

impl Drop for Bound {
    fn drop(&mut self) {
        for word in self.words() {
            // SAFETY: slot's words that no frame has taken over.
            unsafe { word.release_slot() };
        }
    }
}

struct Binder<'a> {
    ts: &'a Thread,
    function: &'a FunctionObject,
    code: &'a CodeObject,
    bound: Bound,
}

/// Binds `count` arguments that stand at `args[1..]`, and `args[0]` before them if it is not NULL; the tuple `kwnames`
/// names the last ones. What is bound is taken: NULL stands in its place.
///
/// # Safety
/// `function` is live, `args` are live words that the caller owns.
pub unsafe fn bind(
    ts: &Thread,
    function: *mut FunctionObject,
    args: *mut Word,
    count: usize,
    kwnames: Word,
) -> Result<Bound, Raised> {
    unsafe {
        let function = &*function;
        let code = &*function.code.get();
        let names: &[Word] = if kwnames.is_null() {
            &[]
        } else {
            tuple::items(kwnames)
        };
        let (first, total) = if (*args).is_null() {
            (1, count)
        } else {
            (0, count + 1)
        };
        let args = std::slice::from_raw_parts_mut(args.add(first), total);
        let (positional, named) = args.split_at_mut(total - names.len());
        let parameters = (code.argcount + code.kwonlyargcount) as usize;
        let extra = [code_flags::VARARGS, code_flags::VARKEYWORDS]
            .iter()
            .filter(|f| code.flags & **f != 0)
            .count();
        let mut binder = Binder {
            ts,
            function,
            code,
            bound: Bound::new(parameters + extra),
        };
        binder.positional(positional)?;
        if !names.is_empty() || code.flags & code_flags::VARKEYWORDS != 0 {
            binder.keywords(names, named)?;
        }
        binder.check_count(positional.len())?;
        binder.defaults(positional.len())?;
        Ok(binder.bound)
    }
}

fn take(word: &mut Word) -> Word {
    // SAFETY: the caller's word, gone from its place.
    unsafe { std::mem::replace(word, Word::NULL).to_slot() }
}

impl Binder<'_> {
    fn argcount(&self) -> usize {
        self.code.argcount as usize
    }
    fn parameters(&self) -> usize {
        (self.code.argcount + self.code.kwonlyargcount) as usize
    }
    fn has(&self, flag: u32) -> bool {
        self.code.flags & flag != 0
    }
    fn name(&self) -> String {
        str::to_string_lossy(self.function.qualname.get())
    }
    fn fail(&self, message: String) -> Raised {
        self.ts
            .vm()
            .type_error(format!("{}() {message}", self.name()))
    }
    fn parameter(&self, index: usize) -> Word {
        self.code.localsplusnames[index]
    }

    fn positional(&mut self, args: &mut [Word]) -> Result<(), Raised> {
        let fit = args.len().min(self.argcount());
        let (taken, rest) = args.split_at_mut(fit);
        for (slot, arg) in self.bound.words().iter_mut().zip(taken) {
            *slot = take(arg);
        }
        if self.has(code_flags::VARARGS) {
            // SAFETY: the caller's words, gone from their places.
            let made = unsafe { self.ts.vm().tuple_from_stack(rest) };
            rest.fill(Word::NULL);
            let index = self.parameters();
            self.bound.words()[index] = made?.into_slot();
        }
        Ok(())
    }

    fn keywords(&mut self, names: &[Word], values: &mut [Word]) -> Result<(), Raised> {
        let vm = self.ts.vm();
        let parameters = self.parameters();
        let mut extra = None;
        if self.has(code_flags::VARKEYWORDS) {
            let made = vm.new_dict_with_capacity(0)?;
            let index = parameters + usize::from(self.has(code_flags::VARARGS));
            extra = Some(made.as_word());
            self.bound.words()[index] = made.into_slot();
        }
        for (name, value) in names.iter().zip(values) {
            if !str::is_str(*name) {
                return Err(self.ts.vm().type_error("keywords must be strings"));
            }
            let start = self.code.spec.posonlyargcount as usize;
            let list = &self.code.localsplusnames[start..parameters];
            let at = list
                .iter()
                .position(|p| p.is(*name))
                .or_else(|| list.iter().position(|p| str::equal(*p, *name)));
            match (at, extra) {
                (Some(at), _) => {
                    let slot = &mut self.bound.words()[start + at];
                    if !slot.is_null() {
                        let name = str::to_string_lossy(*name);
                        return Err(self.fail(format!("got multiple values for argument '{name}'")));
                    }
                    *slot = take(value);
                }
                (None, Some(dict)) => {
                    // SAFETY: the dict is in `bound`; its keys are strings.
                    unsafe { dict::set_item(vm, dict.cast(), *name, *value)? };
                    let value = Owned::from_word(std::mem::replace(value, Word::NULL));
                    drop(value);
                }
                (None, None) => return Err(self.unexpected(*name, names)),
            }
        }
        Ok(())
    }

    #[cold]
    fn unexpected(&self, name: Word, names: &[Word]) -> Raised {
        let positional_only = &self.code.localsplusnames[..self.code.spec.posonlyargcount as usize];
        let wrong: Vec<String> = positional_only
            .iter()
            .filter(|p| names.iter().any(|n| str::is_str(*n) && str::equal(**p, *n)))
            .map(|p| str::to_string_lossy(*p))
            .collect();
        if !wrong.is_empty() {
            let list = wrong.join(", ");
            return self.fail(format!(
                "got some positional-only arguments passed as keyword arguments: '{list}'"
            ));
        }
        let name = str::to_string_lossy(name);
        let start = self.code.spec.posonlyargcount as usize;
        let known: Vec<String> = self.code.localsplusnames[start..self.parameters()]
            .iter()
            .map(|w| str::to_string_lossy(*w))
            .collect();
        let hint =
            closest(&name, &known).map_or(String::new(), |s| format!(". Did you mean '{s}'?"));
        self.fail(format!("got an unexpected keyword argument '{name}'{hint}"))
    }

    /// `too_many_positional`.
    fn check_count(&mut self, given: usize) -> Result<(), Raised> {
        let limit = self.argcount();
        if given <= limit || self.has(code_flags::VARARGS) {
            return Ok(());
        }
        let keyword_only = self.code.kwonlyargcount as usize;
        let named = self.bound.words()[limit..limit + keyword_only]
            .iter()
            .filter(|w| !w.is_null())
            .count();
        let defaults = self.default_values().len();
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        let (takes, many) = if defaults > 0 {
            (format!("from {} to {limit}", limit - defaults), "s")
        } else {
            (limit.to_string(), plural(limit))
        };
        let (extra, were) = if named > 0 {
            let text = format!(
                " positional argument{} (and {named} keyword-only argument{})",
                plural(given),
                plural(named)
            );
            (text, "were")
        } else {
            (String::new(), if given == 1 { "was" } else { "were" })
        };
        Err(self.fail(format!(
            "takes {takes} positional argument{many} but {given}{extra} {were} given"
        )))
    }

    fn default_values(&self) -> &[Word] {
        let defaults = self.function.defaults.get();
        // SAFETY: a tuple while it is not NULL.
        if defaults.is_null() {
            &[]
        } else {
            unsafe { tuple::items(defaults) }
        }
    }

    fn defaults(&mut self, given: usize) -> Result<(), Raised> {
        let argcount = self.argcount();
        if given < argcount {
            let required = argcount - self.default_values().len().min(argcount);
            let missing: Vec<usize> = (given..required)
                .filter(|i| self.bound.words()[*i].is_null())
                .collect();
            if !missing.is_empty() {
                return Err(self.missing("positional", &missing));
            }
            for index in given.max(required)..argcount {
                if self.bound.words()[index].is_null() {
                    // Of more defaults than parameters, the last ones.
                    let defaults = self.default_values();
                    let value = defaults[defaults.len() + index - argcount];
                    self.bound.words()[index] = Owned::new_ref(value).into_slot();
                }
            }
        }
        let mut missing = vec![];
        for index in argcount..self.parameters() {
            if !self.bound.words()[index].is_null() {
                continue;
            }
            let defaults = self.function.kwdefaults.get();
            // SAFETY: a dict while it is not NULL.
            let value = match defaults.is_null() {
                true => None,
                false => unsafe {
                    dict::get_item(self.ts.vm(), defaults.cast(), self.parameter(index))?
                },
            };
            match value {
                Some(value) => self.bound.words()[index] = Owned::new_ref(value).into_slot(),
                None => missing.push(index),
            }
        }
        if missing.is_empty() {
            Ok(())
        } else {
            Err(self.missing("keyword-only", &missing))
        }
    }

    /// `format_missing`.
    #[cold]
    fn missing(&self, kind: &str, indices: &[usize]) -> Raised {
        let names: Vec<String> = indices
            .iter()
            .map(|i| format!("'{}'", str::to_string_lossy(self.parameter(*i))))
            .collect();
        let list = match &names[..] {
            [one] => one.clone(),
            [one, two] => format!("{one} and {two}"),
            [front @ .., last] => format!("{}, and {last}", front.join(", ")),
            [] => String::new(),
        };
        let (count, plural) = (names.len(), if names.len() == 1 { "" } else { "s" });
        self.fail(format!(
            "missing {count} required {kind} argument{plural}: {list}"
        ))
    }
}
