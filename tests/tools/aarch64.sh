#!/usr/bin/env bash
# Builds rattail for AArch64, runs the benchmark programs at their small sizes in every form under qemu, compares what
# they print with what CPython printed, and audits the machine code: bash tests/tools/aarch64.sh [FOLDER]
#
# Needs Debian's second compiler, which has a standard library for AArch64:
#   dpkg --add-architecture arm64 && apt-get update
#   apt-get install rustc-web libstd-rust-web-dev:arm64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
# On an AArch64 machine it uses cargo's own compiler and runs natively. Writes audit.txt, audit.json and programs.txt
# to FOLDER if there is one. Emulation says nothing about time, and no time is taken.
set -euo pipefail
cd "$(dirname "$0")/../.."
unset RUSTFLAGS
triple=aarch64-unknown-linux-gnu
target=${CARGO_TARGET_DIR:-target}
folder=${1:-}

if [ "$(uname -m)" = aarch64 ]; then
    emulated=
    run=()
    cargo build --release --features match,replicated --target "$triple"
else
    emulated=', emulated by qemu-aarch64'
    missing=()
    [ -x /usr/bin/rustc ] || missing+=(rustc-web)
    [ -d /usr/lib/rustlib/$triple ] || missing+=(libstd-rust-web-dev:arm64)
    command -v aarch64-linux-gnu-gcc >/dev/null || missing+=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross)
    command -v qemu-aarch64 >/dev/null || missing+=(qemu-user)
    if [ ${#missing[@]} -gt 0 ]; then
        printf 'missing: apt-get install %s (after dpkg --add-architecture arm64; apt-get update)\n' "${missing[*]}" >&2
        exit 3
    fi
    run=(qemu-aarch64 -L /usr/aarch64-linux-gnu)
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    cargo build --release --features match,replicated --target "$triple"
    unset RUSTC RUSTC_BOOTSTRAP
fi
binary=$target/$triple/release/rattail

# Name, size and output of every program, from the JSON beside them.
programs() {
    awk -F'"' '/"name":/ {name = $4} /"small":/ {small = 1} small && /"size":/ {gsub(/[^0-9]/, "", $3); size = $3}
        small && /"output":/ {print name, size, $4; small = 0}' benches/programs/expected.json
}

failed=0
report=$(mktemp)
trap 'rm -f "$report"' EXIT
while read -r name size expected; do
    for form in tail match replicated; do
        if printed=$("${run[@]}" "$binary" run --dispatch "$form" "benches/programs/$name.py" "$size" 2>&1) &&
            [ "$printed" = "$(printf '%b' "$expected")" ]; then
            printf '%-16s %-11s passed%s\n' "$name $size" "$form" "$emulated"
        else
            printf '%-16s %-11s FAILED%s\n%s\n' "$name $size" "$form" "$emulated" "$printed"
            failed=1
        fi
    done
done < <(programs) | tee "$report"
! grep -q FAILED "$report" || failed=1

audit=("${run[@]}" "$binary" asm --audit)
"${audit[@]}" | sed -n '1,5p'
if [ -n "$folder" ]; then
    mkdir -p "$folder"
    cp "$report" "$folder/programs.txt"
    "${audit[@]}" >"$folder/audit.txt"
    "${audit[@]}" --json >"$folder/audit.json"
fi
"${run[@]}" "$binary" asm --check || failed=1
exit $failed
