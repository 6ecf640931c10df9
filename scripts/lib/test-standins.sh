#!/usr/bin/env bash
# Builds the code for Apple's systems against the stand-ins of their frameworks in Verification/AppleStandIns, and runs its
# tests. A build folder of its own, because a stand-in that was built is seen by every target beside it.
# Arguments go to `swift test`: scripts/lib/test-standins.sh --filter PopupTests
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

export BENJI_APPLE_STANDINS=1
PLACE=(--package-path "$ROOT" --scratch-path "$ROOT/.build-standins")
python3 "$ROOT/scripts/lib/build-progress.py" "building the code for Apple's systems against stand-ins" -- \
    swift build --build-tests "${PLACE[@]}"
exec swift test --skip-build "${PLACE[@]}" "$@"
