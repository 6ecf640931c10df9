"""An SMSC, a line between it and us that can be cut, a provider over HTTP, and the program that sends."""

import http.server
import json
import os
import queue
import signal
import socket
import ssl
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from pathlib import Path

from .checks import Stop, end, eventually, folder, hold, require, start
from .server import binary, free_ports


class Lines:
    """A program that says JSON line by line, and is told things the same way."""

    def __init__(self, command, **options):
        self.said = []
        self.process = start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            if line.startswith("{"):
                self.said.append(json.loads(line))

    def tell(self, **order):
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def wait(self, name, value=None, count=1, seconds=15):
        """The lines with a member of this name, when there are as many."""
        def found():
            lines = [line for line in list(self.said) if name in line and (value is None or line[name] == value)]
            return lines if len(lines) >= count else None
        return eventually(found, seconds=seconds) or []

    def all(self, name):
        return [line for line in list(self.said) if name in line]


class SMSC(Lines):
    def __init__(self, port=None, offset=0):
        self.port = port or free_ports(1)[0]
        super().__init__([sys.executable, str(Path(__file__).with_name("smsc_program.py")), str(self.port),
                          str(offset)])
        if not self.wait("listens", seconds=20):
            raise Stop("the SMSC did not start")

    def submits(self, to=None):
        return [line for line in self.all("submit") if to is None or line["to"] == to]

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        end(self.process, ((signal.SIGKILL, 5),))


class Line:
    """A relay to an SMSC: connections here, over TLS if it has a certificate, go on there until it is cut."""

    def __init__(self, port, authority=None):
        self.target = port
        self.tls = None
        if authority:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(authority.certificate, authority.key)
        self.holds_answers = False
        self.pairs = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        hold(self.listener)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                near = self.tls.wrap_socket(near, server_side=True) if self.tls else near
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                near.close()
                continue
            self.pairs.append((near, far))
            threading.Thread(target=self._carry, args=(near, far, False), daemon=True).start()
            threading.Thread(target=self._carry, args=(far, near, True), daemon=True).start()

    def _carry(self, source, target, is_answer):
        try:
            while data := source.recv(65536):
                if not (is_answer and self.holds_answers):
                    target.sendall(data)
        except OSError:
            pass
        for ended in (source, target):
            try:
                ended.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        for pair in self.pairs:
            for ended in pair:
                try:
                    ended.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        self.pairs = []


class Provider:
    """A provider over HTTP that answers what it is told: a status and a body, or nothing at all."""

    def __init__(self):
        self.requests = []
        self.answers = queue.Queue()
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                provider.requests.append((dict(self.headers), body))
                status, answer = provider.answers.get()
                if status is None:
                    # Taken, and then silent.
                    threading.Event().wait(answer)
                    return
                if status == "head":
                    self.send_response(200)
                    self.send_header("content-length", "20")
                    self.end_headers()
                    threading.Event().wait(answer)
                    return
                self.send_response(status)
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        hold(self.server.socket)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/send"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Sender(Lines):
    """The program that sends, over the senders of its arguments."""

    def __init__(self, *arguments):
        place = os.environ.get("BENJI_SEND_SMS") or str(Path(binary()).parent / "SendSMS")
        self._last = 0
        super().__init__([place, *arguments])

    def begin(self, to, text="Code 123456", seconds=10):
        self._last += 1
        self.tell(send=self._last, to=f"+{to}", text=text, seconds=seconds)
        return self._last

    def outcome(self, number, seconds=15):
        lines = self.wait("sent", number, seconds=seconds)
        return lines[0] if lines else {}

    def send(self, to, text="Code 123456", seconds=10):
        return self.outcome(self.begin(to, text, seconds), seconds + 5)

    def troubles(self):
        self._last += 1
        self.tell(trouble=self._last)
        lines = self.wait("trouble", self._last)
        return lines[0]["words"] if lines else None

    def ready(self, seconds=15):
        """Waits until no sender is in trouble."""
        return eventually(lambda: self.troubles() == [], seconds=seconds, pause=0.2)


class Kannel:
    """Debian's Kannel as a client of an SMSC: bearerbox holds the session, smsbox takes texts over HTTP."""

    def __init__(self, port):
        place = folder()
        admin, box, self.port = free_ports(3)
        configuration = place / "kannel.conf"
        configuration.write_text(f"""
group = core
admin-port = {admin}
admin-password = secret
smsbox-port = {box}
box-allow-ip = 127.0.0.1
log-file = {place}/bearerbox.log

group = smsc
smsc = smpp
host = 127.0.0.1
port = {port}
transceiver-mode = true
smsc-username = kannel
smsc-password = secret
system-type = otp
dest-addr-ton = 1
dest-addr-npi = 1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = {self.port}
log-file = {place}/smsbox.log

group = sendsms-user
username = benji
password = secret
concatenation = true
max-messages = 10
""")
        start([require("bearerbox", "kannel"), "-v", "4", str(configuration)], stderr=subprocess.DEVNULL)
        self._box = lambda: start([require("smsbox", "kannel"), "-v", "4", str(configuration)],
                                  stderr=subprocess.DEVNULL)
        self._listens(box, place / "bearerbox.log")
        self._box()
        self._listens(self.port, place / "smsbox.log")

    @staticmethod
    def _listens(port, log):
        def connected():
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return True
            except OSError:
                return False
        # Beside compilers and three other tests it takes a while.
        if not eventually(connected, seconds=60):
            said = log.read_text(errors="replace")[-2000:] if log.exists() else "it wrote no log"
            raise Stop(f"Kannel did not start: {said}")

    def send(self, to, text, coding):
        asked = urllib.parse.urlencode({"username": "benji", "password": "secret", "from": "10690", "to": to,
                                        "text": text,
                                        "charset": "UTF-8", "coding": coding})
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/cgi-bin/sendsms?{asked}", timeout=10) as answer:
            return answer.read().decode()


def smpp(name, port):
    return ["--smpp", f"{name},127.0.0.1,{port},benji,secret"]
