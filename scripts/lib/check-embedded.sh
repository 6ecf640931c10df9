#!/usr/bin/env bash
# Compiles BenjiValues, BenjiPage, BenjiPageReports and BenjiPageDesign as Embedded Swift for WebAssembly, with only
# each other and the standard library in sight. Links and keeps nothing. `--self-test` shows that other code fails.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

SCRATCH="$(mktemp -d)"
trap 'rm -rf "$SCRATCH"' EXIT

# The flags of Package.swift, and those of Embedded Swift.
compile() { # name, file...
    local name="$1"
    shift
    swiftc -swift-version 6 -parse-as-library -module-name "$name" -package-name benji -wmo \
        -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
        -enable-upcoming-feature InternalImportsByDefault \
        -enable-experimental-feature Embedded -target wasm32-unknown-none-wasm \
        -I "$SCRATCH" -emit-module -emit-module-path "$SCRATCH/$name.swiftmodule" \
        -emit-object -o "$SCRATCH/$name.o" "$@"
}

if [ "${1:-}" = --self-test ]; then
    for forbidden in 'internal import Foundation' \
        'protocol P { func f() }; func f(_ p: any P) { p.f() };
            struct S: P { func f() {} }; public func g() { f(S()) }' \
        'public func f<T: Encodable>(_ value: T) -> T { value }'; do
        printf '%s\n' "$forbidden" >"$SCRATCH/Forbidden.swift"
        if compile Forbidden "$SCRATCH/Forbidden.swift" >/dev/null 2>&1; then
            die "the check of Embedded Swift does not see what is forbidden: $forbidden"
        fi
    done
    printf 'public func f(_ x: Int) -> Int { x + 1 }\n' >"$SCRATCH/Allowed.swift"
    compile Allowed "$SCRATCH/Allowed.swift" ||
        die "the toolchain cannot compile Embedded Swift for wasm32 at all (see above)"
    exit 0
fi

say "embedded: BenjiValues, BenjiPage, BenjiPageReports and BenjiPageDesign compile as Embedded Swift to WebAssembly"
# Each after those that it imports.
for name in BenjiValues BenjiPage BenjiPageReports BenjiPageDesign; do
    mapfile -d '' -t SOURCES < <(find "$ROOT/Sources/$name" -name '*.swift' -print0)
    compile "$name" "${SOURCES[@]}" || die "$name no longer compiles as Embedded Swift (see above)." \
        "It may use no other module, no 'any P', no Codable and no untyped throws."
done
