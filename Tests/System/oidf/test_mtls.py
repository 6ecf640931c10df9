"""FAPI 2.0's Security Profile by mutual TLS (RFC 8705), in the place of `private_key_jwt` and DPoP (docs/oidf.md). The
plan's modules for `client_auth_type=mtls` and `sender_constrain=mtls`, and attacks, over real connections."""

import base64
import json
import shutil
import signal
import socket
import ssl
import urllib.parse

import pytest
from cryptography import x509
from cryptography.x509.oid import NameOID

from support.checks import Stop, eventually
from support.clientcertificates import ClientAuthority, name
from support.formbrowser import FormBrowser
from support.provider import CertificateAuthority, Provider
from support.relying import Caller, CertificateParty, RelyingParty, SigningKey, SigningParty
from support.server import free_ports

pytestmark = pytest.mark.seconds(120)

PHONE, NUMBER = "127.8.0.2", "13800000001"
FIRST, SECOND, THIRD = (f"https://bank.example/{path}" for path in ("callback", "second", "third"))
OURS = "https://bank.example/"
# As `openssl x509 -noout -subject -nameopt RFC2253` prints it.
SUBJECT = r"CN=first,O=Example\, Inc.,C=CN"


@pytest.fixture(scope="module")
def authority():
    return CertificateAuthority()


@pytest.fixture(scope="module")
def clients():
    """The authority that signs clients' certificates."""
    return ClientAuthority()


@pytest.fixture(scope="module")
def provider(authority, clients):
    (port,) = free_ports(1)
    server = Provider(authority, listen={"mtls": f"127.0.0.1:{port}"})
    server.mtls = f"https://127.0.0.1:{port}"
    # A copy, which a test replaces.
    server.client_authority = server.folder / "clients-ca.pem"
    shutil.copy(clients.pem, server.client_authority)
    text = server.configuration.read_text()
    server.configuration.write_text(
        text.replace('"pages"', f'"mtls": "{server.mtls}", "client-authority": "{server.client_authority}", "pages"',
                     1))
    with server:
        attached = server.attach("attach", PHONE, NUMBER)
        if attached.returncode != 0:
            raise Stop(f"benji phone attach: {attached.stderr}")
        yield server


@pytest.fixture(scope="module")
def registered(provider, clients):
    """(client, certificate) of two apps of profile fapi2: one by name, one by the certificate itself."""
    fapi = ("--profile", "fapi2", "--certificate-bound-tokens")
    first = clients.issue("first")
    own = clients.issue("second", self_signed=True)
    return [
        (provider.client(FIRST, "--auth-method", "tls_client_auth", "--tls-client-auth-subject-dn", SUBJECT, *fapi),
         first),
        (provider.client(SECOND, "--auth-method", "self_signed_tls_client_auth", "--certificate", str(own.pem), *fapi),
         own)]


@pytest.fixture
def bank(provider, registered):
    client, shown = registered[0]
    return CertificateParty(Caller(provider, provider.mtls, shown), client, FIRST)


@pytest.fixture
def other(provider, registered):
    client, shown = registered[1]
    return CertificateParty(Caller(provider, provider.mtls, shown), client, SECOND)


@pytest.fixture
def phone(authority):
    return FormBrowser(authority, PHONE, ends=OURS)


def code_of(checks, party, phone, sentence):
    returned = party.logged_in(phone, party.request(scope="openid phone"))
    checks.that(returned.place.startswith(party.redirect_uri) and "code" in returned.values, f"{sentence}: a code",
                returned)
    return returned.values["code"]


def is_refused(checks, answer, errors, sentence, statuses=(400, 401)):
    checks.that(answer.status in statuses and answer.error in errors and "access_token" not in answer.json,
                f"{sentence}: {' or '.join(errors)}", answer)


def is_person(checks, party, token, sentence):
    answer = party.user_info(token)
    checks.equal((answer.status, answer.json.get("phone_number")), (200, "+86" + NUMBER),
                 f"{sentence}: userinfo has the number")


# The modules of the plan in which mutual TLS makes a difference

