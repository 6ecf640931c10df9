"""Apps' servers of the tests: they make and sign every message by hand, so that a test can make any part of one
wrong."""

import base64
import hashlib
import http.client
import json
import re
import secrets
import ssl
import time
import urllib.parse

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils

from .checks import Stop

BEARER_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def hashed(text):
    return b64(hashlib.sha256(text.encode()).digest())


def number_bytes(number, size=None):
    return number.to_bytes(size or (number.bit_length() + 7) // 8, "big")


def changed(values, changes):
    """Values with some changed, and those left out that are changed to None."""
    return {name: value for name, value in {**values, **changes}.items() if value is not None}


class SigningKey:
    """A key on P-256, or of RSA with 2048 bits."""

    def __init__(self, kind="EC", kid=None):
        self.kind, self.kid = kind, kid
        self.key = ec.generate_private_key(ec.SECP256R1()) if kind == "EC" else rsa.generate_private_key(65537, 2048)

    @property
    def algorithm(self):
        return "ES256" if self.kind == "EC" else "PS256"

    @property
    def jwk(self):
        public = self.key.public_key().public_numbers()
        if self.kind == "EC":
            return {"kty": "EC", "crv": "P-256", "x": b64(number_bytes(public.x, 32)),
                    "y": b64(number_bytes(public.y, 32))}
        return {"kty": "RSA", "n": b64(number_bytes(public.n)), "e": b64(number_bytes(public.e))}

    @property
    def private_jwk(self):
        value = self.key.private_numbers()
        return {**self.jwk,
                "d": b64(number_bytes(value.private_value, 32) if self.kind == "EC" else number_bytes(value.d))}

    @property
    def thumbprint(self):
        """RFC 7638: the members in the order of their names."""
        return hashed(json.dumps(self.jwk, sort_keys=True, separators=(",", ":")))

    def sign(self, header, claims):
        """A JWT. What the header does not say is not in it; its `alg` is what it is signed with, `none` is not at
        all."""
        text = ".".join(b64(json.dumps(part).encode()) for part in (header, claims))
        algorithm = header.get("alg", self.algorithm)
        if algorithm == "none":
            return text + "."
        if algorithm == "ES256":
            signature = self.key.sign(text.encode(), ec.ECDSA(hashes.SHA256()))
            signature = b"".join(number_bytes(part, 32) for part in utils.decode_dss_signature(signature))
        else:
            pad = padding.PKCS1v15() if algorithm == "RS256" else padding.PSS(padding.MGF1(hashes.SHA256()), 32)
            signature = self.key.sign(text.encode(), pad, hashes.SHA256())
        return f"{text}.{b64(signature)}"


def opened(token, keys):
    """(header, claims) of a JWT that one of a set of keys made, the one that it names."""
    head, body, signature = token.split(".")
    header = json.loads(unb64(head))
    (key,) = [key for key in keys if key["kid"] == header["kid"]]
    text, signature = f"{head}.{body}".encode(), unb64(signature)
    if header["alg"] == "ES256":
        public = ec.EllipticCurvePublicNumbers(
            *(int.from_bytes(unb64(key[name]), "big") for name in ("x", "y")), ec.SECP256R1()).public_key()
        both = utils.encode_dss_signature(*(int.from_bytes(half, "big") for half in (signature[:32], signature[32:])))
        public.verify(both, text, ec.ECDSA(hashes.SHA256()))
    elif header["alg"] == "RS256":
        public = rsa.RSAPublicNumbers(*(int.from_bytes(unb64(key[name]), "big") for name in ("e", "n"))).public_key()
        public.verify(signature, text, padding.PKCS1v15(), hashes.SHA256())
    else:
        raise InvalidSignature(header["alg"])
    return header, json.loads(unb64(body))


class Answer:
    """The answer to an app's server."""

    def __init__(self, status, headers, text):
        self.status, self.headers, self.text = status, headers, text
        self.kind = (headers["Content-Type"] or "").partition(";")[0]
        self.json = json.loads(text) if self.kind in ("application/json", "application/problem+json") else {}

    @property
    def error(self):
        return self.json.get("error")

    def __repr__(self):
        return f"{self.status} {self.text[:300]}"


class Returned:
    """How a browser came back to the app."""

    def __init__(self, place, form, page):
        self.place, self.form, self.page = place, form, page
        query = urllib.parse.urlsplit(place).query
        self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        # Where the answer is a form, nothing of it is in the address.
        self.values = form if form is not None else self.query

    @property
    def error(self):
        return self.values.get("error")

    def __repr__(self):
        return f"{self.place} {self.form} {re.sub('<[^>]*>', ' ', self.page)[-300:]}"


class Caller:
    """The connection of an app's server to the provider."""

    def __init__(self, provider, origin=None, shown=None):
        """- origin: where it calls; the issuer unless it is given.
        - shown: the certificate that it shows."""
        self.provider = provider
        context = ssl.create_default_context(cafile=provider.authority.ca)
        if shown:
            context.load_cert_chain(shown.pem, shown.key)
        place = urllib.parse.urlsplit(origin or provider.issuer)
        self.connection = http.client.HTTPSConnection(place.hostname, place.port, context=context, timeout=20)
        self.metadata = self.ask("GET", provider.issuer + "/.well-known/openid-configuration").json
        self._keys = []

    def keys(self):
        """The provider's keys. It has them as soon as it has a client."""
        self._keys = self._keys or self.ask("GET", self.metadata["jwks_uri"]).json["keys"]
        return self._keys

    def ask(self, method, url, form=None, headers=()):
        """- headers: pairs, because one may be there twice."""
        parts = urllib.parse.urlsplit(url)
        body = None if form is None else urllib.parse.urlencode(form).encode()
        self.connection.putrequest(method, parts.path + ("?" + parts.query if parts.query else ""))
        if body is not None:
            self.connection.putheader("Content-Type", "application/x-www-form-urlencoded")
        if body is not None or method != "GET":
            self.connection.putheader("Content-Length", str(len(body or b"")))
        for name, value in headers:
            self.connection.putheader(name, value)
        self.connection.endheaders(body)
        answer = self.connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read().decode())


