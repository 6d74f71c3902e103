//! What a counting run notes of specialisation, as CPython's pystats do, and the events that it tells to a listener.
//!
//! Nothing here is asked by a run that does not count. The loops say which instruction they fetch; what became of the one
//! before is read from its own counter: a hit leaves it alone, a miss advances it. So the forms need no code of their
//! own for this, and agree.

use super::code::{self, CodeObject};
use super::frame::Ip;
use super::specialize::{Decision, Refusal};
use super::thread::Thread;
use crate::bytecode::Opcode;
use crate::bytecode::backoff::BackoffCounter;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// What a site has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// The family's head decided for a form; from a form, it decided again.
    Specialized,
    /// A guard failed, the head did the work.
    Missed,
    /// The same, and the head's counter has run out: it decides again at once.
    Deoptimized,
    /// The head decided to stay generic.
    Refused(Refusal),
}

impl Happening {
    /// Its name, for an instruction that was `from`.
    pub fn kind(self, from: Opcode) -> &'static str {
        match self {
            Happening::Specialized if from.deopt() == from => "specialize",
            Happening::Specialized => "respecialize",
            Happening::Missed => "miss",
            Happening::Deoptimized => "deopt",
            Happening::Refused(_) => "fail",
        }
    }
}

/// Something that happened to an instruction of live code.
pub struct Event<'a> {
    pub code: &'a CodeObject,
    /// The code unit that it stands in.
    pub unit: usize,
    pub happening: Happening,
    pub from: Opcode,
    pub to: Opcode,
    /// None for families without a counter.
    pub counters: Option<(BackoffCounter, BackoffCounter)>,
}

/// Who is told; a function that begins is told too.
pub trait Listener {
    fn event(&mut self, event: &Event<'_>);
    /// A call, or the start of a module, is about to execute its RESUME.
    fn begins(&mut self, code: &CodeObject);
}

/// By family head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FamilyCounts {
    pub success: u64,
    pub failure: u64,
    /// Executions of the head that only counted down.
    pub deferred: u64,
    /// Misses at which the head's counter had run out.
    pub deopt: u64,
    pub refusals: BTreeMap<Refusal, u64>,
}

/// Taken from a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// Executions by opcode. As in CPython, an execution that specialises counts twice: as the head and as what comes of
    /// it.
    pub executed: [u64; 256],
    /// Guards that failed, by form.
    pub missed: [u64; 256],
    /// Which opcode was executed behind which.
    pub pairs: BTreeMap<(u8, u8), u64>,
    /// By the head's opcode.
    pub families: BTreeMap<u8, FamilyCounts>,
}

/// The instruction being executed.
#[derive(Clone, Copy)]
struct Current {
    at: Ip,
    opcode: Opcode,
    counter: BackoffCounter,
}

/// What an opcode is to its family.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It has none.
    Plain,
    /// A head with an adaptive counter.
    Head,
    Form,
    /// A head that decides at its first execution.
    HeadAtOnce,
    FormAtOnce,
}

impl Role {
    fn of(opcode: Opcode) -> Role {
        let head = opcode.deopt();
        let counts = head.caches() > 0 && head != Opcode::JUMP_BACKWARD;
        match (head.forms().is_empty(), head == opcode) {
            (true, _) => Role::Plain,
            (false, true) if counts => Role::Head,
            (false, true) => Role::HeadAtOnce,
            (false, false) if counts => Role::Form,
            (false, false) => Role::FormAtOnce,
        }
    }
}

/// The statistics of a run while they are taken.
pub struct Recorder {
    roles: [Role; 256],
    current: Cell<Option<Current>>,
    last: Cell<u8>,
    executed: [Cell<u64>; 256],
    missed: [Cell<u64>; 256],
    pairs: Vec<Cell<u64>>,
    families: RefCell<BTreeMap<u8, FamilyCounts>>,
    listener: RefCell<Option<Box<dyn Listener>>>,
}

