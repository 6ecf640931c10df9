#!/usr/bin/env bash
# Runs the tests of Tests/System with pytest, whose arguments it takes: scripts/system-tests.sh -k redeem. It builds
# nothing. First it installs the packages of PyPI that pytest and the tests need, at pinned versions, in .tools (or in
# BENJI_TOOLS).
# Four files run at a time, because they wait for most of their time. Every check goes into a JUnit file in .build.
# Long tests run only with --long, or if a file, a test or a word is named.
#
#   system-tests.sh [--here | --workers N] [arguments of pytest]
#   system-tests.sh --part gate      the tests of make test; another part's name: those of make proof
#   system-tests.sh --tools          only installs the packages of PyPI
#
# The exit status is 0 if all checks held, and 5 if no test was selected.
#
#   --here   runs in one process, one test after the other, and shows what they print as it comes
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

TESTS="$ROOT/Tests/System"
WANTED="$TESTS/requirements.txt"
TOOLS="${BENJI_TOOLS:-$ROOT/.tools}"
# The tools are installed again unless they were made for these versions and this Python.
STAMP="$(sha256sum <"$WANTED" | cut -d' ' -f1) $(python3 --version)"

install_tools() {
    local log
    log="$(mktemp)"
    say "installing pytest, selenium, OpenID clients and schemathesis in $TOOLS"
    rm -rf "$TOOLS"
    python3 -m venv "$TOOLS" || die "a Python environment cannot be made." "Run: make setup"
    # Only wheels: their installation runs no package's code.
    "$TOOLS/bin/python" -m pip install --disable-pip-version-check -q --only-binary :all: --no-deps -r "$WANTED" \
        >"$log" 2>&1 || {
        tail -n 30 "$log" >&2
        die "pip failed (see above)." \
            "pip must reach a package index; its settings (pip config, PIP_INDEX_URL, proxies) are followed."
    }
    "$TOOLS/bin/python" -m pip check >"$log" 2>&1 ||
        { cat "$log" >&2; die "Tests/System/requirements.txt lacks something."; }
    printf '%s\n' "$STAMP" >"$TOOLS/stamp"
    rm -f "$log"
}

[ "$(cat "$TOOLS/stamp" 2>/dev/null || true)" = "$STAMP" ] || install_tools
if [ "$*" = --tools ]; then exit 0; fi

export PYTHONDONTWRITEBYTECODE=1
OUT="$ROOT/.build"
rm -f "$OUT"/system-tests*.xml
PYTEST=("$TOOLS/bin/python" -m pytest -v -c "$TESTS/pytest.ini" --rootdir "$TESTS" -o "cache_dir=$OUT/pytest"
    --checks-xml "${BENJI_CHECKS_XML:-$OUT/system-tests.xml}")
SPREAD=(-n 4 --dist loadfile --no-loadscope-reorder --max-worker-restart 0)
ARGUMENTS=()
# Files of tests may be named from anywhere; other paths, such as that of a report, are the caller's.
PLACES=("$TESTS")
while [ "$#" -gt 0 ]; do
    case "$1" in
    --here) SPREAD=(-s) ;;
    --workers) SPREAD[1]="$2" && shift ;;
    *test_*)
        file="$TESTS/${1##*Tests/System/}"
        # A name alone may be in any folder.
        if [ ! -f "${file%%::*}" ] && found="$(find "$TESTS" -name "${1%%::*}" -print -quit)" && [ -n "$found" ]; then
            file="$found${1#"${1%%::*}"}"
        fi
        if [ -f "${file%%::*}" ]; then PLACES+=("$file"); else ARGUMENTS+=("$1"); fi
        ;;
    *) ARGUMENTS+=("$1") ;;
    esac
    shift
done
if [ "${#PLACES[@]}" -gt 1 ]; then PLACES=("${PLACES[@]:1}"); fi
exec "${PYTEST[@]}" "${SPREAD[@]}" "${ARGUMENTS[@]}" "${PLACES[@]}"
