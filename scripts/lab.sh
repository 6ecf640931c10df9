#!/usr/bin/env bash
# Builds `benji`, then a carrier's network from namespaces, and shows logins and attacks on it. Arguments go to pytest,
# for example --keep, which leaves the network standing until Ctrl-C.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

[ "$(id -u)" -eq 0 ] || die "the lab needs root, to make network namespaces." "Run: sudo make lab"
[ -n "${BENJI_BINARY:-}" ] || "$ROOT/scripts/build.sh" debug benji
exec "$ROOT/scripts/system-tests.sh" --here test_lab.py "$@"
