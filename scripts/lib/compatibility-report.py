#!/usr/bin/env -S python3 -B
"""Makes docs/generated/compatibility.md: every symbol that the documents promise, and the test that shows it.

    scripts/lib/compatibility-report.py              writes the page
    scripts/lib/compatibility-report.py --check      fails when a facade that is complete has a method, a property or a
    key
                                                 without a test; the exit status is 3 if only the page is stale
    scripts/lib/compatibility-report.py --self-test  shows that both are found

The symbols are in Verification/promised-symbols.tsv. check-ios.sh checks that a symbol exists, with that spelling and
those types. A test shows a symbol when it calls it. The call is looked for in the tests' code, not in comments, and a
@Test must get there. Of several the page names the one whose name mentions the symbol. Else it names the one nearest to
the call, and of those the one that calls the fewest other symbols."""

import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts/ios"), str(ROOT / "scripts/lib")]

from complete import COMPLETE  # noqa: E402
from promises import Promise, promises  # noqa: E402
from swift_tests import Tests, self_test as search_faults  # noqa: E402

PAGE = ROOT / "docs/generated/compatibility.md"
# Declarations without a life of their own: that they compile with the documented types is all that there is to show.
DECLARED = {"class", "protocol", "enumeration", "case", "structure", "field", "block"}
# The folders of each facade's tests, its own first.
FOLDERS = {
    "TYRZSDK": ["TYRZSDKTests", "FacadeScenarios"],
    "TYRZLogin": ["TYRZLoginTests", "FacadeScenarios"],
    "GeYanSdk": ["GeYanSdkTests", "FacadeScenarios", "OneTapPageTypesTests"],
    "SuperIDSDK": ["SuperIDSDKTests"],
    "OneLoginSDK": ["OneLoginSDKTests", "FacadeScenarios", "OneTapPageTypesTests"],
}
# Where no test's name speaks of the symbol, or another speaks of it better: how the name of the test begins that shows
# it. It must be among those that call it.
CHOSEN = {
    "TYRZSDK +registerAppId:appKey:": "TYRZSDK answers every scenario",
    "TYRZLogin +loginImplicitlyWithAppId:appkey:capaId:capaIdTime:scene:complete:": "TYRZLogin answers every scenario",
    "TYRZLogin +loginImplicitly:": "TYRZLogin answers every scenario",
    "TYRZLogin +cancel": "TYRZLogin answers every scenario",
    "SuperID updateAppUid:": "A first login hands over",
    "SuperID userCancelAuthorization": "Logging out keeps the binding",
    "GeYanSdk +preGetToken:": "A prefetch that goes well",
    "GeYanSdk +oneTapLogin:withViewModel:andCallback:": "A login on the page that is drawn",
    "GeYanSdk +stopLoading": "A login on the page that is drawn",
    "OneLogin +requestTokenWithViewController:viewModel:completion:": "A login on the real page",
}
# Classes that an app subclasses to hear something.
SUBCLASSED = {"SIDCameraManagerViewController", "SIDFaceFeatureViewController", "SIDSearchFaceViewController"}

HEAD = """# What the documents promise

Made by `scripts/lib/compatibility-report.py`; do not edit. Five documents print the interfaces of their
SDKs. Here is every symbol of theirs, and the test that calls it. The codes are on a
[page of their own](compatibility-codes.md).

`scripts/lib/check-ios.sh` compiles a line of Objective-C for each symbol against the headers that the facades give an
app, with the types that the document prints, and the documents' own samples ([testing.md](../testing.md)). Where
nothing but a declaration is promised, that is the proof, and the last column says "declared". Keys are those of the
dictionaries that blocks are called with.

`Tests/System/dialects/test_facades.py` runs the samples, translated to Swift, against a server; those of TYRZSDK, GeYan
and OneLogin on pages that are drawn with the stand-ins of UIKit too, where a finger ticks and taps.
"""


@cache
def tests_of(module: str) -> Tests:
    folders = [ROOT / "Tests/Compatibility" / name for name in FOLDERS[module]]
    return Tests([folder for folder in folders if folder.is_dir()])


