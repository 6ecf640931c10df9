"""`benji serve` as an OpenID provider over TLS, and what people do on its pages."""

import base64
import http.client
import json
import ssl
import urllib.parse

from . import looks
from .checks import PATIENCE, Stop, first_json, folder, require, run
from .server import Server

WIDTHS = {"phone": (393, 760), "whole": (390, 844), "small": (320, 568), "narrow": (360, 640), "side": (640, 360),
          "tablet": (768, 1024), "desktop": (1280, 800)}


class CertificateAuthority:
    """A certificate authority of this run, and certificates for this machine."""

    def __init__(self):
        self.place = folder()
        self.place.chmod(0o755)
        self._openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Interop CA",
                      "-keyout", "ca.key", "-out", "ca.pem", "-addext", "basicConstraints=critical,CA:TRUE")
        (self.place / "names").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
        self._openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-keyout", "host.key", "-out",
                      "host.csr")
        self._openssl("x509", "-req", "-in", "host.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                      "-days", "2",
                      "-extfile", "names", "-out", "host.pem")
        self.ca, self.key, self.certificate = (str(self.place / name) for name in ("ca.pem", "host.key", "host.pem"))

    def _openssl(self, *arguments):
        done = run([require("openssl", "openssl"), *arguments], cwd=self.place)
        if done.returncode != 0:
            raise Stop(f"openssl {arguments[0]}: {done.stderr}")


class Provider(Server):
    """`benji serve` with OpenID Connect switched on; over TLS, unless there is no authority."""

    def __init__(self, authority, **settings):
        if authority:
            settings["tls"] = {"certificate": authority.certificate, "key": authority.key}
        super().__init__(**settings)
        self.authority = authority
        text = self.configuration.read_text()
        scheme = "https" if authority else "http"
        self.issuer = f"{scheme}://127.0.0.1:{self.server}"
        self.pages = f"{scheme}://127.0.0.1:{self.device}"
        wanted = f'"openid": {{"issuer": "{self.issuer}", "pages": "{self.pages}"}},\n "role"'
        self.configuration.write_text(text.replace('"role"', wanted, 1))

    def client(self, redirect_uri, *arguments, page="login.json", app=None):
        app = app or self.create_app(name="Shop", server_address="127.0.0.1")
        path = self.folder / page
        if not path.exists():
            made = self.command("page", "new", "--out", path)
            if made.returncode != 0:
                raise Stop(made.stderr)
        made = self.command("app", "openid", "set", app["id"], "--config", self.configuration, "--redirect-uri",
                            redirect_uri,
                            "--page", path, "--json", *arguments)
        client = first_json(made.stdout)
        if made.returncode != 0 or client is None:
            raise Stop(f"benji app openid set: {made.stdout} {made.stderr}")
        return client

    def post_form(self, path, client, form):
        """The answer to an app's server for a form that it authenticates with its secret."""
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.server, context=ssl.create_default_context(cafile=self.authority.ca), timeout=PATIENCE)
        pair = base64.b64encode(f"{client['client_id']}:{client['client_secret']}".encode()).decode()
        try:
            connection.request("POST", path, urllib.parse.urlencode(form), {
                "Content-Type": "application/x-www-form-urlencoded", "Authorization": f"Basic {pair}"})
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()


def tick_and_tap(browser):
    browser.click("[data-role=tick]")
    browser.click("[data-role=login]")


def looked_at(checks, browser, pictures, name):
    """axe-core looks at a page, and pictures of it are kept where they are wanted."""
    looks.seen(checks, browser, name)
    take_pictures(browser, pictures, name)


def take_pictures(browser, pictures, name):
    if not pictures:
        return
    for appearance in ("light", "dark"):
        browser.appearance(appearance)
        for width, size in WIDTHS.items():
            browser.resize(*size)
            browser.picture(pictures / f"{name}-{width}-{appearance}.png")
    browser.appearance("light")
    browser.resize(430, 900)
