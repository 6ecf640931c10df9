"""Follows docs/operations/gateways.md word for word. Makes the link's certificates with its openssl commands, starts
authority and gateway from its two configurations, and logs in by its commands. Only the ports are others.

Then the link breaks, and a gateway with another authority's certificate calls. And a person is erased whose session a
gateway that stands apart has.
"""

import http.client
import json
import pathlib
import re
import shutil
import signal
import socket
import subprocess

from support import journal
from support.checks import PATIENCE, Stop, end, eventually, first_json, folder, run, start
from support.link import blocks, making_certificates
from support.operators import Backend
from support.server import binary, environment, free_ports, patient

NUMBER, ADDRESS = "13900000009", "127.8.0.5"
# A gateway that waits for the authority as long as tests do.
PATIENT = "--set", f"authority.timeout={int(PATIENCE)}"


def gateway_program():
    """The program that is a gateway alone; it lies beside benji."""
    path = pathlib.Path(binary()).with_name("benji-gateway")
    if not path.exists():
        raise Stop(f"{path} is missing; build it with: make build ARGS=benji-gateway")
    return str(path)


class Page:
    """The page's instructions, in a folder of its own and on free ports."""

    def __init__(self):
        self.folder = folder()
        tcp = free_ports(5)
        self.ports = dict(zip(("8080", "8081", "8082", "8083", "8084"), map(str, tcp)))
        self.ports["1813"] = str(free_ports(1, socket.SOCK_DGRAM)[0])
        self.logs = {}

    def moved(self, text):
        return re.sub(r"(127\.0\.0\.1:)(\d+)", lambda found: found[1] + self.ports.get(found[2], found[2]), text)

    def write_configurations(self):
        for text in blocks("yaml"):
            role = re.search(r"^role: (authority|gateway)$", text, re.MULTILINE)
            if role:
                (self.folder / f"{role[1]}.yaml").write_text(self.moved(text))
        return all((self.folder / f"{role}.yaml").exists() for role in ("authority", "gateway"))

    def serve(self, role, *more):
        log = self.folder / f"{role}.log"
        with open(log, "ab") as out:
            program = [gateway_program()] if role == "gateway" else [binary(), "serve"]
            process = start([*program, "-c", f"{role}.yaml", *more], cwd=self.folder, stdout=out, stderr=out,
                            stdin=subprocess.DEVNULL, env=environment())
        port = self.ports["8082" if role == "authority" else "8084"]
        eventually(lambda: self.health(port) is not None or process.poll() is not None)
        if process.poll() is not None:
            raise Stop(f"the {role} does not start: {log.read_text()[-1500:]}")
        return process

    @staticmethod
    def health(port):
        """The status and body of /health/ready, None if nothing listens."""
        try:
            connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=PATIENCE)
            connection.request("GET", "/health/ready")
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except OSError:
            return None

    def benji(self, command, *more, limit=patient):
        """A command of the page, its `benji` being the program under test. `limit` adds how long it waits for an
        answer."""
        words = self.moved(command).replace("\\\n", " ").split()
        return run([binary(), *limit([*words[1:], *more])], cwd=self.folder, env=environment(),
                   stdin=subprocess.DEVNULL)


def answered(page, command, app):
    """The answer to a login's command, or None, and all that was printed."""
    filled = command.replace("APP_ID", app["id"]).replace("APP_KEY", app["key"])
    done = page.benji(filled, "--json")
    return first_json(done.stdout), done.stdout + done.stderr


def login(page, command, app):
    answer, said = answered(page, command, app)
    return answer["token"] if answer else None, said


def commands():
    """The page's commands that make an app, attach a phone and log it in."""
    return re.findall(r"^benji (?:.*\\\n)*.*$", next(block for block in blocks("sh")
                                                     if "benji app create -c authority.yaml" in block), re.MULTILINE)


