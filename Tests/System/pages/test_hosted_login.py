"""Hosted login as people meet it, in Chromium on a virtual phone: each carrier, digits, turning back, no tick, another
way, Wi-Fi only. Also a page that has expired or was used, a phone that left the network, a window of its own, the
keyboard. Every request of the browser is recorded: no other host, no number in an address, strict headers on every
page. The samples of docs/web-login.md and packaging/npm/README.md are parts of a page of this test's own, as they
stand."""

import base64
import http.server
import json
import re
import shutil
import ssl
import struct
import sys
import tarfile
import threading
import urllib.parse
import zlib

import pytest

from support.apart import Apart
from support.browser import Browser, PhoneProxy
from support.checks import Stop, eventually, folder, run
from support.operators import Backend, h5_request
from support.provider import CertificateAuthority, Provider, looked_at, take_pictures, tick_and_tap
from support.server import ROOT, free_ports
from support.shop import Shop
from support.webpages import Requests, lax_documents

pytestmark = pytest.mark.seconds(280)
OPTIONS = {"pictures": None}

# Carrier → address, packet core, number, what the page must say. The middle of each number is looked for in addresses.
PHONES = {
    "mobile": ("127.8.0.2", "127.0.0.1", "13852460001", "中国移动提供认证服务"),
    "unicom": ("127.9.0.2", "127.0.0.2", "18652460002", "认证服务由联通统一认证提供"),
    "telecom": ("127.10.0.2", "127.0.0.3", "18952460003", "天翼账号提供认证服务"),
}
CORES = {
    "mobile": {"pools": ["127.8.0.0/16"], "sources": ["127.0.0.1/32"], "carrier": "mobile"},
    "unicom": {"pools": ["127.9.0.0/16"], "sources": ["127.0.0.2/32"], "carrier": "unicom"},
    "telecom": {"pools": ["127.10.0.0/16"], "sources": ["127.0.0.3/32"], "carrier": "telecom"},
}
# The shop's, and as a browser computes it.
COLOR, COLOR_IN_CSS = "#2f6b3c", "rgb(47, 107, 60)"
MIDDLE = "5246"
ADDRESS, _, NUMBER, _ = PHONES["mobile"]
MASK = NUMBER[:3] + "****" + NUMBER[7:]


def goes_to_login(browser, shop):
    browser.open(shop.origin + "/login/start?next=/account")


def logs_out(browser):
    browser.click("form[action='/logout'] button")
    browser.shows(".teas")


# A property of the first element that is seen.
STYLE = """const [seen] = [...document.querySelectorAll(arguments[0])].filter(each => each.checkVisibility());
    return seen && getComputedStyle(seen)[arguments[1]]"""


def test_the_judge_judges(checks):
    """The judge in the same run with what it must condemn."""
    strict = {"content-security-policy": "default-src 'none'; frame-ancestors 'none'", "referrer-policy": "no-referrer",
              "x-frame-options": "DENY", "x-content-type-options": "nosniff", "cache-control": "no-store"}
    checks.equal(lax_documents([("https://a/b?c", strict, "Document")]), [], "the judge lets a strict page pass")
    for name in strict:
        lax = {key: value for key, value in strict.items() if key != name}
        checks.that(lax_documents([("https://a/b", lax, "Document")]), f"the judge condemns a page without {name}")


