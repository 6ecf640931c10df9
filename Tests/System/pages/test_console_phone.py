"""Signing in to the console by one tap of a phone: set up by commands, bound and used in Chromium on a virtual
phone."""

import contextlib
import http.server
import json
import threading

import pytest

from support.authenticator import code
from support.browser import Browser, PhoneProxy
from support.checks import folder
from support.consoles import PASSWORD, SIZES, Person, looked_at
from support.provider import CertificateAuthority, Provider, tick_and_tap
from support.server import free_ports, wait_a_second

pytestmark = pytest.mark.seconds(90)
OPTIONS = {"pictures": None}

OWN, OTHER = ("127.8.0.2", "8613852460001"), ("127.8.0.3", "8613852460009")


class Console:
    """An installation whose console is a client of its own provider."""

    def __init__(self):
        (self.port,) = free_ports(1)
        self.origin = f"https://127.0.0.1:{self.port}"
        self.page = self.origin + "/console"
        authority = CertificateAuthority()
        self.server = Provider(authority, listen={"administration": f"127.0.0.1:{self.port}"})
        self.client = self.server.client(self.page + "/tap",
                                         app=self.server.create_app(name="Console", server_address="127.0.0.1"))
        secret = folder() / "console.secret"
        secret.touch(0o600)
        secret.write_text(self.client["client_secret"] + "\n")
        self.settings = {"issuer": self.server.issuer, "address": self.origin, "client-id": self.client["client_id"],
                         "client-secret-file": str(secret), "authority": authority.ca}
        self.configured = json.loads(self.server.configuration.read_text())
        self.configure(self.settings)

    def configure(self, settings):
        self.server.configuration.write_text(json.dumps({**self.configured, "console": {"openid": settings}}))

    def doctor(self):
        done = self.server.command("doctor", "--config", self.server.configuration)
        return done.stdout + done.stderr

    def invite(self, name):
        done = self.server.command("admin", "grant", name, "--role", "operator", "--console", "--json", "--config",
                                   self.server.configuration)
        return json.loads(done.stdout)["invitation"]

    def command(self, *arguments):
        done = self.server.command(*arguments, "--config", self.server.configuration)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def console():
    console = Console()
    with console.server:
        yield console


def signs_in(browser, console, name, key=None):
    """Name and password; the code too, if there is a key."""
    browser.open(console.page + "/sign-in")
    browser.type("[name=name]", name)
    browser.type("[name=password]", PASSWORD)
    if key:
        browser.type("[name=code]", code(key))
    browser.click("main button")


@pytest.mark.parametrize("language",
                         (pytest.param("en", marks=pytest.mark.long("the same walk in the other language")), "zh-CN"))
