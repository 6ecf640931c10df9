#!/usr/bin/env bash
# Fails when a Swift file is not laid out as .swift-format says. `make format` repairs what can be repaired.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

say "lint: swift format"
swift_files | xargs -0 swift format lint --strict --parallel --configuration "$ROOT/.swift-format"
