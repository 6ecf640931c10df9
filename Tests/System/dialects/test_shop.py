"""The example shop (Examples/Shop) logs people in: in Chromium by OpenID Connect, and by a token that an app brings in
the operators' dialect. It is a program of its own that knows Benji by HTTP only."""

import json

import pytest

from support.browser import Browser
from support.checks import Stop, eventually, run
from support.provider import CertificateAuthority, Provider, looked_at, take_pictures, tick_and_tap
from support.server import Server
from support.shop import Shop, binary

OPTIONS = {"pictures": None}

PHONE, NUMBER, MASK = "127.8.0.2", "13800000001", "138****0001"


@pytest.fixture(scope="module")
def authority():
    return CertificateAuthority()


@pytest.fixture(scope="module")
def provider(authority):
    with Provider(authority) as made:
        attach(made)
        yield made


class Operator(Server):
    """A second installation: a process of this machine, also where the provider is a cluster."""

    deployed = ()


@pytest.fixture(scope="module")
def operator():
    """A server that the shop's app knows, in the operators' dialect."""
    with Operator() as made:
        attach(made)
        yield made


def attach(server):
    attached = server.attach("attach", PHONE, NUMBER)
    if attached.returncode != 0:
        raise Stop(f"benji phone attach: {attached.stderr}")


@pytest.fixture(scope="module")
def app(operator):
    return operator.create_app(name="Shop's app", server_address="127.0.0.1")


@pytest.fixture(scope="module")
def shop(authority, provider, operator, app):
    made = Shop(authority, provider)
    made.start(provider.client(made.callback), app, operator)
    yield made
    made.stop()


def test_a_customer_buys(checks, shop, provider, browser, pictures):
    """A basket, a login in the middle of it, an order."""
    browser.open(shop.origin)
    checks.that(browser.says("登录", "nav"), "the shop speaks the browser's language", browser.text("nav"))
    looked_at(checks, browser, pictures, "front")
    browser.click("form[action='/basket/add'] button")
    checks.that(browser.says("西湖龙井", "main"), "the tea is in the basket", browser.text("main"))
    browser.click("form[action='/order'] button")
    checks.that(browser.shows("#login"), "whoever orders is asked to log in", browser.text("main"))
    looked_at(checks, browser, pictures, "login")
    browser.click("#login")
    checks.that(eventually(lambda: browser.address.startswith(provider.pages)), "the login is the provider's page",
                browser.address)
    tick_and_tap(browser)
    checks.that(eventually(lambda: browser.address == shop.origin + "/basket"),
                "after the login the person is back at the basket", browser.address)
    checks.that(browser.says(MASK, "nav"), "the shop knows the phone's number and shows its mask", browser.text("nav"))
    checks.that(browser.says("西湖龙井", "main"), "the basket has come through the login", browser.text("main"))
    looked_at(checks, browser, pictures, "basket")
    one_line(checks, browser, "Chinese, with a full basket")
    browser.resize(430, 900)
    browser.click("form[action='/order'] button")
    checks.that(eventually(lambda: browser.address == shop.origin + "/account") and browser.says("128.00", ".lines"),
                "the order is placed", browser.text("main"))
    looked_at(checks, browser, pictures, "account")
    cookies = {each["name"]: each for each in browser.cookies}
    session = cookies.get("__Host-shop", {})
    checks.that(session.get("secure") and session.get("httpOnly") and session.get("sameSite") == "Strict",
                "Chromium keeps the session's cookie as it was meant", session)
    browser.click("form[action='/logout'] button")
    checks.that(browser.says("登录", "nav"), "logging out is believed", browser.text("nav"))
    browser.open(shop.origin + "/account")
    checks.that(browser.shows("#login"), "and the account is closed to this browser", browser.text("main"))


@pytest.mark.part("browser")
def test_a_customer_comes_back(checks, shop, proxy, browser, pictures):
    browser.open(shop.origin + "/login/start?next=/account")
    tick_and_tap(browser)
    browser.shows("#customer")
    first = browser.text("#customer")
    with Browser(proxy, language="en") as another:
        another.open(shop.origin + "/login/start?next=/account")
        tick_and_tap(another)
        checks.that(eventually(lambda: another.text("#customer") == first),
                    "the same phone is the same customer in another browser", another.text("main"))
        take_pictures(another, pictures, "account-en")
        one_line(checks, another, "English")


