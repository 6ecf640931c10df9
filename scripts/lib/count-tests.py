#!/usr/bin/env python3
"""Counts the tests of a `swift test` run from its output and prints "PASSED FAILED"; with files that end in .xml, the checks
in JUnit's form.

A run that broke off before its summary counts as nothing passed: a crash must never look like a success.
"""

import re
import sys
import xml.etree.ElementTree as xml

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SUMMARY = re.compile(r"^\W*Test run with (\d+) tests?\b.*\b(passed|failed) after\b")
FAILURE = re.compile(r"^\W*Test (?!run with |case ).+ failed after\b")


def count(lines):
    """Each summary line closes a run; the failures above it belong to it."""
    passed = failed = failures = 0
    for line in lines:
        line = COLOUR.sub("", line)
        if match := SUMMARY.match(line):
            total, broken = int(match[1]), failures
            # A run can fail without a failing test, for example by an issue recorded outside of any.
            if match[2] == "failed":
                broken = max(broken, 1)
            failed += broken
            passed += max(total - broken, 0)
            failures = 0
        elif FAILURE.match(line):
            failures += 1
    return passed, failed + failures


def count_junit(paths):
    totals = [xml.parse(path).getroot() for path in paths]
    failed = sum(int(each.get("failures")) + int(each.get("errors", 0)) for each in totals)
    return sum(int(each.get("tests")) for each in totals) - failed, failed


if __name__ == "__main__":
    if sys.argv[1].endswith(".xml"):
        print(*count_junit(sys.argv[1:]))
        sys.exit()
    with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
        print(*count(log))
