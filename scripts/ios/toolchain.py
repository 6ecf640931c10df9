"""The compiler for phones, as far as Linux has one. It uses the standard library's textual interfaces for iOS, the
stand-ins of Verification/AppleSDK for Apple's frameworks, and the SIL diagnostics. Nothing is linked or run."""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

STANDARD_LIBRARY = ["Swift", "_Concurrency", "_StringProcessing", "SwiftOnoneSupport"]
MODULE = "x86_64-apple-ios-simulator"


class Refused(Exception):
    """The compiler said no; its words are the text."""


def interface_file(folder: Path, module: str) -> Path:
    return folder / f"{module}.swiftmodule/{MODULE}.swiftinterface"


class Toolchain:
    def __init__(self, root: Path, ios: str, cache: Path | None = None, triple: str | None = None):
        self.sdk = root / "Verification/AppleSDK"
        self.cache = cache or root / ".build-ios"
        self.triple = triple or f"x86_64-apple-ios{ios}-simulator"
        self.usr = Path(shutil.which("swiftc") or "/usr/bin/swiftc").resolve().parent.parent
        self.version = self._run("swiftc", "--version").splitlines()[0]
        self.stamp = self._digest([*self.sdk.rglob("*")], self.version, self.triple, Path(__file__).read_text())
        self.modules = self.cache / "modules"
        self.headers = self.cache / "headers"
        self._prepare()

    @property
    def flags(self) -> list[str]:
        return [
            # Isolation in a framework's header causes only a warning, in every language mode.
            "-warnings-as-errors", "-target", self.triple, "-resource-dir", str(self.cache / "resources"),
            "-module-cache-path", str(self.cache / "module-cache"), "-Xfrontend", "-disable-target-os-checking",
            "-parse-as-library", "-wmo", "-I", str(self.sdk / "headers"), "-I", str(self.cache / "interfaces"),
            "-I", str(self.modules), "-I", str(self.headers),
        ]

    @property
    def clang_flags(self) -> list[str]:
        """Where clang finds the frameworks, and nothing else."""
        return [
            "-ffreestanding", "-nostdlibinc", "-isystem", str(self.sdk / "libc"), "-I", str(self.sdk / "headers"),
        ]

    def offers(self, product: str) -> bool:
        """Whether a product of another package has a stand-in."""
        return (self.sdk / f"interfaces/{product}.swiftinterface").exists()

    def compile(self, name: str, sources: list[Path], flags: list[str]) -> None:
        """Type-checks, runs the diagnostics that need SIL, and leaves a module and its Objective-C header."""
        self._run(
            "swiftc", "-emit-sil", "-o", str(self.last_sil), "-module-name", name, *self.flags, *flags,
            "-emit-module-path", str(self.modules / f"{name}.swiftmodule"),
            "-emit-objc-header-path", str(self.modules / f"{name}-Swift.h"), *map(str, sources),
        )

    @property
    def last_sil(self) -> Path:
        """The SIL of the target that was compiled last."""
        return self.cache / "last.sil"

    @property
    def resource_accessor(self) -> Path:
        """The file that the package manager generates for a target that has resources."""
        accessor = self.cache / "resource_bundle_accessor.swift"
        accessor.write_text(
            "import Foundation\n"
            "extension Foundation.Bundle { static let module = Bundle.main }\n")
        return accessor

    def offer_headers(self, includes: dict[str, Path]) -> None:
        """Offers the headers of C targets under their names, as the package manager does. Who imports them parses them.

        There is one folder for all: the compiler builds the standard library again for each list of folders."""
        modules = []
        for name, include in sorted(includes.items()):
            own = include / "module.modulemap"
            text = own.read_text() if own.exists() else f'module {name} {{ umbrella "." export * }}'
            text = text.replace('umbrella "."', f'umbrella "{include}"')
            modules.append(re.sub(r'header "([^"/]+)"', rf'header "{include}/\1"', text))
        self._write(self.headers / "module.modulemap", "\n".join(modules))

    def check(self, source: str, flags: list[str]) -> None:
        """The same for one text, of which nothing is kept."""
        snippet = self.cache / "snippet.swift"
        snippet.write_text(source)
        self.check_files("Snippet", [snippet], flags)

    def check_files(self, name: str, sources: list[Path], flags: list[str]) -> None:
        """The same for files that are a module, of which nothing is kept."""
        # Never /dev/null: the compiler removes its output when it fails, and root may remove that one.
        output = str(self.cache / "snippet.sil")
        self._run("swiftc", "-emit-sil", "-o", output, "-module-name", name, *self.flags, *flags, *map(str, sources))

    def is_fresh(self, name: str, stamp: str) -> bool:
        kept = self.modules / f"{name}.stamp"
        return kept.exists() and kept.read_text() == stamp

    def keep(self, name: str, stamp: str) -> None:
        (self.modules / f"{name}.stamp").write_text(stamp)

    @staticmethod
    def _digest(files: list[Path], *words: str) -> str:
        digest = hashlib.sha256()
        for file in sorted(files):
            if file.is_file():
                digest.update(str(file).encode() + b"\0" + file.read_bytes() + b"\0")
        for word in words:
            digest.update(word.encode() + b"\0")
        return digest.hexdigest()

    digest = _digest

    def _prepare(self) -> None:
        """Writes the interfaces for the phone."""
        library = self._offer_resources() / "iphonesimulator"
        for folder in [library, self.modules, self.headers]:
            folder.mkdir(parents=True, exist_ok=True)
        if any([self._write(interface_file(library, module), self._retargeted(module)) for module in STANDARD_LIBRARY]):
            # The compiler looks for changes in every interface but these.
            shutil.rmtree(self.cache / "module-cache", ignore_errors=True)
        with_headers = set(re.findall(r"^module (\w+)", (self.sdk / "headers/module.modulemap").read_text(), re.M))
        ours = {interface.stem: interface for interface in (self.sdk / "interfaces").glob("*.swiftinterface")}
        for name, interface in ours.items():
            text = self._header(name, name in with_headers) + interface.read_text()
            self._write(interface_file(self.cache / "interfaces", name), text)
        for left in (self.cache / "interfaces").iterdir():
            if left.stem not in ours:
                shutil.rmtree(left)

    def _offer_resources(self) -> Path:
        """The compiler's own files, without the libraries of this machine."""
        resources = self.cache / "resources"
        resources.mkdir(parents=True, exist_ok=True)
        for folder in ["shims", "clang", "apinotes"]:
            link = resources / folder
            link.unlink(missing_ok=True)
            link.symlink_to(self.usr / "lib/swift" / folder)
        return resources

    def _retargeted(self, module: str) -> str:
        text = (self.usr / f"lib/swift/linux/{module}.swiftmodule/x86_64-unknown-linux-gnu.swiftinterface").read_text()
        # While the library itself is compiled nothing is checked; its declarations keep their availability for users.
        text = re.sub(
            r"^(// swift-module-flags:.*)-target x86_64-unknown-linux-gnu",
            rf"\1-target {self.triple} -disable-availability-checking", text, count=1, flags=re.M)
        additions = self.sdk / f"additions/{module}.swiftinterface"
        return re.sub(r"@backDeployed\([^)]*\) ?", "", text) + (additions.read_text() if additions.exists() else "")

    def _header(self, name: str, has_headers: bool) -> str:
        underlying = " -import-underlying-module" if has_headers else ""
        return (
            "// swift-interface-format-version: 1.0\n"
            f"// swift-compiler-version: {self.version}\n"
            f"// swift-module-flags: -target {self.triple} -enable-objc-interop -enable-library-evolution "
            f"-swift-version 5 -module-name {name}{underlying}\n")

    @staticmethod
    def _write(file: Path, text: str) -> bool:
        """Whether anything changed. The compiler goes by times, so what stays the same is not written again."""
        if file.exists() and file.read_text() == text:
            return False
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return True

    @staticmethod
    def _run(*command: str) -> str:
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode != 0:
            raise Refused(ended.stdout + ended.stderr)
        return ended.stdout