fn add(cell: &Cell<u64>) {
    cell.set(cell.get() + 1);
}

/// # Safety
/// `at` is an instruction with a counter in memory of the arena.
unsafe fn counter_at(at: Ip) -> BackoffCounter {
    BackoffCounter(unsafe { at.add(2).cast::<u16>().read_unaligned() })
}

impl Recorder {
    pub fn new() -> Box<Recorder> {
        Box::new(Recorder {
            roles: std::array::from_fn(|number| Role::of(Opcode(number as u16))),
            current: Cell::new(None),
            last: Cell::new(0),
            executed: [const { Cell::new(0) }; 256],
            missed: [const { Cell::new(0) }; 256],
            pairs: vec![Cell::new(0); 1 << 16],
            families: RefCell::default(),
            listener: RefCell::default(),
        })
    }

    pub fn listen(&self, listener: Option<Box<dyn Listener>>) {
        self.listener.replace(listener);
    }

    fn family(&self, opcode: Opcode, change: impl FnOnce(&mut FamilyCounts)) {
        let head = opcode.deopt().0 as u8;
        change(self.families.borrow_mut().entry(head).or_default());
    }

    fn executes(&self, opcode: Opcode) {
        let opcode = opcode.0 as u8;
        add(&self.executed[usize::from(opcode)]);
        let last = usize::from(self.last.replace(opcode));
        add(&self.pairs[last << 8 | usize::from(opcode)]);
    }

    /// The instruction at `at` is about to be executed.
    ///
    /// # Safety
    /// It stands in live code.
    pub unsafe fn fetched(&self, ts: &Thread, at: Ip) {
        self.conclude(ts);
        let opcode = Opcode(u16::from(unsafe { *at }));
        self.executes(opcode);
        let role = self.role(opcode);
        let counter = match role {
            Role::Plain => return,
            Role::Head | Role::Form => unsafe { counter_at(at) },
            // Not looked at.
            Role::HeadAtOnce | Role::FormAtOnce => BackoffCounter::UNREACHABLE,
        };
        self.current.set(Some(Current {
            at,
            opcode,
            counter,
        }));
        if role == Role::Head && !counter.triggers() {
            self.family(opcode, |family| family.deferred += 1);
        }
        if matches!(opcode, Opcode::RESUME | Opcode::RESUME_CHECK) {
            self.begins(ts, at);
        }
        if opcode == Opcode::RESUME_CHECK && ts.has_events() {
            add(&self.missed[usize::from(opcode.0 as u8)]);
            self.tell(ts, at, Happening::Missed, opcode, opcode, None);
        }
    }

    fn role(&self, opcode: Opcode) -> Role {
        self.roles[usize::from(opcode.0 as u8)]
    }

    /// Finds out what became of the current instruction. Its code may not be freed before.
    pub fn conclude(&self, ts: &Thread) {
        let Some(current) = self.current.take() else {
            return;
        };
        let Current {
            at,
            opcode,
            counter,
        } = current;
        // SAFETY: the instruction's code is live, since freeing code concludes first.
        let now = Opcode(u16::from(unsafe { *at }));
        match self.role(opcode) {
            Role::HeadAtOnce if now != opcode => {
                self.family(opcode, |family| family.success += 1);
                self.tell(ts, at, Happening::Specialized, opcode, now, None);
                if opcode == Opcode::JUMP_BACKWARD {
                    // CPython executes it again.
                    self.executes(now);
                }
            }
            Role::Form => {
                // SAFETY: as above.
                let after = unsafe { counter_at(at) };
                if after != counter {
                    add(&self.missed[usize::from(opcode.0 as u8)]);
                    let counters = Some((counter, after));
                    self.tell(ts, at, Happening::Missed, opcode, now, counters);
                }
            }
            _ => {}
        }
    }

