#!/usr/bin/env python3
"""Holds every `import` to the manifests.

A target may import the toolchain's modules and what its manifest declares for it, and it declares nothing that it does not
import: so the manifests are a true picture of what depends on what. A few arrows are forbidden whatever a manifest says
(FORBIDDEN below). Each finding is one line, FILE:LINE: what is wrong and what to do.

    check-imports.py               the packages of this repository, and docs/generated/arrows.md, which shows them
    check-imports.py --write       writes that page
    check-imports.py --self-test   proves on a throw-away package that violations are found
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What comes with Swift or with a system, and so needs no declaration.
SYSTEM = set(
    """
    Swift Builtin _Concurrency _StringProcessing _Differentiation Cxx CxxStdlib Distributed Observation RegexBuilder
    Synchronization Foundation FoundationEssentials FoundationInternationalization FoundationNetworking FoundationXML
    Dispatch Glibc Musl Android WASILibc WinSDK Darwin Testing _Testing_Foundation XCTest PackageDescription PackagePlugin
    ObjectiveC os OSLog UIKit AppKit SwiftUI CoreGraphics QuartzCore CoreText CoreImage CoreMedia CoreVideo CoreML Vision
    Accelerate AVFoundation CoreTelephony Network SystemConfiguration Security CryptoKit CommonCrypto LocalAuthentication
    DeviceCheck AuthenticationServices SafariServices WebKit UserNotifications MachO Metal ImageIO UniformTypeIdentifiers
    """.split()
)

# Products whose modules are not named after them.
MODULES_OF_PRODUCT = {}

# Arrows that the design forbids: importing target (a whole name, as a pattern) → modules (likewise) and why.
FORBIDDEN = [
    (r"BenjiValues", r".*", "pages and messages share these values, and neither needs more for them, not even Foundation"),
    (r"BenjiPage", r"(?!BenjiValues$).*", "the page is laid out without any other dependency, not even Foundation"),
    (r"BenjiPageReports", r"(?!BenjiPage$).*", "it compiles as Embedded Swift together with BenjiPage, and nothing else"),
    (r"BenjiProtocol", r"Benji(?!Values$).+", "both sides speak these words, so they know neither side"),
    (
        r"Benji(Client|PageUIKit|PageHTML|Protocol|Testing)?",
        r"BenjiFace\w*|BenjiPageReports|OneTap\w*|\w+Codes",
        "an app that only logs in ships neither camera code nor prose nor a vendor's codes",
    ),
    (r"OneTap(Shell|Page|Testing)", r"BenjiFace\w*|\w+Codes", "what the facades share knows none of them"),
    (
        r"Benji(Client|PageUIKit|PageHTML|Protocol|Face|FaceProtocol|FaceTexts)?|OneTap(Shell|Page|PageTypes)|\w+(Codes|SDK|Sdk)|TYRZLogin",
        r"BenjiPolicy",
        "a phone is told what its page must show; the policy is the server's and the scripted carrier's",
    ),
    (r"BenjiFaceProtocol", r"Benji(?!Protocol$).*", "both sides speak these words, so they know neither side"),
    (r"Store|StoreConformance", r"GRDB|CPQ|CSQLite", "the store states promises; the drivers live next door"),
    (r"StoreRows", r"GRDB\w*|CLibPQ|Store(SQLite|Postgres)", "both drivers run its statements; it knows neither of them"),
    (
        r"Authority",
        r"Hummingbird\w*|HTTPTypes|NIO\w*|AsyncHTTPClient|GRDB|CPQ|Store(SQLite|Postgres)|Endpoints|Console|Gateway|RADIUS",
        "the authority knows no HTTP, no SQL and no addresses",
    ),
    (
        r"Authority",
        r"OpenIDProvider|FaceAccounts|FaceMatching",
        "what OpenID and face login share is the authority's; it knows neither of them",
    ),
    (
        r"OpenIDProvider|FaceAccounts",
        r"Hummingbird\w*|HTTPTypes|NIO\w*|AsyncHTTPClient|GRDB|CPQ|Store(SQLite|Postgres)|(Face)?Endpoints|Console|Gateway|RADIUS",
        "they stand on the authority and know no HTTP, no SQL and no addresses, as it does",
    ),
    (r"OpenIDProvider", r"Face\w+", "a login on the web and a login by face know nothing of each other"),
    (r"FaceAccounts", r"OpenIDProvider", "a login by face and a login on the web know nothing of each other"),
    (
        r"(?!(Face\w+|JourneyTests|BenjiCommand|Administration)$).*",
        r"FaceMatching|FaceAccounts|FaceEndpoints",
        "number login is built without OpenCV; Administration and BenjiCommand alone import these, where the trait Face is on",
    ),
    (
        r"Administration",
        r"Hummingbird\w*|HTTPTypes|NIO\w*|AsyncHTTPClient|GRDB|CPQ|Store(SQLite|Postgres)|(Face)?Endpoints|FaceMatching|Console|Gateway|RADIUS",
        "orders stand on the authority and its providers, and know no HTTP, no SQL and no addresses",
    ),
    (r"Sightings", r"(?!BenjiProtocol$)(Benji\w*|RADIUS|Gateway|Store\w*|Authority|Endpoints)", "gateway and authority speak these words, so they know neither side"),
    (r"RADIUS", r"Gateway|Authority|Store\w*|Hummingbird\w*", "packets are bytes in, values out"),
    (r"Gateway", r"Store\w*|Endpoints|Console|GRDB|CPQ", "the gateway states sightings; it keeps nothing of the authority's"),
    (r"FaceMatching", r"Authority|FaceAccounts|Store\w*|(Face)?Endpoints|Console|Hummingbird\w*|NIO\w*", "faces are looked at without knowing whose they are"),
    (r"(?!FaceMatching$).*", r"CFaceEngine", "the engine decides nothing; FaceMatching does"),
    (r"(?!Catalogue$).*", r"CCatalogueTables", "the files of explanations are read in one place, which refuses mistakes"),
    (r"(?!Gateway$).*", r"CPhoneNumbers", "a number is read where the network names it; everybody else has a PhoneNumber"),
    (r"(Face)?Endpoints|Console", r"Store(SQLite|Postgres)|GRDB|CPQ", "only the composition root knows the drivers"),
]

# What of ours each target of the product may know, in both packages; BenjiCommand, which puts all together, may know everything. A new
# arrow is a decision: it is written here by hand, in the change that needs it.
MAY_KNOW = {
    "Administration": "Authority FaceAccounts OpenIDProvider Sightings Store",
    "AdministrationEndpoints": "Administration Authority Endpoints Store",
    "Authority": "Sightings Store",
    "Catalogue": "",
    "Endpoints": "Authority Catalogue OpenIDProvider Sightings Store",
    "FaceAccounts": "Authority FaceMatching Sightings Store",
    "FaceEndpoints": "Authority Endpoints FaceAccounts FaceMatching Store",
    "FaceMatching": "",
    "Gateway": "RADIUS Sightings",
    "OpenIDProvider": "Authority Sightings Store",
    "PKCS11": "Authority",
    "PrometheusMetrics": "",
    "RADIUS": "",
    "Sandbox": "Authority BenjiClient BenjiTransportCurl Catalogue Endpoints OpenIDProvider RADIUS Store",
    "SandboxWeb": "Authority BenjiClient Catalogue Endpoints OpenIDProvider Sandbox",
    "Sightings": "",
    "Store": "Sightings",
    "StorePostgres": "Sightings Store StoreRows",
    "StoreRows": "Sightings Store",
    "StoreSQLite": "Sightings Store StoreRows",
    "Benji": "BenjiClient BenjiPageUIKit",
    "BenjiClient": "",
    "BenjiFace": "Benji BenjiClient BenjiPageUIKit",
    "BenjiPageUIKit": "",
    "BenjiTesting": "Benji BenjiClient",
    "BenjiTransportCurl": "BenjiClient",
    "GeYanSdk": "BenjiClient OneTapPage OneTapPageTypes OneTapShell",
    "OneLoginSDK": "BenjiClient OneTapPage OneTapPageTypes OneTapShell",
    "OneTapPage": "Benji BenjiClient BenjiPageUIKit OneTapPageTypes OneTapShell",
    "OneTapPageTypes": "",
    "OneTapShell": "Benji BenjiClient",
    "SuperIDSDK": "Benji BenjiClient BenjiFace OneTapShell",
    "TYRZLogin": "BenjiClient OneTapShell",
    "TYRZSDK": "Benji BenjiClient BenjiPageUIKit OneTapShell",
}
FORBIDDEN += [
    (target, "|".join(sorted(set(MAY_KNOW) - {target, *known.split()})), "no arrow of the design; see MAY_KNOW in scripts/lib/check-imports.py")
    for target, known in MAY_KNOW.items()
]

# Modules that are there only where the package trait Face is on.
OF_FACE = {"FaceAccounts", "FaceEndpoints", "FaceMatching"}

# The same for some files of a target: path from the repository (a whole one, as a pattern) → modules and why.
FORBIDDEN_IN_FILES = [
    (
        r"Server/Sources/BenjiCommand/((Assembly|Configuration)/.*|Commands/ServeCommand\.swift)",
        r"Sandbox(Web)?|Load|Shop",
        "benji serve puts its server together without the sandbox, the load players and the shop; the demo sets the sandbox before the parts",
    ),
]

IMPORT = re.compile(
    r"""(?:^|;)[ \t]*
        (?:@\w+(?:\([^)\n]*\))?\s+)*
        (?:(?:public|package|internal|fileprivate|private)\s+)?
        import[ \t]+
        (?:(?:struct|class|enum|protocol|typealias|func|let|var)[ \t]+)?
        (?P<module>[A-Za-z_]\w*)""",
    re.MULTILINE | re.VERBOSE,
)
CAN_IMPORT = re.compile(r"\bcanImport[ \t]*\([ \t]*(?P<module>[A-Za-z_]\w*)")


class Blanker:
    """Replaces comments and string literals by spaces, so that an import in a text is not taken for one."""

    def __init__(self, source):
        self.source, self.out, self.at = source, list(source), 0

    def blank(self, begin, end):
        for i in range(begin, end):
            if self.out[i] != "\n":
                self.out[i] = " "

    def run(self):
        self.code(closing=None)
        return "".join(self.out)

    def code(self, closing):
        """Reads code up to the end, or up to the parenthesis that closes an interpolation."""
        source, depth = self.source, 0
        while self.at < len(source):
            here = source[self.at]
            if source.startswith("//", self.at):
                end = source.find("\n", self.at)
                end = len(source) if end < 0 else end
                self.blank(self.at, end)
                self.at = end
            elif source.startswith("/*", self.at):
                self.comment()
            elif match := re.compile(r'(#*)("""|")').match(source, self.at):
                self.string(len(match[1]), match[2])
            elif closing and here == "(":
                depth += 1
                self.at += 1
            elif closing and here == ")":
                self.at += 1
                if depth == 0:
                    return
                depth -= 1
            else:
                self.at += 1

    def comment(self):
        begin, depth = self.at, 0
        while self.at < len(self.source):
            if self.source.startswith("/*", self.at):
                depth, self.at = depth + 1, self.at + 2
            elif self.source.startswith("*/", self.at):
                depth, self.at = depth - 1, self.at + 2
                if depth == 0:
                    break
            else:
                self.at += 1
        self.blank(begin, self.at)

    def string(self, hashes, quote):
        begin, source = self.at, self.source
        self.at += hashes + len(quote)
        end, escape = quote + "#" * hashes, "\\" + "#" * hashes
        while self.at < len(source):
            if source.startswith(end, self.at):
                self.at += len(end)
                break
            if quote == '"' and source[self.at] == "\n":
                break  # not a string after all, for example a quotation mark in a regular expression
            if source.startswith(escape, self.at):
                self.at += len(escape)
                if source.startswith("(", self.at):
                    self.at += 1
                    self.code(closing=")")
                else:
                    self.at += 1
            else:
                self.at += 1
        self.blank(begin, min(self.at, len(source)))


