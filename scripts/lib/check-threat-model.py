#!/usr/bin/env python3
"""Holds four lists to the tests that they name.

docs/threat-model: every test that it quotes exists, and every weakness that the lab asserts is told.

docs/reports/related-entry-points.md: every test that it quotes exists, and every row names one or says "no test".

docs/migration/promises.md: every test that it quotes exists; every promise has one, or words of a line of
docs/migration/README.md that says why it cannot be.

Verification/camara-scenarios.tsv: every scenario that CAMARA publishes is in it by its id, with tests that exist or the
reason why it does not apply. docs/camara.md states their number. `--features FOLDER` compares the ids with CAMARA's own
.feature files, which are not in this repository (code/Test_definitions of NumberVerification r3.2, SimSwap r3.3 and
OTPValidation r3.2).

`--self-test` shows that a wrong quotation, an untold weakness, an entry point or a scenario without a test, and an
unanswered promise are found."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = "Verification/camara-scenarios.tsv"
# Whether a scenario's answer is the one that CAMARA asks for.
ANSWERS = ("as asked", "otherwise", "not applicable")
PLACES = (("Tests", "*.swift"), ("Server/Tests", "*.swift"), ("Tests/System", "*.py"))


def joined(text):
    """A source as one line, with each sentence in one literal: those that go on in the next line, those between three
    quotation marks, and those of adjacent literals."""
    text = re.sub(r"\\\n\s*", "", text)
    text = re.sub(r'"""\n *([^"\n]*)\n *"""', r'"\1"', text)
    return re.sub(r"\s+", " ", re.sub(r'"\s*\n\s*f?"', "", text))


def sources():
    """Every test file by its name, as one line of text. Files of one name are one text."""
    found = {}
    for folder, pattern in PLACES:
        for path in (ROOT / folder).rglob(pattern):
            if ".build" not in path.parts:
                found[path.name] = found.get(path.name, "") + joined(path.read_text())
    return found


def quotation_faults(page, tests):
    """Which tests that a page names are not there, a sentence each."""
    flat = re.sub(r"\s+", " ", page)
    for name in sorted(set(re.findall(r"`(\w+Tests)`", flat))):
        if f"{name}.swift" not in tests:
            yield f"there is no {name}"
    for name in sorted(set(re.findall(r"`([\w-]+\.py)`", flat))):
        if name not in tests:
            yield f"there is no {name}"
    # Texts that the lab prints with values have braces in the source.
    patterns = [re.sub(r"\\\{.*?\\\}", "[^”]+?", re.escape(sentence))
                for text in tests.values() for sentence in re.findall(r'f?"([^"\n]*\{[^"\n]*)"', text)]
    for quoted in re.findall(r"“([^”]+)”", flat):
        if not any(quoted in text for text in tests.values()) and \
                not any(re.search(pattern, quoted) for pattern in patterns if len(pattern) > 40):
            yield f"no test says: {quoted}"


def faults(page, tests):
    """The faults of the threat model, a sentence each."""
    yield from quotation_faults(page, tests)
    flat = re.sub(r"\s+", " ", page)
    for sentence in re.findall(r'"(NOT STOPPED[^"]*)"', " ".join(tests.values())):
        pattern = re.sub(r"\\\{.*?\\\}", "[^”]+?", re.escape(sentence))
        if not re.search(f"“{pattern}”", flat):
            yield f"the lab asserts what the page does not tell: {sentence}"


def entry_faults(page, tests):
    """The faults of the list of related entry points, a sentence each."""
    yield from quotation_faults(page, tests)
    lines = page.splitlines()
    for line, following in zip(lines, lines[1:] + [""]):
        is_row = line.startswith("| ") and not following.startswith("|--")
        if is_row and not re.search(r"“|`[\w-]+\.py`|no test|\bS\d\d\b|\bfield \d+\b|fuzz target", line):
            yield f"neither a test nor \"no test\": {line[:80]}"


def promise_faults(page, reasons, tests):
    """The faults of the list of promises, a sentence each. `reasons` is the page of promises that cannot be kept."""
    yield from quotation_faults(page, tests)
    given = " ".join(line.split("|")[1] for line in reasons.splitlines() if line.startswith("|"))
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    for promise, *_, answer in rows:
        if "shown by" in answer:
            continue
        named = re.findall(r"\*([^*]+)\*", answer)
        yield from (f"no line of what cannot be has: {words}" for words in named if words not in given)
        if not named and not re.search(r"“|`\w+\.py`|`scripts/", answer):
            yield f"neither a test nor a reason: {promise}"


def scenario_faults(table, page, tests):
    """The faults of the table of CAMARA's scenarios, a sentence each."""
    lines = [line.split("\t") for line in table.splitlines()]
    if not lines or lines[0] != ["release", "operation", "scenario", "answer", "tests", "note"]:
        yield "its first line is not release, operation, scenario, answer, tests, note"
        return
    counts, seen = {}, set()
    for line in lines[1:]:
        if len(line) != 6:
            yield f"not six columns: {line}"
            continue
        release, operation, scenario, answer, named, note = line
        if (operation, scenario) in seen:
            yield f"{operation} has {scenario} twice"
        seen.add((operation, scenario))
        counts[release] = counts.get(release, 0) + 1
        if answer not in ANSWERS:
            yield f"{scenario}: the answer is none of {', '.join(ANSWERS)}"
        if answer != "as asked" and not note:
            yield f"{scenario}: no reason"
        if (answer == "not applicable") == bool(named):
            yield f"{scenario}: {'a test of what does not apply' if named else 'no test'}"
        for test in named.split():
            suite, _, function = test.partition(".")
            if not re.search(rf"\bfunc {re.escape(function)}\(", tests.get(f"{suite}.swift", "")):
                yield f"{scenario}: there is no {test}"
    told = {f"{api} {release}": int(count)
            for count, api, release in re.findall(r"(\d+) of `([\w-]+) (r[\d.]+)`", page)}
    if told != counts:
        yield f"docs/camara.md says {told}, the table has {counts}"


def published(folder):
    """(operation, id) of each scenario in CAMARA's files."""
    return {(path.stem.split("-")[-1], scenario) for path in folder.glob("*.feature")
            for scenario in re.findall(r"(?m)^ *@(\S+) *$", path.read_text())}


def self_test(page, promised, reasons, tests):
    some = {"SomeTests.swift": '@Test("an attack that somebody tests")'}
    broken = ('checks.that(x,\n    "an attack "\n    f"that somebody tests")',
              '@Test(\n    """\n    an attack \\\n    that somebody tests\n    """\n)')
    planted = [
        ("`NoSuchTests` says so.", some), ("`no-such.py`", some), ("“an attack that nobody tests”", some),
        (page, {**tests, "x.py": 'checks.that(x, "NOT STOPPED at all: a hole that nobody wrote down")'}),
        *((page, {**tests, "x": joined(text.replace("an attack", "NOT STOPPED: a hole"))}) for text in broken),
    ]
    missed = [number for number, (text, found) in enumerate(planted) if not list(faults(text, found))]
    row = next(line for line in promised.splitlines() if "*iOS before 16*" in line)
    unanswered = [row.replace("*iOS before 16*", words)
                  for words in ("", "*what nobody wrote*", "“a test that nobody wrote”")]
    missed += [f"promise {text}" for text in unanswered
               if not list(promise_faults(promised.replace(row, text), reasons, tests))]
    missed += [f"entry point {row}" for row in ("| a route | |", "| a route | “an attack that nobody tests” |")
               if not list(entry_faults(row, some))]
    if list(faults("`SomeTests` “an attack that somebody tests”", some)):
        missed.append("right quotations")
    missed += [f"a quotation over lines: {text}" for text in broken
               if list(faults("“an attack that somebody tests”", {"SomeTests.swift": joined(text)}))]
    table, camara = (ROOT / SCENARIOS).read_text(), (ROOT / "docs/camara.md").read_text()
    row = next(line for line in table.splitlines() if "\tas asked\t" in line)
    other = row.replace(row.split("\t")[2], "a_new_one")
    spoilt = [
        table.replace(row + "\n", ""), table + row + "\n", table.replace(row, row.replace("as asked", "as it likes")),
        table.replace(row, other.replace(row.split("\t")[4], "")),
        table.replace(row, other.replace(row.split("\t")[4], "NoSuchTests.test")),
        table.replace(row, other.replace("as asked", "not applicable")), table.replace("\tnote", "\tnotes"),
    ]
    missed += [f"scenarios {number}" for number, text in enumerate(spoilt)
               if not list(scenario_faults(text, camara, tests))]
    if missed:
        sys.exit(f"the check misses planted faults: {missed}")


page = "\n".join(path.read_text() for path in sorted((ROOT / "docs/threat-model").glob("*.md")))
entries, promised, reasons = ((ROOT / f"docs/{name}.md").read_text() for name in (
    "reports/related-entry-points", "migration/promises", "migration/README"))
tests = sources()
if "--self-test" in sys.argv:
    self_test(page, promised, reasons, tests)
    sys.exit(0)
table = (ROOT / SCENARIOS).read_text()
wrong = [f"docs/threat-model: {sentence}" for sentence in faults(page, tests)]
wrong += [f"docs/reports/related-entry-points.md: {sentence}" for sentence in entry_faults(entries, tests)]
wrong += [f"docs/migration/promises.md: {sentence}" for sentence in promise_faults(promised, reasons, tests)]
wrong += [f"{SCENARIOS}: {sentence}"
          for sentence in scenario_faults(table, (ROOT / "docs/camara.md").read_text(), tests)]
if "--features" in sys.argv:
    listed = {tuple(line.split("\t")[1:3]) for line in table.splitlines()[1:]}
    files = published(Path(sys.argv[sys.argv.index("--features") + 1]))
    wrong += [f"{SCENARIOS}: lacks {' '.join(scenario)}" for scenario in sorted(files - listed)]
    wrong += [f"{SCENARIOS}: CAMARA does not have {' '.join(scenario)}" for scenario in sorted(listed - files)]
for sentence in wrong:
    print(sentence, file=sys.stderr)
quotes, scenarios = len(re.findall("“", page + entries + promised)), len(table.splitlines()) - 1
print(f"    {quotes} quotations of tests and {scenarios} scenarios of CAMARA's, all there" if not wrong
      else f"    {len(wrong)} faults")
sys.exit(1 if wrong else 0)