def test_mtls_discovery_end_point_verification(checks, provider, registered):
    said = Caller(provider).metadata
    checks.equal(said, Caller(provider, provider.mtls).metadata,
                 "both listeners say the same, and none needs a certificate for it")
    checks.that({"tls_client_auth", "self_signed_tls_client_auth"} <= set(
        said["token_endpoint_auth_methods_supported"]), "both methods are there", said)
    checks.equal(said["tls_client_certificate_bound_access_tokens"], True, "tokens are bound to certificates")
    for endpoint, alias in said["mtls_endpoint_aliases"].items():
        checks.equal(alias, said[endpoint].replace(provider.issuer, provider.mtls), f"{endpoint} has an alias")


def test_mtls_happy_flow(checks, phone, bank, other):
    for party, sentence in ((bank, "by name"), (other, "by the certificate itself")):
        request = party.request(scope="openid phone")
        returned = party.logged_in(phone, request)
        checks.equal((returned.values.get("state"), returned.values.get("iss")),
                     (request["state"], party.metadata["issuer"]), f"{sentence}: state and issuer")
        answer = party.exchange(returned.values["code"])
        checks.that(answer.status == 200 and answer.json["token_type"] == "Bearer",
                    f"{sentence}: the code buys a token", answer)
        party.id_token(checks, answer.json, request, sentence)
        is_person(checks, party, answer.json["access_token"], sentence)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_mtls_ensure_holder_of_key_required(checks, provider, phone, bank, other):
    code = code_of(checks, bank, phone, "a login")
    for origin, sentence in ((provider.mtls, "without a certificate"), (provider.issuer, "at the usual address")):
        is_refused(checks, bank.over(Caller(provider, origin)).exchange(code), ("invalid_client", "invalid_request"),
                   sentence)
    is_refused(checks, bank.over(other.caller).exchange(code), ("invalid_client",), "with another client's certificate")
    place = urllib.parse.urlsplit(provider.mtls)
    for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.load_verify_locations(provider.authority.ca)
        old.set_ciphers("ALL:@SECLEVEL=0")
        old.minimum_version = old.maximum_version = version
        with pytest.raises((ssl.SSLError,
                            ConnectionError)), socket.create_connection((place.hostname, place.port)) as plain:
            old.wrap_socket(plain, server_hostname=place.hostname)
    checks.equal(bank.exchange(code).status, 200, "the code is still good for its client")


def test_mtls_ensure_authorization_code_is_bound_to_client(checks, phone, bank, other):
    code = code_of(checks, bank, phone, "a login")
    other.verifier = bank.verifier
    is_refused(checks, other.exchange(code, redirect_uri=FIRST), ("invalid_grant",), "another client's code")


def test_mtls_access_tokens_are_worth_nothing_without_their_certificate(checks, provider, clients, phone, bank, other):
    token = bank.exchange(code_of(checks, bank, phone, "a login")).json["access_token"]
    renewed = clients.issue("renewed", name("first"))
    for caller, sentence in ((Caller(provider), "as a bearer's, at the usual address"),
                             (Caller(provider, provider.mtls), "without a certificate"),
                             (other.caller, "with another client's"),
                             (Caller(provider, provider.mtls, renewed), "with another of the same client's")):
        answer = bank.over(caller).user_info(token)
        checks.that(answer.status == 401 and 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
                    and "phone_number" not in answer.text,
                    f"{sentence}: refused", answer)
    is_person(checks, bank, token, "with its own")
    said = bank.caller.ask("POST", bank.metadata["introspection_endpoint"], {"client_id": bank.id, "token": token}).json
    checks.that(said["active"] and list(said["cnf"]) == ["x5t#S256"], "introspection says what it is bound to", said)
    ended = bank.caller.ask("POST", bank.metadata["revocation_endpoint"], {"client_id": bank.id, "token": token})
    checks.equal((ended.status, bank.user_info(token).status), (200, 401), "and revocation ends it")


# Attacks

