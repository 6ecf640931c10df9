"""An installation moves from SQLite to PostgreSQL as its operator would move it: benji store copy, killed in the middle
too, and compared.

Tokens of before are spent once after it, known people are known, and no number of a row is given out again.
"""

import json
import re
import signal
import sqlite3
import subprocess
import time

import pytest

from support.checks import eventually, first_json, run, start
from support.operators import Backend
from support.postgres import program
from support.server import ROOT, Server, binary, environment, wait_a_second

pytestmark = pytest.mark.seconds(300)

PHONE, NUMBER = "127.8.0.21", "13800000021"
GONE, GONE_NUMBER = "127.8.0.22", "13800000022"
# Rows that make a copy last long enough to be killed in it.
ROWS = 60_000
# Tables that one of the two has for itself.
OWN = {"grdb_migrations", "heartbeat", "database_history", "node_heartbeat", "sqlite_sequence", "schema_version"}


@pytest.fixture(scope="module")
def before():
    """An installation in a file that was served and stopped. Returns the server, its app, an unredeemed and a redeemed
    token, the phone's openId, and the result of a copy beside the running server."""
    server = Server()
    app = server.create_app()
    with server:
        server.attach("attach", PHONE, NUMBER)
        server.attach("attach", GONE, GONE_NUMBER)
        spent, openid = log_in(server, app)
        backend = Backend(server.server)
        assert backend.redeem(app, spent) == ("103000", NUMBER)
        backend.close()
        erased = server.command("subscriber", "erase", "--number", GONE_NUMBER, "--reason", "they asked", "-c",
                                server.configuration)
        assert erased.returncode == 0, erased.stderr
        token, _ = log_in(server, app)
        beside = server.command("store", "copy", "-c", server.configuration, "--set", "store.postgres=host=/nowhere")
    fill(server)
    return server, app, token, spent, openid, beside


def log_in(server, app):
    """Token and openId."""
    wait_a_second()
    server.attach("update", PHONE, NUMBER)
    token, situation, said = server.phone("login", app, PHONE)
    assert token is not None, f"{situation}: {said}"
    return token, first_json(said)["openId"]


def fill(server):
    opened = sqlite3.connect(server.data / "benji.sqlite")
    with opened:
        opened.executemany(
            "INSERT INTO trace_event (trace, at, party, step, situation, detail) VALUES (?, ?, 'test', 'fill', "
            "'success', ?)",
            ((f"{row:032x}", int(time.time() * 1000), "x" * 200) for row in range(ROWS)))
        # On a busy machine a token would not live as long as this test takes.
        opened.execute("UPDATE token SET expires_at = expires_at + 3600000")
    opened.close()


