#!/usr/bin/env python3
"""Compares the bytecode this project makes of Python files with what CPython 3.14 makes of them.

    cargo build --release --example dis_json
    tests/tools/compare_dis.py --oracle 'node DIR/oracle.mjs' /usr/lib/python3.11

The oracle is a command that runs a Python file on CPython 3.14: `python3.14` itself, or one that wraps a build
without access to the file system (it gets the sources inside the program it runs). It may also be given in the
variable RATTAIL_ORACLE. Files that CPython 3.14 refuses are left out. Prints the share of code objects that are
equal, the location tables' share apart, and the first difference of each unequal one, counted by kind.
"""
import argparse
import ast
import collections
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

ORACLE_PROGRAM = r'''
import base64, dis, json, types, warnings
warnings.simplefilter("ignore")
def dump(co):
    table = [[e.start, e.end, e.target, e.depth, e.lasti] for e in dis._parse_exception_table(co)]
    nested = [c for c in co.co_consts if isinstance(c, types.CodeType)]
    return {
        "name": co.co_qualname, "argcount": co.co_argcount, "posonly": co.co_posonlyargcount,
        "kwonly": co.co_kwonlyargcount, "flags": co.co_flags, "stacksize": co.co_stacksize,
        "names": list(co.co_names), "varnames": list(co.co_varnames), "cellvars": list(co.co_cellvars),
        "freevars": list(co.co_freevars),
        "consts": [c.co_qualname if isinstance(c, types.CodeType) else repr(c) for c in co.co_consts],
        "instructions": [[i.opname, i.arg] for i in dis.get_instructions(co, show_caches=False)],
        "exception_table": table, "bytes": len(co.co_code), "linetable": co.co_linetable.hex(),
        "nested": [dump(c) for c in nested],
    }
for name, text in SOURCES:
    try:
        code = dump(compile(base64.b64decode(text), name, "exec", dont_inherit=True))
        print(json.dumps({"file": name, "code": code}))
    except Exception as error:
        print(json.dumps({"file": name, "error": f"{type(error).__name__}: {error}"}))
'''

# In the order in which a difference is looked for: causes before effects.
FIELDS = [
    "name", "argcount", "posonly", "kwonly", "flags", "varnames", "cellvars", "freevars",
    "instructions", "names", "consts", "exception_table", "stacksize", "bytes",
]


def lines_by_file(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False, **options)
    rows = [json.loads(line) for line in done.stdout.decode("utf-8", "replace").splitlines() if line[:1] == "{"]
    return {row["file"]: row for row in rows}


def ask_oracle(command, files):
    import base64
    sources = [(str(f), base64.b64encode(f.read_bytes()).decode()) for f in files]
    with tempfile.NamedTemporaryFile("w", suffix=".py") as program:
        program.write(f"SOURCES = {sources!r}\n{ORACLE_PROGRAM}")
        program.flush()
        return lines_by_file([*command, program.name])


def constant(text):
    """Sets of strings come in another order in every run."""
    if text.startswith("frozenset({"):
        try:
            return sorted(map(repr, ast.literal_eval(text[len("frozenset("):-1].replace("Ellipsis", "..."))))
        except ValueError:
            pass
    return text


def first_difference(ours, theirs):
    """(kind, detail) of the first difference of two code objects, or None."""
    for field in FIELDS:
        a, b = ours[field], theirs[field]
        if field == "consts":
            a, b = list(map(constant, a)), list(map(constant, b))
        if a == b:
            continue
        if not isinstance(a, list):
            return field, f"{a} instead of {b}"
        at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        x, y = a[at] if at < len(a) else "end", b[at] if at < len(b) else "end"
        detail = f"[{at}] {x} instead of {y}"
        if field == "instructions":
            return f"{x[0]} instead of {y[0]}" if x[0] != y[0] else f"argument of {x[0]}", detail
        return field, detail
    return None


