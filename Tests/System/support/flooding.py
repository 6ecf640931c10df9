"""Programs of support.floods. Each is a process of its own, so that the programs do not share one interpreter.

    python -m support.flooding flood             sends each flood that a line of its input describes.
    python -m support.flooding silent PORT       a listener that answers nothing: it reads a request and closes.
    python -m support.flooding queued PORT TRIP  the double: all work waits in one queue for two connections.
    python -m support.flooding way SOCKET TARGET TRIP  a way to a socket of PostgreSQL, TRIP seconds there and back.

The description of a flood is one line of JSON, and so is its result. The other programs print `ready` before they
begin. """

import asyncio
import base64
import contextlib
import json
import os
import secrets
import socket
import ssl
import string
import sys
import time
import urllib.parse
from collections import Counter

#: Linux's IP_BIND_ADDRESS_NO_PORT: an address can have as many connections as there are ports for each destination.
NO_PORT = 24
#: Seconds for which an answer is waited for, so that an attacker has no more connections than a thousand.
LONGEST = 5
#: Handshakes of TLS at once, before a flood begins.
HANDSHAKES = 16


# Requests that prove nothing

def letters(count):
    """Letters and digits, as Benji's own credentials have them: others are refused before anybody looks for them."""
    return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(count))


class Stranger:
    """Somebody who knows an app's public id and nothing else, and has a key that anybody can make."""

    def __init__(self, app, client):
        from . import operators, vendors
        from .phones import Phone
        self.operators, self.vendors, self.phone = operators, vendors, Phone(None, {"id": app}, None, None)
        self.key = self.phone.key
        # The secret is not the app's, so a sign that is made with it is wrong.
        self.app = {"id": app, "key": secrets.token_hex(16), "serverSecret": secrets.token_hex(16)}
        self.client = client

    def request(self, route, port):
        """The bytes of a request to a route: `{"listener": …, "method": …, "path": …, "url": …}`."""
        path = route["path"]
        for name in [part for part in path.split("/") if part.startswith("{")]:
            path = path.replace(name, self.app["id"] if name == "{id}" else secrets.token_hex(16))
        method, body, headers = route["method"], None, {"Accept": "*/*"}
        # A listener that asks for certificates has routes of apps' servers.
        listener = "server" if route["listener"] == "mtls" else route["listener"]
        if (shape := self.shapes().get((listener, path))) is not None:
            body = shape()
        if method == "GET":
            path, body = path + self.query(route["path"]), None
        elif method in ("HEAD", "OPTIONS"):
            body = None
        elif body is None:
            body = self.anything(path, listener)
        if listener == "device" and method == "POST" and isinstance(body, dict):
            headers["Content-Type"] = "application/json"
            body = json.dumps(body).encode()
            # It proves that its sender has a key, and not whose.
            headers["DPoP"] = self.key.proof(route["url"] + path, body, secrets.token_hex(16), time.time())
        elif isinstance(body, dict):
            headers["Content-Type"], body = "application/json", json.dumps(body).encode()
        elif isinstance(body, list):
            headers["Content-Type"], body = "application/x-www-form-urlencoded", urllib.parse.urlencode(body).encode()
        headers |= self.credentials(route, path, port)
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}",
                 *(f"{name}: {value}" for name, value in headers.items())]
        if body is not None or method in ("POST", "PUT", "PATCH"):
            lines.append(f"Content-Length: {len(body or b'')}")
        return "\r\n".join([*lines, "", ""]).encode() + (body or b"")

    def shapes(self):
        """Interfaces that look into the store only once a request has their shape."""
        token, process, number = "STsid" + letters(51), secrets.token_hex(16), f"1390000{secrets.randbelow(10_000):04d}"
        operators, vendors, app = self.operators, self.vendors, self.app
        return {
            ("server", operators.LOGIN): lambda: operators.login_request(app, token),
            ("server", operators.VERIFY): lambda: operators.verification_request(app, token, number),
            ("server", operators.USER): lambda: {
                "header": {"version": "1.0", "msgid": operators.message_id(), "systemtime": operators.moment(),
                           "strictcheck": "0",
                           "appid": app["id"], "apptype": "5", "sign": secrets.token_hex(256).upper()},
                           "body": {"token": token}},
            ("server", vendors.CHECK_PHONE): lambda: vendors.check_phone(app, token, process),
            ("server", vendors.CHECK_GATEWAY): lambda: vendors.check_gateway(app, token, process, number),
            ("server", vendors.GEYAN_1): lambda: vendors.long_signed(app, vendors.geyan_request(app, token, process)),
            ("server", vendors.GEYAN_2): lambda: vendors.short_signed(app, token),
            ("device", "/h5/getMobile"): lambda: operators.h5_request(app),
            ("server", "/number-verification/v2/verify"): lambda: {"phoneNumber": f"+86{number}"},
            ("server", "/one-time-password-sms/v1/send-code"): lambda: {"phoneNumber": f"+86{number}",
                                                                        "message": "{{code}}"},
            ("server", "/one-time-password-sms/v1/validate-code"): lambda: {"authenticationId": process,
                                                                            "code": "123456"},
            ("server", "/sim-swap/v2/check"): lambda: {"phoneNumber": f"+86{number}", "maxAge": 240},
            ("server", "/sim-swap/v2/retrieve-date"): lambda: {"phoneNumber": f"+86{number}"},
        }

    def anything(self, path, listener):
        """The members that any of the interfaces has: each with the public id, or with random text."""
        text = letters(43)
        if path.startswith("/openid/"):
            return [("client_id", self.client), ("grant_type", "authorization_code"), ("code", text),
                    ("redirect_uri", "https://shop.example/back"), ("response_type", "code"),
                    ("scope", "openid phone"), ("token", text),
                    ("nonce", text), ("state", text), ("code_verifier", text), ("login_hint", "+8613900000000"),
                    ("page", text),
                    ("action", "login")]
        if path.startswith("/console"):
            return [("name", "ana"), ("password", text), ("code", "123456"), ("invitation", text), ("form", text),
                    ("salt", text)]
        if listener == "administration":
            return {"name": text}
        from .server import BUNDLE
        members = {"app": self.app["id"], "bundle": BUNDLE, "appKeyProof": secrets.token_urlsafe(32),
                   "dialect": "device"}
        scrip, transaction = "SCrip" + letters(48), secrets.token_hex(16)
        if path.endswith(("/authorize", "/forget")):
            return {"app": self.app["id"],
                    "scrip": scrip} | ({"purpose": "verification"} if path.endswith("/authorize") else {})
        if path.endswith("-status"):
            return {"app": self.app["id"], "transaction": transaction}
        if path.endswith("-login"):
            begun = {"policyVersion": "1", "transaction": transaction, "trace": secrets.token_hex(16)}
            return {"app": self.app["id"], "transaction": transaction, "dialect": "device",
                    "consent": self.phone.sms_consent(begun, "x")} \
                | ({} if "upstream" in path else {"smsCode": "123456"})
        if path.endswith("/sms-code"):
            members["number"] = "13900000000"
        if path.endswith("/attestation"):
            members.pop("dialect")
            members |= {"format": "apple-appattest", "key": text, "challenge": text, "evidence": text}
        if listener != "device" or path.startswith("/superid/"):
            members |= {"appToken": text, "token": text, "session": text, "purpose": "login"}
        return members

    def query(self, path):
        text = secrets.token_urlsafe(24)
        if path == "/openid/authorize":
            return "?" + urllib.parse.urlencode({
                "client_id": self.client, "redirect_uri": "https://shop.example/back", "response_type": "code",
                "scope": "openid phone",
                "state": text, "nonce": text, "code_challenge": secrets.token_urlsafe(32),
                "code_challenge_method": "S256"})
        return {"/log/v1/consistency": "?first=0&second=0", "/log/v1/inclusion": f"?tree_size=1&hash={'A' * 43}",
                "/log/v1/entries": "?start=0&end=0", "/device/v1/challenge": f"?app={self.app['id']}"}.get(path, "")

    def credentials(self, route, path, port):
        text, listener = letters(43), route["listener"]
        if listener == "administration" and path.startswith("/v1/"):
            return {"Authorization": f"Bearer benji_admin_{text}"}
        if path.startswith("/console"):
            scheme, name = ("https", "__Host-benji-console") if route["tls"] else ("http", "benji-console")
            return {"Cookie": f"{name}={text}; {name}-tap={text}", "Origin": f"{scheme}://127.0.0.1:{port}",
                    "Sec-Fetch-Site": "same-origin"}
        if path in ("/openid/par", "/openid/token", "/openid/introspect", "/openid/revoke", "/openid/bc-authorize"):
            # Two authentications are refused before the client is looked up. At `mtls` the certificate is one.
            if listener == "mtls":
                return {}
            pair = base64.b64encode(f"{self.client}:{text}".encode()).decode()
            return {"Authorization": f"Basic {pair}"}
        is_of_servers = listener in ("server", "mtls")
        if is_of_servers and "/openid/" not in path and path.count("/") > 2 or path == "/openid/userinfo":
            return {"Authorization": f"Bearer {text}"}
        return {"Cookie": f"benji-login={text}"} if path.startswith("/openid/") else {}


