"""Backups under a storm of logins, kills of `benji backup` and `benji restore` at every step, and what a restored
database is worth.

A backup must hold everything that was answered before it began. Wherever a backup is killed, nothing is left that looks
like a good one. Wherever a restore is killed, the old or new database is in place, or every start says what to do.
"""

import contextlib
import copy
import json
import random
import shutil
import sqlite3
import subprocess
import time

import pytest

from support.checks import eventually, first_json, folder, run, start
from support.operations import Books, judge, microseconds, short_hash
from support.operators import Backend
from support.preload import every_moment, preload
from support.server import Server, binary, environment
from support.storm import Storm

pytestmark = pytest.mark.seconds(150)
OPTIONS = {"seed": None}
SERVER = {"log": {"level": "error"}}
NUMBER, ADDRESS, IMSI = "13720000001", "127.8.41.1", "460001234500001"


def benji(*arguments, seconds=30, **variables):
    return run([binary(), *map(str, arguments)], seconds, env=environment() | variables, stdin=subprocess.DEVNULL)


def names(configuration, data):
    """The apps of a data directory, or None, and the errors that were printed."""
    done = benji("app", "list", "-c", configuration, "--data", data)
    return (frozenset(word for word in ("Shop", "Since") if word in done.stdout) if done.returncode == 0
            else None), done.stderr


def fill(path, rows):
    """Makes a database larger, so that a copy takes a while."""
    with sqlite3.connect(path) as database:
        database.executemany(
            "INSERT INTO trace_event (trace, at, party, step, situation, detail) VALUES (?, ?, 'test', 'fill', "
            "'success', ?)",
            ((f"{row:032x}", int(time.time() * 1000), "x" * 1000) for row in range(rows)))
    database.close()


def known_before(history, began, ended, books):
    """The history that a copy taken between two moments must agree with: earlier answers count, and requests under way
    may have happened."""
    kept = []
    for operation in map(copy.copy, list(history)):
        if operation["end"] is None or operation["end"] >= began:
            if operation["start"] > ended or operation["token"] and books.find(operation["token"]) is None:
                continue
            operation |= {"end": None, "outcome": None, "released": None}
        kept.append(operation)
    return kept


@pytest.fixture(scope="module")
def storm(installation, options):
    """A server with some 40 MB under a storm, the phone that is followed, and the moments of its backup."""
    app = installation.create_app()
    fill(installation.data / "benji.sqlite", 40_000)
    with installation as server:
        made = Storm(server, app, phones=8, servers=8, seed=options.seed, network="127.8.40")
        server.attach("attach", ADDRESS, NUMBER, imsi=IMSI)
        made.start()
        yield made
        made.stop()


def log_in(server, app, address=ADDRESS):
    """The answer of `benji phone login`: token and openId."""
    done = server.command(
        "phone", "login", "--server", server.device_url, "--app", app["id"], "--key", app["key"], "--bundle",
        "com.example.shop",
        "--from", address, "--json", "--yes")
    return first_json(done.stdout) or {"said": done.stderr}


@pytest.fixture(scope="module")
def backup(storm):
    """A backup from the middle of the storm: (place, openId of the phone before it, began, ended, command)."""
    place = folder() / "backup.sqlite"
    before = log_in(storm.server, storm.app)
    time.sleep(1.5)
    began = microseconds()
    done = benji("backup", "-c", storm.server.configuration, place, "--json")
    return place, before.get("openId"), began, microseconds(), done


def test_a_backup_under_a_storm(checks, storm, backup):
    place, openid, began, ended, done = backup
    said = first_json(done.stdout) or {}
    checks.that(done.returncode == 0 and said.get("apps") == 1 and said.get("bytes", 0) > 40_000_000,
                "a backup is made under a storm", done.stderr)
    checks.equal(place.stat().st_mode & 0o777, 0o600, "it is its owner's alone")
    checks.equal([path.name for path in place.parent.iterdir()], [place.name], "and one file")
    books = Books.of(place).shortened()
    answered = [each for each in list(storm.history) if each["end"] is not None]
    before = [each for each in answered if each["end"] < began and each["op"] in ("redeem", "verify")]
    during = [each for each in answered if began <= each["start"] and each["end"] <= ended]
    faults = judge(known_before(storm.history, began, ended, books), books)
    checks.equal([str(fault) for fault in faults[:5]], [],
                 "it holds everything that was answered before it began, and nothing twice")
    checks.that(len(before) > 100 and during, "the storm went on before it and meanwhile", (len(before), len(during)))
    slowest = max(each["end"] - each["start"] for each in during) / 1e6
    checks.that(slowest < 3, "meanwhile no answer waited for it", f"{slowest:.1f} s")
    checks.note(
        f"{len(before)} redemptions before, {len(during)} answers while it was made, in {(ended - began) / 1e6:.1f} s")
    # The judge is not blind: with one spent token forgotten, it reports a fault.
    won = next(each for each in before if each["outcome"] == "103000")
    books.spent[won["token"]] = (False, books.spent[won["token"]][1])
    rules = {fault.rule for fault in judge(known_before(storm.history, began, ended, books), books)}
    checks.that("ledger" in rules, "a copy that had lost one redemption would be condemned", rules)


