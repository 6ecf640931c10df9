"""The console in a browser: from an operator's command to a developer's app whose key was changed, and what others
try."""

import base64
import glob
import html
import http.client
import json
import re
import subprocess
import time
import urllib.parse

import pytest

from support import bills, looks, redeeming
from support.authenticator import code
from support.browser import Browser
from support.checks import eventually, folder, run
from support.consoles import PASSWORD, SIZES, Person, looked_at
from support.operators import Backend
from support.scripts import ONE_TAP, SCRIPT, Walk, frames, judged, missed, pattern
from support.server import Server, free_ports

pytestmark = pytest.mark.seconds(360)
OPTIONS = {"pictures": None}

NUMBER = "8613800000001"
# A picture of one dot.
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="


class Console:
    """An installation whose admin interface is switched on."""

    def __init__(self, server, port):
        self.server, self.port = server, port
        self.page = f"http://127.0.0.1:{port}/console"

    def invite(self, name, role, *arguments):
        done = self.server.command("admin", "grant", name, "--role", role, "--console", "--json", *arguments,
                                   "--config", str(self.server.configuration))
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["invitation"]

    def audit(self):
        done = self.server.command("audit", "--json", "--config", str(self.server.configuration))
        return done.stdout


@pytest.fixture(scope="module")
def console():
    (port,) = free_ports(1)
    with Server(listen={"administration": f"127.0.0.1:{port}"}) as server:
        yield Console(server, port)


@pytest.mark.long("test_first_walk.py goes the same way, with fewer looks at each page")
@pytest.mark.parametrize("language", ("en", "zh-CN"))
def test_whole_way(checks, console, options, language):
    """New operator and developer, an app, its key followed and ended; each page looked at."""
    word = {"en": "en", "zh-CN": "zh"}[language]
    with Browser(None, language=language, size=SIZES["desktop"]) as first, \
            Browser(None, language=language, size=SIZES["desktop"]) as second:
        developer, operator = Person(console, first), Person(console, second)
        first.open(console.page)
        checks.that("/console/sign-in" in first.address, "a stranger is sent to sign in", first.address)
        looked_at(checks, first, options.pictures, f"{word}-sign-in")
        first.open(console.page + "/invitation")
        looked_at(checks, first, options.pictures, f"{word}-invitation")
        first.type("[name=invitation]", console.invite(f"dev-{word}", "developer"))
        first.click("main button")
        first.shows("#key")
        looked_at(checks, first, options.pictures, f"{word}-account")
        developer.key = first.text("#key")
        first.type("[name=code]", "000000")
        first.type("[name=password]", PASSWORD)
        first.click("main button")
        checks.that(first.shows(".problem"), "a wrong code makes no account", first.text("body"))
        checks.equal(first.text("#key"), developer.key, "and the key stays the same, which the phone has by now")
        first.type("[name=code]", code(developer.key))
        first.type("[name=password]", PASSWORD)
        first.click("main button")
        checks.that(first.says(f"dev-{word}", "header"), "a developer takes an invitation", first.text("body"))
        looked_at(checks, first, options.pictures, f"{word}-no-apps")

        began = time.monotonic()
        first.type("main [name=name]", "Corner Shop")
        first.type("main [name=bundles]", "com.example.shop")
        first.type("main [name=addresses]", "127.0.2.0/24 127.0.0.1")
        first.click("main .button")
        checks.that(first.shows(".once"), "an app is made", first.text("body"))
        checks.that(time.monotonic() - began < 60, "within a minute", f"{time.monotonic() - began:.1f} s")
        key, secret = first.text(".once .value").split("\n")
        checks.that(first.find("nav.tabs a[href$='/logins']"), "its page leads to all that it has",
                    first.text("main")[:200])
        app = re.search(r"/apps/(\w+)", first.run("return document.querySelector('a[hreflang]').href"))[1]
        snippets = first.run("return Object.fromEntries([...document.querySelectorAll('[data-snippet]')].map("
                             "(each) => [each.dataset.snippet, each.textContent]))")
        phone = first.run(
            "return [...document.querySelectorAll('[data-phone-snippet]')].map((each) => [each.dataset.phoneSnippet, "
                          "each.closest('details').querySelector('summary').textContent, each.textContent])")
        looked_at(checks, first, options.pictures, f"{word}-app-made")
        first.open(f"{console.page}/apps/{app}")
        checks.that(secret not in first.run("return document.documentElement.outerHTML"), "its secret is shown once")

        operator.accept(console.invite(f"ops-{word}", "operator"))
        second.click(f"a[href='/console/apps/{app}']")
        second.shows("[name=reason]")
        second.type("[name=reason]", "contract 2026-117")
        second.click("[formaction$='/allow']")
        checks.that(second.shows(".done"), "an operator allows it", second.text("body"))
        looked_at(checks, second, options.pictures, f"{word}-app-operator")

        for name, title, text in phone:
            checks.that(app in text and (key in text or name in ("onelogin", "geyan")),
                        f"the phone's side for {title} has the app's own values", text)
        if language == "en":
            compile_snippets(checks, phone)
        registered = {"id": app, "key": key, "secret": secret}
        redeem(checks, console, registered, secret, "with the secret of the new app")
        run_snippets(checks, console, registered, snippets, language == "en")
        first.open(f"{console.page}/apps/{app}")
        first.click("[formaction$='/rotate-secret']")
        checks.that(first.shows(".once"), "the secret is followed by a new one", first.text("body"))
        fresh = first.text(".once .value")
        redeem(checks, console, registered, secret, "with the former secret, which counts beside the new one")
        redeem(checks, console, registered, fresh, "with the new secret")
        looked_at(checks, first, options.pictures, f"{word}-app-rotated")
        first.click("details.confirm summary")
        first.click("details.confirm button")
        checks.that(first.shows(".done"), "the former secret is ended", first.text("body"))
        redeem(checks, console, registered, secret, "with the former secret after its end", works=False)
        redeem(checks, console, registered, fresh, "with the new secret after the former one's end")

        change_app(checks, console, first, second, app, options.pictures, word)

        second.open(console.page + "/audit")
        for order in ("console.accept", "app.create", "app.allow", "app.rotate-key", "app.retire-key"):
            checks.that(second.says(order, "main"), f"the audit log has {order}", second.text("main")[:400])
        looked_at(checks, second, options.pictures, f"{word}-audit")
        second.open(f"{console.page}/apps/300000000099")
        checks.that(second.shows(".problem"), "an app that there is not is no page", second.text("body"))
        looked_at(checks, second, options.pictures, f"{word}-problem")
        for person in (developer, operator):
            checks.that(person.leave(), "signing out ends the session", person.browser.text("body"))
            person.browser.open(console.page)
            checks.that(person.browser.shows("[name=password]"), "and the way back is to sign in")


