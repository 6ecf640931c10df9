#!/usr/bin/env -S python3 -B
"""Refuses in the tests of make test what makes a test fail although the code is right.

    check-gate.py               the files of Tests/System that are in the gate with their support, and the Swift tests
    check-gate.py --self-test   proves that each planted violation is found, and nothing else

Refused in Python: a number as a time-out, `time.sleep`, a clock inside a check, and a draw without the run's seed.
Refused in Swift: `.timeLimit`, a sleep, a clock that is read, a draw without a seed, and a loop around `Task.yield()`
with a count or without end. A wait has the one patience (BENJI_PATIENCE) and no number. A line that must have such a
thing, or a function for tests of other parts, ends with a comment that begins with `gate:` and gives the reason. Tests
of other parts (`part`, TimingTests, RealFaceTests, RowBudgetTests) may judge time."""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/System/support"))

import suites  # noqa: E402

GATE = re.compile(r'^@pytest\.mark\.part\("gate"\)', re.M)
EXEMPT = re.compile(r"(?:#|//) gate: \S+ \S+ \S+")
# Calls whose argument at this place is a time-out.
WAITS = {"eventually": 1, "run": 1, "wait": 0, "settimeout": 0, "alarm": 0, "join": 0, "unready": 0}
LIMITS = ("timeout", "seconds")
CLOCKS = ("monotonic", "perf_counter")
DRAWS = ("random", "randrange", "randint", "choice", "choices", "sample", "shuffle", "uniform", "getrandbits")

SWIFT = (
    (re.compile(r"\.timeLimit\("), "a limit of its own; the runner has one against hanging"),
    (re.compile(r"\bTask\.sleep\(|\busleep\(|(?<![\w.])sleep\("), "a sleep; wait for the event"),
    (re.compile(r"\b(?:Continuous|Suspending)Clock(?:\(\))?\.now\b|\.measure\s*\{"),
     "a clock that is read; use a manual clock"),
    (re.compile(r"\bfor\s+_\s+in\s+\d[\d_]*\s*\.\.[.<][^{]*\{[^}]*Task\.yield\(\)"),
     "a loop that counts turns; wait for the event"),
    (re.compile(r"\b(?:while\b[^\n]*|repeat\s*)\{[^{}]*\bTask\.yield\(\)"),
     "a wait without an end; use eventually or until"),
    (re.compile(r"\.random\((?![^\n]*\busing:)|\bSystemRandomNumberGenerator\("), "a draw without a seed"),
)


def number(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)


def name_of(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def part_of(node):
    """The part that a test is marked for, or nothing."""
    for mark in getattr(node, "decorator_list", ()):
        if isinstance(mark, ast.Call) and name_of(mark) == "part" and mark.args:
            return mark.args[0].value
    return None


def of_python(text, is_test=True, part="gate"):
    """(line, reason) of each violation. `part` is that of the file's tests, unless they have another one by a mark."""
    found, lines = [], text.splitlines()

    def visit(node, holder):
        is_whole_test = isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        if (part_of(node) or (part if is_whole_test else "gate")) != "gate":
            return
        if isinstance(node, ast.FunctionDef) and EXEMPT.search(lines[node.lineno - 1]):
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            holder = node.name
        if isinstance(node, ast.Call):
            name = name_of(node)
            place = WAITS.get(name)
            if place is not None and len(node.args) > place and number(node.args[place]):
                found.append((node.lineno, "a number as a time-out; a wait has the one patience"))
            for word in node.keywords:
                if word.arg in LIMITS and number(word.value):
                    found.append((word.value.lineno, "a number as a time-out; a wait has the one patience"))
            if name == "sleep" and holder not in ("wait_a_second", "eventually"):
                found.append((node.lineno, "a sleep; wait for the event"))
            if name in CLOCKS and is_test:
                found.append((node.lineno, "a clock in a test; no test of the gate judges time"))
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            if isinstance(owner,
                          ast.Name) and owner.id == "random" and (name in DRAWS or name == "Random" and not node.args):
                found.append((node.lineno, "a draw without the run's seed"))
        for child in ast.iter_child_nodes(node):
            visit(child, holder)

    visit(ast.parse(text), None)
    return [(line, reason) for line, reason in found if not EXEMPT.search(lines[line - 1])]


def of_swift(text):
    lines, found = text.splitlines(), []
    for pattern, reason in SWIFT:
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            if not lines[line - 1].lstrip().startswith("//") and not EXEMPT.search(lines[line - 1]):
                found.append((line, reason))
    return sorted(found)


def findings():
    places = {path.name: path for path in (ROOT / "Tests/System").rglob("test_*.py")}
    tests = [places[name] for name in suites.PARTS["gate"] if name in places]
    for path in tests:
        yield from ((path, *each) for each in of_python(path.read_text(encoding="utf-8")))
    for path in set(places.values()) - set(tests):
        text = path.read_text(encoding="utf-8")
        if GATE.search(text):
            yield from ((path, *each) for each in of_python(text, part="another"))
    for path in suites.support_of(tests):
        yield from ((path, *each) for each in of_python(path.read_text(encoding="utf-8"), is_test=False))
    for folder in ("Tests", "Server/Tests"):
        for path in sorted((ROOT / folder).rglob("*.swift")):
            if not path.stem.endswith(("TimingTests", "RealFaceTests", "RowBudgetTests")):
                yield from ((path, *each) for each in of_swift(path.read_text(encoding="utf-8")))


PLANTED = '''
def test_planted(checks):
    eventually(lambda: True, 10)
    run(["true"], seconds=5)
    time.sleep(1)
    checks.that(time.monotonic() < 3, "quick")
    random.randrange(9)
    random.Random()
    process.wait(timeout=0.5)
    time.sleep(2)  # gate: a reason of words
    eventually(lambda: True)
    random.Random(seed).randrange(9)

def wait_a_second():
    time.sleep(1.01)

@pytest.mark.part("time")
def test_of_time(checks):
    time.sleep(1)
'''
PLANTED_SWIFT = '''
@Test(.timeLimit(.minutes(1))) func one() async {
    try await Task.sleep(for: .seconds(1))
    for _ in 0..<20 { await Task.yield() }
    let begin = ContinuousClock.now
    let n = Int.random(in: 0..<9)
    let m = Int.random(in: 0..<9, using: &generator)
    // Task.sleep(for: .seconds(1))
    usleep(5)  // gate: a reason of words
    while lab.run({ $0.isOpen }) { await Task.yield() }
    while let page = next() {
        log(page)
        await Task.yield()
    }
    while isOpen { close() }
    repeat { await Task.yield() } while isOpen
    await Task.yield()
}
'''


def self_test():
    lines = [line for line, _ in of_python(PLANTED)]
    swift = [line for line, _ in of_swift(PLANTED_SWIFT)]
    if sorted(lines) != [3, 4, 5, 6, 7, 8, 9] or swift != [2, 3, 4, 5, 6, 10, 11, 16]:
        sys.exit(f"error: the check of the gate finds lines {sorted(lines)} and {swift} of its samples")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if sys.argv[1:]:
        sys.exit(__doc__)
    every = list(findings())
    for path, line, reason in every:
        print(f"{path.relative_to(ROOT)}:{line}: {reason}")
    if every:
        sys.exit(f"error: {len(every)} places in tests of make test can fail although the code is right")
    return None


if __name__ == "__main__":
    main()
