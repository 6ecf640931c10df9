"""A carrier's network in namespaces: phones, packet core, carrier-grade NAT, operator, and the internet around them.

Nothing here decides anything about a login: cables, routes, translation, addresses and real RADIUS accounting.
"""

import contextlib
import http.client
import shutil
import socket
import ssl
import subprocess
import threading
from dataclasses import dataclass

from .attest import Apple
from .checks import Stop, first_json, folder, require, run
from .freeradius import RadClient, session
from .namespaces import Network
from .operators import Backend
from .phones import Phone
from .server import BUNDLE, Server, environment, situation_in
from .wire import Wire

PICTURE = """
   Wi-Fi router ──────────────── the internet ─────────────────┬──────────────┐
   home 198.51.100.6             │          │                  │              │
    │ 192.168.1.0/24             │      outsider          app server      operator
    │                            │      198.51.100.66     shop            benji serve
    ├─wlan0 (default)            │      2001:db8:bad::66  192.0.2.9       192.0.2.1
  phone1 ═wwan0═══╗              │                                        2001:db8:0:1::1
    │ap0          ║              │                                            ║
  laptop      packet core ─── carrier-grade NAT                               ║
  (tethered)  100.64.0.0/28   203.0.113.1, 16 blocks of 4032 ports            ║
                  ║ ╚══ RADIUS accounting ════════════════════════════════════╝
  phone2 ═wwan0═══╝   10.99.0.1 → 10.99.0.2
    └─wlan0 (default) to home

  ═══ links on which the lab can delay, lose and duplicate packets.   IPv6: a /64 a phone, not translated
"""

# RFC 7422 as the gateway is told it: one public address carries 16 subscribers.
INSIDE, OUTSIDE, SHARING, FIRST_PORT = "100.64.0.0/28", "203.0.113.1", 16, 1024
BLOCK = (65536 - FIRST_PORT) // SHARING
OPERATOR, OPERATOR6, SHOP, OUTSIDER = "192.0.2.1", "2001:db8:0:1::1", "192.0.2.9", "198.51.100.66"
DEVICE_PORT, SERVER_PORT = 8443, 8444
FEED_CORE, FEED_GATEWAY = "10.99.0.1", "10.99.0.2"


def ports_of(address):
    """First and last public port of an inside address, counted out here again and not by the server's code."""
    first = FIRST_PORT + int(address.rsplit(".", 1)[1]) % SHARING * BLOCK
    return first, first + BLOCK - 1


@dataclass(frozen=True)
class Subscriber:
    machine: str
    number: str
    imsi: str
    address: str  # IPv4, from the packet core's pool
    prefix: str  # IPv6, the first 64 bits
    wifi: str

    @property
    def address6(self):
        return f"{self.prefix}1"


PHONES = (Subscriber("phone1", "13900000001", "460001111111111", "100.64.0.10", "2001:db8:1:1::", "192.168.1.11"),
          Subscriber("phone2", "13900000002", "460002222222222", "100.64.0.11", "2001:db8:1:2::", "192.168.1.12"))


