"""OneLogin's, OnePass's and GeYan's server interfaces, as backends in production call them.

Everything is written out here again from docs/onelogin-dialect.md and docs/geyan-dialect.md, so that a mistake of the
server's own signing code cannot hide in shared code.
"""

import hashlib
import hmac
import subprocess
import time

CHECK_PHONE = "/check_phone"
CHECK_GATEWAY = "/v2.0/check_gateway"
GEYAN_1 = "/v1/gy/ct_login/gy_get_pn"
GEYAN_2 = "/v2/gy/ct_login/gy_get_pn"


def now():
    return str(time.time_ns() // 1_000_000)


def onelogin_sign(app_id, timestamp, key):
    return hmac.new(key.encode(), f"{app_id}&&{timestamp}".encode(), hashlib.sha256).hexdigest()


def check_phone(app, token, process, timestamp=None, **changes):
    """A body for check_phone. A change to None leaves the member out."""
    timestamp = timestamp or now()
    return _changed({"process_id": process, "token": token, "timestamp": timestamp, "is_phone_encode": False,
                     "authcode": "",
                     "sign": onelogin_sign(app["id"], timestamp, app["serverSecret"])}, changes)


def check_gateway(app, token, process, phone, timestamp=None, **changes):
    timestamp = timestamp or now()
    return _changed({"process_id": process, "accesscode": token, "phone": phone, "timestamp": timestamp,
                     "sign": onelogin_sign(app["id"], timestamp, app["serverSecret"])}, changes)


def geyan_request(app, token, process, **changes):
    """GeYan's request without a sign."""
    return _changed({"appId": app["id"], "gyuid": "GY_1", "token": token, "processId": process}, changes)


def long_signed(app, body):
    text = "&".join(f"{name}={body[name]}" for name in sorted(body) if name != "sign" and body[name] not in ("", None))
    return {**body, "sign": hashlib.sha256(f"{text}&key={app['serverSecret']}".encode()).hexdigest()}


def short_signed(app, token, **changes):
    """As clients of version 2 send it: no processId, the time as a number."""
    timestamp = int(now())
    return _changed({"appId": app["id"], "gyuid": "GY_1", "timestamp": timestamp, "token": token,
                     "sign": short_sign(app, timestamp)}, changes)


def short_sign(app, timestamp):
    return hashlib.sha256(f"{app['serverSecret']}{timestamp}{app['serverSecret']}".encode()).hexdigest()


def decrypt(text, key, bits):
    """AES-CBC under the first bytes of the key, sixteen digits 0 for a vector, by the openssl command."""
    opened = subprocess.run(
        ["openssl", "enc", "-d", f"-aes-{bits}-cbc", "-K", key.encode()[:bits // 8].hex(), "-iv", "30" * 16],
        input=bytes.fromhex(text), capture_output=True, check=True)
    return opened.stdout.decode()


def _changed(body, changes):
    return {name: value for name, value in {**body, **changes}.items() if value is not None}
