//! Methods of `str` (`unicodeobject.c`): case, classification, searching, splitting, padding. The rest is in
//! `str_more.rs`.

use super::args::{self, Signature};
use super::descr::{MethodDef, meth};
use super::header::Kind;
use super::owned::{Owned, PyResult, Raised};
use super::str::{self, Chars, with_units};
use super::str_case::{self, build};
use super::str_more;
use super::str_search as search;
use super::str_text::exact;
use super::vm::Vm;
use super::word::Word;
use super::{list, number, sequence, unicode};

type Names = Option<Word>;

pub(super) static METHODS: &[MethodDef] = &[
    MethodDef::new(
        "encode",
        meth::FASTCALL | meth::KEYWORDS,
        super::codecs::str_encode,
    ),
    MethodDef::new("replace", meth::FASTCALL | meth::KEYWORDS, replace),
    MethodDef::new("split", meth::FASTCALL | meth::KEYWORDS, split),
    MethodDef::new("rsplit", meth::FASTCALL | meth::KEYWORDS, rsplit),
    MethodDef::new("join", meth::O, join),
    MethodDef::new("capitalize", meth::NOARGS, str_case::capitalize),
    MethodDef::new("casefold", meth::NOARGS, str_case::casefold),
    MethodDef::new("title", meth::NOARGS, str_case::title),
    MethodDef::new("center", meth::FASTCALL, center),
    MethodDef::new("count", meth::FASTCALL, count),
    MethodDef::new(
        "expandtabs",
        meth::FASTCALL | meth::KEYWORDS,
        str_more::expandtabs,
    ),
    MethodDef::new("find", meth::FASTCALL, find),
    MethodDef::new("partition", meth::O, partition),
    MethodDef::new("index", meth::FASTCALL, index),
    MethodDef::new("ljust", meth::FASTCALL, ljust),
    MethodDef::new("lower", meth::NOARGS, str_case::lower),
    MethodDef::new("lstrip", meth::FASTCALL, lstrip),
    MethodDef::new("rfind", meth::FASTCALL, rfind),
    MethodDef::new("rindex", meth::FASTCALL, rindex),
    MethodDef::new("rjust", meth::FASTCALL, rjust),
    MethodDef::new("rstrip", meth::FASTCALL, rstrip),
    MethodDef::new("rpartition", meth::O, rpartition),
    MethodDef::new("splitlines", meth::FASTCALL | meth::KEYWORDS, splitlines),
    MethodDef::new("strip", meth::FASTCALL, strip),
    MethodDef::new("swapcase", meth::NOARGS, str_case::swapcase),
    MethodDef::new("translate", meth::O, str_more::translate),
    MethodDef::new("upper", meth::NOARGS, str_case::upper),
    MethodDef::new("startswith", meth::FASTCALL, startswith),
    MethodDef::new("endswith", meth::FASTCALL, endswith),
    MethodDef::new("removeprefix", meth::O, removeprefix),
    MethodDef::new("removesuffix", meth::O, removesuffix),
    MethodDef::new("isascii", meth::NOARGS, |_, s, _, _| {
        Ok(Owned::bool(str::object(s).is_ascii()))
    }),
    MethodDef::new("islower", meth::NOARGS, islower),
    MethodDef::new("isupper", meth::NOARGS, isupper),
    MethodDef::new("istitle", meth::NOARGS, istitle),
    MethodDef::new("isspace", meth::NOARGS, |_, s, _, _| {
        all(s, unicode::is_space)
    }),
    MethodDef::new("isdecimal", meth::NOARGS, |_, s, _, _| {
        all(s, |c| super::int_text::decimal_digit(c).is_some())
    }),
    MethodDef::new("isdigit", meth::NOARGS, |_, s, _, _| {
        all(s, unicode::is_digit)
    }),
    MethodDef::new("isnumeric", meth::NOARGS, |_, s, _, _| {
        all(s, unicode::is_numeric)
    }),
    MethodDef::new("isalpha", meth::NOARGS, |_, s, _, _| {
        all(s, unicode::is_alpha)
    }),
    MethodDef::new("isalnum", meth::NOARGS, |_, s, _, _| {
        all(s, |c| unicode::is_alpha(c) || unicode::is_numeric(c))
    }),
    MethodDef::new("isidentifier", meth::NOARGS, |_, s, _, _| {
        Ok(Owned::bool(is_identifier(s)))
    }),
    MethodDef::new("isprintable", meth::NOARGS, isprintable),
    MethodDef::new("zfill", meth::O, zfill),
    MethodDef::new(
        "format",
        meth::VARARGS | meth::KEYWORDS,
        super::str_format::str_format,
    ),
    MethodDef::new("format_map", meth::O, super::str_format::str_format_map),
    MethodDef::new("__format__", meth::O, super::format::str_dunder_format),
    MethodDef::new(
        "maketrans",
        meth::FASTCALL | meth::STATIC,
        str_more::maketrans,
    ),
    MethodDef::new("__getnewargs__", meth::NOARGS, getnewargs),
];

