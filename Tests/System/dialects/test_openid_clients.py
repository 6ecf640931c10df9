"""Other people's OpenID Connect clients log a virtual phone in, unmodified, by each client authentication that they
offer. These are mod_auth_openidc in its defaults, Authlib, pyoidc, idpyoidc, requests-oauthlib and go-oidc
(docs/openid.md, "Other people's clients"). None knows mutual TLS by name; each is given a certificate for its
connections and the addresses at which certificates are asked for."""

import hashlib
import json
import os
import re
import socket
import ssl
import subprocess
import time
import urllib.parse

import pytest

from support.apache import Apache
from support.checks import PATIENCE, Stop, end, first_json, folder, require, run
from support.clientcertificates import ClientAuthority
from support.formbrowser import FormBrowser
from support.operators import month_of
from support.provider import CertificateAuthority, Provider
from support.server import free_ports

pytestmark = pytest.mark.seconds(240)

PHONE, NUMBER = "127.8.0.2", "13800000001"
CALLBACK = "https://shop.example/callback"
BASIC, POST, SECRET_JWT, KEY_JWT = "client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt"
METHODS = [BASIC, POST, SECRET_JWT, KEY_JWT]
# Mutual TLS (RFC 8705): by a name, by the certificate itself, and by a secret beside a certificate that tokens are
# bound to.
TLS, SELF_SIGNED, BESIDE = "tls_client_auth", "self_signed_tls_client_auth", "client_secret_post"
CERTIFICATES = [TLS, SELF_SIGNED, BESIDE]
BOUND = "--certificate-bound-tokens"


@pytest.fixture(scope="module")
def authority():
    return CertificateAuthority()


@pytest.fixture(scope="module")
def clients():
    """The authority that signs clients' certificates. Apache's own user reads them."""
    place = folder()
    place.chmod(0o755)
    return ClientAuthority(place)


@pytest.fixture(scope="module")
def provider(authority, clients):
    port, administration = free_ports(2)
    server = Provider(authority, listen={"mtls": f"127.0.0.1:{port}", "administration": f"127.0.0.1:{administration}"})
    server.mtls, server.administration = f"https://127.0.0.1:{port}", administration
    text = server.configuration.read_text()
    server.configuration.write_text(text.replace(
        '"pages"', f'"api-prefix": "/carrier", "mtls": "{server.mtls}", "client-authority": "{clients.pem}", "pages"',
        1))
    server.start()
    attached = server.attach("attach", PHONE, NUMBER)
    if attached.returncode != 0:
        raise Stop(f"benji phone attach: {attached.stderr}")
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def trusts(monkeypatch, authority):
    """Libraries that take the authorities of certificates from the environment, and what they would go through."""
    for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
        monkeypatch.setenv(name, authority.ca)
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def phone(authority):
    return FormBrowser(authority, PHONE, ends=CALLBACK)


class Key:
    """A client's RSA key, since not all of them have others, and its public half as a JWK set."""

    def __init__(self, kid="shop-1"):
        from joserfc.jwk import RSAKey
        self.kid, self.key = kid, RSAKey.generate_key(2048, {"kid": kid, "use": "sig"})
        self.place = folder()
        self.place.chmod(0o755)
        self.jwks = self.place / "jwks.json"
        self.jwks.write_text(json.dumps({"keys": [self.key.as_dict(private=False)]}))
        self.private = self.key.as_dict(private=True)
        self.pem, self.public = self.place / "key.pem", self.place / "public.pem"
        self.pem.write_bytes(self.key.as_pem(private=True))
        self.pem.chmod(0o644)
        self.public.write_bytes(self.key.as_pem(private=False))


@pytest.fixture(scope="module")
def key():
    return Key()


def client_for(provider, key, method, *arguments, redirect_uri=CALLBACK):
    how = ["--jwks", str(key.jwks)] if method == KEY_JWT else ["--auth-method", method]
    return provider.client(redirect_uri, *how, *arguments)


@pytest.fixture(scope="module")
def shown(clients):
    """The certificates that clients show, by how they authenticate."""
    made = {method: clients.issue(method, hosts=[f"{method.replace('_', '-')}.example"], self_signed=method != TLS)
            for method in CERTIFICATES}
    for each in made.values():
        each.key.chmod(0o644)
    return made