def compile_snippets(checks, phone):
    """The phone's side, as it stands on the page, against our SDK and the facades."""
    checks.equal([name for name, _, _ in phone],
                 ["uikit", "swiftui", "tyrzsdk", "tyrzlogin", "onelogin", "geyan", "superid"],
                 "the page has the phone's side for each SDK")
    maps = [part for each in glob.glob(str(redeeming.STANDINS / "debug/*.build/module.modulemap"))
            for part in ("-Xcc", f"-fmodule-map-file={each}")]
    running = []
    for name, title, text in phone:
        path = folder() / f"{name}.swift"
        path.write_text(text + "\n")
        command = ["swiftc", "-swift-version", "6", "-typecheck", "-I", str(redeeming.STANDINS / "debug/Modules"),
                   *redeeming.CRYPTO, *maps, str(path)]
        running.append((title, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)))
    for title, compiler in running:
        said, _ = compiler.communicate(timeout=180)
        checks.equal((compiler.returncode, said), (0, ""), f"the phone's side for {title} compiles")


def run_snippets(checks, console, app, snippets, compiles):
    """The programs that the page has, as they stand there. A compiler takes its seconds, and the programs are the same
    in each language of the page."""
    programs = redeeming.commands(checks, snippets, redeeming.LANGUAGES if compiles else redeeming.INTERPRETED)
    for name, command in programs.items():
        console.server.attach("attach", "127.8.0.10", NUMBER)
        token, situation, said = console.server.phone("login", app, "127.8.0.10")
        checks.that(token is not None, f"a phone logs in for the program in {name}", f"{situation}: {said}")
        done = run([*command, token], 120)
        checks.that("+" + NUMBER in done.stdout, f"the program in {name} redeems a token as it stands on the page",
                    done.stdout + done.stderr)


