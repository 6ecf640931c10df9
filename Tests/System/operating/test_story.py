"""An operator's whole story in one walk: the package on a machine that never had it, an admin's token, an app and its
page. Then logins, support, the statement, a stop, new keys, a backup that is restored elsewhere, and a person who is
forgotten. All orders that the admin interface has are given over it.
"""

import json
import subprocess
import time

import pytest

from support.checks import end, eventually, first_json, run
from support.machine import Machine
from support.operators import Backend, month_of
from support.server import Server, free_ports, wait_a_second
from support.vault import Vault
from test_package import CONFIGURATION, DATA, install, package  # noqa: F401: package is a fixture
from test_subscriber import found, traces_of

pytestmark = pytest.mark.seconds(240)

ADDRESS, NUMBER = "127.8.91.1", "13900000091"
OTHER, OTHERS_NUMBER = "127.8.91.2", "13900000092"
SHOP = "127.0.2.91"
BUNDLE = "com.example.shop"


class Installation(Server):
    """The package, installed on a machine that never had it, with an admin interface. Its paths are the machine's."""

    def __init__(self, machine, package):  # noqa: F811
        # Before free ports are looked for, because it takes a while.
        self.machine, self.installed = machine, install(machine, package)
        (self.administration,) = free_ports(1)
        super().__init__(data=DATA, listen={"administration": f"127.0.0.1:{self.administration}"})
        self.wrapper, self.binary = machine.words(user="benji"), "/usr/bin/benji"
        machine.path(CONFIGURATION).write_text(self.configuration.read_text())
        self.configuration, self.data = CONFIGURATION, machine.path(DATA)

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.machine.signal(self.process, "benji")
            eventually(lambda: self.process.poll() is not None, 15)
            end(self.process)

    def command(self, *arguments, seconds=20):
        return run([*self.wrapper, self.binary, *map(str, arguments)], seconds, stdin=subprocess.DEVNULL)

    def give(self, token, *words, seconds=30):
        """An order over the admin interface: its answer, or None, and all that was printed."""
        interface = f"BENJI_SERVER=http://127.0.0.1:{self.administration}"
        done = run([*self.wrapper, "env", interface, f"BENJI_ADMIN_TOKEN={token}", self.binary, *map(str, words),
                    "--json"], seconds)
        return first_json(done.stdout) if done.returncode == 0 else None, done.stdout + done.stderr

    def login(self, app, address=ADDRESS, *arguments):
        """A login's answer, or None, and all that was printed."""
        done = self.command(
            "phone", "login", "--server", self.device_url, "--app", app["id"], "--key", app["key"], "--bundle", BUNDLE,
            "--from", address,
            "--yes", "--json", *arguments)
        return first_json(done.stdout) if done.returncode == 0 else None, done.stdout + done.stderr

    def grant(self, name, *arguments):
        done = self.command("admin", "grant", name, *arguments, "--json", "--config", self.configuration)
        return (first_json(done.stdout) or {}).get("token"), done.stderr


@pytest.fixture(scope="module")
def machines():
    """Two machines without Benji, on the loopback of this one."""
    with Machine(has_own_network=False) as first, Machine(has_own_network=False) as second:
        yield first, second


@pytest.fixture(scope="module")
def installation(machines, package):  # noqa: F811
    return Installation(machines[0], package)


def carry(machine, other, path):
    """A file with its owner and its mode goes to another machine."""
    run(["cp", "--preserve=mode,ownership", str(machine.path(path)), str(other.path(path))])


