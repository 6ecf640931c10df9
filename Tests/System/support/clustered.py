"""Installations of tests on a cluster, as a pytest option says (`--on cluster`), instead of in a process of this
machine.

A run has one cluster. The test modules' installations take it one after the other, each with an empty database. pytest
itself is on the machine of phones, packet core and apps' servers, and still calls a server's 127.0.0.1. This machine
redirects packets for the installation's ports to the gateways' address or the balancer's. They leave with the address
of 127/8 of the test's phone or app server. The cluster's machines have only routes back to these.
"""

import itertools
import json
import os
import re
import shutil
import threading
from pathlib import Path
from types import SimpleNamespace

from .apart import OF_GATEWAYS
from .checks import Stop, eventually, keep
from .clock import JumpingClock
from .cluster import AUTHORITIES, CORE, GATEWAYS, MACHINES, PHONES, RADIO, Balancer, Cluster, ClusteredHouse, Keepalived
from .link import make_certificates
from .patroni import Patroni
from .server import wait_a_second

# Between phones' machine and the balancer.
FRONT, BALANCER = "10.0.3.1", "10.0.3.254"
# The addresses of the admin interface on each node, and of the first node's from here. Tokens are taken without TLS on
# a machine's own addresses only, as by a tunnel of ssh.
LOOPBACK, ADMINISTRATION = "127.255.0.1", 8085
# Settings that gateway and authority share.
OF_BOTH = ("log", "tls", "drain", "policy")


class Site(Cluster):
    """A cluster on which one installation is at a time."""

    def begin(self, *_):
        self.installation, self.house, self.former = None, None, []
        # The configuration that the house has, as the installation wrote it.
        self.configured, self.lock, self.turns = None, threading.Lock(), itertools.count()
        self.lay_wires()
        self.balancer = Balancer(self.wires)
        self.patroni = Patroni(self.wires.inside)
        self.patroni.start()
        self.balancer.start()
        self.keepers = [Keepalived(self.wires, name) for name in GATEWAYS]
        for keeper in self.keepers:
            keeper.start()
        keep()
        self.wires.move_to(PHONES)

    def lay_wires(self):
        wires = self.wires
        wires.cable(PHONES, "shops", "balancer", "shops")
        wires.ip(PHONES, f"addr add {FRONT}/24 dev shops", f"route add {MACHINES['balancer']} via {BALANCER}",
                 f"route add {MACHINES[AUTHORITIES[0]]} via {BALANCER}")
        wires.ip("balancer", f"addr add {BALANCER}/24 dev shops")
        ways = {"balancer": FRONT} | dict.fromkeys(GATEWAYS, CORE) | dict.fromkeys(AUTHORITIES, MACHINES["balancer"])
        for name in (PHONES, *ways):
            wires.set(name, "net.ipv4.conf.all.route_localnet=1")
            with wires.inside(name):
                for port in Path("/proc/sys/net/ipv4/conf").iterdir():
                    (port / "rp_filter").write_text("0")
        for name, way in ways.items():
            wires.ip(name, "addr del 127.0.0.1/8 dev lo", f"route add 127.0.0.0/8 via {way}")
        for name in AUTHORITIES:
            wires.ip(name, f"addr add {LOOPBACK}/32 dev lo")
            wires.nft(name, self.translation(
                "prerouting", [f"ip daddr {MACHINES[name]} tcp dport {ADMINISTRATION} dnat to {LOOPBACK}"]))

    @staticmethod
    def translation(hook, rules):
        """A table that gives packets other destinations, in the place of an earlier one."""
        return (f"table ip site\ndelete table ip site\ntable ip site {{\nchain translation {{\ntype nat hook {hook} "
                "priority -100\n"
                + "\n".join(rules) + "\n}\n}")

    def take(self, installation):
        """Gives it the cluster, unless it has it."""
        if installation is self.installation:
            return
        if installation in self.former:
            raise Stop("this installation had the cluster before another one, and its database is gone")
        if self.installation:
            if self.installation.is_running:
                raise Stop("the cluster has one installation at a time, and another one runs")
            self.former.append(self.installation)
            self.patroni.drop_database()
            self.patroni.create_database()
        self.installation, self.configured, self.house = installation, None, ClusteredHouse(self.patroni, self.wires)
        if "CLOCK_OFFSET" in installation.environment:
            # Certificates that count from yesterday, where clocks jump.
            openssl = SimpleNamespace(environment=dict(os.environ))
            JumpingClock(openssl).jump_to(-86_400)
            make_certificates(self.house.certificates, [MACHINES[name] for name in AUTHORITIES], GATEWAYS[1:],
                              openssl.environment)
        listen = json.loads(installation.configuration.read_text())["listen"]
        places = {("tcp", "device"): f"{RADIO}:8080", ("udp", "accounting"): f"{RADIO}:1813",
                  ("tcp", "server"): f"{MACHINES['balancer']}:8081",
                  ("tcp", "administration"): f"{MACHINES[AUTHORITIES[0]]}:{ADMINISTRATION}"}
        rules = [f"ip daddr 127.0.0.1 {kind} dport {listen[name].split(':')[1]} dnat to {place}"
                 for (kind, name), place in places.items() if name in listen]
        self.wires.nft(PHONES, self.translation("output", rules))

    def is_served(self):
        """Whether the balancer, too, has seen both nodes come back."""
        said = dict(re.findall(r"Server apps-servers/(\S+) is (UP|DOWN)", self.balancer.log.read_text()))
        return "DOWN" not in said.values()

    def stop(self):
        for part in (self.balancer, *self.keepers):
            part.stop()
        self.abandon()


