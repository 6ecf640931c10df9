"""The documents' samples, translated to Swift, log in against a real server through the facades.

Each sample's output is compared with its document, and the app's server redeems every token. They run twice: with a
page on which a person taps at once, and on pages that are drawn with UIKit's stand-ins and a finger.
"""

import json
import os
import re

import pytest

from support.checks import Stop, run
from support.server import BUNDLE, ROOT, environment
from support.vendors import CHECK_PHONE, GEYAN_2, check_phone, geyan_request, long_signed

PHONES = {"127.8.1.1": "13800001111", "127.8.1.2": "13900002222", "127.8.1.3": "13800003333",
          "127.8.1.4": "13800004444"}
VENDORS = {"onelogin": "b41a959b5cac4dd1277183e074630945", "geyan": "oCRdOzLa9S8Jyf3hVbpYa5"}
TERMS = "中国移动认证服务条款"
FOUND = "获取accessCode成功"
PROCESS = re.compile(r"[0-9a-f]{32}")
TOKEN = re.compile(r"STsid[0-9A-Za-z]{51}")


@pytest.fixture(scope="module")
def app(server):
    for address, number in PHONES.items():
        server.attach("attach", address, number)
    return server.create_app()


def program(drawn):
    folder, make = (".build-standins", "scripts/lib/test-standins.sh") if drawn else (".build", "make build")
    path = ROOT / folder / "debug/FacadeSamples"
    if not os.access(path, os.X_OK):
        raise Stop(f"{path} is missing; build it with: {make}")
    return str(path)


def samples(installed, sdk, app, address, *options, drawn=False, **changes):
    """Every line that the samples of an SDK print: (what it says, the dictionary). `drawn` is with pages on a
    screen."""
    values = {"server": installed.device_url, "id": app["id"], "key": app["key"], "bundle": BUNDLE, **changes}
    done = run([program(drawn), sdk, values["server"], values["id"], values["key"], values["bundle"], address,
                *options],
               env=environment())
    if done.returncode != 0:
        raise Stop(f"FacadeSamples {sdk}: status {done.returncode}: {done.stderr}")
    said = []
    for line in done.stdout.splitlines():
        # A line that is not JSON is the SDK's own, for the developer.
        line = json.loads(line) if line.startswith("{") else {"said": "log", "sender": {"line": line}}
        said.append((line["said"], line["sender"]))
    return said


def without(sender, *names):
    return {name: value for name, value in sender.items() if name not in names}


def test_tyrzsdk(checks, server, app, backend):
    address, number = next(iter(PHONES.items()))
    said = samples(server, "tyrzsdk", app, address)
    checks.equal([line for line, _ in said],
                 ["取号成功", "授权登录成功", "取号成功", "隐式登录成功", "getNetworkType", "delectScrip"],
                 "TYRZSDK: the samples print what the document says, in its order")
    found, login, again, implicit, network, deleted = [sender for _, sender in said]
    checks.equal(without(found, "traceId"),
                 {"resultCode": "103000", "desc": "success", "securityphone": f"{number[:3]}XXXX{number[-4:]}"},
                 "TYRZSDK: a prefetch answers code, word and mask, and nothing else of the document's")
    checks.equal(without(again, "traceId"), without(found, "traceId"), "TYRZSDK: the second prefetch answers the same")
    checks.equal(sorted(login), ["desc", "openId", "resultCode", "token", "traceId"],
                 "TYRZSDK: a login has token and openId")
    checks.equal(sorted(implicit), ["desc", "resultCode", "token", "traceId"],
                 "TYRZSDK: an implicit login has no openId")
    for sender, what in ((login, "a login"), (implicit, "an implicit login")):
        checks.that(TOKEN.fullmatch(sender["token"]), f"TYRZSDK: the token of {what} is one as the document prints it",
                    sender)
    checks.equal(network["carrier"], 1, "TYRZSDK: the carrier is 1, China Mobile, as the gateway said")
    checks.equal(deleted, {"state": "YES"}, "TYRZSDK: the scrip is given up")
    checks.equal(backend.redeem(app, login["token"]), ("103000", number),
                 "TYRZSDK: the app's server gets the number for the login's token")
    checks.equal(backend.redeem(app, login["token"]), ("104201", None), "TYRZSDK: and only once")
    checks.equal(backend.redeem(app, implicit["token"]), ("105018", None),
                 "TYRZSDK: an implicit login's token releases no number")
    checks.equal(backend.verify(app, implicit["token"], number), "000",
                 "TYRZSDK: it answers whether a number is this phone's own")