class CarrierNetwork(Network):
    """The picture above, standing when the initialiser returns."""

    def __init__(self):
        super().__init__()
        for name in ("internet", "core", "cgn", "home"):
            self.router(name)
        for name in ("operator", "shop", "outsider", *(phone.machine for phone in PHONES)):
            self.machine(name)
        self.hosts()
        self.wifi()
        self.mobile()
        # A packet core lets no subscriber send from another's address; for the tunnels to the phones that is this.
        for phone in PHONES:
            self.set("core", f"net.ipv4.conf.air-{phone.machine}.rp_filter=1")

    def hosts(self):
        for name, address, router, address6, router6 in (
                ("operator", f"{OPERATOR}/30", "192.0.2.2/30", f"{OPERATOR6}/64", "2001:db8:0:1::2/64"),
                ("shop", f"{SHOP}/30", "192.0.2.10/30", "2001:db8:0:2::1/64", "2001:db8:0:2::2/64"),
                ("outsider", f"{OUTSIDER}/30", "198.51.100.65/30", "2001:db8:bad::66/64", "2001:db8:bad::2/64"),
                ("home", "198.51.100.6/30", "198.51.100.5/30", "2001:db8:2::1/64", "2001:db8:2::2/64"),
                ("cgn", "198.51.100.2/30", "198.51.100.1/30", "2001:db8:0:3::1/64", "2001:db8:0:3::2/64")):
            self.cable(name, "net0", "internet", name)
            self.ip("internet", f"address add {router} dev {name}", f"address add {router6} dev {name}")
            self.ip(name, f"address add {address} dev net0", f"address add {address6} dev net0",
                    f"route add default via {router.split('/')[0]}", f"route add default via {router6.split('/')[0]}")
        self.ip("internet", f"route add {OUTSIDE}/32 via 198.51.100.2",
                "route add 2001:db8:1::/48 via 2001:db8:0:3::1", "route add 2001:db8:2:1::/64 via 2001:db8:2::1")

    def wifi(self):
        self.ip("home", "link add lan type bridge", "link set lan up", "address add 192.168.1.1/24 dev lan",
                "address add 2001:db8:2:1::1/64 dev lan")
        self.nft("home", "table ip nat { chain out { type nat hook postrouting priority srcnat;"
                         " oifname net0 masquerade; }; }")
        for phone in PHONES:
            self.cable(phone.machine, "wlan0", "home", phone.machine)
            self.ip("home", f"link set {phone.machine} master lan")
            self.ip(phone.machine, f"address add {phone.wifi}/24 dev wlan0",
                    "route add default via 192.168.1.1 metric 600",
                    f"address add 2001:db8:2:1::{phone.wifi.rsplit('.', 1)[1]}/64 dev wlan0",
                    "route add default via 2001:db8:2:1::1 metric 600")
            # Counts packets that leave by Wi-Fi for the gateway. Not the resets by which the kernel answers packets
            # after a connection's end. They belong to no socket, so nothing binds them, and they prove nothing.
            rules = "; ".join(f"oifname wlan0 {family} daddr {target} tcp flags & rst == 0 counter name wifi"
                              for family, target in (("ip", OPERATOR), ("ip6", OPERATOR6)))
            self.nft(phone.machine, "table inet watch { counter wifi { }; chain out { type filter hook output "
                     f"priority 0; {rules}; }}; }}")

    def mobile(self):
        self.cable("core", "nat", "cgn", "core")
        self.ip("core", "address add 10.98.0.1/30 dev nat", "address add fd98::1/64 dev nat",
                "route add default via 10.98.0.2", "route add default via fd98::2")
        self.ip("cgn", "address add 10.98.0.2/30 dev core", "address add fd98::2/64 dev core",
                f"route add {INSIDE} via 10.98.0.1", "route add 2001:db8:1::/48 via fd98::1",
                f"route add blackhole {OUTSIDE}/32")
        rules = "\n".join(
            f"oifname net0 ip saddr {address} meta l4proto {protocol} snat to {OUTSIDE}:{first}-{last}"
            for address in (f"100.64.0.{host}" for host in range(SHARING)) for protocol in ("tcp", "udp")
            for first, last in (ports_of(address),))
        self.nft("cgn", f"table ip cgn {{ chain out {{ type nat hook postrouting priority srcnat;\n{rules}\n}}; }}")
        self.feed = Wire(self, "core", "feed", "operator", "feed", seed=3)
        self.ip("core", f"address add {FEED_CORE}/30 dev feed")
        self.ip("operator", f"address add {FEED_GATEWAY}/30 dev feed")
        self.air = {phone.machine: Wire(self, phone.machine, "wwan0", "core", f"air-{phone.machine}")
                    for phone in PHONES}

    # The packet core's actions on a phone

    def attach(self, phone):
        """Gives a phone its addresses on wwan0. Wi-Fi stays the default: its metric is the smaller."""
        self.ip(phone.machine, f"address add {phone.address}/32 dev wwan0",
                f"address add {phone.address6}/128 dev wwan0",
                f"route add default dev wwan0 src {phone.address} metric 700")
        self.ip(phone.machine, f"route add default dev wwan0 src {phone.address6} metric 700", version=6)
        self.ip("core", f"route add {phone.address}/32 dev air-{phone.machine}",
                f"route add {phone.prefix}/64 dev air-{phone.machine}")

    def readdress(self, phone, old, new):
        """Takes one IPv4 address from a phone and gives it another."""
        self.ip(phone.machine, f"address del {old}/32 dev wwan0", f"address add {new}/32 dev wwan0",
                f"route replace default dev wwan0 src {new} metric 700")
        self.ip("core", f"route del {old}/32", f"route add {new}/32 dev air-{phone.machine}")

    def tether(self, phone):
        """A laptop that uses a phone's mobile data: IPv4 translated by the phone, IPv6 from the phone's own prefix
        (RFC 7278)."""
        self.machine("laptop")
        self.cable(phone.machine, "ap0", "laptop", "net0")
        for setting in ("net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1"):
            self.set(phone.machine, setting)
        self.ip(phone.machine, "address add 192.168.43.1/24 dev ap0", "address add fe80::1/64 dev ap0",
                "rule add iif ap0 lookup 100", "route add default dev wwan0 table 100")
        self.ip(phone.machine, "rule add iif ap0 lookup 100", "route add default dev wwan0 table 100",
                f"route add {phone.prefix}/64 dev ap0", version=6)
        self.nft(phone.machine, "table ip tether { chain out { type nat hook postrouting priority srcnat;"
                                " iifname ap0 oifname wwan0 masquerade; }; }")
        self.ip("laptop", "address add 192.168.43.2/24 dev net0", "route add default via 192.168.43.1",
                f"address add {phone.prefix}2/64 dev net0", "route add default via fe80::1 dev net0")

    def packet_core(self):
        """FreeRADIUS's client on the packet core, reporting to the gateway."""
        with self.inside("core"):
            return CoreFeed(self, RadClient(1813, host=FEED_GATEWAY))


