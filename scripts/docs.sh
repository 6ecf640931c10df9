#!/usr/bin/env bash
# Builds the documentation as a site in .build-docs/site, by MkDocs and its theme Material (mkdocs.yml). It has the
# documents of docs/, a page for each result code, the interfaces for programs, and the SDK's modules by DocC. A warning
# of either, such as a broken link, is an error. Any web server can serve the folder, at any address. All pages but
# those of the SDK's modules can also be opened from it.
#
#   docs.sh                 all of it
#   docs.sh --without-api   without the SDK's modules, which need Linux on x86-64 and, the first time, some minutes
#
# DocC is the toolchain's own; what else is needed of PyPI is what the system tests have (scripts/system-tests.sh
# --tools).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

PLACE="$ROOT/.build-docs"
TOOLS="${BENJI_TOOLS:-$ROOT/.tools}"
DOCC=
case "${1:-}" in
"") ;;
--without-api) ;;
*) die "usage: docs.sh [--without-api]" ;;
esac

"$ROOT/scripts/system-tests.sh" --tools
if [ "${1:-}" != --without-api ]; then
    command -v docc >/dev/null || die "docc is not on the PATH; it comes with the toolchain of Swift."
    say "symbol graphs of the SDK, as iOS sees it"
    rm -rf "$PLACE/graphs" "$PLACE/Benji.docc" "$PLACE/api"
    mkdir -p "$PLACE/Benji.docc"
    python3 -B "$ROOT/scripts/ios/symbols.py" "$PLACE/graphs"
    # One conversion of all, because DocC resolves links between modules only in one.
    cp -R "$ROOT"/docs/Apps.docc/. "$PLACE/Benji.docc"
    cp "$ROOT/docs/images/openid/login.png" "$PLACE/Benji.docc/Resources/"
    for catalogue in "$ROOT"/Sources/*/*.docc; do
        cp -R "$catalogue" "$PLACE/Benji.docc/$(basename "$catalogue" .docc)"
    done
    say "DocC"
    # Comments speak of a parameter where there is something to say of it, so not of all.
    docc convert "$PLACE/Benji.docc" --additional-symbol-graph-dir "$PLACE/graphs" --output-dir "$PLACE/api" \
        --fallback-display-name Benji --fallback-bundle-identifier dev.benji --hosting-base-path THE-SITE/api \
        --disable-parameters-and-returns-validation --warnings-as-errors
    DOCC="$PLACE/api"
fi
say "the site"
# Without --quiet, with which MkDocs counts no warnings.
NO_MKDOCS_2_WARNING=1 BENJI_DOCC="$DOCC" "$TOOLS/bin/python" -B -m mkdocs build --config-file "$ROOT/mkdocs.yml" \
    --site-dir "$PLACE/site"
say "open $PLACE/site/index.html, or serve the folder: python3 -m http.server --bind 127.0.0.1 -d $PLACE/site"
