#!/usr/bin/env bash
# soak.sh [seconds] [arguments of pytest]: a release build under steady logins, half an hour by default. The rate is
# half of that which it was found to keep up with. The report goes to docs/reports/soak.md, with a plot; `--report FILE`
# chooses another place. `make proof` does the same for 25 seconds.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

DURATION=1800
case "${1:-}" in
[0-9]*) DURATION="$1" && shift ;;
esac

if [ -z "${BENJI_BINARY:-}" ]; then
    "$ROOT/scripts/build.sh" release benji
    export BENJI_BINARY="$ROOT/Server/.build/release/benji"
fi
say "logins for $DURATION seconds"
exec "$ROOT/scripts/system-tests.sh" --here test_soak.py --duration "$DURATION" --maximum \
    --report "$ROOT/docs/reports/soak.md" "$@"
