//! Methods of `bytes` (`bytesobject.c`, `bytes_methods.c`, `stringlib/`). Case and classes of characters are ASCII's.

use super::args::{self, Signature};
use super::bytes::{self, build, byte, concat, contents, is_bytes_like, new_bytes};
use super::descr::{MethodDef, meth};
use super::header::Kind;
use super::owned::{Owned, PyResult, Raised};
use super::str_methods::bounds;
use super::vm::Vm;
use super::word::Word;
use super::{bytes_hex as hex, codecs, number, protocol, sequence, tuple};
use memchr::memmem;

type Names = Option<Word>;

/// The bytes of an argument that must have some.
pub(super) fn argument<'a>(vm: Vm, word: Word) -> Result<&'a [u8], Raised> {
    if is_bytes_like(word) {
        return Ok(contents(word));
    }
    let name = vm.type_name(word);
    Err(vm.type_error(format!("a bytes-like object is required, not '{name}'")))
}
/// The same bytes, as exact bytes.
fn exact(vm: Vm, word: Word) -> PyResult {
    if word.is_exact(Kind::BYTES) {
        Ok(Owned::new_ref(word))
    } else {
        new_bytes(vm, contents(word))
    }
}
/// A piece of bytes: the whole is not copied.
fn piece(vm: Vm, word: Word, part: &[u8]) -> PyResult {
    if part.len() == contents(word).len() {
        exact(vm, word)
    } else {
        new_bytes(vm, part)
    }
}

// ---- searching

/// What is looked for: bytes, or one byte given as an int.
enum Needle<'a> {
    Bytes(&'a [u8]),
    Byte([u8; 1]),
}
impl Needle<'_> {
    fn as_slice(&self) -> &[u8] {
        match self {
            Needle::Bytes(bytes) => bytes,
            Needle::Byte(byte) => byte,
        }
    }
}
/// `sub[, start[, end]]` of the find family (`parse_args_finds_byte`): the needle, and the bounds unless they leave
/// no place even for nothing.
fn find_args<'a>(
    vm: Vm,
    name: &str,
    data: &[u8],
    args: &[Word],
) -> Result<(Needle<'a>, Option<(usize, usize)>), Raised> {
    args::check_positional(vm, name, args.len(), 1, 3)?;
    // Before anybody looks at the needle, which their `__index__` may change.
    let bounds = bounds(vm, &args[1..], data.len())?;
    let needle = if is_bytes_like(args[0]) {
        Needle::Bytes(contents(args[0]))
    } else if number::is_index(vm, args[0]) {
        Needle::Byte([byte(vm, args[0], "byte must be in range(0, 256)")?])
    } else {
        return Err(vm.type_error(format!(
            "argument should be integer or bytes-like object, not '{}'",
            vm.type_name(args[0])
        )));
    };
    Ok((needle, bounds))
}
fn locate(
    vm: Vm,
    name: &str,
    self_: Word,
    args: &[Word],
    from_right: bool,
) -> Result<Option<usize>, Raised> {
    let data = contents(self_);
    let (needle, Some((start, end))) = find_args(vm, name, data, args)? else {
        return Ok(None);
    };
    let (text, needle) = (&data[start..end], needle.as_slice());
    let found = if from_right {
        memmem::rfind(text, needle)
    } else {
        memmem::find(text, needle)
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
        None => Err(vm.value_error("subsection not found")),
    }
}
fn rindex(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    match locate(vm, "rindex", self_, args, true)? {
        Some(index) => vm.new_int(index as i64),
        None => Err(vm.value_error("subsection not found")),
    }
}
fn count(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let data = contents(self_);
    let (needle, bounds) = find_args(vm, "count", data, args)?;
    let count = bounds.map_or(0, |(start, end)| match needle.as_slice() {
        [] => end - start + 1,
        needle => memmem::find_iter(&data[start..end], needle).count(),
    });
    vm.new_int(count as i64)
}
/// `startswith` and `endswith` (`_Py_bytes_tailmatch`).
fn tail_match(vm: Vm, name: &str, self_: Word, args: &[Word], at_end: bool) -> PyResult {
    args::check_positional(vm, name, args.len(), 1, 3)?;
    let data = contents(self_);
    let bounds = bounds(vm, &args[1..], data.len())?;
    let test = |part: &[u8]| {
        bounds.is_some_and(|(start, end)| {
            let text = &data[start..end];
            if at_end {
                text.ends_with(part)
            } else {
                text.starts_with(part)
            }
        })
    };
    if is_bytes_like(args[0]) {
        return Ok(Owned::bool(test(contents(args[0]))));
    }
    if !tuple::is_tuple(args[0]) {
        return Err(vm.type_error(format!(
            "{name} first arg must be bytes or a tuple of bytes, not {}",
            vm.type_name(args[0])
        )));
    }
    // SAFETY: the caller keeps the tuple.
    for &part in unsafe { tuple::items(args[0]) } {
        if test(argument(vm, part)?) {
            return Ok(Owned::TRUE);
        }
    }
    Ok(Owned::FALSE)
}
fn startswith(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    tail_match(vm, "startswith", self_, args, false)
}
fn endswith(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    tail_match(vm, "endswith", self_, args, true)
}