def imports(source):
    """(line, module, whether it is a real import) for every import and canImport of a Swift file."""
    code = Blanker(source).run()
    for pattern, real in ((IMPORT, True), (CAN_IMPORT, False)):
        for match in pattern.finditer(code):
            yield code.count("\n", 0, match.start("module")) + 1, match["module"], real


def dump(folder):
    """The manifest as SwiftPM reads it. Its scratch folder is apart, so that a running build does not block it."""
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            ["swift", "package", "--package-path", str(folder), "--scratch-path", scratch, "dump-package"],
            capture_output=True,
            text=True,
        )
    if done.returncode != 0:
        sys.exit(f"error: {folder}/Package.swift cannot be read:\n{done.stderr}")
    return json.loads(done.stdout)


class Package:
    def __init__(self, folder, manifest, local=()):
        self.folder, self.name = pathlib.Path(folder), manifest["name"]
        self.targets = {target["name"]: target for target in manifest["targets"]}
        self.products = {product["name"]: product["targets"] for product in manifest["products"]}
        self.programs = {product["name"] for product in manifest["products"] if "executable" in product["type"]}
        self.local = {package.name: package for package in local}

    def builds_program(self, target, dependency):
        """Whether a test target declares a program of another package, which is built with the tests and imported by nobody."""
        return target["type"] == "test" and any(dependency in package.programs for package in self.local.values())

    def modules(self, target):
        """What a target declares: declared name → the modules that it brings."""
        declared = {}
        for dependency in target["dependencies"]:
            kind, values = next((key, value) for key, value in dependency.items() if isinstance(value, list))
            name, package = values[0], values[1] if kind == "product" else None
            if package in self.local:
                declared[name] = set(self.local[package].products.get(name, [name]))
            elif kind in ("product", "byName") and name not in self.targets:
                declared[name] = set(MODULES_OF_PRODUCT.get(name, [name]))
            else:
                declared[name] = {name}
        return declared

    def source_folder(self, target):
        if target.get("path"):
            return self.folder / target["path"]
        base = {"test": "Tests", "plugin": "Plugins"}.get(target["type"], "Sources")
        return self.folder / base / target["name"]


