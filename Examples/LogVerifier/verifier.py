#!/usr/bin/env python3
"""Follows Benji's public log of released numbers and consents, and checks what it proves (docs/log.md).

Python's standard library alone, and nothing of Benji's.

    verifier.py follow https://id.example.com --state log.json       # once; a timer calls it, or --every 60
    verifier.py evidence mine.json --state log.json --url https://id.example.com --number +8613800000001
    verifier.py compare log.json friends-log.json --url https://id.example.com

Exits with 0 if all is well, 1 if the log lied, and 2 if the log or a file could not be read.
"""

import argparse
import base64
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.error
import urllib.request

HEAD, RECEIPT = "benji-log-head+jwt", "consent-receipt+jwt"
PAGE = 1000  # leaves in one answer
LONGEST = 4 << 20  # bytes of an answer
PATIENCE = 10  # times that one question is asked while the log answers "too many"


class Lie(Exception):
    """A contradiction in the log. `proof` is the evidence to show to others."""

    def __init__(self, text, **proof):
        super().__init__(text)
        self.proof = proof


class Trouble(Exception):
    """The log could not be asked, or the input is not usable."""


# Bytes and signatures


def decode(text):
    if not isinstance(text, str) or "=" in text:
        raise Lie("something that should be base64url is not")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError as error:
        raise Lie("something that should be base64url is not") from error


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class P256:
    """Checks ECDSA signatures (FIPS 186-5 §6.4.2). It holds no secret, so it need not hide how long it takes."""

    p = 2**256 - 2**224 + 2**192 + 2**96 - 1
    n = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    b = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
    g = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
         0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)

    @classmethod
    def add(cls, one, other):
        if one is None or other is None:
            return one or other
        if one[0] == other[0]:
            if (one[1] + other[1]) % cls.p == 0:
                return None
            slope = (3 * one[0] * one[0] - 3) * pow(2 * one[1], -1, cls.p)
        else:
            slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, cls.p)
        x = (slope * slope - one[0] - other[0]) % cls.p
        return x, (slope * (one[0] - x) - one[1]) % cls.p

    @classmethod
    def times(cls, point, factor):
        total = None
        while factor:
            if factor & 1:
                total = cls.add(total, point)
            point, factor = cls.add(point, point), factor >> 1
        return total

    @classmethod
    def verify(cls, key, message, signature):
        if len(signature) != 64:
            return False
        x, y = key
        if not (0 <= x < cls.p and 0 <= y < cls.p and (y * y - x * x * x + 3 * x - cls.b) % cls.p == 0):
            return False
        r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
        if not (0 < r < cls.n and 0 < s < cls.n):
            return False
        digest, inverse = int.from_bytes(hashlib.sha256(message).digest(), "big"), pow(s, -1, cls.n)
        point = cls.add(cls.times(cls.g, digest * inverse % cls.n), cls.times(key, r * inverse % cls.n))
        return point is not None and point[0] % cls.n == r


def thumbprint(jwk):
    """RFC 7638."""
    members = {name: jwk[name] for name in ("crv", "kty", "x", "y")}
    return encode(hashlib.sha256(json.dumps(members, sort_keys=True, separators=(",", ":")).encode()).digest())


def signed(text, kind, keys):
    """The claims of a JWS that one of `keys` signed while it was in use. `keys` are JWKs by their thumbprints."""
    parts = text.split(".") if isinstance(text, str) and len(text) <= 16384 else []
    if len(parts) != 3:
        raise Lie("a signed text is none")
    try:
        header, claims = (json.loads(decode(part)) for part in parts[:2])
    except ValueError as error:
        raise Lie("a signed text holds no JSON") from error
    if header.get("alg") != "ES256" or header.get("typ") != kind:
        raise Lie(f"a signed text is no {kind}", signed=text)
    message, signature = ".".join(parts[:2]).encode(), decode(parts[2])
    for jwk in keys.values():
        key = tuple(int.from_bytes(decode(jwk[name]), "big") for name in "xy")
        if P256.verify(key, message, signature):
            seconds = claims.get("time") if kind == HEAD else claims.get("iat")
            if type(seconds) is not int:
                raise Lie("a signed text has no time", signed=text)
            seconds = seconds / 1000 if kind == HEAD else seconds
            if seconds + 1 < jwk.get("nbf", 0) or seconds > jwk.get("exp", float("inf")) + 1:
                raise Lie("a text is signed by a key that was not in use at its time", signed=text)
            return claims
    raise Lie(f"no key that is trusted signed this (it names {header.get('kid')}). If the operator says that it is "
              "theirs, give --key",
              signed=text)


