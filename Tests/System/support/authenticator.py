"""An authenticator app, which a person has on a phone of their own."""

import base64
import hashlib
import hmac
import struct
import time


def code(key, step=None):
    """The six digits of a key as the console shows it (RFC 6238), by default of now."""
    step = int(time.time()) // 30 if step is None else step
    digest = hmac.new(base64.b32decode(key.replace(" ", "")), struct.pack(">Q", step), hashlib.sha1).digest()
    number = struct.unpack(">I", digest[digest[19] & 15:][:4])[0] & 0x7fffffff
    return f"{number % 1_000_000:06}"
