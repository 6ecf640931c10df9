"""A cluster as docs/operations/cluster.md and postgresql-nodes.md write it down, each of its parts on a machine of its
own. Three nodes are PostgreSQL under Patroni, two an authority behind HAProxy for apps' servers, and two a pair of
gateways whose address keepalived moves. Machines are network namespaces on two switches: one of the house, and one of
phones and their packet core.

Configurations and commands of balancer, keepalived and PostgreSQL are those of the page, word for word but for folders.
"""

import contextlib
import functools
import itertools
import signal
import socket
import subprocess
import threading
import time

from .apart import House, Part, identity
from .checks import Stop, end, eventually, folder, require, run, start
from .history import Core
from .link import make_certificates
from .namespaces import Network
from .operations import short_hash
from .patroni import Patroni, block
from .phones import Phone
from .radius import INTERIM, PacketCore
from .server import SECRET, binary
from .storm import NO_ANSWER, Place

SWITCH, AIR, PHONES, SHOP = "switch", "air", "phones", "shop"
# The page's addresses.
MACHINES = {"db-1": "10.0.0.11", "db-2": "10.0.0.12", "db-3": "10.0.0.13", "authority-1": "10.0.0.21",
            "authority-2": "10.0.0.22",
            "gateway-1": "10.0.0.31", "gateway-2": "10.0.0.32", "balancer": "10.0.0.5"}
AUTHORITIES, GATEWAYS = ("authority-1", "authority-2"), ("gateway-1", "gateway-2")
# The address of the pair among phones, which moves, and each gateway's own there.
RADIO, OWN = "10.8.0.254", {"gateway-1": "10.8.0.251", "gateway-2": "10.8.0.252"}
# The packet core's, and the shop's way to the balancer.
CORE, SHOPS_WAY = "10.8.255.1", "10.0.2.254"
SHOP_NETWORK, SHOP_ADDRESS, POOL = "10.0.2.0/24", "10.0.2.1", "10.8.0.0/16"
STORM, MOVING = "10.8.42", [f"10.8.43.{number}" for number in range(1, 7)]
# No login page is shown here.
PAGES = "https://gw.example.com"
# Seconds, as the page has it for nodes of an authority.
DRAIN = 5
# How often the packet core speaks of each session of the storm, and how long a phone waits for an answer, in seconds.
INTERVAL, PATIENCE = 2, 2.5

# At the port itself: a machine without its cable answers no ARP either, for an address that it still has.
CUT = """table netdev cut {{
    chain in {{ type filter hook ingress devices = {{ {ports} }} priority -300; policy drop; }}
    chain out {{ type filter hook egress devices = {{ {ports} }} priority -300; policy drop; }}
}}"""
# Between members of PostgreSQL alone: a standby receives nothing, while etcd and the authority are answered.
DEAF = """table inet deaf {
    chain out {
        type filter hook output priority -300;
        tcp sport 5432 ip daddr 10.0.0.11-10.0.0.13 drop; tcp dport 5432 ip daddr 10.0.0.11-10.0.0.13 drop;
    }
}"""


class Wires(Network):
    """The machines, and what lies between them."""

    def __init__(self, phones):
        super().__init__()
        for switch in (SWITCH, AIR):
            self.machine(switch)
            self.ip(switch, "link add between type bridge", "link set between up")
        for name in (*MACHINES, PHONES, SHOP):
            self.machine(name)
        for name, address in MACHINES.items():
            self.plug(name, "eth0", SWITCH, f"{address}/24")
        for name, address in OWN.items():
            self.plug(name, "eth1", AIR, f"{address}/16")
        self.plug(PHONES, "wwan0", AIR, *(f"{address}/16" for address in (CORE, *phones, *MOVING)))
        self.cable(SHOP, "eth0", "balancer", "eth1")
        self.ip("balancer", f"addr add {SHOPS_WAY}/24 dev eth1")
        self.ip(SHOP, f"addr add {SHOP_ADDRESS}/24 dev eth0", f"route add default via {SHOPS_WAY}")

    def plug(self, name, port, switch, *addresses):
        """A cable from a machine to a switch."""
        self.cable(name, port, switch, name)
        self.ip(switch, f"link set {name} master between")
        self.ip(name, *(f"addr add {address} dev {port}" for address in addresses))

    def cut(self, name):
        """From now on packets in and out are dropped, without an error."""
        self.nft(name, CUT.format(ports=", ".join(
            f'"{port}"' for port in (("eth0", "eth1") if name in (*GATEWAYS, "balancer") else ("eth0",)))))

    def heal(self, name):
        self.nft(name, "delete table netdev cut")

    def has(self, name, address):
        return f" {address}/" in self.asks_ip(name, "-4 addr show")

    def deafen(self, name):
        """A primary that its standbys hear nothing of, while everybody else is answered."""
        self.nft(name, DEAF)

    def asks(self, name, url, *options):
        """The response that curl on a machine receives from an address."""
        with self.inside(name):
            return run([require("curl", "curl"), "-sf", "-m", "3", *options, url], 10)

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
            self.process = start([require("haproxy", "haproxy"), "-db", "-f", str(self.configuration)], stdout=log,
                                 stderr=log,
                                 stdin=subprocess.DEVNULL)
        if not eventually(self.listens, 10):
            raise Stop(f"HAProxy does not listen: {self.log.read_text()}")
        return self

    def listens(self):
        with self.wires.inside(SHOP), contextlib.suppress(OSError), socket.create_connection((MACHINES["balancer"],
                                                                                              8081), 1):
            return True
        return False

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def kill9(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=10)

    def stop(self):
        end(self.process)


