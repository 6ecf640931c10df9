#!/usr/bin/env bash
# Kills the server with SIGKILL again and again, first while addresses pass from one subscriber to the next, then while
# tokens are issued and spent, and looks for a number that is released to the wrong one, and for answers that are lost or
# billed twice. `make test` does the same with few kills. Arguments go to both scripts; with `--report FILE` both write
# what they found to it. Both run, so that one night shows everything.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

[ -n "${BENJI_BINARY:-}" ] || "$ROOT/scripts/build.sh" debug benji
STATUS=0
say "addresses change hands"
"$ROOT/Tests/System/test_kill9.py" "$@" || STATUS=1
say "tokens are issued and spent"
"$ROOT/Tests/System/test_kill_load.py" "$@" || STATUS=1
exit "$STATUS"
