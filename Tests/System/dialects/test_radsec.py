"""Accounting over TLS from other people's programs: FreeRADIUS and radsecproxy, with the certificates and settings of
docs/operations/feed-tls.md."""

import hashlib
import hmac
import json
import re
import shutil
import signal
import socket
import ssl

import pytest

from support.checks import eventually, run
from support.freeradius import Proxy, RadClient, RadSecProxy, session
from support.link import blocks
from support.operators import Backend
from support.server import Server, free_ports, wait_a_second

pytestmark = pytest.mark.seconds(120)

NUMBER = "8613900000083"
CORE_SECRET = "between-packet-core-and-proxy"


def commands():
    return next(block for block in blocks("sh") if "radsec-ca.pem" in block)


def settings(server_folder, port):
    """The page's settings, on a port of ours."""
    text = next(block for block in blocks("yaml") if "radsec:" in block)
    assert "radsec: 0.0.0.0:2083" in text and "client-authority: radsec-ca.pem" in text
    return {"listen": {"radsec": f"127.0.0.1:{port}"},
            "radsec": {"certificate": str(server_folder / "radsec.pem"), "key": str(server_folder / "radsec.key"),
                       "client-authority": str(server_folder / "radsec-ca.pem")}}


class House:
    """A server that takes accounting over TLS from two network elements, and certificates for them."""

    def __init__(self):
        (self.port,) = free_ports(1)
        self.server = Server(nas={"pgw": {"pools": ["127.8.0.0/17"]}, "west": {"pools": ["127.8.128.0/17"]}})
        self.folder = self.server.folder
        done = run(["bash", "-euo", "pipefail", "-c", commands()], 30, cwd=self.folder)
        assert done.returncode == 0, done.stderr
        self.said = done.stdout
        shutil.copy(self.folder / "pgw-1.pem", self.folder / "first.pem")
        self.issue("west", "west.core.example")
        self.reconfigure()

    def reconfigure(self):
        text = json.loads(self.server.configuration.read_text())
        more = settings(self.folder, self.port)
        text["listen"].update(more["listen"])
        text["radsec"] = more["radsec"]
        for name, certificate in (("pgw", "pgw-1.core.example"), ("west", "west.core.example")):
            for key in ("sources", "secret"):
                text["nas"][name].pop(key, None)
            text["nas"][name]["certificate"] = certificate
        self.server.configuration.write_text(json.dumps(text))

    def issue(self, name, host, *more):
        """Another certificate of the page's authority."""
        made = run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-days", "30", "-subj",
                    f"/CN={host}", "-CA", "radsec-ca.pem", "-CAkey", "radsec-ca.key", "-addext",
                    "basicConstraints=critical,CA:FALSE",
                    "-addext", f"subjectAltName=DNS:{host},IP:127.0.0.1", "-keyout", f"{name}.key", "-out",
                    f"{name}.pem", *more], cwd=self.folder)
        assert made.returncode == 0, made.stderr

    def tls(self, name):
        return {"port": self.port, "certificate": self.folder / f"{name}.pem", "key": self.folder / f"{name}.key",
                "authority": self.folder / "radsec-ca.pem"}

    def ended(self, reason):
        return self.server.metric("benji_gateway_connections_ended_total", reason=reason) or 0


@pytest.fixture(scope="module")
def house():
    house = House()
    with house.server:
        yield house


