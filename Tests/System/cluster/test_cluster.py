"""A cluster under a storm of logins, by the files of docs/operations, each part on a machine of its own. Three nodes
are PostgreSQL under Patroni and etcd, two an authority behind HAProxy, and two a pair of gateways whose address
keepalived moves. In each round one part dies, is paused or is cut off from the network, drawn at random, and comes
back. Meanwhile addresses pass from one subscriber to the next.

No token may be won twice, no answer may be lost, nothing is billed twice, and no address may answer with an earlier
holder's number. The time without logins is reported by kind of fault. Then the double: the same cluster, from now on
with commits that wait for no standby. Its way to the standbys is slow for a moment, its primary dies, and the same
judge condemns the same history.

    test_cluster.py                                one fault of each part that keeps something, and the double
    test_cluster.py --rounds 200 --report FILE     the storm (make cluster-storm ROUNDS=200). Before it every node and
    gateway is stopped and
                                                   started again, one after the other, and no request fails but while
                                                   the pair changes hands

BENJI_EARLIER names the program of an earlier version that knows pairs. Then every node is of that version at first, and
the restarts of the long form are upgrades.
"""

import contextlib
import os
import random
import re
import signal
import subprocess
import time
from collections import Counter, defaultdict

import pytest

from support.checks import eventually
from support.apart import books
from support.cluster import AUTHORITIES, GATEWAYS, MACHINES, STORM, Cluster, Moving, Speaking
from support.operations import judge
from support.storm import Storm

# The short form, and how many of its faults it has.
SHORT = 4
pytestmark = pytest.mark.seconds(lambda options: 420 + 90 * options.rounds)
OPTIONS = {"rounds": SHORT, "seed": None, "report": None, "duration": None}

# The part at fault, and the fault. The short form has the first ones.
FAULTS = (("primary", "paused"), ("owner", "cut off"), ("authority", "killed"), ("primary", "killed"),
          ("owner", "paused"), ("follower", "cut off"),
          ("primary", "cut off"), ("owner", "killed"), ("authority", "cut off"), ("synchronous standby", "killed"),
          ("balancer", "killed"),
          ("synchronous standby", "cut off"), ("authority", "paused"), ("follower", "killed"),
          ("synchronous standby", "paused"),
          ("balancer", "cut off"), ("follower", "paused"), ("balancer", "paused"))
MEMBERS, SAID = ("primary", "synchronous standby"), {"owner": "gateway that owns the pair",
                                                     "follower": "gateway that follows"}
# There is one of it and no replacement: the fault lasts so many seconds. Every other one lasts at least as long.
ONLY, HELD = "balancer", 5
# The log line of a node whose database lacks a confirmed heartbeat.
REFUSED = "the database went back; nothing is done in it"
# The codes of a refused token, which are no fault: it was shown before.
SPENT_BEFORE = {"redeem 104201", "verify 606"}
# Other answers: to come again, and that a token is spent. A gateway that takes over does not know a session older than
# its lease until it is reported. A client that tries again at once uses up its key's requests of ten minutes.
REFUSALS = {"store_unavailable", "overloaded", "address_stale", "address_unknown", "too_many_requests", "clock_skew",
            "scrip_invalid",
            "103214", "103205", "999", "104201", "606"}
# Patroni's settings for the double, and how the judge's words begin for the losses of it.
DOUBLE, LOST = {"synchronous_mode": False, "synchronous_mode_strict": False}, ("kept", "ledger", "real-time order",
                                                                               "spent stays spent")
# While the pair's address moves, phones reach no gateway. Afterwards sessions are in doubt until reported.
WHILE_IT_MOVES = {"phone ConnectionRefusedError", "phone BrokenPipeError", "phone ConnectionResetError",
                  "phone RemoteDisconnected",
                  "phone TimeoutError", "phone OSError", "prefetch address_stale", "authorize address_stale"}