    /// The head has decided about the instruction at `at`, which had `opcode` and `before`, and executes it again.
    ///
    /// # Safety
    /// As [`Recorder::fetched`].
    pub unsafe fn settled(
        &self,
        ts: &Thread,
        at: Ip,
        opcode: Opcode,
        before: BackoffCounter,
        decision: Decision,
    ) {
        self.current.set(None);
        if self.role(opcode) == Role::Form {
            add(&self.missed[usize::from(opcode.0 as u8)]);
            self.family(opcode, |family| family.deopt += 1);
            let counters = Some((before, before));
            self.tell(ts, at, Happening::Deoptimized, opcode, opcode, counters);
        }
        // SAFETY: the caller's promise.
        let (now, after) = unsafe { (Opcode(u16::from(*at)), counter_at(at)) };
        let happening = match decision {
            Ok(_) => Happening::Specialized,
            Err(refusal) => Happening::Refused(refusal),
        };
        self.family(opcode, |family| match decision {
            Ok(_) => family.success += 1,
            Err(refusal) => {
                family.failure += 1;
                *family.refusals.entry(refusal).or_default() += 1;
            }
        });
        self.tell(ts, at, happening, opcode, now, Some((before, after)));
        self.executes(now);
        if self.role(now) == Role::Head {
            self.family(now, |family| family.deferred += 1);
        }
        self.current.set(Some(Current {
            at,
            opcode: now,
            counter: after,
        }));
    }

    fn begins(&self, ts: &Thread, at: Ip) {
        // SAFETY: RESUME has an oparg behind it.
        let kind = unsafe { *at.add(1) } & 3;
        if kind == 0
            && let Some(listener) = self.listener.borrow_mut().as_mut()
            && let Some(code) = code_at(ts, at)
        {
            listener.begins(code);
        }
    }

    fn tell(
        &self,
        ts: &Thread,
        at: Ip,
        happening: Happening,
        from: Opcode,
        to: Opcode,
        counters: Option<(BackoffCounter, BackoffCounter)>,
    ) {
        if let Some(listener) = self.listener.borrow_mut().as_mut()
            && let Some(code) = code_at(ts, at)
        {
            listener.event(&Event {
                code,
                unit: code.unit_at(at),
                happening,
                from,
                to,
                counters,
            });
        }
    }

    /// The statistics since the last call.
    pub fn take(&self, ts: &Thread) -> Statistics {
        self.conclude(ts);
        self.last.set(0);
        let pairs = self.pairs.iter().enumerate();
        let pairs = pairs.map(|(key, count)| (((key >> 8) as u8, key as u8), count.take()));
        Statistics {
            executed: std::array::from_fn(|opcode| self.executed[opcode].take()),
            missed: std::array::from_fn(|opcode| self.missed[opcode].take()),
            pairs: pairs.filter(|(_, count)| *count > 0).collect(),
            families: self.families.take(),
        }
    }
}

/// The code object that an instruction stands in.
fn code_at(ts: &Thread, at: Ip) -> Option<&CodeObject> {
    let block = ts.arena.block_before(at)?;
    let found: *mut CodeObject = block.as_ptr().cast();
    // SAFETY: blocks of the arena are code objects, live as long as they are in use.
    unsafe {
        let begin = code::start(found);
        let inside = at >= begin && at < begin.add(2 * (*found).units());
        inside.then(|| &*found)
    }
}

impl Statistics {
    /// Executions of forms whose guards held, of a family.
    pub fn hits(&self, head: Opcode) -> u64 {
        self.of_forms(head, |form| self.executed[form] - self.missed[form])
    }
    pub fn misses(&self, head: Opcode) -> u64 {
        self.of_forms(head, |form| self.missed[form])
    }
    pub fn family(&self, head: Opcode) -> FamilyCounts {
        let found = self.families.get(&(head.0 as u8));
        found.cloned().unwrap_or_default()
    }
    fn of_forms(&self, head: Opcode, count: impl Fn(usize) -> u64) -> u64 {
        let forms = head.forms().iter();
        forms.map(|form| count(usize::from(form.0))).sum()
    }
}
