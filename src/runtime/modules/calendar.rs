//! `_time`: the C library's calendar, for what `time` has in Python (`timemodule.c`).

use super::with_functions;
use crate::object::descr::{MethodDef, meth};
use crate::object::{Owned, PyResult, Raised, Vm, Word, attr, number, sequence, str};
use crate::runtime::io_error;
use crate::runtime::thread::Thread;
use crate::runtime::{import, utf8};
use std::ffi::{CStr, CString};

/// What `time` has only when it is asked for.
pub(super) const LAZY: [&str; 12] = [
    "struct_time",
    "gmtime",
    "localtime",
    "mktime",
    "strftime",
    "strptime",
    "asctime",
    "ctime",
    "timezone",
    "altzone",
    "daylight",
    "tzname",
];

/// `time.__getattr__`: most programs that import `time` want its clocks, and are not to wait for the rest.
pub(super) fn getattr(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let ts = Thread::of(vm);
    let time = import::import_module(ts, "time")?;
    if !str::is_str(args[0]) || !LAZY.iter().any(|name| str::equals(args[0], name)) {
        let shown = match str::is_str(args[0]) {
            true => str::to_string_lossy(args[0]),
            false => vm.type_name(args[0]),
        };
        let message = format!("module 'time' has no attribute '{shown}'");
        return Err(attr::attribute_error(vm, time.as_word(), args[0], message));
    }
    let module = import::import_module(ts, "_struct_time")?;
    let value = attr::get_attr(vm, module.as_word(), args[0])?;
    super::set(vm, &time, &str::to_string_lossy(args[0]), value.as_word())?;
    Ok(value)
}

static FUNCTIONS: [MethodDef; 4] = [
    MethodDef::new("gmtime", meth::O, |vm, _, args, _| {
        by_calendar(vm, args[0], libc::gmtime_r)
    }),
    MethodDef::new("localtime", meth::O, |vm, _, args, _| {
        by_calendar(vm, args[0], libc::localtime_r)
    }),
    MethodDef::new("mktime", meth::O, mktime),
    MethodDef::new("strftime", meth::FASTCALL, strftime),
];

pub(super) fn make(ts: &Thread) -> PyResult {
    with_functions(ts.vm(), "_time", &FUNCTIONS)
}

fn empty() -> libc::tm {
    // SAFETY: integers, and a pointer that may be null.
    unsafe { std::mem::zeroed() }
}

type Convert = unsafe extern "C" fn(*const libc::time_t, *mut libc::tm) -> *mut libc::tm;

fn by_calendar(vm: Vm, seconds: Word, convert: Convert) -> PyResult {
    let seconds = number::index_isize(vm, seconds)? as libc::time_t;
    let mut tm = empty();
    // SAFETY: valid places for both.
    if unsafe { convert(&seconds, &mut tm) }.is_null() {
        return Err(io_error::raise(vm, &std::io::Error::last_os_error(), None));
    }
    let zone = if tm.tm_zone.is_null() {
        String::new()
    } else {
        // SAFETY: the C library's own text, which stays.
        unsafe { CStr::from_ptr(tm.tm_zone) }
            .to_string_lossy()
            .into_owned()
    };
    let items = [
        i64::from(tm.tm_year) + 1900,
        i64::from(tm.tm_mon) + 1,
        tm.tm_mday.into(),
        tm.tm_hour.into(),
        tm.tm_min.into(),
        tm.tm_sec.into(),
        i64::from(tm.tm_wday + 6) % 7,
        i64::from(tm.tm_yday) + 1,
        tm.tm_isdst.into(),
    ];
    let mut words = items
        .iter()
        .map(|&item| vm.new_int(item))
        .collect::<Result<Vec<_>, _>>()?;
    words.push(vm.new_str(&zone)?);
    words.push(vm.new_int(tm.tm_gmtoff)?);
    vm.tuple_from_owned(words)
}

/// The other way; nine numbers, and perhaps a zone's name and offset.
fn parts(vm: Vm, parts: Word) -> Result<(libc::tm, Option<CString>), Raised> {
    let items: Vec<Owned> = sequence::collect(vm, parts)?;
    let mut tm = empty();
    let fields = [
        &mut tm.tm_year,
        &mut tm.tm_mon,
        &mut tm.tm_mday,
        &mut tm.tm_hour,
        &mut tm.tm_min,
        &mut tm.tm_sec,
        &mut tm.tm_wday,
        &mut tm.tm_yday,
        &mut tm.tm_isdst,
    ];
    for (field, item) in fields.into_iter().zip(&items) {
        *field = i32::try_from(number::index_isize(vm, item.as_word())?)
            .map_err(|_| vm.overflow_error("Python int too large to convert to C int"))?;
    }
    let mut zone = None;
    if let [name, offset] = items.get(9..).unwrap_or_default() {
        if str::is_str(name.as_word()) {
            zone = CString::new(str::to_string_lossy(name.as_word())).ok();
        }
        if !offset.as_word().is_none() {
            tm.tm_gmtoff = number::index_isize(vm, offset.as_word())? as libc::c_long;
        }
    }
    Ok((tm, zone))
}

fn mktime(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let (mut tm, _) = parts(vm, args[0])?;
    // A day of the week that the function does not touch tells failure from the second before 1970.
    tm.tm_wday = -1;
    // SAFETY: a valid place.
    let seconds = unsafe { libc::mktime(&mut tm) };
    if seconds == -1 && tm.tm_wday == -1 {
        return Err(vm.overflow_error("mktime argument out of range"));
    }
    vm.new_int(seconds)
}

fn strftime(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let (mut tm, zone) = parts(vm, args[1])?;
    if let Some(zone) = &zone {
        tm.tm_zone = zone.as_ptr();
    }
    let format = utf8::encode(vm, args[0])?;
    let mut out = String::new();
    // NUL ends what the C library reads.
    for (index, piece) in format.split(|&b| b == 0).enumerate() {
        if index > 0 {
            out.push('\0');
        }
        out += &formatted(vm, piece, &tm)?;
    }
    vm.new_str(&out)
}

fn formatted(vm: Vm, format: &[u8], tm: &libc::tm) -> Result<String, Raised> {
    // An answer is never empty with this in front, so that 0 says "no room".
    let mut marked = vec![b'+'];
    marked.extend_from_slice(format);
    let Ok(format) = CString::new(marked) else {
        return Ok(String::new());
    };
    let mut room = 1024 + format.as_bytes().len();
    while vm.heap.has_room(room) && room < 256 * (1024 + format.as_bytes().len()) {
        let mut buffer = vec![0u8; room];
        // SAFETY: as much room as it says, a text that ends, and a valid place.
        let length =
            unsafe { libc::strftime(buffer.as_mut_ptr().cast(), room, format.as_ptr(), tm) };
        if length > 0 {
            return Ok(String::from_utf8_lossy(&buffer[1..length]).into_owned());
        }
        room *= 2;
    }
    Err(vm.no_memory())
}
