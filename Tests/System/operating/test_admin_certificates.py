"""Admins who come with a client certificate instead of a token: known by its key, and by nothing else."""

import http.client
import http.server
import json
import re
import ssl
import threading
from types import SimpleNamespace

import pytest

from support.browser import Browser
from support.certificates import CertificateAuthority
from support.checks import PATIENCE, eventually, first_json
from support.examples import described, operations
from support.server import Server, free_ports

#: Sends to `address` every POST that a page can send to another origin without a preflight, and then requests that need
#: one. Returns the number of the first, and the methods of the second that failed.
ATTACK = """
const simple = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];
const done = [];
let sent = 0;
const make = (tag, values) => Object.assign(document.createElement(tag), values);
for (const enctype of simple) for (const fields of [[], [['{"reason":"', '"}']]]) {
  const frame = make('iframe', { name: `frame${++sent}` });
  document.body.append(frame);
  const form = make('form', { method: 'post', action: address, enctype, target: frame.name });
  for (const [name, value] of fields) form.append(make('input', { type: 'hidden', name, value }));
  document.body.append(form);
  done.push(new Promise((resolve) => frame.addEventListener('load', resolve)));
  form.submit();
}
for (const type of [null, ...simple]) for (const body of [null, '{}']) for (const keepalive of [false, true]) {
  sent += 1;
  const headers = type ? { 'Content-Type': type } : {}, content = body && new Blob([body], { type: type ?? '' });
  const options = { method: 'POST', mode: 'no-cors', credentials: 'include' };
  done.push(fetch(address, { ...options, keepalive, headers, body: content }));
}
const text = new Blob(['{}'], { type: 'text/plain' });
for (const body of [undefined, '{}', text, new URLSearchParams('reason=x'), new FormData()]) {
  sent += navigator.sendBeacon(address, body);
}
await Promise.all(done);
const refused = [];
const headers = { 'Content-Type': 'application/json' };
for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
  await fetch(address, { method, credentials: 'include', headers, body: '{}' }).catch(() => refused.push(method));
}
return [sent, refused];
"""


class Site:
    """An HTTPS server of this machine.

    `answer(method, path, headers, body)` returns status, headers and content. `seen` has method and status of each
    request."""

    def __init__(self, identity, answer):
        self.seen = []
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, headers, content = answer(self.command, self.path, dict(self.headers), body)
                site.seen.append((self.command, status))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do_OPTIONS = _answer

            def log_message(self, *_):
                pass

        (self.port,) = free_ports(1)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*identity)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        server.handle_error = lambda *_: None
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def answers(self, method):
        return [status for each, status in self.seen if each == method]


def with_certificate(port, authority, identity):
    """The answers of a server that asks for a client certificate.

    Chromium attaches the certificate that its user has chosen to the requests of any page. Here it is attached on the
    way, because a driver cannot choose one."""
    context = ssl.create_default_context(cafile=authority)
    context.load_cert_chain(*identity)

    def answer(method, path, headers, body):
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=context)
        try:
            connection.request(method, path, body, headers)
            got = connection.getresponse()
            # These describe the connection to the server, not the one to the browser.
            hops = ("content-length", "connection", "date")
            return got.status, {name: value for name, value in got.getheaders() if name.lower() not in hops}, got.read()
        finally:
            connection.close()

    return answer


def naive(method, _, headers, body):
    """Looks at Content-Type only where there is a body, and not at the origin."""
    is_order = method == "POST" and (not body or headers.get("Content-Type") == "application/json")
    return (200 if is_order else 400), {"Content-Type": "application/json"}, b"{}"


@pytest.fixture
def installation():
    """A server that asks admins for a certificate, and functions that grant a certificate and give orders by it."""
    (port,) = free_ports(1)
    server = Server(listen={"administration": f"127.0.0.1:{port}"})
    authority = CertificateAuthority(server.folder)
    place = {}
    for name in ("server", "robot", "stranger"):
        authority.issue(name, ["-days", "20"])
        place[name] = (server.folder / f"{name}.pem", server.folder / f"{name}.key")
    settings = json.loads(server.configuration.read_text())
    settings["tls"] = {"certificate": str(place["server"][0]), "key": str(place["server"][1])}
    settings["administration"] = {"client-authority": str(authority.certificate)}
    server.configuration.write_text(json.dumps(settings))

    def give(who, *order):
        certificate, key = place[who]
        done = server.command(*order, "--json", "--server", f"https://127.0.0.1:{port}",
                              "--server-authority", authority.certificate,
                              "--client-certificate", certificate, "--client-key", key)
        return json.loads(done.stdout) if done.returncode == 0 else None, done.stdout + done.stderr

    def grant(who, role):
        return server.command("admin", "grant", who, "--role", role, "--certificate", place[who][0], "--json",
                              "--config", server.configuration)

    with server:
        yield SimpleNamespace(server=server, port=port, authority=authority.certificate, place=place, give=give,
                              grant=grant)


