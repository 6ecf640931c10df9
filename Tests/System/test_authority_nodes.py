"""One gateway and two nodes of an authority over one PostgreSQL: each is killed, paused and brought back under a storm of logins.

Logins go on while one node is away. Nothing that was answered is lost, and no token is won twice, whichever nodes issued it and
were shown it. The judge reads the history of all operations and the database's books.
"""

import json
import shutil
import signal
import time
from collections import Counter

import pytest

from support.checks import eventually, folder
from support.link import make_certificates
from support.operations import SHORT, Books, judge
from support.postgres import Postgres
from support.server import BUNDLE, SECRET, Server, free_ports
from support.storm import Storm

pytestmark = pytest.mark.seconds(240)


class Part(Server):
    """`benji serve` in one of the two roles: a server with another configuration."""

    def configure(self, **settings):
        self.configuration.write_text(json.dumps(settings | {"data": str(self.data), "log": {"level": "info"}}, indent=1))
        return self


def link(certificates, name):
    return {"certificate": f"{certificates}/{name}.pem", "key": f"{certificates}/{name}.key", "authority": f"{certificates}/link-ca.pem"}


class House:
    """The gateway and its authority's nodes, with the names by which the storm knows a server."""

    def __init__(self, postgres, nodes=2):
        certificates = folder()
        make_certificates(certificates)
        self.links = free_ports(nodes)
        self.nodes = [Part().configure(
            role="authority", store={"postgres": postgres.place}, **{"mutual-tls": link(certificates, "authority")},
            gateways={"names": ["gateway-1"], "gateway-1": {"carriers": ["mobile"]}}, listen={}) for _ in self.links]
        for node, port in zip(self.nodes, self.links):
            settings = json.loads(node.configuration.read_text())
            settings["listen"] = {"gateways": f"127.0.0.1:{port}", "server": f"127.0.0.1:{node.server}", "admin": f"127.0.0.1:{node.admin}"}
            node.configuration.write_text(json.dumps(settings, indent=1))
        self.gateway = Part()
        self.gateway.configure(
            role="gateway", authority={"url": [f"https://127.0.0.1:{port}" for port in self.links]},
            gateway={"name": "gateway-1"}, public={"urls": [self.gateway.device_url]},
            listen={"device": f"127.0.0.1:{self.gateway.device}", "admin": f"127.0.0.1:{self.gateway.admin}",
                    "accounting": f"127.0.0.1:{self.gateway.accounting}"},
            nas={"names": ["pgw"], "pgw": {"sources": ["127.0.0.1/32"], "secret": SECRET, "pools": ["127.8.0.0/16"],
                                          "carrier": "mobile", "interim": 300}},
            **{"mutual-tls": link(certificates, "gateway-1")})
        self.device, self.device_url, self.accounting = self.gateway.device, self.gateway.device_url, self.gateway.accounting
        self.up = list(self.nodes)
        self._asked = 0

    def start(self):
        first, *others = self.nodes
        made = first.command("init", "--config", first.configuration)
        assert made.returncode == 0, made.stdout + made.stderr
        for node in others:
            # One installation: the same master key in each node.
            node.data.mkdir(mode=0o700)
            shutil.copy(first.data / "master.key", node.data / "master.key")
        made = first.command("app", "create", "--config", first.configuration, "--name", "Shop", "--bundle", BUNDLE,
                             "--server-address", "127.0.2.0/24", "--json")
        assert made.returncode == 0, made.stdout + made.stderr
        for node in self.nodes:
            node.start()
        self.gateway.start()
        return json.loads(made.stdout[made.stdout.index("{"):])

    @property
    def server(self):
        """Where an app's server calls next: one node after the other of those that are up, as a balancer gives them."""
        self._asked += 1
        return self.up[self._asked % len(self.up)].server

    def warnings(self):
        status, text, _ = self.gateway.get("/health/ready")
        return status, json.loads(text).get("warnings", []) if text else []

    def stop(self):
        return [part.stop() for part in (self.gateway, *self.nodes)]


def books(postgres):
    """What the database says, as the judge reads it. The bill of an app without a quota is the ledger itself."""
    found = Books()
    said = postgres.value("SELECT json_build_object('tokens', (SELECT json_agg(json_build_array(encode(hash, 'hex'), spent_at, trace)) FROM token),"
                          " 'ledger', (SELECT json_agg(trace) FROM ledger))")
    read = json.loads(said)
    for hashed, spent_at, trace in read["tokens"] or []:
        found.spent[hashed[-64:][:SHORT]] = (spent_at is not None, trace)
    found.ledger = Counter(read["ledger"] or [])
    found.billed = sum(found.ledger.values())
    return found


@pytest.fixture(scope="module")
def postgres():
    made = Postgres().start()
    made.create()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def house(postgres):
    made = House(postgres)
    yield made
    for node in made.nodes:
        if node.process is not None and node.process.poll() is None:
            node.process.send_signal(signal.SIGCONT)
    made.stop()


