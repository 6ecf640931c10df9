#!/usr/bin/env bash
# Cuts the power at many moments of a storm of redemptions and looks for an answer that is lost. `make proof` does the
# same with fewer cuts. Arguments go to pytest; with `--report FILE` it writes what it found.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

[ -n "${BENJI_BINARY:-}" ] || "$ROOT/scripts/build.sh" debug benji
exec "$ROOT/scripts/system-tests.sh" --here test_power_cut.py "$@"
