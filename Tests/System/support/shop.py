"""The example shop as a program, logging people in with a Benji under test."""

import os
import re
import subprocess

from .checks import Stop, end, eventually, folder, run, start
from .server import ROOT, environment, free_ports


def binary():
    """The shop: SHOP_BINARY, or the debug build that the server's package makes beside its own."""
    path = ROOT / "Server/.build/debug/benji-shop" if "SHOP_BINARY" not in os.environ else os.environ["SHOP_BINARY"]
    if not os.access(path, os.X_OK):
        raise Stop(f"{path} is missing; build it with: swift build --package-path Server --product benji-shop")
    return str(path)


class Shop:
    """The shop over TLS on a free port. `client` comes from `Provider.client`, `app` from `create_app`."""

    def __init__(self, authority, provider):
        (self.port,) = free_ports(1)
        self.origin = f"https://127.0.0.1:{self.port}"
        self.callback = f"{self.origin}/login/callback"
        self.authority, self.provider = authority, provider
        self.log = folder() / "shop.log"
        self.process = None

    def start(self, client, app=None, operator=None, *arguments):
        """`operator` is the `Server` that issued `app` tokens, if the shop is to speak the operators' dialect with
        it."""
        command = [binary(), "--origin", self.origin, "--port", str(self.port), "--certificate",
                   self.authority.certificate,
                   "--key", self.authority.key, "--trust-roots", self.authority.ca, "--source-address", "127.0.0.1",
                   "--issuer", self.provider.issuer, "--client-id", client["client_id"], *arguments]
        secrets = {"SHOP_CLIENT_SECRET": client["client_secret"]}
        if app:
            command += ["--operator-server", f"http://127.0.0.1:{operator.server}", "--app-id", app["id"]]
            secrets["SHOP_SERVER_SECRET"] = app["serverSecret"]
        with open(self.log, "ab") as log:
            self.process = start(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment() | secrets)
        if not eventually(self._answers):
            raise Stop(f"the shop does not answer: {self.said()}")
        return self

    def curl(self, path, *arguments):
        """(status, headers, body) of one request that is no browser's."""
        done = run(["curl", "--silent", "--show-error", "--noproxy", "*", "--cacert", self.authority.ca, "--include",
                    "--http1.1", *arguments, self.origin + path])
        head, _, body = done.stdout.replace("\r\n", "\n").partition("\n\n")
        status = re.match(r"HTTP/1.1 (\d+)", head)
        headers = [line.split(": ", 1) for line in head.splitlines()[1:]]
        return int(status[1]) if status else 0, [(name.lower(), value) for name, value in headers], body

    def _answers(self):
        if self.process.poll() is not None:
            raise Stop(f"the shop ended with {self.process.returncode}: {self.said()}")
        return self.curl("/")[0] == 200

    def said(self):
        return self.log.read_text(errors="replace")

    def stop(self):
        return end(self.process)
