"""CAMARA's one-time-password-sms through `benji serve`: codes that go out by a sender, and come back."""

import http.client
import json
import re
import secrets
import sqlite3
import threading
import time
import urllib.parse

import pytest

from support.checks import PATIENCE, Stop, eventually, first_json
from support.phones import DeviceKey
from support.provider import Provider

NUMBER, OTHER = "+8613800138001", "+8613900000002"
PURPOSE = "dpv:FraudPreventionAndDetection"
CODES = "one-time-password-sms"
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


class Bank:
    """An app whose server has codes sent, and the file that they go to."""

    def __init__(self, *capabilities, name="Bank", provider=None, **settings):
        self.provider = provider or Provider(None, sms={"names": ["file"],
                                                        "file": {"kind": "file", "path": "messages.jsonl"}}, **settings)
        app = self.provider.create_app(*(word for each in capabilities for word in ("--capability", each)), name=name,
                                       server_address="127.0.0.1")
        self.app = app["id"]
        self.key = DeviceKey()
        jwks = self.provider.folder / f"{self.app}.json"
        jwks.write_text(json.dumps({"keys": [self.key.jwk]}))
        self.provider.client(f"https://{self.app}.example/back", "--jwks", jwks, "--purpose", PURPOSE, app=app)
        self.outbox = self.provider.folder / "messages.jsonl"

    def post(self, path, body, headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.provider.server, timeout=PATIENCE)
        try:
            connection.request("POST", path, body, headers)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def token(self):
        at = int(time.time())
        form = urllib.parse.urlencode({
            "grant_type": "client_credentials", "scope": f"{CODES}:send-validate {PURPOSE}",
            "client_assertion_type": ASSERTION,
            "client_assertion": self.key.sign({"typ": "JWT"},
                                              {"iss": self.app, "sub": self.app, "aud": self.provider.issuer, "iat": at,
                                                               "exp": at + 60, "jti": secrets.token_hex(16)})})
        status, text = self.post("/openid/token", form, {"Content-Type": "application/x-www-form-urlencoded"})
        if status != 200:
            raise Stop(f"the token: {status} {text}")
        return json.loads(text)["access_token"]

    def ask(self, what, body):
        status, text = self.post(f"/{CODES}/v1/{what}", json.dumps(body), {
            "Content-Type": "application/json", "Authorization": f"Bearer {self.token()}"})
        return status, json.loads(text) if text else {}

    def send(self, number=NUMBER, message="{{code}} is your code for Bank"):
        return self.ask("send-code", {"phoneNumber": number, "message": message})

    def show(self, name, code):
        status, answer = self.ask("validate-code", {"authenticationId": name, "code": code})
        return status, answer.get("code")

    def messages(self):
        return [json.loads(line) for line in self.outbox.read_text().splitlines()] if self.outbox.exists() else []

    def code(self):
        return re.search(r"\d{6}", self.messages()[-1]["text"])[0]


def wrong(code):
    return f"{(int(code) + 1) % 1_000_000:06}"


@pytest.fixture(scope="module")
def bank():
    bank = Bank("login", "sms-codes")
    bank.provider.start()
    yield bank
    bank.provider.stop()


def test_a_code_is_sent_and_shown_once(checks, bank):
    status, answer = bank.send()
    checks.equal(status, 200, "a code is sent to a number that the register does not know")
    message = bank.messages()[-1]
    checks.equal(message["to"], NUMBER, "to that number")
    checks.that(re.fullmatch(r"\d{6} is your code for Bank", message["text"]), "with the app's words around six digits")
    code = bank.code()
    checks.equal(bank.show(answer["authenticationId"], wrong(code)), (400, "ONE_TIME_PASSWORD_SMS.INVALID_OTP"),
                 "another code is refused")
    checks.equal(bank.show(answer["authenticationId"], code), (204, None), "the code is right")
    checks.equal(bank.show(answer["authenticationId"], code)[0], 400, "and only once")