class RelyingParty:
    """An app: its server, and what it sends browsers with. Its changes name parameters; None leaves one out."""

    def __init__(self, caller, client, redirect_uri, secret_in_form=False, mode=None, pkce=False):
        self.caller, self.metadata, self.client, self.redirect_uri = caller, caller.metadata, client, redirect_uri
        self.secret_in_form, self.mode, self.pkce = secret_in_form, mode, pkce
        self.id, self.verifier = client["client_id"], None

    # The browser's way

    def request(self, **changes):
        """Parameters of an authorization request."""
        self.verifier = secrets.token_urlsafe(48)
        proof = {"code_challenge": hashed(self.verifier), "code_challenge_method": "S256"} if self.pkce else {}
        return changed({
            "client_id": self.id, "redirect_uri": self.redirect_uri, "response_type": "code", "scope": "openid",
            "state": secrets.token_urlsafe(8), "nonce": secrets.token_urlsafe(8), "response_mode": self.mode, **proof},
                       changes)

    def address(self, request):
        return self.metadata["authorization_endpoint"] + "?" + urllib.parse.urlencode(request)

    def send(self, browser, request):
        """Sends a browser with a request, without a tap on a page. Returns where it ends."""
        return Returned(*browser.go(self.address(request)))

    def log_in(self, browser, request, action="login", remembers=False):
        return Returned(*browser.log_in(self.address(request), action=action, remembers=remembers))

    # The server's

    def authentication(self, url):
        """(form, headers) that say whose a call is."""
        if self.secret_in_form:
            return {"client_id": self.id, "client_secret": self.client["client_secret"]}, []
        pair = base64.b64encode(f"{self.id}:{self.client['client_secret']}".encode()).decode()
        return {}, [("Authorization", f"Basic {pair}")]

    def exchange(self, code, **changes):
        form, headers = self.authentication(self.metadata["token_endpoint"])
        wanted = changed({"grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect_uri,
                          "code_verifier": self.verifier if self.pkce else None}, changes)
        return self.caller.ask("POST", self.metadata["token_endpoint"], {**form, **wanted}, headers)

    def user_info(self, token, method="GET"):
        return self.caller.ask(method, self.metadata["userinfo_endpoint"], None, [("Authorization", f"Bearer {token}")])

    def id_token(self, checks, tokens, request, sentence):
        """The claims of an ID token that says what OpenID Connect Core §3.1.3.7 asks."""
        header, claims = opened(tokens["id_token"], self.caller.keys())
        now = time.time()
        good = (claims["iss"] == self.metadata["issuer"] and claims["aud"] == self.id
                and now - 60 < claims["iat"] <= now + 5
                and now < claims["exp"] and claims.get("nonce") == request.get("nonce") and claims["sub"]
                and header["alg"] in self.metadata["id_token_signing_alg_values_supported"])
        checks.that(
            good, f"{sentence}: the ID token is for this app and this request, signed by the key that it names", claims)
        digest = b64(hashlib.sha256(tokens["access_token"].encode()).digest()[:16])
        checks.equal(claims.get("at_hash", digest), digest, f"{sentence}: at_hash is the access token's")
        return claims


