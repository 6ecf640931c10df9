"""CAMARA without a page: the network recognises a phone by its address, and the phone's browser is back at the app at
once. The app's server is Authlib's client and asks number verification and sim-swap. Other phones, spent codes and
tokens for another interface get nothing."""

import re

import pytest

from support.authlib_client import SigningApp, authlib_checks
from support.checks import Stop
from support.formbrowser import FormBrowser
from support.provider import CertificateAuthority, Provider

PHONE, NUMBER = "127.8.0.2", "13800000001"
OTHER, OTHER_NUMBER = "127.8.0.3", "13900000002"
# An address of the carrier's at which no phone is, and one that is not the carrier's.
UNASSIGNED, ELSEWHERE = "127.8.0.9", "127.0.0.1"
UNKNOWN_NUMBER = "13700000009"
CALLBACK, SHOP_CALLBACK = "https://bank.example/callback", "https://shop.example/callback"
PURPOSE = "dpv:FraudPreventionAndDetection"

VERIFY, READ = "number-verification:verify", "number-verification:device-phone-number:read"
VERIFY_PATH, READ_PATH = "/number-verification/v2/verify", "/number-verification/v2/device-phone-number"
SWAP, SWAP_PATH = "sim-swap:check", "/sim-swap/v2/check"

SWAPPED = (200, {"swapped": True})
DENIED, UNAUTHENTICATED = (403, "PERMISSION_DENIED"), (401, "UNAUTHENTICATED")


@pytest.fixture(scope="module")
def authority():
    return CertificateAuthority()


@pytest.fixture(scope="module")
def installation(authority):
    return Provider(authority)


@pytest.fixture(scope="module")
def provider(server):
    for address, number in ((PHONE, NUMBER), (OTHER, OTHER_NUMBER)):
        attached = server.attach("attach", address, number)
        if attached.returncode != 0:
            raise Stop(f"benji phone attach: {attached.stderr}")
    return server


def capabilities(*names):
    return [word for name in names for word in ("--capability", name)]


@pytest.fixture(scope="module")
def bank(provider):
    """An app that may use each interface."""
    app = provider.create_app("--number-without-page", *capabilities("login", "verification", "sim-swap"), name="Bank",
                              server_address="127.0.0.1")
    made = SigningApp(provider, CALLBACK, PURPOSE, app)
    yield made
    made.close()


@pytest.fixture(scope="module")
def shop(provider):
    """An app that may verify numbers, and gets no number without a page."""
    app = provider.create_app(*capabilities("login", "verification"), name="Shop", server_address="127.0.0.1")
    made = SigningApp(provider, SHOP_CALLBACK, PURPOSE, app)
    yield made
    made.close()


@pytest.fixture
def browser(authority):
    """Makes the browser of a phone at an address. It runs no script, and does not call the apps."""
    return lambda address: FormBrowser(authority, address, ends=(CALLBACK, SHOP_CALLBACK))


def named(number):
    return {"phoneNumber": f"+86{number}"}


def verify(app, token, number):
    return app.ask("POST", VERIFY_PATH, token, named(number))


def verified(is_same):
    return 200, {"devicePhoneNumberVerified": is_same}


def refused(answer):
    """(status, code) of an answer of CAMARA's interfaces."""
    status, body = answer
    return status, body.get("code")


def landed(visit):
    """(error, code) with which a browser came back to the app."""
    return visit.answer.get("error"), visit.answer.get("code")


def test_a_phone_is_verified(checks, bank, browser):
    for number, is_same in ((NUMBER, True), (OTHER_NUMBER, False)):
        visit = bank.visit(browser(PHONE), f"openid {VERIFY}", prompt="login")
        checks.that(visit.landing.startswith(f"{CALLBACK}?"),
                    "the browser is back at the app without a page, whatever prompt says",
                    f"{visit.landing} {visit.page}")
        checks.equal((visit.answer.get("state"), visit.answer.get("iss")), (visit.state, bank.provider.issuer),
                     "the answer repeats the app's state and names its issuer")
        checks.that(NUMBER not in visit.landing, "the number is in no address", visit.landing)
        tokens = visit.tokens()
        checks.equal(authlib_checks(visit.session, tokens, visit.nonce, bank.client)["amr"], ["nba"],
                     "Authlib accepts the ID token, which says that the network recognised the phone")
        checks.equal(verify(bank, tokens["access_token"], number), verified(is_same),
                     f"number verification answers {is_same} for {number}")
        checks.equal(refused(verify(bank, tokens["access_token"], NUMBER)), UNAUTHENTICATED,
                     f"an access token that has bought the answer {is_same} buys no second one")


def test_the_number_needs_a_grant(checks, bank, shop, browser):
    token = bank.visit(browser(PHONE), READ).token()
    checks.equal(bank.ask("GET", READ_PATH, token), (200, {"devicePhoneNumber": f"+86{NUMBER}"}),
                 "an app with the grant gets the phone's number")
    checks.equal(landed(shop.visit(browser(PHONE), READ)), ("unauthorized_client", None),
                 "an app without the grant gets no code for it")
    checks.equal(verify(shop, shop.visit(browser(PHONE), VERIFY).token(), NUMBER), verified(True),
                 "an app without the grant may verify numbers")


