#!/usr/bin/env -S python3 -B
"""Runs the tests of make test again and again under bad conditions, and keeps the count of runs without a failure.

    shake.py [N] [TEST...]   N runs (default 1), each under the next condition. TEST is a file of system tests or a
    module
                             of Swift tests.
    shake.py --status        prints for each test how often it passed in a row, and under which conditions

A test's count is kept in docs/reports/shake.tsv with the digest of its files. It begins again when these files change,
or when the test fails. The order of system tests is drawn in each run, and the seed is printed."""

import contextlib
import datetime
import os
import random
import signal
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import proof  # noqa: E402
import testing  # noqa: E402
from testing import ROOT, say  # noqa: E402

TABLE = ROOT / "docs/reports/shake.tsv"
BUSY = [sys.executable, "-c", "while True: pass"]


def modules():
    """The modules of Swift tests: module -> (the process that it runs in, its folder, folders that tests share)."""
    found = {}
    folders = [place for place in (*(ROOT / "Tests").iterdir(), *(ROOT / "Tests/Compatibility").iterdir())
               if place.is_dir()]
    shared = [place for place in folders if not place.name.endswith("Tests")
              and place.name not in ("System", "Compatibility")]
    for place in folders:
        # These are built with stand-ins only, in part `apple` of the proof.
        if place.name.endswith("Tests") and place.name not in ("BenjiAppleTests", "BenjiPageUIKitTests"):
            found[place.name] = ("SDK", place, shared)
    for place in (ROOT / "Server/Tests").iterdir():
        if place.name not in ("Support", "BenchmarkSupportTests"):
            process = ("sockets" if place.name in testing.SOCKETS
                       else "PostgreSQL" if place.name in testing.POSTGRES else "values")
            found[place.name] = (process, place, [ROOT / "Server/Tests/Support"])
    return dict(sorted(found.items(), key=lambda item: (item[1][0], item[0])))


MODULES = modules()
# The arguments of `swift test` for each process besides those of the gate.
PROCESSES = {
    "SDK": (ROOT, ()), "values": (ROOT / "Server", testing.WIDTH), "sockets": (ROOT / "Server", testing.WIDTH),
    "PostgreSQL": (ROOT / "Server", ("--no-parallel",))}


class Condition:
    """A way to run tests: programs that run alongside, a prefix of the command, and options of pytest."""

    def __init__(self, beside=(), prefix=list, workers="4", alone=False):
        self.beside, self.prefix, self.workers, self.alone = beside, prefix, workers, alone

    @contextlib.contextmanager
    def load(self):
        processes = [subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                      start_new_session=True)
                     for words in self.beside]
        try:
            yield
        finally:
            for process in processes:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def at_the_end_of_a_month():
    """A prefix that begins a command a drawn number of seconds, up to two minutes, before a month ends in UTC+8."""
    zone = datetime.timezone(datetime.timedelta(hours=8))
    now = datetime.datetime.now(zone)
    first = (now.replace(day=1, hour=0, minute=0, second=0, microsecond=0) + datetime.timedelta(days=32)).replace(day=1)
    before = random.SystemRandom().randrange(1, 120)
    say(f"the month ends after {before} s")
    library, offset = ROOT / ".build/clock.so", ROOT / ".build/clock.offset"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", library, ROOT / "Tests/System/support/clock.c"], check=True)
    offset.write_bytes(struct.pack("=q", int((first - now).total_seconds()) - before))
    return ["env", f"LD_PRELOAD={library}", f"CLOCK_OFFSET={offset}"]


CONDITIONS = {
    "quiet": Condition(),
    "two busy loops": Condition(beside=[BUSY, BUSY]),
    "one core, two busy loops": Condition(beside=[["taskset", "-c", "0", *BUSY]] * 2,
                                          prefix=lambda: ["taskset", "-c", "0"]),
    "idle priority, one busy loop": Condition(beside=[BUSY], prefix=lambda: ["chrt", "--idle", "0"]),
    "a busy disk and memory": Condition(beside=[["stress-ng", "--quiet", "--hdd", "2", "--vm", "1", "--temp-path",
                                                 "/tmp"]]),
    "1,024 descriptors": Condition(prefix=lambda: ["prlimit", "--nofile=1024:1024"]),
    "1 worker": Condition(workers="1"),
    "8 workers": Condition(workers="8"),
    "each file alone": Condition(alone=True),
    "the end of a month in UTC+8": Condition(prefix=at_the_end_of_a_month),
}


