#!/usr/bin/env bash
# fuzz-build.sh TARGET [-D FLAG ...]: builds one of Fuzzing/Targets and prints where the program is.
#
# SwiftPM cannot link a fuzzer: libFuzzer brings its own main(), and an executable target leaves its entry undefined. So
# SwiftPM builds swift-crypto only, as it is. Our own modules are compiled here, with the fuzzer's counters and
# AddressSanitizer, optimised but with every check in place. Modules that hold a parser beside servers and databases are
# compiled of the parser's files alone. Unchanged pieces are not built again. Several builds may run at once: the first
# that needs a piece builds it, and the others wait for it.
#
# With FUZZ_COVERAGE=1 the program also counts which lines ran; it is kept apart, in .build-fuzz/coverage.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

TARGET="$1"
shift
BUILD="$ROOT/.build-fuzz"
PLACE="$BUILD"
FLAGS=(
    -O -assert-config Debug -g -wmo -parse-as-library -swift-version 6 -package-name benji
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
    -enable-upcoming-feature InternalImportsByDefault -sanitize=fuzzer,address -suppress-warnings
)
if [ "${FUZZ_COVERAGE:-}" = 1 ]; then
    PLACE="$BUILD/coverage"
    FLAGS+=(-profile-generate -profile-coverage-mapping)
fi
MODULES="$PLACE/modules"
mkdir -p "$MODULES" "$PLACE/bin"

# swift-crypto is optimised, in a folder of its own. With FUZZ_CRYPTO=debug it is the one of .build that the SDK's tests
# are built with: nothing is compiled twice, and hashing and signing take longer.
build_crypto() {
    local scratch="$BUILD/crypto" flags=() kind map lock
    if [ "${FUZZ_CRYPTO:-release}" = debug ]; then scratch="$ROOT/.build" flags=("${DEBUG_BUILD[@]}"); fi
    CRYPTO="$scratch/${FUZZ_CRYPTO:-release}"
    exec {lock}>"$BUILD/crypto.lock"
    flock "$lock"
    if [ ! -f "$CRYPTO/Modules/Crypto.swiftmodule" ] ||
        [ "$ROOT/Package.swift" -nt "$BUILD/crypto-${CRYPTO##*/}" ]; then
        python3 "$ROOT/scripts/lib/build-progress.py" "building swift-crypto for the fuzzers" -- \
            swift build --package-path "$ROOT" --scratch-path "$scratch" -c "${CRYPTO##*/}" --target Crypto \
            "${flags[@]}" >&2
        printf '%s\n' "$CRYPTO" >"$BUILD/crypto-${CRYPTO##*/}"
    fi
    exec {lock}>&-
    # Behind our own modules, because .build has some of the same names.
    CRYPTO_FLAGS=(-I "$MODULES" -I "$CRYPTO/Modules")
    for map in "$scratch"/checkouts/swift-crypto/Sources/*/include/module.modulemap; do
        CRYPTO_FLAGS+=(-Xcc "-fmodule-map-file=$map" -Xcc -I -Xcc "$(dirname "$map")")
    done
    CRYPTO_OBJECTS=()
    for kind in Crypto CryptoBoringWrapper CCryptoBoringSSL CCryptoBoringSSLShims CXKCP CXKCPShims; do
        mapfile -t -O "${#CRYPTO_OBJECTS[@]}" CRYPTO_OBJECTS < <(find "$CRYPTO/$kind.build" -name '*.o' | sort)
    done
    STAMPS=("$BUILD/crypto-${CRYPTO##*/}")
}

