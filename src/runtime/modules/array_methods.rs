//! Methods and operators of arrays.

use super::array::{Array, is_array, new_of, of};
use crate::object::args;
use crate::object::descr::{GetSetDef, MethodDef, meth};
use crate::object::generic_alias::CLASS_GETITEM;
use crate::object::slice::{self, Selection};
use crate::object::types::CompareOp;
use crate::object::{
    Owned, PyResult, Raised, Vm, Word, bytes, number, protocol, sequence, str, str_writer,
};
use crate::runtime::thread::Thread;

const O: u16 = meth::O;
const NOARGS: u16 = meth::NOARGS;
const FAST: u16 = meth::FASTCALL;
type Names = Option<Word>;

pub(super) static METHODS: [MethodDef; 22] = [
    MethodDef::new("append", O, |vm, this, args, _| {
        of(this).append(vm, args[0])?;
        Ok(Owned::NONE)
    }),
    MethodDef::new("extend", O, |vm, this, args, _| {
        of(this).extend(vm, args[0])?;
        Ok(Owned::NONE)
    }),
    MethodDef::new("fromlist", O, fromlist),
    MethodDef::new("frombytes", O, frombytes),
    MethodDef::new("fromunicode", O, fromunicode),
    MethodDef::new("tolist", NOARGS, |vm, this, _, _| {
        vm.list_from_owned(items(vm, this)?)
    }),
    MethodDef::new("tobytes", NOARGS, |vm, this, _, _| {
        bytes::new_bytes(vm, of(this).bytes())
    }),
    MethodDef::new("tounicode", NOARGS, tounicode),
    MethodDef::new("insert", FAST, insert),
    MethodDef::new("pop", FAST, pop),
    MethodDef::new("remove", O, remove),
    MethodDef::new("index", FAST, index),
    MethodDef::new("count", O, count),
    MethodDef::new("reverse", NOARGS, reverse),
    MethodDef::new("clear", NOARGS, |vm, this, _, _| {
        of(this).resize(vm, 0)?;
        Ok(Owned::NONE)
    }),
    MethodDef::new("byteswap", NOARGS, byteswap),
    MethodDef::new("buffer_info", NOARGS, |vm, this, _, _| {
        let own = of(this);
        let address = vm.new_int_usize(own.bytes().as_ptr() as usize)?;
        let length = vm.new_int_usize(own.len())?;
        vm.tuple_from_owned(vec![address, length])
    }),
    MethodDef::new("__copy__", NOARGS, |vm, this, _, _| copy(vm, this)),
    MethodDef::new("__deepcopy__", O, |vm, this, _, _| copy(vm, this)),
    MethodDef::new("__reduce__", NOARGS, reduce),
    MethodDef::new("__sizeof__", NOARGS, |vm, this, _, _| {
        vm.new_int_usize(size_of::<Array>() + of(this).bytes().len())
    }),
    CLASS_GETITEM,
];
pub(super) static GETSET: [GetSetDef; 2] = [
    GetSetDef::new(
        "typecode",
        |vm, this| vm.str_from_char(u32::from(of(this).code.0)),
        None,
    ),
    GetSetDef::new(
        "itemsize",
        |vm, this| vm.new_int_usize(of(this).code.size()),
        None,
    ),
];

fn items(vm: Vm, this: Word) -> Result<Vec<Owned>, Raised> {
    let own = of(this);
    (0..own.len()).map(|index| own.get(vm, index)).collect()
}
/// An array of the same kind with these bytes.
fn alike(vm: Vm, this: Word, data: &[u8]) -> PyResult {
    let ty = Thread::of(vm).module_types.array.get();
    let result = new_of(vm, ty, of(this).code)?;
    of(result.as_word()).splice(vm, 0, 0, data)?;
    Ok(result)
}
fn copy(vm: Vm, this: Word) -> PyResult {
    alike(vm, this, of(this).bytes())
}

pub(super) fn add_bytes(vm: Vm, own: &Array, data: Vec<u8>) -> Result<(), Raised> {
    if !data.len().is_multiple_of(own.code.size()) {
        return Err(vm.value_error("bytes length not a multiple of item size"));
    }
    own.splice(vm, own.len(), own.len(), &data)
}
fn frombytes(vm: Vm, this: Word, args: &[Word], _: Names) -> PyResult {
    if !bytes::is_bytes_like(args[0]) {
        return Err(vm.type_error(format!(
            "a bytes-like object is required, not '{}'",
            vm.type_name(args[0])
        )));
    }
    add_bytes(vm, of(this), bytes::contents(args[0]).to_vec())?;
    Ok(Owned::NONE)
}
fn fromlist(vm: Vm, this: Word, args: &[Word], _: Names) -> PyResult {
    if !crate::object::list::is_list(args[0]) {
        return Err(vm.type_error("arg must be list"));
    }
    let own = of(this);
    let before = own.len();
    let added = sequence::for_each(vm, args[0], |item| own.append(vm, item.as_word()));
    if added.is_err() && own.len() > before {
        own.resize(vm, before)?;
    }
    added.map(|()| Owned::NONE)
}
fn fromunicode(vm: Vm, this: Word, args: &[Word], _: Names) -> PyResult {
    if !of(this).code.is_text() {
        return Err(
            vm.value_error("fromunicode() may only be called on unicode type arrays ('u' or 'w')")
        );
    }
    if !str::is_str(args[0]) {
        return Err(vm.type_error(format!(
            "fromunicode() argument must be str, not {}",
            vm.argument_type(args[0])
        )));
    }
    of(this).extend(vm, args[0])?;
    Ok(Owned::NONE)
}
fn tounicode(vm: Vm, this: Word, _: &[Word], _: Names) -> PyResult {
    if !of(this).code.is_text() {
        return Err(
            vm.value_error("tounicode() may only be called on unicode type arrays ('u' or 'w')")
        );
    }
    let mut writer = str_writer::StrWriter::new(vm);
    for item in items(vm, this)? {
        writer.push_word(item.as_word())?;
    }
    writer.finish()
}

