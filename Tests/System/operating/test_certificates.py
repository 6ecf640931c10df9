"""Certificates that are replaced while the server runs: SIGHUP reads them again, and open connections go on. Files that
cannot be used cause a warning and change nothing."""

import http.client
import json
import re
import shutil
import signal
import ssl
import time

from support.certificates import OF_JANUARY_2020, CertificateAuthority
from support.checks import PATIENCE, eventually, run
from support.server import Server


def shown(authority, port):
    """The common name of the certificate that openssl's client is shown and finds valid."""
    done = run([authority.openssl, "s_client", "-connect", f"127.0.0.1:{port}", "-CAfile", str(authority.certificate),
                "-verify_return_error", "-verify_ip", "127.0.0.1"], input="")
    found = re.search(r"subject=.*CN ?= ?(\S+)", done.stdout)
    return found[1] if found and done.returncode == 0 else f"status {done.returncode}: {done.stderr[-200:]}"


def warnings(server):
    return json.loads(server.ready()[1]).get("warnings", [])


def test_certificates_are_read_again(checks):
    server = Server()
    authority = CertificateAuthority(server.folder)
    authority.issue("first", ["-days", "20"])
    authority.issue("second", ["-days", "10"])
    authority.issue("aged", OF_JANUARY_2020)
    certificate, key = server.folder / "served.pem", server.folder / "served.key"

    def put(name, key_of=None):
        shutil.copy(server.folder / f"{name}.pem", certificate)
        shutil.copy(server.folder / f"{key_of or name}.key", key)

    put("first")
    settings = json.loads(server.configuration.read_text())
    settings["tls"] = {"certificate": str(certificate), "key": str(key)}
    server.configuration.write_text(json.dumps(settings))
    with server:
        log = server.log.read_text
        words = ("a certificate is in use", "common_name=first", "not-after=")
        checks.that(eventually(lambda: all(each in log() for each in words)),
                    "the log says which certificate the server begins with, and when it ends", server.tail())
        checks.equal([shown(authority, server.device), shown(authority, server.server)], ["first", "first"],
                     "both listeners show the first certificate")
        checks.equal(warnings(server), [], "there is nothing to warn about")
        client = ssl.create_default_context(cafile=authority.certificate)
        old = http.client.HTTPSConnection("127.0.0.1", server.server, timeout=PATIENCE, context=client)
        old.request("GET", "/nothing")
        checks.equal(old.getresponse().read() != b"" and dict(old.sock.getpeercert()["subject"][0])["commonName"],
                     "first",
                     "a connection is open under it")
        socket = old.sock

        def answered():
            old.request("GET", "/nothing")
            answer = old.getresponse()
            answer.read()
            return answer.status == 404 and old.sock is socket

        put("second")
        checks.equal(shown(authority, server.server), "first", "new files alone change nothing")
        server.process.send_signal(signal.SIGHUP)
        checks.that(eventually(lambda: shown(authority, server.server) == "second"),
                    "after SIGHUP new connections see the second", server.tail())
        checks.that(eventually(lambda: shown(authority, server.device) == "second"),
                    "on the listener of phones too", server.tail())
        checks.that(answered(), "the connection of before goes on being answered")
        checks.that(eventually(lambda: "a certificate was read again" in log() and "common_name=second" in log()),
                    "the log names what was read", server.tail())
        soon = re.compile("the certificate expires in (9|10) days")
        checks.that(eventually(lambda: any(map(soon.search, warnings(server))) and soon.search(log())),
                    "readiness and log warn of one that ends within two weeks", warnings(server))
        left = (server.metric("benji_tls_certificate_not_after_seconds", listener="device") or 0) - time.time()
        checks.that(9 * 86400 < left <= 10 * 86400, "and a metric says when it ends", left)

        for name, key_of, wanted in (("first", "second", "served.key is not the key"),
                                     ("aged", "aged", "expired on 2020-02-01"),
                                     (None, None, "served.pem cannot be read")):
            certificate.unlink() if name is None else put(name, key_of)
            server.process.send_signal(signal.SIGHUP)
            checks.that(eventually(lambda wanted=wanted: any(
                "not renewed" in line and wanted in line for line in warnings(server))),
                        f"{wanted}: the readiness warning says so", warnings(server))
            checks.that(server.ready()[0] == 200 and shown(authority, server.server) == "second",
                        f"{wanted}: the second certificate stays")
            checks.that(eventually(lambda wanted=wanted: any(
                " error " in line and "was not renewed" in line and wanted in line for line in log().splitlines())),
                f"{wanted}: the log says so", server.tail())
            checks.that(eventually(lambda: server.metric("benji_tls_renewal_failed", listener="server") == 1.0),
                        f"{wanted}: the metric says so")
        put("first")
        server.process.send_signal(signal.SIGHUP)
        checks.that(eventually(lambda: shown(authority, server.server) == "first"),
                    "good files are taken again", server.tail())
        checks.that(eventually(lambda: warnings(server) == []
                               and server.metric("benji_tls_renewal_failed", listener="server") == 0.0),
                    "the warnings are gone", warnings(server))
        checks.that(answered(), "the first connection is still answered")
        secrets = [line for name in ("first", "second")
                   for line in (server.folder / f"{name}.key").read_text().splitlines()
                   if len(line) > 30 and "KEY" not in line]
        checks.that(secrets and not any(line in log() for line in [*secrets, "PRIVATE KEY"]),
                    "nothing of a key is in the log")