def is_careful(checks, shop, browser, pictures):
    """No tick, digits, turning back."""
    goes_to_login(browser, shop)
    browser.click("[data-role=login]")
    checks.that(browser.shows("[data-role=dialogAgree]") and browser.shows("[data-role=dialogTerms]"),
                "without the tick a sheet of the page's own asks once more", browser.text("body"))
    looked_at(checks, browser, pictures, "sheet")
    sizes = browser.run("""return [...document.querySelectorAll('[data-role=dialogAgree], [data-role=dialogDisagree]')]
        .filter(each => each.checkVisibility()).map(each => each.getBoundingClientRect())
        .map(box => [box.width, box.height])""")
    checks.that(len(sizes) == 2 and sizes[0] == sizes[1], "its yes and its no are equally large", sizes)
    covered = browser.run("""const [mask] = [...document.querySelectorAll('[data-role=dialogMask]')]
        .filter(each => each.checkVisibility()).map(each => each.getBoundingClientRect());
        return [mask.left, mask.top, mask.width, mask.height, innerWidth, innerHeight]""")
    checks.equal(covered[:4], [0, 0] + covered[4:], "and it covers the window")
    checks.equal([browser.text("[data-role=dialogAgree]"),
                  browser.run(STYLE, "[data-role=dialogAgree]", "backgroundColor")],
                 ["同意并登录", COLOR_IN_CSS], "its yes says so in words of its own and in the app's colour")
    bottom = browser.run("""const [sheet] = [...document.querySelectorAll('[data-role=dialog]')]
        .filter(each => each.checkVisibility()).map(each => each.getBoundingClientRect());
        return [innerHeight - sheet.bottom, innerWidth - sheet.width]""")
    checks.that(bottom[0] < 48 and bottom[1] < 48, "and it stands at the lower edge", bottom)
    checks.equal(browser.run(STYLE, "[role=dialog]", "animationName"), "rise", "where it comes from below")
    browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    checks.equal([browser.run(STYLE, each, "animationName") for each in ("[role=dialog]", ".b.d")], ["none", "none"],
                 "but for people who asked for less motion")
    browser.devtools("Emulation.setEmulatedMedia", features=[])
    reached = set()
    for _ in range(12):
        browser.press("Tab")
        reached.add(browser.run("return document.activeElement.dataset.role || document.activeElement.tagName"))
    checks.that({"dialogAgree", "dialogDisagree", "A"} <= reached
                and not reached & {"login", "tick", "switchAccount", "back"},
                "the keyboard reaches what is on the sheet and nothing under it", reached)
    browser.click("[data-role=dialogDisagree]")
    checks.that(browser.shows("main:not(:has([inert])) [data-role=login]"),
                "its no leads back to the page", browser.text("body"))
    browser.click("[data-role=login]")
    browser.click("[data-role=dialogAgree]")
    checks.that(browser.says(MASK, "#number"), "its yes logs in", browser.text("body"))
    logs_out(browser)
    goes_to_login(browser, shop)
    browser.open(browser.address + "&acr_values=urn:benji:net:digits")
    tick_and_tap(browser)
    checks.that(browser.shows("input[name=digits]"), "the digits are asked for after the tap", browser.text("body"))
    looked_at(checks, browser, pictures, "digits")
    browser.type("input[name=digits]", "0000")
    browser.click("button[value=digits]")
    checks.that(browser.shows("[role=alert]"), "wrong digits are told", browser.text("body"))
    looked_at(checks, browser, pictures, "digits-wrong")
    browser.type("input[name=digits]", MIDDLE)
    browser.click("button[value=digits]")
    checks.that(browser.says("补全的号码", "#recognised"), "the right ones log in, and the shop can tell",
                browser.text("main"))
    logs_out(browser)
    for role, what in (("back", "closing the page"), ("switchAccount", "another account")):
        goes_to_login(browser, shop)
        browser.click(f"[data-role={role}]")
        checks.that(browser.says("您没有登录", "h1"), f"{what} leads back to the shop, which says so", browser.text("main"))
    goes_to_login(browser, shop)
    browser.open(browser.address + "&acr_values=urn:benji:net:digits")
    tick_and_tap(browser)
    browser.click("button[value=switch]")
    checks.that(browser.says("您没有登录", "h1"), "whoever does not know the digits gets another way", browser.text("main"))


def in_english(checks, shop, browser, pictures):
    """The same pages as people read them in English; and what a developer's mistake shows."""
    goes_to_login(browser, shop)
    address = browser.address.replace("&ui_locales=zh-CN", "")
    browser.open(address + "&acr_values=urn:benji:net:digits&ui_locales=en")
    checks.that(browser.shows("[data-role=login]"), "the page speaks English", browser.text("body"))
    looked_at(checks, browser, pictures, "login-en")
    browser.click("[data-role=login]")
    browser.shows("[data-role=dialogAgree]")
    looked_at(checks, browser, pictures, "sheet-en")
    browser.click("[data-role=dialogAgree]")
    checks.that(browser.shows("input[name=digits]"), "so does the one for the digits", browser.text("body"))
    looked_at(checks, browser, pictures, "digits-en")
    for language in ("zh-Hans", "en"):
        browser.open(address.replace("redirect_uri=", "redirect_uri=x") + f"&ui_locales={language}")
        checks.that("redirect_uri" in browser.text("dl"),
                    f"a mistake of the developer's is named on a page ({language})", browser.text("body"))
        looked_at(checks, browser, pictures, f"mistake-{language[:2]}")


