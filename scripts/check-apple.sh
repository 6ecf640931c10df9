#!/usr/bin/env bash
# check-apple.sh SDK: compiles what phones run, and the documents' Objective-C, against an SDK of Apple's that lies
# outside of this repository. See docs/testing.md for what that proves. Takes some minutes; nothing is kept.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

[ -n "${1:-}" ] || die "name the folder of an SDK: make check-apple SDK=/path/to/iPhoneOS18.0.sdk"
say "Apple: every library that phones run compiles against the SDK at $1"
exec python3 -B "$ROOT/scripts/ios/apple.py" "$1"
