"""Gateway and authority in processes of their own, linked as docs/operations/gateways.md says."""

import contextlib
import http.client
import json
import shutil
import ssl
import struct
from collections import Counter

from .checks import PATIENCE, Stop, eventually, folder
from .link import make_certificates
from .operations import SHORT, Books
from .provider import Provider
from .server import FACE, Server, free_ports

# The settings of gateways; the rest is the authority's.
OF_GATEWAYS = ("nas", "nat", "public", "gateway")


class Part(Server):
    """`benji serve` in one of the two roles: a server with another configuration. It may be on a machine of its own."""

    deployed = ()
    # It may be paused, or cut off.
    patience = 5
    # The context that a thread enters to be on its machine.
    inside = staticmethod(contextlib.nullcontext)

    def start(self, seconds=None):
        with self.inside():
            return super().start(seconds)

    def begin(self):
        """Starts a gateway of a pair. It is not ready while the other one owns the pair."""
        with contextlib.suppress(Stop):
            self.start(seconds=0.1)  # gate: asks only once, and the wait follows
        if not eventually(lambda: self.ready()[0] in (200, 503)):
            raise Stop(f"a gateway of a pair does not begin: {self.tail()}")

    def get(self, path, method="GET"):
        with self.inside():
            return super().get(path, method)

    def command(self, *arguments, seconds=None):
        with self.inside():
            return super().command(*arguments, seconds=seconds)

    def configure(self, **settings):
        self.configuration.write_text(json.dumps({"log": {"level": "info"}} | settings | {"data": str(self.data)},
                                                 indent=1))
        return self

    @property
    def settings(self):
        return json.loads(self.configuration.read_text())


def identity(certificates, name):
    """The setting `mutual-tls` of one end of the link."""
    return {"certificate": f"{certificates}/{name}.pem", "key": f"{certificates}/{name}.key",
            "authority": f"{certificates}/link-ca.pem"}


class Apart(Provider):
    """An OpenID provider whose roles are apart: the authority, with a gateway before it.

    It is used as a provider of one process is: phones call the gateway, everything else is the authority's."""

    deployed = ()

    def __init__(self, authority, **settings):
        super().__init__(authority, **settings)
        self.certificates = folder()
        make_certificates(self.certificates)
        (self.link,) = free_ports(1)
        whole = json.loads(self.configuration.read_text())
        common = {"tls": whole["tls"]} if "tls" in whole else {}
        listen = whole["listen"]
        carriers = sorted({whole["nas"][name]["carrier"] for name in whole["nas"]["names"]})
        self.gateway = Part()
        self.gateway.patience = self.patience
        self.gateway.configure(
            role="gateway", authority={"url": [f"https://127.0.0.1:{self.link}"], "timeout": int(PATIENCE)},
            listen={"device": listen["device"], "accounting": listen["accounting"],
                    "admin": f"127.0.0.1:{self.gateway.admin}"},
            **{"mutual-tls": identity(self.certificates, "gateway-1")}, **common,
            **{name: whole[name] for name in OF_GATEWAYS if name in whole} | {"gateway": {"name": "gateway-1"}})
        own = {name: value for name, value in whole.items() if name not in OF_GATEWAYS}
        self.configuration.write_text(json.dumps(own | {
            "role": "authority", "gateways": {"names": ["gateway-1"], "gateway-1": {"carriers": carriers}},
            "listen": {"server": listen["server"], "admin": listen["admin"], "gateways": f"127.0.0.1:{self.link}"},
            "mutual-tls": identity(self.certificates, "authority")}, indent=1))

    def start(self, seconds=None):
        super().start(seconds)
        # One clock for both, whatever a test makes of it.
        self.gateway.environment = self.environment
        self.gateway.start(seconds)
        return self

    def stop(self, *arguments, **options):
        self.gateway.stop(*arguments, **options)
        return super().stop(*arguments, **options)

    @property
    def logs(self):
        return [*super().logs, self.gateway.log]


