#!/usr/bin/env bash
# Compiles BenjiPage as Embedded Swift for WebAssembly, with no module but the standard library in sight: what it must
# never lose. Takes some seconds; nothing is linked or kept. `--self-test` shows that code which may not be there fails.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

SCRATCH="$(mktemp -d)"
trap 'rm -rf "$SCRATCH"' EXIT

# The flags of Package.swift, and those of Embedded Swift.
compile() {
    swiftc -swift-version 6 -parse-as-library -module-name BenjiPage -wmo \
        -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
        -enable-upcoming-feature InternalImportsByDefault \
        -enable-experimental-feature Embedded -target wasm32-unknown-none-wasm \
        -emit-object -o "$SCRATCH/BenjiPage.o" "$@"
}

if [ "${1:-}" = --self-test ]; then
    for forbidden in 'internal import Foundation' \
        'protocol P { func f() }; func f(_ p: any P) { p.f() }; struct S: P { func f() {} }; public func g() { f(S()) }' \
        'public func f<T: Encodable>(_ value: T) -> T { value }'; do
        printf '%s\n' "$forbidden" >"$SCRATCH/Forbidden.swift"
        if compile "$SCRATCH/Forbidden.swift" >/dev/null 2>&1; then
            die "the check of Embedded Swift does not see what is forbidden: $forbidden"
        fi
    done
    printf 'public func f(_ x: Int) -> Int { x + 1 }\n' >"$SCRATCH/Allowed.swift"
    compile "$SCRATCH/Allowed.swift" || die "the toolchain cannot compile Embedded Swift for wasm32 at all (see above)"
    exit 0
fi

say "embedded: BenjiPage compiles as Embedded Swift to WebAssembly"
mapfile -d '' -t SOURCES < <(find "$ROOT/Sources/BenjiPage" -name '*.swift' -print0)
compile "${SOURCES[@]}" || die "BenjiPage no longer compiles as Embedded Swift (see above)." \
    "It may use no other module, no 'any P', no Codable and no untyped throws."
