"""Backends as they are in production call the three operator interfaces. Their habits must work, and their mistakes
must get the documents' codes. A client that holds a connection and sends nothing loses it.
"""

import json
import re
import socket
import threading
import time
import uuid
from datetime import datetime, timedelta

import pytest

from support.checks import PATIENCE, require, run
from support.operators import (
    CHINA, LOGIN, USER, VERIFY, Backend, login_request, moment, rsa_decrypt, user_request,
    verification_request)

SERVER = {"nas": {"pgw": {}, "unicom": {"sources": ["127.0.5.2/32"], "pools": ["127.9.0.0/16"], "carrier": "unicom"},
                  "telecom": {"sources": ["127.0.5.3/32"], "pools": ["127.10.0.0/16"], "carrier": "telecom"}}}

NUMBER, ADDRESS = "13900000051", "127.8.11.1"
UNICOM_NUMBER, TELECOM_NUMBER = "13900000052", "13900000053"
UNSPENT = "STsid" + "A" * 51
SECONDS_17 = re.compile(r"\d{17}")


class Shop:
    """An app, its server and a customer's phone."""

    def __init__(self, server, app):
        self.server, self.app = server, app
        self.backend = Backend(server.server)

    def token(self, purpose="login", address=ADDRESS):
        token, _, said = self.server.phone(purpose, self.app, address)
        if token is None:
            raise RuntimeError(f"no token: {said}")
        return token

    def code(self, path, body, backend=None):
        status, answer = (backend or self.backend).post(path, body)
        answer = answer or {}
        code = answer.get("resultCode") or answer.get("header", {}).get("resultCode")
        return code if status == 200 else f"HTTP {status}, {code}"


@pytest.fixture(scope="module")
def shop(server):
    server.attach("attach", ADDRESS, NUMBER)
    server.attach("attach", "127.9.0.1", UNICOM_NUMBER, source="127.0.5.2")
    server.attach("attach", "127.10.0.1", TELECOM_NUMBER, source="127.0.5.3")
    return Shop(server, server.create_app())


@pytest.fixture(scope="module")
def strict(server):
    return server.create_app("--request-time-tolerance", "300", name="Strict")


def test_habits_of_login(checks, shop):
    backend, app = shop.backend, shop.app
    token = shop.token()
    request = login_request(app, token, lower=True, msgid=str(uuid.uuid4()))
    status, answer = backend.post(LOGIN, request, {"Content-Type": "application/json;charset=UTF-8"})
    checks.equal((status, answer["resultCode"], answer["msisdn"]), (200, "103000", NUMBER),
                 "a sign in lower case, a msgid with dashes and an empty expandparams are accepted")
    checks.that(
        answer["resultcode"] == "103000" and answer["inresponseto"] == request["msgid"] and answer["desc"]
        and SECONDS_17.fullmatch(answer["systemtime"]),
        "the answer has both spellings of the code and the document's fields",
        answer)

    body = login_request(app, shop.token())
    body.update({"appid": int(body["appid"]), "strictcheck": 0, "version": 2.0, "expandparams": None})
    checks.equal(shop.code(LOGIN, body), "103000", "numbers in the place of strings, and null for an optional field")
    stale = moment(datetime.now(CHINA) - timedelta(days=3))
    checks.equal(shop.code(LOGIN, login_request(app, shop.token(), systemtime=stale)), "103000",
                 "a systemtime from the process's start, three days ago")
    body = login_request(app, shop.token())
    body["encryptionalgorithm"] = ""
    checks.equal(shop.code(LOGIN, body), "103000", "an empty encryptionalgorithm means MD5")
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        checks.equal(backend.post(LOGIN, login_request(app, shop.token()), {"Content-Type": kind})[1]["resultCode"],
                     "103000",
                     f"JSON that is called {kind}")

    body = json.dumps(login_request(app, shop.token())).encode()
    backend.connection.request("POST", LOGIN, iter([body[:10], body[10:]]), encode_chunked=True)
    checks.equal(json.loads(backend.connection.getresponse().read())["resultCode"], "103000",
                 "a body in chunks, as Node sends it")


