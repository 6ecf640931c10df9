"""Floods at the routes of an installation on PostgreSQL, beside honest logins and accounting, and the cost of the
floods for these.

Everything is scaled by twenty, so that flood, people, gateways and authority have room on two cores. The database is
TRIP seconds away instead of one millisecond. A flood has RATE requests a second instead of 400, and PACE people log in
a second instead of a hundred. Each still needs the same share of a connection's time. The rest of a flood's cost is
processor time.

A control flood is the same flood at a listener that answers nothing.
"""

import collections
import contextlib
import http.client
import itertools
import json
import queue
import re
import ssl
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from .certificates import CertificateAuthority
from .checks import Stop, eventually, first_json, folder, start
from .clientcertificates import ClientAuthority
from .operators import Backend
from .pairs import PairHouse
from .phones import Phone
from .radius import INTERIM, START, STOP, PacketCore
from .server import ROOT, SECRET, free_ports

#: Seconds to the database and back.
TRIP = 0.02
#: Requests of a flood, and logins, a second.
RATE, PACE = 20, 5
SOURCES = Path(ROOT, "Server/Sources")
NO_ANSWER = (OSError, http.client.HTTPException, ValueError)
CALLBACK = "https://shop.example/back"


def program(*words, **options):
    """One of support.flooding's programs, once it is ready."""
    made = start([sys.executable, "-B", "-m", "support.flooding", *map(str, words)], cwd=Path(__file__).parents[1],
                 text=True,
                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
    if words[0] != "flood" and made.stdout.readline() != "ready\n":
        raise Stop(f"support.flooding {words[0]} did not begin")
    return made


# The route table

@dataclass(frozen=True)
class Route:
    listener: str
    method: str
    path: str
    port: int = field(compare=False)
    url: str = field(compare=False, default="")
    #: Whether the listener speaks TLS.
    tls: bool = field(compare=False, default=False)

    @property
    def name(self):
        return f"{self.listener} {self.method} {self.path}"

    @property
    def place(self):
        return self.listener, shape(self.path)

    @property
    def operation(self):
        return f"{self.method} {shape(self.path)}"


def shape(path):
    """A path without the names of its parts. The router takes one that ends with a slash for the one without."""
    return re.sub(r"\{\w+\}", "{}", path).rstrip("/")


# : How the sources say the path of a route, besides by a literal. Each of them is made of literals, which `candidates`
# puts together. : A new one fails the test: then `candidates` has to learn it.
EXPRESSIONS = (r'"/[^"\\]*"', r'"/log/v1/\\\(name\)"', r"\w+(\.\w+)*\.rawValue", r"path", r"Self\.(path|accountPath)",
               r"folder \+ name",
               r"prefix( \+ (file\.name|\"[\w.]+\"))?", r"address\(of: path\)", r"type\.route\.path", r"route\.path")
#: These are no part of `benji serve`.
OTHERS = ("Sandbox", "SandboxWeb")


def swift_files():
    return [(path, path.read_text(encoding="utf-8")) for path in sorted(SOURCES.rglob("*.swift"))
            if path.relative_to(SOURCES).parts[0] not in OTHERS]


#: A route with its method and its path.
MADE = re.compile(
    r"EndpointRoute\(\s*(?:HTTPRequest\.Method\(type\.route\.method\)|[^,()]+?),\s*(.*?)(?:, answersHead: \w+)?\)? ?\{")


def not_understood(files=None):
    """Places of the sources that make a route whose path `candidates` may not find."""
    found = []
    for path, text in files or swift_files():
        for place in re.finditer(r"\bEndpointRoute\(", text):
            made = MADE.match(text, place.start())
            if made is None or not any(re.fullmatch(each, made[1]) for each in EXPRESSIONS):
                found.append(f"{path.name}: {made[1] if made else text[place.start():place.start() + 60]}")
    return found


def candidates():
    """Every path that the sources and the documents can make, and more: a listener says which of them it has."""
    whole, beginnings, ends = set(), set(), set()
    for path, text in swift_files():
        literals = re.findall(r'"(/[A-Za-z0-9._/{}-]*)(?:\\\(\w+\))?"', text)
        whole |= set(literals)
        if "OrderRoute." in text:
            whole |= {"/v1" + each for each in literals}
        beginnings |= {each for each in literals if each.endswith("/") and len(each) > 2}
        if re.search(r'EndpointRoute\(.*((prefix|folder) \+|\\\()', text):
            ends |= set(re.findall(r'"([a-z][a-z0-9.-]*)"', text))
    for path in SOURCES.rglob("*.c"):
        ends |= set(re.findall(r'"([a-z][a-z0-9./-]*\.[a-z]+)"', path.read_text(encoding="utf-8")))
    whole |= {first + last for first in beginnings for last in ends}
    for document in (ROOT / "docs/openapi").glob("*.yaml"):
        whole |= set(re.findall(r"^  (/\S*):$", document.read_text(encoding="utf-8"), re.MULTILINE))
    return sorted(whole)


def routes_at(listener, port, metrics, url, tls, paths):
    """The route table of a listener. The listener answers a method that it does not know with the methods of that path.
    It counts the request under the path as its table has it."""
    line = http.client.HTTPSConnection("127.0.0.1", port, timeout=30, context=tls) if tls else \
        http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    found = {}
    for path in paths:
        line.request("TRACE", re.sub(r"\{(\w+)\}", r"\1", path))
        answer = line.getresponse()
        answer.read()
        if answer.status == 405:
            found[path] = answer.headers["Allow"].split(", ")
    line.close()
    # Only a path without names is counted by itself when its method is not known. Paths with names are told apart by
    # their forms.
    counted = {route for of, route, _ in counts(metrics()) if of == listener}
    named = {re.sub(r"\{\w+\}", "{}", path): path for path in sorted(found, reverse=True) if "{" in path}
    known = sorted((counted & set(found)) | set(named.values()))
    return [Route(listener, method, path, port, url, tls is not None) for path in known for method in found[path]]


def documented():
    """(operations of phones and apps' servers, operations of admins' programs) of documents that Swift tests compare
    with the route table: RowBudgetRoutesTests and AdministrationDocumentTests. Those of face login are left out,
    because it is not switched on here."""
    page = (ROOT / "docs/generated/row-budget.md").read_text(encoding="utf-8")
    page = re.sub(r"<!-- row budget: face -->.*?<!-- end of face -->", "", page, flags=re.DOTALL)
    public = {f"{method} {shape(path)}" for method, path in re.findall(r"^\| `([A-Z]+) (/\S*)` \|", page, re.MULTILINE)}
    orders, path = set(), ""
    for line in (ROOT / "docs/openapi/admin.yaml").read_text(encoding="utf-8").splitlines():
        if found := re.fullmatch(r"  (/\S*):", line):
            path = found[1]
        elif found := re.fullmatch(r"    (get|put|post|patch|delete):", line):
            orders.add(f"{found[1].upper()} {shape(path)}")
    return public, orders


#: Below it are the files of the page designer.
DESIGNER = "/console/apps/{id}/design/"


def one_at_a_time(table):
    """Name -> routes that are flooded as one. One line of the sources makes a route for each of the page designer's
    files; these are one."""
    text = (SOURCES / "PageDesigner/PageDesigner.swift").read_text(encoding="utf-8")
    own = {DESIGNER + name for name in ("", *re.findall(r'EndpointRoute\(\.get, prefix \+ "([\w.]+)"\)', text))}
    found = {}
    for route in table:
        is_file = route.method == "GET" and route.path.startswith(DESIGNER) and route.path not in own
        found.setdefault(f"{route.listener} GET {DESIGNER}FILE" if is_file else route.name, []).append(route)
    return found


def counts(text):
    """(listener, route, status) of each count of answers on a page of metrics."""
    return re.findall(r'^benji_http_requests_total\{.*?listener="(\w+)",route="(/[^"]*)",status="(\d+)"\} ', text,
                      re.MULTILINE)


# The installation

class FloodedHouse(PairHouse):
    """A pair of gateways and an authority, a short way from its database, with every interface that needs no model or
    modem."""

    def __init__(self, postgres):
        super().__init__(postgres)
        self.postgres = postgres
        place = folder()
        place.chmod(0o755)
        program("way", place / ".s.PGSQL.5432", postgres.folder / ".s.PGSQL.5432", TRIP)
        self.administration, self.mtls = free_ports(2)
        certificates = CertificateAuthority(folder())
        certificates.issue("served", ["-days", "30"])
        self.tls = ssl.create_default_context(cafile=certificates.certificate)
        settings = self.authority.settings
        settings["store"] = {"postgres": f"host={place} dbname=benji user=benji"}
        settings["listen"] |= {"administration": f"127.0.0.1:{self.administration}", "mtls": f"127.0.0.1:{self.mtls}"}
        settings["tls"] = {"certificate": f"{certificates.folder}/served.pem",
                           "key": f"{certificates.folder}/served.key"}
        self.authority.configure(**settings, openid={"issuer": "https://id.example.com",
                                                     "mtls": f"https://127.0.0.1:{self.mtls}",
                                                     "pages": self.gateways[0].device_url},
                                 sms={"names": ["file"], "file": {"kind": "file", "path": "messages.jsonl"}},
                                 **{"public-log": {"page": True}})
        self.client = None

    def start(self):
        # The addresses of the floods count as the app's servers.
        self.app = self.authority.create_app(
            "--server-address", "127.8.128.0/17", "--workflow", "one-tap-then-sms", "--least-assurance", "sms")
        page = self.authority.folder / "login.json"
        self.authority.command("page", "new", "--out", page)
        made = self.authority.command("app", "openid", "set", self.app["id"], "--config", self.authority.configuration,
                                      "--redirect-uri", CALLBACK,
                                      "--page", page, "--json")
        if made.returncode != 0:
            raise Stop(f"benji app openid set: {made.stdout}{made.stderr}")
        self.client = first_json(made.stdout)["client_id"]
        self.authority.start()
        self.gateways[0].start()
        self.begin(1)
        if not eventually(lambda: self.owner() == 0, 30):
            raise Stop(f"the first gateway does not own the pair: {[part.ready() for part in self.gateways]}")
        return self

    def listeners(self):
        """(name, port, /metrics of its process, URL, TLS or None). The listener `mtls` asks for a certificate and takes
        any."""
        gateway, authority = self.gateways[0], self.authority

        def metrics(part):
            return lambda: part.get("/metrics")[1]
        return (("device", gateway.device, metrics(gateway), gateway.device_url, None),
                ("server", authority.server, metrics(authority), "", self.tls),
                ("mtls", self.mtls, metrics(authority), "", self.tls),
                ("administration", self.administration, metrics(authority), "", self.tls),
                ("admin", authority.admin, metrics(authority), "", None))

    def table(self):
        """The routes of all listeners whose callers have proved nothing by a certificate."""
        paths = candidates()
        return [route for listener in self.listeners() for route in routes_at(*listener, paths)
                if route.method != "HEAD"]

    def answered(self):
        """(listener, shape of the path) of each route that has answered a request of a method that it knows."""
        return {(listener, shape(path)) for name, _, metrics, *_ in self.listeners()
                for listener, path, status in counts(metrics())
                if listener == name and status != "405"}


# Who is honest

class Logins:
    """People who log in at a steady pace: each at his time, whether the one before is done or not. A login that had to
    wait for a free phone has waited."""

    WORKERS = 24

    def __init__(self, once, pace=PACE):
        """`once(worker)` is a login, and true if it succeeded."""
        self.once, self.pace, self.over = once, pace, threading.Event()
        self.waiting, self.open, self.done, self.refusals = queue.Queue(), set(), [], []
        self.threads = [threading.Thread(target=self.call, daemon=True)]
        self.threads += [threading.Thread(target=self.work, args=(number,), daemon=True)
                         for number in range(self.WORKERS)]
        for thread in self.threads:
            thread.start()

    def call(self):
        begun = time.monotonic()
        for number in itertools.count(1):
            due = begun + number / self.pace
            if self.over.wait(max(due - time.monotonic(), 0)):
                break
            self.open.add(due)
            self.waiting.put(due)
        for _ in range(self.WORKERS):
            self.waiting.put(None)

    def work(self, number):
        while (due := self.waiting.get()) is not None:
            said = self.once(number)
            self.done.append((due, time.monotonic() - due, said is True))
            self.open.discard(due)
            if said is not True:
                self.refusals.append((due, said))

    def within(self, span):
        """(seconds of those that succeeded, how many began) within a span of time, once all of them are done."""
        eventually(lambda: not any(due < span[1] for due in list(self.open)))
        mine = [each for each in self.done if span[0] <= each[0] < span[1]]
        return [took for _, took, succeeded in mine if succeeded], len(mine)

    def stop(self):
        self.over.set()
        for thread in self.threads:
            thread.join(60)


class Customers:
    """Logins of an installation: a phone's two requests, and the redemption by the app's server."""

    #: So many that none asks for more than 60 masks in ten minutes, which is the limit of one key.
    PEOPLE = 15 * PACE

    def __init__(self, house):
        self.house, gateway = house, house.gateways[0]
        self.numbers = [f"1370000{index:04d}" for index in range(self.PEOPLE)]
        self.addresses = [f"127.8.60.{index + 1}" for index in range(self.PEOPLE)]
        self.core = PacketCore(gateway.accounting, SECRET)
        # The person who logged in longest ago is next.
        self.free = queue.Queue()
        for index in range(self.PEOPLE):
            if not self.speak(START, index):
                raise Stop("accounting is not answered")
            self.free.put(index)
        self.phones = [Phone(gateway, house.app, address, number, timeout=20)
                       for address, number in zip(self.addresses, self.numbers)]
        self.servers = [Backend(house.authority.server, timeout=20, context=house.tls) for _ in range(Logins.WORKERS)]

    def speak(self, status, index):
        number = self.numbers[index]
        return self.core.send(status, f"flood-{index}", self.addresses[index], seconds=5, number=f"86{number}",
                              imsi=f"46000{number[-10:]}")

    def once(self, worker):
        index = self.free.get()
        try:
            code, token = self.phones[index].token()
            if not token:
                return code
            code, number = self.servers[worker].redeem(self.house.app, token)
            return number == self.numbers[index] or code
        except NO_ANSWER as error:
            return repr(error)
        finally:
            self.free.put(index)


class Feed(threading.Thread):
    """The packet core: Interim-Updates of all sessions, again and again, and one address that passes on. No packet is
    sent twice.

    After each packet it asks the gateway and the authority whether they are ready."""

    PAUSE, LONGEST = 0.25, 3

    def __init__(self, customers):
        super().__init__(daemon=True)
        self.customers, self.over, self.took, self.unanswered, self.unready = customers, threading.Event(), [], [], []
        self.core = PacketCore(customers.house.gateways[0].accounting, SECRET)

    def run(self):
        for turn in itertools.count():
            if self.over.wait(self.PAUSE):
                return
            begun = time.monotonic()
            if turn % 2:
                is_answered = self.customers.speak(INTERIM, turn // 2 % Customers.PEOPLE)
            else:
                life = turn // 8
                is_answered = self.core.send((START, INTERIM, INTERIM, STOP)[turn // 2 % 4], f"passing-{life}",
                                             "127.8.61.1", seconds=self.LONGEST,
                                             number=f"8613711{life % 1000000:06d}",
                                             imsi=f"460001371{life % 1000000:06d}")
            self.took.append(time.monotonic() - begun)
            if not is_answered:
                self.unanswered.append((turn, begun))
            for name, part in (("gateway", self.customers.house.gateways[0]),
                               ("authority", self.customers.house.authority)):
                answer = part.ready()
                if answer[0] != 200:
                    self.unready.append((name, turn, answer))

    def stop(self):
        self.over.set()
        self.join(20)


# Floods

@dataclass
class Window:
    """A flood, and the logins that began meanwhile: the seconds of each that succeeded, and how many began."""
    seen: dict
    late: float
    took: list
    began: int


class Flooder:
    """Sends floods of one rate, at routes or at a listener that answers nothing."""

    # : Seconds of a flood before the first login that counts, and after the beginning of the last one. So a login is
    # flooded from its : beginning to its end.
    BEFORE, AFTER = 0.2, 0.3

    def __init__(self, app, client, rate=RATE):
        self.app, self.client, self.rate = app, client, rate
        (self.silent,) = free_ports(1)
        program("silent", self.silent)
        self.process = program("flood")
        anybodys = ClientAuthority().issue("anybody", self_signed=True)
        self.certificate = str(anybodys.pem), str(anybodys.key)
        # Control floods have turns of their own, so that each route has its share of requests.
        self.turns = {True: 0, False: 0}

    def flood(self, routes, addresses, seconds, is_silent):
        """Sends a flood. Returns once no request is open: (the span of time in which logins count, counts of answers,
        longest delay in sending)."""
        whole, turn = self.BEFORE + seconds + self.AFTER, self.turns[is_silent]
        order = {"rate": self.rate, "turn": turn, "app": self.app, "client": self.client, "seconds": whole,
                 "sources": addresses,
                 "silent": self.silent if is_silent else None, "certificate": self.certificate,
                 "routes": [{"listener": each.listener, "method": each.method, "path": each.path, "port": each.port,
                             "url": each.url,
                             "tls": each.tls}
                            for each in routes]}
        self.turns[is_silent] = turn + round(self.rate * whole)
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Stop("the flooder ended")
        said = json.loads(line)
        begun = said["begun"] + self.BEFORE
        return (begun, begun + seconds), said["seen"], said["late"]


def middle(values):
    return statistics.median(values) if values else float("inf")


def said_from(addresses):
    return "one address" if addresses == 1 else f"{addresses} addresses"


class Case:
    """A flood that is measured: some routes, from a number of addresses. A turn is a flood at them between two control
    floods."""

    def __init__(self, name, routes, addresses):
        self.name, self.routes, self.addresses, self.turns = name, routes, addresses, []

    @property
    def said(self):
        return f"{self.name} from {said_from(self.addresses)}"


@dataclass
class Cost:
    """The cost of a flood for logins. `longer`: how many times as long they take as under a control flood, by the
    median of the turns' ratios. `fewer`: how many times as many succeed under control floods, of all turns together.
    The others are medians in milliseconds."""
    longer: float
    fewer: float
    flooded: float
    at_nobody: float


def cost(turns):
    """The cost of turns. Each turn is (flood, control flood before it, control flood after it)."""
    def took(windows):
        return [each for window in windows for each in window.took]

    def share(windows):
        return len(took(windows)) / max(sum(window.began for window in windows), 1)

    floods, nobodys = [flood for flood, *_ in turns], [each for _, *around in turns for each in around]
    # If no login succeeds under a control flood, the ratio is unknown, and the case does not pass.
    ratios = [middle(flood.took) / middle(took(around)) if took(around) else float("inf") for flood, *around in turns]
    return Cost(middle(ratios), share(nobodys) / share(floods) if share(floods) else float("inf"),
                1000 * middle(took(floods)), 1000 * middle(took(nobodys)))


class Storm:
    """Floods one after the other beside people who log in. Each begins when the one before has left nothing behind."""

    #: A login takes its usual time again if it takes at most so many times as long as under the last control floods.
    USUAL = 1.2
    #: Seconds after which the next flood begins even so. A machine that has become slower has another usual time.
    PATIENT = 10

    def __init__(self, flooder, logins, people):
        """`people` have logged in once before the first flood begins."""
        self.flooder, self.logins, self.nobodys, self.unsettled = flooder, logins, [], 0
        if not eventually(lambda: len(logins.done) >= people, 120):
            raise Stop(f"only {len(logins.done)} of {people} logged in")
        self.usual = collections.deque([[took for _, took, _ in logins.done]], maxlen=5)

    def settle(self):
        """Waits until a login that begins now takes the usual time."""
        now, known = time.monotonic(), len(self.logins.done)
        longest = self.USUAL * middle(list(itertools.chain(*self.usual)))
        self.unsettled += not eventually(
            lambda: any(due >= now and took <= longest for due, took, succeeded in self.logins.done[known:]
                        if succeeded), self.PATIENT)

    def window(self, routes, addresses, seconds, is_silent=False):
        self.settle()
        span, seen, late = self.flooder.flood(routes, addresses, seconds, is_silent)
        made = Window(seen, late, *self.logins.within(span))
        if is_silent:
            self.nobodys.append(made)
            self.usual.append(made.took)
        return made

    def measure(self, groups, seconds):
        """Measures a turn of each case. The order is N A B N D C N … for the groups A B and C D; N is a control flood.
        It is as near before a group's cases as after them. So a machine that becomes slower or faster changes no
        ratio."""
        def nobody(cases, number):
            routes = [route for case in cases for route in case.routes]
            return self.window(routes, cases[number % len(cases)].addresses, seconds, is_silent=True)

        before = nobody(groups[0], 0)
        for number, group in enumerate(groups, 1):
            cases = group if number % 2 else group[::-1]
            floods = [self.window(case.routes, case.addresses, seconds) for case in cases]
            after = nobody(group, number)
            for case, flood in zip(cases, floods):
                case.turns.append((flood, before, after))
            before = after

    def cost_of_nothing(self):
        """The cost of control floods, measured like floods at routes: (median of the ratios, the ratio that one in ten
        exceeds)."""
        ratios = [cost([turn]).longer for turn in zip(self.nobodys[1:], self.nobodys, self.nobodys[2:])]
        return middle(ratios), statistics.quantiles(ratios, n=10)[-1]


@contextlib.contextmanager
def stopping(*parts):
    try:
        yield parts
    finally:
        for part in parts:
            part.stop()
