"""The modules of the OpenID Foundation's plan FAPI 2.0 Security Profile Final, each by its name. They are about a
server with `private_key_jwt`, DPoP and plain requests and answers. docs/oidf.md describes each of the others."""

import json
import re
import socket
import ssl
import time
import urllib.parse

import pytest

from support.checks import Stop
from support.formbrowser import FormBrowser
from support.provider import CertificateAuthority, Provider
from support.relying import Caller, Returned, SigningKey, SigningParty, b64, changed, hashed, unb64

pytestmark = pytest.mark.seconds(150)

PHONE, NUMBER = "127.8.0.2", "13800000001"
FIRST, SECOND = "https://bank.example/callback", "https://bank.example/second?dummy1=lorem&dummy2=ipsum"
OURS = "https://bank.example/"
# RFC 9325 §4.2, as OpenSSL calls them; the server's certificate is RSA's.
RECOMMENDED = ("ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384")


@pytest.fixture(scope="module")
def authority():
    return CertificateAuthority()


@pytest.fixture(scope="module")
def provider(authority):
    with Provider(authority) as server:
        attached = server.attach("attach", PHONE, NUMBER)
        if attached.returncode != 0:
            raise Stop(f"benji phone attach: {attached.stderr}")
        yield server


@pytest.fixture(scope="module")
def caller(provider):
    return Caller(provider)


@pytest.fixture(scope="module")
def registered(provider):
    """(client, keys) of two apps. The first has a key of each kind, and both have one name."""
    made = []
    for number, redirect_uri in ((1, FIRST), (2, SECOND)):
        keys = [SigningKey("EC", f"key-{number}")] + ([SigningKey("RSA", "key-1")] if number == 1 else [])
        jwks = provider.folder / f"jwks-{number}.json"
        jwks.write_text(json.dumps({"keys": [{**key.jwk, "kid": key.kid, "use": "sig"} for key in keys]}))
        made.append((provider.client(redirect_uri, "--jwks", str(jwks), "--profile", "fapi2"), keys))
    return made


@pytest.fixture
def bank(caller, registered):
    (client, keys), _ = registered
    return SigningParty(caller, client, FIRST, keys[0])


@pytest.fixture
def other(caller, registered):
    """The second client."""
    _, (client, keys) = registered
    return SigningParty(caller, client, SECOND, keys[0])


@pytest.fixture
def phone(authority):
    return FormBrowser(authority, PHONE, ends=OURS)


def is_returned(checks, party, returned, request, sentence):
    checks.that(returned.place.startswith(party.redirect_uri) and returned.form is None and "#" not in returned.place,
                f"{sentence}: the answer is in the query of the redirect URI", returned)
    checks.equal((returned.values.get("state"), returned.values.get("iss")),
                 (request.get("state"), party.metadata["issuer"]),
                 f"{sentence}: it has the state and the issuer")


def code_of(checks, party, browser, request, sentence, **options):
    returned = party.logged_in(browser, request, **options)
    is_returned(checks, party, returned, request, sentence)
    return returned.values["code"]


def buys_tokens(checks, party, code, request, sentence, **options):
    """(tokens, claims) of a code that is good."""
    answer = party.exchange(code, **options)
    checks.that(answer.status == 200 and answer.json["token_type"] == "DPoP" and answer.json["expires_in"] > 0,
                f"{sentence}: the code buys a token that is bound to the key", answer)
    return answer.json, party.id_token(checks, answer.json, request, sentence)


def logs_in(checks, party, browser, sentence, **changes):
    """(request, tokens, claims) of a whole login."""
    request = party.request(**changes)
    tokens, claims = buys_tokens(checks, party, code_of(checks, party, browser, request, sentence), request, sentence)
    return request, tokens, claims


def is_person(checks, party, tokens, claims, sentence, **options):
    answer = party.user_info(tokens["access_token"], **options)
    checks.equal((answer.status, answer.json.get("sub")), (200, claims["sub"]),
                 f"{sentence}: userinfo names who logged in")
    return answer


def is_refused(checks, answer, errors, sentence, statuses=(400, 401)):
    described = answer.json.get("error_description", "")
    checks.that(answer.status in statuses and answer.error in errors and answer.kind == "application/json",
                f"{sentence}: {' or '.join(errors)}", answer)
    checks.that(re.fullmatch(r"[\x20\x21\x23-\x5b\x5d-\x7e]*", described),
                f"{sentence}: described in RFC 6749's signs", described)


