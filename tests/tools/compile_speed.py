#!/usr/bin/env python3
"""How fast this project compiles a Python file, beside a CPython that compiles the same file.

    cargo build --release --example compile_speed
    tests/tools/compile_speed.py

Files of 10,000 lines are made of the peer's standard library: one of copies of a single module, one of different
modules. Both compilers keep running and take turns, one compilation each a round, from bytes to a code object in
memory. Printed are the medians, and the median of the ratios within each round with the interval that holds half of
them; above 1 this project is faster.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

PEER_PROGRAM = r'''
import sys, time
source = open(sys.argv[1], "rb").read()
for line in sys.stdin:
    start = time.perf_counter_ns()
    code = compile(source, sys.argv[1], "exec", dont_inherit=True)
    print(time.perf_counter_ns() - start, flush=True)
'''

MIXED = [
    "argparse", "inspect", "typing", "tarfile", "pickle", "datetime", "subprocess", "ast", "zipfile", "configparser",
    "optparse", "threading", "logging/__init__", "collections/__init__", "http/client", "email/message", "shutil",
    "statistics", "uuid", "csv", "textwrap", "heapq", "random", "fractions", "tokenize",
]


def lines_of(text):
    return text.count("\n")


def make_files(folder, library, lines):
    """(name, path) of every file to compile."""
    single = (library / "argparse.py").read_text()
    copies = -(-lines // lines_of(single))
    mixed, names = "", 0
    for name in MIXED:
        text = (library / f"{name}.py").read_text()
        if "from __future__" in text:
            continue
        mixed, names = mixed + text + "\n", names + 1
        if lines_of(mixed) >= lines:
            break
    for name, text in [(f"argparse, {copies} times", single * copies), (f"{names} modules", mixed)]:
        path = folder / f"{name.replace(', ', '_').replace(' ', '_')}.py"
        path.write_text(text)
        yield f"{name}, {lines_of(text)} lines", path


class Compiler:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def once(self):
        self.process.stdin.write("\n")
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"{self.process.args[0]} gave up")
        return int(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def measure(ours, peer, path, rounds, warmup):
    compilers = [Compiler([ours, str(path)]), Compiler([peer, "-c", PEER_PROGRAM, str(path)])]
    times = [[], []]
    for number in range(warmup + rounds):
        # Who goes first changes, so that neither always meets the caches the other left.
        for which in (0, 1) if number % 2 else (1, 0):
            time = compilers[which].once()
            if number >= warmup:
                times[which].append(time)
    for compiler in compilers:
        compiler.close()
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="Python files instead of the made ones")
    parser.add_argument("--ours", default="target/release/examples/compile_speed", help="the example, built")
    parser.add_argument("--peer", default="/usr/bin/python3.11", help="the CPython to compare with")
    parser.add_argument("--library", default="/usr/lib/python3.11", type=pathlib.Path, help="where its modules are")
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--warmup", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = [(str(f), f) for f in args.files] or make_files(pathlib.Path(folder), args.library, args.lines)
        for name, path in files:
            ours, peer = measure(args.ours, args.peer, path, args.rounds, args.warmup)
            ratios = [b / a for a, b in zip(ours, peer)]
            low, middle, high = statistics.quantiles(ratios, n=4)
            print(
                f"{name}: {statistics.median(ours) / 1e6:.2f} ms, {args.peer} {statistics.median(peer) / 1e6:.2f} ms: "
                f"{middle:.2f} times as fast ({low:.2f} .. {high:.2f})"
            )


if __name__ == "__main__":
    main()
