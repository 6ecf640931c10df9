"""The sandbox in a browser, as people use it: every SIM, every network and some faults, chosen on the page, by script
or command. The result is looked at in an ordinary Chromium window of a phone, or through the phone's modem."""

import base64
import hashlib
import http.client
import http.server
import json
import re
import socket
import threading
import time
import urllib.parse
import urllib.request

import pytest
from selenium.common.exceptions import WebDriverException

from support import axe, looks
from support.browser import Browser
from support.checks import PATIENCE, Stop, eventually, folder, run, start
from support.provider import take_pictures, tick_and_tap
from support.sandbox import Sandbox
from support.server import ROOT, binary, environment

pytestmark = pytest.mark.seconds(300)
OPTIONS = {"pictures": None}

SIZES = {"phone": (393, 760), "tablet": (820, 1100), "desktop": (1400, 900), "4k": (3840, 2160)}
#: By SIM: what the login page shows, as on a phone whose number begins and ends like that; None where there is no page.
SIMS = {"mobile": "138****0011", "unicom": "130****0021", "telecom": "133****0031", "dual": "139****0041",
        "unsupported": None, "iot": None}
#: By network: whether a browser is recognised, and the result of the shop's app, which asks for mobile data.
NETWORKS = {"cellular": (True, "success"), "wifi": (False, "cellular_data_off"), "both": (False, "success"),
            "vpn": (False, "address_unknown"), "roaming": (False, "address_unknown")}
#: By what the notice says, one code each.
NOTICES = ("address_unknown", "address_stale", "carrier_unsupported", "scrip_expired", "consent_invalid",
           "subscription_changed",
           "too_many_requests", "store_unavailable")


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as made:
        yield made


@pytest.fixture(scope="module")
def desktop():
    with Browser(None, language="en", size=SIZES["desktop"]) as made:
        yield made


@pytest.fixture
def controls(sandbox, desktop):
    """The sandbox's page, open."""
    desktop.open(sandbox.page + "?lang=en")
    return desktop


@pytest.fixture
def browser(controls):
    return controls


@pytest.fixture(scope="module")
def window():
    """An ordinary window, of a phone."""
    with Browser(None, language="en") as made:
        yield made


def opens(browser, address):
    """Whether the page came. A connection that the network dropped is an error of the browser's."""
    try:
        browser.open(address)
    except WebDriverException as error:
        if "net::ERR" not in str(error):
            raise
        return False
    return "chrome-error:" not in browser.run("return document.documentURI")


def login_page(browser, sandbox, number=1):
    """Goes from the shop to the login page, in the phone's window."""
    log_out(browser, sandbox, number)
    phone = sandbox.phone(number)
    browser.open(f"{phone['shop']}/login?next=/account")
    browser.click("#login")
    return eventually(lambda: browser.address.startswith(phone["pages"]), 10)


def log_out(browser, sandbox, number=1):
    browser.open(sandbox.phone(number)["shop"] + "/account")
    if browser.find("form[action='/logout'] button"):
        browser.click("form[action='/logout'] button")


def choose(browser, name, value):
    """Ticks a choice on the sandbox's page, as a person does, and waits until the page has it."""
    place = f'input[name="{name}"][value="{value}"]'
    browser.click(place)
    if not eventually(lambda: browser.run(f"return document.querySelector('{place}:checked') !== null "
                                             f"&& document.querySelector('{place}').defaultChecked"), 10):
        raise Stop(f"the page does not take {name} {value}")


def test_the_page(checks, sandbox, desktop):
    browser = desktop
    browser.open(sandbox.page)
    checks.that(browser.says("Phone 1", "#device"), "the page shows a phone", browser.text("body"))
    checks.that(all(urllib.parse.urlsplit(each).netloc == sandbox.host for each in browser.loaded),
                "the page loads nothing from another host", browser.loaded)
    checks.equal(browser.run("return document.documentElement.lang"), "en", "it speaks the browser's language")
    unnamed = browser.run("""
        return [...document.querySelectorAll('input:not([type=hidden]), select, button, a, summary')]
          .filter(each => !(each.labels?.length || each.textContent.trim() || each.getAttribute('aria-label')))
          .map(each => each.outerHTML)""")
    checks.equal(unnamed, [], "every control has a name that a screen reader says")
    levels = browser.run("return [...document.querySelectorAll('h1,h2,h3')].map(each => +each.tagName[1])")
    checks.that(levels[0] == 1 and all(b - a <= 1 for a, b in zip(levels, levels[1:])), "headings leave no level out",
                levels)
    for size in ((320, 800), *SIZES.values()):
        browser.resize(*size)
        looks.fits(checks, browser, f"at {size[0]} × {size[1]}", reads=False)
        checks.equal(browser.run(looks.CUT), [], f"and no text is cut off at {size[0]} × {size[1]}")
    browser.resize(*SIZES["desktop"])


def test_what_to_try_next_is_face_login(checks, sandbox, browser):
    """Where the sandbox runs without face login, the page has the command that switches it on; test_face_pages.py
    follows the link."""
    for language in ("en", "zh"):
        browser.open(f"{sandbox.page}?lang={language}")
        checks.that("benji demo --face" in browser.text(".next code").split("\n"), f"{language}: the command is shown",
                    browser.text(".next"))
        links = browser.run(
            "return [...document.querySelectorAll('a')].map(each => each.href).filter(each => each.includes('/face'))")
        checks.equal(links, [], f"{language}: and nothing leads to a page that is not there")


def test_keyboard(checks, sandbox, browser):
    browser.open(sandbox.page)
    browser.run("document.querySelector('input[name=network]:checked').focus()")
    browser.press("ArrowDown")
    checks.that(eventually(lambda: sandbox.phone()["network"] == "wifi", 10), "the arrow keys change the network",
                sandbox.phone()["network"])
    checks.that(eventually(lambda: browser.run("return document.activeElement.value") == "wifi", 10),
                "and the keyboard's place is kept", browser.run("return document.activeElement.outerHTML"))
    browser.press("ArrowUp")
    checks.that(eventually(lambda: sandbox.phone()["network"] == "cellular", 10), "and back",
                sandbox.phone()["network"])


def test_cards(checks, sandbox, controls, window):
    for sim, mask in SIMS.items():
        choose(controls, "sim", sim)
        checks.equal(sandbox.phone()["sim"], sim, f"{sim}: the phone has the card that was chosen on the page")
        arrived = login_page(window, sandbox)
        if mask:
            checks.that(arrived and window.says(mask, "[data-role=number]"),
                        f"{sim}: the login page shows the card's mask",
                        window.text("body"))
            tick_and_tap(window)
            checks.that(window.says(mask, "#number"), f"{sim}: one tap, and the shop knows who it is",
                        window.text("body"))
            log_out(window, sandbox)
        else:
            words = "This SIM cannot" if sim == "iot" else "was not recognised"
            checks.that(arrived and window.says(words, "h1"), f"{sim}: the person is told that it cannot log in",
                        window.text("body"))
        code = {"unsupported": "address_unknown", "iot": "subscriber_unsupported"}.get(sim, "success")
        checks.equal(sandbox.tap()["situation"], code, f"{sim}: the shop's app ends in {code}")
    choose(controls, "sim", "dual")
    choose(controls, "dataSlot", "2")
    login_page(window, sandbox)
    checks.that(window.says("131****0041", "[data-role=number]"),
                "dual: with data from slot 2 it is the other card's number",
                window.text("body"))
    choose(controls, "sim", "mobile")