def client_with_certificate(provider, shown, method, *arguments, redirect_uri=CALLBACK):
    how = {TLS: ["--tls-client-auth-san-dns", "tls-client-auth.example"],
           SELF_SIGNED: ["--certificate", str(shown[SELF_SIGNED].pem)], BESIDE: []}[method]
    return provider.client(redirect_uri, "--auth-method", method, *how, *arguments)


def aliases(provider, authority):
    """Where clients go that show a certificate."""
    import requests
    return requests.get(f"{provider.issuer}/.well-known/openid-configuration", verify=authority.ca,
                        timeout=20).json()["mtls_endpoint_aliases"]


def landed(place):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(place).query))


def is_them(checks, person, subject, name):
    checks.equal((person.get("phone_number"), person.get("phone_number_verified"), person.get("sub")),
                 ("+86" + NUMBER, True, subject), f"{name} logs the phone in and knows its number")


# CAMARA

def test_camara_addresses(checks, provider, authority):
    """CAMARA's callers find its interfaces behind the prefix, and errors in its own shape wherever they ask."""
    import requests
    for method, path, expected in (
            ("POST", "/carrier/sim-swap/v2/check", (401, "UNAUTHENTICATED")),
            ("GET", "/carrier/sim-swap/v2/check", (405, "METHOD_NOT_ALLOWED")),
            ("POST", "/carrier/sim-swap/v2/nothing", (404, "NOT_FOUND")),
            ("POST", "/sim-swap/v2/check", (404, "NOT_FOUND"))):
        answer = requests.request(method, provider.issuer + path, json={}, verify=authority.ca, timeout=20)
        body = answer.json()
        checks.equal((answer.status_code, body.get("code"), body.get("status"), answer.headers["Content-Type"]),
                     (*expected, expected[0], "application/json"), f"{method} {path}")
        checks.that(body.get("message"), f"{method} {path} says why", body)


# Every listener of the process

def test_hosts(checks, provider, authority, clients):
    """Each listener refuses a request without a host or with two of them, before it looks for the address."""
    anybodys = clients.issue("anybody", self_signed=True)
    context = ssl.create_default_context(cafile=authority.ca)
    context.load_cert_chain(anybodys.pem, anybodys.key)

    def status(port, target, *lines, version="1.1"):
        plain = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        with plain if port == provider.admin else context.wrap_socket(plain, server_hostname="127.0.0.1") as line:
            line.sendall("\r\n".join([f"GET {target} HTTP/{version}", *lines, "Connection: close", "", ""]).encode())
            answer = b""
            while part := line.recv(65536):
                answer += part
        found = re.match(rb"HTTP/1\.1 (\d{3}) ", answer)
        return found and int(found[1])

    listeners = {"device": provider.device, "server": provider.server, "mtls": int(provider.mtls.rsplit(":", 1)[1]),
                 "administration": provider.administration, "admin": provider.admin}
    for name, port in listeners.items():
        host = f"127.0.0.1:{port}"
        own, other = f"Host: {host}", "Host: other.example"
        for said, expected, asked in (
                ("a host", 404, status(port, "/nothing", own)), ("no host", 400, status(port, "/nothing")),
                ("no host in HTTP/1.0", 404, status(port, "/nothing", version="1.0")),
                ("two hosts", 400, status(port, "/nothing", own, other)),
                ("a target with its host", 404, status(port, f"http://{host}/nothing", own)),
                ("a target with another host", 400, status(port, "http://other.example/nothing", own)),
                ("a target with a user", 400, status(port, f"http://{host}@other.example/nothing", own))):
            checks.equal(asked, expected, f"{name}: {said} is {expected}")


# mod_auth_openidc

@pytest.mark.parametrize("method, more", [
    (BASIC, []), (POST, []), (SECRET_JWT, []), (KEY_JWT, []),
    (BASIC, ["OIDCResponseMode form_post", "OIDCUserInfoTokenMethod post_param", "OIDCUserInfoRefreshInterval 1"])],
    ids=[*METHODS, "form_post"])
