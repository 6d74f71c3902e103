"""What helps to write and to use context managers."""

from abc import ABC, abstractmethod
from functools import wraps
import sys

__all__ = [
    "asynccontextmanager", "contextmanager", "closing", "nullcontext", "AbstractContextManager",
    "AbstractAsyncContextManager", "AsyncExitStack", "ContextDecorator", "ExitStack", "redirect_stdout",
    "redirect_stderr", "suppress", "aclosing",
]


def _defines(cls, *names):
    """Whether a class has these methods and has not set one of them to None."""
    for name in names:
        for base in cls.__mro__:
            if name in base.__dict__:
                if base.__dict__[name] is None:
                    return NotImplemented
                break
        else:
            return NotImplemented
    return True


class AbstractContextManager(ABC):
    """An abstract base class for context managers."""

    __slots__ = ()

    def __enter__(self):
        """Return `self` upon entering the runtime context."""
        return self

    @abstractmethod
    def __exit__(self, exc_type, exc_value, traceback):
        """Raise any exception triggered within the runtime context."""
        return None

    @classmethod
    def __subclasshook__(cls, C):
        if cls is AbstractContextManager:
            return _defines(C, "__enter__", "__exit__")
        return NotImplemented


class AbstractAsyncContextManager(ABC):
    """An abstract base class for asynchronous context managers."""

    __slots__ = ()

    async def __aenter__(self):
        """Return `self` upon entering the runtime context."""
        return self

    @abstractmethod
    async def __aexit__(self, exc_type, exc_value, traceback):
        """Raise any exception triggered within the runtime context."""
        return None

    @classmethod
    def __subclasshook__(cls, C):
        if cls is AbstractAsyncContextManager:
            return _defines(C, "__aenter__", "__aexit__")
        return NotImplemented


class ContextDecorator:
    """Lets a context manager decorate functions."""

    def _recreate_cm(self):
        return self

    def __call__(self, func):
        @wraps(func)
        def inner(*args, **kwds):
            with self._recreate_cm():
                return func(*args, **kwds)

        return inner


class AsyncContextDecorator:
    """Lets an asynchronous context manager decorate coroutine functions."""

    def _recreate_cm(self):
        return self

    def __call__(self, func):
        @wraps(func)
        async def inner(*args, **kwds):
            async with self._recreate_cm():
                return await func(*args, **kwds)

        return inner


class _GeneratorContextManagerBase:
    def __init__(self, func, args, kwds):
        self.gen = func(*args, **kwds)
        self.func, self.args, self.kwds = func, args, kwds
        doc = getattr(func, "__doc__", None)
        self.__doc__ = type(self).__doc__ if doc is None else doc

    # A generator runs once: every call of a decorated function needs another.
    def _recreate_cm(self):
        return self.__class__(self.func, self.args, self.kwds)

    def _settle(self, error, value, traceback):
        """Whether `error`, which came out of the generator, is the `value` thrown in; otherwise it goes on."""
        same = error is value
        if not same and isinstance(error, RuntimeError):
            # The generator has turned an escaping StopIteration into its cause.
            same = isinstance(value, (StopIteration, StopAsyncIteration)) and error.__cause__ is value
        if same:
            value.__traceback__ = traceback
        return same


class _GeneratorContextManager(_GeneratorContextManagerBase, AbstractContextManager, ContextDecorator):
    """Helper for @contextmanager decorator."""

    def __enter__(self):
        # The arguments would be kept alive for nothing.
        del self.args, self.kwds, self.func
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, typ, value, traceback):
        if typ is None:
            try:
                next(self.gen)
            except StopIteration:
                return False
            message = "generator didn't stop"
        else:
            if value is None:
                value = typ()
            try:
                self.gen.throw(value)
            except StopIteration as error:
                # One that the body raised, or a return after it was handled.
                return error is not value
            except BaseException as error:
                if not self._settle(error, value, traceback):
                    raise
                return False
            message = "generator didn't stop after throw()"
        try:
            raise RuntimeError(message)
        finally:
            self.gen.close()


