"""Login by a text that is sent from the phone (短信上行), through `benji serve` with its roles together and apart.

The phone's mobile data is off. Its message reaches the authority by a real SMSC (smpp34's server of SMPP 3.4), as
deliver_sm. """

import json
import sqlite3
import time

import pytest

from support.apart import Apart
from support.checks import Stop, eventually, first_json, folder, require, run
from support.operators import USER, Backend, user_request
from support.phones import Phone
from support.provider import Provider
from support.server import wait_a_second
from support.smsc import SMSC

pytestmark = pytest.mark.seconds(120)

NUMBER, ADDRESS = "13900000009", "127.8.0.5"
NEIGHBOUR = "13900000019"
HOME, CAFE = "127.0.9.1", "127.0.9.2"
SERVICE = "10690123"
WORKFLOW = ("--workflow", "one-tap-then-sms", "--least-assurance", "sms-upstream")


class Place:
    """An SMSC, a service that is bound to it, an app that accepts texts, and two people's phones that were on the
    network."""

    def __init__(self, kind):
        self.smsc = SMSC()
        secrets = folder()
        (secrets / "password").touch(0o600)
        (secrets / "password").write_text("secret08\n")
        sms = {"names": ["smsc"], "smsc": {
            "kind": "smpp", "address": f"127.0.0.1:{self.smsc.port}", "system-id": "benji",
            "password-file": str(secrets / "password"),
            "tls": False, "upstream-carriers": "mobile"}}
        self.service = kind(None, sms=sms, **{"sms-upstream": {"number": SERVICE, "per-device-address-and-hour": 1000}})
        self.app = self.service.create_app(*WORKFLOW)
        self.service.start()
        if not self.smsc.wait("bound", "benji"):
            raise Stop(f"no session: {self.smsc.said}")
        for number, address, imsi in ((NUMBER, ADDRESS, "460001234567890"),
                                      (NEIGHBOUR, "127.8.0.6", "460001234567891")):
            attached = self.service.attach("attach", address, number, imsi=imsi)
            if attached.returncode != 0:
                raise Stop(attached.stderr)
            wait_a_second()
            self.service.attach("detach", address, number)

    @property
    def backend(self):
        return Backend(self.service.server)

    def phone(self, address=HOME, app=None):
        return Phone(self.service, app or self.app, address, NUMBER)

    def send(self, text, number=f"86{NUMBER}", to=SERVICE, ton=1):
        """Sends a message from a phone. Waits until the SMSC was answered, and returns the status."""
        before = len(self.smsc.all("delivered"))
        self.smsc.tell(text=text, to=to, ton=ton, **{"from": number})
        answered = eventually(lambda: self.smsc.all("delivered")[before:], seconds=10)
        return answered[0]["status"] if answered else None

    def order(self, *words):
        done = self.service.command(*words, "--config", self.service.configuration, "--json")
        return first_json(done.stdout), done.stdout + done.stderr

    def texts(self):
        """How many messages the metrics count, by outcome."""
        lines = [line for line in self.service.get("/metrics")[1].splitlines()
                 if line.startswith("benji_sms_texts_total{")]
        return {line.split('outcome="')[1].split('"')[0]: int(float(line.split()[-1])) for line in lines}


@pytest.fixture(scope="module", params=[Provider, Apart], ids=["together", "apart"])
def place(request):
    place = Place(request.param)
    yield place
    place.service.stop()


def test_a_phone_whose_mobile_data_is_off_logs_in_by_sending_a_text(checks, place):
    phone = place.phone()
    checks.equal(phone.prefetch(), "address_unknown", "the network does not know the phone")
    checks.equal(phone.ask_for_text(), "success", "it is given a text")
    given = phone.given
    checks.that("Shop" in given["text"] and given["serviceNumber"] == SERVICE,
                "which names the app, and where to send it", given)
    checks.equal((phone.text_status()["hasArrived"], phone.log_in_by_text()[0]), (False, "code_unknown"),
                 "nothing has come yet")
    checks.equal(place.send(given["text"]), 0, "the SMSC's deliver_sm is taken")
    said = phone.text_status()
    checks.equal((said["hasArrived"], said.get("maskedNumber"), said.get("carrier")), (True, "139****0009", "mobile"),
                 "the phone is told from whom the text came")
    said, token = phone.log_in_by_text()
    checks.equal(said, "success", "the text buys a token")
    checks.equal(phone.log_in_by_text()[0], "code_expired", "and only one")
    checks.equal(place.backend.redeem(place.app, token), ("103000", NUMBER),
                 "the app's server redeems it for the number")
    ledger, said = place.order("ledger", "list", place.app["id"])
    line = next((entry for entry in (ledger or {}).get("entries", []) if entry.get("trace") == given["trace"]), {})
    checks.equal(line.get("assurance"), "sms-upstream", "the ledger says how it was earned")
    steps, said = place.order("trace", given["trace"])
    checks.that(all(step in said for step in ("sms.text", "sms.arrive", "sms.login")), "so does the trace", said)