// ---- cutting and replacing

fn removeprefix(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let data = contents(self_);
    piece(
        vm,
        self_,
        data.strip_prefix(argument(vm, args[0])?).unwrap_or(data),
    )
}
fn removesuffix(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let data = contents(self_);
    piece(
        vm,
        self_,
        data.strip_suffix(argument(vm, args[0])?).unwrap_or(data),
    )
}
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}
fn strip_ends(vm: Vm, name: &str, self_: Word, args: &[Word], ends: (bool, bool)) -> PyResult {
    args::check_positional(vm, name, args.len(), 0, 1)?;
    let set = match args.first() {
        Some(word) if !word.is_none() => Some(argument(vm, *word)?),
        _ => None,
    };
    let data = contents(self_);
    let stays = |byte: &u8| !set.map_or_else(|| is_space(*byte), |set| set.contains(byte));
    let start = if ends.0 {
        data.iter().position(stays).unwrap_or(data.len())
    } else {
        0
    };
    let end = if ends.1 {
        data.iter().rposition(stays).map_or(start, |at| at + 1)
    } else {
        data.len()
    };
    piece(vm, self_, &data[start..end.max(start)])
}
fn strip(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    strip_ends(vm, "strip", self_, args, (true, true))
}
fn lstrip(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    strip_ends(vm, "lstrip", self_, args, (true, false))
}
fn rstrip(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    strip_ends(vm, "rstrip", self_, args, (false, true))
}
fn replace(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    const SIGNATURE: Signature<3> =
        Signature::new("replace", ["old", "new", "count"], 2).positional_only(2);
    let [Some(old), Some(new), limit] = SIGNATURE.unpack(vm, args, names)? else {
        return Err(Raised);
    };
    for word in [old, new] {
        argument(vm, word)?;
    }
    let limit = limit.map_or(Ok(-1), |limit| number::index_isize(vm, limit))?;
    // Only now, as `__index__` may have changed them.
    let (data, old, new) = (contents(self_), contents(old), contents(new));
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if old.is_empty() {
        // Between all bytes, before the first and behind the last.
        let count = limit.min(data.len() + 1);
        let pieces = (0..=data.len()).flat_map(|at| {
            [
                if at < count { new } else { &[] },
                data.get(at..at + 1).unwrap_or_default(),
            ]
        });
        return concat(vm, pieces);
    }
    let mut start = 0;
    let mut cuts = memmem::find_iter(data, old).take(limit).peekable();
    if cuts.peek().is_none() {
        return exact(vm, self_);
    }
    let (count, last) = cuts.fold((0, 0), |(count, _), at| (count + 1, at + old.len()));
    let found = memmem::find_iter(data, old).take(count);
    let growth = new.len().checked_mul(count).ok_or_else(|| vm.no_memory())?;
    let length = (data.len() - old.len() * count).checked_add(growth);
    build(vm, length.ok_or_else(|| vm.no_memory())?, |to| {
        let mut at = 0;
        let mut put = |piece: &[u8]| {
            to[at..at + piece.len()].copy_from_slice(piece);
            at += piece.len();
        };
        for cut in found {
            put(&data[start..cut]);
            put(new);
            start = cut + old.len();
        }
        put(&data[last..]);
    })
}
/// `b.translate(table, /, delete=b'')`.
fn translate(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    const SIGNATURE: Signature<2> =
        Signature::new("translate", ["table", "delete"], 1).positional_only(1);
    let [table, delete] = SIGNATURE.unpack(vm, args, names)?;
    let table = table
        .filter(|table| !table.is_none())
        .map(|table| argument(vm, table))
        .transpose()?;
    if table.is_some_and(|table| table.len() != 256) {
        return Err(vm.value_error("translation table must be 256 characters long"));
    }
    let delete = delete.map_or(Ok(&[][..]), |delete| argument(vm, delete))?;
    let kept = contents(self_).iter().filter(|byte| !delete.contains(byte));
    build(vm, kept.clone().count(), |to| {
        for (to, &byte) in to.iter_mut().zip(kept) {
            *to = table.map_or(byte, |table| table[byte as usize]);
        }
    })
}
fn maketrans(vm: Vm, _: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "maketrans", args.len(), 2, 2)?;
    let (from, to) = (argument(vm, args[0])?, argument(vm, args[1])?);
    if from.len() != to.len() {
        return Err(vm.value_error("maketrans arguments must have same length"));
    }
    build(vm, 256, |table| {
        for (index, slot) in table.iter_mut().enumerate() {
            *slot = index as u8;
        }
        for (&from, &to) in from.iter().zip(to) {
            table[from as usize] = to;
        }
    })
}

