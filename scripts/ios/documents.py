"""Compiles the samples that app developers copy, in Swift and Objective-C, for the oldest iOS. The declarations that
they leave out (`configuration`) are here. scripts/lib/check-snippets.py asks `compiles` for these samples."""

import re
import subprocess
from pathlib import Path

from toolchain import Refused, Toolchain

# Every block of these that begins with an import is a whole file.
DOCUMENTS = ("README.md", "README.zh-CN.md", "docs/ios.md", "docs/guides/*/*.md", "Sources/*/*.docc/*.md")
# The tutorial's files, each a sample.
FILES = "docs/Apps.docc/Resources/*.swift"

# (document, first line) -> imports, what the sample is given, what it leaves unused.
FRAGMENTS = {
    ("docs/ios.md", "#if DEBUG"): ("Benji", "", ""),
    ("docs/ios.md", "let diagnosis = try await login.diagnose()"): ("Benji", "login: PhoneLogin", ""),
    ("docs/ios.md", "let byCode = SMSLogin(configuration: configuration)"): (
        "Benji BenjiClient BenjiProtocol",
        "configuration: PhoneLogin.Configuration, digits: String, consent: PageConsent", "token"),
    ("docs/ios.md", "let text = try await byCode.text()"): (
        "Benji BenjiClient BenjiProtocol MessageUI", "byCode: SMSLogin, consent: PageConsent", "(sender, token)"),
    ("docs/ios.md",
     "let login = PhoneLogin(configuration: configuration, attestation: AppAttestation(appID: \"300000000001\"))"): (
        "Benji BenjiClient", "configuration: PhoneLogin.Configuration", "login"),
    ("docs/attestation.md", "let attestation = AppAttestation(appID: \"300000000001\")"): (
        "Benji BenjiClient", "configuration: PhoneLogin.Configuration", "login"),
    ("docs/page.md", "import Benji"): ("BenjiClient", "benji: PhoneLogin", "token"),
    ("docs/app-tests.md", "let service = ScriptedFaceService()"): (
        "Benji BenjiClient BenjiFace BenjiFaceProtocol BenjiFaceTesting BenjiProtocol BenjiTesting",
        "configuration: PhoneLogin.Configuration", "outcome"),
    ("docs/app-tests.md", "import BenjiTesting"): ("Benji", "", ""),
}
# (document, first line) -> a manifest around it; what SwiftPM itself says of it is taken.
MANIFESTS = {
    ("README.md", ".package(url:"): "let package = Package(name: \"App\", dependencies: [\n{}])\n",
    ("README.zh-CN.md", ".package(url:"): "let package = Package(name: \"App\", dependencies: [\n{}])\n",
    ("docs/ios.md", "dependencies: [.package(url:"): "let package = Package(name: \"App\",\n{})\n",
    ("docs/guides/en/ios.md", "// swift-tools-version: 6.2"): "{}",
    ("docs/guides/zh/ios.md", "// swift-tools-version: 6.2"): "{}",
    ("docs/Apps.docc/Resources/2-package.swift", "// swift-tools-version: 6.2"): "{}",
}
OBJECTIVE_C = ("docs/migration/*.md",)


def blocks(path: Path, language: str) -> list[tuple[int, str]]:
    """(line, sample) of a document, or of a file that is one."""
    text = path.read_text()
    if path.suffix != ".md":
        return [(1, text)]
    found = re.finditer(rf"(?m)^```{language}\n(.*?)^```$", text, re.DOTALL)
    return [(text.count("\n", 0, each.start()) + 2, each[1]) for each in found]


def compiles(document: str, language: str, sample: str) -> bool:
    """Whether a sample of a document is compiled here."""
    first = sample.split("\n")[0]
    if language == "objc":
        return any(Path(document).match(pattern) for pattern in OBJECTIVE_C)
    if language != "swift":
        return False
    whole = first.startswith("import ") and any(Path(document).match(pattern) for pattern in (*DOCUMENTS, FILES))
    return whole and "import Testing" not in sample or (document,
                                                        first) in FRAGMENTS or manifest(document, first) is not None


def manifest(document: str, first: str) -> str | None:
    return next((frame for (name, start), frame in MANIFESTS.items() if name == document and first.startswith(start)),
                None)


