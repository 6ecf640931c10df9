"""Phones that speak the device dialect, written from docs/device-dialect.md and docs/openapi/device.yaml alone.

They share no code with the SDK or the server, so a login that works shows that the documents tell enough.
"""

import base64
import hashlib
import hmac
import http.client
import json
import secrets
import struct
import time

from .checks import PATIENCE, Stop
from .operators import close_if_ended
from .server import BUNDLE

try:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, utils
except ImportError as missing:
    raise Stop("python3-cryptography is missing; install it with: apt-get install python3-cryptography") from missing


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def length_prefixed(*fields):
    """Each field after its length as four bytes, most significant first."""
    encoded = [field.encode() if isinstance(field, str) else field for field in fields]
    return b"".join(struct.pack("!I", len(field)) + field for field in encoded)


def sha256(text):
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).digest()


class DeviceKey:
    """An install's P-256 key."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        numbers = self.key.public_key().public_numbers()
        self.jwk = {"kty": "EC", "crv": "P-256", "x": base64url(numbers.x.to_bytes(32, "big")),
                    "y": base64url(numbers.y.to_bytes(32, "big"))}
        # RFC 7638: the required members in the order of their names, without spaces.
        members = {name: self.jwk[name] for name in ("crv", "kty", "x", "y")}
        self.jwk_text = json.dumps(members, separators=(",", ":"))
        self.thumbprint = base64url(sha256(self.jwk_text))

    def sign(self, header, payload):
        """A compact JWS under ES256."""
        parts = [base64url(json.dumps(part, separators=(",", ":"), ensure_ascii=False).encode())
                 for part in ({**header, "alg": "ES256"}, payload)]
        r, s = utils.decode_dss_signature(self.key.sign(".".join(parts).encode(), ec.ECDSA(hashes.SHA256())))
        return ".".join([*parts, base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))])

    def proof(self, url, body, name, at, local_address=None):
        payload = {"jti": name, "htm": "POST", "htu": url, "iat": int(at), "bh": base64url(sha256(body))}
        if local_address:
            payload["la"] = local_address
        return self.sign({"typ": "dpop+jwt", "jwk": self.jwk}, payload)

    def attestation(self, app, thumbprint, challenge, bundle=BUNDLE, seconds=3600):
        """This key's word, as an attester's, that the device key of `thumbprint` lives in a genuine install."""
        now = int(time.time())
        return self.sign({"typ": "oauth-client-attestation+jwt"}, {
            "sub": app["id"], "bundle": bundle, "iat": now, "exp": now + seconds, "challenge": challenge,
            "cnf": {"jkt": thumbprint}})


def content_digest(content):
    fields = ["benji-consent-content-v1", content["drawnBy"], content["language"], content["policyVersion"],
              "ticked" if content["initiallyTicked"] else "unticked", str(len(content["texts"]))]
    for text in content["texts"]:
        fields += [text["role"], text["text"]]
    fields.append(str(len(content["links"])))
    for link in content["links"]:
        fields += [link["title"], link["url"]]
    return base64url(sha256(length_prefixed(*fields)))


class Phone:
    """One subscriber's phone with one app on it: an address, a device key, one kept-alive connection."""

    def __init__(self, server, app, address, number, dialect="device", timeout=PATIENCE, host="127.0.0.1"):
        self.server, self.app, self.address, self.number = server, app, address, number
        self.dialect, self.timeout, self.host = dialect, timeout, host
        self.key = DeviceKey()
        self.connection = None
        self.offer = None  # the last prefetch, renewed by an authorize that gave the next scrip
        self.local_address = None  # what it says in its proofs that its own address is
        self.face = None  # what the last face session was begun with
        self.headers = {}  # sent with every request, such as an attestation
        self.clock_offset = 0.0  # the server's clock less ours, in seconds; learnt from a refusal

    @property
    def now(self):
        return time.time() + self.clock_offset

    @property
    def url(self):
        """The gateway's address as the proofs name it."""
        return self.server.device_url

    def connect(self):
        return http.client.HTTPConnection(
            self.host, self.server.device, timeout=self.timeout, source_address=(self.address, 0))

    def post(self, path, body, name=None, at=None, proof=None):
        """(HTTP status, JSON). Raises OSError or HTTPException if no answer came."""
        data = json.dumps(body).encode()
        name = name or secrets.token_hex(16)
        proof = proof or self.key.proof(
            self.url + path, data, name, self.now if at is None else at, self.local_address)
        if self.connection is None:
            self.connection = self.connect()
        close_if_ended(self.connection)
        try:
            self.connection.request(
                "POST", path, data, {"Content-Type": "application/json", "DPoP": proof, **self.headers})
            answer = self.connection.getresponse()
            status, text = answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        return status, json.loads(text)

    def challenge(self):
        """The challenge that an attestation must repeat."""
        if self.connection is None:
            self.connection = self.connect()
        self.connection.request("GET", f"/device/v1/challenge?app={self.app['id']}")
        return json.loads(self.connection.getresponse().read())["challenge"]

    def app_key_proof(self, name):
        """That it knows the app's key, for the request whose proof has this name."""
        return base64url(hmac.new(
            self.app["key"].encode(),
            length_prefixed("benji-app-key-v1", self.app["id"], name, self.key.thumbprint), hashlib.sha256).digest())

    def prefetch(self):
        """The code; `offer` keeps the answer."""
        name = secrets.token_hex(16)
        _, answer = self.post("/device/v1/prefetch", {
            "app": self.app["id"], "bundle": BUNDLE, "appKeyProof": self.app_key_proof(name), "dialect": self.dialect},
                              name)
        self.offer = answer if answer["code"] == "success" else None
        return answer["code"]

    def consent(self):
        """The person's yes to the page of the last prefetch."""
        page, at = self.offer["page"], int(self.now * 1000)
        content = {
            "drawnBy": "app", "language": "zh-Hans", "policyVersion": self.offer["policyVersion"],
            "texts": [{"role": "number", "text": "{number}"}, {"role": "slogan", "text": page["slogan"]},
                      {"role": "loginButton", "text": "本机号码一键登录"}],
            "links": [{"title": page["termsTitle"], "url": page["termsURL"]}], "initiallyTicked": False}
        return self.key.sign({"typ": "benji-consent+jwt"}, {
            "app": self.app["id"], "trace": self.offer["trace"], "scripHash": base64url(sha256(self.offer["scrip"])),
            "nonceHash": base64url(sha256(self.offer["nonce"])), "content": content,
            "contentDigest": content_digest(content), "shownAt": at - 2000, "tickedAt": at - 1000, "tappedAt": at})

    def authorize(self, purpose="login"):
        """(code, token or None) for the last prefetch."""
        body = {"app": self.app["id"], "scrip": self.offer["scrip"], "purpose": purpose}
        if purpose == "login":
            body["consent"] = self.consent()
        _, answer = self.post("/device/v1/authorize", body)
        if answer["code"] != "success":
            self.offer = None
            return answer["code"], None
        if "scrip" in answer:
            self.offer = {**self.offer, "scrip": answer["scrip"], "nonce": answer["nonce"]}
        else:
            self.offer = None
        return "success", answer["token"]

    def ask_for_code(self, number):
        """The code of the answer; `sent` keeps the answer."""
        name = secrets.token_hex(16)
        _, answer = self.post("/device/v1/sms-code", {
            "app": self.app["id"], "bundle": BUNDLE, "appKeyProof": self.app_key_proof(name), "dialect": self.dialect,
            "number": number}, name)
        self.sent = answer if answer["code"] == "success" else None
        return answer["code"]

    def sms_consent(self, begun, hint):
        """The person's yes to a page of the app's own, in a login by SMS that was begun with this answer."""
        at = int(self.now * 1000)
        content = {
            "drawnBy": "app", "language": "zh-Hans", "policyVersion": begun["policyVersion"],
            "texts": [{"role": "number", "text": "{number}"}, {"role": "hint", "text": hint},
                      {"role": "loginButton", "text": "登录"}],
            "links": [{"title": "用户协议", "url": "https://shop.example/terms"}], "initiallyTicked": False}
        transaction = base64url(sha256(begun["transaction"]))
        return self.key.sign({"typ": "benji-consent+jwt"}, {
            "app": self.app["id"], "trace": begun["trace"], "scripHash": transaction, "nonceHash": transaction,
            "content": content, "contentDigest": content_digest(content), "shownAt": at - 2000, "tickedAt": at - 1000,
            "tappedAt": at})

    def log_in_by_code(self, digits, sent=None, **changes):
        """(code, token or None) for the code that was asked for last, with the person's yes to a page of the app's
        own."""
        sent = sent or self.sent
        consent = self.sms_consent(sent, "短信验证码")
        _, answer = self.post("/device/v1/sms-login", {
            "app": self.app["id"], "dialect": self.dialect, "transaction": sent["transaction"], "smsCode": digits,
            "consent": consent, **changes})
        return answer["code"], answer.get("token")

    def ask_for_text(self):
        """The code of the answer; `given` keeps the answer."""
        name = secrets.token_hex(16)
        _, answer = self.post("/device/v1/sms-upstream", {
            "app": self.app["id"], "bundle": BUNDLE, "appKeyProof": self.app_key_proof(name), "dialect": self.dialect},
                              name)
        self.given = answer if answer["code"] == "success" else None
        return answer["code"]

    def text_status(self, given=None):
        """The status of the text that was given last."""
        return self.post("/device/v1/sms-upstream-status", {
            "app": self.app["id"], "transaction": (given or self.given)["transaction"]})[1]

    def log_in_by_text(self, given=None):
        """(code, token or None) for that text, with the person's yes to a page that showed whose number it is."""
        given = given or self.given
        _, answer = self.post("/device/v1/sms-upstream-login", {
            "app": self.app["id"], "dialect": self.dialect, "transaction": given["transaction"],
            "consent": self.sms_consent(given, "短信已收到")})
        return answer["code"], answer.get("token")

    def token(self, purpose="login"):
        """(code, token or None) of a whole walk."""
        code = self.prefetch()
        return self.authorize(purpose) if code == "success" else (code, None)

    def begin_face_session(self):
        """(code, whether the number has no account yet) of a face session that a one-tap token of this number begins.
        `face` keeps its tokens and its session."""
        name = secrets.token_hex(16)
        app_token = self.post("/superid/v1/app-token", {
            "app": self.app["id"], "bundle": BUNDLE, "appKeyProof": self.app_key_proof(name)}, name)[1]["appToken"]
        code, token = self.token()
        if code != "success":
            return code, None
        answer = self.post("/superid/v1/begin", {
            "appToken": app_token, "purpose": "login", "token": token, "language": "zh-Hans"})[1]
        self.face = {"appToken": app_token, "token": token, "session": answer.get("session")}
        return answer["code"], answer.get("newAccount")

    def attested(self, attester):
        """Sends this attester's word along from now on."""
        self.headers = {"OAuth-Client-Attestation": attester.attestation(self.app, self.key.thumbprint,
                                                                         self.challenge())}
        return self

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None