def change_app(checks, console, developer, operator, app, pictures, word):
    """Each page about an app, and about people and pages: changed, and looked at."""
    operator.open(f"{console.page}/apps/{app}/settings")
    name = operator.find("[name=name]")[0]
    name.clear()
    name.send_keys("Corner Shop & Sons")
    operator.click("section:first-of-type .filled")
    checks.that(operator.says("Corner Shop & Sons", "h1"), "an operator renames the app", operator.text("main")[:300])
    looked_at(checks, operator, pictures, f"{word}-settings-operator")
    developer.open(f"{console.page}/apps/{app}/settings")
    developer.type("[name=bundles]", "\ncom.example.second")
    developer.click("section:first-of-type .filled")
    checks.that(developer.shows(".done"), "a developer adds a bundle id", developer.text("main")[:300])
    said = console.server.command("app", "show", app, "--json", "--config", console.server.configuration).stdout
    checks.that("com.example.second" in said and "com.example.shop" in said, "and the one before stays", said)
    looked_at(checks, developer, pictures, f"{word}-settings-developer")

    developer.open(f"{console.page}/apps/{app}/callback")
    developer.type("[name=url]", "https://shop.example/events")
    developer.click(".filled")
    checks.that(developer.shows(".once"), "a callback is set, and its secret shown once", developer.text("main")[:300])
    developer.click("[formaction$='/test']")
    checks.that(developer.says("callback.test", "main"), "a button sends a test event", developer.text("main")[:300])
    looked_at(checks, developer, pictures, f"{word}-callback")

    operator.open(f"{console.page}/apps/{app}/login")
    operator.type("[name=redirectURIs]", "https://shop.example/callback")
    operator.type("[name=agreement]", "https://shop.example/agreement")
    operator.type("[name=privacy]", "https://shop.example/privacy")
    operator.click(".filled")
    checks.that(operator.shows(".once"), "the app logs people in on the web", operator.text("main")[:300])
    looked_at(checks, operator, pictures, f"{word}-web-login")
    picture = folder() / "logo.png"
    picture.write_bytes(base64.b64decode(DOT))
    operator.find("[type=file]")[0].send_keys(str(picture))
    eventually(lambda: operator.run("return document.querySelector('input[type=hidden][name=logo]').value"), 10)
    operator.click(".filled")
    checks.that(operator.shows(".done"), "a logo is sent", operator.text("main")[:300])

    refused, _, _ = console.server.phone("login", {"id": app, "key": "A" * 32}, "127.8.0.10")
    checks.that(refused is None, "a phone with a wrong key is refused", refused)
    time.sleep(2)  # Steps of logins are written once a second.
    developer.open(f"{console.page}/logins?app={app}&hours=1")
    checks.that(developer.shows("main tbody a"), "a developer finds the logins of the app",
                developer.text("main")[:400])
    looked_at(checks, developer, pictures, f"{word}-find-logins")
    developer.click("main tbody a")
    checks.that(developer.shows(".story"), "one opens as a diagram", developer.text("main")[:400])

    operator.open(f"{console.page}/apps/{app}/books")
    operator.click("main details summary")
    operator.type("[name=reference]", "2026-117")
    # Today may end before the click.
    operator.type("[name=from]", bills.day(1))
    operator.type("[name=rate-released]", "0.045")
    operator.click("main details .button")
    checks.that(operator.shows(".done") and operator.says("2026-117", "main") and operator.says("0.045 CNY", "main"),
                "an operator agrees on terms with the app", operator.text("main")[:400])
    looked_at(checks, operator, pictures, f"{word}-books")
    developer.open(f"{console.page}/apps/{app}/books")
    checks.that(developer.says("loginTokenValidate", "main") and not developer.find("[name=reference]"),
                "its developer reads terms and statement, and sets none", developer.text("main")[:400])

    operator.open(console.page + "/people")
    checks.that(operator.says(f"dev-{word}", "main"), "an operator sees who may give orders",
                operator.text("main")[:300])
    looked_at(checks, operator, pictures, f"{word}-people")
    page = folder() / "page.json"
    page.write_text(console.server.command("page", "new").stdout)
    done = console.server.command("page", "submit", app, page, "--config", console.server.configuration)
    checks.that(done.returncode == 0, "a page is submitted", done.stdout + done.stderr)
    operator.open(console.page + "/pages")
    looked_at(checks, operator, pictures, f"{word}-pages")
    operator.click("main tbody a")
    checks.that(operator.shows("[formaction$='/refuse']"), "an operator looks at it", operator.text("main")[:300])
    looked_at(checks, operator, pictures, f"{word}-page")
    for which in ("light", "dark"):
        frame = operator.run("return document.querySelectorAll('.drawings iframe')[arguments[0]].src",
                             0 if which == "light" else 1)
        checks.that(("appearance=dark" in frame) == (which == "dark"), f"and sees it drawn, {which}", frame)
    operator.type("[name=reason]", "as agreed")
    operator.click("main .filled")
    checks.that(operator.shows(".done"), "and approves it", operator.text("main")[:300])
    for person, what in ((developer, "a developer"), (operator, "an operator")):
        person.open(f"{console.page}/apps/{app}")
        checks.that(person.says("Corner Shop & Sons", "h1"), f"{what} sees the app as it is now",
                    person.text("main")[:200])


@pytest.mark.parametrize("language",
                         (pytest.param("en", marks=pytest.mark.long("the same walk in the other language")), "zh-CN"))