def sources(count):
    """Addresses of the packet core's pool that no phone has."""
    return [f"127.8.{128 + index // 250}.{1 + index % 250}" for index in range(count)]


def tls(certificate):
    """TLS with a certificate that anybody can make. A flood does not ask whose certificate the server has."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.load_cert_chain(*certificate)
    return context


async def handshake(source, port, context, gate):
    """A connection over TLS, or None. It is made before the flood begins, because a control flood has no handshakes."""
    async with gate:
        line = socket.socket()
        try:
            line.setblocking(False)
            line.setsockopt(socket.SOL_IP, NO_PORT, 1)
            line.bind((source, 0))
            async with asyncio.timeout(LONGEST):
                await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", port))
                return await asyncio.open_connection(sock=line, ssl=context, server_hostname="127.0.0.1")
        except OSError:  # A time-out is one too.
            line.close()
            return None


async def shoot_over_tls(ends, data, seen):
    if ends is None:
        seen["refused"] += 1
        return
    reader, writer = ends
    try:
        writer.write(data)
        async with asyncio.timeout(LONGEST):
            head = await reader.read(4096)
        seen[head[9:12].decode() or "closed"] += 1
    except TimeoutError:
        seen["no answer"] += 1
    except OSError:
        seen["refused"] += 1
    finally:
        writer.transport.abort()


async def shoot(source, port, data, seen):
    loop = asyncio.get_running_loop()
    with socket.socket() as line:
        line.setblocking(False)
        line.setsockopt(socket.SOL_IP, NO_PORT, 1)
        try:
            line.bind((source, 0))
            async with asyncio.timeout(LONGEST):
                await loop.sock_connect(line, ("127.0.0.1", port))
                await loop.sock_sendall(line, data)
                head = await loop.sock_recv(line, 4096)
            seen[head[9:12].decode() or "closed"] += 1
        except TimeoutError:
            seen["no answer"] += 1
        except OSError:
            seen["refused"] += 1


async def flood(order):
    """`rate` requests a second to some routes in turn, each at its time whether the one before was answered or not. All
    are made before the first is sent. The flood is over once each was answered, or was waited for LONGEST."""
    stranger, rate, routes, froms = Stranger(order["app"],
                                             order["client"]), order["rate"], order["routes"], sources(order["sources"])
    shots, lines, gate = [], [], asyncio.Semaphore(HANDSHAKES)
    context = tls(order["certificate"]) if any(route["tls"] for route in routes) and not order["silent"] else None
    for turn in range(order["turn"], order["turn"] + round(rate * order["seconds"])):
        route, source = routes[turn % len(routes)], froms[turn % len(froms)]
        data = stranger.request(route, route["port"])
        if context and route["tls"]:
            lines.append((len(shots), asyncio.create_task(handshake(source, route["port"], context, gate)), data))
            shots.append(None)
        else:
            shots.append((shoot, source, order["silent"] or route["port"], data))
    for number, line, data in lines:
        shots[number] = (shoot_over_tls, await line, data)
    begun, seen, late, tasks = time.monotonic() + 0.05, Counter(), 0.0, []
    for number, shot in enumerate(shots):
        wait = begun + number / rate - time.monotonic()
        await asyncio.sleep(max(wait, 0))
        late = max(late, -wait)
        send, *of = shot
        tasks.append(asyncio.create_task(send(*of, seen)))
    await asyncio.gather(*tasks)
    return {"begun": begun, "seen": seen, "late": late}


def floods():
    for line in iter(sys.stdin.readline, ""):
        print(json.dumps(asyncio.run(flood(json.loads(line)))), flush=True)


# Listeners

async def head_of(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n")
                   if line.lower().startswith(b"content-length:")), 0)
    await reader.readexactly(length)
    return head


async def listen(port, serve):
    async def guarded(reader, writer):
        with contextlib.suppress(OSError, EOFError):
            await serve(reader, writer)
        writer.close()
    server = await asyncio.start_server(guarded, "127.0.0.1", port, backlog=4096)
    print("ready", flush=True)
    async with server:
        await server.serve_forever()


async def silent(reader, _):
    await head_of(reader)


class Queued:
    """A simple server with two connections to its database, and one queue for all requests that need one. A login makes
    six round trips. A request without proof costs three, because the server looks up the caller before it refuses."""

    LOGIN, LOOK_UP = 6, 3

    def __init__(self, trip):
        self.trip, self.connections = trip, asyncio.Semaphore(2)

    async def work(self, trips):
        async with self.connections:
            await asyncio.sleep(trips * self.trip)

    async def serve(self, reader, writer):
        while True:
            head = await head_of(reader)
            if head.startswith(b"GET /honest "):
                for _ in range(self.LOGIN):
                    await self.work(1)
            else:
                await self.work(self.LOOK_UP)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()


async def carry(reader, writer, delay):
    """Each piece goes on `delay` seconds after it came, in its order."""
    loop = asyncio.get_running_loop()

    def put(data):
        if not writer.is_closing():
            writer.write(data)
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            loop.call_later(delay, put, data)
    loop.call_later(delay, writer.close)


async def way(path, target, trip):
    async def join(near_reader, near_writer):
        try:
            far_reader, far_writer = await asyncio.open_unix_connection(target)
        except OSError:
            near_writer.close()
            return
        await asyncio.gather(carry(near_reader, far_writer, trip / 2), carry(far_reader, near_writer, trip / 2))
    server = await asyncio.start_unix_server(join, path)
    os.chmod(path, 0o777)
    print("ready", flush=True)
    async with server:
        await server.serve_forever()


def main(mode, *words):
    if mode == "flood":
        floods()
    elif mode == "silent":
        asyncio.run(listen(int(words[0]), silent))
    elif mode == "queued":
        asyncio.run(listen(int(words[0]), Queued(float(words[1])).serve))
    elif mode == "way":
        asyncio.run(way(words[0], words[1], float(words[2])))


if __name__ == "__main__":
    main(*sys.argv[1:])
