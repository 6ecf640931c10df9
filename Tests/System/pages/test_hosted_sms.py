"""The hosted login by a code that is sent by SMS, as people meet it in Chromium on Wi-Fi. It covers the notice that
offers it, the number, the code, typing errors, the keyboard, a screen reader, three languages and two browsers. It runs
in one process, and with gateway and authority apart. The messages go into a file."""

import base64
import json
import re
import urllib.parse

import pytest

from support.apart import Apart
from support.browser import Browser, PhoneProxy
from support.checks import Stop, eventually, first_json
from support.provider import CertificateAuthority, Provider, looked_at, tick_and_tap
from support.server import wait_a_second
from support.shop import Shop
from support.webpages import Requests, lax_documents

pytestmark = pytest.mark.seconds(200)
OPTIONS = {"pictures": None}

ADDRESS, NUMBER, MASK = "127.8.0.2", "13852460001", "138****0001"
STRANGER = "13752460009"
# Of the Wi-Fi, outside of the packet core's pool.
HOME, CAFE = "127.0.9.1", "127.0.9.2"
SMS = {"names": ["file"], "file": {"kind": "file", "path": "messages.jsonl"}}
WORKFLOW = ("--workflow", "one-tap-then-sms", "--least-assurance", "sms")
LANGUAGES = {"zh-CN": ("用短信验证码登录", "短信验证码登录", "请输入验证码"), "zh-TW": ("用簡訊驗證碼登入", "簡訊驗證碼登入", "請輸入驗證碼"),
             "en": ("Log in with a code by SMS", "Log in with a code by SMS", "Type the code")}


@pytest.fixture(scope="module")
def authority():
    return CertificateAuthority()


@pytest.fixture(scope="module", params=[pytest.param(Provider, marks=pytest.mark.long(
    "test_hosted_login.py has all of it in one process")), Apart], ids=["together", "apart"])
def provider(authority, request):
    made = request.param(authority, sms=SMS, **{"sms-codes": {"per-minute": 50, "per-day": 200}})
    yield made
    made.stop()


@pytest.fixture(scope="module")
def shop(authority, provider):
    made = Shop(authority, provider)
    made.app = provider.create_app(*WORKFLOW, name="Shop", server_address="127.0.0.1")
    made.client = provider.client(made.callback, app=made.app)
    provider.start()
    attached = provider.attach("attach", ADDRESS, NUMBER, imsi="460001234567890")
    if attached.returncode != 0:
        raise Stop(attached.stderr)
    wait_a_second()
    made.start(made.client)
    yield made
    made.stop()


@pytest.fixture(scope="module")
def home():
    made = PhoneProxy(HOME)
    yield made
    made.close()


@pytest.fixture
def browser(home):
    with Browser(home) as made:
        yield made


def code(provider):
    lines = (provider.folder / "messages.jsonl").read_text().splitlines()
    return re.search(r"\d{6}", json.loads(lines[-1])["text"])[0]


def messages(provider):
    path = provider.folder / "messages.jsonl"
    return path.read_text().count("\n") if path.exists() else 0


def wrong(digits):
    return f"{(int(digits) + 1) % 1_000_000:06}"


def request(provider, shop, **more):
    """An authorization request of the shop's, as benji.js makes it."""
    challenge = base64.urlsafe_b64encode(bytes(32)).rstrip(b"=").decode()
    return provider.pages + "/openid/authorize?" + urllib.parse.urlencode({
        "client_id": shop.client["client_id"], "redirect_uri": shop.callback, "response_type": "code",
        "scope": "openid phone",
        "state": "s", "code_challenge": challenge, "code_challenge_method": "S256", **more})


def asks_for_code(browser, shop, address=None):
    """From the shop by the notice to the page that asks for the number."""
    browser.open(address or shop.origin + "/login/start?next=/account")
    if not browser.shows(".actions .button"):
        raise Stop(browser.text("body"))
    browser.click(".actions .button")
    if not browser.shows("#number"):
        raise Stop(browser.text("body"))


