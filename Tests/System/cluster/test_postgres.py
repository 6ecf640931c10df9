"""An installation in PostgreSQL: a login from end to end, and the data kept when the server or PostgreSQL itself dies.

A password never reaches a message, and what works on SQLite's file alone refuses with a sentence.
"""

import json

import pytest

from support.checks import eventually, first_json
from support.operators import Backend
from support.server import Server, free_ports, wait_a_second

PHONE, NUMBER = "127.8.0.21", "13800000021"


@pytest.fixture(scope="module")
def installation(postgres):
    return Server(store=postgres.settings, listen={"administration": f"127.0.0.1:{free_ports(1)[0]}"})


@pytest.fixture(scope="module")
def app(installation):
    made = installation.command("init", "--config", installation.configuration)
    assert made.returncode == 0, made.stdout + made.stderr
    made = installation.command(
        "app", "create", "--config", installation.configuration, "--name", "Shop", "--bundle", "com.example.shop",
        "--server-address",
        "127.0.2.0/24", "--json")
    assert made.returncode == 0, made.stdout + made.stderr
    return json.loads(made.stdout[made.stdout.index("{"):])


@pytest.fixture(scope="module")
def server(installation, app):
    with installation:
        yield installation


def login(server, app):
    token, situation, said = server.phone("login", app, PHONE)
    assert token is not None, f"{situation}: {said}"
    return token


def test_a_login_and_two_redemptions(checks, postgres, server, app, backend):
    server.attach("attach", PHONE, NUMBER)
    token = login(server, app)
    code, number = backend.redeem(app, token)
    checks.equal((code, number), ("103000", NUMBER), "a phone logs in and its number is released")
    code, number = backend.redeem(app, token)
    checks.that(code != "103000" and number is None, "a second redemption of the token is refused", f"{code} {number}")
    checks.equal(postgres.value("SELECT count(*) FROM benji.ledger"), "1", "the ledger has one line")
    checks.that(not (server.data / "benji.sqlite").exists(), "nothing is kept in a file of SQLite's")
    dump = postgres.value("SELECT string_agg(s::text, '') FROM benji.subscription AS s")
    checks.that(NUMBER not in dump, "the number is not in clear in the database")


def test_the_commands(checks, postgres, server, app):
    doctor = server.command("doctor", "-c", server.configuration)
    said = doctor.stdout + doctor.stderr
    checks.that(f"PostgreSQL at {postgres.folder}" in said and "1 app, keys open" in said,
                "benji doctor looks into the database", said)
    keys = server.command("keys", "show", "-c", server.configuration)
    checks.equal(keys.returncode, 0, "benji keys show tells what is sealed")
    rotated = server.command("keys", "rotate", "-c", server.configuration, "--reason", "test")
    checks.that(rotated.returncode == 0, "the master key is rotated while the server runs",
                rotated.stdout + rotated.stderr)
    for words, advice in ((("backup", str(server.folder / "b")), "pg_dump"), (("migrate", "--dry-run"), "pg_dump"),
                          (("restore", str(server.folder / "b"), "--reason", "test"), "pg_restore")):
        done = server.command(*words, "-c", server.configuration)
        said = done.stdout + done.stderr
        checks.that(done.returncode != 0 and advice in said and "Error:" in said,
                    f"benji {words[0]} refuses and names {advice}", f"{done.returncode}: {said}")