def test_one_tap(checks, console, options, language):
    """Bound and signed in on the phone; at a desk, on another's phone, with a new holder of the number it is the
    code."""
    word = {"en": "en", "zh-CN": "zh"}[language]
    name = f"ana-{word}"
    for address, number in (OWN, OTHER):
        console.server.attach("attach", address, number)
    checks.that("ok    console" in console.doctor(), "benji doctor finds the provider", console.doctor())
    phone = PhoneProxy(OWN[0])
    with Browser(phone, language=language, size=SIZES["phone"]) as browser:
        person = Person(console, browser)
        person.accept(console.invite(name))
        browser.click("header .who a")
        looked_at(checks, browser, options.pictures, f"{word}-phone-none")
        browser.type("[name=password]", PASSWORD)
        browser.click("main .filled")
        browser.shows("main a.button")
        looked_at(checks, browser, options.pictures, f"{word}-phone-tap")
        browser.click("main a.button")
        checks.that(browser.shows("[data-role=login]"), "the button leads to the hosted login page",
                    browser.text("body"))
        tick_and_tap(browser)
        checks.that(browser.shows(".done") and "/console/phone" in browser.address,
                    "one tap binds the phone, and leads back", browser.text("body"))
        looked_at(checks, browser, options.pictures, f"{word}-phone")
        person.leave()

        browser.open(console.page + "/sign-in")
        looked_at(checks, browser, options.pictures, f"{word}-sign-in-tap")
        signs_in(browser, console, name)
        browser.shows("main a.button")
        looked_at(checks, browser, options.pictures, f"{word}-second")
        browser.click("main a.button")
        tick_and_tap(browser)
        checks.that(browser.says(name, "header .who"), "password and one tap sign in", browser.text("body"))
        browser.open(console.page + "/people")
        looked_at(checks, browser, options.pictures, f"{word}-people-phone")
        person.leave()

        phone.move(OTHER[0])
        signs_in(browser, console, name)
        browser.click("main a.button")
        tick_and_tap(browser)
        checks.that(browser.shows(".problem") and browser.shows("[action='/console/second']"),
                    "another person's phone signs nobody in", browser.text("body"))
        looked_at(checks, browser, options.pictures, f"{word}-second-refused")
        # Digits count once, and those of this half minute may be spent.
        for _ in range(2):
            browser.type("[name=code]", code(person.key))
            browser.click("main button")
            if browser.shows("header .who", 30):
                break
        checks.that(browser.says(name, "header .who"), "and the six digits do, without the password again",
                    browser.text("body"))
        person.leave()

        # The SIM is replaced: it is the same person. Then the number is given to somebody else.
        phone.move(OWN[0])
        wait_a_second()
        console.server.attach("detach", OWN[0], OWN[1])
        console.server.attach("attach", OWN[0], OWN[1], imsi="460009876543210")
        signs_in(browser, console, name)
        browser.click("main a.button")
        tick_and_tap(browser)
        checks.that(browser.says(name, "header .who"), "a replaced SIM is the same person's", browser.text("body"))
        person.leave()
        console.command("phone", "reassign", "--number", OWN[1])
        wait_a_second()
        console.server.attach("detach", OWN[0], OWN[1])
        console.server.attach("attach", OWN[0], OWN[1], imsi=f"46000987654321{1 if word == 'en' else 2}")
        signs_in(browser, console, name)
        browser.click("main a.button")
        tick_and_tap(browser)
        checks.that(browser.shows(".problem"), "the number's new holder signs nobody in, with the right password",
                    browser.text("body"))
    phone.close()

    with Browser(None, language=language, size=SIZES["desktop"]) as browser:
        signs_in(browser, console, name)
        browser.click("main a.button")
        checks.that(browser.says("Wi-Fi", "ul"), "at a desk the hosted page says what to do", browser.text("body"))
        browser.click("a.button.plain, a.button:last-of-type")
        checks.that(browser.shows("[action='/console/second']"), "its way back leads to the digits",
                    browser.text("body"))
        console.command("admin", "remove-phone", name)
        browser.type("[name=code]", code(person.key))
        browser.click("main button")
        said = browser.text("body")
        # The last code may have been spent half a minute ago.
        checks.that(browser.shows("header .who") or browser.shows(".problem"), "which sign in", said)
    lines = console.command("audit", "--json")
    for order in ("console.bind-phone", "admin.remove-phone", '"secondFactor":"phone"'):
        checks.that(order in lines.replace(" ", "").replace("\\", ""), f"the audit log has {order}", lines[-800:])
    log = console.server.log.read_text()
    for name, hidden in {"the client's secret": console.client["client_secret"], "the number": OWN[1][2:],
                         "a code of the provider's": "?code="}.items():
        checks.that(hidden not in log, f"the log has not {name}",
                    [line for line in log.splitlines() if hidden in line][:2])


class Liar(http.server.BaseHTTPRequestHandler):
    """A provider that sends too much, or redirects its callers."""

    asked = []

    def do_GET(self):
        self.asked.append(self.path)
        if self.server.redirects:
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()
            return
        self.send_response(200)
        self.end_headers()
        with contextlib.suppress(OSError):
            for _ in range(200):
                self.wfile.write(b" " * 65536)

    def log_message(self, *_):
        pass


def test_wrong_settings(checks):
    """Missing settings are reported, and a provider's metadata is limited."""
    console = Console()
    for key, value, words in (("address", "https://benji.internal:8084", "administration.hosts"),
                              ("address", console.page, "without a path"),
                              ("client-secret-file", "/nowhere", "/nowhere"),
                              ("issuer", "http://id.example", "https://HOST"),
                              ("client-id", "a b", "without blanks"), ("client-id", None, "missing")):
        console.configure({name: each for name, each in {**console.settings, key: value}.items() if each})
        said = console.doctor()
        checks.that(f"console.openid.{key}" in said and words in said, f"a wrong console.openid.{key} is told", said)
    console.configure(console.settings)
    said = console.doctor()
    checks.that("warn  console" in said and "this installation's own" in said,
                "benji doctor says that the provider does not answer yet", said)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Liar) as liar:
        threading.Thread(target=liar.serve_forever, daemon=True).start()
        console.configure({**console.settings, "issuer": f"http://127.0.0.1:{liar.server_address[1]}"})
        for liar.redirects, words in ((False, "answers more than it may"), (True, "HTTP 302")):
            said = console.doctor()
            checks.that(words in said, f"a provider is not believed ({words})", said)
        checks.equal(set(Liar.asked), {"/.well-known/openid-configuration"}, "and no redirect is followed")
        liar.shutdown()
