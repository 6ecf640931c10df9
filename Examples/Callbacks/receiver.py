#!/usr/bin/env python3
"""Takes Benji's events, checks that each is Benji's, new and not another, and prints it as one line of JSON.

Python's standard library alone. `verify` and `Seen` are what a receiver of your own needs (docs/callbacks.md).

    BENJI_CALLBACK_SECRET=whsec_… receiver.py --port 8443 --certificate chain.pem --key key.pem
"""

import argparse
import base64
import hashlib
import hmac
import http.server
import json
import os
import ssl
import sys
import threading
import time

# verify: begin

TOLERANCE = 5 * 60  # seconds


class NotOurs(Exception):
    """The request is not an event of Benji's, or an old one."""


def verify(secrets, headers, body, now=None):
    """The event in a request's body, if its signature is made with one of `secrets` ("whsec_…") and it is not old.

    `headers` are asked by their names in lower case; `body` are the bytes as they came, not JSON that was written
    again."""
    name, sent, signatures = (headers.get(f"webhook-{each}") or "" for each in ("id", "timestamp", "signature"))
    if not name or not (sent.isascii() and sent.isdigit() and len(sent) < 12):
        raise NotOurs("the headers of an event are missing")
    if abs((time.time() if now is None else now) - int(sent)) > TOLERANCE:
        raise NotOurs("the event was sent too long ago")
    signed = b".".join((name.encode(), sent.encode(), body))
    given = [each.removeprefix("v1,") for each in signatures.split() if each.startswith("v1,")]
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        right = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        # Takes as long for a wrong signature as for a right one.
        if any(hmac.compare_digest(right.encode(), each.encode()) for each in given):
            event = json.loads(body)
            if event["id"] != name:
                raise NotOurs("the body is another event's")
            return event
    raise NotOurs("no signature is right")


class Seen:
    """Ids of events that were taken: an event can come more than once. Keep them where your data is, in the same
    transaction as what the event makes you do; this one forgets them with the process."""

    def __init__(self):
        self.ids, self.lock = set(), threading.Lock()

    def is_new(self, event):
        with self.lock:
            if event["id"] in self.ids:
                return False
            self.ids.add(event["id"])
            return True

# verify: end


class Receiver(http.server.BaseHTTPRequestHandler):
    secrets, seen = [], Seen()
    timeout = 10
    limit = 64 * 1024

    def do_POST(self):
        length = self.headers.get("content-length") or ""
        if not length.isdigit() or int(length) > self.limit:
            return self.answer(413)
        body = self.rfile.read(int(length))
        try:
            event = verify(self.secrets, self.headers, body)
        except (NotOurs, ValueError, KeyError) as error:
            print(f"refused: {error}", file=sys.stderr)
            return self.answer(401)
        if self.seen.is_new(event):
            print(json.dumps(event), flush=True)
        # A double is taken too: else it would come again.
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Requests are not logged."""


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--certificate", help="PEM chain; without it the receiver speaks plain HTTP, behind a proxy")
    options.add_argument("--key", help="PEM private key")
    given = options.parse_args()
    # Two while they change over, with a blank between them.
    Receiver.secrets = os.environ["BENJI_CALLBACK_SECRET"].split()
    server = http.server.ThreadingHTTPServer((given.host, given.port), Receiver)
    if given.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(given.certificate, given.key)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.serve_forever()


if __name__ == "__main__":
    main()
