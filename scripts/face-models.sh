#!/usr/bin/env bash
# Fetches the models of face login, checks them by their hashes and converts them; scripts/face/fetch.py explains
# itself:
#
#   face-models.sh [--portraits] [--check]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

case " $* " in *" --help "* | *" -h "* | *" --check "*) ;; *) "$ROOT/scripts/setup.sh" --quiet --for test ;; esac
exec python3 -B "$ROOT/scripts/face/fetch.py" "$@"
