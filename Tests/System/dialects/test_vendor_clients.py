"""Backends of apps that came from OneLogin and GeYan call their old interfaces, with their ids, their habits and their
mistakes. Signs and decryption are made again here, by hashlib and the openssl command.
"""

import json
import threading

import pytest

from support.checks import Stop, first_json
from support.operators import Backend
from support.server import BUNDLE
from support.vendors import (
    CHECK_GATEWAY, CHECK_PHONE, GEYAN_1, GEYAN_2, check_gateway, check_phone, decrypt, geyan_request, long_signed, now,
    onelogin_sign, short_signed)

NUMBER, OTHER, ADDRESS = "13900000061", "13900000062", "127.8.12.1"
ONELOGIN, GEYAN = "b41a959b5cac4dd1277183e074630945", "oCRdOzLa9S8Jyf3hVbpYa5"


@pytest.fixture(scope="module")
def shop(server):
    """The app that came from OneLogin."""
    server.attach("attach", ADDRESS, NUMBER)
    return Shop(server, "onelogin", app_id=ONELOGIN)


@pytest.fixture(scope="module")
def strict(shop, server):
    return Shop(server, "onelogin", "--request-time-tolerance", "300", name="Strict")


@pytest.fixture(scope="module")
def from_geyan(shop, server):
    return Shop(server, "geyan", app_id=GEYAN)


@pytest.fixture(scope="module")
def unsigned(shop, server):
    return Shop(server, "geyan", "--unsigned-requests", name="Unsigned", server_address="127.0.2.1/32")


class Shop:
    """An app whose phones have no key, its server, and a customer's phone."""

    def __init__(self, server, dialect, *arguments, app_id=None, **options):
        self.server, self.dialect = server, dialect
        named = ["--id", app_id] if app_id else []
        self.app = server.create_app("--phones-without-key", *named, *arguments, **options)
        self.backend = Backend(server.server)

    def login(self, what="login"):
        """(token, process id) of a phone that knows the app's id and no key."""
        done = self.server.command(
            "phone", what, "--server", self.server.device_url, "--app", self.app["id"], "--bundle", BUNDLE, "--from",
            ADDRESS,
            "--dialect", self.dialect, "--json", *(["--yes"] if what == "login" else []))
        answer = first_json(done.stdout)
        if done.returncode != 0 or not answer:
            raise Stop(f"no token: {done.stdout}{done.stderr}")
        return answer["token"], answer["trace"]

    def ask(self, path, body, backend=None):
        """The code and the result: a number, a yes or no, or nothing."""
        status, answer = (backend or self.backend).post(path, body)
        if status != 200 or not answer:
            return f"HTTP {status}", answer
        if "data" in answer:
            return answer["data"]["result"], (answer["data"].get("data") or {}).get("pn")
        return answer["status"], answer["result"]


def test_onelogin(checks, shop):
    app = shop.app
    checks.equal(app["id"], ONELOGIN, "the app keeps the id that it had")
    token, process = shop.login()
    _, answer = shop.backend.post(CHECK_PHONE, check_phone(app, token, process))
    checks.equal(answer, {"status": 200, "error_msg": "", "result": NUMBER, "charge": True},
                 "check_phone answers with the documented members and the number")
    checks.equal(shop.ask(CHECK_PHONE, check_phone(app, token, process)), (12101, ""), "the same process id again")

    token, process = shop.login()
    code, sealed = shop.ask(CHECK_PHONE, check_phone(app, token, process, is_phone_encode=True))
    checks.equal((code, decrypt(sealed, app["serverSecret"], 256)), (200, NUMBER),
                 "is_phone_encode: openssl decrypts the number")
    for sentence, changes in (
            ("a timestamp as a number", lambda stamp: {"timestamp": int(stamp)}),
            ("a sign in upper case", lambda stamp: {"sign": onelogin_sign(app["id"], stamp,
                                                                          app["serverSecret"]).upper()}),
            ("no is_phone_encode and no authcode", lambda _: {"is_phone_encode": None, "authcode": None}),
            ("an unknown member", lambda _: {"channel": {"name": "store"}}),
            ("the app's id beside the documented members", lambda _: {"app_id": app["id"]})):
        token, process = shop.login()
        stamp = now()
        checks.equal(shop.ask(CHECK_PHONE, {**check_phone(app, token, process, stamp), **changes(stamp)}),
                     (200, NUMBER),
                     sentence)
    token, process = shop.login()
    checks.equal(shop.ask(CHECK_PHONE, check_phone(app, token, process, timestamp="1542355862990")), (200, NUMBER),
                 "a timestamp of years ago, for an app without a tolerance")


