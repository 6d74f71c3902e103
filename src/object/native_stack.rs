//! The native stack of the running thread: where it lies, and more of it for a walk that nests deep.

/// Low and high end.
pub type Bounds = (usize, usize);

/// Low and high end of the calling thread's stack, asked for once.
pub fn bounds() -> Option<Bounds> {
    thread_local! {
        static BOUNDS: Option<Bounds> = main_thread().or_else(from_thread_library);
    }
    BOUNDS.with(|bounds| *bounds)
}

/// Calls `f` with `red_zone` bytes to spare, on a segment of `segment` bytes where the stack has less.
pub fn grown<R>(red_zone: usize, segment: usize, f: impl FnOnce() -> R) -> R {
    let (low, high) = bounds().unwrap_or((usize::MAX, 0));
    let mark = 0u8;
    let here = &raw const mark as usize;
    // Off the thread's own stack this runs on a segment, which `stacker` knows about. It is asked only then: it reads
    // the map of the process first.
    if here < high && here.saturating_sub(low) > red_zone {
        f()
    } else {
        stacker::maybe_grow(red_zone, segment, f)
    }
}

/// The main thread's stack lies below the program's own name and reaches as far as its limit. The thread library finds
/// the same by reading the map of the process, which costs as much as a tenth of an empty program.
#[cfg(target_os = "linux")]
fn main_thread() -> Option<Bounds> {
    const PAGE: usize = 4096;
    // SAFETY: plain questions to the system; the name that it answers with stays where it is.
    unsafe {
        if libc::getpid() != libc::gettid() {
            return None;
        }
        let name = libc::getauxval(libc::AT_EXECFN) as *const libc::c_char;
        let mut limit: libc::rlimit = std::mem::zeroed();
        if name.is_null()
            || libc::getrlimit(libc::RLIMIT_STACK, &mut limit) != 0
            || limit.rlim_cur == libc::RLIM_INFINITY
        {
            return None;
        }
        let high = (name.add(libc::strlen(name)) as usize + 1).next_multiple_of(PAGE);
        Some((high.checked_sub(limit.rlim_cur as usize)?, high))
    }
}
#[cfg(not(target_os = "linux"))]
fn main_thread() -> Option<Bounds> {
    None
}

fn from_thread_library() -> Option<Bounds> {
    #[cfg(target_os = "linux")]
    // SAFETY: plain pthread calls on an attribute object that is initialised before use and destroyed after.
    unsafe {
        let mut attr: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attr) != 0 {
            return None;
        }
        let mut low = std::ptr::null_mut();
        let mut size = 0;
        let failed = libc::pthread_attr_getstack(&attr, &mut low, &mut size);
        libc::pthread_attr_destroy(&mut attr);
        (failed == 0).then(|| (low as usize, low as usize + size))
    }
    #[cfg(target_os = "macos")]
    // SAFETY: plain pthread calls.
    unsafe {
        let this = libc::pthread_self();
        let top = libc::pthread_get_stackaddr_np(this) as usize;
        Some((top - libc::pthread_get_stacksize_np(this), top))
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// What the system says of the first thread's stack, and of where this one runs.
    #[test]
    fn bounds_are_those_of_the_stack() {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let line = maps.lines().find(|line| line.ends_with("[stack]")).unwrap();
        let high = line.split(['-', ' ']).nth(1).unwrap();
        let high = usize::from_str_radix(high, 16).unwrap();
        // SAFETY: the name stays where it is.
        let name = unsafe { libc::getauxval(libc::AT_EXECFN) } as usize;
        assert!((high - 4096..high).contains(&name), "{name:#x} in {line}");

        let (low, high) = bounds().unwrap();
        let here = &raw const low as usize;
        assert!((low..high).contains(&here));
        let other = std::thread::spawn(main_thread);
        assert_eq!(other.join().unwrap(), None);
    }

    #[test]
    fn a_walk_goes_on_where_the_stack_ends() {
        fn down(depth: usize) -> usize {
            let block = std::hint::black_box([depth as u8; 4096]);
            grown(128 << 10, 1 << 20, || {
                if depth == 0 {
                    0
                } else {
                    1 + down(depth - 1) + usize::from(block[0]) - usize::from(block[4095])
                }
            })
        }
        let depth = std::thread::Builder::new()
            .stack_size(512 << 10)
            .spawn(|| down(2_000))
            .unwrap();
        assert_eq!(depth.join().unwrap(), 2_000);
    }
}
