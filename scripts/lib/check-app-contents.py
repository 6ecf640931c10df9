#!/usr/bin/env -S python3 -B
"""Links an app that adds Benji and logs in, and checks its content. It must ship nothing of face login, of a camera or
of a vendor. Types and explanations that only the server and the tools use are refused too.

    check-app-contents.py               fails when it ships more; the exit status is 3 if only docs/app-size.md is more
    than a
                                        tenth off
    check-app-contents.py --write       writes docs/app-size.md
    check-app-contents.py --self-test   proves that what must be refused is refused

The libraries are those that the product Benji brings by the manifest. They are compiled here for size, as an app's
release is, and linked with the swift-crypto of .build. That is built first if it is not there. As long as no source has
changed, nothing is compiled again."""

import collections
import hashlib
import json
import pathlib
import re
import subprocess
import sys

import vendor_names

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = ROOT / ".build/debug"
PLACE = ROOT / ".build/app-contents"
PAGE = ROOT / "docs/app-size.md"

APP = """
import Benji
import BenjiClient
import BenjiProtocol

struct NoNetwork: Transport {
    func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? { nil }

    func send(_ request: TransportRequest, timeout: Duration) async throws(TransportError) -> TransportResponse {
        throw TransportError(.noNetwork, at: request.url.origin, "this app has none")
    }
}

struct NoPage: AuthorizationPresenter {
    func present(_ offer: PageOffer) async -> PresentationOutcome { .cancelled }
}

@main struct App {
    static func main() async throws {
        let login = PhoneLogin(
            configuration: try .init(
                appID: "300000000001", appKey: "key", bundleID: "com.example.app", server: "https://gateway.example"),
            transport: NoNetwork(), keyStore: MemoryDeviceKeyStore())
        do { print(try await login.logIn(presenting: NoPage()).token) } catch { print(error.situation.rawValue) }
    }
}
"""

# The same app where it does not log in, and where it uses the same of swift-crypto for something else.
WITHOUT = """
@main struct App {
    static func main() async throws { print("no_network") }
}
"""
WITH_CRYPTO = """
import Crypto

@main struct App {
    static func main() async throws {
        let key = P256.Signing.PrivateKey()
        let code = HMAC<SHA256>.authenticationCode(for: [1], using: SymmetricKey(size: .bits256))
        let signature = try key.signature(for: SHA256.hash(data: Array(code)))
        let read = try P256.Signing.PublicKey(x963Representation: key.publicKey.x963Representation)
        print(read.isValidSignature(signature, for: SHA256.hash(data: Array(code))) ? "no_network" : "wrong")
    }
}
"""

VENDORS = vendor_names.pattern()

# Face login in a symbol as it is written in Swift: a word that begins as types and members do, not "surface" or
# "facets".
FACE = re.compile(r"\b[fF]ace([A-Z]|\b)|BenjiFace")

# The same in the bytes of a program, whose texts are searched as they are.
BYTES = re.compile(
    vendor_names.BYTES + rb"|camera"
    # "face_not_found" and "notFace", but not "surface", "interface" or "facets".
    + rb"|(?-i:(?<![A-Za-z])face(?![a-z])|(?<=[a-z0-9])Face(?![a-z]))",
    re.I)
# Where China Mobile has its terms, which every app shows.
TERMS = b"cmpassport.com"


# Types that only the server and the tools use: page requests and their answers, the carriers' policy, and explanations
# of rules and result codes. Also the types that apps use in tests.
SERVERS_TYPES = re.compile(
    r"\b(PageRequest|CarrierPolicy|CatalogueEntry|ScriptedCarrier)\b|\bPageRule\.(explanation|fix|source)\b")


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(str(word) for word in command[:4])} … failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def refused(symbol):
    """The part of a demangled symbol that an app must not ship, or `None`."""
    found = VENDORS.search(symbol) or FACE.search(symbol) or SERVERS_TYPES.search(symbol) or re.search(
        r"camera|AVCapture|AVFoundation|CodeTable|ResultCodes", symbol, re.I)
    return found[0] if found else None


