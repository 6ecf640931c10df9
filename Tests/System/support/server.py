"""`benji serve` on free ports of this machine's loopback, with a folder of its own, and phones that talk to it."""

import contextlib
import http.client
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from .checks import PATIENCE, Stop, eventually, first_json, folder, hold, kill, run, start

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "scripts/face"))
# Found by the line above; test_face.py and the benchmarks take it from here.
from place import FOLDER as FACE  # noqa: E402

BUNDLE = "com.example.shop"
SECRET = "interop-secret-of-the-packet-core"


def binary():
    """The program under test: BENJI_BINARY, or the debug build."""
    path = Path(os.environ.get("BENJI_BINARY", ROOT / "Server/.build/debug/benji"))
    if not os.access(path, os.X_OK):
        raise Stop(f"{path} is missing; build it with: make build, or name another in BENJI_BINARY")
    return str(path)


def environment():
    """This process's environment without settings of Benji's, so that a developer's own do not change a test."""
    return {name: value for name, value in os.environ.items() if not name.startswith("BENJI_")}


def free_ports(count, kind=socket.SOCK_STREAM):
    """Ports of the loopback that no other program is given before the test module ends, parallel tests included.

    A socket stays bound to each and does not listen. Servers that listen there set SO_REUSEADDR. With UDP two sockets
    on one port would share its packets, so the port is held for TCP, below those that the system chooses."""
    return [_hold_for_udp() if kind == socket.SOCK_DGRAM else _hold() for _ in range(count)]


def _hold(port=0):
    opened = socket.socket()
    opened.bind(("127.0.0.1", port))
    # Not before: two sockets that both say it first are given the same port.
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    hold(opened)
    return opened.getsockname()[1]


# Each process of pytest begins at another place, and gives no port again soon.
_udp_ports = itertools.islice(itertools.cycle(range(20_000, 32_000)), os.getpid() * 97 % 12_000, None)


def _hold_for_udp():
    for port in _udp_ports:
        with contextlib.suppress(OSError), socket.socket(type=socket.SOCK_DGRAM) as tried:
            tried.bind(("127.0.0.1", port))
            return _hold(port)


# Commands that wait for an answer of the server's.
WAITING = [["phone", each] for each in ("login", "verify", "attach", "update", "detach")]


def patient(words):
    """The words of a command of benji, which waits as long as tests do."""
    return [*words, "--timeout", str(int(PATIENCE))] if [*words[:2]] in WAITING else words


def situation_in(said):
    """The situation that `benji phone` named in what it printed, or None."""
    found = re.search(r"\b([a-z]+(?:_[a-z]+)+): ", said)
    return found and found[1]


