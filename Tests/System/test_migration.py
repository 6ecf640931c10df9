"""Databases of every released version are brought forward while the program is killed: before each of its steps, and at random moments.

After each kill the file holds one of the versions whole, as it is whenever that version is reached. The next run ends
as an undisturbed one, with every row that was there.
"""

import concurrent.futures
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
RELEASED = sorted((ROOT / "Server/Tests/StoreSQLiteTests/Fixtures").glob("schema-v*.sql"))
# Rows that make a step last long enough to be killed in it.
ROWS = 4000
AT_ONCE = 3
# Columns that a step of the schema draws by lot.
DRAWN = {"face_binding": "revision"}


def write_old(fixture, path, is_sealed=True):
    """A database as that version left it, and many rows of two tables that grow; unless it is sealed, nothing that a master key opens."""
    path.parent.mkdir(0o700, parents=True)
    made = sqlite3.connect(path, isolation_level=None)
    made.execute("PRAGMA journal_mode = WAL")
    made.executescript(fixture.read_text(encoding="utf-8"))
    made.execute("PRAGMA foreign_keys = OFF")
    made.execute("BEGIN")
    for table in ("trace_event", "ledger"):
        columns = [(name, kind) for _, name, kind, *_ in made.execute(f"PRAGMA table_info({table})") if name != "id"]
        names = ", ".join(name for name, _ in columns)
        # Of today, so that they are not yet deleted by age.
        now = datetime.datetime.now()
        integers = {"at": f"{int(now.timestamp())} * 1000 + n", "day": f"{now:%Y%m%d}"}
        values = ", ".join(integers.get(name) or {"TEXT": "'row ' || n", "INTEGER": "n", "BLOB": "randomblob(16)"}[kind] for name, kind in columns)
        made.execute(f"""
            WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < {ROWS})
            INSERT INTO {table} ({names}) SELECT {values} FROM counter""")
    if not is_sealed:
        tables = {name for (name,) in made.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table in tables - {"grdb_migrations", "trace_event", "ledger", "consent", "sqlite_sequence"}:
            made.execute(f"DELETE FROM {table}")
    made.execute("COMMIT")
    made.close()
    return path


def look(path):
    """The versions that a database has been through, a digest of its schema and of every row, and how many rows each table has."""
    opened = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        versions = tuple(name for (name,) in opened.execute("SELECT identifier FROM grdb_migrations ORDER BY rowid"))
        objects = opened.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchall()
        digest, counts = hashlib.sha256(repr(objects).encode()), {}
        for kind, name, _, _ in objects:
            if kind == "table":
                columns = [column for _, column, *_ in opened.execute(f"PRAGMA table_info({name})") if column != DRAWN.get(name)]
                rows = sorted(repr(row) for row in opened.execute(f"SELECT {', '.join(columns)} FROM {name}"))
                counts[name] = len(rows)
                digest.update("\n".join([name, *rows]).encode())
        whole = opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)] and not opened.execute("PRAGMA foreign_key_check").fetchall()
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
def stores(settings):
    """For each released version a database, and what an undisturbed run makes of it."""
    place, made = folder(), {}
    for fixture in RELEASED:
        path = write_old(fixture, place / fixture.stem / "benji.sqlite")
        after = copied(path, f"{fixture.stem}-after")
        began = time.monotonic()
        done = run(migrate(settings, after), 60, env=environment())
        assert done.returncode == 0, done.stderr
        made[fixture.stem] = path, look(path), look(after), time.monotonic() - began
    return made


def test_undisturbed(checks, stores):
    checks.that(len(stores) >= 5, "there is a database of each released version", list(stores))
    for name, (_, before, after, took) in stores.items():
        checks.that(len(after[0]) > len(before[0]) and after[1] != "damaged", f"{name} is brought forward, in {took:.1f} s", after[0])
        lost = {table: (count, after[2][table]) for table, count in before[2].items() if after[2].get(table, count) < count}
        checks.equal(lost, {}, f"{name}: no table that stays has lost a row")


def judge(settings, path, wanted, seen, who):
    """The fault after kills, or None: the version must be whole, and the next run end as an undisturbed one."""
    versions, digest, _ = look(path)
    # Reached by whatever kills, a version is always the same.
    first = seen.setdefault(versions, digest)
    again = run(migrate(settings, path), 60, env=environment())
    end = look(path)
    if digest == "damaged" or digest != first or again.returncode != 0 or end != wanted:
        return f"{who}: {versions}, as before: {digest == first}, {digest[:7]}; then {again.returncode} {again.stderr[-300:]}, as undisturbed: {end == wanted}"
    return None


