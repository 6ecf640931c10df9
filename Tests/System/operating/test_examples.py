"""The examples of docs/openapi/face.yaml and camara.yaml on a server: each request, with current tokens, names and
times, gets the answer that is shown. The examples of the other documents are in test_redeem.py.

The phone of face login is written from the documents alone. A portrait that a program bends passes its challenge, or
BENJI_FACE_PICTURES names pictures as test_superid.py has them."""

import hashlib
import http.client
import json
import os
import re
import secrets
import time
import urllib.parse
from pathlib import Path

import pytest

from support.checks import Stop
from support.examples import Examples
from support.facephones import FacePhone
from support.phones import DeviceKey, base64url
from support.provider import Provider
from support.puppet import Puppet
from support.server import FACE

pytestmark = pytest.mark.seconds(240)
PHONE, NUMBER = "127.8.9.1", "13800000001"
# The characters that JavaScript's encodeURIComponent leaves as they are.
SAFE = "-_.!~*'()"
PURPOSE = "dpv:FraudPreventionAndDetection"
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
VERIFIER = "verifier-of-forty-three-characters-or-more-0123"
# Members that are different each time: of requests, and of answers.
VARYING = {
    "face": ({"app", "app_id", "source_app_id", "appKeyProof", "appToken", "token", "session", "consent",
              "authorization", "groups",
              "accessToken", "refreshToken", "timestamp", "noncestr", "signature", "code", "access_token", "group",
              "open_id"},
             {"appToken", "serverTime", "trace", "session", "nonce", "challenge", "accessToken", "refreshToken",
              "remembered",
              "authorizationCode", "openId", "open_id", "uid", "uidSince", "candidate", "access_token", "id",
              "face_verified_at",
              "users", "lifetime"}),
    "camara": ({"authenticationId", "code"}, {"authenticationId", "latestSimChange"}),
}


@pytest.fixture(scope="module")
def server():
    if not (FACE / "models").is_dir():
        raise Stop("the face models are missing: make face-models ARGS=--portraits")
    made = Provider(None,
                    face={"enabled": True, "terms-url": "https://id.example/face-terms", "least-assurance": "net"},
                    sms={"names": ["file"], "file": {"kind": "file", "path": "messages.jsonl"}})
    with made:
        made.attach("attach", PHONE, NUMBER, imsi="460000000000001")
        yield made


def ask(port, method, path, body=None, headers=None, source="127.0.0.1"):
    """(status, headers, text)."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=(source, 0))
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


def signature(members, secret):
    joined = "&".join(f"{name}={urllib.parse.quote(members[name], safe=SAFE)}" for name in sorted(members)
                      if name != "signature")
    return hashlib.md5(f"{joined}:{secret}".encode()).hexdigest()


class Backend:
    """The app's server."""

    def __init__(self, examples, server, app):
        self.examples, self.server, self.app = examples, server, app

    def call(self, method, path, **live):
        """The `data` of a call's answer; `id` is for the address."""
        where = path.format(id=live.pop("id", ""))
        live |= {"app_id": self.app["id"], "timestamp": str(int(time.time())), "noncestr": secrets.token_hex(8),
                 "signature": ""}
        members = self.examples.request(method, path, live)
        members["signature"] = signature(members, self.app["serverSecret"])
        if method == "GET":
            status, _, text = ask(self.server.server, method, f"{where}?{urllib.parse.urlencode(members)}",
                                  source="127.0.2.1")
        else:
            status, _, text = ask(self.server.server, method, where, json.dumps(members),
                                  {"Content-Type": "application/json"}, "127.0.2.1")
        answer = json.loads(text)
        if status != 200:
            raise Stop(f"{method} {path}: {status} {answer}")
        return self.examples.hear(method, path, members, status, answer)["data"]


def test_face_login(checks, server):
    examples = Examples("face", *VARYING["face"])
    app = server.create_app(name="Shop")
    server.allow_face(app, "--groups")
    backend = Backend(examples, server, app)
    pictures = Path(os.environ.get("BENJI_FACE_PICTURES") or Puppet.pictures("president-1.jpg", challenges=8))
    phone = FacePhone(examples, pictures, server, app, PHONE, NUMBER)

    group = backend.call("POST", "/v1/group/create", source_app_id=app["id"])["id"]
    phone.ask_app_token()
    ended = phone.logs_in()

    def access(**more):
        return {"appToken": phone.app_token, "accessToken": ended["grant"]["accessToken"], **more}

    token = backend.call("POST", "/v1/oauth/token", code=ended["authorizationCode"])
    ended["grant"] = phone.call("renew", appToken=phone.app_token, refreshToken=ended["grant"]["refreshToken"])["grant"]
    phone.call("update-uid", **access())
    phone.call("update-user-info", **access())
    phone.call("state", appToken=phone.app_token)
    backend.call("POST", "/v1/user/info", access_token=token["access_token"])
    backend.call("POST", "/v1/group/{id}/users", id=group, open_id=ended["openId"])
    backend.call("GET", "/v1/group/{id}/users", id=group)
    backend.call("GET", "/v1/group/list")
    backend.call("GET", "/v1/group/{id}/info", id=group)
    backend.call("POST", "/v1/group/{id}", id=group)
    phone.call("user", **access())

    search = phone.call("search-begin", appToken=phone.app_token, group=group)
    terms = search["terms"]
    phone.call("consent", session=search["session"],
               consent=phone.yes(search, terms["version"], terms["title"], links=[terms]))
    phone.shows_the_face(search)
    found = phone.call("search", session=search["session"])
    checks.equal(found.get("candidate"), ended["openId"],
                 "the phone of the documents finds the person in the app's group")
    # A search becomes a login by what this phone remembers; that one is ended, the first one goes on.
    _, second = phone.post("/superid/v1/finish", {"session": search["session"], "remembered": ended["remembered"]})
    phone.call("logout", appToken=phone.app_token, accessToken=second["grant"]["accessToken"])
    phone.call("leave-groups", **access())
    backend.call("POST", "/v1/group/{id}/users", id=group, open_id=ended["openId"])
    backend.call("DELETE", "/v1/group/{id}/users", id=group, open_id=ended["openId"])
    backend.call("DELETE", "/v1/group/{id}", id=group)
    # Frozen while the face was just shown; an operator thaws it.
    phone.call("freeze", **access())
    done = server.command("face", "thaw", "--number", NUMBER, "--config", server.configuration)
    if done.returncode != 0:
        raise Stop(f"benji face thaw: {done.stdout} {done.stderr}")
    phone.call("cancel", **access())
    backend.call("POST", "/v1/group/create", source_app_id=app["id"])
    ended = phone.logs_in()
    phone.call("erase", **access())
    phone.close()
    checks.equal(examples.unheard, set(), "each call of docs/openapi/face.yaml was asked as its example shows")
    checks.equal(examples.faults, [], "and answered as it shows")