class Server:
    """One installation: data and configuration outlive the process, so that it can be killed and started again."""

    # Classes in front of this one where installations of tests are no processes of this machine (support.clustered).
    deployed = ()
    # Seconds that an answer to operators is waited for.
    patience = PATIENCE

    def __new__(cls, *_, **__):
        return super().__new__(type(cls.__name__, (*cls.deployed, cls), {}) if cls.deployed else cls)

    def __init__(self, nas=None, device_host="127.0.0.1", **settings):
        self.binary = binary()
        self.folder = folder()
        self.data = self.folder / "data"
        self.log = self.folder / "log.txt"
        self.device, self.server, self.admin = free_ports(3)
        (self.accounting,) = free_ports(1, socket.SOCK_DGRAM)
        self.device_host, self.admin_host = device_host, "127.0.0.1"
        self.process = None
        self.wrapper = []  # a command that runs the program, such as strace
        # Further variables of the program's environment.
        self.environment = {"BENJI_FACE": str(FACE)} if "face" in settings else {}
        nas = nas or {"pgw": {}}
        device = f"[{device_host}]" if ":" in device_host else device_host
        configuration = {
            "role": "all", "data": str(self.data), "log": {"level": "info"},
            "listen": {"device": f"{device}:{self.device}", "server": f"127.0.0.1:{self.server}",
                       "admin": f"127.0.0.1:{self.admin}", "accounting": f"127.0.0.1:{self.accounting}"},
            "public": {"urls": [self.device_url]},
            "nas": {"names": list(nas), **{
                name: {"sources": ["127.0.0.1/32"], "secret": SECRET, "pools": ["127.8.0.0/16"], "carrier": "mobile",
                       "interim": 300, **options} for name, options in nas.items()}},
        }
        for key, value in settings.items():
            if isinstance(value, dict):
                configuration.setdefault(key, {}).update(value)
            else:
                configuration[key] = value
        self.configuration = self.folder / "benji.yaml"
        # It holds secrets. JSON is YAML too.
        self.configuration.touch(0o600)
        self.configuration.write_text(json.dumps(configuration, indent=1))

    @property
    def device_url(self):
        host = f"[{self.device_host}]" if ":" in self.device_host else self.device_host
        return f"http://{host}:{self.device}"

    # The process

    def start(self, seconds=None):
        is_restart = (self.data / "directory.journal").exists()
        with open(self.log, "ab") as log:
            self.process = start(
                [*self.wrapper, self.binary, "serve", "--config", str(self.configuration)], stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, env=environment() | self.environment)

        def is_ready():
            if self.process.poll() is not None:
                raise Stop(f"benji serve ended with {self.process.returncode}: {self.tail()}")
            return self.ready()[0] == 200

        if not eventually(is_ready, seconds):
            raise Stop(f"benji serve is not ready: {self.ready()}; {self.tail()}")
        if is_restart:
            # Events dated in the second of a restart confirm no earlier session.
            wait_a_second()
        return self

    def kill9(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self, number=signal.SIGTERM, seconds=PATIENCE):
        """Its exit status, or None if it had to be killed."""
        if self.process is None or self.process.poll() is not None:
            return self.process and self.process.returncode
        self.process.send_signal(number)
        try:
            return self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            kill(self.process)
            return None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    @property
    def logs(self):
        """Of each process that it runs."""
        return [self.log]

    def tail(self, lines=15):
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        return "\n".join(text.splitlines()[-lines:])

    # The operators' interface

    def get(self, path, method="GET"):
        """(status, text, headers) of the admin listener; status 0 if nothing listens."""
        connection = http.client.HTTPConnection(self.admin_host, self.admin, timeout=self.patience)
        try:
            connection.request(method, path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), answer.headers
        except OSError:
            return 0, "", {}
        finally:
            connection.close()

    def ready(self):
        return self.get("/health/ready")[:2]

    def unready(self, seconds=None):
        """The first answer that it is not ready, or the last answer of any kind when the time is over."""
        answer = None

        def is_unready():
            nonlocal answer
            answer = self.ready()
            return answer[0] == 503

        eventually(is_unready, seconds)
        return answer

    def metric(self, name, **labels):
        """The sum of the samples of `name` that carry `labels`; None if there is no such sample."""
        values = []
        for line in self.get("/metrics")[1].splitlines():
            found = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line)
            if found and found[1] == name:
                own = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', found[2] or ""))
                if labels.items() <= own.items():
                    values.append(float(found[3]))
        return sum(values) if values else None

    # Apps and phones

    def command(self, *arguments, seconds=None):
        return run([self.binary, *map(str, patient(arguments))], seconds, env=environment() | self.environment,
                   stdin=subprocess.DEVNULL)

    def create_app(self, *arguments, name="Shop", server_address="127.0.2.0/24"):
        if not (self.data / "benji.sqlite").exists():
            self.command("init", "--config", self.configuration)
        made = self.command(
            "app", "create", "--config", self.configuration, "--name", name, "--bundle", BUNDLE, "--server-address",
            server_address, "--json", *arguments)
        app = first_json(made.stdout)
        if made.returncode != 0 or app is None:
            raise Stop(f"benji app create: {made.stdout} {made.stderr}")
        return app

    def allow_face(self, app, *arguments):
        """Lets an app log people in by face; the server was made with settings of `face`."""
        done = self.command("app", "face", "set", app["id"], "--config", self.configuration, *arguments)
        if done.returncode != 0:
            raise Stop(f"benji app face set: {done.stdout}{done.stderr}")

    def phone(self, what, app, address, *arguments):
        """`benji phone login` or `verify` from an address: (token or None, situation or None, all that was printed)."""
        done = self.command(
            "phone", what, "--server", self.device_url, "--app", app["id"], "--key", app["key"], "--bundle", BUNDLE,
            "--from", address, "--json", *(["--yes"] if what == "login" else []), *arguments)
        said = done.stdout + done.stderr
        answer = first_json(done.stdout)
        if done.returncode == 0 and answer:
            return answer["token"], None, said
        return None, situation_in(said) or "?", said

    def attach(self, what, address, number=None, secret=SECRET, source=None, imsi=None):
        """`benji phone attach`, `update` or `detach`."""
        arguments = ["--gateway", f"127.0.0.1:{self.accounting}", "--secret", secret, "--address", address]
        arguments += ["--from", source] if source else []
        arguments += ["--number", number] if number else []
        arguments += ["--imsi", imsi] if imsi else []
        return self.command("phone", what, *arguments)


def wait_a_second():
    """Waits until the next second has begun. Accounting has whole seconds; events in order need different ones."""
    time.sleep(1.01 - time.time() % 1)