def test_the_page_is_followed_and_the_link_breaks(checks):
    page = Page()
    certificates = making_certificates()
    made = run(["bash", "-euo", "pipefail", "-c", certificates], cwd=page.folder)
    names = {"link-ca.pem", "authority.pem", "authority.key", "gateway-1.pem", "gateway-1.key"}
    checks.that(made.returncode == 0 and names <= {path.name for path in page.folder.iterdir()},
                "the page's openssl commands make the link's certificates", made.stderr)
    linked = run(["ldd", gateway_program()]).stdout
    checks.that("libc.so" in linked and not re.search("sqlite|libpq|opencv|jpeg|png|p11", linked),
                "the gateway's program is linked with no database, no HSM and no face library", linked)
    checks.that(page.write_configurations(), "the page has a configuration of each role")
    create, attach, log_in = commands()

    def examine(*more):
        done = run([gateway_program(), "-c", "gateway.yaml", "--check", *more], cwd=page.folder, env=environment())
        return done.returncode, done.stdout + done.stderr

    folder_before = sorted(path.name for path in page.folder.iterdir())
    status, said = examine("--data", ".")
    checks.that(status == 0 and "the configuration is good" in said, "benji-gateway --check takes it", said)
    for more, words in (
            (("--set", f"listen.admin=127.0.0.1:{page.ports['8080']}"), "has the port of listen.device"),
            (("--data", "gateway.yaml"), "is a file and not a folder"),
            (("--set", "mutual-tls.key=authority.key"), "mutual-tls"),
            (("--set", "role=authority"), "this program is the gateway alone"),
            (("--set", "listen.server=127.0.0.1:1"), "keys of other roles are for benji serve")):
        status, said = examine("--data", ".", *more) if "--data" not in more else examine(*more)
        checks.that(status == 1 and words in said, f"and refuses {' '.join(more[:1])}: {words}", said)
    checks.equal(sorted(path.name for path in page.folder.iterdir()), folder_before, "and changes nothing")

    authority = page.serve("authority")
    gateway = page.serve("gateway", *PATIENT)
    ready = lambda: (page.health(page.ports["8084"]) or (0, None))[0] == 200
    checks.that(eventually(ready), "the gateway is ready, so the link stands", page.health(page.ports["8084"]))
    app = first_json(page.benji(create, "--json").stdout)
    checks.that(app, "the page's command registers an app")
    done = page.benji(attach)
    checks.that(done.returncode == 0, "the page's command attaches a phone", done.stderr)
    token, said = login(page, log_in, app)
    checks.that(token is not None, "the page's command logs the phone in", said)
    backend = Backend(int(page.ports["8081"]), "127.0.0.1")
    checks.equal(backend.redeem(app, token), ("103000", NUMBER), "the authority releases the number for the token")
    kept = {path.name for path in (page.folder / "gateway-data").iterdir()}
    held = b"".join(path.read_bytes() for path in (page.folder / "gateway-data").iterdir())
    checks.that(kept == {"directory.journal"} and NUMBER.encode() not in held and b"460001234567890" not in held,
                "the gateway keeps its journal alone, without the number", kept)

    # Certificates of another authority take the place of these, on one end and then on the other.
    run(["bash", "-euo", "pipefail", "-c", certificates], cwd=page.folder)
    gateway.send_signal(signal.SIGHUP)
    refused = eventually(lambda: (page.health(page.ports["8084"]) or (0,))[0] == 503)
    checks.that(refused, "SIGHUP on the gateway: its new certificate is shown at once, and not believed yet",
                page.health(page.ports["8084"]))
    authority.send_signal(signal.SIGHUP)
    checks.that(eventually(ready), "SIGHUP on the authority: it believes the new authority's certificates",
                page.health(page.ports["8084"]))
    token, said = login(page, log_in, app)
    checks.that(token is not None, "the phone logs in over the link with new certificates", said)
    logs = [page.folder / f"{role}.log" for role in ("authority", "gateway")]
    checks.that(eventually(lambda: all("a certificate was read again" in log.read_text() for log in logs)),
                "both logs say that certificates were read again")

    # The link breaks.
    backend.close()
    authority.send_signal(signal.SIGKILL)
    authority.wait(PATIENCE)
    token, said = login(page, log_in, app)
    checks.that(token is None and "overloaded" in said, "without the authority phones get overloaded", said)
    broken = eventually(lambda: (said := page.health(page.ports["8084"])) and said[0] == 503 and said)
    checks.that(broken and "link unreachable" in json.dumps(broken[1]),
                "the gateway's health says that the link is unreachable",
                page.health(page.ports["8084"]))
    authority = page.serve("authority")
    checks.that(eventually(ready), "when the authority is back, the gateway is ready again",
                page.health(page.ports["8084"]))
    token, said = login(page, log_in, app)
    checks.that(token is not None, "and the phone logs in again, the gateway having kept its session", said)

    # A gateway whose certificate another authority signed.
    checks.equal(end(gateway), 0, "the gateway ends with 0")
    for name in ("link-ca.pem", "gateway-1.pem", "gateway-1.key"):
        shutil.copy(page.folder / name, page.folder / f"kept-{name}")
    forged = page.folder / "forged"
    forged.mkdir()
    run(["bash", "-euo", "pipefail", "-c", certificates], cwd=forged)
    for name in ("gateway-1.pem", "gateway-1.key"):
        shutil.copy(forged / name, page.folder / name)
    gateway = page.serve("gateway")
    checks.that((page.health(page.ports["8084"]) or (0,))[0] == 503,
                "with a forged certificate the gateway is not ready",
                page.health(page.ports["8084"]))
    # No answer comes, so the command's own limit ends it.
    page.benji(attach.replace(ADDRESS, "127.8.0.6"), limit=list)
    token, said = login(page, log_in.replace(ADDRESS, "127.8.0.6"), app)
    checks.that(token is None, "with a forged certificate nobody logs in", said)
    checks.equal((end(gateway), end(authority)), (0, 0), "gateway and authority end with 0")
    logs = "".join(path.read_text(errors="replace") for path in page.folder.glob("*.log"))
    checks.that(logs and NUMBER not in logs and "STsid" not in logs, "no number and no token is in either log")