class Keepalived:
    """Moves the pair's address to the gateway of its machine while that is ready: with the page's configuration."""

    def __init__(self, wires, name):
        self.wires, self.name, self.process = wires, name, None
        self.folder = folder()
        self.log = self.folder / "log.txt"
        self.configuration = self.folder / "keepalived.conf"
        # The second one asks its own gateway.
        self.configuration.write_text(block("keepalived", "vrrp_script").replace(MACHINES["gateway-1"], MACHINES[name]))
        wires.do(name, block("sh", "ip_nonlocal_bind"))

    def start(self):
        with open(self.log, "ab") as log, self.wires.inside(self.name):
            self.process = start([require("keepalived", "keepalived"), "--dont-fork", "--log-console", "--vrrp", "-f",
                                  str(self.configuration),
                                  "-p", str(self.folder / "pid"), "-r", str(self.folder / "vrrp.pid")], stdout=log,
                                 stderr=log, stdin=subprocess.DEVNULL)

    @property
    def has_address(self):
        return self.wires.has(self.name, RADIO)

    def stop(self):
        end(self.process)


class ClusteredHouse(House):
    """A pair of gateways and an authority on machines of the cluster, linked over the switch. `is_pair` is false for
    gateways that know nothing of each other."""

    shop = SHOP_NETWORK

    def __init__(self, patroni, wires, is_pair=True):
        super().__init__(patroni, len(AUTHORITIES))
        self.patroni = patroni
        pair, paired = ({"pair": "east"}, {"pair": True}) if is_pair else ({}, {})
        make_certificates(self.certificates, [MACHINES[name] for name in AUTHORITIES], others=GATEWAYS[1:])
        for name, node in zip(AUTHORITIES, self.nodes):
            node.inside = functools.partial(wires.inside, name)
            node.admin_host, node.server, node.admin = MACHINES[name], 8081, 8082
            node.configure(**node.settings | {
                "store": patroni.store, "drain": DRAIN, "openid": {"issuer": "https://id.example.com", "pages": PAGES},
                "gateways": {"names": list(GATEWAYS)} | {gateway: {"carriers": ["mobile"]} | pair
                                                         for gateway in GATEWAYS},
                "listen": {"gateways": f"{MACHINES[name]}:8083", "server": f"{MACHINES[name]}:8081",
                           "admin": f"{MACHINES[name]}:8082"}})
        self.gateways = [self.gateway, Part()]
        settings = self.gateway.settings
        settings["nas"]["pgw"] |= {"sources": [f"{CORE}/32"], "pools": [POOL]}
        for name, gateway in zip(GATEWAYS, self.gateways):
            gateway.inside = functools.partial(wires.inside, name)
            gateway.admin_host = MACHINES[name]
            gateway.device_host, gateway.device, gateway.admin, gateway.accounting = RADIO, 8080, 8084, 1813
            gateway.configure(**settings | {
                "authority": {"url": [f"https://{MACHINES[name]}:8083" for name in AUTHORITIES]},
                "gateway": {"name": name} | paired,
                "public": {"urls": [gateway.device_url]},
                "mutual-tls": identity(self.certificates, name),
                "listen": {"device": f"{RADIO}:8080", "accounting": f"{RADIO}:1813",
                           "admin": f"{MACHINES[name]}:8084"}})
        self.device, self.device_url, self.accounting = (
            self.gateway.device, self.gateway.device_url, self.gateway.accounting)

    def start(self):
        first = self.nodes[0]
        begun = first.command("init", "--config", first.configuration, *self.patroni.as_owner)
        if begun.returncode != 0:
            raise Stop(f"benji init: {begun.stdout}{begun.stderr}")
        super().start()
        self.gateways[1].begin()

    def owner(self):
        """Which gateway is ready, by its number; `None` if none or both are."""
        ready = [number for number, part in enumerate(self.gateways) if part.ready()[0] == 200]
        return ready[0] if len(ready) == 1 else None

    def warnings(self):
        """Of the gateway that is ready; else of the first one."""
        self.gateway = self.gateways[self.owner() or 0]
        return super().warnings()

    def stop(self):
        """:return: how they ended. Nodes drain side by side."""
        ends = [part.stop() for part in self.gateways]
        for node in self.nodes:
            node.process.send_signal(signal.SIGTERM)
        return ends + [end(node.process, ((0, 15), (signal.SIGKILL, 5))) for node in self.nodes]

    @property
    def server(self):
        """The balancer's port, whichever node is up."""
        return 8081