def test_sim_swap(checks, bank, browser):
    token = bank.visit(browser(PHONE), SWAP).token()
    checks.equal(refused(bank.ask("POST", SWAP_PATH, token, named(NUMBER))), (422, "UNNECESSARY_IDENTIFIER"),
                 "a person's token asks about its own person only, whom a request need not name")
    checks.equal(bank.ask("POST", SWAP_PATH, token, {}), SWAPPED,
                 "the person's SIM is new, because the register knows it since this test began")
    own = bank.own_token(SWAP)
    checks.equal(refused(bank.ask("POST", SWAP_PATH, own, {})), (422, "MISSING_IDENTIFIER"),
                 "with the app's own token a request must name a number")
    checks.equal(bank.ask("POST", SWAP_PATH, own, named(NUMBER)), SWAPPED,
                 "with the app's own token sim-swap answers about the number in the request")
    checks.equal(refused(bank.ask("POST", SWAP_PATH, own, named(UNKNOWN_NUMBER))), (404, "IDENTIFIER_NOT_FOUND"),
                 "sim-swap finds no number that the register does not know")


def test_the_address_decides(checks, bank, browser):
    hint = f"tel:+86{NUMBER}"
    for number, is_same in ((NUMBER, False), (OTHER_NUMBER, True)):
        token = bank.visit(browser(OTHER), VERIFY, login_hint=hint).token()
        checks.equal(verify(bank, token, number), verified(is_same),
                     f"at another phone's address the answer is {is_same} for {number}, although a hint names {NUMBER}")
    for address in (UNASSIGNED, ELSEWHERE):
        checks.equal(landed(bank.visit(browser(address), VERIFY, login_hint=hint)), ("access_denied", None),
                     f"a browser at {address}, where no phone is, gets no code")


def test_a_code_is_good_for_one_app_and_one_browser(checks, bank, shop, browser):
    mine, others = bank.visit(browser(PHONE), VERIFY), bank.visit(browser(OTHER), VERIFY)
    checks.equal(others.refusal(code=mine.answer["code"]), "invalid_grant",
                 "a code that is shown in the login of another browser buys nothing")
    checks.equal(bank.visit(browser(PHONE), VERIFY).refusal(by=shop), "invalid_grant",
                 "a code that another app shows buys nothing")
    checks.equal(verify(bank, others.token(), OTHER_NUMBER), verified(True),
                 "after these attempts the other browser's own code is good")


def test_a_spent_code_buys_nothing(checks, bank, browser):
    visit = bank.visit(browser(PHONE), VERIFY)
    token = visit.token()
    checks.equal(visit.refusal(), "invalid_grant", "a code that is shown twice buys nothing the second time")
    checks.equal(refused(verify(bank, token, NUMBER)), UNAUTHENTICATED,
                 "a code that is shown twice loses what it bought the first time")
    once = bank.visit(browser(PHONE), VERIFY)
    checks.equal(verify(bank, once.token(), NUMBER), verified(True), "a code that is shown once keeps what it bought")


def test_a_scope_opens_its_own_interface_alone(checks, bank, browser):
    token = bank.visit(browser(PHONE), VERIFY).token()
    checks.equal(refused(bank.ask("GET", READ_PATH, token)), DENIED, f"a token for {VERIFY} does not read the number")
    checks.equal(refused(bank.ask("POST", SWAP_PATH, token, {})), DENIED, f"a token for {VERIFY} asks about no SIM")
    checks.equal(verify(bank, token, NUMBER), verified(True), f"a token for {VERIFY} is not spent by these refusals")
    own = bank.own_token(SWAP)
    for scope, token in ((READ, bank.visit(browser(PHONE), READ).token()), (SWAP, own)):
        checks.equal(refused(verify(bank, token, NUMBER)), DENIED, f"a token for {scope} verifies no number")
    checks.equal(bank.ask("POST", SWAP_PATH, own, named(NUMBER)), SWAPPED,
                 f"a token for {SWAP} asks about a SIM after such a refusal")
    checks.equal(refused(verify(bank, None, NUMBER)), UNAUTHENTICATED, "without a token there is no answer")


def test_a_request_names_one_purpose_of_the_app(checks, bank, browser):
    for scope in (f"{VERIFY} dpv:Marketing", "openid"):
        checks.equal(landed(bank.visit(browser(PHONE), scope)), ("invalid_scope", None),
                     f"a request for {scope} {PURPOSE} gets no code")
    checks.that("code" in bank.visit(browser(PHONE), VERIFY).answer, f"a request for {VERIFY} {PURPOSE} gets a code")


def test_a_client_signs_with_its_own_key(checks, bank, shop, browser):
    visit = bank.visit(browser(PHONE), VERIFY)
    visit.session.client_secret = shop.key
    checks.equal(visit.refusal(), "invalid_client", "a request for tokens that another key has signed is refused")
    visit.session.client_secret = bank.key
    checks.equal(verify(bank, visit.token(), NUMBER), verified(True), "a refused client has not spent the code")


def test_the_number_is_not_in_the_log(checks, bank, browser):
    verify(bank, bank.visit(browser(PHONE), VERIFY).token(), NUMBER)
    written = "".join(log.read_text(errors="replace") for log in bank.provider.logs)
    checks.that(VERIFY_PATH in written, "the log has the request for a verification", bank.provider.tail())
    checks.equal(re.findall(NUMBER, written), [], "the log has no number")