def rows_of_file(server):
    opened = sqlite3.connect(f"file:{server.data / 'benji.sqlite'}?mode=ro", uri=True)
    tables = {name for (name,) in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")} - OWN
    counts = {name: opened.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}
    opened.close()
    return counts


def rows_of(postgres):
    """The same of PostgreSQL; empty if there are no tables."""
    tables = set(postgres.value("SELECT tablename FROM pg_tables WHERE schemaname = 'benji'").split()) - OWN
    return {name: int(postgres.value(f"SELECT count(*) FROM benji.{name}")) for name in tables}


def at_postgres(postgres):
    return ("--set", f"store.postgres={postgres.place}")


def test_what_is_refused(checks, postgres, before):
    server, *_, beside = before
    said = beside.stdout + beside.stderr
    checks.that(beside.returncode == 1 and "another server is running" in said and "stop it first" in said,
                "no copy is made while a server runs", said)
    done = server.command("store", "copy", "-c", server.configuration)
    checks.that(done.returncode == 1 and "store.postgres names no database" in done.stderr,
                "a configuration without PostgreSQL is named", done.stderr)
    done = server.command("store", "verify", "-c", server.configuration, *at_postgres(postgres))
    checks.that(done.returncode == 1 and "benji store copy" in done.stderr, "nothing to compare: copy first",
                done.stderr)
    done = server.command("serve", "-c", server.configuration, *at_postgres(postgres))
    checks.that(done.returncode != 0 and "benji store copy" in done.stderr,
                "a start on the empty database names the way there", done.stderr)
    key = server.data / "master.key"
    key.rename(server.data / "away")
    done = server.command("store", "copy", "-c", server.configuration, *at_postgres(postgres))
    checks.that(done.returncode == 1 and "master.key" in done.stderr, "no copy is made without the master key",
                done.stderr)
    (server.data / "away").rename(key)
    checks.equal(rows_of(postgres), {}, "and nothing was made in PostgreSQL")


def test_killed_in_the_middle(checks, postgres, before):
    """At the first rows of the long table, among them, and while it is compared."""
    server, *_ = before
    working = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'benji' AND application_name = 'benji'"
    for sentence, query in (("while rows are written", "INSERT INTO trace_event%"),
                            ("while they are compared", "SELECT%FROM trace_event%")):
        copying = start([binary(), "store", "copy", "-c", str(server.configuration), *at_postgres(postgres)],
                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(), stdin=subprocess.DEVNULL)
        seen = eventually(lambda: copying.poll() is not None
                          or postgres.value(f"{working} AND query LIKE '{query}'") == "1", 60, 0.002)
        ran = copying.poll() is None
        copying.send_signal(signal.SIGKILL)
        copying.wait()
        checks.that(seen and ran, f"a copy is killed {sentence}", copying.stderr.read().decode())
        checks.that(eventually(lambda: postgres.value(working) == "0", 30), "PostgreSQL notices")
        checks.equal(rows_of(postgres), {}, "and has nothing of it")


def test_the_copy(checks, postgres, before):
    server, *_ = before
    file = rows_of_file(server)
    done = server.command("store", "copy", "-c", server.configuration, "--json", *at_postgres(postgres), seconds=120)
    said = first_json(done.stdout) or {}
    checks.that(done.returncode == 0 and said.get("rows") == sum(file.values()), "every row is copied",
                done.stdout[-500:] + done.stderr)
    checks.equal(rows_of(postgres), file, "as an independent count of each table says")
    checks.that(file["trace_event"] > ROWS and file["consent"] and file["audit"] and file["ledger"] == 1,
                "there was something to copy", file)
    dump = postgres.value("SELECT string_agg(s::text, '') FROM benji.subscription AS s")
    checks.that(NUMBER not in dump, "no number is in clear in it")
    again = server.command("store", "copy", "-c", server.configuration, *at_postgres(postgres))
    checks.that(again.returncode == 1 and "there are rows already" in again.stderr
                and "benji store verify" in again.stderr,
                "a second copy is refused", again.stderr)
    checks.equal(rows_of(postgres), file, "and changes nothing")


def test_a_wrong_row_is_found(checks, postgres, before):
    server, *_ = before

    def verify():
        done = server.command("store", "verify", "-c", server.configuration, *at_postgres(postgres), seconds=60)
        return done.returncode, done.stdout + done.stderr

    status, said = verify()
    checks.that(status == 0 and "all are the same" in said, "the copy is found to be the same", said)
    postgres.psql("UPDATE benji.trace_event SET situation = 'wrong' WHERE id = 30000")
    status, said = verify()
    checks.that(status == 1 and "trace_event" in said and "1 rows differ (situation)" in said,
                "a row that is another is found, with its column", said)
    postgres.psql("UPDATE benji.trace_event SET situation = 'success' WHERE id = 30000")
    postgres.psql("DELETE FROM benji.token WHERE spent_at IS NOT NULL")
    status, said = verify()
    checks.that(status == 1 and "token" in said and "not in PostgreSQL" in said, "a row that is lost is found", said)
    postgres.psql("DROP SCHEMA benji CASCADE")
    # As a server leaves it that worked in the copy which is gone.
    heartbeat = server.data / "database-heartbeat"
    heartbeat.write_text("00000000-0000-4000-8000-000000000001 0 1000 1795000000000\n")
    done = server.command("store", "copy", "-c", server.configuration, *at_postgres(postgres), seconds=120)
    checks.that(done.returncode == 0 and "all are the same" in done.stdout,
                "the copy is made anew as the message says", done.stdout + done.stderr)
    checks.equal([each.name for each in server.data.glob("database-heartbeat*")], [],
                 "and the heartbeat of the database that is gone is deleted")


def test_life_goes_on_in_postgresql(checks, postgres, before):
    server, app, token, spent, openid, _ = before
    last = int(postgres.value("SELECT max(subscription) FROM benji.erasure"))
    settings = json.loads(server.configuration.read_text())
    server.configuration.write_text(json.dumps({**settings, "store": {"postgres": postgres.place}}))
    with server:
        backend = Backend(server.server)
        code, number = backend.redeem(app, spent)
        checks.that(code != "103000" and number is None, "what was spent before the move is spent", f"{code} {number}")
        checks.equal(backend.redeem(app, token), ("103000", NUMBER),
                     "what was issued before the move is redeemed after it")
        checks.that(backend.redeem(app, token)[0] != "103000", "once")
        again, openid_now = log_in(server, app)
        checks.equal((backend.redeem(app, again), openid_now), (("103000", NUMBER), openid),
                     "the phone logs in as who it was")
        server.attach("attach", GONE, GONE_NUMBER)
        checks.that(eventually(lambda: int(postgres.value("SELECT max(id) FROM benji.subscription")) > last, 10),
                    "somebody new gets a number of a row that nobody had",
                    postgres.value("SELECT id FROM benji.subscription"))
        backend.close()

        def give(*words):
            done = server.command(*words, "--json", "-c", server.configuration)
            return first_json(done.stdout) or {"said": done.stdout + done.stderr}

        lines = give("ledger", "list", app["id"]).get("entries", [])
        checks.equal(len(lines), 3, "the ledger has its lines of before and after")
        orders = {entry["order"] for entry in give("audit").get("entries", [])}
        checks.that({"app.create", "subscriber.erase"} <= orders, "the audit log has the orders of before", orders)
        trace = postgres.value("SELECT trace FROM benji.consent ORDER BY id LIMIT 1")
        shown = give("consent", "show", trace)
        checks.that(shown.get("consents", [{}])[0].get("shown"), "a consent of before is shown as it was signed", shown)
        doctor = server.command("doctor", "-c", server.configuration)
        checks.that("1 app, keys open" in doctor.stdout + doctor.stderr, "benji doctor finds keys and apps in order",
                    doctor.stdout + doctor.stderr)


def test_a_dump_is_brought_back_as_the_document_says(checks, postgres, before):
    """The commands and SQL of docs/operations/postgresql.md. A dumped token may be spent since, and so must be
    invalid."""
    server, app, *_ = before
    page = (ROOT / "docs/operations/postgresql.md").read_text().split("## Backups of PostgreSQL")[1]
    commands = {line.split()[0]: re.sub(r"\s+#.*", "", line)
                for line in page.split("```sh")[1].split("```")[0].splitlines() if line}
    sql = page.split("```sql")[1].split("```")[0]
    dump = postgres.folder / "benji.dump"

    def document(name):
        words = [program(name), *commands[name].split()[1:]]
        line = re.sub(r'"host=[^"]*"', f'"{postgres.place}"', re.sub(r"/backup/\S+", str(dump), " ".join(words)))
        return run(["sh", "-c", line], 60)

    with server:
        token, openid = log_in(server, app)
        made = document("pg_dump")
        checks.equal(made.returncode, 0, f"a dump is made while the server runs: {made.stderr}")
        backend = Backend(server.server)
        checks.equal(backend.redeem(app, token), ("103000", NUMBER), "a token is spent after it")
        backend.close()
    known = postgres.value("SELECT max(id) FROM benji.subscription")
    # An operator's report blocks half of it.
    postgres.psql("CREATE VIEW public.report AS SELECT * FROM benji.ledger")
    whole = postgres.value("SELECT count(*) FROM benji.ledger")
    back = document("pg_restore")
    keys = postgres.value(
        "SELECT count(*) FROM pg_constraint WHERE conrelid = 'benji.ledger'::regclass AND contype = 'p'")
    checks.that(back.returncode != 0 and (postgres.value("SELECT count(*) FROM benji.ledger"), keys) == (whole, "1"),
                "a dump that cannot be brought back whole changes nothing, and ends with an error", back.stderr)
    postgres.psql("DROP VIEW public.report")
    back = document("pg_restore")
    checks.equal(back.returncode, 0, f"the dump is brought back: {back.stderr}")
    checks.equal(postgres.value("SELECT spent_at FROM benji.token ORDER BY issued_at DESC LIMIT 1"), "",
                 "and has the token as unspent")
    doctor = server.command("doctor", "-c", server.configuration)
    checks.that(doctor.returncode != 0 and "lacks commits that it had confirmed" in doctor.stdout + doctor.stderr,
                "until the statements are run, no node works in the database", doctor.stdout + doctor.stderr)
    done = postgres.psql(sql)
    checks.equal(done.returncode, 0, f"the statements are understood: {done.stderr}")
    (server.data / "directory.journal").unlink()
    with server:
        backend = Backend(server.server)
        code, number = backend.redeem(app, token)
        checks.that(code != "103000" and number is None, "what was spent after the dump is not spent again",
                    f"{code} {number}")
        server.attach("attach", PHONE, NUMBER)
        again, openid_now = log_in(server, app)
        checks.equal((backend.redeem(app, again), openid_now), (("103000", NUMBER), openid),
                     "the phone logs in as who it was")
        server.attach("attach", "127.8.0.23", "13800000023")
        checks.that(
            eventually(lambda: int(postgres.value("SELECT max(id) FROM benji.subscription")) > int(known) + 1000, 10),
                    "rows are numbered on from far beyond", known)
        backend.close()
