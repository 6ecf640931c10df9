"""Opens the values that an installation seals, with its master key and without its code."""

import base64
import hashlib
import hmac
import shutil
import sqlite3

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from .checks import folder


def prefixed(*fields):
    """Fields joined by their lengths, the first of them a domain."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


class Vault:
    def __init__(self, path):
        text = path.read_text().strip().removeprefix("benji-master-key-1:")
        self.key = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    def derived(self, purpose):
        """HKDF with SHA-256 and without a salt (RFC 5869), one block."""
        secret = hmac.digest(bytes(32), self.key, hashlib.sha256)
        return hmac.digest(secret, f"benji/1/{purpose}".encode() + b"\x01", hashlib.sha256)

    def index(self, number):
        """The blind index of a number with its country code."""
        return hmac.digest(self.derived("index"), prefixed(b"number", number.encode()), hashlib.sha256)

    def number(self, index, sealed):
        """The number of a row of the register, or None."""
        # Version 2, the key's id, nonce, ciphertext with its tag.
        name, nonce, secret = sealed[1:9], sealed[9:21], sealed[21:]
        try:
            return AESGCM(self.derived("seal")).decrypt(
                nonce, secret, prefixed(b"benji-sealed-v2", name, b"number", index)).decode()
        except InvalidTag:
            return None

    def rows(self, path):
        """The register: {number: (index, sealed number, epoch key)}. Read from a copy: a look must not write the log
        home."""
        place = folder()
        for each in path.parent.glob(f"{path.name}*"):
            if not each.name.endswith("-shm"):
                shutil.copy(each, place)
        database = sqlite3.connect(place / path.name)
        try:
            rows = database.execute("SELECT number_index, sealed_number, epoch_key FROM subscription").fetchall()
        finally:
            database.close()
        return {self.number(row[0], row[1]): row for row in rows}
