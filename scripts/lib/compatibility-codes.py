#!/usr/bin/env -S python3 -B
"""Makes docs/generated/compatibility-codes.md: every code of the documents and of later releases, Benji's answer with
it, and the test that reaches it. A code without an answer has the vendor's situation that it belonged to.

    scripts/lib/compatibility-codes.py            writes the page
    scripts/lib/compatibility-codes.py --check    fails when a code that Benji answers is reached by no test; the exit
                                              status is 3 if only the page is stale
    scripts/lib/compatibility-codes.py --self-test  shows that both are found

The codes come from Verification/result-codes.tsv, which a test of CatalogueTests compares with the catalogue's columns.
A code counts as reached where a test that drives the SDK or the server quotes it, outside of comments. The tests that
compare the tables with each other do not count."""

import csv
import io
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts/lib"))

from swift_tests import without_comments  # noqa: E402

FACTS = ROOT / "Verification/result-codes.tsv"
PAGE = ROOT / "docs/generated/compatibility-codes.md"

# Where the tests are that get a table's codes from the running code.
EVIDENCE = {
    "cm_sdk": ["Tests/Compatibility/TYRZSDKTests"],
    "tyrz_sdk": ["Tests/Compatibility/TYRZLoginTests"],
    "tyrz_authtype": ["Tests/Compatibility/TYRZLoginTests", "Server/Tests/EndpointsTests/CMPassport"],
    "cm_phone": ["Server/Tests/EndpointsTests/CMPassport", "Tests/Compatibility/TYRZSDKTests"],
    "cm_verify": ["Server/Tests/EndpointsTests/CMPassport"],
    "tyrz_platform": ["Server/Tests/EndpointsTests/CMPassport", "Tests/Compatibility/TYRZLoginTests"],
    "onelogin": ["Tests/Compatibility/OneLoginSDKTests"],
    "onelogin_cocoa": ["Tests/Compatibility/OneLoginSDKTests"],
    "superid": ["Tests/Compatibility/SuperIDSDKTests"],
    "geyan": ["Tests/Compatibility/GeYanSdkTests"],
    "geyan_biz": ["Tests/Compatibility/GeYanSdkTests"],
    "geyan_cm": ["Tests/Compatibility/GeYanSdkTests"],
    "geyan_ct": ["Tests/Compatibility/GeYanSdkTests"],
    "geyan_cu": ["Tests/Compatibility/GeYanSdkTests"],
    # Release 3.0 renumbered GeYan's codes; the calls that it added answer these.
    "geyan_3": ["Tests/Compatibility/GeYanSdkTests/HandedPage"],
    "geyan_3_biz": ["Tests/Compatibility/GeYanSdkTests/HandedPage"],
    "geyan_gy_get_pn": ["Server/Tests/EndpointsTests/GeYan"],
    "onelogin_check_phone": ["Server/Tests/EndpointsTests/OneLogin"],
    "onepass_check_gateway": ["Server/Tests/EndpointsTests/OneLogin"],
    "camara": ["Server/Tests/EndpointsTests/CAMARA"],
}

HEAD = """# The codes of the documents

Made by `scripts/lib/compatibility-codes.py`; do not edit. The vendors' documents print result codes for their SDKs and
servers; later releases added some and renumbered others. Here is each, by table. `benji explain CODE` tells cause and
remedy in Chinese and English.

What stands before a test is what Benji answers with the code: a situation of Benji's own. In brackets are the carriers
and steps to which it is narrowed. `~` marks a situation for which the table has no code of its own, so that this one is
the nearest. A code without a test is never sent by Benji; what stands there is the situation of the vendor's that it
belonged to. A table whose SDK or server call is not here yet has its codes under "not reached yet". The kinds of
authentication are no results, and are not counted.
"""


def rows(text):
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


def tests(root=ROOT):
    """The text of every test that counts, by table and by the name of its suite or column."""
    found = {}
    for table, folders in EVIDENCE.items():
        files = [path for folder in folders for path in sorted((root / folder).rglob("*.swift"))]
        found[table] = {path.stem.split("+")[0]: "" for path in files}
        for path in files:
            found[table][path.stem.split("+")[0]] += without_comments(path.read_text())
    return found


