"""A cluster as docs/operations.md writes it down, each of its parts on a machine of its own: three nodes of PostgreSQL under Patroni, two
nodes of an authority, HAProxy before them for apps' servers, and a gateway. Machines are network namespaces on one switch.

Configurations and commands of balancer and PostgreSQL are those of the page, word for word but for folders.
"""

import contextlib
import functools
import signal
import socket
import subprocess
import threading
import time

from .apart import House
from .checks import Stop, end, eventually, folder, require, run, start
from .history import Core
from .link import make_certificates
from .namespaces import Network
from .operations import short_hash
from .patroni import Patroni, block
from .phones import Phone
from .radius import PacketCore
from .server import SECRET, binary
from .storm import NO_ANSWER, Place

SWITCH, PHONES, SHOP = "switch", "phones", "shop"
# The page's addresses.
MACHINES = {"db-1": "10.0.0.11", "db-2": "10.0.0.12", "db-3": "10.0.0.13", "authority-1": "10.0.0.21", "authority-2": "10.0.0.22",
            "gateway-1": "10.0.0.31", "balancer": "10.0.0.5"}
AUTHORITIES = ("authority-1", "authority-2")
# The gateway's address among phones, the packet core's, and the shop's way to the balancer.
RADIO, CORE, SHOPS_WAY = "10.8.0.254", "10.8.255.1", "10.0.2.254"
SHOP_NETWORK, SHOP_ADDRESS, POOL = "10.0.2.0/24", "10.0.2.1", "10.8.0.0/16"
STORM, MOVING = "10.8.42", [f"10.8.43.{number}" for number in range(1, 7)]
# Nobody is shown a login page here.
PAGES = "https://gw.example.com"
# Seconds, as the page has it; and settings that an earlier version may not know.
DRAIN, LATER = 5, {"drain"}

CUT = """table inet cut {
    chain in { type filter hook input priority -300; iif != "lo" drop; }
    chain out { type filter hook output priority -300; oif != "lo" drop; }
    chain through { type filter hook forward priority -300; drop; }
}"""
# Between members of PostgreSQL alone, so that a standby hears nothing while etcd and the authority are answered.
DEAF = """table inet deaf {
    chain out { type filter hook output priority -300; tcp sport 5432 ip daddr 10.0.0.11-10.0.0.13 drop; tcp dport 5432 ip daddr 10.0.0.11-10.0.0.13 drop; }
}"""


class Wires(Network):
    """The machines, and what lies between them."""

    def __init__(self, phones):
        super().__init__()
        self.machine(SWITCH)
        self.ip(SWITCH, "link add between type bridge", "link set between up")
        for name, address in MACHINES.items():
            self.machine(name)
            self.cable(name, "eth0", SWITCH, name)
            self.ip(SWITCH, f"link set {name} master between")
            self.ip(name, f"addr add {address}/24 dev eth0")
        self.machine(PHONES)
        self.cable(PHONES, "wwan0", "gateway-1", "radio")
        self.ip("gateway-1", f"addr add {RADIO}/16 dev radio")
        self.ip(PHONES, *(f"addr add {address}/16 dev wwan0" for address in (CORE, *phones, *MOVING)))
        self.machine(SHOP)
        self.cable(SHOP, "eth0", "balancer", "outside")
        self.ip("balancer", f"addr add {SHOPS_WAY}/24 dev outside")
        self.ip(SHOP, f"addr add {SHOP_ADDRESS}/24 dev eth0", f"route add default via {SHOPS_WAY}")

    def cut(self, name):
        """From now on nothing comes in or goes out, and nobody is told."""
        self.nft(name, CUT)

    def heal(self, name):
        self.nft(name, "delete table inet cut")

    def deafen(self, name):
        """A primary that its standbys hear nothing of, while everybody else is answered."""
        self.nft(name, DEAF)

    def do(self, name, commands):
        """Commands of the page on a machine."""
        with self.inside(name):
            done = run(["bash", "-euo", "pipefail", "-c", commands], 20)
        if done.returncode != 0:
            raise Stop(f"{name}: {commands}: {done.stdout}{done.stderr}")


class Balancer:
    """HAProxy with the page's configuration."""

    def __init__(self, wires):
        self.wires, self.process = wires, None
        self.folder = folder()
        self.log = self.folder / "log.txt"
        self.configuration = self.folder / "haproxy.cfg"
        self.configuration.write_text(block("haproxy", "usesrc clientip"))
        wires.do("balancer", block("sh", "fwmark"))
        for name in AUTHORITIES:
            wires.do(name, block("sh", f"via {MACHINES['balancer']}"))

    def start(self):
        with open(self.log, "ab") as log, self.wires.inside("balancer"):
            self.process = start([require("haproxy", "haproxy"), "-db", "-f", str(self.configuration)], stdout=log, stderr=log,
                                 stdin=subprocess.DEVNULL)
        if not eventually(self.listens, 10):
            raise Stop(f"HAProxy does not listen: {self.log.read_text()}")
        return self

    def listens(self):
        with self.wires.inside(SHOP), contextlib.suppress(OSError), socket.create_connection((MACHINES["balancer"], 8081), 1):
            return True
        return False

    def kill9(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=10)

    def stop(self):
        end(self.process)


