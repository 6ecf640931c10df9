#!/usr/bin/env bash
# Kills the server with SIGKILL again and again, first while addresses pass between subscribers, then while tokens are
# issued and spent. Looks for numbers that are released to the wrong subscriber, and for answers that are lost or billed
# twice. Also looks for a bill on which statement, ledger, callbacks and answers disagree, on SQLite and on PostgreSQL.
# `make proof` does the same with few kills. Arguments go to pytest; with `--report FILE` the first two write a report.
# All run, so that one night shows everything.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

[ -n "${BENJI_BINARY:-}" ] || "$ROOT/scripts/build.sh" debug benji
exec "$ROOT/scripts/system-tests.sh" --here test_kill9.py test_kill_load.py test_bills.py "$@"
