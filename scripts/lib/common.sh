# Sourced by every script: where the repository is, and how scripts talk.
# shellcheck shell=bash

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

# Prints what the script does now, in one line.
say() { printf '==> %s\n' "$*"; }

# Prints an error and its remedy, and ends the script.
die() {
    printf 'error: %s\n' "$1" >&2
    shift
    for line in "$@"; do printf '       %s\n' "$line" >&2; done
    exit 1
}

# Flags of debug builds. With BENJI_BUILD_ONCE=1, as in CI, each module is compiled as a whole, without debug
# information, and linked by lld. That is a third less work. Changing the flags rebuilds everything.
DEBUG_BUILD=()
if [ "${BENJI_BUILD_ONCE:-}" = 1 ]; then
    DEBUG_BUILD=(
        -debug-info-format none -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2
        -Xswiftc -no-emit-module-separately-wmo -Xswiftc -use-ld=lld
    )
fi

# Every Swift file of ours: no build folders, no checkouts, no templates of other tools.
swift_files() {
    local places=() place
    for place in Package.swift Sources Tests Verification Server/Package.swift Server/Sources Server/Tests \
        Server/Benchmarks Server/Tools Fuzzing Examples; do
        [ -e "$ROOT/$place" ] && places+=("$ROOT/$place")
    done
    find "${places[@]}" -name .build -prune -o -type f -name '*.swift' -print0
}
