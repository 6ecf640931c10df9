"""Logs that lie, for followers: honest ones whose operator does one thing behind their backs. They sign what they say,
as the real one does."""

import base64
import hashlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


# RFC 9162 §2.1, as it stands there: no code of the verifier's.


def root_of(leaves):
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    half = half_of(len(leaves))
    return hashlib.sha256(b"\1" + root_of(leaves[:half]) + root_of(leaves[half:])).digest()


def half_of(count):
    half = 1
    while half * 2 < count:
        half *= 2
    return half


def inclusion(index, leaves):
    if len(leaves) == 1:
        return []
    half = half_of(len(leaves))
    if index < half:
        return inclusion(index, leaves[:half]) + [root_of(leaves[half:])]
    return inclusion(index - half, leaves[half:]) + [root_of(leaves[:half])]


def consistency(first, leaves, is_whole=True):
    if first == len(leaves):
        return [] if is_whole else [root_of(leaves)]
    half = half_of(len(leaves))
    if first <= half:
        return consistency(first, leaves[:half], is_whole) + [root_of(leaves[half:])]
    return consistency(first - half, leaves[half:], False) + [root_of(leaves[:half])]


class Key:
    def __init__(self):
        self.private = ec.generate_private_key(ec.SECP256R1())
        numbers = self.private.public_key().public_numbers()
        self.jwk = {"kty": "EC", "crv": "P-256", "x": encode(numbers.x.to_bytes(32, "big")),
                    "y": encode(numbers.y.to_bytes(32, "big"))}

    def sign(self, kind, claims):
        parts = [encode(json.dumps(each).encode()) for each in ({"alg": "ES256", "typ": kind}, claims)]
        r, s = decode_dss_signature(self.private.sign(".".join(parts).encode(), ec.ECDSA(hashes.SHA256())))
        return ".".join([*parts, encode(r.to_bytes(32, "big") + s.to_bytes(32, "big"))])


def signed_by(jwk, text):
    """The claims of a signed text; None if the key has not signed it."""
    signed, _, signature = text.rpartition(".")
    x, y = (int.from_bytes(decode(jwk[name]), "big") for name in ("x", "y"))
    r, s = (int.from_bytes(part, "big") for part in (decode(signature)[:32], decode(signature)[32:]))
    try:
        ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key().verify(
            encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return None
    return json.loads(decode(signed.split(".")[1]))


class LyingLog:
    """A log over HTTP. What it answers is its own business: tests put other leaves, heads and keys into it."""

    def __init__(self, count=0):
        self.key, self.published = Key(), None
        self.inputs = [f"leaf {index}".encode() for index in range(count)]
        self.head = None  # shown in the place of a true one
        self.shown_leaves = None
        self.asked = 0
        self.busy = 0  # answers to come that say "too many"
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                address = urlsplit(self.path)
                status, answer = outer.answer(address.path.removeprefix("/log/v1/"), dict(parse_qsl(address.query)))
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                if status == 429:
                    self.send_header("Retry-After", "1")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @property
    def leaves(self):
        return [hashlib.sha256(b"\0" + each).digest() for each in self.inputs]

    def sign(self, leaves=None, at=None, log="log", key=None):
        leaves = self.leaves if leaves is None else leaves
        claims = {"log": log, "size": len(leaves), "root": encode(root_of(leaves)),
                  "time": int((at or time.time()) * 1000)}
        return (key or self.key).sign("benji-log-head+jwt", claims)

    def answer(self, path, asked):
        self.asked += 1
        if self.busy:
            self.busy -= 1
            return 429, {"code": "too_many_requests"}
        leaves = self.leaves
        if path == "keys":
            return 200, {"keys": self.published or [self.key.jwk]}
        if path == "sth":
            return 200, {"head": self.head or self.sign()}
        if path == "consistency":
            first, second = int(asked["first"]), int(asked["second"])
            if second > len(leaves):
                return 400, {"code": "parameter_invalid"}
            return 200, {"consistency": [encode(each) for each in consistency(first, leaves[:second])]}
        if path == "entries":
            shown = self.shown_leaves or leaves
            return 200, {"hashes": [encode(each) for each in shown[int(asked["start"]):int(asked["end"])]]}
        return 404, {}
