"""Apps are told of their logins by callbacks (docs/callbacks.md): `benji serve`, real receivers over TLS, and kills.

    test_callbacks.py                  three kills under a storm
    test_callbacks.py --rounds 50      more of them
"""

import json
import random
import sqlite3
import subprocess
import sys
import time

import pytest

from support.callbacks import EXAMPLE, NUMBER, PHONE, Receiver, Sender, slow
from support.checks import end, eventually, first_json, folder, start
from support.operators import Backend
from support.provider import CertificateAuthority
from support.server import ROOT, Server, environment, free_ports
from support.storm import Storm

pytestmark = pytest.mark.seconds(lambda options: 240 + 5 * options.rounds)
OPTIONS = {"rounds": 3, "seed": None, "phones": 6, "servers": 6}

# The first pause of the schedule with its jitter, a pause of the receiver, and a poll.
FIRST_RETRY = 15


@pytest.fixture(scope="module")
def authority():
    return CertificateAuthority()


def test_events_arrive(checks, authority):
    """Each kind of event, its content and its omissions; the secret's rotation; a test event; a replay."""
    with Receiver(authority) as receiver, Sender(authority, receiver.port) as server:
        server.attach("attach", PHONE, NUMBER)
        app = server.create_app()
        secret = server.register(app, receiver)
        checks.that(secret.startswith("whsec_"), "a new callback's secret is printed", secret[:6])
        shown = server.command("app", "callback", "show", app["id"], "--config", server.configuration)
        checks.that(secret not in shown.stdout + shown.stderr and receiver.url in shown.stdout,
                    "and is not shown again", shown.stdout)
        checks.that(server.login(app), "the number is released")
        checks.that(eventually(lambda: receiver.ids("login.released"), 10), "a released login is told", server.tail())
        event, body = receiver.events[0], receiver.bodies[0].decode()
        checks.equal((event["data"]["appId"], event["data"]["interface"], event["data"]["result"]),
                     (app["id"], "loginTokenValidate", "released"), "the event says what happened")
        checks.that(event["data"]["openId"] and event["data"]["trace"], "and whose login it was, to this app", event)
        checks.that(NUMBER not in body and NUMBER[1:] not in body, "the number is not in it", body)

        token, _, _ = server.phone("verify", app, PHONE)
        backend = Backend(server.server)
        code = backend.verify(app, token, NUMBER)
        backend.close()
        checks.equal(code, "000", "a verification is answered")
        checks.that(eventually(lambda: receiver.ids("verification.answered"), 10), "and told", receiver.events)
        told = next((each for each in receiver.events if each["type"] == "verification.answered"), {"data": {}})
        checks.that("openId" not in told["data"], "without an openId, as the answer had none", told)
        for order, kind in (("suspend", "app.suspended"), ("resume", "app.resumed")):
            server.command("app", order, app["id"], "--config", server.configuration)
            checks.that(eventually(lambda kind=kind: receiver.ids(kind), 10), f"{kind} is told", receiver.events)
        queued = server.order("test", app["id"])["event"]
        checks.that(eventually(lambda: queued in receiver.ids("callback.test"), 10),
                    "an event that was ordered arrives")

        said = server.command("consent", "withdraw", "--app", app["id"], "--number", NUMBER, "--config",
                              server.configuration)
        checks.that(eventually(lambda: receiver.ids("consent.withdrawn"), 10), "a withdrawn consent is told",
                    said.stdout + said.stderr)
        told = next((each for each in receiver.events if each["type"] == "consent.withdrawn"), {"data": {}})
        checks.equal(told["data"].get("openId"), event["data"]["openId"], "with what the app knows the person as")
        checks.that("kept as evidence" in said.stdout, "and the command says what stays", said.stdout)
        again = server.command("consent", "withdraw", "--app", app["id"], "--number", "13900000099", "--config",
                               server.configuration)
        checks.that(again.returncode != 0 and "13900000099" not in again.stderr,
                    "an unknown number is refused, without the number", again.stderr)

        former = receiver.secrets[0]
        new = server.order("rotate-secret", app["id"], "--overlap", "1")["secret"]
        queued = server.order("test", app["id"])["event"]
        checks.that(eventually(lambda: queued in receiver.ids(), 10),
                    "a receiver that knows the former secret takes events", receiver.refused)
        receiver.secrets = [new]
        queued = server.order("test", app["id"])["event"]
        checks.that(eventually(lambda: queued in receiver.ids(), 10), "and so does one that knows the new one",
                    receiver.refused)
        newest = server.order("rotate-secret", app["id"], "--now")["secret"]
        receiver.secrets = [former, new]
        queued = server.order("test", app["id"])["event"]
        checks.that(eventually(lambda: receiver.refused, 10), "a secret that was ended at once signs nothing more")
        receiver.secrets = [newest]
        checks.that(eventually(lambda: queued in receiver.ids(), FIRST_RETRY), "what a receiver refused comes again",
                    receiver.refused)

        first = receiver.ids()[0]
        checks.equal(server.order("replay", app["id"], "--event", first)["replayed"], 1,
                     "an event is sent once more on demand")
        checks.that(eventually(lambda: receiver.ids().count(first) == 2, 10), "with the same id")
        checks.that(len({each for each, known in zip(receiver.bodies, receiver.events) if known["id"] == first}) == 1,
                    "and the same body")
        states = {row["state"] for row in server.deliveries(app)}
        checks.equal(states, {"delivered"}, "all are listed as delivered")
        said = server.log.read_text(errors="replace")
        checks.that(not any(each in said for each in (former, new, newest, NUMBER)),
                    "no secret and no number is in the log")


