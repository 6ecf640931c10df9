"""A database of an earlier version is brought forward while the program is killed: before each of its steps, and at
random moments.

After each kill the file holds one of the versions whole, as it is whenever that version is reached. The next run ends
as an undisturbed one, with every row that was there.
"""

import datetime
import hashlib
import random
import shutil
import signal
import sqlite3
import subprocess
import time

import pytest

from support.checks import Stop, folder, run, start
from support.preload import every_moment, preload
from support.server import ROOT, Server, binary, environment

pytestmark = pytest.mark.seconds(lambda options: 90 + 5 * options.rounds)
# Kills at random moments, for each version.
OPTIONS = {"seed": None, "rounds": 1}
SCHEMA = ROOT / "Server/Sources/StoreSQLite/Schema"
# Rows that must not be lost.
ROWS = 4000


def write_old(path):
    """A database as version 1 left it: tables, and no triggers. It has many rows of two tables that grow."""
    path.parent.mkdir(0o700, parents=True)
    made = sqlite3.connect(path, isolation_level=None)
    made.execute("PRAGMA journal_mode = WAL")
    made.executescript(f"""
        PRAGMA application_id = {int.from_bytes(b'Benj')};
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('v1')""")
    made.executescript((SCHEMA / "tables.sql").read_text(encoding="utf-8"))
    made.execute("BEGIN")
    for table in ("trace_event", "ledger"):
        columns = [(name, kind) for _, name, kind, *_ in made.execute(f"PRAGMA table_info({table})") if name != "id"]
        names = ", ".join(name for name, _ in columns)
        # Of today, so that they are not yet deleted by age.
        now = datetime.datetime.now()
        integers = {"at": f"{int(now.timestamp())} * 1000 + n", "day": f"{now:%Y%m%d}"}
        values = ", ".join(integers.get(name) or {"TEXT": "'row ' || n", "INTEGER": "n"}[kind]
                           for name, kind in columns)
        made.execute(f"""
            WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < {ROWS})
            INSERT INTO {table} ({names}) SELECT {values} FROM counter""")
    made.execute("COMMIT")
    made.close()
    return path


def look(path):
    """The versions that a database has been through, a digest of its schema and of every row, and how many rows each
    table has."""
    opened = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        versions = tuple(name for (name,) in opened.execute("SELECT identifier FROM grdb_migrations ORDER BY rowid"))
        objects = opened.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchall()
        digest, counts = hashlib.sha256(repr(objects).encode()), {}
        for kind, name, _, _ in objects:
            if kind == "table":
                rows = sorted(repr(row) for row in opened.execute(f"SELECT * FROM {name}"))
                counts[name] = len(rows)
                digest.update("\n".join([name, *rows]).encode())
        whole = opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)] and not opened.execute(
            "PRAGMA foreign_key_check").fetchall()
        return versions, digest.hexdigest() if whole else "damaged", counts
    finally:
        opened.close()


def migrate(server, path):
    return [binary(), "migrate", "-c", str(server.configuration), "--data", str(path.parent)]


def copied(path, name):
    """A copy of a database in a folder of its own."""
    shutil.copytree(path.parent, path.parent.parent / name)
    return path.parent.parent / name / path.name


@pytest.fixture(scope="module")
def settings():
    return Server()


@pytest.fixture(scope="module")
def old(settings):
    """A database of an earlier version, and what an undisturbed run makes of it."""
    path = write_old(folder() / "old" / "benji.sqlite")
    after = copied(path, "after")
    began = time.monotonic()
    done = run(migrate(settings, after), 60, env=environment())
    assert done.returncode == 0, done.stderr
    return path, look(path), look(after), time.monotonic() - began


def test_undisturbed(checks, old):
    _, before, after, took = old
    checks.that(len(after[0]) > len(before[0]) and after[1] != "damaged", f"it is brought forward, in {took:.1f} s",
                after[0])
    lost = {table: (count, after[2][table]) for table, count in before[2].items() if after[2].get(table, count) < count}
    checks.equal(lost, {}, "no table has lost a row")


