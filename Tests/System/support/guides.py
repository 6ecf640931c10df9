"""The guides (docs/guides/en), followed by readers. Each command runs as it is, in a folder with `Clients` and
`Examples`, with a sandbox that was started as the guide says.

A reader has the program from the sources, from the Debian package, or in a container of which one port can be reached.
"""

import http.client
import json
import re
import shlex
import shutil
import subprocess
import urllib.parse

from .checks import PATIENCE, Stop, end, eventually, folder, start
from .forwarded import ForwardedPort
from .machine import Machine
from .server import ROOT, binary, environment, free_ports

NUMBER = "13800000011"
SANDBOX = "--sandbox-only"
INSTALL = "apt-get install ./benji_0.1.0_amd64.deb"
AUDIT = "--sandbox-only --data audit-data --log info"


def blocks(document, languages=("sh", "python")):
    return re.findall(rf"(?ms)^```({'|'.join(languages)})\n(.*?)^```$", (ROOT / document).read_text(encoding="utf-8"))


def guide(name):
    """The samples of a guide after the one that installs Benji and starts the sandbox, which is the first, but for
    iOS."""
    found = blocks(f"docs/guides/en/{name}.md")
    wanted = f"{AUDIT} 2> audit.log" if name == "auditor" else SANDBOX
    at = 2 if name == "ios" else 0
    if found[at][1] != f"{INSTALL}\nbenji demo {wanted}\n":
        raise Stop(f"the sandbox is not started where it should be: {found[at]}")
    return found[at + 1:]


class Reader:
    """Somebody with the program from the sources."""

    #: What a shell starts as the program.
    program = "benji"

    def __init__(self):
        self.place = folder()
        # The folder as this process sees it.
        self.files = self.place
        (self.place / "Server/.build/debug").mkdir(parents=True)
        (self.place / "Server/.build/debug/benji").symlink_to(binary())
        self.link(ROOT)
        self.prelude = 'export PATH="$PWD/Server/.build/debug:$PATH"\n'
        self.settings = environment()
        self.begin(f"{AUDIT} --json --page-port 0")
        self.settings |= {"BENJI_SANDBOX": self.page}

    def link(self, source):
        for name in ("Clients", "Examples"):
            (self.files / name).symlink_to(source / name)

    def begin(self, options):
        """Starts the sandbox as the auditor's guide says, which is as the others say and more."""
        self.process = self.spawn(f"exec {self.program} demo {options} 2> audit.log", "out.txt")

        def is_up():
            if self.process.poll() is not None:
                raise Stop(f"the sandbox ended: {self.said()}")
            return "sandbox" in (self.files / "out.txt").read_text()

        if not eventually(is_up):
            raise Stop(f"the sandbox does not come up: {self.said()}")
        self.page = json.loads((self.files / "out.txt").read_text().splitlines()[-1])["sandbox"].rstrip("/")

    def said(self):
        return "".join(file.read_text(errors="replace")[-1500:] for name in ("out.txt", "audit.log")
                       if (file := self.files / name).exists())

    def words(self, text):
        """The command line that gives commands to a shell."""
        return ["bash", "-euc", self.prelude + text]

    def spawn(self, text, out):
        """Starts commands that go on, in a terminal of their own."""
        with open(self.files / out, "ab") as file:
            return start(self.words(text), cwd=self.place, stdout=file, stderr=file, stdin=subprocess.DEVNULL,
                         env=self.settings)

    def run(self, text, **more):
        return subprocess.run(self.words(text), capture_output=True, text=True, timeout=PATIENCE, cwd=self.place,
                              env=self.settings | more)

    def forwarded(self, url):
        """(host, port) at which a server of the reader's machine is reached from here."""
        return urllib.parse.urlsplit(url).hostname, urllib.parse.urlsplit(url).port

    def browser(self):
        """A browser on phone 1: everything that it asks goes through the phone's modem."""
        return Visitor(self.forwarded(json.loads(self.run("benji phone list --json").stdout.splitlines()[0])["proxy"]))

    def close(self):
        end(self.process)


