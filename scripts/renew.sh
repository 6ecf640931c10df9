#!/usr/bin/env bash
# Writes every generated page and table of figures again. Look at the difference before you commit it.
#
#   renew.sh          the pages that need no built program
#   renew.sh --all    also the sizes of an app, the rows that calls leave, the admin interface's document, the
#                     instructions of a request and the golden pictures of pages
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

LIB="$ROOT/scripts/lib"
case "${1:-}" in "" | --all) ;; *) die "usage: renew.sh [--all]" ;; esac
say "docs/generated/arrows.md"
python3 -B "$LIB/check-imports.py" --write
say "docs/generated/compatibility.md and compatibility-codes.md"
python3 -B "$LIB/compatibility-report.py"
python3 -B "$LIB/compatibility-codes.py"
say "scripts/lib/english-ceilings.json"
python3 -B "$LIB/check-english.py" --lower
say "Specs, and the images of resource bundles"
python3 -B "$LIB/podspecs.py" --write
python3 -B "$LIB/make-resource-images.py"
if [ "${1:-}" = --all ]; then
    say "docs/app-size.md"
    python3 -B "$LIB/check-app-contents.py" --write
    say "docs/generated/row-budget.md"
    BENJI_ROW_BUDGET=write swift test --package-path "$ROOT/Server" "${DEBUG_BUILD[@]}" --no-parallel \
        --filter '\.\w*RowBudgetTests\b'
    say "docs/openapi/admin.yaml"
    BENJI_RENEW=write swift test --package-path "$ROOT/Server" "${DEBUG_BUILD[@]}" \
        --filter '\.AdministrationDocumentTests\b'
    say "Server/Benchmarks/RequestCosts/instructions.tsv"
    "$ROOT/scripts/setup.sh" --quiet --for bench
    BENJI_BENCHMARKS=1 python3 "$LIB/build-progress.py" "building RequestCosts" -- \
        swift build --product RequestCosts --package-path "$ROOT/Server" "${DEBUG_BUILD[@]}"
    python3 -B "$LIB/request_costs.py" --write
    say "Tests/System/golden"
    "$ROOT/scripts/system-tests.sh" --here test_page_chromium.py --record
fi
git -C "$ROOT" status --short