def test_mod_auth_openidc(checks, provider, authority, key, method, more):
    (port,) = free_ports(1)
    client = client_for(provider, key, method, "--no-pkce", redirect_uri=f"https://127.0.0.1:{port}/protected/callback")
    directives = list(more)
    # The module knows private_key_jwt once it has read a key.
    if method == KEY_JWT:
        directives += [f"OIDCPublicKeyFiles {key.kid}#{key.public}", f"OIDCPrivateKeyFiles {key.kid}#{key.pem}"]
    if method != BASIC:
        directives.append(f"OIDCProviderTokenEndpointAuth {method}")
    apache = Apache(authority, port, *directives)
    apache.start(provider, client)
    phone = FormBrowser(authority, PHONE)
    protected = f"https://127.0.0.1:{port}/protected/"
    place, _, page = phone.log_in(protected)
    checks.that(place == protected and f'<p id="number">+86{NUMBER}</p>' in page,
                f"mod_auth_openidc, {method}, logs the phone in", f"{place} {page} {apache.log()}")
    if more:
        time.sleep(1.1)
        _, _, again = phone.go(protected)
        checks.that(f"+86{NUMBER}" in again, "what it refreshes of the person still has the number", again)
        words = (client["client_id"], "--config", provider.configuration, "--json")
        lines = first_json(provider.command("ledger", "list", *words).stdout)["entries"]
        billed = first_json(provider.command("ledger", "statement", *words, "--month", month_of(lines[0]["at"])).stdout)
        checks.equal((len(lines), billed["free"]), (1, 1), "and was billed once")
    end(apache.process)


@pytest.mark.parametrize("method, bound", [(TLS, False), (SELF_SIGNED, False), (BESIDE, True)],
                         ids=[TLS, SELF_SIGNED, f"{BESIDE}-bound"])
def test_mod_auth_openidc_with_a_certificate(checks, provider, authority, shown, method, bound):
    """It shows its certificate at the token endpoint alone, so that a token which is bound to it gets no number."""
    (port,) = free_ports(1)
    client = client_with_certificate(provider, shown, method, "--no-pkce", *([BOUND] if bound else []),
                                     redirect_uri=f"https://127.0.0.1:{port}/protected/callback")
    ends = aliases(provider, authority)
    # It reads no aliases, so it is told each address.
    apache = Apache(
        authority, port, f"OIDCProviderIssuer {provider.issuer}",
        f"OIDCProviderAuthorizationEndpoint {provider.pages}/openid/authorize",
        f"OIDCProviderJwksUri {provider.issuer}/openid/jwks",
        f"OIDCProviderTokenEndpoint {ends['token_endpoint']}",
        f"OIDCProviderUserInfoEndpoint {ends['userinfo_endpoint'] if bound else provider.issuer + '/openid/userinfo'}",
        f"OIDCClientTokenEndpointCert {shown[method].pem}", f"OIDCClientTokenEndpointKey {shown[method].key}",
        *([f"OIDCProviderTokenEndpointAuth {method}"] if method == BESIDE else []), discovers=False)
    apache.start(provider, client)
    protected = f"https://127.0.0.1:{port}/protected/"
    place, _, page = FormBrowser(authority, PHONE).log_in(protected)
    number = f'<p id="number">+86{NUMBER}</p>' in page
    checks.equal((place, number), (protected, not bound),
                 f"mod_auth_openidc, {method}, logs the phone in: {page[:300]} {apache.log()}")
    checks.that('<p id="sub">(none)' not in page, "and knows the account", page)
    end(apache.process)


# Authlib

@pytest.mark.parametrize("method", METHODS)
def test_authlib(checks, provider, authority, key, phone, method):
    from authlib.common.security import generate_token
    from authlib.integrations.requests_client import OAuth2Session
    from authlib.oauth2.rfc7523 import ClientSecretJWT, PrivateKeyJWT
    client = client_for(provider, key, method)
    session = OAuth2Session(
        client["client_id"], key.key if method == KEY_JWT else client["client_secret"], redirect_uri=CALLBACK,
        scope="openid phone", code_challenge_method="S256", token_endpoint_auth_method=method)
    session.verify, session.trust_env = authority.ca, False
    endpoint = f"{provider.issuer}/openid/token"
    if method == SECRET_JWT:
        session.register_client_auth_method(ClientSecretJWT(endpoint))
    if method == KEY_JWT:
        session.register_client_auth_method(PrivateKeyJWT(endpoint))
    verifier, nonce = generate_token(48), generate_token()
    url, _ = session.create_authorization_url(f"{provider.pages}/openid/authorize", nonce=nonce, code_verifier=verifier)
    place, _, _ = phone.log_in(url)
    token = session.fetch_token(endpoint, authorization_response=place, code_verifier=verifier)
    person = session.get(f"{provider.issuer}/openid/userinfo").json()
    is_them(checks, person, claims_of(token["id_token"])["sub"], f"Authlib, {method},")
    again = session.get(f"{provider.issuer}/openid/userinfo")
    checks.equal(again.json(), person, "and gets the same answer again")


