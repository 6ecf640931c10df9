#!/usr/bin/env bash
# Builds `benji` and starts the sandbox: virtual phones, a packet core, a gateway and the authority. Then it serves the
# sandbox's page and prints its address (docs/sandbox.md). Arguments go to `benji demo`: --once ends after the logins,
# and --sandbox-only begins with the page. With --face the models of face login are fetched first. With --cluster the
# server is two nodes of an authority and a gateway over a PostgreSQL of their own, which is started and removed here.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

case " $* " in *" --face "*) "$ROOT/scripts/face-models.sh" ;; esac
[ -n "${BENJI_BINARY:-}" ] || "$ROOT/scripts/build.sh" debug benji
BENJI="${BENJI_BINARY:-$ROOT/Server/.build/debug/benji}"
case " $* " in *" --cluster "*) ;; *) exec "$BENJI" demo "$@" ;; esac

PLACE="$(mktemp -d "${TMPDIR:-/tmp}/benji-cluster.XXXXXX")"
POSTGRES=
finish() {
    [ -z "$POSTGRES" ] || { kill -INT "$POSTGRES" && wait "$POSTGRES"; } 2>/dev/null || true
    rm -rf "$PLACE"
}
trap finish EXIT

# shellcheck disable=SC2012 # folders of version numbers
BIN="$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)"
if [ -z "$BIN" ] || ! command -v openssl >/dev/null; then
    "$ROOT/scripts/setup.sh" --for test
    # shellcheck disable=SC2012
    BIN="$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)"
fi
# It refuses to run as root. Its folder is its own; the certificates are not.
AS=()
chmod 755 "$PLACE"
mkdir "$PLACE/socket"
if [ "$(id -u)" -eq 0 ]; then
    chown postgres: "$PLACE/socket"
    AS=(setpriv --reuid=postgres --regid=postgres --clear-groups)
fi
say "a PostgreSQL of the demo's own, in $PLACE"
"${AS[@]}" "$BIN/initdb" -D "$PLACE/socket/data" -A trust -U benji -E UTF8 --locale=C >"$PLACE/initdb.log" ||
    die "initdb: $(cat "$PLACE/initdb.log")"
# In a group of its own, because Ctrl-C in a terminal reaches all of this one's.
"${AS[@]}" setsid "$BIN/postgres" -D "$PLACE/socket/data" -k "$PLACE/socket" -c listen_addresses= \
    >"$PLACE/postgres.log" 2>&1 </dev/null &
POSTGRES=$!
for _ in $(seq 100); do
    "$BIN/createdb" -h "$PLACE/socket" -U benji benji 2>"$PLACE/createdb.log" && break
    kill -0 "$POSTGRES" 2>/dev/null || die "PostgreSQL ended: $(tail -n 5 "$PLACE/postgres.log")"
    sleep 0.2
done
[ ! -s "$PLACE/createdb.log" ] || die "createdb: $(cat "$PLACE/createdb.log")"
# As docs/operations/gateways.md makes them, with a life of days.
(
    cd "$PLACE"
    umask 077
    make_key() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 "$@" 2>>openssl.log; }
    make_key -subj "/CN=Benji link" -addext keyUsage=critical,keyCertSign,cRLSign -keyout link-ca.key -out link-ca.pem
    signed() { make_key -CA link-ca.pem -CAkey link-ca.key -addext basicConstraints=critical,CA:FALSE "$@"; }
    signed -subj "/CN=authority" -addext extendedKeyUsage=serverAuth -addext "subjectAltName=IP:127.0.0.1" \
        -keyout authority.key -out authority.pem
    signed -subj "/CN=gateway-1" -addext extendedKeyUsage=clientAuth -addext subjectAltName=DNS:gateway-1 \
        -keyout gateway-1.key -out gateway-1.pem
) || die "openssl: $(cat "$PLACE/openssl.log")"
WORDS=()
for word in "$@"; do [ "$word" = --cluster ] || WORDS+=("$word"); done
"$BENJI" demo --cluster "$PLACE" "${WORDS[@]}" &
DEMO=$!
# The demo ends first, PostgreSQL after it.
trap 'kill -INT "$DEMO" 2>/dev/null || true' INT TERM
STATUS=0
wait "$DEMO" || STATUS=$?
while kill -0 "$DEMO" 2>/dev/null; do
    STATUS=0
    wait "$DEMO" || STATUS=$?
done
exit "$STATUS"
