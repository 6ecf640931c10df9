"""The lab's part on floods of the accounting port, while a hundred addresses change hands.

A packet core reports a Stop and a Start for each address, every packet three times. Meanwhile attackers flood the port.
The first have unknown addresses, and the kernel keeps them out before they take room. The next forges the packet core's
own address, and nothing keeps it out. A naive gateway gets the same on a machine of its own. Packets lost for lack of
room are counted for all sockets of a machine together.
"""

import contextlib
import http.client
import socket
import subprocess
import time

from .checks import Stop, folder, require, run, start
from .namespaces import Network
from .naive import NaiveDirectory
from .phones import DeviceKey, Phone
from .radius import INTERIM, START, STOP, accounting_request, is_answer
from .server import SECRET, Server

CORE, CORE6, STRANGER, STRANGER6, GATEWAY, GATEWAY6, NAIVE, NAIVE6 = (
    "10.97.0.1", "fd97::1", "10.97.0.66", "fd97::66", "10.97.0.2", "fd97::2", "10.97.0.3", "fd97::3")
PORT, DEVICE_PORT = 1813, 8080
CHANGING, STAYING, INTERVAL = 100, 10, 4
# The socket buffer of Linux before 6.18 where net.core.rmem_max is not set: the least that an operator will meet.
BUFFER = 212992


def flooder():
    path = folder() / "flood"
    made = run([require("gcc", "gcc"), "-Wall", "-Wextra", "-Werror", "-O2", "-o", str(path),
                str(__file__).replace("lab_flood.py", "flood.c")])
    if made.returncode != 0:
        raise Stop(f"flood.c does not compile: {made.stderr}")
    return path


class Place:
    """An address and a prefix that a session holds."""

    def __init__(self, index):
        self.index = index
        self.address, self.prefix = f"10.200.{index >> 8}.{index & 255}", f"2001:db8:f:{index:x}::"
        self.numbers = []  # who has held it, the newest last

    def name(self, life):
        return f"place-{self.index}-{life}"


class FloodServer(Server):
    """`benji serve` on the machine `gateway`, heard and flooded on both versions of IP."""

    def __init__(self, network):
        self.network = network
        with network.inside("gateway"):
            super().__init__(
                nas={"pgw": {"sources": [f"{CORE}/32", f"{CORE6}/128"], "interim": INTERVAL * 30,
                             "pools": ["10.200.0.0/16", "2001:db8:f::/48"]}},
                listen={"device": f"[::]:{DEVICE_PORT}", "accounting": f"[::]:{PORT}"},
                gateway={"receive-buffer": BUFFER},
                public={"urls": [f"http://{GATEWAY}:{DEVICE_PORT}", f"http://[{GATEWAY6}]:{DEVICE_PORT}"]})

    def start(self, seconds=None):
        with self.network.inside("gateway"):
            return super().start(seconds)

    def get(self, path, method="GET"):
        with self.network.inside("gateway"):
            return super().get(path, method)

    def counted(self, result):
        return self.metric("benji_gateway_accounting_packets_total", result=result) or 0


class Asker(Phone):
    """The present user of an address, who asks for a masked number."""

    def __init__(self, server, app, source, key):
        super().__init__(server, app, source, None)
        self.key = key

    @property
    def url(self):
        return f"http://{GATEWAY}:{DEVICE_PORT}" if "." in self.address else f"http://[{GATEWAY6}]:{DEVICE_PORT}"

    def connect(self):
        host = GATEWAY if "." in self.address else GATEWAY6
        connection = http.client.HTTPConnection(host, DEVICE_PORT, timeout=self.timeout)
        line = socket.socket(socket.AF_INET if "." in self.address else socket.AF_INET6)
        line.settimeout(self.timeout)
        line.setsockopt(socket.SOL_IP, 15, 1)  # IP_FREEBIND: any address of the route that leads here
        line.bind((self.address, 0))
        line.connect((host, DEVICE_PORT))
        connection.sock = line
        return connection


