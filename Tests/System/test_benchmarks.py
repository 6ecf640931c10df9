"""Every benchmark with tiny sizes: its own checks hold, it reports what the collector reads, and it leaves nothing. The
figures mean nothing here: debug builds, on a machine that does other things."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from support.checks import children, eventually, folder, run, start
from support.server import FACE, ROOT, environment

sys.path.insert(0, str(ROOT / "scripts/lib"))
import bench_report  # noqa: E402

pytestmark = pytest.mark.seconds(240)

BUILT = ROOT / "Server/.build/debug"
NAMES = sorted(path.name for path in (ROOT / "Server/Benchmarks").glob("*Benchmark"))


def lives(process):
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            return re.search(r"\) (\w)", file.read())[1] != "Z"
    except OSError:
        return False


@pytest.fixture
def place():
    return folder()


@pytest.fixture
def settings(place):
    return {**environment(), "TMPDIR": str(place), "BENJI_FACE": str(FACE)}


def test_there_are_benchmarks(checks):
    checks.that(len(NAMES) >= 4, "there are benchmarks", NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_tiny_run(checks, place, settings, name):
    begin = time.monotonic()
    done = run([str(BUILT / name), "--smoke", "--json"], 180, env=settings)
    checks.equal(done.returncode, 0, f"{name} runs and its checks hold: {done.stderr[-600:] if done.returncode else ''}")
    try:
        result = bench_report.checked(json.loads(done.stdout.splitlines()[-1]))
        checks.that(name.lower().startswith(result["benchmark"]), f"{name} reports under its name", result["benchmark"])
        text = bench_report.document({"machine": {"processor": "", "cores": 1, "memory": ""}, "at": "", "commit": "",
                                      "benchmarks": [result]})
        checks.that(result["ratioOf"] in text, f"{name} can be put into a table", text)
    except (ValueError, IndexError, KeyError) as error:
        checks.that(False, f"{name} ends with a line that the collector reads", f"{error!r} in {done.stdout[-300:]}")
    checks.equal(os.listdir(place), [], f"{name} leaves no file")
    checks.note(f"{name}: {time.monotonic() - begin:.1f} s")


@pytest.mark.parametrize("name", ("AccountingBenchmark", "LoginBenchmark", "PrefetchBenchmark"))
def test_no_server(checks, settings, name):
    """A benchmark that measured a server which is not there would report nonsense."""
    done = run([str(BUILT / name), "--smoke", "--benji", "/bin/true"], 30, env=settings)
    checks.that(done.returncode != 0 and "×" not in done.stdout, f"{name} fails when its server is none", done.stdout)


def test_interrupted(checks, settings):
    interrupted = start([str(BUILT / "AccountingBenchmark")], env=settings, stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL)
    started = eventually(lambda: found if len(found := children(interrupted.pid)) == 2 else None, 20) or []
    interrupted.send_signal(signal.SIGTERM)
    interrupted.wait(timeout=10)
    checks.that(len(started) == 2 and eventually(lambda: not any(map(lives, started)), 5),
                "an interrupted benchmark ends what it started", started)
