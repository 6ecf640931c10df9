"""An app's server asks a person on their phone (CIBA; docs/openid.md, "Asking a person on their phone"). With a sandbox
phone on mobile data, Authlib and idpyoidc unmodified, and a receiver of pings over TLS."""

import http.server
import json
import ssl
import threading
import urllib.parse

import pytest

from support.checks import Stop, eventually, first_json
from support.formbrowser import FormBrowser
from support.provider import CertificateAuthority, Provider
from support.server import free_ports

pytestmark = pytest.mark.seconds(120)

PHONE, OTHER, NUMBER = "127.8.0.2", "127.8.0.3", "13800000001"
GRANT = "urn:openid:params:grant-type:ciba"


class Told:
    """A client's notification endpoint: what it was told, and by whose token."""

    def __init__(self, authority):
        (self.port,) = free_ports(1)
        self.pings = pings = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                pings.append((self.path, self.headers["authorization"], json.loads(body)))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.url = f"https://localhost:{self.port}/decided"
        server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(authority.certificate, authority.key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def authority():
    return CertificateAuthority()


@pytest.fixture(scope="module")
def told(authority):
    return Told(authority)


@pytest.fixture(scope="module")
def provider(authority, told):
    server = Provider(authority, callbacks={
        "allow-networks": ["127.0.0.0/8"], "ports": [str(told.port)], "authorities": authority.ca})
    server.start()
    for address, number in ((PHONE, NUMBER), (OTHER, "13900000002")):
        attached = server.attach("attach", address, number)
        if attached.returncode != 0:
            raise Stop(f"benji phone attach: {attached.stderr}")
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def trusts(monkeypatch, authority):
    for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
        monkeypatch.setenv(name, authority.ca)
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)


def page(provider, authority, address=PHONE):
    """The page that the person at an address reads, and the browser."""
    browser = FormBrowser(authority, address)
    _, _, text = browser.go(f"{provider.pages}/openid/requests")
    return browser, text


def decide(provider, authority, decision="yes", address=PHONE):
    """The person opens their page and taps, at the first request."""
    browser, text = page(provider, authority, address)
    form = {name: text.split(f'name="{name}" value="', 1)[1].split('"', 1)[0]
            for name in ("token", "request", "digest")}
    status, headers, answer = browser.fetch(f"{provider.pages}/openid/requests", {**form, "decision": decision})
    if status != 303:
        raise Stop(f"a decision was not taken: {status} {answer[-400:]}")
    return text


def authlib(provider, client):
    from authlib.integrations.requests_client import OAuth2Session
    return OAuth2Session(client["client_id"], client["client_secret"], token_endpoint_auth_method="client_secret_basic")


def test_poll_with_authlib(checks, provider, authority):
    """Authlib polls; the request itself is one form, which its session authenticates."""
    from authlib.integrations.base_client.errors import OAuthError
    client = provider.client("https://shop.example/callback", "--backchannel", "poll")
    checks.equal(client["backchannel_token_delivery_mode"], "poll", "the client is shown as it was set")
    asked = provider.post_form("/openid/bc-authorize", client, {
        "scope": "openid", "login_hint": f"tel:+86{NUMBER}", "binding_message": "K-12"})
    checks.equal((asked.get("expires_in"), asked.get("interval")), (300, 5), f"a person is asked: {asked}")
    session = authlib(provider, client)

    def poll():
        return session.fetch_token(f"{provider.issuer}/openid/token", grant_type=GRANT,
                                   auth_req_id=asked["auth_req_id"])
    with pytest.raises(OAuthError) as pending:
        poll()
    checks.equal(pending.value.error, "authorization_pending", "nobody has decided")
    with pytest.raises(OAuthError) as fast:
        poll()
    checks.equal(fast.value.error, "slow_down", "and who asks at once again is told so")
    _, others = page(provider, authority, OTHER)
    checks.that("K-12" not in others, "another phone sees nothing of it", others[-400:])
    shown = decide(provider, authority)
    checks.that("K-12" in shown and "Shop" in shown, "the person reads who asks, and what", shown[-900:])
    checks.that(NUMBER not in shown, "no number is on the page")
    tokens = poll()
    checks.that(tokens.get("access_token") and tokens.get("id_token"), "Authlib gets tokens", tokens)
    person = session.get(f"{provider.issuer}/openid/userinfo").json()
    checks.that(person.get("sub") and "phone_number" not in person, "which name the person, without the number", person)
    with pytest.raises(OAuthError) as again:
        poll()
    checks.equal(again.value.error, "invalid_grant", "once")