def test_killed_backups(checks, storm, options):
    chance = random.Random(options.seed)
    place = folder()
    configuration = storm.server.configuration
    wrong, unfinished = [], 0
    for number in range(6):
        target = place / f"killed-{number}.sqlite"
        unfinished_one = place / f"{target.name}.unfinished"
        process = start([binary(), "backup", "-c", str(configuration), str(target)], stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL, env=environment())
        if number < 3:
            # How long it takes to begin depends on what else runs: counted from its first byte.
            eventually(lambda: unfinished_one.exists() or process.poll() is not None, 20, 0.005)
            time.sleep(chance.uniform(0, 0.03))
        else:
            time.sleep(chance.uniform(0.05, 0.5))
        process.kill()
        process.wait()
        unfinished += unfinished_one.exists()
        if target.exists() and benji("backup", "verify", "-c", configuration, target).returncode != 0:
            wrong.append(target.name)
    checks.equal(wrong, [], "after kills at random moments nothing that is called a backup is damaged")
    checks.that(unfinished >= 2, "some of them were killed in the middle", unfinished)
    target = place / "again.sqlite"
    (place / "again.sqlite.unfinished").write_bytes(b"left by a kill")
    done = benji("backup", "-c", configuration, target)
    checks.that(done.returncode == 0 and not (place / "again.sqlite.unfinished").exists(),
                "the next run cleans and succeeds", done.stderr)


def test_a_running_server(checks, storm, backup):
    done = storm.server.command("restore", "-c", storm.server.configuration, backup[0])
    checks.that(done.returncode == 1 and f"process {storm.server.process.pid} (benji)" in done.stderr
                and "stop it first" in done.stderr,
                "benji restore is refused while the server runs, and names it", done.stderr)
    done = storm.server.command("restore", "-c", storm.server.configuration, "--dry-run", backup[0])
    checks.that(done.returncode == 0 and "would be put in place" in done.stdout
                and f"process {storm.server.process.pid} (benji)" in done.stdout,
                "a dry run works beside the server, and says what must be stopped before", done.stdout + done.stderr)
    done = storm.server.command("restore", "-c", storm.server.configuration, "--dry-run", "--json", backup[0])
    checks.that(f"process {storm.server.process.pid}" in json.loads(done.stdout)["inUse"], "also for programs",
                done.stdout)
    # Without a journal, as in the role authority, the database's own lock shows it.
    journal = storm.server.data / "directory.journal"
    journal.rename(journal.with_suffix(".away"))
    done = storm.server.command("restore", "-c", storm.server.configuration, backup[0])
    journal.with_suffix(".away").rename(journal)
    checks.that(done.returncode == 1 and f"in use by process {storm.server.process.pid}" in done.stderr,
                "a server that has the database open is found without its journal", done.stderr)
    checks.that(not list(storm.server.data.glob("before-*")), "and nothing was moved")


def test_rehearsal(checks, storm, backup):
    before = backup[0].read_bytes()
    scratch = folder()
    done = storm.server.command("backup", "rehearse", "-c", storm.server.configuration, backup[0], "--in", scratch,
                                seconds=60)
    checks.that(done.returncode == 0 and "logged in as a subscriber of the backup" in done.stdout
                and "refused the second time" in done.stdout,
                "a rehearsal logs a subscriber of the backup in beside the running server", done.stdout + done.stderr)
    checks.that(not any(number in done.stdout + done.stderr for number in storm.numbers), "it names no number")
    checks.that(backup[0].read_bytes() == before and not list(scratch.iterdir()), "backup and folder are as they were")


