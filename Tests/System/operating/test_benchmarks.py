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

pytestmark = pytest.mark.seconds(300)

BUILT = ROOT / "Server/.build/debug"
LONG = ("AccountingBenchmark", "ClusterBenchmark", "FaceBenchmark", "RedeemBenchmark")
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


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.long("takes a minute of a processor in a debug build")) if name in LONG
    else name for name in NAMES])
def test_tiny_run(checks, place, settings, name):
    begin = time.monotonic()
    done = run([str(BUILT / name), "--smoke", "--json"], 180, env=settings)
    checks.equal(done.returncode, 0,
                 f"{name} runs and its checks hold: {done.stderr[-600:] if done.returncode else ''}")
    try:
        result = bench_report.checked(json.loads(done.stdout.splitlines()[-1]))
        checks.that(name.lower().startswith(result["benchmark"]), f"{name} reports under its name", result["benchmark"])
        text = bench_report.document({"machine": {"processor": "", "cores": 1, "memory": ""}, "at": "", "commit": "",
                                      "benchmarks": [result]})
        checks.that(result["ratioOf"] in text, f"{name} can be put into a table", text)
        if name == "LoginBenchmark":
            kinds = [row["name"].rpartition(", ")[2] for row in result["rows"] if "over TLS" in row["name"]]
            checks.equal(kinds, ["as the SDK connects", "new connections", "resumed connections", "kept connections"],
                         "logins over TLS are measured")
            rows = {row["name"] for row in result["rows"]}
            checks.that({"App Attest costs a login", "DPoP costs a login over OpenID Connect"} <= rows,
                        "what proofs cost is measured", rows)
    except (ValueError, IndexError, KeyError) as error:
        checks.that(False, f"{name} ends with a line that the collector reads", f"{error!r} in {done.stdout[-300:]}")
    checks.equal(os.listdir(place), [], f"{name} leaves no file")
    checks.note(f"{name}: {time.monotonic() - begin:.1f} s")


@pytest.mark.parametrize("name", ("AccountingBenchmark", "ClusterBenchmark", "LoginBenchmark", "PrefetchBenchmark"))
def test_no_server(checks, settings, name):
    """A benchmark that measured a server which is not there would report nonsense."""
    done = run([str(BUILT / name), "--smoke", "--benji", "/bin/true"], 30, env=settings)
    checks.that(done.returncode != 0 and "×" not in done.stdout, f"{name} fails when its server is none", done.stdout)


@pytest.mark.long("measures a peer once more")
def test_careless_peer(checks, settings):
    """A Redis that keeps nothing on the disk knows nothing of what it answered: it gets no ratio."""
    done = run([str(BUILT / "RedeemBenchmark"), "--smoke", "--json", "--peers", "redis", "--careless"], 280,
               env=settings)
    checks.equal(done.returncode, 0, f"a careless peer is measured: {done.stderr[-600:] if done.returncode else ''}")
    result = json.loads(done.stdout.splitlines()[-1])
    row = next(row for row in result["rows"] if row["name"] == "benji / nginx with Redis")
    lost = re.fullmatch(r"lost (\d+) of (\d+) answered at kill -9", row["note"])
    checks.that(lost and int(lost[1]) > 0, "what it lost is counted", row)
    checks.equal(row.get("instead"), "not durable", "it has no ratio")
    checks.that("| benji / nginx with Redis | not durable |" in bench_report.document(
        {"machine": {"processor": "", "cores": 1, "memory": ""}, "at": "", "commit": "", "benchmarks": [
            {**result, "benchmark": "redeem of one peer"}]}), "the table says so", row)


def below(process):
    """Every process that one has started, and those that these have."""
    found = children(process)
    return found + [each for child in found for each in below(child)]


def named(process):
    try:
        with open(f"/proc/{process}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def test_interrupted(checks, settings):
    interrupted = start([str(BUILT / "AccountingBenchmark")], env=settings, stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL)

    def all_started():
        found = below(interrupted.pid)
        names = [named(process) for process in found]
        return found if "benji" in names and names.count("postgres") >= 5 else None

    started = eventually(all_started, 40) or []
    interrupted.send_signal(signal.SIGTERM)
    interrupted.wait(timeout=10)
    checks.that(started and eventually(lambda: not any(map(lives, started)), 5),
                "an interrupted benchmark ends what it started, and what that started", started)
