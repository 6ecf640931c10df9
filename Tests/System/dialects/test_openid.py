"""Other people's OpenID Connect clients log a virtual phone in, unmodified: mod_auth_openidc in Apache, and Authlib.
The browser is Chromium, whose traffic leaves by the phone's address; the pages are looked at as people use them."""

import http.server
import re
import ssl
import threading
import time
import urllib.parse

import pytest

from support.apache import Apache
from support.apart import Apart
from support.authlib_client import authlib_checks, authlib_session, new_key, sign_anew
from support.browser import Browser, PhoneProxy
from support.checks import Stop, end, eventually
from support.provider import CertificateAuthority, Provider, looked_at, take_pictures, tick_and_tap
from support.server import free_ports

pytestmark = pytest.mark.seconds(150)
OPTIONS = {"pictures": None}

PHONE, OTHER, NUMBER = "127.8.0.2", "127.8.0.3", "13800000001"
DIGITS = NUMBER[3:7]


class Callback:
    """An app's server that takes what the browser brings and shows a page; Authlib does the rest in this process."""

    def __init__(self, authority, port):
        self.arrived = []
        arrived = self.arrived

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                arrived.append(self.path)
                content = b"<!doctype html><title>Shop</title><p id=arrived>arrived</p>"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.url = f"https://127.0.0.1:{port}/callback"
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(authority.certificate, authority.key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def take(self):
        """The address that the browser came to last, once it is there."""
        if not eventually(lambda: any(path.startswith("/callback") for path in self.arrived), 10):
            raise Stop("the browser did not come to the callback")
        path = next(path for path in reversed(self.arrived) if path.startswith("/callback"))
        self.arrived.clear()
        return self.url + path.removeprefix("/callback")


@pytest.fixture(scope="module")
def authority():
    return CertificateAuthority()


@pytest.fixture(scope="module",
                params=[Provider, pytest.param(Apart, marks=pytest.mark.own_processes("the same without a cluster"))],
                ids=["together", "apart"])
def installation(authority, request):
    """In one process, and with gateway and authority apart."""
    return request.param(authority)


@pytest.fixture(scope="module")
def browser(installation, proxy):
    """A window for each: cookies of one installation would reach the other, which differs by its port alone."""
    with Browser(proxy) as made:
        yield made


@pytest.fixture(scope="module")
def provider(server):
    attached = server.attach("attach", PHONE, NUMBER)
    if attached.returncode != 0:
        raise Stop(f"benji phone attach: {attached.stderr}")
    return server


@pytest.fixture(scope="module")
def callback(installation, authority):
    return Callback(authority, *free_ports(1))


def test_apache_logs_in(checks, provider, authority, browser):
    (port,) = free_ports(1)
    apache = Apache(authority, port, "OIDCPKCEMethod S256")
    client = provider.client(f"https://127.0.0.1:{port}/protected/callback")
    apache.start(provider, client)
    protected = f"https://127.0.0.1:{port}/protected/"
    browser.open(protected)
    checks.that(browser.address.startswith(provider.pages + "/openid/authorize?"),
                "mod_auth_openidc sends the browser to the page", browser.address)
    checks.that("138****0001" in browser.text("[data-role=number]"), "the page shows the phone's masked number",
                browser.text("body"))
    checks.equal(browser.loaded, [], "the page makes the browser fetch nothing, from no host")
    (cookie,) = [each for each in browser.cookies if each["name"].startswith("__Host-benji-")] or [{}]
    checks.that(cookie.get("secure") and cookie.get("httpOnly") and cookie.get("sameSite") == "Lax",
                "Chromium keeps the page's cookie as it was meant", cookie)
    browser.click("[data-role=login]")
    checks.that(browser.shows("[data-role=dialogAgree]") and browser.address.startswith(provider.pages),
                "without the tick the page asks once more", browser.address)
    browser.click("[data-role=dialogDisagree]")
    browser.shows("main:not(:has([inert])) [data-role=login]")
    tick_and_tap(browser)
    checks.that(eventually(lambda: browser.address == protected, 10), "the person is back where they wanted to go",
                f"{browser.address} {apache.log()}")
    checks.equal(browser.text("#number"), "+86" + NUMBER, "mod_auth_openidc knows the phone's number")
    checks.equal(browser.text("#acr"), "urn:benji:net", "and how it was recognised")
    checks.that(NUMBER not in browser.address, "the number is in no address")
    end(apache.process)


def authlib_finishes(checks, session, landing, verifier, nonce, client, name):
    """Code, tokens, signature, claims and number, all by Authlib."""
    metadata = session.metadata_of_provider
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(landing).query)
    checks.equal(query.get("iss"), [metadata["issuer"]], f"{name}: the answer names its issuer")
    token = session.fetch_token(metadata["token_endpoint"], authorization_response=landing, code_verifier=verifier)
    claims = authlib_checks(session, token, nonce, client)
    person = session.get(metadata["userinfo_endpoint"]).json()
    checks.equal((person.get("phone_number"), person.get("phone_number_verified")), ("+86" + NUMBER, True),
                 f"{name}: Authlib checks the ID token and gets the number")
    checks.equal(person.get("sub"), claims["sub"], f"{name}: both name the same person")
    again = session.get(metadata["userinfo_endpoint"])
    checks.equal((again.status_code, again.json()), (200, person),
                 f"{name}: the access token gets the same answer again")
    return claims