class Core:
    """The packet core: sends each packet three times at most, to the gateway and to the naive one."""

    def __init__(self, network, version):
        self.version = version
        own, self.gateway, self.naive = (CORE, GATEWAY, NAIVE) if version == 4 else (CORE6, GATEWAY6, NAIVE6)
        with network.inside("core"):
            self.line = socket.socket(socket.AF_INET if version == 4 else socket.AF_INET6, socket.SOCK_DGRAM)
            self.line.bind((own, 0))
        self.line.setblocking(False)

    def send(self, reports, tries=3, wait=0.4):
        """(status, place, life, Event-Timestamp) each. How many were answered."""
        packets = {}
        for number, (status, place, life, at) in enumerate(reports):
            packets[number] = accounting_request(
                SECRET, status, place.name(life), place.address, number=f"86{place.numbers[life]}", at=at,
                identifier=number & 255, prefix=place.prefix)
        left = dict(packets)
        for _ in range(tries):
            for target in (self.naive, self.gateway):
                for number, packet in (packets if target == self.naive else dict(left)).items():
                    with contextlib.suppress(BlockingIOError):
                        self.line.sendto(packet, (target, PORT))
                    if number % 16 == 15:
                        self.hear(left)
            end = time.monotonic() + wait
            while left and time.monotonic() < end:
                self.hear(left)
                time.sleep(0.005)
        return len(packets) - len(left)

    def hear(self, left):
        with contextlib.suppress(BlockingIOError):
            while True:
                reply = self.line.recv(4096)
                for number in [number for number, packet in left.items() if packet[1] == reply[1]]:
                    if is_answer(reply, left[number], SECRET):
                        del left[number]


def build(network):
    """The packet core and the attacker, each with a cable to the gateway and one to the naive gateway."""
    ends = (("gateway", GATEWAY, GATEWAY6), ("naive", NAIVE, NAIVE6))
    for name in ("core", "stranger", "gateway", "naive"):
        network.machine(name)
    for name, v4, v6 in (("core", CORE, CORE6), ("stranger", STRANGER, STRANGER6)):
        # An attacker who forges the packet core's address has it on another machine.
        network.ip(name, *(f"address add {address} dev lo" for address in dict.fromkeys((f"{v4}/32", f"{CORE}/32"))),
                   *(f"address add {address} dev lo" for address in dict.fromkeys((f"{v6}/128", f"{CORE6}/128"))))
        for end, to4, to6 in ends:
            network.cable(name, end, end, name)
            # IPv6 neighbour discovery only answers for addresses of the interface that is asked.
            network.ip(name, f"address add {v6}/128 dev {end}", f"route add {to4}/32 dev {end} src {v4}",
                       f"route add {to6}/128 dev {end} src {v6}")
            network.ip(end, f"address add {to6}/128 dev {name}", f"route add {v4}/32 dev {name}",
                       f"route add {v6}/128 dev {name}")
            network.set(end, f"net.ipv4.conf.{name}.rp_filter=0")
    for end, to4, to6 in ends:
        network.set(end, "net.ipv4.conf.all.rp_filter=0")
        network.ip(end, f"address add {to4}/32 dev lo")
    network.ip("gateway", "route add local 10.200.0.0/16 dev lo", "route add local 2001:db8:f::/48 dev lo")


class Flood:
    """Two floods of one version of IP, against the gateway and against the naive one."""

    def __init__(self, network, program, source, version, seconds):
        target, naive = (GATEWAY, NAIVE) if version == 4 else (GATEWAY6, NAIVE6)
        with network.inside("stranger"):
            self.processes = [
                start([str(program), str(seconds), source, one, str(PORT)], stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE, text=True) for one in (target, naive, naive)]

    def end(self):
        """How many packets went to the gateway."""
        said = [process.communicate(timeout=30) for process in self.processes]
        if any(process.returncode != 0 for process in self.processes):
            raise Stop(f"the flood did not run: {said}")
        return int(said[0][0])


def run_part(checks):
    print("\nFloods of the accounting port while addresses change hands")
    network = Network()
    try:
        build(network)
        with FloodServer(network) as server:
            checks.note(f"the accounting socket asks for {BUFFER} bytes")
            flooded(checks, network, server, flooder())
    finally:
        network.remove()


