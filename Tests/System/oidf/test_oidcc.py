"""The modules of the OpenID Foundation's plans Basic OP, Form Post OP and Config OP that can be run from outside, each
by its name. The client is registered by hand. docs/oidf.md describes each of the others."""

import json
import re
import time
import urllib.parse

import pytest

from support.checks import Stop
from support.formbrowser import FormBrowser
from support.provider import CertificateAuthority, Provider
from support.relying import Caller, RelyingParty, Returned, SigningKey

pytestmark = pytest.mark.seconds(120)

PHONE, NUMBER = "127.8.0.2", "13800000001"
CALLBACK = "https://shop.example/callback"
WITH_QUERY = "https://shop.example/second?dummy1=lorem&dummy2=ipsum"
# OpenID Connect Core §3.1.2.6: somebody would have to do something.
NEEDS_A_PERSON = ("interaction_required", "login_required", "account_selection_required", "consent_required")


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
def clients(provider):
    """Registered as Basic OP's clients are: without PKCE, which the plan never requires. The client that most modules
    use may be remembered by people's browsers; unless they set the box it is a client like the others."""
    app = provider.create_app(name="Shop", server_address="127.0.0.1")
    return {
        "basic": provider.client(CALLBACK, "--redirect-uri", WITH_QUERY, "--no-pkce", "--remember-consent", app=app),
        "plain": provider.client(CALLBACK, "--no-pkce"),
        "second": provider.client(WITH_QUERY, "--no-pkce"),
        "post": provider.client(CALLBACK, "--no-pkce", "--auth-method", "client_secret_post")}


@pytest.fixture(params=[None, "form_post"], ids=["basic", "form_post"])
def mode(request):
    """Basic OP, and the same as Form Post OP."""
    return request.param


@pytest.fixture
def shop(caller, clients, mode):
    return RelyingParty(caller, clients["basic"], CALLBACK, mode=mode)


@pytest.fixture
def phone(authority):
    """A browser without any cookie."""
    return FormBrowser(authority, PHONE, ends="https://shop.example/")


def is_returned(checks, party, returned, request, sentence):
    """That an answer came in the way that was asked for, with the state and the issuer."""
    if party.mode == "form_post":
        checks.that(returned.form is not None and not {"code", "error", "state"} & set(returned.query),
                    f"{sentence}: the answer is a form, and nothing of it is in the address", returned)
    else:
        checks.that(returned.form is None and "#" not in returned.place, f"{sentence}: the answer is in the query",
                    returned)
    checks.that(returned.place.startswith(request["redirect_uri"]), f"{sentence}: it came to the redirect URI",
                returned)
    checks.equal((returned.values.get("state"), returned.values.get("iss")),
                 (request.get("state"), party.metadata["issuer"]),
                 f"{sentence}: it has the state and the issuer")


def is_refused(checks, party, returned, request, errors, sentence):
    is_returned(checks, party, returned, request, sentence)
    checks.that(returned.error in errors and "code" not in returned.values,
                f"{sentence}: the app is told so, and gets no code", returned)


def buys_tokens(checks, party, returned, request, sentence):
    """(tokens, claims) of a login that is as it should be to the end."""
    is_returned(checks, party, returned, request, sentence)
    answer = party.exchange(returned.values["code"])
    checks.that(answer.status == 200 and answer.json["token_type"].lower() == "bearer"
                and answer.json["expires_in"] > 0,
                f"{sentence}: the code buys a bearer token that says how long it lives", answer)
    return answer.json, party.id_token(checks, answer.json, request, sentence)


def logs_in(checks, party, browser, sentence, remembers=False, **changes):
    """(request, tokens, claims) of a whole login.

    - remembers: the person sets the box below the page."""
    request = party.request(**changes)
    tokens, claims = buys_tokens(checks, party, party.log_in(browser, request, remembers=remembers), request, sentence)
    return request, tokens, claims


def is_person(checks, answer, claims, sentence, number=False):
    """Checks userinfo's answer about the person who logged in."""
    expected = {"sub": claims["sub"],
                **({"phone_number": "+86" + NUMBER, "phone_number_verified": True} if number else {})}
    checks.equal((answer.status, answer.json), (200, expected), sentence)


# Config OP

