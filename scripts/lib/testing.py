"""Runs tests and collects their results, for make test (gate.py), make proof (proof.py) and shake.sh (shake.py)."""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))

from stacks import stacks  # noqa: E402

# Seconds without a line of output after which a command hangs.
HANG = int(os.environ.get("BENJI_HANG", "900"))
# Descriptors: a test starts servers and databases of its own, and many tests run at once.
DESCRIPTORS = 32_768

# The groups of processes that run, and whether the run was stopped.
RUNNING, STOPPED = set(), threading.Event()

# Suites that make test leaves out, by their names: TimingTests are in proof's part `time`, RealFaceTests in `face`, and
# RowBudgetTests in `figures`.
TIMING, REAL_FACES, ROW_BUDGETS = r"\.\w*TimingTests\b", r"\.\w*RealFaceTests\b", r"\.\w*RowBudgetTests\b"
OTHER_PARTS = ("--skip", TIMING, "--skip", REAL_FACES, "--skip", ROW_BUDGETS)
# Tests that start at once on two threads starve each other.
WIDTH = ("--experimental-maximum-parallelization-width", "8")
# The server's tests by process. A target that is in neither list runs with the values: it opens no socket.
SOCKETS = (
    "CallbacksTests", "ConsoleTests", "EndpointsTests", "FacadeTests", "FaceEndpointsTests", "JourneyTests",
    "PageDesignerTests",
    "SandboxTests", "ShopTests", "ShortMessageSendingTests")
POSTGRES = ("StorePostgresTests",)


def targets(names, option):
    return [word for name in names for word in (option, rf"^{name}\.")]


# Name -> the arguments of `swift test` for one process of the server's tests.
SERVER_TESTS = {
    "values": [*targets((*SOCKETS, *POSTGRES), "--skip"), *OTHER_PARTS, *WIDTH],
    "sockets": [*targets(SOCKETS, "--filter"), *OTHER_PARTS, *WIDTH],
    "PostgreSQL": [*targets(POSTGRES, "--filter"), *OTHER_PARTS, "--no-parallel"],
}


def say(text):
    print(f"==> {text}", flush=True)


@dataclass
class Result:
    """The outcome of tests: how many checks held, and why each of the others failed, by the test's id."""

    held: int = 0
    failed: dict = field(default_factory=dict)
    seconds: float = 0
    processor: float = 0
    # By kind, where one command ran tests of several kinds.
    counts: dict = None

    def add(self, other):
        self.held += other.held
        self.failed |= other.failed
        self.seconds += other.seconds
        self.processor += other.processor
        return self


def reason_of(status, lines):
    """Why a command failed: its last line with an error, or else its last line."""
    errors = [line for line in lines if "error" in line.lower() or "hung" in line]
    found = (errors or [line for line in lines if line.strip()] or [""])[-1]
    return f"status {status}: {first_line(found)}"


def first_line(text):
    return next((line.strip()[:300] for line in str(text).splitlines() if line.strip()), "no reason was printed")