fn insert(vm: Vm, this: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "insert", args.len(), 2, 2)?;
    let index = number::index_isize(vm, args[0])?;
    let own = of(this);
    let value = own.code.encode(vm, args[1])?;
    let length = own.len() as isize;
    let index = if index < 0 {
        (index + length).max(0)
    } else {
        index.min(length)
    } as usize;
    own.splice(vm, index, index, &value[..own.code.size()])?;
    Ok(Owned::NONE)
}
fn pop(vm: Vm, this: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "pop", args.len(), 0, 1)?;
    let index = match args.first() {
        Some(index) => number::index_isize(vm, *index)?,
        None => -1,
    };
    let own = of(this);
    if own.len() == 0 {
        return Err(vm.index_error("pop from empty array"));
    }
    let Some(index) = sequence::wrap_index(index, own.len()) else {
        return Err(vm.index_error("pop index out of range"));
    };
    let value = own.get(vm, index)?;
    own.splice(vm, index, index + 1, &[])?;
    Ok(value)
}
/// The first place at or behind `start` of an item that equals a value.
pub(super) fn find(vm: Vm, this: Word, value: Word, start: usize) -> Result<Option<usize>, Raised> {
    let own = of(this);
    let mut index = start;
    while let Some(item) = own.item(vm, index)? {
        if protocol::rich_compare_bool(vm, item.as_word(), value, CompareOp::Eq)? {
            return Ok(Some(index));
        }
        index += 1;
    }
    Ok(None)
}
fn remove(vm: Vm, this: Word, args: &[Word], _: Names) -> PyResult {
    match find(vm, this, args[0], 0)? {
        Some(index) if index < of(this).len() => {
            of(this).splice(vm, index, index + 1, &[])?;
            Ok(Owned::NONE)
        }
        _ => Err(vm.value_error("array.remove(x): x not in array")),
    }
}
fn index(vm: Vm, this: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "index", args.len(), 1, 3)?;
    let length = of(this).len() as isize;
    let bound = |word: Option<&Word>, default: isize| -> Result<usize, Raised> {
        let value = match word {
            Some(word) => number::index_clamped(vm, *word)?,
            None => default,
        };
        let value = if value < 0 { value + length } else { value };
        Ok(value.max(0) as usize)
    };
    let start = bound(args.get(1), 0)?;
    let stop = bound(args.get(2), isize::MAX)?;
    match find(vm, this, args[0], start)? {
        Some(index) if index < stop => vm.new_int_usize(index),
        _ => Err(vm.value_error("array.index(x): x not in array")),
    }
}
fn count(vm: Vm, this: Word, args: &[Word], _: Names) -> PyResult {
    let (mut count, mut start) = (0, 0);
    while let Some(index) = find(vm, this, args[0], start)? {
        count += 1;
        start = index + 1;
    }
    vm.new_int(count)
}
fn reverse(_: Vm, this: Word, _: &[Word], _: Names) -> PyResult {
    let own = of(this);
    let size = own.code.size();
    let data = own.bytes();
    data.reverse();
    data.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    Ok(Owned::NONE)
}
fn byteswap(_: Vm, this: Word, _: &[Word], _: Names) -> PyResult {
    let own = of(this);
    own.bytes()
        .chunks_exact_mut(own.code.size())
        .for_each(<[u8]>::reverse);
    Ok(Owned::NONE)
}
/// For `copy` and the like: class, type code and items.
fn reduce(vm: Vm, this: Word, _: &[Word], _: Names) -> PyResult {
    // SAFETY: types are live as long as an instance.
    let class = Owned::new_ref(unsafe { (*vm.type_of(this)).word() });
    let code = vm.str_from_char(u32::from(of(this).code.0))?;
    let list = vm.list_from_owned(items(vm, this)?)?;
    let arguments = vm.tuple_from_owned(vec![code, list])?;
    vm.tuple_from_owned(vec![class, arguments])
}

// ---- operators

