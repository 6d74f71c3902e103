#!/usr/bin/env bash
# Builds the program as one ships it: bash benches/dist.sh [CARGO OPTIONS...], for instance --features match,replicated.
#
# The C library is linked in, and the functions that an empty program executes lie side by side, in the order of their
# first call: an ordinary build finds and binds three shared libraries, and touches text all over the binary. Nothing
# else differs. The order comes from a run under valgrind, so it is that of the build itself.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null || { printf 'valgrind is missing: apt-get install valgrind\n' >&2; exit 3; }
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target/dist"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

link() {
    cargo rustc --release --bin rattail "${options[@]}" -- -C target-feature=+crt-static -C relocation-model=static "$@"
}

options=("$@")
link
printf 'pass\n' >"$work/empty.py"
valgrind --tool=callgrind --demangle=no --callgrind-out-file="$work/calls" \
    "$target/release/rattail" run "$work/empty.py" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
# Callgrind numbers a name where it first stands, and marks recursion; code without a symbol it names by its address.
sed -nE "s/^c?fn=\([0-9]+\) //p" "$work/calls" | sed "s/'[0-9]*$//" | grep -v '^0x' | awk '!seen[$0]++' >"$work/order"
link -C link-arg=-Wl,--symbol-ordering-file="$work/order" -C link-arg=-Wl,--no-warn-symbol-ordering
cp "$target/release/rattail" "$target/dist/rattail"
printf '%s: %d functions of an empty program in order\n' "$target/dist/rattail" "$(wc -l <"$work/order")"