def issued(storm):
    return sum(1 for operation in list(storm.history) if operation["op"] == "authorize" and operation["token"])


def goes_on(storm, seconds, more=20):
    """Whether so many tokens more are issued in this time."""
    before = issued(storm)
    return eventually(lambda: issued(storm) >= before + more, seconds)


def test_nodes_are_killed_and_paused(checks, postgres, house):
    app = house.start()
    one, two = house.nodes
    checks.equal(house.warnings(), (200, []), "the gateway is ready, and says nothing of its nodes")
    storm = Storm(house, app, phones=8, servers=6, network="127.8.40")
    storm.start()
    checks.that(goes_on(storm, 20), "phones log in")

    house.up = [two]
    one.kill9()
    checks.that(goes_on(storm, 10), "while a node is dead phones log in")
    said = eventually(lambda: house.warnings()[1], 10)
    checks.that(house.warnings()[0] == 200 and any(f"127.0.0.1:{house.links[0]} is left alone: link unreachable" in line for line in said),
                "readiness names the node that is dead, and is ready", house.warnings())
    checks.equal((house.gateway.metric("benji_link_authority_answers", authority=f"127.0.0.1:{house.links[0]}"),
                  house.gateway.metric("benji_link_authority_answers", authority=f"127.0.0.1:{house.links[1]}")), (0, 1),
                 "the metric says which node answers")
    one.start()
    house.up = [one, two]
    checks.that(eventually(lambda: house.warnings() == (200, []), 25), "when it is back, it is asked again", house.warnings())
    checks.that(goes_on(storm, 10), "and phones log in")

    house.up = [one]
    two.process.send_signal(signal.SIGSTOP)
    checks.that(goes_on(storm, 20), "while a node is paused phones log in")
    said = eventually(lambda: house.warnings()[1], 10)
    checks.that(any("left alone: link timed_out" in line for line in said), "readiness names the node that is paused", said)
    # Long enough for every call that had been sent to it to be given up.
    time.sleep(3)
    faults_before = house.gateway.metric("benji_link_faults_total", authority=f"127.0.0.1:{house.links[1]}")
    checks.that(goes_on(storm, 10, 60), "and once it is known, they log in without waiting")
    asked = house.gateway.metric("benji_link_faults_total", authority=f"127.0.0.1:{house.links[1]}") - faults_before
    checks.that(asked <= 8, "the paused node is asked a question now and then and no more", asked)
    two.process.send_signal(signal.SIGCONT)
    house.up = [one, two]
    checks.that(eventually(lambda: house.warnings() == (200, []), 25), "when it goes on, it is asked again", house.warnings())
    checks.that(goes_on(storm, 10), "and phones log in")

    both = {f"127.0.0.1:{port}" for port in house.links}
    storm.stop()
    again = storm.ask_again()
    figures = storm.figures()
    checks.note(f"{figures}, asked again {again}, other answers {dict(storm.unexpected)}")
    faults = judge(storm.history, books(postgres))
    checks.equal([str(fault) for fault in faults[:5]], [], f"{figures['won']} tokens won: nothing answered is lost, none is won twice")
    checks.that(figures["won"] > 100, "the storm was one", figures)
    refused = {said: count for said, count in storm.unexpected.items() if said.split()[0] in ("prefetch", "authorize")}
    checks.that(set(refused) <= {"authorize overloaded"} and sum(refused.values()) <= 2 * 8,
                "phones were refused nothing but the tokens that were under way when a node went, one for each phone at most", refused)
    log = house.gateway.log.read_text()
    checks.that("no authority answers" not in log and all(name in log for name in both), "the log names both nodes, and one always answered")


def test_no_node_answers(checks, house):
    for node in house.nodes:
        node.kill9()
    status, said = house.gateway.unready(10)
    checks.that(status == 503 and said.count("link unreachable") == 2, "the gateway is not ready, and says which nodes do not answer", said)
    house.nodes[1].start()
    checks.that(eventually(lambda: house.gateway.ready()[0] == 200, 10), "with one of them it is ready again", house.gateway.ready())


def test_nodes_of_two_installations(checks, house):
    """A second node that somebody began by itself instead of giving it the first one's database."""
    stranger = house.nodes[0]
    settings = json.loads(stranger.configuration.read_text())
    del settings["store"]
    settings["data"] = str(stranger.folder / "other")
    stranger.data = stranger.folder / "other"
    stranger.configuration.write_text(json.dumps(settings))
    stranger.start()
    said = eventually(lambda: [line for line in house.warnings()[1] if "other_installation" in line], 25)
    checks.that(said, "a node of another installation is left alone, and readiness says why", house.warnings())
    checks.equal(house.stop(), [0, 0, 0], "gateway and nodes end with 0")