def sends(browser, number=NUMBER, ticks=True):
    browser.run("document.querySelector('#number').value = ''")
    browser.type("#number", number)
    if ticks:
        browser.click(".tick input")
    browser.click("button[value=send]")


def types(browser, digits):
    browser.type("#digits", digits)
    browser.click("button[value=code]")


def fits(browser):
    """Nothing sticks out of the window, and every button can be hit by a finger."""
    return browser.run("""return document.documentElement.scrollWidth <= innerWidth &&
        [...document.querySelectorAll('.button')].filter(each => each.checkVisibility())
            .every(each => each.getBoundingClientRect().height >= 44)""")


def test_a_phone_on_wifi_logs_in_by_code(checks, provider, shop, browser, pictures):
    browser.open(shop.origin + "/login/start?next=/account")
    checks.that(browser.says("用短信验证码登录", ".actions"), "the notice offers a code", browser.text("body"))
    looked_at(checks, browser, pictures, "sms-offer")
    asks_for_code(browser, shop)
    checks.equal(browser.run(
        "const field = document.querySelector('#number'); return [field.type, field.inputMode, field.autocomplete]"),
                 ["tel", "tel", "tel"], "the field is a telephone's")
    checks.that(browser.run("return document.activeElement.id") == "number", "and has the keyboard's focus")
    looked_at(checks, browser, pictures, "sms-number")
    sends(browser, ticks=False)
    checks.that(browser.says("请先阅读并勾选同意条款", "[role=alert]"), "without the tick nothing is sent", browser.text("body"))
    checks.equal(messages(provider), 0, "no message went out")
    checks.equal(browser.run("return document.querySelector('#number').value"), NUMBER,
                 "and the number need not be typed again")
    looked_at(checks, browser, pictures, "sms-unticked")
    sends(browser, "1385246", ticks=True)
    checks.that(browser.says("不能向这个号码发送验证码", "[role=alert]"), "a number that is too short is told",
                browser.text("body"))
    sends(browser, "+86 138-5246 0001", ticks=False)
    checks.that(browser.says(MASK, "#sent"), "spelled as people do, a code is sent to it", browser.text("body"))
    checks.equal(
        browser.run("const field = document.querySelector('#digits'); return [field.inputMode, field.autocomplete]"),
                 ["numeric", "one-time-code"], "phones offer to type the code")
    waits = ("return [getComputedStyle(document.querySelector('.again .button')).visibility, "
             "document.querySelector('.wait').textContent]")
    checks.that(browser.run(waits)[0] == "hidden" and "秒后可重新获取" in browser.run(waits)[1],
                "another one can be asked for in a minute",
                browser.run(waits))
    left = "return getComputedStyle(document.querySelector('.wait')).getPropertyValue('--left')"
    before = int(browser.run(left))
    checks.that(eventually(lambda: int(browser.run(left)) < before, 5), "which counts down", browser.run(left))
    looked_at(checks, browser, pictures, "sms-code")
    types(browser, wrong(code(provider)))
    checks.that(browser.says("还可以试 4 次", "[role=alert]"), "a wrong code says how many tries are left",
                browser.text("body"))
    looked_at(checks, browser, pictures, "sms-wrong")
    digits = code(provider)
    types(browser, f"{digits[:3]} {digits[3:]}")
    checks.that(browser.says(MASK, "#number"), "the right one, as messages group it, logs in", browser.text("body"))
    checks.that(browser.says("短信验证码", "#recognised"), "and the shop can tell how", browser.text("main"))
    requests = Requests(browser)
    checks.equal(requests.origins, {provider.pages, shop.origin},
                 "the app and the provider were asked, and no other host")
    checks.equal([requests.holding(NUMBER), requests.holding("5246"), requests.holding(digits)], [[], [], []],
                 "neither number nor code is in an address")
    checks.equal(lax_documents(requests.documents), [], f"every one of {len(requests.documents)} pages is strict")
    said = "".join(log.read_text(errors="replace") for log in provider.logs)
    checks.that(NUMBER not in said and not re.search(rf"\b{digits}\b", said), "nor in the provider's log")
    done = provider.command("ledger", "list", shop.app["id"], "--config", provider.configuration, "--json")
    checks.that('"sms"' in done.stdout, "the ledger says sms", done.stdout)