def test_killed_before_every_step(checks, settings, stores):
    """From the oldest version, so through every step of the schema."""
    name = RELEASED[0].stem
    path, before, after, _ = stores[name]
    moments, seen = preload("moment.c"), {before[0]: before[1], after[0]: after[1]}

    def attempt(step):
        copy = copied(path, f"{name}-step-{step}")
        killed = run(migrate(settings, copy), 60, env=environment() | {"LD_PRELOAD": moments, "DIES_AT": str(step)})
        fault = judge(settings, copy, after, seen, f"step {step}")
        shutil.rmtree(copy.parent)
        return killed.returncode != 0, fault

    given = every_moment(attempt)
    checks.equal([fault for _, fault in given if fault], [], "a migration that is killed before any of its steps leaves a version whole, and the next run ends it")
    checks.that(sum(killed for killed, _ in given) >= 6, "there were steps to be killed at", given)
    checks.note(f"{sum(killed for killed, _ in given)} kills; versions that were found: {sorted(versions[-1] for versions in seen)}")


def test_killed_at_random(checks, settings, stores, options):
    chance, killed, between = random.Random(options.seed), [], []
    plans = {name: [chance.uniform(0.2, 1) for _ in range(options.rounds)] for name in stores}

    def attempt(name):
        path, before, after, took = stores[name]
        copy, seen, faults = copied(path, f"{name}-random"), {before[0]: before[1], after[0]: after[1]}, []

        def is_killed(seconds):
            process = start(migrate(settings, copy), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
            try:
                process.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
            versions, digest, _ = look(copy)
            between.append(versions[-1])
            if digest != seen.setdefault(versions, digest):
                faults.append(f"{name}: {versions} is not as it was before")
            return process.returncode < 0

        for part in plans[name]:
            # The machine may have been busier when the time was taken: a run that ended is repeated and killed sooner.
            for sooner in range(6):
                if is_killed(part * took / 2**sooner):
                    killed.append(name)
                    break
                shutil.rmtree(copy.parent)
                copied(path, copy.parent.name)
        fault = judge(settings, copy, after, seen, name)
        return faults + ([fault] if fault else [])

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        faults = [fault for found in pool.map(attempt, stores) for fault in found]
    checks.equal(faults, [], "a migration that is killed at any moment leaves a version whole, and the next run ends it")
    checks.equal(len(killed), len(stores) * options.rounds, "every migration was killed as often as it should be")
    checks.note(f"{len(killed)} kills; then the newest version was {', '.join(between)}")


def test_killed_while_the_server_starts(checks, options):
    """`benji serve` brings the database forward by itself."""
    chance = random.Random(options.seed)
    for fixture in (RELEASED[0], RELEASED[-1]):
        server = Server(log={"level": "warning"})
        path = write_old(fixture, server.data / "benji.sqlite", is_sealed=False)
        before = look(path)
        for _ in range(options.rounds):
            process = start([binary(), "serve", "-c", str(server.configuration)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
            try:
                process.wait(timeout=chance.uniform(0.2, 0.6))
                raise Stop(f"benji serve ended by itself with {process.returncode}")
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
        with server:
            versions, digest, counts = look(path)
        # The server deletes old rows, such as the fixture's own.
        lost = {table: counts[table] for table in ("trace_event", "ledger") if counts[table] < ROWS}
        checks.that(len(versions) > len(before[0]) and digest != "damaged" and not lost,
                    f"{fixture.stem}: a server that was killed while it started is ready at the next start, with every row", (versions, lost))


def test_the_judge_finds_what_is_half_done(checks, settings, stores):
    """The double: a migration without transactions, which a kill leaves in the middle."""
    path, before, after, _ = stores[RELEASED[0].stem]
    copy = copied(path, "half-done")
    half = sqlite3.connect(copy, isolation_level=None)
    half.execute("ALTER TABLE app ADD COLUMN revision INTEGER NOT NULL DEFAULT 1")
    half.close()
    fault = judge(settings, copy, after, {before[0]: before[1], after[0]: after[1]}, "a naive migration")
    checks.that(fault, "a step that is half done is found")
    copy = copied(path, "lost")
    lost = sqlite3.connect(copy, isolation_level=None)
    lost.execute("DELETE FROM trace_event WHERE rowid = (SELECT max(rowid) FROM trace_event)")
    lost.close()
    checks.that(judge(settings, copy, after, {before[0]: before[1], after[0]: after[1]}, "a loss"), "so is a row that is lost")