class Storming:
    """The cluster, phones and app servers that work without pause, and addresses that change hands."""

    def __init__(self, seed, is_pair=True, **size):
        self.chance = random.Random(seed)
        self.cluster = Cluster(os.environ.get("BENJI_EARLIER"), is_pair)
        self.patroni, self.house, self.wires = self.cluster.patroni, self.cluster.house, self.cluster.wires
        self.size, self.storm = size, None
        self.begin()

    def begin(self):
        """Starts everybody; again after `faults`, with the history until then."""
        former = self.storm
        self.storm = Storm(self.house, self.house.app, network=STORM, place=self.cluster.place, is_patient=True,
                           **self.size)
        if former:
            self.storm.recorder, self.storm.secrets = former.recorder, former.secrets
        self.storm.start()
        self.moving, self.speaking = Moving(self.house, self.storm, self.chance), Speaking(self.house, self.storm)
        for thread in (self.moving, self.speaking):
            thread.start()

    def goes_on(self, since, seconds):
        """Whether phones are given tokens again, and these are won, a few seconds after `since`."""
        def do_both():
            now = time.monotonic()
            return now - since > HELD and all(len(moments) >= 3 and moments[-3] > max(since, now - 2)
                                              for moments in (self.storm.wins, self.storm.issues))
        return eventually(do_both, seconds)

    def round(self, whose, what):
        """One fault, from its beginning until everything stands again.
        :return: the longest time in seconds without a login; `None` if it did not end."""
        # Two of the three machines of PostgreSQL at once are more than the page promises. The others may come back
        # meanwhile.
        if whose in MEMBERS and not eventually(self.patroni.stands, 90, pause=0.5):
            return None
        fault, end = self.fault(whose, what)
        since = time.monotonic()
        fault()
        took = None
        if whose == ONLY:
            time.sleep(HELD)
        else:
            took = self.goes_on(since, 90)
        end()
        if whose != ONLY and not took or not eventually(self.all_are_asked, 40) or not self.goes_on(since, 60):
            return None
        return self.longest_pause(since)

    def longest_pause(self, since):
        """For how long no phone was given a token, or none was won: the longer of both. App servers have some in stock
        when no phone gets one."""
        def pause(moments):
            times = [since, *(moment for moment in list(moments) if moment > since), time.monotonic()]
            return max(after - before for before, after in zip(times, times[1:]))
        return max(pause(self.storm.wins), pause(self.storm.issues))

    def fault(self, whose, what):
        """The calls that make a fault and that end it."""
        if whose in MEMBERS:
            part = self.patroni.primary if whose == "primary" else self.patroni.synchronous()
            machine, pause, resume = part.name, part.pause, part.resume
        elif whose == "balancer":
            part, machine = self.cluster.balancer, "balancer"
            pause, resume = part.pause, part.resume
        else:
            parts, names = (self.house.nodes, AUTHORITIES) if whose == "authority" else (self.house.gateways, GATEWAYS)
            owner = self.house.owner()
            number = self.chance.randrange(2) if whose == "authority" else owner if whose == "owner" else 1 - owner
            part, machine = parts[number], names[number]
            pause, resume = (lambda: part.process.send_signal(signal.SIGSTOP)), (
                lambda: part.process.send_signal(signal.SIGCONT))
        if what == "cut off":
            return (lambda: self.wires.cut(machine)), (lambda: self.wires.heal(machine))
        if what == "paused":
            return pause, resume
        return part.kill9, part.begin if whose in SAID else part.start

    def stands(self):
        return eventually(self.patroni.stands, 90, pause=1) and eventually(self.all_are_asked, 40)

    def all_are_asked(self):
        """Whether one gateway is ready, leaves no node alone and has the pair's address, and the other one follows."""
        status, warnings = self.house.warnings()
        return status == 200 and not any("left alone" in line for line in warnings) and self.cluster.is_led()

    def tail(self):
        """The end of each member's log, and who says to be primary."""
        return "".join(f"{member.name} {self.patroni.psql(member, 'SELECT pg_is_in_recovery()').stdout.strip()}: "
                       + "\n".join((member.folder / "patroni.log").read_text(errors="replace").splitlines()[
                           -6:]) + "\n" for member in self.patroni.members)

    def faults(self):
        """Ends the storm, and gives what the judges found, with the figures. """
        for each in (self.moving, self.storm, self.speaking):
            each.stop()
        again = self.storm.ask_again()
        found = [str(fault) for fault in judge(self.storm.history, books(self.patroni))] + self.moving.faults
        figures = self.storm.figures() | {"addresses given to somebody else": self.moving.moved,
                                          "their numbers released": self.moving.released}
        return found, figures, (f"{figures}, asked again {again}, other answers {dict(self.storm.unexpected)}, "
                                f"{dict(self.storm.broken)}")


@pytest.fixture
def storming(options):
    with contextlib.ExitStack() as stack:
        def begin(**choices):
            made = Storming(options.seed, **choices)
            stack.callback(made.cluster.abandon)
            return made
        yield begin