def is_page(checks, party, returned, sentence):
    """Checks that the person sees the error, and that the browser is not sent to the app."""
    checks.that(returned.place.startswith(party.metadata["authorization_endpoint"]) and "<html" in returned.page,
                sentence, returned)


# Well behaved clients

def test_fapi2_security_profile_final_discovery_end_point_verification(checks, provider, caller, registered):
    said = caller.metadata
    oauth = caller.ask("GET", provider.issuer + "/.well-known/oauth-authorization-server").json
    checks.equal(oauth, said, "RFC 8414's address says what OpenID Connect's does")
    checks.that(said["issuer"] == provider.issuer and provider.issuer.startswith("https://"),
                "the issuer is where it was read")
    for name, least in (("response_types_supported", {"code"}),
                        ("token_endpoint_auth_methods_supported", {"private_key_jwt"}),
                        ("token_endpoint_auth_signing_alg_values_supported", {"ES256", "PS256"}),
                        ("id_token_signing_alg_values_supported", {"ES256"}),
                        ("code_challenge_methods_supported", {"S256"}),
                        ("scopes_supported", {"openid"}), ("subject_types_supported", {"pairwise"})):
        checks.that(least <= set(said[name]), f"{name} has {' and '.join(sorted(least))}", said[name])
    checks.equal(set(said["dpop_signing_alg_values_supported"]), {"ES256", "PS256"},
                 "proofs are signed with nothing weaker")
    checks.equal(said["authorization_response_iss_parameter_supported"], True, "answers name their issuer")
    for name in ("pushed_authorization_request_endpoint", "authorization_endpoint", "token_endpoint", "jwks_uri"):
        checks.that(said[name].startswith("https://"), f"{name} is there, over TLS")
    checks.that("none" not in said["token_endpoint_auth_signing_alg_values_supported"], "none is no algorithm")
    keys = caller.keys()
    checks.that(len({key["kid"] for key in keys}) == len(keys), "no two keys have one kid")
    checks.that(all(len(key.get("n", "n" * 342)) >= 342 and key.get("crv", "P-256") == "P-256" for key in keys),
                "RSA keys have 2048 bits and more, others are on P-256", keys)


def test_fapi2_security_profile_final_happy_flow(checks, phone, bank, other):
    seen = []
    for party, name in ((bank, "the first client"), (other, "the second client")):
        request = party.request(scope="openid phone")
        pushed = party.push(request)
        checks.that(pushed.status == 201 and pushed.json["expires_in"] < 600 and pushed.kind == "application/json",
                    f"{name}: the request is taken, and lives less than ten minutes", pushed)
        checks.that(len(pushed.json["request_uri"].rpartition(":")[2]) >= 22, f"{name}: its name has 128 bits and more")
        returned = Returned(
            *phone.log_in(party.address({"client_id": party.id, "request_uri": pushed.json["request_uri"]})))
        is_returned(checks, party, returned, request, name)
        code = returned.values["code"]
        checks.that(len(code) >= 22, f"{name}: the code has 128 bits and more")
        tokens, claims = buys_tokens(checks, party, code, request, name)
        checks.that(len(tokens["access_token"]) >= 22 and "refresh_token" not in tokens,
                    f"{name}: so has the access token, and nothing renews it")
        answer = is_person(checks, party, tokens, claims, name)
        checks.that(answer.json["phone_number"] == "+86" + NUMBER and answer.headers["Date"],
                    f"{name}: with the number, and a date")
        seen.append((code, tokens["access_token"], claims["sub"]))
    checks.that(not set(seen[0]) & set(seen[1]), "code, token and sub of two clients differ")
    checks.that("dummy1=lorem&dummy2=ipsum" in returned.place, "a redirect URI keeps its query", returned)
    stolen = other.user_info(seen[0][1])
    checks.equal(stolen.status, 401, "a token is no good with another client's key")


def test_fapi2_security_profile_final_user_rejects_authentication(checks, phone, bank):
    request = bank.request()
    returned = Returned(*phone.log_in(bank.pushed(request), action="switch"))
    is_returned(checks, bank, returned, request, "a person who turns back")
    checks.that(returned.error == "access_denied" and "code" not in returned.values, "the app hears access_denied",
                returned)


def test_fapi2_security_profile_final_ensure_authorization_request_without_state_success(checks, phone, bank):
    request = bank.request(state=None)
    returned = bank.logged_in(phone, request)
    checks.that("state" not in returned.values, "without state none comes back", returned)
    _, claims = buys_tokens(checks, bank, returned.values["code"], request, "a request without state")
    checks.that("s_hash" not in claims, "nor its hash", claims)