fn getnewargs(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let copy = exact(vm, self_)?;
    vm.new_tuple(&[copy.as_word()])
}

fn all(word: Word, test: impl Fn(u32) -> bool) -> PyResult {
    let chars = str::chars(word);
    Ok(Owned::bool(!chars.is_empty() && chars.iter().all(test)))
}
/// `str.isidentifier` (`PyUnicode_IsIdentifier`).
pub fn is_identifier(word: Word) -> bool {
    let mut chars = str::chars(word).iter();
    chars.next().is_some_and(unicode::is_id_start) && chars.all(unicode::is_id_continue)
}
fn isprintable(_: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    Ok(Owned::bool(
        str::chars(self_).iter().all(unicode::is_printable),
    ))
}
fn islower(_: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let mut cased = false;
    for c in str::chars(self_).iter() {
        if unicode::is_upper(c) || unicode::is_title(c) {
            return Ok(Owned::FALSE);
        }
        cased |= unicode::is_lower(c);
    }
    Ok(Owned::bool(cased))
}
fn isupper(_: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let mut cased = false;
    for c in str::chars(self_).iter() {
        if unicode::is_lower(c) || unicode::is_title(c) {
            return Ok(Owned::FALSE);
        }
        cased |= unicode::is_upper(c);
    }
    Ok(Owned::bool(cased))
}
fn istitle(_: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let (mut cased, mut inside) = (false, false);
    for c in str::chars(self_).iter() {
        if unicode::is_upper(c) || unicode::is_title(c) {
            if inside {
                return Ok(Owned::FALSE);
            }
            (cased, inside) = (true, true);
        } else if unicode::is_lower(c) {
            if !inside {
                return Ok(Owned::FALSE);
            }
            cased = true;
        } else {
            inside = false;
        }
    }
    Ok(Owned::bool(cased))
}

// ---- searching

