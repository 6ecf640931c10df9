"""Calls the server API of the sandbox with curl, and with each client library of Clients and Sources/BenjiServerAPI. A
login, a comparison, a repeated request and each refusal are tried. Each library also checks events of callbacks."""

import base64
import hashlib
import hmac
import http.server
import json
import re
import threading
from pathlib import Path

import pytest

from support import redeeming
from support.checks import folder, require, run
from support.sandbox import Sandbox
from support.server import ROOT, binary, environment

DRIVERS = ROOT / "Tests/System/clients"
NUMBER = "+8613800000011"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
NOW = 1_795_000_000


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as made:
        yield made


@pytest.fixture(scope="module")
def app(sandbox):
    """SANDBOX_APP, SANDBOX_SERVER_SECRET and SANDBOX_SERVER."""
    said = run([binary(), "sandbox", "app", "--shell"], env=environment() | {"BENJI_SANDBOX": sandbox.page.rstrip("/")})
    return dict(re.findall(r"(?m)^export (\w+)='(.*)'$", said.stdout))


def token(sandbox, *options):
    said = run([binary(), "phone", "token", "phone-1", *options],
               env=environment() | {"BENJI_SANDBOX": sandbox.page.rstrip("/")})
    return said.stdout.strip()


def built(language):
    """Builds the driver of a language. Returns its command line and its environment."""
    place = folder()
    if language == "python":
        return [require("python3", "python3"), str(DRIVERS / "driver.py")], {
            "PYTHONPATH": str(ROOT / "Clients/python"), "PYTHONDONTWRITEBYTECODE": "1"}
    if language == "node":
        return [require("node", "nodejs"), str(DRIVERS / "driver.mjs")], {}
    if language == "php":
        return [require("php", "php-cli"), str(DRIVERS / "driver.php")], {}
    command, start = {
        "java": lambda: ([require("javac", "openjdk-17-jdk-headless"), "-Xlint:all,-serial", "-Werror", "-d",
                          str(place),
                          str(ROOT / "Clients/java/BenjiServer.java"), str(DRIVERS / "Driver.java")],
                         [require("java", "openjdk-17-jre-headless"), "-cp", str(place), "Driver"]),
        "go": lambda: ([require("go", "golang-go"), "build", "-o", str(place / "driver"), "."],
                       [str(place / "driver")]),
        "swift": lambda: ([require("swiftc", "a toolchain of Swift"), "-swift-version", "6", *redeeming.CRYPTO, "-o",
                           str(place / "driver"),
                           *map(str, (ROOT / "Sources/BenjiServerAPI").glob("*.swift")), str(DRIVERS / "main.swift"),
                           "-L", str(redeeming.STANDINS / "crypto"), "-lCrypto", "-lstdc++"],
                          [str(place / "driver")])}[language]()
    said = run(command, cwd=DRIVERS / "go" if language == "go" else None,
               env=environment() | {"GOCACHE": str(place / "cache"), "GOFLAGS": "-mod=mod", "GOPROXY": "off"})
    assert said.returncode == 0, said.stdout + said.stderr
    return start, {}


@pytest.fixture(
    scope="module",
    params=["python", *(pytest.param(each, marks=pytest.mark.part("operator"))
                        for each in ("node", "php", "java", "go", "swift"))])
def client(request):
    """Runs the driver of one language with some arguments, and returns the line that it prints."""
    start, settings = built(request.param)

    def ask(*words):
        said = run([*start, *words], env=environment() | settings)
        return said.stdout.strip() or said.stderr

    return ask


@pytest.mark.parametrize("document", ["README.md", "README.zh-CN.md", "docs/server-api.md"])
def test_curl(checks, sandbox, app, document):
    """The documents' curl calls work beside the running demo, and their answers have the members that the documents
    show."""
    text = (ROOT / document).read_text()
    calls = re.findall(r"(?ms)^```sh\n(curl [^\n]*/v1/tokens/(\w+).*?)^```(?:\n\n```json\n(.*?)^```)?", text)
    checks.that(calls, f"{document} has a call")
    settings = environment() | app | {"BENJI_SANDBOX": sandbox.page.rstrip("/"),
                                      "PATH": f"{Path(binary()).parent}:/usr/bin:/bin",
                                      "APP_ID": app["SANDBOX_APP"], "APP_SECRET": app["SANDBOX_SERVER_SECRET"]}
    for call, operation, shown in calls:
        made = token(sandbox, *(["--verification"] if operation == "verify" else []))
        call = call.replace("https://id.example.com",
                            app["SANDBOX_SERVER"]).replace("STsid…", made).replace("+8613800000001", NUMBER)
        answer = json.loads(run(["bash", "-euc", call], env=settings).stdout or "{}")
        checks.that(answer.get("number") == NUMBER or answer.get("isSame"), f"{document}: {operation} answers",
                    str(answer))
        if shown:
            checks.equal(list(answer), list(json.loads(shown)), f"{document}: the members of {operation}'s answer")