def test_installation(checks, console, options, language):
    """Feeds, a number, the policy and the keys, by an operator; each page looked at."""
    word = {"en": "en", "zh-CN": "zh"}[language]
    console.server.attach("attach", "127.8.0.20", NUMBER)
    with Browser(None, language=language, size=SIZES["desktop"]) as browser:
        person = Person(console, browser)
        person.accept(console.invite(f"installer-{word}", "operator"))
        browser.open(console.page + "/feeds")
        row = browser.text("#feeds ~ table tbody")
        checks.that(re.search(r"\b[1-9]\d*\b", row) and re.search(r"\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b", row),
                    "the NAS that speaks has its last packet and its counts", row)
        checks.that(browser.find("#health ~ table .good"), "and readiness is told", browser.text("main"))
        looked_at(checks, browser, options.pictures, f"{word}-feeds")

        browser.open(console.page + "/numbers")
        browser.type("[name=number]", NUMBER[2:])
        browser.click("main .filled")
        shown = browser.text("main")
        checks.that(browser.shows("#register") and "138****0001" in shown and NUMBER[2:] not in shown,
                    "a number is looked up, masked", shown)
        checks.that(NUMBER[2:] not in browser.address, "and is in no address", browser.address)
        looked_at(checks, browser, options.pictures, f"{word}-number")

        browser.open(console.page + "/sessions")
        browser.type("[name=address]", "127.8.0.20")
        browser.click("main .filled")
        held = browser.text("main")
        checks.that(browser.find("main .good") and "127.8.0.20" not in browser.address,
                    "an address is looked up: a login from there is good", held)
        checks.that(NUMBER[2:] not in held and not browser.find(".state.bad"),
                    "without the number of whoever holds it", held)
        looked_at(checks, browser, options.pictures, f"{word}-session")
        browser.find("[name=address]")[0].clear()
        browser.type("[name=address]", "127.8.0.29")
        browser.click("main .filled")
        checks.that("address_unknown" in browser.text("main"), "one that nobody holds says so", browser.text("main"))
        looked_at(checks, browser, options.pictures, f"{word}-session-none")

        browser.open(console.page + "/policy")
        checks.that(browser.shows("#shown"), "the policy in force is shown", browser.text("main")[:300])
        looked_at(checks, browser, options.pictures, f"{word}-policy")
        text = browser.run("return document.querySelector('textarea').value")
        changed = json.loads(text)
        changed["version"] = "2027-01"
        write = "document.querySelector('textarea').value = arguments[0]"
        browser.run(write, json.dumps(changed))
        browser.click("main .filled")
        checks.that(browser.shows(".once") and "2027-01" in browser.text(".once"),
                    "another one is checked, and its difference told", browser.text("main")[:400])
        looked_at(checks, browser, options.pictures, f"{word}-policy-checked")
        browser.run(write, '{\n  "version": 7\n}')
        browser.click("main .filled")
        checks.that(browser.shows(".problem") and "policy.json:" in browser.text(".problem"),
                    "what is wrong is told with its line", browser.text(".problem"))

        browser.open(console.page + "/keys")
        checks.that(browser.shows("#master ~ table .good"), "the master key is shown with its age and state",
                    browser.text("main")[:300])
        looked_at(checks, browser, options.pictures, f"{word}-keys")
        browser.click("#signing ~ details summary")
        browser.click("[action$='/rotate-receipt'] button")
        checks.that(browser.shows(".done"), "a signing key is followed by a new one", browser.text("main")[:300])
        checks.that("keys.rotate-receipt" in console.audit() and "number.show" in console.audit(),
                    "with lines in the audit log")


def redeem(checks, console, app, secret, what, works=True):
    """One login of a virtual phone, whose token the app's server redeems with a secret."""
    console.server.attach("attach", "127.8.0.10", NUMBER)
    token, situation, said = console.server.phone("login", app, "127.8.0.10")
    checks.that(token is not None, f"a phone logs in, to redeem {what}", f"{situation}: {said}")
    answer = Backend(console.server.server).redeem({**app, "serverSecret": secret}, token)
    checks.equal(answer[0] == "103000", works,
                 f"a token is redeemed {what}" if works else f"no token is redeemed {what}")


@pytest.mark.parametrize("language",
                         ("en", pytest.param("zh-CN", marks=pytest.mark.long("the same walk in the other language"))))
