"""A request gets the same answer in one TCP segment and in several.

Benji's own handler answers a request that arrives whole; Hummingbird answers one that arrives in pieces
(docs/decisions/0038). Both give the same answer to malformed and ambiguous requests, and neither lets a second request
be smuggled past.
"""

import itertools
import json
import re
import select
import socket
from concurrent.futures import ThreadPoolExecutor

from support.checks import PATIENCE, eventually
from support.operators import LOGIN, login_request

NUMBER, ADDRESS = "13900000061", "127.8.12.1"
UNSPENT = "STsid" + "A" * 51
# Seconds between two segments: the first and the second try, and all others.
PAUSES = 0.05, 0.2, 0.8
PREFETCH = "/device/v1/prefetch"
HOST = b"Host: a.example\r\n"
# Ends a connection that the server leaves open, so that all has been said when it ends.
LAST = b"GET %s HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n" % PREFETCH.encode()


def request(path, body, *lines, method="POST", version="1.1", length=True):
    head = [f"{method} {path} HTTP/{version}", "Host: a.example", "Content-Type: application/json", *lines]
    head += [f"Content-Length: {len(body)}"] if length else []
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def exchange(port, segments, answers=1):
    """Sends the segments one by one. When `answers` answers have begun, it sends LAST, unless the server has closed the
    connection.

    Returns the bytes received, without dates and times."""
    pauses = itertools.chain(PAUSES, itertools.repeat(PAUSES[-1]))
    said, = eventually(lambda: exchange_once(port, segments, answers, next(pauses))) or [b"no whole answer"]
    text = re.sub(r"Date: [^\r]*", "Date: D", said.decode(errors="replace"), flags=re.IGNORECASE)
    return re.sub(r'("(?:systemtime|timestamp|serverTime)":"?)\d+', r"\1T", text)


def exchange_once(port, segments, answers, pause):
    """[bytes received]. None if the server closed the connection before a segment: its last answer is then lost."""
    said, ended = b"", False
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=("127.0.2.1", 0)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            for number, segment in enumerate([*segments, LAST]):
                is_last = number == len(segments)
                while number and not ended and (
                        is_last and len(statuses(said)) < answers or select.select([connection], [], [], pause)[0]):
                    part = connection.recv(65536)
                    said, ended = said + part, not part
                if ended:
                    break
                connection.sendall(segment)
            while not ended and (part := connection.recv(65536)):
                said += part
        except ConnectionError:
            return None
    return [said]


def statuses(said):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3})", said) if status != b"100"]


