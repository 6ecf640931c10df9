#!/usr/bin/env python3
"""Holds every `import` to the manifests.

A target may import the toolchain's modules and what its manifest declares for it, and it declares nothing that it does
not import: so the manifests are a true picture of what depends on what. Which targets of ours one may depend on is
written down by hand (MAY_KNOW below), and some arrows are forbidden whatever is written (FORBIDDEN). A rule that names
a target or module that does not exist is a finding too. Each finding is one line, FILE:LINE: the fault and the remedy.

    check-imports.py               the packages of this repository, and docs/generated/arrows.md, which shows them;
                                   the exit status is 3 if nothing but that page is wrong
    check-imports.py --write       writes that page
    check-imports.py --self-test   proves on a throw-away package, and on rules with mistakes, that violations are found
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The exit status if only a generated page is out of date (scripts/check.sh).
STALE = 3

# Modules that come with Swift or with a system, and so need no declaration.
SYSTEM = set(
    """
    Swift Builtin _Concurrency _StringProcessing _Differentiation Cxx CxxStdlib Distributed Observation RegexBuilder
    Synchronization Foundation FoundationEssentials FoundationInternationalization FoundationNetworking FoundationXML
    Dispatch Glibc Musl Android WASILibc WinSDK Darwin Testing _Testing_Foundation XCTest PackageDescription
    PackagePlugin ObjectiveC os OSLog UIKit AppKit SwiftUI CoreGraphics QuartzCore CoreText CoreImage CoreMedia
    CoreVideo CoreML Vision Accelerate AVFoundation CoreTelephony Network SystemConfiguration Security CryptoKit
    CommonCrypto LocalAuthentication DeviceCheck AuthenticationServices SafariServices WebKit UserNotifications MachO
    Metal ImageIO UniformTypeIdentifiers
    """.split()
)

# Products whose modules are not named after them.
MODULES_OF_PRODUCT = {}

# Arrows that the design forbids: importing target (a whole name, as a pattern) → modules (likewise) and why.
FORBIDDEN = [
    (r"BenjiValues", r".*",
     "pages and messages share these values, and neither needs more for them, not even Foundation"),
    (r"BenjiPage", r"(?!BenjiValues$).*", "the page is laid out without any other dependency, not even Foundation"),
    (r"BenjiPageReports", r"(?!BenjiPage$).*",
     "it compiles as Embedded Swift together with BenjiPage, and nothing else"),
    (r"BenjiPageDesign", r"(?!BenjiPage(Reports)?$).*",
     "it compiles as Embedded Swift together with these two, and nothing else"),
    (r"BenjiProtocol", r"Benji(?!Values$).+", "both sides speak these words, so they know neither side"),
    (
        r"Benji(Client|PageUIKit|PageHTML|Protocol|Testing)?",
        r"BenjiFace\w*|BenjiPage(Reports|Design)|OneTap\w*|\w+Codes",
        "an app that only logs in ships neither camera code nor prose nor a vendor's codes",
    ),
    (r"OneTap(Shell|Page|Testing)", r"BenjiFace\w*|\w+Codes", "what the facades share knows none of them"),
    (
        r"Benji(Client|PageUIKit|PageHTML|Protocol|Face|FaceProtocol|FaceTexts)?|OneTap(Shell|Page|PageTypes)|"
        r"\w+(Codes|SDK|Sdk)|TYRZLogin",
        r"BenjiPolicy",
        "a phone is told what its page must show; the policy is the server's and the scripted carrier's",
    ),
    (r"BenjiFaceProtocol", r"Benji(?!Protocol$).*", "both sides speak these words, so they know neither side"),
    (r"Store|StoreConformance", r"GRDB\w*|Store(SQLite|Postgres|Rows)",
     "the store states promises; the drivers live next door"),
    (r"(?!StorePostgres$).*", r"CLibPQ", "PostgreSQL's library is called by its driver alone"),
    (r"StoreRows", r"GRDB\w*|Store(SQLite|Postgres)", "both drivers run its statements; it knows neither of them"),
    (
        r"Authority",
        r"Hummingbird\w*|HTTPTypes|NIO\w*|AsyncHTTPClient|GRDB\w*|Store(SQLite|Postgres)|Endpoints|Gateway|RADIUS",
        "the authority knows no HTTP, no SQL and no addresses",
    ),
    (
        r"Authority",
        r"OpenIDProvider|FaceAccounts|FaceMatching",
        "what OpenID and face login share is the authority's; it knows neither of them",
    ),
    (
        r"OpenIDProvider|FaceAccounts",
        r"Hummingbird\w*|HTTPTypes|NIO\w*|AsyncHTTPClient|GRDB\w*|Store(SQLite|Postgres)|(Face)?Endpoints|Gateway|"
        r"RADIUS",
        "they stand on the authority and know no HTTP, no SQL and no addresses, as it does",
    ),
    (r"AppAttest", r"Store\w*|Authority|GRDB\w*|Hummingbird\w*",
     "what Apple says of keys is checked without knowing apps or a store"),
    (r"OpenIDProvider", r"Face\w+", "a login on the web and a login by face know nothing of each other"),
    (r"FaceAccounts", r"OpenIDProvider", "a login by face and a login on the web know nothing of each other"),
    (
        r"(?!(Face\w+|JourneyTests|BenjiCommand|Administration)$).*",
        r"FaceMatching|FaceAccounts|FaceEndpoints",
        "number login is built without OpenCV; Administration and BenjiCommand alone import these, where the trait "
        "Face is on",
    ),
    (
        r"Administration",
        r"Hummingbird\w*|HTTPTypes|NIO\w*|AsyncHTTPClient|GRDB\w*|Store(SQLite|Postgres)|(Face)?Endpoints|"
        r"FaceMatching|Gateway|RADIUS",
        "orders stand on the authority and its providers, and know no HTTP, no SQL and no addresses",
    ),
    (r"Sightings", r"(?!BenjiProtocol$)(Benji\w*|RADIUS|Gateway|Store\w*|Authority|Endpoints)",
     "gateway and authority speak these words, so they know neither side"),
    (r"RADIUS", r"Gateway|Authority|Store\w*|Hummingbird\w*", "packets are bytes in, values out"),
    (r"SMPP", r".*", "PDUs are bytes in, values out"),
    (r"ShortMessageSending", r"Store\w*|Authority|Hummingbird\w*|GRDB\w*",
     "senders know neither codes nor apps nor a store"),
    (r"Gateway", r"Store\w*|Endpoints|GRDB\w*", "the gateway states sightings; it keeps nothing of the authority's"),
    (r"FaceMatching", r"Authority|FaceAccounts|Store\w*|(Face)?Endpoints|Hummingbird\w*|NIO\w*",
     "faces are looked at without knowing whose they are"),
    (r"(?!FaceMatching$).*", r"CFaceEngine", "the engine decides nothing; FaceMatching does"),
    (r"(?!Catalogue$).*", r"CCatalogueTables",
     "the files of explanations are read in one place, which refuses mistakes"),
    (r"(?!Gateway$).*", r"CPhoneNumbers",
     "a number is read where the network names it; everybody else has a PhoneNumber"),
    (r"(Face)?Endpoints", r"Store(SQLite|Postgres)|GRDB\w*", "only the composition root knows the drivers"),
    (r"Requests", r"Hummingbird\w*|HTTPTypes|NIO\w*|AsyncHTTPClient|GRDB\w*|Store(SQLite|Postgres)|Gateway|RADIUS",
     "whoever answers requests needs these rules, also without HTTP"),
]

# Modules that a program must not contain: its targets, a pattern of the modules, and why. Arrows are followed to their
# ends.
NEVER_LINKED = [
    ("BenjiGateway Gateway Link ServerHTTP ServerRuntime",
     r"Authority|OpenIDProvider|\w*Face\w*|\w*Endpoints|Administration|AppAttest|Callbacks|StoreRows|"
     r"Store(SQLite|Postgres)|Console|Sandbox",
     "a gateway forwards requests; it knows neither logins nor accounts nor a database"),
]

# Tests, what they share and benchmarks depend on what they like. Every other target is one of the product.
BESIDE_THE_PRODUCT = ("Tests/", "Server/Tests/", "Server/Benchmarks/")

# All dependencies of each target of the product on targets of ours. A new one is a decision: it is written here by
# hand, in the change that needs it; so is a new target.
MAY_KNOW = {
    "Benji": "BenjiClient BenjiPage BenjiPageUIKit BenjiProtocol",
    "BenjiClient": "BenjiProtocol",
    "BenjiFace": "Benji BenjiClient BenjiFaceProtocol BenjiFaceTexts BenjiPage BenjiPageUIKit BenjiProtocol",
    "BenjiFaceProtocol": "BenjiProtocol",
    "BenjiFaceTesting": "Benji BenjiClient BenjiFace BenjiFaceProtocol BenjiProtocol BenjiTesting",
    "BenjiFaceTexts": "BenjiPage",
    "BenjiPage": "BenjiValues",
    "BenjiPageDesign": "BenjiPage BenjiPageReports",
    "BenjiPageHTML": "BenjiPage",
    "BenjiPageReports": "BenjiPage",
    "BenjiPageUIKit": "BenjiPage",
    "BenjiPolicy": "BenjiProtocol",
    "BenjiProtocol": "BenjiValues",
    "BenjiServerAPI": "",
    "BenjiTesting": "Benji BenjiClient BenjiPolicy BenjiProtocol",
    "BenjiTransportCurl": "BenjiClient BenjiProtocol CCurl",
    "BenjiValues": "",
    "CCurl": "",
    "CMPassportCodes": "BenjiProtocol",
    "GeYanCodes": "BenjiProtocol OneLoginCodes",
    "GeYanSdk": "BenjiClient BenjiProtocol GeYanCodes OneTapCTypes OneTapPage OneTapPageTypes OneTapShell",
    "OneLoginCodes": "BenjiProtocol",
    "OneLoginSDK": "BenjiClient BenjiPage BenjiProtocol OneLoginCodes OneTapCTypes OneTapPage OneTapPageTypes "
                   "OneTapShell",
    "OneTapCTypes": "",
    "OneTapPage": "Benji BenjiClient BenjiPage BenjiPageUIKit BenjiProtocol OneTapPageTypes OneTapShell",
    "OneTapPageTypes": "BenjiPage OneTapCTypes",
    "OneTapShell": "Benji BenjiClient BenjiProtocol",
    "OneTapSMS": "Benji BenjiClient BenjiPage BenjiPageUIKit BenjiProtocol OneTapShell",
    "OneTapTesting": "Benji BenjiClient BenjiProtocol BenjiTesting OneTapShell",
    "SuperIDCodes": "BenjiFaceProtocol BenjiProtocol",
    "SuperIDSDK": """
        Benji BenjiClient BenjiFace BenjiFaceProtocol BenjiFaceTexts BenjiPage BenjiProtocol OneTapShell SuperIDCodes
        SuperIDSDKTypes""",
    "SuperIDSDKTypes": "",
    "TYRZLogin": "BenjiClient BenjiProtocol CMPassportCodes OneTapShell TYRZLoginTypes",
    "TYRZLoginTypes": "",
    "TYRZSDK": "Benji BenjiClient BenjiPage BenjiPageUIKit BenjiProtocol CMPassportCodes OneTapShell TYRZSDKTypes",
    "TYRZSDKTypes": "",
    "Administration": """
        Authority BenjiFaceProtocol BenjiPage BenjiPageReports BenjiPolicy BenjiProtocol FaceAccounts
        OpenIDProvider Requests Sightings Store""",
    "Console": """
        Administration Authority BenjiFaceProtocol BenjiPage BenjiPageHTML BenjiPageReports BenjiProtocol
        Catalogue Endpoints OpenIDProvider PageDesigner Requests ServerHTTP Store""",
    "AdministrationEndpoints": "Administration BenjiFaceProtocol BenjiProtocol Requests ServerHTTP Store",
    "AppAttest": "BenjiProtocol",
    "AppAttestModel": "AppAttest BenjiProtocol",
    "Authority": "AppAttest BenjiPolicy BenjiProtocol Requests ShortMessages Sightings Store",
    "BenjiCommand": """
        Administration AdministrationEndpoints AppAttest AppAttestModel Authority BenjiClient
        BenjiFaceProtocol BenjiPage BenjiPageDesign BenjiPageHTML BenjiPageReports BenjiPolicy BenjiProtocol
        BenjiTransportCurl Callbacks Catalogue Console Endpoints FaceAccounts FaceEndpoints FaceMatching
        Gateway Link Load OpenIDProvider PKCS11 PageDesigner Processes PrometheusMetrics RADIUS Requests SMPP
        Sandbox SandboxWeb ServerHTTP ServerRuntime Shop ShortMessageSending ShortMessages Sightings Store
        StorePostgres StoreSQLite""",
    "BenjiGateway": "BenjiProtocol Requests ServerRuntime",
    "Callbacks": "Authority BenjiProtocol Requests Store",
    "Catalogue": "BenjiPolicy BenjiProtocol CCatalogueTables",
    "CCatalogueTables": "",
    "CDatagrams": "",
    "CFaceEngine": "",
    "CLibPQ": "",
    "CMalloc": "",
    "CPageDesigner": "",
    "CPhoneNumbers": "",
    "CPKCS11": "",
    "CProcessor": "",
    "CSQLite": "",
    "Endpoints": """
        Authority BenjiFaceProtocol BenjiPage BenjiPageHTML BenjiPolicy BenjiProtocol CMPassportCodes
        Catalogue GeYanCodes Link OneLoginCodes OpenIDProvider Requests ServerHTTP Sightings Store
        SuperIDCodes""",
    "FaceAccounts": "Authority BenjiFaceProtocol BenjiFaceTexts BenjiProtocol FaceMatching Requests Sightings Store",
    "FaceEndpoints": """
        Authority BenjiFaceProtocol BenjiFaceTexts BenjiPage BenjiProtocol Endpoints FaceAccounts FaceMatching
        Requests ServerHTTP Store""",
    "FaceMatching": "BenjiFaceTexts BenjiProtocol CFaceEngine",
    "Gateway": "BenjiProtocol CDatagrams CPhoneNumbers CProcessor RADIUS Sightings",
    "OpenIDProvider": "Authority BenjiPage BenjiPolicy BenjiProtocol Requests Sightings Store",
    "PinnedDependencies": "",
    "PageDesigner": "BenjiPage CPageDesigner Requests ServerHTTP",
    "PKCS11": "Authority BenjiProtocol CPKCS11",
    "Processes": "",
    "PrometheusMetrics": "",
    "RADIUS": "BenjiProtocol",
    "Requests": "BenjiPage BenjiProtocol Sightings Store",
    "Sandbox": """
        AppAttest AppAttestModel Authority Benji BenjiClient BenjiPage BenjiProtocol BenjiTransportCurl
        Catalogue Endpoints OpenIDProvider RADIUS Requests ServerHTTP ShortMessages Store""",
    "SandboxWeb": """
        Authority BenjiClient BenjiPage BenjiPageHTML BenjiPolicy BenjiProtocol Catalogue Endpoints
        OpenIDProvider PageDesigner RADIUS Requests Sandbox ServerHTTP""",
    "SMPP": "",
    "ServerHTTP": "BenjiPage BenjiPageHTML BenjiProtocol Requests Sightings Store",
    "ServerRuntime": """
        BenjiPolicy BenjiProtocol CMalloc Gateway Link Processes PrometheusMetrics RADIUS Requests ServerHTTP
        Sightings""",
    "ShortMessageSending": "BenjiProtocol SMPP ShortMessages",
    "ShortMessages": "BenjiProtocol",
    "Sightings": "BenjiProtocol",
    "Store": "BenjiProtocol Sightings",
    "StorePostgres": "BenjiProtocol CLibPQ Sightings Store StoreRows",
    "StoreRows": "BenjiProtocol Sightings Store",
    "StoreSQLite": "BenjiProtocol CSQLite Processes Sightings Store StoreRows",
    "FacePuppet": "FaceMatching",
    "FacePuppetCommand": "FaceMatching FacePuppet",
    "Link": "BenjiProtocol Requests ServerHTTP Sightings Store",
    "Load": "BenjiClient BenjiProtocol Endpoints RADIUS Sandbox",
    "RedeemRace": "BenjiProtocol Sightings Store StoreSQLite",
    "Shop": "",
    "SendSMS": "BenjiProtocol SMPP ShortMessageSending ShortMessages",
    "ShopServer": "Shop",
}

# Modules that are there only where the package trait Face is on.
OF_FACE = {"FaceAccounts", "FaceEndpoints", "FaceMatching"}

# The same for some files of a target: path from the repository (a whole one, as a pattern) → modules and why.
FORBIDDEN_IN_FILES = [
    (
        r"Server/Sources/BenjiCommand/((Assembly|Configuration)/.*|Commands/ServeCommand\.swift)",
        r"AppAttestModel|Sandbox(Web)?|Load|Shop",
        "benji serve puts its server together without the sandbox, the load players and the shop; the demo sets the "
        "sandbox before the parts",
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
    """The manifest as SwiftPM reads it, benchmarks included. Its scratch folder is apart, so that a running build does
    not block it."""
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            ["swift", "package", "--package-path", str(folder), "--scratch-path", scratch, "dump-package"],
            capture_output=True,
            text=True,
            env=os.environ | {"BENJI_BENCHMARKS": "1"},
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
        """Whether a test target declares a program of another package, which is built with the tests and imported by
        nobody."""
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
                findings.append(
                    f"{manifest}:1: {name} has no folder {relative(folder, base)}; write it or remove the target")
            continue  # C: its dependencies are seen by the linker only
        declared = package.modules(target)
        available = set().union(*declared.values()) if declared else set()
        used = set()
        for file in files:
            for line, module, real in sorted(imports(file.read_text(encoding="utf-8"))):
                where = f"{relative(file, base)}:{line}:"
                used.add(module)
                if module in foreign:
                    findings.append(
                        f"{where} {name} imports {module} of {foreign[module]}; the arrow goes the other way")
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
                findings.append(
                    f"{where} {name} {verb} {module}, which its manifest does not declare; add it to {manifest}")
        for dependency, modules in declared.items():
            if not modules & used and not package.builds_program(target, dependency):
                findings.append(f"{manifest}:1: {name} declares {dependency} and never imports it; remove it")
    return list(dict.fromkeys(findings))


def unwritten(packages, may_know, base):
    """Arrows of the product that nobody has written down, and what is written down and not there."""
    findings, seen = [], set()
    ours = {name for package in packages for name in package.targets}
    for package in packages:
        where = f"{relative(package.folder / 'Package.swift', base)}:1:"
        for name, target in package.targets.items():
            if f"{relative(package.source_folder(target), base)}/".startswith(BESIDE_THE_PRODUCT):
                continue
            seen.add(name)
            if name not in may_know:
                findings.append(f"{where} {name} is not in MAY_KNOW of scripts/lib/check-imports.py; write there "
                                "what it depends on")
                continue
            known = set(may_know[name].split())
            depends = set().union(*package.modules(target).values()) & ours
            findings += [
                f"{where} {name} depends on {module}, which is no arrow of the design; see MAY_KNOW in "
                "scripts/lib/check-imports.py"
                for module in sorted(depends - known)]
            findings += [f"{where} {name} does not depend on {module}; take it out of MAY_KNOW"
                         for module in sorted(known - depends)]
    return findings + [f"there is no target {name}; take it out of MAY_KNOW" for name in may_know if name not in seen]


def linked(may_know, rules):
    """What the targets of a rule need although they must not, with the way to it."""
    findings = []
    for names, pattern, reason in rules:
        ways = {name: name for name in names.split()}
        waiting = list(ways)
        while waiting:
            name = waiting.pop(0)
            for module in may_know.get(name, "").split():
                if module not in ways:
                    ways[module] = f"{ways[name]} → {module}"
                    waiting.append(module)
        findings += [f"{ways[name]}: must not be linked there; {reason}"
                     for name in sorted(ways) if re.fullmatch(pattern, name)]
    return findings


def spellings(pattern):
    """Each alternative of a pattern without its groups, and each name that a (?!…) leaves out."""
    left_out, at = [], 0

    def alternatives():
        nonlocal at
        found, now = [], [""]
        while at < len(pattern) and pattern[at] != ")":
            begin = at
            if pattern[at] == "|":
                found, now, at = found + now, [""], at + 1
            elif pattern[at] == "(":
                is_left_out = pattern.startswith("(?!", at)
                at += 3 if is_left_out else 1
                inner = alternatives()
                at += 1
                if is_left_out:
                    left_out.extend(first + second for first in now for second in inner)
                    inner = [pattern[begin:at]]
                elif pattern[at:at + 1] == "?":
                    inner, at = [*inner, ""], at + 1
                now = [first + second for first in now for second in inner]
            else:
                now, at = [first + pattern[at] for first in now], at + 1
        return found + now

    return alternatives() + left_out


def dead(packages, forbidden, forbidden_in_files, base):
    """Names of rules that nothing is called by: such a rule refuses nothing."""
    modules = {name for package in packages for name in package.targets}
    for package in packages:
        for target in package.targets.values():
            modules.update(*package.modules(target).values())
    files = [str(relative(file, base)) for package in packages for target in package.targets.values()
             for file in package.source_folder(target).rglob("*.swift")]
    patterns = [(pattern, modules, "module") for importer, imported, _ in forbidden for pattern in (importer, imported)]
    for place, imported, _ in forbidden_in_files:
        patterns += [(place, files, "file"), (imported, modules, "module")]
    return list(dict.fromkeys(
        f"no {kind} is called {name.rstrip('$')}, which a rule of scripts/lib/check-imports.py names; mend it or "
        "take it out"
        for pattern, there, kind in patterns for name in spellings(pattern)
        if not any(re.fullmatch(name, one) for one in there)))


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
                    (module, declared) for declared, modules in package.modules(target).items()
                    for module in modules & ours)]
            folder = relative(package.source_folder(target), ROOT).parent
            folders.setdefault(folder, []).append(f"| `{name}` | {', '.join(found) or '—'} |")
    tables = "\n\n".join(
        f"| `{folder}/` | depends on |\n|---|---|\n" + "\n".join(sorted(rows, key=str.lower))
        for folder, rows in sorted(folders.items()))
    return f"""# All targets and all arrows

