#!/usr/bin/env bash
# Runs the tests of Tests/System with pytest, whose arguments it takes: scripts/system-tests.sh -k redeem. It builds nothing.
# What pytest and the tests need of PyPI is installed first, at pinned versions, in .tools (or where BENJI_TOOLS says).
# First one by one those that must run alone, then the others three at a time, because they wait for most of their time. Every check goes by its sentence into JUnit files in .build.
#
#   system-tests.sh [--here] [arguments of pytest]
#
# Ends with 0 if all held, and with 5 if no test was meant.
#
#   --here   in one process, one test after the other, and what they print is shown as it comes
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

TESTS="$ROOT/Tests/System"
WANTED="$TESTS/requirements.txt"
TOOLS="${BENJI_TOOLS:-$ROOT/.tools}"
# What is there was made for these versions and this Python, or it is made anew.
STAMP="$(sha256sum <"$WANTED" | cut -d' ' -f1) $(python3 --version)"

install_tools() {
    local log
    log="$(mktemp)"
    say "installing pytest, selenium, Authlib and schemathesis in $TOOLS"
    rm -rf "$TOOLS"
    python3 -m venv "$TOOLS" || die "a Python environment cannot be made." "Run: make setup"
    # Only wheels: installing then runs nobody's code.
    "$TOOLS/bin/python" -m pip install --disable-pip-version-check -q --only-binary :all: --no-deps -r "$WANTED" >"$log" 2>&1 || {
        tail -n 30 "$log" >&2
        die "pip failed (see above)." \
            "pip must reach a package index; its settings (pip config, PIP_INDEX_URL, proxies) are followed."
    }
    "$TOOLS/bin/python" -m pip check >"$log" 2>&1 || { cat "$log" >&2; die "Tests/System/requirements.txt lacks something."; }
    printf '%s\n' "$STAMP" >"$TOOLS/stamp"
    rm -f "$log"
}

[ "$(cat "$TOOLS/stamp" 2>/dev/null || true)" = "$STAMP" ] || install_tools

export PYTHONDONTWRITEBYTECODE=1
OUT="$ROOT/.build"
rm -f "$OUT"/system-tests*.xml
PYTEST=("$TOOLS/bin/python" -m pytest -v -c "$TESTS/pytest.ini" --rootdir "$TESTS" -o "cache_dir=$OUT/pytest")
HERE=
ARGUMENTS=()
# Files of tests may be named from anywhere; other paths, such as that of a report, are the caller's.
PLACES=("$TESTS")
for argument in "$@"; do
    file="$TESTS/${argument##*Tests/System/}"
    case "$argument" in
    --here) HERE=1 ;;
    *test_*) if [ -f "${file%%::*}" ]; then PLACES+=("$file"); else ARGUMENTS+=("$argument"); fi ;;
    *) ARGUMENTS+=("$argument") ;;
    esac
done
if [ "${#PLACES[@]}" -gt 1 ]; then PLACES=("${PLACES[@]:1}"); fi
ARGUMENTS+=("${PLACES[@]}")
if [ -n "$HERE" ]; then exec "${PYTEST[@]}" -s --checks-xml "$OUT/system-tests.xml" "${ARGUMENTS[@]}"; fi

STATUS=0
RAN=
# Runs a part. That nothing in it is asked for is no fault, unless nothing is in either.
part() { # what, arguments...
    local status=0
    say "system tests, $1"
    shift
    "${PYTEST[@]}" "$@" "${ARGUMENTS[@]}" || status=$?
    if [ "$status" -eq 5 ]; then return; fi
    # Ctrl-C, or a signal.
    if [ "$status" -eq 2 ] || [ "$status" -gt 128 ]; then exit "$status"; fi
    RAN=1
    if [ "$status" -ne 0 ]; then STATUS="$status"; fi
}
part "those that run alone" --alone only --checks-xml "$OUT/system-tests-alone.xml"
part "three at a time" --alone no -n 3 --dist loadfile --no-loadscope-reorder --max-worker-restart 0 --checks-xml "$OUT/system-tests.xml"
if [ -z "$RAN" ]; then
    say "no system test is meant by: $*"
    exit 5
fi
exit "$STATUS"
