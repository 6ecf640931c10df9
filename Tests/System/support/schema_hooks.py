"""Instructs schemathesis about Benji: how requests are signed and which tokens are good.

Without it every generated request would stop at the first check. So a part of them is signed, named and supplied as by
an honest caller, before or instead of generation. The rest is left as it is. Loaded by schemathesis
(SCHEMATHESIS_HOOKS) in its own process; the script next door passes names and keys in BENJI_SCHEMA.
"""

import atexit
import base64
import collections
import hashlib
import hmac
import http.client
import json
import os
import random
import re
import secrets
import sys
import threading
import time
import urllib.parse
from pathlib import Path

# After everything else: there was a schemathesis.py here.
sys.path.append(str(Path(__file__).resolve().parents[1]))

import schemathesis  # noqa: E402
from cryptography.hazmat.primitives import serialization  # noqa: E402

from support import operators  # noqa: E402
from support.phones import DeviceKey, Phone, base64url, length_prefixed, sha256  # noqa: E402
from support.vendors import onelogin_sign, long_signed, now  # noqa: E402

WORLD = json.loads(Path(os.environ["BENJI_SCHEMA"]).read_text())
FORM = "application/x-www-form-urlencoded"
VERIFIER = "verifier-of-forty-three-characters-or-more-0123"
CHALLENGE = base64url(hashlib.sha256(VERIFIER.encode()).digest())
PURPOSE = "dpv:FraudPreventionAndDetection"
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
SCOPES = {
    "/number-verification/v2/verify": ["number-verification:verify"],
    "/number-verification/v2/device-phone-number": ["number-verification:device-phone-number:read"],
    "/sim-swap/v2/check": ["sim-swap", "sim-swap:check"],
    "/sim-swap/v2/retrieve-date": ["sim-swap", "sim-swap:retrieve-date"],
    "/one-time-password-sms/v1/send-code": ["one-time-password-sms:send-validate"],
    "/one-time-password-sms/v1/validate-code": ["one-time-password-sms:send-validate"],
}
# The characters that JavaScript's encodeURIComponent leaves as they are.
SAFE = "-_.!~*'()"
turns = collections.Counter()  # requests by operation
dice = random.Random(int(os.environ.get("BENJI_SEED", "1")))
lock = threading.RLock()
seen = collections.Counter()


class Bank(DeviceKey):
    """The client that signs, with the key that the script registered."""

    def __init__(self):
        self.key = serialization.load_pem_private_key(WORLD["bank"]["pem"].encode(), None)
        self.jwk = None

    def assertion(self):
        at = int(time.time())
        return {"client_assertion_type": ASSERTION, "client_assertion": self.sign({"typ": "JWT"}, {
            "iss": WORLD["bank"]["id"], "sub": WORLD["bank"]["id"], "aud": WORLD["issuer"], "iat": at, "exp": at + 60,
            "jti": secrets.token_hex(16)})}


bank = Bank()


def ask(method, port, path, body=None, headers=None, source="127.0.0.1"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10, source_address=(source, 0))
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


def request(client, scope, **more):
    return {"client_id": client["id"], "redirect_uri": client["redirect"], "response_type": "code", "scope": scope,
            "state": "s", "nonce": "n", "code_challenge": CHALLENGE, "code_challenge_method": "S256", **more}


def code(scope):
    """A code that a phone's network bought for the bank."""
    query = urllib.parse.urlencode(request(WORLD["bank"], scope))
    _, headers, _ = ask("GET", WORLD["device"], f"/openid/authorize?{query}", source=dice.choice(WORLD["phones"]))
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(headers.get("Location", "")).query)).get("code", "")


def exchange(code):
    return {"grant_type": "authorization_code", "code": code, "redirect_uri": WORLD["bank"]["redirect"],
            "code_verifier": VERIFIER, **bank.assertion()}


def token(scopes, own=False):
    scope = f"{dice.choice(scopes)} {PURPOSE}"
    form = {"grant_type": "client_credentials", "scope": scope,
            **bank.assertion()} if own else exchange(code(f"openid {scope}"))
    _, _, text = ask("POST", WORLD["server"], "/openid/token", urllib.parse.urlencode(form), {"Content-Type": FORM})
    return json.loads(text).get("access_token", "")


def page():
    """(what the page's form sends back, its cookie) of a page that this machine's phone is shown."""
    query = urllib.parse.urlencode(request(WORLD["shop"], "openid phone"))
    _, headers, text = ask("GET", WORLD["device"], f"/openid/authorize?{query}")
    found = re.search(r'name="page" value="([A-Za-z0-9]+)"', text)
    return found and found[1], headers.get("Set-Cookie", "").split(";")[0]


