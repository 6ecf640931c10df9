#!/usr/bin/env bash
# Kills the server with SIGKILL again and again while addresses pass from one subscriber to the next, and looks for a
# number that is released to the wrong one. `make test` does the same with 20 kills. Arguments go to the script.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

[ -n "${BENJI_BINARY:-}" ] || "$ROOT/scripts/build.sh" debug benji
exec "$ROOT/scripts/interop/kill9.py" "$@"