@pytest.mark.parametrize("method", CERTIFICATES)
def test_authlib_with_a_certificate(checks, provider, authority, shown, phone, method):
    from authlib.common.security import generate_token
    from authlib.integrations.requests_client import OAuth2Session
    client, ends = client_with_certificate(provider, shown, method, BOUND), aliases(provider, authority)
    # `none` sends the client's id and nothing else, as RFC 8705 asks.
    session = OAuth2Session(
        client["client_id"], client.get("client_secret"), redirect_uri=CALLBACK, scope="openid phone",
        code_challenge_method="S256",
        token_endpoint_auth_method=method if method == BESIDE else "none")
    session.verify, session.trust_env = authority.ca, False
    session.cert = (str(shown[method].pem), str(shown[method].key))
    verifier = generate_token(48)
    url, _ = session.create_authorization_url(f"{provider.pages}/openid/authorize", nonce=generate_token(),
                                              code_verifier=verifier)
    place, _, _ = phone.log_in(url)
    token = session.fetch_token(ends["token_endpoint"], authorization_response=place, code_verifier=verifier)
    bound_to_certificate(checks, provider, session, token, ends, f"Authlib, {method},")


def bound_to_certificate(checks, provider, session, token, ends, name):
    """A session of requests that shows its certificate gets the number, and none that does not."""
    is_them(checks, session.get(ends["userinfo_endpoint"]).json(), claims_of(token["id_token"])["sub"], name)
    for place, certificate in ((ends["userinfo_endpoint"], None), (f"{provider.issuer}/openid/userinfo", session.cert)):
        session.cert = certificate
        # Over a new connection: on the old one the certificate was shown.
        session.adapters["https://"].close()
        answer = session.get(place)
        checks.that(answer.status_code == 401 and "phone_number" not in answer.text,
                    f"{name} without its certificate at {place}: refused", answer.text)


def claims_of(id_token):
    """The claims of an ID token, unchecked."""
    import base64
    text = id_token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


# requests-oauthlib

@pytest.mark.parametrize("method, pkce", [(BASIC, None), (BASIC, "S256"), (POST, None)],
                         ids=[BASIC, f"{BASIC}-pkce", POST])
def test_requests_oauthlib(checks, provider, authority, key, phone, method, pkce):
    from requests.auth import HTTPBasicAuth
    from requests_oauthlib import OAuth2Session
    client = client_for(provider, key, method, *([] if pkce else ["--no-pkce"]))
    session = OAuth2Session(client["client_id"], redirect_uri=CALLBACK, scope=["openid", "phone"], pkce=pkce)
    session.verify, session.trust_env = authority.ca, False
    url, _ = session.authorization_url(f"{provider.pages}/openid/authorize")
    place, _, _ = phone.log_in(url)
    how = ({"auth": HTTPBasicAuth(client["client_id"], client["client_secret"])} if method == BASIC else
           {"client_secret": client["client_secret"], "include_client_id": True})
    token = session.fetch_token(f"{provider.issuer}/openid/token", authorization_response=place, **how)
    person = session.get(f"{provider.issuer}/openid/userinfo").json()
    is_them(checks, person, claims_of(token["id_token"])["sub"], f"requests-oauthlib, {method}, PKCE {pkce},")


