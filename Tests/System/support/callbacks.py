"""A receiver of callbacks over TLS on this machine, which checks what it gets as the example does
(Examples/Callbacks)."""

import http.server
import importlib.util
import ssl
import threading
import time

from .checks import Stop, first_json
from .operators import Backend
from .server import ROOT, Server, free_ports

PHONE, NUMBER = "127.8.40.1", "13800000041"


def example():
    """Examples/Callbacks/receiver.py as a module: receivers of tests check events by the code that documents show."""
    spec = importlib.util.spec_from_file_location("callback_receiver", ROOT / "Examples/Callbacks/receiver.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EXAMPLE = example()


class Receiver:
    """Keeps every request that came. `answer` decides the status of each, and may take its time."""

    def __init__(self, authority, port=None):
        self.port = port or free_ports(1)[0]
        self.url = f"https://localhost:{self.port}/benji-events"
        self.authority, self.secrets = authority, []
        self.events, self.refused, self.headers, self.bodies = [], [], [], []
        self.answer, self.location = lambda event: 204, None
        self.lock, self.server = threading.Lock(), None

    def start(self):
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            timeout = 20

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                status = receiver.take(self.headers, body)
                self.send_response(status)
                if receiver.location:
                    self.send_header("location", receiver.location)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.authority.certificate, self.authority.key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.server.handle_error = lambda *_: None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def take(self, headers, body):
        try:
            event = EXAMPLE.verify(self.secrets, headers, body)
        except EXAMPLE.NotOurs as error:
            with self.lock:
                self.refused.append(str(error))
            return 401
        with self.lock:
            self.events.append(event)
            self.headers.append(dict(headers.items()))
            self.bodies.append(body)
        return self.answer(event)

    def ids(self, kind=None):
        with self.lock:
            return [event["id"] for event in self.events if kind in (None, event["type"])]

    def stop(self):
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


def slow(seconds):
    """An answer that comes late."""
    def answer(_):
        time.sleep(seconds)
        return 204
    return answer


class Sender(Server):
    """A server whose apps' callbacks are on this machine."""

    def __init__(self, authority, *ports, beside=None, **settings):
        """`settings` are those of callbacks, `beside` all others."""
        super().__init__(log={"level": "warning"}, callbacks={
            "ports": ["443", *map(str, ports)], "allow-networks": ["127.0.0.0/8"], "authorities": authority.ca,
            **settings}, **beside or {})

    def order(self, *words):
        done = self.command("app", "callback", *words, "--config", self.configuration, "--json")
        answer = first_json(done.stdout)
        if done.returncode != 0 or answer is None:
            raise Stop(f"benji app callback {words}: {done.stdout} {done.stderr}")
        return answer

    def register(self, app, receiver, *arguments):
        secret = self.order("set", app["id"], "--url", receiver.url, *arguments).get("secret")
        if secret:
            receiver.secrets = [secret]
        return secret

    def deliveries(self, app, *arguments):
        return self.order("deliveries", app["id"], "--limit", "1000", *arguments)["deliveries"]

    def login(self, app):
        """Redeems a login; True if the number was released."""
        token, situation, said = self.phone("login", app, PHONE)
        if token is None:
            raise Stop(f"benji phone login: {situation} {said}")
        backend = Backend(self.server)
        try:
            return backend.redeem(app, token) == ("103000", NUMBER)
        finally:
            backend.close()