def test_networks(checks, sandbox, controls, window):
    addresses = set()
    for network, (isKnown, app) in NETWORKS.items():
        choose(controls, "network", network)
        addresses.add(sandbox.phone()["address"])
        arrived = login_page(window, sandbox)
        role = "[data-role=number]" if isKnown else "h1"
        words = "138****0011" if isKnown else "was not recognised"
        checks.that(arrived and window.says(words, role), f"{network}: a browser sees " + words, window.text("body"))
        login = sandbox.tap()
        checks.equal(login["situation"], app, f"{network}: the shop's app ends in {app}")
    checks.equal(len(addresses), 4, "home, tunnel, visited network and carrier are four addresses")
    choose(controls, "network", "cellular")
    _, last = sandbox.timeline()
    choose(controls, "network", "weak")
    late, lost = [], 0
    for _ in range(40):
        started = time.monotonic()
        if opens(window, sandbox.phone()["shop"] + "/"):
            late.append(time.monotonic() - started)
        else:
            lost += 1
        if late and lost:
            break
    checks.that(late and min(late) >= 0.7, "weak: what comes, comes late", late)
    checks.that(any("weak" in each["subject"] for each in sandbox.timeline(last)[0]) or lost,
                "weak: and some of it never", lost)
    choose(controls, "network", "cellular")


def test_moves_on_while_the_page_is_open(checks, sandbox, controls, window):
    login_page(window, sandbox)
    window.shows("[data-role=number]")
    choose(controls, "network", "both")
    tick_and_tap(window)
    checks.that(window.says("not recognised", "h1"),
                "a phone that goes to Wi-Fi while the page is open is not logged in",
                window.text("body"))
    choose(controls, "network", "cellular")


def test_a_phone_whose_mobile_data_is_off_logs_in_by_code(checks, sandbox, controls, window, pictures):
    """In a browser, and in the shop's app with the SDK."""
    choose(controls, "network", "wifi")
    login_page(window, sandbox)
    checks.that(window.says("was not recognised", "h1"), "the network does not know the phone", window.text("body"))
    window.click(".actions .button")
    checks.that(window.shows("#number"), "its notice leads to a page that asks for the number", window.text("body"))
    window.type("#number", "138 0000 0011")
    window.click(".tick input")
    window.click("button[value=send]")
    checks.that(window.says("138****0011", "#sent"), "a code is sent to it", window.text("body"))
    checks.that(eventually(lambda: re.search(r"\d{6}", controls.text("#texts")), 10),
                "the message comes to the phone on the page, live",
                controls.text("#texts"))
    take_pictures(controls, pictures, "sandbox-message")
    controls.resize(*SIZES["desktop"])
    code = re.search(r"\d{6}", sandbox.messages()[0])[0]
    checks.that(code in controls.text("#texts") and code in sandbox.command("messages", "1").stdout,
                "with the code, as the command line has it")
    checks.that(code not in json.dumps(sandbox.timeline()[0]), "and the timeline has no code")
    window.type("#digits", code)
    window.click("button[value=code]")
    checks.that(window.says("138****0011", "#number"), "the code logs in to the shop", window.text("body"))
    checks.that(window.says("a code that was sent", "#recognised"), "which can tell how", window.text("main"))
    log_out(window, sandbox)

    checks.equal(sandbox.tap()["situation"], "cellular_data_off", "the app cannot tap once")
    login = sandbox.tap(way="sms")
    checks.that(login["loggedIn"] and login["assurance"] == "sms" and login["maskedNumber"] == "138****0011",
                "by the SDK's SMSLogin it logs in", login)
    done = sandbox.command("tap", "1", "--sms")
    checks.that(done.returncode == 0 and "138****0011" in done.stdout, "benji phone tap --sms",
                done.stdout + done.stderr)
    controls.click("#app-code")
    checks.that(controls.says("Logged in as 138****0011", "#outcome"), "and so does the button on the page",
                controls.text("#outcome"))
    sandbox.set(network="vpn")
    checks.that(sandbox.tap(way="sms")["loggedIn"], "over a VPN too")
    checks.equal(sandbox.ask("POST", "/api/phones/phone-1/login", {"way": "x"})[0], 400, "another way there is not")
    controls.open(sandbox.page + "?lang=en")
    choose(controls, "network", "cellular")


def put_in(controls, step, kind, **fields):
    """Fills in the page's form for faults."""
    for name, value in {"step": step, "kind": kind, **fields}.items():
        controls.run(f"""const field = document.querySelector(
                             '#fault select[name={name}], #fault [name={name}][value="{value}"]');
                         if (field.type === 'radio') field.click(); else field.value = '{value}';
                         field.dispatchEvent(new Event('change', {{bubbles: true}}))""")
    controls.click("#fault button[value=set]")
    if not eventually(lambda: controls.find("#fault button[value=clear]"), 10):
        raise Stop(f"the fault is not put in: {controls.text('#fault')}")


def test_faults(checks, sandbox, controls, window):
    controls.open(sandbox.page)
    put_in(controls, "page", "code", code="carrier_unsupported")
    login_page(window, sandbox)
    checks.that(window.says("This SIM cannot", "h1"), "a code at the page: the person reads what that code says",
                window.text("body"))
    checks.that(eventually(lambda: any("carrier_unsupported" in each for each in rows(controls)), 10),
                "and the timeline shows it",
                rows(controls)[-6:])
    controls.click("#fault button[value=clear]")

    sandbox.set(fault={"step": "tap", "kind": "code", "code": "subscription_changed", "times": 1})
    login_page(window, sandbox)
    tick_and_tap(window)
    checks.that(window.says("connection has changed", "h1"), "a code at the tap", window.text("body"))
    checks.equal(sandbox.phone()["fault"], None, "a fault that was put in once is gone after it")

    sandbox.set(fault={"step": "code", "kind": "code", "code": "token_expired"})
    login_page(window, sandbox)
    tick_and_tap(window)
    checks.that(window.says("invalid_grant"), "a code at the exchange of the code: the shop hears invalid_grant",
                window.text("body"))

    for kind in ({"kind": "drop"}, {"kind": "code", "code": "store_unavailable"}):
        sandbox.set(fault={"step": "number", "times": 1, **kind})
        login_page(window, sandbox)
        tick_and_tap(window)
        words = "does not answer" if kind["kind"] == "drop" else "temporarily_unavailable"
        checks.that(window.says(words), f"{kind['kind']} at the number: the shop says so to the person",
                    window.text("body"))

    sandbox.set(fault={"step": "page", "kind": "delay", "milliseconds": 1500, "times": 1})
    shop = sandbox.phone()["shop"]
    started = time.monotonic()
    opens(window, f"{shop}/login/start?next=/account")
    checks.that(time.monotonic() - started >= 1.5 and window.shows("[data-role=number]"),
                "a delay at the page: it comes, late",
                time.monotonic() - started)

    # Not once: a browser asks again by itself when a connection that it has kept breaks.
    sandbox.set(fault={"step": "connection", "kind": "drop"})
    checks.that(not opens(window, f"{shop}/"), "a lost connection is one for the browser too", window.text("body"))
    sandbox.set(fault=None)
    checks.that(opens(window, f"{shop}/"), "and the next one is not lost")

    sandbox.set(fault={"step": "attach", "kind": "drop", "times": 1})
    sandbox.set(sim="telecom")
    login_page(window, sandbox)
    checks.that(window.says("not recognised", "h1"), "where the packet core's word is lost, the gateway knows nobody",
                window.text("body"))
    sandbox.set(sim="mobile")

    for step, code, ends in (("prefetch", "overloaded", "overloaded"), ("authorize", "subscription_mismatch", None),
                             ("redeem", "token_expired", "success")):
        sandbox.set(fault={"step": step, "kind": "code", "code": code, "times": 1})
        login = sandbox.tap()
        checks.that(not login["loggedIn"] and login["situation"] == (ends or code),
                    f"{code} at {step}: the app hears it", login)
    for step in ("prefetch", "authorize", "redeem"):
        sandbox.set(fault={"step": step, "kind": "drop", "times": 1})
        login = sandbox.tap()
        checks.that(not login["loggedIn"] and login["situation"] == "network_failure",
                    f"a lost {step} is a network failure", login)
    sandbox.set(fault=None)
    checks.that(sandbox.tap()["loggedIn"], "without a fault the app logs in", sandbox.tap())