def test_tyrzlogin(checks, server, app, backend):
    address, number = list(PHONES.items())[1]
    said = samples(server, "tyrzlogin", app, address)
    checks.equal([line for line, _ in said], ["showInfo"] * 2, "TYRZLogin: both samples show their result")
    for _, result in said:
        checks.equal(without(result, "token", "openId", "openid", "traceId"),
                     {"resultCode": "103000", "authType": "2", "authTypeDes": "网关鉴权", "result": "获取token成功"},
                     "TYRZLogin: the dictionary is the one that the document prints")
        checks.that(TOKEN.fullmatch(result["token"]) and result["openId"] == result["openid"],
                    "TYRZLogin: with token and openId", result)
        checks.equal(backend.verify(app, result["token"], number), "000",
                     "TYRZLogin: the app's server learns that it is this phone's own number")
    checks.equal(said[0][1]["openId"], said[1][1]["openId"], "TYRZLogin: one person has one openId")


def drawn_lines(checks, said, what, number, *tapped):
    """The samples' output on a drawn page, without the person's own lines, which are checked here."""
    person = [sender for line, sender in said if line == "person"]
    checks.equal([(sender["number"], sender["tapped"]) for sender in person], [(number, " ".join(tapped))],
                 f"{what}: the page shows the phone's masked number, and the finger taps {' and '.join(tapped)}, "
                 "nothing over them")
    checks.that(all(TERMS in sender.get("terms", TERMS) for sender in person), f"{what}: it names the carrier's terms",
                person)
    checks.equal([sender for line, sender in said if line == "screen"], [{"page": "gone"}],
                 f"{what}: at the end the page is gone")
    words = ("defaultCheckBoxState", "unticked-at-first")
    warned = [next((word for word in words if word in sender["line"]), sender["line"]) for line, sender in said
              if line == "log"]
    checks.equal(warned, list(words) if tapped == ("benji.login",) else [],
                 f"{what}: the log warns of a tick that is set at first, and of nothing else")
    return [(line, sender) for line, sender in said if line not in ("person", "screen", "log")]


def masked(number):
    return f"{number[:3]}****{number[-4:]}"


@pytest.mark.part("apple")
def test_tyrzsdk_drawn(checks, server, app, backend):
    address, number = next(iter(PHONES.items()))
    what = "TYRZSDK, drawn"
    said = samples(server, "tyrzsdk", app, address, drawn=True)
    said = drawn_lines(checks, said, what, masked(number).replace("*", "X"), "login")
    checks.equal([line for line, _ in said],
                 ["取号成功", "授权登录成功", "取号成功", "隐式登录成功", "getNetworkType", "delectScrip"],
                 f"{what}: the samples print the same as without a screen")
    checks.equal(backend.redeem(app, said[1][1]["token"]), ("103000", number),
                 f"{what}: the app's server gets the number for the login's token")