def often(share):
    return dice.random() < share


def basic():
    text = f"{WORLD['shop']['id']}:{WORLD['shop']['secret']}"
    return "Basic " + base64.b64encode(text.encode()).decode()


# Requests by interface


def camara(case):
    if often(0.85):
        # Codes are sent by an app's own token alone.
        own = case.path.startswith("/one-time-password-sms") or case.path.startswith("/sim-swap") and often(0.6)
        case.headers["Authorization"] = "Bearer " + token(SCOPES[case.path], own)
        if own and not case.path.endswith("/validate-code") and isinstance(case.body, dict) and often(0.6):
            case.body["phoneNumber"] = "+86" + WORLD["number"]
    # In turn, not by lot, as in `administration`.
    turns[case.path] += 1
    unknown = {"/sim-swap/v2/check": {"phoneNumber": "+8613799999999"},
               "/one-time-password-sms/v1/validate-code": {"authenticationId": secrets.token_hex(16),
                                                           "code": "123456"}}.get(case.path)
    if unknown and turns[case.path] % 8 == 5:
        case.headers["Authorization"] = "Bearer " + token(SCOPES[case.path], own=True)
        case.body = unknown


def openid_page(case):
    place = case.query if case.method.upper() == "GET" else case.body
    if isinstance(place, dict) and often(0.8):
        good = request(WORLD["shop"] if often(0.5) else WORLD["bank"], f"openid number-verification:verify {PURPOSE}"
                       if often(0.3) else "openid phone")
        for name in good:
            if often(0.9):
                place[name] = good[name]
        for name in ("request", "request_uri"):
            if often(0.7):
                place.pop(name, None)


def openid_login(case):
    if isinstance(case.body, dict) and often(0.5):
        secret, cookie = page()
        if secret:
            case.body["page"] = secret
            case.headers["Cookie"] = cookie
            case.body["action"] = dice.choice(["login", "agree", "switch", case.body.get("action", "x")])
            if often(0.7):
                case.body["agreed"] = "yes"


def openid_server(case):
    if case.path == "/openid/userinfo":
        if often(0.6):
            case.headers["Authorization"] = "Bearer " + token(["number-verification:verify"])
        return
    if not isinstance(case.body, dict):
        return
    if often(0.4):
        case.headers["Authorization"] = basic()
        for name in ("client_assertion", "client_assertion_type", "client_secret", "client_id"):
            case.body.pop(name, None)
        if case.path == "/openid/par":
            case.body.update(request(WORLD["shop"], "openid phone"))
    elif often(0.7):
        if case.path == "/openid/token":
            case.body.clear()
            case.body.update(exchange(code(f"openid number-verification:verify {PURPOSE}")) if often(0.6) else {
                "grant_type": "client_credentials", "scope": f"sim-swap {PURPOSE}", **bank.assertion()})
        else:
            case.body.pop("client_id", None)
            case.body.update(bank.assertion())
            if case.path == "/openid/par":
                case.body.update(request(WORLD["bank"], "openid phone"))
                case.body.pop("request", None)
            elif often(0.7):
                case.body["token"] = token(["sim-swap"], often(0.5))


class Machine:
    """The facts about the server that `Phone` needs."""

    device, device_url = WORLD["device"], WORLD["device_url"]


def device(case):
    """An honest body for some, an honest proof for most: schemathesis makes the bytes, so they are fixed here."""
    if case.method.upper() != "POST":
        return None
    phone = Phone(Machine, WORLD["app"], "127.0.0.1", WORLD["number"])
    name, body = secrets.token_hex(16), case.body
    if often(0.4):
        key_proof = hmac.new(WORLD["app"]["key"].encode(), length_prefixed(
            "benji-app-key-v1", WORLD["app"]["id"], name, phone.key.thumbprint), hashlib.sha256).digest()
        good = {"app": WORLD["app"]["id"], "bundle": "com.example.shop", "appKeyProof": base64url(key_proof)}
        if case.path.endswith("/prefetch"):
            body = {**good, "dialect": "device"}
        elif phone.prefetch() == "success":
            body = {"app": WORLD["app"]["id"], "scrip": phone.offer["scrip"],
                    **({} if case.path.endswith("/forget") else {
                "purpose": "login", "consent": phone.consent()})}
            body = {**case.body, **body} if isinstance(case.body, dict) and often(0.3) else body
        phone.close()
    try:
        data = json.dumps(body).encode()
    except (TypeError, ValueError):
        return None
    if often(0.9):
        case.headers["DPoP"] = phone.key.proof(Machine.device_url + case.path, data, name, time.time())
    return data


