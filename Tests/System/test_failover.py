"""A PostgreSQL with a standby, under a gateway, two nodes of its authority and a storm of logins: the primary dies, another is paused
and comes back when it is primary no more.

Where each commit waits for the standby, nothing that was answered is lost and no token is won twice. The naive double is a standby
that is promoted although commits did not wait for it: the same judge condemns it.
"""

import signal
import time

import pytest

from support.checks import eventually
from support.apart import House, books
from support.operations import judge
from support.postgres import Postgres
from support.storm import Storm

pytestmark = pytest.mark.seconds(300)


class Pair:
    """A primary and its standby. They change places, and stay where libpq's connection string names them."""

    def __init__(self, waits):
        self.waits = waits
        self.primary = Postgres().start()
        self.primary.create()
        self.follow()
        self.place = f"host={self.primary.folder},{self.standby.folder} dbname=benji user=benji"

    def follow(self, former=None):
        """Makes a standby; in the folder of a former member, whose data nobody needs any more."""
        self.standby = Postgres(self.primary, former.folder if former else None).start()
        if self.waits:
            self.primary.waits_for_standby()

    def fail_over(self):
        """The standby becomes the primary. Gives the former one."""
        former, self.primary, self.standby = self.primary, self.standby, None
        self.primary.promote()
        return former

    def stop(self):
        for each in (self.primary, self.standby):
            if each is not None:
                each.stop()


def started(pair):
    house = House(pair)
    house.start()
    storm = Storm(house, house.app, phones=8, servers=6, network="127.8.41")
    storm.start()
    return house, storm


def won(storm):
    return storm.figures()["won"]


def seconds_until_won(storm, limit):
    """How long it takes until tokens are won again, or `None`."""
    before, begun = won(storm), time.monotonic()
    return round(time.monotonic() - begun, 1) if eventually(lambda: won(storm) > before + 5, limit) else None


def said_of(storm, pair):
    storm.stop()
    again = storm.ask_again()
    return judge(storm.history, books(pair.primary)), f"{storm.figures()}, asked again {again}, other answers {dict(storm.unexpected)}"


def test_the_primary_dies_and_another_is_paused(checks):
    pair = Pair(waits=True)
    house, storm = started(pair)
    checks.that(seconds_until_won(storm, 30) is not None, "phones log in")

    pair.primary.kill9()
    former = pair.fail_over()
    took = seconds_until_won(storm, 40)
    checks.that(took is not None, f"after the primary died and its standby was promoted, phones log in ({took} s)")

    pair.follow(former)
    checks.that(seconds_until_won(storm, 30) is not None, "with a standby in the dead one's place phones log in")
    pair.primary.pause()
    paused = pair.fail_over()
    took = seconds_until_won(storm, 60)
    checks.that(took is not None, f"after the primary was paused and its standby was promoted, phones log in ({took} s)")
    paused.resume()
    checks.that(seconds_until_won(storm, 40) is not None, "when the paused one goes on and believes to be primary, phones log in")
    time.sleep(3)

    faults, figures = said_of(storm, pair)
    checks.note(figures)
    checks.equal([str(fault) for fault in faults[:5]], [], "nothing that was answered is lost, and no token is won twice")
    checks.that(won(storm) > 100, "the storm was one", figures)
    unknown = sum(storm.unexpected[f"authorize {said}"] for said in ("store_unavailable", "overloaded"))
    # A token whose issue has no clear answer may have used its scrip.
    checks.that(storm.unexpected["authorize scrip_invalid"] <= unknown, "no scrip was refused but those that may have been used", figures)
    others = {said for said in storm.unexpected
              if said.split()[1] not in ("store_unavailable", "overloaded", "scrip_invalid", "103214", "103205", "999", "104201", "606")}
    checks.equal(others, set(), "else phones and app servers were told that the service is not available, or that a token is spent")
    checks.equal(house.stop(), [0, 0, 0], "gateway and nodes end with 0")
    paused.stop()
    pair.stop()


def test_a_standby_that_nobody_waited_for(checks):
    pair = Pair(waits=False)
    house, storm = started(pair)
    checks.that(seconds_until_won(storm, 30) is not None, "phones log in")
    # The way to the standby is slow for a moment.
    pair.standby.signal_all(signal.SIGSTOP, "walreceiver")
    checks.that(seconds_until_won(storm, 20) is not None, "and go on while the standby hears nothing")
    pair.primary.kill9()
    pair.standby.signal_all(signal.SIGKILL, "walreceiver")
    eventually(lambda: pair.standby.psql("SELECT 1", "postgres").returncode == 0, 20)
    pair.fail_over()
    checks.that(seconds_until_won(storm, 40) is not None, "after it was promoted phones log in")
    faults, figures = said_of(storm, pair)
    checks.that(faults, "the judge condemns it: what was answered is lost", figures)
    checks.note("; ".join(str(fault) for fault in faults[:3]))
    house.stop()
    pair.stop()
