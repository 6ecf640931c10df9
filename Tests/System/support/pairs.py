"""A pair of gateways over one authority and one PostgreSQL, a storm of phones whose addresses pass from hand to hand,
and the judge. The judge looks for an address with its previous holder.

Only the storm itself moves an address here: it sends accounting to one gateway at a time, like a packet core whose
server's address moves. Phones ask both gateways all the time, as those with an earlier connection do."""

import contextlib
import http.client
import itertools
import select
import socket
import threading
import time

from .apart import Part, identity
from .checks import Stop, folder, hold
from .link import make_certificates
from .phones import Phone
from .radius import INTERIM, START, STOP, PacketCore, accounting_request, is_answer
from .server import SECRET, free_ports

GATEWAYS = ("gateway-1", "gateway-2")


class Relay:
    """A way to a port that can be cut: then nothing passes, without an error."""

    def __init__(self, port):
        self.target, self.is_cut = port, False
        self.listener = socket.create_server(("127.0.0.1", 0))
        hold(self.listener)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                threading.Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near):
        with contextlib.suppress(OSError):
            far = socket.create_connection(("127.0.0.1", self.target), timeout=5)
            far.settimeout(None)
            # Without it the second part of a request waits up to 40 ms for an acknowledgement of the first.
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._carry, args=(near, far), daemon=True).start()
            self._carry(far, near)

    def _carry(self, source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                while self.is_cut:
                    time.sleep(0.05)
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class PairHouse:
    """Two gateways and the authority. `is_pair` is false for those who stand beside each other and know nothing of each
    other."""

    def __init__(self, postgres, is_pair=True):
        self.certificates = folder()
        make_certificates(self.certificates, others=GATEWAYS[1:])
        (self.link,) = free_ports(1)
        self.authority = Part()
        pair = {"pair": "east"} if is_pair else {}
        self.authority.configure(
            role="authority", store={"postgres": postgres.place},
            gateways={"names": list(GATEWAYS)} | {name: {"carriers": ["mobile"]} | pair for name in GATEWAYS},
            listen={"gateways": f"127.0.0.1:{self.link}", "server": f"127.0.0.1:{self.authority.server}",
                    "admin": f"127.0.0.1:{self.authority.admin}"},
            **{"mutual-tls": identity(self.certificates, "authority")})
        self.gateways, self.relays = [], []
        for name in GATEWAYS:
            part, relay = Part(), Relay(self.link)
            whole = part.settings
            part.configure(
                role="gateway", authority={"url": f"https://127.0.0.1:{relay.port}"},
                gateway={"name": name} | ({"pair": True} if is_pair else {}), public=whole["public"], nas=whole["nas"],
                listen={key: whole["listen"][key] for key in ("device", "admin", "accounting")},
                **{"mutual-tls": identity(self.certificates, name)})
            self.gateways.append(part)
            self.relays.append(relay)
        self.is_pair = is_pair
        self.app = None

    def start(self):
        self.app = self.authority.create_app()
        self.authority.start()
        self.gateways[0].start()
        self.begin(1)
        return self

    def begin(self, number):
        """Starts a gateway that need not be ready: the other one may own the pair."""
        part = self.gateways[number]
        part.begin() if self.is_pair else part.start()

    def owner(self):
        """Which gateway is ready, by its number; `None` if none or both are."""
        ready = [number for number, part in enumerate(self.gateways) if part.process.poll() is None
                 and part.ready()[0] == 200]
        return ready[0] if len(ready) == 1 else None

    def stop(self):
        return [part.stop() for part in (*self.gateways, self.authority)]


class Feed:
    """The packet core's accounting feed, with the history of each address's holders."""

    def __init__(self, house, addresses):
        self.house, self.addresses = house, addresses
        self.active = 0  # where accounting goes
        self.numbers = itertools.count(1)
        self.history, self.lock = [], threading.Lock()
        self.is_over = False
        self.is_held = threading.Event()
        self.threads = []

    def note(self, **entry):
        with self.lock:
            self.history.append(entry)

    def say(self, cores, status, session, address, number=None):
        """Repeats until it is answered, wherever the server's address is meanwhile. The time is the event's own."""
        at = int(time.time())
        while not self.is_over:
            core = cores[self.active]
            if core.send(status, session, address, seconds=1.0, number=number and "86" + number,
                         imsi=number and f"46000{number[-10:]}", at=at):
                return True
        return False

    def run(self, place):
        """One address: somebody has it for a while, and then somebody else."""
        cores = [PacketCore(part.accounting, SECRET) for part in self.house.gateways]
        address = self.addresses[place]
        # Not all at once: there is always somebody.
        time.sleep(0.9 * place)
        while not self.is_over:
            with self.lock:
                number = f"1380000{next(self.numbers):04d}"
            session = f"s{number}"
            # Noted before it is sent: from then on it may be known.
            self.note(op="begin", address=address, number=number, begun=time.monotonic())
            if not self.say(cores, START, session, address, number):
                break
            until = time.monotonic() + 4
            while time.monotonic() < until and not self.is_over:
                time.sleep(1.05)
                self.say(cores, INTERIM, session, address, number)
            if not self.say(cores, STOP, session, address):
                break
            self.note(op="end", address=address, number=number, ended=time.monotonic())
            time.sleep(1.05)
        for core in cores:
            core.close()

    def start(self):
        self.threads = [threading.Thread(target=self.run, args=(place,), daemon=True)
                        for place in range(len(self.addresses))]
        for thread in self.threads:
            thread.start()


class Phones:
    """Ask both gateways whose each address is, all the time."""

    def __init__(self, house, feed, pause=0.05):
        self.house, self.feed, self.pause = house, feed, pause
        self.answers = {}
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.run, args=(number,), daemon=True) for number in range(2)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def run(self, gateway):
        part = self.house.gateways[gateway]
        while not self.feed.is_over:
            for address in self.feed.addresses:
                # A new install each time, so that no limit of a key stops it.
                phone = Phone(part, self.house.app, address, None, timeout=3)
                begun = time.monotonic()
                try:
                    code, token = phone.prefetch(), None
                    mask = phone.offer["maskedNumber"] if phone.offer else None
                    if code == "success":
                        code, token = phone.authorize()
                except (OSError, http.client.HTTPException, ValueError):
                    code, mask, token = "no answer", None, None
                finally:
                    phone.close()
                if mask:
                    self.feed.note(op="told", address=address, mask=mask, gateway=gateway, begun=begun,
                                   ended=time.monotonic(), token=bool(token))
                with self.lock:
                    self.answers[gateway, code] = self.answers.get((gateway, code), 0) + 1
                time.sleep(self.pause)


