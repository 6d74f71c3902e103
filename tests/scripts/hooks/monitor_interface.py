import sys
m = sys.monitoring
E = m.events
print([n for n in dir(m) if not n.startswith('__')], m.__name__, type(m))
print({n: getattr(E, n) for n in dir(E) if not n.startswith('_')})
print(type(m.DISABLE), type(m.MISSING), m.DEBUGGER_ID, m.COVERAGE_ID, m.PROFILER_ID, m.OPTIMIZER_ID)
def plain(x):
    return x.__name__ if callable(x) else type(x).__name__ if hasattr(x, 'co_code') else repr(x)
def t(f, *a):
    try:
        print(f.__name__, *map(plain, a), '->', plain(f(*a)))
    except BaseException as e:
        print(f.__name__, *map(plain, a), '!', type(e).__name__, e)
def cb(*a): pass
t(m.set_events, 0, 1)
t(m.get_events, 0)
t(m.get_tool, 0); t(m.get_tool, 6); t(m.get_tool, -1)
t(m.use_tool_id, 6, 'x'); t(m.use_tool_id, 0, 3); t(m.use_tool_id, 0, 'a'); t(m.use_tool_id, 0, 'b')
t(m.get_tool, 0)
t(m.set_events, 0, 1 << 20); t(m.set_events, 0, -1); t(m.set_events, 0, E.C_RETURN)
t(m.set_events, 0, E.BRANCH); t(m.get_events, 0)
t(m.set_events, 0, E.CALL|E.C_RETURN|E.C_RAISE); t(m.get_events, 0)
t(m.set_events, 0, E.BRANCH_LEFT); t(m.get_events, 0)
t(m.set_events, 0, 0)
t(m.set_local_events, 0, cb, 1); t(m.set_local_events, 0, cb.__code__, E.RAISE); t(m.set_local_events, 0, cb.__code__, E.C_RETURN)
t(m.set_local_events, 0, cb.__code__, E.PY_START|E.LINE); t(m.get_local_events, 0, cb.__code__); t(m.get_local_events, 0, 3)
t(m.set_local_events, 0, cb.__code__, E.CALL|E.C_RAISE); t(m.get_local_events, 0, cb.__code__)
t(m.set_local_events, 0, cb.__code__, E.BRANCH); t(m.get_local_events, 0, cb.__code__)
t(m.set_local_events, 0, cb.__code__, 0)
t(m.set_local_events, 9, cb.__code__, 0)
t(m.register_callback, 0, 0, cb); t(m.register_callback, 0, 3, cb); t(m.register_callback, 0, E.PY_START, cb)
t(m.register_callback, 0, E.PY_START, None); t(m.register_callback, 9, E.PY_START, None); t(m.register_callback, 3, E.PY_START, None)
t(m.register_callback, 0, 1<<19, cb); t(m.register_callback, 0, E.BRANCH, cb); t(m.register_callback, 0, E.BRANCH, None)
t(m.register_callback, 0, E.BRANCH_LEFT, cb); t(m.register_callback, 0, E.BRANCH, cb)
t(m.restart_events)
t(m.free_tool_id, 0); t(m.free_tool_id, 0); t(m.free_tool_id, 9); t(m.clear_tool_id, 0); t(m.clear_tool_id, 9)
t(m.set_events, 0); t(m.set_events, 'a', 'b'); t(m.use_tool_id); t(m.set_events, 6, 1)
t(m._all_events)
m.use_tool_id(2,'z'); m.set_events(2, E.LINE); t(m._all_events); m.set_events(2,0); t(m._all_events)
