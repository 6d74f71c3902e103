"""An event loop for one thread without input and output: tasks, futures, timers, and what they wait for each other with."""

import sys
import time

__all__ = [
    "AbstractEventLoop", "BoundedSemaphore", "CancelledError", "Condition", "Event", "Future", "InvalidStateError",
    "Lock", "LifoQueue", "PriorityQueue", "Queue", "QueueEmpty", "QueueFull", "QueueShutDown", "Runner", "Semaphore",
    "Task", "TaskGroup", "TimeoutError", "ALL_COMPLETED", "FIRST_COMPLETED", "FIRST_EXCEPTION", "all_tasks",
    "as_completed", "create_task", "current_task", "ensure_future", "gather", "get_event_loop", "get_running_loop",
    "iscoroutine", "iscoroutinefunction", "isfuture", "new_event_loop", "run", "set_event_loop", "shield", "sleep",
    "timeout", "wait", "wait_for",
]

TimeoutError = TimeoutError
FIRST_COMPLETED = "FIRST_COMPLETED"
FIRST_EXCEPTION = "FIRST_EXCEPTION"
ALL_COMPLETED = "ALL_COMPLETED"

_PENDING, _CANCELLED, _FINISHED = "PENDING", "CANCELLED", "FINISHED"


class CancelledError(BaseException):
    """The Future or Task was cancelled."""


class InvalidStateError(Exception):
    """The operation is not allowed in this state."""


async def _coroutine():
    pass


_c = _coroutine()
_CoroutineType = type(_c)
_c.close()
del _c, _coroutine


def iscoroutine(obj):
    """Whether this is what a coroutine function gives."""
    return isinstance(obj, _CoroutineType)


def iscoroutinefunction(func):
    """Whether this is an `async def` function."""
    code = getattr(getattr(func, "__func__", func), "__code__", None)
    return code is not None and bool(code.co_flags & 0x80)


def isfuture(obj):
    """Whether this is a future, of this module or made like one."""
    return hasattr(type(obj), "_asyncio_future_blocking") and obj._asyncio_future_blocking is not None


# ---- the loop


class Handle:
    """A callback that is to run."""

    __slots__ = ("_callback", "_args", "_cancelled")

    def __init__(self, callback, args):
        self._callback, self._args, self._cancelled = callback, args, False

    def cancel(self):
        self._cancelled = True
        self._callback = self._args = None

    def cancelled(self):
        return self._cancelled

    def _run(self):
        if not self._cancelled:
            self._callback(*self._args)


class TimerHandle(Handle):
    """A callback that is to run at its time; `_number` keeps those of one time in order."""

    __slots__ = ("_when", "_number")

    def __init__(self, when, number, callback, args):
        super().__init__(callback, args)
        self._when, self._number = when, number

    def when(self):
        return self._when

    def __lt__(self, other):
        if self._when != other._when:
            return self._when < other._when
        return self._number < other._number


def _push(heap, item):
    """Adds to a heap: no item is larger than those at twice its place and one or two more."""
    heap.append(item)
    at = len(heap) - 1
    while at:
        parent = (at - 1) >> 1
        if not item < heap[parent]:
            break
        heap[at] = heap[parent]
        at = parent
    heap[at] = item


def _pop(heap):
    """Takes the smallest item from a heap."""
    last = heap.pop()
    if not heap:
        return last
    first, at, size = heap[0], 0, len(heap)
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if not heap[child] < last:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = last
    return first


class AbstractEventLoop:
    """What `isinstance` asks for."""


_running_loop = None
_event_loop = None
_current_tasks = {}