def face(case):
    """An app token for some, an honest proof for most."""
    if case.method.upper() != "POST":
        return None
    key, name, app, body = DeviceKey(), secrets.token_hex(16), WORLD["face"], case.body

    def hello(name):
        proof = hmac.new(app["key"].encode(), length_prefixed("benji-app-key-v1", app["id"], name, key.thumbprint),
                         hashlib.sha256).digest()
        return {"app": app["id"], "bundle": "com.example.shop", "appKeyProof": base64url(proof)}

    if often(0.5) and isinstance(body, dict):
        if case.path.endswith("/app-token"):
            body = hello(name)
        elif "appToken" in body:
            first = secrets.token_hex(16)
            data = json.dumps(hello(first)).encode()
            proof = key.proof(Machine.device_url + "/superid/v1/app-token", data, first, time.time())
            _, _, text = ask("POST", WORLD["device"], "/superid/v1/app-token", data,
                             {"Content-Type": "application/json", "DPoP": proof})
            body = {**body, "appToken": json.loads(text).get("appToken", "")}
    try:
        data = json.dumps(body).encode()
    except (TypeError, ValueError):
        return None
    if often(0.9):
        case.headers["DPoP"] = key.proof(Machine.device_url + case.path, data, name, time.time())
    return data


def superid(case):
    """SuperID's sign over whatever the members are."""
    place = case.query if case.method.upper() == "GET" else case.body
    if not isinstance(place, dict) or often(0.15):
        return
    app = WORLD["face"]
    place.update({"app_id": app["id"], "timestamp": str(int(time.time())), "noncestr": secrets.token_hex(8)})
    place.pop("signature", None)
    if case.path == "/v1/group/create" and often(0.5):
        place.update({"name": "group", "source_app_id": app["id"], "info": "{}"})
    joined = "&".join(f"{name}={urllib.parse.quote(str(place[name]), safe=SAFE)}" for name in sorted(place))
    place["signature"] = hashlib.md5(f"{joined}:{app['serverSecret']}".encode()).hexdigest()


def vendors(case):
    """A sign that is right for whatever stands in the body, and an app that is there."""
    body = case.body
    if not isinstance(body, dict) or often(0.2):
        return
    app = WORLD["vendor"]
    if "gy_get_pn" in case.path:
        body.update({"appId": app["id"], "timestamp": now()})
        if often(0.5):
            body.update({"token": secrets.token_hex(24), "processId": secrets.token_hex(16)})
        signed = long_signed(app, {name: value for name, value in body.items() if isinstance(value, (str, int))})
        body["sign"] = signed["sign"]
    else:
        stamp = now()
        body.update({"app_id": app["id"], "timestamp": stamp,
                     "sign": onelogin_sign(app["id"], stamp, app["serverSecret"])})
        if often(0.5):
            body["process_id"] = secrets.token_hex(16)


def operator(case):
    """A sign that is right for whatever stands in the body, an app that is there, and now and then a token that is
    good."""
    body, app = case.body, WORLD["app"]
    if not isinstance(body, dict) or often(0.15):
        return
    if case.path == operators.LOGIN:
        body.update(operators.login_request(app, earned("login") if often(0.3) else str(body.get("token", ""))))
    elif case.path == operators.VERIFY:
        good = operators.verification_request(app, earned("verification") if often(0.3) else secrets.token_hex(28),
                                              WORLD["number"])
        body.update(good)
    elif case.path.endswith("/getMobile"):
        body.pop("expandParams", None)
        body.update(operators.h5_request(app))
        if often(0.5):
            case.headers["Origin"] = "https://shop.example"


def earned(purpose):
    """A token of a phone, or an invalid one if the phone is not let in just now."""
    phone = Phone(Machine, WORLD["app"], "127.0.0.1", WORLD["number"])
    try:
        return phone.token(purpose)[1] or secrets.token_hex(28)
    finally:
        phone.close()