def test_the_signs_of_the_examples(checks):
    document = Examples("face", *VARYING["face"])
    secret = re.search(r"right for the server secret\s+`(\w+)`", document.document["info"]["description"])[1]
    for method, path in document.calls:
        if path.startswith("/v1/"):
            members = document.shown(method, path)
            checks.equal(members["signature"], signature(members, secret),
                         f"{method} {path}: the example's sign is right")


class Bank:
    """An app whose server asks CAMARA's interfaces, and signs its requests for tokens."""

    def __init__(self, server):
        self.server, self.key = server, DeviceKey()
        app = server.create_app("--number-without-page",
                                *(word for each in ("login", "verification", "sim-swap", "sms-codes")
                                                          for word in ("--capability", each)), name="Bank",
                                server_address="127.0.0.1")
        jwks = server.folder / "bank.json"
        jwks.write_text(json.dumps({"keys": [self.key.jwk]}))
        self.id, self.redirect = app["id"], "https://bank.example/back"
        server.client(self.redirect, "--jwks", jwks, "--purpose", PURPOSE, app=app)

    def token(self, scope, own=False):
        """An access token of a phone's, or the app's own."""
        at, scope = int(time.time()), f"{scope} {PURPOSE}"
        form = {"grant_type": "client_credentials", "scope": scope}
        if not own:
            challenge = base64url(hashlib.sha256(VERIFIER.encode()).digest())
            query = urllib.parse.urlencode({
                "client_id": self.id, "redirect_uri": self.redirect, "response_type": "code",
                "scope": f"openid {scope}", "state": "s",
                "nonce": "n", "code_challenge": challenge, "code_challenge_method": "S256"})
            _, headers, _ = ask(self.server.device, "GET", f"/openid/authorize?{query}", source=PHONE)
            code = urllib.parse.parse_qs(urllib.parse.urlsplit(headers.get("Location", "")).query).get("code", [""])[0]
            form = {"grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect,
                    "code_verifier": VERIFIER}
        form |= {"client_assertion_type": ASSERTION, "client_assertion": self.key.sign({"typ": "JWT"}, {
            "iss": self.id, "sub": self.id, "aud": self.server.issuer, "iat": at, "exp": at + 60,
            "jti": secrets.token_hex(16)})}
        status, _, text = ask(self.server.server, "POST", "/openid/token", urllib.parse.urlencode(form),
                              {"Content-Type": "application/x-www-form-urlencoded"})
        if status != 200:
            raise Stop(f"/openid/token: {status} {text}")
        return json.loads(text)["access_token"]


def test_camara(checks, server):
    examples = Examples("camara", *VARYING["camara"])
    bank = Bank(server)

    def call(method, path, scope, own=False, status=200, **live):
        body = examples.request(method, path, live)
        said, _, text = ask(server.server, method, path, json.dumps(body) if method == "POST" else None, {
            "Content-Type": "application/json", "Authorization": f"Bearer {bank.token(scope, own)}"})
        if said != status:
            raise Stop(f"{method} {path}: {said} {text}")
        return examples.hear(method, path, body, said, json.loads(text) if text else None)

    call("POST", "/number-verification/v2/verify", "number-verification:verify")
    call("GET", "/number-verification/v2/device-phone-number", "number-verification:device-phone-number:read")
    for name in ("check", "retrieve-date"):
        call("POST", f"/sim-swap/v2/{name}", f"sim-swap:{name}", own=True)
    codes = "/one-time-password-sms/v1"
    sent = call("POST", f"{codes}/send-code", "one-time-password-sms:send-validate", own=True)
    message = json.loads((server.folder / "messages.jsonl").read_text().splitlines()[-1])["text"]
    code = re.search(r"\d{6}", message)[0]
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    for shown, status in ((wrong, 400), (code, 204)):
        call("POST", f"{codes}/validate-code", "one-time-password-sms:send-validate", True, status,
             authenticationId=sent["authenticationId"], code=shown)
    checks.equal(examples.unheard, set(), "each call of docs/openapi/camara.yaml was asked as its example shows")
    checks.equal(examples.faults, [], "and answered as it shows")
