import asyncio


async def say(n, t, log):
    await asyncio.sleep(t)
    log.append(n)
    return n * 2


async def main():
    log = []
    print(await asyncio.gather(say(1, 0.02, log), say(2, 0.01, log), say(3, 0, log)), log)
    t = asyncio.create_task(say(4, 0.01, log), name="four")
    print(t.get_name(), t.done(), asyncio.current_task() is not t)
    print(await t, t.done(), t.result())
    t = asyncio.create_task(say(5, 10, log))
    await asyncio.sleep(0)
    t.cancel()
    try:
        await t
    except asyncio.CancelledError:
        print("cancelled", t.cancelled())
    try:
        await asyncio.wait_for(say(6, 5, log), 0.01)
    except asyncio.TimeoutError as e:
        print("timeout", repr(e))
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(5)
    except TimeoutError as e:
        print("timeout again", type(e.__cause__).__name__)
    q = asyncio.Queue(2)

    async def producer():
        for i in range(5):
            await q.put(i)
        await q.put(None)

    async def consumer():
        out = []
        while (item := await q.get()) is not None:
            out.append(item)
            q.task_done()
        return out

    print(await asyncio.gather(producer(), consumer()))
    lock = asyncio.Lock()
    order = []

    async def locked(n):
        async with lock:
            order.append(("in", n))
            await asyncio.sleep(0)
            order.append(("out", n))

    await asyncio.gather(*(locked(i) for i in range(3)))
    print(order)
    ev = asyncio.Event()

    async def waiter():
        await ev.wait()
        return "woken"

    w = asyncio.create_task(waiter())
    await asyncio.sleep(0)
    ev.set()
    print(await w)
    sem = asyncio.Semaphore(2)
    active = peak = 0

    async def limited():
        nonlocal active, peak
        async with sem:
            active += 1
            peak = max(peak, active)
            await asyncio.sleep(0.001)
            active -= 1

    await asyncio.gather(*(limited() for _ in range(7)))
    print("peak", peak)

    async def fails():
        await asyncio.sleep(0)
        raise ValueError("task failed")

    try:
        await asyncio.gather(fails(), say(7, 0.001, log))
    except ValueError as e:
        print("gather", e)
    print([repr(x) for x in await asyncio.gather(fails(), say(8, 0, log), return_exceptions=True)])
    try:
        async with asyncio.TaskGroup() as tg:
            a = tg.create_task(say(9, 0, log))
            b = tg.create_task(fails())
            c = tg.create_task(asyncio.sleep(10))
    except* ValueError as e:
        print(e.exceptions, a.result(), c.cancelled())
    async with asyncio.TaskGroup() as tg:
        tasks = [tg.create_task(say(i, 0.001 * (5 - i), log)) for i in range(5)]
    print([t.result() for t in tasks])
    done, pending = await asyncio.wait([asyncio.create_task(say(i, i * 0.05, log)) for i in (0, 1)], return_when=asyncio.FIRST_COMPLETED)
    print(len(done), len(pending))
    for p in pending:
        p.cancel()
    pq = asyncio.PriorityQueue()
    for i in (5, 1, 4, 2, 3):
        pq.put_nowait(i)
    print([pq.get_nowait() for _ in range(5)])
    print([await f for f in asyncio.as_completed([say(1, 0.02, log), say(2, 0.001, log)])])
    fut = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_later(0.001, fut.set_result, "later")
    print(await fut)
    cond = asyncio.Condition()

    async def cw():
        async with cond:
            await cond.wait()
            return "notified"

    c1 = asyncio.create_task(cw())
    await asyncio.sleep(0)
    async with cond:
        cond.notify_all()
    print(await c1)
    inner = asyncio.create_task(say("shielded", 0.01, log))
    try:
        await asyncio.wait_for(asyncio.shield(inner), 0.001)
    except TimeoutError:
        print("shield timed out", inner.cancelled())
    print(await inner)
    return "main result"


print(asyncio.run(main()))


async def bad():
    raise KeyError("out of run")


try:
    asyncio.run(bad())
except KeyError as e:
    print(repr(e))
try:
    asyncio.run(3)
except (TypeError, ValueError) as e:
    print(type(e).__name__)
try:
    asyncio.get_running_loop()
except RuntimeError as e:
    print(e)


async def tree(n):
    if n == 0:
        return 1
    return sum(await asyncio.gather(tree(n - 1), tree(n - 1)))


print(asyncio.run(tree(6)))


async def numbers(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


async def collect():
    return [i async for i in numbers(4)]


print(asyncio.run(collect()))