def spoken(data):
    """Each text among the bytes of a program that an app must not ship, with the text around it."""
    for match in BYTES.finditer(data.replace(TERMS, bytes(len(TERMS)))):
        around = data[max(0, match.start() - 16):match.end() + 16].decode("utf-8", "replace")
        yield "".join(character if character.isprintable() else "·" for character in around)


def libraries():
    """The targets behind the product Benji, each after those that it uses, and the flags of the package."""
    manifest = json.loads(run("swift", "package", "--package-path", ROOT, "--scratch-path", PLACE / "manifest",
                              "dump-package"))
    targets = {target["name"]: target for target in manifest["targets"]}
    order = []

    def visit(name):
        if name in order or name not in targets:
            return
        for dependency in targets[name]["dependencies"]:
            visit(next(iter(dependency.values()))[0])
        order.append(name)

    for name in next(product["targets"] for product in manifest["products"] if product["name"] == "Benji"):
        visit(name)
    flags = ["-swift-version", manifest["swiftLanguageVersions"][-1], "-package-name", manifest["name"]]
    for setting in targets["Benji"]["settings"]:
        flags += ["-enable-upcoming-feature", setting["kind"]["enableUpcomingFeature"]["_0"]]
    return {name: ROOT / targets[name].get("path", f"Sources/{name}") for name in order}, flags


def crypto():
    """The flags to import swift-crypto, and its objects."""
    if not (BUILT / "Modules/Crypto.swiftmodule").exists():
        run("swift", "build", "--package-path", ROOT, "--target", "Crypto")
    flags = ["-I", BUILT / "Modules"]
    for map in sorted((ROOT / ".build/checkouts/swift-crypto/Sources").glob("*/include/module.modulemap")):
        flags += ["-Xcc", f"-fmodule-map-file={map}", "-Xcc", "-I", "-Xcc", map.parent]
    kinds = ("Crypto", "CryptoBoringWrapper", "CCryptoBoringSSL", "CCryptoBoringSSLShims", "CXKCP", "CXKCPShims")
    return flags, [file for kind in kinds for file in sorted((BUILT / f"{kind}.build").rglob("*.o"))]


