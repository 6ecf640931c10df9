"""Operators' tools: health and metrics, an end without broken requests, and errors that name the wrong setting."""

import json
import re
import signal
import socket
import stat
import subprocess
import time

import pytest

from support.checks import PATIENCE, eventually, require, run
from support.operators import LOGIN, Backend, login_request
from support.server import SECRET, Server, environment

NUMBER, ADDRESS = "13900000061", "127.8.12.1"
NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)?\}})? (\S+)(?: \d+)?")


@pytest.fixture(scope="module")
def app(server):
    server.attach("attach", ADDRESS, NUMBER)
    return server.create_app()


def page_faults(text):
    """The faults of a page in Prometheus' text format 0.0.4."""
    faults, types, series, family, closed = [], {}, {}, None, set()
    if text and not text.endswith("\n"):
        faults.append("the last line does not end")
    for line in text.splitlines():
        if line.startswith("#"):
            found = re.fullmatch(rf"# (?:TYPE ({NAME}) (counter|gauge|histogram|summary|untyped)|HELP {NAME} .*)", line)
            if not found:
                faults.append(f"not a comment: {line}")
            elif found[1]:
                if found[1] in types:
                    faults.append(f"two types of {found[1]}")
                types[found[1]] = found[2]
            continue
        found = SAMPLE.fullmatch(line)
        if not found:
            faults.append(f"not a sample: {line}")
            continue
        name, labels = found[1], tuple(sorted(re.findall(LABEL, found[2] or "")))
        try:
            value = float(found[3])
        except ValueError:
            faults.append(f"not a number: {line}")
            continue
        base = next((b for b in (name, re.sub(r"_(bucket|sum|count)$", "", name)) if b in types), None)
        if base is None:
            faults.append(f"no type before {name}")
        if base != family:
            if base in closed:
                faults.append(f"the samples of {base} are not together")
            closed.add(family)
            family = base
        if (name, labels) in series:
            faults.append(f"twice: {line}")
        series[name, labels] = value
        if types.get(base) in ("counter", "histogram") and not value >= 0:
            faults.append(f"less than nothing: {line}")
    for base in (name for name, kind in types.items() if kind == "histogram"):
        faults += histogram_faults(base, series)
    return faults, series


def histogram_faults(base, series):
    groups = {}
    for (name, labels), value in series.items():
        if name == base + "_bucket":
            bound = next((label[4:-1] for label in labels if label.startswith('le="')), None)
            rest = tuple(label for label in labels if not label.startswith('le="'))
            groups.setdefault(rest, []).append((float(bound.replace("+Inf", "inf")) if bound else -1, value))
    for rest, buckets in groups.items():
        counts = [count for _, count in sorted(buckets)]
        if counts != sorted(counts):
            yield f"{base}{rest}: the buckets do not add up"
        if max(buckets)[0] != float("inf") or series.get((base + "_count", rest)) != counts[-1]:
            yield f"{base}{rest}: +Inf is not the count"
        if (base + "_sum", rest) not in series:
            yield f"{base}{rest}: no sum"


def test_the_judge_of_pages(checks):
    good = ('# HELP a_total What.\n# TYPE a_total counter\na_total{x="1\\"\\n"} 1\na_total 2e3\n# TYPE h histogram\n'
            'h_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\nh_sum 3\nh_count 2\n')
    checks.equal(page_faults(good)[0], [], "the judge of pages accepts a good page")
    for bad in ("a 1\n", "# TYPE a counter\na -1\n", "# TYPE a counter\na 1\na 1\n", "# TYPE a gauge\na{x=1} 1\n",
                "# TYPE a gauge\na one\n", "# TYPE a gauge\na 1", good.replace('"+Inf"} 2', '"+Inf"} 0'),
                good.replace("h_count 2", "h_count 9"), "# TYPE a gauge\n# TYPE b gauge\na 1\nb 1\na{x=\"2\"} 1\n"):
        checks.that(page_faults(bad)[0], f"the judge of pages condemns {bad[:50]!r}")


