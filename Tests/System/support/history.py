"""The packets that a packet core sent to a gateway, and the answers that the gateway may give after it was killed.

The promise under test: an answered packet is kept. After a crash an address may be refused, or answer with the owner of
the last answered packet, or of a later, unanswered one. An earlier owner must never answer again.
"""

import threading
import time
from dataclasses import dataclass, field

from .radius import INTERIM, START, STOP, PacketCore
from .server import SECRET


@dataclass
class Event:
    """One packet: from here on `owner` holds the address, or no subscriber does (None)."""

    owner: str | None
    answered: bool


@dataclass
class AddressHistory:
    events: list[Event] = field(default_factory=list)

    def told(self, owner, answered):
        self.events.append(Event(owner, answered))

    @property
    def permitted(self):
        """The possible holders of the address: after the last answered packet, or after any unanswered one since."""
        owners = []
        for event in reversed(self.events):
            owners.append(event.owner)
            if event.answered:
                break
        else:
            owners.append(None)
        return set(owners)

    @property
    def truth(self):
        """The holder by the packet core's own books. The packet core repeats unanswered packets."""
        return self.events[-1].owner if self.events else None

    def fault(self, said, must_answer=False):
        """The fault of an answer, or None. `said` is a number, or None for a refusal."""
        if said is None:
            owner = self.truth
            return f"refused, although {owner} was heard of after the restart" if must_answer and owner else None
        if must_answer and said != self.truth:
            return f"{said} answers, but the holder is {self.truth or 'nobody'}"
        if said not in self.permitted:
            past = [event.owner for event in self.events]
            return (f"{said} answers, who is {'a previous holder' if said in past else 'a stranger'}; "
                    f"permitted: {self.permitted}")
        return None


class Core:
    """A packet core that passes addresses from subscriber to subscriber and keeps books of answered packets."""

    def __init__(self, server, link=None):
        self.server = server
        self.link = link or PacketCore(server.accounting, SECRET)
        self.histories = {}
        self.sessions = {}  # address -> (session id, number) of the last Start sent
        self.times = {}
        self.last = {}  # address -> the last packet sent
        self.names = 0
        self.dead = threading.Event()

    def tell(self, status, address, session, number, seconds=3.0):
        at = self.times[address] = int(time.time())
        owner = None if status == STOP else number
        # Booked before it leaves: from then on it may have arrived.
        self.histories.setdefault(address, AddressHistory()).told(owner, False)
        self.last[address] = (status, session, number, at)
        return self.send_last(address, seconds)

    def send_last(self, address, seconds=3.0):
        status, session, number, at = self.last[address]
        answered = self.link.send(
            status, session, address, seconds=seconds, number="86" + number, imsi="46000" + number[1:], at=at)
        self.histories[address].events[-1].answered = answered
        return answered

    def reassign(self, address, with_stop=True, seconds=3.0):
        """Takes an address from its holder and gives it to a new one. False as soon as a packet is not answered."""
        previous = self.sessions.get(address)
        # Two Starts of one second and no Stop would leave it open which came first.
        with_stop = with_stop or self.times.get(address) == int(time.time())
        if previous and with_stop and not self.tell(STOP, address, *previous, seconds=seconds):
            return False
        self.names += 1
        self.sessions[address] = (f"session-{self.names}", f"139{self.names:08d}")
        return self.tell(START, address, *self.sessions[address], seconds=seconds)

    def repeat(self, address):
        """Sends the packets that follow a gateway's restart: the unanswered one again, then an Interim-Update."""
        history = self.histories[address]
        if not history.events[-1].answered and not self.send_last(address):
            return False
        return history.truth is None or self.tell(INTERIM, address, *self.sessions[address])


def self_test(checks):
    """The judge must condemn what a forgetful gateway would say."""

    def history(*events):
        made = AddressHistory()
        for owner, answered in events:
            made.told(owner, answered)
        return made

    reassigned = history(("old", True), (None, True), ("new", True))
    lost_stop = history(("old", True), ("new", True))
    in_flight = history(("old", True), (None, True), ("new", False))
    stop_in_flight = history(("old", True), (None, False))
    for made, said, must_answer, is_fault, sentence in (
            (reassigned, "old", False, True, "the previous owner answers after an answered reassignment"),
            (lost_stop, "old", False, True, "the previous owner answers after an answered Start of another"),
            (in_flight, "old", False, True, "the previous owner answers after an answered Stop"),
            (reassigned, "stranger", False, True, "somebody answers who never held the address"),
            (reassigned, None, True, True, "nobody answers after an Interim-Update"),
            (reassigned, "old", True, True, "the previous owner answers after an Interim-Update"),
            (history(("old", True), (None, True)), "old", True, True, "the last owner answers after a repeated Stop"),
            (reassigned, None, False, False, "a refusal after the restart"),
            (reassigned, "new", False, False, "the new owner"),
            (in_flight, "new", False, False, "an owner whose Start was not answered"),
            (stop_in_flight, "old", False, False, "an owner whose Stop was not answered"),
            (reassigned, "new", True, False, "the new owner after an Interim-Update")):
        fault = made.fault(said, must_answer)
        checks.that((fault is not None) == is_fault,
                    f"the judge {'condemns' if is_fault else 'accepts'}: {sentence}", fault or "accepted")