class _EventLoop(AbstractEventLoop):
    def __init__(self):
        self._ready, self._timers, self._number = [], [], 0
        self._stopping = self._closed = self._running = False
        self._tasks = {}
        self._asyncgens = {}
        self._debug = False
        self._exception_handler = None

    def time(self):
        return time.monotonic()

    def get_debug(self):
        return self._debug

    def set_debug(self, enabled):
        self._debug = enabled

    def is_running(self):
        return self._running

    def is_closed(self):
        return self._closed

    def _check(self):
        if self._closed:
            raise RuntimeError("Event loop is closed")

    def call_soon(self, callback, *args, context=None):
        self._check()
        handle = Handle(callback, args)
        self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon

    def call_later(self, delay, callback, *args, context=None):
        if delay is None:
            raise TypeError("delay must not be None")
        return self.call_at(self.time() + delay, callback, *args)

    def call_at(self, when, callback, *args, context=None):
        if when is None:
            raise TypeError("when cannot be None")
        self._check()
        self._number += 1
        handle = TimerHandle(when, self._number, callback, args)
        _push(self._timers, handle)
        return handle

    def create_future(self):
        return Future(loop=self)

    def create_task(self, coro, *, name=None, context=None, eager_start=None):
        self._check()
        return Task(coro, loop=self, name=name)

    def stop(self):
        self._stopping = True

    def _run_once(self):
        timers = self._timers
        while timers and timers[0]._cancelled:
            _pop(timers)
        if not self._ready and not self._stopping:
            if not timers:
                raise RuntimeError("the event loop would wait for ever: nothing is ready and no timer is set")
            delay = timers[0]._when - self.time()
            if delay > 0:
                time.sleep(delay)
        if timers:
            now = self.time()
            while timers and timers[0]._when <= now:
                self._ready.append(_pop(timers))
        # What these make ready is for the next round.
        ready, self._ready = self._ready, []
        for handle in ready:
            try:
                handle._run()
            except (SystemExit, KeyboardInterrupt):
                raise
            except BaseException as error:
                self.call_exception_handler({"message": "Exception in callback", "exception": error})

    def run_forever(self):
        global _running_loop
        self._check()
        if self._running:
            raise RuntimeError("This event loop is already running")
        if _running_loop is not None:
            raise RuntimeError("Cannot run the event loop while another loop is running")
        _running_loop, self._running, outer = self, True, _running_loop
        hooks = _set_asyncgen_hooks(self)
        try:
            while True:
                self._run_once()
                if self._stopping:
                    break
        finally:
            self._stopping = self._running = False
            _running_loop = outer
            _restore_asyncgen_hooks(hooks)

    def run_until_complete(self, future):
        self._check()
        if self._running:
            raise RuntimeError("This event loop is already running")
        new_task = not isfuture(future)
        future = ensure_future(future, loop=self)

        def stop(future):
            self.stop()

        future.add_done_callback(stop)
        try:
            self.run_forever()
        except BaseException:
            if new_task and future.done() and not future.cancelled():
                # It is what ended the loop: nobody is to be told again.
                future.exception()
            raise
        finally:
            future.remove_done_callback(stop)
        if not future.done():
            raise RuntimeError("Event loop stopped before Future completed.")
        return future.result()

    async def shutdown_asyncgens(self):
        generators, self._asyncgens = list(self._asyncgens.values()), {}
        for generator in generators:
            await generator.aclose()

    async def shutdown_default_executor(self, timeout=None):
        pass

    def set_exception_handler(self, handler):
        self._exception_handler = handler

    def default_exception_handler(self, context):
        error = context.get("exception")
        shown = context.get("message", "Unhandled exception in event loop")
        if error is not None:
            shown = f"{shown}\n{type(error).__name__}: {error}"
        print(shown, file=sys.stderr)

    def call_exception_handler(self, context):
        if self._exception_handler is None:
            self.default_exception_handler(context)
        else:
            self._exception_handler(self, context)

    def close(self):
        if self._running:
            raise RuntimeError("Cannot close a running event loop")
        self._closed = True
        self._ready, self._timers = [], []


def _set_asyncgen_hooks(loop):
    hooks = getattr(sys, "get_asyncgen_hooks", None)
    if hooks is None:
        return None
    old = hooks()
    # By identity, and held: a generator that nobody else holds is closed when the loop ends.
    sys.set_asyncgen_hooks(
        firstiter=None,
        finalizer=lambda generator: loop.call_soon(loop.create_task, generator.aclose()),
    )
    return old


def _restore_asyncgen_hooks(hooks):
    if hooks is not None:
        sys.set_asyncgen_hooks(*hooks)


def new_event_loop():
    return _EventLoop()


def get_running_loop():
    """The loop that is running; RuntimeError if none is."""
    if _running_loop is None:
        raise RuntimeError("no running event loop")
    return _running_loop


