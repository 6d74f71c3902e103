//! `BaseExceptionGroup` and `ExceptionGroup`: several exceptions as one (`exceptions.c`).

use super::args;
use super::attr;
use super::call;
use super::descr::{MethodDef, meth};
use super::exc::{self, field};
use super::exc_methods;
use super::header::Kind;
use super::owned::{Owned, PyResult, Raised};
use super::types::TypeObject;
use super::vm::Vm;
use super::word::Word;
use super::{list, protocol, sequence, str, tuple};

fn cell<'a>(group: Word, index: usize) -> &'a std::cell::Cell<Option<Word>> {
    // SAFETY: groups have these fields.
    unsafe { exc::object(group).field(index) }
}
/// The exceptions of a group, which keeps them.
pub fn exceptions<'a>(group: Word) -> &'a [Word] {
    // SAFETY: the field is a tuple that never changes.
    cell(group, field::GROUP_EXCEPTIONS)
        .get()
        .map_or(&[], |all| unsafe { tuple::items(all) })
}
/// Whether a value is an exception group.
pub fn is_group(vm: Vm, word: Word) -> bool {
    vm.is_instance(word, vm.exc.BaseExceptionGroup)
}

/// `BaseExceptionGroup(message, exceptions)`: an ExceptionGroup if all of them are of Exception
/// (`BaseExceptionGroup_new`).
pub(super) fn group_new(
    vm: Vm,
    ty: *mut TypeObject,
    args: &[Word],
    kwnames: Option<Word>,
) -> PyResult {
    let positional = args.len() - args::keyword_names(kwnames).len();
    if positional != 2 {
        return Err(vm.type_error(format!(
            "BaseExceptionGroup.__new__() takes exactly 2 arguments ({positional} given)"
        )));
    }
    let (message, all) = (args[0], args[1]);
    if !str::is_str(message) {
        return Err(vm.type_error(format!(
            "BaseExceptionGroup.__new__() argument 1 must be str, not {}",
            vm.argument_type(message)
        )));
    }
    if !(list::is_list(all) || tuple::is_tuple(all)) {
        // SAFETY: types are live as long as an instance.
        if unsafe { (*vm.type_of(all)).slots.getitem.is_none() } {
            return Err(vm.type_error("second argument (exceptions) must be a sequence"));
        }
    }
    let items = sequence::collect(vm, all)?;
    if items.is_empty() {
        return Err(vm.value_error("second argument (exceptions) must be a non-empty sequence"));
    }
    let mut only_exceptions = true;
    for (index, item) in items.iter().enumerate() {
        if !exc::is_exception(item.as_word()) {
            return Err(vm.value_error(format!(
                "Item {index} of second argument (exceptions) is not an exception"
            )));
        }
        only_exceptions &= vm.is_instance(item.as_word(), vm.exc.Exception);
    }
    // SAFETY: the type is live.
    let is_exception_group = unsafe { (*ty).is_subtype(vm.exc.Exception) };
    let mut ty = ty;
    if ty == vm.exc.BaseExceptionGroup && only_exceptions {
        ty = vm.exc.ExceptionGroup;
    } else if ty == vm.exc.ExceptionGroup && !only_exceptions {
        return Err(vm.type_error("Cannot nest BaseExceptions in an ExceptionGroup"));
    } else if is_exception_group && !only_exceptions {
        // SAFETY: as above.
        let name = unsafe { (*ty).name_string() };
        return Err(vm.type_error(format!("Cannot nest BaseExceptions in '{name}'")));
    }
    let group = exc_methods::alloc_exception(vm, ty, &args[..2])?;
    let items = vm.tuple_from_owned(items)?;
    exc::replace(cell(group.as_word(), field::GROUP_MESSAGE), Some(message));
    exc::replace(
        cell(group.as_word(), field::GROUP_EXCEPTIONS),
        Some(items.as_word()),
    );
    Ok(group)
}

/// A group of other exceptions that keeps the rest of this one: by its `derive` method
/// (`exceptiongroup_subset`). None for no exceptions.
fn subset(vm: Vm, group: Word, items: Vec<Owned>) -> Result<Option<Owned>, Raised> {
    if items.is_empty() {
        return Ok(None);
    }
    let items = vm.list_from_owned(items)?;
    let derive = vm.intern_str("derive")?;
    let derived = attr::call_method(vm, group, derive.as_word(), &[items.as_word()])?;
    if !is_group(vm, derived.as_word()) {
        return Err(vm.type_error("derive must return an instance of BaseExceptionGroup"));
    }
    let (from, to) = (exc::object(group), exc::object(derived.as_word()));
    exc::replace(&to.traceback, from.traceback.get());
    exc::replace(&to.context, from.context.get());
    exc::replace(&to.cause, from.cause.get());
    // As after setting a cause, there or not.
    to.suppress_context.set(true);
    if let Some(notes) = attr::get_attr_opt(vm, group, vm.names.__notes__)? {
        let copy = super::list_methods::list_from_iterable(vm, notes.as_word())?;
        attr::set_attr(
            vm,
            derived.as_word(),
            vm.names.__notes__,
            Some(copy.as_word()),
        )?;
    }
    Ok(Some(derived))
}