def test_fapi2_security_profile_final_ensure_authorization_request_without_nonce_success(checks, phone, bank):
    _, _, claims = logs_in(checks, bank, phone, "a request without nonce", nonce=None)
    checks.that("nonce" not in claims, "the ID token has none either", claims)


def test_fapi2_security_profile_final_ensure_authorization_request_with_64_char_nonce_success(checks, phone, bank):
    _, _, claims = logs_in(checks, bank, phone, "a nonce of 64 characters", nonce="n" * 64)
    checks.equal(claims["nonce"], "n" * 64, "it comes back whole")


def test_fapi2_security_profile_final_ensure_other_scope_order_succeeds(checks, phone, bank):
    _, tokens, claims = logs_in(checks, bank, phone, "scopes in the other order", scope="phone openid")
    checks.that("phone_number" in is_person(checks, bank, tokens, claims, "scopes in the other order").json,
                "both are granted")


def test_fapi2_security_profile_final_access_token_type_header_case_sensitivity(checks, phone, bank):
    _, tokens, claims = logs_in(checks, bank, phone, "a login")
    for scheme in ("dpop", "DPOP", "DPoP"):
        is_person(checks, bank, tokens, claims, f"Authorization: {scheme}", scheme=scheme)


def test_fapi2_security_profile_final_check_dpop_proof_nbf_exp(checks, phone, bank):
    request = bank.request()
    now = int(time.time())
    times = {"nbf": now, "exp": now + 300}
    tokens, claims = buys_tokens(checks, bank, code_of(checks, bank, phone, request, "a login"), request,
                                 "a proof with nbf and exp", proof=times)
    url = bank.metadata["userinfo_endpoint"]

    def proves(**more):
        return lambda: [("DPoP", bank.proof("GET", url, tokens["access_token"], **more))]

    is_person(checks, bank, tokens, claims, "a proof with nbf and exp", prove=proves(**times))
    for wrong, name in (({"nbf": now + 120}, "a proof that does not count yet"),
                        ({"exp": now - 60}, "a proof that has ended")):
        is_refused(checks, bank.user_info(tokens["access_token"], prove=proves(**wrong)), ("invalid_dpop_proof",), name)


def proofs_of_another_moment_count(checks, phone, bank, seconds):
    name = f"proofs {seconds} seconds from now"
    made = {"iat": int(time.time()) + seconds}
    request = bank.request()
    code = code_of(checks, bank, phone, request, name, proof=made)
    tokens, claims = buys_tokens(checks, bank, code, request, name, proof=made)
    url = bank.metadata["userinfo_endpoint"]
    is_person(checks, bank, tokens, claims, name,
              prove=lambda: [("DPoP", bank.proof("GET", url, tokens["access_token"], **made))])


def test_fapi2_security_profile_final_ensure_dpopproof_with_iat_10seconds_before_succeeds(checks, phone, bank):
    proofs_of_another_moment_count(checks, phone, bank, -10)


def test_fapi2_security_profile_final_ensure_dpopproof_with_iat_10seconds_after_succeeds(checks, phone, bank):
    proofs_of_another_moment_count(checks, phone, bank, 10)


# Codes that are bound to a key

def test_fapi2_security_profile_final_ensure_mismatched_dpop_jkt_fails(checks, bank):
    answer = bank.push(bank.request(dpop_jkt=SigningKey().thumbprint), proof={})
    is_refused(checks, answer, ("invalid_request", "invalid_dpop_proof"), "dpop_jkt of another key than the proof's")


def test_fapi2_security_profile_final_ensure_token_endpoint_fails_with_mismatched_dpop_proof_jkt(checks, phone, bank):
    code = code_of(checks, bank, phone, bank.request(), "a request that is pushed with a proof", proof={})
    answer = bank.exchange(code, proof={"key": SigningKey()})
    is_refused(checks, answer, ("invalid_request", "invalid_grant", "invalid_dpop_proof"), "its code with another key",
               (400,))


def test_fapi2_security_profile_final_ensure_token_endpoint_fails_with_mismatched_dpop_jkt(checks, phone, bank):
    code = code_of(checks, bank, phone, bank.request(dpop_jkt=SigningKey().thumbprint), "a request with dpop_jkt")
    is_refused(checks, bank.exchange(code), ("invalid_request", "invalid_grant", "invalid_dpop_proof"),
               "its code with another key", (400,))