def test_oidcc_discovery_endpoint_verification(checks, provider, caller, clients):
    answer = caller.ask("GET", provider.issuer + "/.well-known/openid-configuration")
    checks.equal((answer.status, answer.kind), (200, "application/json"),
                 "the configuration is JSON, at its well-known address")
    said = answer.json
    checks.equal(said["issuer"], provider.issuer,
                 "its issuer is the address that it was read from, less the well-known part")
    addresses = {name: value for name, value in said.items() if name.endswith(("_endpoint", "_uri"))}
    checks.that({"authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"} <= set(addresses)
                and all(urllib.parse.urlsplit(each).scheme == "https" for each in addresses.values()),
                "every address is https", addresses)
    for name, least in (
            ("response_types_supported", "code"), ("subject_types_supported", "pairwise"),
            ("grant_types_supported", "authorization_code"),
            ("id_token_signing_alg_values_supported", "RS256"),
            ("request_object_signing_alg_values_supported", "RS256"),
            ("scopes_supported", "openid"), ("claims_supported", "sub"), ("code_challenge_methods_supported", "S256")):
        checks.that(isinstance(said[name], list) and least in said[name] and len(set(said[name])) == len(said[name]),
                    f"{name} is a list with {least}, and names nothing twice", said[name])
    checks.that(all(re.fullmatch(r"[\x21\x23-\x5b\x5d-\x7e]+", each) for each in said["scopes_supported"]),
                "scopes are of RFC 6749's signs")
    checks.that(all(re.fullmatch(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?", each)
                    for each in said["ui_locales_supported"]),
                "locales are BCP 47's, in its spelling", said["ui_locales_supported"])
    for name in ("request_parameter_supported", "request_uri_parameter_supported", "claims_parameter_supported"):
        checks.that(isinstance(said[name], bool), f"{name} is said")
    checks.equal(said["request_uri_parameter_supported"], False,
                 "request_uri, whose default is true, is said not to be there")
    keys = caller.keys()
    checks.that(keys and len({key["kid"] for key in keys}) == len(keys) and all(key["use"] == "sig" for key in keys),
                "each key has a name of its own and is for signatures", keys)
    checks.that(not any({"d", "p", "q", "k"} & set(key) for key in keys), "and holds nothing secret")


# Basic OP and Form Post OP

def test_oidcc_server(checks, caller, clients, phone, shop, mode):
    """Two clients, and the second one's redirect URI has a query."""
    second = RelyingParty(caller, clients["second"], WITH_QUERY, mode=mode)
    seen = []
    for party, name in ((shop, "the first client"), (second, "the second client")):
        request = party.request(state="s" * (8 if party is shop else 128), nonce="n" * (8 if party is shop else 43))
        returned = party.log_in(phone, request)
        code = returned.values["code"]
        checks.that(len(code) >= 22, f"{name}: the code has 128 bits and more", code)
        tokens, claims = buys_tokens(checks, party, returned, request, name)
        checks.that("refresh_token" not in tokens and "name" not in claims and "phone_number" not in claims,
                    f"{name}: nothing comes that was not asked for", claims)
        is_person(checks, party.user_info(tokens["access_token"]), claims, f"{name}: userinfo names the same person")
        seen.append((code, tokens["access_token"], claims["sub"]))
    checks.that(not set(seen[0]) & set(seen[1]), "code, token and sub of two clients differ")
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(returned.place).query))
    checks.equal((query.get("dummy1"), query.get("dummy2")), ("lorem", "ipsum"), "a redirect URI keeps its query")


def test_oidcc_response_type_missing(checks, phone, shop):
    request = shop.request(response_type=None)
    is_refused(checks, shop, shop.send(phone, request), request, ("invalid_request", "unsupported_response_type"),
               "no response_type")


def test_oidcc_userinfo_get(checks, phone, shop):
    _, tokens, claims = logs_in(checks, shop, phone, "a login")
    answer = shop.user_info(tokens["access_token"])
    checks.equal(answer.kind, "application/json", "userinfo is JSON")
    is_person(checks, answer, claims, "GET names who logged in")


def test_oidcc_userinfo_post_header(checks, phone, shop):
    _, tokens, claims = logs_in(checks, shop, phone, "a login")
    is_person(checks, shop.user_info(tokens["access_token"], "POST"), claims,
              "POST with the token in the header names who logged in")


def test_oidcc_userinfo_post_body(checks, caller, phone, shop):
    _, tokens, claims = logs_in(checks, shop, phone, "a login")
    answer = caller.ask("POST", caller.metadata["userinfo_endpoint"], {"access_token": tokens["access_token"]})
    is_person(checks, answer, claims, "POST with the token in a form names who logged in")


