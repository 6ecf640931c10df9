"""The disk fails a sync: no unsafe answer is sent, the server reports it, and goes on when the disk does.

After a failed sync the disk's content is unknown. Linux forgets the pages that it could not write and still shows them,
so the next sync succeeds without them. Three ways:

* strace makes every fsync and fdatasync of the running server fail with EIO, then lets go of it.
* A disk forgets the data of a failed sync (support/disk.c): syncs fail for a while under a storm, then succeed, and
  then the power goes.
* The same, and the server is killed and started again while the system still shows data that was never written.
"""

import random
import re
import signal
import sqlite3
import sys
import time
from types import SimpleNamespace

import pytest

from support import disk
from support.checks import end, eventually, folder, require, run, start
from support.operations import microseconds
from support.operators import Backend
from support.phones import Phone
from support.powercut import Handovers, judge_cut
from support.radius import INTERIM, START, PacketCore
from support.server import SECRET, Server
from support.storm import Storm

pytestmark = pytest.mark.seconds(lambda options: 120 + options.rounds)
OPTIONS = {"rounds": 40, "seed": None, "report": None}

NUMBER, ADDRESS = "13900000051", "127.8.50.1"


def test_a_plain_double(checks):
    """SQLite as it comes, with synchronous = FULL, opened after a failed sync and a crash; then the power goes."""
    for habit in ("as it comes", "careful"):
        place = SimpleNamespace(data=folder() / "data", environment={})
        recorder = disk.DiskRecorder(place)
        base = recorder.begin()
        said = []
        for number, mode in ((1, disk.HONEST), (2, disk.FAILING_SYNC), (3, disk.HONEST)):
            recorder.behave(mode)
            said.append(run([sys.executable, "-c", WRITER, str(place.data / "a.sqlite"), str(number), habit],
                            env=place.environment).stdout.strip())
        for record in recorder.records():
            base.apply(record)
        recorder.restore(base.cut())
        with sqlite3.connect(place.data / "a.sqlite") as database:
            left = [number for (number,) in database.execute("SELECT number FROM answer ORDER BY number")]
        if habit == "careful":
            checks.that(said[2] == "answered" and "3" in left,
                        "it keeps what it answered if it first writes anew what the log shows",
                        (said, left))
        else:
            checks.that(said == ["answered", "disk I/O error", "answered"] and "3" not in left,
                        "a double, SQLite as it comes, loses what it answered after a failed sync and a crash",
                        (said, left))


def books(checks, server):
    """Everything once in the books."""
    server.stop()
    with sqlite3.connect(server.data / "benji.sqlite") as database:
        rows, traces = database.execute("SELECT count(*), count(DISTINCT trace) FROM ledger").fetchone()
        (spent,) = database.execute("SELECT count(*) FROM token WHERE spent_at IS NOT NULL").fetchone()
        (billed,) = database.execute("SELECT sum(answered) FROM billing_day").fetchone()
    checks.that(rows == spent == billed and 2 <= rows <= 4, "tokens spent, ledger and bill agree",
                (rows, traces, spent, billed))