def test_health_and_metrics(checks, server, app):
    for path, word in (("/health/live", "live"), ("/health/ready", "ready")):
        status, text, headers = server.get(path)
        checks.that(status == 200 and json.loads(text)["status"] == word and "json" in headers["Content-Type"],
                    f"{path} says {word}", (status, text))
        status, _, headers = server.get(path, "POST")
        checks.equal((status, headers["Allow"]), (405, "GET, HEAD"), f"{path} answers to GET and HEAD only")
    for path in ("/health/live", "/health/ready", "/metrics"):
        status, text, headers = server.get(path, "HEAD")
        checks.that((status, text) == (200, "") and int(headers["Content-Length"]) > 0,
                    f"HEAD of {path} is GET without the body", (status, text, headers.items()))
    checks.equal(server.get("/nothing")[0], 404, "nothing else is on this listener")

    before = server.metric("benji_http_requests_total", route=LOGIN, code="103000") or 0
    sighted = server.metric("benji_gateway_sightings_total", result="sighted") or 0
    backend = Backend(server.server)
    token, _, _ = server.phone("login", app, ADDRESS)
    backend.redeem(app, token)
    backend.post("/13900000061", {})
    status, text, headers = server.get("/metrics")
    checks.that(status == 200 and headers["Content-Type"].startswith("text/plain; version=0.0.4"),
                "/metrics is in Prometheus' text format", headers.items())
    faults, series = page_faults(text)
    checks.that(len(series) > 20 and not faults, "the page of metrics keeps the format's rules",
                faults or "nearly empty")
    # A request is counted after its answer.
    redeemed = {"route": LOGIN, "code": "103000"}
    checks.that(eventually(lambda: server.metric("benji_http_requests_total", **redeemed) == before + 1),
                "a redemption is counted by its code")
    checks.that(eventually(lambda: server.metric("benji_gateway_sightings_total", result="sighted") >= sighted + 2),
                "prefetch and authorize are counted as sightings")
    checks.equal(server.metric("benji_gateway_sessions"), 1.0, "one session is counted")
    checks.that("13900000061" not in text and token not in text and app["key"] not in text and ADDRESS not in text,
                "no number, token, key or address is in the metrics")
    before = {key: value for key, value in series.items() if key[0].endswith(("_total", "_count", "_bucket"))}
    after = page_faults(server.get("/metrics")[1])[1]
    checks.that(all(after.get(key, -1) >= value for key, value in before.items()), "no counter goes backwards")


def test_log_lines(checks):
    with Server(log={"format": "json"}) as server:
        server.attach("attach", ADDRESS, NUMBER)
        app = server.create_app()
        token, _, said = server.phone("login", app, ADDRESS)
        checks.that(token, "a phone logs in", said)
        Backend(server.server).redeem(app, token)
        wrong = server.phone("login", {**app, "id": "399999999999"}, ADDRESS)
        checks.equal(wrong[1], "app_unknown", "an app that nobody registered is refused")
    text = server.log.read_text()
    lines = []
    for line in text.splitlines():
        try:
            lines.append(json.loads(line))
        except ValueError:
            checks.that(False, "every line is JSON", line)
    checks.that(lines and all({"time", "level", "message"} <= set(line) <= {"time", "level", "message", "metadata"}
                              for line in lines)
                and all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"]) for line in lines),
                "every line has time, level and message, and the rest under metadata", text[-500:])
    requests = [line["metadata"] for line in lines if line["message"] == "request"
                and line["metadata"]["listener"] != "admin"]
    traces = {entry.get("trace") for entry in requests if entry.get("app") == app["id"]}
    checks.that(len([entry for entry in requests if entry.get("app") == app["id"]]) >= 3 and len(traces) == 1
                and None not in traces,
                "prefetch, authorize and redemption name the app and the one trace", requests)
    checks.that("399999999999" not in text, "an app that is not registered is not named")
    checks.that(not any(secret in text for secret in (NUMBER, token, app["key"], app["serverSecret"])),
                "no number, token or key is in the log")


def request_under_way(server, app, number, checks):  # gate: only graceful_end of part time calls it
    """A signal comes while half of a request's body has been sent."""
    token, _, said = server.phone("login", app, ADDRESS)
    body = json.dumps(login_request(app, token or "")).encode()
    idle = socket.create_connection(("127.0.0.1", server.server), timeout=PATIENCE)
    half_head = socket.create_connection(("127.0.0.1", server.admin), timeout=PATIENCE)
    half_head.sendall(b"GET /health/li")
    with socket.create_connection(
            ("127.0.0.1", server.server), timeout=PATIENCE, source_address=("127.0.2.1", 0)) as connection:
        connection.sendall(
            b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (LOGIN.encode(), len(body)) + body[:20])
        time.sleep(0.3)
        begin = time.monotonic()
        server.process.send_signal(number)
        time.sleep(0.5)
        refused = False
        try:
            socket.create_connection(("127.0.0.1", server.server), timeout=1).close()
        except OSError:
            refused = True
        said = b""
        try:
            connection.sendall(body[20:])
            while part := connection.recv(65536):
                said += part
        except OSError as error:
            said += repr(error).encode()
    name = signal.Signals(number).name
    checks.that(b"200 OK" in said and b'"103000"' in said and NUMBER.encode() in said,
                f"{name}: the request under way is finished",
                said.decode(errors="replace") or "the connection was closed")
    try:
        status = server.process.wait(timeout=max(0.1, begin + 10 - time.monotonic()))
    except subprocess.TimeoutExpired:
        status = "still running after 10 s"
    checks.equal(status, 0, f"{name}: it ends with 0 within 10 s, idle and half-open connections or not")
    checks.that(refused, f"{name}: new connections are refused meanwhile")
    idle.close()
    half_head.close()
    tail = server.tail(5)
    checks.that("benji has stopped" in tail and not re.search(r"Fatal|Crash|💥", tail),
                f"{name}: the log ends in order", tail)