def _get_running_loop():
    return _running_loop


def get_event_loop():
    if _running_loop is not None:
        return _running_loop
    if _event_loop is None:
        raise RuntimeError("There is no current event loop in thread 'MainThread'.")
    return _event_loop


def set_event_loop(loop):
    global _event_loop
    _event_loop = loop


# ---- futures and tasks


class Future:
    """A result that is there later."""

    _asyncio_future_blocking = False

    def __init__(self, *, loop=None):
        self._loop = get_event_loop() if loop is None else loop
        self._state = _PENDING
        self._result = self._exception = self._cancel_message = None
        self._callbacks = []
        self._unseen = False

    def __repr__(self):
        return f"<{type(self).__name__} {self._describe()}>"

    def _describe(self):
        text = self._state.lower()
        if self._state == _FINISHED:
            if self._exception is not None:
                return f"{text} exception={self._exception!r}"
            return f"{text} result={self._result!r}"
        return text

    def get_loop(self):
        return self._loop

    def cancelled(self):
        return self._state == _CANCELLED

    def done(self):
        return self._state != _PENDING

    def _cancelled_error(self):
        if self._cancel_message is None:
            return CancelledError()
        return CancelledError(self._cancel_message)

    def result(self):
        if self._state == _CANCELLED:
            raise self._cancelled_error()
        if self._state != _FINISHED:
            raise InvalidStateError("Result is not set.")
        self._unseen = False
        if self._exception is not None:
            raise self._exception.with_traceback(self._traceback)
        return self._result

    def exception(self):
        if self._state == _CANCELLED:
            raise self._cancelled_error()
        if self._state != _FINISHED:
            raise InvalidStateError("Exception is not set.")
        self._unseen = False
        return self._exception

    def add_done_callback(self, fn, *, context=None):
        if self._state != _PENDING:
            self._loop.call_soon(fn, self)
        else:
            self._callbacks.append(fn)

    def remove_done_callback(self, fn):
        kept = [callback for callback in self._callbacks if callback != fn]
        removed = len(self._callbacks) - len(kept)
        self._callbacks[:] = kept
        return removed

    def _schedule(self):
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            self._loop.call_soon(callback, self)

    def cancel(self, msg=None):
        if self._state != _PENDING:
            return False
        self._state, self._cancel_message = _CANCELLED, msg
        self._schedule()
        return True

    def set_result(self, result):
        if self._state != _PENDING:
            raise InvalidStateError("invalid state")
        self._result, self._state = result, _FINISHED
        self._schedule()

    def set_exception(self, exception):
        if self._state != _PENDING:
            raise InvalidStateError("invalid state")
        if isinstance(exception, type):
            exception = exception()
        if isinstance(exception, StopIteration):
            cause = exception
            exception = RuntimeError("StopIteration interacts badly with generators and cannot be raised into a Future")
            exception.__cause__ = exception.__context__ = cause
        self._exception, self._traceback, self._state = exception, exception.__traceback__, _FINISHED
        self._unseen = True
        self._schedule()

    def __await__(self):
        if not self.done():
            self._asyncio_future_blocking = True
            yield self
        if not self.done():
            raise RuntimeError("await wasn't used with future")
        return self.result()

    __iter__ = __await__


_task_number = 0