@pytest.mark.parametrize("method", CERTIFICATES)
def test_requests_oauthlib_with_a_certificate(checks, provider, authority, shown, phone, method):
    from requests_oauthlib import OAuth2Session
    client, ends = client_with_certificate(provider, shown, method, BOUND), aliases(provider, authority)
    session = OAuth2Session(client["client_id"], redirect_uri=CALLBACK, scope=["openid", "phone"], pkce="S256")
    session.verify, session.trust_env = authority.ca, False
    session.cert = (str(shown[method].pem), str(shown[method].key))
    url, _ = session.authorization_url(f"{provider.pages}/openid/authorize")
    place, _, _ = phone.log_in(url)
    token = session.fetch_token(ends["token_endpoint"], authorization_response=place, include_client_id=True,
                                client_secret=client.get("client_secret"))
    bound_to_certificate(checks, provider, session, token, ends, f"requests-oauthlib, {method},")


# pyoidc

@pytest.mark.parametrize("method", METHODS)
def test_pyoidc(checks, provider, authority, key, phone, method):
    from oic.oauth2.message import ErrorResponse
    from oic.oic import Client
    from oic.oic.message import AuthorizationResponse, RegistrationResponse
    from oic.utils.authn.client import CLIENT_AUTHN_METHOD
    from oic.utils.keyio import KeyBundle
    from oic.utils.settings import OicClientSettings
    client = client_for(provider, key, method, "--no-pkce")
    made = Client(client_id=client["client_id"], client_authn_method=CLIENT_AUTHN_METHOD,
                  settings=OicClientSettings(verify_ssl=authority.ca))
    made.provider_config(provider.issuer)
    if method == KEY_JWT:
        made.keyjar.add_kb("", KeyBundle([key.private]))
    made.store_registration_info(RegistrationResponse(
        client_id=client["client_id"], client_secret=client.get("client_secret"), redirect_uris=[CALLBACK],
        token_endpoint_auth_method=method) if method != KEY_JWT else RegistrationResponse(
        client_id=client["client_id"], redirect_uris=[CALLBACK], token_endpoint_auth_method=method))
    request = made.construct_AuthorizationRequest(request_args={
        "response_type": "code", "scope": ["openid", "phone"], "redirect_uri": CALLBACK, "state": f"state-{method}",
        "nonce": f"nonce-{method}"})
    place, _, _ = phone.log_in(request.request(made.authorization_endpoint))
    answer = made.parse_response(AuthorizationResponse, info=urllib.parse.urlsplit(place).query, sformat="urlencoded")
    token = made.do_access_token_request(
        state=answer["state"], request_args={"code": answer["code"]}, authn_method=method,
        **({"algorithm": "HS256"} if method == SECRET_JWT else {}))
    checks.that(not isinstance(token, ErrorResponse), f"pyoidc, {method}, gets tokens", token)
    for way in ({"method": "GET"}, {"method": "POST"}, {"method": "POST", "behaviour": "use_authorization_header"}):
        person = made.do_user_info_request(state=answer["state"], **way).to_dict()
        is_them(checks, person, token["id_token"]["sub"], f"pyoidc, {method}, userinfo {way},")


# idpyoidc

class Recorder:
    """Records a client's requests and their answers."""

    def __init__(self):
        self.seen = []

    def __call__(self, method, url, **arguments):
        import requests
        answer = requests.request(method, url, **arguments)
        self.seen.append((url, arguments, answer))
        return answer

    def last(self, end):
        """(headers, body, answer) of the last call of an address that ends so."""
        _, arguments, answer = [each for each in self.seen if each[0].endswith(end)][-1]
        return arguments.get("headers") or {}, arguments.get("data"), answer


