//! Checking and unpacking the arguments of native functions, with the error texts of `getargs.c`.

use super::dict::{self, DictObject};
use super::owned::{Owned, PyResult, Raised};
use super::str;
use super::tuple;
use super::vm::Vm;
use super::word::Word;

/// Names of keyword arguments, borrowed.
pub fn keyword_names<'a>(kwnames: Option<Word>) -> &'a [Word] {
    // SAFETY: the caller of a native function keeps the tuple alive while it runs.
    kwnames.map_or(&[], |names| unsafe { tuple::items(names) })
}

/// `_PyArg_NoKeywords`.
pub fn no_keywords(vm: Vm, function: &str, kwnames: Option<Word>) -> Result<(), Raised> {
    if keyword_names(kwnames).is_empty() {
        return Ok(());
    }
    Err(vm.type_error(format!("{function}() takes no keyword arguments")))
}

/// `_PyArg_CheckPositional`.
pub fn check_positional(
    vm: Vm,
    function: &str,
    given: usize,
    min: usize,
    max: usize,
) -> Result<(), Raised> {
    let (bound, limit) = if given < min {
        (if min == max { "" } else { "at least " }, min)
    } else if given > max {
        (if min == max { "" } else { "at most " }, max)
    } else {
        return Ok(());
    };
    let s = if limit == 1 { "" } else { "s" };
    Err(vm.type_error(format!(
        "{function} expected {bound}{limit} argument{s}, got {given}"
    )))
}

/// Positional arguments only, between `min` and `max` of them.
pub fn positional(
    vm: Vm,
    function: &str,
    args: &[Word],
    kwnames: Option<Word>,
    min: usize,
    max: usize,
) -> Result<(), Raised> {
    no_keywords(vm, function, kwnames)?;
    check_positional(vm, function, args.len(), min, max)
}

/// What a function's parameters are: the first `positional_only` have no usable name, those from `keyword_only` on
/// are given by name only, the first `required` must be given.
pub struct Signature<const N: usize> {
    pub function: &'static str,
    pub names: [&'static str; N],
    pub positional_only: usize,
    pub keyword_only: usize,
    pub required: usize,
}

impl<const N: usize> Signature<N> {
    pub const fn new(
        function: &'static str,
        names: [&'static str; N],
        required: usize,
    ) -> Signature<N> {
        Signature {
            function,
            names,
            positional_only: 0,
            keyword_only: N,
            required,
        }
    }
    pub const fn positional_only(self, count: usize) -> Signature<N> {
        Signature {
            positional_only: count,
            ..self
        }
    }
    pub const fn keyword_only(self, from: usize) -> Signature<N> {
        Signature {
            keyword_only: from,
            ..self
        }
    }

    /// The arguments in order of the parameters (`_PyArg_UnpackKeywords`).
    pub fn unpack(
        &self,
        vm: Vm,
        args: &[Word],
        kwnames: Option<Word>,
    ) -> Result<[Option<Word>; N], Raised> {
        let names = keyword_names(kwnames);
        let given = args.len() - names.len();
        let function = self.function;
        if args.len() > N {
            let kind = if given == 0 { "keyword " } else { "" };
            let s = if N == 1 { "" } else { "s" };
            return Err(vm.type_error(format!(
                "{function}() takes at most {N} {kind}argument{s} ({} given)",
                args.len()
            )));
        }
        let max = self.keyword_only;
        let wrong_count = |bound: &str, limit: usize| {
            let bound = if self.required < max {
                bound
            } else {
                "exactly"
            };
            let s = if limit == 1 { "" } else { "s" };
            vm.type_error(format!(
                "{function}() takes {bound} {limit} positional argument{s} ({given} given)"
            ))
        };
        if given > max {
            if max == 0 {
                return Err(vm.type_error(format!("{function}() takes no positional arguments")));
            }
            return Err(wrong_count("at most", max));
        }
        let least = self.required.min(self.positional_only);
        if given < least {
            return Err(wrong_count("at least", least));
        }
        let mut values = [None; N];
        for (value, &argument) in values.iter_mut().zip(&args[..given]) {
            *value = Some(argument);
        }
        for (&name, &argument) in names.iter().zip(&args[given..]) {
            let index =
                (self.positional_only..N).find(|&index| str::equals(name, self.names[index]));
            match index {
                Some(index) if values[index].is_none() => values[index] = Some(argument),
                Some(index) => {
                    return Err(vm.type_error(format!(
                        "argument for {function}() given by name ('{}') and position ({})",
                        self.names[index],
                        index + 1
                    )));
                }
                None => {
                    let name = str::to_string_lossy(name);
                    return Err(vm.type_error(format!(
                        "{function}() got an unexpected keyword argument '{name}'"
                    )));
                }
            }
        }
        if let Some(index) = (0..self.required).find(|&index| values[index].is_none()) {
            return Err(vm.type_error(format!(
                "{function}() missing required argument '{}' (pos {})",
                self.names[index],
                index + 1
            )));
        }
        Ok(values)
    }
}

/// A dict of keyword arguments, for native functions that want one.
pub fn keywords_as_dict(vm: Vm, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let names = keyword_names(kwnames);
    // SAFETY: the dict is new and ours.
    unsafe {
        let keywords = Owned::from_raw(vm.new_dict()?);
        for (&name, &value) in names.iter().zip(&args[args.len() - names.len()..]) {
            dict::set_item(vm, keywords.as_ptr::<DictObject>(), name, value)?;
        }
        Ok(keywords)
    }
}
