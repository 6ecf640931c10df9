"""Several processes give orders about the same apps at once: new keys and secrets, face login, redirect URIs,
capabilities, bundle ids. None of what one of them did may be lost under another's write.

Each worker changes facts that are its own, so that after each round it is known what must be there. A double that
reads, waits and writes without comparing must lose some of it.
"""

import json
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.checks import Stop, first_json, folder
from support.operators import Backend

pytestmark = pytest.mark.seconds(lambda options: 120 + 15 * options.rounds)
OPTIONS = {"rounds": 12}
SERVER = {"log": {"level": "warning"}}

ADDRESS, NUMBER = "127.8.61.1", "8613900000061"
KEPT = 6


class Worker:
    """Gives one order a round, and knows what its facts must be afterwards."""

    def __init__(self, place, app):
        self.place, self.app, self.facts = place, app, None

    def order(self, turn):
        raise NotImplementedError

    def seen(self, state):
        """The worker's facts in what an app and its client are."""
        raise NotImplementedError


class Keys(Worker):
    """New app keys, two valid at a time; the older one is retired before the next."""
    noun, rotate, retire, shown, listed = "app key", "rotate-key", "retire-key", "key", "package"

    def __init__(self, place, app):
        super().__init__(place, app)
        self.secrets, self.facts = {1: app.get(self.shown)}, [1]

    def order(self, turn):
        if len(self.facts) > 1:
            self.place.give("app", self.retire, self.app["id"])
            self.facts = self.facts[:1]
        else:
            made = self.place.give("app", self.rotate, self.app["id"])
            self.facts = [self.facts[0] + 1, *self.facts]
            self.secrets[self.facts[0]] = made[self.shown]

    def seen(self, state):
        return [key["version"] for key in state["app"]["keys"] if key["use"] == self.listed]


class ServerSecrets(Keys):
    """The same of server secrets, and every third time the one before ends at once."""
    noun, rotate, retire, shown, listed = "server secret", "rotate-secret", "retire-secret", "serverSecret", "server"

    def order(self, turn):
        if turn % 3:
            return super().order(turn)
        made = self.place.give("app", self.rotate, self.app["id"], "--now")
        self.facts = [self.facts[0] + 1]
        self.secrets[self.facts[0]] = made[self.shown]
        return None


class ClientSecrets(Worker):
    noun = "client secret"

    def __init__(self, place, app):
        super().__init__(place, app)
        self.facts = [1]

    def order(self, turn):
        self.place.give("app", "openid", "rotate-secret", self.app["id"], "--now")
        self.facts = [self.facts[0] + 1]

    def seen(self, state):
        return [secret["version"] for secret in state["client"]["secrets"]]


class Listed(Worker):
    """One more of a list, and from the seventh on one less."""

    def __init__(self, place, app):
        super().__init__(place, app)
        self.facts = []

    def order(self, turn):
        added = self.name(turn)
        gone = self.facts[:1] if len(self.facts) >= KEPT else []
        self.place.give(*self.command, self.app["id"], f"--add-{self.option}", added,
                        *(part for name in gone for part in (f"--remove-{self.option}", name)))
        self.facts = [*self.facts[len(gone):], added]

    def seen(self, state):
        return [name for name in self.listed(state) if name.startswith(self.prefix)]


class RedirectURIs(Listed):
    noun, command, option = "redirect URIs", ("app", "openid", "set"), "redirect-uri"
    prefix = "https://shop.example/storm/"

    def name(self, turn):
        return f"{self.prefix}{turn}"

    def listed(self, state):
        return state["client"]["redirect_uris"]


class Bundles(Listed):
    noun, command, option = "bundle ids", ("app", "set"), "bundle"
    prefix = "com.example.storm."

    def name(self, turn):
        return f"{self.prefix}{turn}"

    def listed(self, state):
        return state["app"]["bundles"]


class FaceGroups(Worker):
    noun, capability = "face groups", "face-groups"

    def __init__(self, place, app):
        super().__init__(place, app)
        self.facts = False

    def order(self, turn):
        self.place.give("app", "face", "set", self.app["id"], "--no-groups" if self.facts else "--groups", text=True)
        self.facts = not self.facts

    def seen(self, state):
        return self.capability in state["app"]["capabilities"]


class SIMSwap(FaceGroups):
    noun, capability = "capability", "sim-swap"

    def order(self, turn):
        self.place.give("app", "set", self.app["id"], "--remove-capability" if self.facts else "--add-capability",
                        "sim-swap")
        self.facts = not self.facts


class Pushed(FaceGroups):
    noun = "pushed requests"

    def order(self, turn):
        self.place.give("app", "openid", "set", self.app["id"], "--no-pushed-only" if self.facts else "--pushed-only")
        self.facts = not self.facts

    def seen(self, state):
        return state["client"]["require_pushed_authorization_requests"]


class Place:
    """The program's commands, each a process of its own."""

    def __init__(self, server):
        self.server = server

    def give(self, *order, text=False):
        done = self.server.command(
            *order, "--config", self.server.configuration, *([] if text else ["--json"]), seconds=120)
        answer = None if text else first_json(done.stdout)
        if done.returncode != 0 or (answer is None and not text):
            raise Stop(f"benji {' '.join(map(str, order))}: {done.stdout[-300:]} {done.stderr[-300:]}")
        return answer

    def state(self, app):
        return {"app": self.give("app", "show", app["id"]), "client": self.give("app", "openid", "show", app["id"])}