def test_other_sites(checks, sandbox):
    """Requests that a page elsewhere could make a browser send."""
    change = {"network": "vpn"}
    for headers, name in (({"Origin": "https://evil.example"}, "another origin"),
                          ({"Sec-Fetch-Site": "cross-site"}, "another site"),
                          ({"Origin": "null"}, "an origin that hides"),
                          ({"Host": "evil.example"}, "another name for this machine")):
        status, _, _ = sandbox.ask("PATCH", "/api/phones/phone-1", change, headers)
        checks.equal(status, 403, f"{name} may change nothing")
    checks.equal(sandbox.ask("GET", "/", headers={"Host": "evil.example"})[0], 403,
                 "and under another name nobody reads anything")
    checks.equal(sandbox.phone()["network"], "cellular", "the phone is as it was")
    status, _, headers = sandbox.ask("GET", "/console")
    checks.equal((status, headers["Location"]), (303, "/"),
                 "the console's address leads to the page, where a button signs in")
    status, _, headers = sandbox.ask("POST", "/console", headers={"Origin": "https://evil.example"})
    checks.that(status == 403 and headers["Set-Cookie"] is None, "nor open a session of the console",
                (status, headers.items()))
    for method, path, allowed in (
            ("PUT", "/api/phones", "GET, HEAD, POST"), ("POST", "/api/phones/phone-1", "GET, HEAD, PATCH, DELETE"),
            ("DELETE", "/", "GET, HEAD")):
        status, answer, headers = sandbox.ask(method, path)
        checks.that(status == 405 and headers["Allow"] == allowed and answer["code"] == "method_not_allowed",
                    f"{method} {path} is told what the address answers to", (status, headers.items()))
    for path in ("/", "/sandbox.js", "/api/phones", "/nothing"):
        headers = sandbox.ask("GET", path)[2]
        policy = headers["Content-Security-Policy"]
        checks.that("default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
                    and headers["X-Frame-Options"] == "DENY" and headers["Referrer-Policy"] == "no-referrer"
                    and headers["X-Content-Type-Options"] == "nosniff",
                    f"{path} says what may be loaded, framed and told on",
                    headers.items())


def raw(sandbox, *lines, to=None):
    """The reply of the page's port, or another, to these lines and to a second request on the same connection."""
    host, port = (to or sandbox.host).rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall("".join(f"{line}\r\n" for line in (*lines, "", "GET /last HTTP/1.1", "Host: x",
                                                              "Connection: close", "")).encode() + b"\r\n")
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode(errors="replace")


def test_requests_that_are_read_otherwise_elsewhere(checks, sandbox):
    """Requests that a proxy in front, or the next reader of the connection, would take for another one."""
    own = f"Host: {sandbox.host}"
    for method, path, host, code in (
            ("HEAD", "/nope", own, 404), ("HEAD", "/api/phones/phone-99", own, 404),
            ("HEAD", "/", "Host: evil.example", 403),
            ("HEAD", "/", "Host: phone-99.localhost", 404)):
        said = raw(sandbox, f"{method} {path} HTTP/1.1", host)
        checks.that(said.startswith(f"HTTP/1.1 {code}") and said.split("\r\n\r\n", 1)[1].startswith("HTTP/1.1"),
                    f"{method} {path} of {host} has no body", said)
    for lines in ((f"GET /api/app HTTP/1.1", own, "Host: evil.example"),
                  ("GET http://evil.example/api/app HTTP/1.1", own),
                  ("GET /api/app HTTP/1.1", f"{own}@evil.example"),
                  ("GET /login/start HTTP/1.1", "Host: phone-1.localhost:@evil.example")):
        said = raw(sandbox, *lines)
        checks.that(said.startswith(("HTTP/1.1 400", "HTTP/1.1 403")) and "serverSecret" not in said,
                    f"{lines[0]} with {lines[-1]} is refused", said)


def test_another_site_takes_no_places(checks, sandbox):
    """A page of another site opens requests and leaves them. The next request is answered."""
    query = "GET /api/timeline?after=9223372036854775807&wait=60 HTTP/1.1"
    checks.that(raw(sandbox, query, f"Host: {sandbox.host}", "Sec-Fetch-Site: cross-site").startswith("HTTP/1.1 403"),
                "a browser's page of another site is refused")
    host, port = sandbox.host.rsplit(":", 1)
    first = socket.create_connection((host, int(port)), timeout=PATIENCE)
    first.sendall(f"{query}\r\nHost: {sandbox.host}\r\n\r\n".encode())
    for _ in range(300):
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
            connection.sendall(f"{query}\r\nHost: {sandbox.host}\r\n\r\n".encode())
    checks.equal(sandbox.ask("GET", "/api/choices")[0], 200,
                 "after 300 requests that wait for news and were left, the page answers")
    first.setblocking(False)
    try:
        checks.that(first.recv(1) is None, "before the first of them has waited long enough")
    except BlockingIOError:
        checks.that(True, "before the first of them has waited long enough")
    finally:
        first.close()


def test_a_window_under_another_name(checks, sandbox):
    """DNS rebinding: a page's own name leads to a phone's window."""
    phone = sandbox.phone()
    for window in (phone["shop"], phone["pages"]):
        place = window.split("//")[1].rstrip("/")
        status = {name: raw(sandbox, "GET / HTTP/1.1", f"Host: {name}", to=place)[9:12]
                  for name in (place, f"evil.example:{place.split(':')[1]}")}
        checks.that(status[place] != "421" and list(status.values())[1] == "421",
                    f"{window} answers under its own name alone", status)