def idpyoidc_client(provider, authority, key, client, method, httpc=None, userinfo=None, keys=None, **add_ons):
    """- userinfo: settings of the service that asks for the person.
    - keys: file of the client's private keys, for what it signs besides itself."""
    from cryptojwt import KeyJar
    from idpyoidc.client.rp_handler import RPHandler
    configuration = {
        "client_type": "oidc", "issuer": provider.issuer, "client_id": client["client_id"],
        "redirect_uris": [CALLBACK],
        "preference": {"response_types_supported": ["code"], "scopes_supported": ["openid", "phone"],
                       "token_endpoint_auth_methods_supported": [method]},
        "token_endpoint_auth_method": method, "client_authn_methods": [method, "bearer_header", "bearer_body"],
        "allow": {"missing_kid": True}, "scope": ["openid", "phone"],
        "services": {name: {"class": f"idpyoidc.client.oidc.{path}"} for name, path in (
            ("discovery", "provider_info_discovery.ProviderInfoDiscovery"),
            ("authorization", "authorization.Authorization"),
            ("access_token", "access_token.AccessToken"), ("userinfo", "userinfo.UserInfo"))},
        "add_ons": {"pkce": {"function": "idpyoidc.client.oauth2.add_on.pkce.add_support",
                             "kwargs": {"code_challenge_length": 64, "code_challenge_method": "S256"}}, **add_ons},
    }
    if userinfo:
        configuration["services"]["userinfo"]["kwargs"] = userinfo
    if keys:
        configuration["key_conf"] = {"private_path": str(keys),
                                     "key_defs": [{"type": "EC", "crv": "P-256", "use": ["sig"]}], "read_only": True}
    if "client_secret" in client:
        configuration["client_secret"] = client["client_secret"]
    if method == SECRET_JWT:
        # Else it takes the first algorithm of the provider's list that it has any key for.
        configuration["preference"]["token_endpoint_auth_signing_alg_values_supported"] = ["HS256"]
    jar = KeyJar()
    jar.import_jwks({"keys": [key.private]}, "")
    return RPHandler(base_url="https://shop.example", client_configs={"benji": configuration, "": configuration},
                     httpc=httpc, httpc_params={"verify": authority.ca, "timeout": 20}, keyjar=jar)


@pytest.mark.parametrize("method", METHODS)
def test_idpyoidc(checks, provider, authority, key, phone, method):
    made = idpyoidc_client(provider, authority, key, client := client_for(provider, key, method), method)
    place, _, _ = phone.log_in(made.begin(issuer_id="benji"))
    done = made.finalize(provider.issuer, landed(place))
    checks.that("error" not in done, f"idpyoidc, {method}, gets tokens", f"{done} {client['client_id']}")
    is_them(checks, done.get("userinfo", {}), done["id_token"]["sub"], f"idpyoidc, {method},")


@pytest.mark.parametrize("userinfo, scheme", [
    ({}, "Bearer"), ({"default_authn_method": "idpyoidc.client.oauth2.add_on.dpop.DPoPClientAuth"}, "DPoP")],
                         ids=["alone", "with-its-class"])
def test_idpyoidc_with_dpop(checks, provider, authority, key, phone, userinfo, scheme):
    """Its proofs are good at the token endpoint. At userinfo the add-on alone sends the token as a bearer's. With the
    class that comes with it the token goes as DPoP's. Its proof fails: `ath` is hexadecimal, where RFC 9449 section 4.2
    wants base64url."""
    from idpyoidc.client.exception import OidcServiceError
    client, recorder = client_for(provider, key, KEY_JWT), Recorder()
    made = idpyoidc_client(provider, authority, key, client, KEY_JWT, recorder, userinfo, dpop={
        "function": "idpyoidc.client.oauth2.add_on.dpop.add_support",
        "kwargs": {"dpop_signing_alg_values_supported": ["ES256"]}})
    place, _, _ = phone.log_in(made.begin(issuer_id="benji"))
    answer = landed(place)
    tokens = made.get_client_from_session_key(answer["state"])
    made.finalize_auth(tokens, provider.issuer, answer)
    bound = made.get_tokens(answer["state"], tokens)
    checks.equal(bound.get("token_type"), "DPoP", f"idpyoidc's proof binds the access token: {bound}")
    with pytest.raises(OidcServiceError):
        made.get_user_info(answer["state"], tokens, bound["access_token"])
    headers, _, refused = recorder.last("/openid/userinfo")
    checks.equal((headers["Authorization"].split()[0], refused.status_code), (scheme, 401),
                 f"at userinfo it is sent as {scheme}, and refused")
    proof = claims_of(headers["dpop"])
    checks.equal((proof["htm"], proof["ath"]), ("GET", hashlib.sha256(bound["access_token"].encode()).hexdigest()),
                 "its proof names the token in hexadecimal")
    wanted = 'Bearer error="invalid_token"' if scheme == "Bearer" else 'DPoP error="invalid_dpop_proof"'
    checks.that(refused.headers["WWW-Authenticate"].startswith(wanted), f"the refusal says {wanted}", refused.headers)


