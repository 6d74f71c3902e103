//! The type `code` as programs see it (`codeobject.c`).

use super::code::{self, CodeObject};
use super::{code_compare, code_make, warnings};
use crate::bytecode::Opcode;
use crate::bytecode::instructions::instructions;
use crate::bytecode::spec::local_kind;
use crate::bytecode::tables;
use crate::object::descr::{GetSetDef, MethodDef, meth};
use crate::object::types::Slots;
use crate::object::{
    Kind, Object, Owned, PyResult, Raised, TypeSpec, Vm, Word, bytes, number, sequence,
};

static GETSET: [GetSetDef; 20] = [
    GetSetDef::member("co_name", |_, code| Ok(Owned::new_ref(of(code).name))),
    GetSetDef::member("co_qualname", |_, code| {
        Ok(Owned::new_ref(of(code).qualname))
    }),
    GetSetDef::member("co_filename", |_, code| {
        Ok(Owned::new_ref(of(code).filename))
    }),
    GetSetDef::member("co_firstlineno", |vm, code| {
        vm.new_int(of(code).spec.firstlineno.into())
    }),
    GetSetDef::member("co_argcount", |vm, code| {
        vm.new_int(of(code).spec.argcount.into())
    }),
    GetSetDef::member("co_posonlyargcount", |vm, code| {
        vm.new_int(of(code).spec.posonlyargcount.into())
    }),
    GetSetDef::member("co_kwonlyargcount", |vm, code| {
        vm.new_int(of(code).spec.kwonlyargcount.into())
    }),
    GetSetDef::member("co_nlocals", |vm, code| {
        vm.new_int_usize(names_of_kind(of(code), is_local).count())
    }),
    GetSetDef::member("co_stacksize", |vm, code| {
        vm.new_int(of(code).spec.stacksize.into())
    }),
    GetSetDef::member("co_flags", |vm, code| {
        vm.new_int(of(code).spec.flags.into())
    }),
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
    GetSetDef::member("co_consts", |vm, code| vm.new_tuple(of(code).consts())),
    GetSetDef::member("co_names", |vm, code| vm.new_tuple(&of(code).names)),
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
    GetSetDef::member("co_linetable", |vm, code| {
        bytes::new_bytes(vm, &of(code).spec.linetable)
    }),
    GetSetDef::member("co_exceptiontable", |vm, code| {
        bytes::new_bytes(vm, &of(code).spec.exceptiontable)
    }),
    GetSetDef::new("co_lnotab", lnotab, None),
];

const KEYWORDS: u16 = meth::FASTCALL | meth::KEYWORDS;

static METHODS: [MethodDef; 6] = [
    MethodDef::new("__replace__", KEYWORDS, code_make::replace),
    MethodDef::new("_varname_from_oparg", meth::O, varname_from_oparg),
    MethodDef::new("co_branches", meth::NOARGS, branches),
    MethodDef::new("co_lines", meth::NOARGS, lines),
    MethodDef::new("co_positions", meth::NOARGS, positions),
    MethodDef::new("replace", KEYWORDS, code_make::replace),
];

pub(super) fn type_spec() -> TypeSpec {
    let slots = Slots {
        dealloc: code::dealloc,
        traverse: Some(traverse),
        repr: Some(repr),
        richcompare: Some(code_compare::compare),
        hash: Some(code_compare::hash),
        new: Some(code_make::code_new),
        ..Slots::EMPTY
    };
    TypeSpec {
        getset: &GETSET,
        methods: &METHODS,
        ..TypeSpec::new::<CodeObject>("code", Kind::CODE, slots)
    }
}

pub(super) fn of<'a>(code: Word) -> &'a CodeObject {
    debug_assert!(code.is_exact(Kind::CODE));
    // SAFETY: contract of Word; code changes through cells only.
    unsafe { &*code.cast::<CodeObject>() }
}