class Relay(http.server.BaseHTTPRequestHandler):
    """Passes an app's requests on to the sandbox, as those of another phone."""
    to, target, headers_too = None, "", {}

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        host, port = self.to.rsplit(":", 1)
        connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE, source_address=self.source)
        connection.putrequest("POST", self.target + self.path, skip_host=True)
        for name, value in [*((name, value) for name, value in self.headers.items() if name.lower() != "host"),
                            *self.headers_too.items()]:
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        content = answer.read()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.headers["Content-Type"])
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        connection.close()

    do_GET = do_POST

    def log_message(self, *_):
        """Requests are not logged."""


def test_a_relayed_proof(checks, sandbox):
    """A phone's proof names the address that its app called. A relay that passes the request on as another phone's is
    refused, whatever it says of that address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    mine = f"127.0.0.1:{server.server_address[1]}"
    app, phone = sandbox.ask("GET", "/api/app")[1], sandbox.phone(2)
    gateway = sandbox.ask("GET", "/api/choices")[1]["servers"]["pages"].split("//")[1].rstrip("/")
    window = phone["pages"].split("//")[1].rstrip("/")
    try:
        for name, to, target, host, source in (
                ("a window's name", sandbox.host, "", f"login.phone-2.localhost:{sandbox.host.rsplit(':', 1)[1]}",
                 None),
                ("a window", window, "", window, None),
                ("the gateway itself", gateway, "", gateway, (phone["address"], 0)),
                ("the app's path", sandbox.host, "/phones/phone-2/gateway", sandbox.host, None)):
            Relay.to, Relay.target, Relay.source = to, target, source
            Relay.headers_too = {"Host": host, "Benji-Sandbox-Gateway": mine}
            done = run([binary(), "phone", "login", "--server", f"http://{mine}", "--from", "127.0.0.1", "--app",
                        app["id"], "--key", app["key"],
                        "--bundle", app["bundleId"], "--yes"], env=environment())
            checks.that(done.returncode != 0 and "proof_invalid" in done.stdout + done.stderr,
                        f"relayed through {name} a proof is refused", done.stdout + done.stderr)
    finally:
        server.shutdown()
        server.server_close()


def test_modem(checks, sandbox):
    """The proxy: for any browser, and for nowhere else."""
    proxy = sandbox.phone()["proxy"]
    place = urllib.parse.urlsplit(proxy)

    def through(method, target):
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=10)
        try:
            connection.request(method, target)
            return connection.getresponse().status
        finally:
            connection.close()

    for target in ("http://example.com/", "http://127.0.0.1:22/", sandbox.page, "http://localhost:80/"):
        checks.equal(through("GET", target), 403,
                     f"the modem does not lead to {urllib.parse.urlsplit(target).hostname}")
    checks.equal(through("GET", "/"), 400, "what is no proxy request is told what this port is")
    with socket.create_connection((place.hostname, place.port), timeout=10) as connection:
        connection.sendall(b"CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n")
        checks.that(b" 403 " in connection.recv(1024), "nor does a tunnel")
    # Where the shop itself is, as an app's developer would know it.
    with Browser(proxy, language="en") as browser:
        shop = sandbox.shop
        with socket.create_connection((place.hostname, place.port), timeout=10) as connection:
            connection.sendall(f"CONNECT {shop.removeprefix('http://')} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            checks.that(b" 200 " in connection.recv(1024), "a tunnel to the sandbox's own shop opens")
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            checks.that(b"HTTP/1.1 200" in connection.recv(65536), "and carries what is sent")
        browser.open(f"{shop}/login?next=/account")
        browser.click("#login")
        checks.that(browser.says("138****0011", "[data-role=number]"),
                    "a browser with the modem as its proxy is on the phone, under the servers' own names",
                    browser.text("body"))
        tick_and_tap(browser)
        checks.that(browser.says("138****0011", "#number"), "and logs in", browser.text("body"))


class Screen:
    """The drawn phone, whose screen is a frame of the sandbox's page."""

    def __init__(self, controls):
        self.controls = controls

    def __enter__(self):
        self.controls.enter_frame(0)
        return self.controls

    def __exit__(self, *_):
        self.controls.enter_frame(None)


def begin(controls, action="begin"):
    """Begins a login on the drawn phone."""
    with Screen(controls) as screen:
        if screen.find("button[value=leave]"):
            screen.click("button[value=leave]")
        screen.shows(f"button[value={action}]")
        screen.click(f"button[value={action}]")


def rows(controls):
    """The diagram's rows as a screen reader reads them, one line each."""
    return controls.run("return [...document.querySelectorAll('#timeline .row')].map(each => "
                        "each.textContent.replace(/\\s+/g, ' ').trim())")


