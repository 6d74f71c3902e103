//! What `sys` says of the build, the machine and objects' sizes.

use super::struct_seq::{self, StructSeq, item, struct_seq};
use super::{set as put, stdlib_names};
use crate::object::args::Signature;
use crate::object::descr::GetSetDef;
use crate::object::dict::DictObject;
use crate::object::list::ListObject;
use crate::object::{Kind, Owned, PyResult, Raised, Vm, Word, attr, number, set, str, tuple};
use crate::runtime::frame::{self, Meta};
use crate::runtime::thread::Thread;

struct_seq!(VersionInfo, "sys.version_info", 5: major 0 minor 1 micro 2 releaselevel 3 serial 4);
struct_seq!(FloatInfo, "sys.float_info", 11: max 0 max_exp 1 max_10_exp 2 min 3 min_exp 4 min_10_exp 5 dig 6
    mant_dig 7 epsilon 8 radix 9 rounds 10);
struct_seq!(IntInfo, "sys.int_info", 4: bits_per_digit 0 sizeof_digit 1 default_max_str_digits 2
    str_digits_check_threshold 3);
struct_seq!(HashInfo, "sys.hash_info", 9: width 0 modulus 1 inf 2 nan 3 imag 4 algorithm 5 hash_bits 6 seed_bits 7
    cutoff 8);
struct_seq!(Flags, "sys.flags", 18: debug 0 inspect 1 interactive 2 optimize 3 dont_write_bytecode 4 no_user_site 5
    no_site 6 ignore_environment 7 verbose 8 bytes_warning 9 quiet 10 hash_randomization 11 isolated 12 dev_mode 13
    utf8_mode 14 warn_default_encoding 15 safe_path 16 int_max_str_digits 17);

struct_seq!(Implementation, "namespace", 4: name 0 cache_tag 1 version 2 hexversion 3);

/// The release of CPython whose bytecode and behaviour this is.
const MAJOR: i64 = 3;
const MINOR: i64 = 14;
const MICRO: i64 = 2;
const FINAL: i64 = 0xf;

pub(super) fn fill(vm: Vm, module: &Owned) -> Result<(), Raised> {
    let int = |value: i64| vm.new_int(value);
    let text = |value: &str| vm.new_str(value);
    let float = |value: f64| vm.new_float(value);
    let ints = |values: &[i64]| {
        values
            .iter()
            .map(|value| vm.new_int(*value))
            .collect::<Result<Vec<_>, _>>()
    };

    let version = vec![
        int(MAJOR)?,
        int(MINOR)?,
        int(MICRO)?,
        text("final")?,
        int(0)?,
    ];
    let float_info = vec![
        float(f64::MAX)?,
        int(i64::from(f64::MAX_EXP))?,
        int(i64::from(f64::MAX_10_EXP))?,
        float(f64::MIN_POSITIVE)?,
        int(i64::from(f64::MIN_EXP))?,
        int(i64::from(f64::MIN_10_EXP))?,
        int(i64::from(f64::DIGITS))?,
        int(i64::from(f64::MANTISSA_DIGITS))?,
        float(f64::EPSILON)?,
        int(i64::from(f64::RADIX))?,
        int(1)?,
    ];
    let hash_info = vec![
        int(64)?,
        int(crate::object::hash::MODULUS as i64)?,
        int(crate::object::hash::INFINITY)?,
        int(0)?,
        int(1_000_003)?,
        text("siphash13")?,
        int(64)?,
        int(128)?,
        int(0)?,
    ];
    let mut flags = ints(&[0; 18])?;
    flags[4] = Owned::small_int(1);
    flags[13] = Owned::FALSE;
    flags[16] = Owned::FALSE;
    flags[17] = vm.new_int_usize(vm.int_max_str_digits.get())?;
    let hexversion = MAJOR << 24 | MINOR << 16 | MICRO << 8 | FINAL << 4;
    let version_text = format!(
        "{MAJOR}.{MINOR}.{MICRO} (rattail {})",
        env!("CARGO_PKG_VERSION")
    );
    let executable = std::env::current_exe()
        .map(|path| path.to_string_lossy().into_owned())
        .unwrap_or_default();
    let builtin_names = super::names()
        .map(|name| vm.new_str(name))
        .collect::<Result<Vec<_>, _>>()?;
    let stdlib = stdlib_names::NAMES
        .iter()
        .map(|name| vm.new_str(name))
        .collect::<Result<Vec<_>, _>>()?;
    let stdlib = vm.tuple_from_owned(stdlib)?;

    let version = struct_seq::singleton::<VersionInfo>(vm, version)?;
    // No cache of bytecode, hence no tag.
    let implementation = vec![
        text("rattail")?,
        Owned::NONE,
        Owned::new_ref(version.as_word()),
        int(hexversion)?,
    ];

    let values = [
        ("version", text(&version_text)?),
        ("version_info", version),
        (
            "implementation",
            struct_seq::singleton::<Implementation>(vm, implementation)?,
        ),
        ("hexversion", int(hexversion)?),
        ("api_version", int(1013)?),
        (
            "float_info",
            struct_seq::singleton::<FloatInfo>(vm, float_info)?,
        ),
        ("float_repr_style", text("short")?),
        (
            "int_info",
            struct_seq::singleton::<IntInfo>(vm, ints(&[30, 4, 4300, 640])?)?,
        ),
        (
            "hash_info",
            struct_seq::singleton::<HashInfo>(vm, hash_info)?,
        ),
        ("flags", struct_seq::singleton::<Flags>(vm, flags)?),
        ("maxsize", int(i64::MAX)?),
        ("maxunicode", int(i64::from(str::MAX_CHAR))?),
        (
            "byteorder",
            text(if cfg!(target_endian = "little") {
                "little"
            } else {
                "big"
            })?,
        ),
        (
            "platform",
            text(if cfg!(target_os = "macos") {
                "darwin"
            } else {
                std::env::consts::OS
            })?,
        ),
        ("executable", text(&executable)?),
        ("builtin_module_names", vm.tuple_from_owned(builtin_names)?),
        (
            "stdlib_module_names",
            set::new_set(vm, vm.types.frozenset, Some(stdlib.as_word()))?,
        ),
        ("dont_write_bytecode", Owned::TRUE),
        ("warnoptions", vm.new_list(&[])?),
    ];
    for (name, value) in &values {
        put(vm, module, name, value.as_word())?;
    }
    Ok(())
}

