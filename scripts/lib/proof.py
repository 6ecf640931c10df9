#!/usr/bin/env -S python3 -B
"""make proof: everything that make test leaves out, in parts whose results are recorded. docs/testing.md describes it.

    proof.py                runs each part that has no result for the files as they are now
    proof.py --part kills   runs one part; several are joined by commas
    proof.py --status       prints which results are valid, and what the next run would do
    proof.py --self-test    proves on small commands that failed, flaky, stopped and stale work is recognised

A part is a list of steps: a file of system tests, a set of Swift tests, or a command. A part that was stopped continues
with its next step. A step with failures runs twice more, alone: what failed each time has failed, the rest is flaky.
"""

import argparse
import concurrent.futures
import contextlib
import csv
import datetime
import functools
import hashlib
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import testing  # noqa: E402
from testing import REAL_FACES, ROOT, ROW_BUDGETS, TIMING, Result, say  # noqa: E402

sys.path.insert(0, str(ROOT / "Tests/System/support"))

import suites  # noqa: E402

SERVER = ROOT / "Server"
REPORTS = ROOT / "docs/reports/proof"
# Results of parts that are under way.
STATE = ROOT / ".build/proof"
QUARANTINE = ROOT / "Tests/quarantine.tsv"
MOST_IN_QUARANTINE, DAYS_IN_QUARANTINE = 10, 14
FLOOR = ROOT / "Tests/floor.tsv"
# How often a step with failures runs, the first time included.
ATTEMPTS = 3

# Seconds for each parser in part `fuzz`; the short form is no result that holds.
SHORT = os.environ.get("SHORT") == "1"

# The files that a part reads. A result is valid as long as none of them changes. Reports of runs are read by none.
PROGRAM = (
    "Package.swift", "Sources", "Server/Package.swift", "Server/Sources", "Server/Tools", "Examples/Shop",
    "WebAssembly",
    "scripts/lib/build-wasm.sh")
PYTEST = ("Tests/System/conftest.py", "Tests/System/pytest.ini", "Tests/System/requirements.txt",
          "Tests/System/support")
SDK_TESTS = tuple(sorted(f"Tests/{place.name}" for place in (ROOT / "Tests").iterdir() if place.is_dir()
                         and place.name != "System"))
SWIFT_TESTS = (*SDK_TESTS, "Server/Tests")
DOCS = ("docs", "mkdocs.yml", ":(exclude)docs/reports")
STANDINS = ("Package.swift", "Sources", *SDK_TESTS, "Verification", "scripts/lib/test-standins.sh",
            "scripts/lib/common.sh")


@dataclass(frozen=True)
class Step:
    """`run(attempt, ids)` gives a Result; `ids` are the tests that failed before, if it is another attempt."""

    name: str
    run: object
    # The unit that it counts: system, swift, or command.
    kind: str = "command"


@dataclass(frozen=True)
class Part:
    name: str
    shows: str
    steps: object  # a function of the run's seed that lists the steps
    reads: tuple
    # Work that steps need: benchmarks, models, standins.
    needs: tuple = ()
    workers: int = 1


# Steps

def system(part, seed):
    """A step for each file that has tests of a part."""
    def step(name):
        return Step(name, lambda attempt, ids: testing.system_tests(
            name, ["--part", part, "--long", "--seed", str(seed), "--workers", "1", name]), "system")
    return [step(name) for name in files_of(part)]


@functools.cache
def files_of(part):
    """The files of system tests that have tests of a part."""
    mark = re.compile(rf'^(?:@|.*marks=)pytest\.mark\.part\("{part}"\)', re.M)
    places = {path.name: path for path in (ROOT / "Tests/System").rglob("test_*.py")}
    marked = {name for name, path in places.items() if mark.search(path.read_text(encoding="utf-8"))}
    return sorted({*suites.PARTS[part]} | marked)


def pattern(test):
    """The pattern that selects one Swift test: its id is Module.Suite/function(arguments)."""
    return "^" + re.escape(test.split("(")[0]) + r"\b"