class ClusteredHouse(House):
    """Gateway and authority on machines of the cluster, linked over the switch."""

    shop = SHOP_NETWORK

    def __init__(self, patroni, wires):
        super().__init__(patroni, len(AUTHORITIES))
        make_certificates(self.certificates, [MACHINES[name] for name in AUTHORITIES])
        for name, node in zip(AUTHORITIES, self.nodes):
            node.inside = functools.partial(wires.inside, name)
            node.admin_host, node.server, node.admin = MACHINES[name], 8081, 8082
            node.configure(**node.settings | {
                "drain": DRAIN, "openid": {"issuer": "https://id.example.com", "pages": PAGES},
                "listen": {"gateways": f"{MACHINES[name]}:8083", "server": f"{MACHINES[name]}:8081", "admin": f"{MACHINES[name]}:8082"}})
        gateway = self.gateway
        gateway.inside = functools.partial(wires.inside, "gateway-1")
        gateway.admin_host = MACHINES["gateway-1"]
        gateway.device_host, gateway.device, gateway.admin, gateway.accounting = RADIO, 8080, 8084, 1813
        settings = gateway.settings
        settings["nas"]["pgw"] |= {"sources": [f"{CORE}/32"], "pools": [POOL]}
        gateway.configure(**settings | {
            "drain": DRAIN, "authority": {"url": [f"https://{MACHINES[name]}:8083" for name in AUTHORITIES]},
            "public": {"urls": [gateway.device_url]}, "openid": {"pages": PAGES},
            "listen": {"device": f"{RADIO}:8080", "accounting": f"{RADIO}:1813", "admin": f"{MACHINES['gateway-1']}:8084"}})
        self.device, self.device_url, self.accounting = gateway.device, gateway.device_url, gateway.accounting

    @property
    def server(self):
        """The balancer's port, whoever is up."""
        return 8081


class Moving(threading.Thread):
    """A packet core that takes addresses from one subscriber and gives them to the next while parts of the cluster are faulty, and asks
    whose they are: by a whole login, as an app and its server find out. It also speaks of the storm's sessions now and then."""

    def __init__(self, house, storm, chance):
        super().__init__(daemon=True)
        self.house, self.storm, self.chance = house, storm, chance
        self.over = threading.Event()
        self.released, self.moved, self.faults, self.refusals = 0, 0, [], 0
        with storm.place.among_phones():
            self.core = Core(house, PacketCore(house.accounting, SECRET, CORE, RADIO))

    def run(self):
        spoken = time.monotonic()
        with self.storm.place.among_phones():
            while not self.over.wait(0.3):
                if time.monotonic() - spoken > 120:
                    self.storm.announce()
                    spoken = time.monotonic()
                address = self.chance.choice(MOVING)
                self.moved += self.core.reassign(address, with_stop=self.chance.random() < 0.7)
                self.ask(address)

    def ask(self, address):
        try:
            number = self.holder(address)
        except NO_ANSWER:
            number = None
        if number is None:
            self.refusals += 1
            return
        self.released += 1
        if fault := self.core.histories[address].fault(number):
            self.faults.append(f"{address}: {fault}")

    def holder(self, address):
        """The number that is released for a phone at `address`, None if it is refused. Written down as of no phone of the storm."""
        recorder, app = self.storm.recorder, self.house.app
        phone = Phone(self.house, app, address, None, host=RADIO)
        issue = recorder.begin("authorize", -1, app["id"])
        try:
            code, token = phone.token()
        finally:
            phone.close()
        if token:
            issue["token"] = short_hash(token)
            self.storm.secrets[issue["token"]] = (token, -1, "login")
        recorder.finish(issue, code)
        if not token:
            return None
        with self.storm.place.in_shop():
            backend = self.storm.backend()
            try:
                shown = recorder.begin("redeem", -1, app["id"], issue["token"])
                code, number = backend.redeem(app, token)
                recorder.finish(shown, code, released=None if number is None else -1)
                return number
            finally:
                backend.close()

    def stop(self):
        self.over.set()
        self.join(timeout=30)


class Cluster:
    """All of it, started."""

    def __init__(self, is_double=False, earlier=None):
        """`earlier`: the program of an earlier version, with which all nodes begin."""
        self.patroni = None
        self.wires = Wires([f"{STORM}.{number}" for number in range(1, 9)])
        try:
            self.begin(is_double, earlier)
        except BaseException:
            self.abandon()
            raise

    def begin(self, is_double, earlier):
        self.balancer = Balancer(self.wires)
        self.patroni = Patroni(self.wires.inside, is_double)
        self.patroni.start()
        self.house = ClusteredHouse(self.patroni, self.wires)
        for part in (self.house.gateway, *self.house.nodes) if earlier else ():
            part.binary = earlier
            part.configure(**{name: value for name, value in part.settings.items() if name not in LATER})
        self.house.start()
        self.balancer.start()
        self.place = Place(gateway=RADIO, authority=MACHINES["balancer"], core=CORE, shop=SHOP_ADDRESS,
                           among_phones=functools.partial(self.wires.inside, PHONES), in_shop=functools.partial(self.wires.inside, SHOP))

    def upgrade(self, part):
        """Starts a node that was stopped, with the present version."""
        part.binary = binary()
        part.configure(**part.settings | {"drain": DRAIN}).start()

    def stop(self):
        """:return: how gateway and nodes ended."""
        ends = self.house.stop()
        self.balancer.stop()
        self.abandon()
        return ends

    def abandon(self):
        """Whatever still runs."""
        with contextlib.suppress(Exception):
            self.patroni.stop()
        self.wires.remove()