def test_oidcc_ensure_request_without_nonce_succeeds_for_code_flow(checks, phone, shop):
    _, _, claims = logs_in(checks, shop, phone, "a request without nonce", nonce=None)
    checks.that("nonce" not in claims, "the ID token has none either", claims)


def test_oidcc_scope_phone(checks, phone, shop):
    _, tokens, claims = logs_in(checks, shop, phone, "the scope phone", scope="openid phone")
    is_person(checks, shop.user_info(tokens["access_token"]), claims, "userinfo has number and whether it is verified",
              number=True)


@pytest.mark.parametrize("scopes",
                         ["openid profile", "openid email", "openid address", "openid email phone address profile"])
def test_scopes_of_which_there_are_none_are_left_out(checks, phone, shop, scopes):
    """Instead of oidcc-scope-profile, -email, -address and -all, which the suite skips where the scopes are not
    supported."""
    _, tokens, claims = logs_in(checks, shop, phone, scopes, scope=scopes)
    granted = [each for each in ("openid", "phone") if each in scopes.split()]
    checks.equal(tokens["scope"].split(), granted, f"{scopes}: the answer says what was granted")
    is_person(checks, shop.user_info(tokens["access_token"]), claims, f"{scopes}: and userinfo has no more",
              number="phone" in granted)


def test_oidcc_alternate_happy_flow(checks, phone, shop):
    """With the scope phone in the place of email, which is not there."""
    request = dict(reversed(shop.request(scope="phone openid").items()))
    tokens, claims = buys_tokens(checks, shop, shop.log_in(phone, request), request,
                                 "parameters and scopes in the other order")
    is_person(checks, shop.user_info(tokens["access_token"]), claims, "they say the same", number=True)


def succeeds(checks, phone, shop, sentence, remembers=False, **changes):
    return logs_in(checks, shop, phone, sentence, remembers, **changes)[2]


def is_remembered(checks, party, browser, first, sentence, **changes):
    """That a login without a page names the person of a first one, and when they tapped then."""
    time.sleep(1.1)
    request = party.request(**changes)
    _, claims = buys_tokens(checks, party, party.send(browser, request), request, sentence)
    checks.equal((claims["sub"], claims["auth_time"]), (first["sub"], first["auth_time"]),
                 f"{sentence}: person and auth_time are the first login's")
    checks.that(claims["iat"] > first["iat"], f"{sentence}: the ID token is a new one", claims)


def test_oidcc_display_page(checks, phone, shop):
    succeeds(checks, phone, shop, "display=page", display="page")


def test_oidcc_display_popup(checks, phone, shop):
    succeeds(checks, phone, shop, "display=popup", display="popup")


def test_oidcc_prompt_login(checks, phone, shop):
    first = succeeds(checks, phone, shop, "a first login", remembers=True)
    time.sleep(1)
    # `log_in` stops where no page is shown.
    second = succeeds(checks, phone, shop, "the same browser with prompt=login sees the page again", prompt="login")
    checks.that(second["auth_time"] > first["auth_time"] and second["sub"] == first["sub"],
                "the same person logged in later")


def test_oidcc_prompt_none_not_logged_in(checks, authority, phone, shop):
    elsewhere = FormBrowser(authority, "127.0.0.1", ends="https://shop.example/")
    for browser, where in ((phone, "on the phone's network"), (elsewhere, "elsewhere")):
        request = shop.request(prompt="none", state="s" * 128)
        is_refused(checks, shop, shop.send(browser, request), request, NEEDS_A_PERSON, f"prompt=none {where}")


def test_oidcc_prompt_none_logged_in(checks, phone, shop):
    first = succeeds(checks, phone, shop, "a first login", remembers=True)
    is_remembered(checks, shop, phone, first, "prompt=none after a login", prompt="none")


def test_oidcc_max_age_1(checks, phone, shop):
    first = succeeds(checks, phone, shop, "a first login", remembers=True)
    time.sleep(2)
    second = succeeds(checks, phone, shop, "max_age=1 after two seconds shows the page again", max_age="1")
    checks.that(second["auth_time"] > first["auth_time"] and time.time() - second["auth_time"] < 10,
                "auth_time is the second login's")


