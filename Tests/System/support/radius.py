"""Accounting-Requests (RFC 2866) by hand, for the moments when a second program would be too slow."""

import contextlib
import hashlib
import itertools
import socket
import struct
import time

from .checks import PATIENCE

START, STOP, INTERIM = 1, 2, 3


def _attribute(kind, value):
    return bytes([kind, len(value) + 2]) + value


def _vendor(vendor, kind, value):
    return _attribute(26, struct.pack("!I", vendor) + _attribute(kind, value))


def accounting_request(secret, status, session, address, number=None, imsi=None, at=None, nas="interop", identifier=0,
                       prefix=None, proxy_state=None):
    """An Accounting-Request as a packet core sends it. `at` is the Event-Timestamp in Unix seconds, `prefix` the first
    address of a /64."""
    body = _attribute(40, struct.pack("!I", status)) + _attribute(44, session.encode()) + _attribute(32, nas.encode())
    body += _attribute(8, socket.inet_aton(address))
    body += _attribute(55, struct.pack("!I", int(time.time()) if at is None else at))
    if prefix:
        body += _attribute(97, bytes([0, 64]) + socket.inet_pton(socket.AF_INET6, prefix)[:8])
    if number:
        body += _attribute(31, number.encode())
    if imsi:
        body += _vendor(10415, 1, imsi.encode())
    if status == STOP:
        body += _vendor(10415, 11, b"\xff")
    if proxy_state:
        body += _attribute(33, proxy_state)
    return signed(body, identifier, secret)


def signed(attributes, identifier, secret):
    """An Accounting-Request of attributes that are laid out already."""
    head = struct.pack("!BBH", 4, identifier, 20 + len(attributes))
    return head + hashlib.md5(head + bytes(16) + attributes + secret.encode()).digest() + attributes


def is_signed_request(packet, secret):
    """Whether the Request Authenticator of an Accounting-Request was made with `secret` (RFC 2866 section 3)."""
    return packet[4:20] == hashlib.md5(packet[:4] + bytes(16) + packet[20:] + secret.encode()).digest()


def is_answer(reply, request, secret):
    """Whether `reply` is the Accounting-Response to `request` under `secret` (RFC 2866 section 3)."""
    if len(reply) < 20 or reply[0] != 5 or reply[1] != request[1]:
        return False
    return reply[4:20] == hashlib.md5(reply[:4] + request[4:20] + reply[20:] + secret.encode()).digest()


def read(packet):
    """(Acct-Status-Type, Framed-IP-Address, Calling-Station-Id) of an Accounting-Request; None for a missing one."""
    found, place = {}, 20
    while place + 2 <= len(packet):
        kind, size = packet[place], packet[place + 1]
        found[kind] = packet[place + 2:place + size]
        place += max(size, 2)
    status = struct.unpack("!I", found[40])[0] if 40 in found else None
    address = socket.inet_ntoa(found[8]) if 8 in found else None
    return status, address, found[31].decode() if 31 in found else None


class PacketCore:
    """Sends accounting to one gateway and waits for the answers."""

    # Each begins with another identifier, because the system may give its port to the next one.
    _begun = itertools.count(0, 32)

    def __init__(self, port, secret, source="127.0.0.1", host="127.0.0.1"):
        self.secret = secret
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((source, 0))
        self.socket.connect((host, port))
        self.identifier = next(self._begun) % 256

    def send(self, status, session, address, seconds=PATIENCE, **fields):
        """True if the gateway answered, which is its promise that the record is kept; False if it did not."""
        request = self._request(status, session, address, **fields)
        deadline = time.monotonic() + seconds
        try:
            self.socket.send(request)
            while (left := deadline - time.monotonic()) > 0:
                self.socket.settimeout(left)
                if is_answer(self.socket.recv(4096), request, self.secret):
                    return True
        except OSError:
            pass  # no process, or no answer: the same to a packet core
        return False

    def answered(self, *events):
        """Sends several events and waits until the last one is answered; gives for each whether it was.

        Each is (status, session, address, further fields)."""
        requests, answers = [self._request(*event, **fields) for *event, fields in events], []
        self.socket.settimeout(PATIENCE)
        for request in requests:
            self.socket.send(request)
        with contextlib.suppress(TimeoutError):
            while not answers or not is_answer(answers[-1], requests[-1], self.secret):
                answers.append(self.socket.recv(4096))
        return [any(is_answer(answer, request, self.secret) for answer in answers) for request in requests]

    def _request(self, status, session, address, **fields):
        return accounting_request(self.secret, status, session, address, identifier=self.next_identifier(), **fields)

    def takes(self, request, fence):
        """Whether a request is answered. `fence` makes a request that must be answered, for an identifier.

        Two of them are sent behind, one after the other. An answer that has not come before theirs does not come."""
        self.socket.send(request)
        is_taken = False
        for _ in range(2):
            behind = fence(self.next_identifier())
            self.socket.send(behind)
            self.socket.settimeout(PATIENCE)
            while not is_answer(answer := self.socket.recv(4096), behind, self.secret):
                is_taken |= is_answer(answer, request, self.secret)
        return is_taken

    def next_identifier(self):
        self.identifier = (self.identifier + 1) % 256
        return self.identifier

    def close(self):
        self.socket.close()
