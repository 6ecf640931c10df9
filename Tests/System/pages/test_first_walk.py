"""The first minutes of a developer who has just built Benji: to a login that their own script redeems, and to the
answer to "why did it fail?". No page of the documents is used. The minutes are printed."""

import re
import subprocess
import time

import pytest

from support import axe
from support.authenticator import code
from support.browser import Browser
from support.checks import eventually, first_json, folder, run
from support.operators import Backend
from support.sandbox import Sandbox
from support.server import binary, environment

pytestmark = pytest.mark.seconds(240)

#: Card of the sandbox, the carrier's name in the console, and the mask of its number.
CARRIERS = (("mobile", "China Mobile", "138****0011"), ("unicom", "China Unicom", "130****0021"),
            ("telecom", "China Telecom", "133****0031"))


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as made:
        yield made


@pytest.fixture(scope="module")
def browser(sandbox):
    with Browser(None, language="en", size=(1280, 900)) as made:
        yield made


def test_first_own_login_within_five_minutes(checks, browser):
    """`benji demo`, the script that its page shows, and one login, all by what the screen says."""
    began = time.monotonic()
    with Sandbox() as sandbox:
        browser.open(sandbox.page + "?lang=en")
        browser.click("#own summary")
        text = browser.run("""const found = [...document.querySelectorAll('#own pre')]
                                  .find(each => each.textContent.includes('urllib.request'));
                              return found && found.textContent""")
        checks.that(text and "base64" in text, "the page has a script that redeems, in Python", browser.text("#own"))
        place = folder()
        script = place / "redeem.py"
        script.write_text(text)
        shell = browser.run("return document.querySelector('#own [data-snippet=shell]').textContent")
        done = subprocess.run(["bash", "-c", f'{shell}\npython3 {script} "$(benji phone token phone-1)"'],
                              capture_output=True, text=True, timeout=300, env=environment(), check=False)
        checks.that("+8613800000011" in done.stdout, "copied and run as it is, it gets the phone's number",
                    done.stdout + done.stderr)
        took = time.monotonic() - began
        checks.that(took < 300, f"from the sandbox's start it took a program {took:.1f} s; a person reads too")


class Walker:
    """One person with one browser, who is now the developer and now the operator."""

    def __init__(self, sandbox, browser):
        self.sandbox, self.browser = sandbox, browser
        self.console = self.developer = self.app = None
        #: The file of the page that was approved.
        self.page = folder() / "page.json"

    def be_operator(self):
        """By the sandbox's button, which signs in."""
        self.browser.open(self.sandbox.page + "?lang=en")
        self.browser.run("document.querySelector('form[action=\"/console\"]').removeAttribute('target')")
        self.browser.click("form[action='/console'] button")
        self.browser.says("Example Shop", "main")
        self.console = self.browser.address.split("/console")[0] + "/console"

    def be_developer(self):
        self.browser.devtools("Network.setCookie", name="benji-console", value=self.developer, url=self.console)

    def go(self, path=""):
        self.browser.open(f"{self.console}/apps/{self.app['id']}{path}")

    def log_in(self, bundle="com.example.corner", card="mobile", page=True):
        """(token or None, the output) of the app's login on the sandbox's phone with this card, on its own page."""
        phone = self.sandbox.set(sim=card)
        done = run([binary(), "phone", "login", "--server", self.app["gateway"].replace("phone-1", phone["id"]),
                    "--app", self.app["id"], "--key", self.app["key"],
                    "--bundle", bundle, "--from", phone["address"], "--yes", "--json",
                    *(["--page", str(self.page)] if page else [])], 60, env=environment())
        answer = first_json(done.stdout)
        return (answer or {}).get("token") if done.returncode == 0 else None, done.stdout + done.stderr


@pytest.fixture(scope="module")
def walker(sandbox, browser):
    return Walker(sandbox, browser)


