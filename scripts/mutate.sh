#!/usr/bin/env bash
# Makes small changes of meaning in the code that decides who is who, and reports which no test notices.
# Options go to scripts/mutate/run.py; --help lists them. Needs root: the changes are made in a copy of the checkout.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

case " $* " in
*" --help "* | *" -h "* | *" --list "*) ;;
*)
    "$ROOT/scripts/setup.sh" --quiet --for test
    python3 "$ROOT/scripts/lib/build-progress.py" "building the tests of the server" -- \
        swift build --build-tests --package-path "$ROOT/Server" "${DEBUG_BUILD[@]}"
    ;;
esac
exec python3 "$ROOT/scripts/mutate/run.py" "$@"
