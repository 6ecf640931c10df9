#!/usr/bin/env bash
# Removes what builds leave behind. Data folders of a server are never touched,
# and what the fuzzers have learnt and found stays, as do the models of face login.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

for folder in "$ROOT/.build" "$ROOT/Server/.build" "$ROOT"/Examples/*/.build "$ROOT/.build-wasm" \
    "$ROOT/.build-standins" "$ROOT/.build-ios" "$ROOT/.build-npm" "$ROOT/.build-xcframeworks" \
    "$ROOT"/.build-fuzz/{crypto,modules,bin}; do
    [ -d "$folder" ] || continue
    say "removing ${folder#"$ROOT"/}"
    rm -rf "$folder"
done
