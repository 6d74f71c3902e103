//! `sys.monitoring` (PEP 669).

use super::{set, with_functions};
use crate::object::args;
use crate::object::descr::{MethodDef, meth};
use crate::object::{Owned, PyResult, Raised, Vm, Word, dict, module, number, object_type, str};
use crate::runtime::code::CodeObject;
use crate::runtime::monitoring::{self, Callback, EVENTS, LOCAL_EVENTS, UNGROUPED_EVENTS, event};
use crate::runtime::monitoring::{USER_TOOLS, is_code};
use crate::runtime::thread::Thread;

const FAST: u16 = meth::FASTCALL;

static FUNCTIONS: [MethodDef; 11] = [
    MethodDef::new("_all_events", meth::NOARGS, all_events),
    MethodDef::new("clear_tool_id", meth::O, |vm, _, args, _| {
        let tool = tool(vm, args[0])?;
        let ts = Thread::of(vm);
        if ts.monitoring.name(tool).is_some() {
            monitoring::clear_tool(ts, tool)?;
        }
        Ok(Owned::NONE)
    }),
    MethodDef::new("free_tool_id", meth::O, |vm, _, args, _| {
        let tool = tool(vm, args[0])?;
        let ts = Thread::of(vm);
        if ts.monitoring.name(tool).is_some() {
            monitoring::clear_tool(ts, tool)?;
            ts.monitoring.set_name(tool, None);
        }
        Ok(Owned::NONE)
    }),
    MethodDef::new("get_events", meth::O, |vm, _, args, _| {
        let tool = tool(vm, args[0])?;
        vm.new_int(Thread::of(vm).monitoring.events(tool).into())
    }),
    MethodDef::new("get_local_events", FAST, get_local_events),
    MethodDef::new("get_tool", meth::O, |vm, _, args, _| {
        let tool = tool(vm, args[0])?;
        let name = Thread::of(vm).monitoring.name(tool);
        Ok(name.map_or(Owned::NONE, Owned::new_ref))
    }),
    MethodDef::new("register_callback", FAST, register_callback),
    MethodDef::new("restart_events", meth::NOARGS, |vm, _, _, _| {
        monitoring::restart_events(Thread::of(vm))?;
        Ok(Owned::NONE)
    }),
    MethodDef::new("set_events", FAST, set_events),
    MethodDef::new("set_local_events", FAST, set_local_events),
    MethodDef::new("use_tool_id", FAST, use_tool_id),
];

/// Makes the module, for `sys` to have.
pub(super) fn make(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = with_functions(vm, "sys.monitoring", &FUNCTIONS)?;
    for (name, id) in [
        ("DEBUGGER_ID", 0),
        ("COVERAGE_ID", 1),
        ("PROFILER_ID", 2),
        ("OPTIMIZER_ID", 5),
    ] {
        set(vm, &module, name, Word::int_unchecked(id))?;
    }
    let state = &ts.monitoring;
    for (name, sentinel) in [("DISABLE", &state.disable), ("MISSING", &state.missing)] {
        // SAFETY: instances of `object` itself. Each lives as long as the VM: its count here is never given up.
        let object = unsafe { Owned::from_raw(object_type::allocate(vm, vm.types.object)?) };
        set(vm, &module, name, object.as_word())?;
        sentinel.set(object.into_slot());
    }
    let events = namespace(vm)?;
    set(vm, &events, "NO_EVENTS", Word::int_unchecked(0))?;
    for (number, name) in event::NAMES.iter().enumerate() {
        set(vm, &events, name, Word::int_unchecked(1 << number))?;
    }
    set(vm, &module, "events", events.as_word())?;
    let name = vm.intern_str("sys.monitoring")?;
    // SAFETY: `sys.modules` lives as long as the VM.
    unsafe { dict::set_item(vm, vm.modules, name.as_word(), module.as_word())? };
    Ok(module)
}

/// An object with nothing but attributes: a module without the ones that modules have.
fn namespace(vm: Vm) -> PyResult {
    let module = vm.new_module("events")?;
    // SAFETY: a module just made.
    unsafe {
        let dict = module::dict_of(module.as_word());
        let names = &vm.names;
        for key in [
            names.__name__,
            names.__doc__,
            names.__package__,
            names.__loader__,
            names.__spec__,
        ] {
            let hash = dict::hash_key(vm, key)?;
            dict::remove(vm, dict, key, hash)?;
        }
    }
    Ok(module)
}

fn tool(vm: Vm, word: Word) -> Result<usize, Raised> {
    let tool = number::index_isize(vm, word)?;
    match usize::try_from(tool) {
        Ok(tool) if tool < USER_TOOLS => Ok(tool),
        _ => Err(vm.value_error(format!(
            "invalid tool {tool} (must be between 0 and {})",
            USER_TOOLS - 1
        ))),
    }
}

fn in_use(vm: Vm, tool: usize) -> Result<(), Raised> {
    match Thread::of(vm).monitoring.name(tool) {
        Some(_) => Ok(()),
        None => Err(vm.value_error(format!("tool {tool} is not in use"))),
    }
}