def drawn(checks, server, strict, granted, sdk, phone, lines, release, refused):
    """The samples of a document whose page the SDK draws, for apps with and without the capability ticked-page."""
    address, number = list(PHONES.items())[phone]

    def said(app, what, option, *tapped):
        return drawn_lines(checks, samples(server, sdk, app, address, *option, drawn=True), what, masked(number),
                           *tapped)

    for app, option, tapped, how in ((granted, [], ["benji.login"], "word for word"),
                                     (strict, ["--unticked"], ["benji.tick", "benji.login"],
                                      "defaultCheckBoxState = NO")):
        what = f"{sdk}, drawn, {how}"
        found = said(app, what, option, *tapped)
        checks.equal([line for line, _ in found], lines, f"{what}: the samples print what the document says")
        checks.equal(release(app, found[-1][1]), number, f"{what}: the app's server gets the number")
    what = f"{sdk}, drawn, not granted"
    printed = samples(server, sdk, strict, address, drawn=True)
    checks.equal([line for line, _ in printed if line in ("person", "no page")], ["no page"],
                 f"{what}: a page that begins ticked is not shown to anybody")
    result = next((sender for line, sender in printed if "errorCode" in sender), {})
    checks.equal({name: result.get(name) for name in ("token", *refused)}, {"token": None, **refused},
                 f"{what}: it buys nothing")
    checks.that(all(word in json.dumps(result) for word in ("defaultCheckBoxState", "ticked-page")),
                f"{what}: the description names property and capability", result)
    what = f"{sdk}, drawn, not granted, in a client that goes on all the same"
    printed = samples(server, sdk, strict, address, "--goes-on", drawn=True)
    checks.equal([sender["tapped"] for line, sender in printed if line == "person"], ["benji.login"],
                 f"{what}: the page of a view model on which nothing is set is shown, ticked, and tapped")
    result = next((sender for line, sender in printed if "errorCode" in sender), {})
    checks.that("token" not in result and "consent_invalid" in json.dumps(result), f"{what}: the server refuses it",
                result)


def handed(checks, server, strict, granted, phone, lines, release):
    """The same for a page whose views the app hands over (GeYan's release 3.0): it is shown, and a tap is judged."""
    address, number = list(PHONES.items())[phone]

    def said(app, *option):
        printed = samples(server, "geyanhanded", app, address, *option, drawn=True)
        people = [(sender["number"], sender["tapped"]) for line, sender in printed if line == "person"]
        told = [(line, sender) for line, sender in printed if line in lines]
        return people, [line for line, _ in told], told[-1][1] if told else {}

    for app, option, tapped, how in ((strict, ["--unticked"], "tick login", "the tick left to the person"),
                                     (granted, [], "login", "the tick set, which is granted")):
        what = f"geyan, a page that is handed over, {how}"
        people, found, result = said(app, *option)
        checks.equal((people, found), ([(masked(number), tapped)], lines),
                     f"{what}: the person sees the masked number, taps, and the app hears of it")
        checks.equal(release(app, result), number, f"{what}: the app's server gets the number")
    what = "geyan, a page that is handed over, the tick set, not granted"
    people, _, result = said(strict)
    checks.equal((people, result.get("token"), result.get("code"), result.get("errorCode")),
                 ([(masked(number), "login")], None, 30006, "-20304"),
                 f"{what}: a tap buys nothing")
    people, _, result = said(strict, "--goes-on")
    checks.that(people and "token" not in result and "consent_invalid" in json.dumps(result),
                f"{what}, in a client that goes on: the server refuses it", result)


def onelogin_drawn(checks, server, strict, granted, backend):
    def release(app, params):
        return backend.post(CHECK_PHONE, check_phone(app, params["token"], params["process_id"]))[1]["result"]

    for sdk in ("onelogin", "oneloginpro"):
        drawn(checks, server, strict, granted, sdk, 2, ["sender", "token result", "params"], release,
              {"errorCode": "-40199"})


def geyan_drawn(checks, server, strict, granted, backend):
    def release(app, result):
        body = long_signed(app, geyan_request(app, result["token"], result["processID"]))
        return (backend.post(GEYAN_2, body)[1]["data"].get("data") or {}).get("pn")

    lines = ["获取token返回结果", "一键认证返回结果"]
    for sdk in ("geyan", "geyanpro"):
        drawn(checks, server, strict, granted, sdk, 3, lines, release, {"code": 30006, "errorCode": "-40199"})
    handed(checks, server, strict, granted, 3, lines, release)