def test_oidcc_max_age_10000(checks, phone, shop):
    first = succeeds(checks, phone, shop, "max_age=15000", remembers=True, max_age="15000")
    is_remembered(checks, shop, phone, first, "max_age=10000 after a login", max_age="10000")


def test_oidcc_ensure_request_with_unknown_parameter_succeeds(checks, phone, shop):
    succeeds(checks, phone, shop, "a parameter that nobody knows", extra="foobar")


def test_oidcc_id_token_hint(checks, phone, shop):
    _, tokens, first = logs_in(checks, shop, phone, "a first login", remembers=True)
    is_remembered(checks, shop, phone, first, "id_token_hint with prompt=none", prompt="none",
                  id_token_hint=tokens["id_token"])


def test_without_remembered_consent_each_login_is_a_tap(checks, caller, clients, phone, shop, mode):
    """The three modules that want a login without a page, with a client that cannot be remembered and with an empty
    box. A page is shown, or the app gets the error that a page is needed."""
    plain = RelyingParty(caller, clients["plain"], CALLBACK, mode=mode)
    for party, which in ((plain, "a client without it"), (shop, "an empty box")):
        _, tokens, first = logs_in(checks, party, phone, f"{which}: max_age=15000", max_age="15000")
        for hint, error in ((None, "consent_required"), (tokens["id_token"], "login_required")):
            request = party.request(prompt="none", id_token_hint=hint)
            is_refused(checks, party, party.send(phone, request), request, (error,),
                       f"{which}: prompt=none {'with' if hint else 'without'} a hint")
        time.sleep(1.1)
        second = succeeds(checks, phone, party, f"{which}: max_age=10000 shows the page again", max_age="10000",
                          id_token_hint=tokens["id_token"])
        checks.that(second["auth_time"] > first["auth_time"] and second["sub"] == first["sub"],
                    f"{which}: auth_time is the second tap's")


def test_oidcc_login_hint(checks, provider, phone, shop):
    succeeds(checks, phone, shop, "login_hint", login_hint=f"buffy@{urllib.parse.urlsplit(provider.issuer).hostname}")


def test_oidcc_ui_locales(checks, phone, shop):
    succeeds(checks, phone, shop, "ui_locales=se, a language that is not there", ui_locales="se")
    for language, words in (("en", "Log in"), ("zh-Hans", "登录")):
        place, _, page = phone.go(shop.address(shop.request(ui_locales=language)))
        checks.that(f'lang="{language}"' in page and words in page,
                    f"ui_locales={language} chooses the page's language", page[:300])


def test_oidcc_claims_locales(checks, phone, shop):
    succeeds(checks, phone, shop, "claims_locales=se", claims_locales="se")


def test_oidcc_ensure_request_with_acr_values_succeeds(checks, phone, shop):
    values = shop.metadata["acr_values_supported"]
    claims = succeeds(checks, phone, shop, "all of acr_values_supported", acr_values=" ".join(values))
    checks.that(claims["acr"] in values, "the ID token's acr is one of them", claims["acr"])


def reuse(checks, shop, code, tokens, sentence):
    again = shop.exchange(code)
    checks.equal((again.status, again.error), (400, "invalid_grant"), f"{sentence}: invalid_grant")
    answer = shop.user_info(tokens["access_token"])
    checks.equal((answer.status, answer.error), (401, "invalid_token"),
                 f"{sentence}: and what it had bought is revoked")


def test_oidcc_codereuse(checks, phone, shop):
    request = shop.request()
    returned = shop.log_in(phone, request)
    tokens, _ = buys_tokens(checks, shop, returned, request, "a login")
    reuse(checks, shop, returned.values["code"], tokens, "a code shown twice")


def test_oidcc_ensure_registered_redirect_uri(checks, phone, shop):
    request = shop.request(redirect_uri=CALLBACK + "/random")
    returned = shop.send(phone, request)
    checks.that(returned.place.startswith(shop.metadata["authorization_endpoint"]) and "redirect_uri" in returned.page,
                "a redirect URI that is not registered is named on a page, and nobody goes there", returned)


def test_oidcc_ensure_post_request_succeeds(checks, phone, shop):
    request = shop.request()
    place, form, page = phone.log_in(shop.metadata["authorization_endpoint"], request)
    buys_tokens(checks, shop, Returned(place, form, page), request, "a request by POST")


