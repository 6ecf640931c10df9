#!/usr/bin/env bash
# Builds `benji` and starts the sandbox: virtual phones, a packet core, a gateway, the authority and the console.
# Arguments go to `benji demo`, for example --once, which runs one login and ends.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

"$ROOT/scripts/build.sh" debug benji
exec "$ROOT/Server/.build/debug/benji" demo "$@"
