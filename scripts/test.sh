#!/usr/bin/env bash
# Runs what must always hold: static rules, the Swift tests of both packages, and short tests of the program in
# Tests/System. Nothing in it judges time. The last line counts. `make proof` runs the rest; docs/testing.md describes
# both.
#
#   test.sh                   all of it
#   test.sh -k redeem         the Swift tests and system tests whose names have the word
#   test.sh [arguments]       arguments of pytest; without -k no Swift test runs
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
exec python3 -B "$ROOT/scripts/lib/gate.py" --flags="${DEBUG_BUILD[*]}" "$@"
