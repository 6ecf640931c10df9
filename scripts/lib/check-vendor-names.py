#!/usr/bin/env python3
"""Refuses a vendor's name in the sources of SDK and server outside of the rooms that are the vendors'.

The code that every app links knows phones, carriers and situations. The words of one vendor's SDK stand with its facade
(Sources/Compatibility), and the answers of its server with its endpoints (Server/Sources/Endpoints). Comments count
too: a reader of the engine or the authority need not know the vendors. Each finding is one line, FILE:LINE: the
fault and the remedy.

    check-vendor-names.py               Sources/ and Server/Sources/
    check-vendor-names.py --self-test   proves on throw-away files that names are found, and others are not
"""

import pathlib
import re
import sys
import tempfile

import vendor_names

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The searched folders, and the names. To the server CAMARA is a standard like OpenID Connect; apps have neither.
AREAS = {"Sources": vendor_names.pattern(), "Server/Sources": vendor_names.pattern("camara")}

# The vendors' rooms, and why a folder is one.
ROOMS = {
    "Sources/Compatibility/CMPassportCodes": "China Mobile's codes",
    "Sources/Compatibility/GeYanCodes": "GeYan's codes",
    "Sources/Compatibility/OneLoginCodes": "OneLogin's codes",
    "Sources/Compatibility/SuperIDCodes": "SuperID's codes",
    "Sources/Compatibility/TYRZSDK": "a facade",
    "Sources/Compatibility/TYRZSDKTypes": "a facade's types",
    "Sources/Compatibility/TYRZLogin": "a facade",
    "Sources/Compatibility/TYRZLoginTypes": "a facade's types",
    "Sources/Compatibility/OneLoginSDK": "a facade",
    "Sources/Compatibility/GeYanSdk": "a facade",
    "Sources/Compatibility/SuperIDSDK": "a facade",
    "Sources/Compatibility/SuperIDSDKTypes": "a facade's types",
    "Sources/Compatibility/OneTapPageTypes": "the view model that GeYan and OneLogin share, with the pictures of both",
    "Server/Sources/BenjiCommand": "puts the interfaces together, and tells people which options an app needs that "
                                   "comes from a vendor",
    "Sources/BenjiPageDesign": "writes a page for each vendor's view model, and apps do not have it",
    "Server/Sources/Catalogue": "explains every vendor's codes",
    "Server/Sources/CCatalogueTables": "the same",
    "Server/Sources/Endpoints/CMPassport": "China Mobile's interface",
    "Server/Sources/Endpoints/GeYan": "GeYan's interface",
    "Server/Sources/Endpoints/OneLogin": "OneLogin's and OnePass's interface",
    "Server/Sources/Endpoints/ResultCodes": "every code column by its table",
    "Server/Sources/FaceEndpoints": "SuperID's interface, and its words on the wire",
    "Server/Sources/Sandbox/AppServer": "an app's server, as each interface is called",
}

# Names that stay outside of the rooms: file, pattern, and reason.
ALLOWED = [
    ("Sources/BenjiPolicy/Dialect+All.swift", r"\.?(cmpassport|onelogin|geyan|superid|camara)",
     "the names of dialects on the wire"),
    ("Sources/BenjiPolicy/CarrierPolicy.swift", r"\.(cmpassport|geyan|onelogin)|wap\.cmpassport\.com",
     "lifetimes by dialect, and the address of China Mobile's terms"),
    ("Sources/BenjiPage/Rules/PageReview+Elements.swift", r"cmpassport\.com",
     "the address by which China Mobile's terms are known"),
    ("Sources/BenjiPage/Layout/PageFacts.swift", r"wap\.cmpassport\.com",
     "the address of China Mobile's terms in a sample"),
    ("Sources/BenjiProtocol/Device/FacePath.swift", r"superid", "addresses on the wire, and the page that lists them"),
    ("Sources/BenjiFace/Engine/FaceEngine.swift", r"superid", "the dialect's name on the wire"),
    ("Sources/BenjiPageReports/PageRule+Texts.swift", r"NetEase Yidun|Aliyun",
     "where a rule is written, which apps do not have"),
    ("Server/Sources/FaceAccounts/FaceProvider+Server.swift", r'"superid \\\(name\)"',
     "the names of requests that the store remembers"),
    ("Server/Sources/Sandbox/Faults/SandboxStep.swift",
     r"(CMPassport|OneLogin|GeYan)Endpoints\.|\.(oneLogin|onePass|geyan)Server",
     "the step and the table of an address"),
    ("Server/Sources/Console/AppSnippets.swift", r"(?i)\w*(tyrz|onelogin|geyan|superid)\w*",
     "what an app that calls a facade copies"),
    ("Server/Sources/Console/ConsoleStrings.swift", r"TYRZLogin|SuperID", "in words, what two facades do"),
    ("Server/Sources/PageDesigner/Resources/words.js",
     r"OneLogin|GeYan|TYRZ\w+|tyrz\w*|ex_(onelogin|geyan)|China Mobile|个验", "for whom a page can be exported"),
    ("Server/Sources/PageDesigner/Resources/designer.js", r"ex_(onelogin|geyan|tyrz)|tyrz\w*|(one-login|ge-yan)",
     "the same"),
    ("Server/Sources/Authority/Apps/AppSetting.swift", r"TYRZLogin|个验|GeYan's",
     "in words, which documents a setting is for"),
]


