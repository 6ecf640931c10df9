#!/usr/bin/env bash
# Runs the tests of Tests/System with pytest, whose arguments it takes: scripts/system-tests.sh -k redeem. It builds nothing.
# What pytest and the tests need of PyPI is installed first, at pinned versions, in .tools (or where BENJI_TOOLS says).
# First, one by one, those that judge times; then the others four at a time, because they wait for most of their time. Every check goes by
# its sentence into JUnit files in .build. Some that take long are left out unless --long is given, or a file, a test or a word is named.
#
#   system-tests.sh [--here] [arguments of pytest]
#   system-tests.sh --tools
#
# Ends with 0 if all held, and with 5 if no test was meant.
#
#   --here   in one process, one test after the other, and what they print is shown as it comes
#   --tools  only installs what the tests need of PyPI
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
    say "installing pytest, selenium, OpenID clients and schemathesis in $TOOLS"
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
if [ "$*" = --tools ]; then exit 0; fi

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

# Those that judge times come first and alone, because on a busy machine they fail for its sake.
STATUS=0 OTHER=0
say "system tests that judge times, one after the other"
"${PYTEST[@]}" --alone only --checks-xml "$OUT/system-tests-alone.xml" "${ARGUMENTS[@]}" || OTHER=$?
# Ctrl-C, or a signal.
if [ "$OTHER" -eq 2 ] || [ "$OTHER" -gt 128 ]; then exit "$OTHER"; fi
say "the other system tests, four at a time"
"${PYTEST[@]}" --alone no -n 4 --dist loadfile --no-loadscope-reorder --max-worker-restart 0 \
    --checks-xml "$OUT/system-tests.xml" "${ARGUMENTS[@]}" || STATUS=$?
if [ "$STATUS" -eq 2 ] || [ "$STATUS" -gt 128 ]; then exit "$STATUS"; fi

# 5: no test of a part was meant, which is no fault of a part unless none of either was; of a whole run each has tests.
if [ "$#" -eq 0 ] && { [ "$STATUS" -eq 5 ] || [ "$OTHER" -eq 5 ]; }; then die "no system test was found in one of the two parts"; fi
if [ "$STATUS" -eq 5 ] && [ "$OTHER" -eq 5 ]; then
    say "no system test is meant by: $*"
    exit 5
fi
for each in "$STATUS" "$OTHER"; do
    if [ "$each" -ne 0 ] && [ "$each" -ne 5 ]; then exit "$each"; fi
done
exit 0