def test_fapi2_security_profile_final_ensure_dpopproof_at_par_endpoint_binding_success(checks, phone, bank):
    request = bank.request()
    code = code_of(checks, bank, phone, request, "a request that is pushed with a proof", proof={})
    tokens, claims = buys_tokens(checks, bank, code, request, "with the same key")
    is_person(checks, bank, tokens, claims, "with the same key")


def test_fapi2_security_profile_final_ensure_dpop_auth_code_binding_success(checks, phone, bank):
    request = bank.request(dpop_jkt=bank.proof_key.thumbprint)
    code = code_of(checks, bank, phone, request, "a request with dpop_jkt and a proof", proof={})
    tokens, claims = buys_tokens(checks, bank, code, request, "with the same key")
    is_person(checks, bank, tokens, claims, "with the same key")


# Parameters beside a pushed request, and long values

def beside(bank, request, **more):
    """The address of a pushed request with further parameters."""
    return bank.pushed(request) + "&" + urllib.parse.urlencode(more)


def test_fapi2_security_profile_final_ensure_different_nonce_inside_and_outside_request_object(checks, phone, bank):
    request = bank.request()
    returned = Returned(*phone.log_in(beside(bank, request, nonce="outside")))
    is_returned(checks, bank, returned, request, "another nonce beside the pushed request")
    buys_tokens(checks, bank, returned.values["code"], request, "the pushed one is in the ID token")


def test_fapi2_security_profile_final_ensure_different_state_inside_and_outside_request_object(checks, phone, bank):
    request = bank.request()
    returned = Returned(*phone.log_in(beside(bank, request, state="outside")))
    is_returned(checks, bank, returned, request, "another state beside the pushed request changes nothing")
    buys_tokens(checks, bank, returned.values["code"], request, "the login is good")


def test_fapi2_security_profile_final_state_only_outside_request_object_not_used(checks, phone, bank):
    request = bank.request(state=None)
    returned = Returned(*phone.log_in(beside(bank, request, state="outside")))
    checks.that("state" not in returned.values, "a state beside the pushed request is not used", returned)
    buys_tokens(checks, bank, returned.values["code"], request, "the login is good")


def test_fapi2_security_profile_final_ensure_authorization_request_with_long_nonce(checks, phone, bank):
    _, _, claims = logs_in(checks, bank, phone, "a nonce of 384 characters", nonce="n" * 384)
    checks.equal(claims["nonce"], "n" * 384, "it comes back whole")


def test_fapi2_security_profile_final_ensure_authorization_request_with_long_state(checks, phone, bank):
    request, _, _ = logs_in(checks, bank, phone, "a state of 1000 characters", state="s" * 1000)
    checks.equal(len(request["state"]), 1000, "it came back whole")


# Requests that are refused

def test_fapi2_security_profile_final_ensure_request_object_without_redirect_uri_fails(checks, bank):
    is_refused(checks, bank.push(bank.request(redirect_uri=None)), ("invalid_request",), "no redirect_uri", (400,))


def test_fapi2_security_profile_final_ensure_redirect_uri_in_authorization_request(checks, bank):
    is_refused(checks, bank.push(bank.request(redirect_uri=None), proof={}), ("invalid_request",),
               "no redirect_uri, with a proof", (400,))


def test_fapi2_security_profile_final_plain_fapi_tolerate_unregistered_redirect_uri(checks, bank):
    answer = bank.push(bank.request(redirect_uri=FIRST + "/random"))
    is_refused(checks, answer, ("invalid_request",),
               "a redirect URI that is not registered, which a server may tolerate", (400,))


def test_fapi2_security_profile_final_ensure_unsigned_authorization_request_without_using_par_fails(checks, phone,
                                                                                                    bank):
    request = bank.request()
    returned = bank.send(phone, request)
    is_returned(checks, bank, returned, request, "a request that was not pushed")
    checks.that(returned.error == "invalid_request" and "code" not in returned.values, "the app hears invalid_request",
                returned)


def test_fapi2_security_profile_final_ensure_response_type_code_idtoken_fails(checks, bank):
    answer = bank.push(bank.request(response_type="code id_token"))
    is_refused(checks, answer, ("unsupported_response_type", "invalid_request"), "response_type=code id_token", (400,))


def test_fapi2_security_profile_final_ensure_response_type_token_fails(checks, bank):
    answer = bank.push(bank.request(response_type="token"))
    is_refused(checks, answer, ("unsupported_response_type", "invalid_request"), "response_type=token", (400,))


