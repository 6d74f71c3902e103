//! The type `code` as programs see it (`codeobject.c`).

use super::code::{self, CodeObject};
use crate::bytecode::spec::local_kind;
use crate::bytecode::tables;
use crate::object::descr::{GetSetDef, MethodDef, meth};
use crate::object::types::{Slots, type_flag};
use crate::object::{Kind, Object, Owned, PyResult, TypeSpec, Vm, Word, bytes, sequence};

static GETSET: [GetSetDef; 19] = [
    GetSetDef::new("co_name", |_, code| Ok(Owned::new_ref(of(code).name)), None),
    GetSetDef::new(
        "co_qualname",
        |_, code| Ok(Owned::new_ref(of(code).qualname)),
        None,
    ),
    GetSetDef::new(
        "co_filename",
        |_, code| Ok(Owned::new_ref(of(code).filename)),
        None,
    ),
    GetSetDef::new(
        "co_firstlineno",
        |vm, code| vm.new_int(of(code).spec.firstlineno.into()),
        None,
    ),
    GetSetDef::new(
        "co_argcount",
        |vm, code| vm.new_int(of(code).spec.argcount.into()),
        None,
    ),
    GetSetDef::new(
        "co_posonlyargcount",
        |vm, code| vm.new_int(of(code).spec.posonlyargcount.into()),
        None,
    ),
    GetSetDef::new(
        "co_kwonlyargcount",
        |vm, code| vm.new_int(of(code).spec.kwonlyargcount.into()),
        None,
    ),
    GetSetDef::new(
        "co_nlocals",
        |vm, code| vm.new_int_usize(names_of_kind(of(code), is_local).count()),
        None,
    ),
    GetSetDef::new(
        "co_stacksize",
        |vm, code| vm.new_int(of(code).spec.stacksize.into()),
        None,
    ),
    GetSetDef::new(
        "co_flags",
        |vm, code| vm.new_int(of(code).spec.flags.into()),
        None,
    ),
    GetSetDef::new(
        "co_code",
        |vm, code| bytes::new_bytes(vm, &of(code).spec.code),
        None,
    ),
    GetSetDef::new(
        "_co_code_adaptive",
        |vm, code| bytes::new_bytes(vm, &adaptive_code(of(code))),
        None,
    ),
    GetSetDef::new(
        "co_consts",
        |vm, code| vm.new_tuple(of(code).consts()),
        None,
    ),
    GetSetDef::new("co_names", |vm, code| vm.new_tuple(&of(code).names), None),
    GetSetDef::new(
        "co_varnames",
        |vm, code| names_tuple(vm, code, is_local),
        None,
    ),
    GetSetDef::new(
        "co_cellvars",
        |vm, code| names_tuple(vm, code, |kind| kind & local_kind::CELL != 0),
        None,
    ),
    GetSetDef::new(
        "co_freevars",
        |vm, code| names_tuple(vm, code, |kind| kind & local_kind::FREE != 0),
        None,
    ),
    GetSetDef::new(
        "co_linetable",
        |vm, code| bytes::new_bytes(vm, &of(code).spec.linetable),
        None,
    ),
    GetSetDef::new(
        "co_exceptiontable",
        |vm, code| bytes::new_bytes(vm, &of(code).spec.exceptiontable),
        None,
    ),
];

static METHODS: [MethodDef; 2] = [
    MethodDef::new("co_lines", meth::NOARGS, lines),
    MethodDef::new("co_positions", meth::NOARGS, positions),
];

pub(super) fn type_spec() -> TypeSpec {
    let slots = Slots {
        dealloc: code::dealloc,
        traverse: Some(traverse),
        repr: Some(repr),
        ..Slots::EMPTY
    };
    TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        getset: &GETSET,
        methods: &METHODS,
        ..TypeSpec::new::<CodeObject>("code", Kind::CODE, slots)
    }
}

fn of<'a>(code: Word) -> &'a CodeObject {
    debug_assert!(code.is_exact(Kind::CODE));
    // SAFETY: contract of Word; code changes through cells only.
    unsafe { &*code.cast::<CodeObject>() }
}

fn repr(vm: Vm, code: Word) -> PyResult {
    let spec = &of(code).spec;
    let name = spec.name.to_string_lossy();
    let (file, line) = (&spec.filename, spec.firstlineno);
    vm.new_str(&format!(
        "<code object {name} at {:p}, file \"{file}\", line {line}>",
        code.object()
    ))
}

fn is_local(kind: u8) -> bool {
    // A cell that is no argument has a place of its own behind the locals.
    kind & local_kind::FREE == 0 && kind & local_kind::LOCAL != 0
}

fn names_of_kind(code: &CodeObject, wanted: fn(u8) -> bool) -> impl Iterator<Item = Word> {
    let kinds = code.spec.localspluskinds.iter();
    code.localsplusnames
        .iter()
        .zip(kinds)
        .filter(move |(_, kind)| wanted(**kind))
        .map(|(name, _)| *name)
}

fn names_tuple(vm: Vm, code: Word, wanted: fn(u8) -> bool) -> PyResult {
    vm.new_tuple(&names_of_kind(of(code), wanted).collect::<Vec<_>>())
}

/// The code as it is now, caches included.
fn adaptive_code(code: &CodeObject) -> Vec<u8> {
    code.adaptive().iter().map(std::cell::Cell::get).collect()
}

fn optional(vm: Vm, value: i32) -> PyResult {
    if value < 0 {
        Ok(Owned::NONE)
    } else {
        vm.new_int(value.into())
    }
}

fn malformed(vm: Vm) -> crate::object::Raised {
    vm.value_error("malformed location table")
}

/// Start, end and line of each run of instructions of one line.
fn lines(vm: Vm, code: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let spec = &of(code).spec;
    let ranges =
        tables::read_lines(&spec.linetable, spec.firstlineno).map_err(|_| malformed(vm))?;
    let rows = ranges.iter().map(|range| {
        let line = optional(vm, range.line.unwrap_or(-1))?;
        vm.new_tuple(&[
            Word::int_unchecked(2 * i64::from(range.start)),
            Word::int_unchecked(2 * i64::from(range.end)),
            line.as_word(),
        ])
    });
    let rows = vm.list_from_owned(rows.collect::<Result<_, _>>()?)?;
    sequence::get_iter(vm, rows.as_word())
}

/// Line, end line, column, end column of each code unit.
fn positions(vm: Vm, code: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let spec = &of(code).spec;
    let ranges =
        tables::read_locations(&spec.linetable, spec.firstlineno).map_err(|_| malformed(vm))?;
    let mut rows = Vec::new();
    for range in ranges {
        let place = [
            range.loc.lineno,
            range.loc.end_lineno,
            range.loc.col_offset,
            range.loc.end_col_offset,
        ];
        let place = place.map(|value| optional(vm, value));
        let [line, end_line, column, end_column] = place;
        let row = vm.tuple_from_owned(vec![line?, end_line?, column?, end_column?])?;
        rows.extend((range.start..range.end).map(|_| row.clone()));
    }
    let rows = vm.list_from_owned(rows)?;
    sequence::get_iter(vm, rows.as_word())
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { (*object.cast::<CodeObject>()).consts() }
        .iter()
        .copied()
        .for_each(visit);
}
