"""`benji demo` with its sandbox, and its interface for scripts."""

import http.client
import json
import subprocess
import urllib.parse

from .checks import PATIENCE, Stop, end, eventually, folder, run, start
from .server import binary, environment, patient


class Sandbox:
    """The demo without its stories, on ports of its own."""

    def __init__(self):
        self.log = folder() / "demo.txt"
        self.out = folder() / "out.txt"
        self.process = None
        self.page = self.host = self.port = None

    def __enter__(self):
        with open(self.log, "ab") as log, open(self.out, "wb") as out:
            self.process = start([binary(), "demo", "--sandbox-only", "--json", "--page-port", "0", "--log", "info"],
                                 stdout=out, stderr=log, stdin=subprocess.DEVNULL, env=environment())

        def is_up():
            if self.process.poll() is not None:
                raise Stop(f"benji demo ended with {self.process.returncode}: {self.tail()}")
            return '"sandbox"' in self.out.read_text()

        if not eventually(is_up):
            raise Stop(f"the sandbox does not come up: {self.out.read_text()} {self.tail()}")
        self.page = json.loads(self.out.read_text().splitlines()[-1])["sandbox"]
        place = urllib.parse.urlsplit(self.page)
        self.host, self.port = place.netloc, place.port
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Its exit status. It ends when it is asked, also while pages wait for news."""
        return end(self.process)

    def tail(self):
        return self.log.read_text(errors="replace")[-2000:]

    def ask(self, method, path, body=None, headers=None, raw=None):
        """(status, JSON or text, headers) of one request."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        try:
            content = raw if raw is not None else json.dumps(body) if body is not None else None
            connection.request(method, path, content, headers or {})
            answer = connection.getresponse()
            text = answer.read().decode()
            try:
                return answer.status, json.loads(text), answer.headers
            except ValueError:
                return answer.status, text, answer.headers
        finally:
            connection.close()

    @property
    def shop(self):
        """The shop's own name, for a browser whose proxy is a modem."""
        return self.ask("GET", "/api/choices")[1]["servers"]["shop"]

    def phone(self, number=1):
        return self.ask("GET", f"/api/phones/phone-{number}")[1]

    def set(self, number=1, **change):
        status, answer, _ = self.ask("PATCH", f"/api/phones/phone-{number}", change)
        if status != 200:
            raise Stop(f"PATCH {change}: {status} {answer}")
        return answer

    def tap(self, number=1, way=None):
        return self.ask("POST", f"/api/phones/phone-{number}/login", {"way": way} if way else None)[1]

    def messages(self, number=1):
        return [each["text"] for each in self.ask("GET", f"/api/phones/phone-{number}/messages")[1]["messages"]]

    def timeline(self, after=0, number=1):
        answer = self.ask("GET", f"/api/timeline?after={after}&phone=phone-{number}")[1]
        return answer["entries"], answer["last"]

    def command(self, *arguments, seconds=None):
        words = patient(["phone", *arguments, "--sandbox", self.page.rstrip("/")])
        return run([binary(), *words], seconds, env=environment(), stdin=subprocess.DEVNULL)

    def own(self, *arguments):
        """`benji sandbox app`."""
        return run([binary(), "sandbox", "app", *arguments, "--sandbox", self.page.rstrip("/")], env=environment(),
                   stdin=subprocess.DEVNULL)