# Trees (RFC 9162 §2.1)


def leaf_hash(data):
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def is_included(leaf, index, size, path, root):
    """§2.1.3.2"""
    if not 0 <= index < size:
        return False
    place, last, found = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return False
        if place & 1 or place == last:
            found = node_hash(sibling, found)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and found == root


def is_consistent(first, first_root, second, second_root, path):
    """§2.1.4.2"""
    if first == second:
        return not path and first_root == second_root
    if first == 0:
        return not path and first_root == hashlib.sha256().digest()
    if not path or not 0 < first < second:
        return False
    path = list(path)
    if first & (first - 1) == 0:
        path.insert(0, first_root)
    place, last = first - 1, second - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    former = latter = path[0]
    for each in path[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            former, latter = node_hash(each, former), node_hash(each, latter)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            latter = node_hash(latter, each)
        place, last = place >> 1, last >> 1
    return last == 0 and former == first_root and latter == second_root


class Tree:
    """Grows by a leaf at a time; keeps one hash for each complete tree in it."""

    def __init__(self, size=0, frontier=()):
        self.size, self.frontier = size, list(frontier)

    def append(self, leaf):
        found, rest = leaf, self.size
        while rest & 1:
            found, rest = node_hash(self.frontier.pop(), found), rest >> 1
        self.frontier.append(found)
        self.size += 1

    @property
    def root(self):
        if not self.frontier:
            return hashlib.sha256().digest()
        found = self.frontier[-1]
        for left in reversed(self.frontier[:-1]):
            found = node_hash(left, found)
        return found


# The log


class Log:
    def __init__(self, url):
        self.url = url.rstrip("/")

    def ask(self, path, **parameters):
        query = "&".join(f"{name}={value}" for name, value in parameters.items())
        address = f"{self.url}/log/v1/{path}" + (f"?{query}" if query else "")
        for left in reversed(range(PATIENCE)):
            try:
                with urllib.request.urlopen(address, timeout=20) as answer:
                    text = answer.read(LONGEST + 1)
                break
            except urllib.error.HTTPError as error:
                # A first read of a long log makes more requests than the log answers at once.
                if error.code == 429 and left:
                    wait = error.headers.get("Retry-After", "")
                    time.sleep(min(int(wait), 60) if wait.isascii() and wait.isdigit() else 1)
                    continue
                raise Trouble(f"{address}: {error.code} {error.read(500).decode(errors='replace')}") from error
            except OSError as error:
                raise Trouble(f"{address}: {error}") from error
        try:
            return json.loads(text)
        except ValueError as error:
            raise Lie(f"{address} answers no JSON") from error

    def consistency(self, first, second):
        """The log's proof; a log that has none lied in one of its heads."""
        if first in (0, second):
            return []
        try:
            return [decode(each) for each in self.ask("consistency", first=first, second=second)["consistency"]]
        except Trouble as error:
            if " 400 " in str(error):
                raise Lie(f"the log has no proof from {first} to {second} leaves") from error
            raise


class Head:
    def __init__(self, text, keys):
        self.text, claims = text, signed(text, HEAD, keys)
        try:
            self.log, self.size, self.time, self.root = claims["log"], claims["size"], claims["time"], decode(
                claims["root"])
        except KeyError as error:
            raise Lie("a head lacks a part", signed=text) from error
        # A number that is none, such as NaN, would pass every comparison.
        if type(self.size) is not int or self.size < 0 or not isinstance(self.log, str):
            raise Lie("a head's size is no number, or its log no name", signed=text)


def compare(log, one, other):
    """Checks that one of two heads continues the other."""
    if one.log != other.log:
        raise Trouble("the heads are of two logs")
    first, second = sorted((one, other), key=lambda head: head.size)
    if first.size == second.size and first.root != second.root:
        raise Lie(f"FORK: two heads of {first.size} leaves, with two roots", first=first.text, second=second.text)
    path = log.consistency(first.size, second.size)
    if not is_consistent(first.size, first.root, second.size, second.root, path):
        raise Lie(f"REWRITTEN: the log of {second.size} leaves does not begin with that of {first.size}",
                  first=first.text, second=second.text)


class Follower:
    """The remembered state of a log between two looks."""

    def __init__(self, path):
        self.path = path
        try:
            with open(path, encoding="utf-8") as file:
                known = json.load(file)
        except FileNotFoundError:
            known = {}
        except ValueError as error:
            raise Trouble(f"{path} is no state of a follower") from error
        self.keys = known.get("keys", {})
        self.head = Head(known["head"], self.keys) if "head" in known else None
        self.frontier = [decode(each) for each in known.get("frontier", [])]

    def save(self):
        text = json.dumps({"keys": self.keys, "head": self.head.text,
                           "frontier": [encode(each) for each in self.frontier]}, indent=1)
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.path + ".new", self.path)

    def trust(self, published, wanted):
        """Adds the keys of `wanted`; at the first look, if `wanted` is empty, all that the log publishes."""
        for jwk in published:
            name = thumbprint(jwk)
            if name in wanted or not wanted and self.head is None:
                self.keys[name] = jwk
            elif name in self.keys and "exp" in jwk:
                # A key may end, and never begins again.
                self.keys[name]["exp"] = min(jwk["exp"], self.keys[name].get("exp", jwk["exp"]))
        if not self.keys:
            raise Lie("none of the keys that the log publishes is the one of --key")

    def look(self, log, wanted=(), longest=120, now=None):
        """Looks at the log once. Returns the number of new leaves, or raises `Lie`."""
        now = time.time() if now is None else now
        known, leaves = self.head, Tree(self.head.size if self.head else 0, self.frontier)
        self.trust(log.ask("keys")["keys"], wanted)
        head = Head(log.ask("sth")["head"], self.keys)
        if now - head.time / 1000 > longest:
            raise Lie(f"OLD: the head was signed {now - head.time / 1000:.0f} seconds ago; something is held back",
                      head=head.text)
        # Otherwise a client that is shown only one head of the far future would take it for the newest for ever.
        if head.time / 1000 - now > longest:
            raise Lie(f"EARLY: the head is signed for {head.time / 1000 - now:.0f} seconds from now", head=head.text)
        if known:
            if head.log != known.log:
                raise Lie("OTHER: it is another log", first=known.text, second=head.text)
            if head.size < known.size:
                raise Lie(f"TRUNCATED: {head.size} leaves after {known.size}", first=known.text, second=head.text)
            if head.time < known.time:
                raise Lie("REPLAYED: a head from before the one that is known", first=known.text, second=head.text)
            compare(log, known, head)
        while leaves.size < head.size:
            end = min(head.size, leaves.size + PAGE)
            hashes = [decode(each) for each in log.ask("entries", start=leaves.size, end=end)["hashes"]]
            if len(hashes) != end - leaves.size or any(len(each) != 32 for each in hashes):
                raise Lie(f"MISSING: leaves {leaves.size} to {end - 1} are not all there", head=head.text)
            for each in hashes:
                leaves.append(each)
        if leaves.root != head.root:
            raise Lie(f"REWRITTEN: the leaves up to {head.size} do not make the root that was signed", head=head.text)
        self.head, self.frontier = head, leaves.frontier
        self.save()
        return head.size - (known.size if known else 0)


