"""schemathesis (PyPI) asks a running server everything that our OpenAPI documents describe, and much that they do not.
No answer may be a server error, or lack in its document, in status, type, headers or members.

Requests are partly signed and supplied as by an honest caller (support/schema_hooks.py), so that answers of every kind
come. The script fails when the good ones do not. A double that departs from its document is caught in the same run.

The sandbox is told to be slow and to lose things. It does so: losses, codes, every network and every SIM are in. Only
how long something waits is made short (a fault's delay, a caller's patience), which changes no answer.
"""

import collections
import http.server
import json
import subprocess
import sys
import threading
import time

import pytest

from support.checks import Stop, folder, start
from support.provider import Provider
from support.sandbox import Sandbox
from support.server import FACE, ROOT, environment, free_ports

# For each document.
pytestmark = pytest.mark.seconds(800)
# With one seed the same requests are drawn every time. `--examples 300 --seed N` draws others, and more of them.
# `--long` asks boundary values too, which are two thirds of all requests.
OPTIONS = {"examples": 20, "seed": 20261121, "answers": False, "phases": "examples,fuzzing"}
ALL_PHASES = "examples,coverage,fuzzing"

PHONES = [f"127.8.20.{number}" for number in range(1, 41)]
NUMBER = "13800020000"
CHECKS = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
          "response_schema_conformance", "unsupported_method", "allow_header_conformance")

# Answers to honest requests that must come at least once, by document.
WANTED = {
    "device": ["POST /device/v1/prefetch 200", "POST /device/v1/authorize 200", "POST /device/v1/forget 200",
               "GET /device/v1/policy 200", "POST /device/v1/prefetch 400", "POST /device/v1/prefetch 401"],
    "openid pages": ["GET /openid/authorize 200", "GET /openid/authorize 303", "GET /openid/authorize 400",
                     "POST /openid/authorize 200", "POST /openid/login 303", "POST /openid/login 400",
                     "GET /openid/consents 200", "GET /openid/requests 200"],
    "openid": ["POST /openid/token 200", "POST /openid/token 400", "POST /openid/token 401", "POST /openid/par 201",
               "GET /openid/userinfo 200", "GET /openid/userinfo 401", "POST /openid/introspect 200",
               "POST /openid/revoke 200"],
    "log": ["GET /log/v1/sth 200", "GET /log/v1/keys 200", "GET /log/v1/entries 400", "GET /log/v1/inclusion 404"],
    "vendors": ["POST /check_phone 200", "POST /v2/gy/ct_login/gy_get_pn 200"],
    "server": ["POST /v1/tokens/redeem 200", "POST /v1/tokens/redeem 400", "POST /v1/tokens/redeem 401",
               "POST /v1/tokens/verify 200",
               "GET /v1/apps/me 200", "GET /v1/apps/me 401"],
    "operators": ["POST /unisdk/rsapi/loginTokenValidate 200", "POST /openapi/rs/tokenValidate 200",
                  "POST /unisdk/rsapi/tokenValidate 200"],
    "operators' pages": ["POST /h5/getMobile 200"],
    "camara": ["POST /number-verification/v2/verify 200", "POST /number-verification/v2/verify 400",
               "GET /number-verification/v2/device-phone-number 200", "POST /number-verification/v2/verify 401",
               "POST /sim-swap/v2/check 200", "POST /sim-swap/v2/check 422",
               "POST /sim-swap/v2/retrieve-date 200",
               "POST /one-time-password-sms/v1/send-code 200"],
    "face": ["POST /superid/v1/app-token 200", "POST /superid/v1/app-token 401", "POST /superid/v1/state 200",
             "POST /superid/v1/begin 401", "POST /superid/v1/finish 400"],
    "face servers": ["POST /v1/group/create 200", "GET /v1/group/list 200",
                     "GET /v1/group/{id}/info 404"],
    "admin": ["POST /v1/apps 200", "POST /v1/apps 400", "GET /v1/apps 200", "GET /v1/apps 401", "GET /v1/apps/{id} 200",
              "PATCH /v1/apps/{id} 200", "POST /v1/apps/{id}/suspend 200", "POST /v1/apps/{id}/resume 200",
              "GET /v1/audit 200",
              "GET /v1/audit 400", "POST /v1/traces/find 200", "GET /v1/traces/{trace} 403",
              "GET /v1/apps/{id}/ledger 200",
              "GET /v1/apps/{id}/statement 200", "POST /v1/admins 200", "GET /v1/admins 200",
              "POST /v1/admins/{name}/renew 200",
              "GET /v1/admins 403", "POST /v1/apps 409"],
    "sandbox": ["GET /api/choices 200", "GET /api/phones 200", "POST /api/phones 201", "POST /api/phones 400",
                "GET /api/phones/{phone} 200", "GET /api/phones/{phone} 404",
                "PATCH /api/phones/{phone} 200", "PATCH /api/phones/{phone} 400", "DELETE /api/phones/{phone} 204",
                "POST /api/phones/{phone}/login 200", "POST /api/phones/{phone}/token 200", "GET /api/app 200",
                "PATCH /api/app 200", "PATCH /api/app 400", "GET /api/timeline 200", "GET /api/timeline 400",
                "DELETE /api/timeline 204"],
}

