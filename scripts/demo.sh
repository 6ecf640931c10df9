#!/usr/bin/env bash
# Builds `benji` and starts the sandbox: virtual phones, a packet core, a gateway and the authority.
# Then it serves the sandbox's page and prints its address (docs/sandbox.md).
# Arguments go to `benji demo`, for example --once, which ends after the logins, --sandbox-only,
# which begins with the page, or --face, for which the models of face login are fetched first.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

case " $* " in *" --face "*) "$ROOT/scripts/face-models.sh" ;; esac
"$ROOT/scripts/build.sh" debug benji
exec "$ROOT/Server/.build/debug/benji" demo "$@"