def test_authlib_logs_in(checks, provider, authority, browser, callback):
    """With a secret and RS256, and with a key, a pushed request and typed digits."""
    from authlib.common.security import generate_token
    client = provider.client(callback.url, "--rs256")
    session = authlib_session(client, callback.url, authority, provider)
    verifier, nonce = generate_token(48), generate_token()
    url, state = session.create_authorization_url(
        session.metadata_of_provider["authorization_endpoint"], nonce=nonce, code_verifier=verifier, ui_locales="en")
    browser.open(url)
    checks.that("Log in" in browser.text("[data-role=login]"), "ui_locales chooses the language", browser.text("body"))
    tick_and_tap(browser)
    landing = callback.take()
    checks.that(f"state={state}" in landing, "the app's state comes back", landing)
    authlib_finishes(checks, session, landing, verifier, nonce, client, "client_secret_basic, RS256")


def test_authlib_signs(checks, provider, authority, browser, callback):
    """private_key_jwt, a pushed request, the digits typed."""
    from authlib.common.security import generate_token
    key, jwks = new_key(provider)
    client = provider.client(callback.url, "--jwks", str(jwks), "--digits", "--pushed-only")
    session = authlib_session({**client, "client_secret": key}, callback.url, authority, provider,
                              token_endpoint_auth_method="private_key_jwt")
    metadata = session.metadata_of_provider
    sign_anew(session)
    verifier, nonce = generate_token(48), generate_token()
    url, _ = session.create_authorization_url(metadata["authorization_endpoint"], nonce=nonce, code_verifier=verifier)
    request = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    pushed = session.request("POST", metadata["pushed_authorization_request_endpoint"], withhold_token=True,
                             data=request,
                             auth=session.client_auth("private_key_jwt")).json()
    checks.that("request_uri" in pushed, "Authlib's signed request can be pushed", pushed)
    short = metadata["authorization_endpoint"] + "?" + urllib.parse.urlencode(
        {"client_id": client["client_id"], "request_uri": pushed.get("request_uri", "")})
    browser.open(short)
    tick_and_tap(browser)
    checks.that(browser.shows("input[name=digits]"), "after the tap the person types the hidden digits",
                browser.text("body"))
    checks.equal(browser.loaded, [], "this page fetches nothing either")
    browser.type("input[name=digits]", "9999")
    browser.click("button[value=digits]")
    checks.that(browser.shows("[role=alert]"), "wrong digits are said to be wrong", browser.text("body"))
    browser.type("input[name=digits]", DIGITS)
    browser.click("button[value=digits]")
    sign_anew(session)
    claims = authlib_finishes(
        checks, session, callback.take(), verifier, nonce, client, "private_key_jwt, pushed, digits")
    checks.equal((claims["acr"], claims["amr"]), ("urn:benji:net:digits", ["nba", "kba"]),
                 "acr and amr say that digits were typed")


def test_authlib_verifies(checks, provider, authority, browser, callback):
    """CAMARA's number verification: no page, the browser is back at once, and the number is the phone's or is not."""
    from authlib.common.security import generate_token
    key, jwks = new_key(provider)
    client = provider.client(callback.url, "--jwks", str(jwks), "--purpose", "dpv:FraudPreventionAndDetection")
    session = authlib_session({**client, "client_secret": key}, callback.url, authority, provider,
                              token_endpoint_auth_method="private_key_jwt",
                              scope="openid number-verification:verify dpv:FraudPreventionAndDetection")
    metadata = session.metadata_of_provider
    for number, verified in ((NUMBER, True), ("13900000002", False)):
        verifier, nonce = generate_token(48), generate_token()
        url, _ = session.create_authorization_url(
            metadata["authorization_endpoint"], nonce=nonce, code_verifier=verifier, prompt="none")
        browser.open(url)
        landing = callback.take()
        sign_anew(session)
        token = session.fetch_token(metadata["token_endpoint"], authorization_response=landing, code_verifier=verifier)
        checks.equal(authlib_checks(session, token, nonce, client)["amr"], ["nba"], "the ID token says how: nba")
        address = f"{provider.issuer}/number-verification/v2/verify"
        answer = session.post(address, json={"phoneNumber": "+86" + number})
        checks.equal((answer.status_code, answer.json()), (200, {"devicePhoneNumberVerified": verified}),
                     f"number verification without a page: {verified}")
        again = session.post(address, json={"phoneNumber": "+86" + number})
        checks.equal((again.status_code, again.json().get("code")), (401, "UNAUTHENTICATED"), "its token answers once")