def test_mtls_no_other_certificate_is_the_clients(checks, provider, clients, phone, bank):
    code = code_of(checks, bank, phone, "a login")
    stranger = ClientAuthority()
    for shown, sentence in (
            (clients.issue("firsts"), "a name that begins as the client's"),
            (clients.issue("turned", x509.Name(list(name("first"))[::-1])), "the same parts in another order"),
            (clients.issue("longer", name("first", x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, "x"))),
             "one part more"),
            (stranger.issue("stranger", name("first")), "the right name, by another authority of the same name"),
            (clients.issue("expired", name("first"), days=(-3, -1)), "an expired one"),
            (clients.issue("early", name("first"), days=(1, 3)), "one that does not count yet"),
            (clients.issue("server", name("first"), for_servers=True), "one for servers"),
            (clients.issue("forged", name("first"), self_signed=True), "the right name, signed by its own key")):
        is_refused(checks, bank.over(Caller(provider, provider.mtls, shown)).exchange(code), ("invalid_client",),
                   sentence, (401,))
        # A double that accepts any subject with the client's common name somewhere in it.
        checks.that("first" in shown.certificate.subject.rfc4514_string(),
                    f"{sentence}: a double that looks for the name takes it")
    checks.equal(bank.exchange(code).status, 200, "the code is still good for its client")


def test_mtls_a_header_is_no_certificate(checks, provider, registered, phone, bank):
    code = code_of(checks, bank, phone, "a login")
    der = ssl.PEM_cert_to_DER_cert(registered[0][1].pem.read_text())
    form = {"client_id": bank.id, "grant_type": "authorization_code", "code": code, "redirect_uri": FIRST,
            "code_verifier": bank.verifier}
    for header in ("Client-Cert", "X-Client-Cert", "X-SSL-Client-Cert", "X-Forwarded-Client-Cert"):
        for origin in (provider.issuer, provider.mtls):
            answer = Caller(provider, origin).ask("POST", bank.metadata["token_endpoint"], form,
                                                  [(header, f":{base64.b64encode(der).decode()}:")])
            is_refused(checks, answer, ("invalid_client",), f"{header}", (401,))


def test_mtls_the_server_api_knows_the_app_by_its_certificate(checks, provider, clients, registered):
    (first, first_shown), (second, second_shown) = registered

    def ask(client, shown, origin=provider.mtls, secret="", headers=()):
        pair = base64.b64encode(f"{client['client_id']}:{secret}".encode()).decode()
        answer = Caller(provider, origin, shown).ask("GET", f"{origin}/v1/apps/me",
                                                     headers=[("Authorization", f"Basic {pair}"), *headers])
        return answer.status, answer.json.get("id") or answer.json.get("code")

    for client, shown in registered:
        checks.equal(ask(client, shown), (200, client["client_id"]), "the app of the certificate")
    refused = (401, "app_key_wrong")
    checks.equal(ask(first, second_shown), refused, "another app's certificate")
    checks.equal(ask(first, clients.issue("nobody")), refused, "nobody's certificate")
    checks.equal(ask(first, None), refused, "no certificate")
    checks.equal(ask(first, first_shown, provider.issuer), refused, "a certificate where none is asked for")
    checks.equal(ask(second, second_shown, secret="guessed"), refused, "a wrong secret besides")
    checks.equal(ask(first, first_shown, headers=[("Sec-Fetch-Site", "cross-site")]), (400, "malformed_request"),
                 "a page of another site")


def test_mtls_there_is_no_weaker_way_in(checks, provider, phone, bank):
    for secret in ({"client_secret": "guessed"}, {"client_assertion": "a.b.c"}, {"client_id": ""}):
        answer = bank.caller.ask("POST", bank.metadata["pushed_authorization_request_endpoint"],
                                 {**bank.request(), **secret})
        is_refused(checks, answer, ("invalid_client",), f"{list(secret)[0]} besides the certificate")
    plain = RelyingParty(Caller(provider), {**bank.client, "client_secret": "none"}, FIRST)
    is_refused(checks, plain.exchange("nothing"), ("invalid_client",), "a secret in its place", (401,))
    for weaker in (["--auth-method", "client_secret_basic"], ["--no-pkce"]):
        made = provider.command("app", "openid", "set", bank.id, "--config", provider.configuration, *weaker)
        checks.that(made.returncode != 0 and "fapi2" in made.stderr, f"{weaker}: nothing weaker is registered",
                    made.stderr)


# Connections, renewal, other clients