def test_logins(checks, console, options, language):
    """The chart moves with a login, and the story of one that failed says why."""
    word = {"en": "en", "zh-CN": "zh"}[language]
    app = console.server.create_app(name=f"Charted {word}", server_address="127.0.2.0/24")
    backend = Backend(console.server.server)
    with Browser(None, language=language, size=SIZES["desktop"]) as browser:
        person = Person(console, browser)
        person.accept(console.invite(f"support-{word}", "support"))
        page = f"{console.page}/apps/{app['id']}/logins"
        browser.open(page)
        checks.that(browser.says({"en": "No logins in this time", "zh-CN": "这段时间没有登录"}[language], "main"),
                    "before there is one, the page says so", browser.text("main"))
        console.server.attach("attach", "127.8.0.11", NUMBER)
        for carrier, address, number in (("mobile", "127.8.0.11", NUMBER),):
            token, situation, said = console.server.phone("login", app, address)
            checks.that(token is not None, f"a phone of {carrier} logs in", f"{situation}: {said}")
        checks.equal(backend.redeem(app, token)[0], "103000", "its token is redeemed")
        spent = backend.redeem(app, token)[0]
        _, situation, _ = console.server.phone("login", app, "127.8.0.12")
        checks.equal(situation, "address_unknown", "a phone that nobody knows is refused")
        browser.open(page)
        figures = browser.text(".funnel").split("\n")
        counts = [int(re.search(r"(\d+) \d+ %", line)[1]) for line in figures if "%" in line]
        checks.equal(counts, [2, 1, 1, 1], "two asked, one was recognised, agreed and was redeemed")
        checks.that(browser.run(
            "return [...document.querySelectorAll('.chart rect.good')].some(each => each.getBBox().height > 0)"),
                    "the chart of when has a bar")
        checks.that("address_unknown" in browser.text("main") and "token_spent" in browser.text("main"),
                    "and each refusal is named", browser.text("main"))
        by_carrier = browser.run("return [...document.querySelectorAll('#carriers ~ table tbody tr')].map(row => "
                                 "[...row.querySelectorAll('.figure')].map(each => "
                                 "each.textContent.match(/^[0-9]+/)[0]).join(' '))")
        checks.equal(by_carrier, ["1 1 1 1", "1 0 0 0"], "by carrier with all four stages")
        looked_at(checks, browser, options.pictures, f"{word}-logins")
        browser.open(console.page + "/logins")
        browser.click("nav.tabs a[href$='/all']")
        checks.that(browser.says(f"Charted {word}", "#most ~ table") and browser.find(".chart"),
                    "a chart of all apps has this one", browser.text("main"))
        looked_at(checks, browser, options.pictures, f"{word}-all-logins")
        browser.open(page + "?span=24h")
        checks.that(browser.run("return document.querySelectorAll('.chart g').length") == 24, "by hour for a day")

        browser.open(page)
        browser.type("[name=find]", spent)
        browser.click("main form button")
        found = browser.run("return [...document.querySelectorAll('.lines a')].map(each => each.textContent)")
        checks.equal(len(found), 1, f"the login is found by the code {spent} that the server got")
        browser.click(".lines a")
        story = browser.text("main")
        checks.that(found[0] in story and "token_spent" in story, "its story has the refusal", story)
        checks.equal(browser.text(".title .state"), "success",
                     "beside the answer before it, by which the login went well")
        browser.click(".story .bad summary")
        story = browser.text("main")
        checks.that({"en": "What to do", "zh-CN": "怎么办"}[language] in story, "with what to do", story)
        checks.that(NUMBER not in story and NUMBER[2:] not in story and token not in story, "without number and token")
        looked_at(checks, browser, options.pictures, f"{word}-login")
        browser.open(f"{page}?find={found[0]}")
        checks.that(browser.address.endswith(found[0]), "a trace leads to its story at once", browser.address)
        browser.open(f"{page}?find={'x' * 40}%3Cb%3E")
        checks.that(browser.shows(".problem"), "what is neither a trace nor a code is said", browser.text("main"))
        browser.open(f"{page}/{'0' * 32}")
        checks.that(browser.shows(".problem"), "a login that nobody had is no story", browser.text("main"))


@pytest.mark.parametrize("language",
                         (pytest.param("en", marks=pytest.mark.long("the same walk in the other language")), "zh-CN"))
def test_team(checks, console, options, language):
    """A developer invites a colleague, who signs in and sees the app, adds another, and takes one off; each page looked
    at."""
    word = {"en": "en", "zh-CN": "zh"}[language]
    apps = [console.server.create_app(name=name)["id"] for name in (f"Shared {word}", f"Own {word}")]
    waits = f"old-{word}"
    console.invite(waits, "developer", "--app", apps[1])
    with Browser(None, language=language, size=SIZES["desktop"]) as first, \
            Browser(None, language=language, size=SIZES["desktop"]) as second:
        developer, colleague = Person(console, first), Person(console, second)
        developer.accept(console.invite(f"ana-{word}", "developer", "--app", apps[0], "--app", apps[1]))
        first.open(f"{console.page}/apps/{apps[0]}")
        first.click("nav.tabs a[href$='/team']")
        checks.that(first.says(f"ana-{word}", "main tbody"), "a developer sees who has the app", first.text("main"))
        first.type("[name=name]", "ben")
        first.click("[action$='/invite'] button")
        checks.that(first.shows(".once"), "a colleague is invited", first.text("main"))
        address, invitation, name = first.text(".once .value").split("\n")
        checks.that(address == console.page + "/invitation" and name.startswith("ben-"),
                    "with a name and where to enter the invitation", (address, name))
        looked_at(checks, first, options.pictures, f"{word}-team-invited")
        checks.that(colleague.accept(invitation) and second.says(name, "header"), "they make an account",
                    second.text("body"))
        second.click(f"a[href='/console/apps/{apps[0]}']")
        checks.that(second.says(f"Shared {word}", "h1"), "and see the app", second.text("main")[:200])
        second.open(f"{console.page}/apps/{apps[1]}/team")
        checks.that(second.shows(".problem") and f"Own {word}" not in second.text("main"), "and no other",
                    second.text("body"))

        first.open(f"{console.page}/apps/{apps[0]}/team")
        checks.that(invitation not in first.run("return document.documentElement.outerHTML"),
                    "the invitation is shown once")
        first.click("[action$='/add'] button")
        checks.that(first.shows(".done") and first.says(waits, "main tbody"), "somebody of another app is added",
                    first.text("main"))
        looked_at(checks, first, options.pictures, f"{word}-team")
        row = "//tr[th[contains(., '" + name + "')]]"
        first.run("document.evaluate(arguments[0], document).iterateNext().querySelector('summary').click()", row)
        first.run("document.evaluate(arguments[0], document).iterateNext().querySelector('form button').click()", row)
        checks.that(first.shows(".done") and name not in first.text("main tbody"), "and one is taken off",
                    first.text("main"))
        second.open(f"{console.page}/apps/{apps[0]}")
        checks.that(second.shows(".problem"), "whoever is taken off sees it no more", second.text("body"))
        first.click("details.confirm summary[aria-label*='ana-']")
        first.click("details.confirm[open] button")
        checks.that(first.shows(".problem"), "and nobody leaves an app without anybody who can sign in",
                    first.text("main"))


