#!/usr/bin/env bash
# Times `make demo ARGS=--once` as a newcomer runs it: in a fresh clone of the commit, then again when everything is
# built. The last line is JSON, as the benchmarks print it.
#
#   bench-demo.sh [--smoke]   --smoke: in this clone and not in a fresh one, to see that the script works
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

FOLDER="$(mktemp -d)"
trap 'rm -rf "$FOLDER"' EXIT
if [ "${1:-}" = --smoke ]; then
    CLONE="$ROOT"
else
    CLONE="$FOLDER/benji"
    git clone --quiet "$ROOT" "$CLONE"
fi

# Prints the seconds that the demo takes; it must end well, with its closing line.
time_demo() {
    local start end
    start="$(date +%s.%N)"
    make --no-print-directory -C "$CLONE" demo ARGS=--once >"$FOLDER/log" 2>&1 || {
        tail -n 40 "$FOLDER/log" >&2
        die "make demo failed in a fresh clone"
    }
    end="$(date +%s.%N)"
    grep -q "every one as stated" "$FOLDER/log" || die "make demo did not end as stated"
    awk -v start="$start" -v end="$end" 'BEGIN { printf "%.2f", end - start }'
}

say "timing make demo in a fresh clone (about ten minutes on two cores)" >&2
COLD="$(time_demo)"
WARM="$(time_demo)"
printf 'make demo in a fresh clone  %s s\nmake demo again  %s s\n' "$COLD" "$WARM"
awk -v cold="$COLD" -v warm="$WARM" 'BEGIN {
    row = "{\"name\":\"%s\",\"unit\":\"s\",\"note\":\"%s\",\"median\":%s,\"spread\":{\"lowest\":%s,\"highest\":%s}}"
    ratio = cold / warm
    printf "{\"benchmark\":\"demo\",\"ratioOf\":\"fresh clone / again\",\"rounds\":1,\"ratio\":%.4g,", ratio
    printf "\"spread\":{\"lowest\":%.4g,\"highest\":%.4g},\"rows\":[", ratio, ratio
    printf row ",", "make demo in a fresh clone", "with what SwiftPM has cached on this machine", cold, cold, cold
    printf row "]}\n", "make demo again", "everything is built", warm, warm, warm
}'