class PackageReader(Reader):
    """Somebody on a machine on which the package was installed, and which has no network any more."""

    def __init__(self, package):
        self.machine = Machine().__enter__()
        self.ports = []
        self.place = "/tmp/walk"
        self.machine.run("mkdir", self.place)
        self.files = self.machine.path(self.place)
        self.prelude = f"cd {self.place}\n"
        self.settings = {}
        self.machine.copy(package, f"{self.place}/{package.name}")
        # As the page says: installed, and the folders linked.
        said = self.run(INSTALL + "\n" + blocks("docs/installing.md")[-1][1])
        if said.returncode != 0:
            raise Stop(said.stdout + said.stderr)
        self.begin(f"{AUDIT} --json")

    def words(self, text, **more):
        return self.machine.words("bash", "-euc", "".join(f"export {name}={value}\n"
                                                          for name, value in more.items()) + self.prelude + text)

    def spawn(self, text, out):
        with open(self.files / out, "ab") as file:
            return start(self.words(text), stdout=file, stderr=file, stdin=subprocess.DEVNULL)

    def run(self, text, **more):
        return subprocess.run(self.words(text, **more), capture_output=True, text=True, timeout=PATIENCE)

    def forwarded(self, url):
        self.ports.append(ForwardedPort(self.machine.inside, super().forwarded(url)))
        return "127.0.0.1", self.ports[-1].port

    def close(self):
        for port in self.ports:
            port.close()
        end(self.process)
        self.machine.__exit__()


class ContainerReader(Reader):
    """Somebody beside a container of which one port can be reached; `benji` runs in the container, as the page says."""

    def __init__(self, files, configuration):
        (self.port,) = free_ports(1)
        sandbox = f"http://localhost:{self.port}"
        self.machine = Machine(files, (*configuration["Env"], f"BENJI_SANDBOX={sandbox}")).__enter__()
        # An address that is no loopback, as that of a container.
        inside = "10.88.0.2"
        done = subprocess.run(self.machine.beside("ip", "address", "add", f"{inside}/24", "dev", "lo"),
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise Stop(done.stderr)
        user = configuration["User"].split(":")[0]
        self.place = self.files = folder()
        for name in ("Clients", "Examples"):
            shutil.copytree(files / "usr/share/benji" / name, self.place / name)
        self.program = shlex.join(self.machine.words(*configuration["Entrypoint"], user=user))
        self.prelude = f'benji() {{ {self.program} "$@"; }}\n'
        self.settings = environment()
        self.begin(f"{SANDBOX} --json --page-address 0.0.0.0 --page-port {self.port}")
        self.forward = ForwardedPort(self.machine.inside, (inside, self.port), self.port)
        if self.page != sandbox:
            raise Stop(f"the sandbox says that it is at {self.page}")

    def browser(self):
        return Visitor(None)

    def close(self):
        self.forward.close()
        end(self.process)
        self.machine.__exit__()


class Visitor:
    """A browser without script: through a proxy, or by itself, where names under localhost lead to the loopback."""

    def __init__(self, proxy):
        self.proxy, self.cookies = proxy, {}

    def ask(self, url, form=None):
        place = urllib.parse.urlsplit(url)
        host, port = self.proxy or ("127.0.0.1", place.port)
        connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
        headers = {"Host": place.netloc, "Accept": "text/html", "Sec-Fetch-Dest": "document"}
        if known := self.cookies.get(place.netloc):
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in known.items())
        body = urllib.parse.urlencode(form) if form else None
        if form:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        target = url if self.proxy else url.split(place.netloc, 1)[1] or "/"
        try:
            connection.request("POST" if form else "GET", target, body, headers)
            answer = connection.getresponse()
            for line in answer.headers.get_all("Set-Cookie") or []:
                name, _, value = line.split(";")[0].partition("=")
                self.cookies.setdefault(place.netloc, {})[name] = value
            return answer.status, answer.headers.get("Location"), answer.read().decode()
        except OSError as error:
            return 0, None, str(error)
        finally:
            connection.close()

    def go(self, url, form=None):
        for _ in range(10):
            status, location, text = self.ask(url, form)
            if status not in (302, 303):
                return url, text
            url, form = urllib.parse.urljoin(url, location), None
        raise Stop("redirects without an end")


def follow_ios(checks, reader):
    said = reader.run("\n".join(text for _, text in guide("ios")))
    checks.that(said.returncode == 0 and "logged in as 138****0011" in said.stdout and "cellular" in said.stdout,
                "the guide for iOS: its commands log a phone in, and explain why it cannot on Wi-Fi", said)