def relative(path, base):
    try:
        return path.relative_to(base)
    except ValueError:
        return path


def check(package, foreign, base, forbidden=FORBIDDEN, forbidden_in_files=FORBIDDEN_IN_FILES):
    """The findings of one package, as lines of text. `foreign` maps targets that it must never see to their package."""
    findings = []
    manifest = relative(package.folder / "Package.swift", base)
    for name, target in package.targets.items():
        if target["type"] in ("system", "binary", "plugin"):
            continue
        folder = package.source_folder(target)
        files = sorted(folder.rglob("*.swift")) if folder.is_dir() else []
        if not files:
            if not folder.is_dir():
                findings.append(f"{manifest}:1: {name} has no folder {relative(folder, base)}; write it or remove the target")
            continue  # C: its dependencies are seen by the linker only
        declared = package.modules(target)
        available = set().union(*declared.values()) if declared else set()
        used = set()
        for file in files:
            for line, module, real in sorted(imports(file.read_text(encoding="utf-8"))):
                where = f"{relative(file, base)}:{line}:"
                used.add(module)
                if module in foreign:
                    findings.append(f"{where} {name} imports {module} of {foreign[module]}; the arrow goes the other way")
                    continue
                for importer, imported, reason in forbidden:
                    if module != name and re.fullmatch(importer, name) and re.fullmatch(imported, module):
                        findings.append(f"{where} {name} must not import {module}: {reason}")
                for place, imported, reason in forbidden_in_files:
                    if re.fullmatch(place, str(relative(file, base))) and re.fullmatch(imported, module):
                        findings.append(f"{where} this file must not import {module}: {reason}")
                if module in SYSTEM or module in available or module == name:
                    continue
                verb = "imports" if real else "asks canImport of"
                findings.append(f"{where} {name} {verb} {module}, which its manifest does not declare; add it to {manifest}")
        for dependency, modules in declared.items():
            if not modules & used and not package.builds_program(target, dependency):
                findings.append(f"{manifest}:1: {name} declares {dependency} and never imports it; remove it")
    return list(dict.fromkeys(findings))