def test_two_roles(checks, postgres, server, app):
    """The owner's commands, and a server whose role owns nothing, in a database of its own."""
    made = postgres.psql("CREATE ROLE owner LOGIN; CREATE ROLE serving LOGIN", "postgres")
    checks.that(made.returncode == 0 and postgres.psql("CREATE DATABASE two OWNER owner", "postgres").returncode == 0,
                "two roles and a database are made", made.stderr)
    place = f"host={postgres.folder} dbname=two user="
    own = ("-c", server.configuration, "--data", server.folder / "two", "--set", f"store.postgres={place}owner",
           "--set", "store.serving-role=serving")
    serving = ("-c", server.configuration, "--data", server.folder / "two", "--set", f"store.postgres={place}serving",
               "--set", "store.serving-role=serving")

    def said(done):
        return f"{done.returncode}: {done.stdout}{done.stderr}"
    early = server.command("init", *serving)
    checks.that(early.returncode != 0 and "as the owner of the tables" in said(early),
                "a serving role makes no tables, and names who does", said(early))
    begun = server.command("init", *own)
    checks.that(begun.returncode == 0 and "serving role: serving" in begun.stdout, "the owner begins the installation",
                said(begun))
    added = server.command("app", "create", *serving, "--name", "Two", "--bundle", "com.example.two",
                           "--server-address", "127.0.2.0/24", "--json")
    checks.that(added.returncode == 0, "an app is registered as the serving role", said(added))
    doctor = server.command("doctor", *serving)
    checks.that("1 app, keys open" in doctor.stdout and "owns the tables" not in doctor.stdout,
                "benji doctor has nothing to say of it", said(doctor))
    doctor = server.command("doctor", "-c", server.configuration)
    checks.that("owns the tables, so it can switch off the triggers" in doctor.stdout, "of one role it advises two",
                said(doctor))
    checked = server.command("serve", "--check", *own)
    warning = "this server connects as owner, which has the power of the tables' owner, and not as serving"
    checks.that(warning in checked.stdout, "a server that would connect as the owner is warned", said(checked))
    checks.that(warning not in server.command("doctor", *own).stdout, "a command of the owner is not")
    checked = server.command("serve", "--check", *serving)
    checks.that("this server connects as" not in checked.stdout, "nor is a server of the serving role", said(checked))
    refused = postgres.psql("SET ROLE serving; TRUNCATE benji.scrip", "two")
    checks.that(refused.returncode != 0 and "permission denied" in refused.stderr, "the serving role empties no table",
                refused.stderr)

    postgres.psql("GRANT TRIGGER ON benji.audit TO serving", "two")
    doctor = server.command("doctor", *serving)
    checks.that("TRIGGER ON TABLE benji.audit" in doctor.stdout and "benji migrate" in doctor.stdout,
                "a right too many is named", said(doctor))
    postgres.psql("REVOKE INSERT ON benji.audit FROM serving", "two")
    doctor = server.command("doctor", *serving)
    checks.that(doctor.returncode != 0 and "lacks rights on the database: INSERT ON TABLE benji.audit; run benji "
                                           "migrate as owner" in doctor.stdout,
                "benji doctor names a missing right and the remedy", said(doctor))
    checked = server.command("serve", "--check", *serving)
    checks.that(checked.returncode != 0 and "INSERT ON TABLE benji.audit" in checked.stdout,
                "a start is refused for a missing right", said(checked))
    mended = server.command("migrate", *own)
    checks.that(mended.returncode == 0 and "serving has the rights of a serving role" in mended.stdout,
                "benji migrate mends both", said(mended))
    doctor = server.command("doctor", *serving)
    checks.that("ON TABLE" not in doctor.stdout, "nothing is left to mend", said(doctor))
    postgres.psql("GRANT UPDATE (actor) ON benji.audit TO PUBLIC", "two")
    mended = server.command("migrate", *own)
    checks.that("has the rights of a serving role" not in said(mended)
                and "UPDATE (actor) ON TABLE benji.audit" in said(mended),
                "what benji migrate cannot take is named, and nothing says that all is right", said(mended))
    postgres.psql("REVOKE UPDATE (actor) ON benji.audit FROM PUBLIC", "two")
    for mistake, changed in (("REVOKE INSERT ON benji.audit FROM serving", True), ("SELECT 1", False)):
        postgres.psql(mistake, "two")
        mended = server.command("migrate", "--json", *own)
        checks.that(mended.returncode == 0 and first_json(mended.stdout)["changed"] is changed,
                    f"after {mistake} it says whether it changed something", said(mended))

    for mistake, cause, remedy in (
            ("GRANT owner TO serving", "is a member of owner, which owns the schema benji",
             "REVOKE owner FROM serving"),
            ("ALTER ROLE serving SUPERUSER", "is a superuser", "ALTER ROLE serving NOSUPERUSER"),
            ("GRANT pg_execute_server_program TO serving", "is a member of pg_execute_server_program",
             "REVOKE pg_execute_server_program FROM serving"),
            ("ALTER FUNCTION benji.refuse() OWNER TO serving", "owns the function benji.refuse",
             "REASSIGN OWNED BY serving TO owner"),
            ("ALTER DATABASE two OWNER TO serving", "owns the database two", "ALTER DATABASE two OWNER TO owner")):
        postgres.psql(mistake, "two")
        doctor = server.command("doctor", *serving)
        checks.that(doctor.returncode != 0 and f"the role serving {cause}" in doctor.stdout
                    and f"run {remedy}" in doctor.stdout,
                    f"benji doctor names a role that is unfit for serving, and the remedy, after {mistake}",
                    said(doctor))
        checked = server.command("serve", "--check", *serving)
        checks.that(checked.returncode != 0 and f"the role serving {cause}" in checked.stdout,
                    "a start is refused, too", said(checked))
        postgres.psql(remedy, "two")
        doctor = server.command("doctor", *serving)
        checks.that("1 app, keys open" in doctor.stdout and "the role serving" not in doctor.stdout, "which mends it",
                    said(doctor))

    vacuumed = server.command("store", "vacuum", *own)
    checks.that(vacuumed.returncode == 0, "the owner vacuums", said(vacuumed))
    if int(postgres.value("SHOW server_version_num")) < 170_000:
        vacuumed = server.command("store", "vacuum", *serving)
        checks.that(vacuumed.returncode != 0 and "names their owner, owner" in vacuumed.stderr,
                    "the serving role may not", said(vacuumed))