class Log:
    """Of an installation's nodes, one after the other."""

    def __init__(self, installation):
        self.installation = installation

    def exists(self):
        return bool(self.installation.logs)

    def read_text(self, **options):
        return "".join(log.read_text(**options) for log in self.installation.logs)


class Clustered:
    """Stands before the class of an installation whose tests know it as one process: what it does to itself happens to
    all of its nodes."""

    site = None

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.log = Log(self)

    @property
    def logs(self):
        return [part.log for part in self.parts if part.log.exists()]

    @property
    def house(self):
        """Its nodes, configured as the one configuration says now."""
        text = self.configuration.read_text()
        with self.site.lock:
            self.site.take(self)
            if text != self.site.configured:
                self.configure(self.site.house, json.loads(text))
                self.site.configured = text
        for part in self.parts:
            part.environment = self.environment
        return self.site.house

    def configure(self, house, whole):
        """Gives each node its part of a configuration of one process."""
        if self.wrapper:
            raise Stop("a cluster's nodes run under no other program")
        carriers = sorted({whole["nas"][name]["carrier"] for name in whole["nas"]["names"]})
        for node in house.nodes:
            settings = {name: value for name, value in node.settings.items()
                        if name in ("role", "store", "gateways", "listen", "mutual-tls")}
            settings["gateways"] |= {name: settings["gateways"][name] | {"carriers": carriers}
                                     for name in settings["gateways"]["names"]}
            if "administration" in whole["listen"]:
                settings["listen"]["administration"] = f"{LOOPBACK}:{ADMINISTRATION}"
            node.configure(**{name: value for name, value in whole.items() if name not in OF_GATEWAYS} | settings)
        for gateway in house.gateways:
            settings = {name: value for name, value in gateway.settings.items()
                        if name in ("role", "authority", "gateway", "listen", "mutual-tls")}
            own = {name: whole[name] for name in (*OF_GATEWAYS, *OF_BOTH) if name in whole}
            gateway.configure(**own | settings | {"gateway": own.get("gateway", {}) | settings["gateway"]})

    @property
    def is_running(self):
        return any(part.process is not None and part.process.poll() is None for part in self.parts)

    @property
    def parts(self):
        return (*self.site.house.gateways, *self.site.house.nodes) if self.site.installation is self else ()

    def start(self, seconds=None):
        house = self.house
        first, *others = house.nodes
        if not (first.data / "master.key").exists():
            made = self.command("init", "--config", self.configuration, *self.site.patroni.as_owner)
            if made.returncode != 0:
                raise Stop(f"benji init: {made.stdout}{made.stderr}")
        for node in others:
            # One installation: the same master key in each node.
            node.data.mkdir(mode=0o700, exist_ok=True)
            shutil.copy(first.data / "master.key", node.data / "master.key")
        for node in house.nodes:
            node.start(seconds)
        for gateway in house.gateways:
            gateway.begin()
        if not eventually(self.site.is_led, 30) or not eventually(self.site.is_served, 20):
            said = "".join(f"{part.log}: {part.log.read_text()[-800:]}"
                           for part in (*self.site.keepers, self.site.balancer))
            raise Stop(f"the cluster does not serve this installation: {said}{self.tail(40)}")
        # Events dated in the second of a takeover are no news to a gateway: the other one may have them already.
        wait_a_second()
        return self

    def kill9(self):
        for part in self.parts:
            part.kill9()

    def stop(self, *arguments, **options):
        """0 if all nodes end with it, else how one of the others ended."""
        ends = [part.stop(*arguments, **options) for part in self.parts]
        return next((end for end in ends if end != 0), 0)

    def get(self, path, method="GET"):
        """The replies of the gateway that owns the addresses and of the authority's nodes, joined; the worst status."""
        gateways, nodes = self.site.house.gateways, self.site.house.nodes
        said = [part.get(path, method) for part in (gateways[self.site.house.owner() or 0], *nodes)]
        statuses = [status for status, _, _ in said]
        return 0 if 0 in statuses else max(statuses), "\n".join(text for _, text, _ in said), said[0][2]

    def command(self, *arguments, seconds=None):
        """Commands about the installation are given at one node of the authority after the other, at the first before
        it has started."""
        arguments = [str(each) for each in arguments]
        if str(self.configuration) not in arguments:
            return super().command(*arguments, seconds=seconds)
        nodes = self.house.nodes
        node = nodes[next(self.site.turns) % len(nodes)] if (nodes[-1].data / "master.key").exists() else nodes[0]
        return node.command(*(str(node.configuration) if each == str(self.configuration) else each
                              for each in arguments), seconds=seconds)


class Nodes:
    """An installation that the cluster has, as support.apart.House shows one: its nodes can be killed and asked one by
    one."""

    def __init__(self, installation, app):
        self.gateway, self.app, self.house = installation, app, installation.house
        self.nodes, self.up = self.house.nodes, self.house.nodes
        self.device, self.device_url, self.server = installation.device, installation.device_url, installation.server

    def warnings(self):
        return self.house.warnings()
