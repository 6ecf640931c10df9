#!/usr/bin/env bash
# Builds the page engine for browsers: .build-wasm/benji-page.wasm, with benji-page.js beside. Needs nothing but Swift.
# Does nothing if the same compiler has built the same sources.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

OUT="$ROOT/.build-wasm"
TOOLS="$(dirname "$(readlink -f "$(command -v swiftc)")")"
TARGET=wasm32-unknown-none-wasm
mkdir -p "$OUT"
FOLDERS=(Sources/BenjiValues Sources/BenjiPage Sources/BenjiPageReports Sources/BenjiPageDesign WebAssembly)
STAMP="$({
    swiftc --version
    cd "$ROOT" && find "${FOLDERS[@]}" scripts/lib/build-wasm.sh -type f -print0 | sort -z | xargs -0 sha256sum
} 2>&1 | sha256sum)"
if [ -f "$OUT/benji-page.wasm" ] && [ "$(cat "$OUT/stamp" 2>/dev/null || true)" = "$STAMP" ]; then
    say "wasm: ${OUT#"$ROOT"/}/benji-page.wasm was built of these sources"
    exit 0
fi
rm -f "$OUT/stamp"

OBJECTS=()
# Each after those that it imports.
for folder in "${FOLDERS[@]}"; do
    name="$(basename "$folder")"
    mapfile -d '' -t SOURCES < <(find "$ROOT/$folder" -name '*.swift' -print0)
    swiftc -swift-version 6 -parse-as-library -module-name "$name" -package-name benji -wmo -Osize \
        -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
        -enable-upcoming-feature InternalImportsByDefault -enable-experimental-feature Extern \
        -enable-experimental-feature Embedded -target "$TARGET" -I "$OUT" \
        -emit-module -emit-module-path "$OUT/$name.swiftmodule" -emit-object -o "$OUT/$name.o" "${SOURCES[@]}"
    OBJECTS+=("$OUT/$name.o")
done
"$TOOLS/clang" --target="$TARGET" -Oz -nostdlib -ffreestanding -fno-builtin -c "$ROOT/WebAssembly/Runtime.c" \
    -o "$OUT/Runtime.o"
"$TOOLS/wasm-ld" --no-entry --gc-sections --strip-all --export-memory -z stack-size=262144 \
    "${OBJECTS[@]}" "$OUT/Runtime.o" \
    "$TOOLS/../lib/swift/embedded/$TARGET/libswiftUnicodeDataTables.a" -o "$OUT/benji-page.wasm"
cp "$ROOT/WebAssembly/benji-page.js" "$OUT/"
# The page designer carries the engine, and the compiler looks for a new file only where a source that it knows has
# changed.
touch "$ROOT/Server/Sources/CPageDesigner/Files.c"
printf '%s\n' "$STAMP" >"$OUT/stamp"
say "wasm: $(stat -c %s "$OUT/benji-page.wasm") bytes in ${OUT#"$ROOT"/}/benji-page.wasm"
