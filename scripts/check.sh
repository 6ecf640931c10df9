#!/usr/bin/env bash
# Everything that can be checked without building all: layout, imports against the manifests, what an app resolves and ships, that
# the page stays portable, that what phones run compiles for phones, and that the threat model speaks of tests that exist.
# All of them run, one on each core, so that one visit shows everything. What each says is shown when it is done.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# What is checked, and by which program of scripts/lib; a program that says itself what it checks has no sentence here. Most first
# prove that they refuse what must be refused (--self-test). Those that take longest come first.
CHECKS=(
    "app: what an app that adds Benji ships|check-app-contents.py --self-test|check-app-contents.py"
    "|check-ios.sh --with-self-test"
    "bill of materials: a service is built from the versions that are listed, and from nothing else|check-bill-of-materials.py --self-test|check-bill-of-materials.py"
    "|../lint.sh"
    "imports: each target imports what its manifest declares, and declares what it imports|check-imports.py --self-test|check-imports.py"
    "threat model and promises: every test that they quote exists, every weakness that the lab asserts is told; so does every test of a scenario of CAMARA's|check-threat-model.py --self-test|check-threat-model.py"
    "|check-embedded.sh --self-test|check-embedded.sh"
    "|check-app-resolve.sh"
    "npm package: the types of benji.js are of what it exports|pack-npm.py --self-test|pack-npm.py"
    "podspecs: CocoaPods and XCFrameworks bring an app what the manifest brings it|podspecs.py --self-test|podspecs.py|../ios/frameworks.py --check"
    "compatibility: what the documents promise is called by a test, and the page says by which|compatibility-report.py --self-test|compatibility-report.py --check"
    "codes: every code that Benji answers is reached by a test, and the page of codes says so|compatibility-codes.py --self-test|compatibility-codes.py --check"
    "resource bundles: every picture is the one that the script draws|make-resource-images.py --check"
    "manual page: nothing that the program says is read as a macro, and nothing is left out|make-man.py --self-test"
    "benchmarks: their report is written as they measured|bench_report.py --self-test"
    "samples: every code sample of the documents is compiled, run, or says why not|check-snippets.py --self-test|check-snippets.py"
    "documents: every path and link in them leads somewhere; and each target says what it is for|check-paths.py --self-test|check-paths.py"
    "memory: what a process keeps between requests is in the table of it|check-kept-state.py --self-test|check-kept-state.py"
    "vendors: no name of one outside of its rooms|check-vendor-names.py --self-test|check-vendor-names.py"
)

# One of them: runs its programs, and shows what they said when all are done.
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
        "${COMMAND[@]}" >>"$SAID" 2>&1 || STATUS=1
    done
    cat "$SAID"
    exit "$STATUS"
fi

printf '%s\0' "${CHECKS[@]}" | xargs -0 -n 1 -P "$(nproc)" "${BASH_SOURCE[0]}" --one || exit 1
