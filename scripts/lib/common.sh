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

# Every Swift file of ours: no build folders, no checkouts, no templates of other tools.
swift_files() {
    local places=() place
    for place in Package.swift Sources Tests Verification Server/Package.swift Server/Sources Server/Tests Server/Benchmarks Server/Tools Fuzzing Examples; do
        [ -e "$ROOT/$place" ] && places+=("$ROOT/$place")
    done
    find "${places[@]}" -name .build -prune -o -type f -name '*.swift' -print0
}
