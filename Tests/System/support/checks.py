"""How a test says what it found, each check by its sentence, and what it starts, which goes away with it."""

import atexit
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest

# Seconds of every wait for a condition. No test is about them: a machine that is slow or busy needs them.
PATIENCE = float(os.environ.get("BENJI_PATIENCE", 180))
# Seconds after which a test counts as hanging.
HANG = int(os.environ.get("BENJI_HANG", 900))


class Stop(Exception):
    """The test cannot go on; earlier findings remain valid."""


class Checks:
    """Counts checks. One that fails does not end the test; a test that checked nothing has failed."""

    def __init__(self, subtests):
        self.passed = self.failed = 0
        self._subtests = subtests
        self._lock = threading.Lock()

    @property
    def count(self):
        return self.passed + self.failed

    def that(self, holds, sentence, detail=""):
        """One check. `sentence` is what would be false if it failed; `detail` is shown on failure only."""
        with self._lock:
            self.passed += bool(holds)
            self.failed += not holds
            with self._subtests.test(sentence):
                if not holds:
                    pytest.fail(str(detail).strip()[:1500] or "it does not hold", pytrace=False)
        return bool(holds)

    def equal(self, got, wanted, sentence):
        return self.that(got == wanted, sentence, f"got {got!r}, wanted {wanted!r}")

    def note(self, sentence):
        print(f"      {sentence}", flush=True)


_processes = []
_folders = []
_held = []
# Of the whole run.
_kept = []


def start(command, **options):
    """Starts a program that ends with the test module at the latest."""
    process = subprocess.Popen(command, **options)
    _processes.append(process)
    return process


def adopt(process):
    """Lets a program that somebody else started end with the test module at the latest."""
    _processes.append(process)


def end(process, signals=((signal.SIGTERM, PATIENCE), (signal.SIGKILL, PATIENCE))):
    """Ends one of our programs by its id, asking first; every wait is bounded."""
    for number, seconds in signals:
        if process.poll() is not None:
            return process.returncode
        process.send_signal(number)
        try:
            return process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            continue
    return process.poll()


def kill(process):
    """Ends one of our programs by its id, without asking."""
    return end(process, ((signal.SIGKILL, PATIENCE),))


def folder():
    """A private folder that goes away with the test module."""
    path = Path(tempfile.mkdtemp(prefix="benji-system-"))
    _folders.append(path)
    return path


def hold(opened):
    """Keeps a socket open until the test module ends."""
    _held.append(opened)


def keep():
    """Keeps the present processes, folders and sockets until the end of the run, not of the test module."""
    for made in (_processes, _folders, _held):
        _kept.append((made, list(made)))
        made.clear()


def children(process):
    """The processes that one has started, by its id."""
    found = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            found += map(int, Path(f"/proc/{process}/task/{thread}/children").read_text().split())
    return found


def clean():
    """Ends every process, with those that it started, lets go of ports and removes every folder that was made since the
    last call."""
    while _processes:
        process = _processes.pop()
        below = children(process.pid) if process.poll() is None else []
        kill(process)
        while below:
            child = below.pop()
            below += children(child)
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
    while _held:
        _held.pop().close()
    while _folders:
        shutil.rmtree(_folders.pop(), ignore_errors=True)


def clean_all():
    """Cleans up, including everything that was kept for the whole run."""
    while _kept:
        made, items = _kept.pop()
        made[:0] = items
    clean()


atexit.register(clean_all)


def require(tool, package):
    """Where a program is. A program that is missing is a failure, never a reason to skip."""
    path = shutil.which(tool) or shutil.which(tool, path="/usr/sbin:/usr/bin:/sbin:/bin")
    if path is None:
        raise Stop(f"{tool} is missing; install it with: apt-get install {package}")
    return path


def run(command, seconds=None, **options):
    """Runs a program to its end. With a limit, one that does not end in time counts as failed with status 124."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, **options)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(
            command, 124, (late.stdout or b"").decode(errors="replace"), f"did not end within {seconds} s")


def eventually(condition, seconds=None, pause=0.05):
    """The first true value of `condition()`, or its last value when PATIENCE, or so many seconds, are over."""
    deadline = time.monotonic() + (PATIENCE if seconds is None else seconds)
    while True:
        value = condition()
        if value or time.monotonic() >= deadline:
            return value
        time.sleep(pause)


def first_json(text):
    """The JSON object that a command printed, or None."""
    found = re.search(r"^\{.*\}$", text, re.MULTILINE)
    try:
        return json.loads(found[0]) if found else None
    except ValueError:
        return None