def test_receivers_in_trouble(checks, authority):
    """A dead receiver, a slow one, one with a wrong certificate, one that redirects and one that is gone, beside a good
    one."""
    stranger = CertificateAuthority()
    good, dead, late, wrong, turning, gone = receivers = [Receiver(each) for each in (authority, authority, authority,
                                                                                      stranger, authority, authority)]
    with Sender(authority, *(each.port for each in receivers)) as server:
        server.attach("attach", PHONE, NUMBER)
        apps = []
        for receiver in receivers:
            apps.append(server.create_app())
            server.register(apps[-1], receiver)
            # The one that is gone would stop its callback at the first event.
            if receiver not in (dead, gone):
                receiver.start()
        late.answer = slow(8)
        turning.answer, turning.location = lambda _: 302, f"https://localhost:{good.port}/elsewhere"
        gone.answer = lambda _: 410
        for app in apps[1:]:
            for _ in range(3):
                server.order("test", app["id"])
        gone.start()
        begun = time.monotonic()
        queued = server.order("test", apps[0]["id"])["event"]
        checks.that(eventually(lambda: queued in good.ids(), 8), "receivers in trouble hold up no other one",
                    time.monotonic() - begun)

        def outcomes(app):
            return {row.get("lastOutcome") for row in server.deliveries(app) if row.get("lastOutcome")}
        checks.that(eventually(lambda: "no TLS" in outcomes(apps[3]), 20), "a wrong certificate gets nothing",
                    outcomes(apps[3]))
        checks.equal(wrong.events, [], "not even the event's body")
        checks.that(eventually(lambda: "302" in outcomes(apps[4]), 20), "a redirect is a failure", outcomes(apps[4]))
        checks.that(not set(turning.ids()) & set(good.ids()), "and is not followed")
        checks.that(eventually(lambda: "stoppedAt" in server.order("show", apps[5]["id"])["callback"], 40),
                    "410 stops a callback",
                    server.order("show", apps[5]["id"]))
        gone.answer = lambda _: 204
        server.order("set", apps[5]["id"])
        checks.that(eventually(lambda: len(set(gone.ids())) == 3 and all(
            row["state"] != "waiting" for row in server.deliveries(apps[5])), 20), "set anew, it gets what waited",
                    gone.ids())
        checks.equal(server.order("replay", apps[5]["id"], "--dead")["replayed"] >= 1, True,
                     "dead letters are sent once more on demand")

        checks.that(outcomes(apps[1]) == {"unreachable"}, "a dead receiver's events wait", outcomes(apps[1]))
        dead.start()
        wanted = {row["event"] for row in server.deliveries(apps[1])}
        checks.that(eventually(lambda: wanted <= set(dead.ids()), 60), "and arrive when it is back",
                    server.deliveries(apps[1]))
        checks.that(eventually(lambda: len(set(late.ids())) == 3, 60), "a slow one gets all of its own", late.ids())
        checks.that(server.metric("benji_callback_attempts_total", result="delivered") >= 5, "deliveries are counted")
        checks.that(server.metric("benji_callback_attempts_total", result="failed") >= 3, "and failures")
    for receiver in receivers:
        receiver.stop()


@pytest.mark.part("gate")
def test_nothing_inside_is_called(checks, authority):
    """Without networks that the operator allows, a name that leads to this machine is not called; nor are other
    spellings taken."""
    with Receiver(authority) as receiver, Server(log={"level": "warning"}, callbacks={
            "ports": [str(receiver.port)], "authorities": authority.ca}) as server:
        app = server.create_app()
        made = server.command("app", "callback", "set", app["id"], "--url", receiver.url, "--config",
                              server.configuration)
        checks.equal(made.returncode, 0, "the name itself is taken")
        server.command("app", "callback", "test", app["id"], "--config", server.configuration)

        def outcome():
            done = server.command("app", "callback", "deliveries", app["id"], "--config", server.configuration,
                                  "--json")
            return [row.get("lastOutcome") for row in (first_json(done.stdout) or {}).get("deliveries", [])]
        checks.that(eventually(lambda: outcome() == ["address refused"]), "its address is refused", outcome())
        checks.equal((receiver.events, receiver.refused), ([], []), "and nothing was sent")
        for url in ("https://127.0.0.1/", "https://2130706433/", "https://0x7f.1/", "https://[::1]/",
                    "https://a@shop.example/",
                    "http://localhost:8082/", "https://shop.example:22/", "https://shop.example/?x=1"):
            refused = server.command("app", "callback", "set", app["id"], "--url", url, "--config",
                                     server.configuration)
            checks.that(refused.returncode != 0, f"{url} is refused when it is registered", refused.stdout)