class NaivePlace:
    """A registry that reads a record, decides, and writes the whole of it, whatever was written since."""

    def __init__(self):
        self.path = folder() / "app.json"
        self.write({"app": {"keys": [{"use": "package", "version": 1}, {"use": "server", "version": 1}],
                            "bundles": [], "capabilities": []},
                    "client": {"redirect_uris": [], "secrets": [{"version": 1}],
                               "require_pushed_authorization_requests": False}})

    def state(self, _):
        return json.loads(self.path.read_text())

    def write(self, state):
        new = self.path.with_suffix(f".{threading.get_ident()}")
        new.write_text(json.dumps(state))
        os.replace(new, self.path)

    def give(self, *order, text=False):
        state = self.state(None)
        app, client, words = state["app"], state["client"], list(map(str, order))
        for place, name in (("bundles", "bundle"), ("capabilities", "capability")):
            app[place] += [words[at + 1] for at, word in enumerate(words) if word == f"--add-{name}"]
            gone = [words[at + 1] for at, word in enumerate(words) if word == f"--remove-{name}"]
            app[place] = [each for each in app[place] if each not in gone]
        client["redirect_uris"] += [words[at + 1] for at, word in enumerate(words) if word == "--add-redirect-uri"]
        gone = [words[at + 1] for at, word in enumerate(words) if word == "--remove-redirect-uri"]
        client["redirect_uris"] = [each for each in client["redirect_uris"] if each not in gone]
        if "--groups" in words:
            app["capabilities"].append("face-groups")
        if "--no-groups" in words:
            app["capabilities"] = [each for each in app["capabilities"] if each != "face-groups"]
        if "--pushed-only" in words or "--no-pushed-only" in words:
            client["require_pushed_authorization_requests"] = "--pushed-only" in words
        use = "server" if "-secret" in words[1] else "package"
        if words[1].startswith("retire-"):
            newest = max(key["version"] for key in app["keys"] if key["use"] == use)
            app["keys"] = [key for key in app["keys"] if key["use"] != use or key["version"] == newest]
        if words[1].startswith("rotate-"):
            versions = [key["version"] for key in app["keys"] if key["use"] == use]
            kept = [key for key in app["keys"] if key["use"] != use or "--now" not in words]
            app["keys"] = [{"use": use, "version": max(versions) + 1}, *kept]
        if words[1:3] == ["openid", "rotate-secret"]:
            client["secrets"] = [{"version": client["secrets"][0]["version"] + 1}]
        time.sleep(0.002)
        self.write(state)
        return {"key": "k", "serverSecret": "s"}


KINDS = [Keys, ServerSecrets, ClientSecrets, RedirectURIs, Bundles, FaceGroups, SIMSwap, Pushed]


def losses(workers, state):
    """The facts that are not as the workers left them."""
    return [f"{worker.noun}: {worker.seen(state)} instead of {worker.facts}"
            for worker in workers if worker.seen(state) != worker.facts]


def storm(place, app, rounds, judged):
    """All workers give an order at once, `rounds` times; every `judged` rounds their facts are compared. Returns the
    workers, the number of rounds, and the losses."""
    workers = [kind(place, app) for kind in KINDS]
    with ThreadPoolExecutor(len(workers)) as pool:
        for turn in range(1, rounds + 1):
            list(pool.map(lambda worker: worker.order(turn), workers))
            if turn % judged == 0 or turn == rounds:
                lost = losses(workers, place.state(app))
                if lost:
                    return workers, turn, lost
                if judged > 1:
                    print(f"      {turn} rounds", flush=True)
    return workers, rounds, []


def test_a_naive_double(checks):
    """The loss that the judge must find."""
    _, turn, lost = storm(NaivePlace(), {"id": "1"}, 50, 1)
    checks.that(lost, f"a double that does not compare loses a change, and that is seen (round {turn})")


def keys_that_work(checks, server, workers, app):
    """Every key that was printed last works, and one that was superseded does not."""
    keys, secrets = workers[0], workers[1]
    server.attach("attach", ADDRESS, NUMBER)
    valid = {version: server.phone("login", {**app, "key": keys.secrets[version]}, ADDRESS)[0]
             for version in keys.facts}
    checks.that(all(valid.values()), f"phones log in with each of the app keys {keys.facts}", valid)
    superseded = [version for version in keys.secrets if version not in keys.facts][-3:]
    refused = [server.phone("login", {**app, "key": keys.secrets[version]}, ADDRESS)[1] for version in superseded]
    checks.equal(refused, ["app_key_wrong"] * len(superseded), f"and with none of the app keys {superseded}")
    token = next(iter(valid.values()))
    backend = Backend(server.server)
    for version in [version for version in secrets.secrets if version not in secrets.facts][-2:]:
        code, _ = backend.redeem({**app, "serverSecret": secrets.secrets[version]}, token)
        checks.equal(code, "103101", f"the server secret {version}, which was superseded, signs nothing")
    code, _ = backend.redeem({**app, "serverSecret": keys.secrets[keys.facts[0]]}, token)
    checks.equal(code, "103101", "nor does the app key")
    code, number = backend.redeem({**app, "serverSecret": secrets.secrets[secrets.facts[0]]}, token)
    checks.equal((code, number), ("103000", NUMBER[2:]), f"the server secret {secrets.facts[0]} redeems the token")


def test_a_storm_of_orders(checks, server, app, options):
    place = Place(server)
    page = server.folder / "login.json"
    server.command("page", "new", "--out", page)
    place.give("app", "openid", "set", app["id"], "--redirect-uri", "https://shop.example/callback", "--page", page)
    place.give("app", "face", "set", app["id"], text=True)
    begin = time.monotonic()
    workers, turn, lost = storm(place, app, options.rounds, 1 if options.rounds < 50 else 10)
    checks.that(
        not lost, f"{turn} rounds of {len(KINDS)} orders at once: nothing is lost ({time.monotonic() - begin:.0f} s)",
        lost)
    checks.equal(turn, options.rounds, "all rounds were played")
    keys_that_work(checks, server, workers, app)