def unconditional(package):
    """Targets that need face login, although number login is built with them where the trait Face is off."""
    return [
        f"{name} depends on {values[0]} whatever the trait is; write condition: .when(traits: [\"Face\"])"
        for name, target in package.targets.items() if not name.startswith("Face")
        for dependency in target["dependencies"] for values in dependency.values()
        if isinstance(values, list) and values[0] in OF_FACE
        and not any(isinstance(value, dict) and value.get("traits") == ["Face"] for value in values)]


def arrows(packages):
    """A page with every target and every arrow between targets of ours, by folder."""
    ours = {name for package in packages for name in package.targets}
    folders = {}
    for package in packages:
        for name, target in package.targets.items():
            conditional = {
                values[0] for dependency in target["dependencies"] for values in dependency.values()
                if any(isinstance(value, dict) and value.get("traits") for value in values)}
            found = [
                f"`{module}`" + ("*" if declared in conditional else "") for module, declared in sorted(
                    (module, declared) for declared, modules in package.modules(target).items() for module in modules & ours)]
            folder = relative(package.source_folder(target), ROOT).parent
            folders.setdefault(folder, []).append(f"| `{name}` | {', '.join(found) or '—'} |")
    tables = "\n\n".join(
        f"| `{folder}/` | depends on |\n|---|---|\n" + "\n".join(sorted(rows, key=str.lower)) for folder, rows in sorted(folders.items()))
    return f"""# All targets and all arrows

Made by `scripts/lib/check-imports.py --write`; do not edit. Each target, by folder, and those of ours that it depends on; packages of
others are in the manifests. An arrow with * depends on the package trait `Face`. The main lines are drawn in
[architecture.md](../architecture.md#the-arrows).

{tables}
"""


