#!/usr/bin/env bash
# Makes a container image of the service, .build/packages/benji_VERSION_ARCHITECTURE.oci.tar: the program, the libraries
# that it links, and certificates. It is an OCI archive, which podman load, skopeo and docker load take.
#
#   image.sh [--debug | --package FILE] [--uncompressed] [--into FOLDER]
#
#   --debug         the image of the debug build, uncompressed, in .build/packages/debug
#   --package FILE  of a package that deb.sh has made
#   --uncompressed  quick to make, for tests
#   --into FOLDER   writes the image there
#
# It asks no registry: libraries come from this machine's Debian packages.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

usage() { die "usage: image.sh [--debug | --package FILE] [--uncompressed] [--into FOLDER]"; }
MODE=()
PACKAGE=
INTO=
COMPRESSION=()
while [ "$#" -gt 0 ]; do
    case "$1" in
    --debug) MODE=(--debug) COMPRESSION=(--disable-compression) ;;
    --uncompressed) COMPRESSION=(--disable-compression) ;;
    --package) PACKAGE="${2:-}" && [ -n "$PACKAGE" ] || usage; shift ;;
    --into) INTO="${2:-}" && [ -n "$INTO" ] || usage; shift ;;
    *) usage ;;
    esac
    shift
done
if [ -n "$PACKAGE" ] && [ "${#MODE[@]}" -gt 0 ]; then usage; fi
INTO="${INTO:-$ROOT/.build/packages$([ "${#COMPRESSION[@]}" -eq 0 ] || echo /debug)}"
command -v buildah >/dev/null || die "buildah is missing." "Run: make setup"
CERTIFICATES=/etc/ssl/certs/ca-certificates.crt
[ -s "$CERTIFICATES" ] || die "$CERTIFICATES is missing." "Run: apt-get install ca-certificates"

WORK="$(mktemp -d)"
STORE=(buildah --root "$WORK/storage" --runroot "$WORK/run" --storage-driver vfs)
trap 'rm -rf "$WORK"' EXIT
if [ -z "$PACKAGE" ]; then
    "$ROOT/scripts/deb.sh" "${MODE[@]}" --into "$WORK"
    PACKAGE="$(echo "$WORK"/benji_*.deb)"
fi
[ -f "$PACKAGE" ] || die "$PACKAGE is not there." "Make it with: make deb"
VERSION="$(dpkg-deb -f "$PACKAGE" Version)"
SOURCE_DATE_EPOCH="$(git -C "$ROOT" log -1 --format=%ct 2>/dev/null || stat -c %Y "$ROOT/CHANGELOG.md")"

# The package without what only a Debian system uses.
STAGE="$WORK/stage"
dpkg-deb -x "$PACKAGE" "$STAGE"
rm -rf "$STAGE/lib" "$STAGE"/usr/share/{man,bash-completion,zsh,fish,lintian}
mkdir -p "$STAGE"/usr/{lib,lib64} "$STAGE"/{etc/ssl/certs,etc/benji,var/lib,proc,sys,dev,run}
install -d -m 1777 "$STAGE/tmp"
ln -s usr/lib "$STAGE/lib"
ln -s usr/lib64 "$STAGE/lib64"

# Debian's libraries, each with the copyright file of its package.
mapfile -t LIBRARIES < <(LD_LIBRARY_PATH="$STAGE/usr/lib/benji" ldd "$STAGE/usr/bin/benji" |
    awk '$2 == "=>" { print $3 } $1 ~ /^\// { print $1 }' | sort -u)
for library in "${LIBRARIES[@]}"; do
    case "$library" in
    "$STAGE"/*) continue ;;
    not) die "a library of $STAGE/usr/bin/benji is not on this machine." "Look with: ldd" ;;
    esac
    place="${library#/usr}"
    # This machine's /lib may be a folder or a link to /usr/lib; the image's is a link.
    install -D -m 755 "$library" "$STAGE/usr/${place#/}"
    owner="$( (dpkg-query -S "$library" || dpkg-query -S "/usr$library" ||
        dpkg-query -S "$(readlink -f "$library")") 2>/dev/null | head -n1 | cut -d: -f1)"
    if [ -n "$owner" ] && [ -f "/usr/share/doc/$owner/copyright" ]; then
        install -D -m 644 "/usr/share/doc/$owner/copyright" "$STAGE/usr/share/doc/$owner/copyright"
    fi
done

install -m 644 "$CERTIFICATES" "$STAGE/etc/ssl/certs/"
printf 'root:x:0:0::/:/sbin/nologin\nnonroot:x:65532:65532::/var/lib/benji:/sbin/nologin\n' >"$STAGE/etc/passwd"
printf 'root:x:0:\nnonroot:x:65532:\n' >"$STAGE/etc/group"
printf 'hosts: files dns\n' >"$STAGE/etc/nsswitch.conf"
install -d -m 700 "$WORK/data/benji"

say "putting the image together"
IMAGE="$("${STORE[@]}" from scratch)"
"${STORE[@]}" copy -q --chown 0:0 "$IMAGE" "$STAGE" / >/dev/null
"${STORE[@]}" copy -q --chown 65532:65532 "$IMAGE" "$WORK/data" /var/lib >/dev/null
# Ports are those of the example. OCI images carry no health check; an orchestrator asks /health/ready
# (docs/operations/install.md).
"${STORE[@]}" config --entrypoint '["/usr/bin/benji"]' --cmd 'serve -c /etc/benji/benji.yaml' --user 65532:65532 \
    --workingdir /var/lib/benji --volume /var/lib/benji --env PATH=/usr/bin --env BENJI_DATA=/var/lib/benji \
    --port 8080/tcp --port 8081/tcp --port 8082/tcp --port 8083/tcp --port 1813/udp --stop-signal SIGTERM \
    --label "org.opencontainers.image.title=benji" --label "org.opencontainers.image.version=$VERSION" \
    --label "org.opencontainers.image.licenses=Apache-2.0" "$IMAGE"
mkdir -p "$INTO"
ARCHIVE="$INTO/$(basename "$PACKAGE" .deb).oci.tar"
rm -f "$ARCHIVE"
"${STORE[@]}" commit -q --format oci --timestamp "$SOURCE_DATE_EPOCH" ${COMPRESSION[@]+"${COMPRESSION[@]}"} \
    "$IMAGE" "oci-archive:$ARCHIVE:benji:$VERSION" >/dev/null
say "made $ARCHIVE"