class Visitor:
    """Somebody with a program instead of a browser: it keeps the cookie, and sends whatever it likes."""

    def __init__(self, console):
        self.console, self.cookie, self.token, self.key = console, None, None, None

    def send(self, method, path, form=None, **headers):
        """(status, where it leads, text)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.console.port, timeout=60)
        head = {"Host": f"127.0.0.1:{self.console.port}"}
        if self.cookie:
            head["Cookie"] = self.cookie
        body = None
        if form is not None:
            head |= {"Content-Type": "application/x-www-form-urlencoded",
                     "Origin": f"http://127.0.0.1:{self.console.port}"}
            body = urllib.parse.urlencode({"form": self.token or "", **form}, doseq=True)
        head |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, {name: value for name, value in head.items() if value is not None})
        answer = connection.getresponse()
        text = answer.read().decode()
        for line in answer.headers.get_all("Set-Cookie") or []:
            if line.startswith("benji-console="):
                self.cookie = line.split(";")[0]
        if found := re.search(r'name="form" value="([^"]+)"', text):
            self.token = found[1]
        connection.close()
        return answer.status, answer.headers.get("Location"), text

    def get(self, path):
        return self.send("GET", path)

    def post(self, path, form=None, **headers):
        return self.send("POST", path, form or {}, **headers)

    def accept(self, invitation):
        _, _, page = self.post("/console/invitation", {"invitation": invitation})
        salt = re.search(r'name="salt" value="([^"]+)"', page)[1]
        self.key = re.search(r'id="key"[^>]*>([^<]+)<', page)[1]
        return self.post("/console/account",
                         {"invitation": invitation, "salt": salt, "password": PASSWORD, "code": code(self.key)})


@pytest.fixture(scope="module")
def tenants(console):
    """Two developers with an app each, and an operator."""
    made = {}
    for name in ("one", "two"):
        app = console.server.create_app(name=f"Secret {name}")
        visitor = Visitor(console)
        visitor.accept(console.invite(f"tenant-{name}", "developer", "--app", app["id"]))
        visitor.get("/console")
        made[name] = (visitor, app)
    operator = Visitor(console)
    operator.accept(console.invite("tenant-ops", "operator"))
    operator.get("/console")
    return made["one"], made["two"], operator


def shown(console, app):
    return console.server.command("app", "show", app["id"], "--json", "--config", console.server.configuration).stdout


#: What each route of an app is asked with.
PAGES = ("/console/apps/{id}", "/console/apps/{id}/settings", "/console/apps/{id}/login", "/console/apps/{id}/callback",
         "/console/apps/{id}/logins", "/console/apps/{id}/books", "/console/apps/{id}/team", "/console/audit?app={id}",
         "/console/pages?app={id}", "/console/logins?app={id}")
BUTTONS = ("orders/suspend", "orders/resume", "orders/allow", "orders/rotate-key", "orders/rotate-secret",
           "orders/split-keys",
           "orders/retire-key", "settings", "login", "login/rotate-secret", "login/retire-secret", "login/remove",
           "callback/set",
           "callback/test", "callback/rotate-secret", "callback/remove", "callback/replay", "contract", "contract/end",
           "team/invite", "team/add", "team/remove")


FILLED = {"person": "tenant-two", "use": "server", "version": "1", "was.bundles": "", "bundles": "evil.example",
          "url": "https://evil.example/",
          "events": "login.released", "was.redirectURIs": "", "redirectURIs": "https://evil.example/"}


def test_other_tenants(checks, console, tenants):
    """Each developer asks for the other one's app on each route."""
    one, two, _ = tenants
    for (visitor, own), (_, other) in ((one, two), (two, one)):
        name = f"Secret {'two' if (visitor, own) == one else 'one'}"
        before = shown(console, other)
        checks.that(name not in visitor.get("/console")[2], "the list has one's own apps alone")
        for page in PAGES:
            status, _, text = visitor.get(page.format(id=other["id"]))
            checks.that(status == 403 and name not in text, f"GET {page} is refused with another tenant's id", status)
        for page in ("logins/all", "feeds", "sessions", "numbers", "policy", "policy.json", "keys",
                     f"drawn/1?app={other['id']}"):
            checks.equal(visitor.get(f"/console/{page}")[0], 403, f"GET /console/{page} is refused to a developer")
        for button in ("sessions/show", "numbers/show", "numbers/reassign", "policy/check", "keys/rotate",
                       "keys/rotate-receipt", "keys/rotate-id-tokens"):
            checks.equal(visitor.post(f"/console/{button}", {"number": NUMBER, "policy": "{}"})[0], 403,
                         f"{button} is refused to a developer")
        for button in BUTTONS:
            status, _, text = visitor.post(f"/console/apps/{other['id']}/{button}", FILLED)
            checks.that(status == 403 and name not in text, f"{button} is refused with another tenant's id", status)
        checks.equal(shown(console, other), before, "and nothing changed")