def flooded(checks, network, server, program):
    app = server.create_app()
    places = [Place(index + 1) for index in range(CHANGING + STAYING)]
    changing, staying = places[:CHANGING], places[CHANGING:]
    key = DeviceKey()
    naive = NaiveDirectory(SECRET)
    naive.listen(network, "naive", "::", PORT, work=0.0005)
    numbers = iter(range(13700010000, 13700099999))

    def named(place, version):
        """The four digits that a phone at an address is shown, or the refusal."""
        asker = Asker(server, app, place.address if version == 4 else f"{place.prefix}1", key)
        try:
            code = asker.prefetch()
            return asker.offer["maskedNumber"][-4:] if code == "success" else code
        finally:
            asker.close()

    def ask(which):
        """(named the present holder, named a previous one, refusals) over both versions of IP."""
        right, wrong, refusals = 0, [], {}
        with network.inside("gateway"):
            for place in which:
                for version in (4, 6):
                    answer = named(place, version)
                    if answer == place.numbers[-1][-4:]:
                        right += 1
                    elif answer.isdigit():
                        wrong.append((place.address, version, answer))
                    else:
                        refusals[answer] = refusals.get(answer, 0) + 1
        return right, wrong, refusals

    def now(status, which, life=-1):
        return [(status, place, life % len(place.numbers), int(time.time())) for place in which]

    def hand_over(core):
        """Every changing address passes on. Its life's number, by its place, is new to all."""
        life = len(changing[0].numbers)
        for place in changing:
            place.numbers.append(str(next(numbers)))
        time.sleep(1.01)  # events of one second have no order
        answered = core.send(now(STOP, changing, life - 1))
        time.sleep(1.01)
        return answered + core.send(now(START, changing, life))

    cores = {version: Core(network, version) for version in (4, 6)}
    for place in places:
        place.numbers.append(str(next(numbers)))
    checks.equal(cores[4].send(now(START, places)), len(places),
                 f"the packet core announces {len(places)} sessions")
    checks.equal(ask(places)[:2], (2 * len(places), []), "each is named, over IPv4 and over IPv6")

    for version, source in ((4, STRANGER), (6, STRANGER6)):
        lost = server.counted("kernel_dropped")
        flood = Flood(network, program, source, version, 4)
        time.sleep(0.3)
        answered = hand_over(cores[version])
        right, wrong, refusals = ask(changing)
        sent = flood.end()
        sentence = f"IPv{version}: under {sent} packets of a stranger"
        checks.equal(answered, 2 * CHANGING, f"{sentence} every report of the packet core is heard and answered")
        checks.equal((right, wrong), (2 * CHANGING, []),
                     f"{sentence} {CHANGING} addresses change hands and each is its new holder's")
        checks.equal(server.counted("kernel_dropped") - lost, 0, f"{sentence} the kernel loses nothing of accounting")
        fooled = [place for place in changing if (naive.owner.get(place.address) or "")[2:] in place.numbers[:-1]]
        checks.that(fooled, f"{sentence} a naive gateway still names a previous holder of {len(fooled)} addresses")
    checks.that(server.counted("unknown_nas") > 0, "what the kernel kept out is counted",
                server.get("/metrics")[1][:500])

    for version, source in ((4, CORE), (6, CORE6)):
        life = len(changing[0].numbers)
        for place in changing:
            place.numbers.append(str(next(numbers)))
        before = server.counted("kernel_dropped") + server.counted("shed")
        flood = Flood(network, program, source, version, 5)
        time.sleep(1.01)
        stops = now(STOP, changing, life - 1)
        cores[version].send(stops, tries=1, wait=0.1)
        time.sleep(1.01)
        starts = now(START, changing, life)
        cores[version].send(starts, tries=1, wait=0.1)
        _, wrong, refusals = ask(changing[::4] + staying)
        sent = flood.end()
        lost = server.counted("kernel_dropped") + server.counted("shed") - before
        sentence = f"IPv{version}: under {sent} packets with the packet core's own address"
        checks.that(lost > 0, f"{sentence} {lost:.0f} are lost", server.tail())
        checks.equal(wrong, [], f"{sentence} no address names its previous holder")
        checks.that(set(refusals) <= {"address_stale", "address_unknown"} and refusals.get("address_stale"),
                    f"{sentence} phones are told that their address is in doubt", refusals)
        checks.that("in doubt" in server.ready()[1], f"{sentence} readiness says so", server.ready())
        # The packet core repeats unanswered packets, and reports every session once an interval.
        time.sleep(1.01)
        cores[version].send(stops + starts)
        cores[version].send(now(INTERIM, places))
        checks.equal(ask(staying)[:2], (2 * len(staying), []),
                     f"IPv{version}: with the next Interim-Update phones whose sessions did not change are named again")
        checks.equal(ask(changing)[:2], (2 * len(changing), []),
                     f"IPv{version}: and those of the others by their new numbers")
