"""The operators' server interfaces, as backends in production call them (TYRZSDK, TYRZLogin).

Everything is written out here again from the documents, so that a mistake of the server's own signing code cannot hide
in shared code.
"""

import hashlib
import hmac
import http.client
import json
import select
import ssl
import subprocess
import tempfile
import uuid
from datetime import datetime, timedelta, timezone

from .checks import PATIENCE

LOGIN = "/unisdk/rsapi/loginTokenValidate"
VERIFY = "/openapi/rs/tokenValidate"
USER = "/unisdk/rsapi/tokenValidate"
CHINA = timezone(timedelta(hours=8))


def moment(at=None):
    """Seventeen digits, UTC+8."""
    at = at or datetime.now(CHINA)
    return at.strftime("%Y%m%d%H%M%S") + f"{at.microsecond // 1000:03d}"


def month_of(milliseconds):
    """The month of a moment in UTC+8, as statements and lists take it."""
    return datetime.fromtimestamp(milliseconds / 1000, CHINA).strftime("%Y-%m")


def message_id():
    return uuid.uuid4().hex


def login_sign(appid, version, msgid, systemtime, strictcheck, token, key):
    """000 section 5.1.2: MD5 over the fields in the document's order, then the app key."""
    return hashlib.md5((appid + version + msgid + systemtime + strictcheck + token + key).encode()).hexdigest().upper()


def verification_sign(app_id, msg_id, phone_num, timestamp, token, version, key):
    """000 section 5.2.2: HMAC-SHA256 over the fields in the natural order of their names."""
    text = app_id + msg_id + phone_num + timestamp + token + version
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest().upper()


def number_hash(number, key, timestamp):
    return hashlib.sha256((number + key + timestamp).encode()).hexdigest().upper()


def rsa_sign(key_file, text):
    """SHA256withRSA by the openssl command, hexadecimal."""
    signed = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", str(key_file), "-hex", "-r"], input=text.encode(), capture_output=True,
        check=True)
    return signed.stdout.decode().split()[0]


def rsa_verifies(public_key, text, sign):
    """Whether an SHA256withRSA sign is right for a public key in PEM, by the openssl command."""
    with tempfile.TemporaryDirectory() as folder:
        key, signature = f"{folder}/key.pem", f"{folder}/sign"
        with open(key, "w") as file:
            file.write(public_key)
        with open(signature, "wb") as file:
            file.write(bytes.fromhex(sign))
        return subprocess.run(["openssl", "dgst", "-sha256", "-verify", key, "-signature", signature],
                              input=text.encode(),
                              capture_output=True).returncode == 0


def rsa_decrypt(key_file, text):
    """Decrypts a text in PKCS#1 v1.5 with the owner's key, by the openssl command."""
    with tempfile.NamedTemporaryFile() as sealed:
        sealed.write(bytes.fromhex(text))
        sealed.flush()
        opened = subprocess.run(
            ["openssl", "pkeyutl", "-decrypt", "-inkey", str(key_file), "-in", sealed.name, "-pkeyopt",
             "rsa_padding_mode:pkcs1"], capture_output=True, check=True)
    return opened.stdout.decode()


def login_request(app, token, key_file=None, lower=False, **changes):
    """A body for loginTokenValidate. With `key_file` it is signed in RSA mode."""
    body = {"appid": app["id"], "version": "2.0", "msgid": message_id(), "systemtime": moment(), "strictcheck": "0",
            "expandparams": "", "token": token}
    body.update({name: value for name, value in changes.items() if name != "sign"})
    if key_file:
        body["encryptionalgorithm"] = "RSA"
        sign = rsa_sign(key_file, body["appid"] + token)
    else:
        sign = login_sign(*(str(body[name]) for name in (
            "appid", "version", "msgid", "systemtime", "strictcheck", "token")), app["serverSecret"])
    body["sign"] = changes.get("sign", sign.lower() if lower else sign)
    return body


def verification_request(app, token, number, lower=False, header=None, body=None):
    """A body for the number verification."""
    head = {"appId": app["id"], "msgId": message_id(), "timestamp": moment(), "version": "1.0", **(header or {})}
    hashed = number_hash(number, app["serverSecret"], head["timestamp"])
    hashed = hashed.lower() if lower else hashed
    sign = verification_sign(
        *(str(head[name]) for name in ("appId", "msgId")), hashed, head["timestamp"], token, head["version"],
        app["serverSecret"])
    rest = {"openType": "1", "requesterType": "0", "message": "", "expandParams": "", "phoneNum": hashed,
            "token": token,
            "sign": sign.lower() if lower else sign}
    rest.update(body or {})
    return {"header": head, "body": {name: value for name, value in rest.items() if value is not None}}


def user_request(app, token, key_file, lower=False, **header):
    """A body for TYRZLogin's record of a user; always RSA."""
    sign = rsa_sign(key_file, app["id"] + token)
    head = {"version": "1.0", "msgid": message_id(), "systemtime": moment(), "strictcheck": "0", "appid": app["id"],
            "apptype": "5", "sign": sign.lower() if lower else sign.upper(), **header}
    return {"header": head, "body": {"token": token}}


def h5_request(app, **changes):
    """A request that an app's server signs for its web page: MD5 over the fields by name, then the server secret."""
    body = {"appId": app["id"], "businessType": "3", "msgId": message_id(), "timestamp": moment(),
            "traceId": message_id(),
            "version": "1.0", "expandParams": "", **changes}
    text = "".join(body[name] for name in ("appId", "businessType", "msgId", "timestamp", "traceId", "version"))
    return {"sign": hashlib.md5((text + app["serverSecret"]).encode()).hexdigest(), **body}


def close_if_ended(connection):
    """Lets a connection that the server has ended, because it was idle, be opened again by the next request."""
    opened = connection.sock
    # Over TLS there may be something else to read, such as tickets.
    if opened and not isinstance(opened, ssl.SSLSocket) and select.select([opened], [], [], 0)[0]:
        connection.close()


class Backend:
    """An app's server: one kept-alive connection from an address of its own. With `context` it speaks TLS."""

    def __init__(self, port, source="127.0.2.1", timeout=PATIENCE, host="127.0.0.1", context=None):
        options = {"timeout": timeout, "source_address": (source, 0)}
        self.connection = http.client.HTTPSConnection(host, port, context=context, **options) if context else \
            http.client.HTTPConnection(host, port, **options)

    def post(self, path, body, headers=None, method="POST"):
        """(status, JSON or None). `body` is an object, or bytes to send as they are."""
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        close_if_ended(self.connection)
        self.connection.request(method, path, data, {"Content-Type": "application/json", **(headers or {})})
        answer = self.connection.getresponse()
        text = answer.read()
        self.headers = answer.headers
        try:
            return answer.status, json.loads(text)
        except ValueError:
            return answer.status, None

    def redeem(self, app, token, **options):
        """The result code of loginTokenValidate and the number, if there is one."""
        _, answer = self.post(LOGIN, login_request(app, token, **options))
        return (answer or {}).get("resultCode"), (answer or {}).get("msisdn")

    def verify(self, app, token, number, **options):
        """The result code of the number verification."""
        _, answer = self.post(VERIFY, verification_request(app, token, number, **options))
        return ((answer or {}).get("header") or {}).get("resultCode")

    def close(self):
        self.connection.close()