fn use_tool_id(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "use_tool_id", args.len(), 2, 2)?;
    let tool = tool(vm, args[0])?;
    if !str::is_str(args[1]) {
        return Err(vm.value_error("tool name must be a str"));
    }
    let state = &Thread::of(vm).monitoring;
    if state.name(tool).is_some() {
        return Err(vm.value_error(format!("tool {tool} is already in use")));
    }
    state.set_name(tool, Some(args[1]));
    Ok(Owned::NONE)
}

const CALLS: u32 = 1 << event::CALL | C_ENDS;
const C_ENDS: u32 = 1 << event::C_RETURN | 1 << event::C_RAISE;

/// A set of events as tools are kept by: what a call ends with belongs to CALL, BRANCH is both ways.
fn event_set(vm: Vm, word: Word, what: &str, limit: usize) -> Result<u32, Raised> {
    let given = number::index_isize(vm, word)?;
    let events = given as u32;
    if !(0..1 << EVENTS).contains(&given) {
        return Err(vm.value_error(format!("invalid {what} 0x{events:x}")));
    }
    if events & C_ENDS != 0 && events & CALLS != CALLS {
        return Err(vm.value_error("cannot set C_RETURN or C_RAISE events independently"));
    }
    let mut kept = events & !C_ENDS;
    if kept & 1 << event::BRANCH != 0 {
        kept &= !(1 << event::BRANCH);
        kept |= 1 << event::BRANCH_LEFT | 1 << event::BRANCH_RIGHT;
    }
    if kept >= 1 << limit {
        return Err(vm.value_error(format!("invalid {what} 0x{kept:x}")));
    }
    Ok(kept)
}

fn set_events(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "set_events", args.len(), 2, 2)?;
    let tool = tool_number(vm, args)?;
    let events = event_set(vm, args[1], "event set", UNGROUPED_EVENTS)?;
    in_use(vm, tool)?;
    monitoring::set_events(Thread::of(vm), tool, events)?;
    Ok(Owned::NONE)
}

/// Numbers are converted before any is judged.
fn tool_number(vm: Vm, args: &[Word]) -> Result<usize, Raised> {
    number::index_isize(vm, args[0])?;
    tool(vm, args[0])
}

fn code<'a>(vm: Vm, word: Word) -> Result<&'a CodeObject, Raised> {
    if is_code(vm, word) {
        // SAFETY: the caller keeps the object.
        return Ok(unsafe { &*word.cast::<CodeObject>() });
    }
    Err(vm.type_error("code must be a code object"))
}

fn set_local_events(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "set_local_events", args.len(), 3, 3)?;
    number::index_isize(vm, args[0])?;
    number::index_isize(vm, args[2])?;
    let code = code(vm, args[1])?;
    let tool = tool(vm, args[0])?;
    let events = event_set(vm, args[2], "local event set", LOCAL_EVENTS)?;
    in_use(vm, tool)?;
    monitoring::set_local_events(Thread::of(vm), code, tool, events)?;
    Ok(Owned::NONE)
}

fn get_local_events(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "get_local_events", args.len(), 2, 2)?;
    number::index_isize(vm, args[0])?;
    let code = code(vm, args[1])?;
    let tool = tool(vm, args[0])?;
    vm.new_int(monitoring::local_events(Thread::of(vm), code, tool).into())
}

fn register_callback(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "register_callback", args.len(), 3, 3)?;
    let tool = tool_number(vm, args)?;
    let given = number::index_isize(vm, args[1])?;
    if given <= 0 || !(given as usize).is_power_of_two() {
        return Err(vm.value_error("The callback can only be set for one event at a time"));
    }
    let number = given.trailing_zeros() as usize;
    if number >= EVENTS {
        return Err(vm.value_error(format!("invalid event {given}")));
    }
    let callback = |make: fn(Word) -> Callback| {
        if args[2].is_none() {
            Callback::None
        } else {
            make(Owned::new_ref(args[2]).into_slot())
        }
    };
    let state = &Thread::of(vm).monitoring;
    let old = if number == event::BRANCH {
        let right = state.set_callback(tool, event::BRANCH_RIGHT, callback(Callback::Branch));
        let left = state.set_callback(tool, event::BRANCH_LEFT, callback(Callback::Branch));
        left.or(right)
    } else {
        state.set_callback(tool, number, callback(Callback::Call))
    };
    Ok(old.unwrap_or(Owned::NONE))
}

/// Events that somebody wants everywhere, with their tools as bits.
fn all_events(vm: Vm, _: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let state = &Thread::of(vm).monitoring;
    // SAFETY: a dict just made.
    unsafe {
        let dict = Owned::from_raw(vm.new_dict()?);
        for (number, name) in event::NAMES[..UNGROUPED_EVENTS].iter().enumerate() {
            let tools = state.tools(number);
            if tools != 0 {
                let name = vm.intern_str(name)?;
                let tools = Word::int_unchecked(tools.into());
                dict::set_item(vm, dict.as_ptr(), name.as_word(), tools)?;
            }
        }
        Ok(dict)
    }
}