def test_sessions_are_resumed(checks):
    """A phone that comes back need not be shown the certificate again, until there is another one."""
    server = Server()
    authority = CertificateAuthority(server.folder)
    for name in ("first", "second"):
        authority.issue(name, ["-days", "20"])
    certificate, key = server.folder / "served.pem", server.folder / "served.key"

    def put(name):
        shutil.copy(server.folder / f"{name}.pem", certificate)
        shutil.copy(server.folder / f"{name}.key", key)

    def connected(version, port, *words):
        """Whether openssl's client begins a new session or goes on with one; it reads an answer, behind which tickets
        have come."""
        done = run([authority.openssl, "s_client", "-connect", f"127.0.0.1:{port}", "-CAfile",
                    str(authority.certificate),
                    "-verify_return_error", f"-{version}", "-ign_eof", *map(str, words)],
                   input="GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        found = re.search(r"^(New|Reused), TLS", done.stdout, re.MULTILINE)
        return (found[1] if found and done.returncode == 0 and "HTTP/1.1 404" in done.stdout
                else f"{done.stdout[-200:]}{done.stderr[-200:]}")

    put("first")
    settings = json.loads(server.configuration.read_text())
    settings["tls"] = {"certificate": str(certificate), "key": str(key)}
    server.configuration.write_text(json.dumps(settings))
    with server:
        for version in ("tls1_2", "tls1_3"):
            for name, port in (("phones", server.device), ("apps' servers", server.server)):
                kept = server.folder / f"{version}-{port}"
                checks.equal([connected(version, port, "-sess_out", kept), connected(version, port, "-sess_in", kept)],
                             ["New", "Reused"],
                             f"{version}: the listener of {name} resumes a session on another connection")
        put("second")
        server.process.send_signal(signal.SIGHUP)
        checks.that(eventually(lambda: shown(authority, server.device) == "second"),
                    "there is another certificate", server.tail())
        checks.equal(connected("tls1_3", server.device, "-sess_in", server.folder / f"tls1_3-{server.device}"), "New",
                     "a session under the certificate before is not resumed: the new one is shown")


def test_a_signal_without_certificates(checks):
    with Server() as server:
        server.process.send_signal(signal.SIGHUP)
        checks.that(eventually(lambda: "no certificate is configured" in server.log.read_text()),
                    "without a certificate SIGHUP says that there is nothing to read", server.tail())
        checks.equal(server.ready()[0], 200, "and the server goes on")