def test_who_sends_what_to_whom_decides(checks, place):
    phone, thief = place.phone(), place.phone(CAFE)
    other = place.service.create_app(*WORKFLOW, name="Other")
    phone.ask_for_text()
    given = phone.given
    for text, to in ((given["text"][-16:], SERVICE), (f"? {given['text']}", SERVICE), (given["text"], "10690"),
                     ("TD", SERVICE)):
        checks.equal(place.send(text, to=to), 0, "a message of no use is taken")
    checks.equal(phone.text_status()["hasArrived"], False, "and is nobody's login")
    checks.equal(place.send(given["text"], f"00{86}{NUMBER}", ton=0), 0, "the number may be written otherwise")
    checks.equal(thief.text_status(given)["code"], "code_unknown", "another phone is not told what became of it")
    checks.equal(thief.log_in_by_text(given)[0], "code_unknown", "nor logged in by it")
    checks.equal(place.phone(app=other).log_in_by_text(given)[0], "code_unknown", "nor is another app")
    checks.equal(place.send(given["text"]), 0, "the message comes a second time")
    checks.equal(phone.log_in_by_text()[0], "success", "and the phone that asked logs in")
    phone.ask_for_text()
    place.send(phone.given["text"])
    place.send(phone.given["text"], f"86{NEIGHBOUR}")
    checks.equal(phone.log_in_by_text()[0], "code_expired", "a text that two numbers sent logs in nobody")
    phone.ask_for_text()
    place.send(phone.given["text"], "8613700000123")
    checks.equal(phone.log_in_by_text()[0], "number_not_served", "nor does one of a number that the register lacks")
    counts = place.texts()
    checks.that(all(counts.get(name, 0) > 0 for name in ("arrived", "repeated", "contested", "foreign")),
                "metrics count what came", counts)


def test_an_app_that_did_not_ask_for_it_gets_no_text(checks, place):
    plain = place.service.create_app(name="Plain")
    phone = place.phone(app=plain)
    checks.equal(phone.ask_for_text(), "capability_missing", "it is told so")
    place.order("app", "set", plain["id"], "--workflow", "one-tap-then-sms", "--least-assurance", "sms")
    checks.equal(phone.ask_for_text(), "assurance_too_low", "an app with codes alone too")
    place.order("app", "set", plain["id"], "--least-assurance", "sms-upstream")
    checks.equal(phone.ask_for_text(), "success", "an app that accepts what it earns gets one")


def test_tokenvalidate_says_by_what_the_person_was_authenticated(checks, place):
    key, public = place.service.folder / "rsa.key", place.service.folder / "rsa.pem"
    for arguments in (("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", str(key)),
                      ("pkey", "-in", str(key), "-pubout", "-out", str(public))):
        made = run([require("openssl", "openssl"), *arguments])
        if made.returncode != 0:
            raise Stop(made.stderr)
    place.order("app", "set", place.app["id"], "--rsa-public-key", str(public))
    phone = place.phone(CAFE)
    phone.ask_for_text()
    place.send(phone.given["text"])
    _, token = phone.log_in_by_text()
    _, answer = place.backend.post(USER, user_request(place.app, token, key))
    checks.equal(((answer or {}).get("body") or {}).get("authtype"), "3", "authtype 3, a message from the phone")


def test_doctor_says_whose_word_counts(checks, place):
    said = place.service.command("doctor", "-c", place.service.configuration).stdout
    checks.that(f"sms upstream" in said and SERVICE in said and "smsc (mobile)" in said,
                "for which number and carriers", said)


def test_neither_number_nor_text_is_where_nobody_may_read_it(checks, place):
    phone = place.phone()
    phone.ask_for_text()
    place.send(phone.given["text"])
    phone.log_in_by_text()
    code = phone.given["text"][-16:]
    log = "".join(path.read_text(errors="replace") for path in place.service.logs)
    checks.that(code not in log and NUMBER not in log and NEIGHBOUR not in log, "neither is in a log")
    with sqlite3.connect(f"file:{place.service.data}/benji.sqlite?mode=ro", uri=True) as database:
        kept = json.dumps(database.execute("SELECT hex(text), hex(number), ended FROM sms_upstream").fetchall())
    checks.that(kept and code.encode().hex().upper() not in kept and NUMBER.encode().hex().upper() not in kept,
                "the database has hashes")


def test_a_message_that_nobody_could_keep_comes_again(checks, place):
    # A running server gives a text. Then a message comes while it is stopped, and the SMSC keeps it.
    phone = place.phone()
    phone.ask_for_text()
    place.service.stop()
    place.smsc.wait("unbound")
    place.smsc.tell(text=phone.given["text"], to=SERVICE, **{"from": f"86{NUMBER}"})
    checks.that(place.smsc.wait("undelivered"), "nobody takes it", place.smsc.said[-2:])
    place.service.start()
    phone.close()
    checks.that(eventually(lambda: phone.text_status().get("hasArrived"), seconds=20),
                "it comes again when somebody is there",
                place.smsc.said[-3:])
    # Proofs from before the start are refused for a moment, and phones make new ones.
    time.sleep(1)
    checks.equal(phone.log_in_by_text()[0], "success", "and logs in")