def stamp(folders):
    digest = hashlib.sha256(run("swift", "--version").encode())
    for file in [ROOT / "Package.swift", pathlib.Path(__file__), pathlib.Path(vendor_names.__file__),
                 *(f for folder in folders for f in sorted(folder.rglob("*.swift")))]:
        digest.update(f"{file}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def link(folders, flags):
    """Compiles the libraries and the app for size, links and starts it. The program and each library's object."""
    offered, objects = crypto()
    built = {}
    # The modules of .build come last, so that these are imported where both have one.
    for name, sources in [*((name, sorted(folder.rglob("*.swift"))) for name, folder in folders.items()),
                          ("App", source("App", APP))]:
        built[name] = PLACE / f"{name}.o"
        run("swiftc", "-Osize", "-wmo", "-parse-as-library", "-suppress-warnings", *flags, "-I", PLACE, *offered,
            "-module-name", name, "-emit-module", "-emit-module-path", PLACE / f"{name}.swiftmodule", "-emit-object",
            "-o", built[name], *sources)
    return program("App", [*built.values(), *objects]), built


def source(name, text):
    """The files of a program of one file."""
    file = PLACE / f"{name}.swift"
    file.write_text(text, encoding="utf-8")
    return [file]


def program(name, objects):
    """A program without the sections that nothing refers to, which was started."""
    linked = PLACE / name
    run("swiftc", "-o", linked, "-Xlinker", "--gc-sections", "-lstdc++", *objects)
    if (said := run(linked).strip()) != "no_network":
        sys.exit(f"error: {name} said {said!r} and not no_network")
    return linked


def shipped(app):
    """The bytes of an app without Benji, without symbols, and those that Benji adds. swift-crypto is in neither: its
    size depends on what it was built for last."""
    offered, objects = crypto()

    def size(name, text, *more):
        built = PLACE / f"{name}.o"
        run("swiftc", "-Osize", "-wmo", "-parse-as-library", *offered, "-module-name", name, "-emit-object", "-o",
            built, *source(name, text))
        return stripped(program(name, [built, *more]))

    return {"without Benji": size("Without", WITHOUT),
            "what Benji adds": stripped(app) - size("WithCrypto", WITH_CRYPTO, *objects)}


def stripped(program):
    bare = program.with_suffix(".stripped")
    run("strip", "-o", bare, program)
    return bare.stat().st_size


def look(program, built):
    """Findings, and a row of figures for each library: its bytes, and its symbols in the app."""
    symbols = [line.split()[-1] for line in run("nm", "--defined-only", program).splitlines()]
    swift = [symbol for symbol in symbols if symbol.startswith("$s")]
    spelled = run("swift", "demangle", "--compact", input="\n".join(swift)).splitlines()
    findings = sorted({f"the app has the symbol {text}: {word}" for text in spelled if (word := refused(text))})
    for file in [program, *built.values()]:
        findings += [f"{file.name} has the text {text!r}" for text in sorted(set(spoken(file.read_bytes())))]
    counted = collections.Counter()
    for symbol in swift:
        if match := re.match(r"\$s(\d+)", symbol):
            counted[symbol[match.end():match.end() + int(match[1])]] += 1
    rows = []
    for name, file in built.items():
        if name != "App":
            text, data = run("size", file).splitlines()[1].split()[:2]
            rows.append((name, int(text) + int(data), counted[name]))
    return findings, rows


HEAD = """# What Benji adds to an app

`scripts/lib/check-app-contents.py --write` makes this page. It compiles the libraries that the product `Benji` brings
with `-Osize`, links them with an app that logs in, starts it, and reads its symbols. `make check` does the same: it
fails when a symbol or a text of the app speaks of face login, of a camera or of a vendor, when the app has a type or an
explanation that only the server and the tools use, and when a figure here is more than a tenth off.

| library | bytes | symbols in the app |
|---|---|---|
"""

LINKED = """
Bytes are machine code and constants of the library as it is compiled, before the linker drops what the app does not
use. Symbols are those that are left in the app.

| the app as it ships | bytes |
|---|---|
"""

TAIL = """
Linked with `--gc-sections` and without symbols (`strip`). What Benji adds is the difference between two programs with
swift-crypto, one of which logs in; on a phone there is no swift-crypto.

Linux counts without what only Apple's systems compile: the cellular transport, the key chain and the pages in UIKit;
`BenjiPageUIKit` is next to nothing here. On a phone these are added. swift-crypto is not counted: there it hands on to
CryptoKit, which is part of the system. A Mac would say more: `xcodebuild` with the release configuration of an app that
adds `Benji`, then `size -m` and `nm -U` of the program, or App Store Connect's report of sizes. That has not been done.

What only the server and the scripted carrier of tests need is in `BenjiPolicy`: the carriers' policy, and the dialects'
names. The situations of a face login are in `BenjiFaceProtocol`. One name is left that a vendor also bears:
`cmpassport.com`, where China Mobile has its terms.
"""


def page(rows, sizes):
    lines = [f"| `{name}` | {size} | {count} |\n" for name, size, count in rows]
    lines.append(f"| together | {sum(row[1] for row in rows)} | {sum(row[2] for row in rows)} |\n")
    linked = [f"| {name} | {size} |\n" for name, size in sizes.items()]
    return HEAD + "".join(lines) + LINKED + "".join(linked) + TAIL


def differs(rows, sizes, written):
    """The first fault of the page, or `None`. A figure may change by a tenth."""
    found = {match[1]: (int(match[2]), int(match[3]))
             for match in re.finditer(r"\| `(\w+)` \| (\d+) \| (\d+) \|", written)}
    if found.keys() != {row[0] for row in rows}:
        return "other libraries"
    for name, *figures in rows:
        for old, new in zip(found[name], figures):
            if abs(old - new) > max(old / 10, 200):
                return f"{name} {new}, not {old}"
    linked = {match[1]: int(match[2]) for match in re.finditer(r"^\| ([^|`]+) \| (\d+) \|$", written, re.M)}
    for name, size in sizes.items():
        if name not in linked or abs(linked[name] - size) > linked[name] / 10:
            return f"{name} {size}, not {linked.get(name)}"
    return None


def self_test():
    spelled = run("swift", "demangle", "--compact", input="\n".join([
        "$s9BenjiFace0B6EngineCMa", "$s13BenjiProtocol10CodeColumnV5geyanACvgZ", "$s13BenjiProtocol9CodeTableOMn",
        "$s16BenjiPageReports0B7RequestVMa", "$s5Benji10PhoneLoginCMa", "$s9BenjiPage10PageFacetsVMa"])).splitlines()
    found = [refused(text) is not None for text in spelled]
    if found != [True, True, True, True, False, False]:
        sys.exit(f"error: the check of an app's contents judges {list(zip(spelled, found))}")
    # Texts as a compiler lays them down: short ones in the instructions, longer ones among the constants.
    PLACE.mkdir(parents=True, exist_ok=True)
    source, built = PLACE / "SelfTest.swift", PLACE / "SelfTest.o"
    for text, is_refused in {
        "geyan": True, "camara": True, "onelogin": True, "ONE_LOGIN": True, "superId": True, "yi_dun": True,
        "cmpassport": True, "face_not_found": True, "face_session_incomplete": True,
        "a text of Geetest's": True, "Aliyun": True, "NetEase Yidun": True, "the phone's camera": True,
        "faceDiffers": True,
        "PhoneLogin": False, "getuid": False, "https://wap.cmpassport.com/terms": False, "surface": False,
        "the interface": False, "facets": False,
    }.items():
        source.write_text(f'public func text(_ number: Int) -> String {{ number == 1 ? "{text}" : "x" }}\n',
                          encoding="utf-8")
        run("swiftc", "-Osize", "-parse-as-library", "-module-name", "Compiled", "-emit-object", "-o", built, source)
        if bool(list(spoken(built.read_bytes()))) != is_refused:
            sys.exit(f"error: the check of an app's contents does not judge {text!r} in a compiled program as it must")
    rows = [("Benji", 100_000, 1000)]
    sizes = {"what Benji adds": 2_000_000}
    written = page(rows, sizes)
    if (differs(rows, sizes, written) or not differs([("Benji", 150_000, 1000)], sizes, written)
        or not differs([], sizes, written)
            or not differs(rows, {"what Benji adds": 2_500_000}, written)):
        sys.exit("error: the check of docs/app-size.md does not see what has changed")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    PLACE.mkdir(parents=True, exist_ok=True)
    folders, flags = libraries()
    now, kept = stamp(folders.values()), PLACE / "figures.json"
    rows = None
    if kept.exists() and (saved := json.loads(kept.read_text()))["stamp"] == now:
        rows, sizes = [tuple(row) for row in saved["rows"]], saved["sizes"]
    if rows is None:
        app, built = link(folders, flags)
        findings, rows = look(app, built)
        if findings:
            print(*findings, sep="\n")
            sys.exit(f"error: an app that adds Benji ships more than it runs: {len(findings)} symbols and texts. "
                     "Move them to the target of who needs them")
        sizes = shipped(app)
        kept.write_text(json.dumps({"stamp": now, "rows": rows, "sizes": sizes}))
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page(rows, sizes), encoding="utf-8")
    elif wrong := differs(rows, sizes, PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""):
        print(f"stale: docs/app-size.md ({wrong}); renew it with: make renew")
        sys.exit(3)
    print(f"    {', '.join(row[0] for row in rows)}: {sum(row[1] for row in rows) // 1000} kB, nothing of face "
          "login, a camera, a vendor or the server's tools")


if __name__ == "__main__":
    main()
