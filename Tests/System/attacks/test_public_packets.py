"""Plays accounting packets of public tests, labs and bug reports through FreeRADIUS and through the gateway.

Is each one answered, and whom does it name, at which address, in which session? vectors/accounting.txt lists the
packets with their sources, and each difference that must be with its reason. Any other difference fails.
"""

import ipaddress
import struct
import time
from dataclasses import dataclass

import pytest

from support import vectors
from support.freeradius import Reader
from support.naive import NaiveReader
from support.namespaces import Network
from support.operators import Backend
from support.phones import Phone
from support.radius import START, STOP, PacketCore, accounting_request, signed
from support.server import SECRET, Server

pytestmark = pytest.mark.seconds(180)

MACHINE = "core"
UNKNOWN = "address_unknown"
# Kind of difference, or None -> whether FreeRADIUS answers, and whether the gateway does.
ANSWERED = {
    None: ((True, True), (False, False)), "refused": ((True, False),), "taken": ((False, True),),
    "kept": ((True, True),)}
# Reason of a strict reader to refuse -> vectors that FreeRADIUS accepts.
REFUSED = {
    "host bits": ("prefix-with-host-bits", "delegated-prefix-with-host-bits"),
    "repeated": ("called-station-repeated", "two-called-stations", "delay-of-a-proxy", "prefix-in-two-lengths"),
    "text": ("identifier-in-gbk",),
}
# Attribute -> how FreeRADIUS calls it, for those that name a session.
SESSION = {44: "Acct-Session-Id", 32: "NAS-Identifier", 4: "NAS-IP-Address", 95: "NAS-IPv6-Address"}


class Gateway:
    """Benji, asked by phones at every address that there is."""

    def __init__(self, server):
        self.server, self.app, self.backend = server, server.create_app(), Backend(server.server)
        self.core, self.fences = PacketCore(server.accounting, SECRET), 0

    def fence(self, identifier):
        """A packet that must be answered, of a session of its own."""
        self.fences += 1
        return accounting_request(
            SECRET, START, f"fence-{self.fences}", f"10.78.{self.fences >> 8}.{self.fences & 255}", "8613900099999",
            identifier=identifier)

    def hear(self, packet):
        return self.core.takes(packet, self.fence)

    def ask(self, address):
        """The number that logs in from an address, or the code of the refusal."""
        host = "::1" if ":" in address else "127.0.0.1"
        phone = Phone(self.server, self.app, address, None, host=host)
        try:
            code, token = phone.token()
        finally:
            phone.close()
        if token is None:
            return code
        code, number = self.backend.redeem(self.app, token)
        return f"86{number}" if code == "103000" else code


class Books:
    """FreeRADIUS and the packets that it has written down."""

    def __init__(self, reader):
        self.reader = reader
        self.core, self.fences = PacketCore(reader.port, SECRET), 0

    def fence(self, identifier):
        self.fences += 1
        return accounting_request(SECRET, START, f"fence-{self.fences}", "10.78.0.1", identifier=identifier)

    def hear(self, packet):
        answered = self.core.takes(packet, self.fence)
        read = (Reading(answered, pairs) for pairs in self.reader.packets())
        own = (each for each in read if not (each.first("Acct-Session-Id") or b"").startswith(b"fence-"))
        return next(own, Reading(answered, []))


@dataclass
class Reading:
    """FreeRADIUS's reading of one packet. The first of several values counts, as in its expansions."""

    answered: bool
    pairs: list

    def first(self, name):
        return next((value for each, value in self.pairs if each == name), None)

    def names(self, number, address):
        """Whether it says that this number is at this address from now on."""
        if self.first("Acct-Status-Type") not in (b"Start", b"Interim-Update"):
            return False
        if self.first("Calling-Station-Id") != number.encode():
            return False
        place = self.first("Framed-IPv6-Prefix" if ":" in address else "Framed-IP-Address")
        return place is not None and ipaddress.ip_address(address) in ipaddress.ip_network(place.decode(), strict=False)

    def stop(self, at, identifier):
        """A Stop of the session as it was read, from the NAS as it was read."""
        body = vectors.attribute("40", struct.pack("!I", STOP)) + vectors.attribute("55", struct.pack("!I", at))
        for kind, name in SESSION.items():
            content = self.first(name)
            if content is not None and kind in (4, 95):
                content = ipaddress.ip_address(content.decode()).packed
            if content is not None:
                body += vectors.attribute(str(kind), content)
        return signed(body + vectors.attribute("26.10415.11", b"\xff"), identifier, SECRET)


@dataclass
class Play:
    """A vector, the packets in which it is sent, and FreeRADIUS's reading."""

    vector: vectors.Vector
    subject: vectors.Subject
    begin: bytes  # the Start before a Stop
    packet: bytes
    reading: Reading
    places: list
    end: bytes  # a Stop of the session as FreeRADIUS read it