# Evidence of a person


def check_evidence(evidence, keys, number=None, receipt=None):
    """The parts of a leaf, once it is proven to be in the log of its head."""
    if evidence.get("format") != "benji-log-evidence/1":
        raise Trouble("the file is no evidence of a leaf")
    head = Head(evidence["head"], keys)
    text = evidence["leaf"]
    path = [decode(each) for each in evidence["path"]]
    if not is_included(leaf_hash(text.encode()), evidence["index"], head.size, path, head.root):
        raise Lie("NOT INCLUDED: the leaf is not where the proof says", evidence=evidence)
    lines = text.split("\n")
    if len(lines) != 8 or lines[0] != "benji-log-leaf/1" or lines[7]:
        raise Lie("the leaf is none of this log", evidence=evidence)
    kind, at, app, page, detail, commitment = lines[1:7]
    if number is not None:
        made = hmac.new(decode(evidence["salt"]), number.encode(), hashlib.sha256).digest()
        if not hmac.compare_digest(made, decode(commitment)):
            raise Lie("the leaf is about another number", evidence=evidence)
    if receipt is not None:
        claims = signed(receipt.strip(), RECEIPT, keys)
        if kind != "consent" or claims["consentHash"] != detail or claims["app"] != app:
            raise Lie("the leaf is about another consent than the receipt", evidence=evidence)
    return head, {"kind": kind, "time": int(at) / 1000, "app": app, "page": page, "detail": detail}


