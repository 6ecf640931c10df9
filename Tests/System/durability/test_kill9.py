"""benji serve is killed with SIGKILL while addresses pass from one subscriber to the next, and started again.

A previous owner's number may never be released: not at once, and not after an Interim-Update. Nor when the gateway
trusts its journal again, which it does only where the packet core has promised to repeat (nas.*.repeats). Doubles, one
that forgets its last records and one whose packet core does not keep its promise, show that the judge would notice.

    test_kill9.py                  about 20 kills
    test_kill9.py --rounds 200     the storm (make kill-storm ROUNDS=200)
    test_kill9.py --seed 7         the same storm again, as far as the machine's timing allows
"""

import random
import shutil
import threading
import time

import pytest

from support.history import Core, self_test
from support.operators import Backend
from support.server import Server

pytestmark = pytest.mark.seconds(lambda options: 120 + 8 * options.rounds)
OPTIONS = {"rounds": 20, "seed": None, "report": None}

# A packet core's promise: for so many seconds it repeats unanswered packets.
REPEATS = 30
# How long a gateway waits after a restart before it trusts such a packet core's sessions, and a little more.
SETTLING = REPEATS + 2


class Watch:
    """Asks who an address belongs to, as an app and its server find out: a whole login, then the number."""

    def __init__(self, server, app):
        self.server, self.app = server, app
        self.released = self.refused = 0
        self.situations = set()

    def holder(self, address):
        """The number that is released for a phone at `address`, None if it is refused."""
        token, situation, _ = self.server.phone("login", self.app, address)
        if token is None:
            self.refused += 1
            self.situations.add(situation)
            return None
        backend = Backend(self.server.server)
        code, number = backend.redeem(self.app, token)
        backend.close()
        if code != "103000":
            self.refused += 1
            self.situations.add(code)
            return None
        self.released += 1
        return number


def kill_in_the_answer(server, core, watch, address, faults):
    """A round of the first kind: the kill comes with the answer to the new owner's Start."""
    core.reassign(address)
    core.reassign(address)
    server.kill9()
    server.start()
    check(core, watch, address, faults)


def kill_in_the_stream(server, core, watch, random_source, addresses, faults):
    """A round of the second kind: the kill comes at any moment in a stream of reassignments."""
    touched = []

    def stream():
        while not core.dead.is_set():
            address = random_source.choice(addresses)
            touched.append(address)
            if not core.reassign(address, with_stop=random_source.random() < 0.7, seconds=0.5):
                return

    core.dead.clear()
    sender = threading.Thread(target=stream)
    sender.start()
    time.sleep(random_source.uniform(0.01, 0.4))
    server.kill9()
    core.dead.set()
    sender.join()
    server.start()
    for address in list(dict.fromkeys(reversed(touched)))[:2]:
        check(core, watch, address, faults)


def check(core, watch, address, faults):
    """Right after a restart, and once the packet core has spoken of the session again."""
    history = core.histories[address]
    for must_answer in (False, True):
        if must_answer and not core.repeat(address):
            faults.append(f"{address}: the packet after the restart is not answered")
            return
        fault = history.fault(watch.holder(address), must_answer)
        if fault:
            faults.append(f"{address}: {fault}")


def forgetful_double(server, app):
    """A gateway whose journal loses its last records: the real server, given an old copy of its journal. Returns its
    core and watch, ready to be asked when it trusts what it remembers."""
    core, watch = Core(server), Watch(server, app)
    core.reassign("127.8.7.1")
    journal = server.data / "directory.journal"
    old = server.folder / "old.journal"
    shutil.copy(journal, old)
    core.reassign("127.8.7.1")
    server.kill9()
    shutil.copy(old, journal)
    server.start()
    return core, watch


def faithless_double(server, app):
    """A packet core that breaks its promise: it gives up what it sends while the gateway is down. That is why none is
    believed without a promise."""
    core, watch = Core(server), Watch(server, app)
    core.reassign("127.8.7.2")
    server.kill9()
    core.reassign("127.8.7.2", seconds=0.5)
    server.start()
    return core, watch


def test_addresses_change_hands(checks, options, report):
    random_source = random.Random(options.seed)
    streams = [f"127.8.6.{n}" for n in range(1, 9)]
    faults = []
    promise = {"pgw": {"repeats": REPEATS}}
    with (Server(log={"level": "warning"}) as server, Server(nas=promise, log={"level": "warning"}) as kept,
          Server(nas=promise, log={"level": "warning"}) as double,
          Server(nas=promise, log={"level": "warning"}) as faithless):
        core = Core(server)
        watch = Watch(server, server.create_app())
        for round_number in range(options.rounds):
            if round_number % 2 == 0:
                kill_in_the_answer(server, core, watch, f"127.8.8.{round_number % 250 + 1}", faults)
            else:
                kill_in_the_stream(server, core, watch, random_source, streams, faults)
            if options.rounds > 40 and round_number % 20 == 19:
                checks.note(f"{round_number + 1} kills, {watch.released} numbers released, {len(faults)} faults")
        packets = sum(len(history.events) for history in core.histories.values())
        checks.equal(faults, [], f"{options.rounds} kills, {packets} packets: no previous owner answers")
        checks.that(watch.released >= options.rounds, "after an Interim-Update the holders did answer", watch.released)
        checks.that(
            watch.refused > 0 and watch.situations <= {"address_stale", "address_unknown", "address_ambiguous"},
            "who was refused after a restart was refused for the address", watch.situations)

        # Long after a restart the journal alone is believed, where the packet core has promised to repeat.
        quiet = [f"127.8.9.{n}" for n in range(1, 7)]
        sides = [(core, watch), (Core(kept), Watch(kept, kept.create_app()))]
        for side, _ in sides:
            for address in quiet:
                side.reassign(address)
            time.sleep(1.1)
            for address in quiet:
                side.reassign(address, with_stop=address != quiet[0])
            side.server.kill9()
            side.server.start()
        double_core, double_watch = forgetful_double(double, double.create_app())
        faithless_core, faithless_watch = faithless_double(faithless, faithless.create_app())
        checks.that(
            all(side.histories[address].fault(asked.holder(address)) is None for side, asked in sides
                for address in quiet),
            "right after the last kill, nobody answers wrongly")
        time.sleep(SETTLING)
        without = {address: watch.holder(address) for address in quiet}
        checks.equal(set(without.values()), {None}, "without a promise nobody answers before something is heard of him")
        kept_core, kept_watch = sides[1]
        said = {address: kept_watch.holder(address) for address in quiet}
        wrong = {address: kept_core.histories[address].fault(number) for address, number in said.items()}
        checks.that(not any(wrong.values()), "when the journal is trusted again, no previous owner answers", wrong)
        checks.equal(
            said, {address: kept_core.histories[address].truth for address in quiet},
            "when the journal is trusted again, every new owner answers")
        number = double_watch.holder("127.8.7.1")
        checks.that(
            number is not None and double_core.histories["127.8.7.1"].fault(number) is not None,
            "a double that forgot its journal's last records lets the previous owner answer, and is condemned", number)
        number = faithless_watch.holder("127.8.7.2")
        checks.that(
            number is not None and number != faithless_core.histories["127.8.7.2"].truth,
            "a double that believes a packet core which gave up lets the previous owner answer", number)
    report.add("kills while addresses change hands",
               {"kills": options.rounds, "accounting packets": packets, "numbers released": watch.released,
                "refused after a restart": watch.refused}, faults)


def test_the_judge(checks):
    self_test(checks)