# The same where boundary values are asked too (--long).
WANTED_OF_ALL_PHASES = {
    "camara": ["POST /sim-swap/v2/check 404", "POST /one-time-password-sms/v1/validate-code 404"],
    "face servers": ["POST /v1/group/create 401"],
    "sandbox": ["POST /api/phones 409"],
}


class World(Provider):
    """`benji serve`, one client that signs, one with a secret, and forty phones; plain, as schemathesis calls from
    here."""

    def __init__(self):
        (self.administration,) = free_ports(1)
        listen = {"administration": f"127.0.0.1:{self.administration}"}
        super().__init__(None, listen=listen, nas={"pgw": {"pools": ["127.8.0.0/16", "127.0.0.1/32"]}}, sms={
            "names": ["file"], "file": {"kind": "file", "path": "messages.jsonl"}}, face={
            "enabled": True, "terms-url": "https://id.example/face-terms", "models": str(FACE / "models")})

    def registered(self, app, *arguments):
        redirect = f"https://shop.example/{app['id']}"
        client = self.client(redirect, *arguments, app=app)
        return {"id": app["id"], "redirect": redirect, "secret": client.get("client_secret")}

    def describe(self, place, sandbox):
        """Writes the values that the hooks need into a file."""
        from cryptography.hazmat.primitives import serialization
        from support.phones import DeviceKey
        key = DeviceKey()
        jwks = self.folder / "jwks.json"
        jwks.write_text(json.dumps({"keys": [key.jwk]}))
        bank = self.registered(
            self.create_app("--capability", "login", "--capability", "verification", "--capability", "sim-swap",
                            "--capability", "sms-codes", "--number-without-page", name="Bank",
                            server_address="127.0.0.1"),
            "--jwks", jwks, "--purpose", "dpv:FraudPreventionAndDetection")
        bank["pem"] = key.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
        for number, address in enumerate([*PHONES, "127.0.0.1"]):
            done = self.attach("attach", address, str(int(NUMBER) + number), imsi=f"46000000000{number:04}")
            if done.returncode != 0:
                raise Stop(f"benji phone attach: {done.stderr}")
        place.write_text(json.dumps({
            "issuer": self.issuer, "server": self.server, "device": self.device, "device_url": self.device_url,
            "number": NUMBER, "phones": PHONES, "bank": bank, "sandbox": sandbox.port,
            "shop": self.registered(self.create_app(server_address="127.0.0.1")),
            "app": self.create_app(server_address="127.0.0.1"),
            "face": self.create_app("--capability", "login", "--capability", "face", "--capability", "face-groups",
                                    server_address="127.0.0.1"),
            "vendor": self.create_app("--phones-without-key", server_address="127.0.0.1"), "admin": self.admins()}))
        return place

    def granted(self, name, role):
        made = self.command("admin", "grant", name, "--role", role, "--json", "--config", self.configuration)
        if made.returncode != 0:
            raise Stop(f"benji admin grant: {made.stderr}")
        return json.loads(made.stdout)

    def admins(self):
        """The admins that give the orders, and an app and an admin as targets: the others are needed as they are."""
        tokens = {role: self.granted(f"{role}-1", role)["token"] for role in ("operator", "support")}
        self.granted("target", "auditor")
        return {"tokens": tokens, "app": self.create_app(name="Target")["id"], "name": "target"}


