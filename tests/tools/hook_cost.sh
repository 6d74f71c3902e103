#!/usr/bin/env bash
# Instructions that calls, hooks and exceptions cost, by callgrind: bash tests/tools/hook_cost.sh [FORM...]
#
# Each case of examples/hook_cost.rs runs with two counts of rounds; the difference, divided, is what one round costs,
# without start and compilation. Counts repeat, whatever else the machine does. Needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/../.."
unset RUSTFLAGS
target=${CARGO_TARGET_DIR:-target}
few=2000 many=12000

command -v valgrind >/dev/null || { printf 'valgrind is missing\n' >&2; exit 3; }
[ $# -gt 0 ] || set -- tail match replicated
for form in "$@"; do
    cargo build --quiet --release --no-default-features --features "$form" --example hook_cost
    program=$target/release/examples/hook_cost
    count() {
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" 2>&1 |
            sed -n 's/.*Collected : *\([0-9]*\).*/\1/p'
    }
    printf '| %s | instructions a round | without the loop |\n| --- | ---: | ---: |\n' "$form"
    loop=
    "$program" | while read -r name; do
        cost=$((($(count "$name" $many) - $(count "$name" $few)) * 10 / (many - few)))
        loop=${loop:-$cost}
        rest=$((cost - loop))
        printf '| %s | %d.%d | %d.%d |\n' "$name" $((cost / 10)) $((cost % 10)) $((rest / 10)) $((rest % 10))
    done
done