def test_a_prefix_before_camaras_paths(checks, authority):
    """With openid.api-prefix an app's server is answered behind the prefix, and nowhere else."""
    server = Provider(authority)
    text = server.configuration.read_text()
    server.configuration.write_text(text.replace('"pages"', '"api-prefix": "/carrier", "pages"', 1))
    with server:
        server.attach("attach", PHONE, NUMBER)
        key, jwks = new_key(server)
        purpose = "dpv:FraudPreventionAndDetection"
        app = server.create_app("--capability", "login", "--capability", "sim-swap", name="Bank",
                                server_address="127.0.0.1")
        client = server.client("https://bank.example/callback", "--jwks", str(jwks), "--purpose", purpose, app=app)
        from authlib.integrations.requests_client import OAuth2Session
        session = OAuth2Session(client["client_id"], key, token_endpoint_auth_method="private_key_jwt")
        session.verify, session.trust_env = authority.ca, False
        session.metadata_of_provider = session.request(
            "GET", f"{server.issuer}/.well-known/openid-configuration", withhold_token=True).json()
        sign_anew(session)
        session.fetch_token(session.metadata_of_provider["token_endpoint"], grant_type="client_credentials",
                            scope=f"sim-swap:check {purpose}")
        answers = [session.post(f"{server.issuer}{prefix}/sim-swap/v2/check", json={"phoneNumber": "+86" + NUMBER})
                   for prefix in ("/carrier", "")]
        checks.equal([answer.status_code for answer in answers], [200, 404], "the prefix is before CAMARA's paths")
        checks.equal(answers[0].json(), {"swapped": True},
                     "and the answer is one: the register knows the SIM since a moment ago")


def test_remembered_consent(checks, provider, authority, browser, callback, pictures):
    """Authlib asks with prompt=none; the person has ticked the box, sees it on a page of their own, and ends it
    there."""
    from authlib.common.security import generate_token
    client = provider.client(callback.url, "--remember-consent")
    session = authlib_session(client, callback.url, authority, provider)
    metadata = session.metadata_of_provider
    checks.that("urn:benji:net:remembered" in metadata["acr_values_supported"], "discovery names the acr", metadata)

    def ask(**more):
        verifier, nonce = generate_token(48), generate_token()
        url, _ = session.create_authorization_url(metadata["authorization_endpoint"], nonce=nonce,
                                                  code_verifier=verifier,
                                                  **more)
        browser.open(url)
        return verifier, nonce

    ask(prompt="none")
    checks.that("error=consent_required" in callback.take(), "nobody has agreed to anything yet")
    if pictures:
        ask(ui_locales="en")
        take_pictures(browser, pictures, "remember-en")
        ask(ui_locales="zh-Hant")
        take_pictures(browser, pictures, "remember-hant")
    verifier, nonce = ask()
    looked_at(checks, browser, pictures, "remember")
    box = browser.find("input[name=remember]")
    checks.that(len(box) == 1 and not box[0].is_selected(), "the box is there once and is not ticked",
                browser.text("body"))
    browser.click("input[name=remember]")
    browser.click("[data-role=login]")
    browser.click("[data-role=dialogAgree]")
    first = authlib_finishes(checks, session, callback.take(), verifier, nonce, client, "with the box")
    checks.equal(first["acr"], "urn:benji:net", "this login had a page")
    browser.open(provider.pages + "/openid/consents")
    names = {each["name"]: each for each in browser.cookies}
    cookie = names.get(f"__Host-remembered-{client['client_id']}", {})
    checks.that(cookie.get("secure") and cookie.get("httpOnly") and cookie.get("sameSite") == "Lax",
                "Chromium keeps the consent's cookie as it was meant", names)
    time.sleep(1.1)
    for more in ({"prompt": "none"}, {}, {"prompt": "none", "max_age": 600}):
        verifier, nonce = ask(**more)
        claims = authlib_finishes(checks, session, callback.take(), verifier, nonce, client, f"without a page, {more}")
        checks.equal((claims["acr"], claims["amr"], claims["auth_time"], claims["sub"]),
                     ("urn:benji:net:remembered", ["nba"], first["auth_time"], first["sub"]),
                     "what the ID token says of it")
    ask(prompt="none", max_age=0)
    checks.that("error=login_required" in callback.take(), "max_age is kept")
    ask(prompt="login")
    checks.that(browser.shows("[data-role=login]"), "prompt=login shows the page", browser.text("body"))

    browser.open(provider.pages + "/openid/consents")
    checks.that("Shop" in browser.text("h2") and NUMBER not in browser.text("body"), "the person's page names the app",
                browser.text("body"))
    checks.equal(browser.loaded, [], "and fetches nothing")
    in_both_languages(checks, browser, pictures, "consents")
    shown = provider.command("subscriber", "show", "-c", provider.configuration, "--number", NUMBER)
    checks.that("remembered" in shown.stdout and client["client_id"] in shown.stdout, "operators see it", shown.stdout)
    browser.click("button[name=end]")
    checks.that(browser.says("没有为本机号码记住任何应用"), "it has ended", browser.text("body"))
    in_both_languages(checks, browser, pictures, "consents-none")
    ask(prompt="none")
    checks.that("error=consent_required" in callback.take(), "the next login asks again")


