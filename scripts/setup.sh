#!/usr/bin/env bash
# Makes a Debian 12 machine ready: checks Swift, and installs the missing Debian packages for a purpose.
# Run it as often as you like; with nothing to do it takes well under a second.
#
#   setup.sh [--quiet] [--without-face] [--for demo | test | proof | bench]
#
#   --for    what the machine is for: `demo` builds and runs the program, `test` is for make test, `proof` for make
#            proof, and `bench` for make bench. Each includes the one before; without --for it is `bench`, which is
#            everything
#   --quiet  prints nothing if nothing is missing
#   --without-face  leaves out what only face login needs
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

NEEDED_SWIFT="6.3"
DEMO_PACKAGES=(
    libcurl4-openssl-dev libsqlite3-dev libpq-dev pkg-config make # to build
    libphonenumber-dev g++                                        # to build the gateway, which reads numbers, in C++
    libp11-kit-dev                                                # to build with a key in an HSM
)
FACE_PACKAGES=(libopencv-dnn-dev libopencv-imgproc-dev libjpeg62-turbo-dev libpng-dev) # to build face login
TEST_PACKAGES=(
    freeradius-utils openssl curl prometheus                      # other people's programs; no service is started
    python3 python3-venv gcc libc6-dev softhsm2                   # to run tests, and what they put under the program
    postgresql                                                    # to test the store; no server of it is started
    chromium chromium-driver fonts-noto-cjk                       # to log in on a web page as its visitor
    binutils elfutils                                             # to see what a program is linked to, and where it
                                                                  # hangs
)
PROOF_PACKAGES=(
    freeradius tshark radsecproxy kannel                          # to test beside; none is started by itself
    apache2 libapache2-mod-auth-openidc                           # to log in at a web page's server
    iproute2 nftables                                             # to build the lab's network
    patroni etcd-server python3-idna haproxy keepalived           # to test fail-over, and load balancers before nodes
    python3-cryptography strace mount                             # to test what survives kills, faults and clocks
    php-cli golang-go nodejs openjdk-17-jdk-headless              # to ask as an app's server does
    node-typescript                                               # to compile a page that uses the types of benji.js
    golang-github-coreos-go-oidc-dev                              # to log in as a web page's server that is written
                                                                  # in Go
    valgrind                                                      # to count the instructions of a request
    dpkg-dev patchelf buildah ca-certificates                     # to make the Debian package and the container image
    lintian systemd man-db python3-seccomp adduser                # to test package and unit
    stress-ng                                                     # to shake tests with load
)
BENCH_PACKAGES=(
    nginx-light wrk redis-server libnginx-mod-http-lua            # to measure beside
    lua-nginx-redis lua-cjson freeradius-postgresql glewlwyd      # the same work as ours; no server is started
)

QUIET=
WITH_FACE=1
PURPOSE=bench
while [ "$#" -gt 0 ]; do
    case "$1" in
    --quiet) QUIET=1 ;;
    --without-face) WITH_FACE= ;;
    --for) PURPOSE="${2:-}" && shift ;;
    *) die "usage: setup.sh [--quiet] [--without-face] [--for demo | test | proof | bench]" ;;
    esac
    shift
done
PACKAGES=("${DEMO_PACKAGES[@]}")
[ -z "$WITH_FACE" ] || PACKAGES+=("${FACE_PACKAGES[@]}")
case "$PURPOSE" in
demo) ;;
test) PACKAGES+=("${TEST_PACKAGES[@]}") ;;
proof) PACKAGES+=("${TEST_PACKAGES[@]}" "${PROOF_PACKAGES[@]}") ;;
bench) PACKAGES+=("${TEST_PACKAGES[@]}" "${PROOF_PACKAGES[@]}" "${BENCH_PACKAGES[@]}") ;;
*) die "setup.sh --for takes demo, test, proof or bench, not: $PURPOSE" ;;
esac

