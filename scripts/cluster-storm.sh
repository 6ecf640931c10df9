#!/usr/bin/env bash
# Kills or pauses one part of a cluster after the other, while phones log in: a gateway, nodes of its authority, nodes of PostgreSQL
# under Patroni. Looks for a token that is won twice and for answers that are lost, and tells how long logins stop. A round takes half
# a minute on average. Arguments go to pytest; `--report FILE` writes what was found.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

[ -n "${BENJI_BINARY:-}" ] || "$ROOT/scripts/build.sh" debug benji
exec "$ROOT/scripts/system-tests.sh" --here test_cluster.py "$@"