def test_an_erasure_says_what_postgresql_has_done(checks, server):
    """PostgreSQL's own files are out of reach, whichever way the order is given."""
    granted = server.command("admin", "grant", "op", "--role", "operator", "--json", "-c", server.configuration)
    token = server.folder / "token"
    token.write_text(first_json(granted.stdout)["token"])
    token.chmod(0o600)
    over_http = ("--server", "http://" + json.loads(server.configuration.read_text())["listen"]["administration"],
                 "--token-file", token)
    for place, number, way in (("127.8.0.31", "13800000031", ("-c", server.configuration)),
                               ("127.8.0.32", "13800000032", over_http)):
        server.attach("attach", place, number, imsi=f"4600{number}")
        done = server.command("subscriber", "erase", "--number", number, "--reason", "they asked", *way)
        said = done.stdout + done.stderr
        checks.that(done.returncode == 0 and "PostgreSQL has removed the rows" in said and "were removed" not in said,
                    f"the answer to an order {way[0]} is true for PostgreSQL", said)


def test_the_server_is_killed(checks, server, app, backend):
    wait_a_second()
    server.attach("update", PHONE, NUMBER)
    token, spent = login(server, app), login(server, app)
    checks.equal(backend.redeem(app, spent)[0], "103000", "a token is redeemed")
    server.kill9()
    server.start()
    again = Backend(server.server)
    checks.that(again.redeem(app, spent)[0] != "103000", "what was spent before the kill is spent")
    checks.equal(again.redeem(app, token), ("103000", NUMBER), "what was issued before the kill is redeemed after it")
    again.close()


def test_postgres_dies(checks, postgres, server, app):
    wait_a_second()
    server.attach("update", PHONE, NUMBER)
    backend = Backend(server.server)
    token, spent = login(server, app), login(server, app)
    checks.equal(backend.redeem(app, spent)[0], "103000", "a token is redeemed")
    postgres.stop_at_once()
    status, said = server.unready()
    checks.that(status == 503 and "PostgreSQL at" in said, "readiness says that PostgreSQL is gone", f"{status} {said}")
    checks.that(backend.redeem(app, token)[0] != "103000", "nothing is redeemed meanwhile")
    postgres.start()
    checks.that(eventually(lambda: server.ready()[0] == 200),
                "the server is ready again without a restart", server.ready())
    checks.that(backend.redeem(app, spent)[0] != "103000", "what was spent before the crash is spent")
    checks.equal(backend.redeem(app, token), ("103000", NUMBER),
                 "what was issued before the crash is redeemed after it")
    server.attach("update", PHONE, NUMBER)
    checks.equal(backend.redeem(app, login(server, app))[0], "103000", "phones log in again")
    backend.close()


def test_nothing_unsafe_starts(checks, postgres, server):
    postgres.psql("ALTER DATABASE benji SET synchronous_commit = off")
    other = Server(store={"postgres": postgres.place})
    other.data.mkdir(mode=0o700)
    listed = other.command("app", "list", "-c", other.configuration)
    said = listed.stdout + listed.stderr
    checks.that(listed.returncode != 0 and "synchronous_commit is off" in said,
                "a database that may forget is refused by the setting's name", said)
    postgres.psql("ALTER DATABASE benji RESET synchronous_commit")
    secret = Server(store={"postgres": "host=localhost password=hunter2secret"})
    done = secret.command("doctor", "-c", secret.configuration)
    said = done.stdout + done.stderr
    checks.that(done.returncode != 0 and "hunter2secret" not in said and "store.postgres" in said,
                "a password in the setting is refused and not repeated", said)