class Task(Future):
    """A coroutine that the loop drives."""

    def __init__(self, coro, *, loop=None, name=None, context=None, eager_start=False):
        global _task_number
        if not iscoroutine(coro) and not hasattr(coro, "send"):
            raise TypeError(f"a coroutine was expected, got {coro!r}")
        super().__init__(loop=loop)
        if name is None:
            _task_number += 1
            name = f"Task-{_task_number}"
        self._name = str(name)
        self._coro = coro
        self._waiting_for = None
        self._must_cancel = False
        self._cancel_requests = 0
        self._loop._tasks[id(self)] = self
        self._loop.call_soon(self._step)

    def _describe(self):
        return f"{super()._describe()} name={self._name!r}"

    def get_name(self):
        return self._name

    def set_name(self, value):
        self._name = str(value)

    def get_coro(self):
        return self._coro

    def set_result(self, result):
        raise RuntimeError("Task does not support set_result operation")

    def set_exception(self, exception):
        raise RuntimeError("Task does not support set_exception operation")

    def cancelling(self):
        return self._cancel_requests

    def uncancel(self):
        if self._cancel_requests:
            self._cancel_requests -= 1
            if not self._cancel_requests:
                self._must_cancel = False
        return self._cancel_requests

    def cancel(self, msg=None):
        if self.done():
            return False
        self._cancel_requests += 1
        if self._waiting_for is not None and self._waiting_for.cancel(msg=msg):
            return True
        # It is about to run: the exception is thrown in then.
        self._must_cancel, self._cancel_message = True, msg
        return True

    def _step(self, error=None):
        if self.done():
            raise InvalidStateError(f"__step(): already done: {self!r}, {error!r}")
        if self._must_cancel:
            if not isinstance(error, CancelledError):
                error = self._cancelled_error()
            self._must_cancel = False
        self._waiting_for = None
        loop = self._loop
        outer = _current_tasks.get(loop)
        _current_tasks[loop] = self
        try:
            if error is None:
                waits_for = self._coro.send(None)
            else:
                waits_for = self._coro.throw(error)
        except StopIteration as end:
            if self._must_cancel:
                self._must_cancel = False
                self._end()
                super().cancel(msg=self._cancel_message)
            else:
                self._end()
                super().set_result(end.value)
        except CancelledError as cancelled:
            self._end()
            super().cancel(msg=cancelled.args[0] if cancelled.args else None)
        except (KeyboardInterrupt, SystemExit) as exit:
            self._end()
            super().set_exception(exit)
            raise
        except BaseException as error:
            self._end()
            super().set_exception(error)
        else:
            self._wait_for(waits_for)
        finally:
            if outer is None:
                del _current_tasks[loop]
            else:
                _current_tasks[loop] = outer
            # The traceback of an exception would keep the task alive through this frame.
            self = error = None

    def _wait_for(self, future):
        blocking = getattr(future, "_asyncio_future_blocking", None)
        if blocking:
            if future is self:
                self._loop.call_soon(self._step, RuntimeError(f"Task cannot await on itself: {self!r}"))
                return
            future._asyncio_future_blocking = False
            future.add_done_callback(self._wake_up)
            self._waiting_for = future
            if self._must_cancel and future.cancel(msg=self._cancel_message):
                self._must_cancel = False
        elif future is None:
            # A bare `yield`: another round.
            self._loop.call_soon(self._step)
        elif blocking is not None:
            error = RuntimeError(f"yield was used instead of yield from in task {self!r} with {future!r}")
            self._loop.call_soon(self._step, error)
        else:
            self._loop.call_soon(self._step, RuntimeError(f"Task got bad yield: {future!r}"))

    def _wake_up(self, future):
        if future._state == _CANCELLED:
            self._step(future._cancelled_error())
        elif future._exception is not None:
            future._unseen = False
            self._step(future._exception)
        else:
            self._step()

    def _end(self):
        self._loop._tasks.pop(id(self), None)


def current_task(loop=None):
    return _current_tasks.get(get_running_loop() if loop is None else loop)


def all_tasks(loop=None):
    loop = get_running_loop() if loop is None else loop
    return {task for task in loop._tasks.values() if not task.done()}


def create_task(coro, *, name=None, context=None):
    """Schedules a coroutine in the running loop."""
    return get_running_loop().create_task(coro, name=name)


async def _wrap_awaitable(awaitable):
    return await awaitable


def ensure_future(obj, *, loop=None):
    """A future for anything that can be awaited."""
    if isfuture(obj):
        return obj
    if not iscoroutine(obj):
        if not hasattr(type(obj), "__await__"):
            raise TypeError("An asyncio.Future, a coroutine or an awaitable is required")
        obj = _wrap_awaitable(obj)
    return (get_event_loop() if loop is None else loop).create_task(obj)


class _Yield:
    def __await__(self):
        yield


def _set_unless_done(future, result):
    if not future.done():
        future.set_result(result)


async def sleep(delay, result=None):
    """Lets others run for that long."""
    if delay <= 0:
        await _Yield()
        return result
    if delay != delay:
        raise ValueError("Invalid delay: NaN (not a number)")
    loop = get_running_loop()
    future = loop.create_future()
    handle = loop.call_later(delay, _set_unless_done, future, result)
    try:
        return await future
    finally:
        handle.cancel()


