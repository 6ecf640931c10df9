#!/usr/bin/env -S python3 -B
"""The documents' samples, translated to Swift, log in against a real server through the facades.

What each sample prints is held against what its document says, and the app's server redeems every token.
"""

import json
import os
import re

from support.checks import Stop, main, run
from support.operators import Backend
from support.server import BUNDLE, ROOT, Server, environment
from support.vendors import CHECK_PHONE, GEYAN_2, check_phone, geyan_request, long_signed

PHONES = {"127.8.1.1": "13800001111", "127.8.1.2": "13900002222", "127.8.1.3": "13800003333", "127.8.1.4": "13800004444"}
FOUND = "获取accessCode成功"
PROCESS = re.compile(r"[0-9a-f]{32}")
TOKEN = re.compile(r"STsid[0-9A-Za-z]{51}")


def program():
    path = ROOT / ".build/debug/FacadeSamples"
    if not os.access(path, os.X_OK):
        raise Stop(f"{path} is missing; build it with: make build")
    return str(path)


def samples(installed, sdk, app, address, **changes):
    """Every line that the samples of an SDK print: (what it says, the dictionary)."""
    options = {"server": installed.device_url, "id": app["id"], "key": app["key"], "bundle": BUNDLE, **changes}
    done = run([program(), sdk, options["server"], options["id"], options["key"], options["bundle"], address],
               seconds=60, env=environment())
    if done.returncode != 0:
        raise Stop(f"FacadeSamples {sdk}: status {done.returncode}: {done.stderr}")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return [(line["said"], line["sender"]) for line in lines]


def without(sender, *names):
    return {name: value for name, value in sender.items() if name not in names}


def tyrzsdk(checks, server, app, backend):
    address, number = next(iter(PHONES.items()))
    said = samples(server, "tyrzsdk", app, address)
    checks.equal([line for line, _ in said],
                 ["取号成功", "授权登录成功", "取号成功", "隐式登录成功", "getNetworkType", "delectScrip"],
                 "000: the samples print what the document says, in its order")
    found, login, again, implicit, network, deleted = [sender for _, sender in said]
    checks.equal(without(found, "traceId"),
                 {"resultCode": "103000", "desc": "success", "securityphone": f"{number[:3]}XXXX{number[-4:]}"},
                 "000: a prefetch answers code, word and mask, and nothing else of the document's")
    checks.equal(without(again, "traceId"), without(found, "traceId"), "000: the second prefetch answers the same")
    checks.equal(sorted(login), ["desc", "openId", "resultCode", "token", "traceId"], "000: a login has token and openId")
    checks.equal(sorted(implicit), ["desc", "resultCode", "token", "traceId"], "000: an implicit login has no openId")
    for sender, what in ((login, "a login"), (implicit, "an implicit login")):
        checks.that(TOKEN.fullmatch(sender["token"]), f"000: the token of {what} is one as the document prints it", sender)
    checks.equal(network["carrier"], 1, "000: the carrier is 1, China Mobile, as the gateway said")
    checks.equal(deleted, {"state": "YES"}, "000: the scrip is given up")
    checks.equal(backend.redeem(app, login["token"]), ("103000", number),
                 "000: the app's server gets the number for the login's token")
    checks.equal(backend.redeem(app, login["token"]), ("104201", None), "000: and only once")
    checks.equal(backend.redeem(app, implicit["token"]), ("103810", None),
                 "000: an implicit login's token releases no number")
    checks.equal(backend.verify(app, implicit["token"], number), "000",
                 "000: it answers whether a number is this phone's own")


def tyrzlogin(checks, server, app, backend):
    address, number = list(PHONES.items())[1]
    said = samples(server, "tyrzlogin", app, address)
    checks.equal([line for line, _ in said], ["showInfo"] * 2, "001: both samples show their result")
    for _, result in said:
        checks.equal(without(result, "token", "openId", "openid", "traceId"),
                     {"resultCode": "103000", "authType": "2", "authTypeDes": "网关鉴权", "result": "获取token成功"},
                     "001: the dictionary is the one that the document prints")
        checks.that(TOKEN.fullmatch(result["token"]) and result["openId"] == result["openid"],
                    "001: with token and openId", result)
        checks.equal(backend.verify(app, result["token"], number), "000",
                     "001: the app's server learns that it is this phone's own number")
    checks.equal(said[0][1]["openId"], said[1][1]["openId"], "001: one person has one openId")