def test_the_words_of_three_languages_fit(checks, provider, shop, home, pictures):
    for language, (offer, title, asks) in LANGUAGES.items():
        with Browser(home, language=language) as browser:
            # The shop itself speaks two languages.
            browser.open(request(provider, shop, ui_locales=language))
            checks.that(browser.says(offer, ".actions"), f"{language}: the offer", browser.text("body"))
            asks_for_code(browser, shop, browser.address)
            checks.that(browser.says(title, "h1"), f"{language}: the number", browser.text("body"))
            for size in ((320, 568), (640, 360), (1280, 800)):
                browser.resize(*size)
                checks.that(fits(browser), f"{language}: at {size[0]} × {size[1]} the page for the number fits")
            looked_at(checks, browser, pictures, f"sms-number-{language}")
            sends(browser)
            checks.that(browser.says(asks, "h1"), f"{language}: the code", browser.text("body"))
            for size in ((320, 568), (640, 360), (1280, 800)):
                browser.resize(*size)
                checks.that(fits(browser), f"{language}: at {size[0]} × {size[1]} the page for the code fits")
            looked_at(checks, browser, pictures, f"sms-code-{language}")


def test_by_keyboard_and_as_a_screen_reader_hears_it(checks, provider, shop, browser):
    def heard():
        nodes = browser.devtools("Accessibility.getFullAXTree")["nodes"]
        return {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes
                if not node.get("ignored")}

    asks_for_code(browser, shop)
    names = heard()
    checks.that({("textbox", "手机号码"), ("button", "获取验证码"), ("button", "用其他方式登录")} <= names,
                "fields and buttons have names", names)
    checks.that(any(role == "checkbox" and "同意" in name for role, name in names),
                "so has the tick: the whole sentence", names)
    browser.press(*NUMBER)
    browser.press("Tab")
    browser.press("Space")
    checks.that(browser.run("return document.querySelector('.tick input').checked"), "the tick is set by the keyboard")
    for _ in range(6):
        if browser.run("return document.activeElement.value") == "send":
            break
        browser.press("Tab")
    browser.press("Enter")
    checks.that(browser.shows("#digits"), "the number goes by the keyboard", browser.text("body"))
    names = heard()
    checks.that(("textbox", "短信验证码") in names and any(role == "status" for role, _ in names),
                "the code's field, and a status", names)
    checks.equal(browser.run("return document.activeElement.id"), "digits", "the focus is where the code goes")
    browser.press(*wrong(code(provider)), "Enter")
    checks.that(browser.says("还可以试", "[role=alert]"), "Enter shows the code", browser.text("body"))
    described = ("const field = document.activeElement; return [field.id, field.getAttribute('aria-invalid'), "
                 "field.getAttribute('aria-describedby')]")
    checks.equal(browser.run(described), ["digits", "true", "problem"], "the field says that it is wrong, and why")
    browser.press(*code(provider), "Enter")
    checks.that(browser.says(MASK, "#number"), "the whole login goes by the keyboard", browser.text("body"))


