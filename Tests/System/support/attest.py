"""A model of App Attest, from docs/device-dialect.md, docs/attestation.md and Apple's published format alone: who
stands in Apple's place, and the chip of a phone. What a real chip keeps to itself can be copied out of it here: attacks
do that."""

import copy
import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from .phones import base64url, length_prefixed, sha256
from .server import BUNDLE

TEAM = "A1B2C3D4E5"
APPLE_ID = f"{TEAM}.{BUNDLE}"
NONCE = x509.ObjectIdentifier("1.2.840.113635.100.8.2")
PRODUCTION = b"appattest".ljust(16, b"\0")


def cbor(value):
    """RFC 8949, what Apple's objects have of it."""
    def head(kind, count):
        size = next(size for size in (0, 1, 2, 4) if size == 0 and count < 24 or size and count < 1 << 8 * size)
        return bytes([kind << 5 | (count if size == 0 else 23 + {1: 1, 2: 2, 4: 3}[size])]) + (
            count.to_bytes(size, "big") if size else b"")

    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(name) + cbor(each) for name, each in value.items())


class Apple:
    """A root, an authority below it, and certificates of keys."""

    def __init__(self):
        self.root_key, self.middle_key = (ec.generate_private_key(ec.SECP384R1()) for _ in range(2))
        self.root = self._certificate("Model root", self.root_key.public_key(), "Model root", self.root_key, depth=1)
        self.middle = self._certificate("Model authority", self.middle_key.public_key(), "Model root", self.root_key,
                                        depth=0)

    @staticmethod
    def _certificate(name, key, issuer, signer, depth=None, nonce=None):
        now = datetime.datetime.now(datetime.timezone.utc)
        builder = x509.CertificateBuilder(
            issuer_name=x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]),
            subject_name=x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]), public_key=key,
            serial_number=x509.random_serial_number(), not_valid_before=now - datetime.timedelta(minutes=5),
            not_valid_after=now + datetime.timedelta(days=2))
        builder = builder.add_extension(x509.BasicConstraints(ca=depth is not None, path_length=depth), critical=True)
        if nonce:
            # SEQUENCE { [1] EXPLICIT OCTET STRING }
            value = bytes([0x30, len(nonce) + 4, 0xa1, len(nonce) + 2, 0x04, len(nonce)]) + nonce
            builder = builder.add_extension(x509.UnrecognizedExtension(NONCE, value), critical=False)
        return builder.sign(signer, hashes.SHA384())

    @property
    def pem(self):
        return self.root.public_bytes(serialization.Encoding.PEM).decode()

    def chain(self, key, nonce):
        leaf = self._certificate("Model of a key", key, "Model authority", self.middle_key, nonce=nonce)
        return [each.public_bytes(serialization.Encoding.DER) for each in (leaf, self.middle)]


class Chip:
    """One key in a phone's chip, and how often it has signed."""

    def __init__(self, apple):
        self.apple = apple
        self.key, self.counter = ec.generate_private_key(ec.SECP256R1()), 0
        point = self.key.public_key().public_bytes(serialization.Encoding.X962,
                                                   serialization.PublicFormat.UncompressedPoint)
        self.x, self.y, self.id = point[1:33], point[33:], sha256(point)

    @property
    def name(self):
        return base64url(self.id)

    def copied(self):
        """The copy that an attacker has who broke the chip."""
        return copy.copy(self)

    def _data(self, more=b""):
        return sha256(APPLE_ID) + b"\x40" + self.counter.to_bytes(4, "big") + more

    def attest(self, app, challenge, device_key):
        # The key in COSE's form (RFC 9053 section 7.1.1): kty 2, alg -7, crv 1, x, y.
        cose = bytes([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20]) + self.x + bytes([0x22, 0x58, 0x20]) + self.y
        data = self._data(PRODUCTION + len(self.id).to_bytes(2, "big") + self.id + cose)
        client = sha256(length_prefixed("benji-attestation-v1", app["id"], challenge, device_key))
        chain = self.apple.chain(self.key.public_key(), sha256(data + client))
        return cbor({"fmt": "apple-appattest", "attStmt": {"x5c": chain, "receipt": b"model"}, "authData": data})

    def assertion(self, app, challenge, proof, device_key):
        """The header for a request.

        - proof: `jti`, `htm`, `htu`, `iat`, `bh` and `la` of its proof."""
        self.counter += 1
        own = [b"\x01", proof["la"]] if proof["la"] else [b"\x00"]
        fields = [proof["jti"], proof["htm"], proof["htu"], str(proof["iat"]), proof["bh"]]
        client = sha256(length_prefixed("benji-assertion-v1", app["id"], challenge, *fields, *own, device_key))
        data = self._data()
        signature = self.key.sign(sha256(data + client), ec.ECDSA(hashes.SHA256()))
        return (f"apple-appattest.{self.name}.{challenge}."
                f"{base64url(cbor({'signature': signature, 'authenticatorData': data}))}")