def files_of(test):
    """The files to which a test's count belongs: its own, and the support code that it imports."""
    if test in MODULES:
        _, own, shared = MODULES[test]
        return [str(place.relative_to(ROOT)) for place in (own, *shared)]
    files = [ROOT / "Tests/System/conftest.py", *(ROOT / "Tests/System").rglob(test)]
    # suites.py only says in which part a file is.
    files += [path for path in proof.suites.support_of(files) if path.name != "suites.py"]
    return [str(path.relative_to(ROOT)) for path in files]


def read():
    if not TABLE.exists():
        return {}
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]
    return {row[0]: {"digest": row[1], "runs": int(row[2]), "conditions": dict(
        (name, int(count)) for name, _, count in (each.rpartition(" x ") for each in row[3].split("; ") if each))}
            for row in rows}


def write(table):
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    lines = ["test\tdigest\truns without a failure\tconditions"]
    lines += [f"{test}\t{row['digest']}\t{row['runs']}\t"
              + "; ".join(f"{name} x {count}" for name, count in row["conditions"].items())
              for test, row in sorted(table.items())]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def counted(table, test, condition, failed):
    """Counts one run of a test."""
    now = proof.digest_of(files_of(test))[:16]
    row = table.get(test)
    if not row or row["digest"] != now or failed:
        row = table[test] = {"digest": now, "runs": 0, "conditions": {}}
    if not failed:
        row["runs"] += 1
        row["conditions"][condition] = row["conditions"].get(condition, 0) + 1


def run_under(name, condition, tests):
    """Runs tests under a condition: test → why it failed."""
    failed = {}
    seed = random.SystemRandom().randrange(1 << 32)
    say(f"condition: {name}; --seed {seed}")
    processes = {}
    for test in tests:
        if test in MODULES:
            processes.setdefault(MODULES[test][0], []).append(test)
    files = [test for test in tests if test not in MODULES]
    with condition.load():
        for process, chosen in processes.items():
            package, words = PROCESSES[process]
            found = testing.swift_tests(
                f"Swift: {process}", package, [*testing.targets(chosen, "--filter"), *testing.OTHER_PARTS, *words],
                runner=[*condition.prefix(), "swift", "test", "--skip-build", "--package-path", str(package)])
            for test, reason in found.failed.items():
                # A process that broke off counts against all its modules.
                module = test.split(".")[0]
                for each in [module] if module in chosen else chosen:
                    failed.setdefault(each, {})[test] = reason
        for group in [[each] for each in files] if condition.alone else [files] if files else []:
            found = testing.system_tests(
                f"{len(group)} files of system tests",
                ["--part", "gate", "--seed", str(seed), "--workers", condition.workers, *group],
                prefix=condition.prefix())
            for test, reason in found.failed.items():
                # A failure before the first test counts against every file of the group.
                for file in [each for each in group if each in test] or group:
                    failed.setdefault(file, {})[test] = reason
    return failed


def main():
    words = sys.argv[1:]
    every = [*MODULES, *proof.files_of("gate")]
    table = read()
    if words == ["--status"]:
        for test in every:
            row = table.get(test)
            fresh = row and row["digest"] == proof.digest_of(files_of(test))[:16]
            print(f"{row['runs'] if fresh else 0:4} {test}" + (f"  ({', '.join(row['conditions'])})" if fresh else ""))
        return
    number = int(words.pop(0)) if words and words[0].isdigit() else 1
    tests = words or every
    if unknown := set(tests) - set(every):
        sys.exit(f"error: not a test of make test: {', '.join(sorted(unknown))}")
    if subprocess.run([ROOT / "scripts/setup.sh", "--quiet", "--for", "proof"], check=False).returncode != 0:
        sys.exit(1)
    testing.raise_descriptors()
    os.environ.setdefault("SWIFT_BACKTRACE", "enable=no")
    bad = 0
    for _ in range(number):
        # The condition that these tests have been through least often.
        def times(condition):
            return sum(table.get(test, {"conditions": {}})["conditions"].get(condition, 0) for test in tests)
        name = min(CONDITIONS, key=times)
        failed = run_under(name, CONDITIONS[name], tests)
        for test in tests:
            counted(table, test, name, failed.get(test))
        write(table)
        for test, reasons in failed.items():
            bad += 1
            print(*(f"FAILED {each}: {reason}" for each, reason in reasons.items()), sep="\n")
        say(f"{name}: {len(tests) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
