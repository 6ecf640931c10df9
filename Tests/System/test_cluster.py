"""A gateway and two nodes of its authority over three nodes of PostgreSQL under Patroni and etcd, whose files are those of
docs/operations.md, under a storm of logins. In each round one part dies or is paused, drawn at random, and comes back.

No token may be won twice, and nothing that was answered may be lost. How long it takes until tokens are won again is reported by kind
of fault. A standby that nobody waited for is condemned by the same judge in test_failover.py.

It runs only where rounds are asked for:

    test_cluster.py --rounds 200 --report FILE     the storm (make cluster-storm ROUNDS=200)
"""

import random
import signal
import time
from collections import Counter, defaultdict

import pytest

from support.checks import eventually
from support.apart import House, books
from support.operations import judge
from support.patroni import Patroni
from support.server import BUNDLE
from support.storm import Storm

pytestmark = [pytest.mark.seconds(lambda options: 240 + 90 * options.rounds), pytest.mark.wants("rounds")]
OPTIONS = {"rounds": 3, "seed": None, "report": None}

# A fault, and whose. A few rounds have the first ones.
FAULTS = (("primary", "killed"), ("primary", "paused"), ("authority", "killed"), ("synchronous standby", "killed"), ("authority", "paused"),
          ("synchronous standby", "paused"), ("gateway", "killed"))


class Cluster:
    def __init__(self, patroni):
        self.patroni = patroni.start()
        self.house = House(self.patroni)
        self.house.start(BUNDLE)
        self.storm = Storm(self.house, self.house.app, phones=8, servers=6, network="127.8.42")
        self.storm.start()

    def won(self):
        return self.storm.figures()["won"]

    def seconds_until_won(self, limit):
        """How long it takes until tokens are won again, or `None`."""
        before, begun = self.won(), time.monotonic()
        return time.monotonic() - begun if eventually(lambda: self.won() > before + 5, limit) else None

    def round(self, whose, what, chance):
        """One fault, from its beginning until everything stands again.
        :return: seconds until tokens were won again; `None` if they were not."""
        if whose == "gateway":
            self.storm.server_is_gone()
            self.house.gateway.kill9()
            begun = time.monotonic()
            self.house.gateway.start()
            self.storm.server_is_back()
            took = self.seconds_until_won(60)
            return took and time.monotonic() - begun
        if whose == "authority":
            node = chance.choice(self.house.nodes)
            self.house.up = [other for other in self.house.nodes if other is not node]
            node.kill9() if what == "killed" else node.process.send_signal(signal.SIGSTOP)
            took = self.seconds_until_won(60)
            node.start() if what == "killed" else node.process.send_signal(signal.SIGCONT)
            self.house.up = list(self.house.nodes)
            return took if eventually(lambda: self.house.warnings() == (200, []), 40) else None
        member = self.patroni.primary if whose == "primary" else self.patroni.synchronous()
        member.kill9() if what == "killed" else member.pause()
        took = self.seconds_until_won(90)
        member.start() if what == "killed" else member.resume()
        return took if self.stands() else None

    def stands(self):
        """Whether there is one primary again, with both others behind it, one of which commits wait for."""
        def following():
            primary = self.patroni.primary
            return primary and self.patroni.psql(primary, "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'").stdout.strip()
        return eventually(lambda: following() == "2" and self.patroni.synchronous() is not None, 90, pause=1)


@pytest.fixture
def patroni():
    made = Patroni()
    yield made
    made.stop()


def test_parts_die_and_are_paused(checks, options, report, patroni):
    chance = random.Random(options.seed)
    cluster = Cluster(patroni)
    storm, house = cluster.storm, cluster.house
    checks.that(cluster.seconds_until_won(30) is not None, "phones log in")
    taken = defaultdict(list)
    for number in range(options.rounds):
        whose, what = FAULTS[number] if number < len(FAULTS) else chance.choice(FAULTS)
        took = cluster.round(whose, what, chance)
        checks.that(took is not None, f"{number + 1}: the {whose} is {what}, tokens are won again, and everything stands again",
                    f"{took} s; " + "".join(member.tail() for member in patroni.members) if took is None else None)
        if took is None:
            break
        taken[f"{whose} {what}"].append(took)
    storm.stop()
    again = storm.ask_again()
    faults = [str(fault) for fault in judge(storm.history, books(patroni))]
    figures = storm.figures()
    checks.note(f"{figures}, asked again {again}, other answers {dict(storm.unexpected)}")
    for kind, seconds in sorted(taken.items()):
        checks.note(f"seconds until tokens are won again, {kind}: {', '.join(f'{each:.1f}' for each in seconds[:20])}")
    checks.equal(faults[:5], [], f"{figures['won']} tokens won: nothing that was answered is lost, and none is won twice")
    checks.that(figures["won"] > 100, "the storm was one", figures)
    unknown = sum(storm.unexpected[f"authorize {said}"] for said in ("store_unavailable", "overloaded"))
    checks.that(storm.unexpected["authorize scrip_invalid"] <= unknown, "no scrip was refused but those that may have been used", storm.unexpected)
    log = "".join(part.log.read_text() for part in (house.gateway, *house.nodes))
    checks.that("change-me-benji" not in log and not any(number in log for number in storm.numbers), "no password and no number is in a log")
    checks.equal(Counter(house.stop()), Counter({0: 3}), "gateway and nodes end with 0")
    report.add("parts of a cluster die and are paused",
               {"rounds": options.rounds, "tokens won": figures["won"]}
               | {f"seconds until tokens are won again, {kind}": f"{sorted(seconds)[len(seconds) // 2]:.1f} (at most {max(seconds):.1f}, {len(seconds)} times)"
                  for kind, seconds in sorted(taken.items())}, faults)