def test_freeradius_sends_over_tls(checks, house):
    server, address = house.server, "127.8.4.1"
    checks.that(re.search("SHA256|sha256", house.said) and re.search("([0-9A-F]{2}:){31}", house.said),
                "the page's last command prints the fingerprint", house.said)
    app, backend = server.create_app(), Backend(server.server)
    with Proxy(None, None, CORE_SECRET, tls=house.tls("pgw-1")) as proxy:
        client = RadClient(proxy.port, CORE_SECRET)

        def sent(status, name="tls", where=address, number=NUMBER, **more):
            return client.send(session(status, name, where, number, **more), tries=3)[0] == "Accounting-Response"

        checks.that(sent("Start"), "a Start is answered over TLS", proxy.said()[-3000:] + server.tail())
        token, _, said = server.phone("login", app, address)
        if checks.that(token is not None, "the phone is recognised", said):
            checks.equal(backend.redeem(app, token), ("103000", NUMBER[2:]), "its token yields its number")
        checks.equal(server.metric("benji_gateway_connections", nas="pgw"), 1.0, "one connection is open")

        # The server's certificate is replaced; this connection goes on, a new one sees the new one.
        before = shown(house)
        house.issue("radsec", "gateway.example")
        server.process.send_signal(signal.SIGHUP)
        checks.that(eventually(lambda: shown(house) not in (None, before), 10),
                    "SIGHUP: new connections are shown the new certificate",
                    server.tail())
        wait_a_second()
        checks.that(sent("Interim-Update"), "the connection of before goes on", proxy.said()[-1500:])

        # The connection is cut and comes back.
        server.stop()
        server.start()
        wait_a_second()
        checks.that(eventually(lambda: sent("Interim-Update"), 60, 1), "after a restart FreeRADIUS connects again",
                    proxy.said()[-2500:])
        token, _, said = server.phone("login", app, address)
        checks.that(token is not None, "and the phone is recognised again", said)
        wait_a_second()
        checks.that(sent("Stop", **{"3GPP-Session-Stop-Indicator": 255}), "the Stop is answered", proxy.said()[-1500:])
        _, situation, said = server.phone("verify", app, address)
        checks.that(situation == "address_unknown", "after it the address is unknown", said)


def test_radsecproxy_sends_over_tls(checks, house):
    server, address = house.server, "127.8.132.1"
    app = server.create_app()
    with RadSecProxy(house.tls("west"), CORE_SECRET) as proxy:
        client = RadClient(proxy.port, CORE_SECRET)

        def sent(status, where=address, **more):
            return client.send(session(status, "proxied", where, NUMBER, **{"User-Name": '"core"', **more}), tries=4)

        code, said = sent("Start")
        checks.that(code == "Accounting-Response", "a Start is answered through radsecproxy",
                    said + proxy.said()[-2000:] + server.tail())
        token, _, said = server.phone("login", app, address)
        checks.that(token is not None, "the phone is recognised", said)

        # One network element's certificate does not cover another's addresses.
        code, said = sent("Start", where="127.8.4.9")
        checks.that(code is None, "an address of the other network element's pool is not taken", said)
        _, situation, said = server.phone("verify", app, "127.8.4.9")
        checks.that(situation == "address_unknown", "and is nobody's", said)

        # The warning of the page: without User-Name it answers by itself.
        taken = server.metric("benji_gateway_accounting_packets_total", result="answered")
        client.send(session("Interim-Update", "proxied", address, NUMBER), tries=1)
        checks.equal(server.metric("benji_gateway_accounting_packets_total", result="answered"), taken,
                     "without User-Name radsecproxy passes nothing on")
        wait_a_second()
        code, said = sent("Stop")
        checks.that(code == "Accounting-Response", "the Stop is answered", said)
        _, situation, said = server.phone("verify", app, address)
        checks.that(situation == "address_unknown", "after it the address is unknown", said)


def shown(house):
    """The serial number of the certificate that a client is shown."""
    done = run(["openssl", "s_client", "-connect", f"127.0.0.1:{house.port}", "-CAfile",
                str(house.folder / "radsec-ca.pem"), "-cert",
                str(house.folder / "first.pem"), "-key", str(house.folder / "pgw-1.key"), "-verify_return_error"], 10,
               input="")
    found = re.search(r"-----BEGIN CERTIFICATE-----[^-]+", done.stdout)
    return found and found[0]


def attempt(house, name=None, data=b"", version=None, seconds=3):
    """Connects with a certificate and sends bytes. Returns the bytes of the answer, b"" when the connection is ended,
    None when nothing comes."""
    context = ssl.create_default_context(cafile=house.folder / "radsec-ca.pem")
    if name:
        context.load_cert_chain(house.folder / f"{name}.pem", house.folder / f"{name}.key")
    if version:
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = version
    try:
        with socket.create_connection(("127.0.0.1", house.port), seconds) as plain, \
                context.wrap_socket(plain, server_hostname="gateway.example") as client:
            client.sendall(data)
            return client.recv(4096)
    except TimeoutError:
        return None
    except OSError:
        return b""