def without_quarantined():
    """Arguments of `swift test` that leave out the tests in quarantine."""
    return [word for row in quarantine() if not row["test"].startswith("Tests/System/")
            for word in ("--skip", pattern(row["test"]))]


def swift(name, package, *arguments):
    def run(attempt, ids):
        # A process that broke off names no test.
        only = [word for each in ids if not each.endswith(": all") for word in ("--filter", pattern(each))]
        return testing.swift_tests(name, package, [*(only or arguments), "--no-parallel"])
    return Step(name, run, "swift")


def program(name, *words, **options):
    return Step(name, lambda attempt, ids: testing.command(name, words, **options))


def cold():
    """`make test` in a clone of the commit in an empty folder, and the optimiser over the whole product."""
    def run(attempt, ids):
        if commit().endswith(CHANGED):
            return Result(failed={
                "make test in an empty clone": "there are changes that are not committed, which a clone does not have"})
        with tempfile.TemporaryDirectory(prefix="benji-cold.") as place:
            cloned = testing.command("cloning the commit", ["git", "clone", "-q", ROOT, f"{place}/benji"])
            if cloned.failed:
                return cloned
            made = testing.command("make test in an empty clone", [f"{place}/benji/.ci/run"])
            if not made.failed:
                made.counts = json.loads((Path(place) / "benji/.build/gate.json").read_text(encoding="utf-8"))
                made.held = sum(made.counts.values())
            return made
    held = [each for row in quarantine() if not row["test"].startswith("Tests/System/")
            for each in ("--filter", pattern(row["test"]))]

    def quarantined(name, package):
        return Step(name, lambda attempt, ids: testing.swift_tests(name, package, [*held, "--no-parallel"],
                                                                   may_be_none=True), "swift")
    return [Step("make test", run), program("check-release", ROOT / "scripts/lib/check-optimised.py"),
            Step("system tests in quarantine", lambda attempt, ids: testing.system_tests(
                "system tests in quarantine", ["--quarantined"], may_be_none=True), "system"),
            *([quarantined("tests of the SDK in quarantine", ROOT),
               quarantined("tests of the server in quarantine", SERVER)] if held else [])]


