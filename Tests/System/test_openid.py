"""Other people's OpenID Connect clients log a virtual phone in, unmodified: mod_auth_openidc in Apache, and Authlib. The
browser is Chromium, whose traffic leaves by the phone's address; the pages are looked at as people use them."""

import http.server
import json
import re
import ssl
import subprocess
import threading
import time
import urllib.parse
from pathlib import Path

import pytest

from support.apart import Apart
from support.browser import Browser, PhoneProxy
from support.checks import Stop, end, eventually, folder, require, start
from support.provider import CertificateAuthority, Provider, take_pictures, tick_and_tap
from support.server import free_ports

pytestmark = pytest.mark.seconds(150)
OPTIONS = {"pictures": None}

PHONE, OTHER, NUMBER = "127.8.0.2", "127.8.0.3", "13800000001"
DIGITS = NUMBER[3:7]


class Apache:
    """Apache with mod_auth_openidc before one page, which prints what the module says about the person."""

    MODULES = ("mpm_event", "authn_core", "authz_core", "authz_user", "dir", "mime", "include", "ssl", "socache_shmcb",
               "auth_openidc")

    def __init__(self, authority, port):
        self.place = folder()
        self.place.chmod(0o755)
        self.authority, self.port = authority, port
        self.process = None

    def start(self, provider, client):
        pages = self.place / "pages" / "protected"
        pages.mkdir(parents=True)
        (pages / "index.shtml").write_text(
            '<!doctype html><title>Shop</title><p id="number"><!--#echo var="OIDC_CLAIM_phone_number" --></p>'
            '<p id="verified"><!--#echo var="OIDC_CLAIM_phone_number_verified" --></p>'
            '<p id="acr"><!--#echo var="OIDC_CLAIM_acr" --></p><p id="sub"><!--#echo var="OIDC_CLAIM_sub" --></p>')
        require("apache2", "apache2")
        directory = Path("/usr/lib/apache2/modules")
        if not (directory / "mod_auth_openidc.so").exists():
            raise Stop("mod_auth_openidc is missing; install it with: apt-get install libapache2-mod-auth-openidc")
        modules = "\n".join(f"LoadModule {name}_module {directory}/mod_{name}.so" for name in self.MODULES)
        configuration = self.place / "apache.conf"
        configuration.write_text(f"""
{modules}
ServerName 127.0.0.1
ServerRoot {self.place}
PidFile {self.place}/pid
DefaultRuntimeDir {self.place}
ErrorLog {self.place}/error.log
LogLevel warn
TypesConfig /etc/mime.types
User www-data
Group www-data
Listen 127.0.0.1:{self.port}
DocumentRoot {self.place}/pages
SSLEngine on
SSLCertificateFile {self.authority.certificate}
SSLCertificateKeyFile {self.authority.key}
DirectoryIndex index.shtml
AddType text/html .shtml
AddOutputFilter INCLUDES .shtml
OIDCProviderMetadataURL {provider.issuer}/.well-known/openid-configuration
OIDCCABundlePath {self.authority.ca}
OIDCClientID {client["client_id"]}
OIDCClientSecret {client["client_secret"]}
OIDCRedirectURI https://127.0.0.1:{self.port}/protected/callback
OIDCCryptoPassphrase interop-passphrase-of-this-run
OIDCScope "openid phone"
OIDCPKCEMethod S256
OIDCPassClaimsAs environment
<Directory {self.place}/pages>
Options +Includes
</Directory>
<Location /protected/>
AuthType openid-connect
Require valid-user
</Location>
""")
        self.process = start(["apache2", "-d", str(self.place), "-f", str(configuration), "-DFOREGROUND"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not eventually(lambda: (self.place / "pid").exists(), 10):
            raise Stop(f"Apache did not start: {self.log()}")

    def log(self):
        path = self.place / "error.log"
        return path.read_text(errors="replace")[-1500:] if path.exists() else "no log"


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


@pytest.fixture(scope="module", params=[Provider, pytest.param(Apart, marks=pytest.mark.own_processes("the same without a cluster"))],
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
    apache = Apache(authority, port)
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


def authlib_session(client, callback, authority, provider, **options):
    from authlib.integrations.requests_client import OAuth2Session
    options = {"scope": "openid phone", **options}
    session = OAuth2Session(client["client_id"], client.get("client_secret"), redirect_uri=callback.url,
                            code_challenge_method="S256", **options)
    session.verify, session.trust_env = authority.ca, False
    session.metadata_of_provider = session.request(
        "GET", f"{provider.issuer}/.well-known/openid-configuration", withhold_token=True).json()
    return session


def authlib_checks(session, token, nonce, client):
    """The claims of an ID token, as Authlib's own OpenID client reads and checks them."""
    from authlib.oidc.core import CodeIDToken
    from joserfc import jwt
    from joserfc.jwk import KeySet
    metadata = session.metadata_of_provider
    keys = KeySet.import_key_set(session.request("GET", metadata["jwks_uri"], withhold_token=True).json())
    opened = jwt.decode(token["id_token"], keys, algorithms=metadata["id_token_signing_alg_values_supported"])
    claims = CodeIDToken(
        opened.claims, opened.header,
        {"iss": {"essential": True, "value": metadata["issuer"]}, "aud": {"essential": True, "value": client["client_id"]}},
        {"nonce": nonce, "client_id": client["client_id"], "access_token": token["access_token"]})
    claims.validate()
    return claims


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
    checks.equal(again.status_code, 401, f"{name}: the access token buys the number once")
    return claims


def test_authlib_logs_in(checks, provider, authority, browser, callback):
    """With a secret and RS256, and with a key, a pushed request and typed digits."""
    from authlib.common.security import generate_token
    client = provider.client(callback.url, "--rs256")
    session = authlib_session(client, callback, authority, provider)
    verifier, nonce = generate_token(48), generate_token()
    url, state = session.create_authorization_url(
        session.metadata_of_provider["authorization_endpoint"], nonce=nonce, code_verifier=verifier, ui_locales="en")
    browser.open(url)
    checks.that("Log in" in browser.text("[data-role=login]"), "ui_locales chooses the language", browser.text("body"))
    tick_and_tap(browser)
    landing = callback.take()
    checks.that(f"state={state}" in landing, "the app's state comes back", landing)
    authlib_finishes(checks, session, landing, verifier, nonce, client, "client_secret_basic, RS256")


def new_key(provider):
    """A key of a client that signs, and the file with its public half."""
    from joserfc.jwk import ECKey
    key = ECKey.generate_key("P-256", {"kid": "shop-1"})
    jwks = provider.folder / "jwks.json"
    jwks.write_text(json.dumps({"keys": [key.as_dict(private=False)]}))
    return key, jwks


def sign_anew(session):
    """Authlib's assertions live an hour unless they are told otherwise, and ours five minutes at most; told once, it would also
    give the next one the same name."""
    from authlib.oauth2.rfc7523 import PrivateKeyJWT
    session.register_client_auth_method(PrivateKeyJWT(
        session.metadata_of_provider["token_endpoint"], claims={"exp": int(time.time()) + 120}, alg="ES256"))


def test_authlib_signs(checks, provider, authority, browser, callback):
    """private_key_jwt, a pushed request, the digits typed."""
    from authlib.common.security import generate_token
    key, jwks = new_key(provider)
    client = provider.client(callback.url, "--jwks", str(jwks), "--digits", "--pushed-only")
    session = authlib_session({**client, "client_secret": key}, callback, authority, provider,
                              token_endpoint_auth_method="private_key_jwt")
    metadata = session.metadata_of_provider
    sign_anew(session)
    verifier, nonce = generate_token(48), generate_token()
    url, _ = session.create_authorization_url(metadata["authorization_endpoint"], nonce=nonce, code_verifier=verifier)
    request = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    pushed = session.request("POST", metadata["pushed_authorization_request_endpoint"], withhold_token=True, data=request,
                             auth=session.client_auth("private_key_jwt")).json()
    checks.that("request_uri" in pushed, "Authlib's signed request can be pushed", pushed)
    short = metadata["authorization_endpoint"] + "?" + urllib.parse.urlencode(
        {"client_id": client["client_id"], "request_uri": pushed.get("request_uri", "")})
    browser.open(short)
    tick_and_tap(browser)
    checks.that(browser.shows("input[name=digits]"), "after the tap the person types the hidden digits", browser.text("body"))
    checks.equal(browser.loaded, [], "this page fetches nothing either")
    browser.type("input[name=digits]", "9999")
    browser.click("button[value=digits]")
    checks.that(browser.shows("[role=alert]"), "wrong digits are said to be wrong", browser.text("body"))
    browser.type("input[name=digits]", DIGITS)
    browser.click("button[value=digits]")
    sign_anew(session)
    claims = authlib_finishes(
        checks, session, callback.take(), verifier, nonce, client, "private_key_jwt, pushed, digits")
    checks.equal((claims["acr"], claims["amr"]), ("urn:benji:net:digits", ["nba", "kba"]), "acr and amr say that digits were typed")


def test_authlib_verifies(checks, provider, authority, browser, callback):
    """CAMARA's number verification: no page, the browser is back at once, and the number is the phone's or is not."""
    from authlib.common.security import generate_token
    key, jwks = new_key(provider)
    client = provider.client(callback.url, "--jwks", str(jwks), "--purpose", "dpv:FraudPreventionAndDetection")
    session = authlib_session({**client, "client_secret": key}, callback, authority, provider,
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


@pytest.fixture(scope="module")
def address(provider, callback):
    """A login page's."""
    client = provider.client(callback.url)
    query = {"client_id": client["client_id"], "redirect_uri": callback.url, "response_type": "code", "scope": "openid phone",
             "state": "x", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256"}
    return f"{provider.pages}/openid/authorize?{urllib.parse.urlencode(query)}"


def test_people_turn_back(checks, callback, address, browser):
    browser.open(address)
    browser.click("[data-role=switchAccount]")
    checks.that("error=access_denied" in callback.take(), "another account is told to the app")
    browser.open(address.replace("callback", "callbacks"))
    checks.that("redirect_uri" in browser.text("dl"), "a mistake of the developer's is named on a page", browser.text("body"))


def test_off_network(checks, address, pictures):
    wifi = PhoneProxy("127.0.0.1")
    with Browser(wifi, language="zh-CN") as browser:
        browser.open(address)
        checks.that("关闭 Wi-Fi" in browser.text("ul"), "off the carrier's network the page says why and what to do",
                    browser.text("body"))
        checks.equal(browser.loaded, [], "nor does this one")
        take_pictures(browser, pictures, "off-network")
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
