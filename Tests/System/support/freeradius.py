"""FreeRADIUS's own client and server: attributes by its dictionaries, packets by its code."""

import re
import socket
import subprocess
import time

from .checks import HANG, PATIENCE, Stop, eventually, folder, require, run, start
from .link import blocks
from .server import SECRET, free_ports

DICTIONARY = "/usr/share/freeradius"


class RadClient:
    """`radclient`, sending accounting to one port."""

    def __init__(self, port, secret=SECRET, host="127.0.0.1"):
        self.program = require("radclient", "freeradius-utils")
        self.gateway = f"{host}:{port}"
        self.secret = secret
        self.folder = folder()

    def send(self, attributes, wait=1, tries=int(PATIENCE), **options):
        """(the code of the answer or None, all that radclient printed). Without an answer it takes `wait` x `tries`
        s."""
        words, text = self._words(attributes, wait, tries, **options)
        done = run(words, input=text)
        said = done.stdout + done.stderr
        answer = re.search(r"Received (\S+) Id", said)
        return (answer[1] if answer else None), said

    def begin(self, attributes, **options):
        """Sends one packet and does not wait for the answer. The process runs until there is one."""
        words, text = self._words(attributes, HANG, 1, **options)
        request = folder() / "request.txt"
        request.write_text(text)
        with open(request) as given:
            return start(words, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _words(self, attributes, wait, tries, secret=None, kind="acct", source=None, gateway=None):
        """The command, and what it reads."""
        pairs = dict(attributes)
        if source:
            pairs["Packet-Src-IP-Address"] = source
        return ([self.program, "-x", "-D", DICTIONARY, "-d", str(self.folder), "-t", str(wait), "-r", str(tries),
                 gateway or self.gateway, kind, secret or self.secret],
                "\n".join(f"{name} = {value}" for name, value in pairs.items()) + "\n")


def session(status, name, address=None, number=None, **more):
    """The attributes of a session's packet, as radclient spells them; now, unless `more` says when."""
    pairs = {"Acct-Status-Type": status, "Acct-Session-Id": f'"{name}"', "NAS-Identifier": '"pgw-1.example"',
             "Event-Timestamp": int(time.time())}
    if address:
        pairs["Framed-IP-Address"] = address
    if number:
        pairs["Calling-Station-Id"] = f'"{number}"'
    pairs.update({key.replace("_", "-"): value for key, value in more.items()})
    return pairs


PROXY_CONFIGURATION = """
prefix = /usr
libdir = /usr/lib/freeradius
localstatedir = {folder}
logdir = {folder}
run_dir = {folder}
raddbdir = {folder}
pidfile = {folder}/radiusd.pid
name = radiusd
max_request_time = 10
cleanup_delay = 2
max_requests = 4096
hostname_lookups = no
proxy_requests = yes
log {{
    destination = stdout
}}
security {{
    max_attributes = 200
    reject_delay = 0
    status_server = no
    allow_vulnerable_openssl = yes
}}
proxy server {{
    default_fallback = no
}}
home_server benji {{
    type = acct
    ipaddr = 127.0.0.1
{way}
    response_window = 4
    zombie_period = 20
    status_check = status-server
    check_interval = 6
    num_answers_to_alive = 3
}}
home_server_pool benji {{
    type = fail-over
    home_server = benji
}}
realm benji {{
    acct_pool = benji
    nostrip
}}
client packet-core {{
    ipaddr = 127.0.0.1
    secret = {client_secret}
}}
modules {{
}}
server default {{
    listen {{
        type = acct
        ipaddr = 127.0.0.1
        port = {port}
    }}
    preacct {{
        update control {{
            Proxy-To-Realm := "benji"
        }}
    }}
    accounting {{
    }}
}}
"""


BY_UDP = """    port = {benji}
    secret = {secret}
    src_ipaddr = {source}"""

BY_TLS = """    port = {port}
    proto = tcp
    secret = radsec
    tls {{
        certificate_file = {certificate}
        private_key_file = {key}
        ca_file = {authority}
        tls_min_version = "1.2"
        tls_max_version = "1.2"
    }}"""


class Proxy:
    """A FreeRADIUS server in the foreground that passes accounting on to Benji, by UDP or over TLS. It can hang when
    asked to stop, so it is killed."""

    def __init__(self, benji, source, client_secret, secret=SECRET, tls=None):
        self.program = require("freeradius", "freeradius")
        self.folder = folder()
        (self.port,) = free_ports(1, socket.SOCK_DGRAM)
        (self.folder / "radiusd.conf").write_text(PROXY_CONFIGURATION.format(
            folder=self.folder, client_secret=client_secret, port=self.port,
            way=BY_TLS.format(**tls) if tls else BY_UDP.format(benji=benji, secret=secret, source=source)))
        (self.folder / "dictionary").write_text("")
        self.log = self.folder / "log.txt"
        self.process = None

    def __enter__(self):
        with open(self.log, "ab") as log:
            self.process = start(
                [self.program, "-X", "-d", str(self.folder), "-D", DICTIONARY], stdout=log, stderr=log,
                stdin=subprocess.DEVNULL)
        if not eventually(lambda: "Ready to process requests" in self.said() or self.process.poll() is not None):
            raise Stop(f"FreeRADIUS does not get ready: {self.said()[-1500:]}")
        if self.process.poll() is not None:
            raise Stop(f"FreeRADIUS ended with {self.process.returncode}: {self.said()[-1500:]}")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(PATIENCE)

    def said(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""


READER_CONFIGURATION = """
prefix = /usr
libdir = /usr/lib/freeradius
localstatedir = {folder}
logdir = {folder}
run_dir = {folder}
raddbdir = {folder}
name = radiusd
max_request_time = 10
cleanup_delay = 0
max_requests = 4096
hostname_lookups = no
proxy_requests = no
log {{
    destination = stdout
}}
security {{
    max_attributes = 200
    allow_vulnerable_openssl = yes
}}
client packet-core {{
    ipaddr = 127.0.0.1
    secret = {secret}
}}
modules {{
    detail {{
        filename = "{folder}/detail"
        permissions = 0600
    }}
}}
server default {{
    listen {{
        type = acct
        ipaddr = 127.0.0.1
        port = {port}
    }}
    accounting {{
        detail
    }}
}}
"""


class Reader:
    """A FreeRADIUS server that answers each accounting packet which it can read, and writes down what it has read."""

    def __init__(self, secret=SECRET):
        self.program = require("freeradius", "freeradius")
        self.folder = folder()
        (self.port,) = free_ports(1, socket.SOCK_DGRAM)
        (self.folder / "radiusd.conf").write_text(
            READER_CONFIGURATION.format(folder=self.folder, port=self.port, secret=secret))
        (self.folder / "dictionary").write_text("")
        self.log, self.detail = self.folder / "log.txt", self.folder / "detail"
        self.offset = 0

    def __enter__(self):
        # One thread: it has written a packet down when it answers, and answers in order.
        with open(self.log, "ab") as log:
            self.process = start([self.program, "-s", "-l", "stdout", "-d", str(self.folder), "-D", DICTIONARY],
                                 stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        eventually(lambda: "Ready to process requests" in self.said() or self.process.poll() is not None)
        if self.process.poll() is not None:
            raise Stop(f"FreeRADIUS ended with {self.process.returncode}: {self.said()[-1500:]}")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(PATIENCE)

    def said(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def packets(self):
        """The packets that it has read since the last call: a list of names and values (bytes) for each."""
        text = self.detail.read_bytes()[self.offset:] if self.detail.exists() else b""
        self.offset += len(text)
        return [[(name.decode(), unquoted(value)) for name, value in re.findall(rb"^\t(\S+) = (.*)$", packet, re.M)]
                for packet in text.split(b"\n\n") if packet.strip()]


def unquoted(value):
    """The bytes of a value as FreeRADIUS prints it: a text between quotes with escapes, or anything else as it is."""
    if not (value.startswith(b'"') and value.endswith(b'"')):
        return value
    named = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}
    return re.sub(rb"\\(?:([0-7]{3})|(.))",
                  lambda found: bytes([int(found[1], 8)]) if found[1] else named.get(found[2], found[2]), value[1:-1])


# Before the settings of docs/operations/feed-tls.md: who sends, and where to.
RADSECPROXY_CONFIGURATION = """
ListenUDP 127.0.0.1:{listen}
LogLevel 2
client packet-core {{
    host 127.0.0.1
    type udp
    secret {client_secret}
}}
"""


class RadSecProxy:
    """radsecproxy in the foreground: accounting comes by UDP and goes on over TLS."""

    def __init__(self, tls, client_secret):
        self.program = require("radsecproxy", "radsecproxy")
        self.folder = folder()
        (self.port,) = free_ports(1, socket.SOCK_DGRAM)
        self.configuration = self.folder / "radsecproxy.conf"
        (page,) = blocks("radsecproxy")
        for name, mine in (("/etc/radsecproxy/radsec-ca.pem", tls["authority"]),
                           ("/etc/radsecproxy/pgw-1.pem", tls["certificate"]),
                           ("/etc/radsecproxy/pgw-1.key", tls["key"]), ("host gateway.example", "host 127.0.0.1"),
                           ("port 2083", f"port {tls['port']}")):
            if name not in page:
                raise Stop(f"docs/operations/feed-tls.md does not have {name} among radsecproxy's settings")
            page = page.replace(name, str(mine))
        self.configuration.write_text(RADSECPROXY_CONFIGURATION.format(listen=self.port,
                                                                       client_secret=client_secret) + page)
        self.log = self.folder / "log.txt"
        self.process = None

    def __enter__(self):
        # In the foreground it logs to standard error.
        with open(self.log, "ab") as log:
            self.process = start([self.program, "-f", "-c", str(self.configuration)], stdout=log, stderr=log,
                                 stdin=subprocess.DEVNULL)
        eventually(lambda: "listening for udp" in self.said() or self.process.poll() is not None)
        if "listening for udp" not in self.said() or self.process.poll() is not None:
            raise Stop(f"radsecproxy does not start: {self.said()[-1500:]}")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(PATIENCE)

    def said(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""