def parts():
    return [
        Part("kills", "Nothing is lost or given twice when processes, disks and databases fail.", lambda seed: system(
            "kills", seed),
             (*PROGRAM, *PYTEST, "Server/Tests/StoreSQLiteTests", "docs/operations", "Examples/Callbacks",
              "Examples/LogVerifier"), workers=2),
        Part("cluster", "Pairs of gateways and nodes of an authority take over from each other.", lambda seed: system(
            "cluster", seed),
             (*PROGRAM, *PYTEST, "docs/operations", "deploy", "scripts/demo.sh")),
        Part("time", "Deadlines, memory and answers under attack are as promised.", lambda seed: [
            *system("time", seed), swift("Swift tests of time, SDK", ROOT, "--filter", TIMING),
            swift("Swift tests of time, server", SERVER, "--filter", TIMING)], (*PROGRAM, *PYTEST, *SWIFT_TESTS)),
        Part("browser", "Every web page works in Chromium.", lambda seed: system("browser", seed), (
            *PROGRAM, *PYTEST, "Tests/System/golden", "Examples", "packaging/npm", "docs/page.md", "Tests/PageGallery",
            "Tests/Compatibility",
            "Tests/BenjiPageTests"), needs=("standins",), workers=2),
        Part("face", "Face login works with real models and faces.", lambda seed: [
            *system("face", seed), swift("Swift tests of real faces", SERVER, "--filter", REAL_FACES)],
            (*PROGRAM, *PYTEST, *SWIFT_TESTS, "scripts/face"), needs=("models",)),
        Part("foreign", "Other people's programs and suites agree with Benji.", lambda seed: system("foreign", seed),
             (*PROGRAM, *PYTEST, "Tests/System/vectors", "docs/openapi", "docs/oidf.md", "docs/operations"),
             needs=("models",), workers=2),
        Part("operator", "Every command, sample and guide works, and mistakes are explained.", lambda seed: system(
            "operator", seed),
             (*PROGRAM, *PYTEST, *DOCS, "Examples", "Makefile", "README.md", "README.zh-CN.md", "Verification",
              "scripts/docs"),
             needs=("standins",), workers=2),
        Part("package",
             "The Debian package and the image install, run and go away.", lambda seed: system("package", seed),
             (*PROGRAM, *PYTEST, "packaging", "scripts/deb.sh", "scripts/image.sh", "scripts/lib",
              "docs/bill-of-materials.tsv", "docs/operations")),
        Part("figures", "Generated pages and tables of figures are up to date.", lambda seed: [
            program("static rules, generated pages and the size of an app", ROOT / "scripts/check.sh", "--figures"),
            swift("Swift tests of the benchmarks", SERVER, "--filter", r"^BenchmarkSupportTests\."),
            swift("Swift tests of what an hour of calls leaves", SERVER, "--filter", ROW_BUDGETS),
            *system("figures", seed)],
            (*PROGRAM, *PYTEST, *SWIFT_TESTS, *DOCS, "Server/Benchmarks", "Verification", "Specs", "scripts"),
             needs=("benchmarks", "models")),
        Part("apple", "An app compiles for iOS, ships only what it runs, and behaves against stand-ins.", lambda seed: [
            Step("the code for Apple's systems", lambda attempt, ids: testing.swift_tests(
                "the code for Apple's systems, against stand-ins", ROOT, [],
                runner=[ROOT / "scripts/lib/test-standins.sh"]), "swift"),
            program("checks that compile", ROOT / "scripts/check.sh", "--compiled",
                    env=os.environ | {"BENJI_STALE_WARNS": "1"}),
            program("the documentation with the SDK's modules", ROOT / "scripts/docs.sh"),
            program("the program without face login", sys.executable, "-B", ROOT / "scripts/lib/check-number-only.py"),
            *system("apple", seed)], (
                *PROGRAM, *PYTEST, *STANDINS, *DOCS, "Examples", "packaging/npm", "scripts/ios", "scripts/check.sh",
                "scripts/lib"),
            needs=("models", "standins")),
        Part("fuzz", "No input crashes or hangs a parser.", lambda seed: [
            # With the swift-crypto of the SDK's tests, so that it is not compiled again.
            program("self-test of the fuzzers", ROOT / "scripts/fuzz.sh", "--self-test",
                    env=os.environ | {"FUZZ_CRYPTO": "debug"}),
            program("every parser", ROOT / "scripts/fuzz.sh", "5" if SHORT else "60",
                    env=os.environ | {"FUZZ_CRYPTO": "debug"})],
            ("Package.swift", "Sources", "Server/Package.swift", "Server/Sources", "Fuzzing", "scripts/fuzz.sh",
             "scripts/lib/fuzz-build.sh")),
        Part("mutate", "Tests notice small changes of meaning.", lambda seed: [
            program("the short form", ROOT / "scripts/mutate.sh", "--short"),
            program("twelve changes that the seed draws", ROOT / "scripts/mutate.sh", "--count", "12", "--seed",
                    str(seed))],
            (*PROGRAM, "Server/Tests", "scripts/mutate.sh", "scripts/mutate", "scripts/lib/compiler_commands.py")),
        Part("cold", "An empty clone builds and passes make test.", lambda seed: cold(),
             (*PROGRAM, *PYTEST, *SWIFT_TESTS, *DOCS, "Examples", "Verification", "Specs", "deploy", "scripts",
              "Makefile", ".ci")),
    ]


def needed(name, flags):
    """Builds or fetches what steps need."""
    if name == "models":
        return testing.command("the models of face login, and portraits",
                               [ROOT / "scripts/face-models.sh", "--portraits"])
    if name == "standins":
        return testing.command(
            "building the code for Apple's systems against stand-ins",
            [ROOT / "scripts/lib/test-standins.sh", "--build-only"])
    return testing.build("building the benchmarks", SERVER, flags, environment={"BENJI_BENCHMARKS": "1"})