def test_mistakes_of_onelogin(checks, shop, strict):
    app = shop.app
    token, process = shop.login()
    _, another = shop.login()
    for sentence, wanted, changes in (
            ("no process_id", 12000, {"process_id": ""}),
            ("a process_id that is none", 12003, {"process_id": process[:-1]}),
            ("another login's process_id", 12200, {"process_id": another}), ("no token", 12001, {"token": ""}),
            ("a token that nobody issued", 12200, {"token": "STsid" + "A" * 51}),
            ("neither token nor process_id of ours", 12100, {"token": "STsid" + "A" * 51, "process_id": "0" * 32}),
            ("no sign", 12002, {"sign": ""}), ("a wrong sign", 12109, {"sign": "0" * 64}),
            ("no timestamp", 12005, {"timestamp": ""}), ("a timestamp in seconds", 12005, {"timestamp": now()[:10]}),
            ("a wish that is neither yes nor no", 12004, {"is_phone_encode": "maybe"}),
            ("an app that does not exist", 12102, {"app_id": "0" * 32})):
        body = check_phone(app, token, process)
        body.update(changes)
        checks.equal(shop.ask(CHECK_PHONE, body), (wanted, ""), f"check_phone, {sentence}")
    foreign = Backend(shop.server.server, "127.0.3.1")
    checks.equal(shop.ask(CHECK_PHONE, check_phone(app, token, process), foreign)[0], 12007,
                 "check_phone, from an address that is not the app's")
    checks.equal(shop.ask(CHECK_PHONE, check_phone(strict.app, token, process, app_id=strict.app["id"]))[0], 12103,
                 "check_phone, another app that names itself")
    stale = check_phone(strict.app, *strict.login(), timestamp="1542355862990")
    checks.equal(strict.ask(CHECK_PHONE, stale)[0], 12005,
                 "check_phone, a timestamp of years ago, for an app with a tolerance")
    for path in (CHECK_PHONE, CHECK_GATEWAY):
        status, _ = shop.backend.post(path, None, method="GET")
        checks.equal(status, 405, f"GET {path}")
    text = json.dumps(check_phone(app, token, process))
    twice = (text[:-1] + ', "token": "x"}').encode()
    checks.equal(shop.ask(CHECK_PHONE, twice)[0], 12000, "check_phone, a member twice")
    checks.equal(shop.ask(CHECK_PHONE, b"x" * 40000)[0], 12000, "check_phone, a body that is too large")
    shop.backend.close()
    checks.equal(shop.ask(CHECK_PHONE, check_phone(app, token, process)), (200, NUMBER),
                 "after all these refusals the token is still good")


