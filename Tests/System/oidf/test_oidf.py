"""docs/oidf.md has each module of the plans once. Each has a test of its name, unless it does not apply."""

import ast
import re
from pathlib import Path

from support import oidf

FOLDER = Path(__file__).parent
DOCUMENT = FOLDER.parents[2] / "docs/oidf.md"


def present():
    trees = [ast.parse(path.read_text()) for path in FOLDER.glob("test_*.py")]
    return {each.name for tree in trees for each in tree.body if isinstance(each, ast.FunctionDef)
            and each.name.startswith("test_")}


def test_the_table_has_every_module_and_its_test(checks):
    text = DOCUMENT.read_text()
    checks.equal(oidf.faults(text, present()), [], "docs/oidf.md and the tests are in step")
    row = next(line for line in text.splitlines() if line.startswith("| `") and "| passed |" in line)
    name = row.split("`")[1]
    for spoiled, fault in (
            (text.replace(row, ""), f"{name} has 0 rows"), (text + "\n" + row, f"{name} has 2 rows"),
            (text.replace("| Basic OP | 38 | 27 |", "| Basic OP | 38 | 24 |"),
             "Basic OP: [38, 27, 11, 0] and not [38, 24, 11, 0]"),
            (text.replace(row, row.replace("| passed |", "| good |")), f"{name}: good is no result"),
            (text.replace(row, f"| `{name}` | Basic OP, Form Post OP | departs | |"),
             f"{name} departs without a reason")):
        checks.that(fault in oidf.faults(spoiled, present()), f"{fault} is found")
    checks.that(f"{name} passed, and there is no {oidf.test_of(name)}" in oidf.faults(
        text, present() - {oidf.test_of(name)}), "so is a test that is missing")
    checks.that("test_oidcc_nothing is of no module" in oidf.faults(text, present() | {"test_oidcc_nothing"}),
                "and one of no module")


def test_the_clauses_name_tests_that_there_are(checks):
    text = DOCUMENT.read_text()
    # A sentence in a literal of several lines is in one piece.
    swift = {path.stem: re.sub(r"\s+", " ", re.sub(r"\\\n\s*", "", path.read_text()))
             for path in (FOLDER.parents[2] / "Server/Tests").glob("*Tests/**/*Tests.swift")}
    clauses = re.findall(r"^\| §", text, re.M)
    checks.that(len(clauses) > 40, "every clause has a row", len(clauses))
    checks.equal(oidf.clause_faults(text, present(), swift), [],
                 "what the rows name is a module's test, one of ours or one of Swift's")
    for row in ("| §0 | x | y | `no-module` |", "| §0 | x | y | `test_nothing` |",
                "| §0 | x | y | `OpenIDDPoPTests` “nobody says this” |"):
        checks.equal(len(oidf.clause_faults(text + row, present(), swift)), 1,
                     f"a test that is not there is found: {row}")