@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
def test_mtls_a_resumed_connection_has_its_certificate(checks, provider, registered, bank, version):
    place = urllib.parse.urlsplit(provider.mtls)
    context = ssl.create_default_context(cafile=provider.authority.ca)
    context.minimum_version = context.maximum_version = version
    context.load_cert_chain(registered[0][1].pem, registered[0][1].key)
    body = urllib.parse.urlencode({"client_id": bank.id, "token": "nothing"}).encode()
    session, reused, answers = None, [], []
    for _ in range(2):
        with socket.create_connection((place.hostname, place.port), timeout=10) as plain:
            with context.wrap_socket(plain, server_hostname=place.hostname, session=session) as made:
                made.sendall(b"POST /openid/introspect HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: "
                             b"application/x-www-form-urlencoded\r\n"
                             b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                answers.append(b"".join(iter(lambda: made.recv(65536), b"")).decode())
                session, reused = made.session, [*reused, made.session_reused]
    checks.equal(reused, [False, True], "the second connection resumes the first")
    checks.that(all('"active":false' in answer.replace(" ", "") for answer in answers),
                "and each is authenticated by its certificate", answers)


def test_mtls_an_authority_that_is_replaced_ends_its_clients(checks, provider, clients, registered, bank):
    shown = registered[0][1]

    def looks(certificate):
        caller = Caller(provider, provider.mtls, certificate)
        return caller.ask("POST", bank.metadata["introspection_endpoint"],
                          {"client_id": bank.id, "token": "nothing"}).status

    stranger = ClientAuthority()
    successor = stranger.issue("successor", name("first"))
    checks.equal((looks(shown), looks(successor)), (200, 401), "the first authority's count")
    try:
        shutil.copy(stranger.pem, provider.client_authority)
        provider.process.send_signal(signal.SIGHUP)
        checks.that(eventually(lambda: (looks(shown), looks(successor)) == (401, 200), 10),
                    "after SIGHUP only its successor's do")
        provider.client_authority.write_text("nothing")
        provider.process.send_signal(signal.SIGHUP)
        checks.that(eventually(lambda: any("client-authority" in each
                                           for each in json.loads(provider.ready()[1]).get("warnings", [])), 10),
                    "a file that cannot be used is a warning", provider.ready())
        checks.equal((looks(shown), looks(successor)), (401, 200), "and changes nothing")
    finally:
        shutil.copy(clients.pem, provider.client_authority)
        provider.process.send_signal(signal.SIGHUP)
    checks.that(eventually(lambda: looks(shown) == 200, 10), "the first one is back")


def test_mtls_a_client_that_signs_has_its_camara_tokens_bound(checks, provider, clients):
    key = SigningKey("EC", "signs")
    jwks = provider.folder / "signs.json"
    jwks.write_text(json.dumps({"keys": [{**key.jwk, "kid": key.kid}]}))
    app = provider.create_app(name="Bank", server_address="127.0.0.1")
    provider.command("app", "set", app["id"], "--config", provider.configuration, "--add-capability", "sim-swap")
    client = provider.client(THIRD, "--jwks", str(jwks), "--purpose", "dpv:FraudPreventionAndDetection",
                             "--certificate-bound-tokens", app=app)
    own = clients.issue("own", self_signed=True)
    party = SigningParty(Caller(provider, provider.mtls, own), client, THIRD, key)
    asked = {"grant_type": "client_credentials", "scope": "dpv:FraudPreventionAndDetection sim-swap"}
    url = party.metadata["mtls_endpoint_aliases"]["token_endpoint"]
    none = Caller(provider).ask("POST", url, {**asked, **party.authentication(url)[0]})
    is_refused(checks, none, ("invalid_request",), "without a certificate there is none", (400,))
    # A party may name the alias that it calls, or the issuer.
    token = party.caller.ask("POST", url,
                             {**asked, **party.authentication(url, party.assertion(aud=url))[0]}).json["access_token"]

    def swapped(caller):
        body = json.dumps({"phoneNumber": "+86" + NUMBER}).encode()
        caller.connection.request("POST", "/sim-swap/v2/check", body,
                                  {"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
        answer = caller.connection.getresponse()
        return answer.status, json.loads(answer.read()).get("code")

    for caller in (Caller(provider), Caller(provider, provider.mtls),
                   Caller(provider, provider.mtls, clients.issue("thief"))):
        checks.equal(swapped(caller), (401, "UNAUTHENTICATED"), "a token in other hands is refused")
    checks.equal(swapped(party.caller)[0], 200, "and answered over its own connection")