def test_race(checks, shop):
    token, process = shop.login()
    answers = []
    lock = threading.Lock()

    def redeem():
        backend = Backend(shop.server.server)
        answer = shop.ask(CHECK_PHONE, check_phone(shop.app, token, process), backend)
        with lock:
            answers.append(answer)

    threads = [threading.Thread(target=redeem) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    checks.equal(sorted(answers), [(200, NUMBER)] + [(12101, "")] * 15,
                 "of sixteen that redeem one token, one gets the number")


def test_onepass(checks, shop):
    app = shop.app
    for phone, wanted in ((NUMBER, "0"), ("+86" + NUMBER, "0"), (OTHER, "1")):
        token, process = shop.login("verify")
        checks.equal(shop.ask(CHECK_GATEWAY, check_gateway(app, token, process, phone)), (200, wanted),
                     f"check_gateway answers {wanted}")
        checks.equal(shop.ask(CHECK_GATEWAY, check_gateway(app, token, process, phone)), (3105, ""), "and only once")
    token, process = shop.login("verify")
    checks.equal(shop.ask(CHECK_PHONE, check_phone(app, token, process)), (12200, ""),
                 "a token that was earned without a page releases no number")
    for sentence, wanted, changes in (
            ("no process_id", 2000, {"process_id": ""}), ("no sign", 2001, {"sign": ""}),
            ("no accesscode", 2002, {"accesscode": ""}),
            ("no phone", 2003, {"phone": ""}), ("a process_id that is none", 2004, {"process_id": "x"}),
            ("a wrong timestamp", 2005, {"timestamp": "yesterday"}), ("a wrong sign", 2104, {"sign": "0" * 64})):
        body = check_gateway(app, token, process, NUMBER)
        body.update(changes)
        checks.equal(shop.ask(CHECK_GATEWAY, body), (wanted, ""), f"check_gateway, {sentence}")
    checks.equal(shop.ask(CHECK_GATEWAY, check_gateway(app, token, process, NUMBER)), (200, "0"),
                 "the token is still good")


def test_geyan(checks, from_geyan, unsigned):
    shop = from_geyan
    app = shop.app
    checks.equal(app["id"], GEYAN, "the app keeps the id that it had")
    for path in (GEYAN_1, GEYAN_2):
        body = long_signed(app, geyan_request(app, *shop.login()))
        _, answer = shop.backend.post(path, body)
        checks.that(answer["errno"] == 0 and answer["data"]["result"] == "20000"
                    and answer["data"]["data"] == {"pn": NUMBER},
                    f"{path} answers with the documented members and the number", answer)
        checks.equal(shop.ask(path, body), ("60001", None), "the same token again")
    token, process = shop.login()
    code, sealed = shop.ask(GEYAN_2, short_signed(app, token))
    checks.equal((code, decrypt(sealed, app["serverSecret"], 128)), ("20000", NUMBER),
                 "a client of version 2 gets the number as it decrypts it")
    token, process = shop.login()
    good = long_signed(app, geyan_request(app, token, process, timestamp=now()))
    for sentence, wanted, path, body in (
            ("unsigned, without the grant", "60008", GEYAN_1, geyan_request(app, token, process)),
            ("the short sign at version 1", "60008", GEYAN_1, short_signed(app, token)),
            ("a member changed after signing", "60008", GEYAN_2, {**good, "gyuid": "GY_2"}),
            ("a member added after signing", "60008", GEYAN_2, {**good, "more": "1"}),
            ("no appId", "40005", GEYAN_2, {**good, "appId": ""}),
            ("an app that does not exist", "40004", GEYAN_2, long_signed(app, {**good, "appId": "x" * 22})),
            ("no token", "40032", GEYAN_2, {**good, "token": ""}),
            ("another login's processId", "60001", GEYAN_2,
             long_signed(app, geyan_request(app, token, shop.login()[1])))):
        checks.equal(shop.ask(path, body), (wanted, None), f"gy_get_pn, {sentence}")
    foreign = Backend(shop.server.server, "127.0.3.1")
    checks.equal(shop.ask(GEYAN_2, good, foreign)[0], "40031", "gy_get_pn, from an address that is not the app's")
    checks.equal(shop.ask(GEYAN_2, good), ("20000", NUMBER), "the token is still good")

    app = unsigned.app
    for path in (GEYAN_1, GEYAN_2):
        token, process = unsigned.login()
        request = geyan_request(app, token, process)
        checks.equal(unsigned.ask(path, {**request, "sign": "0" * 64})[0], "60008",
                     "a wrong sign is wrong under the grant too")
        checks.equal(unsigned.ask(path, request, Backend(unsigned.server.server, "127.0.2.2"))[0], "40031",
                     "the grant is for the app's own address only")
        checks.equal(unsigned.ask(path, request), ("20000", NUMBER), "an unsigned request from the app's address")


def test_registration(checks, server, shop):
    for sentence, arguments in (
            ("a block in which strangers could be", ["--unsigned-requests", "--server-address", "127.0.0.0/8"]),
            ("an id that is taken", ["--id", ONELOGIN]), ("an id that is too short", ["--id", "short"])):
        said = server.command(
            "app", "create", "--config", server.configuration, "--name", "x", "--bundle", BUNDLE, *arguments)
        checks.that(said.returncode != 0 and "rror" in said.stderr, f"not registered: {sentence}", said.stderr)


def test_a_phone_without_key(checks, server):
    keyed = server.create_app(name="Keyed")
    refused = server.command(
        "phone", "login", "--server", server.device_url, "--app", keyed["id"], "--bundle", BUNDLE, "--from", ADDRESS,
        "--yes")
    checks.that("app_key_wrong" in refused.stderr,
                "a phone without a key is refused by an app that has not asked for it",
                refused.stderr)


def test_the_log_and_the_end(checks, server, shop):
    shop.ask(CHECK_PHONE, check_phone(shop.app, *shop.login()))
    checks.equal(server.stop(), 0, "benji serve ends with 0")
    log = server.log.read_text()
    checks.that(NUMBER not in log and OTHER not in log, "no number is in the server's log")
    checks.that("STsid" not in log and shop.app["serverSecret"] not in log,
                "no token and no server secret is in the server's log")