# Runs a command unless its words and the files after -- are those of the last time. RESULT is removed when it fails.
unless_done() { # result, command..., --, files...
    local result="$1" command=() stamp lock
    shift
    while [ "$1" != -- ]; do command+=("$1"); shift; done
    shift
    stamp="$( (printf '%s\n' "${command[@]}"; cat "$@") | sha256sum)"
    exec {lock}>"$result.lock"
    flock "$lock"
    if [ ! -f "$result" ] || [ "$(cat "$result.stamp" 2>/dev/null)" != "$stamp" ]; then
        rm -f "$result" "$result.stamp"
        "${command[@]}" >&2
        printf '%s\n' "$stamp" >"$result.stamp"
    fi
    exec {lock}>&-
}

# Compiles files to one module and one object; their imports were compiled before. The result depends on those modules
# alone, not on the fuzzer. Otherwise fuzzers that are built at once would take each other's modules for old.
module() { # name, file or folder...
    local name="$1" files=() imported stamps=("${STAMPS[0]}")
    shift
    mapfile -t files < <(cd "$ROOT" && find "$@" -name '*.swift' | sort | sed "s|^|$ROOT/|")
    for imported in $(sed -nE 's/^.*\bimport ([A-Za-z0-9]+)$/\1/p' "${files[@]}" | sort -u); do
        if [ -f "$MODULES/$imported.o.stamp" ]; then stamps+=("$MODULES/$imported.o.stamp"); fi
    done
    unless_done "$MODULES/$name.o" swiftc "${FLAGS[@]}" "${CRYPTO_FLAGS[@]}" -enable-testing \
        -module-name "$name" -emit-module -emit-module-path "$MODULES/$name.swiftmodule" \
        -emit-object -o "$MODULES/$name.o" "${files[@]}" -- "${files[@]}" "${stamps[@]}"
    OBJECTS+=("$MODULES/$name.o")
    STAMPS+=("$MODULES/$name.o.stamp")
}

