#!/usr/bin/env bash
# Builds everything for release, runs the benchmarks one after the other and reports what they found: a table with the
# spread of each figure, and a plot.
#
#   bench.sh [--only NAME,NAME] [--rounds N]   all of them, or those named: Accounting, Directory, Login, ...
#   bench.sh --write                           puts tables and plot into docs/performance.md and README.md too; only if
#                                              all ran
#   bench.sh --with FILE                       takes figures of other benchmarks from the earlier run in FILE, if the
#                                              product is the same
#   bench.sh --compare FILE                    runs, then says of each figure whether it agrees with the earlier run in
#                                              FILE
#   bench.sh --demo                            times `make demo` in a fresh clone too, which takes ten minutes
#   bench.sh --smoke                           tiny sizes: shows that everything works; the figures mean nothing
#
# Each run is kept in .build-bench. Leave the machine alone meanwhile; docs/performance.md says how to read the figures.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

case " $* " in *" --help "* | *" -h "*) sed -nE '2,/^set /{/^#/s/^# ?//p}' "${BASH_SOURCE[0]}" && exit 0 ;; esac
"$ROOT/scripts/setup.sh" --quiet --for bench
export BENJI_BENCHMARKS=1
"$ROOT/scripts/build.sh" release
exec python3 "$ROOT/scripts/lib/bench-run.py" "$@"