def test_ping_with_idpyoidc(checks, provider, authority, told):
    """idpyoidc asks, and reads what it is told; it is told to ask by POST, as its own default is GET."""
    from idpyoidc.client.oidc import RP
    from idpyoidc.message.oidc.backchannel_authentication import NotificationRequest, TokenRequest
    client = provider.client(
        "https://shop.example/callback", "--backchannel", "ping", "--backchannel-notification", told.url)
    made = RP(config={
        "client_id": client["client_id"], "client_secret": client["client_secret"], "issuer": provider.issuer,
        "redirect_uris": ["https://shop.example/callback"], "token_endpoint_auth_method": "client_secret_basic",
        "client_authn_methods": ["client_secret_basic", "bearer_header"]},
        httpc_params={"verify": authority.ca, "timeout": 20},
        services={name: {"class": f"idpyoidc.client.oidc.{path}"} for name, path in (
            ("discovery", "provider_info_discovery.ProviderInfoDiscovery"),
            ("backchannel_authentication", "backchannel_authentication.BackChannelAuthentication"))})
    made.do_request("provider_info")
    token = "8d67dc78-7faa-4d41-aabd-67707b374255"
    asked = made.do_request("backchannel_authentication", request_args={
        "scope": ["openid"], "login_hint": f"tel:+86{NUMBER}", "binding_message": "till 4",
        "client_notification_token": token},
        method="POST", authn_method="client_secret_basic")
    checks.that(asked.get("auth_req_id"), "idpyoidc has a person asked", asked)
    decide(provider, authority)
    checks.that(eventually(lambda: told.pings, 10), "the client is told", provider.tail())
    path, bearer, body = told.pings[0]
    ping = NotificationRequest(**body)
    ping.verify()
    checks.equal((path, bearer, ping["auth_req_id"]), ("/decided", f"Bearer {token}", asked["auth_req_id"]),
                 "with its token, and what is decided")
    form = TokenRequest(grant_type=GRANT, auth_req_id=ping["auth_req_id"])
    tokens = provider.post_form("/openid/token", client, dict(urllib.parse.parse_qsl(form.to_urlencoded())))
    checks.that(tokens.get("id_token"), "and gets tokens", tokens)
    checks.equal(provider.metric("benji_backchannel_pings_total", result="delivered"), 1, "which is counted")


def test_refusal_and_restart(checks, provider, authority):
    client = provider.client("https://shop.example/callback", "--backchannel", "poll")

    def ask(number=NUMBER):
        return provider.post_form("/openid/bc-authorize", client, {"scope": "openid", "login_hint": f"tel:+86{number}"})

    def poll(asked):
        return provider.post_form("/openid/token", client, {"grant_type": GRANT, "auth_req_id": asked["auth_req_id"]})
    refused, agreed = ask(), ask()
    provider.stop()
    provider.start()
    for address, number in ((PHONE, NUMBER), (OTHER, "13900000002")):
        provider.attach("attach", address, number)
    # The newest is at the top.
    decide(provider, authority, "yes")
    decide(provider, authority, "no")
    checks.that(poll(agreed).get("id_token"), "a request outlives a restart")
    checks.equal(poll(refused).get("error"), "access_denied", "a no is told")
    checks.equal(ask().get("error"), "access_denied", "and for a while the app may not ask this number again")
    nobody = ask("13700000009")
    checks.equal(poll(nobody).get("error"), "authorization_pending", "a number that nobody has is asked like any other")
    shown = provider.command("app", "openid", "set", client["client_id"], "--config", provider.configuration,
                             "--backchannel", "none", "--json")
    checks.that("backchannel_token_delivery_mode" not in (first_json(shown.stdout)
                                                          or {"backchannel_token_delivery_mode": 1}),
                "the right is taken back", shown.stdout + shown.stderr)
    checks.equal(ask().get("error"), "unauthorized_client", "at once")
    text = provider.log.read_text()
    checks.that(NUMBER not in text and agreed["auth_req_id"] not in text, "the log has neither number nor auth_req_id")