# Digests and results

def digest_of(places, root=ROOT):
    """Of the names and contents of the repository's files at these places, and of the compiler's version."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z", "--", *places], cwd=root, capture_output=True,
        check=True).stdout
    whole = hashlib.sha256(compiler().encode())
    for name in sorted(filter(None, listed.decode().split("\0"))):
        path = root / name
        if path.is_file():
            whole.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


@functools.cache
def compiler():
    return subprocess.run(["swift", "--version"], capture_output=True, text=True, check=False).stdout


def digest(part):
    """The tests of its own files are read too."""
    tests = []
    if any(place in part.reads for place in PYTEST):
        tests = [str(path.relative_to(ROOT)) for path in (ROOT / "Tests/System").rglob("test_*.py")
                 if part.name in suites.PARTS and path.name in files_of(part.name)]
    return digest_of((*part.reads, *tests))


def result_of(name):
    path = REPORTS / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def holds(name):
    """Whether a part's recorded result is `held`, for the files as they are now."""
    found = result_of(name)
    return bool(found) and found["verdict"] == "held" and \
        found["digest"] == digest(next(part for part in parts() if part.name == name))


def standins_hold():
    """Whether part `apple` tested the code for Apple's systems as it is now."""
    found = result_of("apple")
    return bool(found) and found["verdict"] == "held" and found["standins"] == digest_of(STANDINS)


def verdict(steps):
    if any(step["failed"] for step in steps.values()):
        return "failed"
    return "flaky" if any(step["flaky"] for step in steps.values()) else "held in short form" if SHORT else "held"


def without_sentence(test):
    """A test's id without the sentence of its check, and without the labels of a Swift function; as
    Tests/quarantine.tsv has it."""
    return test.removeprefix("Tests/System/").split(" [")[0].split("(")[0]


# Running

def attempted(step, quarantined=frozenset()):
    """Runs a step; a step with failures runs twice more, alone, to tell failed from flaky tests."""
    first = step.run(1, ())
    tries = [first.failed]
    while first.failed and len(tries) < ATTEMPTS and tries[-1] and not testing.STOPPED.is_set():
        tries.append(step.run(len(tries) + 1, tuple(first.failed)).failed)
    # By test: the sentence of a check may hold what a program printed.
    failed = [{without_sentence(test) for test in each} for each in tries]
    always = set.intersection(*failed) if len(tries) == ATTEMPTS else set()
    every = {test: reason for each in reversed(tries) for test, reason in each.items()}
    row = {"held": first.held, "counts": first.counts or {step.kind: first.held}, "failed": {}, "flaky": {},
           "quarantined": {},
           "seconds": round(first.seconds), "processor": round(first.processor)}
    for test, reason in every.items():
        name = without_sentence(test)
        kind = "quarantined" if name in quarantined else "failed" if name in always else "flaky"
        row[kind][test] = reason
    return row


