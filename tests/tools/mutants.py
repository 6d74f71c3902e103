#!/usr/bin/env python3
"""Removes guards and releases one at a time and says which of them a test notices.

    tests/tools/mutants.py --test random_runs
    tests/tools/mutants.py --test random_runs --only 3 --env RATTAIL_RUNS=200

The removals are data: tests/tools/mutants.json, or the file that --list names. Each names a file, a place in it, and a
piece of text with what takes its place; `@` is the removal's number. All of them are built into one copy of the project,
each behind `Word::mutant(number)`, and the environment chooses which is in force, so that there is one build, not one for
each. `value.unless_mutant(number)` is the value, or None where its release is to be left out. The test is caught at it
if it fails, or is killed by a signal or for taking too long. Without a removal it has to pass.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = pathlib.Path(__file__).with_suffix(".json")

SWITCH = '''
/// The removals that `tests/tools/mutants.py` chooses from.
impl Word {
    pub fn mutant(number: u32) -> bool {
        static CHOSEN: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
        let read = || {
            let chosen = std::env::var("RATTAIL_MUTANT");
            chosen.ok().and_then(|text| text.parse().ok()).unwrap_or(0)
        };
        *CHOSEN.get_or_init(read) == number
    }
    pub fn unless_mutant(self, number: u32) -> Word {
        if Word::mutant(number) { Word::NONE } else { self }
    }
}
'''


def copy_project(to):
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in files.stdout.splitlines():
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def apply(mutants, to):
    for number, mutant in enumerate(mutants, 1):
        path = to / mutant["file"]
        text = path.read_text()
        start = text.find(mutant.get("in", ""))
        at = text.find(mutant["find"], max(start, 0))
        if start < 0 or at < 0:
            sys.exit(f"{number}, {mutant['name']}: {mutant['file']} does not have the text any more")
        replaced = mutant["replace"].replace("@", str(number))
        path.write_text(text[:at] + replaced + text[at + len(mutant["find"]):])
    word = to / "src/object/word.rs"
    text = word.read_text()
    tests = text.find("#[cfg(test)]")
    at = tests if tests >= 0 else len(text)
    word.write_text(text[:at] + SWITCH + text[at:])


def run(binary, number, options, folder):
    environment = dict(os.environ, RATTAIL_MUTANT=str(number), CARGO_MANIFEST_DIR=str(folder))
    environment.update(pair.split("=", 1) for pair in options.env)
    try:
        done = subprocess.run(
            [binary, *options.filter], env=environment, cwd=folder, timeout=options.timeout, capture_output=True, text=True,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return f"no end within {options.timeout} s"
    if done.returncode == 0:
        return None
    if done.returncode < 0:
        return f"signal {-done.returncode}"
    lines = (done.stdout + done.stderr).splitlines()
    told = [line.strip() for line in lines if line.startswith("seed ") or "panicked" in line]
    return told[-1] if told else f"status {done.returncode}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--test", required=True, help="the test binary, as cargo test --test names it")
    parser.add_argument("--filter", action="append", default=[], help="tests of it to run; may be given again")
    parser.add_argument("--list", type=pathlib.Path, default=LIST, help="the removals")
    parser.add_argument("--only", type=int, action="append", help="number of a removal; may be given again")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="for the test")
    parser.add_argument("--features", default="match,replicated")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for each run of the test")
    parser.add_argument("--keep", type=pathlib.Path, help="the folder for the copy, to use again")
    options = parser.parse_args()
    mutants = json.loads(options.list.read_text())
    folder = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="rattail-mutants-"))
    folder.mkdir(parents=True, exist_ok=True)
    copy_project(folder)
    apply(mutants, folder)
    command = ["cargo", "build", "--features", options.features, "--test", options.test, "--message-format=json"]
    built = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    if built.returncode != 0:
        sys.exit("the copy does not build")
    made = [json.loads(line) for line in built.stdout.splitlines() if line.startswith("{")]
    binary = next(one["executable"] for one in made if one.get("executable") and one["target"]["name"] == options.test)
    why = run(binary, 0, options, folder)
    if why is not None:
        sys.exit(f"the test fails with nothing removed: {why}")
    missed = 0
    for number, mutant in enumerate(mutants, 1):
        if options.only and number not in options.only:
            continue
        why = run(binary, number, options, folder)
        missed += why is None
        print(f"{number:3} {mutant['kind']:8} {mutant['name']}: {'not caught' if why is None else 'caught, ' + why}", flush=True)
    print(f"{missed} not caught")
    if not options.keep:
        shutil.rmtree(folder)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