def test_forgery(checks, console, tenants):
    """Forms that another site has a browser send, or that hold another user's token."""
    (one, app), (two, _), operator = tenants
    path, own = f"/console/apps/{app['id']}/orders/suspend", f"http://127.0.0.1:{console.port}"
    for name, form, headers in (
            ("without a token", {"form": ""}, {}), ("with another session's token", {"form": one.token}, {}),
            ("from a foreign origin", {}, {"Origin": "https://evil.example"}), ("from nowhere", {}, {"Origin": None}),
            ("from a page that hides", {}, {"Origin": "null"}),
            ("from a foreign page, as the browser says", {}, {"Origin": own, "Sec_Fetch_Site": "cross-site"}),
            ("from a neighbour's page", {}, {"Origin": own, "Sec_Fetch_Site": "same-site"}),
            ("as JSON", {}, {"Content_Type": "text/plain"})):
        status, _, _ = operator.post(path, form, **headers)
        checks.that(status in (400, 403), f"a form {name} is refused", status)
        checks.that('"suspended":false' in shown(console, app).replace(" ", ""), "and the app goes on")
    status, to, _ = operator.send("GET", path)
    checks.that(status in (404, 405), "no address that is only looked at changes anything", (status, to))
    status, to, _ = operator.post(path, {})
    checks.that(status == 303 and '"suspended":true' in shown(console, app).replace(" ", ""),
                "the operator's own form counts", status)
    operator.post(f"/console/apps/{app['id']}/orders/resume", {})


#: What the forms of the console take, by name.
GOOD = {"name": "scripted", "bundles": "com.example.shop", "addresses": "127.0.2.0/24",
        "url": "https://shop.example/events", "events": "",
        "redirectURIs": "https://shop.example/callback", "agreement": "https://shop.example/agreement",
        "privacy": "https://shop.example/privacy",
        "reference": "2026-117", "currency": "CNY", "rate-released": "0.045", "number": "13800000009",
        "address": "127.8.0.30"}
SHOWN = "<script>document.title"