def follow_backend(checks, reader):
    (_, redeem), (_, again), (_, program), (_, runs) = guide("backend")
    (reader.files / "redeem.py").write_text(program, encoding="utf-8")
    said = reader.run(redeem + "\necho\n" + again + "\n" + runs)
    checks.that(said.returncode == 0 and f'"number":"+86{NUMBER}"' in said.stdout,
                "the guide for backends: its curl redeems a token", said)
    checks.that('"code":"token_spent"' in said.stdout and "the number is +86" + NUMBER in said.stdout,
                "the second time the token is spent, and the program redeems another", said)
    spoilt = reader.run(redeem.replace("$SANDBOX_SERVER_SECRET", "wrong"))
    checks.that('"code":"app_key_wrong"' in spoilt.stdout, "with another secret it would be refused", spoilt)


def follow_web(checks, reader):
    (_, program), (_, runs) = guide("web")
    (port,) = free_ports(1)
    mine = f"http://localhost:{port}"
    (reader.files / "site.py").write_text(program.replace("3000", str(port)), encoding="utf-8")
    registered = reader.run(f"benji sandbox app --add-redirect-uri {mine}/callback")
    checks.that(registered.returncode == 0, "its redirect URI is registered", registered)
    site = reader.spawn(runs.replace("python3 site.py", "exec python3 site.py"), "site.txt")
    visitor = reader.browser()
    if not eventually(lambda: visitor.ask(mine + "/")[0] == 200, pause=0.3):
        raise Stop("the site does not come up: " + (reader.files / "site.txt").read_text())
    place, page = visitor.go(mine + "/start")
    checks.that("138****0011" in page, "the guide for web pages: its link leads a phone's browser to the login page",
                page[-500:])
    secret = re.search(r'name="page" value="([A-Za-z0-9]+)"', page)[1]
    place, page = visitor.go(urllib.parse.urljoin(place, "/openid/login"),
                             {"page": secret, "action": "login", "agreed": "yes"})
    checks.that(f"<b>+86{NUMBER}</b>" in page, "and its page has the number", page)
    stranger = reader.browser()
    checks.that("was not begun here" in stranger.go(place)[1], "another browser cannot use that answer", place)
    end(site)


def follow_operator(checks, reader):
    written = {"DEVICE": 8080, "SERVER": 8081, "ADMIN": 8082, "ACCOUNTING": 1813}
    ports = dict(zip(written, free_ports(4)))
    text = "\n".join(sample for _, sample in guide("operator"))
    for name, port in written.items():
        text = text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{ports[name]}")
    own = {f"BENJI_LISTEN_{name}": f"127.0.0.1:{port}" for name, port in ports.items()}
    said = reader.run(text.replace("wait %1", "wait %1; echo ended with $?"), **own)
    checks.that(said.returncode == 0 and "com.example.shop" in said.stdout,
                "the guide for operators: an installation is begun, and an app registered", said)
    token, trace = (re.search(rf"(?m)^{name} +(\S+)$", said.stdout) for name in ("token", "trace"))
    checks.that(token and trace and re.search(rf"(?m)^\S+  {trace[1]} .*authorize +success$", said.stdout),
                "a phone logs in, and its login is found by the number", said.stdout[-1000:] + said.stderr[-400:])
    checks.that("backup.sqlite" in said.stdout and "ended with 0" in said.stdout,
                "it serves, is ready, is backed up, and ends well", said)
    checks.that("app.create" in said.stdout, "the audit log has the order", said.stdout[-1500:])


def follow_auditor(checks, reader):
    said = reader.run("\n".join(sample for _, sample in guide("auditor")))
    checks.that(said.returncode == 0 and said.stdout.splitlines()[0] == "1",
                "the guide for auditors: of eight redemptions at once one gets the number", said)
    tries = (reader.files / "tries.txt").read_text()
    checks.equal((tries.count('"number":'), tries.count('"code":"token_spent"')), (1, 7),
                 "and seven hear that the token is spent")
    checks.that("refused" in said.stdout and "not in the log" in said.stdout and "not in the database" in said.stdout,
                "a phone behind a VPN gets no token, and the number is in neither log nor database", said)
    checks.that(any(line.isdigit() and int(line) >= 8 for line in said.stdout.splitlines()),
                "the log that was looked through has the eight redemptions", said)
    checks.that(re.search(r"in the log as leaf \d+: .* number told by /v1/tokens/redeem", said.stdout)
                and "a changed leaf is refused" in said.stdout,
                "the proof of the release holds by another program, and a changed one does not", said)
    checks.that((reader.files / "audit.log").stat().st_size > 0
                and (reader.files / "audit-data/benji.sqlite").stat().st_size > 0,
                "which were there to be looked through")
