"""Accounting packets of public tests and captures, from vectors/accounting.txt, whose head describes its form."""

import hashlib
import hmac
import ipaddress
import re
import struct
from dataclasses import dataclass, field
from pathlib import Path

from .checks import Stop
from .radius import signed

PLACE = Path(__file__).parents[1] / "vectors/accounting.txt"
TOKEN = re.compile(r'"([^"]*)"|(\w+)')
# Type, and the value that a packet gets if its vector lacks the attribute.
MISSING = (("40", "00000001"), ("44", "SESSION"), ("55", "NOW"), ("8", "ADDRESS"), ("31", "NUMBER"))
KINDS = ("refused", "taken", "kept")


@dataclass(frozen=True)
class Subject:
    """The number, the places and the session of a vector when it is played."""

    number: str
    address: str
    prefix: str
    session: str

    @classmethod
    def numbered(cls, index):
        return cls(f"86139{index:08d}", f"10.77.0.{index + 1}", f"2001:db8:77:{index + 1:x}::", f"vector-{index}")

    def bytes_of(self, word, at):
        """The bytes of a placeholder, or None."""
        return {
            "ADDRESS": ipaddress.ip_address(self.address).packed,
            "PREFIX": ipaddress.ip_address(self.prefix).packed[:8],
            "NUMBER": self.number.encode(), "SESSION": self.session.encode(), "NOW": struct.pack("!I", at),
            "SIGNED": bytes(16)}.get(word)


@dataclass
class Vector:
    name: str
    source: str
    lines: list = field(default_factory=list)  # (type or None for raw bytes, text)
    tail: bytes = b""
    is_alone: bool = False
    differs: tuple = ()  # (kind, reason)

    def body(self, subject, at):
        """The attributes."""
        body = b"".join(attribute(kind, value(text, subject, at)) for kind, text in self.lines)
        if not self.is_alone:
            there = {kind for kind, _ in attributes_of(body)}
            missing = b"".join(
                attribute(kind, value(text, subject, at)) for kind, text in MISSING if int(kind) not in there)
            # Behind the vector, unless its end is no attribute.
            body = body + missing if is_whole(body) else missing + body
        return body

    def packet(self, subject, at, identifier, secret, status=None):
        """The signed Accounting-Request. `status` replaces the vector's own Acct-Status-Type."""
        body = self.body(subject, at)
        if status:
            old, new = (attribute("40", struct.pack("!I", each)) for each in (self.status(subject), status))
            body = body.replace(old, new, 1)
        place = body.find(b"\x50\x12" + bytes(16))
        if place >= 0:
            head = struct.pack("!BBH", 4, identifier, 20 + len(body)) + bytes(16)
            code = hmac.new(secret.encode(), head + body, hashlib.md5).digest()
            body = body[:place + 2] + code + body[place + 18:]
        return signed(body, identifier, secret) + self.tail

    def status(self, subject):
        """Acct-Status-Type, or None."""
        return next((struct.unpack("!I", text)[0] for kind, text in attributes_of(self.body(subject, 0))
                     if kind == 40 and len(text) == 4), None)


def value(text, subject, at):
    """The bytes of tokens: hexadecimal digits, "text" and placeholders."""
    found = b""
    for quoted, word in TOKEN.findall(text):
        placed = subject.bytes_of(word, at) if word else quoted.encode()
        found += bytes.fromhex(word) if placed is None else placed
    return found


def attribute(kind, content):
    """One attribute; the bytes as they are without a type."""
    if kind is None:
        return content
    number, *vendor = map(int, kind.split("."))
    if vendor:
        content = struct.pack("!IBB", vendor[0], vendor[1], len(content) + 2) + content
    return bytes([number, len(content) + 2]) + content


def attributes_of(body):
    """(type, value) of the attributes, up to the first one that is not whole."""
    place = 0
    while place + 2 <= len(body) and 2 <= body[place + 1] <= len(body) - place:
        yield body[place], body[place + 2:place + body[place + 1]]
        place += body[place + 1]


def is_whole(body):
    return sum(len(text) + 2 for _, text in attributes_of(body)) == len(body)


def read(path=PLACE):
    """All vectors of the file."""
    found, source = [], ""
    for line in path.read_text(encoding="utf-8").splitlines():
        word, _, rest = line.split(" #")[0].strip().partition(" ")
        if not word or word.startswith("#"):
            continue
        if word == "source":
            source = rest
        elif word == "vector":
            found.append(Vector(rest, source))
        elif word == "raw":
            found[-1].lines.append((None, rest))
        elif word == "tail":
            found[-1].tail = bytes.fromhex(rest)
        elif word == "alone":
            found[-1].is_alone = True
        elif word == "differs":
            kind, _, reason = rest.partition(": ")
            if kind not in KINDS or len(reason.split()) < 3:
                raise Stop(f"{path.name}: {line}: neither of {', '.join(KINDS)}, or no reason")
            found[-1].differs = (kind, reason)
        elif re.fullmatch(r"[\d.]+", word) and rest.startswith("="):
            found[-1].lines.append((word, rest[1:]))
        else:
            raise Stop(f"{path.name}: {line}: not understood")
    names = [vector.name for vector in found]
    if len(set(names)) != len(names) or not all(vector.source for vector in found):
        raise Stop(f"{path.name}: a name that is there twice, or a vector without a source")
    return found