check_swift() {
    local line version
    command -v swift >/dev/null || die "swift is not on the PATH; Benji needs Swift $NEEDED_SWIFT or newer." \
        "Debian 12 builds are at https://www.swift.org/install/linux/" \
        "Unpack one, then: export PATH=/path/to/swift/usr/bin:\$PATH"
    line="$(swift --version 2>/dev/null | grep -m1 -E 'Swift version [0-9]+\.[0-9]+' || true)"
    version="$(sed -nE 's/.*Swift version ([0-9]+\.[0-9]+(\.[0-9]+)?).*/\1/p' <<<"$line")"
    [ -n "$version" ] || die "'swift --version' did not name a version; it said: ${line:-nothing}"
    if [ "$(printf '%s\n' "$NEEDED_SWIFT" "$version" | sort -V | head -n1)" != "$NEEDED_SWIFT" ]; then
        die "Swift $version is too old; Benji needs $NEEDED_SWIFT or newer." "See https://www.swift.org/install/linux/"
    fi
}

missing_packages() {
    local package
    local -A installed=()
    # Asked once for all of them, because each question reads all that dpkg knows.
    while read -r package; do
        installed["$package"]=1
    done < <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${PACKAGES[@]}" 2>/dev/null |
        sed -n 's/^installed //p')
    for package in "${PACKAGES[@]}"; do
        [ -n "${installed["$package"]:-}" ] || printf '%s\n' "$package"
    done
}

# Debian starts a service as soon as it is installed, unless this file says no. It is put back as it was.
POLICY=/usr/sbin/policy-rc.d
KEPT_POLICY=/usr/sbin/policy-rc.d.before-benji

forbid_services() {
    if [ -e "$POLICY" ] && [ ! -e "$KEPT_POLICY" ]; then "${AS_ROOT[@]}" mv "$POLICY" "$KEPT_POLICY"; fi
    printf '#!/bin/sh\nexit 101\n' | "${AS_ROOT[@]}" tee "$POLICY" >/dev/null
    "${AS_ROOT[@]}" chmod 755 "$POLICY"
}

allow_services_again() {
    "${AS_ROOT[@]}" rm -f "$POLICY"
    if [ -e "$KEPT_POLICY" ]; then "${AS_ROOT[@]}" mv "$KEPT_POLICY" "$POLICY"; fi
}

install_packages() {
    LOG="$(mktemp)"
    trap 'allow_services_again; rm -f "$LOG"' EXIT
    trap 'exit 130' INT TERM
    forbid_services
    say "updating the package lists"
    "${AS_ROOT[@]}" apt-get update -qq >"$LOG" 2>&1 || { cat "$LOG" >&2; die "apt-get update failed (see above)"; }
    # The capture tool asks whether other users may capture; no.
    if [[ " $* " == *" tshark "* ]]; then
        echo "wireshark-common wireshark-common/install-setuid boolean false" |
            "${AS_ROOT[@]}" debconf-set-selections 2>>"$LOG" || true
    fi
    say "installing $# packages: $*"
    "${AS_ROOT[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" \
        >"$LOG" 2>&1 || { cat "$LOG" >&2; die "apt-get install failed (see above)"; }
    # Tests and benchmarks run FreeRADIUS and the benchmarks' peers on their own ports; Prometheus is here for its
    # promtool. None of them may start with the machine.
    local service
    for service in freeradius radsecproxy prometheus redis-server postgresql glewlwyd etcd patroni haproxy keepalived \
        kannel; do
        if [[ " $* " == *" $service "* ]] && [ -d /run/systemd/system ]; then
            "${AS_ROOT[@]}" systemctl disable "$service" >/dev/null 2>&1 || true
        fi
    done
}

check_swift
# Some tests listen on this name; without it they would wait for ever.
getent hosts localhost >/dev/null || die "this machine does not know the name localhost." \
    "Add it with: echo '127.0.0.1 localhost' >> /etc/hosts"

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    [ "${BENJI_SKIP_APT:-}" = 1 ] && exit 0
    die "this is not Debian, so packages cannot be installed for you." \
        "Install the equivalents of: ${PACKAGES[*]}" "then set BENJI_SKIP_APT=1 and run the command again."
fi

mapfile -t MISSING < <(missing_packages)
if [ "${#MISSING[@]}" -eq 0 ]; then
    [ -n "$QUIET" ] || say "setup: Swift and all Debian packages are here, nothing to do"
    exit 0
fi

AS_ROOT=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "these Debian packages are missing: ${MISSING[*]}" \
        "There is no sudo here. As root, run: apt-get install ${MISSING[*]}"
    AS_ROOT=(sudo)
    say "setup: sudo is used to install Debian packages"
fi
install_packages "${MISSING[@]}"
say "setup: done, no service was started"
