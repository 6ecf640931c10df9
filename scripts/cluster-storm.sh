#!/usr/bin/env bash
# Kills, pauses or cuts off one part of a cluster after the other, while phones log in. The parts are gateways of a
# pair, nodes of their authority, HAProxy, and nodes of PostgreSQL under Patroni. Looks for tokens that are won twice,
# lost answers and addresses with an earlier holder, and reports how long logins stop. A round takes a quarter of a
# minute on average. Arguments go to pytest; `--report FILE` writes a report.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

[ -n "${BENJI_BINARY:-}" ] || "$ROOT/scripts/build.sh" debug benji
exec "$ROOT/scripts/system-tests.sh" --here test_cluster.py "$@"