class Double(http.server.BaseHTTPRequestHandler):
    """Answers every question of sim-swap with a status that its document lacks."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(418)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_TRACE = do_HEAD = do_POST

    def log_message(self, *_):
        pass


class Asking:
    """One run of schemathesis over one document, in a process of its own."""

    def __init__(self, name, document, url, world, options, *arguments):
        self.name, self.place = name, folder()
        self.begin = time.monotonic()
        command = [sys.executable, "-m", "schemathesis.cli", "run", str(ROOT / f"docs/openapi/{document}.yaml"),
                   "--url", url, "--checks",
                   ",".join(CHECKS), "--phases", options.phases, "--max-examples", str(options.examples), "--seed",
                   str(options.seed), "--request-timeout", "10", "--continue-on-failure", "--warnings", "off",
                   "--suppress-health-check", "all", "--no-color", "--generation-database", "none", *arguments]
        settings = {"BENJI_SCHEMA": str(world), "BENJI_SEEN": str(self.place / "seen.json"),
                    "BENJI_SEED": str(options.seed),
                    "SCHEMATHESIS_HOOKS": str(ROOT / "Tests/System/support/schema_hooks.py"), "NO_PROXY": "*"}
        self.log = self.place / "log"
        with open(self.log, "wb") as log:
            self.process = start(command, cwd=self.place, env=environment() | settings, stdout=log,
                                 stderr=subprocess.STDOUT,
                                 stdin=subprocess.DEVNULL)

    def end(self):
        """(its status, the answers seen, the end of its output)."""
        status = self.process.wait()
        seen = self.place / "seen.json"
        text = self.log.read_text(errors="replace")
        at = text.find("= FAILURES =")
        return status, collections.Counter(json.loads(seen.read_text()) if seen.exists()
                                           else {}), text[max(at, 0):][:6000]


def test_a_double_that_answers_otherwise(checks, world, options):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Double)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    asking = Asking("double", "camara", f"http://127.0.0.1:{server.server_address[1]}", world, options,
                    "--include-path-regex", "^/sim-swap", "--max-examples", "3")
    status, _, said = asking.end()
    checks.that(status != 0 and "Undocumented" in said, "a double that answers 418 is caught", said)
    server.shutdown()


BROWSERS = "^/openid/(authorize|login|consents|requests|benji[.]js|media/.*)$"
# A name, its document, the server, and further arguments of schemathesis.
DOCUMENTS = {
    "camara": ("camara", "issuer", ["--max-examples", "30"]),
    "openid pages": ("openid", "pages", ["--include-path-regex", BROWSERS]),
    "openid": ("openid", "issuer", ["--exclude-path-regex", BROWSERS]),
    "device": ("device", "pages", []),
    "log": ("log", "issuer", []),
    "vendors": ("vendors", "issuer", []),
    "server": ("server", "issuer", []),
    "operators": ("operators", "issuer", ["--exclude-path-regex", "^/h5/"]),
    "operators' pages": ("operators", "pages", ["--include-path-regex", "^/h5/"]),
    # Frames are no JSON, and schemathesis cannot make them.
    "face": ("face", "pages", ["--include-path-regex", "^/superid", "--exclude-path-regex", "/frames$"]),
    "face servers": ("face", "issuer", ["--include-path-regex", "^/v1"]),
    "admin": ("admin", "administration", []),
    # Only some of the draws name a phone that is not there.
    "sandbox": ("sandbox", "sandbox", ["--max-examples", "30"]),
}


@pytest.fixture(scope="module")
def options(options, request):
    if request.config.getoption("long"):
        options.phases = ALL_PHASES
    return options


@pytest.fixture(scope="module")
def installation():
    return World()


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as made:
        yield made


@pytest.fixture(scope="module")
def world(server, sandbox):
    """The file with the values that the hooks need."""
    return server.describe(server.folder / "world.json", sandbox)


def test_every_document_is_asked_about(checks):
    there = {path.stem for path in (ROOT / "docs/openapi").glob("*.yaml")}
    checks.equal({document for document, _, _ in DOCUMENTS.values()}, there, "every OpenAPI document is asked about")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_document(checks, server, sandbox, world, options, name):
    document, by, arguments = DOCUMENTS[name]
    url = {"issuer": server.issuer, "pages": server.device_url, "sandbox": sandbox.page.rstrip("/"),
           "administration": f"http://127.0.0.1:{server.administration}"}[by]
    asking = Asking(name, document, url, world, options, *arguments)
    status, seen, said = asking.end()
    checks.that(status == 0, f"{name}: no server error, no undocumented answer in {seen.total()} requests "
                f"({time.monotonic() - asking.begin:.0f} s)", said)
    wanted = WANTED[name] + (WANTED_OF_ALL_PHASES.get(name, []) if options.phases == ALL_PHASES else [])
    missing = [answer for answer in wanted if not seen[answer]]
    checks.equal(missing, [], f"{name}: honest requests are answered")
    errors = [answer for answer in seen if answer.split()[-1].startswith("5")]
    checks.equal(errors, [], f"{name}: nothing was answered with 5xx")
    if options.answers:
        for answer, count in sorted(seen.items()):
            checks.note(f"{count:5} {answer}")


def test_afterwards(checks, server, sandbox, world):
    checks.equal(server.ready()[0], 200, "the server is healthy afterwards")
    log = server.log.read_text(errors="replace")
    checks.that(NUMBER[:-2] not in log, "no phone's number is in the log")
    said = (log + sandbox.log.read_text(errors="replace")).splitlines()
    checks.equal([line for line in said if "unexpected error" in line], [],
                 "neither met anything that it had not foreseen")
    phone = sandbox.ask("POST", "/api/phones", {})[1].get("id") or sandbox.ask("GET",
                                                                               "/api/phones")[1]["phones"][0]["id"]
    sandbox.ask("PATCH", f"/api/phones/{phone}", {"sim": "mobile", "network": "cellular", "fault": None})
    login = sandbox.ask("POST", f"/api/phones/{phone}/login")[1]
    checks.that(login["loggedIn"], "afterwards a phone of the sandbox still logs in", login)
