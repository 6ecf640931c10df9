"""Login by a code that is sent by SMS, through `benji serve` with its roles together and apart.

The phone's mobile data is off: it calls from the Wi-Fi's address, which is no subscriber's. The messages go into a
file. """

import json
import re
import sqlite3
import threading

import pytest

from support.apart import Apart
from support.checks import Stop, eventually, first_json, require, run
from support.operators import USER, Backend, user_request
from support.phones import Phone
from support.provider import Provider
from support.server import wait_a_second

NUMBER, ADDRESS = "13900000009", "127.8.0.5"
# Of the Wi-Fi, outside of the packet core's pool.
HOME, CAFE = "127.0.9.1", "127.0.9.2"
SMS = {"names": ["file"], "file": {"kind": "file", "path": "messages.jsonl"}}
WORKFLOW = ("--workflow", "one-tap-then-sms", "--least-assurance", "sms")


class Place:
    """A service, an app whose workflow has codes, a phone that was on the network, and who reads its messages."""

    def __init__(self, kind):
        # Many codes for one number and from one address, as a test asks for.
        self.service = kind(None, sms=SMS, **{"sms-codes": {"per-minute": 50, "per-day": 200}})
        self.app = self.service.create_app(*WORKFLOW)
        self.service.start()
        self.outbox = self.service.folder / "messages.jsonl"
        attached = self.service.attach("attach", ADDRESS, NUMBER, imsi="460001234567890")
        if attached.returncode != 0:
            raise Stop(attached.stderr)
        wait_a_second()
        self.service.attach("detach", ADDRESS, NUMBER)

    @property
    def backend(self):
        # Each time a connection of its own: one that is idle for a minute is closed.
        return Backend(self.service.server)

    def phone(self, address=HOME, app=None):
        return Phone(self.service, app or self.app, address, NUMBER)

    def messages(self):
        return [json.loads(line) for line in self.outbox.read_text().splitlines()] if self.outbox.exists() else []

    def code(self):
        return re.search(r"\d{6}", self.messages()[-1]["text"])[0]

    def order(self, *words):
        done = self.service.command(*words, "--config", self.service.configuration, "--json")
        return first_json(done.stdout), done.stdout + done.stderr

    def log(self):
        return "".join(path.read_text(errors="replace") for path in self.service.logs)


@pytest.fixture(scope="module", params=[Provider, Apart], ids=["together", "apart"])
def place(request):
    place = Place(request.param)
    yield place
    place.service.stop()


def test_a_phone_whose_mobile_data_is_off_logs_in_by_code(checks, place):
    phone = place.phone()
    checks.equal(phone.prefetch(), "address_unknown", "the network does not know the phone")
    checks.equal(phone.ask_for_code(NUMBER), "success", "a code is sent")
    message = place.messages()[-1]
    checks.equal(message["to"], f"+86{NUMBER}", "to the number that was typed")
    checks.that("Shop" in message["text"] and re.search(r"\b\d{6}\b", message["text"]),
                "with six digits and the app's name", message)
    code = place.code()
    checks.equal(phone.log_in_by_code(f"{(int(code) + 1) % 1_000_000:06}")[0], "code_wrong", "other digits are refused")
    said, token = phone.log_in_by_code(code)
    checks.equal(said, "success", "the code buys a token")
    checks.equal(phone.log_in_by_code(code)[0], "code_expired", "and only one")
    checks.equal(place.backend.redeem(place.app, token), ("103000", NUMBER),
                 "the app's server redeems it for the number")
    trace = phone.sent["trace"]
    ledger, said = place.order("ledger", "list", place.app["id"])
    line = next((entry for entry in (ledger or {}).get("entries", []) if entry.get("trace") == trace), {})
    checks.equal(line.get("assurance"), "sms", "the ledger says how it was earned")

    def steps():
        return place.order("trace", trace)[1]

    # Steps are written after the answer.
    checks.that(eventually(lambda: {"sms.login", "sms.send"} <= set(re.findall(r"sms\.\w+", steps()))),
                "so does the trace", steps())
    consents, said = place.order("consent", "show", trace)
    checks.that('"sms"' in json.dumps(consents) and "短信验证码" in json.dumps(consents, ensure_ascii=False),
                "the page that was agreed to is kept", said)


def test_an_app_that_did_not_ask_for_it_gets_no_code(checks, place):
    plain = place.service.create_app(name="Plain")
    phone = place.phone(app=plain)
    before = len(place.messages())
    checks.equal(phone.ask_for_code(NUMBER), "capability_missing", "it is told so")
    _, said = place.order("app", "set", plain["id"], "--workflow", "one-tap-then-sms")
    checks.that("least assurance sms" in said, "the workflow needs the least assurance that its codes earn", said)
    place.order("app", "set", plain["id"], *WORKFLOW)
    checks.equal(phone.ask_for_code(NUMBER), "success", "after both were set there is a code")
    sent, code = phone.sent, place.code()
    place.order("app", "set", plain["id"], "--workflow", "one-tap", "--least-assurance", "net")
    checks.equal(phone.log_in_by_code(code, sent)[0], "capability_missing",
                 "which is worth nothing when the workflow was taken back")
    shown, said = place.order("app", "show", plain["id"])
    checks.equal((shown or {}).get("workflow"), "one-tap", "app show has the workflow")
    checks.equal(len(place.messages()), before + 1, "one message went out")


