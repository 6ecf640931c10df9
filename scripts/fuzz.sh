#!/usr/bin/env bash
# fuzz.sh [seconds]: runs every fuzzer in scripts/fuzz/ for the given time (60 by default) and fails at the first crash.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

SECONDS_EACH="${1:-60}"
[[ "$SECONDS_EACH" =~ ^[1-9][0-9]*$ ]] || die "usage: fuzz.sh [seconds], a whole number above zero"
shopt -s nullglob
FUZZERS=("$ROOT"/scripts/fuzz/*.sh)
[ "${#FUZZERS[@]}" -gt 0 ] || die "there is no fuzzer in scripts/fuzz/"
for fuzzer in "${FUZZERS[@]}"; do
    say "fuzz: $(basename "$fuzzer" .sh), $SECONDS_EACH seconds"
    # Printing a backtrace of a sanitised crash can hang.
    SWIFT_BACKTRACE=enable=no "$fuzzer" "$SECONDS_EACH"
done
say "fuzz: ${#FUZZERS[@]} fuzzers ran $SECONDS_EACH seconds each without a crash"