def test_oidcc_server_client_secret_post(checks, caller, clients, phone, mode):
    party = RelyingParty(caller, clients["post"], CALLBACK, secret_in_form=True, mode=mode)
    _, tokens, claims = logs_in(checks, party, phone, "client_secret_post")
    is_person(checks, party.user_info(tokens["access_token"]), claims, "userinfo names the same person")


def test_oidcc_claims_essential(checks, phone, shop):
    """The suite warns where there is no name: Benji knows none."""
    claims = json.dumps({"userinfo": {"name": {"essential": True}}})
    _, tokens, token = logs_in(checks, shop, phone, "the claim name, essential", claims=claims)
    is_person(checks, shop.user_info(tokens["access_token"]), token, "it is left out, and nothing else")


def test_oidcc_ensure_request_with_valid_pkce_succeeds(checks, caller, clients, phone, mode):
    party = RelyingParty(caller, clients["basic"], CALLBACK, mode=mode, pkce=True)
    logs_in(checks, party, phone, "PKCE that nobody asked for")


def test_unsigned_request_objects_are_refused(checks, clients, phone, shop):
    """Instead of the modules about request objects, which the suite skips where `none` is not supported."""
    checks.that("none" not in shop.metadata["request_object_signing_alg_values_supported"],
                "discovery does not name none")
    request = shop.request()
    unsigned = SigningKey().sign({"alg": "none"}, {**request, "iss": shop.id, "aud": shop.metadata["issuer"]})
    asked = {**request, "request": unsigned}
    is_refused(checks, shop, shop.send(phone, asked), request, ("request_not_supported",), "an unsigned request object")
    asked = {**request, "request_uri": "https://shop.example/request.jwt"}
    is_refused(checks, shop, shop.send(phone, asked), request, ("request_uri_not_supported",),
               "a request_uri of anywhere else")


# Of the plan for dynamic clients, what can be asked with clients that are registered by hand.

def test_oidcc_ensure_redirect_uri_in_authorization_request(checks, phone, shop):
    """The client has two, so that none of them is meant by itself."""
    returned = shop.send(phone, shop.request(redirect_uri=None))
    checks.that(returned.place.startswith(shop.metadata["authorization_endpoint"]) and "redirect_uri" in returned.page,
                "a request without redirect_uri ends on a page that says so", returned)


def test_oidcc_redirect_uri_query_OK(checks, caller, clients, phone, mode):
    party = RelyingParty(caller, clients["basic"], WITH_QUERY, mode=mode)
    request = party.request()
    returned = party.log_in(phone, request)
    buys_tokens(checks, party, returned, request, "a redirect URI with a query")
    checks.that("dummy1=lorem&dummy2=ipsum" in returned.place, "its query is kept", returned)


@pytest.mark.parametrize("uri", [WITH_QUERY.replace("lorem", "other"), CALLBACK.replace("callback", "second")],
                         ids=["changed", "left-out"])
def test_oidcc_redirect_uri_query_mismatch(checks, phone, shop, uri):
    returned = shop.send(phone, shop.request(redirect_uri=uri))
    checks.that(returned.place.startswith(shop.metadata["authorization_endpoint"]),
                "another query than the registered one goes nowhere", returned)


def test_oidcc_redirect_uri_query_added(checks, phone, shop):
    returned = shop.send(phone, shop.request(redirect_uri=CALLBACK + "?foo=bar"))
    checks.that(returned.place.startswith(shop.metadata["authorization_endpoint"]),
                "a query that was not registered goes nowhere", returned)


# Last, because it waits: what it waits for is begun with the first test.

@pytest.fixture(scope="module", autouse=True)
def early(caller, clients, authority):
    """Codes that were exchanged when the tests began."""
    begun = []
    for mode in (None, "form_post"):
        party = RelyingParty(caller, clients["basic"], CALLBACK, mode=mode)
        returned = party.log_in(FormBrowser(authority, PHONE, ends="https://shop.example/"), party.request())
        code = returned.values["code"]
        begun.append((party, code, party.exchange(code).json))
    return time.monotonic(), begun


def test_oidcc_codereuse_30seconds(checks, early):
    at, begun = early
    time.sleep(max(0, at + 30 - time.monotonic()))
    for party, code, tokens in begun:
        checks.equal(party.user_info(tokens["access_token"]).status, 200, "the token of a code lives after 30 seconds")
        reuse(checks, party, code, tokens, "a code shown again after 30 seconds")
