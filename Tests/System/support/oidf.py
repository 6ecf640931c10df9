"""The modules of the OpenID Foundation's conformance suite that docs/oidf.md answers for, by plan. They are those of
servers, as the suite has them in August 2026 (openid-certification/conformance-suite, 12f2a4d)."""

import re

_BASIC = """
    oidcc-server oidcc-response-type-missing oidcc-idtoken-signature oidcc-idtoken-unsigned oidcc-userinfo-get
    oidcc-userinfo-post-header oidcc-userinfo-post-body oidcc-ensure-request-without-nonce-succeeds-for-code-flow
    oidcc-scope-profile oidcc-scope-email oidcc-scope-address oidcc-scope-phone oidcc-scope-all
    oidcc-alternate-happy-flow oidcc-display-page oidcc-display-popup oidcc-prompt-login oidcc-prompt-none-not-logged-in
    oidcc-prompt-none-logged-in oidcc-max-age-1 oidcc-max-age-10000 oidcc-ensure-request-with-unknown-parameter-succeeds
    oidcc-id-token-hint oidcc-login-hint oidcc-ui-locales oidcc-claims-locales
    oidcc-ensure-request-with-acr-values-succeeds oidcc-codereuse oidcc-codereuse-30seconds
    oidcc-ensure-registered-redirect-uri oidcc-ensure-post-request-succeeds oidcc-server-client-secret-post
    oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported
    oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported oidcc-claims-essential
    oidcc-ensure-request-object-with-redirect-uri oidcc-refresh-token oidcc-ensure-request-with-valid-pkce-succeeds
""".split()
# Of this plan only those that need no client that registers itself.
_DYNAMIC = """
    oidcc-ensure-redirect-uri-in-authorization-request oidcc-redirect-uri-query-OK oidcc-redirect-uri-query-mismatch
    oidcc-redirect-uri-query-added
""".split()
# With `private_key_jwt`, DPoP, OpenID Connect, plain requests and answers.
_FAPI = [f"fapi2-security-profile-final-{name}" for name in """
    discovery-end-point-verification happy-flow user-rejects-authentication
    ensure-authorization-request-without-state-success ensure-authorization-request-without-nonce-success
    ensure-authorization-request-with-64-char-nonce-success ensure-other-scope-order-succeeds
    test-claims-parameter-identity-claims access-token-type-header-case-sensitivity check-dpop-proof-nbf-exp
    ensure-dpopproof-with-iat-10seconds-before-succeeds ensure-dpopproof-with-iat-10seconds-after-succeeds
    ensure-mismatched-dpop-jkt-fails ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt
    ensure-token-endpoint-fails-with-mismatched-dpop-jkt ensure-dpopproof-at-par-endpoint-binding-success
    ensure-dpop-auth-code-binding-success ensure-different-nonce-inside-and-outside-request-object
    ensure-different-state-inside-and-outside-request-object ensure-authorization-request-with-long-nonce
    ensure-authorization-request-with-long-state state-only-outside-request-object-not-used
    ensure-request-object-without-redirect-uri-fails ensure-registered-redirect-uri
    plain-fapi-tolerate-unregistered-redirect-uri ensure-unsigned-authorization-request-without-using-par-fails
    ensure-redirect-uri-in-authorization-request ensure-response-type-code-idtoken-fails
    australia-connectid-ensure-invalid-purpose-fails ensure-response-type-token-fails ensure-client-id-in-token-endpoint
    ensure-holder-of-key-required ensure-authorization-code-is-bound-to-client
    attempt-reuse-authorization-code-after-one-second ensure-token-endpoint-fails-with-expired-auth-code
    ensure-signed-client-assertion-with-RS256-fails ensure-client-assertion-in-token-endpoint
    ensure-client-assertion-with-exp-is-5-minutes-in-past-fails ensure-client-assertion-with-wrong-aud-fails
    ensure-client-assertion-with-no-sub-fails dpop-negative-tests refresh-token
    ensure-server-handles-non-matching-intent-id test-essential-acr-sca-claim brazil-ensure-bad-payment-signature-fails
    australia-connectid-test-claims-parameter-idtoken-identity-claims
    par-ensure-reused-request-uri-prior-to-auth-completion-succeeds par-attempt-reuse-request_uri
    par-attempt-to-use-expired-request_uri par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted
    par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails
    par-attempt-to-use-request_uri-for-different-client par-authorization-request-containing-request_uri-form-param
    par-attempt-invalid-http-method par-ensure-pkce-required ensure-pkce-code-verifier-required
    incorrect-pkce-code-verifier-rejected par-plain-pkce-rejected par-without-duplicate-parameters
    par-test-array-as-audience-fails par-test-par-endpoint-url-as-audience-fails
    par-test-token-endpoint-url-as-audience-fails
""".split()]