class Run:
    """One run of a part: its state is kept after every step."""

    def __init__(self, part, state=STATE, reports=REPORTS, now=None):
        self.part, self.reports = part, reports
        self.path = state / f"{part.name}.json"
        self.digest = now or digest(part)
        self.lock = threading.Lock()
        kept = json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else {}
        if kept.get("digest") != self.digest:
            kept = {"part": part.name, "digest": self.digest, "commit": commit(),
                    "seed": random.SystemRandom().randrange(1 << 32),
                    "load": round(os.getloadavg()[0], 1), "date": datetime.date.today().isoformat(), "steps": {}}
        self.kept = kept

    def keep(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(self.kept, indent=1), encoding="utf-8")

    def run(self):
        quarantined = {without_sentence(row["test"]) for row in quarantine()}
        left = [step for step in self.part.steps(self.kept["seed"]) if step.name not in self.kept["steps"]]
        self.used = testing.processor_seconds()
        say(f"part {self.part.name}: {len(left)} steps"
            + (f", {len(self.kept['steps'])} done before" if self.kept["steps"] else ""))

        def do(step):
            if testing.STOPPED.is_set():
                return
            row = attempted(step, quarantined)
            if testing.STOPPED.is_set():
                return
            with self.lock:
                # Since another step ended: two may run at once.
                used, self.used = self.used, testing.processor_seconds()
                row["processor"] = round(self.used - used)
                self.kept["steps"][step.name] = row
                self.keep()
            print(f"    {self.part.name}: {step.name}: {row['held']} held, {len(row['failed'])} failed, "
                  f"{len(row['flaky'])} flaky, "
                  f"{row['seconds']} s", flush=True)

        with concurrent.futures.ThreadPoolExecutor(self.part.workers) as pool:
            try:
                list(pool.map(do, left))
            except BaseException:
                testing.stop()
                raise
        return self.finish()

    def finish(self):
        steps = self.kept["steps"]
        found = {key: self.kept[key] for key in ("part", "digest", "commit", "seed", "load", "date")}
        found |= {"verdict": verdict(steps), "seconds": sum(step["seconds"] for step in steps.values()),
                  "processor": sum(step["processor"] for step in steps.values()),
                  "held": sum(step["held"] for step in steps.values()),
                  "counts": added(step["counts"] for step in steps.values())}
        for kind in ("failed", "flaky", "quarantined"):
            found[kind] = {test: reason for step in steps.values() for test, reason in step[kind].items()}
        if self.part.name == "apple":
            found["standins"] = digest_of(STANDINS)
        self.reports.mkdir(parents=True, exist_ok=True)
        (self.reports / f"{self.part.name}.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n",
                                                             encoding="utf-8")
        self.path.unlink(missing_ok=True)
        return found


CHANGED = " with changes"


def commit():
    """The commit that is checked out, and whether files other than reports differ from it."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return git("rev-parse", "--short=8",
               "HEAD") + (CHANGED if git("status", "--porcelain", "--", ".", ":(exclude)docs/reports") else "")


# Quarantine and floor

def quarantine(path=QUARANTINE):
    """The rows of the table: test, since, symptom, number of the issue that mends it."""
    if not path.exists():
        return []
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t"))


def old_rows(path=QUARANTINE, today=None):
    """Every reason why the table breaks its own rules."""
    rows, today = quarantine(path), today or datetime.date.today()
    faults = [f"{path.name} has {len(rows)} rows, and may have {MOST_IN_QUARANTINE}"] if len(
        rows) > MOST_IN_QUARANTINE else []
    for row in rows:
        days = (today - datetime.date.fromisoformat(row["since"])).days
        if days > DAYS_IN_QUARANTINE:
            faults.append(f"{row['test']} has been in quarantine for {days} days: mend it (issue {row['issue']})")
    return faults


def warnings():
    """The lines that make test prints before its last lines."""
    rows = quarantine()
    return [*([f"{len(rows)} tests are in quarantine (Tests/quarantine.tsv)"] if rows else []), *old_rows()]


def added(rows):
    """The sums of counts by kind."""
    sums = {}
    for row in rows:
        for kind, count in row.items():
            sums[kind] = sums.get(kind, 0) + count
    return sums


def below_floor(counts):
    """Which kinds of checks have become fewer than Tests/floor.tsv allows."""
    rows = dict(line.split("\t")[:2] for line in FLOOR.read_text(encoding="utf-8").splitlines() if line
                and not line.startswith("#"))
    return [f"{counts.get(kind, 0)} checks of kind {kind}, and the floor is {least}" for kind, least in rows.items()
            if counts.get(kind, 0) < int(least)]


# The report

HEAD = """# Report of make proof

`make proof` writes this page. Each part has the commit for which it last ran. A result is valid until one of the files
changes that the part reads; `make proof ARGS=--status` prints which results are valid.