# The token endpoint

def test_fapi2_security_profile_final_ensure_client_id_in_token_endpoint(checks, phone, bank, other):
    code = code_of(checks, bank, phone, bank.request(), "a login")
    is_refused(checks, bank.exchange(code, client_id=other.id), ("invalid_client", "invalid_grant"),
               "another client's client_id")


def handshake(provider, port, ciphers, least, most):
    """The cipher suite that a listener agrees to, or None."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(provider.authority.ca)
    context.set_ciphers(ciphers + ":@SECLEVEL=0")
    context.minimum_version, context.maximum_version = least, most
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=10) as plain:
            with context.wrap_socket(plain, server_hostname="127.0.0.1") as made:
                return made.cipher()[0]
    except (ssl.SSLError, ConnectionError):
        return None


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fapi2_security_profile_final_ensure_holder_of_key_required(checks, provider, phone, bank):
    old, new, newest = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3
    every = [each["name"] for each in tls12_suites()]
    for port, name in ((provider.server, "what servers call"), (provider.device, "what browsers call")):
        checks.equal(handshake(provider, port, "ALL", old, ssl.TLSVersion.TLSv1_1), None, f"{name}: no TLS 1.0 and 1.1")
        checks.that(handshake(provider, port, "ALL", new, newest).startswith("TLS_"),
                    f"{name}: TLS 1.3 where the caller has it")
        taken = [suite for suite in every if handshake(provider, port, suite, new, new)]
        checks.equal(sorted(taken), sorted(RECOMMENDED),
                     f"{name}: in TLS 1.2 what RFC 9325 recommends and nothing else")
    code = code_of(checks, bank, phone, bank.request(), "a login")
    is_refused(checks, bank.exchange(code, proof=None), ("invalid_request", "invalid_grant", "invalid_dpop_proof"),
               "a code without a proof", (400,))


def tls12_suites():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.set_ciphers("ALL:@SECLEVEL=0")
    # Of an RSA certificate, without keys that are agreed on beforehand.
    return [each for each in context.get_ciphers() if each["protocol"] != "TLSv1.3" and each["auth"] == "auth-rsa"]


def test_fapi2_security_profile_final_ensure_authorization_code_is_bound_to_client(checks, phone, bank, other):
    code = code_of(checks, bank, phone, bank.request(), "a login")
    is_refused(checks, other.exchange(code, code_verifier=bank.verifier, redirect_uri=FIRST), ("invalid_grant",),
               "another client's code", (400,))


def test_fapi2_security_profile_final_attempt_reuse_authorization_code_after_one_second(checks, phone, bank):
    request = bank.request()
    code = code_of(checks, bank, phone, request, "a login")
    tokens, claims = buys_tokens(checks, bank, code, request, "a login")
    is_person(checks, bank, tokens, claims, "a login")
    time.sleep(1)
    is_refused(checks, bank.exchange(code), ("invalid_grant",), "a code shown twice", (400,))
    checks.equal(bank.user_info(tokens["access_token"]).status, 401, "and what it had bought is revoked")


def test_fapi2_security_profile_final_ensure_signed_client_assertion_with_RS256_fails(checks, phone, bank, registered):
    rsa = registered[0][1][1]
    code = code_of(checks, bank, phone, bank.request(), "a login")
    answer = bank.exchange(code, assertion=lambda: bank.assertion({"alg": "RS256"}, rsa))
    is_refused(checks, answer, ("invalid_client", "invalid_request"), "an assertion under RS256")
    answer = bank.exchange(code, assertion=lambda: bank.assertion(key=rsa))
    checks.equal(answer.status, 200, "the same key under PS256 counts")


def refused_assertion(checks, phone, bank, sentence, make):
    code = code_of(checks, bank, phone, bank.request(), "a login")
    is_refused(checks, bank.exchange(code, assertion=make), ("invalid_client", "invalid_request"), sentence)


def test_fapi2_security_profile_final_ensure_client_assertion_in_token_endpoint(checks, phone, bank):
    code = code_of(checks, bank, phone, bank.request(), "a login")
    for more in ({}, {"client_id": bank.id}):
        is_refused(checks, bank.exchange(code, authenticated=False, **more), ("invalid_client", "invalid_request"),
                   "no client assertion")


def test_fapi2_security_profile_final_ensure_client_assertion_with_exp_is_5_minutes_in_past_fails(checks, phone, bank):
    past = int(time.time()) - 300
    refused_assertion(checks, phone, bank,
                      "an assertion that ended five minutes ago", lambda: bank.assertion(exp=past, iat=past - 60))


def test_fapi2_security_profile_final_ensure_client_assertion_with_wrong_aud_fails(checks, phone, bank):
    refused_assertion(checks, phone, bank,
                      "an assertion for another server", lambda: bank.assertion(aud="https://other.example/"))


def test_fapi2_security_profile_final_ensure_client_assertion_with_no_sub_fails(checks, phone, bank):
    refused_assertion(checks, phone, bank, "an assertion without sub", lambda: bank.assertion(sub=None))


# Proofs that are none

def without_alg(text):
    """A JWT whose header names no algorithm."""
    head, rest = text.split(".", 1)
    return b64(json.dumps(changed(json.loads(unb64(head)), {"alg": None})).encode()) + "." + rest


def test_fapi2_security_profile_final_dpop_negative_tests(checks, phone, bank):
    _, tokens, claims = logs_in(checks, bank, phone, "a login")
    token, url = tokens["access_token"], bank.metadata["userinfo_endpoint"]
    is_person(checks, bank, tokens, claims, "a good proof")

    def made(**more):
        return bank.proof("GET", url, token, **more)

    def one(name="DPoP", **more):
        return lambda: [(name, made(**more))]

    def spoiled():
        head, body, signature = made().split(".")
        return f"{head}.{body}." + ("A" if signature[0] != "A" else "B") + signature[1:]

    now = int(time.time())
    rsa, stranger = SigningKey("RSA"), SigningKey()
    for name, prove in {
            "two proofs": lambda: [("DPoP", made()), ("DPoP", made())],
            "a proof that is no JWT": lambda: [("DPoP", "x" + made().replace(".", ""))],
            "no typ": one(header={"typ": None}), "another typ": one(header={"typ": "jwt"}),
            "no alg": lambda: [("DPoP", without_alg(made()))], "no jwk": one(header={"jwk": None}),
            "no jti": one(jti=None),
            "no htm": one(htm=None), "no htu": one(htu=None), "no iat": one(iat=None), "no ath": one(ath=None),
            "RS256": one(key=rsa, header={"alg": "RS256"}), "none": one(header={"alg": "none"}),
            "a signature that is none": lambda: [("DPoP", spoiled())],
            "a jwk with the private key": one(header={"jwk": bank.proof_key.private_jwk}),
            "another method": one(htm="PUT"),
            "another address": one(htu="https://other.example/userinfo"), "an hour from now": one(iat=now + 3600),
            "an hour ago": one(iat=now - 3600), "another token's hash": one(ath=hashed("other")),
            "another key": one(key=stranger),
            "no proof": lambda: []}.items():
        answer = bank.user_info(token, prove=prove)
        checks.that(answer.status == 401 and (answer.headers["WWW-Authenticate"] or "").startswith("DPoP "),
                    f"{name}: refused, and the answer says what would count", answer)
    checks.equal(bank.user_info(token, scheme="Bearer", prove=lambda: []).status, 401,
                 "as a bearer's token, without a proof")

    is_person(checks, bank, tokens, claims, "a jti of its own", prove=one(jti="only-once"))
    checks.equal(bank.user_info(token, prove=one(jti="only-once")).status, 401, "the same jti again")

    for sentence, prove in {
            "the header's name in capitals": one("DPOP"), "htu with query and fragment": one(htu=url + "?a=b#c"),
            "htu with its scheme in capitals": one(htu=url.replace("https", "HTTPS")),
            "claims and parameters that nobody knows": one(header={"extra": "value"}, extra="value")}.items():
        is_person(checks, bank, tokens, claims, sentence, prove=prove)
    is_person(checks, bank, tokens, claims, "a query of the address, which htu leaves out", prove=one(),
              url=url + "?a=b")
    is_person(checks, bank, tokens, claims, "after all of it a good proof")


# Pushed requests

def test_fapi2_security_profile_final_par_ensure_reused_request_uri_prior_to_auth_completion_succeeds(checks, phone,
                                                                                                      bank):
    request = bank.request()
    address = bank.pushed(request)
    first = Returned(*phone.go(address))
    checks.that("name=\"page\"" in first.page, "the page is shown", first)
    returned = Returned(*phone.log_in(address))
    is_returned(checks, bank, returned, request, "the page is shown again, and logs in")
    buys_tokens(checks, bank, returned.values["code"], request, "the page that was loaded twice")


def test_fapi2_security_profile_final_par_attempt_reuse_request_uri(checks, phone, bank):
    address = bank.pushed(bank.request())
    phone.log_in(address)
    is_page(checks, bank, Returned(*phone.go(address)),
            "a pushed request that has logged in shows a notice, and logs nobody in again")
    with pytest.raises(Stop):
        phone.log_in(address)


def pushing(checks, bank, sentence, taken, **changes):
    answer = bank.push(bank.request(), assertion=lambda: bank.assertion(**changes))
    if taken:
        checks.equal(answer.status, 201, f"{sentence} counts")
    else:
        is_refused(checks, answer, ("invalid_client", "invalid_request"), sentence)


def test_fapi2_security_profile_final_par_ensure_jwt_client_assertions_nbf_8_seconds_in_the_future_is_accepted(checks,
                                                                                                               bank):
    soon = int(time.time()) + 8
    pushing(checks, bank, "an assertion made eight seconds from now", True, iat=soon, nbf=soon, exp=soon + 60)


def test_fapi2_security_profile_final_par_ensure_jwt_client_assertions_nbf_over_60_seconds_in_the_future_fails(checks,
                                                                                                               bank):
    later = int(time.time()) + 70
    for wrong in ({"iat": later, "nbf": later}, {"nbf": later}, {"iat": later}):
        pushing(checks, bank, f"an assertion with {' and '.join(wrong)} more than a minute ahead", False, **wrong,
                exp=later + 60)


def test_fapi2_security_profile_final_par_attempt_to_use_request_uri_for_different_client(checks, phone, bank, other):
    uri = bank.push(bank.request()).json["request_uri"]
    returned = Returned(*phone.go(other.address({"client_id": other.id, "request_uri": uri})))
    is_page(checks, bank, returned, "another client's pushed request is an error on a page")
    checks.that("name=\"page\"" not in returned.page, "and no login", returned)


def test_fapi2_security_profile_final_par_authorization_request_containing_request_uri_form_param(checks, bank):
    answer = bank.push(bank.request(request_uri="urn:ietf:params:oauth:request_uri:random"))
    is_refused(checks, answer, ("invalid_request",), "request_uri in a pushed request", (400,))


def test_fapi2_security_profile_final_par_attempt_invalid_http_method(checks, bank):
    url = bank.metadata["pushed_authorization_request_endpoint"]
    for method in ("GET", "PUT", "DELETE"):
        answer = bank.caller.ask(method, url, None if method == "GET" else bank.request())
        checks.equal(answer.status, 405, f"{method} of a pushed request: Method Not Allowed")


def test_fapi2_security_profile_final_par_without_duplicate_parameters(checks, phone, bank):
    request = bank.request()
    address = bank.pushed(request)
    checks.equal(set(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))), {"client_id", "request_uri"},
                 "the browser is sent with client_id and request_uri alone")
    returned = Returned(*phone.log_in(address))
    is_returned(checks, bank, returned, request, "the login")


# PKCE

def test_fapi2_security_profile_final_par_ensure_pkce_required(checks, bank):
    answer = bank.push(bank.request(code_challenge=None, code_challenge_method=None))
    is_refused(checks, answer, ("invalid_request",), "no PKCE", (400,))


def test_fapi2_security_profile_final_ensure_pkce_code_verifier_required(checks, phone, bank):
    code = code_of(checks, bank, phone, bank.request(), "a login")
    is_refused(checks, bank.exchange(code, code_verifier=None), ("invalid_grant",), "no code_verifier", (400,))


def test_fapi2_security_profile_final_incorrect_pkce_code_verifier_rejected(checks, phone, bank):
    code = code_of(checks, bank, phone, bank.request(), "a login")
    is_refused(checks, bank.exchange(code, code_verifier="w" * 64), ("invalid_grant",), "another code_verifier", (400,))


def test_fapi2_security_profile_final_par_plain_pkce_rejected(checks, bank):
    request = bank.request()
    answer = bank.push(changed(request, {"code_challenge": bank.verifier, "code_challenge_method": "plain"}))
    is_refused(checks, answer, ("invalid_request",), "PKCE's plain", (400,))


# The audience of an assertion

def test_fapi2_security_profile_final_par_test_array_as_audience_fails(checks, bank):
    issuer = bank.metadata["issuer"]
    for audiences in ([issuer], [issuer, "https://other.example/"]):
        pushing(checks, bank, f"a list of {len(audiences)} audiences", False, aud=audiences)


def test_fapi2_security_profile_final_par_test_par_endpoint_url_as_audience_fails(checks, bank):
    pushing(checks, bank, "the address of pushed requests as audience", False,
            aud=bank.metadata["pushed_authorization_request_endpoint"])


def test_fapi2_security_profile_final_par_test_token_endpoint_url_as_audience_fails(checks, bank):
    pushing(checks, bank, "the token endpoint as audience", False, aud=bank.metadata["token_endpoint"])


# Requirements of the profile that no module checks (docs/oidf.md, clause by clause).

def test_other_grants_are_refused(checks, bank):
    for grant in ("password", "refresh_token", "implicit", "urn:ietf:params:oauth:grant-type:jwt-bearer"):
        answer = bank.exchange("nothing", grant_type=grant, username="a", password="b", refresh_token="c")
        is_refused(checks, answer, ("unsupported_grant_type",), f"grant_type={grant}", (400,))


def test_nobody_pushes_without_authentication(checks, bank):
    is_refused(checks, bank.push(bank.request(), authenticated=False), ("invalid_client",),
               "a request without authentication", (401,))


def test_there_is_no_cors_for_the_authorization_endpoint(checks, provider, phone, bank):
    place = urllib.parse.urlsplit(bank.address(bank.request()))
    for method in ("GET", "OPTIONS"):
        connection = phone.connect(place)
        connection.request(method, f"{place.path}?{place.query}",
                           headers={"Origin": "https://bank.example", "Access-Control-Request-Method": "GET"})
        answer = connection.getresponse()
        answer.read()
        checks.that(not any(name.lower().startswith("access-control-") for name in answer.headers),
                    f"{method}: no script of another origin may read it",
                    answer.headers)
        connection.close()


def test_browsers_are_sent_on_by_303_and_come_back_by_tls_alone(checks, phone, bank):
    status, headers, page = phone.fetch(bank.pushed(bank.request()))
    checks.that(status == 200 and headers["Strict-Transport-Security"] == "max-age=31536000",
                "the page has Strict-Transport-Security", headers)
    form = {"page": re.search(r'name="page" value="([A-Za-z0-9]+)"', page)[1], "action": "login", "agreed": "yes"}
    status, headers, _ = phone.fetch(bank.metadata["authorization_endpoint"].replace("authorize", "login"), form)
    checks.that(status == 303 and headers["Location"].startswith(FIRST), "its form is answered by 303",
                f"{status} {headers}")
    checks.equal(headers["Strict-Transport-Security"], "max-age=31536000", "so does that answer")


def test_a_token_goes_into_the_header(checks, phone, bank):
    _, tokens, claims = logs_in(checks, bank, phone, "a login")
    token, url = tokens["access_token"], bank.metadata["userinfo_endpoint"]
    for method, where, form in (("GET", f"{url}?access_token={token}", None), ("POST", url, {"access_token": token})):
        answer = bank.caller.ask(method, where, form, [("DPoP", bank.proof(method, url, token))])
        checks.equal(answer.status, 401, f"{method}: not in {'a form' if form else 'the address'}")
    is_person(checks, bank, tokens, claims, "in the header")


# Last, because they wait: what they wait for is begun with the first test.

@pytest.fixture(scope="module", autouse=True)
def early(caller, registered, authority):
    """A code, and a pushed request, that are not used for a minute."""
    (client, keys), _ = registered
    bank, idle = (SigningParty(caller, client, FIRST, keys[0]) for _ in range(2))
    returned = bank.logged_in(FormBrowser(authority, PHONE, ends=OURS), bank.request())
    return time.monotonic() + 62, bank, returned.values["code"], idle.pushed(idle.request())


def test_fapi2_security_profile_final_ensure_token_endpoint_fails_with_expired_auth_code(checks, early):
    ends, bank, code, _ = early
    time.sleep(max(0, ends - time.monotonic()))
    is_refused(checks, bank.exchange(code), ("invalid_grant",), "a code that is older than a minute", (400,))


def test_fapi2_security_profile_final_par_attempt_to_use_expired_request_uri(checks, phone, early):
    ends, bank, _, address = early
    time.sleep(max(0, ends - time.monotonic()))
    returned = Returned(*phone.go(address))
    is_page(checks, bank, returned, "a pushed request that is older than a minute shows a notice")
    checks.that("name=\"page\"" not in returned.page, "and no login", returned)
