"""Every number that is released was safe on the disk before: strace watches, a judge reads the trace.

    test_sync_before_answer.py                  some hundred redemptions on 8 connections
    test_sync_before_answer.py --rounds 1000    as many; the trace takes 250 kB for each
    test_sync_before_answer.py --judge FILE     judges a trace that was kept (--keep-trace FILE)

In the same run two doubles are condemned: the server with an fdatasync that does nothing, and the server's own trace
without its syncs.
"""

import shutil
import time

import pytest

from support import disk, synctrace
from support.checks import eventually, folder, require
from support.server import Server
from support.storm import Storm

pytestmark = pytest.mark.seconds(lambda options: 90 + options.rounds // 5)
OPTIONS = {"rounds": 120, "seed": None, "report": None, "keep_trace": None, "judge": None}


def traced_storm(wanted, seed, prepare=lambda server: None):
    """A storm until so many tokens were won, under strace: the trace's lines and the storm."""
    require("strace", "strace")
    trace = folder() / "trace"
    server = Server(log={"level": "error"})
    app = server.create_app()
    prepare(server)
    server.wrapper = [*synctrace.COMMAND, "-o", str(trace)]
    server.start(seconds=40)
    storm = Storm(server, app, phones=6, servers=8, seed=seed)
    storm.start()
    deadline = time.monotonic() + 10 + wanted / 20
    while storm.figures()["won"] < wanted and time.monotonic() < deadline:
        time.sleep(0.2)
    storm.stop()
    server.stop()
    eventually(lambda: "+++ exited" in trace.read_text(errors="replace")[-2000:])
    return trace, storm


@pytest.mark.wants("judge")
def test_a_kept_trace(checks, options):
    with open(options.judge, errors="replace") as lines:
        verdict = synctrace.judge(lines)
    checks.equal(verdict.faults[:10], [],
                 f"{verdict.answers} answers, {verdict.syncs} syncs: each answer was safe before")


def test_the_judge(checks):
    synctrace.self_test(checks)


def test_each_number_was_safe_before(checks, options, report):
    trace, storm = traced_storm(options.rounds, options.seed)
    lines = trace.read_text(errors="replace").splitlines()
    if options.keep_trace:
        shutil.copy(trace, options.keep_trace)
    verdict = synctrace.judge(lines)
    released = sum(operation["outcome"] == "103000" for operation in storm.history)
    checks.equal(verdict.faults[:5], [],
                 f"{verdict.answers} numbers released, {verdict.syncs} syncs: each was safe before")
    checks.equal(verdict.answers, released, "the trace has every number that the app servers heard")
    checks.that(released >= options.rounds / 2, "there were enough of them", storm.figures())
    together = verdict.answers / max(verdict.syncs, 1)
    report.add("answers and syncs", {"numbers released": verdict.answers, "syncs of the log": verdict.syncs,
                                     "numbers per sync": round(together, 2)}, verdict.faults)

    without = synctrace.judge([line for line in lines if "fdatasync" not in line and "fsync" not in line])
    checks.equal(len(without.faults), verdict.answers,
                 "the same trace without its syncs is condemned, answer by answer")


def test_a_double_whose_sync_does_nothing(checks, options):
    def lie(server):
        recorder = disk.DiskRecorder(server)
        recorder.behave(disk.LYING)

    trace, storm = traced_storm(40, options.seed, lie)
    verdict = synctrace.judge(trace.read_text(errors="replace").splitlines())
    checks.that(verdict.answers > 10 and len(verdict.faults) == verdict.answers,
                "a double whose fdatasync does nothing is condemned for each of its answers",
                f"{verdict.answers} answers, {len(verdict.faults)} faults")
