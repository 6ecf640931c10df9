"""The requests of a browser while people logged in: hosts, addresses and headers."""

import json
import urllib.parse


class Requests:
    """Reads Chromium's own record of its network traffic (DevTools), as far as this window's log goes."""

    def __init__(self, browser):
        self.addresses, self.documents, self.referrers = [], [], []
        for entry in browser.network_log():
            message = json.loads(entry["message"])["message"]
            parameters = message["params"]
            if message["method"] == "Network.requestWillBeSent":
                self.addresses.append(parameters["request"]["url"])
                referrer = {name.lower(): value
                            for name, value in parameters["request"]["headers"].items()}.get("referer")
                if referrer:
                    self.referrers.append(referrer)
                self._keep(parameters.get("redirectResponse"), None)
            elif message["method"] == "Network.responseReceived":
                self._keep(parameters["response"], parameters["type"])

    def _keep(self, response, kind):
        if response and kind in (None, "Document") and response["url"].startswith("http"):
            self.documents.append((response["url"],
                                   {name.lower(): value for name, value in response["headers"].items()}, kind))

    @property
    def origins(self):
        return {"://".join(urllib.parse.urlsplit(address)[:2]) for address in self.addresses
                if address.startswith("http")}

    def holding(self, text):
        """Addresses in which a text stands, in whatever encoding."""
        return [address for address in self.addresses + self.referrers if text in urllib.parse.unquote(address)]


def lax_documents(documents):
    """The pages whose headers permit more than a login page needs, with the lax headers of each."""
    found = []
    for address, headers, kind in documents:
        policy = headers.get("content-security-policy", "")
        problems = [problem for problem, holds in {
            "referrer": headers.get("referrer-policy") != "no-referrer",
            "policy": kind and not policy.startswith("default-src 'none'"),
            "frames": kind and "frame-ancestors 'none'" not in policy,
            "frames in old browsers": kind and headers.get("x-frame-options") != "DENY",
            "unsafe": "unsafe-" in policy or "*" in policy or "http:" in policy,
            "sniffing": kind and headers.get("x-content-type-options") != "nosniff",
            "kept": headers.get("cache-control") != "no-store",
        }.items() if holds]
        if problems:
            found.append((address.split("?")[0], problems))
    return found
