#!/usr/bin/env bash
# Lays every Swift file out as .swift-format says, in place.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

say "format: swift format, in place"
swift_files | xargs -0 swift format format --in-place --parallel --configuration "$ROOT/.swift-format"