def onelogin(checks, server, app, backend):
    address, number = list(PHONES.items())[2]
    said = samples(server, "onelogin", app, address)
    checks.equal([line for line, _ in said], ["sender", "token result", "params"],
                 "OneLogin: the samples print what the document says")
    found, result, params = [sender for _, sender in said]
    documented = {"status": 200, "appID": app["id"], "operatorType": "CM", "msg": FOUND}
    checks.equal(without(found, "processID"), documented,
                 "OneLogin: a prefetch answers the dictionary that the document prints")
    checks.equal(without(result, "processID", "token"), documented, "OneLogin: a login answers the same, and a token")
    checks.that(TOKEN.fullmatch(result["token"]) and PROCESS.fullmatch(result["processID"]),
                "OneLogin: token and processID are as the document prints them", result)
    body = check_phone(app, params["token"], params["process_id"])
    _, answer = backend.post(CHECK_PHONE, body)
    checks.equal((answer["status"], answer["result"]), (200, number),
                 "OneLogin: check_phone gives the app's server the number")
    _, answer = backend.post(CHECK_PHONE, body)
    checks.equal((answer["status"], answer["result"]), (12101, ""), "OneLogin: and only once")


def geyan(checks, server, app, backend):
    address, number = list(PHONES.items())[3]
    said = samples(server, "geyan", app, address)
    checks.equal([line for line, _ in said], ["获取token返回结果", "一键认证返回结果"],
                 "GeYan: the samples print what the document says")
    found, result = [sender for _, sender in said]
    documented = {"code": 30000, "operatorType": "1", "msg": FOUND}
    checks.equal(without(found, "processID"), documented,
                 "GeYan: a prefetch answers the dictionary that the document prints")
    checks.equal(without(result, "processID", "token", "expiredTime", "pn"), documented,
                 "GeYan: a login answers the same")
    checks.equal(result["pn"], masked(number), "GeYan: with the masked number")
    checks.that(TOKEN.fullmatch(result["token"]) and PROCESS.fullmatch(result["processID"])
                and result["expiredTime"] > 0,
                "GeYan: with a token, how long it is good, and the processID", result)
    body = long_signed(app, geyan_request(app, result["token"], result["processID"]))
    _, answer = backend.post(GEYAN_2, body)
    checks.equal((answer["data"]["result"], (answer["data"].get("data") or {}).get("pn")), ("20000", number),
                 "GeYan: gy_get_pn gives the app's server the number")


def test_refusals(checks, server, app):
    """Errors against a real server, and the documents' codes for them."""
    phone = next(iter(PHONES))
    nowhere = "127.99.0.1"
    for sdk, codes in (("tyrzsdk", ("200010", "200009", "200041", "200028", "200026")),
                       ("tyrzlogin", ("102109", "200009", "102102", "102102", "102208"))):
        cases = ((nowhere, {}, "an address that is nobody's"),
                 (phone, {"bundle": "com.example.other"}, "another bundle id"),
                 (phone, {"key": "not the key"}, "a wrong app key"),
                 (phone, {"server": "http://127.0.0.1:1"}, "a server that is down"),
                 (phone, {"id": "x"}, "a malformed app id"))
        for (address, changes, what), code in zip(cases, codes):
            first = samples(server, sdk, app, address, **changes)[0][1]
            checks.equal(first["resultCode"], code, f"{sdk}: {what} ends in {code}")
            checks.that(first["desc"], f"{sdk}: {what} is told in words too")


@pytest.fixture(scope="module")
def kept(server, app):
    """The apps that keep the ids which OneLogin and GeYan gave them."""
    return {vendor: server.create_app("--phones-without-key", "--id", name) for vendor, name in VENDORS.items()}


@pytest.mark.parametrize("sdk", (onelogin, geyan))
def test_vendor(checks, server, kept, backend, sdk):
    """OneLogin's and GeYan's documents."""
    sdk(checks, server, kept[sdk.__name__], backend)


@pytest.mark.part("apple")
@pytest.mark.parametrize("sdk, vendor", ((onelogin_drawn, "onelogin"), (geyan_drawn, "geyan")), ids=VENDORS)
def test_vendor_drawn(checks, server, kept, backend, sdk, vendor):
    """The same on pages that are drawn."""
    granted = server.create_app("--phones-without-key", "--capability", "login", "--capability", "ticked-page")
    sdk(checks, server, kept[vendor], granted, backend)