def test_parts_of_a_cluster_are_faulty(checks, options, report, storming):
    """All under one storm, whose whole history is judged at the end."""
    is_short = options.rounds <= SHORT
    city = storming(phones=3, servers=3, pause=0.2) if is_short else storming(phones=8, servers=6)
    storm, house, restarts = city.storm, city.house, {}
    checks.that(city.goes_on(time.monotonic(), 40), "phones log in", dict(storm.unexpected | storm.broken))
    if not is_short:
        restarts = restart_one_after_the_other(checks, city)
        other_versions(checks, city)
    other_machines_control_nothing(checks, city)
    deck, began = list(FAULTS), time.monotonic()
    taken = defaultdict(list)
    for number in range(options.rounds):
        if options.duration and time.monotonic() - began > options.duration:
            break
        if not deck:
            deck = city.chance.sample(FAULTS, len(FAULTS))
        whose, what = deck.pop(0)
        begun = time.monotonic()
        took = city.round(whose, what)
        said = f"{number + 1}: the {SAID.get(whose, whose)} is {what}"
        checks.that(took is not None, f"{said}, phones log in again, and it comes back",
                    f"{house.warnings()} {city.tail()}" if took is None else None)
        if took is None:
            break
        checks.note(f"{said}: no login for {took:.1f} s, the round {time.monotonic() - begun:.0f} s")
        taken[f"{SAID.get(whose, whose)}, {what}"].append(took)
    checks.that(city.stands(), "at the end everything stands", f"{house.warnings()} {city.tail()}")
    faults, figures, said = city.faults()
    checks.note(said)
    table = {f"{kind}, {len(seconds)} times" + (f", for {HELD} s and more" if kind.split()[0] == ONLY else ""):
             f"{sorted(seconds)[len(seconds) // 2]:.1f}, at most {max(seconds):.1f}"
             for kind, seconds in sorted(taken.items())}
    for kind, seconds in table.items():
        checks.note(f"seconds without a login: {kind}: {seconds}")
    checks.equal((len(faults), faults[:5]), (
        0, []), f"{figures['won']} tokens won, {city.moving.moved} addresses moved: nothing that was answered is lost, "
                                 "none is won or billed twice, no earlier holder answers")
    checks.that(figures["won"] > 100 and city.moving.released > 10, "the storm was one", said)
    unknown = sum(storm.unexpected[f"authorize {said}"]
                  for said in ("store_unavailable", "overloaded")) + storm.broken.total()
    checks.that(storm.unexpected["authorize scrip_invalid"] <= unknown,
                "no scrip was refused but those that may have been used", storm.unexpected)
    log = "".join(part.log.read_text() for part in (*house.gateways, *house.nodes))
    others = {said for said in storm.unexpected if said.split()[1] not in REFUSALS}
    checks.equal(others, set(), "else phones and app servers were told to come again, or that a token is spent")
    checks.that(not any(secret in log for secret in city.patroni.secrets.values())
                and not any(number in log for number in storm.numbers), "no password and no number is in a log")
    a_standby_that_nobody_waited_for(checks, city)
    checks.equal(Counter(city.cluster.stop()), Counter({0: 4}), "gateways and nodes end with 0")
    report.add("parts of a cluster die, are paused and are cut off",
               {"rounds": sum(map(len, taken.values()))} | figures
               | {f"seconds without a login: {kind}": seconds for kind, seconds in table.items()} | restarts, faults)


