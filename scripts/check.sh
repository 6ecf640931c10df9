#!/usr/bin/env bash
# Everything that can be checked without building all: layout, imports against the manifests, what an app resolves and ships, that
# the page stays portable, that what phones run compiles for phones, and that the threat model speaks of tests that exist.
# All of them run, so that one visit shows everything.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

STATUS=0
"$ROOT/scripts/lint.sh" || STATUS=1
say "imports: each target imports what its manifest declares, and declares what it imports"
python3 "$ROOT/scripts/lib/check-imports.py" --self-test || STATUS=1
python3 "$ROOT/scripts/lib/check-imports.py" || STATUS=1
say "documents: every path that they name is there"
python3 -B "$ROOT/scripts/lib/check-paths.py" --self-test || STATUS=1
python3 -B "$ROOT/scripts/lib/check-paths.py" || STATUS=1
say "threat model: every test that it quotes exists, every weakness that the lab asserts is told"
python3 "$ROOT/scripts/lib/check-threat-model.py" --self-test || STATUS=1
python3 "$ROOT/scripts/lib/check-threat-model.py" || STATUS=1
say "compatibility: what the documents promise is called by a test, and the page says by which"
"$ROOT/scripts/lib/compatibility-report.py" --self-test || STATUS=1
"$ROOT/scripts/lib/compatibility-report.py" --check || STATUS=1
say "codes: every code that Benji answers is reached by a test, and the page of codes says so"
python3 "$ROOT/scripts/lib/compatibility-codes.py" --self-test || STATUS=1
python3 "$ROOT/scripts/lib/compatibility-codes.py" --check || STATUS=1
say "resource bundles: every picture is the one that the script draws"
python3 -B "$ROOT/scripts/lib/make-resource-images.py" --check || STATUS=1
python3 -B "$ROOT/scripts/lib/bench_report.py" --self-test || STATUS=1
say "bill of materials: a service is built from the versions that are listed, and from nothing else"
python3 -B "$ROOT/scripts/lib/check-bill-of-materials.py" --self-test || STATUS=1
python3 -B "$ROOT/scripts/lib/check-bill-of-materials.py" || STATUS=1
"$ROOT/scripts/lib/check-app-resolve.sh" || STATUS=1
say "vendors: no name of one outside of its rooms"
python3 -B "$ROOT/scripts/lib/check-vendor-names.py" --self-test || STATUS=1
python3 -B "$ROOT/scripts/lib/check-vendor-names.py" || STATUS=1
say "app: what an app that adds Benji ships"
"$ROOT/scripts/lib/check-app-contents.py" --self-test || STATUS=1
"$ROOT/scripts/lib/check-app-contents.py" || STATUS=1
"$ROOT/scripts/lib/check-embedded.sh" --self-test || STATUS=1
"$ROOT/scripts/lib/check-embedded.sh" || STATUS=1
"$ROOT/scripts/lib/check-ios.sh" --with-self-test || STATUS=1
exit "$STATUS"
