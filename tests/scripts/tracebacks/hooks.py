"""sys.excepthook, sys.unraisablehook, sys.exc_info, sys.exception."""
import sys
import traceback


def f():
    try:
        1 / 0
    except ZeroDivisionError as error:
        print(sys.exception() is error, sys.exc_info()[0], sys.exc_info()[1] is error)
        print(sys.exc_info()[2] is error.__traceback__)
        try:
            raise KeyError(1)
        except KeyError:
            print(repr(sys.exception()), repr(sys.exception().__context__))
        print(repr(sys.exception()))
    print(sys.exception(), sys.exc_info())


f()


class Finalizer:
    def __call__(self):
        raise ValueError("in del")

    def __repr__(self):
        return "<a finalizer>"


class Dies:
    __del__ = Finalizer()


def hook(unraisable):
    print(type(unraisable).__name__, unraisable.exc_type.__name__, unraisable.exc_value, unraisable.err_msg)
    print(unraisable.object, unraisable.exc_traceback.tb_frame.f_code.co_name)


sys.unraisablehook = hook
Dies()
sys.unraisablehook = sys.__unraisablehook__
d = Dies()
del d


class BadHook:
    def __call__(self, unraisable):
        raise KeyError("bad hook")

    def __repr__(self):
        return "<a bad hook>"


sys.unraisablehook = BadHook()
Dies()
sys.unraisablehook = sys.__unraisablehook__
try:
    sys.unraisablehook(3)
except TypeError as error:
    print(error)
sys.unraisablehook = hook
d = Dies()
del d
sys.unraisablehook = sys.__unraisablehook__


class Kept:
    def write(self, text):
        if text:
            print("kept", repr(text))

    def flush(self):
        pass


usual = sys.stderr
sys.stderr = Kept()
sys.excepthook(ValueError, ValueError("to the other"), None)
sys.stderr = usual
print("excepthook")
sys.excepthook(ValueError, ValueError("shown"), None)
try:
    f(1)
except TypeError:
    sys.excepthook(*sys.exc_info())


def excepthook(kind, value, tb):
    print("hook:", kind.__name__, value, [frame.f_code.co_name for frame, _ in traceback.walk_tb(tb)])


sys.excepthook = excepthook


def last():
    raise LookupError("the last")


last()
