#!/usr/bin/env bash
# Checks everything that needs no built program. All checks run, one on each core, so that one run shows every fault.
#
#   check.sh             all checks; a generated page that is out of date is a fault
#   check.sh --static    the checks that compile nothing, as `make test` runs them; such a page is a warning
#   check.sh --compiled  the checks that compile something, and those of packages
#   check.sh --figures   the static checks and the size of an app; such a page is a fault
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# A title and the programs of scripts/lib that check it; a program that prints its own title has none here. Most first
# prove that they find planted faults (--self-test). The slowest come first.
STATIC=(
    "|../lint.sh"
    "imports: each target imports what its manifest declares, and declares what it imports|\
        check-imports.py --self-test|check-imports.py"
    "threat model, related entry points, promises and CAMARA's scenarios: every test that they name exists|\
        check-threat-model.py --self-test|check-threat-model.py"
    "resource bundles: every picture is the one that the script draws|make-resource-images.py --check"
    "podspecs: CocoaPods and XCFrameworks bring an app what the manifest brings it|\
        podspecs.py --self-test|podspecs.py|../ios/frameworks.py --check"
    "compatibility: a test calls every symbol that the documents promise|\
        compatibility-report.py --self-test|compatibility-report.py --check"
    "codes: a test reaches every code that Benji answers|\
        compatibility-codes.py --self-test|compatibility-codes.py --check"
    "manual page: nothing is read as a macro, and nothing is left out|make-man.py --self-test"
    "benchmarks: their report agrees with the measurements|bench_report.py --self-test"
    "samples: every code sample of the documents is compiled or run, or has a reason|\
        check-snippets.py --self-test|check-snippets.py"
    "documents: every path and link leads somewhere; each target states its purpose|\
        check-paths.py --self-test|check-paths.py"
    "memory: the table lists everything that a process keeps between requests|\
        check-kept-state.py --self-test|check-kept-state.py"
    "vendors: no vendor's name outside of the vendor's folders|check-vendor-names.py --self-test|check-vendor-names.py"
    "English: comments and documents are as plain as they were|check-english.py --self-test|check-english.py --ceilings"
    "gate: no test of make test judges time or sleeps|check-gate.py --self-test|check-gate.py"
    "proof: parts, resumption, flaky tests and the quarantine work as described|proof.py --self-test"
)
COMPILED=(
    "app: what an app that adds Benji ships|check-app-contents.py --self-test|check-app-contents.py"
    "|check-ios.sh --with-self-test"
    "|check-embedded.sh --self-test|check-embedded.sh"
    "|check-app-resolve.sh"
    "bill of materials: a service is built from the listed versions only|\
        check-bill-of-materials.py --self-test|check-bill-of-materials.py"
    "npm package: the types of benji.js describe its exports|pack-npm.py --self-test|pack-npm.py"
)

# One check: runs its programs and shows their output when all are done. Status 3 means that only a generated page is
# stale.
if [ "${1:-}" = --one ]; then
    IFS='|' read -ra WORDS <<<"$2"
    SAID="$(mktemp)"
    trap 'rm -f "$SAID"' EXIT
    STATUS=0
    [ -z "${WORDS[0]}" ] || say "${WORDS[0]}" >"$SAID"
    for program in "${WORDS[@]:1}"; do
        read -ra COMMAND <<<"$program"
        COMMAND[0]="$ROOT/scripts/lib/${COMMAND[0]}"
        case "${COMMAND[0]}" in *.py) COMMAND=(python3 -B "${COMMAND[@]}") ;; esac
        EACH=0
        "${COMMAND[@]}" >>"$SAID" 2>&1 || EACH=$?
        [ "$EACH" -eq 0 ] || { [ "$EACH" -eq 3 ] && [ -n "${BENJI_STALE_WARNS:-}" ]; } || STATUS=1
    done
    cat "$SAID"
    exit "$STATUS"
fi

case "${1:-}" in
"") CHECKS=("${COMPILED[@]}" "${STATIC[@]}") ;;
--static) CHECKS=("${STATIC[@]}") && export BENJI_STALE_WARNS=1 ;;
--figures) CHECKS=("${STATIC[@]}" "${COMPILED[0]}") ;;
--compiled) CHECKS=("${COMPILED[@]}") ;;
*) die "usage: check.sh [--static | --compiled | --figures]" ;;
esac
printf '%s\0' "${CHECKS[@]}" | xargs -0 -n 1 -P "$(nproc)" "${BASH_SOURCE[0]}" --one || exit 1
