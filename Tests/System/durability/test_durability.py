"""Answers survive SIGKILL: tokens stay redeemable, spent tokens stay spent, and nothing is billed twice."""

import http.client
import resource
import shutil
import signal
import sqlite3
import threading

import pytest

from support.checks import PATIENCE, folder, run
from support.operators import LOGIN, VERIFY, Backend, login_request, verification_request
from support.server import Server, binary, environment

SERVER = {"log": {"level": "warning"}}

NUMBER, ADDRESS = "13900000041", "127.8.10.1"
TOKENS = 12


@pytest.fixture(scope="module")
def app(server):
    server.attach("attach", ADDRESS, NUMBER)
    return server.create_app()


def ledger(server, app):
    """(rows in the ledger, distinct logins in it, answers billed) of an app, read from the file itself."""
    with sqlite3.connect(server.data / "benji.sqlite", timeout=PATIENCE) as database:
        rows, traces = database.execute(
            "SELECT count(*), count(DISTINCT trace) FROM ledger WHERE app = ?", (app["id"],)).fetchone()
        (billed,) = database.execute(
            "SELECT coalesce(sum(answered), 0) FROM billing_day WHERE app = ?", (app["id"],)).fetchone()
    return rows, traces, billed


def test_spent_stays_spent(checks, server, app):
    token, _, said = server.phone("login", app, ADDRESS)
    checks.that(token is not None, "a phone gets a login token", said)
    request = login_request(app, token)
    backend = Backend(server.server)
    _, answer = backend.post(LOGIN, request)
    server.kill9()
    checks.equal((answer["resultCode"], answer.get("msisdn")), ("103000", NUMBER), "the token yields its number once")
    server.start()
    backend = Backend(server.server)
    checks.equal(backend.redeem(app, token)[0], "104201", "killed right after the answer: the token is still spent")
    _, answer = backend.post(LOGIN, request)
    checks.equal(answer["resultCode"], "103505", "killed right after the answer: the same request is still a replay")
    checks.equal(ledger(server, app), (1, 1, 1), "killed right after the answer: billed once, neither lost nor doubled")

    token, _, said = server.phone("verify", app, ADDRESS)
    if checks.that(token is None, "right after the restart the address is not trusted", said):
        server.attach("update", ADDRESS, NUMBER)
        token, _, said = server.phone("verify", app, ADDRESS)
    checks.that(token is not None, "after an Interim-Update a phone gets a verification token", said)
    _, answer = backend.post(VERIFY, verification_request(app, token, NUMBER))
    server.kill9()
    checks.equal(answer["header"]["resultCode"], "000", "it says yes once")
    server.start()
    code = Backend(server.server).verify(app, token, NUMBER)
    checks.equal(code, "606", "killed right after the yes: the token is still spent")
    checks.equal(ledger(server, app), (2, 2, 2), "killed right after the yes: billed once")


def test_issued_stays_issued(checks, server, app):
    server.attach("update", ADDRESS, NUMBER)
    token, _, said = server.phone("login", app, ADDRESS)
    server.kill9()
    checks.that(token is not None, "a phone gets a token", said)
    server.start()
    checks.equal(
        Backend(server.server).redeem(app, token), ("103000", NUMBER),
        "killed right after the token was issued: it is redeemable after the restart")


@pytest.mark.parametrize("time_of", ("first", "second"))
def test_killed_in_a_stream(checks, server, app, chance, time_of):
    """Redemptions one after the other on four connections, and the kill somewhere among them."""
    server.attach("update", ADDRESS, NUMBER)
    tokens = [server.phone("login", app, ADDRESS)[0] for _ in range(TOKENS)]
    if not checks.that(all(tokens), f"a phone gets {TOKENS} tokens"):
        return
    before = ledger(server, app)[0]
    answers, answered = {}, threading.Semaphore(0)

    def redeem(own):
        backend = Backend(server.server)
        for token in own:
            try:
                answers[token] = backend.redeem(app, token)[0]
                answered.release()
            except (OSError, http.client.HTTPException):
                return  # killed: whether it was spent is unknown

    workers = [threading.Thread(target=redeem, args=(tokens[n::4],)) for n in range(4)]
    for worker in workers:
        worker.start()
    for _ in range(chance.randrange(TOKENS)):
        answered.acquire(timeout=PATIENCE)
    server.kill9()
    for worker in workers:
        worker.join()
    server.start()
    released = {token for token, code in answers.items() if code == "103000"}
    checks.that(all(code == "103000" for code in answers.values()), "until the kill every token yielded its number",
                answers)
    rows = ledger(server, app)[0] - before
    checks.that(len(released) <= rows <= len(tokens),
                f"killed among redemptions: all {len(released)} answered ones are in the ledger", rows)
    backend = Backend(server.server)
    again = {token: backend.redeem(app, token)[0] for token in tokens}
    checks.that(all(again[token] == "104201" for token in released), "no answered token can be spent again", again)
    checks.that(set(again.values()) <= {"103000", "104201"}, "the others are either spent or redeemable", again)
    fresh = sum(code == "103000" for code in again.values())
    checks.equal(rows + fresh, len(tokens),
                 "what the ledger had at the kill and what was spent since are all tokens, once")
    total, traces, billed = ledger(server, app)
    checks.that(total == traces == billed, "ledger, logins and bill agree", (total, traces, billed))


def test_a_key_that_is_cut_off(checks):
    """If the disk fills up in the middle of the master key, `init` reports it and leaves no part of a key. The next
    `init` succeeds."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))

    place = folder() / "data"
    command = [binary(), "init", "--data", place]
    said = run(command, env=environment(), preexec_fn=limit)
    is_named = "master.key: File too large" in said.stderr
    checks.that(said.returncode != 0 and is_named, "init names the key file and the system's reason", said.stderr)
    left = [path.name for path in place.glob("master.key*") if path.suffix != ".lock"]
    checks.equal(left, [], "no part of a key is left")
    checks.equal(run(command, env=environment()).returncode, 0, "with room again, init succeeds")


def test_a_double_that_forgets(checks):
    """A database that loses what it acknowledged: the real server, given back an old copy of its files. What the checks
    above look for must then be there."""
    with Server(log={"level": "warning"}) as double:
        app = double.create_app()
        double.attach("attach", ADDRESS, NUMBER)
        token, _, _ = double.phone("login", app, ADDRESS)
        double.kill9()
        old = double.folder / "old"
        shutil.copytree(double.data, old)
        double.start()
        first = Backend(double.server).redeem(app, token)[0]
        double.kill9()
        for name in ("benji.sqlite", "benji.sqlite-wal", "benji.sqlite-shm"):
            (double.data / name).unlink(missing_ok=True)
            if (old / name).exists():
                shutil.copy(old / name, double.data / name)
        double.start()
        checks.equal(ledger(double, app), (0, 0, 0),
                     "a double that forgets: its ledger lacks the answer, and that is seen")
        checks.equal((first, Backend(double.server).redeem(app, token)[0]), ("103000", "103000"),
                     "a double that forgets: the token is spent twice, and that is seen")