# Compiles one file of C++ to one object. C's modules come from the folder that it is in.
cxx() { # file
    local file="$ROOT/$1" object flags=(-fsanitize=fuzzer-no-link,address)
    object="$MODULES/$(basename "$1" .cpp).cpp.o"
    if [ "${FUZZ_COVERAGE:-}" = 1 ]; then flags+=(-fprofile-instr-generate -fcoverage-mapping); fi
    unless_done "$object" clang++ -std=c++17 -O1 -g -fno-omit-frame-pointer "${flags[@]}" \
        -I "$(dirname "$file")/include" -c "$file" -o "$object" \
        -- "$file" "$(dirname "$file")"/*.hpp "$(dirname "$file")"/include/*.h
    OBJECTS+=("$object")
    STAMPS+=("$object.stamp")
}

build_crypto
LIBRARIES=()
OBJECTS=()
SERVER=Server/Sources
module BenjiValues Sources/BenjiValues
module BenjiProtocol Sources/BenjiProtocol
case "$TARGET" in
    RADIUSPacket) module RADIUS "$SERVER/RADIUS" ;;
    AppAttestObjects) module AppAttest "$SERVER/AppAttest/Format" ;;
    SMPPPDU) module SMPP "$SERVER/SMPP" ;;
    ProxyProtocol | Journal)
        module RADIUS "$SERVER/RADIUS"
        module Sightings "$SERVER/Sightings"
        module Gateway "$SERVER/Gateway/ProxyProtocolHeader.swift" "$SERVER/Gateway/Journal/CRC32.swift" \
            "$SERVER/Gateway/Journal/JournalReader.swift" "$SERVER/Gateway/Journal/JournalRecord.swift" \
            "$SERVER/Gateway/Directory/DirectoryChange.swift" \
            "$SERVER"/Gateway/Accounting/{AccountingEvent,SessionNames}.swift
        ;;
    FaceMessages) module BenjiFaceProtocol Sources/BenjiFaceProtocol ;;
    PageDescriptions) module BenjiPage Sources/BenjiPage ;;
    HTTP1Response | ServerAddress) module BenjiClient Sources/BenjiClient ;;
    CMPassportRequests | LinkMessages | VendorRequests | WebRequests)
        # The sources that these fuzzers read, so that each module is compiled once for all of them.
        module BenjiFaceProtocol Sources/BenjiFaceProtocol
        module Sightings "$SERVER/Sightings"
        module Store "$SERVER/Store"
        module Requests "$SERVER/Requests/Refusal.swift"
        module Authority "$SERVER/Authority/FormText.swift" \
            "$SERVER"/Authority/Apps/{AppKey,RegisteredApp,SourceIDGrammar}.swift \
            "$SERVER/Authority/Limits/CalendarDay.swift"
        module OpenIDProvider "$SERVER"/OpenIDProvider/CAMARA/{CAMARAScopes,ClaimedNumber,CodePlaceholder}.swift \
            "$SERVER"/OpenIDProvider/Requests/{AuthenticationContext,AuthorizationRequest}.swift \
            "$SERVER"/OpenIDProvider/Requests/{OAuthError,OpenIDParameters,SignedClaims}.swift
        module ServerHTTP "$SERVER"/ServerHTTP/{ForwardedSender,SecondText}.swift
        module Link "$SERVER"/Link/{ErasedSubscriptions,Forwarded{Answer,Request},FramedMessage,LinkAnswer}.swift \
            "$SERVER"/Link/{Observation,Revocation}Batch.swift "$SERVER"/Link/{PairMessages,Sighting+JSON}.swift
        module Endpoints "$SERVER"/Endpoints/AppServer/{CallerFields,HexadecimalSign,MillisecondTime}.swift \
            "$SERVER"/Endpoints/CMPassport/{CMPassport{Grammar,Signing,Time},CallerFields+CMPassport}.swift \
            "$SERVER"/Endpoints/CMPassport/{LoginTokenValidate,NumberVerification}Request.swift \
            "$SERVER"/Endpoints/CMPassport/{UserInformation,H5/BrowserToken}Request.swift \
            "$SERVER"/Endpoints/{OneLogin/OneLogin,GeYan/GeYan}{Request,Signing}.swift \
            "$SERVER/Endpoints/CAMARA/CAMARABodies.swift"
        module FaceEndpoints "$SERVER"/FaceEndpoints/SuperID{Call,Signing}.swift
        ;;
    FaceImages)
        # The decoder alone: what looks at faces reads only what it has decoded.
        for name in Decode EXIF Image JPEG PNG; do cxx "$SERVER/CFaceEngine/$name.cpp"; done
        CRYPTO_FLAGS+=(-I "$ROOT/$SERVER/CFaceEngine/include")
        LIBRARIES=(-ljpeg -lpng16 -lstdc++)
        module FaceMatching "$SERVER/FaceMatching/FaceError.swift" "$SERVER/FaceMatching/Images"
        ;;
    DeviceMessages) module BenjiPolicy Sources/BenjiPolicy ;;
    JSONText | SignedStatements | Values) ;;
    *) die "there is no fuzzer '$TARGET'; see Fuzzing/Targets" ;;
esac
SOURCES=("$ROOT"/Fuzzing/Support/*.swift "$ROOT/Fuzzing/Targets/$TARGET.swift")
SUFFIX="$(printf '%s' "$@" | sed 's/^-D/-/')"
PROGRAM="$PLACE/bin/$TARGET$SUFFIX"
# The compiler leaves the program's module where it runs, for debuggers.
mkdir -p "$PLACE/programs/$TARGET$SUFFIX"
unless_done "$PROGRAM" env -C "$PLACE/programs/$TARGET$SUFFIX" swiftc "${FLAGS[@]}" "$@" "${CRYPTO_FLAGS[@]}" \
    -module-name Fuzz -use-ld=lld "${SOURCES[@]}" "${OBJECTS[@]}" "${CRYPTO_OBJECTS[@]}" "${LIBRARIES[@]}" \
    -o "$PROGRAM" -- "${SOURCES[@]}" "${STAMPS[@]}"
printf '%s\n' "$PROGRAM"
