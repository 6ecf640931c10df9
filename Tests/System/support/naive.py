"""Gateways that make the mistakes that Benji must not make. Attacks of the lab succeed against them, so that a refusal
by the real gateway is known to mean something."""

import http.client
import http.server
import ipaddress
import socket
import socketserver
import threading
import time

from .radius import STOP, is_signed_request, read
from .vectors import attributes_of

FORGEABLE = ("X-Forwarded-For", "X-Real-IP", "Forwarded", "X-MSISDN", "X-UP-CALLING-LINE-ID", "MSISDN", "X-Client-IP",
             "True-Client-IP", "CF-Connecting-IP", "X-Original-Forwarded-For", "X-Network-Info", "X-Nokia-MSISDN")


class NaiveGateway:
    """Answers with the number that it believes to be the caller's.

    `by` is `address` (the public address alone: the last subscriber behind it) or `header` (X-Forwarded-For, if there).
    `told` maps addresses to numbers. `callers` are the addresses and ports that connections came from.
    """

    def __init__(self, network, machine, host, port, by, told):
        self.callers = []
        gateway = self

        # Not http.server.HTTPServer: it looks its own name up, which takes seconds where no name server answers.
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                address = self.client_address[0]
                gateway.callers.append(self.client_address[:2])
                if by == "header":
                    address = self.headers.get("X-Forwarded-For", address)
                answer = told.get(address, "unknown").encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        with network.inside(machine):
            self.server = socketserver.ThreadingTCPServer((host, port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class NaiveDirectory:
    """Believes every packet with a right authenticator, from any source, in the order of arrival. It knows no list of
    packet cores, no event time, no session, no repetition."""

    def __init__(self, secret):
        self.secret = secret
        self.owner = {}
        self.said = []  # (address, number or None) each time that an answer changed

    def hear(self, packet):
        if len(packet) < 20 or packet[0] != 4 or not is_signed_request(packet, self.secret):
            return
        status, address, number = read(packet)
        number = None if status == STOP else number
        if self.owner.get(address) != number:
            self.said.append((address, number))
        self.owner[address] = number

    def went_back(self, address):
        """Whether somebody who had lost the address was given it again."""
        numbers = [number for where, number in self.said if where == address and number]
        return len(numbers) != len(set(numbers))

    def listen(self, network, machine, host, port, work=0.0):
        """Receives on a port of its own until the script ends. `work` is the time spent on each packet, in seconds."""
        with network.inside(machine):
            ear = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
            ear.bind((host, port))

        def hear_all():
            while True:
                self.hear(ear.recv(4096))
                if work:
                    time.sleep(work)

        threading.Thread(target=hear_all, daemon=True).start()


class NaiveReader:
    """A gateway that reads accounting packets in a simple way: the first value counts.

    With `strict` it refuses packets with `host bits` in prefixes, `repeated` attributes, or a `text` that is not
    UTF-8."""

    TEXTS, PREFIXES = (1, 30, 31, 32), (97, 123)
    UNKNOWN = "address_unknown"

    def __init__(self, secret, strict=None):
        self.secret, self.strict = secret, strict
        self.holders = {}  # network -> (session, number)

    def _refuses(self, attributes):
        if self.strict == "host bits":
            return any(
                kind in self.PREFIXES and len(value) > 2
                and int.from_bytes(value[2:].ljust(16, b"\0"), "big") << value[1] & (1 << 128) - 1
                for kind, value in attributes)
        if self.strict == "repeated":
            kinds = [kind for kind, _ in attributes if kind not in (26, 33, 241)]
            return len(set(kinds)) < len(kinds)
        try:
            for kind, value in attributes:
                if kind in self.TEXTS:
                    value.decode()
        except UnicodeDecodeError:
            return self.strict == "text"
        return False

    def hear(self, packet):
        """Whether it answers."""
        packet = packet[:int.from_bytes(packet[2:4], "big")]
        attributes = list(attributes_of(packet[20:]))
        is_whole = sum(len(value) + 2 for _, value in attributes) == len(packet) - 20
        if not is_whole or not is_signed_request(packet, self.secret) or self._refuses(attributes):
            return False
        first = {kind: value for kind, value in reversed(attributes) if value}
        session, number = first.get(44), first.get(31, b"").decode(errors="replace")
        if first.get(40) == b"\0\0\0\2":
            self.holders = {place: holder for place, holder in self.holders.items() if holder[0] != session}
        elif first.get(40) in (b"\0\0\0\1", b"\0\0\0\3"):
            for place in self._places(first):
                self.holders[place] = (session, number)
        return True

    @staticmethod
    def _places(first):
        if len(first.get(8, b"")) == 4:
            yield ipaddress.ip_network(first[8])
        prefix = first.get(97, b"")
        if 2 < len(prefix) <= 18 and prefix[1] <= 128:
            yield ipaddress.ip_network((prefix[2:].ljust(16, b"\0"), prefix[1]), strict=False)

    def ask(self, address):
        """The number that logs in from an address, or the code of the refusal."""
        held = (number for place, (_, number) in self.holders.items() if ipaddress.ip_address(address) in place)
        number = next(held, "")
        return number if number.isdigit() else self.UNKNOWN


def ask(network, machine, host, port, interface=None, headers=None):
    """A naive gateway's answer to a machine, None if nothing comes."""
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        with network.inside(machine):
            connection.sock = socket.socket(socket.AF_INET)
        connection.sock.settimeout(5)
        if interface:
            connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, interface.encode() + b"\0")
        connection.sock.connect((host, port))
        connection.request("GET", "/", headers=headers or {})
        return connection.getresponse().read().decode()
    except OSError:
        return None
    finally:
        connection.close()