def test_login_in_the_drawn_phone(checks, sandbox, controls, pictures):
    """The person ticks and taps in the drawn phone. Every message is shown, in order of cause, with its bytes."""
    sandbox.ask("DELETE", "/api/timeline")
    controls.open(sandbox.page + "?lang=en")
    begin(controls)
    with Screen(controls) as screen:
        checks.that(screen.says("138****0011", "[data-role=number]"),
                    "the SDK's page is in the phone, with the card's mask",
                    screen.text("body"))
        checks.that("User Agreement" in screen.text("[data-role=terms]"), "and its terms", screen.text("body"))
        checks.that(not screen.run("return document.querySelector('script, [onclick]') !== null"), "without a script")
        screen.click("[data-role=login]")
        checks.that(screen.shows("[data-role=dialog]") or screen.shows("button[value=agree]"),
                    "a tap without the tick is asked once more", screen.text("body"))
        screen.click("[data-role=dialogDisagree]")
        checks.that(screen.shows("[data-role=tick]"), "a no leads back to the page", screen.text("body"))
        screen.click("[data-role=tick]")
        screen.click("[data-role=login]")
        checks.that(screen.says("138****0011", "#mask"), "tick and tap, and the shop knows who it is",
                    screen.text("body"))
    checks.that(eventually(lambda: any("POST /login/token" in each for each in rows(controls)), 20),
                "the diagram has it live",
                rows(controls))
    # Every row is drawn by now, one after the other.
    checks.that(eventually(lambda: not controls.run("return document.querySelector('.pending') !== null"), 20),
                "all arrows are drawn")
    told = rows(controls)
    places = [next((number for number, each in enumerate(told) if each.startswith(start) and word in each), None)
              for start, word in (
        ("Phone to Gateway:", "POST /device/v1/prefetch"), ("Gateway:", "recognised the address"),
        ("Gateway to Phone, answer:", "success"),
        ("Phone to Gateway:", "POST /device/v1/authorize"), ("Authority:", "issued a token"),
        ("Phone to App's server:", "POST /login/token"), ("App's server to Authority:", "loginTokenValidate"),
        ("Authority to App's server, answer:", "103000"), ("App's server to Phone, answer:", "200 OK"))]
    # The answer to the first question may be the challenge's, which is earlier.
    order = [place for number, place in enumerate(places) if number != 2]
    checks.that(None not in places and order == sorted(order), "the login is told in order of cause, read as a list",
                (places, told))
    checks.equal(controls.run(
        "return document.querySelector('#timeline').tagName + document.querySelector('#timeline > *').tagName"),
                 "OLLI", "it is a list")

    controls.run("""[...document.querySelectorAll('#timeline summary')]
                    .find(each => each.textContent.includes('POST /device/v1/authorize')).focus()""")
    controls.press("Enter")
    checks.that(controls.says("POST /device/v1/authorize HTTP/1.1", "#timeline details[open] .head"),
                "the keyboard opens a message to its first line", controls.text("#timeline details[open]"))
    head, body = controls.text("#timeline details[open] .head"), controls.text("#timeline details[open] .body")
    checks.that("DPoP: " in head and '"scrip"' in body and '"consent"' in body, "its headers and its body",
                (head, body))
    take_pictures(controls, pictures, "sandbox-bytes")
    controls.resize(*SIZES["desktop"])
    validated = [each for each in sandbox.timeline()[0] if "loginTokenValidate" in each["subject"]
                 and each["kind"] == "message"]
    _, page, _ = sandbox.ask("GET", f"/messages/{validated[0]['number']}/answer")
    checks.that("HTTP/1.1 200 OK" in page and "13800000011" in page and "<!doctype html>" in page,
                "without script too, the answer is there with the number that was released", page)
    checks.that("13800000011" not in json.dumps(sandbox.timeline()[0]), "which the timeline itself does not have")
    checks.equal(sandbox.ask("GET", "/messages/999999/request")[0], 404, "a message that is not kept is not found")
    for headers in ({"Host": "evil.example"}, {"Host": "127.0.0.1.evil.example"}):
        checks.equal(sandbox.ask("GET", f"/messages/{validated[0]['number']}/answer", headers=headers)[0], 403,
                     "nobody reads bytes under another name")
    headers = sandbox.ask("GET", "/phones/phone-1/screen")[2]
    checks.that(f"frame-ancestors http://{sandbox.host}" in headers["Content-Security-Policy"]
                and "script" not in headers["Content-Security-Policy"].replace("'none'", ""),
                "the screen may be framed by the sandbox's page alone, and runs no script", headers.items())

    # A number of its own, known by a tap: five codes a minute are sent to one, and other tests have codes sent too.
    sandbox.set(sim="unicom")
    checks.equal(sandbox.tap()["maskedNumber"], SIMS["unicom"], "another card logs in as another number")
    sandbox.set(network="wifi")
    begin(controls)
    with Screen(controls) as screen:
        checks.that(screen.says("cellular_data_off", "code") and screen.text("#meaning"),
                    "without mobile data the phone says why, and what it means", screen.text("body"))
    begin(controls, "sms")
    with Screen(controls) as screen:
        checks.that(screen.says(SIMS["unicom"], "#mask"), "and a code by SMS logs in", screen.text("body"))
    checks.that(eventually(lambda: any(each.startswith("SMS centre to Phone:") for each in rows(controls)), 20),
                "the short message comes by a lane of its own", rows(controls))
    sandbox.set(network="cellular", sim="mobile")
    checks.that(all(urllib.parse.urlsplit(each).netloc == sandbox.host for each in controls.loaded),
                "nothing is loaded from elsewhere",
                controls.loaded)


def test_web_login_in_the_drawn_phone(checks, sandbox, controls, pictures):
    """The shop's web site and the hosted page, in the drawn phone's own browser."""
    controls.open(sandbox.page + "?lang=en")
    sandbox.ask("DELETE", "/api/timeline")
    with Screen(controls) as screen:
        if screen.find("button[value=leave]"):
            screen.click("button[value=leave]")
        screen.click("a.button")
        checks.that(screen.says("Good tea", "body"), "the shop's web site opens in the phone", screen.text("body"))
        screen.click("nav a[href='/login']")
        screen.click("#login")
        checks.that(screen.says("138****0011", "[data-role=number]"),
                    "its login is the hosted page, with the card's mask", screen.text("body"))
        checks.that(screen.run(
            "return [...document.querySelectorAll('[data-role=logo] img')].some(each => each.naturalWidth > 0)"),
                    "and the shop's logo", screen.run("return document.body.innerHTML.slice(0, 2000)"))
        tick_and_tap(screen)
        screen.click("nav a[href='/account']")
        checks.that(screen.says("138****0011", "#number"), "tick and tap, and the shop's site knows who it is",
                    screen.text("body"))
    take_pictures(controls, pictures, "sandbox-web")
    controls.resize(*SIZES["desktop"])
    asked = ("GET /openid/authorize", "POST /openid/login", "GET /login/callback", "POST /openid/token",
             "GET /openid/userinfo")
    checks.that(eventually(lambda: all(any(each in row for row in rows(controls)) for each in asked), 20),
                "each message is in the diagram",
                rows(controls))
    controls.click("a.home")
    with Screen(controls) as screen:
        checks.that(screen.shows("button[value=begin]"), "the bar below leads home", screen.text("body"))
        screen.click("a.button")
        screen.click("nav a[href='/account']")
        checks.that(screen.says("138****0011", "#number"), "and the browser is still logged in", screen.text("body"))
        screen.click("form[action='/logout'] button")
    web = next(each for each in re.findall(r"frame-src ([^;]+)", sandbox.ask("GET", "/")[2]["Content-Security-Policy"])[
        0].split() if "127" in each)
    for address, may in ((web, "127.0.0.1"), (sandbox.phone()["shop"], "'none'")):
        with urllib.request.urlopen(address + "/", timeout=10) as answer:
            policy = answer.headers["Content-Security-Policy"]
        checks.that(f"frame-ancestors {may}" in policy or f"frame-ancestors http://{may}" in policy,
                    "only the phone's own browser may be framed, by this machine's pages", policy)
    controls.open(sandbox.page + "?lang=en")


def test_a_packet_is_read_by_name(checks, sandbox, controls, pictures):
    """A RADIUS message opens to its attributes, each with its value and its bytes."""
    sandbox.ask("DELETE", "/api/timeline")
    sandbox.set(sim="telecom")
    controls.open(sandbox.page + "?lang=en")
    controls.run("[...document.querySelectorAll('#timeline summary')].find(each => "
                 "each.textContent.includes('Accounting-Start')).click()")
    checks.that(controls.shows("#timeline table"), "the packet is taken apart", controls.text("#timeline"))
    fields = controls.run("""return Object.fromEntries([...document.querySelectorAll('#timeline tbody tr')].map(row =>
        [row.cells[0].textContent, [row.cells[1].textContent, row.cells[2].textContent]]))""")
    number = bytes(map(ord, "8613300000031"))
    checks.equal(fields.get("Calling-Station-Id"), [number.decode(), number.hex(" ")], "the number, and its bytes")
    checks.equal(fields.get("Framed-IP-Address", [""])[0], sandbox.phone()["address"], "the address that it belongs to")
    checks.that(fields.get("3GPP-IMSI", [""])[0].startswith("46011")
                and fields.get("Acct-Status-Type", [""])[0] == "Start (1)",
                "and what the carrier adds", fields)
    take_pictures(controls, pictures, "sandbox-packet")
    controls.resize(*SIZES["desktop"])
    sandbox.set(sim="mobile")