def other_machines_control_nothing(checks, city):
    """A machine of the same network changes nothing of Patroni's, etcd's or PostgreSQL's, and reads no
    `listen.admin`."""
    patroni, same, stranger = city.patroni, {"ttl": 20}, AUTHORITIES[0]
    drawn = {secret for secret in patroni.secrets.values() if re.fullmatch(r"[0-9a-f]{48}", secret)}
    checks.equal((sorted(patroni.secrets), len(drawn)),
                 (["benji", "benji_owner", "patroni", "postgres", "replicator"], 5),
                 "each role of the database has a password of its own, which the page's commands have drawn")
    checks.equal(patroni.configure(same)[0], 200,
                 "a machine of the database changes Patroni's configuration, with certificate and password")
    checks.equal(patroni.configure(same, has_password=False)[0], 401, "without the password it does not")
    checks.equal(patroni.configure(same, has_certificate=False)[0], 0, "without the certificate it is not answered")
    checks.equal(patroni.configure(same, stranger)[0], 403,
                 "from another machine certificate and password change nothing")
    folder, keys = patroni.folder, f"{MACHINES['db-1']}:2379/v2/keys/"
    proof = ("--cacert", f"{folder}/db-ca.pem", "--cert", f"{folder}/db-1.pem", "--key", f"{folder}/db-1.key")
    for url, options, taken in ((f"https://{keys}", proof, True), (f"https://{keys}", proof[:2], False),
                                (f"http://{keys}", (), False)):
        checks.equal(city.wires.asks(stranger, url, *options).returncode == 0, taken,
                     f"etcd {'answers' if taken else 'refuses'} {url.split(':')[0]} "
                     f"{'with' if '--cert' in options else 'without'} a machine's certificate")
    for more, taken in (("", True), ("sslmode=disable", False), ("user=postgres", False),
                        ("user=replicator replication=database", False),
                        ("dbname=postgres", False)):
        said = patroni.asked(stranger, more)
        checks.that(taken == ("answered" in said.stdout) and (taken or "no pg_hba.conf entry" in said.stderr),
                    f"PostgreSQL {'answers' if taken else 'refuses'} a node of the authority with "
                    f"{more or 'its own connection string'}", said)
    checks.equal(patroni.psql(patroni.primary,
                              "SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication FROM pg_roles WHERE "
                              "rolname LIKE 'benji%'").stdout,
                 "f|f|f|f\n" * 2, "Benji's roles are no superusers and make neither databases nor roles")
    if not patroni.owns:
        checks.equal(patroni.value("SELECT count(*) FROM pg_class WHERE pg_get_userbyid(relowner) = 'benji'"), "0",
                     "the servers' role owns nothing")
        refused = patroni.psql(patroni.primary, "SET ROLE benji; TRUNCATE benji.scrip", "benji")
        checks.that("permission denied" in refused.stderr, "the servers' role empties no table", refused.stderr)
    node, gateway = (f"http://{MACHINES[AUTHORITIES[0]]}:8082/health/live",
                     f"http://{MACHINES[GATEWAYS[0]]}:8084/health/live")
    for machine, url, taken in (("balancer", node, True), (GATEWAYS[0], node, False), (GATEWAYS[0], gateway, True),
                                ("balancer", gateway, False)):
        checks.equal(city.wires.asks(machine, url).returncode == 0, taken,
                     f"{machine} {'reads' if taken else 'does not reach'} {url}")


def restart_one_after_the_other(checks, city):
    """Each node leaves and returns while the storm goes on.
    :return: figures for the report."""
    storm, house, since = city.storm, city.house, time.monotonic()
    began = storm.broken + storm.unexpected

    def failed():
        return {said: count for said, count in (storm.broken + storm.unexpected - began).items()
                if said not in SPENT_BEFORE}

    for number, node in enumerate(house.nodes, 1):
        drains = "drain" in node.settings
        node.process.send_signal(signal.SIGTERM)
        if drains:
            status, said = node.unready(4)
            checks.that(status == 503 and "this process is being stopped" in said,
                        f"node {number}: after SIGTERM its readiness fails", said)
        checks.equal(ended(node), 0, f"node {number}: and then it ends with 0")
        checks.that(city.goes_on(time.monotonic() - 5, 10), f"node {number}: the other one serves")
        city.cluster.upgrade(node)
        checks.that(eventually(city.all_are_asked, 40), f"node {number}: when it is back, the gateway asks it again",
                    house.warnings())
        # Until the balancer has seen it twice.
        time.sleep(4)
        checks.that(drains is False or failed() == {}, f"node {number}: no request of phones or apps' servers failed",
                    failed())
    pause = city.longest_pause(since)
    of_nodes = failed()
    owner = house.owner()
    for number in (1 - owner, owner):
        gateway, since, began = house.gateways[number], time.monotonic(), storm.broken + storm.unexpected
        is_owner, said = number == owner, "that owns the pair" if number == owner else "that follows"
        gateway.process.send_signal(signal.SIGTERM)
        checks.equal(ended(gateway), 0, f"the gateway {said} ends with 0 after SIGTERM")
        if is_owner:
            checks.that(eventually(lambda: house.gateways[1 - owner].ready()[0] == 200, 10),
                        "the other one takes over the pair that it gave back")
        checks.that(city.goes_on(time.monotonic(), 40), f"without the gateway {said} phones log in")
        city.cluster.upgrade(gateway)
        checks.that(eventually(city.all_are_asked, 40), f"the gateway {said} comes back", house.warnings())
        lost = {said: count for said, count in failed().items() if not is_owner or said not in WHILE_IT_MOVES}
        checks.equal(lost, {}, "while the pair changed hands phones were reset or not known yet, and no request that "
                               "was taken was lost"
                     if is_owner else "no request failed while the gateway that follows was away")
        away = city.longest_pause(since)

    # So that it means something: these requests do fail when a node does not leave in order.
    began = storm.broken + storm.unexpected
    house.nodes[0].kill9()
    checks.that(eventually(failed, 10), "when a node is killed instead, requests fail")
    house.nodes[0].start()
    eventually(city.all_are_asked, 40)
    return {"restart of each authority, requests that failed": sum(of_nodes.values()),
            "restart of each authority, longest time without a login, seconds": f"{pause:.1f}",
            "restart of the gateway that owns the pair, longest time without a login, seconds": f"{away:.1f}"}


