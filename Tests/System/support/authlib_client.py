"""An app's server that is Authlib's OpenID Connect client, unmodified."""

import json
import time
import urllib.parse


def authlib_session(client, redirect_uri, authority, provider, **options):
    from authlib.integrations.requests_client import OAuth2Session
    options = {"scope": "openid phone", **options}
    session = OAuth2Session(client["client_id"], client.get("client_secret"), redirect_uri=redirect_uri,
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
        {"iss": {"essential": True, "value": metadata["issuer"]},
         "aud": {"essential": True, "value": client["client_id"]}},
        {"nonce": nonce, "client_id": client["client_id"], "access_token": token["access_token"]})
    claims.validate()
    return claims


def new_key(provider):
    """A key of a client that signs, and the file with its public half."""
    from joserfc.jwk import ECKey
    key = ECKey.generate_key("P-256", {"kid": "shop-1"})
    jwks = provider.folder / "jwks.json"
    jwks.write_text(json.dumps({"keys": [key.as_dict(private=False)]}))
    return key, jwks


def sign_anew(session):
    """Registers the client's authentication again, before each request for tokens. Authlib's assertions live an hour
    unless it is told an end, and the provider takes 300 seconds at most. Those of one registration have one name."""
    from authlib.oauth2.rfc7523 import PrivateKeyJWT
    session.register_client_auth_method(PrivateKeyJWT(
        session.metadata_of_provider["token_endpoint"], claims={"exp": int(time.time()) + 120}, alg="ES256"))


class SigningApp:
    """An app whose server signs its requests for tokens and asks CAMARA's interfaces."""

    def __init__(self, provider, redirect_uri, purpose, app):
        self.provider, self.redirect_uri, self.purpose = provider, redirect_uri, purpose
        self.sessions = []
        self.key, jwks = new_key(provider)
        self.client = provider.client(redirect_uri, "--jwks", str(jwks), "--purpose", purpose, app=app)

    def session(self):
        self.sessions.append(authlib_session(
            {**self.client, "client_secret": self.key}, self.redirect_uri, self.provider.authority, self.provider,
            token_endpoint_auth_method="private_key_jwt"))
        return self.sessions[-1]

    def close(self):
        """Ends its connections, for which the provider would wait when it is told to end."""
        for session in self.sessions:
            session.close()

    def visit(self, browser, scope, **parameters):
        """Sends a phone's browser with a request for these scopes and the app's purpose."""
        return Visit(self, browser, f"{scope} {self.purpose}", parameters)

    def own_token(self, scope):
        """An access token that is the app's own, and no person's."""
        session = self.session()
        sign_anew(session)
        return session.fetch_token(session.metadata_of_provider["token_endpoint"], grant_type="client_credentials",
                                   scope=f"{scope} {self.purpose}")["access_token"]

    def ask(self, method, path, token, body=None):
        """(status, JSON) of one of CAMARA's interfaces, asked with an access token, or without one."""
        session = self.session()
        session.token = token and {"access_token": token, "token_type": "Bearer"}
        answer = session.request(method, self.provider.issuer + path, json=body, withhold_token=token is None)
        return answer.status_code, answer.json()


class Visit:
    """One authorization request of an app: how the browser came back, and what the app's server gets for that."""

    def __init__(self, app, browser, scope, parameters):
        from authlib.common.security import generate_token
        self.app, self.session = app, app.session()
        self.verifier, self.nonce = generate_token(48), generate_token()
        address, self.state = self.session.create_authorization_url(
            self.session.metadata_of_provider["authorization_endpoint"], scope=scope, nonce=self.nonce,
            code_verifier=self.verifier, **parameters)
        self.landing, _, self.page = browser.go(address)
        self.answer = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.landing).query))

    def tokens(self, code=None, by=None):
        """The answer of the token endpoint.

        - code: that of another visit; this one's unless it is given.
        - by: another app, whose server shows the code as its own.
        - Throws: Authlib's `OAuthError`, by the code of the refusal."""
        session = by.session() if by else self.session
        shown = {"code": code} if code else {"authorization_response": self.landing, "state": self.state}
        sign_anew(session)
        return session.fetch_token(
            session.metadata_of_provider["token_endpoint"], grant_type="authorization_code",
            code_verifier=self.verifier, redirect_uri=self.app.redirect_uri, **shown)

    def token(self):
        return self.tokens()["access_token"]

    def refusal(self, **changes):
        """Why the token endpoint refuses, or None if it does not."""
        from authlib.integrations.base_client import OAuthError
        try:
            self.tokens(**changes)
        except OAuthError as refused:
            return refused.error
        return None
