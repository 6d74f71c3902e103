import sys

M = sys.monitoring
E = M.events
TOOL = 3


def loops(n):
    for i in range(n):
        if i % 2:
            x = i
        elif i == 2:
            x = 0
        else:
            x = 2
    while n:
        n -= 1
        try:
            if n == 1:
                raise ValueError
        except ValueError:
            x = 3
        finally:
            x = 4
    return [
        y
        for y in range(2)
    ]


def gen():
    for i in range(3):
        yield i
        x = 1
    yield 4


class Sometimes:
    def __init__(self, *keep):
        self.keep = keep

    def __call__(self, code, line):
        line -= code.co_firstlineno
        print("line", line)
        if line not in self.keep:
            return M.DISABLE


M.use_tool_id(TOOL, "test")
M.use_tool_id(TOOL + 1, "other")
for keep in (), (1,), (2, 4), (1, 2, 3, 4, 5, 6, 7, 8):
    print("kept", keep)
    M.register_callback(TOOL, E.LINE, Sometimes(*keep))
    M.set_local_events(TOOL, loops.__code__, E.LINE)
    M.set_local_events(TOOL, gen.__code__, E.LINE)
    loops(3)
    print(list(gen()))
    print("again")
    loops(4)
    print(list(gen()))
    M.restart_events()
    M.set_local_events(TOOL, loops.__code__, 0)
    M.set_local_events(TOOL, gen.__code__, 0)
M.register_callback(TOOL, E.LINE, lambda code, line: print("a", line - code.co_firstlineno) or M.DISABLE)
M.register_callback(TOOL + 1, E.LINE, lambda code, line: print("b", line - code.co_firstlineno))
M.set_local_events(TOOL, loops.__code__, E.LINE)
M.set_local_events(TOOL + 1, loops.__code__, E.LINE)
loops(2)
M.set_local_events(TOOL + 1, loops.__code__, 0)
loops(2)
M.free_tool_id(TOOL)
M.free_tool_id(TOOL + 1)