def processor_seconds():
    """The processor time of all programs that have ended and been waited for."""
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def raise_descriptors():
    """Allows as many open files as tests need, as far as this process may."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if most == resource.RLIM_INFINITY else min(DESCRIPTORS, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def run(command, log=None, shown=lambda line: True, **options):
    """Runs a command, shows its output and keeps it in `log`. The exit status, and the last lines.

    A command that prints nothing for HANG seconds is ended, after the stacks of all its processes were printed."""
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
        errors="replace", start_new_session=True, cwd=ROOT, **options)
    RUNNING.add(process.pid)
    printed, last = [time.monotonic()], []
    ended = threading.Event()

    def watch():
        while not ended.wait(min(5, HANG / 5)):
            if time.monotonic() - printed[0] > HANG:
                print(f"error: no output for {HANG} s from: {' '.join(map(str, command))}\n{stacks(process.pid)}",
                      flush=True)
                last.append(f"hung: it printed nothing for {HANG} s")
                os.killpg(process.pid, signal.SIGKILL)
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        with open(log, "w", encoding="utf-8") if log else open(os.devnull, "w", encoding="utf-8") as kept:
            for line in process.stdout:
                printed[0] = time.monotonic()
                kept.write(line)
                last[:] = [*last[-19:], line.rstrip("\n")]
                if shown(line):
                    sys.stdout.write(line)
                    sys.stdout.flush()
        return process.wait(), last
    except BaseException:
        stop()
        process.wait()
        raise
    finally:
        ended.set()
        RUNNING.discard(process.pid)


def stop():
    """Ctrl-C for every command that runs: each ends its own processes in order."""
    STOPPED.set()
    for group in list(RUNNING):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGINT)


def stop_on_signals():
    """Lets SIGTERM stop a run as Ctrl-C does."""
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))


def measured(work):
    """The result of `work()`, with the seconds and the processor time that it took."""
    began, used = time.monotonic(), processor_seconds()
    result = work()
    result.seconds, result.processor = time.monotonic() - began, processor_seconds() - used
    return result


def command(title, words, **options):
    """A command that holds if it ends with status 0."""
    def work():
        say(title)
        status, last = run(words, **options)
        if status == 0:
            return Result(held=1)
        return Result(failed={title: reason_of(status, last)})
    return measured(work)


class Beside:
    """A command that installs or builds beside other phases in which no test runs."""

    def __init__(self, title, words):
        self.title, self.began, self.log = title, time.monotonic(), tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT,
                                        start_new_session=True)
        RUNNING.add(self.process.pid)

    def result(self):
        """Waits for its end, and prints what it printed."""
        late = threading.Timer(HANG, os.killpg, (self.process.pid, signal.SIGKILL))
        late.start()
        _, status, used = os.wait4(self.process.pid, 0)
        late.cancel()
        self.process.returncode = os.waitstatus_to_exitcode(status)
        RUNNING.discard(self.process.pid)
        self.log.seek(0)
        said = self.log.read()
        say(self.title)
        print(said, end="", flush=True)
        seconds = {"seconds": time.monotonic() - self.began, "processor": used.ru_utime + used.ru_stime}
        if status == 0:
            return Result(held=1, **seconds)
        return Result(failed={self.title: reason_of(self.process.returncode, said.splitlines())}, **seconds)


def build(title, package, flags=(), *, products=(), environment=None):
    """Builds a package with its tests, or products of it."""
    what = [word for product in products for word in ("--product", product)] or ["--build-tests"]
    return command(title, [
        sys.executable, ROOT / "scripts/lib/build-progress.py", title, "--", "swift", "build", *what, "--package-path",
        package,
        *flags], env=os.environ | (environment or {}))


def swift_tests(title, package, arguments, runner=None, may_be_none=False):
    """Runs Swift tests that are built. `runner` is a program to run instead of `swift test`."""
    def shown(line):
        # A start of a test is not shown, nor XCTest's summary: no test uses XCTest.
        return not line.startswith(("◇", "↳", "Test Suite")) and "Executed 0 tests" not in line

    def work():
        say(f"testing {title}")
        with tempfile.TemporaryDirectory() as place:
            words = runner or ["swift", "test", "--skip-build", "--package-path", package]
            status, last = run([*words, "--xunit-output", f"{place}/tests.xml", *arguments], shown=shown)
            found = Result()
            for path in Path(place).glob("*.xml"):
                found.add(from_junit(path))
        if status != 0 and not found.failed:
            found.failed[f"{title}: all"] = f"status {status}, although no test failed: {last[-1] if last else ''}"
        elif not found.held and not found.failed and not may_be_none:
            found.failed[f"{title}: all"] = "no test ran"
        return found
    return measured(work)


def from_junit(path, name="{}/{}"):
    """The results in a JUnit file. `name` makes a test's id of its class and its name."""
    found = Result()
    for case in xml.parse(path).getroot().iter("testcase"):
        failure = case.find("failure")
        if failure is None:
            found.held += 1
        else:
            found.failed[name.format(case.get("classname"), case.get("name"))] = first_line(failure.get("message")
                                                                                            or failure.text)
    return found


def system_tests(title, arguments, may_be_none=False, prefix=()):
    """Runs tests of Tests/System. The ids of failures are pytest's, with the sentence of the check."""
    def work():
        say(title)
        with tempfile.TemporaryDirectory() as place:
            path = Path(place) / "checks.xml"
            status, last = run(
                [*prefix, ROOT / "scripts/system-tests.sh", *arguments],
                env=os.environ | {"BENJI_CHECKS_XML": str(path)})
            found = from_junit(path, "{} [{}]") if path.exists() else Result()
        if status == 5 and may_be_none:
            return found
        if status != 0 and not found.failed:
            found.failed[title] = f"status {status}: {last[-1] if last else ''}"
        elif not found.held and not found.failed:
            found.failed[title] = "no test ran"
        return found
    return measured(work)