def test_another_machine(checks, storm, backup):
    place, openid, began, *_ = backup
    other = Server(**SERVER)
    other.data.mkdir(0o700)

    def restore(file=place, **variables):
        return benji("restore", "-c", other.configuration, file, **variables)

    without = restore()
    checks.that(without.returncode == 1 and "no master key is at hand" in without.stderr,
                "without its master key a backup is refused", without.stderr)
    wrong = restore(BENJI_MASTER_KEY="benji-master-key-1:" + "A" * 43)
    checks.that(wrong.returncode == 1 and "BENJI_MASTER_KEY, which was tried" in wrong.stderr,
                "with another key too, which is named", wrong.stderr)
    shutil.copy(storm.server.data / "master.key", other.data)
    damaged = place.with_name("damaged.sqlite")
    content = bytearray(place.read_bytes())
    content[len(content) // 2:len(content) // 2 + 100_000] = b"Z" * 100_000
    damaged.write_bytes(content)
    refused = restore(damaged)
    checks.that(refused.returncode == 1 and f"{damaged} is damaged" in refused.stderr, "a damaged one is refused",
                refused.stderr)
    checks.equal([path.name for path in other.data.iterdir()], ["master.key"], "and nothing was made")
    done = benji("restore", "-c", other.configuration, place, "--reason", "the disk is gone")
    checks.equal(done.returncode, 0, "with the right key it is restored")
    log = first_json(benji("audit", "-c", other.configuration, "--order", "installation.restore",
                           "--json").stdout) or {}
    lines = [(line["reason"], line["subject"][:12]) for line in log.get("entries", [])]
    checks.equal(lines, [("the disk is gone", "a backup of ")],
                 "the restored audit log says who restored which backup, and why")
    with other:
        other.attach("attach", ADDRESS, NUMBER, imsi=IMSI)
        again = log_in(other, storm.app)
        checks.that(openid and again.get("openId") == openid,
                    "the same phone logs in, and is the same person to the app", again)
        backend = Backend(other.server)
        code, number = backend.redeem(storm.app, again.get("token", ""))
        checks.equal((code, number), ("103000", NUMBER), "its token is redeemed for its number")
        won = [each for each in list(storm.history) if each["op"] == "redeem" and each["outcome"] == "103000"
               and each["end"] < began]
        codes = {backend.redeem(storm.app, storm.secrets[each["token"]][0])[0] for each in won[-40:]}
        checks.equal(codes, {"104201"}, "what was spent before the backup stays spent")
        books = Books.of(place).shortened()
        unspent = [token for token, _, purpose in map(storm.secrets.get, list(storm.secrets))
                   if purpose == "login" and (books.find(short_hash(token)) or (True,))[0] is False]
        codes = {backend.redeem(storm.app, token)[0] for token in unspent[-20:]}
        checks.equal(codes, {"104201"}, "what was unspent then cannot be spent any more: it may have been spent since")
        backend.close()
    # The next tests have installations of their own, without a storm.
    storm.stop()


@pytest.fixture(scope="module")
def moments():
    return preload("moment.c")


@pytest.fixture(scope="module")
def small(moments):
    """An installation without a storm, its backup with one app, and its data with two: after a kill, and after a
    stop."""
    server = Server(**SERVER)
    server.create_app()
    place = folder()
    made = benji("backup", "-c", server.configuration, place / "small.sqlite")
    assert made.returncode == 0, made.stderr
    with server:
        server.create_app(name="Since")
        # Data that only the log holds.
        server.attach("attach", ADDRESS, NUMBER, imsi=IMSI)
        server.kill9()
        assert (server.data / "benji.sqlite-wal").stat().st_size > 0
        shutil.copytree(server.data, place / "killed")
        server.start()
    shutil.copytree(server.data, place / "stopped")
    return server, place


def test_backup_killed_at_every_step(checks, small, moments):
    server, place = small

    def attempt(number):
        target = place / f"step-{number}.sqlite"
        done = benji("backup", "-c", server.configuration, target, LD_PRELOAD=moments, DIES_AT=str(number))
        if done.returncode == 0:
            return False, None
        good = not target.exists() or benji("backup", "verify", "-c", server.configuration, target).returncode == 0
        again = benji("backup", "-c", server.configuration, target, "--force")
        clean = not list(place.glob(f"step-{number}.sqlite.*"))
        return True, (None if good and again.returncode == 0 and clean
                      else f"step {number}: {good} {again.stderr} {clean}")

    found = [found for killed, found in every_moment(attempt) if killed]
    checks.equal([fault for fault in found if fault], [],
                 "a backup that is killed before any of its steps leaves a good one or none, and the next run cleans")
    checks.that(len(found) >= 4, "there were steps to be killed at", len(found))


@pytest.mark.parametrize("left", ["killed", "stopped"])
def test_restore_killed_at_every_step(checks, small, moments, left):
    server, place = small
    states = []

    def attempt(number):
        data = place / f"{left}-{number}"
        shutil.copytree(place / left, data)
        data.chmod(0o700)
        order = ["restore", "-c", server.configuration, "--data", data, place / "small.sqlite"]
        done = benji(*order, LD_PRELOAD=moments, DIES_AT=str(number))
        if done.returncode == 0:
            return False, None
        apps, said = names(server.configuration, data)
        told = apps is not None or ("a restore broke off" in said and "benji restore" in said)
        states.append("told" if apps is None else "old" if "Since" in apps else "new")
        again = benji(*order)
        after, _ = names(server.configuration, data)
        kept = max((rows_of(former) for former in data.glob("before-*")), default=(0, 0))
        if told and again.returncode == 0 and after == {"Shop"} and kept == (2, 1):
            shutil.rmtree(data)
            return True, None
        return True, f"step {number}: {apps} {said} then {again.returncode} {again.stderr} {after}, former has {kept}"

    found = [found for killed, found in every_moment(attempt) if killed]
    checks.equal([fault for fault in found if fault], [],
                 f"a restore over the data of a server that was {left}, killed before any of its steps, leaves the "
                 "old or the new "
                 "database or says what to do; the next run finishes it, and the former one is kept whole")
    checks.that({"old", "new"} <= set(states) and len(found) >= 8, "kills came before and after the change",
                (len(found), states))
    checks.equal("told" in states, left == "killed", "only a log with commits leaves moments without a database")


def rows_of(former):
    """Apps and subscriptions of a database that was moved away, read from a copy of it and its log."""
    place = folder()
    for path in former.glob("benji.sqlite*"):
        shutil.copy(path, place)
    if not (place / "benji.sqlite").exists():
        return 0, 0
    database = sqlite3.connect(place / "benji.sqlite")
    try:
        return tuple(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                     for table in ("app", "subscription"))
    finally:
        database.close()


def test_an_earlier_schema(checks, small):
    """A copy of the small installation's database, as an earlier version left it."""
    server, place = small
    old = place / "earlier.sqlite"
    with contextlib.closing(sqlite3.connect(server.data / "benji.sqlite")) as present, contextlib.closing(
        sqlite3.connect(old)) as database:
        present.backup(database)
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        database.execute("DELETE FROM grdb_migrations WHERE identifier <> 'v1'")
        database.commit()
    verified = benji("backup", "verify", "-c", server.configuration, old)
    checks.that(verified.returncode == 0 and "v1, brought to v2" in verified.stdout,
                "a backup of an earlier schema is good, and said to be so", verified.stderr)
    wrong = benji("backup", "verify", "-c", server.configuration, old,
                  BENJI_MASTER_KEY="benji-master-key-1:" + "A" * 43)
    checks.that(wrong.returncode == 1 and "BENJI_MASTER_KEY, which was tried" in wrong.stderr,
                "the key is judged there too", wrong.stderr)
    done = benji("backup", "rehearse", "-c", server.configuration, old)
    checks.that(done.returncode == 0 and "the one that the backup's register gives" in done.stdout,
                "its subscriber logs in", done.stdout + done.stderr)
    restored = Server(**SERVER)
    restored.data.mkdir(0o700)
    shutil.copy(server.data / "master.key", restored.data)
    done = benji("restore", "-c", restored.configuration, old)
    checks.equal(done.returncode, 0, "it is restored as it is")
    tried = benji("migrate", "-c", restored.configuration, "--dry-run")
    checks.that("schema v1 to v2" in tried.stdout and "Nothing of the database was changed" in tried.stdout,
                "what its start would do is tried on a copy", tried.stderr)
    with restored:
        refused = benji("migrate", "-c", restored.configuration)
        checks.that("nothing to do" in refused.stdout, "a server brings it forward when it starts", refused.stderr)