def onelogin(checks, server, app, backend):
    address, number = list(PHONES.items())[2]
    said = samples(server, "onelogin", app, address)
    checks.equal([line for line, _ in said], ["sender", "token result", "params"], "004: the samples print what the document says")
    found, result, params = [sender for _, sender in said]
    documented = {"status": 200, "appID": app["id"], "operatorType": "CM", "msg": FOUND}
    checks.equal(without(found, "processID"), documented, "004: a prefetch answers the dictionary that the document prints")
    checks.equal(without(result, "processID", "token"), documented, "004: a login answers the same, and a token")
    checks.that(TOKEN.fullmatch(result["token"]) and PROCESS.fullmatch(result["processID"]),
                "004: token and processID are as the document prints them", result)
    body = check_phone(app, params["token"], params["process_id"])
    _, answer = backend.post(CHECK_PHONE, body)
    checks.equal((answer["status"], answer["result"]), (200, number), "004: check_phone gives the app's server the number")
    _, answer = backend.post(CHECK_PHONE, body)
    checks.equal((answer["status"], answer["result"]), (12101, ""), "004: and only once")


def geyan(checks, server, app, backend):
    address, number = list(PHONES.items())[3]
    said = samples(server, "geyan", app, address)
    checks.equal([line for line, _ in said], ["获取token返回结果", "一键认证返回结果"], "002: the samples print what the document says")
    found, result = [sender for _, sender in said]
    documented = {"code": 30000, "operatorType": "1", "msg": FOUND}
    checks.equal(without(found, "processID"), documented, "002: a prefetch answers the dictionary that the document prints")
    checks.equal(without(result, "processID", "token", "expiredTime", "pn"), documented, "002: a login answers the same")
    checks.equal(result["pn"], f"{number[:3]}****{number[-4:]}", "002: with the masked number")
    checks.that(TOKEN.fullmatch(result["token"]) and PROCESS.fullmatch(result["processID"]) and result["expiredTime"] > 0,
                "002: with a token, how long it is good, and the processID", result)
    body = long_signed(app, geyan_request(app, result["token"], result["processID"]))
    _, answer = backend.post(GEYAN_2, body)
    checks.equal((answer["data"]["result"], (answer["data"].get("data") or {}).get("pn")), ("20000", number),
                 "002: gy_get_pn gives the app's server the number")


def refusals(checks, server, app):
    """What can go wrong against a real server, and what the documents have for it."""
    phone = next(iter(PHONES))
    nowhere = "127.99.0.1"
    for sdk, codes in (("tyrzsdk", ("200010", "200009", "200041", "200028", "200026")),
                       ("tyrzlogin", ("102109", "200009", "102102", "102102", "102208"))):
        cases = ((nowhere, {}, "an address that is nobody's"), (phone, {"bundle": "com.example.other"}, "another bundle id"),
                 (phone, {"key": "not the key"}, "a wrong app key"),
                 (phone, {"server": "http://127.0.0.1:1"}, "a server that is down"), (phone, {"id": "x"}, "a malformed app id"))
        for (address, changes, what), code in zip(cases, codes):
            first = samples(server, sdk, app, address, **changes)[0][1]
            checks.equal(first["resultCode"], code, f"{sdk}: {what} ends in {code}")
            checks.that(first["desc"], f"{sdk}: {what} is told in words too")


def body(checks, _):
    with Server() as server:
        for address, number in PHONES.items():
            server.attach("attach", address, number)
        app = server.create_app()
        backend = Backend(server.server)
        tyrzsdk(checks, server, app, backend)
        tyrzlogin(checks, server, app, backend)
        for sdk, name in ((onelogin, "b41a959b5cac4dd1277183e074630945"), (geyan, "oCRdOzLa9S8Jyf3hVbpYa5")):
            sdk(checks, server, server.create_app("--phones-without-key", "--id", name), backend)
        refusals(checks, server, app)
        backend.close()


main(body, 120, __doc__)