def places_of(packet):
    """An address of each place that attributes of a packet may name."""
    found = []
    for kind, content in vectors.attributes_of(packet[20:]):
        if kind == 8 and len(content) == 4 and 0 < content[0] < 224:
            found.append(str(ipaddress.ip_address(content)))
        if kind == 97 and len(content) >= 10:
            found.append(str(ipaddress.ip_address(content[2:10] + bytes(7) + b"\x07")))
    return list(dict.fromkeys(found))


def play(vector, index, books):
    subject, now = vectors.Subject.numbered(index), int(time.time())
    is_stop = vector.status(subject) == STOP

    def made(at, status=None):
        return vector.packet(subject, at, books.core.next_identifier(), SECRET, status)

    begin = made(now, START) if is_stop else None
    if begin:
        books.hear(begin)
    packet = made(now + is_stop)
    reading = books.hear(packet)
    end = reading.stop(now + 2, books.core.next_identifier())
    return Play(vector, subject, begin, packet, reading, places_of(packet), end)


def judge(each, gateway):
    """The differences between a gateway and FreeRADIUS for one vector, except the one that the vector lists."""
    number, kind = each.subject.number, each.vector.differs[0] if each.vector.differs else None
    faults = []

    def expect(holds, sentence):
        if not holds:
            faults.append(sentence)

    if each.begin:
        expect(gateway.hear(each.begin), "the Start before it is not answered")
        expect(gateway.ask(each.subject.address) == number, "the Start before it does not name the number")
    answered = gateway.hear(each.packet)
    said = {place: gateway.ask(place) for place in each.places}
    named = [place for place in each.places if each.reading.names(number, place)]
    answers = each.reading.answered, answered
    expect(answers in ANSWERED[kind], f"FreeRADIUS answers: {answers[0]}; the gateway: {answers[1]}")
    if kind is not None:
        named = each.places if kind in ("taken", "kept") else []
    for place in each.places:
        expect(said[place] == number if place in named else not said[place].isdigit(), f"{place} is {said[place]}")
    if kind is None and named:
        expect(gateway.hear(each.end), "the Stop of its session is not answered")
        left = {gateway.ask(place) for place in each.places}
        expect(left == {UNKNOWN}, f"after the Stop of the session that FreeRADIUS read: {left}")
    return faults


class PublicServer(Server):
    """`benji serve` on a machine that has every address."""

    def __init__(self, network):
        self.network = network
        with network.inside(MACHINE):
            super().__init__(
                nas={"pgw": {"pools": ["10.0.0.0/8", "2001:db8::/32", "11:22:33:44::/64"], "interim": 3600}},
                device_host="::")

    @property
    def device_url(self):
        return f"http://127.0.0.1:{self.device}"

    def start(self, seconds=None):
        with self.network.inside(MACHINE):
            return super().start(seconds)

    def get(self, path, method="GET"):
        with self.network.inside(MACHINE):
            return super().get(path, method)


@pytest.fixture(scope="module")
def network():
    made = Network()
    made.machine(MACHINE, "net.ipv6.ip_nonlocal_bind=1")
    made.ip(MACHINE, "route add local 0.0.0.0/0 dev lo")
    made.ip(MACHINE, "route add local ::/0 dev lo", version=6)
    yield made
    made.remove()


@pytest.fixture(scope="module")
def server(network):
    with PublicServer(network) as made:
        yield made


@pytest.fixture(scope="module")
def plays(network, server):
    """All vectors, played through FreeRADIUS. Their events are later than the gateway's start: it doubts older ones."""
    with network.inside(MACHINE), Reader() as reader:
        books = Books(reader)
        return [play(vector, index, books) for index, vector in enumerate(vectors.read())]


def test_both_programs(checks, network, server, plays):
    named = sum(any(each.reading.names(each.subject.number, place) for place in each.places) for each in plays)
    checks.that(named > len(plays) / 2, "most packets name a subscriber to FreeRADIUS", f"{named} of {len(plays)}")
    with network.inside(MACHINE):
        gateway = Gateway(server)
        for each in plays:
            name, differs = each.vector.name, each.vector.differs
            sentence = f"{name} is {differs[0]}: {differs[1]}" if differs else f"{name}: both programs read it alike"
            checks.equal(judge(each, gateway), [], sentence)


def test_other_readers(checks, plays):
    """The comparison notices a reader that refuses what FreeRADIUS accepts, and one that takes ambiguous packets."""
    def failed(strict=None):
        return {each.vector.name for each in plays if judge(each, NaiveReader(SECRET, strict))}

    lenient = failed()
    checks.that({"two-numbers", "two-addresses", "two-imsis", "prefixes-of-two-lengths"} <= lenient,
                "a reader to which the first value counts fails by packets with two", lenient)
    for strict, names in REFUSED.items():
        found = failed(strict)
        sentence = f"a reader that refuses packets because of {strict} fails by {' and '.join(names)}"
        checks.that(set(names) <= found - lenient, sentence, found)
