"""The power goes at any moment: nothing that was answered is lost, although all that was not synced is.

Harder than SIGKILL, after which the system still writes the data that a program left. The server runs on a disk with a
memory (support/disk.c), which knows at each moment what a sync has covered. From one record the states after hundreds
of power cuts are made. Some keep nothing else, some keep any part of the rest, torn at sectors. The judge of
test_kill_load.py compares each state with all answers until then, and the gateway's journal with each answered
accounting packet. Then the server itself starts on such states.

    test_power_cut.py                  about 150 cuts
    test_power_cut.py --rounds 2000    as many, and 100 restarts (make power-cut ROUNDS=2000)
"""

import random
import time
from pathlib import Path

import pytest

from support import disk
from support.operations import microseconds
from support.powercut import Handovers, judge_cut
from support.server import Server
from support.storm import Storm

pytestmark = pytest.mark.seconds(lambda options: 240 + options.rounds)
OPTIONS = {"rounds": 60, "seed": None, "report": None}


def first_start(checks, server, recorder):
    """The first start makes every file; what it made must be safe before it says that it is ready."""
    base = recorder.begin()
    server.start()
    ready = microseconds()
    server.kill9()
    for record in recorder.records():
        if record.microseconds <= ready:
            base.apply(record)
    left = base.cut()
    names = {Path(path).name for path in left}
    checks.that({"master.key", "benji.sqlite", "directory.journal"} <= names,
                "the power goes right after the first start: key, database and journal are there", names)
    recorder.restore(left)
    server.start()
    server.stop()
    checks.that(True, "the server starts on them")


def recorded_storm(server, recorder, seed, seconds, meanwhile=lambda: None):
    """A storm of logins, redemptions and handovers, then SIGKILL: (storm, packets, disk before, records)."""
    app = server.create_app()
    base = recorder.begin()
    server.start()
    storm = Storm(server, app, phones=6, servers=6, seed=seed)
    storm.start()
    handovers = Handovers(server)
    handovers.thread.start()
    time.sleep(seconds / 2)
    meanwhile()
    time.sleep(seconds / 2)
    server.kill9()
    handovers.over.set()
    storm.server_is_gone()
    handovers.thread.join(timeout=10)
    return storm, handovers.packets, base, recorder.records()


def many_cuts(checks, server, recorder, options, report):
    storm, packets, base, records = recorded_storm(server, recorder, options.seed, 3)
    chance = random.Random(options.seed)
    began = next((operation["start"] for operation in storm.history), 0)
    busy = [index for index, record in enumerate(records) if record.microseconds > began]
    moments = [chance.choice(busy) for _ in range(options.rounds)]
    faults, lost = [], 0
    for until, files in disk.cuts(base, records, moments, chance):
        found = judge_cut(storm.history, packets, until, files)
        faults += found
        lost += bool(found)
    figures = storm.figures()
    syncs = sum(record.kind == "E" for record in records)
    answered = sum(packet.answered is not None for packet in packets)
    checks.equal(faults[:5], [], f"{options.rounds} power cuts among {len(records)} changes and {syncs} syncs: "
                 f"{figures['won']} won tokens and {answered} answered packets, nothing of it is lost")
    checks.that(figures["won"] > 30 and answered > 30 and syncs > 30, "there was something to lose", figures)
    report.add("power cuts, judged from the record",
               {"cuts": options.rounds, "changes of files": len(records), "syncs": syncs, "tokens won": figures["won"],
                "accounting packets answered": answered, "states with a fault": lost}, faults)
    return storm


def restarts(checks, server, recorder, storm, options, report):
    """The server itself starts on what a power cut left, and the storm goes on."""
    chance = random.Random(options.seed + 1)
    rounds = max(3, options.rounds // 20)
    base = recorder.begin()
    server.start()
    storm.server_is_back()
    for number in range(rounds):
        time.sleep(chance.uniform(0.2, 0.8))
        server.kill9()
        storm.server_is_gone()
        for record in recorder.records():
            base.apply(record)
        recorder.restore(base.cut(chance if number % 2 else None))
        base = recorder.begin()
        server.start()
        storm.server_is_back()
    time.sleep(0.3)
    storm.stop()
    storm.ask_again()
    server.stop()
    faults = [*map(str, storm.faults())]
    checks.equal(faults[:5], [],
                 f"{rounds} starts on what a power cut left: no token is won twice, lost, or billed twice")
    report.add("starts after a power cut", {"starts": rounds, **storm.figures()}, faults)


def test_a_lying_double(checks, options):
    """The same server on a disk whose syncs succeed and do nothing."""
    with Server(log={"level": "error"}) as server:
        recorder = disk.DiskRecorder(server)
        server.stop()
        storm, packets, base, records = recorded_storm(
            server, recorder, options.seed, 1.6, lambda: recorder.behave(disk.LYING))
        recorder.behave(disk.HONEST)
        for record in records:
            base.apply(record)
        found = judge_cut(storm.history, packets, microseconds(), base.cut())
        rules = {fault.split(":")[0] for fault in found}
        checks.that({"kept", "ledger"} & rules, "a double whose syncs do nothing has lost tokens, and is condemned",
                    rules)
        checks.that("journal" in rules, "its journal has lost answered packets, and is condemned", rules)
        recorder.restore(base.cut())
        server.start()
        storm.server_is_back()
        storm.stop()
        storm.ask_again()
        server.stop()
        checks.that(storm.faults(), "it starts again on what is left, and the whole history is condemned")


def test_the_disk(checks):
    disk.self_test(checks)


def test_power_cuts(checks, options, report):
    server = Server(log={"level": "error"})
    try:
        recorder = disk.DiskRecorder(server)
        first_start(checks, server, recorder)
        storm = many_cuts(checks, server, recorder, options, report)
        restarts(checks, server, recorder, storm, options, report)
    finally:
        server.stop()