/// What `split` and `subgroup` select by: exception types, or a function.
enum Condition {
    Types(Owned),
    Predicate(Owned),
    /// These very exceptions.
    Identity(Vec<Owned>),
}
impl Condition {
    fn new(vm: Vm, value: Word) -> Result<Condition, Raised> {
        let is_exception_type = |word: Word| {
            word.is_instance(Kind::TYPE)
                && super::type_object::object(word).is_subtype(vm.exc.BaseException)
        };
        // SAFETY: the caller keeps the tuple.
        let all_types = tuple::is_tuple(value)
            && unsafe { tuple::items(value) }
                .iter()
                .all(|&item| is_exception_type(item));
        if is_exception_type(value) || all_types {
            return Ok(Condition::Types(Owned::new_ref(value)));
        }
        if call::is_callable(vm, value) && !value.is_instance(Kind::TYPE) {
            return Ok(Condition::Predicate(Owned::new_ref(value)));
        }
        Err(vm.type_error("expected an exception type, a tuple of exception types, or a callable (other than a class)"))
    }
    fn matches(&self, vm: Vm, exception: Word) -> Result<bool, Raised> {
        match self {
            Condition::Types(types) => protocol::is_instance(vm, exception, types.as_word()),
            Condition::Predicate(function) => {
                let answer = call::call_one(vm, function.as_word(), exception)?;
                protocol::is_true(vm, answer.as_word())
            }
            // A group is looked into, its leaves are compared.
            Condition::Identity(leaves) => {
                Ok(!is_group(vm, exception)
                    && leaves.iter().any(|leaf| leaf.as_word().is(exception)))
            }
        }
    }
}

/// The part of an exception that matches, and the rest if asked for (`exceptiongroup_split_recursive`).
type Split = (Option<Owned>, Option<Owned>);
fn split_by(
    vm: Vm,
    exception: Word,
    condition: &Condition,
    want_rest: bool,
) -> Result<Split, Raised> {
    if condition.matches(vm, exception)? {
        return Ok((Some(Owned::new_ref(exception)), None));
    }
    if !is_group(vm, exception) {
        return Ok((None, want_rest.then(|| Owned::new_ref(exception))));
    }
    vm.check_stack(" in exceptiongroup_split_recursive")?;
    let (mut matching, mut rest) = (Vec::new(), Vec::new());
    for &item in exceptions(exception) {
        let (found, left) = split_by(vm, item, condition, want_rest)?;
        matching.extend(found);
        rest.extend(left);
    }
    Ok((
        subset(vm, exception, matching)?,
        subset(vm, exception, rest)?,
    ))
}
/// Splits by types as `except*` does: what matches, and the rest.
pub fn split_types(vm: Vm, exception: Word, types: Word) -> Result<Split, Raised> {
    split_by(
        vm,
        exception,
        &Condition::Types(Owned::new_ref(types)),
        true,
    )
}
/// The part of a group whose leaves are among those of others (`exception_group_projection`).
pub fn project(vm: Vm, group: Word, keep: &[Word]) -> Result<Option<Owned>, Raised> {
    fn leaves(vm: Vm, exception: Word, into: &mut Vec<Owned>) -> Result<(), Raised> {
        if !is_group(vm, exception) {
            into.push(Owned::new_ref(exception));
            return Ok(());
        }
        vm.check_stack(" in collect_exception_group_leaf_ids")?;
        exceptions(exception)
            .iter()
            .try_for_each(|&item| leaves(vm, item, into))
    }
    let mut all = Vec::new();
    keep.iter()
        .try_for_each(|&exception| leaves(vm, exception, &mut all))?;
    Ok(split_by(vm, group, &Condition::Identity(all), false)?.0)
}

/// A group of these exceptions without a message (`_PyExc_CreateExceptionGroup`).
pub fn nameless_group(vm: Vm, items: Word) -> PyResult {
    let message = vm.empty_string();
    // SAFETY: the type lives as long as the VM.
    let class = unsafe { (*vm.exc.BaseExceptionGroup).word() };
    call::call(vm, class, &[message.as_word(), items], None)
}