def test_the_story_of_an_operator(checks, machines, package, server):  # noqa: F811
    checks.equal(server.installed.returncode, 0, "the operator installs the package")

    # An admin's token, and an app by it.
    operator, said = server.grant("ops", "--role", "operator", "--see-numbers")
    support, _ = server.grant("desk", "--role", "support")
    checks.that(operator and operator.startswith("benji_admin_") and support, "the operator makes tokens", said)
    app, said = server.give(operator, "app", "create", "--name", "Shop", "--bundle", BUNDLE)
    checks.that(app and app.get("key") and app.get("serverSecret"), "an app is created over the admin interface", said)
    identity = app["id"]
    backend = Backend(server.server, source=SHOP)
    for address, number in ((ADDRESS, NUMBER), (OTHER, OTHERS_NUMBER)):
        server.attach("attach", address, number, imsi=f"4600{number}")
    first, said = server.login(app)
    refused = backend.redeem(app, first["token"])
    checks.that(refused[0] != "103000" and refused[1] is None,
                "before its server's address is set nothing is redeemed", refused)
    changed, said = server.give(operator, "app", "set", identity, "--add-server-address", f"{SHOP}/32")
    checks.that(changed and changed["serverAddresses"] == [f"{SHOP}/32"], "its address is set", said)

    # Its page.
    page = "/tmp/page.json"
    server.machine.path(page).write_text(server.command("page", "new").stdout, encoding="utf-8")
    developer, _ = server.grant("shop-dev", "--role", "developer", "--app", identity)
    submitted, said = server.give(developer, "page", "submit", identity, page)
    checks.that(submitted and submitted["errors"] == 0, "its developer submits the page", said)
    none, said = server.give(developer, "page", "approve", submitted["id"])
    checks.that(none is None and "may not give this order" in said, "and cannot approve it", said)
    approved, said = server.give(operator, "page", "approve", submitted["id"])
    checks.that(approved and approved["state"] == "approved", "the operator approves it", said)

    # A phone logs in, and another one fails; support finds out why.
    answer, said = server.login(app, ADDRESS, "--page", page)
    checks.that(answer and backend.redeem(app, answer["token"]) == ("103000", NUMBER),
                "a phone logs in on the approved page", said)
    person = answer["openId"]
    failed, said = server.login(app, OTHER)
    checks.that(failed is None and "consent_invalid" in said, "a phone with another page is refused", said)
    logins, said = server.give(support, "trace", "--app", identity, "--code", "consent_invalid", "--since", "1h")
    checks.that(logins and len(logins["traces"]) == 1, "support finds the login by the code on the phone", said)
    story, said = server.give(support, "trace", logins["traces"][0]["trace"]) if logins else (None, "")
    checks.that(story and "consent_invalid" in [event["situation"] for event in story["events"]], "and its story", said)
    _, said = server.give(support, "ledger", "statement", identity, "--month", "2026-11")
    checks.that("may not give this order" in said, "support sees no statement", said)
    lines, said = server.give(operator, "ledger", "list", identity)
    checks.that(lines and len(lines["entries"]) == 1, "the ledger has a line of the one answer", said)
    statement, said = server.give(operator, "ledger", "statement", identity, "--month",
                                  month_of(lines["entries"][0]["at"]))
    checks.that(statement and statement["answers"] == 1 and statement["reconciled"],
                "the statement has one answer, and agrees with the ledger", said)

    # Stopped and resumed.
    unspent, _ = server.login(app, ADDRESS, "--page", page)
    begin = time.monotonic()
    server.give(operator, "app", "suspend", identity, "--reason", "complaints")
    none, said = server.login(app, ADDRESS, "--page", page)
    checks.that(none is None and "app_suspended" in said, "a suspended app's phones are refused", said)
    code, number = backend.redeem(app, unspent["token"])
    checks.that(code != "103000" and number is None, "and its server", code)
    _, situation, said = server.phone("verify", app, ADDRESS)
    checks.equal(situation, "app_suspended", "its verifications too")
    checks.note(f"all of it within {time.monotonic() - begin:.1f} s of the order")
    server.give(operator, "app", "resume", identity)
    checks.equal(backend.redeem(app, unspent["token"]), ("103000", NUMBER), "resumed, it has again what it had")

    # New keys with overlap.
    newer, said = server.give(operator, "app", "rotate-secret", identity, "--overlap", "7")
    checks.that(newer and newer.get("serverSecret") not in (None, app["serverSecret"]), "a new server secret", said)
    for name, secret in (("former", app["serverSecret"]), ("new", newer["serverSecret"])):
        answer, said = server.login(app, ADDRESS, "--page", page)
        checks.equal(backend.redeem(app | {"serverSecret": secret}, answer["token"]), ("103000", NUMBER),
                     f"the {name} secret redeems")
    app["serverSecret"] = newer["serverSecret"]
    old_key = (server.data / "master.key").read_text()
    rotated, said = server.give(operator, "keys", "rotate", "--reason", "yearly", seconds=90)
    checks.that(rotated and (server.data / "master.key").read_text() != old_key,
                "a new master key, while the server runs", said)
    answer, said = server.login(app, ADDRESS, "--page", page)
    checks.that(answer and answer["openId"] == person, "the phone logs in as the same person", said)

    # Backup, and an empty machine.
    copy = "/tmp/benji.backup"
    made = server.command("backup", copy, "--config", server.configuration)
    checks.that(made.returncode == 0 and server.machine.path(copy).exists(), "a backup, while the server runs",
                made.stderr)
    other = Installation(machines[1], package)
    for file in (copy, page):
        carry(server.machine, other.machine, file)
    lost = other.command("restore", copy, "--config", other.configuration)
    checks.that(lost.returncode != 0 and "no master key is at hand" in lost.stderr,
                "without its key it is not restored", lost.stderr)
    carry(server.machine, other.machine, f"{DATA}/master.key")
    restored = other.command("restore", copy, "--config", other.configuration)
    checks.that(restored.returncode == 0, "with it it is", restored.stderr)
    server.stop()
    backend.close()
    with other:
        for address, number in ((ADDRESS, NUMBER), (OTHER, OTHERS_NUMBER)):
            other.attach("attach", address, number, imsi=f"4600{number}")
        answer, said = other.login(app, ADDRESS, "--page", page)
        checks.that(answer and answer["openId"] == person,
                    "on the other machine the same phone logs in with the same openId", said)
        backend = Backend(other.server, source=SHOP)
        checks.equal(backend.redeem(app, answer["token"]), ("103000", NUMBER), "and its token is redeemed")

        # A person is forgotten.
        values = traces_of(Vault(other.data / "master.key"), other.data, NUMBER, person)
        checks.that(found(other.data, values), "the files tell of the person", list(values))
        none, said = other.give(operator, "app", "list")
        checks.that(none is None and "no admin has this credential" in said, "a restore ends the tokens of admins",
                    said)
        renewed = other.command("admin", "renew", "ops", "--json", "--config", other.configuration)
        operator = (first_json(renewed.stdout) or {}).get("token", "")
        erased, said = other.give(operator, "subscriber", "erase", "--number", NUMBER, "--reason", "they asked")
        checks.that(erased and erased["isFinished"], "the person is erased over the admin interface, by a new one",
                    said)
        checks.equal(found(other.data, values), [], "no file of the data directory points to them any more")
        # In the same second it would be the session's first Start, repeated.
        wait_a_second()
        attached = other.attach("attach", ADDRESS, NUMBER, imsi=f"4600{NUMBER}")
        again, said = other.login(app, ADDRESS, "--page", page)
        checks.that(again and again["openId"] != person, "who comes with the number next is somebody new",
                    attached.stdout + attached.stderr + said + other.tail())

        log, said = other.give(operator, "audit", "--limit", "100")
        orders = [entry["order"] for entry in reversed(log["entries"]) if entry["outcome"] == "success"]
        actors = {entry["actor"] for entry in log["entries"]} & {"ops", "shop-dev", "desk"}
        checks.that({"app.create", "app.set", "page.submit", "page.approve", "app.suspend", "app.resume",
                     "app.rotate-key", "keys.rotate",
                     "subscriber.erase", "installation.restore"} <= set(orders), "the audit log tells all of it",
                    orders)
        checks.equal(actors, {"ops", "shop-dev", "desk"}, "and by whom")
        checks.that(NUMBER not in json.dumps(log) and operator not in json.dumps(log), "without a number or a token")
        backend.close()