def ended(part):
    try:
        return part.process.wait(timeout=30)
    except subprocess.TimeoutExpired:
        return None


def other_versions(checks, city):
    """The tables are brought forward by a newer version, here in name alone, while these nodes run."""
    house, patroni = city.house, city.patroni
    one, two = house.nodes
    try:
        known = int(patroni.value("UPDATE benji.schema_version SET version = version + 1 RETURNING version - 1"))
        patroni.value("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'benji'")
        checks.that(city.goes_on(time.monotonic(), 30),
                    "nodes that run go on when a newer version has brought the tables forward, also after they "
                    "connect anew")
        two.process.send_signal(signal.SIGTERM)
        ended(two)
        checks.that(city.goes_on(time.monotonic() - 5, 10), "while one of them is stopped the other serves")
        refused = two.command("serve", "--config", two.configuration)
        said = refused.stdout + refused.stderr
        checks.that(refused.returncode == 1
                    and f"written by a newer Benji; this one knows the schema up to version {known}" in said,
                    "but one of them that is started again refuses, and says why", said)
    finally:
        patroni.value(f"UPDATE benji.schema_version SET version = {known}")
    two.start()
    checks.that(eventually(city.all_are_asked, 40), "with its own version's tables it starts", house.warnings())


def a_standby_that_nobody_waited_for(checks, city):
    """The double: PostgreSQL as it replicates by default. The way to the standbys is slow for a moment, and then the
    primary dies."""
    city.patroni.waits_for_none = True
    changed = city.patroni.configure(DOUBLE)
    checks.that(eventually(lambda: city.patroni.synchronous() is None, 20), "the double waits for no standby", changed)
    city.begin()
    checks.that(city.goes_on(time.monotonic() - HELD, 40), "phones log in at the double")
    primary = city.patroni.primary
    city.wires.deafen(primary.name)
    since = time.monotonic()
    checks.that(eventually(lambda: len([won for won in city.storm.wins if won > since]) > 20, 20),
                "and go on while the standbys hear nothing")
    primary.kill9()
    # A node refuses the database if the lost commits include its heartbeat (decision 64), which it writes every few
    # seconds.
    since = time.monotonic()

    def refusing():
        return sum(REFUSED in node.log.read_text(errors="replace") for node in city.house.nodes)

    def is_served_or_refused():
        return city.goes_on(since, 0) or refusing() == len(city.house.nodes)

    checks.that(eventually(is_served_or_refused, 90),
                "after one of them was promoted phones log in, or both nodes refuse a database that lost their "
                "heartbeat", city.tail())
    checks.note(f"nodes that refused the database: {refusing()}")
    faults, _, said = city.faults()
    lost = [fault for fault in faults if fault.startswith(LOST)]
    checks.that(lost, "the judge condemns it: what was answered is lost", f"{faults[:3]} {said}")
    checks.note("; ".join(lost[:3]))


@pytest.mark.wants("rounds")
def test_gateways_that_are_no_pair(checks, storming):
    """The double of the pair: two gateways that know nothing of each other, before the same keepalived. Nothing fences
    the one that slept while addresses passed on at the other one, and it has heard nothing of that."""
    city = storming(is_pair=False, phones=3, servers=3, pause=0.2)
    gateways, keepers, moving = city.house.gateways, city.cluster.keepers, city.moving
    checks.that(city.goes_on(time.monotonic(), 40), "phones log in")
    first = 0 if keepers[0].has_address else 1
    checks.that(eventually(lambda: moving.moved > 12, 60), "addresses pass on")
    gateways[first].process.send_signal(signal.SIGSTOP)
    checks.that(eventually(lambda: keepers[1 - first].has_address, 20),
                "when a gateway sleeps, the other one has the address")
    moved = moving.moved
    checks.that(eventually(lambda: moving.moved > moved + 12, 60), "and addresses pass on there")
    gateways[first].process.send_signal(signal.SIGCONT)
    checks.that(eventually(lambda: gateways[first].ready()[0] == 200, 10), "the one that slept wakes")
    checks.equal(moving.faults, [], "nobody was told an earlier holder's number until now")
    gateways[1 - first].kill9()
    checks.that(eventually(lambda: moving.faults, 60),
                "when the other one dies, the judge condemns it: an earlier holder answers", moving.core.histories)
    checks.note("; ".join(moving.faults[:2]))
    city.cluster.stop()