/// `sub[, start[, end]]` of the find family, bounds resolved; None when they leave nothing.
fn find_args(
    vm: Vm,
    name: &str,
    self_: Word,
    args: &[Word],
) -> Result<Option<(usize, usize)>, Raised> {
    args::check_positional(vm, name, args.len(), 1, 3)?;
    if !str::is_str(args[0]) {
        return Err(vm.type_error(format!(
            "{name}() argument 1 must be str, not {}",
            vm.argument_type(args[0])
        )));
    }
    bounds(vm, &args[1..], str::object(self_).length)
}
pub(super) fn bounds(
    vm: Vm,
    args: &[Word],
    length: usize,
) -> Result<Option<(usize, usize)>, Raised> {
    let part = |index: usize, default: isize| match args.get(index) {
        None => Ok(default),
        Some(word) if word.is_none() => Ok(default),
        Some(&word) if number::is_index(vm, word) => number::index_clamped(vm, word),
        Some(_) => {
            Err(vm.type_error("slice indices must be integers or None or have an __index__ method"))
        }
    };
    let (start, end) = (part(0, 0)?, part(1, isize::MAX)?);
    Ok(search::bounded(start, end, length))
}
fn locate(
    vm: Vm,
    name: &str,
    self_: Word,
    args: &[Word],
    from_right: bool,
) -> Result<Option<usize>, Raised> {
    let Some((start, end)) = find_args(vm, name, self_, args)? else {
        return Ok(None);
    };
    let (text, part) = (str::chars(self_).slice(start, end), str::chars(args[0]));
    let found = if from_right {
        search::rfind(text, part)
    } else {
        search::find(text, part)
    };
    Ok(found.map(|index| index + start))
}
fn find(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    vm.new_int(locate(vm, "find", self_, args, false)?.map_or(-1, |index| index as i64))
}
fn rfind(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    vm.new_int(locate(vm, "rfind", self_, args, true)?.map_or(-1, |index| index as i64))
}
fn index(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    match locate(vm, "index", self_, args, false)? {
        Some(index) => vm.new_int(index as i64),
        None => Err(vm.value_error("substring not found")),
    }
}
fn rindex(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    match locate(vm, "rindex", self_, args, true)? {
        Some(index) => vm.new_int(index as i64),
        None => Err(vm.value_error("substring not found")),
    }
}
fn count(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let count = match find_args(vm, "count", self_, args)? {
        Some((start, end)) => {
            search::count(str::chars(self_).slice(start, end), str::chars(args[0]))
        }
        None => 0,
    };
    vm.new_int(count as i64)
}
fn matches_at_end(text: Chars<'_>, part: Chars<'_>, from_right: bool) -> bool {
    let (length, wanted) = (text.len(), part.len());
    if wanted > length {
        return false;
    }
    let piece = if from_right {
        text.slice(length - wanted, length)
    } else {
        text.slice(0, wanted)
    };
    match (piece, part) {
        (Chars::One(piece), Chars::One(part)) => piece == part,
        (piece, part) => piece.iter().eq(part.iter()),
    }
}
fn tailmatch(vm: Vm, name: &str, self_: Word, args: &[Word], from_right: bool) -> PyResult {
    args::check_positional(vm, name, args.len(), 1, 3)?;
    let bounds = bounds(vm, &args[1..], str::object(self_).length)?;
    let test = |part: Word| {
        bounds.is_some_and(|(start, end)| {
            matches_at_end(
                str::chars(self_).slice(start, end),
                str::chars(part),
                from_right,
            )
        })
    };
    if str::is_str(args[0]) {
        return Ok(Owned::bool(test(args[0])));
    }
    if !super::tuple::is_tuple(args[0]) {
        return Err(vm.type_error(format!(
            "{name} first arg must be str or a tuple of str, not {}",
            vm.type_name(args[0])
        )));
    }
    // SAFETY: the caller keeps the tuple.
    for &part in unsafe { super::tuple::items(args[0]) } {
        if !str::is_str(part) {
            return Err(vm.type_error(format!(
                "tuple for {name} must only contain str, not {}",
                vm.type_name(part)
            )));
        }
        if test(part) {
            return Ok(Owned::TRUE);
        }
    }
    Ok(Owned::FALSE)
}
fn startswith(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    tailmatch(vm, "startswith", self_, args, false)
}
fn endswith(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    tailmatch(vm, "endswith", self_, args, true)
}
fn removeprefix(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    remove_affix(vm, "removeprefix", self_, args[0], false)
}
fn removesuffix(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    remove_affix(vm, "removesuffix", self_, args[0], true)
}
fn remove_affix(vm: Vm, name: &str, self_: Word, part: Word, from_right: bool) -> PyResult {
    require_argument(vm, name, part)?;
    let (text, part) = (str::chars(self_), str::chars(part));
    if part.is_empty() || !matches_at_end(text, part, from_right) {
        return exact(vm, self_);
    }
    let cut = part.len();
    vm.str_from_chars(if from_right {
        text.slice(0, text.len() - cut)
    } else {
        text.slice(cut, text.len())
    })
}
fn require_argument(vm: Vm, name: &str, word: Word) -> Result<(), Raised> {
    if str::is_str(word) {
        return Ok(());
    }
    Err(vm.type_error(format!(
        "{name}() argument must be str, not {}",
        vm.argument_type(word)
    )))
}

// ---- replacing, splitting, joining