def test_whole_way(checks, sandbox, browser, walker):
    """A new developer: an app, its page designed and approved, the shop in the sandbox, a login on each carrier. Logins
    are found and counted, a setting is changed, and a key is followed by another."""
    an_app(checks, browser, walker)
    a_page(checks, browser, walker)
    the_shop(checks, sandbox, browser)

    backend = Backend(int(sandbox.ask("GET", "/api/app")[1]["issuer"].rsplit(":", 1)[1]), source="127.0.0.1",
                      timeout=20)
    app = walker.app
    walker.be_developer()
    walker.go("/logins")
    checks.that(browser.says("No logins", "main"), "at first there is no login of the app", browser.text("main"))
    token, said = walker.log_in(page=False)
    checks.that(token is None and "not one that was approved" in said,
                "on another page than the approved one nobody logs in", said)
    for card, carrier, mask in CARRIERS:
        token, said = walker.log_in(card=card)
        checks.that(token, f"{card}: the app logs in on the sandbox's phone", said)
        situation, number = backend.redeem({**app, "serverSecret": app["secret"]}, token)
        checks.that(situation == "103000" and number and number[:3] == mask[:3] and number[-4:] == mask[-4:],
                    f"{card}: and its secret redeems the number", (situation, number))

    def shown(words):
        walker.go("/logins")
        return words in browser.text("main")

    checks.that(eventually(lambda: all(shown(carrier) for _, carrier, _ in CARRIERS), 10),
                "the chart has each carrier", browser.text("main"))
    counts = [int(each) for each in re.findall(r"(\d+) \d+ %", browser.text(".funnel"))]
    checks.equal(counts, [4, 4, 3, 3],
                 "four asked and were recognised, three agreed on the approved page and were redeemed")
    found = browser.run("return [...document.querySelectorAll('.lines a')].map(each => each.textContent)")
    checks.equal(len(found), 4, "each login is in the list")
    browser.type("[name=find]", found[0])
    browser.click("main form button")
    story = browser.text("main")
    checks.that("Phone → Authority" in story and "App's server → Authority" in story,
                "a trace is found, and is a story of who asked whom", story)
    checks.that(not re.search(r"1380000|1300000|1330000", story), "without a number")
    checks.equal(axe.faults(browser), [], "axe-core finds nothing grave")
    sandbox.set(sim="mobile", network="vpn")
    token, said = walker.log_in()
    checks.that(token is None and "address_unknown" in said, "over a VPN nobody is recognised", said)
    sandbox.set(network="cellular")
    checks.that(eventually(lambda: shown("address_unknown"), 10), "and the page says how often and why",
                browser.text("main"))
    checks.that("What to do" in browser.run("return document.querySelector('main').textContent"), "and what to do")

    walker.go("/settings")
    field = browser.find("[name=bundles]")[0]
    field.clear()
    field.send_keys("com.example.renamed")
    browser.click("section:first-of-type .filled")
    checks.that(browser.shows(".done"), "the developer changes the bundle id", browser.text("main")[:300])
    token, said = walker.log_in()
    checks.that(token is None and "bundle_mismatch" in said,
                "at the next login the app under its former name is refused", said)
    token, said = walker.log_in("com.example.renamed")
    checks.that(token, "and under its new one it logs in", said)

    walker.go()
    browser.click("[formaction$='/rotate-secret']")
    checks.that(browser.shows(".once"), "the secret is followed by a new one", browser.text("main"))
    fresh = browser.text(".once .value")
    checks.equal(backend.redeem({**app, "serverSecret": app["secret"]}, token)[0], "103000",
                 "the former one counts beside it")
    browser.click("details.confirm summary")
    browser.click("details.confirm button")
    checks.that(browser.shows(".done"), "until it is ended", browser.text("main"))
    token, said = walker.log_in("com.example.renamed")
    checks.that(backend.redeem({**app, "serverSecret": app["secret"]}, token)[0] != "103000",
                "then it redeems nothing more")
    token, said = walker.log_in("com.example.renamed")
    checks.equal(backend.redeem({**app, "serverSecret": fresh}, token)[0], "103000", "and the new one does")
    walker.be_operator()
    browser.open(walker.console + "/audit")
    for order in ("console.accept", "app.create", "app.allow", "page.approve", "app.rotate-key", "app.retire-key"):
        checks.that(browser.says(order, "main"), f"the audit log has {order}", browser.text("main")[:400])