def test_a_person_is_erased(checks):
    page = Page()
    run(["bash", "-euo", "pipefail", "-c", making_certificates()], cwd=page.folder)
    page.write_configurations()
    create, attach, log_in = commands()
    authority, gateway = page.serve("authority"), page.serve("gateway", *PATIENT)
    eventually(lambda: (page.health(page.ports["8084"]) or (0,))[0] == 200)
    app = first_json(page.benji(create, "--json").stdout)
    page.benji(attach)
    before, said = answered(page, log_in, app)
    checks.that(before, "the phone logs in", said)
    backend = Backend(int(page.ports["8081"]), "127.0.0.1")

    def rows():
        return sorted(
            row for _, row in journal.sessions((page.folder / "gateway-data/directory.journal").read_bytes()).values())

    checks.that(len(rows()) == 1 and rows()[0] > 0, "the gateway's journal names their row", rows())
    done = page.benji(f"benji subscriber erase -c authority.yaml --number {NUMBER}")
    checks.that(done.returncode == 0, "the person is erased at the authority", done.stdout + done.stderr)
    answer, said = answered(page, log_in, app)
    checks.that(answer is None and "address_stale" in said, "at once nobody logs in by the earlier session", said)
    checks.equal(backend.redeem(app, before["token"])[1], None, "and the earlier token releases no number")
    checks.that(eventually(lambda: rows() == [0]), "a gateway that stands apart forgets who was erased", rows())
    answer, said = answered(page, log_in, app)
    checks.that(answer is None and "address_stale" in said, "until the session's next packet it is nobody's", said)
    # The same session goes on, and says whose it is.
    done = page.benji(attach.replace("phone attach", "phone update"))
    checks.equal(done.returncode, 0, "the session's next packet is answered")
    after, said = answered(page, log_in, app)
    checks.that(after and after["openId"] != before["openId"], "after it the phone logs in as somebody new", said)
    checks.equal(backend.redeem(app, (after or {}).get("token", "")), ("103000", NUMBER), "with its number")
    backend.close()
    checks.equal((end(gateway), end(authority)), (0, 0), "gateway and authority end with 0")