@pytest.mark.part("time")
def test_graceful_end(checks, server, app):
    for number in (signal.SIGTERM, signal.SIGINT):
        if server.process.poll() is not None:
            server.start()
            server.attach("update", ADDRESS, NUMBER)
        request_under_way(server, app, number, checks)
    server.start()
    server.process.send_signal(signal.SIGTERM)
    time.sleep(0.05)
    if server.process.poll() is None:
        server.process.send_signal(signal.SIGTERM)
    checks.that(server.stop() in (0, -signal.SIGTERM, 143), "a second SIGTERM does no harm")
    server.start()
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [server.data, *server.data.iterdir()]}
    checks.that(all(mode & 0o077 == 0 for mode in modes.values()), "what it keeps is for its owner alone", modes)
    checks.equal(server.stop(), 0, "without a request it ends with 0")


def test_misconfigurations(checks):
    """Each is tried on a configuration that is good but for one thing."""
    base = Server()
    good = json.loads(base.configuration.read_text())
    openssl = require("openssl", "openssl")
    files = base.folder
    for name in ("one", "two"):
        run([openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2",
             "-keyout",
             str(files / f"{name}.key"), "-out", str(files / f"{name}.pem")])
    (files / "garbage").write_text("garbage")
    (files / "empty.json").write_text("{}")
    (files / "badkey").mkdir()
    (files / "badkey/master.key").write_text("this is no key")
    (files / "badkey/master.key").chmod(0o600)

    def attempt(sentence, change=None, wanted=(), settings=(), variables=None, text=None, file=None):
        configuration = json.loads(json.dumps(good))
        if change:
            change(configuration)
        path = files / "trial.yaml"
        path.write_text(text if text is not None else json.dumps(configuration))
        arguments = [argument for setting in settings for argument in ("--set", setting)]
        done = run([base.binary, "serve", "--config", str(file or path), *arguments],
                   env={**environment(), **(variables or {})}, stdin=subprocess.DEVNULL)
        said = done.stdout + done.stderr
        errors = [line for line in said.splitlines() if re.search(r"\berror\b", line, re.IGNORECASE)]
        checks.that(done.returncode > 0, f"{sentence}: it ends, and not with 0",
                    f"{done.returncode}: {said}")
        line = errors[0] if errors else ""
        checks.that(len(errors) == 1 and all(part in line for part in wanted),
                    f"{sentence}: one line says {' and '.join(map(repr, wanted))}", said)
        checks.that(
            not re.search(r"Fatal error|Stack dump|Crash|Backtrace|\bat /.*\.swift|💥|Thread \d+", said)
            and len(said) < 2500
            and SECRET not in said, f"{sentence}: no stack trace and no secret", said)

    def put(path, value):
        def change(configuration):
            *folders, name = path.split("/")
            for part in folders:
                configuration = configuration.setdefault(part, {})
            if value is None:
                configuration.pop(name, None)
            else:
                configuration[name] = value
        return change

    trial = "trial.yaml"
    attempt("an unknown key in the file", put("nas/pgw/sekret", "x"), ["nas.pgw.sekret", trial])
    attempt("a misspelt key", put("listen/devise", "127.0.0.1:1"), ["listen.devise", trial, "listen.device"])
    attempt("an unknown key on the command line", None, ["listen.nothing", "command line"], ["listen.nothing=1"])
    attempt("an address that is none", put("listen/device", "localhost"), ["listen.device", trial])
    attempt("a port that is none", put("listen/server", "127.0.0.1:99999"), ["listen.server", trial])
    attempt("an address that is none, on the command line", None, ["listen.admin", "command line"], ["listen.admin=x"])
    attempt("an address that is none, in the environment", put("listen/accounting", None),
            ["listen.accounting", "environment"], variables={"BENJI_LISTEN_ACCOUNTING": "here"})
    attempt("an environment that overrides a good file", None, ["listen.accounting", "environment"],
            variables={"BENJI_LISTEN_ACCOUNTING": "here"})
    attempt("a carrier that does not exist", put("nas/pgw/carrier", "vodafone"), ["nas.pgw.carrier", "unicom", trial])
    attempt("no carrier", put("nas/pgw/carrier", None), ["nas.pgw.carrier"])
    attempt("no secret", put("nas/pgw/secret", None), ["nas.pgw.secret"])
    attempt("no pools", put("nas/pgw/pools", None), ["nas.pgw.pools"])
    attempt("a pool that is none", put("nas/pgw/pools", ["10.0.0.0/40"]), ["nas.pgw.pools", trial])
    attempt("a NAT whose public side is not where phones arrive", put("nat", {
        "names": ["cgn"], "cgn": {"inside": "100.64.0.0/24", "outside": "203.0.113.0/28"}}),
            ["nat.cgn.domain", "gateway.domain"])
    attempt("a source that is none", put("nas/pgw/sources", ["pgw.example"]), ["nas.pgw.sources", trial])
    attempt("a NAS that is not described", put("nas/names", ["pgw", "other"]), ["nas.other."])
    attempt("an interval of nothing", put("nas/pgw/interim", 0), ["nas.pgw.interim", trial])
    attempt("two NASes at one address", lambda c: (put("nas/names", ["pgw", "twin"])(c),
                                                   put("nas/twin", good["nas"]["pgw"])(c)),
            ["pgw", "twin", "127.0.0.1"])
    attempt("a negative time of repeating", put("nas/pgw/repeats", -1), ["nas.pgw.repeats", trial])
    attempt("a rate whose product would overflow", put("nas/pgw/rate", 1 << 62),
            ["nas.pgw.rate", "1 to 10000000", trial])
    attempt("a role that does not exist", put("role", "king"), ["role", trial])
    attempt("a gateway that listens for servers", put("role", "gateway"), ["listen.server", "role gateway", trial])
    attempt("a gateway without its authority", lambda c: (put("role", "gateway")(c), put("listen/server", None)(c)),
            ["authority.url"])
    attempt("a log level that does not exist", put("log/level", "loud"), ["log.level", trial])
    attempt("a public address that is none", put("public/urls", ["gw.example"]), ["public.urls", trial])
    attempt("an issuer without TLS", put("openid/issuer", "http://id.example"), ["openid.issuer", "https"])
    attempt("an issuer with a path", put("openid/issuer", "https://id.example/openid"),
            ["openid.issuer", "without a path"])
    attempt("a policy file that is missing", put("policy", str(files / "missing")), ["policy", "missing"])
    attempt("a policy file that is no JSON", put("policy", str(files / "garbage")), ["policy", "garbage"])
    attempt("a policy file that is empty", put("policy", str(files / "empty.json")), ["policy", "empty.json"])
    attempt("a configuration that is no YAML", None, [trial], text="role: [all\nlisten: {")
    attempt("a configuration that is missing", None, ["missing.yaml"], file=files / "missing.yaml")
    certificate, key = str(files / "one.pem"), str(files / "one.key")
    attempt("a certificate without key", put("tls", {"certificate": certificate}), ["tls.key"])
    attempt("a key without certificate", put("tls", {"key": key}), ["tls.certificate"])
    attempt("a certificate that is missing", put("tls", {"certificate": str(files / "missing"), "key": key}),
            ["tls", "missing"])
    attempt("a certificate that is none", put("tls", {"certificate": str(files / "garbage"), "key": key}),
            ["tls", "garbage"])
    attempt("another certificate's key", put("tls", {"certificate": certificate, "key": str(files / "two.key")}),
            ["tls", "two.key"])
    attempt("a data directory that cannot be", put("data", "/dev/null/benji"), ["data", "/dev/null/benji"])
    attempt("a master key that is none", put("data", str(files / "badkey")), ["master.key"])
    for kind, name in ((socket.SOCK_STREAM, "device"), (socket.SOCK_STREAM, "admin"),
                       (socket.SOCK_DGRAM, "accounting")):
        with socket.socket(socket.AF_INET, kind) as taken:
            taken.bind(("127.0.0.1", 0))
            if kind == socket.SOCK_STREAM:
                taken.listen()
            port = taken.getsockname()[1]
            attempt(f"a taken port for listen.{name}", put(f"listen/{name}", f"127.0.0.1:{port}"),
                    [f"listen.{name}", str(port)])
    done = base.command("serve", "--config", base.configuration, "--check")
    checks.equal(done.returncode, 0, "the configuration that all these were made from is good")
