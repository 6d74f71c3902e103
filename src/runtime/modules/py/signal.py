import _signal
from _signal import alarm, default_int_handler, getitimer, raise_signal, setitimer, siginterrupt, strsignal
from _signal import ITIMER_PROF, ITIMER_REAL, ITIMER_VIRTUAL, NSIG
from enum import IntEnum


class Signals(IntEnum):
    SIGHUP = _signal.SIGHUP
    SIGINT = _signal.SIGINT
    SIGQUIT = _signal.SIGQUIT
    SIGILL = _signal.SIGILL
    SIGTRAP = _signal.SIGTRAP
    SIGABRT = _signal.SIGABRT
    SIGBUS = _signal.SIGBUS
    SIGFPE = _signal.SIGFPE
    SIGKILL = _signal.SIGKILL
    SIGUSR1 = _signal.SIGUSR1
    SIGSEGV = _signal.SIGSEGV
    SIGUSR2 = _signal.SIGUSR2
    SIGPIPE = _signal.SIGPIPE
    SIGALRM = _signal.SIGALRM
    SIGTERM = _signal.SIGTERM
    SIGCHLD = _signal.SIGCHLD
    SIGCONT = _signal.SIGCONT
    SIGSTOP = _signal.SIGSTOP
    SIGTSTP = _signal.SIGTSTP
    SIGTTIN = _signal.SIGTTIN
    SIGTTOU = _signal.SIGTTOU
    SIGURG = _signal.SIGURG
    SIGXCPU = _signal.SIGXCPU
    SIGXFSZ = _signal.SIGXFSZ
    SIGVTALRM = _signal.SIGVTALRM
    SIGPROF = _signal.SIGPROF
    SIGWINCH = _signal.SIGWINCH
    SIGIO = _signal.SIGIO
    SIGSYS = _signal.SIGSYS


class Handlers(IntEnum):
    SIG_DFL = _signal.SIG_DFL
    SIG_IGN = _signal.SIG_IGN


globals().update(Signals.__members__)
globals().update(Handlers.__members__)


def _member(value, enumeration):
    """The member with that value, or what is none itself."""
    if isinstance(value, int):
        try:
            return enumeration(value)
        except ValueError:
            pass
    return value


def _plain(value):
    return int(value) if isinstance(value, (Signals, Handlers)) else value


def signal(signalnum, handler):
    handler = _signal.signal(_plain(signalnum), _plain(handler))
    return _member(handler, Handlers)


def getsignal(signalnum):
    handler = _signal.getsignal(_plain(signalnum))
    return _member(handler, Handlers)


def valid_signals():
    return {_member(number, Signals) for number in range(1, NSIG) if number not in (32, 33)}
