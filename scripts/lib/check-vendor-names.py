#!/usr/bin/env python3
"""Refuses a vendor's name in the SDK's sources outside of the rooms that are the vendors'.

What every app links knows phones, carriers and situations. What only one vendor's SDK says stands with its facade
(Sources/Compatibility). Comments count too: whoever reads the engine need not know the vendors. Each finding is one line,
FILE:LINE: what is wrong and what to do.

    check-vendor-names.py               Sources/
    check-vendor-names.py --self-test   proves on throw-away files that names are found, and others are not
"""

import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# "PhoneLogin" is no vendor's.
NAMES = re.compile(r"geyan|ge_yan|(?<!ph)onelogin|one_login|onepass|tyrz|cmpassport|superid|camara|getui|geetest|个推|极验", re.I)

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
}

# Names that stay outside of the rooms: file, what stands there, and why.
ALLOWED = [
    ("Sources/BenjiPolicy/Dialect+All.swift", r"\.?(cmpassport|onelogin|geyan|superid|camara)", "the names of dialects on the wire"),
    ("Sources/BenjiPolicy/CarrierPolicy.swift", r"\.(cmpassport|geyan|onelogin)|wap\.cmpassport\.com", "lifetimes by dialect, and the address of China Mobile's terms"),
    ("Sources/BenjiPage/Rules/PageReview+Elements.swift", r"cmpassport\.com", "the address by which China Mobile's terms are known"),
    ("Sources/BenjiPage/Layout/PageFacts.swift", r"wap\.cmpassport\.com", "the address of China Mobile's terms in a sample"),
    ("Sources/BenjiFaceProtocol/FacePath.swift", r"superid", "addresses on the wire, and the page that lists them"),
    ("Sources/BenjiFace/Engine/FaceEngine.swift", r"superid", "the dialect's name on the wire"),
]


def lines_with_names(root):
    """(file, line number, line) for every line outside of the rooms that holds a name."""
    for file in sorted((root / "Sources").rglob("*")):
        path = file.relative_to(root).as_posix()
        if file.suffix not in (".swift", ".h", ".c", ".m", ".modulemap") or any(path.startswith(room + "/") for room in ROOMS):
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if NAMES.search(line):
                yield path, number, line


def check(root, allowed):
    findings, used = [], set()
    for path, number, line in lines_with_names(root):
        for index, (file, what, _) in enumerate(allowed):
            if file == path and re.search(what, line, re.I):
                used.add(index)
                line = re.sub(what, "", line, flags=re.I)
        if found := NAMES.search(line):
            findings.append(f"{path}:{number}: names {found[0]}; move it to the vendor's facade, or say it without the name")
    for index, (file, what, _) in enumerate(allowed):
        if index not in used:
            findings.append(f"{file}:1: {what} is allowed and no longer there; take it out of scripts/lib/check-vendor-names.py")
    return findings


def self_test():
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place)
        for path, text in {
            "Sources/BenjiClient/a.swift": "import BenjiProtocol\n// As GeYan does.\nlet a = PhoneLogin()\nlet b: OneLogin\n",
            "Sources/Compatibility/GeYanSdk/a.swift": "let geYan = 1\n",
            "Sources/BenjiProtocol/a.swift": 'case onelogin\nlet name = "onelogin, camara"\n',
        }.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        found = [finding.split(";")[0] for finding in check(
            root, [("Sources/BenjiProtocol/a.swift", "onelogin", "a test"), ("Sources/BenjiProtocol/b.swift", "tyrz", "stale")])]
    expected = [
        "Sources/BenjiClient/a.swift:2: names GeYan", "Sources/BenjiClient/a.swift:4: names OneLogin",
        "Sources/BenjiProtocol/a.swift:2: names camara", "Sources/BenjiProtocol/b.swift:1: tyrz is allowed and no longer there",
    ]
    if found != expected:
        print(*found, sep="\n")
        sys.exit("error: the check for vendors' names does not find what it must; repair scripts/lib/check-vendor-names.py first")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        findings = check(ROOT, ALLOWED)
        if findings:
            print("\n".join(findings))
            sys.exit(f"error: {len(findings)} names of vendors stand outside of their rooms")
        print(f"    no vendor's name outside of {len(ROOMS)} folders, but for {len(ALLOWED)} that are told")