| part | shows | verdict | held | failed | flaky | commit | date | load | s | processor s |
|---|---|---|--:|--:|--:|---|---|--:|--:|--:|
"""


def report(found=None):
    causes = {without_sentence(row["test"]): f"{row['symptom']} (issue {row['issue']})" for row in quarantine()}
    lines, details = [], []
    for part in parts():
        row = found.get(part.name) if found is not None else result_of(part.name)
        if not row:
            lines.append(f"| {part.name} | {part.shows} | not run | | | | | | | | |")
            continue
        lines.append(f"| {part.name} | {part.shows} | {row['verdict']} | {row['held']} | {len(row['failed'])} | "
                     f"{len(row['flaky'])} | "
                     f"{row['commit']} | {row['date']} | {row['load']} | {row['seconds']} | {row['processor']} |")
        for kind in ("failed", "flaky", "quarantined"):
            details += [f"- {part.name}, {kind}: `{test}`: {reason.replace('|', ' ')}"
                        + (f". Cause: {causes.get(without_sentence(test), 'not known yet')}" if kind != "failed"
                           else "")
                        for test, reason in row[kind].items()]
    return HEAD + "\n".join(lines) + "\n" + ("\n## Tests that did not hold\n\n" + "\n".join(details) + "\n" if details
                                             else "")


def status():
    for part in parts():
        found, now = result_of(part.name), digest(part)
        under_way = STATE / f"{part.name}.json"
        word = "not run" if not found else found["verdict"] if found[
            "digest"] == now else f"{found['verdict']}, but its files have changed"
        if under_way.exists():
            kept = json.loads(under_way.read_text(encoding="utf-8"))
            if kept["digest"] == now:
                word += f"; stopped after {len(kept['steps'])} steps, which count"
        print(f"{part.name:10} {word}")


def self_test():
    """Plants a failing, a flaky and a stopped step, a stale result and old rows, and looks for each."""
    faults = []

    def expect(got, wanted, what):
        if got != wanted:
            faults.append(f"{what}: {got!r} and not {wanted!r}")

    tries = {"flaky": 0, "first": 0}

    def flaky(attempt, ids):
        tries["flaky"] += 1
        return Result(held=3, failed={"b::test [it holds]": "1 is not 2"} if tries["flaky"] == 1 else {})

    def first(attempt, ids):
        tries["first"] += 1
        return Result(held=1)

    def stop(attempt, ids):
        raise KeyboardInterrupt

    steps = [Step("first", first),
             Step("fails", lambda attempt, ids: Result(failed={"a::test [it holds]": "0 is not 1"})),
             Step("flaky", flaky)]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        subprocess.run(["git", "init", "-q", folder], check=True)
        (place / "read").write_text("1")
        (place / "report").write_text("1")
        with contextlib.redirect_stdout(io.StringIO()):
            part = Part("sample", "a sample", lambda seed: [*steps[:1], Step("stops", stop)], ("read",))
            with contextlib.suppress(KeyboardInterrupt):
                Run(part, place / "state", place / "reports", "d").run()
            testing.STOPPED.clear()
            part = Part("sample", "a sample", lambda seed: steps, ("read",))
            found = Run(part, place / "state", place / "reports", "d").run()
        expect(tries["first"], 1, "a step that was done before the stop runs once")
        expect(found["verdict"], "failed", "a part with a test that always fails")
        expect(list(found["failed"]), ["a::test [it holds]"], "the test that fails three times")
        expect(list(found["flaky"]), ["b::test [it holds]"], "the test that fails once of three times")
        expect(verdict({"x": {"failed": {}, "flaky": {"b": "c"}}}), "flaky",
               "a part with a flaky test never counts as held")
        before = digest_of(("read",), place)
        (place / "report").write_text("2")
        expect(digest_of(("read",), place), before, "a file that the part does not read leaves its digest")
        (place / "read").write_text("2")
        expect(digest_of(("read",), place) == before, False, "a file that the part reads changes its digest")
        table = place / "quarantine.tsv"
        table.write_text("test\tsince\tsymptom\tissue\n" + "a::test\t2026-01-01\tslow\t1\n" * 11)
        expect(len(old_rows(table, datetime.date(2026, 1, 2))), 1, "more than ten rows")
        expect(len(old_rows(table, datetime.date(2026, 1, 20))), 12, "rows older than fourteen days")
        began = time.monotonic()
        testing.HANG = 1
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status, last = testing.run([sys.executable, "-c",
                                        "import time; print('begun', flush=True); time.sleep(600)"])
        expect((status, last[-1][:5], time.monotonic() - began < 100), (-9, "hung:", True), "a command that hangs")
        expect("state S, in " in said.getvalue(), True, "its stacks")
    # A check that ends with status 3 has found a stale page only.
    for warns, status in (("1", 0), ("", 1)):
        done = subprocess.run([ROOT / "scripts/check.sh", "--one", "a stale page|proof.py --exit 3"],
                              capture_output=True, check=False,
                              env=os.environ | {"BENJI_STALE_WARNS": warns})
        expect(done.returncode, status, f"a stale page {'in make test' if warns else 'in part figures'}")
    if below_floor({}) == []:
        faults.append("a count below the floor is not noticed")
    if faults:
        sys.exit("error: make proof does not work as described:\n" + "\n".join(faults))
    print("    failed, flaky, stopped, stale, hanging and quarantined work is recognised")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--part", default="")
    parser.add_argument("--status", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--flags", default="", help=argparse.SUPPRESS)
    parser.add_argument("--exit", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.exit:
        sys.exit(chosen.exit)
    if chosen.self_test:
        return self_test()
    if chosen.status:
        return status()
    every = {part.name: part for part in parts()}
    names = [name for name in chosen.part.replace(",", " ").split() if name]
    if unknown := set(names) - set(every):
        sys.exit(f"error: there is no part {', '.join(sorted(unknown))}; the parts are: {', '.join(every)}")
    wanted = [every[name] for name in names] or [part for part in every.values() if not holds(part.name)]
    if not wanted:
        print("every part holds for the files as they are now")
        return None
    if os.geteuid() != 0:
        sys.exit("error: networks, full disks, captures and kills need root.\n       Run: sudo make proof")
    if testing.run([ROOT / "scripts/setup.sh", "--for",
                    "bench" if "figures" in {part.name for part in wanted} else "proof"])[0] != 0:
        sys.exit("error: the machine could not be set up (see above)")
    testing.raise_descriptors()
    testing.stop_on_signals()
    # A test prints nothing until it ends. The longest, test_schemathesis.py, may take 2,400 s (conftest.py, SLOWEST).
    testing.HANG *= 4
    os.environ.setdefault("SWIFT_BACKTRACE", "enable=no")
    flags = chosen.flags.split()
    if faults := old_rows():
        print(*(f"error: {fault}" for fault in faults), sep="\n")
    made = testing.command("packages of PyPI", [ROOT / "scripts/system-tests.sh", "--tools"])
    made.add(testing.build("building the tests of the SDK", ROOT, flags))
    made.add(testing.command("the page engine as WebAssembly", [ROOT / "scripts/lib/build-wasm.sh"]))
    made.add(testing.build("building the server and its tests", SERVER, flags))
    for need in dict.fromkeys(need for part in wanted for need in part.needs):
        made.add(needed(need, flags))
    if made.failed:
        sys.exit("\n".join(f"FAILED {what}: {why}" for what, why in made.failed.items()))
    bad = list(faults)
    for part in wanted:
        found = Run(part).run()
        print(f"==> part {part.name}: {found['verdict']}", flush=True)
        for kind in ("failed", "flaky", "quarantined"):
            print(*(f"{kind.upper()} {test}: {reason}" for test, reason in found[kind].items()), sep="\n",
                  end="\n" if found[kind] else "")
        bad += [] if found["verdict"].startswith("held") else [part.name]
        (REPORTS / "README.md").write_text(report(), encoding="utf-8")
    say(f"the report: {(REPORTS / 'README.md').relative_to(ROOT)}; commit it with docs/reports/proof")
    results = [result_of(name) for name in every]
    if all(results):
        counts = added(row["counts"] for row in results)
        say(f"gate and proof together: {counts}")
        if fewer := below_floor(counts):
            print(*(f"error: {fault}" for fault in fewer), sep="\n")
            bad += fewer
    return sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