fn repr(vm: Vm, code: Word) -> PyResult {
    let spec = &of(code).spec;
    let name = spec.name.to_string_lossy();
    let line = match spec.firstlineno {
        0 => -1,
        line => line,
    };
    let file = &spec.filename;
    vm.new_str(&format!(
        "<code object {name} at {:p}, file \"{file}\", line {line}>",
        code.object()
    ))
}

fn is_local(kind: u8) -> bool {
    // A cell that is no argument has a place of its own behind the locals.
    kind & local_kind::FREE == 0 && kind & local_kind::LOCAL != 0
}

pub(super) fn names_of_kind(
    code: &CodeObject,
    wanted: impl Fn(u8) -> bool,
) -> impl Iterator<Item = Word> {
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

fn malformed(vm: Vm) -> Raised {
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

/// The name of a local, cell or free variable by the number that instructions have for it.
fn varname_from_oparg(vm: Vm, code: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let index = number::index_isize(vm, args[0])?;
    let names = &of(code).localsplusnames;
    match usize::try_from(index).ok().and_then(|at| names.get(at)) {
        Some(name) => Ok(Owned::new_ref(*name)),
        None => Err(vm.raise(vm.exc.IndexError, "tuple index out of range")),
    }
}

/// Offset of each instruction with two ways on, and where they lead: not taken, taken (`branchesiter_next`).
fn branches(vm: Vm, code: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let mut rows = Vec::new();
    for instr in instructions(&of(code).spec.code) {
        let end = instr.end() as i64;
        let Some(target) = instr.jump_target() else {
            continue;
        };
        let row = match instr.op {
            // NOT_TAKEN stands behind it.
            Opcode::POP_JUMP_IF_FALSE
            | Opcode::POP_JUMP_IF_TRUE
            | Opcode::POP_JUMP_IF_NONE
            | Opcode::POP_JUMP_IF_NOT_NONE => [instr.offset as i64, end + 1, target],
            // END_FOR and POP_ITER stand at the target.
            Opcode::FOR_ITER => [instr.offset as i64, end, target + 2],
            // The branch is at END_SEND, with NOT_TAKEN behind it.
            Opcode::END_ASYNC_FOR => [target, target + 2, end],
            _ => continue,
        };
        let row = row.map(|unit| Word::int_unchecked(2 * unit));
        rows.push(vm.new_tuple(&row)?);
    }
    let rows = vm.list_from_owned(rows)?;
    sequence::get_iter(vm, rows.as_word())
}

/// The table of lines in the form that it had before 3.10 (`decode_linetable`): pairs of bytes, what to add to the offset
/// and to the line.
fn lnotab(vm: Vm, code: Word) -> PyResult {
    let message = "co_lnotab is deprecated, use co_lines instead.";
    warnings::warn(vm, vm.exc.DeprecationWarning, message);
    let spec = &of(code).spec;
    let ranges =
        tables::read_locations(&spec.linetable, spec.firstlineno).map_err(|_| malformed(vm))?;
    let (mut table, mut at, mut line) = (Vec::new(), 0, spec.firstlineno);
    for range in ranges {
        if range.loc.lineno < 0 || range.loc.lineno == line {
            continue;
        }
        let mut bytes = 2 * (range.start - at);
        let mut lines = i64::from(range.loc.lineno) - i64::from(line);
        (at, line) = (range.start, range.loc.lineno);
        while bytes > 255 {
            table.extend([255, 0]);
            bytes -= 255;
        }
        while !(-128..=127).contains(&lines) {
            let part = if lines > 0 { 127 } else { -128 };
            table.extend([bytes as u8, part as i8 as u8]);
            lines -= part;
            bytes = 0;
        }
        table.extend([bytes as u8, lines as i8 as u8]);
    }
    bytes::new_bytes(vm, &table)
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { (*object.cast::<CodeObject>()).consts() }
        .iter()
        .copied()
        .for_each(visit);
}