def test_strace_injects(checks):
    """The kernel's own interface says no."""
    with Server(log={"level": "notice"}) as server:
        app = server.create_app()
        core = PacketCore(server.accounting, SECRET)
        packet = {"number": "86" + NUMBER, "imsi": "460001234500051"}
        core.send(START, "session", ADDRESS, **packet)
        phone = Phone(server, app, ADDRESS, NUMBER)
        tokens = [phone.token()[1] for _ in range(4)]
        verification = phone.token("verification")[1]
        backend = Backend(server.server, timeout=10)
        checks.equal(backend.redeem(app, tokens[0]), ("103000", NUMBER), "before: a token yields its number")
        faults = start([require("strace", "strace"), "-f", "-q", "-p", str(server.process.pid), "-o", "/dev/null", "-e",
                        "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO"])
        status, said = server.unready(15)
        checks.that(status == 503 and "sync" in said, "readiness says that a sync failed", said)
        checks.equal(server.get("/health/live")[0], 200, "the process is alive all the same")
        for _ in range(2):
            checks.equal(backend.redeem(app, tokens[1]), ("103214", None), "no number is released: 103214")
        checks.equal(backend.verify(app, verification, NUMBER), "999", "no number is verified: 999")
        checks.equal(phone.token(), ("store_unavailable", None), "no token is issued: store_unavailable")
        checks.that(not core.send(INTERIM, "session", ADDRESS, seconds=1, **packet), "accounting is not answered")
        log = server.log.read_text()
        checks.that(re.search(r"sync.*(disk|device)", log), "the log says what failed and what to do", log[-1000:])
        checks.that(len(log.splitlines()) < 60, "the log does not flood", len(log.splitlines()))
        end(faults, ((signal.SIGINT, 5), (signal.SIGKILL, 5)))
        checks.that(eventually(lambda: server.ready()[0] == 200, 15),
                    "when the disk works again, so does the server, alone",
                    server.ready())
        checks.that(eventually(lambda: core.send(INTERIM, "session", ADDRESS, seconds=1, **packet), 5),
                    "accounting is answered again")
        checks.equal(backend.redeem(app, tokens[0])[0], "104201", "what was spent before is spent")
        said = backend.redeem(app, tokens[1])
        checks.that(said in (("103000", NUMBER), ("104201", None)), "what was refused is spent or redeemable", said)
        checks.equal(backend.redeem(app, tokens[2]), ("103000", NUMBER), "what was not shown is redeemable")
        log = server.log.read_text()
        checks.that("writes succeed again" in log, "the log says that it is over", log[-800:])
        books(checks, server)


WRITER = """
import os, sqlite3, sys
if sys.argv[3] == "careful" and os.path.exists(sys.argv[1] + "-wal"):
    log = os.open(sys.argv[1] + "-wal", os.O_RDWR)
    shown = os.read(log, 1 << 24)
    os.pwrite(log, shown, 0)
    os.fsync(log)
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA journal_mode = WAL")
database.execute("PRAGMA synchronous = FULL")
database.execute("CREATE TABLE IF NOT EXISTS answer (number)")
try:
    database.execute("INSERT INTO answer VALUES (?)", (sys.argv[2],))
    print("answered", flush=True)
except sqlite3.OperationalError as error:
    print(error, flush=True)
os._exit(0)  # as if killed
"""


@pytest.mark.parametrize("restart", (False, True), ids=("goes on", "killed"))
def test_a_forgetful_disk(checks, options, report, restart):
    """Syncs fail under a storm; then they succeed; then the power goes, at many moments."""
    chance = random.Random(options.seed)
    server = Server(log={"level": "error"})
    app = server.create_app()
    recorder = disk.DiskRecorder(server)
    base = recorder.begin()
    server.start()
    storm = Storm(server, app, phones=5, servers=6, seed=options.seed)
    storm.start()
    handovers = Handovers(server)
    handovers.thread.start()
    for _ in range(max(2, options.rounds // 20)):
        time.sleep(chance.uniform(0.2, 0.5))
        recorder.behave(disk.FAILING_SYNC)
        time.sleep(chance.uniform(0.1, 0.3))
        if restart:
            server.kill9()
            storm.server_is_gone()
        recorder.behave(disk.HONEST)
        if restart:
            server.start()
            storm.server_is_back()
    time.sleep(0.6)
    server.kill9()
    storm.server_is_gone()
    handovers.over.set()
    handovers.thread.join(timeout=10)
    end_of_storm = microseconds()
    records = recorder.records()
    failed = sum(record.kind == "F" for record in records)
    faults, states = [], 0
    moments = [chance.randrange(len(records)) for _ in range(options.rounds)] + [len(records) - 1]
    began = storm.history[0]["start"]
    for until, files in disk.cuts(base, records, moments, chance):
        if until > began:
            found = judge_cut(storm.history, handovers.packets, end_of_storm if states == options.rounds else until,
                              files)
            faults += found
            states += 1
    recorder.restore(base.cut())
    server.start()
    storm.server_is_back()
    storm.stop()
    storm.ask_again()
    server.stop()
    faults += map(str, storm.faults())
    title = "killed and started again before the power goes" if restart else "the server goes on, then the power goes"
    checks.equal(faults[:5], [], f"a disk that forgets, {failed} failed syncs, {title}: {states} cuts, nothing is lost")
    figures = storm.figures()
    checks.that(failed >= 2 and figures["won"] >= 20, "there were failures, and there was something to lose", figures)
    report.add(f"failed syncs, {title}", {"failed syncs": failed, "power cuts": states, **figures}, faults)