fn replace(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    const SIGNATURE: Signature<3> =
        Signature::new("replace", ["old", "new", "count"], 2).positional_only(2);
    let [old, new, count] = SIGNATURE.unpack(vm, args, names)?;
    let (Some(old), Some(new)) = (old, new) else {
        return Err(Raised);
    };
    for (index, word) in [old, new].into_iter().enumerate() {
        if !str::is_str(word) {
            return Err(vm.type_error(format!(
                "replace() argument {} must be str, not {}",
                index + 1,
                vm.argument_type(word)
            )));
        }
    }
    let count = count.map_or(Ok(-1), |count| number::index_isize(vm, count))?;
    search::replace(vm, self_, old, new, count)
}
fn split_args(
    vm: Vm,
    name: &'static str,
    args: &[Word],
    names: Names,
) -> Result<(Option<Word>, usize), Raised> {
    let signature: Signature<2> = Signature::new(name, ["sep", "maxsplit"], 0);
    let [separator, limit] = signature.unpack(vm, args, names)?;
    let limit = limit.map_or(Ok(-1), |limit| number::index_isize(vm, limit))?;
    let limit = if limit < 0 {
        usize::MAX
    } else {
        limit as usize
    };
    match separator {
        None => Ok((None, limit)),
        Some(word) if word.is_none() => Ok((None, limit)),
        Some(word) if !str::is_str(word) => {
            Err(vm.type_error(format!("must be str or None, not {}", vm.type_name(word))))
        }
        Some(word) if str::object(word).length == 0 => Err(vm.value_error("empty separator")),
        Some(word) => Ok((Some(word), limit)),
    }
}
fn split(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    match split_args(vm, "split", args, names)? {
        (Some(separator), limit) => search::split(vm, self_, str::chars(separator), limit),
        (None, limit) => search::split_whitespace(vm, self_, limit),
    }
}
fn rsplit(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    match split_args(vm, "rsplit", args, names)? {
        (Some(separator), limit) => search::rsplit(vm, self_, str::chars(separator), limit),
        (None, limit) => search::rsplit_whitespace(vm, self_, limit),
    }
}
fn splitlines(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    const SIGNATURE: Signature<1> = Signature::new("splitlines", ["keepends"], 0);
    let [keep] = SIGNATURE.unpack(vm, args, names)?;
    let keep = keep.map_or(Ok(false), |keep| super::protocol::is_true(vm, keep))?;
    search::splitlines(vm, self_, keep)
}
fn join(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    join_iterable(vm, self_, args[0])
}
/// An iterator over what is to be joined.
pub(super) fn joined(vm: Vm, iterable: Word) -> PyResult {
    sequence::get_iter(vm, iterable).map_err(|raised| {
        if !vm.exception_matches(vm.exc.TypeError) {
            return raised;
        }
        vm.clear_exception();
        vm.type_error("can only join an iterable")
    })
}
/// `separator.join(iterable)` (`PyUnicode_Join`).
pub fn join_iterable(vm: Vm, separator: Word, iterable: Word) -> PyResult {
    // SAFETY: types are live as long as an instance.
    if unsafe {
        (*vm.type_of(iterable)).slots.iter.is_none()
            && (*vm.type_of(iterable)).slots.getitem.is_none()
    } {
        return Err(vm.type_error("can only join an iterable"));
    }
    // Joining runs no Python code, so nothing changes a list meanwhile.
    if iterable.is_exact(Kind::LIST) {
        // SAFETY: as said.
        return search::join(vm, separator, unsafe { list::items(iterable) });
    }
    let items = match iterable.is_exact(Kind::TUPLE) {
        true => sequence::collect(vm, iterable)?,
        false => sequence::collect(vm, joined(vm, iterable)?.as_word())?,
    };
    search::join(vm, separator, Owned::words(&items))
}
fn partition(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    partition_checked(vm, self_, args[0], false)
}
fn rpartition(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    partition_checked(vm, self_, args[0], true)
}
fn partition_checked(vm: Vm, self_: Word, separator: Word, from_right: bool) -> PyResult {
    if !str::is_str(separator) {
        return Err(vm.type_error(format!("must be str, not {}", vm.type_name(separator))));
    }
    search::partition(vm, self_, separator, from_right)
}

