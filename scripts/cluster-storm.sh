#!/usr/bin/env bash
# Kills, pauses or cuts off one part of a cluster after the other, while phones log in: gateways of a pair, nodes of their authority,
# HAProxy, nodes of PostgreSQL under Patroni. Looks for a token that is won twice, for answers that are lost and for addresses with an
# earlier holder, and tells how long logins stop. A round takes a quarter of a minute on average. Arguments go to pytest; `--report FILE`
# writes what was found.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

[ -n "${BENJI_BINARY:-}" ] || "$ROOT/scripts/build.sh" debug benji
exec "$ROOT/scripts/system-tests.sh" --here test_cluster.py "$@"