def ways(data):
    """The same bytes: at once, all but the last byte and then that, header and body apart, and in four pieces."""
    head = data.find(b"\r\n\r\n") + 4
    quarter = max(1, len(data) // 4)
    return {"at once": [data], "without the last byte": [data[:-1], data[-1:]],
            "header and body": [data[:head], data[head:]] if 4 < head < len(data) else [data[:3], data[3:]],
            "in pieces": [data[at:at + quarter] for at in range(0, len(data), quarter)]}


def chunked(body, trailers=b""):
    return b"%x\r\n%s\r\n0\r\n%s\r\n" % (len(body), body, trailers)


def corpus(app):
    """Sentence -> the bytes, the statuses of all answers (None: whatever both say), and whether the connection is
    ended."""
    body = json.dumps(login_request(app, UNSPENT, msgid="m" * 32)).encode()
    plain = request(LOGIN, body)
    smuggled = request(LOGIN, body)
    return {
        "a redemption": (plain, [200], False),
        "a wrong method": (request(LOGIN, b"", method="GET"), [405], False),
        "no such address": (request("/nothing", body), [404], False),
        "HEAD": (request(LOGIN, b"", method="HEAD", length=False), [405], False),
        "OPTIONS": (request("*", b"", method="OPTIONS", length=False), None, False),
        "HTTP/1.0": (request(LOGIN, body, version="1.0") + smuggled, [200], True),
        "HTTP/1.0 without Host": (request(LOGIN, body, version="1.0").replace(HOST, b"") + smuggled, [200], True),
        "no Host": (plain.replace(HOST, b""), [400], False),
        "no body": (request(LOGIN, b""), [200], False),
        "neither length nor body": (request(LOGIN, b"", length=False), [200], False),
        "a chunked body": (request(LOGIN, chunked(body), "Transfer-Encoding: chunked", length=False), [200], False),
        "a chunked body with trailers": (
            request(LOGIN, chunked(body, b"X-Trailer: 1\r\n"), "Transfer-Encoding: chunked", length=False), [200],
            False),
        "a body of 30 kB": (request(LOGIN, b'{"x":"' + b"a" * 30000 + b'"}'), [200], False),
        "a query": (request(LOGIN + "?x=1", body), None, False),
        "an absolute target": (request("http://A.example" + LOGIN, body), [200], False),
        "an absolute target of another host": (request("http://b.example" + LOGIN, body), [400], False),
        "an absolute target with a user": (request("http://a.example@b.example" + LOGIN, body), [400], False),
        "an encoded path": (request(LOGIN.replace("l", "%6c"), body), None, False),
        "a path with dots": (request("/x/.." + LOGIN, body), [404], False),
        "a doubled slash": (request("/" + LOGIN, body), None, False),
        "two Hosts": (request(LOGIN, body, "Host: b.example"), [400], False),
        "an upgrade": (request(LOGIN, body, "Connection: Upgrade", "Upgrade: h2c") + smuggled, [200], True),
        "Expect": (request(LOGIN, body, "Expect: 100-continue"), [200], False),
        "an Expect of something else": (request(LOGIN, body, "Expect: 200-ok"), None, None),
        "Connection: close": (request(LOGIN, body, "Connection: close") + smuggled, [200], True),
        "Connection: Close, x": (request(LOGIN, body, "Connection: Close, x") + smuggled, [200], True),
        "Connection: keep-alive, CLOSE": (request(LOGIN, body, "Connection: keep-alive, CLOSE") + smuggled, [200],
                                          True),
        "two Connection headers": (request(LOGIN, body, "Connection: x", "Connection: close") + smuggled, [200], True),
        "three at once": (plain + request("/nothing", b"") + plain, [200, 404, 200], False),
        "a chunked one between two": (
            plain + request(LOGIN, chunked(body), "Transfer-Encoding: chunked", length=False) + plain, [200] * 3,
            False),
        "two Content-Lengths": (request(LOGIN, body, "Content-Length: 5") + smuggled, [400], True),
        "two lengths in one line": (request(LOGIN, body, f"Content-Length: {len(body)}, {len(body)}", length=False),
                                    [400], True),
        "length and chunks": (request(LOGIN, chunked(body), "Transfer-Encoding: chunked") + smuggled, [400], True),
        "chunked, identity": (
            request(LOGIN, chunked(body), "Transfer-Encoding: chunked, identity", length=False) + smuggled, None, None),
        "a chunk that is too long": (
            request(LOGIN, b"5\r\n{}{}{}{}\r\n0\r\n\r\n", "Transfer-Encoding: chunked", length=False) + smuggled,
            [400], True),
        "a folded line": (request(LOGIN, body, "X-Folded: a\r\n b"), None, None),
        "a space before the colon": (request(LOGIN, body, "X-Space : a"), [400], True),
        "bare line feeds": (plain.replace(b"\r\n", b"\n"), None, None),
        "a line feed in a value": (request(LOGIN, body, "X-Feed: a\nContent-Length: 3"), None, None),
        "a negative length": (request(LOGIN, body, "Content-Length: -1", length=False), [400], True),
        "garbage behind a redemption": (plain + b"\x00\x01 garbage\r\n\r\n", [200, 400], True),
        "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64, None, True),
    }


def test_the_same_bytes(checks, server):
    app = server.create_app()
    entries = [(port, name, entry) for port in ("server", "device") for name, entry in corpus(app).items()]
    entries += [("device", f"prefetch, {name}", (data, None, None)) for name, data in {
        "no proof": request(PREFETCH, b"{}"), "two proofs": request(PREFETCH, b"{}", "DPoP: a.b.c", "DPoP: a.b.c"),
        "a proof that is none": request(PREFETCH, b"{}", "DPoP: a.b.c"),
        "no JSON": request(PREFETCH, b"\x00", "DPoP: a.b.c")}.items()]
    # Nothing else is answered so.
    last = {port: statuses(exchange(getattr(server, port), []).encode()) for port in ("server", "device")}
    with ThreadPoolExecutor(24) as pool:
        under_way = [
            (port, name, entry, {
                way: pool.submit(exchange, getattr(server, port), segments, len(entry[1] or [0]))
                for way, segments in ways(entry[0]).items()}) for port, name, entry in entries]
        for port, name, (_, wanted, ends), exchanges in under_way:
            seen = {way: done.result() for way, done in exchanges.items()}
            checks.that(len(set(seen.values())) == 1, f"{port}, {name}: alike whichever way it comes", seen)
            said = seen["at once"]
            is_left = statuses(said.encode())[-1:] == last[port]
            # The device listener does not know the redemption's path.
            if wanted is not None and port == "server":
                checks.equal(statuses(said.encode())[:-1 if is_left else None], wanted, f"{port}, {name}: {wanted}")
            if wanted is not None and ends is not None:
                checks.equal(is_left, not ends, f"{port}, {name}: {'ends' if ends else 'leaves'} the connection")


def test_what_is_not_answered_is_not_spent(checks, server):
    """Behind a request that was the last, or that could be read in two ways, a good redemption is not carried out."""
    server.attach("attach", ADDRESS, NUMBER)
    app = server.create_app()
    token, _, said = server.phone("login", app, ADDRESS)
    body = json.dumps(login_request(app, token or said)).encode()
    smuggled = request(LOGIN, body)
    behind = {name: data[:data.rfind(b"POST ")] for name, (data, wanted, _) in corpus(app).items()
              if data.count(b"POST ") == 2 and len(wanted or [0]) == 1}
    checks.equal(len(behind), 11, "requests that nothing may follow")
    for name, first in behind.items():
        for way, segments in ways(first + smuggled).items():
            answered = exchange(server.server, segments)
            checks.that(NUMBER not in answered, f"{name}, {way}: the redemption behind it is not answered", answered)
    answered = exchange(server.server, [smuggled])
    checks.that(NUMBER in answered, "after all that the token is still good", answered)
