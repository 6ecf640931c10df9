"""Floods at every route of a pair of gateways and its authority on PostgreSQL, by a party that proves nothing (S16).

Each route of the route table is flooded alone and all together, from one address and from a thousand. Each flood is
compared with a control flood, the same flood at a listener that answers nothing. Honest logins take at most a tenth
longer, and at most a tenth fewer of them succeed. Every accounting packet has its answer, and the processes stay ready.
A server with one queue for all work fails the same measure.

The speed of a machine with two cores changes from minute to minute, so floods far apart cannot be compared. Each flood
at a route is compared with the control floods just before and just after it. No flood begins before logins take their
usual time again. So the effects of a flood make neither the next one nor the comparison dearer. The median of these
ratios decides."""

import http.client
import time
from collections import Counter
from math import sqrt
from pathlib import Path

import pytest

from support.checks import eventually
from support.floods import (NO_ANSWER, RATE, TRIP, Case, Customers, Feed, FloodedHouse, Flooder, Logins, Route, Storm,
                            cost, documented,
                            not_understood, one_at_a_time, program, said_from, stopping)
from support.server import free_ports

pytestmark = pytest.mark.seconds(1800)
#: The most that a flood may cost, as a factor.
LIMIT = 1.1
ONE, MANY = 1, 1000
#: Seconds in which logins count, of a flood at one route and of one at all routes; and how many turns the latter has.
SHORT, WHOLE, PAIRS = 1, 4, 5
# : A route alone has a turn of each number of addresses. Five logins begin under the flood of a turn, and ten under its
# control floods. A : flood that is not clearly cheap has another turn, TURNS at most. It is cheap once the median of
# its ratios is MARGIN / √turns below the : limit. A flood that is above the limit after its last turn is too dear.
#:
# : The ratio of one turn scatters by some 0.06 (the test notes the scatter of control floods). So a route that costs
# nothing has a second : turn in one of five cases. After nine turns the median scatters by 0.025, and is above the
# limit in one of 30,000 cases. With 400 : floods, one is wrongly called too dear in one of eighty runs. A flood that
# makes logins a fifth longer passes its first turn in one of : fifty cases. One that makes them a third longer passes
# it in one of five thousand.
TURNS, MARGIN = 9, 0.05
#: No round begins after so many seconds.
BUDGET = 1500
# : How many groups are flooded between two looks at the accounting packets. Each look is a line of output, without
# which a test hangs.
LOOK = 20


@pytest.fixture(scope="module")
def house(postgres):
    made = FloodedHouse(postgres).start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def table(house):
    return house.table()


@pytest.fixture(scope="module")
def customers(house):
    return Customers(house)


@pytest.fixture(scope="module")
def flooder(house):
    return Flooder(house.app["id"], house.client)


def test_every_route_is_known(checks, table, house):
    """A new route is found by itself; a new way to write one down is a fault here."""
    checks.equal(not_understood(), [], "the test understands how each route is written down in the sources")
    new = "routes += [EndpointRoute(.get, secretly(named)) { request, _ in answer(request) }]"
    checks.equal(not_understood([(Path("New.swift"), new)]), ["New.swift: secretly(named)"],
                 "and notices one that it does not understand")
    checks.note(f"{len(table)} routes: {dict(Counter(route.listener for route in table))}")
    checks.equal({route.listener for route in table}, {name for name, *_ in house.listeners()},
                 "every listener whose callers prove nothing by a certificate has routes")
    twice = [each for each, count in Counter((route.listener, route.operation) for route in table).items() if count > 1]
    checks.equal(twice, [], "no route is there twice")
    public, orders = documented()
    checks.equal({route.operation for route in table if route.listener in ("device", "server")} ^ public, set(),
                 "the routes of phones and of apps' servers are those of docs/generated/row-budget.md")
    shown = {route.operation for route in table if route.listener == "mtls"}
    checks.that(shown and shown <= public, "the listener that takes any certificate has routes of apps' servers", shown)
    found = {route.operation for route in table if route.listener == "administration" and route.path.startswith("/v1/")}
    checks.equal(found ^ orders, set(), "the routes of admins' programs are those of docs/openapi/admin.yaml")