class _Gathering(Future):
    def __init__(self, children, loop):
        super().__init__(loop=loop)
        self._children, self._cancel_requested = children, False

    def cancel(self, msg=None):
        if self.done():
            return False
        any_cancelled = False
        for child in self._children:
            any_cancelled |= child.cancel(msg=msg)
        self._cancel_requested |= any_cancelled
        return any_cancelled


def gather(*coros_or_futures, return_exceptions=False):
    """Runs awaitables side by side; the result is the list of theirs."""
    if not coros_or_futures:
        loop = get_event_loop()
        future = loop.create_future()
        future.set_result([])
        return future
    loop = _running_loop
    futures, by_identity = [], {}
    for item in coros_or_futures:
        future = by_identity.get(id(item))
        if future is None:
            future = by_identity[id(item)] = ensure_future(item, loop=loop)
        futures.append(future)
    unique = list(by_identity.values())
    outer = _Gathering(unique, unique[0]._loop)
    left = len(unique)

    def done(future):
        nonlocal left
        left -= 1
        if outer.done():
            if not future.cancelled():
                future.exception()
            return
        if not return_exceptions:
            if future.cancelled():
                outer.set_exception(future._cancelled_error())
                return
            if future.exception() is not None:
                outer.set_exception(future.exception())
                return
        if left:
            return
        results = []
        for future in futures:
            if future.cancelled():
                results.append(future._cancelled_error())
            else:
                error = future.exception()
                results.append(future.result() if error is None else error)
        if outer._cancel_requested:
            outer.set_exception(futures[-1]._cancelled_error())
        else:
            outer.set_result(results)

    for future in unique:
        future.add_done_callback(done)
    return outer


def shield(arg):
    """Waits for something that is not cancelled with the waiting."""
    inner = ensure_future(arg)
    if inner.done():
        return inner
    outer = inner.get_loop().create_future()

    def done(inner):
        if outer.cancelled():
            if not inner.cancelled():
                inner.exception()
        elif inner.cancelled():
            outer.cancel()
        elif inner.exception() is not None:
            outer.set_exception(inner.exception())
        else:
            outer.set_result(inner.result())

    inner.add_done_callback(done)
    return outer


async def wait(fs, *, timeout=None, return_when=ALL_COMPLETED):
    """Waits for tasks; the sets of those that are done and those that are not."""
    if isfuture(fs) or iscoroutine(fs):
        raise TypeError(f"expect a list of futures, not {type(fs).__name__}")
    fs = set(fs)
    if not fs:
        raise ValueError("Set of Tasks/Futures is empty.")
    if any(iscoroutine(f) for f in fs):
        raise TypeError("Passing coroutines is forbidden, use tasks explicitly.")
    loop = get_running_loop()

    def settled():
        done = [f for f in fs if f.done()]
        if len(done) == len(fs) or (done and return_when == FIRST_COMPLETED):
            return True
        return return_when == FIRST_EXCEPTION and any(
            not f.cancelled() and f.exception() is not None for f in done
        )

    if not settled():
        waiter = loop.create_future()

        def done(future):
            if settled():
                _set_unless_done(waiter, None)

        timer = None if timeout is None else loop.call_later(timeout, _set_unless_done, waiter, None)
        for future in fs:
            future.add_done_callback(done)
        try:
            await waiter
        finally:
            if timer is not None:
                timer.cancel()
            for future in fs:
                future.remove_done_callback(done)
    finished = {f for f in fs if f.done()}
    return finished, fs - finished


def as_completed(fs, *, timeout=None):
    """Awaitables that give the results in the order in which they come."""
    futures = [ensure_future(f) for f in fs]
    results = Queue()
    for future in futures:
        future.add_done_callback(results.put_nowait)

    async def next_result():
        return (await results.get()).result()

    for _ in futures:
        yield next_result()


