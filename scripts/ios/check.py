"""Compiles every library that phones run up to SIL for the oldest iOS that the manifest names.

check.py              the targets that changed since they last compiled, then the headers that Objective-C sees
check.py --all        the same, and names the missing parts of facades that are not complete
check.py --self-test  proves that wrong code is refused, for the right reason
check.py --with-self-test  first that, then the targets, so that the compiler is made ready once
"""

import sys
import time
from pathlib import Path

import documents
import examples
import objc
import privacy
from package import NOT_FOR_PHONES, Package
from selftest import self_test
from toolchain import Refused, Toolchain

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    package = Package(ROOT)
    toolchain = Toolchain(ROOT, package.ios_floor)
    if {"--self-test", "--with-self-test"}.intersection(sys.argv):
        unseen = self_test(toolchain, package.targets["BenjiProtocol"].flags)
        if "--self-test" in sys.argv:
            return unseen
        return check(package, toolchain) or unseen
    return check(package, toolchain)


def build(package: Package, toolchain: Toolchain) -> dict[str, str] | None:
    """Compiles the libraries that changed since they last did. Their stamps, or nothing if one does not stand."""
    targets = package.for_phones()
    toolchain.offer_headers({target.name: target.headers for target in targets if target.headers})
    stamps: dict[str, str] = {}
    compiled = 0
    failed: set[str] = set()
    for target in targets:
        if failed.intersection(target.targets):
            failed.add(target.name)
            continue
        for product in target.outside:
            if not toolchain.offers(product):
                fail(f"{target.name} uses {product}, which has no stand-in in Verification/AppleSDK/interfaces")
                return None
        stamps[target.name] = toolchain.digest(
            target.files, toolchain.stamp, *target.flags, *[stamps[name] for name in target.targets])
        if target.headers or toolchain.is_fresh(target.name, stamps[target.name]):
            continue
        try:
            start = time.monotonic()
            sources = target.sources + ([toolchain.resource_accessor] if target.has_resources else [])
            toolchain.compile(target.name, sources, target.flags)
        except Refused as words:
            print(words, end="")
            failed.add(target.name)
            fail(f"{target.name} does not compile for {toolchain.triple} (see above)")
            continue
        print(f"    {target.name}: {time.monotonic() - start:.1f} s")
        wrong = privacy.problems(
            target.name, privacy.called(toolchain.last_sil.read_text()), target.folder / privacy.MANIFEST)
        for words in wrong:
            fail(words)
        if wrong:
            failed.add(target.name)
            continue
        toolchain.keep(target.name, stamps[target.name])
        compiled += 1
    if failed:
        fail(f"{len(failed)} of {len(targets)} libraries do not stand: {', '.join(sorted(failed))}")
        return None
    print(f"    {toolchain.triple}: {len(targets)} libraries stand, {compiled} of them compiled now")
    for product, reason in NOT_FOR_PHONES.items():
        print(f"    left out: {product}, {reason}")
    return stamps


def check(package: Package, toolchain: Toolchain) -> int:
    stamps = build(package, toolchain)
    if stamps is None:
        return 1
    for words in (wrong := documents.check(toolchain, ROOT, stamps)):
        print(words, end="\n" if not words.endswith("\n") else "")
    if wrong:
        return fail(f"{len(wrong)} samples of documents do not compile")
    for words in (wrong := examples.check(toolchain, ROOT, stamps)):
        print(words, end="\n" if not words.endswith("\n") else "")
    if wrong:
        return fail("the example apps do not stand (see above)")
    targets = package.for_phones()
    own = [file for target in targets if target.headers for file in target.files if file.suffix == ".m"]
    return objc.check(toolchain, ROOT, [target.name for target in targets if not target.headers], own)


def fail(words: str) -> int:
    print(f"error: {words}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