def test_a_newer_code_ends_the_one_before(checks, bank):
    number = "+8613800138002"
    _, first = bank.send(number)
    before = bank.code()
    _, second = bank.send(number)
    checks.equal(bank.show(first["authenticationId"], before)[0], 400, "the first code is worth nothing now")
    checks.equal(bank.show(second["authenticationId"], bank.code()), (204, None), "the second is")


def test_tries_are_counted_across_requests_at_once(checks, bank):
    number = "+8613800138003"
    _, sent = bank.send(number)
    code = bank.code()
    said, threads = [], []
    for count in range(24):
        guess = f"{(int(code) + 1 + count) % 1_000_000:06}"
        threads.append(
            threading.Thread(target=lambda guess=guess: said.append(bank.show(sent["authenticationId"], guess))))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counted = sum(answer[1] == "ONE_TIME_PASSWORD_SMS.INVALID_OTP" for answer in said)
    checks.equal(counted, 5, "of 24 guesses at once five are told to be wrong")
    checks.equal(bank.show(sent["authenticationId"], code), (400, "ONE_TIME_PASSWORD_SMS.VERIFICATION_FAILED"),
                 "then the right one is refused too")


def test_a_number_is_sent_five_codes_a_minute(checks, bank):
    """A slow machine may need more than a minute for six. So the store says when each was issued. The eleventh is one
    too many for a day."""
    number, said = "+8613800138004", [200]
    while said[-1] == 200 and len(said) < 12:
        said.append(bank.send(number)[0])
    with sqlite3.connect(f"file:{bank.provider.data}/benji.sqlite?mode=ro", uri=True) as database:
        issued = [at for (at,) in database.execute("""
            SELECT issued_at FROM sms_code
            WHERE number = (SELECT number FROM sms_code ORDER BY issued_at DESC LIMIT 1) ORDER BY issued_at""")]
    checks.equal(said[1:], [200] * len(issued) + [403], "codes go out until one is refused")
    checks.that(len(issued) >= 5, "which is none of the first five", issued)
    checks.that(all(sixth - first >= 60_000 for first, sixth in zip(issued, issued[5:])),
                "no six are issued within a minute", issued)
    checks.equal(sum(message["to"] == number for message in bank.messages()), len(issued),
                 "and no message goes out for the refused one")
    status, answer = bank.send("+12025550123")
    checks.equal((status, answer.get("code")), (403, "ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_NOT_ALLOWED"),
                 "a number of a country that is not served is refused")


def test_another_apps_code_is_unknown(checks, bank):
    thief = Bank("login", "sms-codes", name="Thief", provider=bank.provider)
    _, sent = bank.send(OTHER)
    checks.equal(thief.show(sent["authenticationId"], bank.code()), (404, "NOT_FOUND"),
                 "another app's server is told nothing")
    checks.equal(bank.show(sent["authenticationId"], bank.code()), (204, None), "and the code stays good for its own")


def test_what_nobody_may_read_is_nowhere(checks, bank):
    log = bank.provider.log.read_text()
    codes = {re.search(r"\d{6}", message["text"])[0] for message in bank.messages()}
    checks.that(codes and not any(code in log for code in codes), "no code is in the log")
    checks.that(not any(message["to"][1:] in log for message in bank.messages()), "no number is in the log")
    checks.equal(bank.outbox.stat().st_mode & 0o777, 0o600, "the file of messages is its owner's")
    entries = first_json(bank.provider.command("ledger", "list", bank.app, "--config", bank.provider.configuration,
                                               "--json").stdout)
    checks.that(entries is not None and f"{CODES}.send-code" in json.dumps(entries),
                "codes that went out are in the ledger", entries)


def test_an_app_without_the_capability_gets_no_token(checks, bank):
    plain = Bank("login", name="Plain", provider=bank.provider)
    with pytest.raises(Stop):
        plain.token()
    checks.that(eventually(lambda: bank.provider.ready()[0] == 200), "the server is ready")