def check_repository(writes=False):
    root = Package(ROOT, dump(ROOT))
    shop = Package(ROOT / "Examples/Shop", dump(ROOT / "Examples/Shop"))
    server = Package(ROOT / "Server", dump(ROOT / "Server"), local=[root, shop])
    page, text = ROOT / "docs/generated/arrows.md", arrows([root, server, shop])
    if writes:
        page.write_text(text, encoding="utf-8")
    findings = check(root, {name: "the server" for name in server.targets}, ROOT)
    findings += check(server, {}, ROOT)
    findings += [f"Server/Package.swift:1: {finding}" for finding in unconditional(server)]
    # The example knows Benji by HTTP only, as the app servers of other people do.
    findings += check(shop, {name: "Benji's own code" for name in [*root.targets, *server.targets]}, ROOT)
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        findings.append(f"{relative(page, ROOT)}:1: is not what the manifests say; run scripts/lib/check-imports.py --write")
    if findings:
        print("\n".join(findings))
        sys.exit(f"error: {len(findings)} imports or dependencies do not fit the manifests")
    count = len(root.targets) + len(server.targets) + len(shop.targets)
    print(f"    {count} targets import exactly what they declare")


SELF_TEST_MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "sample",
    products: [.library(name: "Shared", targets: ["Shared"])],
    targets: [
        .target(name: "Shared"), .target(name: "Base"), .target(name: "Spare"),
        .target(name: "Honest", dependencies: ["Base", "Shared"]),
        .target(name: "Liar", dependencies: ["Base", "Spare"]),
        .testTarget(name: "HonestTests", dependencies: ["Honest"]),
    ]
)
"""

SELF_TEST_FILES = {
    "Sources/Shared/a.swift": "",
    "Sources/Base/a.swift": "public import FoundationEssentials\n",
    "Sources/Spare/a.swift": "",
    "Sources/Honest/a.swift": '''// import Commented
/* import Blocked /* import Nested */ import StillBlocked */
@_spi(Server) public import Base
import struct Shared.Thing; import Dispatch
let text = """
    import Quoted
    \\(name("x"), "import Interpolated")
    import QuotedAgain
    """
let raw = #"a "quoted" \\#(name(")")) text"#
let important = 1
func importing() {}
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
''',
    "Sources/Liar/a.swift": """import Base