def test_kills(checks, options, authority):
    """Under a storm the server is killed again and again: each line of the ledger has its event, and each event its
    line."""
    chance = random.Random(options.seed)
    with Receiver(authority) as receiver, Sender(authority, receiver.port) as server:
        app = server.create_app()
        server.register(app, receiver)
        storm = Storm(server, app, phones=options.phones, servers=options.servers, seed=options.seed,
                      network="127.8.41")
        storm.start()
        for _ in range(options.rounds):
            before = len(storm.wins)
            eventually(lambda before=before: len(storm.wins) > before + 5, 20)
            time.sleep(chance.uniform(0.1, 1.0))
            server.kill9()
            storm.server_is_gone()
            server.start()
            storm.server_is_back()
        before = len(storm.wins)
        eventually(lambda: len(storm.wins) > before + 5, 20)
        storm.stop()

        def books():
            with sqlite3.connect(f"file:{server.data / 'benji.sqlite'}?mode=ro", uri=True) as opened:
                return {row[0]: row[1:] for row in opened.execute("SELECT id, trace, result FROM ledger")}

        def lines():
            return sorted(books().values())
        # Events that a dead process had claimed come back when its lease ends.
        eventually(lambda: not server.deliveries(app, "--state", "waiting"), 100)
        told = {event["id"]: (event["data"]["trace"], event["data"]["result"]) for event in list(receiver.events)}
        checks.that(len(lines()) > 5 * options.rounds, "the storm redeemed", len(lines()))
        checks.equal(sorted(told.values()), lines(),
                     "each line of the ledger was told by one event, and no event is without a line")
        doubles = len(receiver.events) - len(told)
        checks.equal(receiver.refused, [], "every signature was right")
        checks.note(f"{options.rounds} kills, {len(told)} events, {doubles} doubles")
        checks.that(set(storm.wins) and len(lines()) >= len(storm.wins), "no redemption that was answered is missing",
                    len(storm.wins))


def printed(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line.startswith("{")]


@pytest.mark.part("gate")
def test_the_example_in_python(checks, authority):
    """Examples/Callbacks/receiver.py as a program: it takes an event once, and refuses forged, old and other events."""
    (port,) = free_ports(1)
    out = folder() / "events.jsonl"
    with Sender(authority, port) as server:
        app = server.create_app()
        secret = server.order("set", app["id"], "--url", f"https://localhost:{port}/")["secret"]
        with open(out, "wb") as written:
            process = start([sys.executable, str(ROOT / "Examples/Callbacks/receiver.py"), "--port", str(port),
                             "--certificate",
                             authority.certificate, "--key", authority.key], stdout=written, stderr=subprocess.DEVNULL,
                            env=environment() | {"BENJI_CALLBACK_SECRET": secret})
        queued = server.order("test", app["id"])["event"]
        checks.that(eventually(lambda: [event["id"] for event in printed(out)] == [queued]),
                    "the example takes an event", (process.poll(), out.read_text()))
        server.order("replay", app["id"], "--event", queued)
        checks.that(eventually(lambda: all(
            row["state"] == "delivered" and row["attempts"] == 1 for row in server.deliveries(app))),
            "and takes it a second time")
        checks.equal([event["id"] for event in printed(out)], [queued], "without acting on it again")
        end(process)

    key, now, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", 1614265330, b'{"id": "msg_1", "test": 2432232314}'
    right = EXAMPLE.hmac.new(EXAMPLE.base64.b64decode(key[6:]), b"msg_1.1614265330." + body, "sha256").digest()
    headers = {"webhook-id": "msg_1", "webhook-timestamp": str(now),
               "webhook-signature": "v1," + EXAMPLE.base64.b64encode(right).decode()}
    checks.equal(EXAMPLE.verify([key], headers, body, now)["test"], 2432232314, "a right signature is taken")
    attacks = {
        "another body": (headers, body + b" ", now), "another id": (headers | {"webhook-id": "msg_2"}, body, now),
        "another time": (headers | {"webhook-timestamp": str(now + 1)}, body, now),
        "an old event": (headers, body, now + 301),
        "an event of the future": (headers, body, now - 301),
        "no signature": (headers | {"webhook-signature": ""}, body, now),
        "another version": (headers | {"webhook-signature": headers["webhook-signature"].replace("v1", "v2")}, body,
                            now),
        "no headers": ({}, body, now)}
    for name, (given, sent, moment) in attacks.items():
        try:
            EXAMPLE.verify([key], given, sent, moment)
            taken = True
        except EXAMPLE.NotOurs:
            taken = False
        checks.that(not taken, f"{name} is refused")
    naive = json.loads(body)
    checks.that(naive["id"] == "msg_1", "a receiver that checks nothing takes each of them")
