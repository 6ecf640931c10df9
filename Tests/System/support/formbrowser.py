"""A browser on a phone that runs no script but the one that sends a form by itself. It follows redirects, keeps
cookies, and its connections leave by the phone's address."""

import html
import http.client
import re
import ssl
import urllib.parse

from .checks import PATIENCE, Stop


class FormBrowser:
    def __init__(self, authority, address, ends=None):
        """- ends: the beginning of an address that is the app's, and is not called."""
        self.context = ssl.create_default_context(cafile=authority.ca)
        self.address, self.ends = address, ends
        self.cookies, self.connections = {}, {}

    def connect(self, place):
        """A connection of its own to where an address, in its parts, leads."""
        return http.client.HTTPSConnection(
            place.hostname, place.port, context=self.context, timeout=PATIENCE, source_address=(self.address, 0))

    def fetch(self, url, form=None):
        """(status, headers, text) of one request."""
        parts = urllib.parse.urlsplit(url)
        host = parts.netloc
        if host not in self.connections:
            self.connections[host] = self.connect(parts)
        connection = self.connections[host]
        cookies = self.cookies.setdefault(host, {})
        headers = {"Accept": "text/html", "Sec-Fetch-Dest": "document"}
        if cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        body = None
        if form is not None:
            body = urllib.parse.urlencode(form)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        path = (parts.path or "/") + ("?" + parts.query if parts.query else "")
        connection.request("GET" if form is None else "POST", path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = line.split(";")[0].partition("=")
            cookies[name.strip()] = value
        if answer.headers.get("Connection", "").lower() == "close":
            self.connections.pop(host).close()
        return answer.status, answer.headers, text

    def go(self, url, form=None):
        """(address, form, page): the page at the end of all redirects, or the app's address with what it was to get."""
        for _ in range(12):
            if self.ends and url.startswith(self.ends):
                return url, form, ""
            status, headers, text = self.fetch(url, form)
            if status in (302, 303):
                url, form = urllib.parse.urljoin(url, headers["Location"]), None
                continue
            sent = re.search(r'<form method="post" action="([^"]*)" id="answer">(.*?)</form>', text, re.S)
            if not sent:
                return url, None, text
            url = html.unescape(sent[1])
            form = {html.unescape(name): html.unescape(value)
                    for name, value in re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', sent[2])}
        raise Stop("redirects without an end")

    def log_in(self, url, form=None, action="login", remembers=False):
        """Ticks and taps on the page that an address leads to; like ``go``.

        - action: ``switch`` for another way.
        - remembers: sets the box below the page, which must be there."""
        place, _, page = self.go(url, form)
        secret = re.search(r'name="page" value="([A-Za-z0-9]+)"', page)
        if not secret:
            raise Stop(f"{place} is no login page: {re.sub('<[^>]*>', ' ', page)[-400:]}")
        if remembers and 'name="remember"' not in page:
            raise Stop(f"{place} has no box to be remembered by")
        return self.go(urllib.parse.urljoin(place, "/openid/login"),
                       {"page": secret[1], "action": action, "agreed": "yes",
                        **({"remember": "yes"} if remembers else {})})
