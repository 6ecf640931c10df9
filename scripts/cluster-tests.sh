#!/usr/bin/env bash
# Runs the tests of journeys, vendors' interfaces, OpenID, CAMARA and face login on a cluster. Each part has a network
# namespace of its own: two gateways, two authority nodes, HAProxy, and three nodes of PostgreSQL under Patroni and
# etcd. Tests/System/support/suites.py says which tests, and why others stay with processes of their own. The last lines
# count. Arguments go to pytest: `cluster-tests.sh test_openid.py`. As root.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

if [ -z "${BENJI_BINARY:-}" ]; then
    "$ROOT/scripts/build.sh" debug
    # The programs that play an app's own code: the samples of the facades, plain and drawn.
    for place in .build .build-standins; do
        [ -x "$ROOT/$place/debug/FacadeSamples" ] ||
            die "$place/debug/FacadeSamples is missing, which test_facades.py and test_superid.py run." \
                "Build it with: $([ "$place" = .build ] && printf 'swift build --product FacadeSamples' ||
                    printf 'scripts/lib/test-standins.sh')"
    done
fi
exec "$ROOT/scripts/system-tests.sh" --here --on cluster "$@"