def test_all_routes_together(checks, house, table, customers, flooder):
    cases = [Case("all routes together", table, addresses) for addresses in (ONE, MANY)]
    with stopping(Logins(customers.once), Feed(customers)) as (logins, feed):
        feed.start()
        Storm(flooder, logins, customers.PEOPLE).measure([cases] * PAIRS, WHOLE)
    for case in cases:
        found, floods = cost(case.turns), [flood for flood, *_ in case.turns]
        seen = sum((Counter(each.seen) for each in floods), Counter())
        checks.note(f"{case.said}: logins take {found.flooded:.0f} ms instead of {found.at_nobody:.0f} ms, "
                    f"{found.longer:.3f} of it by the "
                    f"median of turns; {dict(seen)}")
        checks.that(found.longer <= LIMIT, f"{case.said}: logins take at most a tenth longer", found)
        checks.that(found.fewer <= LIMIT, f"{case.said}: at most a tenth fewer logins succeed",
                    f"{found}, {logins.refusals[:3]}")
        checks.that(max(each.late for each in floods) < 1, f"{case.said}: the flood is sent at its pace",
                    [each.late for each in floods])
    fed(checks, feed)
    places = {route.place for route in table}
    # An answer that came too late for its asker counts as well.
    eventually(lambda: places <= house.answered(), 60)
    answered = house.answered()
    checks.equal(places - answered, set(), "each path of the table was flooded and has answered")
    checks.equal(answered - places, set(), "and each path that ever answered is in the table")


def fed(checks, feed):
    checks.note(f"{len(feed.took)} accounting packets, answered after "
                f"{1000 * sorted(feed.took)[len(feed.took) // 2]:.0f} ms, at most {max(feed.took):.2f} s")
    checks.equal((len(feed.took) > 50, feed.unanswered), (True, []), "every accounting packet has its answer")
    checks.equal(feed.unready, [], "the gateway and the authority are ready all the time")


def is_cheap(case):
    found = cost(case.turns)
    return found.longer <= LIMIT - MARGIN / sqrt(len(case.turns)) and found.fewer <= LIMIT


def test_each_route_alone(checks, house, table, customers, flooder):
    alone = one_at_a_time(table)
    groups = [[Case(name, routes, addresses) for addresses in (ONE, MANY)] for name, routes in alone.items()]
    with stopping(Logins(customers.once), Feed(customers)) as (logins, feed):
        feed.start()
        storm, begun = Storm(flooder, logins, customers.PEOPLE), time.monotonic()
        for turn in range(1, TURNS + 1):
            for first in range(0, len(groups), LOOK):
                some, missed = groups[first:first + LOOK], len(feed.unanswered)
                storm.measure(some, SHORT)
                checks.equal(feed.unanswered[missed:], [],
                             f"turn {turn}, {some[0][0].name} to {some[-1][0].name}, each alone: every "
                             "accounting packet has its answer")
            groups = [[case] for group in groups for case in group if not is_cheap(case)]
            shown = "".join(f"; {case.said}: {cost(case.turns).longer:.2f}" for (case,) in groups[:5])
            checks.note(f"{len(groups)} of {2 * len(alone)} floods are not clearly cheap after {turn} turns, "
                        f"{time.monotonic() - begun:.0f} s{shown}")
            if not groups or time.monotonic() - begun > BUDGET:
                break
    ratio, most = storm.cost_of_nothing()
    checks.note(f"logins were not back at their usual time after {storm.unsettled} of {len(storm.nobodys)} floods at "
                "nobody and those between; a "
                f"flood at nobody that is measured as the others are costs {ratio:.3f}, and one in ten more than "
                f"{most:.3f}")
    checks.that(abs(ratio - 1) < 0.03, "a flood at nobody that is measured like one at a route costs nothing", ratio)
    for addresses in (ONE, MANY):
        dear = {case.name: found for (case,) in groups if case.addresses == addresses
                and max((found := cost(case.turns)).longer, found.fewer) > LIMIT}
        checks.equal(dear, {},
                     f"from {said_from(addresses)} no route that is flooded alone costs logins more than a tenth")
    fed(checks, feed)
    answered = house.answered()
    missed = {name for name, routes in alone.items() if not {each.place for each in routes} & answered}
    checks.equal(missed, set(), "each of them was flooded and has answered")


def test_a_server_with_one_queue_is_condemned(checks, house):
    """The double has two connections to a database as far away, and one queue in which logins wait behind the flood."""
    (port,) = free_ports(1)
    program("queued", port, TRIP)
    lines = {}

    def once(worker):
        line = lines.setdefault(worker, http.client.HTTPConnection("127.0.0.1", port, timeout=20))
        try:
            line.request("GET", "/honest")
            answer = line.getresponse()
            answer.read()
            return answer.status == 200
        except NO_ANSWER as error:
            line.close()
            return repr(error)

    cases = [Case("one queue", [Route("device", "GET", "/stranger", port)], addresses) for addresses in (ONE, MANY)]
    with stopping(Logins(once)) as (logins,):
        Storm(Flooder(house.app["id"], house.client), logins, Logins.WORKERS).measure([cases] * 3, 2.5)
    for case in cases:
        found = cost(case.turns)
        checks.note(
            f"{case.said}, {RATE} requests a second: {found.flooded:.0f} ms instead of {found.at_nobody:.0f} ms")
        checks.that(max(found.longer, found.fewer) > LIMIT,
                    f"{case.said}: a flood costs logins more than a tenth there", found)