// ---- padding and stripping

fn pad_args(vm: Vm, name: &str, args: &[Word]) -> Result<(isize, u32), Raised> {
    args::check_positional(vm, name, args.len(), 1, 2)?;
    let width = number::index_isize(vm, args[0])?;
    let fill = match args.get(1) {
        None => 0x20,
        Some(&fill) if !str::is_str(fill) => {
            return Err(vm.type_error(format!(
                "The fill character must be a unicode character, not {}",
                vm.type_name(fill)
            )));
        }
        Some(&fill) if str::object(fill).length != 1 => {
            return Err(vm.type_error("The fill character must be exactly one character long"));
        }
        Some(&fill) => str::chars(fill).at(0),
    };
    Ok((width, fill))
}
fn padded(vm: Vm, self_: Word, left: usize, right: usize, fill: u32) -> PyResult {
    let chars = str::chars(self_);
    let total = chars
        .len()
        .checked_add(left)
        .and_then(|sum| sum.checked_add(right))
        .ok_or_else(|| vm.no_memory())?;
    build(vm, total, |writer| {
        writer.push_repeated(fill, left)?;
        writer.push_chars(chars)?;
        writer.push_repeated(fill, right)
    })
}
fn missing(self_: Word, width: isize) -> Option<usize> {
    let missing = width - str::object(self_).length as isize;
    (missing > 0).then_some(missing as usize)
}
fn center(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let (width, fill) = pad_args(vm, "center", args)?;
    let Some(missing) = missing(self_, width) else {
        return exact(vm, self_);
    };
    let left = missing / 2 + (missing & width as usize & 1);
    padded(vm, self_, left, missing - left, fill)
}
fn ljust(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let (width, fill) = pad_args(vm, "ljust", args)?;
    match missing(self_, width) {
        Some(missing) => padded(vm, self_, 0, missing, fill),
        None => exact(vm, self_),
    }
}
fn rjust(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let (width, fill) = pad_args(vm, "rjust", args)?;
    match missing(self_, width) {
        Some(missing) => padded(vm, self_, missing, 0, fill),
        None => exact(vm, self_),
    }
}
fn zfill(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let width = number::index_isize(vm, args[0])?;
    let Some(missing) = missing(self_, width) else {
        return exact(vm, self_);
    };
    let chars = str::chars(self_);
    let signs = usize::from(!chars.is_empty() && matches!(chars.at(0), 0x2b | 0x2d));
    build(vm, width as usize, |writer| {
        writer.push_chars(chars.slice(0, signs))?;
        writer.push_repeated(0x30, missing)?;
        writer.push_chars(chars.slice(signs, chars.len()))
    })
}
fn strip_with(vm: Vm, name: &str, self_: Word, args: &[Word], left: bool, right: bool) -> PyResult {
    args::check_positional(vm, name, args.len(), 0, 1)?;
    let chars = str::chars(self_);
    let cut = |test: &dyn Fn(u32) -> bool| {
        let (mut start, mut end) = (0, chars.len());
        while left && start < end && test(chars.at(start)) {
            start += 1;
        }
        while right && start < end && test(chars.at(end - 1)) {
            end -= 1;
        }
        (start, end)
    };
    let (start, end) = match args.first() {
        Some(&set) if !set.is_none() => {
            if !str::is_str(set) {
                return Err(vm.type_error(format!("{name} arg must be None or str")));
            }
            let set = str::chars(set);
            cut(&|c| with_units!(set, units => units.iter().any(|&unit| u32::from(unit) == c)))
        }
        _ => cut(&unicode::is_space),
    };
    if start == 0 && end == chars.len() {
        exact(vm, self_)
    } else {
        vm.substring(self_, start, end)
    }
}
fn strip(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    strip_with(vm, "strip", self_, args, true, true)
}
fn lstrip(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    strip_with(vm, "lstrip", self_, args, true, false)
}
fn rstrip(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    strip_with(vm, "rstrip", self_, args, false, true)
}