def reaching(row, evidence):
    """The suites that name the code, alphabetically. Numbers may stand without quotation marks."""
    code = re.escape(row["code"])
    name = re.compile(rf'"{code}"|[(:,\[ ]{code}[),:\] ]' if row["code"].startswith("-") else rf'"{code}"')
    return [suite for suite, text in evidence.get(row["table"], {}).items() if name.search(text)]


def state(row, evidence):
    if row["table"] == "tyrz_authtype":
        return "kind"
    if not row["answered for"]:
        return "vendor"
    return "reached" if reaching(row, evidence) else "open"


def cell(text):
    return text.replace("|", "\\|").replace("~", "\\~")


def section(table, facts, evidence):
    first = facts[0]
    lines = [f"## `{table}`: {first['source']}", "",
             "| code | meaning | what Benji answers with it, or whose it was | test |",
             "|---|---|---|---|"]
    for row in facts:
        version = "" if row["version"] in row["source"] or row["version"] == "server" else f" ({row['version']})"
        suites = ", ".join(f"`{suite}`" for suite in reaching(row, evidence)[:2]) if row["answered for"] else ""
        answered = re.sub(r"\b([a-z]+(?:_[a-z]+)+|success|overloaded)\b(?![^\[]*\])", r"`\1`",
                          cell(row["answered for"]))
        what = answered or cell(row["whose it was"])
        lines.append(f"| {row['code']}{version} | {cell(row['meaning'])} | {what} | {suites} |")
    return "\n".join(lines) + "\n"


def page(facts, evidence):
    tables = {}
    for row in facts:
        tables.setdefault(row["table"], []).append(row)
    counts = ["| table | from | codes | reached by a test | the vendor's only | not reached yet |",
              "|---|---|---|---|---|---|"]
    for table, found in tables.items():
        states = [state(row, evidence) for row in found]
        counts.append(f"| `{table}` | {found[0]['source']} | {len(found)} | {states.count('reached')} | "
                      f"{states.count('vendor') or ''} | {states.count('open') or ''} |")
    return "\n".join([HEAD, *counts, "", *(section(table, found, evidence) for table, found in tables.items())])


# The one fault that does not fail a check of the rules.
STALE = "stale: docs/generated/compatibility-codes.md is not what is written now; renew it with: make renew"


def faults(facts, evidence, written):
    """The faults, a sentence each."""
    for row in facts:
        # A dialect whose SDK has no tests has no SDK yet; its page says "not reached yet".
        if state(row, evidence) == "open" and evidence.get(row["table"]):
            yield f"{row['table']} {row['code']}: Benji answers it for {row['answered for']}, and no test reaches it"
    if written != page(facts, evidence):
        yield STALE


def self_test(facts, evidence):
    written = page(facts, evidence)
    reached = next(row for row in facts if state(row, evidence) == "reached")
    blind = {**evidence, reached["table"]: {"NoTests": "nothing"}}
    planted = [
        list(faults(facts, evidence, written + "x")),
        [fault for fault in faults(facts, blind, page(facts, blind)) if reached["code"] in fault],
        list(faults(facts[:-1], evidence, written)),
    ]
    missed = [number for number, found in enumerate(planted) if not found]
    if missed:
        sys.exit(f"the check misses planted faults: {missed}")
    with tempfile.TemporaryDirectory() as folder:
        suite = Path(folder) / EVIDENCE[reached["table"]][0] / "CodeTests.swift"
        suite.parent.mkdir(parents=True)
        for text, expected in ((f'#expect(code == "{reached["code"]}")', ["CodeTests"]),
                               (f'// "{reached["code"]}"', [])):
            suite.write_text(text)
            if reaching(reached, tests(Path(folder))) != expected:
                sys.exit(f"the check is wrong about whether {text} reaches the code")


def main():
    # OpenID's codes are no vendor's, and stand for no situations.
    facts, evidence = [row for row in rows(FACTS.read_text()) if row["table"] != "openid"], tests()
    if "--self-test" in sys.argv:
        self_test(facts, evidence)
    elif "--check" in sys.argv:
        wrong = list(faults(facts, evidence, PAGE.read_text() if PAGE.exists() else ""))
        for sentence in wrong:
            print(f"codes: {sentence}", file=sys.stderr)
        print(f"    {len(facts)} codes" if not wrong else f"    {len(wrong)} faults")
        sys.exit(3 if wrong == [STALE] else 1 if wrong else 0)
    else:
        PAGE.write_text(page(facts, evidence))


if __name__ == "__main__":
    main()