def pairs(ours, theirs, path):
    """Code objects that belong together. Nested ones are matched by name and order of appearance."""
    yield path, ours, theirs
    by_name = collections.defaultdict(list)
    for code in ours["nested"] if ours else []:
        by_name[code["name"]].append(code)
    for code in theirs["nested"]:
        waiting = by_name[code["name"]]
        yield from pairs(waiting.pop(0) if waiting else None, code, f"{path}:{code['name']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=pathlib.Path, help="Python files, or folders of them")
    parser.add_argument("--oracle", default=os.environ.get("RATTAIL_ORACLE"), help="command that runs a file on CPython 3.14")
    parser.add_argument("--ours", default="target/release/examples/dis_json", help="the example dis_json, built")
    parser.add_argument("--batch", type=int, default=60, help="files per call of the oracle")
    parser.add_argument("--limit", type=int, help="only so many files")
    parser.add_argument("--cache", type=pathlib.Path, help="folder that keeps the oracle's answers")
    parser.add_argument("--examples", type=int, default=2, help="examples to show of every kind")
    parser.add_argument("--lines", action="store_true", help="also show which location tables differ")
    args = parser.parse_args()
    if not args.oracle:
        parser.error("no oracle: give --oracle or set RATTAIL_ORACLE")
    files = []
    for path in args.paths:
        files += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    files = files[: args.limit]

    refused = ours_refused = total = equal = lines_equal = 0
    faults, accepted = [], []
    kinds, shown = collections.Counter(), collections.defaultdict(list)
    for start in range(0, len(files), args.batch):
        batch = files[start : start + args.batch]
        theirs = {}
        cached = {f: args.cache / (str(f).replace("/", "%") + ".json") for f in batch} if args.cache else {}
        for file, path in cached.items():
            if path.exists():
                theirs[str(file)] = json.loads(path.read_text())
        missing = [f for f in batch if str(f) not in theirs]
        if missing:
            theirs |= ask_oracle(shlex.split(args.oracle), missing)
            for file in missing:
                if args.cache and str(file) in theirs:
                    args.cache.mkdir(parents=True, exist_ok=True)
                    cached[file].write_text(json.dumps(theirs[str(file)]))
        ours = lines_by_file([args.ours, *map(str, batch)])
        for file in map(str, batch):
            if "code" not in theirs.get(file, {}):
                refused += 1
                if "code" in ours.get(file, {}):
                    accepted.append(f"{file}: {theirs.get(file, {}).get('error', 'no answer')}")
                continue
            row = ours.get(file, {"error": "crash"})
            if row.get("verify"):
                faults.append(f"{file}: {row['verify']}")
            if "code" not in row:
                ours_refused += 1
                kind = "refused: " + row["error"][:60]
            for path, a, b in pairs(row.get("code"), theirs[file]["code"], file):
                total += 1
                if "code" in row:
                    difference = first_difference(a, b) if a else ("missing", "")
                    if difference is None:
                        equal += 1
                        if a["linetable"] == b["linetable"]:
                            lines_equal += 1
                        elif args.lines:
                            print(f"lines: {path}")
                        continue
                    kind, detail = difference
                    shown[kind].append(f"{path}: {detail}")
                else:
                    shown[kind].append(file)
                kinds[kind] += 1
        print(f"{start + len(batch)} files, {equal} of {total} equal", file=sys.stderr)
    print(f"files: {len(files)}, of which CPython refuses {refused} and only we refuse {ours_refused}")
    print(f"accepted by us alone: {len(accepted)}", *accepted[:10], sep="\n         ")
    print(f"refused by the verifier: {len(faults)}", *faults[:10], sep="\n         ")
    share = 100 * equal / total if total else 0
    print(f"code objects: {total}, equal {equal} ({share:.2f}%), location tables equal too {lines_equal}")
    for kind, count in kinds.most_common():
        print(f"{count:6} {kind}")
        for example in shown[kind][: args.examples]:
            print(f"         {example}")
    return 0 if equal == total else 1


if __name__ == "__main__":
    sys.exit(main())
