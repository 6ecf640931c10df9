#!/usr/bin/env bash
# Makes XCFrameworks of the SDK, for apps that add neither the package nor the pods. It needs a Mac with Xcode 26 or
# later and has not run on one: `make check` checks the project that it builds, not Xcode's result.
#
#   xcframeworks.sh [--dry-run] [PRODUCT...]     Benji if none is named; the others are those that have a pod
#
# Each module is an XCFramework of its own in .build-xcframeworks, for phones and simulators; an app embeds all of them.
# They fit the version of Swift that made them (-allow-internal-distribution): make them again with each Xcode.
# --dry-run prints the commands for Xcode, also where there is none.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

DRY_RUN=
PRODUCTS=()
for word in "$@"; do
    case "$word" in
    --dry-run) DRY_RUN=1 ;;
    -*) die "usage: xcframeworks.sh [--dry-run] [PRODUCT...]" ;;
    *) PRODUCTS+=("$word") ;;
    esac
done
[ ${#PRODUCTS[@]} -gt 0 ] || PRODUCTS=(Benji)

if [ -z "$DRY_RUN" ]; then
    [ "$(uname -s)" = Darwin ] || die "XCFrameworks are made on a Mac; --dry-run prints what would be done"
    command -v xcodebuild >/dev/null ||
        die "xcodebuild is not there: install Xcode, and name it with xcode-select --switch"
fi

run() {
    if [ -n "$DRY_RUN" ]; then
        printf '%q ' "$@"
        echo
    else
        "$@"
    fi
}

OUT="$ROOT/.build-xcframeworks"
# Bash 3 of macOS has no mapfile.
MODULES="$(python3 -B "$ROOT/scripts/ios/frameworks.py" "$OUT" "${PRODUCTS[@]}")"
for sdk in iphoneos iphonesimulator; do
    run xcodebuild build -project "$OUT/Frameworks.xcodeproj" -alltargets -configuration Release -sdk "$sdk" \
        "SYMROOT=$OUT/products" "OBJROOT=$OUT/objects"
done
for module in $MODULES; do
    run rm -rf "$OUT/$module.xcframework"
    run xcodebuild -create-xcframework -allow-internal-distribution \
        -framework "$OUT/products/Release-iphoneos/$module.framework" \
        -framework "$OUT/products/Release-iphonesimulator/$module.framework" -output "$OUT/$module.xcframework"
done
