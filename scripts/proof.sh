#!/usr/bin/env bash
# Runs everything that `make test` leaves out, in parts whose results are committed in docs/reports/proof: see
# scripts/lib/proof.py.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
exec python3 -B "$ROOT/scripts/lib/proof.py" --flags="${DEBUG_BUILD[*]}" "$@"