def raw(port, data, source="127.0.2.1", until=None):
    """Sends bytes as they are; returns all that comes until the other side closes, or these bytes have come."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=(source, 0)) as connection:
        connection.sendall(data[0])
        said = b""
        try:
            for more in data[1:]:
                said += connection.recv(65536)
                connection.sendall(more)
            while not (until and until in said) and (part := connection.recv(65536)):
                said += part
        except ConnectionError:
            pass
    return said.decode(errors="replace")


def test_habits_of_verification(checks, shop):
    app = shop.app
    token = shop.token("verify")
    request = verification_request(app, token, NUMBER, lower=True, body={"message": "order%2042"})
    _, answer = shop.backend.post(VERIFY, request)
    header, body = answer["header"], answer["body"]
    checks.equal((header["resultCode"], body["resultDesc"]), ("000", "是本机号码"), "yes, with hash and sign in lower case")
    checks.that(
        header["msgId"] == request["header"]["msgId"] and header["appId"] == app["id"]
        and SECONDS_17.fullmatch(header["timestamp"]) and body["message"] == "order%2042",
        "the answer repeats msgId, appId and message", answer)
    checks.equal(shop.backend.verify(app, token, NUMBER), "606", "the same token again")
    _, answer = shop.backend.post(VERIFY, verification_request(app, shop.token("verify"), "13900009999"))
    checks.equal((answer["header"]["resultCode"], answer["body"]["resultDesc"]), ("001", "非本机号码"),
                 "no, for another number")
    for sentence, body, wanted in (
            ("requesterType 1 without openType", {"requesterType": "1", "openType": None}, "000"),
            ("requesterType and openType as numbers", {"requesterType": 0, "openType": 3}, "000"),
            ("requesterType 1 with an empty openType", {"requesterType": 1, "openType": ""}, "000")):
        checks.equal(shop.code(VERIFY, verification_request(app, shop.token("verify"), NUMBER, body=body)), wanted,
                     sentence)
    token = shop.token("verify")
    for sentence, wanted, changes in (
            ("requesterType 0 without openType", "102", {"body": {"openType": None}}),
            ("a requesterType that does not exist", "102", {"body": {"requesterType": "7"}}),
            ("a hash that is none", "004", {"body": {"phoneNum": "13900000051"}}),
            ("a wrong sign", "302", {"body": {"sign": "0" * 64}}), ("no sign", "302", {"body": {"sign": ""}}),
            ("no token", "606", {"body": {"token": ""}}), ("another version", "102", {"header": {"version": "9"}}),
            ("a day that does not exist", "102", {"header": {"timestamp": "20260230000000000"}}),
            ("an app that does not exist", "124", {"header": {"appId": "300000000000"}})):
        checks.equal(shop.code(VERIFY, verification_request(app, token, NUMBER, **changes)), wanted,
                     f"verification, {sentence}")
    stranger = Backend(shop.server.server, "127.0.3.1")
    checks.equal(stranger.verify(app, token, NUMBER), "124", "verification, from an address that is not the app's")
    checks.equal(shop.backend.verify(app, token, NUMBER), "000", "after all these refusals the token is still good")


def test_habits_of_connections(checks, shop):
    app, port = shop.app, shop.server.server
    backend = Backend(port)
    backend.post(LOGIN, login_request(app, UNSPENT))
    first = backend.connection.sock.getsockname()
    codes = {backend.redeem(app, UNSPENT)[0] for _ in range(30)}
    checks.that(backend.connection.sock and backend.connection.sock.getsockname() == first and codes == {"104201"},
                "thirty calls travel over one kept-alive connection", codes)
    body = json.dumps(login_request(app, shop.token())).encode()
    head = b"POST %s HTTP/1.%d\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
    said = raw(port, [head % (LOGIN.encode(), 0, len(body)) + b"\r\n" + body], until=b"103000")
    checks.that("200 OK" in said and "103000" in said, "HTTP/1.0 without keep-alive, as PHP speaks it", said)
    body = json.dumps(login_request(app, shop.token())).encode()
    said = raw(port,
               [head % (LOGIN.encode(), 1, len(body)) + b"Expect: 100-continue\r\nConnection: close\r\n\r\n", body])
    checks.that(said.startswith("HTTP/1.1 100") and "103000" in said, "Expect: 100-continue, as .NET sends it", said)


def test_mistakes_of_login(checks, shop, strict):
    app, backend = shop.app, shop.backend
    token = shop.token()
    request = login_request(app, shop.token())
    shop.code(LOGIN, request)
    checks.equal(shop.code(LOGIN, request), "103505", "a repeated request")
    for sentence, wanted, changes in (
            ("a wrong sign", "103101", {"sign": "0" * 32}),
            ("a sign that is no hexadecimal", "103101", {"sign": "sign"}),
            ("no sign", "103401", {"sign": ""}), ("an app that does not exist", "103119", {"appid": "300000000000"}),
            ("another version", "103414", {"version": "3.0"}), ("no msgid", "103414", {"msgid": ""}),
            ("a msgid of 37 characters", "103414", {"msgid": "m" * 37}),
            ("a systemtime of 16 digits", "103414", {"systemtime": "2026112118000000"}),
            ("strictcheck 2", "103414", {"strictcheck": "2"})):
        checks.equal(shop.code(LOGIN, login_request(app, token, **changes)), wanted, f"login, {sentence}")
    checks.equal(shop.code(LOGIN, login_request(app, "")), "103811", "login, no token")
    checks.equal(shop.code(LOGIN, login_request(app, "not-a-token")), "103113", "login, a token that is none")
    checks.equal(shop.code(LOGIN, login_request(app, UNSPENT)), "104201", "login, a token that was never issued")
    checks.equal(shop.code(LOGIN, {**login_request(app, token), "token": ["a"]}), "103414", "login, a list for a token")
    stranger = Backend(shop.server.server, "127.0.3.1")
    checks.equal(stranger.redeem(app, token)[0], "103511", "login, from an address that is not the app's")
    _, answer = stranger.post(LOGIN, login_request(app, token),
                              {"X-Forwarded-For": "127.0.2.1", "Forwarded": "for=127.0.2.1"})
    checks.equal(answer["resultCode"], "103511", "login, with a forged X-Forwarded-For")
    checks.equal(
        Backend(shop.server.server).redeem(strict, UNSPENT,
                                           systemtime=moment(datetime.now(CHINA) - timedelta(minutes=20)))[0],
        "103412", "login, a stale systemtime where the app asked for freshness")
    checks.equal(shop.code(LOGIN, login_request(strict, token)), "103113", "login, another app's token")
    checks.equal(shop.code(LOGIN, login_request(app, shop.token("verify"))), "105018",
                 "login, a token that was earned without a page")
    checks.equal(backend.redeem(app, token), ("103000", NUMBER), "after all these refusals the token is still good")
    checks.equal(backend.redeem(app, token), ("104201", None), "a token yields its number once")


def test_mistakes_of_http(checks, shop):
    port = shop.server.server
    for path, refused in ((LOGIN, "103112"), (VERIFY, "303"), (USER, "103112")):
        for sentence, body in (
                ("garbage", b"\x00\xff{{{"), ("an empty body", b""), ("a list", b"[]"),
                ("half of an object", b'{"appid":'),
                ("a member that occurs twice", b'{"appid":"1","appid":"2","header":{},"header":{}}'),
                ("not UTF-8", b'{"appid":"\xff"}'), ("nesting without end", b"[" * 20000)):
            checks.equal(shop.code(path, body), refused, f"{path}: {sentence}")
        status, answer = Backend(port).post(path, b'{"x":"' + b"a" * 40000 + b'"}')
        code = answer and (answer.get("resultCode") or answer.get("header", {}).get("resultCode"))
        checks.equal((status, code), (200, refused), f"{path}: a body of 40 kB")
        backend = Backend(port)
        status, _ = backend.post(path, None, method="GET")
        checks.equal((status, backend.headers["Allow"]), (405, "POST"), f"{path}: GET")
    for path in ("/", "/unisdk/rsapi/loginTokenValidate/x", "/health/live", "/metrics", "/device/v1/prefetch"):
        status, answer = Backend(port).post(path, {})
        checks.that(status == 404 and answer, f"nothing is at {path} of this listener", (status, answer))
    huge = raw(port, [b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999\r\n\r\n" % LOGIN.encode()])
    checks.that("103112" in huge, "a body that announces ten gigabytes is refused before it is sent", huge)
    said = raw(port, [b"POST / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 60000 + b"\r\n\r\n"])
    checks.that(said == "" or " 400 " in said or " 431 " in said, "a header of 60 kB ends the connection", said)
    said = raw(port, [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64])
    checks.that("200 OK" not in said, "a TLS handshake on a plain listener ends the connection", said)


def test_rsa(checks, server, shop):
    openssl, folder, begun = require("openssl", "openssl"), server.folder, datetime.now(CHINA).replace(microsecond=0)
    keys = {}
    for name in ("ours", "other"):
        keys[name] = folder / f"{name}.pem"
        run([openssl, "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", str(keys[name])])
    public = folder / "public.pem"
    run([openssl, "pkey", "-in", str(keys["ours"]), "-pubout", "-out", str(public)])
    key = keys["ours"]
    shop = Shop(server, server.create_app(
        "--rsa-public-key", str(public), "--sign", "rsa", "--source-id", "800120170818101447", "--source-id",
        "800120170714100001", name="Bank"))
    app = shop.app
    for lower in (False, True):
        _, answer = shop.backend.post(LOGIN, login_request(app, shop.token(), key_file=key, lower=lower))
        checks.that(answer["resultCode"] == "103000" and rsa_decrypt(key, answer["msisdn"]) == NUMBER,
                    f"RSA, sign in {'lower' if lower else 'upper'} case: openssl decrypts the number", answer)
        checks.that(NUMBER not in json.dumps(answer), "RSA: the number is nowhere in the answer", answer)
    token = shop.token()
    checks.equal(shop.code(LOGIN, login_request(app, token, key_file=keys["other"])), "103101",
                 "RSA, signed with another key")
    checks.equal(shop.code(LOGIN, login_request(app, token)), "103101",
                 "an MD5 sign for an app that is registered for RSA")

    def record(token, **header):
        return shop.backend.post(USER, user_request(app, token, key, **header))[1]

    answer = record(token, sourceid="800120170818101447", ssotosourceid="800120170714100001")
    header, body = answer["header"], answer["body"]
    checks.that(
        (header["resultCode"], header["resultcode"], header["version"]) == ("103000", "103000", "1.0")
        and header["inresponseto"] and SECONDS_17.fullmatch(header["systemtime"]), "TYRZLogin: the answer's header",
        header)
    checks.equal(
        {name: body.get(name) for name in ("msisdntype", "authtype", "loginidtype", "fromsourceid", "tosourceid")},
        {"msisdntype": "0", "authtype": "2", "loginidtype": "0", "fromsourceid": "800120170818101447",
         "tosourceid": "800120170714100001"}, "TYRZLogin: the record of a China Mobile subscriber")
    checks.equal(rsa_decrypt(key, body["msisdn"]), NUMBER, "TYRZLogin: openssl decrypts the number")
    times = [datetime.strptime(body[name], "%Y-%m-%d %H:%M:%S").replace(tzinfo=CHINA)
             for name in ("authtime", "lastactivetime")]
    checks.that(all(begun <= one <= datetime.now(CHINA) for one in times), "TYRZLogin: both times are China's", times)
    checks.that(body["userid"] and body["pcid"] and body["userid"] != body["pcid"], "TYRZLogin: userid and pcid", body)
    again = record(shop.token())["body"]
    checks.equal((again["userid"], again["pcid"]), (body["userid"], body["pcid"]),
                 "TYRZLogin: the same person has the same userid")
    neighbour = Shop(server, server.create_app("--rsa-public-key", str(public), name="Other"))
    other = neighbour.backend.post(USER, user_request(neighbour.app, neighbour.token(), key))[1]["body"]
    checks.that(other["userid"] != body["userid"], "TYRZLogin: another app's userid of the same person is another",
                other)
    for address, wanted, number in (("127.9.0.1", "2", UNICOM_NUMBER), ("127.10.0.1", "1", TELECOM_NUMBER)):
        foreign = record(shop.token(address=address))["body"]
        checks.equal((foreign["msisdntype"], rsa_decrypt(key, foreign["msisdn"])), (wanted, number),
                     f"TYRZLogin: msisdntype {wanted} for {'China Unicom' if wanted == '2' else 'China Telecom'}")
    token = shop.token()
    for sentence, wanted, header in (
            ("a sourceid that is not the app's", "103118", {"sourceid": "800199999999999999"}),
            ("a sourceid that is none", "103133", {"sourceid": "abc"}),
            ("an apptype that does not exist", "103112", {"apptype": "9"}),
            ("another version", "103127", {"version": "2.0"}), ("a wrong sign", "103101", {"sign": "00" * 256})):
        checks.equal(record(token, **header)["header"]["resultCode"], wanted, f"TYRZLogin, {sentence}")
    checks.equal(record(token)["header"]["resultCode"], "103000",
                 "TYRZLogin: after all these refusals the token is still good")
    checks.equal(record(token)["header"]["resultCode"], "103116", "TYRZLogin: the same token again")


@pytest.mark.part("time")
def test_an_answer_comes_in_time(checks, shop):
    request = login_request(shop.app, shop.token())
    begin = time.monotonic()
    code = shop.code(LOGIN, request)
    took = time.monotonic() - begin
    checks.that(code == "103000" and took < 1,
                "the answer comes within the shortest time-out that callers use, 1 s", (code, took))


@pytest.mark.part("time")
def test_slow_clients(checks, shop):
    """A byte now and then is not progress: header and body have a deadline each. Others are served meanwhile."""
    port = shop.server.server
    results = {}

    def drip(name, opening):
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            connection.sendall(opening)
            begin = time.monotonic()
            while time.monotonic() - begin < 20:
                try:
                    connection.settimeout(0.5)
                    if connection.recv(4096) == b"":
                        break
                except TimeoutError:
                    pass
                except OSError:
                    break
                try:
                    connection.sendall(b"a")
                except OSError:
                    break
            results[name] = time.monotonic() - begin

    header = b"POST %s HTTP/1.1\r\nHost: x\r\nX-Slow: " % LOGIN.encode()
    body = b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 30000\r\n\r\n{" % LOGIN.encode()
    threads = [threading.Thread(target=drip, args=((what, n), opening))
               for what, opening in (("header", header), ("body", body)) for n in range(40)]
    threads += [threading.Thread(target=drip, args=(("silence", 0), b"P"))]
    for thread in threads:
        thread.start()
    time.sleep(1)
    begin = time.monotonic()
    code = shop.backend.redeem(shop.app, shop.token())[0] if shop.backend.close() is None else None
    checks.that(code == "103000" and time.monotonic() - begin < 3, "eighty slow clients keep nobody else waiting", code)
    for thread in threads:
        thread.join()
    for what in ("header", "body", "silence"):
        slowest = max(seconds for name, seconds in results.items() if name[0] == what)
        checks.that(slowest < 15, f"who drips the {what} loses the connection within 15 s", slowest)


def test_the_log_and_the_end(checks, server, shop):
    shop.code(LOGIN, login_request(shop.app, shop.token()))
    checks.equal(server.stop(), 0, "benji serve ends with 0")
    log = server.log.read_text()
    checks.that(not re.search(r"1390000005\d|1380000", log), "no number is in the server's log")
    checks.that("STsid" not in log and shop.app["serverSecret"] not in log,
                "no token and no server secret is in the server's log")
