#!/usr/bin/env bash
# Builds the code for Apple's systems against the stand-ins of their frameworks in Verification/AppleStandIns, and runs
# its tests. Uses a build folder of its own, because every target in a folder sees a stand-in that was built there.
# Arguments go to `swift test`: scripts/lib/test-standins.sh --filter PopupTests. With --build-only no test runs.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# swift-crypto is the one of .build, as the root manifest says; with another one everything is built again.
BUILT="$ROOT/.build/debug"
if [ ! -f "$BUILT/Modules/Crypto.swiftmodule" ]; then
    python3 "$ROOT/scripts/lib/build-progress.py" "building swift-crypto" -- \
        swift build --package-path "$ROOT" --target Crypto "${DEBUG_BUILD[@]}"
fi
CRYPTO="$ROOT/.build-standins/crypto"
STAMP="$(cat "$BUILT"/Modules/Crypto{,BoringWrapper}.swiftmodule "$ROOT/Package.resolved" "${BASH_SOURCE[0]}" |
    sha256sum)"
if [ "$(cat "$CRYPTO/stamp" 2>/dev/null || true)" != "$STAMP" ]; then
    rm -rf "$ROOT/.build-standins"
    mkdir -p "$CRYPTO"
    cp "$BUILT"/Modules/Crypto{,BoringWrapper}.swiftmodule "$CRYPTO/"
    for name in CCryptoBoringSSL CCryptoBoringSSLShims CXKCP CXKCPShims; do
        ln -s "$ROOT/.build/checkouts/swift-crypto/Sources/$name/include" "$CRYPTO/$name"
    done
    for name in Crypto CryptoBoringWrapper CCryptoBoringSSL CCryptoBoringSSLShims CXKCP CXKCPShims; do
        find "$BUILT/$name.build/" -name '*.o' -print0
    done | xargs -0 ar qcs "$CRYPTO/libCrypto.a"
    printf '%s\n' "$STAMP" >"$CRYPTO/stamp"
fi

export BENJI_APPLE_STANDINS=1
PLACE=(--package-path "$ROOT" --scratch-path "$ROOT/.build-standins")
python3 "$ROOT/scripts/lib/build-progress.py" "building the code for Apple's systems against stand-ins" -- \
    swift build --build-tests "${PLACE[@]}" "${DEBUG_BUILD[@]}"
if [ "$*" = --build-only ]; then exit 0; fi
exec swift test --skip-build "${PLACE[@]}" "$@"
