#!/usr/bin/env bash
# Compiles what phones run for the oldest iOS that the manifest names, on Linux: see docs/testing.md for what that
# proves. `--self-test` shows that code which may not pass is refused, `--with-self-test` does both. The first run aims
# the standard library at iOS, about a minute.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] ||
    die "the check for iOS needs Linux on x86-64: its standard library is the only one that can be aimed at a phone"
[ "${1:-}" = --self-test ] || say "iOS: every library that phones run compiles for the oldest iOS, against stand-ins"
exec python3 -B "$ROOT/scripts/ios/check.py" "$@"