def judge(settings, path, wanted, seen, who):
    """The fault after kills, or None: the version must be whole, and the next run end as an undisturbed one."""
    versions, digest, _ = look(path)
    # Reached by whatever kills, a version is always the same.
    first = seen.setdefault(versions, digest)
    again = run(migrate(settings, path), 60, env=environment())
    end = look(path)
    if digest == "damaged" or digest != first or again.returncode != 0 or end != wanted:
        return (f"{who}: {versions}, as before: {digest == first}, {digest[:7]}; "
                f"then {again.returncode} {again.stderr[-300:]}, as undisturbed: {end == wanted}")
    return None


def test_killed_before_every_step(checks, settings, old):
    path, before, after, _ = old
    moments, seen = preload("moment.c"), {before[0]: before[1], after[0]: after[1]}

    def attempt(step):
        copy = copied(path, f"step-{step}")
        killed = run(migrate(settings, copy), 60, env=environment() | {"LD_PRELOAD": moments, "DIES_AT": str(step)})
        fault = judge(settings, copy, after, seen, f"step {step}")
        shutil.rmtree(copy.parent)
        return killed.returncode != 0, fault

    given = every_moment(attempt)
    checks.equal([fault for _, fault in given if fault], [],
                 "a migration that is killed before any of its steps leaves a version whole, and the next run ends it")
    checks.that(sum(killed for killed, _ in given) >= 3, "there were steps to be killed at", given)
    checks.note(f"{sum(killed for killed, _ in given)} kills; versions that were found: "
                f"{sorted(versions[-1] for versions in seen)}")


def test_killed_at_random(checks, settings, old, options):
    chance, faults, between = random.Random(options.seed), [], []
    path, before, after, took = old
    copy, seen = copied(path, "random"), {before[0]: before[1], after[0]: after[1]}

    def is_killed(seconds):
        process = start(migrate(settings, copy), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                        env=environment())
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        versions, digest, _ = look(copy)
        between.append(versions[-1])
        if digest != seen.setdefault(versions, digest):
            faults.append(f"{versions} is not as it was before")
        return process.returncode < 0

    killed = 0
    for part in (chance.uniform(0.2, 1) for _ in range(5 * options.rounds)):
        # The machine may have been busier when the time was taken: a run that ended is repeated and killed sooner.
        for sooner in range(6):
            if is_killed(part * took / 2**sooner):
                killed += 1
                break
            shutil.rmtree(copy.parent)
            copied(path, copy.parent.name)
    faults += filter(None, [judge(settings, copy, after, seen, "at random")])
    checks.equal(faults, [],
                 "a migration that is killed at any moment leaves a version whole, and the next run ends it")
    checks.equal(killed, 5 * options.rounds, "the migration was killed as often as it should be")
    checks.note(f"{killed} kills; then the newest version was {', '.join(between)}")


def test_killed_while_the_server_starts(checks, options):
    """`benji serve` brings the database forward by itself."""
    chance = random.Random(options.seed)
    server = Server(log={"level": "warning"})
    path = write_old(server.data / "benji.sqlite")
    before = look(path)
    for _ in range(options.rounds):
        process = start([binary(), "serve", "-c", str(server.configuration)], stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL, env=environment())
        try:
            process.wait(timeout=chance.uniform(0.2, 0.6))
            raise Stop(f"benji serve ended by itself with {process.returncode}")
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
    with server:
        versions, digest, counts = look(path)
    lost = {table: counts[table] for table in ("trace_event", "ledger") if counts[table] < ROWS}
    checks.that(len(versions) > len(before[0]) and digest != "damaged" and not lost,
                "a server that was killed while it started is ready at the next start, with every row",
                (versions, lost))


def test_the_judge_finds_what_is_half_done(checks, settings, old):
    """The double: a migration without transactions, which a kill leaves in the middle."""
    path, before, after, _ = old
    copy = copied(path, "half-done")
    half = sqlite3.connect(copy, isolation_level=None)
    half.execute(
        "CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'append-only'); END")
    half.close()
    fault = judge(settings, copy, after, {before[0]: before[1], after[0]: after[1]}, "a naive migration")
    checks.that(fault, "a step that is half done is found")
    copy = copied(path, "lost")
    lost = sqlite3.connect(copy, isolation_level=None)
    lost.execute("DELETE FROM trace_event WHERE rowid = (SELECT max(rowid) FROM trace_event)")
    lost.close()
    checks.that(judge(settings, copy, after, {before[0]: before[1], after[0]: after[1]}, "a loss"),
                "so is a row that is lost")
