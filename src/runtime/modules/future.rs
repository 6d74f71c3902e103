//! `__future__`: features that were once optional.

use super::set;
use super::struct_seq::{self, StructSeq, item, struct_seq};
use crate::object::descr::GetSetDef;
use crate::object::{Owned, PyResult, Vm, Word};
use crate::runtime::thread::Thread;

struct_seq!(Feature, "__future__._Feature", 3: optional 0 mandatory 1 compiler_flag 2);

type Release = (i64, i64, i64, &'static str, i64);

/// Name, first release with the feature, release that made it mandatory, flag for `compile`.
static FEATURES: [(&str, Release, Option<Release>, i64); 10] = [
    (
        "nested_scopes",
        (2, 1, 0, "beta", 1),
        Some((2, 2, 0, "alpha", 0)),
        0x10,
    ),
    (
        "generators",
        (2, 2, 0, "alpha", 1),
        Some((2, 3, 0, "final", 0)),
        0,
    ),
    (
        "division",
        (2, 2, 0, "alpha", 2),
        Some((3, 0, 0, "alpha", 0)),
        0x20000,
    ),
    (
        "absolute_import",
        (2, 5, 0, "alpha", 1),
        Some((3, 0, 0, "alpha", 0)),
        0x40000,
    ),
    (
        "with_statement",
        (2, 5, 0, "alpha", 1),
        Some((2, 6, 0, "alpha", 0)),
        0x80000,
    ),
    (
        "print_function",
        (2, 6, 0, "alpha", 2),
        Some((3, 0, 0, "alpha", 0)),
        0x100000,
    ),
    (
        "unicode_literals",
        (2, 6, 0, "alpha", 2),
        Some((3, 0, 0, "alpha", 0)),
        0x200000,
    ),
    (
        "barry_as_FLUFL",
        (3, 1, 0, "alpha", 2),
        Some((4, 0, 0, "alpha", 0)),
        0x400000,
    ),
    (
        "generator_stop",
        (3, 5, 0, "beta", 1),
        Some((3, 7, 0, "alpha", 0)),
        0x800000,
    ),
    ("annotations", (3, 7, 0, "beta", 1), None, 0x1000000),
];

pub(super) fn make(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = vm.new_module("__future__")?;
    let ty = struct_seq::make_type::<Feature>(vm)?;
    let mut names = Vec::new();
    for (name, optional, mandatory, flag) in &FEATURES {
        let mandatory = mandatory
            .as_ref()
            .map_or(Ok(Owned::NONE), |release| release_tuple(vm, release))?;
        let items = vec![
            release_tuple(vm, optional)?,
            mandatory,
            Owned::small_int(*flag),
        ];
        // SAFETY: the type has three fields.
        let feature = unsafe { struct_seq::instance(vm, ty, items)? };
        set(vm, &module, name, feature.as_word())?;
        names.push(vm.new_str(name)?);
    }
    let names = vm.list_from_owned(names)?;
    set(vm, &module, "all_feature_names", names.as_word())?;
    Ok(module)
}

fn release_tuple(vm: Vm, (major, minor, micro, level, serial): &Release) -> PyResult {
    let level = vm.new_str(level)?;
    let word = |number: &i64| Word::int_unchecked(*number);
    vm.new_tuple(&[
        word(major),
        word(minor),
        word(micro),
        level.as_word(),
        word(serial),
    ])
}