def test_whoever_is_no_network_element_gets_nothing(checks, house):
    server = house.server
    status = status_server()
    answer = attempt(house, "pgw-1", status)
    checks.that(answer and answer[0] == 5 and answer[1] == status[1],
                "a Status-Server of a network element is answered", answer)
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        checks.that(attempt(house, "pgw-1", status, version), f"{version.name} is taken")
    house.issue("similar", "evil-pgw-1.core.example")
    house.issue("like", "pgw-1.core.example.evil.example")
    for what, name, version, reason in (
            ("no certificate", None, None, "handshake"), ("a name that ends alike", "similar", None, "unknown_client"),
            ("a name that begins alike", "like", None, "unknown_client"),
            ("TLS 1.1", "pgw-1", ssl.TLSVersion.TLSv1_1, "handshake"),
            ("TLS 1.0", "pgw-1", ssl.TLSVersion.TLSv1, "handshake")):
        before = house.ended(reason)
        checks.that(not attempt(house, name, status, version), f"{what}: no answer")
        checks.that(eventually(lambda before=before, reason=reason: house.ended(reason) > before, 5),
                    f"{what}: counted as {reason}",
                    server.tail())
    with socket.create_connection(("127.0.0.1", house.port), 3) as plain:
        plain.sendall(status)
        checks.equal(read_to_end(plain), True, "RADIUS without TLS on this port: the connection ends")
    with socket.socket(type=socket.SOCK_DGRAM) as datagrams:
        datagrams.settimeout(0.3)
        datagrams.sendto(status, ("127.0.0.1", house.port))
        with pytest.raises(OSError):
            datagrams.recv(4096)
    checks.that(not attempt(house, "pgw-1", status_server(b"another secret")),
                "a Message-Authenticator under another secret ends the connection")
    unusable = accounting_request(attribute(40, (1).to_bytes(4, "big")) + attribute(32, b"pgw"))
    answer = attempt(house, "pgw-1", unusable + unusable + status)
    checks.that(answer and answer[0] == 5 and answer[1] == status[1],
                "a Start without Acct-Session-Id has no answer and ends nothing: what comes behind it is answered",
                answer)
    checks.equal(attempt(house, "pgw-1", accounting_request(b"\x2c\x01")), b"",
                 "an attribute without room for its own head ends the connection")
    checks.that(attempt(house, "pgw-1", b"GET / HTTP/1.1\r\n\r\n") == b"",
                "bytes that are no packet end the connection")
    renegotiated = run(["openssl", "s_client", "-connect", f"127.0.0.1:{house.port}", "-tls1_2", "-cert",
                        str(house.folder / "pgw-1.pem"), "-key",
                        str(house.folder / "pgw-1.key"), "-CAfile", str(house.folder / "radsec-ca.pem")], 10,
                       input="R\n")
    checks.that(renegotiated.returncode != 0, "a client that renegotiates is cut off",
                renegotiated.stdout[-300:] + renegotiated.stderr[-300:])
    checks.that(server.ready()[0] == 200 and attempt(house, "pgw-1", status), "the listener goes on")
    keys = [line for path in house.folder.glob("*.key") for line in path.read_text().splitlines() if len(line) > 30
            and "KEY" not in line]
    checks.that(keys and not any(line in server.log.read_text() for line in keys), "nothing of a key is in the log")


def read_to_end(plain):
    """Whether the other end hangs up."""
    plain.settimeout(5)
    try:
        while plain.recv(4096):
            pass
        return True
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def attribute(kind, value):
    return bytes([kind, len(value) + 2]) + value


def accounting_request(attributes, secret=b"radsec", identifier=9):
    """An Accounting-Request with its authenticator (RFC 2866 section 3), made by hashlib."""
    head = bytes([4, identifier]) + (20 + len(attributes)).to_bytes(2, "big")
    return head + hashlib.md5(head + bytes(16) + attributes + secret).digest() + attributes


def status_server(secret=b"radsec", identifier=7):
    """A Status-Server (RFC 5997) with its Message-Authenticator (RFC 3579 section 3.2), made by hashlib."""
    head = bytes([12, identifier, 0, 38]) + bytes(range(16))
    mark = hmac.new(secret, head + bytes([80, 18]) + bytes(16), hashlib.md5).digest()
    return head + bytes([80, 18]) + mark
