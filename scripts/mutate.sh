#!/usr/bin/env bash
# Makes small changes of meaning in the code that decides who is who, one at a time, and tells which no test notices.
# Options go to scripts/mutate/run.py; --help tells them. Needs root: the changes stand in a copy laid over the checkout.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

case " $* " in
*" --help "* | *" -h "* | *" --list "*) ;;
*)
    "$ROOT/scripts/setup.sh" --quiet
    python3 "$ROOT/scripts/lib/build-progress.py" "building the tests of the server" -- \
        swift build --build-tests --package-path "$ROOT/Server" "${DEBUG_BUILD[@]}"
    ;;
esac
exec python3 "$ROOT/scripts/mutate/run.py" "$@"