def test_messages_are_found(checks, sandbox, controls):
    controls.open(sandbox.page + "?lang=en")
    sandbox.tap()
    shown = ("return [...document.querySelectorAll('#timeline .entry')].filter(each => each.offsetParent)"
             ".map(each => each.textContent)")
    checks.that(eventually(lambda: any("loginTokenValidate" in each for each in controls.run(shown)), 20),
                "a login is in the list")
    every = len(controls.run(shown))
    controls.type("#find", "authority logintoken")
    found = controls.run(shown)
    checks.that(0 < len(found) < every and all("loginTokenValidate" in each for each in found),
                "words find the lines that have all of them", found)
    sandbox.tap()
    checks.that(eventually(lambda: len(controls.run(shown)) > len(found), 20)
                and all("loginTokenValidate" in each for each in controls.run(shown)),
                "new ones too, and nothing else", controls.run(shown))
    controls.type("#find", " xyzzy")
    checks.that(controls.says("None found", "#none-found") and not controls.run(shown), "what is not there is said")
    controls.run(
        "const field = document.querySelector('#find'); field.value = ''; field.dispatchEvent(new Event('input'))")
    checks.that(len(controls.run(shown)) > every, "without words all are there")


@pytest.mark.long("axe-core on every part of the page; test_first_walk.py has it once")
def test_nobody_is_kept_out(checks, sandbox, controls):
    """axe-core looks at the page as it is first seen and with everything open, at the drawn phone's screens, and at a
    message's page."""
    sandbox.set(fault={"step": "redeem", "kind": "code", "code": "token_spent"})
    sandbox.tap()
    sandbox.set(2, sim="dual", network="both")
    message = next(each["number"] for each in sandbox.timeline()[0] if "loginTokenValidate" in each["subject"])
    sizes = looks.SIZES | SIZES
    for language in ("en", "zh"):
        for name, address in (("phone 1", f"?lang={language}"), ("phone 2", f"?lang={language}&phone=phone-2"),
                              ("a message", f"messages/{message}/answer")):
            controls.open(sandbox.page + address)
            for appearance, size in looks.views(language, small="small"):
                controls.appearance(appearance)
                controls.resize(*sizes[size])
                checks.equal(axe.faults(controls), [], f"{name}, {language}, {appearance}, {size}: nothing grave")
                checks.that(controls.run("return document.documentElement.scrollWidth <= innerWidth"),
                            f"{name}, {language}, {size}: nothing sticks out")
            if name == "phone 1":
                controls.run("for (const each of document.querySelectorAll('#phone-part details, #timeline .answer "
                             "details')) each.open = true")
                eventually(lambda: not controls.run("return document.querySelector('.wire a')"), 5)
                for appearance in ("dark", "light"):
                    controls.appearance(appearance)
                    checks.equal(axe.faults(controls), [], f"everything open, {language}, {appearance}: nothing grave")
                if looks.thorough:
                    # One column beside the phone, so that the content below both is as wide as it can be.
                    controls.resize(*looks.SIZES["desktop"])
                    checks.equal(controls.run(looks.LONG, looks.LONGEST), [],
                                 f"everything open, {language}: no line is too long to be read")
    sandbox.set(fault=None)
    controls.appearance("light")
    controls.resize(*SIZES["desktop"])
    controls.open(sandbox.page + "?lang=en")
    for action, selector in (("leave", "button[value=begin]"), ("begin", "[data-role=tick]"), ("close", "#meaning")):
        with Screen(controls) as screen:
            if action != "leave" or screen.find("button[value=leave]"):
                screen.click(f"button[value={action}]")
            screen.shows(selector)
            checks.equal(axe.faults(screen), [], f"the drawn phone after {action}: nothing grave")


def test_a_fault_is_found_by_search(checks, sandbox, controls):
    controls.open(sandbox.page + "?lang=en")
    controls.run("document.querySelector('#fault select[name=step]').value = 'redeem'")
    codes = ("return [...document.querySelectorAll('.codes .one:not([hidden])')].filter(each => each.offsetParent)"
             ".map(each => each.querySelector('code').textContent)")
    checks.that(len(controls.run(codes)) > 60, "every code is in the list", len(controls.run(codes)))
    controls.type("#search", "token redeemed")
    checks.that(eventually(lambda: 1 <= len(controls.run(codes)) < 5, 5) and "token_spent" in controls.run(codes),
                "the words of its meaning find it", controls.run(codes))
    controls.press("Enter")
    shown = controls.text(".codes .one:has(:checked) .explained")
    checks.that("Cause" in shown and "What to do" in shown, "what is chosen is explained", shown)
    controls.type("#search", "xyzzy")
    checks.that(controls.says("None found", "#found"), "where nothing is found, that is said", controls.text(".codes"))
    controls.run("document.querySelector('#search').value = ''")
    put_in(controls, "redeem", "code", code="token_spent")
    begin(controls)
    with Screen(controls) as screen:
        screen.shows("[data-role=tick]")
        screen.click("[data-role=tick]")
        screen.click("[data-role=login]")
        checks.that(screen.says("104201", "code"), "and the phone shows what the shop's server heard",
                    screen.text("body"))
    checks.that(eventually(lambda: any("104201" in each for each in rows(controls)), 10), "so does the diagram",
                rows(controls)[-6:])
    sandbox.set(fault=None)
    with Screen(controls) as screen:
        screen.click("button[value=begin]")
        screen.shows("[data-role=number]")
        screen.click("button[value=close]")
        checks.that(screen.says("user_cancelled", "code"), "closing the page is told as what it is",
                    screen.text("body"))


def test_without_script(checks, sandbox, browser):
    browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(sandbox.page + "?lang=zh")
    checks.that("手机" in browser.text("nav.phones") or "Phone" in browser.text("nav.phones"),
                "without script the page is there")
    browser.click("input[name=network][value=vpn]")
    browser.click("form.controls button[type=submit]")
    checks.that(eventually(lambda: sandbox.phone()["network"] == "vpn", 10), "and its forms work", sandbox.phone())
    checks.that(browser.says("网络换成VPN", "#timeline"), "and say what happened, in Chinese", browser.text("#timeline"))
    browser.click("input[name=network][value=cellular]")
    browser.click("form.controls button[type=submit]")
    eventually(lambda: sandbox.phone()["network"] == "cellular", 10)
    browser.devtools("Emulation.setScriptExecutionDisabled", value=False)
    browser.open(sandbox.page + "?lang=en")


def test_two_phones(checks, sandbox, window):
    """The second phone has two cards and both networks."""
    sandbox.set(2, sim="dual", network="cellular")
    login_page(window, sandbox, 1)
    tick_and_tap(window)
    checks.that(window.says("138****0011", "#number"), "one browser is logged in on phone 1", window.text("body"))
    login_page(window, sandbox, 2)
    checks.that(window.says("139****0042", "[data-role=number]"),
                "and on phone 2 it is somebody else, in the same browser",
                window.text("body"))
    log_out(window, sandbox, 1)