PLANS = {
    "Basic OP": _BASIC, "Form Post OP": _BASIC, "Config OP": ["oidcc-discovery-endpoint-verification"],
    "Dynamic OP": _DYNAMIC,
    "FAPI 2.0 SP": _FAPI}

RESULTS = ("passed", "not applicable", "departs")


def test_of(module):
    """The name of a module's test."""
    return "test_" + module.replace("-", "_")


def _cells(text):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()
            if line.startswith("| ")]


def rows(text):
    """(module, plans, result, why) of each row of a document's tables of modules."""
    return [(name.strip("`"), plans.split(", "), result, why)
            for name, plans, result, why in (row for row in _cells(text) if len(row) == 4)
            if name.startswith(("`oidcc-", "`fapi2-"))]


def faults(text, tests):
    """The faults of a document's tables, given the names of the existing tests."""
    found = rows(text)
    named = [name for name, *_ in found]
    wanted = {}
    for plan, modules in PLANS.items():
        for module in modules:
            wanted.setdefault(module, []).append(plan)
    said = [f"{name} has {named.count(name)} rows" for name in sorted({*wanted, *named}) if named.count(name) != 1]
    for name, plans, result, why in found:
        if plans != wanted.get(name):
            said.append(f"{name} is of {wanted.get(name)} and not of {plans}")
        if result not in RESULTS:
            said.append(f"{name}: {result} is no result")
        if result != "passed" and len(why.split()) < 3:
            said.append(f"{name} {result} without a reason")
        if result != "not applicable" and test_of(name) not in tests:
            said.append(f"{name} {result}, and there is no {test_of(name)}")
    counted = {plan: [len(modules),
                      *(sum(plan in plans and result == each for _, plans, result, _ in found) for each in RESULTS)]
               for plan, modules in PLANS.items()}
    summed = {row[0].partition(":")[0]: [int(cell or 0) for cell in row[1:]] for row in _cells(text) if len(row) == 5
              and row[1].isdigit()}
    said += [f"{plan}: {counted.get(plan)} and not {summed.get(plan)}" for plan in {*counted, *summed}
             if counted.get(plan) != summed.get(plan)]
    ours = {test_of(name) for name in named}
    said += [f"{test} is of no module" for test in sorted(tests) if test.startswith(("test_oidcc_", "test_fapi2_"))
             and test not in ours]
    return said


def clause_faults(text, tests, swift):
    """The faults of the tests that a document's table of clauses names. `tests` are names of Python's tests, `swift`
    the files of Swift's, each as one line."""
    said = []
    for line in text.splitlines():
        if not line.startswith("| §"):
            continue
        clause, *_, named = (cell.strip() for cell in line.strip("|").split("|"))
        for name, quoted in re.findall(r"`([^`]+)`(?: “([^”]+)”)?", named):
            known = (name in tests if name.startswith("test_") and not name.endswith(".py")
                     else name in swift and bool(quoted) and quoted in swift[name] if name.endswith("Tests")
                     else name.endswith(".py") or test_of("fapi2-security-profile-final-" + name) in tests)
            if not known:
                said.append(f"{clause}: there is no test {quoted or name}")
    return said