# The command


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise Trouble(str(error)) from error


def follow(arguments):
    while True:
        follower = Follower(arguments.state)
        new = follower.look(Log(arguments.url), arguments.key, arguments.max_age)
        head = follower.head
        print(f"{head.size} leaves, {new} of them new; signed "
              f"{time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(head.time / 1000))} UTC"
              f" by {', '.join(follower.keys)}", flush=True)
        if not arguments.every:
            return
        time.sleep(arguments.every)


def evidence(arguments):
    follower = Follower(arguments.state)
    if not follower.head:
        raise Trouble(f"{arguments.state} knows no head yet: follow the log first")
    found = json.loads(read(arguments.file))
    # The answer to an order holds many.
    every = [leaf["evidence"] for leaf in found["leaves"]] if "leaves" in found else [found]
    if not every:
        raise Trouble("the file has no evidence of a leaf")
    for one in every:
        head, leaf = check_evidence(one, follower.keys, arguments.number,
                                    read(arguments.receipt) if arguments.receipt else None)
        compare(Log(arguments.url), head, follower.head)
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(leaf["time"]))
        what = "agreed" if leaf["kind"] == "consent" else f"number told by {leaf['detail']}"
        print(f"in the log as leaf {one['index']}: {when} UTC, app {leaf['app']}, {what}, page {leaf['page']}")


def compare_states(arguments):
    one, other = (Follower(path) for path in arguments.states)
    if not one.head or not other.head:
        raise Trouble("both states need a head")
    compare(Log(arguments.url), one.head, other.head)
    print(f"one log: {one.head.size} and {other.head.size} leaves")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    commands = parser.add_subparsers(dest="command", required=True)
    each = commands.add_parser("follow", help="look at the log, and compare with the last look")
    each.add_argument("url", help="where the log is, without /log/v1")
    each.add_argument("--state", required=True, help="file in which the last look is remembered")
    each.add_argument("--key", action="append", default=[],
                      help="thumbprint of a key that the operator named; once for each")
    each.add_argument("--max-age", type=float, default=120, help="seconds that a head may be old (120)")
    each.add_argument("--every", type=float, help="look again after so many seconds, until something is wrong")
    each.set_defaults(run=follow)
    each = commands.add_parser("evidence", help="check what a person was given")
    each.add_argument("file")
    each.add_argument("--state", required=True)
    each.add_argument("--url", required=True)
    each.add_argument("--number", help="the number that it must be about: +8613800000001")
    each.add_argument("--receipt", help="file with the receipt of the consent that it must be about")
    each.set_defaults(run=evidence)
    each = commands.add_parser("compare", help="whether two followers saw one log")
    each.add_argument("states", nargs=2)
    each.add_argument("--url", required=True)
    each.set_defaults(run=compare_states)
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except Lie as lie:
        print(f"THE LOG LIED: {lie}", file=sys.stderr)
        if lie.proof:
            # Signed texts can be shown to others.
            path = f"{arguments.state if hasattr(arguments, 'state') else arguments.states[0]}.lie"
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"says": str(lie), **lie.proof}, file, indent=1)
            print(f"what shows it is in {path}", file=sys.stderr)
        sys.exit(1)
    except (Trouble, OSError, KeyError, TypeError, ValueError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