class SigningParty(RelyingParty):
    """An app whose client is of profile `fapi2`: pushed requests, assertions that it signs, tokens that are bound to a
    key."""

    def __init__(self, caller, client, redirect_uri, key):
        super().__init__(caller, client, redirect_uri, pkce=True)
        self.key, self.proof_key, self.nonce = key, SigningKey(), None

    def assertion(self, header=None, key=None, **changes):
        now = int(time.time())
        key = key or self.key
        claims = {"iss": self.id, "sub": self.id, "aud": self.metadata["issuer"], "jti": secrets.token_urlsafe(16),
                  "iat": now,
                  "exp": now + 60}
        return key.sign(changed({"alg": key.algorithm, "kid": key.kid, "typ": "JWT"}, header or {}),
                        changed(claims, changes))

    def authentication(self, url, assertion=None):
        return {"client_id": self.id, "client_assertion_type": BEARER_ASSERTION,
                "client_assertion": assertion or self.assertion()}, []

    def proof(self, method, url, token=None, header=None, key=None, **changes):
        """A proof of possession (RFC 9449)."""
        key = key or self.proof_key
        claims = {"htm": method, "htu": url, "iat": int(time.time()), "jti": secrets.token_urlsafe(16),
                  "nonce": self.nonce,
                  "ath": hashed(token) if token else None}
        return key.sign(changed({"alg": key.algorithm, "typ": "dpop+jwt", "jwk": key.jwk}, header or {}),
                        changed(claims, changes))

    def proved(self, method, url, prove, form=None, headers=()):
        """The answer to a call with a proof, made again if it is to repeat another nonce.

        - prove: makes the headers of a proof again; none for a call without one."""
        for _ in range(3):
            answer = self.caller.ask(method, url, form() if form else None, [*headers, *prove()])
            self.nonce = answer.headers["DPoP-Nonce"] or self.nonce
            again = answer.error == "use_dpop_nonce" or "use_dpop_nonce" in (answer.headers["WWW-Authenticate"] or "")
            if not again:
                return answer
        raise Stop(f"{url} wants one nonce after the other: {answer}")

    def push(self, request, assertion=None, proof=None, authenticated=True):
        """The answer to a pushed request.

        - proof: changes to its proof of possession; None for no proof."""
        url = self.metadata["pushed_authorization_request_endpoint"]

        def form():
            return {**request, **(self.authentication(url, assertion and assertion())[0] if authenticated else {})}

        def prove():
            return [] if proof is None else [("DPoP", self.proof("POST", url, **proof))]

        return self.proved("POST", url, prove, form)

    def pushed(self, request, **options):
        """The address that a browser is sent to with a pushed request."""
        answer = self.push(request, **options)
        if answer.status != 201:
            raise Stop(f"the request is not taken: {answer}")
        return self.address({"client_id": self.id, "request_uri": answer.json["request_uri"]})

    def logged_in(self, browser, request, **options):
        return Returned(*browser.log_in(self.pushed(request, **options)))

    def exchange(self, code, assertion=None, proof=(), authenticated=True, **changes):
        """- proof: changes to its proof of possession; None for no proof."""
        url = self.metadata["token_endpoint"]

        def form():
            who = self.authentication(url, assertion and assertion())[0] if authenticated else {}
            return changed({**who, "grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect_uri,
                            "code_verifier": self.verifier}, changes)

        def prove():
            return [] if proof is None else [("DPoP", self.proof("POST", url, **dict(proof)))]

        return self.proved("POST", url, prove, form)

    def user_info(self, token, method="GET", scheme="DPoP", prove=None, url=None):
        """- prove: makes the headers of the proof; a good one unless it is given."""
        url = url or self.metadata["userinfo_endpoint"]
        return self.proved(method, url, prove or (lambda: [("DPoP", self.proof(method, url, token))]),
                           headers=[("Authorization", f"{scheme} {token}")])


class CertificateParty(RelyingParty):
    """An app whose server shows a certificate (RFC 8705): no secret, no assertion and no proof."""

    def __init__(self, caller, client, redirect_uri):
        super().__init__(caller, client, redirect_uri, pkce=True)
        self.metadata = {**caller.metadata, **caller.metadata["mtls_endpoint_aliases"]}

    def authentication(self, url):
        return {"client_id": self.id}, []

    def over(self, caller):
        """The same app over another connection."""
        other = CertificateParty(caller, self.client, self.redirect_uri)
        other.verifier = self.verifier
        return other

    def push(self, request):
        return self.caller.ask("POST", self.metadata["pushed_authorization_request_endpoint"], request)

    def logged_in(self, browser, request):
        answer = self.push(request)
        if answer.status != 201:
            raise Stop(f"the request is not taken: {answer}")
        return self.log_in(browser, {"client_id": self.id, "request_uri": answer.json["request_uri"]})