Made by `scripts/lib/check-imports.py --write`; do not edit. Each target, by folder, and those of ours that it depends
on; packages of others are in the manifests. An arrow with * depends on the package trait `Face`. The main lines are
drawn in [architecture.md](../architecture.md#the-arrows).

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
    findings += unwritten([root, server, shop], MAY_KNOW, ROOT) + dead([root, server, shop], FORBIDDEN,
                                                                       FORBIDDEN_IN_FILES, ROOT)
    findings += linked(MAY_KNOW, NEVER_LINKED)
    # The example knows Benji by HTTP only, as the app servers of other people do.
    findings += check(shop, {name: "Benji's own code" for name in [*root.targets, *server.targets]}, ROOT)
    if findings:
        print("\n".join(findings))
        sys.exit(f"error: {len(findings)} imports or dependencies do not fit the manifests")
    count = len(root.targets) + len(server.targets) + len(shop.targets)
    print(f"    {count} targets import exactly what they declare, and the {len(MAY_KNOW)} of the product what is "
          "written down")
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        print(f"stale: {relative(page, ROOT)} is not what the manifests say; renew it with: make renew")
        sys.exit(STALE)


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


# The sample's rules: an arrow is unwritten, one does not exist, a target is not listed, and one does not exist.
SELF_TEST_MAY_KNOW = {"Shared": "", "Base": "Spare", "Spare": "", "Honest": "Shared", "Gone": "Base"}

SELF_TEST_UNWRITTEN = """
Package.swift:1: Base does not depend on Spare; take it out of MAY_KNOW
Package.swift:1: Honest depends on Base, which is no arrow of the design; see MAY_KNOW in scripts/lib/check-imports.py
Package.swift:1: Liar is not in MAY_KNOW of scripts/lib/check-imports.py; write there what it depends on
there is no target Gone; take it out of MAY_KNOW
"""

# Rules with names that match nothing: an importing and an imported target, one of a group, an exclusion, and a file.
SELF_TEST_RULES = [
    (r"Honest|Lost", r"Base|CPQ", ""), (r"(?!(Spare|Away)$).*", r"(Sha|Fla)red|Sp\w+", ""),
    (r"(Un)?Honest", r"Li(?!ar$).*", "")]
SELF_TEST_FILE_RULES = [(r"Sources/(Honest/.*|Liar/b\.swift)", r"Base", "")]
SELF_TEST_DEAD = {"Lost", "CPQ", "Away", "Flared", "UnHonest", "Li(?!ar$).*", r"Sources/Liar/b\.swift"}


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
        sample = [Package(folder, dump(folder))]
        unlisted = unwritten(sample, SELF_TEST_MAY_KNOW, folder)
        lost = {finding.split()[4].rstrip(",")
                for finding in dead(sample, SELF_TEST_RULES, SELF_TEST_FILE_RULES, folder)}
    expected = SELF_TEST_EXPECTED.strip().split("\n")
    if sorted(found) != sorted(expected):
        print("missing:", *sorted(set(expected) - set(found)), sep="\n  ")
        print("too much:", *sorted(set(found) - set(expected)), sep="\n  ")
        sys.exit("error: the import check does not find what it must; repair scripts/lib/check-imports.py first")
    if unlisted != SELF_TEST_UNWRITTEN.strip().split("\n"):
        sys.exit("error: the check of what is written down does not find what it must:\n" + "\n".join(unlisted))
    ways = linked({"A": "B", "B": "C D", "C": "A", "D": "Far"}, [("A", "Far|Near", "for the self-test")])
    if ways != ["A → B → D → Far: must not be linked there; for the self-test"]:
        sys.exit("error: the check of what is linked does not find what it must:\n" + "\n".join(ways))
    if lost != SELF_TEST_DEAD:
        sys.exit(f"error: the check of the rules' names does not find what it must: {lost ^ SELF_TEST_DEAD}")
    face = [{"name": name, "type": "regular", "dependencies": [{"byName": ["FaceAccounts", condition]}]}
            for name, condition in (("Bare", None), ("Guarded", {"traits": ["Face"]}), ("FaceThing", None))]
    found = unconditional(Package(".", {"name": "sample", "products": [], "targets": face}))
    if [finding.split()[0] for finding in found] != ["Bare"]:
        sys.exit(f"error: the check of the trait Face does not find what it must: {found}")
    print(f"    the check finds all {len(expected)} violations of its sample and no other, arrows that nobody has "
          "written down, "
          "rules that name nothing, what must not be linked, and a dependency without its trait")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif sys.argv[1:] in ([], ["--write"]):
        check_repository(writes=bool(sys.argv[1:]))
    else:
        sys.exit(__doc__)