def pages_end(checks, provider, shop, browser, proxy, clock, pictures):
    """Used, expired, of a phone that left."""
    goes_to_login(browser, shop)
    page = browser.address
    browser.open(page)
    form = browser.run("return document.querySelector('input[name=page]').value")
    tick_and_tap(browser)
    checks.that(browser.says(MASK, "#number"), "a page can be asked for again before it is used", browser.text("body"))
    browser.open(page)
    browser.run("document.querySelectorAll('input[name=page]').forEach(field => field.value = arguments[0])", form)
    tick_and_tap(browser)
    checks.that(browser.says("页面已失效", "h1"), "a page that was used once is over", browser.text("body"))
    looked_at(checks, browser, pictures, "expired")

    browser.click("a.button")
    checks.that(browser.address.startswith(shop.origin) and browser.shows("h1"),
                "and leads back to the shop, which has words for it",
                browser.address)
    proxy_of_another = PhoneProxy(ADDRESS)
    with Browser(proxy_of_another) as another:
        another.open(page)
        another.run("document.querySelectorAll('input[name=page]').forEach(field => field.value = arguments[0])", form)
        tick_and_tap(another)
        checks.that(another.says("页面已失效", "h1") and not another.find("a"), "another browser is led nowhere",
                    another.text("body"))
    proxy_of_another.close()

    goes_to_login(browser, shop)
    page = browser.address
    clock.jump_to(301)
    tick_and_tap(browser)
    checks.that(browser.says("页面已失效", "h1"), "a page is over after five minutes", browser.text("body"))
    checks.equal([browser.text("a"), browser.text("form")], ["返回应用", ""], "and has one button, back to the app")
    browser.click("a.button")
    checks.that(browser.address.startswith(shop.origin) and browser.says("您没有登录", "h1"),
                "which leads there, and the shop says that nobody is logged in", browser.address + browser.text("body"))
    checks.equal(browser.find("#number") + browser.find("form[action='/logout']"), [], "nor is anybody")
    clock.jump_to(0)

    browser.open(page)
    checks.that(browser.shows("[data-role=login]"), "the page is there again", browser.text("body"))
    proxy.move("127.0.0.1")
    tick_and_tap(browser)
    checks.that(browser.shows("h1") and browser.shows("ul"), "a phone that has left the network in between is told",
                browser.text("body"))
    looked_at(checks, browser, pictures, "left-network")
    proxy.move(PHONES["unicom"][0])
    checks.that(browser.address.startswith(provider.pages), "and nobody was logged in", browser.address)
    proxy.move(ADDRESS)


@pytest.fixture(scope="module")
def authority():
    return CertificateAuthority()


@pytest.fixture(scope="module", params=[Provider, pytest.param(Apart, marks=[
                    pytest.mark.own_processes("the same without a cluster"),
                    pytest.mark.long("test_hosted_sms.py has gateway and authority apart")])],
                ids=["together", "apart"])
def installation(authority, request):
    """In one process, and with gateway and authority apart."""
    return request.param(authority, nas=CORES)


@pytest.fixture(scope="module")
def provider(clock, server):
    for carrier, (address, core, number, _) in PHONES.items():
        attached = server.attach("attach", address, number, source=core, imsi=f"46000{int(number) % 10**10:010}")
        if attached.returncode != 0:
            raise Stop(f"benji phone attach ({carrier}): {attached.stderr}")
    return server


@pytest.fixture(scope="module")
def own(authority):
    return OwnPage(authority)


@pytest.fixture(scope="module")
def shop(authority, provider):
    """The example shop, a client of the provider."""
    made = Shop(authority, provider)
    made.client = provider.client(made.callback, *logo(provider, "--logo"), "--color", COLOR)
    made.start(made.client)
    yield made
    made.stop()


@pytest.fixture(scope="module")
def own_client(provider, own):
    app = provider.create_app(name="Own page", server_address="127.0.0.1")
    return provider.client(own.origin + "/", *logo(provider), app=app) | {"app": app}


@pytest.fixture(scope="module")
def proxy():
    made = PhoneProxy(ADDRESS)
    yield made
    made.close()


@pytest.fixture
def browser(proxy):
    with Browser(proxy) as made:
        yield made


def logo(provider, option="--media"):
    path = provider.folder / "logo.png"
    path.write_bytes(picture(144))
    return [option, path if option == "--logo" else f"logo={path}"]