@pytest.mark.parametrize("method, arguments, status, error", [
    (KEY_JWT, [], 401, "invalid_client"), (BASIC, ["--jwks"], 400, "invalid_request_object")], ids=[KEY_JWT, BASIC])
def test_idpyoidc_with_pushed_requests(checks, provider, authority, key, method, arguments, status, error):
    """Its add-on authenticates by headers alone, so not by an assertion, and its signed request names no issuer. Its
    source takes only 200 for an answer, where RFC 9126 section 2.2 has 201. So no provider that keeps to the RFC can
    serve it."""
    keys = folder() / "keys.json"
    keys.write_text(json.dumps({"keys": [key.private]}))
    client, recorder = client_for(provider, key, method, *arguments,
                                  *([str(key.jwks)] if arguments else [])), Recorder()
    made = idpyoidc_client(provider, authority, key, client, method, recorder, keys=keys, par={
        "function": "idpyoidc.client.oauth2.add_on.par.add_support", "kwargs": {"authn_method": method}})
    with pytest.raises(ConnectionError):
        made.begin(issuer_id="benji")
    _, sent, answer = recorder.last("/openid/par")
    checks.that("client_assertion" not in sent and "request" in sent,
                f"idpyoidc, {method}, pushes a signed request without an assertion", sent)
    checks.equal((answer.status_code, answer.json()["error"]), (status, error),
                 f"idpyoidc, {method}: what it pushes is refused")


# go-oidc

@pytest.fixture(scope="module")
def go_client():
    go = require("go", "golang-go")
    program = folder() / "openid_client"
    sources = os.path.join(os.path.dirname(__file__), "../support/openid_client.go")
    built = run([go, "build", "-o", str(program), sources], env={
        **os.environ, "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": "", "CGO_ENABLED": "0",
        "GOCACHE": str(program.parent / "cache"), "HOME": str(program.parent)})
    if built.returncode != 0:
        raise Stop(f"go build: {built.stderr[-600:]} install it with: apt-get install golang-github-coreos-go-oidc-dev")
    return program


@pytest.mark.parametrize("method, style", [(BASIC, "header"), (POST, "form"), (BASIC, "auto"), (POST, "auto")],
                         ids=[BASIC, POST, f"{BASIC}-found", f"{POST}-found"])
def test_go_oidc(checks, provider, authority, key, phone, go_client, method, style):
    client = client_for(provider, key, method, "--no-pkce", "--rs256")
    process = subprocess.Popen(
        [go_client, provider.issuer, client["client_id"], client["client_secret"], CALLBACK, style],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    place, _, _ = phone.log_in(process.stdout.readline().strip())
    out, problem = process.communicate(landed(place)["code"] + "\n", timeout=20)
    checks.equal(process.returncode, 0, f"go-oidc, {method}, {style}, ends well: {problem}")
    person = json.loads(out or "{}")
    checks.equal((person.get("phone_number"), person.get("same"), person.get("nonce")),
                 ("+86" + NUMBER, True, "nonce-of-go"), f"go-oidc, {method}, {style}, logs the phone in")


@pytest.mark.parametrize("method", CERTIFICATES)
def test_go_oidc_with_a_certificate(checks, provider, authority, shown, phone, go_client, method):
    """go-oidc's own call of userinfo goes to the usual address, where a bound token is refused; the client of x/oauth2
    goes to the alias."""
    client = client_with_certificate(provider, shown, method, "--no-pkce", "--rs256", BOUND)
    process = subprocess.Popen(
        [go_client, provider.issuer, client["client_id"], client.get("client_secret", ""), CALLBACK, "form",
         shown[method].pem, shown[method].key],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    place, _, _ = phone.log_in(process.stdout.readline().strip())
    out, problem = process.communicate(landed(place)["code"] + "\n", timeout=20)
    checks.equal(process.returncode, 0, f"go-oidc, {method}, ends well: {problem}")
    person = json.loads(out or "{}")
    checks.equal((person.get("phone_number"), person.get("same")), ("+86" + NUMBER, True),
                 f"go-oidc, {method}, logs the phone in")
    checks.that("401" in person["usual"] and NUMBER not in person["usual"], "its own call of userinfo is refused",
                person)