@pytest.mark.part("browser")
def test_turns_back(checks, shop, browser, pictures):
    browser.open(shop.origin + "/login/start?next=/account")
    browser.click("[data-role=switchAccount]")
    checks.that(browser.shows("#reason") and browser.says("没有登录", "h1"), "turning back is said in words",
                browser.text("main"))
    looked_at(checks, browser, pictures, "cancelled")
    browser.open(shop.origin + "/login/callback?code=x&state=y")
    checks.that(browser.says("过期", "h1"), "a login that this browser did not begin is refused in words",
                browser.text("main"))
    browser.click("form[action='/language'] button")
    browser.says("Log in", "nav")
    browser.open(shop.origin + "/nothing")
    checks.that(browser.says("no such page", "h1"), "the language can be chosen, and a missing page says so",
                browser.text("main"))
    looked_at(checks, browser, pictures, "missing-en")
    browser.open(shop.origin)
    looked_at(checks, browser, pictures, "front-en")
    browser.open(shop.origin + "/basket")
    looked_at(checks, browser, pictures, "basket-empty-en")


def test_other_sites(checks, shop):
    """Requests that a browser would send for another site, and every page's headers."""
    status, _, _ = shop.curl("/logout", "--request", "POST", "--header", "Sec-Fetch-Site: cross-site")
    checks.equal(status, 403, "a form of another site is refused")
    status, _, _ = shop.curl("/logout", "--request", "POST", "--header", "Origin: https://evil.example")
    checks.equal(status, 403, "by its origin too")
    for path in ("/", "/login", "/nothing", "/assets/shop.css"):
        headers = dict(shop.curl(path)[1])
        policy = headers.get("content-security-policy", "")
        checks.that("default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
                    and "http" not in policy and headers.get("referrer-policy") == "no-referrer"
                    and headers.get("x-frame-options") == "DENY",
                    f"{path} says what may be loaded, framed and told on", headers)
    for target in ("//evil.example", "https://evil.example", "/\\evil.example"):
        _, headers, _ = shop.curl("/language", "--data-urlencode", f"back={target}", "--data", "language=en")
        checks.equal(dict(headers).get("location"), "/", f"nobody is sent on to {target}")


def one_line(checks, browser, what):
    """The header of somebody who is logged in."""
    for width in (320, 360, 393, 430, 520, 820, 1280):
        browser.resize(width, 760)
        tops = browser.run("return [...document.querySelectorAll('header .brand, nav a, nav button')].map(each => "
                           "Math.round(each.getBoundingClientRect().top + each.getBoundingClientRect().height / 2))")
        sticks_out = browser.run("return document.documentElement.scrollWidth > innerWidth")
        checks.that(max(tops) - min(tops) <= 2 and not sticks_out, f"{what}: the header is one line at {width} pixels",
                    tops)


@pytest.mark.own_processes("needs no server")
def test_half_a_certificate(checks, authority):
    """Options with which the shop would speak plain HTTP although its owner expects TLS."""
    for given, missing, path in (("--certificate", "--key", authority.certificate),
                                 ("--key", "--certificate", authority.key)):
        done = run([binary(), "--origin", "https://shop.example", given, path])
        checks.that(done.returncode == 64 and f"{given} without {missing}" in done.stderr,
                    f"{given} without {missing} is refused in words", done.stderr)


@pytest.mark.own_processes("is about the operator's server, which is no cluster")
def test_an_app_logs_in(checks, operator, shop, app):
    token, _, said = operator.phone("login", app, PHONE)
    if token is None:
        raise Stop(f"benji phone login: {said}")
    body = json.dumps({"token": token})
    status, headers, answer = shop.curl("/login/token", "--json", body)
    checks.equal((status, json.loads(answer)), (200, {"loggedIn": True, "number": MASK}), "an app's token logs in")
    cookie = next((value.split(";")[0] for name, value in headers if name == "set-cookie"), "")
    checks.that(MASK in shop.curl("/account", "--cookie", cookie)[2], "and its session opens the account")
    status, _, answer = shop.curl("/login/token", "--json", body)
    checks.that(status == 403 and not json.loads(answer)["loggedIn"], "the same token does not log in again", answer)


def test_the_log(checks, operator, shop, app):
    token, _, _ = operator.phone("login", app, PHONE)
    shop.curl("/login/token", "--json", json.dumps({"token": token}))
    checks.that(eventually(lambda: "logged in" in shop.said()), "the logins are in the shop's log", shop.said()[-500:])
    checks.that(NUMBER not in shop.said(), "the number is not")