class _AsyncGeneratorContextManager(
    _GeneratorContextManagerBase, AbstractAsyncContextManager, AsyncContextDecorator
):
    """Helper for @asynccontextmanager decorator."""

    async def __aenter__(self):
        del self.args, self.kwds, self.func
        try:
            return await anext(self.gen)
        except StopAsyncIteration:
            raise RuntimeError("generator didn't yield") from None

    async def __aexit__(self, typ, value, traceback):
        if typ is None:
            try:
                await anext(self.gen)
            except StopAsyncIteration:
                return False
            message = "generator didn't stop"
        else:
            if value is None:
                value = typ()
            try:
                await self.gen.athrow(value)
            except StopAsyncIteration as error:
                return error is not value
            except BaseException as error:
                if not self._settle(error, value, traceback):
                    raise
                return False
            message = "generator didn't stop after athrow()"
        try:
            raise RuntimeError(message)
        finally:
            await self.gen.aclose()


def contextmanager(func):
    """Makes a context manager of a generator function with one `yield`."""

    @wraps(func)
    def helper(*args, **kwds):
        return _GeneratorContextManager(func, args, kwds)

    return helper


def asynccontextmanager(func):
    """Makes an asynchronous context manager of an asynchronous generator function with one `yield`."""

    @wraps(func)
    def helper(*args, **kwds):
        return _AsyncGeneratorContextManager(func, args, kwds)

    return helper


class closing(AbstractContextManager):
    """Closes something at the end of a block."""

    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *exc_info):
        self.thing.close()


class aclosing(AbstractAsyncContextManager):
    """Awaits `aclose()` of something at the end of a block."""

    def __init__(self, thing):
        self.thing = thing

    async def __aenter__(self):
        return self.thing

    async def __aexit__(self, *exc_info):
        await self.thing.aclose()


class _RedirectStream(AbstractContextManager):
    _stream = None

    def __init__(self, new_target):
        self._new_target = new_target
        # The same object may be entered again inside its own block.
        self._old_targets = []

    def __enter__(self):
        self._old_targets.append(getattr(sys, self._stream))
        setattr(sys, self._stream, self._new_target)
        return self._new_target

    def __exit__(self, exctype, excinst, exctb):
        setattr(sys, self._stream, self._old_targets.pop())


class redirect_stdout(_RedirectStream):
    """Makes `sys.stdout` another file for a block."""

    _stream = "stdout"


class redirect_stderr(_RedirectStream):
    """Makes `sys.stderr` another file for a block."""

    _stream = "stderr"


class suppress(AbstractContextManager):
    """Ends a block quietly where one of these exceptions is raised."""

    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        pass

    def __exit__(self, exctype, excinst, exctb):
        if exctype is None:
            return None
        if issubclass(exctype, self._exceptions):
            return True
        if issubclass(exctype, BaseExceptionGroup):
            _, rest = excinst.split(self._exceptions)
            if rest is None:
                return True
            raise rest
        return False


class _BaseExitStack:
    def __init__(self):
        # Pairs: whether it is to be called without awaiting, and a function with the arguments of `__exit__`.
        self._exit_callbacks = []

    def pop_all(self):
        """Hands the callbacks over to a new stack."""
        new = type(self)()
        new._exit_callbacks = self._exit_callbacks
        self._exit_callbacks = []
        return new

    def _methods(self, cm, enter, exit, protocol):
        cls = type(cm)
        try:
            return getattr(cls, enter), getattr(cls, exit)
        except AttributeError:
            name = f"{cls.__module__}.{cls.__qualname__}"
            raise TypeError(f"'{name}' object does not support the {protocol}") from None

    def _bound(self, method, cm):
        def callback(*details):
            return method(cm, *details)

        return callback

    def enter_context(self, cm):
        """Enters a context manager, to be left with the stack; what it gave is the result."""
        enter, leave = self._methods(cm, "__enter__", "__exit__", "context manager protocol")
        result = enter(cm)
        self._exit_callbacks.append((True, self._bound(leave, cm)))
        return result

    def push(self, exit):
        """Registers an object with `__exit__`, or a function with its arguments."""
        try:
            method = type(exit).__exit__
        except AttributeError:
            self._exit_callbacks.append((True, exit))
        else:
            self._exit_callbacks.append((True, self._bound(method, exit)))
        return exit

    def callback(self, callback, /, *args, **kwds):
        """Registers a function that does not look at exceptions."""

        def without_details(*details):
            callback(*args, **kwds)

        without_details.__wrapped__ = callback
        self._exit_callbacks.append((True, without_details))
        return callback