def test_a_client(checks, client, sandbox, app):
    place = (app["SANDBOX_SERVER"], app["SANDBOX_APP"])
    key = app["SANDBOX_SERVER_SECRET"]
    checks.equal(client("app", *place, key), f"ok {app['SANDBOX_APP']}", "id and secret are good")
    checks.equal(client("app", *place, "wrong"), "failure app_key_wrong 401 -", "a wrong secret is not")
    checks.equal(client("app", place[0], "999999999999", key), "failure app_key_wrong 401 -", "nor is another app's id")
    login = token(sandbox)
    said = client("redeem", *place, key, login, "order-17").split()
    checks.equal((said[:2], len(said)), (["ok", NUMBER], 6),
                 "a token is redeemed for number, account, assurance, method and trace")
    checks.equal(client("redeem", *place, key, login, "order-17").split(), said,
                 "a repeated request has the same answer")
    checks.equal(client("redeem", *place, key, login, "order-18"), "failure token_spent 409 -",
                 "another one does not spend the token again")
    checks.equal(client("redeem", *place, key, "no token", "order-19"), "failure token_malformed 400 token",
                 "a malformed token is named")
    for number, isSame in ((NUMBER, "true"), ("+8613800000012", "false")):
        checks.equal(client("verify", *place, key, token(sandbox, "--verification"), number), f"ok {isSame}",
                     f"{number} is compared")


class Trouble(http.server.BaseHTTPRequestHandler):
    """A server that fails once for each entry of `troubles`, and then answers."""
    troubles, keys = [], []
    login = {"number": NUMBER, "account": "a", "carrier": "mobile", "assurance": "net", "method": "one-tap",
             "authenticatedAt": "2026-11-29T08:15:30.250Z", "trace": "0" * 32}

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.keys.append(self.headers["Idempotency-Key"])
        trouble = self.troubles.pop(0) if self.troubles else None
        if trouble == "break":
            return self.connection.close()
        status = {"overloaded": 503, "gateway": 502, "redirect": 302}.get(trouble, 200)
        body = b"<html>" if trouble in ("gateway", "redirect") else json.dumps(
            {"code": "overloaded", "detail": "try again"} if status == 503 else self.login).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if trouble == "redirect":
            self.send_header("Location", "/elsewhere")
        self.end_headers()
        self.wfile.write(body[:20] if trouble == "cut" else body)

    do_GET = do_POST

    def log_message(self, *_):
        """Requests are not logged."""


@pytest.mark.part("operator")
def test_a_client_in_trouble(checks, client):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Trouble)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    place = f"http://127.0.0.1:{server.server_port}"
    try:
        for troubles, end, calls in (
                (["break", "cut"], "ok", 3), (["overloaded"], "ok", 2), (["gateway"], "ok", 2),
                (["overloaded"] * 3, "failure overloaded 503 -", 3),
                (["gateway"] * 3, "failure no_answer 502 -", 3), (["redirect"], "failure no_answer 302 -", 1)):
            Trouble.troubles, Trouble.keys = [*troubles], []
            said = client("redeem", place, "300000000001", "secret", "token", "order-17")
            checks.that(said.startswith(end), f"{', '.join(troubles)}: {end}", said)
            checks.equal(Trouble.keys, ["order-17"] * calls, f"{', '.join(troubles)}: {calls} requests under one key")
        Trouble.keys = []
        for host in ("0.0.0.0", "127.0.0.1@0.0.0.0", "127.0.0.1.example", "localhost.example", "127.1.example"):
            client("redeem", f"http://{host}:{server.server_port}", "300000000001", "secret", "token", "order-17")
        checks.equal(Trouble.keys, [], "no secret is sent in clear to another machine")
    finally:
        server.shutdown()
        server.server_close()
    checks.that(client("redeem", place, "300000000001", "secret", "token",
                       "order-17").startswith("failure no_answer 0"), "nobody listens")


def test_an_event(checks, client):
    def signed(body, *, secret=SECRET, sent=NOW, name="evt_1"):
        code = hmac.new(base64.b64decode(secret[6:]), f"{name}.{sent}.{body}".encode(), hashlib.sha256).digest()
        return json.dumps({"webhook-id": name, "webhook-timestamp": str(sent),
                           "webhook-signature": f"v1,AAAA v1,{base64.b64encode(code).decode()}"})

    body = json.dumps({"id": "evt_1", "type": "login.released", "timestamp": "2026-11-18T11:06:40.000Z",
                       "data": {"appId": "300000000001"}})
    other = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    checks.equal(client("event", f"{other} {SECRET}", signed(body), body, str(NOW)), "ok evt_1 login.released",
                 "an event is taken with one of two secrets")
    for what, (secret, headers, text, now) in {
            "another secret": (other, signed(body), body, NOW), "another body": (SECRET, signed(body), body + " ", NOW),
            "an old one": (SECRET, signed(body), body, NOW + 301),
            "one from ahead": (SECRET, signed(body), body, NOW - 301),
            **{f"a signature with {what}": (SECRET, signed(body).replace('="}', end + '"}'), body, NOW)
               for what, end in (("junk behind it", "=AAAA"), ("no padding", ""))},
            "one without headers": (SECRET, "{}", body, NOW),
            "another event's body": (SECRET, signed(body, name="evt_2"), body, NOW)}.items():
        checks.equal(client("event", secret, headers, text, str(now)), "not ours", f"{what} is refused")