def test_command_line(checks, sandbox):
    done = sandbox.command("list")
    checks.that(done.returncode == 0 and "phone-1" in done.stdout and "138****0011" in done.stdout, "benji phone list",
                done.stderr)
    done = sandbox.command("set-network", "1", "roaming")
    checks.that(done.returncode == 0 and sandbox.phone()["network"] == "roaming", "benji phone set-network",
                done.stderr)
    done = sandbox.command("tap", "1")
    checks.that(done.returncode == 1 and "address_unknown" in done.stdout, "benji phone tap says what went wrong",
                done.stdout)
    sandbox.command("set-network", "1", "cellular")
    done = sandbox.command("set-fault", "phone-1", "redeem", "--code", "token_spent", "--times", "1")
    checks.that(done.returncode == 0 and "token_spent" in done.stdout, "benji phone set-fault", done.stderr)
    done = sandbox.command("tap", "phone-1")
    checks.that(done.returncode == 1 and "benji explain 104201" in done.stdout, "and the dialect spells the code",
                done.stdout)
    done = sandbox.command("set-fault", "phone-1", "attach", "--code", "token_spent")
    checks.that(done.returncode != 0 and "has no answer" in done.stderr, "a fault that cannot be is refused in words",
                done.stderr)
    done = sandbox.command("tap", "phone-1", "--json")
    checks.that(done.returncode == 0 and '"loggedIn":true' in done.stdout, "benji phone tap logs in",
                done.stdout + done.stderr)
    done = sandbox.command("timeline", "phone-1")
    checks.that("loginTokenValidate" in done.stdout and "104201" in done.stdout,
                "benji phone timeline tells the story", done.stdout)
    done = sandbox.command("add", "--name", "Third")
    checks.that(done.returncode == 0 and "phone-3" in done.stdout, "benji phone add", done.stderr)
    checks.equal(sandbox.command("remove", "phone-3").returncode, 0, "benji phone remove")
    done = sandbox.command("set-sim", "phone-9", "iot")
    checks.that(done.returncode != 0 and "phone-9" in done.stderr, "an unknown phone is named", done.stderr)


def test_long_timeline(checks, sandbox, browser):
    """Many messages, seen live: they scroll in their own place, and a cause stands before its effects."""
    sandbox.ask("DELETE", "/api/timeline")
    browser.open(sandbox.page + "?lang=en")
    height = "return document.documentElement.scrollHeight"
    before = browser.run(height)
    for _ in range(8):
        sandbox.tap()
    count = "return document.querySelectorAll('#timeline .entry').length"
    checks.that(eventually(lambda: browser.run(count) >= 40, 10), "every message of eight logins is shown",
                browser.run(count))
    checks.that(browser.run(height) <= before + 20 or browser.run(height) <= browser.run("return innerHeight"),
                "the page does not grow with its messages", (before, browser.run(height)))
    # The former fault: words for screen readers alone were laid out below the page, as many as there were messages.
    browser.run(
        "for (const each of document.querySelectorAll('#diagram, #timeline .entry, #timeline .row, #messages')) "
                "Object.assign(each.style, {position: 'static', overflow: 'visible', contain: 'none', containerType: "
                "'normal'})")
    checks.that(browser.run(height) > before + 500, "where they are not held in their list, it would grow",
                browser.run(height))
    shown = browser.run("return [...document.querySelectorAll('#timeline .entry')].map(each => +each.dataset.order)")
    checks.equal(shown, sorted(shown), "lines that come live stand in the order in which they began")
    entries, _ = sandbox.timeline()
    checks.equal([each["number"] for each in entries if each["order"] == 0], [], "every line has its place")
    first = {}
    for place, each in enumerate(entries):
        first.setdefault(each["subject"], place)
    for cause, effect in (("POST /device/v1/prefetch", "prefetch"), ("POST /device/v1/authorize", "authorize"),
                          ("POST /unisdk/rsapi/loginTokenValidate", "loginTokenValidate")):
        checks.that(cause in first and effect in first and first[cause] < first[effect],
                    f"{cause} stands before what it brought about",
                    [each["subject"] for each in entries[:12]])
    sandbox.ask("DELETE", "/api/timeline")
    sandbox.set(sim="telecom")
    checks.equal([each["subject"] for each in sandbox.timeline()[0]], ["sim", "Accounting-Stop", "Accounting-Start"],
                 "a new SIM stands before the session that ends because of it")
    sandbox.set(sim="mobile")
    sandbox.ask("DELETE", "/api/timeline")
    browser.open(sandbox.page + "?lang=en")


