"""Compiles every library that phones run, and the documents' Objective-C, against an SDK of Apple's.

apple.py SDK   SDK: a folder such as iPhoneOS18.0.sdk, anywhere outside of this repository

The SDK is not changed: it is copied to a temporary folder outside of the repository, where a few declarations are
patched that a compiler on Linux needs or that older SDKs lack, and the copy is removed at the end. Nothing is linked,
nothing runs. """

import platform
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from check import check, fail
from package import Package
from patches import Copy
from sdk import ROOT, NoSDK, settings
from selftest import compiler_test
from toolchain import Refused, Toolchain


class AppleToolchain(Toolchain):
    def __init__(self, root: Path, ios: str, original: Path, cache: Path):
        self.original = original
        super().__init__(root, ios, cache=cache, triple=f"arm64-apple-ios{ios}")

    @property
    def copy(self) -> Path:
        return self.cache / "sdk"

    @property
    def flags(self) -> list[str]:
        return [
            # As in the check against our headers: isolation in a framework's header causes only a warning.
            "-warnings-as-errors", "-target", self.triple, "-sdk", str(self.copy),
            "-resource-dir", str(self.cache / "resources"),
            "-module-cache-path", str(self.cache / "module-cache"), "-Xfrontend", "-disable-target-os-checking",
            "-parse-as-library", "-wmo", "-I", str(self.cache / "interfaces"), "-I", str(self.modules),
            "-I", str(self.headers),
        ]

    @property
    def clang_flags(self) -> list[str]:
        return ["-isysroot", str(self.copy), "-Wno-nullability-completeness"]

    @property
    def resource_accessor(self) -> Path:
        accessor = super().resource_accessor
        # Older SDKs do not call Bundle Sendable. This file is the package manager's, not ours.
        accessor.write_text(accessor.read_text().replace("static let", "nonisolated(unsafe) static let"))
        return accessor

    def _prepare(self) -> None:
        for folder in [self.modules, self.headers]:
            folder.mkdir(parents=True, exist_ok=True)
        self._offer_resources()
        # swift-crypto offers Apple's own there.
        crypto = (self.sdk / "interfaces/Crypto.swiftinterface").read_text()
        self._write(
            self.cache / "interfaces/Crypto.swiftmodule/arm64-apple-ios.swiftinterface",
            self._header("Crypto", False) + crypto)
        shutil.copytree(self.original, self.copy, symlinks=True)
        self.patched = Copy(self.copy).patch()


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 2
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return fail("this check is made for Linux on x86-64; on a Mac build the package with Xcode")
    original = Path(sys.argv[1]).absolute()
    try:
        said = settings(original)
    except NoSDK as words:
        return fail(f"{words}. Name the folder of an SDK: make check-apple SDK=/path/to/iPhoneOS18.0.sdk")
    # The copy is removed also when someone stops the check.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    start = time.monotonic()
    package = Package(ROOT)
    with tempfile.TemporaryDirectory(prefix="benji-apple-") as folder:
        try:
            toolchain = AppleToolchain(ROOT, package.ios_floor, original, Path(folder))
        except Refused as words:
            print(words, end="")
            return fail("the SDK's copy cannot be made ready (see above)")
        except OSError as problem:
            return fail(f"the SDK's copy cannot be made ready: {problem}")
        print(f"    against {said['CanonicalName']}, for iOS {package.ios_floor} and later")
        for patch in toolchain.patched:
            print(f"    patched in the copy: {patch}")
        # An SDK of Xcode 15 or later knows iOS 17.
        knows_ios_17 = int(said.get("Version", "0").split(".")[0]) >= 17
        try:
            unseen = compiler_test(toolchain, package.targets["BenjiProtocol"].flags, knows_ios_17)
        except Refused as words:
            print(words, end="")
            return fail(f"{toolchain.version} cannot read this SDK, patched as it is (see above)")
        if unseen:
            return fail("with this copy the check does not see what it must (see above)")
        if check(package, toolchain):
            return fail(f"the code for phones does not stand against {said['CanonicalName']} (see above)")
    print("    left out: the code of tests, processors other than arm64")
    print(
        f"    {time.monotonic() - start:.0f} s; Swift was compiled up to SIL, Objective-C was parsed. "
        "Nothing was linked and nothing ran on iOS")
    return 0


if __name__ == "__main__":
    sys.exit(main())