def test_logs_in_on_each_carrier(checks, shop, pictures):
    for carrier, (address, _, number, slogan) in PHONES.items():
        proxy = PhoneProxy(address)
        with Browser(proxy) as browser:
            goes_to_login(browser, shop)
            mask = number[:3] + "****" + number[7:]
            page = browser.text("main")
            checks.that(mask in page and slogan in page,
                        f"{carrier}: the page shows the mask and the carrier's slogan", page)
            checks.that(browser.run("return document.querySelector('[data-role=logo] img').naturalWidth") > 0,
                        f"{carrier}: the app's logo is shown")
            checks.equal(browser.run("return document.title"), "Shop", f"{carrier}: and its name heads the page")
            checks.equal(browser.run(STYLE, "[data-role=login]", "backgroundColor"), COLOR_IN_CSS,
                         f"{carrier}: in the app's colour")
            for size in ((390, 844), (320, 568), (360, 640)):
                browser.resize(*size)
                places = browser.run("""const [number, login, terms, other] =
                    ['number', 'login', 'terms', 'switchAccount'].map(role =>
                        [...document.querySelectorAll(`[data-role=${role}]`)]
                            .filter(each => each.checkVisibility())[0]);
                    const box = each => each.getBoundingClientRect();
                    return {beside: box(terms).top - box(login).bottom, under: innerHeight - box(other).bottom,
                        above: box(login).top - box(number).bottom, size: parseFloat(getComputedStyle(number).fontSize),
                        rest: document.documentElement.scrollHeight - innerHeight}""")
                what = f"{carrier}: in a window of {size[0]} × {size[1]}"
                checks.that(0 < places["beside"] < 24, f"{what} the terms stand beside the button", places)
                checks.that(places["under"] <= 24 and places["rest"] <= 0, f"{what} the page is as high as the window",
                            places)
                checks.that(places["above"] > 0 and places["size"] >= 30, f"{what} the number is large", places)
            browser.resize(430, 900)
            looked_at(checks, browser, pictures, f"login-{carrier}")
            tick_and_tap(browser)
            checks.that(browser.says(mask, "#number"), f"{carrier}: the shop knows who it is", browser.text("body"))
        proxy.close()


def by_keyboard(checks, shop, browser):
    """Without a pointer, and as a screen reader reads it."""
    goes_to_login(browser, shop)
    heard = {(node["role"]["value"], node.get("name", {}).get("value", ""))
             for node in browser.devtools("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")}
    roles = {role for role, _ in heard}
    checks.that({"checkbox", "button", "link", "image", "main"} <= roles, "a screen reader hears what there is", heard)
    names = {name for role, name in heard if role in ("checkbox", "button", "link")}
    checks.that("" not in names and {"《用户协议》", "《隐私政策》", "一键登录", "同意条款"} <= names,
                "and everything has its name, also where a line breaks", names)
    for _ in range(12):
        browser.press("Tab")
        if browser.run("return document.activeElement.dataset.role") == "tick":
            break
    browser.press("Space")
    checks.that(browser.run("return document.activeElement.checked"), "the tick is set by the keyboard")
    for _ in range(12):
        if browser.run("return document.activeElement.dataset.role") == "login":
            break
        browser.press("Tab")
    browser.press("Enter")
    checks.that(browser.says(MASK, "#number"), "the whole login goes by the keyboard", browser.text("body"))
    logs_out(browser)


def in_a_window(checks, provider, shop, browser, pictures):
    """benji.js: a window where there is room for one, its result, and its being closed."""
    browser.resize(1280, 800)
    browser.devtools("Emulation.setTouchEmulationEnabled", enabled=False)
    browser.open(shop.origin + "/login?next=/account")
    shop_window = browser.windows[0]

    def popup():
        browser.run("document.querySelector('#login').click()")
        other = eventually(lambda: [each for each in browser.windows if each != shop_window], 10)
        if not other:
            raise Stop(f"no window was opened: {browser.address}")
        browser.look_at(other[0])

    if not browser.run("return matchMedia('(min-width: 700px) and (pointer: fine)').matches"):
        checks.note("this Chromium has no pointer; the window is asked for by the helper's own option")
        browser.run("""return import('/assets/benji.js').then(({ button }) => {
            const old = document.querySelector('#login'), link = old.cloneNode(true);
            old.replaceWith(link);
            button(link, { mode: 'popup' });
            const status = document.querySelector('#status');
            link.addEventListener('click', () => { status.textContent = status.dataset.busy; });
            link.addEventListener('benji:login', ({ detail }) => location.assign(detail.next));
            link.addEventListener('benji:error', ({ detail }) => {
                status.textContent = detail.code === 'cancelled' ? status.dataset.cancelled : status.dataset.failed; });
        })""")
    popup()
    checks.that(eventually(lambda: browser.address.startswith(provider.pages), 10),
                "the login page opens in a window of its own",
                browser.address)
    browser.click("[data-role=switchAccount]")
    checks.that(eventually(lambda: browser.windows == [shop_window], 10), "turning back closes the window",
                browser.windows)
    browser.look_at(shop_window)
    checks.that(browser.says("登录已取消", "#status"), "and the shop's page says what happened", browser.text("main"))
    take_pictures(browser, pictures, "window-cancelled")
    browser.resize(1280, 800)

    popup()
    eventually(lambda: browser.address.startswith(provider.pages), 10)
    browser.close_window()
    browser.look_at(shop_window)
    checks.that(browser.says("登录已取消", "#status"), "a window that is simply closed is a no, too", browser.text("main"))

    popup()
    tick_and_tap(browser)
    checks.that(eventually(lambda: browser.windows == [shop_window], 10), "after the login the window closes itself",
                browser.windows)
    browser.look_at(shop_window)
    checks.that(browser.says(MASK, "#number"), "and the page that opened it goes on, logged in", browser.text("main"))


