#!/usr/bin/env python3
"""How long Ctrl-C takes: python3 tests/tools/interrupt_latency.py BINARY [RUNS]

Starts endless programs, sends SIGINT once each is in its loop, and takes the time until it has printed, from a handler
of KeyboardInterrupt, that it knows. Fails if one takes more than 100 ms, or does not know. Standard library only.
"""

import os
import signal
import statistics
import subprocess
import sys
import time

LOOPS = {
    "empty loop": "while True: pass",
    "calls": "def f(n): return n\n    while True: f(1)",
    "native iteration": "sum(range(10**15))",
    "generator": "def g():\n        while True: yield 1\n    for _ in g(): pass",
    "sleep": "import time; time.sleep(1000)",
    "try in the loop": "while True:\n        try: pass\n        except ValueError: pass",
}
PROGRAM = """print("ready", flush=True)
try:
    {}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def once(binary, form, loop):
    command = [binary, "run", "--dispatch", form, "-c", PROGRAM.replace("{}", loop)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        if process.stdout.readline() != b"ready\n":
            sys.exit(f"{form} does not start")
        time.sleep(0.02)
        start = time.perf_counter()
        os.kill(process.pid, signal.SIGINT)
        answer = process.stdout.readline()
        taken = time.perf_counter() - start
        if answer != b"interrupted\n":
            sys.exit(f"{form}: {answer!r} instead of an interrupt")
        return 1000 * taken


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    binary, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    worst = 0.0
    for form in ("tail", "match", "replicated"):
        probe = subprocess.run([binary, "run", "--dispatch", form, "-c", "pass"], capture_output=True)
        if probe.returncode:
            continue
        for name, loop in LOOPS.items():
            times = [once(binary, form, loop) for _ in range(runs)]
            worst = max(worst, *times)
            print(f"{form:10} {name:17} median {statistics.median(times):6.2f} ms, worst {max(times):6.2f} ms")
    if worst > 100:
        sys.exit(f"{worst:.1f} ms is more than 100")


main()
