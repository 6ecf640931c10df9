"""make test: everything that must always hold. docs/testing.md describes it.

    gate.py [--flags FLAGS]             all of it
    gate.py -k redeem                   the Swift tests and system tests whose names have the word
    gate.py [arguments of pytest]       these system tests; without -k no Swift test runs
"""

import argparse
import json
import os
import random
import shutil
import sys
import time

import proof
from testing import (
    OTHER_PARTS, ROOT, SERVER_TESTS, Beside, Result, build, command, processor_seconds, raise_descriptors, say, stop,
    stop_on_signals,
    swift_tests, system_tests)

SERVER = ROOT / "Server"
APPLE = "the code for Apple's systems"
# Kinds of checks, by phase. Tests against stand-ins are counted in part `apple`.
KINDS = {"testing the SDK": "swift", "testing the server": "swift", "system tests": "system"}


class Phases:
    """The phases of a run, with their results. The last lines of a run come from it."""

    def __init__(self):
        self.began = time.monotonic()
        self.rows, self.all = [], Result()

    def add(self, name, result):
        self.rows.append((name, result))
        self.all.add(result)
        return not result.failed

    def counts(self):
        """Checks that held, by kind, for make proof."""
        held = dict.fromkeys(("swift", "system"), 0)
        for name, row in self.rows:
            if kind := KINDS.get(name.split(":")[0]):
                held[kind] += row.held
        return held

    def summary(self):
        lines = ["==> seconds of each phase, and of a processor"]
        lines += [f"    {row.seconds:5.0f} s {row.processor:5.0f} s  {name}" for name, row in self.rows]
        lines.append(f"    {time.monotonic() - self.began:5.0f} s {processor_seconds():5.0f} s  altogether")
        lines += [f"FAILED {test}: {reason}" for test, reason in self.all.failed.items()]
        lines.append(f"{self.all.held} passed, {len(self.all.failed)} failed")
        return "\n".join(lines)


def machine():
    """The state of the machine at the beginning, in one line."""
    memory = dict(line.split(":") for line in open("/proc/meminfo", encoding="utf-8"))
    free = int(memory["MemAvailable"].split()[0]) / 2 ** 20
    return (f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, {free:.1f} GiB of memory free, "
            f"{shutil.disk_usage(ROOT).free / 2 ** 30:.0f} GiB of disk free")


def words_of(arguments):
    """The pattern of `swift test` for pytest's -k, which joins words by "or"; None without -k."""
    at = arguments.index("-k") + 1 if "-k" in arguments else 0
    return "(?i)" + arguments[at].replace(" or ", "|") if 0 < at < len(arguments) else None


def standins():
    """Tests of the code for Apple's systems, unless part `apple` of the proof holds for exactly these sources."""
    if proof.standins_hold():
        say(f"{APPLE} is as part `apple` of make proof tested it")
        return None
    return swift_tests(f"{APPLE}, against stand-ins", ROOT, proof.without_quarantined(),
                       runner=[ROOT / "scripts/lib/test-standins.sh"])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--flags", default="", help=argparse.SUPPRESS)
    chosen, arguments = parser.parse_known_args()
    flags, pattern = chosen.flags.split(), words_of(arguments)
    phases = Phases()
    stop_on_signals()
    if not phases.add("set-up", command("set-up", [ROOT / "scripts/setup.sh", "--for", "test"])):
        sys.exit(phases.summary())
    raise_descriptors()
    # A crash is printed by the test itself; the backtracer can hang.
    os.environ.setdefault("SWIFT_BACKTRACE", "enable=no")
    seed = random.SystemRandom().randrange(1 << 32)
    say(machine())
    # Each uses one processor for its time.
    beside = [Beside("packages of PyPI", [ROOT / "scripts/system-tests.sh", "--tools"]),
              # The page designer, a part of the server, carries the page engine as WebAssembly.
              Beside("the page engine as WebAssembly", [ROOT / "scripts/lib/build-wasm.sh"])]
    try:
        if not arguments:
            phases.add("static rules", command("static rules", [ROOT / "scripts/check.sh", "--static"]))
        whole, filtered = not arguments, ["--filter", pattern] if pattern else None
        built = phases.add("building the SDK", build("building the tests of the SDK", ROOT, flags))
        made = [phases.add(f"{each.title}, meanwhile", each.result()) for each in beside]
        if built:
            if whole or filtered:
                phases.add("testing the SDK", swift_tests(
                    "the SDK", ROOT, filtered or [*OTHER_PARTS, *proof.without_quarantined()], may_be_none=not whole))
            if whole and (done := standins()):
                phases.add(APPLE, done)
        if all(made) and phases.add("building the server", build("building the server and its tests", SERVER, flags)):
            if whole:
                for name, words in SERVER_TESTS.items():
                    phases.add(f"testing the server: {name}", swift_tests(
                        f"the server: {name}", SERVER, [*words, *proof.without_quarantined()]))
            elif filtered:
                phases.add("testing the server", swift_tests("the server", SERVER, filtered, may_be_none=True))
            phases.add("system tests", system_tests(
                "system tests", ["--seed", str(seed), *(arguments or ["--part", "gate"])], may_be_none=bool(filtered)))
    except BaseException:
        stop()
        raise
    for warning in proof.warnings():
        print(f"warning: {warning}")
    (ROOT / ".build").mkdir(exist_ok=True)
    (ROOT / ".build/gate.json").write_text(json.dumps(phases.counts()), encoding="utf-8")
    print(phases.summary(), flush=True)
    sys.exit(0 if phases.all.held and not phases.all.failed else 1)


if __name__ == "__main__":
    main()
