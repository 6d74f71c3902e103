#!/usr/bin/env python3
"""Runs programs of an installed pyperformance, unmodified: under each form and under Debian's Python, turn by turn.

    python3 benches/pyperformance.py [--check] [--rounds N] [--json FILE] [PROGRAM...]

`pip install pyperformance` brings the programs; PYPERFORMANCE names their folder where this Python does not know it.
RATTAIL is the binary (target/release/rattail), PYTHON the other interpreter (/usr/bin/python3.11), OUT the file of --json. With --check what
the benchmarks return is compared instead, and a difference is exit status 1.
"""
import argparse
import importlib.util
import json
import math
import os
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PYPERF = os.path.join(ROOT, "benches", "pyperf")
PROGRAMS = "nbody fannkuch spectral_norm float nqueens richards deltablue chaos raytrace generators".split()
# Their results are checked; their times are the event loop's, of which each interpreter has its own.
CHECKED = PROGRAMS + ["coroutines", "async_generators"]
FORMS = ["tail", "replicated", "match"]


def programs_folder():
    folder = os.environ.get("PYPERFORMANCE")
    if folder is None:
        spec = importlib.util.find_spec("pyperformance")
        if spec is None:
            sys.exit("pyperformance is missing: pip install pyperformance, or set PYPERFORMANCE")
        folder = os.path.join(os.path.dirname(spec.origin), "data-files", "benchmarks")
    return folder


def output(command, folder, options):
    env = dict(os.environ, PYTHONPATH=PYPERF, RATTAILPATH=PYPERF, PYTHONHASHSEED="0")
    done = subprocess.run(
        [*command, "run_benchmark.py", *options], cwd=folder, env=env, capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed in {folder}:\n{done.stdout}{done.stderr}")
    return done.stdout


def check(runners, names, folder):
    wrong = 0
    for name in names:
        place = os.path.join(folder, "bm_" + name)
        texts = {runner: output(command, place, ["--check"]) for runner, command in runners.items()}
        expected = texts["python3.11"]
        for runner, text in texts.items():
            if text != expected:
                wrong += 1
                print(f"{name}: {runner} gives {text!r}, CPython {expected!r}")
        print(name, "equal" if all(text == expected for text in texts.values()) else "DIFFERENT")
    return wrong


def measure(runners, names, folder, rounds):
    """Seconds by program, runner and round: the sum of a program's benchmarks, timed inside it."""
    times = {name: {runner: [] for runner in runners} for name in names}
    for turn in range(rounds):
        for name in names:
            place = os.path.join(folder, "bm_" + name)
            for runner, command in runners.items():
                lines = output(command, place, []).splitlines()
                times[name][runner].append(sum(float(line.split()[-1]) for line in lines))
        print(f"round {turn + 1} of {rounds}", file=sys.stderr)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", default=None)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", default=os.environ.get("OUT"))
    options = parser.parse_args()
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    rattail = os.path.abspath(os.environ.get("RATTAIL", os.path.join(target, "release", "rattail")))
    runners = {form: [rattail, "run", "--dispatch", form] for form in FORMS}
    runners["python3.11"] = [os.environ.get("PYTHON", "/usr/bin/python3.11")]
    folder = programs_folder()
    if options.check:
        return 1 if check(runners, options.programs or CHECKED, folder) else 0
    times = measure(runners, options.programs or PROGRAMS, folder, options.rounds)
    medians = {name: {who: statistics.median(all) for who, all in own.items()} for name, own in times.items()}
    for name, own in medians.items():
        print(name, *(f"{who} {own['python3.11'] / own[who]:.2f}" for who in FORMS))
    for who in FORMS:
        logs = [math.log(own["python3.11"] / own[who]) for own in medians.values()]
        print("geometric mean", who, f"{math.exp(statistics.mean(logs)):.2f}")
    if options.json:
        cases = [{"name": name, "ns": [[s * 1e9 for s in own[who]] for who in runners]} for name, own in times.items()]
        with open(options.json, "w") as file:
            json.dump({"runners": list(runners), "cases": cases}, file)
            file.write("\n")
    return 0


sys.exit(main())