def sandbox(case):
    """A phone that is there for most, in order for some that log in; room for another for some that are added."""
    def api(method, path, body=None):
        _, _, text = ask(method, WORLD["sandbox"], path, body and json.dumps(body))
        return json.loads(text) if text else None

    phones = [each["id"] for each in api("GET", "/api/phones")["phones"]]
    if case.path == "/api/phones" and case.method.upper() == "POST" and len(phones) == 8 and often(0.5):
        for phone in phones[4:]:
            api("DELETE", f"/api/phones/{phone}")
    if "{phone}" in case.path and often(0.8):
        phone = dice.choice(phones) if phones else api("POST", "/api/phones", {"name": "New"})["id"]
        case.path_parameters["phone"] = phone
        if case.path.endswith("/login") and often(0.5):
            api("PATCH", f"/api/phones/{phone}", {"sim": "mobile", "network": "cellular", "fault": None})
    shorten(case)


def server_api(case):
    """The app's credentials for most, and a token that is good for some."""
    app = WORLD["app"]
    if often(0.85):
        case.headers["Authorization"] = "Basic " + base64.b64encode(
            f"{app['id']}:{app['serverSecret']}".encode()).decode()
    turns[case.path] += 1
    if turns[case.path] % 5 == 4 and case.path == "/v1/tokens/redeem":
        case.body = {"token": earned("login")}
    elif turns[case.path] % 5 == 4 and case.path == "/v1/tokens/verify":
        case.body = {"token": earned("verification"), "number": "+86" + WORLD["number"]}


def administration(case):
    """An order of somebody who may give it, mostly, about an app and an admin that are there."""
    known = WORLD["admin"]
    # In turn, not by lot: some orders are drawn so seldom that one of these would be missed.
    name = f"{case.method} {case.path}"
    turns[name] += 1
    if turns[name] % 8 != 3:
        case.headers["Authorization"] = f"Bearer {known['tokens']['support' if turns[name] % 8 == 2 else 'operator']}"
    if "id" in case.path_parameters and often(0.8):
        case.path_parameters["id"] = known["app"]
    # Those who give the orders would otherwise end each other's tokens.
    if "name" in case.path_parameters:
        case.path_parameters["name"] = known["name"] if often(0.8) else "nobody"
    honest = {"POST /v1/apps": {"name": "Another"}, "PATCH /v1/apps/{id}": {"dailyQuota": 1000},
              "POST /v1/admins": {"name": f"new-{secrets.token_hex(4)}",
                                  "role": "support"}}.get(f"{case.method.upper()} {case.path}")
    if honest and often(0.3):
        case.body = honest
    if case.method.upper() == "POST" and case.path == "/v1/apps" and turns[name] % 5 == 4:
        # One key, for other apps each time: the first is made.
        case.body = {"name": f"Another {turns[name]}"}
        case.headers["Idempotency-Key"] = "again"
    elif "Idempotency-Key" in case.headers and often(0.7):
        case.headers["Idempotency-Key"] = secrets.token_hex(8)
    if isinstance(case.query, dict) and isinstance(case.query.get("app"), str) and often(0.5):
        case.query["app"] = known["app"]


def shorten(case):
    """Shortens waits of up to a minute to a moment; values out of range stay so."""
    fault = case.body.get("fault") if isinstance(case.body, dict) else None
    if isinstance(fault, dict) and fault.get("milliseconds") in range(50, 60_001):
        fault["milliseconds"] = 50
    if isinstance(case.query, dict) and str(case.query.get("wait")) in map(str, range(2, 61)):
        case.query["wait"] = 1


@schemathesis.hook
def before_call(context, case, kwargs):
    with lock:
        if case.path in SCOPES:
            camara(case)
        elif case.path == "/openid/authorize":
            openid_page(case)
        elif case.path == "/openid/login":
            openid_login(case)
        elif case.path.startswith("/openid"):
            openid_server(case)
        elif case.path.startswith("/device"):
            data = device(case)
            if data is not None:
                case.body = data
        elif case.path.startswith("/superid"):
            data = face(case)
            if data is not None:
                case.body = data
        elif case.path.startswith("/api/"):
            sandbox(case)
        elif case.path.startswith("/v1/tokens") or case.path == "/v1/apps/me":
            server_api(case)
        elif case.path.startswith(("/v1/apps", "/v1/admins", "/v1/audit", "/v1/traces")):
            administration(case)
        elif case.path.startswith("/v1/group") or case.path in ("/v1/oauth/token", "/v1/user/info"):
            superid(case)
        elif case.path.startswith(("/unisdk/", "/openapi/", "/h5/")):
            operator(case)
        elif "check" in case.path or "gy_get_pn" in case.path:
            vendors(case)


@schemathesis.hook
def after_call(context, case, response):
    with lock:
        seen[f"{case.method.upper()} {case.path} {response.status_code}"] += 1


atexit.register(lambda: Path(os.environ["BENJI_SEEN"]).write_text(json.dumps(seen)))