def test_an_admin_with_a_certificate(checks, installation):
    server, give = installation.server, installation.give
    app = server.create_app()
    granted = installation.grant("robot", "auditor")
    made = first_json(granted.stdout) or {}
    checks.that(made.get("credential") == "certificate" and "token" not in made,
                "a certificate is granted, without a token", granted.stderr)
    apps, said = give("robot", "app", "list")
    checks.that(apps and [each["id"] for each in apps] == [app["id"]], "its holder looks", said)
    none, said = give("robot", "app", "suspend", app["id"])
    checks.that(none is None and "may not give this order" in said, "and is kept to the role", said)
    none, said = give("stranger", "app", "list")
    checks.that(none is None and "no admin has this credential" in said,
                "another certificate of the authority is nobody's", said)
    revoked = server.command("admin", "revoke", "robot", "--config", server.configuration)
    none, said = give("robot", "app", "list")
    checks.that(revoked.returncode == 0 and none is None and "no admin has this credential" in said,
                "revoked, it ends at once", said)


@pytest.mark.part("browser")
@pytest.mark.own_processes("attaches the certificate on the way to one process")
def test_a_page_of_another_site(checks, installation):
    """An attacker's page in the browser of an operator with a certificate sends everything that a page can send."""
    server, place = installation.server, installation.place
    app = server.create_app()
    installation.grant("robot", "operator")
    attacker = Site(place["server"], lambda *_: (200, {"Content-Type": "text/html"}, b"<!doctype html><body>Prizes"))
    ours = Site(place["server"], with_certificate(installation.port, installation.authority, place["robot"]))
    double = Site(place["server"], naive)

    def attacked(site, address):
        """The statuses of the requests that the page sent; all that was seen, if something else happened.

        A request that needs a preflight is not sent, and no preflight is granted."""
        site.seen.clear()
        browser.open(f"https://localhost:{attacker.port}/")
        sent, failed = browser.run(f"return (async (address) => {{{ATTACK}}})(arguments[0])",
                                   f"https://127.0.0.1:{site.port}{address}")
        eventually(lambda: len(site.answers("POST")) >= sent)
        posts, preflights = site.answers("POST"), site.answers("OPTIONS")
        is_as_wanted = (len(posts) >= sent > 20 and failed == ["POST", "PATCH", "PUT", "DELETE"]
                        and len(preflights) >= 4
                        and 200 not in preflights and {method for method, _ in site.seen} == {"POST", "OPTIONS"})
        return set(posts) if is_as_wanted else (sent, failed, site.seen[:])

    orders = {}
    for method, path, _ in operations(described("admin")):
        if method != "GET":
            values = {"id": app["id"], "name": "robot", "use": "package"}
            address = re.sub(r"\{(\w+)\}", lambda name: values.get(name[1], "1"), path)
            orders.setdefault(address, set()).add(method)
    suspend = f"/v1/apps/{app['id']}/suspend"
    lines = server.command("audit", "--json", "--config", server.configuration).stdout
    with Browser(None, language="en") as browser:
        browser.driver.set_script_timeout(PATIENCE)
        taken = attacked(double, suspend)
        checks.that(200 in taken, "a server that looks at Content-Type only where there is a body takes an order "
                                  "from the page", taken)
        answered = {address: attacked(ours, address) for address in orders}
    # An address that takes PATCH alone has no POST.
    wrong = {address: said for address, said in answered.items() if said != {403 if "POST" in orders[address] else 405}}
    checks.equal((wrong, suspend in orders), ({}, True),
                 f"Benji takes none, at {len(orders)} addresses of docs/openapi/admin.yaml")
    shown = server.command("app", "show", app["id"], "--json", "--config", server.configuration)
    checks.that((first_json(shown.stdout) or {}).get("suspended") is False, "the app is not suspended", shown.stdout)
    checks.equal(server.command("audit", "--json", "--config", server.configuration).stdout, lines,
                 "the audit log has no new line")
    done, said = installation.give("robot", "app", "suspend", app["id"])
    checks.that(done and done["suspended"], "benji, with the same certificate, suspends it", said)