def previous_holders(history):
    """The answers to phones with the number of a previous holder of the address: the session's end had been answered
    before the phone asked."""
    faults = []
    tenures = {}
    for entry in history:
        if entry["op"] == "begin":
            tenures.setdefault((entry["address"], entry["number"][-4:]), []).append([entry["begun"], None])
        if entry["op"] == "end":
            tenures[entry["address"], entry["number"][-4:]][-1][1] = entry["ended"]
    for entry in history:
        if entry["op"] != "told":
            continue
        known = tenures.get((entry["address"], entry["mask"][-4:]), [])
        if not any(begun <= entry["ended"] and (end is None or entry["begun"] <= end) for begun, end in known):
            faults.append(entry)
    return faults


class Rush:
    """Many sessions that begin and end at once, sent as fast as answers come."""

    def __init__(self, port, count, waiting=1024):
        self.port, self.count, self.waiting = port, count, waiting
        # 256 packets may wait on one socket (RFC 2865 section 3: the Identifier has eight bits).
        self.sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(max(1, waiting // 256))]
        for each in self.sockets:
            each.connect(("127.0.0.1", port))
            each.setblocking(False)

    def packets(self, status, at):
        for index in range(self.count):
            number = f"86137{index:08d}"
            named = {"number": number, "imsi": f"46000{index:010d}"} if status == START else {}
            yield accounting_request(SECRET, status, f"rush-{index}", f"127.8.{100 + index // 250}.{index % 250 + 1}",
                                     at=at, nas="rush",
                                     identifier=(index // len(self.sockets)) % 256, **named)

    def run(self, status, at):
        """Sends one packet for each session, again each second until it is answered.
        :return: seconds until the last one was."""
        packets = list(self.packets(status, at))
        begun, sent, waiting, done = time.monotonic(), 0, {}, 0
        while done < len(packets):
            while sent < len(packets) and len(waiting) < self.waiting:
                place = sent % len(self.sockets), packets[sent][1]
                if place in waiting:
                    break
                self.sockets[place[0]].send(packets[sent])
                waiting[place] = (packets[sent], time.monotonic())
                sent += 1
            ready, _, _ = select.select(self.sockets, [], [], 0.05)
            for each in ready:
                with contextlib.suppress(BlockingIOError):
                    while reply := each.recv(4096):
                        place = self.sockets.index(each), reply[1]
                        if place in waiting and is_answer(reply, waiting[place][0], SECRET):
                            del waiting[place]
                            done += 1
            now = time.monotonic()
            if now - begun > 120:
                raise Stop(f"{len(packets) - done} of {len(packets)} packets are not answered")
            for place, (packet, at_last) in list(waiting.items()) if not ready else ():
                if now - at_last > 1:
                    self.sockets[place[0]].send(packet)
                    waiting[place] = (packet, now)
        return time.monotonic() - begun

    def close(self):
        for each in self.sockets:
            each.close()
