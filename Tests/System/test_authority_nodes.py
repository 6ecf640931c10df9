"""One gateway and two nodes of an authority over one PostgreSQL: each is killed, paused and brought back under a storm of logins.

Logins go on while one node is away. Nothing that was answered is lost, and no token is won twice, whichever nodes issued it and
were shown it. The judge reads the history of all operations and the database's books.
"""

import json
import signal
import time

import pytest

from support.checks import eventually
from support.house import House, books
from support.operations import judge
from support.postgres import Postgres
from support.storm import Storm

pytestmark = pytest.mark.seconds(240)


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
