#!/usr/bin/env bash
# Everything that can be checked without building: layout, imports against the manifests, what an app resolves, and that
# the page stays portable. All of them run, so that one visit shows everything.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

STATUS=0
"$ROOT/scripts/lint.sh" || STATUS=1
say "imports: each target imports what its manifest declares, and declares what it imports"
python3 "$ROOT/scripts/check-imports.py" --self-test || STATUS=1
python3 "$ROOT/scripts/check-imports.py" || STATUS=1
"$ROOT/scripts/check-app-resolve.sh" || STATUS=1
"$ROOT/scripts/check-embedded.sh" --self-test || STATUS=1
"$ROOT/scripts/check-embedded.sh" || STATUS=1
exit "$STATUS"
