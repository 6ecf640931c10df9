#!/usr/bin/env bash
# Installs the Python programs that tests run and Debian has not, at pinned versions, in a folder of their own (.tools, or what
# BENJI_TOOLS names). With nothing to do it takes a moment.
#
#   interop-tools.sh [--check]
#
#   --check   installs nothing; says whether they are there
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

WANTED="$ROOT/Tests/System/requirements.txt"
TOOLS="${BENJI_TOOLS:-$ROOT/.tools}"
# What is there was made for these versions and this Python, or it is made anew.
STAMP="$(sha256sum <"$WANTED" | cut -d' ' -f1) $(python3 --version)"

if [ "$(cat "$TOOLS/stamp" 2>/dev/null || true)" = "$STAMP" ]; then exit 0; fi
if [ "${1:-}" = --check ]; then
    die "the tools in $TOOLS are missing or not of the pinned versions." "Run: scripts/interop-tools.sh"
fi

LOG="$(mktemp)"
trap 'rm -f "$LOG"' EXIT
say "installing Authlib and schemathesis in $TOOLS"
rm -rf "$TOOLS"
python3 -m venv "$TOOLS" || die "a Python environment cannot be made." "Run: make setup"
# Only wheels: installing then runs nobody's code.
"$TOOLS/bin/python" -m pip install --disable-pip-version-check -q --only-binary :all: --no-deps -r "$WANTED" >"$LOG" 2>&1 || {
    tail -n 30 "$LOG" >&2
    die "pip failed (see above)." \
        "pip must reach a package index; its settings (pip config, PIP_INDEX_URL, proxies) are followed."
}
"$TOOLS/bin/python" -m pip check >"$LOG" 2>&1 || { cat "$LOG" >&2; die "Tests/System/requirements.txt lacks something."; }
printf '%s\n' "$STAMP" >"$TOOLS/stamp"
