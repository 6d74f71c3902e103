import signal

print(signal.SIGINT, repr(signal.SIGINT), signal.SIG_DFL == 0, repr(signal.SIG_IGN))
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
print(repr(signal.getsignal(signal.SIGTERM)))
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt as error:
    print("interrupted", repr(error))


def handler(number, frame):
    print("handler", number, signal.Signals(number).name, frame.f_code.co_name)


def work():
    signal.raise_signal(signal.SIGTERM)
    return "went on"


print(signal.signal(signal.SIGTERM, handler))
print(work())
print(signal.signal(signal.SIGTERM, signal.SIG_IGN) is handler)
print(work(), repr(signal.getsignal(signal.SIGTERM)))


def raising(number, frame):
    raise LookupError(number)


signal.signal(signal.SIGUSR1, raising)
try:
    signal.raise_signal(signal.SIGUSR1)
    print("not reached")
except LookupError as error:
    print("raised", error)
for wrong in (lambda: signal.signal(signal.SIGINT, 3), lambda: signal.signal(0, handler), lambda: signal.getsignal(99)):
    try:
        wrong()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
try:
    signal.default_int_handler(2, None)
except KeyboardInterrupt:
    print("KeyboardInterrupt")
signal.signal(signal.SIGALRM, lambda number, frame: (_ for _ in ()).throw(TimeoutError("too late")))
signal.setitimer(signal.ITIMER_REAL, 0.02)
try:
    while True:
        pass
except TimeoutError as error:
    print(error)
print(signal.strsignal(signal.SIGINT), signal.alarm(0))