@testable import Honest
@_exported import Hidden
#if canImport(Maybe)
    internal import struct Deep.Inner.Leaf
#endif
let a = 1; import Late
import Server
""",
    "Tests/HonestTests/a.swift": "import Testing\n@testable import Honest\nimport Spare\n",
}

SELF_TEST_EXPECTED = """
Package.swift:1: Liar declares Spare and never imports it; remove it
Sources/Liar/a.swift:1: this file must not import Base: for the self-test
Sources/Liar/a.swift:2: Liar imports Honest, which its manifest does not declare; add it to Package.swift
Sources/Liar/a.swift:2: Liar must not import Honest: for the self-test
Sources/Liar/a.swift:3: Liar imports Hidden, which its manifest does not declare; add it to Package.swift
Sources/Liar/a.swift:4: Liar asks canImport of Maybe, which its manifest does not declare; add it to Package.swift
Sources/Liar/a.swift:5: Liar imports Deep, which its manifest does not declare; add it to Package.swift
Sources/Liar/a.swift:7: Liar imports Late, which its manifest does not declare; add it to Package.swift
Sources/Liar/a.swift:8: Liar imports Server of the server; the arrow goes the other way
Tests/HonestTests/a.swift:3: HonestTests imports Spare, which its manifest does not declare; add it to Package.swift
"""


def self_test():
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "Package.swift").write_text(SELF_TEST_MANIFEST, encoding="utf-8")
        for path, text in SELF_TEST_FILES.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        found = check(
            Package(folder, dump(folder)), {"Server": "the server"}, folder, [("Liar", "Honest", "for the self-test")],
            [(r"Sources/Liar/.*", "Base", "for the self-test")])
    expected = SELF_TEST_EXPECTED.strip().split("\n")
    if sorted(found) != sorted(expected):
        print("missing:", *sorted(set(expected) - set(found)), sep="\n  ")
        print("too much:", *sorted(set(found) - set(expected)), sep="\n  ")
        sys.exit("error: the import check does not find what it must; repair scripts/lib/check-imports.py first")
    face = [{"name": name, "type": "regular", "dependencies": [{"byName": ["FaceAccounts", condition]}]}
            for name, condition in (("Bare", None), ("Guarded", {"traits": ["Face"]}), ("FaceThing", None))]
    found = unconditional(Package(".", {"name": "sample", "products": [], "targets": face}))
    if [finding.split()[0] for finding in found] != ["Bare"]:
        sys.exit(f"error: the check of the trait Face does not find what it must: {found}")
    print(f"    the check finds all {len(expected)} violations of its sample and no other, and a dependency without its trait")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif sys.argv[1:] in ([], ["--write"]):
        check_repository(writes=bool(sys.argv[1:]))
    else:
        sys.exit(__doc__)
