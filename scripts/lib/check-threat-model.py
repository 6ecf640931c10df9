#!/usr/bin/env python3
"""Holds docs/threat-model.md to the tests: every test that it quotes exists, and every weakness that the lab asserts is
told. `--self-test` shows that a wrong quotation and an untold weakness are found."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACES = (("Tests", "*.swift"), ("Server/Tests", "*.swift"), ("Tests/System", "*.py"))


def sources():
    """Every test file by its name, as one line of text; sentences that are broken over lines are joined."""
    found = {}
    for folder, pattern in PLACES:
        for path in (ROOT / folder).rglob(pattern):
            if ".build" not in path.parts:
                text = re.sub(r'"\s*\n\s*f?"', "", path.read_text())
                found[path.name] = re.sub(r"\s+", " ", text)
    return found


def faults(page, tests):
    """What is wrong, a sentence each."""
    flat = re.sub(r"\s+", " ", page)
    for name in sorted(set(re.findall(r"`(\w+Tests)`", flat))):
        if f"{name}.swift" not in tests:
            yield f"there is no {name}"
    for name in sorted(set(re.findall(r"`([\w-]+\.py)`", flat))):
        if name not in tests:
            yield f"there is no {name}"
    # What the lab prints with values in it stands in its source with braces.
    patterns = [re.sub(r"\\\{.*?\\\}", "[^”]+?", re.escape(sentence))
                for text in tests.values() for sentence in re.findall(r'f?"([^"\n]*\{[^"\n]*)"', text)]
    for quoted in re.findall(r"“([^”]+)”", flat):
        if not any(quoted in text for text in tests.values()) and \
                not any(re.search(pattern, quoted) for pattern in patterns if len(pattern) > 40):
            yield f"no test says: {quoted}"
    for sentence in re.findall(r'"(NOT STOPPED[^"]*)"', " ".join(tests.values())):
        pattern = re.sub(r"\\\{.*?\\\}", "[^”]+?", re.escape(sentence))
        if not re.search(f"“{pattern}”", flat):
            yield f"the lab asserts what the page does not tell: {sentence}"


def self_test(page, tests):
    planted = [
        (page + "\n`NoSuchTests` says so.", tests), (page + "\n`no-such.py`", tests),
        (page + "\n“an attack that nobody tests”", tests),
        (page, {**tests, "x.py": 'checks.that(x, "NOT STOPPED at all: a hole that nobody wrote down")'}),
    ]
    missed = [number for number, (text, found) in enumerate(planted) if not list(faults(text, found))]
    if missed:
        sys.exit(f"the check misses planted faults: {missed}")


page, tests = (ROOT / "docs/threat-model.md").read_text(), sources()
if "--self-test" in sys.argv:
    self_test(page, tests)
    sys.exit(0)
wrong = list(faults(page, tests))
for sentence in wrong:
    print(f"docs/threat-model.md: {sentence}", file=sys.stderr)
quotes = len(re.findall("“", page))
print(f"    {quotes} quotations of tests, all there" if not wrong else f"    {len(wrong)} faults")
sys.exit(1 if wrong else 0)