def test_scripts(checks, console, tenants):
    """A script in every field of every form that operator, developer and visitor find; then every page with one."""
    naive = {"a text": f"<p>{SCRIPT}", "a value": f'<input value="{SCRIPT}">',
             "an address": "<a href=\"javascript:document.title='owned'\">"}
    checks.equal(set(judged(naive)), set(naive), "the judge finds what a page runs that escapes nothing")
    console.server.attach("attach", "127.8.0.30", "86" + GOOD["number"])
    (developer, _), _, operator = tenants
    _, to, page = developer.post("/console/apps", {"name": "Scripted", "bundles": "com.example.scripted"})
    app = re.search(r"/console/apps/(\d{12})/settings", page)[1]
    description = folder() / "page.json"
    for size in (30, 31, 32):
        description.write_text(json.dumps({"number": {"font": {"size": size}}, "loginButton": {"text": SCRIPT},
                                           "terms": {"items": [{"title": SCRIPT, "url": "https://shop.example/a"}]}}))
        done = console.server.command("page", "submit", app, description, "--note", SCRIPT, "--config",
                                      console.server.configuration)
        checks.equal((done.returncode, done.stderr if done.returncode else ""), (0, ""),
                     "a page with scripts in its texts and its note is submitted")
    refused, _, _ = console.server.phone("login", {"id": app, "key": "A" * 32}, "127.8.0.10")
    checks.equal(refused, None, "a login is refused, so that there is a story")

    def allowed(address):
        return address.startswith("/console") and "/design/" not in address and set(re.findall(r"\d{12}",
                                                                                               address)) <= {app}

    # Terms that hold already, so that there are some to end; those of the form begin tomorrow.
    bills.from_today(lambda today: bills.command(
        console.server, "app", "contract", "set", app, "--reference", "2026-117", "--currency", "CNY", "--rate",
        "released=0.045", "--from", today))
    walk = Walk(operator, allowed, GOOD).through("/console", f"/console/apps/{app}").begin()
    stranger = Walk(Visitor(console), allowed, {"invitation": console.invite("stranger", "developer")}).through(
        "/console/sign-in", "/console/invitation")
    for form in [each for forms in stranger.forms.values() for each in forms.values()]:
        if form.action == "/console/invitation":
            stranger.send(form, form.action, stranger.filled(form), "a good invitation")
    sent = walk.attack() | stranger.attack_at_once()
    checks.equal([each for each in missed(sent) if each[0] not in ONE_TAP], [],
                 f"each of {len(sent)} fields was met, and none that the templates have is left out")
    taken = sorted({name for (_, name), done in sent.items() if done})
    checks.that({"name", "reason", "actor"} <= set(taken), "scripts are taken where people may write what they like",
                taken)

    most = 3 if looks.thorough else 1
    walks = {"operator": Walk(operator, allowed), "developer": Walk(developer, allowed)}
    texts = {f"{who}: {address}": text for who, each in walks.items()
             for address, text in each.through("/console", f"/console/apps/{app}", most=most).texts.items()}
    checks.equal(judged(texts), {}, f"nothing runs on {len(texts)} pages")
    answers = walk.answers | stranger.answers
    checks.equal(judged(answers), {}, f"nor in {len(answers)} answers to forms")
    shown = [address for address, text in walks["operator"].texts.items() if SHOWN in html.unescape(text)]
    checks.that({"/console", "/console/audit", "/console/pages/*"} <= {pattern(each) for each in shown},
                "scripts stand on the pages as text", shown)
    # The judge has read them all; Chromium reads a page of each kind, and an answer of each form.
    shown = list({each if looks.thorough else pattern(each): each for each in shown}.values())
    answers = list({name if looks.thorough else name.split(":")[0]: text for name, text in answers.items()
                    if SHOWN in html.unescape(text)}.values())
    with Browser(None, language="en", size=SIZES["desktop"]) as browser:
        browser.open(console.page)
        browser.devtools("Network.setCookie", name="benji-console", value=operator.cookie.split("=", 1)[1],
                         url=console.page)
        owned = []
        for address in shown:
            browser.open(console.page.removesuffix("/console") + address)
            if "sign-in" in browser.address or browser.run("return document.title") == "owned":
                owned.append(address)
        checks.equal(owned, [], f"in Chromium, none of {len(shown)} pages runs the script that it shows")
        for what, pages, wanted_title in (("a page that escapes nothing", list(naive.values()), True),
                                          ("an answer", answers, False)):
            browser.open("about:blank")
            browser.run("document.write(arguments[0]); document.close()", frames(pages))
            titles = ("return [...document.querySelectorAll('iframe')].some("
                      "each => each.contentDocument.title === 'owned')")
            if wanted_title:
                checks.that(eventually(lambda titles=titles: browser.run(titles), 10), f"Chromium runs what {what} has")
            else:
                eventually(lambda: browser.run("return [...document.querySelectorAll('iframe')].every(each => "
                                               "each.contentDocument.readyState === 'complete')"), 30)
                checks.that(not browser.run(titles), f"and nothing that {what} to a form has")


def test_fixation(checks, console):
    """A session that was put into another person's browser is not theirs once they have signed in."""
    invitation = console.invite("fixed", "support")
    victim, attacker = Visitor(console), Visitor(console)
    victim.cookie = attacker.cookie = "benji-console=planted"
    victim.accept(invitation)
    checks.that(victim.cookie != attacker.cookie, "signing in makes a session of its own")
    checks.equal(attacker.get("/console")[1], "/console/sign-in", "the one that was planted signs nobody in")
    checks.equal(victim.get("/console")[0], 200, "and theirs does")


@pytest.mark.long("hashes hundreds of passwords; ConsoleSignInTests guess ten thousand without")
def test_wrong_passwords(checks, console):
    """Hundreds of wrong passwords, and in the end the right one, are refused; a phone logs in all the while."""
    app = console.server.create_app(name="Beside")
    owner = Visitor(console)
    owner.accept(console.invite("guessed", "operator"))
    console.server.attach("attach", "127.8.0.10", NUMBER)
    statuses, began = [], time.monotonic()
    for number in range(300):
        password = PASSWORD if number > 290 else f"wrong password {number}"
        status, _, text = Visitor(console).post("/console/sign-in",
                                                {"name": "guessed", "password": password, "code": code(owner.key)})
        statuses.append(status)
        if number % 60 == 0:
            token, situation, said = console.server.phone("login", app, "127.8.0.10")
            checks.that(token is not None, f"a phone logs in after {number} wrong passwords", f"{situation}: {said}")
    checks.equal(set(statuses), {403, 429}, "each attempt is refused")
    # Sixty at once, of which the tests before have used some, and one more in each ten seconds.
    most = 61 + (time.monotonic() - began) / 10
    checks.that(20 <= statuses.count(403) <= most, "and so many of one address are looked at",
                (statuses.count(403), most))
    checks.equal(owner.get("/console")[0], 200, "whoever has signed in stays signed in")
