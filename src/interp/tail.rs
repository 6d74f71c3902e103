//! The tail form: entry, and what its generated handlers use.

use super::abi::{Exit, Handler, Ip, Locals, Sp, Table};
use crate::runtime::thread::Thread;

/// Two byte loads, one table load, one indirect jump. Written out in each arm that continues, so that the next
/// instruction depends on the branch and not on a value that the branch selects.
macro_rules! dispatch {
    ($ip:expr, $sp:expr, $locals:expr, $ts:expr, $table:expr) => {{
        let next: Ip = $ip;
        let table: Table = $table;
        let opcode = *next as usize;
        let oparg = *next.add(1) as usize;
        become ((*table.add(opcode)).0)(next.add(2), $sp, $locals, $ts, table, oparg)
    }};
}

impl Thread {
    #[inline(always)]
    fn table(&self) -> Table {
        self.raw_table().cast()
    }
}

#[allow(
    unused_mut,
    unused_variables,
    unused_assignments,
    unreachable_code,
    non_snake_case,
    clippy::all
)]
mod handlers {
    use super::*;
    use crate::interp::support::prelude::*;

    include!(concat!(env!("OUT_DIR"), "/tail.rs"));

    /// Frees the object in `oparg`, whose count a handler has brought to zero, closes as many words as the name says that
    /// stand above the stack pointer, and goes on.
    macro_rules! free {
        ($name:ident, $words:literal) => {
            #[cold]
            #[inline(never)]
            pub unsafe extern "rust-preserve-none" fn $name(
                ip: Ip,
                sp: Sp,
                locals: Locals,
                ts: &Thread,
                _table: Table,
                oparg: usize,
            ) -> Exit {
                unsafe {
                    free_object_and_close(ts, oparg, ip, sp, locals, $words);
                    dispatch!(ip, sp, locals, ts, ts.table())
                }
            }
        };
    }
    free!(free_0, 0);
    free!(free_1, 1);
    free!(free_2, 2);
    free!(free_3, 3);

    /// Behind every entry of the counting table: counts the opcode, goes on to its handler.
    pub unsafe extern "rust-preserve-none" fn counting(
        ip: Ip,
        sp: Sp,
        locals: Locals,
        ts: &Thread,
        table: Table,
        oparg: usize,
    ) -> Exit {
        unsafe {
            let opcode = *ip.sub(2) as usize;
            ts.count(ip.sub(2));
            become (TABLE[opcode].0)(ip, sp, locals, ts, table, oparg)
        }
    }

    /// A number that no instruction has.
    #[cold]
    #[inline(never)]
    unsafe extern "rust-preserve-none" fn unassigned(
        ip: Ip,
        sp: Sp,
        locals: Locals,
        ts: &Thread,
        table: Table,
        oparg: usize,
    ) -> Exit {
        unsafe { become label_invalid(ip, sp, locals, ts, table, oparg) }
    }
}

static COUNTING: [Handler; 256] = [Handler(handlers::counting); 256];

/// The table that a thread dispatches through.
pub fn table(counting: bool) -> *const () {
    if counting {
        COUNTING.as_ptr().cast()
    } else {
        handlers::TABLE.as_ptr().cast()
    }
}

/// Runs from `ip` until the frame that entered leaves.
///
/// # Safety
/// The registers are those of a live frame of `ts` whose code is verified.
pub unsafe fn run(ip: Ip, sp: Sp, locals: Locals, ts: &Thread) -> Exit {
    unsafe {
        let table = ts.table();
        ((*table.add(*ip as usize)).0)(ip.add(2), sp, locals, ts, table, *ip.add(1) as usize)
    }
}
