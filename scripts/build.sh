#!/usr/bin/env bash
# build.sh [debug|release] [targets...]: builds the server package, all of it or the named targets ("benji" and
#     "benji-gateway": the programs).
# build.sh --without-face [debug|release]: builds the program alone, without face login and so without OpenCV.
#
# The benchmarks are left out unless BENJI_BENCHMARKS=1, as scripts/bench.sh sets it.
#
# Both build in Server/.build, so that the program is where everything looks for it and dependencies are built once. Our
# own modules that were built the other way are built again.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

FACE=()
if [ "${1:-}" = --without-face ]; then FACE=(--without-face) && shift; fi
MODE=debug
case "${1:-}" in
debug | release) MODE="$1" && shift ;;
-*) die "usage: build.sh [--without-face] [debug|release] [targets...]" ;;
esac

if [ "${#FACE[@]}" -gt 0 ] && [ "$#" -gt 0 ]; then die "--without-face builds the program and takes no targets"; fi

"$ROOT/scripts/setup.sh" --quiet --for demo "${FACE[@]}"

if [ ! -d "$ROOT/Server/.build/$MODE" ]; then
    say "the first $MODE build compiles every dependency: about ten minutes on two cores, later builds take seconds"
fi

build() { # title, arguments of swift build
    local title="$1"
    shift
    python3 "$ROOT/scripts/lib/build-progress.py" "$title" -- \
        swift build --package-path "$ROOT/Server" -c "$MODE" "${FLAGS[@]}" "$@"
}
FLAGS=()
if [ "$MODE" = debug ]; then FLAGS=("${DEBUG_BUILD[@]}"); fi

# The page designer carries the page engine as WebAssembly.
"$ROOT/scripts/lib/build-wasm.sh"

if [ "${#FACE[@]}" -gt 0 ]; then
    # The trait: docs/face.md. Not all of the package, of which face login's own targets are a part.
    build "building benji without face login ($MODE)" --disable-default-traits --product benji
elif [ "$#" -eq 0 ]; then
    build "building the server ($MODE)"
fi
for target in "$@"; do
    case "$target" in
    benji | benji-gateway) build "building $target ($MODE)" --product "$target" ;;
    *) build "building $target ($MODE)" --target "$target" ;;
    esac
done
