#!/usr/bin/env bash
# build.sh [debug|release] [targets...]: builds the server package, all of it or the named targets ("benji": the program).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

MODE=debug
case "${1:-}" in
debug | release) MODE="$1" && shift ;;
-*) die "usage: build.sh [debug|release] [targets...]" ;;
esac

"$ROOT/scripts/setup.sh" --quiet

if [ ! -d "$ROOT/Server/.build/$MODE" ]; then
    say "the first $MODE build compiles every dependency: about ten minutes on two cores, later builds take seconds"
fi

build() { # title, arguments of swift build
    local title="$1"
    shift
    python3 "$ROOT/scripts/lib/build-progress.py" "$title" -- \
        swift build --package-path "$ROOT/Server" -c "$MODE" "$@"
}

if [ "$#" -eq 0 ]; then
    build "building the server ($MODE)"
fi
for target in "$@"; do
    case "$target" in
    benji) build "building benji ($MODE)" --product benji ;;
    *) build "building $target ($MODE)" --target "$target" ;;
    esac
done