def framed(document: str, sample: str) -> str:
    """A sample as a file that an app could have."""
    words = FRAGMENTS.get((document, sample.split("\n")[0]))
    if words is None:
        return sample
    imports, given, unused = words
    lines = sample.splitlines()
    own = [line for line in lines if line.startswith("import ")]
    body = [f"        {line}" for line in lines if not line.startswith("import ")]
    heads = dict.fromkeys([*own, *(f"import {name}" for name in imports.split()), "import UIKit"])
    return "\n".join([*heads, "extension UIViewController {", f"    func sample({given}) async throws {{", *body,
                      *([f"        _ = {unused}"] if unused else []), "    }", "}", ""])


def check(toolchain: Toolchain, root: Path, stamps: dict[str, str]) -> list[str]:
    """- stamps: of the libraries that samples import. What does not compile, as lines of text."""
    samples: list[tuple[str, str]] = []
    manifests: list[tuple[str, str]] = []
    known = {(name, first) for name, first in FRAGMENTS} | set(MANIFESTS)
    for path in sorted({*(path for pattern in (*DOCUMENTS, FILES) for path in root.glob(pattern)),
                        *(root / name for name, _ in known)}):
        name = path.relative_to(root).as_posix()
        for line, sample in blocks(path, "swift"):
            first = sample.split("\n")[0]
            if frame := manifest(name, first):
                manifests.append((f"{name}:{line}", "import PackageDescription\n" + frame.format(sample)))
                known -= {each for each in known if each[0] == name and first.startswith(each[1])}
            elif compiles(name, "swift", sample):
                samples.append((f"{name}:{line}", framed(name, sample)))
                known.discard((name, first))
    wrong = [f"{name}: there is no sample that begins with {first}" for name, first in known]
    stamp = toolchain.digest([], toolchain.stamp, Path(__file__).read_text(),
                             *(text for _, text in samples + manifests), *sorted(stamps.values()))
    if not wrong and toolchain.is_fresh("Documents", stamp):
        print(f"    documents: {len(samples) + len(manifests)} samples are those that compiled")
        return []
    for place, sample in samples:
        try:
            toolchain.check(sample, ["-swift-version", "6"])
        except Refused as words:
            wrong.append(f"{place}: the sample does not compile:\n{words}")
    for place, sample in manifests:
        source = toolchain.cache / "SampleManifest.swift"
        source.write_text(sample)
        ended = subprocess.run(
            ["swiftc", "-typecheck", "-package-description-version", "6.2", "-I",
             str(toolchain.usr / "lib/swift/pm/ManifestAPI"), str(source)],
            capture_output=True, text=True)
        if ended.returncode != 0:
            wrong.append(f"{place}: the manifest does not compile:\n{ended.stdout}{ended.stderr}")
    # The check must refuse a sample with an undeclared name, whole or in a frame.
    for place, name, other in (("README.md", "prefetch()", "prefetchAll()"),
                               ("docs/attestation.md", "AppAttestation(", "AppAttested("),
                               ("docs/Apps.docc", "prefetch()", "prefetchAll()"),
                               ("docs/ios.md", "composer.recipients", "composer.receivers")):
        spoilt = next(text for at, text in samples if at.startswith(place) and name in text)
        try:
            toolchain.check(spoilt.replace(name, other), ["-swift-version", "6"])
            wrong.append("the check of samples does not notice a call that does not exist")
        except Refused:
            pass
    if not wrong:
        toolchain.keep("Documents", stamp)
        print(f"    documents: {len(samples) + len(manifests)} samples compile")
    return wrong


def objective_c(root: Path) -> list[tuple[str, str]]:
    """(place, file) of each sample in Objective-C, as a file that an app could have."""
    found = []
    for path in sorted({path for pattern in OBJECTIVE_C for path in root.glob(pattern)}):
        for line, sample in blocks(path, "objc"):
            lines = sample.splitlines()
            imports = [each for each in lines if each.startswith("@import ")]
            body = [each for each in lines if not each.startswith("@import ")]
            found.append((f"{path.relative_to(root).as_posix()}:{line}", "\n".join([
                "@import UIKit;", *imports, "@interface Sample : NSObject", "@property (nonatomic) UIWindow *window;",
                "@end",
                "@implementation Sample", "- (void)use:(NSString *)json {", *body, "}", "@end", ""])))
    return found