# Sources, and files that are built into the server's program.
SUFFIXES = (".swift", ".h", ".c", ".m", ".cpp", ".hpp", ".modulemap", ".sql", ".js", ".css", ".mustache")


def lines_with_names(root):
    """(file, line number, line, names) for every line outside of the rooms that holds a name."""
    for area, names in AREAS.items():
        for file in sorted((root / area).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.suffix not in SUFFIXES or any(path.startswith(room + "/") for room in ROOMS):
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                if names.search(line):
                    yield path, number, line, names


def check(root, allowed, rooms=()):
    findings, used = [], set()
    for room in rooms:
        if not (root / room).is_dir():
            findings.append(f"{room}: is a room of no folder; take it out of scripts/lib/check-vendor-names.py")
    for path, number, line, names in lines_with_names(root):
        for index, (file, what, _) in enumerate(allowed):
            if file == path and re.search(what, line, re.I):
                used.add(index)
                line = re.sub(what, "", line, flags=re.I)
        if found := names.search(line):
            findings.append(f"{path}:{number}: names {found[0]}; move it to the vendor's facade or endpoints, or say "
                            "it without the name")
    for index, (file, what, _) in enumerate(allowed):
        if index not in used:
            findings.append(
                f"{file}:1: {what} is allowed and no longer there; take it out of scripts/lib/check-vendor-names.py")
    return findings


def self_test():
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place)
        for path, text in {
            "Sources/BenjiClient/a.swift": "import BenjiProtocol\n// As GeYan does.\nlet a = PhoneLogin()\nlet b: "
                                           "OneLogin\nlet myGE_YANThing = getuid()\n",
            "Sources/Compatibility/GeYanSdk/a.swift": "let geYan = 1\n",
            "Sources/BenjiProtocol/a.swift": 'case onelogin\nlet name = "onelogin, camara"\n',
            "Server/Sources/Authority/a.swift": "// CAMARA's interfaces.\n// As TYRZLogin prints it.\n",
            "Server/Sources/Endpoints/GeYan/a.swift": "// GeYan's interface.\n",
            "Server/Sources/Store/a.sql": "-- What super-id asks, and Aliyun.\n",
        }.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        found = [finding.split(";")[0] for finding in check(
            root, [("Sources/BenjiProtocol/a.swift", "onelogin", "a test"),
                   ("Sources/BenjiProtocol/b.swift", "tyrz", "stale")],
            ["Sources/Compatibility/GeYanSdk", "Server/Sources/Endpoints/Nobody"])]
    expected = [
        "Server/Sources/Endpoints/Nobody: is a room of no folder",
        "Sources/BenjiClient/a.swift:2: names GeYan", "Sources/BenjiClient/a.swift:4: names OneLogin",
        "Sources/BenjiClient/a.swift:5: names GE_YAN",
        "Sources/BenjiProtocol/a.swift:2: names camara", "Server/Sources/Authority/a.swift:2: names TYRZ",
        "Server/Sources/Store/a.sql:1: names super-id",
        "Sources/BenjiProtocol/b.swift:1: tyrz is allowed and no longer there",
    ]
    if found != expected:
        print(*found, sep="\n")
        sys.exit("error: the check for vendors' names does not find what it must; repair "
                 "scripts/lib/check-vendor-names.py first")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        findings = check(ROOT, ALLOWED, ROOMS)
        if findings:
            print("\n".join(findings))
            sys.exit(f"error: {len(findings)} names of vendors stand outside of their rooms")
        print(f"    no vendor's name outside of {len(ROOMS)} folders, but for {len(ALLOWED)} that are told")