fn place(vm: Vm, own: &Array, key: Word, message: &str) -> Result<usize, Raised> {
    let index = number::index_for_subscript(vm, key)?;
    sequence::wrap_index(index, own.len()).ok_or_else(|| vm.index_error(message))
}
fn select(vm: Vm, own: &Array, key: Word) -> Result<Selection, Raised> {
    if !slice::is_slice(key) {
        return Err(vm.type_error("array indices must be integers"));
    }
    let bounds = slice::unpack(vm, key)?;
    Ok(slice::adjust(bounds, own.len()))
}
pub(super) fn get_item(vm: Vm, this: Word, key: Word) -> PyResult {
    let own = of(this);
    if number::is_index(vm, key) {
        return own.get(vm, place(vm, own, key, "array index out of range")?);
    }
    let selection = select(vm, own, key)?;
    let size = own.code.size();
    let mut data = Vec::with_capacity(selection.count * size);
    for index in selection.indices() {
        data.extend_from_slice(&own.bytes()[index * size..][..size]);
    }
    alike(vm, this, &data)
}
pub(super) fn set_item(vm: Vm, this: Word, key: Word, value: Option<Word>) -> Result<(), Raised> {
    const MESSAGE: &str = "array assignment index out of range";
    let own = of(this);
    if number::is_index(vm, key) {
        let index = place(vm, own, key, MESSAGE)?;
        return match value {
            None => own.splice(vm, index, index + 1, &[]),
            Some(value) => {
                let value = own.code.encode(vm, value)?;
                if index >= own.len() {
                    return Err(vm.index_error(MESSAGE));
                }
                own.put(index, value);
                Ok(())
            }
        };
    }
    let selection = select(vm, own, key)?;
    let new = match value {
        None => Vec::new(),
        Some(value) if is_array(vm, value) => {
            if of(value).code != own.code {
                return Err(vm.type_error("bad argument type for built-in operation"));
            }
            of(value).bytes().to_vec()
        }
        Some(value) => {
            return Err(vm.type_error(format!(
                "can only assign array (not \"{}\") to array slice",
                vm.type_name(value)
            )));
        }
    };
    let size = own.code.size();
    if selection.step == 1 {
        let start = selection.start as usize;
        return own.splice(vm, start, start + selection.count, &new);
    }
    if value.is_some() {
        if new.len() != selection.count * size {
            return Err(vm.value_error(format!(
                "attempt to assign array of size {} to extended slice of size {}",
                new.len() / size,
                selection.count
            )));
        }
        for (index, item) in selection.indices().zip(new.chunks_exact(size)) {
            own.bytes()[index * size..][..size].copy_from_slice(item);
        }
        return Ok(());
    }
    let mut gone: Vec<usize> = selection.indices().collect();
    gone.sort_unstable();
    for index in gone.into_iter().rev() {
        own.splice(vm, index, index + 1, &[])?;
    }
    Ok(())
}

pub(super) fn concat(vm: Vm, a: Word, b: Word) -> PyResult {
    if !is_array(vm, b) {
        return Err(vm.type_error(format!(
            "can only append array (not \"{}\") to array",
            vm.type_name(b)
        )));
    }
    if of(a).code != of(b).code {
        return Err(vm.type_error("bad argument type for built-in operation"));
    }
    let result = copy(vm, a)?;
    of(result.as_word()).extend(vm, b)?;
    Ok(result)
}
pub(super) fn inplace_concat(vm: Vm, a: Word, b: Word) -> PyResult {
    if !is_array(vm, b) {
        return Err(vm.type_error(format!(
            "can only extend with array (not \"{}\")",
            vm.type_name(b)
        )));
    }
    of(a).extend(vm, b)?;
    Ok(Owned::new_ref(a))
}
pub(super) fn repeat(vm: Vm, this: Word, count: isize) -> PyResult {
    let result = copy(vm, this)?;
    inplace_repeat(vm, result.as_word(), count)
}
pub(super) fn inplace_repeat(vm: Vm, this: Word, count: isize) -> PyResult {
    let own = of(this);
    let once = own.bytes().len();
    let length = own
        .len()
        .checked_mul(count.max(0) as usize)
        .ok_or_else(|| vm.no_memory())?;
    own.resize(vm, length)?;
    if once > 0 && length > 0 {
        let data = own.bytes();
        for start in (once..data.len()).step_by(once) {
            data.copy_within(..once, start);
        }
    }
    Ok(Owned::new_ref(this))
}

pub(super) fn repr(vm: Vm, this: Word) -> PyResult {
    let own = of(this);
    // SAFETY: types are live as long as an instance.
    let name = unsafe { (*vm.type_of(this)).name_string() };
    let name = name.rsplit('.').next().unwrap_or_default();
    let code = char::from(own.code.0);
    if own.len() == 0 {
        return vm.new_str(&format!("{name}('{code}')"));
    }
    let contents = if own.code.is_text() {
        tounicode(vm, this, &[], None)?
    } else {
        vm.list_from_owned(items(vm, this)?)?
    };
    let contents = protocol::repr(vm, contents.as_word())?;
    vm.new_str(&format!(
        "{name}('{code}', {})",
        str::to_string_lossy(contents.as_word())
    ))
}