def _fix_context(new, old, outside):
    """An exception raised by a callback follows the one that it was given, where `with` statements would chain them."""
    while True:
        context = new.__context__
        if context is None or context is old:
            return
        if context is outside:
            break
        new = context
    new.__context__ = old


class _Unwinding:
    """What becomes of the exception while the callbacks of a stack run."""

    def __init__(self, exc):
        self.exc, self.received = exc, exc is not None
        self.outside = sys.exception()
        self.suppressed = self.pending = False

    def details(self):
        exc = self.exc
        return (None, None, None) if exc is None else (type(exc), exc, exc.__traceback__)

    def returned(self, value):
        if value:
            self.suppressed, self.pending, self.exc = True, False, None

    def raised(self, new):
        _fix_context(new, self.exc, self.outside)
        self.pending, self.exc = True, new

    def end(self):
        if self.pending:
            exc, context = self.exc, self.exc.__context__
            try:
                raise exc
            except BaseException:
                # Raising has put what is handled outside there.
                exc.__context__ = context
                raise
        return self.received and self.suppressed


class ExitStack(_BaseExitStack, AbstractContextManager):
    """Any number of context managers and callbacks, left in reverse order."""

    def __enter__(self):
        return self

    def __exit__(self, *details):
        state = _Unwinding(details[1])
        while self._exit_callbacks:
            _, callback = self._exit_callbacks.pop()
            try:
                state.returned(callback(*state.details()))
            except BaseException as new:
                state.raised(new)
        return state.end()

    def close(self):
        """Leaves everything now."""
        self.__exit__(None, None, None)


class AsyncExitStack(_BaseExitStack, AbstractAsyncContextManager):
    """An ExitStack that also takes asynchronous context managers and coroutine functions."""

    async def enter_async_context(self, cm):
        enter, leave = self._methods(
            cm, "__aenter__", "__aexit__", "asynchronous context manager protocol"
        )
        result = await enter(cm)
        self._exit_callbacks.append((False, self._bound(leave, cm)))
        return result

    def push_async_exit(self, exit):
        try:
            method = type(exit).__aexit__
        except AttributeError:
            self._exit_callbacks.append((False, exit))
        else:
            self._exit_callbacks.append((False, self._bound(method, exit)))
        return exit

    def push_async_callback(self, callback, /, *args, **kwds):
        async def without_details(*details):
            await callback(*args, **kwds)

        without_details.__wrapped__ = callback
        self._exit_callbacks.append((False, without_details))
        return callback

    async def aclose(self):
        await self.__aexit__(None, None, None)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *details):
        state = _Unwinding(details[1])
        while self._exit_callbacks:
            is_sync, callback = self._exit_callbacks.pop()
            try:
                result = callback(*state.details())
                state.returned(result if is_sync else await result)
            except BaseException as new:
                state.raised(new)
        return state.end()


class nullcontext(AbstractContextManager, AbstractAsyncContextManager):
    """A context manager that does nothing, for where one is optional."""

    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        pass

    async def __aenter__(self):
        return self.enter_result

    async def __aexit__(self, *excinfo):
        pass
