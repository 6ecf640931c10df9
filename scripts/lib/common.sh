# Sourced by every script: where the repository is, and how scripts talk.
# shellcheck shell=bash

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

# What is going on, in one line.
say() { printf '==> %s\n' "$*"; }

# What went wrong and what to do about it; ends the script.
die() {
    printf 'error: %s\n' "$1" >&2
    shift
    for line in "$@"; do printf '       %s\n' "$line" >&2; done
    exit 1
}

# What every debug build is made with. Where nothing is built a second time, as in CI, BENJI_BUILD_ONCE=1 has each module compiled
# as a whole, read once for its code and its interface, without what debuggers read, and linked by LLVM's linker: a
# third less work. A build folder that was made the other way is made anew.
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
    for place in Package.swift Sources Tests Verification Server/Package.swift Server/Sources Server/Tests Server/Benchmarks Server/Tools Fuzzing Examples; do
        [ -e "$ROOT/$place" ] && places+=("$ROOT/$place")
    done
    # The programs of Examples/Redeem are those that the console shows, whose layout is their own.
    find "${places[@]}" \( -name .build -o -path "$ROOT/Examples/Redeem" \) -prune -o -type f -name '*.swift' -print0
}