/// Whether an exception is a part that `split` made of another: it keeps traceback, cause and context
/// (`is_same_exception_metadata`).
fn is_part_of(exception: Word, original: Word) -> bool {
    let (a, b) = (exc::object(exception), exc::object(original));
    let same = |a: Option<Word>, b: Option<Word>| match (a, b) {
        (Some(a), Some(b)) => a.is(b),
        (a, b) => a.is_none() && b.is_none(),
    };
    same(a.traceback.get(), b.traceback.get())
        && same(a.cause.get(), b.cause.get())
        && same(a.context.get(), b.context.get())
}

/// What is raised behind the last `except*`: of `raised`, what the clauses raised and what none of them handled, None
/// for nothing (`_PyExc_PrepReraiseStar`).
pub fn prepare_reraise_star(vm: Vm, original: Word, raised: &[Word]) -> PyResult {
    let mut raised = raised.iter().filter(|item| !item.is_none());
    if !is_group(vm, original) {
        // It was wrapped for the one clause that could run.
        return Ok(raised
            .next()
            .map_or(Owned::NONE, |&item| Owned::new_ref(item)));
    }
    let (again, new): (Vec<Word>, Vec<Word>) = raised
        .partition(|&&exception| exc::is_exception(exception) && is_part_of(exception, original));
    let again = project(vm, original, &again)?;
    let mut all: Vec<Owned> = new.into_iter().map(Owned::new_ref).collect();
    all.extend(again);
    match all.len() {
        0 => Ok(Owned::NONE),
        1 => Ok(all.swap_remove(0)),
        _ => nameless_group(vm, vm.list_from_owned(all)?.as_word()),
    }
}

fn or_none(value: Option<Owned>) -> Owned {
    value.unwrap_or(Owned::NONE)
}
fn split(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let (matching, rest) = split_by(vm, self_, &Condition::new(vm, args[0])?, true)?;
    vm.tuple_from_owned(vec![or_none(matching), or_none(rest)])
}
fn subgroup(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    split_by(vm, self_, &Condition::new(vm, args[0])?, false).map(|split| or_none(split.0))
}
fn derive(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let message = cell(self_, field::GROUP_MESSAGE)
        .get()
        .unwrap_or(Word::NONE);
    // SAFETY: the type lives as long as the VM.
    let class = unsafe { (*vm.exc.BaseExceptionGroup).word() };
    call::call(vm, class, &[message, args[0]], None)
}
pub(super) static METHODS: &[MethodDef] = &[
    super::generic_alias::CLASS_GETITEM,
    MethodDef::new("derive", meth::O, derive),
    MethodDef::new("split", meth::O, split),
    MethodDef::new("subgroup", meth::O, subgroup),
];

#[cfg(test)]
mod tests {
    use crate::object::testing::TestVm;

    #[test]
    fn groups() {
        let t = TestVm::new();
        let vm = t.vm();
        let value = t.make(vm.exc.ValueError, &[&t.i(1)]).unwrap();
        let key = t.make(vm.exc.KeyError, &[&t.s("k")]).unwrap();
        let inner = t
            .make(
                vm.exc.ExceptionGroup,
                &[&t.s("in"), &t.list(std::slice::from_ref(&key))],
            )
            .unwrap();
        let group = t
            .make(
                vm.exc.BaseExceptionGroup,
                &[&t.s("out"), &t.list(&[value.clone(), inner])],
            )
            .unwrap();
        assert_eq!(
            t.show(Ok(group.clone())),
            "ExceptionGroup('out', [ValueError(1), ExceptionGroup('in', [KeyError('k')])])"
        );
        let class = unsafe { crate::object::Owned::from_borrowed(vm.exc.KeyError) };
        assert_eq!(
            t.call_show(&group, "split", &[&class]),
            "(ExceptionGroup('out', [ExceptionGroup('in', [KeyError('k')])]), ExceptionGroup('out', [ValueError(1)]))"
        );
        let text = crate::object::protocol::str(vm, group.as_word());
        assert_eq!(t.show(text), "'out (2 sub-exceptions)'");
        assert_eq!(
            t.show(t.make(vm.exc.ExceptionGroup, &[&t.s("x"), &t.list(&[])])),
            "ValueError: second argument (exceptions) must be a non-empty sequence"
        );
        let exit = t.make(vm.exc.SystemExit, &[]).unwrap();
        assert_eq!(
            t.show(t.make(vm.exc.ExceptionGroup, &[&t.s("x"), &t.list(&[exit])])),
            "TypeError: Cannot nest BaseExceptions in an ExceptionGroup"
        );
    }
}
