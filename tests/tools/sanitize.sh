#!/usr/bin/env bash
# Runs tests under AddressSanitizer: bash tests/tools/sanitize.sh FORM [ARGUMENT OF cargo test...]
#
#   bash tests/tools/sanitize.sh match --test hooks
#   RATTAIL_SCRIPTS=calls bash tests/tools/sanitize.sh match --test scripts
#
# What it sees and what it does not, and which forms it can be used with: docs/measuring.md, "Memory errors". Needs the
# nightly compiler of rust-toolchain.toml. The target is named, so that build scripts and macros are not sanitized.
set -euo pipefail
cd "$(dirname "$0")/../.."
form=${1:?a form: match, replicated or tail}
shift
# The flags of .cargo/config.toml give way to these.
export RUSTFLAGS='-C no-vectorize-slp -Z sanitizer=address'
# What detects uses after a return wants a register that `preserve_none` gives away: "stack realignment in presence of
# dynamic allocas is not supported with this calling convention".
[ "$form" = tail ] && RUSTFLAGS+=' -C llvm-args=-asan-use-after-return=never'
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/sanitize
exec cargo test --target "$(rustc -vV | sed -n 's/host: //p')" --no-default-features \
    --features "$form,system-heap" "$@"