class CoreFeed:
    """Real accounting, sent from the packet core's machine."""

    def __init__(self, network, client):
        self.network, self.client = network, client

    def send(self, attributes, machine="core", wait=1, tries=3, **options):
        with self.network.inside(machine):
            return self.client.send(attributes, wait=wait, tries=tries, **options)

    @staticmethod
    def attributes(status, phone, **more):
        return session(status, f"session-{phone.machine}", phone.address, f"86{phone.number}", **{
            "3GPP-IMSI": f'"{phone.imsi}"', "Framed-IPv6-Prefix": f"{phone.prefix}/64", **more})

    @staticmethod
    def block(phone):
        """The port block of a phone in RFC 8045's form."""
        first, last = ports_of(phone.address)
        return {"IP-Port-Range-Ext-IPv4-Addr": OUTSIDE, "IP-Port-Range-Alloc": "Allocation",
                "IP-Port-Range-Range-Start": first, "IP-Port-Range-Range-End": last}


class OperatorServer(Server):
    """`benji serve` on the operator's machine. `knows_nat` configures how the carrier-grade NAT shares ports.
    `least_face` is the least assurance of a one-tap token that ties a face to a number; None keeps the default."""

    def __init__(self, network, knows_nat=True, least_face=None):
        self.network = network
        settings = {"nat": {"names": ["cgn"], "cgn": {
            "inside": INSIDE, "outside": f"{OUTSIDE}/32", "domain": "default"}}} if knows_nat else {}
        self.certificate, self.key = self.make_certificate()
        self.apple, roots = Apple(), folder() / "roots.pem"
        roots.write_text(self.apple.pem)
        with network.inside("operator"):
            super().__init__(
                nas={"pgw": {
                    "sources": [f"{FEED_CORE}/32"], "pools": [INSIDE, f"{OUTSIDE}/32", "2001:db8:1::/48"]}},
                listen={"device": f"[::]:{DEVICE_PORT}", "server": f"{OPERATOR}:{SERVER_PORT}",
                        "accounting": f"{FEED_GATEWAY}:1813"},
                public={"urls": [f"https://{OPERATOR}:{DEVICE_PORT}", f"https://[{OPERATOR6}]:{DEVICE_PORT}"]},
                tls={"certificate": str(self.certificate), "key": str(self.key)},
                attestation={"apple-roots": str(roots)},
                face={"enabled": True, "terms-url": "https://id.example/face-terms",
                      **({"least-assurance": least_face} if least_face else {})}, **settings)

    @staticmethod
    def make_certificate():
        place = folder()
        made = run([
            require("openssl", "openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-days", "2", "-subj", "/CN=gateway.example", "-addext",
            f"subjectAltName=IP:{OPERATOR},IP:{OPERATOR6}", "-keyout", str(place / "key.pem"), "-out",
            str(place / "certificate.pem")])
        if made.returncode != 0:
            raise Stop(f"openssl: {made.stderr}")
        return place / "certificate.pem", place / "key.pem"

    def start(self, seconds=None):
        with self.network.inside("operator"):
            return super().start(seconds)

    def get(self, path, method="GET"):
        with self.network.inside("operator"):
            return super().get(path, method)

    def context(self):
        return ssl.create_default_context(cafile=str(self.certificate))

    @staticmethod
    def url(version=4):
        return f"https://{OPERATOR}:{DEVICE_PORT}" if version == 4 else f"https://[{OPERATOR6}]:{DEVICE_PORT}"

    def sdk_command(self, app, what, version, *arguments):
        """`benji phone`, which is the SDK's engine, calling this server."""
        return [self.binary, "phone", what, "--server", self.url(version), "--app", app["id"], "--key", app["key"],
                "--bundle", BUNDLE, "--trust", str(self.certificate), "--json", *arguments]


    def sdk(self, app, machine, *arguments, what="login", version=4):
        """(what the SDK printed as JSON or None, situation or None, all that it said) on one machine."""
        yes = ["--yes"] if what == "login" else []
        with self.network.inside(machine):
            done = run(self.sdk_command(app, what, version, *yes, *arguments), 20, env=environment(),
                       stdin=subprocess.DEVNULL)
        said = done.stdout + done.stderr
        return first_json(done.stdout) if done.returncode == 0 else None, situation_in(said), said

    def backend(self, machine="shop", source=SHOP):
        """An app's server on some machine."""
        with self.network.inside(machine):
            made = Backend(SERVER_PORT, source, timeout=5, host=OPERATOR, context=self.context())
            made.connection.connect()
        return made

    def redeemed(self, app, token):
        """(code, number or None): what the app's server gets for a token."""
        backend = self.backend()
        try:
            return backend.redeem(app, token)
        finally:
            backend.close()


class Client(Phone):
    """A client of the device dialect on some machine, bound to one interface if named."""

    def __init__(self, server, machine, app, version=4, interface=None):
        super().__init__(server, app, None, None, timeout=5)
        self.machine, self.version, self.interface = machine, version, interface
        self.through = None  # address and port of a relay to call instead

    @property
    def url(self):
        return self.server.url(self.version)

    def connect(self):
        host = OPERATOR if self.version == 4 else OPERATOR6
        connection = http.client.HTTPSConnection(host, DEVICE_PORT, timeout=self.timeout)
        with self.server.network.inside(self.machine):
            opened = socket.socket(socket.AF_INET if self.version == 4 else socket.AF_INET6)
            opened.settimeout(self.timeout)
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.interface:
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, self.interface.encode() + b"\0")
            try:
                opened.connect(self.through or (host, DEVICE_PORT))
                connection.sock = self.server.context().wrap_socket(opened, server_hostname=host)
            except OSError:
                opened.close()
                raise
        return connection


class Relay:
    """Malware on a phone: passes on, by the phone's mobile data, what others send it."""

    def __init__(self, network, machine, host, port):
        self.network, self.machine = network, machine
        with network.inside(machine):
            self.ear = socket.create_server((host, port))
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            near, _ = self.ear.accept()
            with self.network.inside(self.machine):
                far = socket.socket(socket.AF_INET)
            far.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"wwan0\0")
            far.connect((OPERATOR, DEVICE_PORT))
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    @staticmethod
    def _pass_on(source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


def how_to_enter(network):
    """The commands by which a person looks around on the machines."""
    shell = shutil.which("bash") or "sh"
    return [f"ip netns exec {network.full(name)} {shell}" for name in network.machines]