class LinkCaller:
    """Somebody who has a gateway's certificate and says over the link what he likes."""

    def __init__(self, port, certificates, name="gateway-1"):
        self.port = port
        self.context = ssl.create_default_context(cafile=f"{certificates}/link-ca.pem")
        self.context.load_cert_chain(f"{certificates}/{name}.pem", f"{certificates}/{name}.key")

    def forward(self, method, target, body=b"", headers=(), bases=(), **stated):
        """(status of the link, status and text of the answer) of a phone's or browser's request, with what the gateway
        states about its sender. A refusal of the link has no answer."""
        head = {"method": method, "target": target, "authority": "gw.example", "baseURLs": list(bases),
                "headers": [[name.lower(), value] for name, value in dict(headers).items()]} | stated
        head = json.dumps(head).encode()
        status, data = self.exchange("/link/v1/forward", struct.pack("!I", len(head)) + head + body,
                                     "application/vnd.benji.link-forward")
        if status != 200:
            return status, None, data.decode()
        length = struct.unpack("!I", data[:4])[0]
        return status, json.loads(data[4:4 + length])["status"], data[4 + length:].decode()

    def post(self, path, message):
        """(status, answer) of one message of a gateway's own."""
        status, data = self.exchange(path, json.dumps(message), "application/json")
        return status, json.loads(data)

    def exchange(self, path, data, kind):
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.context, timeout=PATIENCE)
        try:
            connection.request("POST", path, data, {"Content-Type": kind})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


class House:
    """A gateway and the nodes of its authority over one PostgreSQL."""

    # Where apps' servers stand.
    shop = "127.0.2.0/24"

    def __init__(self, postgres, nodes=2, face=None):
        """`face` is what the nodes are told of face login; without it there is none."""
        self.certificates = folder()
        make_certificates(self.certificates)
        self.links = free_ports(nodes)
        self.gateway = Part()
        self.device, self.device_url, self.accounting = (
            self.gateway.device, self.gateway.device_url, self.gateway.accounting)
        whole = self.gateway.settings
        self.nodes = []
        for port in self.links:
            node = Part()
            self.nodes.append(node.configure(
                role="authority", store={"postgres": postgres.place},
                gateways={"names": ["gateway-1"], "gateway-1": {"carriers": ["mobile"]}},
                listen={"gateways": f"127.0.0.1:{port}", "server": f"127.0.0.1:{node.server}",
                        "admin": f"127.0.0.1:{node.admin}"},
                # Behind one name for apps' servers, as a balancer gives it.
                openid={"issuer": "https://id.example.com", "pages": self.device_url},
                **({"face": face} if face else {}), **{"mutual-tls": identity(self.certificates, "authority")}))
            node.environment = {"BENJI_FACE": str(FACE)} if face else {}
        self.gateway.configure(
            role="gateway", authority={"url": [f"https://127.0.0.1:{port}" for port in self.links]},
            gateway={"name": "gateway-1"}, public=whole["public"], nas=whole["nas"],
            listen={name: whole["listen"][name] for name in ("device", "admin", "accounting")},
            **{"mutual-tls": identity(self.certificates, "gateway-1")})
        self.up = list(self.nodes)
        self.app = None
        self._asked = 0

    def start(self):
        """Begins the installation with one app, and starts everything."""
        first, *others = self.nodes
        self.app = first.create_app(server_address=self.shop)
        for node in others:
            # One installation: the same master key in each node.
            node.data.mkdir(mode=0o700)
            shutil.copy(first.data / "master.key", node.data / "master.key")
        for node in self.nodes:
            node.start()
        self.gateway.start()

    @property
    def server(self):
        """Where an app's server calls next: one node after the other of those that are up, as a balancer gives them."""
        self._asked += 1
        return self.up[self._asked % len(self.up)].server

    def warnings(self):
        status, text, _ = self.gateway.get("/health/ready")
        return status, json.loads(text).get("warnings", []) if text else []

    def stop(self):
        return [part.stop() for part in (self.gateway, *self.nodes)]


def books(postgres):
    """The database's content, as the judge reads it. The bill of an app without a quota is the ledger itself."""
    found = Books()
    said = postgres.value("SELECT json_build_object('tokens', (SELECT json_agg(json_build_array(encode(hash, 'hex'), "
                          "spent_at, trace)) FROM token),"
                          " 'ledger', (SELECT json_agg(trace) FROM ledger))")
    read = json.loads(said)
    for hashed, spent_at, trace in read["tokens"] or []:
        found.spent[hashed[-64:][:SHORT]] = (spent_at is not None, trace)
    found.ledger = Counter(read["ledger"] or [])
    found.billed = sum(found.ledger.values())
    return found