def test_a_code_is_for_one_browser_and_once(checks, provider, shop, browser):
    thief_proxy = PhoneProxy(CAFE)
    asks_for_code(browser, shop)
    sends(browser)
    browser.shows("#digits")
    transaction = browser.run("return document.querySelector('[name=transaction]').value")
    page = browser.run("return document.querySelector('[name=page]').value")
    stolen = code(provider)
    with Browser(thief_proxy) as thief:
        asks_for_code(thief, shop)
        sends(thief, STRANGER)
        thief.shows("#digits")
        thief.run("document.querySelector('[name=transaction]').value = arguments[0]", transaction)
        types(thief, stolen)
        checks.that(thief.says("还可以试", "[role=alert]"), "another browser's code is wrong here", thief.text("body"))
        thief.run("document.querySelector('[name=page]').value = arguments[0]", page)
        types(thief, stolen)
        checks.that(thief.says("不是在此浏览器中打开的", "h1"), "and its page is not this browser's", thief.text("body"))
    thief_proxy.close()
    types(browser, stolen)
    checks.that(browser.says(MASK, "#number"), "its own browser logs in", browser.text("body"))
    browser.run("history.back()")
    browser.open(shop.origin + "/account")
    browser.click("form[action='/logout'] button")
    asks_for_code(browser, shop)
    sends(browser)
    browser.shows("#digits")
    browser.run("document.querySelector('[name=transaction]').value = arguments[0]", transaction)
    types(browser, stolen)
    checks.that(browser.shows("[role=alert]"), "a used code is over", browser.text("body"))


def test_a_number_that_the_register_does_not_know(checks, provider, shop, browser, pictures):
    asks_for_code(browser, shop)
    sends(browser, STRANGER)
    checks.that(browser.says("137****0009", "#sent"), "is sent a code as any other", browser.text("body"))
    types(browser, code(provider))
    checks.that(browser.says("暂不能用验证码登录", "h1"), "and after the right code the person is told", browser.text("body"))
    looked_at(checks, browser, pictures, "sms-unknown")
    browser.click("a.button")
    checks.that(browser.says("您没有登录", "h1"), "the way back leads to the shop", browser.text("main"))


def test_what_a_person_changes(checks, provider, shop, browser):
    asks_for_code(browser, shop)
    sends(browser, STRANGER)
    browser.shows("#digits")
    browser.click("button[value=number]")
    checks.that(browser.shows("#number") and browser.run("return document.querySelector('#number').value") == STRANGER,
                "the number can be changed", browser.text("body"))
    sends(browser, ticks=False)
    checks.that(browser.says(MASK, "#sent"), "and another code is sent at once", browser.text("body"))
    browser.click("button[value=switch]")
    checks.that(browser.says("您没有登录", "h1"), "another way leads back to the shop", browser.text("main"))


def test_a_phone_that_leaves_the_network_under_the_page(checks, provider, shop):
    proxy = PhoneProxy(ADDRESS)
    with Browser(proxy) as browser:
        browser.open(shop.origin + "/login/start?next=/account")
        checks.that(browser.shows("[data-role=login]"), "on mobile data it is one tap", browser.text("body"))
        proxy.move(HOME)
        tick_and_tap(browser)
        checks.that(browser.says("用短信验证码登录", ".actions"), "whose phone leaves it is offered a code",
                    browser.text("body"))
        browser.click(".actions .button")
        browser.shows("#number")
        sends(browser)
        browser.shows("#digits")
        types(browser, code(provider))
        checks.that(browser.says(MASK, "#number"), "and logs in by it", browser.text("body"))
    proxy.close()


def test_benji_js_and_what_the_app_asks_for(checks, provider, shop, browser):
    """By a request as benji.js begins it; and one that wants more than a code earns."""
    def ask(**more):
        browser.open(request(provider, shop, **more))

    ask()
    checks.that(browser.says("用短信验证码登录", ".actions"), "the app's request is offered a code", browser.text("body"))
    ask(acr_values="urn:benji:net")
    checks.that(browser.shows("h1") and "短信" not in browser.text("body"), "one that asks for net is not",
                browser.text("body"))
    done = provider.command("app", "set", shop.app["id"], "--workflow", "one-tap", "--least-assurance", "net",
                            "--config",
                            provider.configuration, "--json")
    checks.that(first_json(done.stdout), "the operator takes the workflow back", done.stderr)
    ask(way="sms")
    checks.that(browser.shows("h1") and not browser.find("#number"), "then there are no codes", browser.text("body"))