def an_app(checks, browser, walker):
    """The operator invites a developer, who makes an app, which the operator allows."""
    walker.be_operator()
    checks.that("sandbox" in browser.text("header .who"),
                "one click on the sandbox's page opens the console, signed in", browser.text("body"))
    browser.open(walker.console + "/people")
    if not browser.find("main [name=name]"):
        browser.click("main details summary")
    browser.type("main [name=name]", "walker")
    browser.run("document.querySelector('main [name=role]').value = 'developer'")
    browser.click("main details .button")
    browser.shows(".once")
    invitation = browser.text(".once .value")
    browser.click("header .who button")
    browser.shows("[name=password]")
    browser.open(walker.console + "/invitation")
    browser.type("[name=invitation]", invitation)
    browser.click("main button")
    browser.shows("#key")
    browser.type("[name=code]", code(browser.text("#key")))
    browser.type("[name=password]", "correct horse battery")
    browser.click("main button")
    checks.that(browser.says("walker", "header"), "a developer takes an invitation", browser.text("body"))
    walker.developer = next(each["value"] for each in browser.cookies if each["name"] == "benji-console")
    browser.type("main [name=name]", "Corner Shop")
    browser.type("main [name=bundles]", "com.example.corner")
    browser.type("main [name=addresses]", "127.0.2.0/24 127.0.0.1")
    browser.click("main .button")
    checks.that(browser.shows(".once"), "and makes an app", browser.text("body"))
    key, secret = browser.text(".once .value").split("\n")
    number = re.search(r"/apps/(\w+)", browser.run("return document.querySelector('a[hreflang]').href"))[1]
    walker.app = {"id": number, "key": key, "secret": secret,
                  "gateway": walker.sandbox.ask("GET", "/api/app")[1]["gateway"]}
    walker.be_operator()
    walker.go()
    browser.type("[name=reason]", "contract 2026-117")
    browser.click("[formaction$='/allow']")
    checks.that(browser.shows(".done"), "which the operator allows", browser.text("body"))


def a_page(checks, browser, walker):
    """From the designer, which knows the app, to the review, with one digest."""
    walker.be_developer()
    walker.go()
    browser.click("nav.tabs a[href$='/design/']")
    checks.that(browser.shows("#submit:not([hidden])"), "an app's tab leads to the designer, which can submit",
                browser.text("body")[:300])
    checks.that(eventually(lambda: browser.text("#digest").strip(), 20), "it has the page's digest",
                browser.text("body")[:300])
    first = browser.text("#digest").split()[-1]
    browser.run("document.getElementById('f-number-font-size').scrollIntoView({block: 'center'}); for (let each = "
                "document.getElementById('f-number-font-size'); "
                "each; each = each.parentElement) if (each.tagName === 'DETAILS') each.open = true")
    size = browser.find("#f-number-font-size")[0]
    size.clear()
    size.send_keys("31")
    checks.that(eventually(lambda: browser.text("#digest").split()[-1] != first, 10), "what is designed changes it")
    digest = browser.text("#digest").split()[-1]
    walker.page.write_text(browser.run("return document.getElementById('json').value"))
    browser.click("#submit")
    checks.that(browser.says("Submitted", "body"), "the page is handed in", browser.text("body")[-300:])
    walker.be_operator()
    browser.open(walker.console + "/pages")
    browser.click("main tbody a")
    checks.that(browser.says(digest, "main"), "the review has the digest that the designer showed",
                (digest, browser.text("main")[:300]))
    browser.click("[formaction$='/approve']" if browser.find("[formaction$='/approve']") else "main .filled")
    checks.that(browser.says("approved", "main"), "and it is approved", browser.text("main")[:300])


def the_shop(checks, sandbox, browser):
    """The example shop on the sandbox's phone, by its app and by its web site, on each carrier."""
    for card, carrier, mask in CARRIERS:
        sandbox.set(sim=card)
        browser.open(sandbox.page + "?lang=en")
        browser.enter_frame(0)
        browser.shows("main, [data-role=tick]")
        if browser.find("button[value=leave]"):
            browser.click("button[value=leave]")
        browser.click("button[value=begin]")
        browser.click("[data-role=tick]")
        browser.click("[data-role=login]")
        checks.that(browser.says(mask, "#mask"),
                    f"{carrier}: tick and tap in the shop's app, and the shop knows who it is", browser.text("body"))
        browser.enter_frame(None)
    checks.that(browser.says("loginTokenValidate", "#timeline"), "the diagram tells it",
                browser.text("#timeline")[:300])