def test_asking_says_nothing_of_what_the_register_knows(checks, place):
    phone = place.phone()
    answers = []
    for number in (NUMBER, "13700000123"):
        checks.equal(phone.ask_for_code(number), "success", "a code is sent")
        answers.append({name: value for name, value in phone.sent.items()
                        if name not in ("trace", "transaction", "serverTime")})
    checks.equal(answers[0], answers[1], "with the same answer")
    checks.equal(phone.log_in_by_code(place.code()), ("number_not_served", None),
                 "only who reads the code learns that the register lacks the number")


def test_a_code_is_for_its_app_and_phone_alone(checks, place):
    owner, thief = place.phone(), place.phone(CAFE)
    other = place.service.create_app(*WORKFLOW, name="Other")
    owner.ask_for_code(NUMBER)
    code = place.code()
    checks.equal(thief.log_in_by_code(code, owner.sent)[0], "code_wrong", "another phone that read it is refused")
    checks.equal(place.phone(app=other).log_in_by_code(code, owner.sent)[0], "code_unknown",
                 "another app knows no such code")
    checks.equal(owner.log_in_by_code(code)[0], "success", "the phone that asked logs in")
    owner.ask_for_code(NUMBER)
    first, code = owner.sent, place.code()
    thief.ask_for_code(NUMBER)
    checks.equal(owner.log_in_by_code(code, first)[0], "code_expired", "a newer code of the number ends the one before")


def test_guesses_at_once_are_counted_together(checks, place):
    owner = place.phone()
    owner.ask_for_code(NUMBER)
    sent, code, said, threads = owner.sent, place.code(), [], []
    for count in range(24):
        guesser = place.phone()
        guesser.key = owner.key
        guess = f"{(int(code) + 1 + count) % 1_000_000:06}"
        threads.append(threading.Thread(
            target=lambda phone=guesser, guess=guess: said.append(phone.log_in_by_code(guess, sent)[0])))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    checks.equal(said.count("code_wrong"), 5, "of 24 guesses over connections of their own five are told to be wrong")
    checks.equal(owner.log_in_by_code(code, sent)[0], "code_tries_exceeded", "then the right one is refused too")


def test_phones_at_one_address_are_sent_so_many_messages(checks, place):
    # The authority counts them, wherever the gateway is. An hour of UTC may begin meanwhile; then a second count does.
    said = []
    while said.count("too_many_requests") < 10 and len(said) < 130:
        phone = place.phone("127.0.9.77")
        said.append(phone.ask_for_code(f"1360{len(said):03}0001"))
        phone.close()
    with sqlite3.connect(f"file:{place.service.data}/benji.sqlite?mode=ro", uri=True) as database:
        [(most, altogether)] = database.execute(
            "SELECT max(count), sum(count) FROM sms_budget WHERE kind = 'source' GROUP BY name ORDER BY 2 DESC LIMIT 1")
    checks.equal((most, altogether, said.count("too_many_requests")), (60, said.count("success"), 10), "sixty an hour")


def test_a_message_that_nobody_takes_is_said(checks, place):
    phone = place.phone(CAFE)
    checks.equal(phone.ask_for_code("+12025550123"), "number_not_served", "a number of a country that is not served")
    checks.equal(phone.ask_for_code("1390000"), "number_not_served", "a number that is too short for China")
    checks.equal(phone.ask_for_code("one-three-nine"), "number_malformed", "what is no number")


def test_tokenvalidate_says_by_what_the_person_was_authenticated(checks, place):
    key = place.service.folder / "rsa.key"
    public = place.service.folder / "rsa.pem"
    for arguments in (("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", str(key)),
                      ("pkey", "-in", str(key), "-pubout", "-out", str(public))):
        made = run([require("openssl", "openssl"), *arguments])
        if made.returncode != 0:
            raise Stop(made.stderr)
    place.order("app", "set", place.app["id"], "--rsa-public-key", str(public))
    phone = place.phone(CAFE)
    phone.ask_for_code(NUMBER)
    _, token = phone.log_in_by_code(place.code())
    _, answer = place.backend.post(USER, user_request(place.app, token, key))
    checks.equal(((answer or {}).get("body") or {}).get("authtype"), "7", "authtype 7, a code by SMS")


def test_neither_number_nor_code_is_where_nobody_may_read_it(checks, place):
    log = place.log()
    codes = {re.search(r"\d{6}", message["text"])[0] for message in place.messages()}
    checks.that(codes and not any(re.search(rf"\b{code}\b", log) for code in codes), "no code is in a log")
    checks.that(not any(message["to"][3:] in log for message in place.messages()), "no number is in a log")
    metrics = place.service.get("/metrics")[1] + (place.service.gateway.get("/metrics")[1]
                                                  if hasattr(place.service, "gateway") else "")
    checks.that(NUMBER not in metrics, "no number is in a metric")
    with sqlite3.connect(f"file:{place.service.data}/benji.sqlite?mode=ro", uri=True) as database:
        kept = database.execute("SELECT hex(number), hex(code) FROM sms_code").fetchall()
    checks.that(kept and not any(NUMBER.encode().hex().upper() in number for number, _ in kept),
                "the database has hashes")