def spellings() -> dict[str, set[tuple[str, str]]]:
    """For each selector the name and the first label that it has in Swift."""
    found: dict[str, set[tuple[str, str]]] = {}
    pattern = re.compile(
        r"@objc(?:\(([\w:]+)\))?\s*(?:#endif\s*)?(?:@\w+(?:\([^)]*\))?\s*)*"
        r"(?:(?:public|open|package|final|static|class|override|convenience|optional)\s+)*"
        r"(?:func\s+(\w+)|(init))\s*\(\s*(\w+)?")
    for path in (ROOT / "Sources/Compatibility").rglob("*.swift"):
        for selector, function, initializer, label in pattern.findall(path.read_text()):
            found.setdefault(selector or function, set()).add((function or initializer, label))
    # A declaration that only a header in C can make has its Swift name in itself.
    named = re.compile(r'^- \([^)]*\)\s*([^;]*?)\s*__attribute__\(\(swift_name\("(\w+)\((\w+)?', re.M)
    for path in (ROOT / "Sources/Compatibility").rglob("*.h"):
        for declared, function, label in named.findall(path.read_text()):
            selector = "".join(f"{part}:" for part in re.findall(r"(\w+):\(", declared))
            found.setdefault(selector, set()).add((function, label))
    return found


@cache
def overridden() -> str:
    """The text in which overrides are searched: the tests of the facades."""
    return "\n".join(path.read_text() for path in (ROOT / "Tests/Compatibility").rglob("*.swift"))


def calls(promise: Promise, swift: dict[str, set[tuple[str, str]]]) -> list[str]:
    """Patterns of code that uses the symbol."""
    symbol = re.escape(promise.symbol)
    match promise.kind:
        case "key":
            return [f'"{symbol}"']
        case "property" | "class property":
            return [rf"\.{symbol}\b"]
    patterns = []
    names = swift.get(promise.symbol, set())
    if promise.symbol.startswith("initWith"):
        label = promise.symbol.removeprefix("initWith").split(":")[0]
        names = names or {("init", label[0].lower() + label[1:])}
    for name, label in names or {(promise.symbol.split(":")[0], "")}:
        if promise.owner.endswith(("Delegate", "Protocol")):
            patterns.append(rf"\bfunc {name}\s*\(")
        elif name == "init":
            patterns.append(rf"\b{promise.owner}\s*\(\s*{label}\s*:")
        elif promise.owner in SUBCLASSED and f"override func {name}(" in overridden():
            patterns.append(rf"\boverride func {name}\s*\(")
        elif promise.kind == "instance method" and label == "":
            patterns.append(rf"\.\s*{name}\s*\(\)")
        elif promise.kind == "instance method" and label == "_":
            patterns.append(rf"\.\s*{name}\s*\(")
        elif label in {"", "_"}:
            patterns.append(rf"\b{promise.owner}\s*\.\s*{name}\s*[({{]")
        elif promise.kind == "class method":
            patterns.append(rf"\b{promise.owner}\s*\.\s*{name}\s*\(\s*{label}\s*:")
        else:
            patterns.append(rf"\.\s*{name}\s*\(\s*{label}\s*:")
    return patterns


def shown(promise: Promise, tests: Tests, swift) -> dict[tuple[str, str], int]:
    """The tests that call the symbol, and over how many declarations each gets there."""
    beside = folder = ""
    if promise.kind == "property":
        # The two view models are one class underneath; other types show by the middle of their names
        # (currentNetworkInfo).
        beside = f"{promise.owner}|OneTapViewModel" if promise.owner.endswith("AuthViewModel") else promise.owner[2:]
    elif promise.kind == "key":
        folder = f"/{FOLDERS[promise.module][0]}/"
    heard = promise.owner.endswith(("Delegate", "Protocol")) or promise.owner in SUBCLASSED
    chosen = CHOSEN.get(promise.name)
    for pattern in calls(promise, swift):
        found = tests.showing(pattern, beside, folder, through_types=heard, far=chosen is not None)
        if chosen:
            found = {test: steps for test, steps in found.items() if test[0].startswith(chosen)}
        if found:
            return found
    return {}


