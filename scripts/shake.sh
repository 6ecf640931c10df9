#!/usr/bin/env bash
# Runs the tests of `make test` again and again under bad conditions, without building: see scripts/lib/shake.py.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
exec python3 -B "$ROOT/scripts/lib/shake.py" "$@"
