"""Benji's server API for Python 3.9 and later, without other packages.

    benji = BenjiServer("https://id.example.com", app="300000000001", secret=os.environ["BENJI_SECRET"])
    login = benji.redeem(token)
    print(login["number"], login["account"])

docs/server-api.md describes the answers; docs/callbacks.md the events.
"""

import base64
import hashlib
import hmac
import http.client
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

__all__ = ["BenjiServer", "BenjiError", "NotOurs", "read_event"]


class BenjiError(Exception):
    """The server refused the request, or did not answer it.

    `code` is the result code, such as "token_spent", and "no_answer" if the server was not reached. `status` is the
    HTTP status or 0, `param` the member that is wrong or None, `trace` the login's name in the operator's traces or
    None."""

    def __init__(self, code, detail, status=0, param=None, trace=None):
        super().__init__(f"{code}: {detail}")
        self.code, self.detail, self.status, self.param, self.trace = code, detail, status, param, trace


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would hand the secret to another host."""

    def redirect_request(self, *_):
        return None


def _keeps_secrets(url):
    parts = urllib.parse.urlsplit(url)
    return parts.scheme == "https" or parts.scheme == "http" and bool(
        re.fullmatch(r"(.+\.)?localhost|127(\.\d{1,3}){3}|::1", parts.hostname or ""))


class BenjiServer:
    """An app's server at Benji. Safe to share between threads.

    `timeout` is the longest pause while an answer arrives, in seconds. `language` is that of errors: "en" or "zh". A
    request is sent again, at most twice, if no answer came or the status is 502, 503 or 504."""

    attempts = 3

    def __init__(self, url, app, secret, timeout=10, language="en"):
        if not _keeps_secrets(url):
            raise ValueError("url: must begin with https://; http:// is for this machine alone")
        self.url, self.timeout, self.language = url.rstrip("/"), timeout, language
        self.opener = urllib.request.build_opener(_NoRedirects)
        self.authorization = "Basic " + base64.b64encode(f"{app}:{secret}".encode()).decode()

    def redeem(self, token, key=None):
        """Spends a login token and returns the login: number, account, carrier, assurance, method, authenticatedAt,
        trace.

        A request with the same `key` and token has the same answer and is billed once. A key is 1 to 255 visible ASCII
        characters without spaces. Without one, a random key is used."""
        return self._send("POST", "/v1/tokens/redeem", {"token": token}, key)

    def verify(self, token, number, key=None):
        """Spends a verification token and returns whether `number`, in E.164 with its plus sign, is the phone's."""
        return self._send("POST", "/v1/tokens/verify", {"token": token, "number": number}, key)["isSame"]

    def app(self):
        """The app that id and secret belong to."""
        return self._send("GET", "/v1/apps/me")

    def _send(self, method, path, body=None, key=None):
        headers = {"Authorization": self.authorization, "Accept": "application/json", "Accept-Language": self.language}
        if body is not None:
            headers["Content-Type"] = "application/json"
            headers["Idempotency-Key"] = str(uuid.uuid4()) if key is None else key
            if not re.fullmatch(r"[\x21-\x7e]{1,255}", headers["Idempotency-Key"]):
                raise ValueError("key: must be 1 to 255 visible ASCII characters without spaces")
        data = None if body is None else json.dumps(body).encode()
        for attempt in range(1, self.attempts + 1):
            request = urllib.request.Request(self.url + path, data, headers, method=method)
            try:
                with self.opener.open(request, timeout=self.timeout) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                failure = self._failure(error)
            except (OSError, ValueError, RecursionError, http.client.HTTPException) as error:
                failure = BenjiError("no_answer", str(error))
            if attempt == self.attempts or failure.status not in (0, 502, 503, 504):
                raise failure
            time.sleep(attempt)

    @staticmethod
    def _failure(error):
        try:
            problem = json.load(error)
            return BenjiError(
                problem["code"], problem["detail"], error.code, problem.get("param"), problem.get("trace"))
        except (OSError, ValueError, KeyError, TypeError, RecursionError, http.client.HTTPException):
            return BenjiError("no_answer", f"HTTP status {error.code}", error.code)


class NotOurs(Exception):
    """A request is no event of Benji's, or an old one."""


def read_event(secrets, headers, body, now=None, tolerance=300):
    """The event in a request's body, if it is signed with one of `secrets` ("whsec_…") and not older than `tolerance`
    seconds.

    `headers` are asked by their names in lower case. `body` are the bytes as they came. An event can come more than
    once: take each `id` once."""
    name, sent, signatures = (headers.get(f"webhook-{each}") or "" for each in ("id", "timestamp", "signature"))
    if not name or not (sent.isascii() and sent.isdigit() and len(sent) < 12):
        raise NotOurs("the headers of an event are missing")
    if abs((time.time() if now is None else now) - int(sent)) > tolerance:
        raise NotOurs("the event was sent too long ago")
    signed = b".".join((name.encode(), sent.encode(), body))
    given = [each[3:].encode() for each in signatures.split() if each.startswith("v1,")]
    for secret in secrets:
        key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret, validate=True)
        if len(key) < 16:
            raise ValueError("a callback's secret is missing or cut off")
        right = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        if any(hmac.compare_digest(right, each) for each in given):
            event = json.loads(body)
            if event.get("id") != name:
                raise NotOurs("the body is another event's")
            return event
    raise NotOurs("no signature is right")