def words(symbol: str) -> set[str]:
    """The words of a symbol by how they begin, so that registerAppId finds "registers" and "registered"."""
    return {word.lower()[:6] for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", symbol) if len(word) > 3}


def best(promise: Promise, found: dict[tuple[str, str], int], breadth: Counter) -> tuple[str, str] | None:
    """The test that speaks of the symbol; else the one that is nearest to it, and of those the one that calls the
    fewest others. Of a property the one that has most of them: it goes through them, one by one."""
    name = promise.symbol.split(":")[0]
    many = -1 if promise.kind == "property" else 1

    def order(test: tuple[str, str]):
        spoken = sum(word in test[0].lower() for word in words(name))
        # One word of several says little.
        spoken = spoken if 2 * spoken >= len(words(name)) else 0
        return name not in test[0], -spoken, found[test], many * breadth[test], test
    return min(found, key=order, default=None)


def group(promise: Promise) -> str:
    if promise.kind == "key":
        return "Keys"
    return f"`{promise.owner}`" if promise.owner and promise.kind not in {"case", "field"} else "Types"


def row(promise: Promise, found: tuple[str, str] | None) -> str:
    if promise.kind in DECLARED:
        proof = "declared"
    elif found:
        proof = f"“{found[0]}” (`{found[1]}`)"
    else:
        proof = "no test yet"
    note = f"<br>{promise.note}" if promise.note else ""
    return f"| `{promise.symbol}`{note} | {promise.kind} | {proof.replace('|', chr(92) + '|')} |"


def report() -> tuple[str, dict[str, str], list[str]]:
    """The page, the part of it that speaks of each facade, and what complete facades lack."""
    swift, parts, lacking = spellings(), {}, []
    every = promises(ROOT)
    counts = [
        "| document | module | symbols | called by a test | declared | without a test | state |",
        "|---|---|---|---|---|---|---|",
    ]
    for module in dict.fromkeys(promise.module for promise in every):
        promised = [promise for promise in every if promise.module == module]
        tests = tests_of(module)
        found = [{} if promise.kind in DECLARED else shown(promise, tests, swift) for promise in promised]
        breadth = Counter(test for each in found for test in each)
        proofs = [best(promise, each, breadth) for promise, each in zip(promised, found)]
        declared = sum(promise.kind in DECLARED for promise in promised)
        missing = [
            promise for promise, proof in zip(promised, proofs) if promise.kind not in DECLARED and proof is None]
        state = "complete" if module in COMPLETE else "not complete yet"
        counts.append(
            f"| {promised[0].document} | `{module}` | {len(promised)} | {len(promised) - declared - len(missing)} | "
            f"{declared} | {len(missing) or ''} | {state} |")
        if module in COMPLETE:
            lacking += [f"{module} promises {promise.name}, and no test calls it" for promise in missing]
        lines = ["", f"## {promised[0].document}'s document: `{module}`"]
        groups = dict.fromkeys(group(promise) for promise in promised)
        for title in sorted(groups, key=lambda title: (title == "Keys", title != "Types")):
            lines += ["", f"### {title}", "", "| symbol | kind | shown by |", "|---|---|---|"]
            lines += [row(promise, proof) for promise, proof in zip(promised, proofs) if group(promise) == title]
        parts[module] = "\n".join(lines) + "\n"
    return "\n".join([HEAD, *counts]) + "\n" + "".join(parts.values()), parts, lacking


def faults(parts: dict[str, str], complete: list[str], written: str):
    for module in complete:
        if parts[module] not in written:
            yield f"stale: docs/generated/compatibility.md about {module}; renew it with: make renew"


def self_test() -> None:
    page, parts, _ = report()
    swift, missed = spellings(), search_faults()
    for module, part in parts.items():
        if list(faults(parts, [module], page)) or not list(faults(parts, [module], page.replace(part, part[:-9]))):
            missed.append(f"a page that was edited about {module}")
    for promise in promises(ROOT):
        if promise.kind not in DECLARED and shown(promise.misspelt, tests_of(promise.module), swift):
            missed.append(f"that no test calls {promise.misspelt.name}")
    if missed:
        sys.exit(f"error: the report on compatibility does not see {missed}")


def main() -> None:
    if "--self-test" in sys.argv:
        self_test()
        return
    page, parts, lacking = report()
    if "--check" not in sys.argv:
        PAGE.write_text(page)
        return
    for sentence in lacking:
        print(f"error: {sentence}", file=sys.stderr)
    if lacking:
        sys.exit(1)
    print(f"    {len(promises(ROOT))} promised symbols; held to their tests: {', '.join(COMPLETE) or 'none yet'}")
    stale = list(faults(parts, COMPLETE, PAGE.read_text()))
    print(*stale, sep="\n", end="\n" if stale else "")
    sys.exit(3 if stale else 0)


if __name__ == "__main__":
    main()