class Timeout:
    """Cancels the block that runs too long, and makes that a TimeoutError."""

    def __init__(self, when):
        self._when, self._task, self._handle = when, None, None
        self._expired = False

    def when(self):
        return self._when

    def expired(self):
        return self._expired

    def reschedule(self, when):
        self._when = when
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        if when is not None:
            self._handle = get_running_loop().call_at(when, self._on_timeout)

    def _on_timeout(self):
        self._expired = True
        self._task.cancel()
        self._handle = None

    async def __aenter__(self):
        self._task = current_task()
        if self._task is None:
            raise RuntimeError("Timeout should be used inside a task")
        self._cancelling = self._task.cancelling()
        self.reschedule(self._when)
        return self

    async def __aexit__(self, exc_type, exc, traceback):
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        if self._expired and self._task.uncancel() <= self._cancelling and exc_type is not None:
            if issubclass(exc_type, CancelledError):
                raise TimeoutError from exc
        return None


def timeout(delay):
    """An asynchronous context manager that ends its block after so many seconds."""
    return Timeout(None if delay is None else get_running_loop().time() + delay)


def timeout_at(when):
    return Timeout(when)


async def wait_for(fut, timeout):
    """Awaits with a time limit."""
    if timeout is not None and timeout <= 0:
        fut = ensure_future(fut)
        if not fut.done():
            fut.cancel()
            try:
                await fut
            except CancelledError as error:
                raise TimeoutError from error
        return fut.result()
    async with Timeout(None if timeout is None else get_running_loop().time() + timeout):
        return await fut


class TaskGroup:
    """Tasks that end together: the first that fails cancels the others."""

    def __init__(self):
        self._entered = self._exiting = self._aborting = False
        self._parent = self._waiter = self._base_error = None
        self._parent_cancel_requested = False
        self._tasks, self._errors = set(), []

    async def __aenter__(self):
        if self._entered:
            raise RuntimeError(f"TaskGroup {self!r} has already been entered")
        self._entered = True
        self._loop = get_running_loop()
        self._parent = current_task(self._loop)
        if self._parent is None:
            raise RuntimeError(f"TaskGroup {self!r} cannot determine the parent task")
        return self

    async def __aexit__(self, et, exc, tb):
        self._exiting = True
        if isinstance(exc, (SystemExit, KeyboardInterrupt)) and self._base_error is None:
            self._base_error = exc
        cancelled = exc if et is not None and issubclass(et, CancelledError) else None
        if et is not None and not self._aborting:
            self._abort()
        while self._tasks:
            if self._waiter is None:
                self._waiter = self._loop.create_future()
            try:
                await self._waiter
            except CancelledError as error:
                if not self._aborting:
                    cancelled = error
                    self._abort()
            self._waiter = None
        if self._base_error is not None:
            raise self._base_error
        if self._parent_cancel_requested and self._parent.uncancel() == 0:
            cancelled = None
        if cancelled is not None and not self._errors:
            raise cancelled
        if et is not None and not issubclass(et, CancelledError):
            self._errors.append(exc)
        if self._errors:
            if self._parent.cancelling():
                self._parent.uncancel()
                self._parent.cancel()
            errors, self._errors = self._errors, []
            raise BaseExceptionGroup("unhandled errors in a TaskGroup", errors) from None

    def create_task(self, coro, *, name=None, context=None):
        if not self._entered:
            coro.close()
            raise RuntimeError(f"TaskGroup {self!r} has not been entered")
        if self._exiting and not self._tasks:
            coro.close()
            raise RuntimeError(f"TaskGroup {self!r} is finished")
        if self._aborting:
            coro.close()
            raise RuntimeError(f"TaskGroup {self!r} is shutting down")
        task = self._loop.create_task(coro, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)
        return task

    def _abort(self):
        self._aborting = True
        for task in self._tasks:
            if not task.done():
                task.cancel()

    def _on_done(self, task):
        self._tasks.discard(task)
        if self._waiter is not None and not self._tasks and not self._waiter.done():
            self._waiter.set_result(True)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            return
        self._errors.append(error)
        if isinstance(error, (SystemExit, KeyboardInterrupt)) and self._base_error is None:
            self._base_error = error
        if not self._aborting and not self._parent_cancel_requested and not self._parent.done():
            self._abort()
            self._parent_cancel_requested = True
            self._parent.cancel()


# ---- what tasks wait for each other with


class _Waiters:
    def __init__(self):
        self._waiters = []

    def _wake_next(self):
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(True)
                return