class OwnSite(http.server.BaseHTTPRequestHandler):
    """A developer's web site: sends people to the provider, exchanges the code with its client secret, and says who
    came."""

    app = {}

    def do_GET(self):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        if self.path.startswith("/start"):
            challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
            self.send_response(303)
            self.send_header("Location", self.ask("/.well-known/openid-configuration", None,
                                                  {})["authorization_endpoint"] + "?" + urllib.parse.urlencode({
                "client_id": self.app["id"], "redirect_uri": self.app["redirect"], "response_type": "code",
                "scope": "openid phone",
                "state": "s", "nonce": "n", "code_challenge": challenge, "code_challenge_method": "S256"}))
            self.send_header("Content-Length", "0")
            return self.end_headers()
        text = "<!doctype html><title>Mine</title><h1 id=mine>my own site</h1>"
        if "code" in query:
            pair = base64.b64encode(f"{self.app['id']}:{self.app['clientSecret']}".encode()).decode()
            tokens = self.ask("/openid/token", urllib.parse.urlencode({
                "grant_type": "authorization_code", "code": query["code"], "redirect_uri": self.app["redirect"],
                "code_verifier": VERIFIER}).encode(), {"Authorization": f"Basic {pair}"})
            person = self.ask("/openid/userinfo", None, {"Authorization": f"Bearer {tokens['access_token']}"})
            text += f"<p id=number>{person['phone_number']}"
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def ask(self, path, body, headers):
        request = urllib.request.Request(self.app["issuer"] + path, body, headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def log_message(self, *_):
        pass


VERIFIER = "verifier-of-forty-three-characters-or-more-0123"


def test_own_app(checks, sandbox, controls, window):
    """A developer connects an app of their own: what the page shows is what works."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), OwnSite)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    mine = f"http://localhost:{server.server_address[1]}"
    place = urllib.parse.urlsplit(sandbox.phone()["proxy"])

    def through(target):
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=10)
        try:
            connection.request("GET", target)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    checks.equal(through(mine + "/")[0], 403, "before it is named, the modem does not lead to a developer's own host")
    controls.open(sandbox.page + "?lang=en")
    controls.click("#own summary")
    checks.that(controls.says(sandbox.ask("GET", "/api/app")[1]["key"], "#own dl"), "the page shows id and key",
                controls.text("#own dl"))
    controls.click("#program-php summary")
    controls.run(f"document.querySelector('#own textarea[name=redirectURIs]').value = '{mine}/callback'")
    controls.run("document.querySelector('#own-form').requestSubmit()")
    checks.that(controls.says(mine, "#own .windows"), "a redirect URI that is saved has a window on the phone",
                controls.text("#own"))
    checks.equal(controls.run("return [...document.querySelectorAll('.program[open]')].map((each) => each.id)"),
                 ["program-php"],
                 "and the program that was opened stays open")
    app = sandbox.ask("GET", "/api/app")[1]
    checks.equal(app["redirectURIs"], [mine + "/callback"], "and is registered")
    OwnSite.app = {**app, "redirect": mine + "/callback"}
    checks.that("my own site" in through(mine + "/")[1], "now the modem leads there")
    checks.equal(through(f"http://127.0.0.1:{server.server_address[1]}/")[0], 403,
                 "under the name that was given, and no other")
    own = {each["server"]: each["window"] for each in sandbox.phone()["own"]}
    checks.that(mine in own and own[mine].startswith("http://127.0.3.1:"),
                "the interface for scripts names the window", own)
    window.open(own.get(mine, mine) + "/start")
    checks.that(window.says("138****0011", "[data-role=number]"),
                "the developer's own site sends a phone's browser to the login page",
                window.text("body"))
    tick_and_tap(window)
    checks.that(window.says("13800000011", "#number"),
                "and learns its number with the client secret that the page shows",
                window.text("body"))
    checks.that(window.address.startswith(own.get(mine, mine)), "back at the site's window, on the same phone",
                window.address)
    subjects = [each["subject"] for each in sandbox.timeline()[0]]
    checks.that("GET /callback" in subjects and "POST /openid/token" in subjects, "every message is in the timeline",
                subjects)
    everything = str(sandbox.ask("GET", "/api/timeline")[1]) + sandbox.log.read_text(errors="replace")
    checks.that(app["key"] not in everything and app["serverSecret"] not in everything
                and app["clientSecret"] not in everything, "keys are in no timeline and in no log")

    for change, word in (({"redirectURIs": []}, "redirectURIs"), ({"redirectURIs": ["http://evil.example/x"]}, "https"),
                         ({"hosts": ["example.com:80"]}, "this machine"), ({"hosts": ["localhost"]}, "port"),
                         ({"hosts": "localhost:1"}, "array"), ({"name": "x"}, "name")):
        status, answer, _ = sandbox.ask("PATCH", "/api/app", change)
        checks.that(status == 400 and word in answer["detail"], f"{change} is refused in words", (status, answer))
    checks.equal(sandbox.ask("GET", "/api/app")[1], app, "what was refused changed nothing")
    controls.run("document.querySelector('#own textarea[name=hosts]').value = 'example.com:80'")
    controls.run("document.querySelector('#own-form').requestSubmit()")
    checks.that(controls.says("this machine", "#own-problem"), "on the page too", controls.text("#own"))

    done = sandbox.own("--add-host", "localhost:5173", "--add-redirect-uri", "com.example.yours:/done")
    checks.that(done.returncode == 0 and "localhost:5173" in done.stdout and "com.example.yours:/done" in done.stdout
                and mine in done.stdout, "benji sandbox app adds, and keeps the rest", done.stdout + done.stderr)
    checks.equal(sandbox.ask("GET", "/api/app")[1]["clientSecret"], app["clientSecret"], "and the secret stays")
    checks.that("http://localhost:5173" in [each["server"] for each in sandbox.phone(2)["own"]], "on every phone")
    done = sandbox.own("--remove-host", "localhost:9")
    checks.that(done.returncode != 0 and "localhost:5173" in done.stderr, "what is not there cannot be taken away",
                done.stderr)
    done = sandbox.own("--remove-host", "localhost:5173", "--remove-redirect-uri", mine + "/callback")
    checks.that(done.returncode == 0 and through(mine + "/")[0] == 403, "what is taken away is not reached any more",
                done.stderr)
    server.shutdown()
    controls.open(sandbox.page + "?lang=en")


def test_secrets(checks, sandbox):
    sandbox.tap()
    everything = str(sandbox.ask("GET", "/api/timeline")[1])
    log = sandbox.log.read_text(errors="replace")
    page = sandbox.ask("GET", "/")[1]
    for number in ("1380000001", "1300000002", "1330000003", "1390000004", "46000000000001"):
        checks.that(number not in everything and number not in log and number not in page,
                    f"the number that begins with {number[:4]} is in no timeline, page or log")
    checks.that("code=" not in everything and "Bearer" not in everything, "nor is a credential in the timeline")


@pytest.mark.wants("pictures")
def test_pictures(checks, sandbox, browser, options):
    folder = options.pictures
    sandbox.set(1, network="cellular", sim="mobile", fault={"step": "redeem", "kind": "code", "code": "token_spent"})
    sandbox.tap()
    sandbox.set(1, fault=None)
    sandbox.tap()
    for language in ("en", "zh"):
        for sim in ("mobile", "dual"):
            sandbox.set(1, sim=sim)
            browser.open(f"{sandbox.page}?lang={language}")
            for appearance in ("light", "dark"):
                browser.appearance(appearance)
                for name, size in SIZES.items():
                    browser.resize(*size)
                    browser.picture(folder / f"sandbox-{sim}-{language}-{name}-{appearance}.png")
    for appearance in ("light", "dark"):
        browser.appearance(appearance)
        browser.resize(393, 2600)
        browser.picture(folder / f"sandbox-long-{appearance}.png")
        for language in ("en", "zh"):
            browser.open(f"{sandbox.page}?lang={language}")
            browser.click("#own summary")
            for width, height in ((390, 3200), (1280, 2400)):
                browser.resize(width, height)
                browser.picture(folder / f"sandbox-own-{language}-{width}-{appearance}.png")
    browser.appearance("light")
    pictures_of_notices(sandbox, folder)
    checks.that(any(folder.glob("*.png")), "the pictures are kept", folder)


def pictures_of_notices(sandbox, folder):
    """The notices that replace a login page, for a person or a developer: each once, as a fault causes it."""
    for language in ("en", "zh-CN"):
        with Browser(None, language=language) as window:
            for code in NOTICES:
                sandbox.set(fault={"step": "page", "kind": "code", "code": code})
                login_page(window, sandbox)
                take_pictures(window, folder, f"notice-{code}-{language[:2]}")
            sandbox.set(fault=None)
            login_page(window, sandbox)
            take_pictures(window, folder, f"login-{language[:2]}")
            window.open(window.address + "&acr_values=urn:benji:net:digits")
            tick_and_tap(window)
            window.shows("input[name=digits]")
            take_pictures(window, folder, f"digits-{language[:2]}")
            window.open(sandbox.phone()["pages"] + "/openid/authorize?client_id=300000000009&response_type=code")
            take_pictures(window, folder, f"mistake-{language[:2]}")


def test_the_end(checks, sandbox, controls):
    checks.equal(sandbox.stop(), 0, "the sandbox ends when it is asked to, also while a page waits for news")
    checks.that(controls.says("connection lost", "#state"), "and the page says that it is gone",
                controls.text("#state"))
