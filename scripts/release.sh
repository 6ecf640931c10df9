#!/usr/bin/env bash
# Makes all files of a release, in .build/release/VERSION. These are the Debian package, the container image, benji.js
# as an npm package, the bill of materials (CycloneDX), the notes, and SHA256SUMS. It publishes and tags nothing.
#
#   release.sh               from a release build
#   release.sh --debug       from the debug build, in .build/release/debug: quick to make, slow to run
#   release.sh --program F   of a program that is built already, for tests; this and --debug leave compression out
#   release.sh --into DIR    writes there
#
# The same sources on the same system give the same files. A tree with changes that are not committed is refused, but
# for tests.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

usage() { die "usage: release.sh [--debug | --program FILE] [--into FOLDER]"; }
PACKAGE=()
PLAIN=()
INTO=
while [ "$#" -gt 0 ]; do
    case "$1" in
    --debug) PACKAGE=(--debug) PLAIN=(--uncompressed) ;;
    --program) [ -n "${2:-}" ] || usage; PACKAGE=(--program "$2") PLAIN=(--uncompressed); shift ;;
    --into) INTO="${2:-}" && [ -n "$INTO" ] || usage; shift ;;
    *) usage ;;
    esac
    shift
done
if [ -z "${PACKAGE[*]:-}" ] && [ -n "$(git -C "$ROOT" status --porcelain)" ]; then
    die "There are changes that are not committed, so nobody could make this release again." "Look with: git status"
fi
SOURCE_DATE_EPOCH="$(git -C "$ROOT" log -1 --format=%ct)"
export SOURCE_DATE_EPOCH

WORK="$(mktemp -d)"
trap 'rm -rf "$WORK"' EXIT
"$ROOT/scripts/deb.sh" ${PACKAGE[@]+"${PACKAGE[@]}"} --into "$WORK/out"
DEB="$(echo "$WORK"/out/benji_*.deb)"
VERSION="$(dpkg-deb -f "$DEB" Version)"
if [ -z "$INTO" ]; then INTO="$ROOT/.build/release/$([ -z "${PACKAGE[*]:-}" ] && echo "$VERSION" || echo debug)"; fi

# The notes are the changelog's section of this version.
awk -v version="$VERSION" '/^## \[/ { found = index($0, "## [" version "]") == 1; next } found' \
    "$ROOT/CHANGELOG.md" >"$WORK/out/benji_${VERSION}_notes.md"
[ -s "$WORK/out/benji_${VERSION}_notes.md" ] ||
    die "CHANGELOG.md has no section $VERSION." "Write it: ## [$VERSION] - $(date -u +%F)"

"$ROOT/scripts/image.sh" --package "$DEB" ${PLAIN[@]+"${PLAIN[@]}"} --into "$WORK/out"
python3 -B "$ROOT/scripts/lib/pack-npm.py" "$WORK/npm"
cp "$WORK"/npm/*.tgz "$WORK/out/"
"$ROOT/scripts/system-tests.sh" --tools
"${BENJI_TOOLS:-$ROOT/.tools}/bin/python" -B "$ROOT/scripts/lib/make-sbom.py" "$DEB" "$WORK/out/benji_$VERSION.cdx.json"
(cd "$WORK/out" && LC_ALL=C sha256sum -- * >SHA256SUMS)

rm -rf "$INTO"
mkdir -p "$(dirname "$INTO")"
mv "$WORK/out" "$INTO"
say "made in $INTO:"
(cd "$INTO" && du -h -- * | sed 's/^/    /')