class _AsyncWith:
    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, exc_type, exc, tb):
        self.release()


class Lock(_Waiters, _AsyncWith):
    """One task at a time, first come first served."""

    def __init__(self):
        super().__init__()
        self._locked = False

    def locked(self):
        return self._locked

    async def acquire(self):
        if not self._locked and all(waiter.cancelled() for waiter in self._waiters):
            self._locked = True
            return True
        waiter = get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            try:
                await waiter
            finally:
                self._waiters.remove(waiter)
        except CancelledError:
            if not self._locked:
                self._wake_next()
            raise
        self._locked = True
        return True

    def release(self):
        if not self._locked:
            raise RuntimeError("Lock is not acquired.")
        self._locked = False
        self._wake_next()


class Event(_Waiters):
    """Something that happens once, until it is cleared."""

    def __init__(self):
        super().__init__()
        self._value = False

    def is_set(self):
        return self._value

    def set(self):
        if not self._value:
            self._value = True
            for waiter in self._waiters:
                _set_unless_done(waiter, True)

    def clear(self):
        self._value = False

    async def wait(self):
        if self._value:
            return True
        waiter = get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            await waiter
            return True
        finally:
            self._waiters.remove(waiter)


class Condition(_AsyncWith):
    """A lock, and a wait for somebody's notice under it."""

    def __init__(self, lock=None):
        self._lock = Lock() if lock is None else lock
        self.locked, self.acquire, self.release = self._lock.locked, self._lock.acquire, self._lock.release
        self._waiters = []

    async def wait(self):
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        waiter = get_running_loop().create_future()
        self.release()
        try:
            self._waiters.append(waiter)
            try:
                await waiter
            finally:
                self._waiters.remove(waiter)
        finally:
            await self.acquire()
        return True

    async def wait_for(self, predicate):
        result = predicate()
        while not result:
            await self.wait()
            result = predicate()
        return result

    def notify(self, n=1):
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        for waiter in self._waiters:
            if n <= 0:
                break
            if not waiter.done():
                n -= 1
                waiter.set_result(False)

    def notify_all(self):
        self.notify(len(self._waiters))


class Semaphore(_Waiters, _AsyncWith):
    """So many tasks at a time."""

    def __init__(self, value=1):
        if value < 0:
            raise ValueError("Semaphore initial value must be >= 0")
        super().__init__()
        self._value = value

    def locked(self):
        return self._value == 0 or any(not waiter.cancelled() for waiter in self._waiters)

    async def acquire(self):
        if not self.locked():
            self._value -= 1
            return True
        waiter = get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            try:
                await waiter
            finally:
                self._waiters.remove(waiter)
        except CancelledError:
            if waiter.done() and not waiter.cancelled():
                # It was this task's turn: the next one's now.
                self._value += 1
                self._hand_over()
            raise
        self._hand_over()
        return True

    def _hand_over(self):
        for waiter in self._waiters:
            if self._value <= 0:
                return
            if not waiter.done():
                self._value -= 1
                waiter.set_result(True)

    def release(self):
        self._value += 1
        self._hand_over()


class BoundedSemaphore(Semaphore):
    """One that is not released more often than it was acquired."""

    def __init__(self, value=1):
        self._bound_value = value
        super().__init__(value)

    def release(self):
        if self._value >= self._bound_value:
            raise ValueError("BoundedSemaphore released too many times")
        super().release()


class QueueEmpty(Exception):
    """Raised when Queue.get_nowait() is called on an empty Queue."""


class QueueFull(Exception):
    """Raised when the Queue.put_nowait() method is called on a full Queue."""


class QueueShutDown(Exception):
    """Raised when putting on to or getting from a shut-down Queue."""