def in_both_languages(checks, browser, pictures, name):
    """Looks at the page that is open, and at what it says in English."""
    looked_at(checks, browser, pictures, name)
    browser.speak("en")
    browser.open(browser.address)
    looked_at(checks, browser, pictures, f"{name}-en")
    browser.speak("zh-CN")
    browser.open(browser.address)


def test_requests_on_the_phone(checks, provider, browser, callback, pictures):
    """Two apps' servers have a person asked; the page is theirs to read and to answer on."""
    for name, message in (("Shop", "K-12"), ("西湖龙井茶叶专卖店 West Lake Tea", "订单 2026-1128，合计 128.00 元")):
        client = provider.client(callback.url, "--backchannel", "poll",
                                 app=provider.create_app(name=name, server_address="127.0.0.1"))
        asked = provider.post_form("/openid/bc-authorize", client, {
            "scope": "openid", "login_hint": f"tel:+86{NUMBER}", "binding_message": message})
        checks.that("auth_req_id" in asked, f"{name} has a person asked", asked)
    browser.open(provider.pages + "/openid/requests")
    checks.that(browser.text("h2").split("\n")[-1] == "Shop" and "K-12" in browser.text("main")
                and NUMBER not in browser.text("body"),
                "the person reads who asks, and what, and no number", browser.text("body"))
    in_both_languages(checks, browser, pictures, "requests")
    browser.click("button[value=yes]")
    checks.equal(browser.text("h2"), "Shop", "what was agreed to waits no more")
    browser.click("button[value=no]")
    checks.that(browser.says("没有请求在等待本机号码确认"), "nor does what was refused", browser.text("body"))
    in_both_languages(checks, browser, pictures, "requests-none")


@pytest.fixture(scope="module")
def address(provider, callback):
    """A login page's."""
    client = provider.client(callback.url)
    query = {"client_id": client["client_id"], "redirect_uri": callback.url, "response_type": "code",
             "scope": "openid phone",
             "state": "x", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
             "code_challenge_method": "S256"}
    return f"{provider.pages}/openid/authorize?{urllib.parse.urlencode(query)}"


def test_people_turn_back(checks, callback, address, browser):
    browser.open(address)
    browser.click("[data-role=switchAccount]")
    checks.that("error=access_denied" in callback.take(), "another account is told to the app")
    browser.open(address.replace("callback", "callbacks"))
    checks.that("redirect_uri" in browser.text("dl"), "a mistake of the developer's is named on a page",
                browser.text("body"))


def test_off_network(checks, address, pictures):
    wifi = PhoneProxy("127.0.0.1")
    with Browser(wifi, language="zh-CN") as browser:
        browser.open(address)
        checks.that("关闭 Wi-Fi" in browser.text("ul"), "off the carrier's network the page says why and what to do",
                    browser.text("body"))
        checks.equal(browser.loaded, [], "nor does this one")
        looked_at(checks, browser, pictures, "off-network")
    wifi.close()


@pytest.mark.wants("pictures")
def test_pictures(checks, address, browser, pictures):
    browser.open(address)
    take_pictures(browser, pictures, "login")
    browser.open(address + "&ui_locales=en")
    take_pictures(browser, pictures, "login-en")
    browser.open(address + "&acr_values=urn:benji:net:digits")
    tick_and_tap(browser)
    take_pictures(browser, pictures, "digits")
    browser.open(address + "&acr_values=urn:benji:net:digits&ui_locales=en")
    tick_and_tap(browser)
    take_pictures(browser, pictures, "digits-en")
    browser.open(address.replace("callback", "callbacks"))
    take_pictures(browser, pictures, "mistake")
    checks.that(any(pictures.glob("*.png")), "the pictures are kept", pictures)


def test_the_number_is_not_in_the_log(checks, provider, address, browser):
    browser.open(address)
    tick_and_tap(browser)
    browser.shows("#arrived")
    said = "".join(log.read_text(errors="replace") for log in provider.logs)
    checks.equal(re.findall(NUMBER, said), [], "the number is in no log")
