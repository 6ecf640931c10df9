"""One gateway and some nodes of an authority over one PostgreSQL, as `benji serve` in two roles."""

import json
import shutil
from collections import Counter

from .checks import folder
from .link import make_certificates
from .operations import SHORT, Books
from .server import BUNDLE, SECRET, Server, free_ports


class Part(Server):
    """`benji serve` in one of the two roles: a server with another configuration."""

    def configure(self, **settings):
        self.configuration.write_text(json.dumps(settings | {"data": str(self.data), "log": {"level": "info"}}, indent=1))
        return self


def link(certificates, name):
    return {"certificate": f"{certificates}/{name}.pem", "key": f"{certificates}/{name}.key", "authority": f"{certificates}/link-ca.pem"}


class House:
    """The gateway and its authority's nodes, with the names by which the storm knows a server."""

    def __init__(self, postgres, nodes=2):
        certificates = folder()
        make_certificates(certificates)
        self.links = free_ports(nodes)
        self.nodes = [Part().configure(
            role="authority", store={"postgres": postgres.place}, **{"mutual-tls": link(certificates, "authority")},
            gateways={"names": ["gateway-1"], "gateway-1": {"carriers": ["mobile"]}}, listen={}) for _ in self.links]
        for node, port in zip(self.nodes, self.links):
            settings = json.loads(node.configuration.read_text())
            settings["listen"] = {"gateways": f"127.0.0.1:{port}", "server": f"127.0.0.1:{node.server}", "admin": f"127.0.0.1:{node.admin}"}
            node.configuration.write_text(json.dumps(settings, indent=1))
        self.gateway = Part()
        self.gateway.configure(
            role="gateway", authority={"url": [f"https://127.0.0.1:{port}" for port in self.links]},
            gateway={"name": "gateway-1"}, public={"urls": [self.gateway.device_url]},
            listen={"device": f"127.0.0.1:{self.gateway.device}", "admin": f"127.0.0.1:{self.gateway.admin}",
                    "accounting": f"127.0.0.1:{self.gateway.accounting}"},
            nas={"names": ["pgw"], "pgw": {"sources": ["127.0.0.1/32"], "secret": SECRET, "pools": ["127.8.0.0/16"],
                                          "carrier": "mobile", "interim": 300}},
            **{"mutual-tls": link(certificates, "gateway-1")})
        self.device, self.device_url, self.accounting = self.gateway.device, self.gateway.device_url, self.gateway.accounting
        self.up = list(self.nodes)
        self._asked = 0

    def start(self):
        first, *others = self.nodes
        made = first.command("init", "--config", first.configuration)
        assert made.returncode == 0, made.stdout + made.stderr
        for node in others:
            # One installation: the same master key in each node.
            node.data.mkdir(mode=0o700)
            shutil.copy(first.data / "master.key", node.data / "master.key")
        made = first.command("app", "create", "--config", first.configuration, "--name", "Shop", "--bundle", BUNDLE,
                             "--server-address", "127.0.2.0/24", "--json")
        assert made.returncode == 0, made.stdout + made.stderr
        for node in self.nodes:
            node.start()
        self.gateway.start()
        return json.loads(made.stdout[made.stdout.index("{"):])

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
    """What the database says, as the judge reads it. The bill of an app without a quota is the ledger itself."""
    found = Books()
    said = postgres.value("SELECT json_build_object('tokens', (SELECT json_agg(json_build_array(encode(hash, 'hex'), spent_at, trace)) FROM token),"
                          " 'ledger', (SELECT json_agg(trace) FROM ledger))")
    read = json.loads(said)
    for hashed, spent_at, trace in read["tokens"] or []:
        found.spent[hashed[-64:][:SHORT]] = (spent_at is not None, trace)
    found.ledger = Counter(read["ledger"] or [])
    found.billed = sum(found.ledger.values())
    return found