def installed_from_npm():
    """The module's folder in a page's project that has installed the packed file: by npm, or else as npm does it."""
    project = folder()
    packed = run([sys.executable, "-B", ROOT / "scripts/lib/pack-npm.py", project], 60)
    if packed.returncode != 0:
        raise Stop(packed.stdout + packed.stderr)
    (project / "package.json").write_text('{"name": "page", "private": true}')
    module = project / "node_modules/benji-login"
    if shutil.which("npm"):
        done = run(["npm", "install", "--offline", "--no-audit", "--no-fund", packed.stdout.strip()], 60, cwd=project)
        if done.returncode != 0:
            raise Stop(done.stdout + done.stderr)
    else:
        module.mkdir(parents=True)
        with tarfile.open(packed.stdout.strip()) as tar:
            for entry in tar.getmembers():
                (module / entry.name.removeprefix("package/")).write_bytes(tar.extractfile(entry).read())
    return module


def sample(document, language, words):
    """The sample of a document that has these words."""
    (found,) = [text for text in re.findall(rf"(?ms)^```{language}\n(.*?)^```$",
                                            (ROOT / document).read_text(encoding="utf-8")) if words in text]
    return found


class OwnPage:
    """A web page of an app's, at a registered origin, that may run scripts against the provider. Its benji.js is that
    of the npm package."""

    def __init__(self, authority):
        script = installed_from_npm().joinpath("benji.js").read_bytes()
        # Parts of pages, by their address.
        self.html = html = {}

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                is_script = self.path == "/benji.js"
                text = "<!doctype html><title>Own page</title><p id=own>own</p>" + html.get(
                    urllib.parse.urlsplit(self.path).path, "")
                content = script if is_script else text.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/javascript" if is_script else "text/html")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        (port,) = free_ports(1)
        self.origin = f"https://127.0.0.1:{port}"
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(authority.certificate, authority.key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()


def page_begins(checks, provider, own, client, browser):
    """benji.js without a server of the app's: the page itself begins, by a redirect, and hands the code on."""
    served = ROOT / "Server/Sources/Endpoints/OpenID/Script/benji.js"
    browser.open(own.origin + "/")
    checks.that(
        browser.run("return fetch('/benji.js').then(answer => answer.text())") == served.read_text(encoding="utf-8"),
                "the packed module is the one that providers serve")
    types = re.findall(r"^export (?:function|class) (\w+)",
                       (ROOT / "packaging/npm/index.d.ts").read_text(encoding="utf-8"), re.M)
    checks.equal(browser.run("return import('/benji.js').then(module => Object.keys(module).sort())"),
                 sorted(set(types)),
                 "what it exports has types, and nothing else has")
    options = {"mode": "redirect", "authorize": provider.pages + "/openid/authorize", "issuer": provider.issuer,
               "clientID": client["client_id"], "redirectURI": own.origin + "/"}
    # The document's sample, with the addresses of here.
    begins = sample("docs/web-login.md", "js", "{ login, receive }")
    for written, real in zip(re.findall(r'(?:authorize|issuer|clientID|redirectURI): "([^"]+)"', begins),
                             list(options.values())[1:], strict=True):
        begins = begins.replace(f'"{written}"', json.dumps(real))
    own.html["/begins"] = f'<script type="module">{begins}</script>'
    browser.open(own.origin + "/begins")
    tick_and_tap(browser)
    browser.shows("#own")
    result = browser.run("return import('/benji.js').then(({ receive }) => receive())")
    checks.that(result and result["code"] and len(result["codeVerifier"]) == 43
                and result["redirectURI"] == own.origin + "/",
                "a page can begin a login itself and gets what its server needs for the exchange", result)
    checks.equal(browser.address, own.origin + "/", "and the answer is taken out of the address")
    answer = provider.post_form("/openid/token", client, {
        "grant_type": "authorization_code", "code": result["code"], "redirect_uri": result["redirectURI"],
        "code_verifier": result["codeVerifier"]})
    claims = json.loads(base64.urlsafe_b64decode(answer["id_token"].split(".")[1] + "=="))
    checks.equal(claims["nonce"], result["nonce"], "the exchange with the helper's verifier and nonce works")
    fault = browser.run("""history.replaceState(null, '', '/?state=x&code=c&iss=https://evil.example');
        sessionStorage.setItem('benji-login:x', JSON.stringify({state: 'x', issuer: arguments[0]}));
        return import('/benji.js').then(({ receive }) => {
            try { receive(); } catch (error) { return error.code; }
        })""",
                        provider.issuer)
    checks.equal(fault, "mistrusted", "an answer of another issuer is refused by the helper")


def samples_log_in(checks, own, browser):
    """The samples of a button, and of the page at the login's end, parts of the app's own page word for word."""
    # The parts that they leave to the page; and a window with room for another one, whatever this browser's size.
    around = """<script>
        window.matchMedia = () => ({ matches: true });
        const popup = new URLSearchParams(location.search).get("popup");
        function show(code) { document.querySelector("#own").textContent = code; }
    </script>"""
    document, package = "docs/web-login.md", "packaging/npm/README.md"
    copied = around + sample(document, "html", "button(link)")
    from_npm = sample(package, "js", "button(link)").replace('"benji-login"', '"/benji.js"')
    finish = sample(document, "js", "{ finish }")
    own.html |= {"/copied": copied, "/spoilt": copied.replace("detail.next", "detail.after"),
                 "/copied-from-npm": around
                 + sample(package, "html", "id=") + f'<script type="module">{from_npm}</script>',
                 "/login/start": around + f'<script type="module">{finish}</script>'}

    def ends(path, where):
        browser.open(own.origin + path)
        window = browser.windows[0]
        browser.click("#login")
        return eventually(lambda: browser.windows == [window] and browser.address == own.origin + where, 10)

    for path, named in (("/copied", document), ("/copied-from-npm", package)):
        checks.that(ends(path, "/account"),
                    f"{named}: its link opens a window, which its other sample closes, and the page goes on",
                    browser.address)
    checks.that(ends("/spoilt", "/undefined"), "with a name misspelt it would go elsewhere", browser.address)
    own.html["/login/start"] = own.html["/login/start"].replace('{ next: "/account" }', '{ error: "cancelled" }')
    browser.open(own.origin + "/copied")
    browser.click("#login")
    checks.that(browser.says("cancelled", "#own"), "and without a login its page says why", browser.text("body"))


RECORD = """
    const canvas = document.createElement('canvas'), context = canvas.getContext('2d');
    [canvas.width, canvas.height] = [90, 160];
    let step = 0;
    const draw = () => {
      step++;
      for (let y = 0; y < 160; y += 4) {
        context.fillStyle = `hsl(${200 + 30 * Math.sin((y + step) / 30)} 60% 80%)`;
        context.fillRect(0, y, 90, 4);
      }
    };
    draw();
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/mp4' }), parts = [];
    recorder.ondataavailable = event => parts.push(event.data);
    const stopped = new Promise(done => { recorder.onstop = done; });
    recorder.start();
    const timer = setInterval(draw, 50);
    await new Promise(done => setTimeout(done, 1200));
    clearInterval(timer);
    recorder.stop();
    await stopped;
    return btoa(String.fromCharCode(...new Uint8Array(await new Blob(parts).arrayBuffer())));"""


def moving_background(checks, provider, own, browser, pictures):
    """A page before a video, which this browser records itself."""
    browser.open(own.origin + "/")
    waves = provider.folder / "waves.mp4"
    waves.write_bytes(base64.b64decode(browser.run(RECORD)))
    made = provider.command("page", "new")
    if made.returncode != 0:
        raise Stop(made.stderr)
    (provider.folder / "moving.json").write_text(
        json.dumps(json.loads(made.stdout) | {"background": {"video": {"name": "waves"}}}))
    client = provider.client(own.origin + "/", "--media", f"waves={waves}", page="moving.json",
                             app=provider.create_app(name="Moving", server_address="127.0.0.1"))
    browser.run("import('/benji.js').then(({ login }) => login(arguments[0]))", {
        "mode": "redirect", "authorize": provider.pages + "/openid/authorize", "issuer": provider.issuer,
        "clientID": client["client_id"], "redirectURI": own.origin + "/"})
    browser.shows("[data-role=login]")
    playing = """return [...document.querySelectorAll('video')].filter(each => each.checkVisibility()).map(each =>
        each.videoWidth === 90 && each.currentTime > 0 && !each.paused && each.muted && each.loop)"""
    checks.that(eventually(lambda: browser.run(playing) == [True], 10),
                "a page's video plays, without sound and over and over",
                browser.run(playing))
    for size in ((412, 760), (640, 360)):
        browser.resize(*size)
        covers = browser.run("""const [box] = [...document.querySelectorAll('video')]
            .filter(each => each.checkVisibility()).map(each => each.getBoundingClientRect());
            return [box.left, box.top, box.right, box.bottom]""")
        checks.equal(covers, [0, 0, *size], f"it lies behind the whole window of {size[0]} × {size[1]}")
        bar = browser.run("""const [box] = [...document.querySelectorAll('[data-role=navigationBar]')]
            .filter(each => each.checkVisibility()).map(each => each.getBoundingClientRect());
            return [box.left, box.right, document.documentElement.scrollWidth]""")
        checks.equal(bar, [0, size[0], size[0]], "and the bar is as wide, and nothing wider")
    browser.resize(430, 900)
    take_pictures(browser, pictures, "video")
    browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    checks.equal(browser.run(playing), [], "and is not there for people who asked for less motion")
    browser.devtools("Emulation.setEmulatedMedia", features=[])
    tick_and_tap(browser)
    checks.that(browser.shows("#own"), "the login before it works", browser.address)


def in_a_frame(checks, provider, own, client, browser):
    """The login inside a page of the app's, where its operator allows that; and of an app whose operator does not."""
    framed = provider.client(own.origin + "/", "--frame-ancestor", own.origin, "--stable-sub-without-page",
                             app=provider.create_app(name="Framed", server_address="127.0.0.1"))
    checks.equal([framed["frame_ancestors"], framed["stable_sub_without_page"]], [[own.origin], True],
                 "an operator allows an origin to frame the page, and a lasting name without one")
    checks.equal([client["frame_ancestors"], client["stable_sub_without_page"]], [[], False], "neither is so by itself")
    browser.open(own.origin + "/")
    frame = """document.querySelectorAll('iframe').forEach(each => each.remove());
        const frame = document.body.appendChild(document.createElement('iframe'));
        frame.width = 400; frame.height = 700; frame.src = arguments[0];
        return new Promise(loaded => frame.addEventListener('load', () => loaded(true)))"""

    def address(app, redirect_uri):
        challenge = base64.urlsafe_b64encode(bytes(32)).rstrip(b"=").decode()
        return provider.pages + "/openid/authorize?" + urllib.parse.urlencode({
            "client_id": app["client_id"], "redirect_uri": redirect_uri, "response_type": "code", "scope": "openid",
            "state": "framed", "code_challenge": challenge, "code_challenge_method": "S256"})

    browser.run(frame, address(framed, own.origin + "/"))
    browser.enter_frame(0)
    tick_and_tap(browser)
    checks.that(browser.shows("#own") and "code=" in browser.run("return location.search"),
                "a page that may frame the login sees it through to its end", browser.run("return location.href"))
    browser.enter_frame(None)
    browser.run(frame, address(client, client["redirect_uris"][0]))
    browser.enter_frame(0)
    checks.equal(browser.find("[data-role=login]"), [], "a page that may not is shown nothing")
    browser.enter_frame(None)


def operator_shape(checks, provider, own, client, browser):
    """The operator's H5 interface, called by a page of the app's over the phone's connection."""
    backend = Backend(provider.server, "127.0.0.1", context=ssl.create_default_context(cafile=provider.authority.ca))
    app, wap = client["app"], {"requesterType": "1", "openType": None}
    browser.open(own.origin + "/")
    ask = """return fetch(arguments[0], {method: 'POST', headers: {'Content-Type': 'application/json'},
        body: JSON.stringify(arguments[1])}).then(answer => answer.json(), error => ({error: String(error)}))"""
    answer = browser.run(ask, provider.pages + "/h5/getMobile", h5_request(app))
    token = answer.get("body", {}).get("token")
    checks.equal(answer.get("body", {}).get("resultCode"), "103000", "a page of a registered origin gets a token")
    checks.equal(backend.verify(app, token, NUMBER, body=wap), "000",
                 "redeemed with requesterType 1: it is this number")
    answer = browser.run(ask, provider.pages + "/h5/getMobile", h5_request(app))
    checks.equal(backend.verify(app, answer["body"]["token"], "13900000009", body=wap), "001", "another number is not")
    answer = browser.run(ask, provider.pages + "/h5/getMobile", h5_request(app))
    checks.equal(backend.redeem(app, answer["body"]["token"])[0], "105018", "and its token releases no number")


def asked_for(checks, browser, allowed, what, but=None):
    """Judges everything that a browser asked for since the last call; what `but` answered is not judged."""
    requests = Requests(browser)
    checks.equal(requests.origins, allowed, f"{what}: the app and the provider were asked, and no other host")
    for text in (NUMBER, MIDDLE):
        checks.equal(requests.holding(text), [],
                     f"{what}: {'the number' if text == NUMBER else 'its middle'} is in no address")
    documents = [each for each in requests.documents if not (but and each[0].startswith(but))]
    checks.equal(lax_documents(documents), [], f"{what}: every one of {len(documents)} pages is strict")
    checks.equal([each for each in requests.referrers if not (but and each.startswith(but))], [],
                 f"{what}: no page told where it was")


def test_off_network(checks, shop, pictures):
    proxy = PhoneProxy("127.0.0.1")
    for language, words in (("zh-CN", "关闭 Wi-Fi"), ("en", "Wi-Fi")):
        with Browser(proxy, language=language) as browser:
            goes_to_login(browser, shop)
            checks.that(browser.says(words, "ul"), f"{language}: on Wi-Fi the page says why and what to do",
                        browser.text("body"))
            checks.that(browser.run("return document.querySelector('.brand img').naturalWidth") > 0
                        and browser.text(".brand") == "Shop", f"{language}: under the app's logo and name",
                        browser.text("main"))
            checks.equal(browser.run(STYLE, ".button", "backgroundColor"), COLOR_IN_CSS,
                         f"{language}: in the app's colour")
            browser.resize(390, 844)
            low = browser.run("""const buttons = [...document.querySelectorAll('.button')];
                return [innerHeight - buttons.at(-1).getBoundingClientRect().bottom,
                    document.documentElement.scrollHeight - innerHeight]""")
            checks.that(low[0] <= 24 and low[1] <= 0, f"{language}: what is tapped stands at the window's lower edge",
                        low)
            looked_at(checks, browser, pictures, f"off-network-{language[:2]}")
            browser.click("a.button.plain, a.button:last-of-type")
            checks.that(browser.says("您没有登录" if language == "zh-CN" else "not logged in", "h1"),
                        f"{language}: and offers another way, which leads back to the shop", browser.text("body"))
    proxy.close()


def test_a_name_and_a_logo_run_nothing(checks, provider, own):
    name = "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\">"
    client = provider.client(own.origin + "/", app=provider.create_app(name=name, server_address="127.0.0.1"))
    for file in ("script.svg", "script.png"):
        path = provider.folder / file
        path.write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>document.title = 'run'</script></svg>")
        made = provider.command("app", "openid", "set", client["client_id"], "--config", provider.configuration,
                                "--logo", path)
        checks.that(made.returncode != 0 and "PNG, JPEG or WebP" in made.stderr,
                    f"a script is no logo, whatever its name: {file}",
                    made.stderr)
    challenge = base64.urlsafe_b64encode(bytes(32)).rstrip(b"=").decode()
    address = provider.pages + "/openid/authorize?" + urllib.parse.urlencode({
        "client_id": client["client_id"], "redirect_uri": own.origin + "/", "response_type": "code", "scope": "openid",
        "state": "x", "code_challenge": challenge, "code_challenge_method": "S256"})
    for source, place in ((ADDRESS, "[data-role=title]"), ("127.0.0.1", ".app")):
        proxy = PhoneProxy(source)
        with Browser(proxy) as browser:
            browser.open(address)
            checks.that(browser.says("<script>", place), f"markup in a name is text: {place}", browser.text("body"))
            checks.that(browser.run("return document.title") != "run"
                        and browser.run("return document.scripts.length") == 0,
                        "and nothing of it runs")
        proxy.close()


def picture(size):
    """A PNG: a light ring on a green disc; nothing around it."""
    rows = b""
    for y in range(size):
        rows += b"\0"
        for x in range(size):
            distance = ((x - size / 2) ** 2 + (y - size / 2) ** 2) ** 0.5 / size
            rows += b"\xff\xff\xff\xff" if 0.2 < distance < 0.3 else b"\x2f\x6b\x3c\xff" if distance < 0.5 else bytes(4)

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def test_in_one_window(checks, provider, shop, browser, proxy, clock, pictures):
    is_careful(checks, shop, browser, pictures)
    in_english(checks, shop, browser, pictures)
    by_keyboard(checks, shop, browser)
    pages_end(checks, provider, shop, browser, proxy, clock, pictures)
    asked_for(checks, browser, {provider.pages, shop.origin}, "in one window")


def test_in_two_windows(checks, provider, shop, browser, pictures):
    in_a_window(checks, provider, shop, browser, pictures)
    asked_for(checks, browser, {provider.pages, shop.origin}, "in two windows")


def test_from_an_app_s_own_page(checks, provider, own, own_client, browser, pictures):
    page_begins(checks, provider, own, own_client, browser)
    samples_log_in(checks, own, browser)
    operator_shape(checks, provider, own, own_client, browser)
    moving_background(checks, provider, own, browser, pictures)
    asked_for(checks, browser, {provider.pages, own.origin}, "from an app's own page", but=own.origin)


def test_in_a_frame(checks, provider, own, shop, browser):
    """Strict pages cannot be framed; what this one may be is judged by itself."""
    in_a_frame(checks, provider, own, shop.client, browser)


def test_the_number_is_in_no_log(checks, provider, shop, browser):
    goes_to_login(browser, shop)
    tick_and_tap(browser)
    browser.says(MASK, "#number")
    provider_said = "".join(log.read_text(errors="replace") for log in provider.logs)
    for name, said in (("provider", provider_said), ("shop", shop.said())):
        checks.that(NUMBER not in said, f"the number is not in the {name}'s log")