static GETSIZEOF: Signature<2> = Signature::new("getsizeof", ["object", "default"], 1);

/// Bytes that an object takes, itself and what only it refers to natively; an immediate value takes its word.
pub(super) fn getsizeof(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [object, default] = GETSIZEOF.unpack(vm, args, kwnames)?;
    let object = object.unwrap_or(Word::NONE);
    match attr::lookup_bound(vm, object, vm.names.__sizeof__)? {
        Some(method) => match said_size(vm, method.as_word()) {
            Ok(size) => Ok(size),
            Err(raised) => match default {
                Some(default) if vm.exception_matches(vm.exc.TypeError) => {
                    vm.clear_exception();
                    Ok(Owned::new_ref(default))
                }
                _ => Err(raised),
            },
        },
        None => vm.new_int_usize(size(vm, object)),
    }
}

fn said_size(vm: Vm, method: Word) -> PyResult {
    let size = crate::object::call::call(vm, method, &[], None)?;
    if number::index_isize(vm, size.as_word())? < 0 {
        return Err(vm.value_error("__sizeof__() should return >= 0"));
    }
    Ok(size)
}

fn size(vm: Vm, object: Word) -> usize {
    if !object.is_pointer() {
        return size_of::<Word>();
    }
    // SAFETY: types are live as long as an instance; payloads are of their kinds.
    unsafe {
        let ty = &*vm.type_of(object);
        let fixed = ty.basic_size as usize + ty.extension as usize;
        fixed
            + match object.kind().base() {
                Kind::TUPLE => size_of_val(tuple::items(object)),
                Kind::STR => str::object(object).byte_length(),
                Kind::LIST => (*object.cast::<ListObject>()).capacity * size_of::<Word>(),
                Kind::DICT => (*object.cast::<DictObject>()).keys().byte_size(),
                _ => 0,
            }
    }
}

static FRAME_MODULE: Signature<1> = Signature::new("_getframemodulename", ["depth"], 0);

/// The module of the function that runs so many frames up; None where there is none.
pub(super) fn getframemodulename(
    vm: Vm,
    _: Word,
    args: &[Word],
    kwnames: Option<Word>,
) -> PyResult {
    let [depth] = FRAME_MODULE.unpack(vm, args, kwnames)?;
    let mut depth = match depth {
        Some(depth) => number::index_isize(vm, depth)?,
        None => 0,
    };
    let (_, _, mut locals) = Thread::of(vm).saved_registers();
    while !locals.is_null() {
        // SAFETY: the frames below a native call are live.
        unsafe {
            let own = frame::frame(locals);
            if !(*own).meta.has(Meta::SHIM | Meta::BRIDGE) {
                if depth <= 0 {
                    let module = (*frame::function(locals)).module.get();
                    return Ok(if module.is_null() {
                        Owned::NONE
                    } else {
                        Owned::new_ref(module)
                    });
                }
                depth -= 1;
            }
            locals = (*own).previous;
        }
    }
    Ok(Owned::NONE)
}