class Queue:
    """First in, first out, with room for `maxsize` items if that is more than 0."""

    def __init__(self, maxsize=0):
        self._maxsize = maxsize
        self._getters, self._putters = [], []
        self._unfinished, self._is_shutdown = 0, False
        self._finished = Event()
        self._finished.set()
        self._init(maxsize)

    def _init(self, maxsize):
        self._queue, self._head = [], 0

    def _get(self):
        item = self._queue[self._head]
        self._queue[self._head] = None
        self._head += 1
        # The items gone are cut off when they are as many as those left.
        if self._head * 2 > len(self._queue):
            del self._queue[: self._head]
            self._head = 0
        return item

    def _put(self, item):
        self._queue.append(item)

    def qsize(self):
        return len(self._queue) - self._head

    @property
    def maxsize(self):
        return self._maxsize

    def empty(self):
        return self.qsize() == 0

    def full(self):
        return 0 < self._maxsize <= self.qsize()

    def _wake(self, waiters):
        while waiters:
            waiter = waiters.pop(0)
            if not waiter.done():
                waiter.set_result(None)
                break

    async def _wait(self, waiters, stays):
        waiter = get_running_loop().create_future()
        waiters.append(waiter)
        try:
            await waiter
        except BaseException:
            waiter.cancel()
            if waiter in waiters:
                waiters.remove(waiter)
            if not stays() and not waiter.cancelled():
                self._wake(waiters)
            raise

    async def put(self, item):
        while self.full():
            if self._is_shutdown:
                raise QueueShutDown
            await self._wait(self._putters, self.full)
        return self.put_nowait(item)

    def put_nowait(self, item):
        if self._is_shutdown:
            raise QueueShutDown
        if self.full():
            raise QueueFull
        self._put(item)
        self._unfinished += 1
        self._finished.clear()
        self._wake(self._getters)

    async def get(self):
        while self.empty():
            if self._is_shutdown:
                raise QueueShutDown
            await self._wait(self._getters, self.empty)
        return self.get_nowait()

    def get_nowait(self):
        if self.empty():
            raise QueueShutDown if self._is_shutdown else QueueEmpty
        item = self._get()
        self._wake(self._putters)
        return item

    def task_done(self):
        if self._unfinished <= 0:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if self._unfinished == 0:
            self._finished.set()

    async def join(self):
        if self._unfinished > 0:
            await self._finished.wait()

    def shutdown(self, immediate=False):
        self._is_shutdown = True
        if immediate:
            while not self.empty():
                self._get()
                if self._unfinished > 0:
                    self._unfinished -= 1
            if self._unfinished == 0:
                self._finished.set()
        for waiters in (self._getters, self._putters):
            while waiters:
                _set_unless_done(waiters.pop(0), None)


class PriorityQueue(Queue):
    """The smallest item first."""

    def _init(self, maxsize):
        self._queue, self._head = [], 0

    def _put(self, item):
        _push(self._queue, item)

    def _get(self):
        return _pop(self._queue)


class LifoQueue(Queue):
    """The newest item first."""

    def _get(self):
        return self._queue.pop()


# ---- running


class Runner:
    """A loop for several coroutines, one after the other."""

    def __init__(self, *, debug=None, loop_factory=None):
        self._factory, self._loop = loop_factory or new_event_loop, None
        self._debug = debug

    def __enter__(self):
        self.get_loop()
        return self

    def __exit__(self, exc_type, exc, tb):
        self.close()

    def get_loop(self):
        if self._loop is None:
            self._loop = self._factory()
            if self._debug is not None:
                self._loop.set_debug(self._debug)
        return self._loop

    def run(self, coro, *, context=None):
        if _running_loop is not None:
            raise RuntimeError("Runner.run() cannot be called from a running event loop")
        loop = self.get_loop()
        if not iscoroutine(coro):
            if not hasattr(type(coro), "__await__"):
                raise TypeError("An asyncio.Future, a coroutine or an awaitable is required")
            coro = _wrap_awaitable(coro)
        set_event_loop(loop)
        return loop.run_until_complete(loop.create_task(coro))

    def close(self):
        loop, self._loop = self._loop, None
        if loop is None:
            return
        try:
            tasks = all_tasks(loop)
            for task in tasks:
                task.cancel()
            if tasks:
                loop.run_until_complete(gather(*tasks, return_exceptions=True))
            loop.run_until_complete(loop.shutdown_asyncgens())
        finally:
            set_event_loop(None)
            loop.close()


def run(main, *, debug=None, loop_factory=None):
    """Runs a coroutine in a loop of its own, and what it has started to its end."""
    if _running_loop is not None:
        raise RuntimeError("asyncio.run() cannot be called from a running event loop")
    with Runner(debug=debug, loop_factory=loop_factory) as runner:
        return runner.run(main)