class Speaking(threading.Thread):
    """The packet core's Interim-Updates: of each session of the storm again and again, to any gateway."""

    def __init__(self, house, storm):
        super().__init__(daemon=True)
        self.storm, self.over = storm, threading.Event()
        with storm.place.among_phones():
            self.core = PacketCore(house.accounting, SECRET, CORE, RADIO)

    def run(self):
        with self.storm.place.among_phones():
            for index in itertools.cycle(range(len(self.storm.numbers))):
                if self.over.wait(INTERVAL / len(self.storm.numbers)):
                    return
                self.storm.speak(index, INTERIM, self.core, seconds=0.5)

    def stop(self):
        self.over.set()
        self.join(timeout=10)


class Moving(threading.Thread):
    """A packet core that moves addresses from one subscriber to the next while parts of the cluster are faulty. It asks
    for the owner of one by a whole login, as an app and its server find out."""

    def __init__(self, house, storm, chance):
        super().__init__(daemon=True)
        self.house, self.storm, self.chance = house, storm, chance
        self.over = threading.Event()
        self.released, self.moved, self.faults, self.refusals = 0, 0, [], 0
        with storm.place.among_phones():
            self.core = Core(house, PacketCore(house.accounting, SECRET, CORE, RADIO))

    def run(self):
        with self.storm.place.among_phones():
            while not self.over.wait(0.3):
                address = self.chance.choice(MOVING)
                self.moved += self.core.reassign(address, with_stop=self.chance.random() < 0.7, seconds=1.0)
                # Now the one that moved last, now one that somebody has had for a while.
                self.ask(address if self.chance.random() < 0.5 else self.chance.choice(list(self.core.histories)))

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
        """The number that is released for a phone at `address`, None if it is refused. Written down as of no phone of
        the storm."""
        recorder, app = self.storm.recorder, self.house.app
        phone = Phone(self.house, app, address, None, timeout=PATIENCE, host=RADIO)
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

    def __init__(self, earlier=None, is_pair=True):
        """`earlier`: the program of an earlier version, with which all nodes begin."""
        self.patroni, self.is_pair = None, is_pair
        self.wires = Wires([f"{STORM}.{number}" for number in range(1, 9)])
        try:
            self.begin(earlier)
        except BaseException:
            self.abandon()
            raise

    def begin(self, earlier):
        self.balancer = Balancer(self.wires)
        self.patroni = Patroni(self.wires.inside, owns=bool(earlier))
        self.patroni.start()
        self.house = ClusteredHouse(self.patroni, self.wires, self.is_pair)
        self.keepers = [Keepalived(self.wires, name) for name in GATEWAYS]
        for part in (*self.house.gateways, *self.house.nodes) if earlier else ():
            part.binary = earlier
        self.house.start()
        self.balancer.start()
        for keeper in self.keepers:
            keeper.start()
        if not eventually(self.is_led, 20):
            raise Stop("".join(f"{keeper.name}: {keeper.log.read_text()}" for keeper in self.keepers))
        self.place = Place(gateway=RADIO, authority=MACHINES["balancer"], core=CORE, shop=SHOP_ADDRESS,
                           patience=PATIENCE,
                           among_phones=functools.partial(self.wires.inside, PHONES),
                           in_shop=functools.partial(self.wires.inside, SHOP))

    def is_led(self):
        """Whether one gateway owns the pair, the other one follows, and the address is where it belongs."""
        owner, has_address = self.house.owner(), [keeper.has_address for keeper in self.keepers]
        if not self.is_pair:
            return sum(has_address) == 1
        if owner is None or has_address != [number == owner for number in range(2)]:
            return False
        return f"standby: {GATEWAYS[owner]} owns the pair" in self.house.gateways[1 - owner].ready()[1]

    def upgrade(self, part):
        """Starts a node or gateway that was stopped, with the present version."""
        part.binary = binary()
        part.begin()

    def stop(self):
        """:return: how gateways and nodes ended."""
        ends = self.house.stop()
        for part in (self.balancer, *self.keepers):
            part.stop()
        self.abandon()
        return ends

    def abandon(self):
        """Whatever still runs."""
        with contextlib.suppress(Exception):
            self.patroni.stop()
        self.wires.remove()