// ---- splitting and joining

/// Separator and greatest number of cuts.
fn split_args<'a>(
    vm: Vm,
    name: &'static str,
    args: &[Word],
    names: Names,
) -> Result<(Option<&'a [u8]>, usize), Raised> {
    let signature: Signature<2> = Signature::new(name, ["sep", "maxsplit"], 0);
    let [separator, limit] = signature.unpack(vm, args, names)?;
    let limit = limit.map_or(Ok(-1), |limit| number::index_isize(vm, limit))?;
    let separator = separator.filter(|word| !word.is_none());
    let separator = separator
        .map(|separator| argument(vm, separator))
        .transpose()?;
    if separator.is_some_and(<[u8]>::is_empty) {
        return Err(vm.value_error("empty separator"));
    }
    Ok((separator, usize::try_from(limit).unwrap_or(usize::MAX)))
}
fn list_of(vm: Vm, pieces: Vec<Owned>) -> PyResult {
    vm.list_from_owned(pieces)
}
fn push(vm: Vm, pieces: &mut Vec<Owned>, part: &[u8]) -> Result<(), Raised> {
    pieces.try_reserve(1).map_err(|_| vm.no_memory())?;
    pieces.push(new_bytes(vm, part)?);
    Ok(())
}
fn split(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    let (separator, limit) = split_args(vm, "split", args, names)?;
    let (data, mut pieces, mut start) = (contents(self_), Vec::new(), 0);
    if let Some(separator) = separator {
        for cut in memmem::find_iter(data, separator).take(limit) {
            push(vm, &mut pieces, &data[start..cut])?;
            start = cut + separator.len();
        }
        push(vm, &mut pieces, &data[start..])?;
        return list_of(vm, pieces);
    }
    loop {
        let rest = &data[start..];
        let Some(from) = rest.iter().position(|&b| !is_space(b)) else {
            break;
        };
        let rest = &rest[from..];
        if pieces.len() == limit {
            push(vm, &mut pieces, rest)?;
            break;
        }
        let length = rest.iter().position(|&b| is_space(b)).unwrap_or(rest.len());
        push(vm, &mut pieces, &rest[..length])?;
        start += from + length;
    }
    list_of(vm, pieces)
}
fn rsplit(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    let (separator, limit) = split_args(vm, "rsplit", args, names)?;
    let (data, mut pieces) = (contents(self_), Vec::new());
    let mut end = data.len();
    if let Some(separator) = separator {
        for cut in memmem::rfind_iter(data, separator).take(limit) {
            push(vm, &mut pieces, &data[cut + separator.len()..end])?;
            end = cut;
        }
        push(vm, &mut pieces, &data[..end])?;
    } else {
        while let Some(last) = data[..end].iter().rposition(|&b| !is_space(b)) {
            let rest = &data[..=last];
            if pieces.len() == limit {
                push(vm, &mut pieces, rest)?;
                break;
            }
            end = rest
                .iter()
                .rposition(|&b| is_space(b))
                .map_or(0, |at| at + 1);
            push(vm, &mut pieces, &rest[end..])?;
        }
    }
    pieces.reverse();
    list_of(vm, pieces)
}
fn splitlines(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    const SIGNATURE: Signature<1> = Signature::new("splitlines", ["keepends"], 0);
    let [keep] = SIGNATURE.unpack(vm, args, names)?;
    let keep = keep.map_or(Ok(false), |keep| protocol::is_true(vm, keep))?;
    let (mut rest, mut pieces) = (contents(self_), Vec::new());
    while !rest.is_empty() {
        let length = rest
            .iter()
            .position(|b| matches!(b, b'\n' | b'\r'))
            .unwrap_or(rest.len());
        let ending = match &rest[length..] {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
        push(
            vm,
            &mut pieces,
            &rest[..if keep { length + ending } else { length }],
        )?;
        rest = &rest[length + ending..];
    }
    list_of(vm, pieces)
}
fn partition(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    partition_at(vm, self_, args[0], false)
}
fn rpartition(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    partition_at(vm, self_, args[0], true)
}
fn partition_at(vm: Vm, self_: Word, separator: Word, from_right: bool) -> PyResult {
    let (data, part) = (contents(self_), argument(vm, separator)?);
    if part.is_empty() {
        return Err(vm.value_error("empty separator"));
    }
    let found = if from_right {
        memmem::rfind(data, part)
    } else {
        memmem::find(data, part)
    };
    let pieces = match found {
        Some(at) => [
            new_bytes(vm, &data[..at])?,
            Owned::new_ref(separator),
            new_bytes(vm, &data[at + part.len()..])?,
        ],
        None if from_right => [new_bytes(vm, b"")?, new_bytes(vm, b"")?, exact(vm, self_)?],
        None => [exact(vm, self_)?, new_bytes(vm, b"")?, new_bytes(vm, b"")?],
    };
    vm.tuple_from_owned(pieces.into())
}
/// `separator.join(iterable)` (`PyBytes_Join`).
fn join(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    // SAFETY: types are live as long as an instance.
    let iterable = unsafe {
        let slots = &raw const (*vm.type_of(args[0])).slots;
        (*slots).iter.is_some() || (*slots).getitem.is_some()
    };
    if !iterable {
        return Err(vm.type_error("can only join an iterable"));
    }
    let items = match args[0].is_exact(Kind::LIST) || args[0].is_exact(Kind::TUPLE) {
        true => sequence::collect(vm, args[0])?,
        false => sequence::collect(vm, super::str_methods::joined(vm, args[0])?.as_word())?,
    };
    for (index, item) in items.iter().enumerate() {
        if !is_bytes_like(item.as_word()) {
            return Err(vm.type_error(format!(
                "sequence item {index}: expected a bytes-like object, {} found",
                vm.type_name(item.as_word())
            )));
        }
    }
    if let [item] = items.as_slice()
        && item.as_word().is_exact(Kind::BYTES)
    {
        return Ok(item.clone());
    }
    let separator = contents(self_);
    let pieces = items.iter().enumerate().flat_map(|(index, item)| {
        [
            if index == 0 { &[] } else { separator },
            contents(item.as_word()),
        ]
    });
    concat(vm, pieces)
}

// ---- case, classes, padding

fn map(vm: Vm, word: Word, convert: impl Fn(u8) -> u8) -> PyResult {
    let data = contents(word);
    build(vm, data.len(), |to| {
        to.iter_mut()
            .zip(data)
            .for_each(|(to, &byte)| *to = convert(byte));
    })
}
fn lower(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    map(vm, self_, |b| b.to_ascii_lowercase())
}
fn upper(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    map(vm, self_, |b| b.to_ascii_uppercase())
}
fn swapcase(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    map(vm, self_, |b| {
        if b.is_ascii_alphabetic() { b ^ 0x20 } else { b }
    })
}
fn capitalize(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let data = contents(self_);
    build(vm, data.len(), |to| {
        to.copy_from_slice(data);
        to.make_ascii_lowercase();
        if let Some(first) = to.first_mut() {
            first.make_ascii_uppercase();
        }
    })
}
fn title(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let data = contents(self_);
    build(vm, data.len(), |to| {
        let mut inside = false;
        for (to, &byte) in to.iter_mut().zip(data) {
            *to = if inside {
                byte.to_ascii_lowercase()
            } else {
                byte.to_ascii_uppercase()
            };
            inside = byte.is_ascii_alphabetic();
        }
    })
}
fn all(word: Word, test: impl Fn(u8) -> bool) -> PyResult {
    let data = contents(word);
    Ok(Owned::bool(
        !data.is_empty() && data.iter().all(|&byte| test(byte)),
    ))
}
fn isalnum(_: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    all(self_, |b| b.is_ascii_alphanumeric())
}
fn isalpha(_: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    all(self_, |b| b.is_ascii_alphabetic())
}
fn isascii(_: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    Ok(Owned::bool(contents(self_).is_ascii()))
}
fn isdigit(_: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    all(self_, |b| b.is_ascii_digit())
}
fn isspace(_: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    all(self_, is_space)
}
fn islower(_: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let data = contents(self_);
    let upper = data.iter().any(u8::is_ascii_uppercase);
    Ok(Owned::bool(
        !upper && data.iter().any(u8::is_ascii_lowercase),
    ))
}
fn isupper(_: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let data = contents(self_);
    let lower = data.iter().any(u8::is_ascii_lowercase);
    Ok(Owned::bool(
        !lower && data.iter().any(u8::is_ascii_uppercase),
    ))
}
fn istitle(_: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let (mut cased, mut inside) = (false, false);
    for byte in contents(self_) {
        if byte.is_ascii_alphabetic() {
            if byte.is_ascii_uppercase() == inside {
                return Ok(Owned::FALSE);
            }
            cased = true;
        }
        inside = byte.is_ascii_alphabetic();
    }
    Ok(Owned::bool(cased))
}
fn pad(vm: Vm, word: Word, left: usize, right: usize, fill: u8) -> PyResult {
    let data = contents(word);
    if left == 0 && right == 0 {
        return exact(vm, word);
    }
    let length = data
        .len()
        .checked_add(left)
        .and_then(|length| length.checked_add(right));
    build(vm, length.ok_or_else(|| vm.no_memory())?, |to| {
        to.fill(fill);
        to[left..left + data.len()].copy_from_slice(data);
    })
}
/// How much is missing to a width, and what to fill it with.
fn padding(vm: Vm, name: &str, self_: Word, args: &[Word]) -> Result<(usize, u8), Raised> {
    args::check_positional(vm, name, args.len(), 1, 2)?;
    let width = number::index_isize(vm, args[0])?.max(0) as usize;
    let fill = match args.get(1) {
        None => b' ',
        Some(&word) if !is_bytes_like(word) => {
            return Err(vm.type_error(format!(
                "{name}() argument 2 must be a byte string of length 1, not {}",
                vm.argument_type(word)
            )));
        }
        Some(&word) => match *contents(word) {
            [fill] => fill,
            ref other => {
                return Err(vm.type_error(format!(
                    "{name}(): argument 2 must be a byte string of length 1, \
                     not a bytes object of length {}",
                    other.len()
                )));
            }
        },
    };
    Ok((width.saturating_sub(contents(self_).len()), fill))
}
fn ljust(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let (missing, fill) = padding(vm, "ljust", self_, args)?;
    pad(vm, self_, 0, missing, fill)
}
fn rjust(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let (missing, fill) = padding(vm, "rjust", self_, args)?;
    pad(vm, self_, missing, 0, fill)
}
fn center(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let (missing, fill) = padding(vm, "center", self_, args)?;
    // An odd byte goes to the left if the width is odd.
    let left = missing / 2 + (missing & (missing + contents(self_).len()) & 1);
    pad(vm, self_, left, missing - left, fill)
}
fn zfill(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let data = contents(self_);
    let width = number::index_isize(vm, args[0])?.max(0) as usize;
    let missing = width.saturating_sub(data.len());
    let Some((&sign @ (b'+' | b'-'), digits)) = data.split_first() else {
        return pad(vm, self_, missing, 0, b'0');
    };
    if missing == 0 {
        return exact(vm, self_);
    }
    build(vm, width, |to| {
        to.fill(b'0');
        to[0] = sign;
        to[missing + 1..].copy_from_slice(digits);
    })
}
fn expandtabs(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    const SIGNATURE: Signature<1> = Signature::new("expandtabs", ["tabsize"], 0);
    let [size] = SIGNATURE.unpack(vm, args, names)?;
    let size = size
        .map_or(Ok(8), |size| number::index_isize(vm, size))?
        .max(0) as usize;
    let (mut expanded, mut column) = (Vec::new(), 0usize);
    for &byte in contents(self_) {
        if byte == b'\t' {
            let spaces = if size == 0 { 0 } else { size - column % size };
            column += spaces;
            for _ in 0..spaces {
                bytes::push(vm, &mut expanded, b' ')?;
            }
        } else {
            column = if matches!(byte, b'\n' | b'\r') {
                0
            } else {
                column + 1
            };
            bytes::push(vm, &mut expanded, byte)?;
        }
    }
    new_bytes(vm, &expanded)
}

// ---- the rest

fn decode(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    const SIGNATURE: Signature<2> = Signature::new("decode", ["encoding", "errors"], 0);
    let [encoding, errors] = SIGNATURE.unpack(vm, args, names)?;
    codecs::check_names(vm, "decode", encoding, errors)?;
    codecs::decode_object(vm, self_, encoding, errors)
}
fn dunder_bytes(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    exact(vm, self_)
}
fn getnewargs(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let copy = exact(vm, self_)?;
    vm.new_tuple(&[copy.as_word()])
}

pub(super) static METHODS: &[MethodDef] = &[
    MethodDef::new("__getnewargs__", meth::NOARGS, getnewargs),
    MethodDef::new("__bytes__", meth::NOARGS, dunder_bytes),
    MethodDef::new("capitalize", meth::NOARGS, capitalize),
    MethodDef::new("center", meth::FASTCALL, center),
    MethodDef::new("count", meth::FASTCALL, count),
    MethodDef::new("decode", meth::FASTCALL | meth::KEYWORDS, decode),
    MethodDef::new("endswith", meth::FASTCALL, endswith),
    MethodDef::new("expandtabs", meth::FASTCALL | meth::KEYWORDS, expandtabs),
    MethodDef::new("find", meth::FASTCALL, find),
    MethodDef::new("fromhex", meth::O | meth::CLASS, hex::fromhex),
    MethodDef::new("hex", meth::FASTCALL | meth::KEYWORDS, hex::hex),
    MethodDef::new("index", meth::FASTCALL, index),
    MethodDef::new("isalnum", meth::NOARGS, isalnum),
    MethodDef::new("isalpha", meth::NOARGS, isalpha),
    MethodDef::new("isascii", meth::NOARGS, isascii),
    MethodDef::new("isdigit", meth::NOARGS, isdigit),
    MethodDef::new("islower", meth::NOARGS, islower),
    MethodDef::new("isspace", meth::NOARGS, isspace),
    MethodDef::new("istitle", meth::NOARGS, istitle),
    MethodDef::new("isupper", meth::NOARGS, isupper),
    MethodDef::new("join", meth::O, join),
    MethodDef::new("ljust", meth::FASTCALL, ljust),
    MethodDef::new("lower", meth::NOARGS, lower),
    MethodDef::new("lstrip", meth::FASTCALL, lstrip),
    MethodDef::new("maketrans", meth::FASTCALL | meth::STATIC, maketrans),
    MethodDef::new("partition", meth::O, partition),
    MethodDef::new("removeprefix", meth::O, removeprefix),
    MethodDef::new("removesuffix", meth::O, removesuffix),
    MethodDef::new("replace", meth::FASTCALL | meth::KEYWORDS, replace),
    MethodDef::new("rfind", meth::FASTCALL, rfind),
    MethodDef::new("rindex", meth::FASTCALL, rindex),
    MethodDef::new("rjust", meth::FASTCALL, rjust),
    MethodDef::new("rpartition", meth::O, rpartition),
    MethodDef::new("rsplit", meth::FASTCALL | meth::KEYWORDS, rsplit),
    MethodDef::new("rstrip", meth::FASTCALL, rstrip),
    MethodDef::new("split", meth::FASTCALL | meth::KEYWORDS, split),
    MethodDef::new("splitlines", meth::FASTCALL | meth::KEYWORDS, splitlines),
    MethodDef::new("startswith", meth::FASTCALL, startswith),
    MethodDef::new("strip", meth::FASTCALL, strip),
    MethodDef::new("swapcase", meth::NOARGS, swapcase),
    MethodDef::new("title", meth::NOARGS, title),
    MethodDef::new("translate", meth::FASTCALL | meth::KEYWORDS, translate),
    MethodDef::new("upper", meth::NOARGS, upper),
    MethodDef::new("zfill", meth::O, zfill),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::str;
    use crate::object::testing::TestVm;

    /// The repr of what a method answers, or the message of what it raises.
    fn call(vm: Vm, method: &str, self_: &[u8], args: &[Owned]) -> String {
        let def = METHODS.iter().find(|def| def.name == method).unwrap();
        let self_ = new_bytes(vm, self_).unwrap();
        let args: Vec<Word> = args.iter().map(Owned::as_word).collect();
        let text = match (def.func)(vm, self_.as_word(), &args, None) {
            Ok(answer) => protocol::repr(vm, answer.as_word()),
            Err(Raised) => protocol::str(vm, vm.take_exception().unwrap().as_word()),
        };
        str::to_string_lossy(text.unwrap().as_word())
    }

    #[test]
    fn answers_of_cpython() {
        let test = TestVm::new();
        let vm = test.vm();
        let b = |data: &[u8]| new_bytes(vm, data).unwrap();
        let n = Owned::small_int;
        let hello = b"hello world";
        for (method, self_, args, expected) in [
            ("find", &hello[..], vec![b(b"o")], "4"),
            ("find", hello, vec![n(111), n(5)], "7"),
            ("find", hello, vec![n(300)], "byte must be in range(0, 256)"),
            ("find", b"abc", vec![b(b""), n(4)], "-1"),
            ("rfind", hello, vec![b(b"o"), n(0), n(5)], "4"),
            ("index", hello, vec![b(b"zz")], "subsection not found"),
            ("count", hello, vec![b(b"o")], "2"),
            ("count", hello, vec![b(b"")], "12"),
            (
                "startswith",
                hello,
                vec![n(1)],
                "startswith first arg must be bytes or a tuple of bytes, not int",
            ),
            (
                "replace",
                hello,
                vec![b(b"o"), b(b"00"), n(1)],
                "b'hell00 world'",
            ),
            (
                "replace",
                hello,
                vec![b(b""), b(b"-"), n(2)],
                "b'-h-ello world'",
            ),
            ("replace", b"ab", vec![b(b""), b(b"-")], "b'-a-b-'"),
            ("split", b" a  b ", vec![], "[b'a', b'b']"),
            (
                "split",
                b" a  b c ",
                vec![Owned::NONE, n(1)],
                "[b'a', b'b c ']",
            ),
            ("split", hello, vec![b(b"o")], "[b'hell', b' w', b'rld']"),
            ("rsplit", hello, vec![b(b"o"), n(1)], "[b'hello w', b'rld']"),
            (
                "rsplit",
                b" a b  c ",
                vec![Owned::NONE, n(1)],
                "[b' a b', b'c']",
            ),
            (
                "splitlines",
                b"a\nb\r\nc\n",
                vec![Owned::TRUE],
                "[b'a\\n', b'b\\r\\n', b'c\\n']",
            ),
            ("strip", b"xxaxx", vec![b(b"x")], "b'a'"),
            ("strip", b" \n ", vec![], "b''"),
            ("title", hello, vec![], "b'Hello World'"),
            (
                "center",
                hello,
                vec![n(20), b(b"*")],
                "b'****hello world*****'",
            ),
            ("zfill", b"-5", vec![n(5)], "b'-0005'"),
            (
                "partition",
                hello,
                vec![b(b" ")],
                "(b'hello', b' ', b'world')",
            ),
            (
                "rpartition",
                hello,
                vec![b(b"x")],
                "(b'', b'', b'hello world')",
            ),
            ("translate", hello, vec![Owned::NONE, b(b"lo")], "b'he wrd'"),
            ("expandtabs", b"a\tb", vec![n(4)], "b'a   b'"),
            ("removesuffix", hello, vec![b(b"ld")], "b'hello wor'"),
            ("istitle", b"Hello World", vec![], "True"),
            ("swapcase", b"aB1", vec![], "b'Ab1'"),
        ] {
            assert_eq!(call(vm, method, self_, &args), expected, "{method}");
        }
    }
}
