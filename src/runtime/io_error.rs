//! OSError from the system's errors (`PyErr_SetFromErrnoWithFilename`).

use crate::object::{Owned, Raised, TypeObject, Vm, Word};
use std::io;

/// Raises the OSError, or the subclass for its number, that says what went wrong, and with which file.
#[cold]
pub fn raise(vm: Vm, error: &io::Error, filename: Option<&str>) -> Raised {
    let number = error.raw_os_error().unwrap_or(libc::EIO);
    let make = || {
        let text = vm.new_str(&message(number))?;
        let filename = filename.map(|name| vm.new_str(name)).transpose()?;
        let mut args = vec![Word::int_unchecked(i64::from(number)), text.as_word()];
        args.extend(filename.as_ref().map(Owned::as_word));
        Ok::<Raised, Raised>(vm.raise_with(class(vm, number), &args))
    };
    make().unwrap_or_else(|raised| raised)
}

fn message(number: i32) -> String {
    // SAFETY: strerror's answer stays until the next call, on this thread; it is copied at once.
    unsafe { std::ffi::CStr::from_ptr(libc::strerror(number)) }
        .to_string_lossy()
        .into_owned()
}

/// `errnomap`.
fn class(vm: Vm, number: i32) -> *mut TypeObject {
    match number {
        libc::EAGAIN | libc::EALREADY | libc::EINPROGRESS => vm.exc.BlockingIOError,
        libc::EPIPE | libc::ESHUTDOWN => vm.exc.BrokenPipeError,
        libc::ECHILD => vm.exc.ChildProcessError,
        libc::ECONNABORTED => vm.exc.ConnectionAbortedError,
        libc::ECONNREFUSED => vm.exc.ConnectionRefusedError,
        libc::ECONNRESET => vm.exc.ConnectionResetError,
        libc::EEXIST => vm.exc.FileExistsError,
        libc::ENOENT => vm.exc.FileNotFoundError,
        libc::EISDIR => vm.exc.IsADirectoryError,
        libc::ENOTDIR => vm.exc.NotADirectoryError,
        libc::EINTR => vm.exc.InterruptedError,
        libc::EACCES | libc::EPERM => vm.exc.PermissionError,
        libc::ESRCH => vm.exc.ProcessLookupError,
        libc::ETIMEDOUT => vm.exc.TimeoutError,
        _ => vm.exc.OSError,
    }
}
