"""The careless operator: every command in an empty folder, a lost master key, a second start, a check before it, and
settings without effect. Nothing is made by accident, and every refusal says what to do."""

import hashlib
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import threading
import time

import pytest

from support.certificates import OF_JANUARY_2020, CertificateAuthority
from support.checks import eventually, first_json, folder, run
from support.radius import START, PacketCore, signed
from support.server import SECRET, Server, binary, environment, free_ports

pytestmark = pytest.mark.seconds(480)

# Seconds. A wait for a party that does not answer is longer on any machine: 32 where each try was repeated.
AT_ONCE = 20

# A value for each argument that some command requires. A new command with another argument must be given one here.
VALUES = {
    "name": "Shop", "id": "300000000001", "redirect-uri": "https://shop.example/callback", "gateway": "127.0.0.1:9",
    "secret": "sixteen-bytes-or-more", "address": "127.8.0.5", "number": "13900000009", "server": "http://127.0.0.1:9",
    "app": "300000000001", "bundle": "com.example.shop", "carrier": "mobile", "phone": "phone-1", "sim": "mobile",
    "network": "wifi", "step": "page", "pictures": "/dev/null", "pairs": "/dev/null",
    "role": "support", "trace": "0" * 32, "keys": "/dev/null", "out": "person.json", "submission": "7",
    "before": "current", "after": "mTq2",
    "reference": "C-1", "currency": "CNY", "rate": "released=0.01", "key": "A" * 43 + "=",
    "table": "audit_mark", "as": "0" * 16, "reason": "why",
}
PAGES = {"page", "file", "files", "old", "new"}  # a page's description
# Arguments that are well formed only with an option that the parser does not require.
FURTHER = {"phone set-fault": ["--drop"], "phone attach": [], "app set": ["--name", "Shop"], "explain": ["103902"],
           "app openid set": ["--digits"], "app callback replay": ["--dead"], "page refuse": ["--reason", "too small"]}
# These make the files that they need, and report it; or run until they are stopped.
BEGINNERS = {"serve", "init"}
UNTIL_STOPPED = {"demo", "bench", "face try"}
# These work on a backup, also where there is no installation.
OF_BACKUPS = {"backup verify", "backup rehearse", "restore"}
# This works on an HSM that the configuration names.
OF_HSMS = {"keys new-wrapping-key"}
# This works on the PostgreSQL that the configuration names.
OF_POSTGRESQL = {"store vacuum"}


def commands(command, path=()):
    """Every command of the program that does something: its words and what the program says of it."""
    children = [child for child in command.get("subcommands", []) if child["commandName"] != "help"]
    for child in children:
        yield from commands(child, (*path, child["commandName"]))
    if not children:
        yield " ".join(path), command.get("arguments", [])


def words(name, arguments, page):
    """The command with a value for everything that it requires; the names of what has none."""
    said, missing = name.split(), []
    for argument in arguments:
        if argument["isOptional"]:
            continue
        key = argument["names"][-1]["name"] if argument["kind"] == "option" else argument["valueName"]
        value = page if key in PAGES else VALUES.get(key)
        if value is None:
            missing.append(key)
        said += ([f"--{key}"] if argument["kind"] == "option" else []) + [value or "?"]
    return said + FURTHER.get(name, []), missing


def test_in_an_empty_folder(checks):
    place = folder()
    page = place / "page.json"
    made = run([binary(), "page", "new", "--out", str(page)], env=environment())
    checks.equal(made.returncode, 0, "a page to show to commands that want one")
    tree = json.loads(run([binary(), "--experimental-dump-help"], env=environment()).stdout)["command"]
    every = dict(commands(tree))
    checks.that(len(every) > 40 and BEGINNERS | UNTIL_STOPPED <= set(every), "the program names its commands",
                sorted(every))
    helped = {name: run([binary(), *name.split(), "--help"], env=environment()) for name in every}
    checks.equal([name for name, said in helped.items() if said.returncode != 0
                  or f"USAGE: benji {name}" not in said.stdout], [],
                 "every command says with --help how it is used")
    working = {name for name, arguments in every.items()
               if any(given["name"] == "config" for argument in arguments for given in argument.get("names", []))}
    checks.that({"app list", "app show", "face count", "doctor", "phone reassign"} <= working,
                "those that work on an installation take -c", sorted(working))
    for name, arguments in sorted(every.items()):
        if name in BEGINNERS | UNTIL_STOPPED:
            continue
        said, missing = words(name, arguments, str(page))
        checks.equal(missing, [], f"benji {name}: this script has a value for everything that it requires")
        empty = place / name.replace(" ", "-")
        empty.mkdir()
        done = run([binary(), *said], 60, cwd=empty, env=environment(), stdin=subprocess.DEVNULL)
        checks.equal(sorted(path.name for path in empty.iterdir()), [],
                     f"benji {name} leaves nothing behind in an empty folder")
        checks.that(done.returncode != 64, f"benji {name}: it was understood", done.stderr)
        if name in OF_BACKUPS:
            checks.that(done.returncode == 1 and f"{page}: the file is not a database" in done.stderr,
                        f"benji {name}: it says that the file is no backup, and which", done.stderr)
        if name in OF_HSMS:
            checks.that(done.returncode == 1 and "set master-key.wrapping-key" in done.stderr,
                        f"benji {name}: it says that no HSM's key is named, and where to name it", done.stderr)
        if name in OF_POSTGRESQL:
            checks.that(done.returncode == 1 and "store.postgres names no database" in done.stderr,
                        f"benji {name}: it says that no PostgreSQL is named, and where to name it", done.stderr)
        if name == "gateway session":
            checks.that(done.returncode == 1 and "name its server with --server" in done.stderr,
                        f"benji {name}: it says that a running gateway has sessions, and how to ask it", done.stderr)
        if name in working - {"doctor", "sms send", "gateway session"} - OF_BACKUPS - OF_HSMS - OF_POSTGRESQL:
            checks.that(done.returncode == 1 and f"no installation in {empty}/benji-data" in done.stderr
                        and "benji init" in done.stderr,
                        f"benji {name}: it says that there is no installation, and where", done.stderr)
        typed = run([binary(), *said, "--data", str(empty / "typo")], 60, cwd=empty, env=environment(),
                    stdin=subprocess.DEVNULL)
        if name in working:
            checks.that(not (empty / "typo").exists(), f"benji {name} --data typo makes no folder",
                        typed.stdout + typed.stderr)
    # The former program did this, so that the check is known to see it.
    naive = place / "naive"
    naive.mkdir()
    (naive / "benji-data").mkdir()
    checks.that(list(naive.iterdir()), "a command that makes the folder first would be seen")


def test_beginnings(checks):
    place = folder()
    begun = run([binary(), "init"], cwd=place, env=environment())
    kept = {path.name: path.stat().st_mode & 0o777 for path in (place / "benji-data").iterdir()}
    checks.that(begun.returncode == 0 and kept.get("master.key") == 0o600 and kept.get("benji.sqlite") == 0o600,
                "benji init makes key and database for their owner alone", kept)
    checks.that("Back the key up" in begun.stdout
                and f"installation: {place}/benji-data (from the default)" in begun.stderr,
                "it says which installation it made, and to back the key up", begun.stdout + begun.stderr)
    key = (place / "benji-data/master.key").read_bytes()
    again = run([binary(), "init"], cwd=place, env=environment())
    checks.that(again.returncode == 1 and "already" in again.stderr
                and (place / "benji-data/master.key").read_bytes() == key,
                "a second benji init changes nothing", again.stderr)
    made = run([binary(), "app", "create", "--name", "Shop", "--bundle", "com.example.shop", "--json"], cwd=place,
               env=environment())
    app = first_json(made.stdout)
    checks.that(app and f"installation: {place}/benji-data (from the default)" in made.stderr,
                "a command says on standard error which installation it works on", made.stderr)
    shown = run([binary(), "app", "show", app["id"], "--data", "benji-data"], cwd=place, env=environment())
    checks.that(re.search(r"createdAt +20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", shown.stdout)
                and "(from the command line)" in shown.stderr,
                "benji app show tells when the app was made as a date", shown.stdout + shown.stderr)
    refused = run([binary(), "app", "create", "--name", "x", "--bundle", "com example"], cwd=place, env=environment())
    checks.that(refused.returncode == 1 and "bundle id com example" in refused.stderr,
                "a bundle id with a space is refused", refused.stderr)
    mistyped = run([binary(), "app", "creat", "--name", "x"], cwd=place, env=environment())
    checks.that(mistyped.returncode == 64 and "did you mean create?" in mistyped.stderr,
                "a mistyped command is guessed", mistyped.stderr)
    nowhere = run([binary(), "serve", "-c", "nofile"], cwd=place, env=environment())
    checks.that("nofile" in nowhere.stderr and "no such file" in nowhere.stderr,
                "a configuration that is not there is told so", nowhere.stderr)


def test_a_lost_key_and_a_second_start(checks):
    server = Server()
    with server:
        app = server.create_app()
    key = server.data / "master.key"
    backup = key.read_bytes()
    shutil.copytree(server.data, server.folder / "backup")
    key.unlink()
    before = sorted(path.name for path in server.data.iterdir())
    for command in (["serve"], ["app", "list"], ["app", "create", "--name", "x"], ["face", "count"],
                    ["serve", "--check"]):
        done = server.command(*command, "--config", server.configuration)
        said = done.stdout + done.stderr
        checks.that(done.returncode == 1 and f"{key} is missing" in said and "backup" in said and "lost" in said,
                    f"benji {' '.join(command)} without the master key: it ends, names the file and says what to do",
                    said)
        checks.equal(sorted(path.name for path in server.data.iterdir()), before,
                     f"benji {' '.join(command)} makes no new key")
    doctor = server.command("doctor", "--config", server.configuration)
    lines = [line for line in doctor.stdout.splitlines() if "master.key is missing" in line]
    checks.that(doctor.returncode == 1 and len(lines) == 1 and lines[0].startswith("BAD   master key")
                and "Refusal" not in doctor.stdout,
                "benji doctor says so once, in the key's own line, in words", doctor.stdout)
    other = Server()
    other.command("init", "--config", other.configuration)
    shutil.copy(other.data / "master.key", key)
    for command in (["serve"], ["app", "list"]):
        done = server.command(*command, "--config", server.configuration)
        checks.that(done.returncode == 1 and f"{key} is not the key under which" in done.stderr,
                    f"benji {' '.join(command)} with another installation's key: it ends and names the file",
                    done.stderr)
    server.environment = {"BENJI_MASTER_KEY": backup.decode().strip()}
    with server:
        checks.equal(server.ready()[0], 200,
                     "with the right key in BENJI_MASTER_KEY it starts, whatever file lies there")
    server.environment = {}
    key.write_bytes(backup)
    key.chmod(0o640)
    refused = server.command("app", "list", "--config", server.configuration)
    checks.that(refused.returncode == 1 and "chmod 600" in refused.stderr, "a key that a group may read is refused",
                refused.stderr)
    key.chmod(0o600)
    with server:
        listed = server.command("app", "list", "--config", server.configuration)
        checks.that(app["id"] in listed.stdout, "with its own key the restored installation is what it was",
                    listed.stdout)

        # A second start on the same folder.
        ports = free_ports(4)
        second = server.command(
            "serve", "--config", server.configuration,
            *(part for name, port in zip(("device", "server", "admin"), ports)
                                                        for part in ("--set", f"listen.{name}=127.0.0.1:{port}")),
            "--set", f"listen.accounting=127.0.0.1:{ports[3]}")
        checks.that(second.returncode == 1 and "another server is running" in second.stderr
                    and str(server.data) in second.stderr
                    and f"process {server.process.pid}" in second.stderr,
                    "a second start says which process has the folder", second.stderr)
        checks.equal(server.ready()[0], 200, "and the first goes on")
        wrong = server.attach("attach", "127.8.0.9", "13900000077", secret="not-the-secret-of-it")
        checks.that(wrong.returncode == 1 and "secret" in wrong.stderr,
                    "a wrong RADIUS secret is among the reasons that are told", wrong.stderr)


def digests(place):
    """The digest of each file of a folder. A log's index is SQLite's own memory of it and may be made again."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(place.iterdir())
            if not path.name.endswith("-shm")}


def test_relative_paths(checks):
    place = folder()
    (place / "etc").mkdir()
    (place / "run").mkdir()
    device, server, admin, accounting = free_ports(4)
    (place / "etc/benji.yaml").write_text(
        f"data: ./x\nlisten: {{device: '127.0.0.1:{device}', server: '127.0.0.1:{server}', admin: '127.0.0.1:{admin}', "
        f"accounting: '127.0.0.1:{accounting}'}}\n")
    begun = run([binary(), "init", "-c", "benji.yaml"], cwd=place / "etc", env=environment())
    checks.that(begun.returncode == 0 and (place / "etc/x/benji.sqlite").exists(), "data: ./x is beside the file",
                begun.stderr)
    listed = run([binary(), "app", "list", "-c", "../etc/benji.yaml"], cwd=place / "run", env=environment())
    checks.that(listed.returncode == 0 and f"installation: {place}/etc/x (" in listed.stderr
                and not list((place / "run").iterdir()),
                "from another folder -c names the same installation", listed.stdout + listed.stderr)
    nothing = run([binary(), "app", "list", "-c", "../etc/benji.yaml", "--data", "x y"], cwd=place / "run",
                  env=environment())
    checks.that(nothing.returncode == 1 and "benji init -c ../etc/benji.yaml --data 'x y'" in nothing.stderr
                and f"{place}/run/x y" in nothing.stderr,
                "--data counts from the shell's folder, and the advice repeats what was named", nothing.stderr)
    with socket.create_server(("127.0.0.1", server)):
        taken = run([binary(), "serve", "-c", "../etc/benji.yaml", "--data", "new"], cwd=place / "run",
                    env=environment())
    checks.that(taken.returncode == 1 and f"listen.server: 127.0.0.1:{server} cannot be bound" in taken.stderr
                and not (place / "run/new").exists(),
                "a first start whose port is taken makes nothing", taken.stdout + taken.stderr)


def test_ports_that_are_taken(checks):
    server = Server()
    server.command("init", "--config", server.configuration)

    def serve(*settings):
        done = server.command("serve", "--config", server.configuration,
                              *(word for setting in settings for word in ("--set", setting)))
        return done, done.stdout + done.stderr

    for one, other in (("server", "device"), ("admin", "server"), ("administration", "admin")):
        port = getattr(server, other)
        for host in ("127.0.0.1", "0.0.0.0"):
            if host == "0.0.0.0" and one != "server":
                continue  # refused for another reason
            done, said = serve(f"listen.{one}={host}:{port}")
            checks.that(done.returncode == 1
                        and f"listen.{one}: {host}:{port} has the port of listen.{other} (127.0.0.1:{port})" in said,
                        f"listen.{one} at {host} with the port of listen.{other}: both are named", said)
            doctor = server.command("doctor", "--config", server.configuration, "--set", f"listen.{one}={host}:{port}")
            checks.that(f"has the port of listen.{other}" in doctor.stdout, "and the doctor says the same",
                        doctor.stdout)
    for kind, name, port in ((socket.SOCK_STREAM, "admin", server.admin),
                             (socket.SOCK_DGRAM, "accounting", server.accounting)):
        with socket.socket(socket.AF_INET, kind) as taken:
            if kind == socket.SOCK_STREAM:
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taken.bind(("127.0.0.1", port))
            if kind == socket.SOCK_STREAM:
                taken.listen()
            done, said = serve()
        checks.that(done.returncode == 1
                    and f"listen.{name}: 127.0.0.1:{port} cannot be bound: process {os.getpid()} (" in said,
                    f"the port of listen.{name} is taken by another program, which is named", said)
    done, said = serve("listen.server=192.0.2.1:8081")
    checks.that(done.returncode == 1 and "listen.server" in said
                and "this machine does not have the address 192.0.2.1" in said,
                "an address that is another machine's is told so", said)


def once(answer):
    """A listener of the loopback that answers each connection with some bytes; its port and how to end it."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.recv(65536)
                connection.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1], listener.close


def test_a_server_that_does_not_answer(checks):
    place = folder()

    def ask(url, *more):
        before = time.monotonic()
        done = run([binary(), "app", "list", "--server", url, *map(str, more)], 30, cwd=place,
                   env=environment() | {"BENJI_ADMIN_TOKEN": "benji_admin_x"})
        return done.returncode, done.stderr, time.monotonic() - before

    def refuses(url, *wanted, more=()):
        status, said, took = ask(url, *more)
        checks.that(status == 1 and url in said and all(words in said for words in wanted) and "Error(" not in said
                    and "NIO" not in said,
                    f"{url} {' '.join(map(str, more))}: {wanted[0]}", said)
        checks.that(took < AT_ONCE, "and that at once", took)

    (port,) = free_ports(1)
    refuses(f"http://127.0.0.1:{port}", "nothing listens there (connection refused)", "listen.administration")
    refuses("https://nowhere.invalid:8084", "finds no address for the name nowhere.invalid")
    # A listener whose queue is full leaves further connections without an answer.
    full = socket.socket()
    full.bind(("127.0.0.1", 0))
    full.listen(0)
    waiting = [socket.socket() for _ in range(3)]
    for each in waiting:
        each.setblocking(False)
        each.connect_ex(full.getsockname())
    refuses(f"http://127.0.0.1:{full.getsockname()[1]}", "no connection within 1 second.", "--connect-timeout",
            more=("--connect-timeout", "1"))
    for each in [*waiting, full]:
        each.close()
    for answer, wanted in ((b"SSH-2.0-OpenSSH_9.2\r\n", "does not speak HTTP"), (b"", "closed it without an answer"),
                           (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "something else than Benji does"),
                           (b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nhi",
                            "something else than Benji does")):
        port, close = once(answer)
        refuses(f"http://127.0.0.1:{port}", wanted)
        close()
    for text in ("", "\0\1", "two words"):
        (place / "token").write_text(text)
        (place / "token").chmod(0o600)
        done = run([binary(), "app", "list", "--server", "http://127.0.0.1:1", "--token-file", "token"], cwd=place,
                   env=environment())
        checks.that(done.returncode == 1 and "--token-file token: there is no token in it" in done.stderr,
                    f"{text!r} is no token", done.stderr)


def test_a_server_that_is_another_listener(checks):
    (port,) = free_ports(1)
    server = Server(listen={"administration": f"127.0.0.2:{port}"})
    authority = CertificateAuthority(server.folder)
    authority.issue("served", ["-days", "30"])
    (server.folder / "other").mkdir()
    other = CertificateAuthority(server.folder / "other")
    settings = json.loads(server.configuration.read_text())
    settings["tls"] = {"certificate": str(server.folder / "served.pem"), "key": str(server.folder / "served.key")}
    server.configuration.write_text(json.dumps(settings))
    trusted = ("--server-authority", authority.certificate)
    with server:
        for url, more, wanted in (
                (f"https://127.0.0.2:{port}", (), "not signed by one of the system's authorities"),
                (f"https://127.0.0.2:{port}", ("--server-authority", other.certificate),
                 f"not signed by an authority in {other.certificate}"),
                (f"https://127.0.0.2:{port}", trusted, "is for another name than 127.0.0.2"),
                (f"http://127.0.0.2:{port}", (), "speaks TLS: write https://"),
                (f"https://127.0.0.1:{server.admin}", (), "answers in plain HTTP and not in TLS"),
                (f"https://127.0.0.1:{server.device}", trusted, "is Benji's listener for phones (listen.device)"),
                (f"https://127.0.0.1:{server.server}", trusted,
                 "is Benji's listener for apps' servers (listen.server)"),
                (f"http://127.0.0.1:{server.admin}", (), "is Benji's listener for health and metrics (listen.admin)")):
            for order in (("app", "list"), ("app", "suspend", "300000000001", "--reason", "x")):
                before = time.monotonic()
                done = run([binary(), *order, "--server", url, *map(str, more)], 30,
                           env=environment() | {"BENJI_ADMIN_TOKEN": "benji_admin_x"})
                checks.that(done.returncode == 1 and wanted in done.stderr and url in done.stderr
                            and time.monotonic() - before < AT_ONCE,
                            f"{' '.join(order[:2])} --server {url}: {wanted}", done.stderr)
                if "listener" in wanted:
                    checks.that("where listen.administration is set" in done.stderr,
                                "and it says where to find the right one", done.stderr)


# NAS -> what the operator sets wrongly for it, what its packets have instead of the right attributes, its reason, and
# words of the remedy.
MISTAKES = {
    "stranger": ({"secret": "not-the-secret-of-the-nas"}, {}, "bad_authenticator", "nas.stranger.secret"),
    "eastern": ({}, {55: 28_800}, "clock", "8 h ahead of our clock; the attribute counts in UTC"),
    "western": ({}, {55: -28_800}, "clock_behind", "8 h behind our clock; the attribute counts in UTC"),
    "undated": ({}, {55: None}, "no_event_timestamp", "let it send attribute 55 in every packet"),
    "outside": ({"pools": ["127.9.0.0/16"]}, {}, "outside_pools", "add them to nas.outside.pools"),
    "broken": ({}, {26: b""}, "malformed", "keep to RFC 2865"),
    "sessionless": ({}, {44: None}, "invalid", "(Acct-Session-Id, attribute 44); let the NAS"),
    "numberless": ({}, {31: None}, "no_number", "let the NAS send the number in attribute 31"),
    "landline": ({}, {31: b"861012345678"}, "unusable_number", "let the NAS send the MSISDN"),
    "excluded": ({"excluded-numbers": ["86139"]}, {}, "excluded_number", "nas.excluded.excluded-numbers"),
    "addressless": ({}, {8: None}, "no_address", "let the NAS send Framed-IP-Address (attribute 8)"),
}


def start_of(place, number, changes):
    """The signed Start of session `number` of NAS `place`, with one fault."""
    values = {40: struct.pack("!I", START), 44: f"{place}-{number}".encode(), 32: b"nas-%d" % place,
              8: bytes([127, 8, place, number]),
              31: b"8613900%02d%04d" % (place, number)}
    moment = changes.get(55, 0)
    if moment is not None:
        values[55] = struct.pack("!I", int(time.time()) + moment)
    values |= {kind: value for kind, value in changes.items() if kind != 55}
    body = b"".join(bytes([kind, len(value) + 2]) + value for kind, value in values.items() if value)
    # An attribute that is shorter than its own head.
    return signed(body + (b"\x1a\x01" if 26 in changes else b""), number, SECRET)


def test_a_misconfigured_nas(checks):
    """Each NAS has one fault, beside one that is right. The operator has no more than `benji doctor` to find them."""
    server = Server(nas={"pgw": {}, **{name: {"sources": [f"127.0.6.{place}/32"], **settings}
                                       for place, (name, (settings, *_)) in enumerate(MISTAKES.items(), 1)}})

    def doctor():
        said = server.command("doctor", "--config", server.configuration).stdout
        return {name: [line for line in said.splitlines() if f"NAS {name}: " in line] for name in ("pgw", *MISTAKES)}

    with server:
        checks.equal(doctor(), {name: [] for name in ("pgw", *MISTAKES)},
                     "before a packet has come benji doctor names no NAS")
        core = PacketCore(server.accounting, SECRET)
        for place, (_, changes, *_) in enumerate(MISTAKES.values(), 1):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
                line.bind((f"127.0.6.{place}", 0))
                for number in range(1, 5):
                    line.sendto(start_of(place, number, changes), ("127.0.0.1", server.accounting))
        answered = [core.send(START, f"right-{number}", f"127.8.0.{number}", number=f"861390000{number:04d}")
                    for number in range(1, 5)]
        checks.equal(answered, [True] * 4, "the NAS that is right has its answers")
        if not eventually(lambda: all(f"NAS {name}: " in server.ready()[1] for name in MISTAKES)):
            checks.note(f"/health/ready says {server.ready()}")
        said = doctor()
        checks.equal(said.pop("pgw"), [], "and benji doctor does not name it")
        for name, (_, _, reason, remedy) in MISTAKES.items():
            checks.that(len(said[name]) == 1 and f"NAS {name}: {reason}, 4 packets" in said[name][0]
                        and remedy in said[name][0],
                        f"{name}: benji doctor names NAS, cause and remedy", said[name])
    # The operator does as the first of them says.
    settings = json.loads(server.configuration.read_text())
    settings["nas"]["stranger"]["secret"] = SECRET
    server.configuration.write_text(json.dumps(settings))
    with server:
        core = PacketCore(server.accounting, SECRET, source="127.0.6.1")
        checks.that(core.send(START, "mended", "127.8.1.9", number="8613900010009"),
                    "with the right secret the NAS has its answer")
        checks.equal(doctor()["stranger"], [], "and benji doctor names it no longer")


def test_first_start(checks):
    server = Server()
    with server:
        said = server.log.read_text()
    checks.that("notice" in said and "a new installation was begun" in said
                and f"master-key={server.data}/master.key" in said and "back it up" in said,
                "a first start says loudly that it began an installation", said)
    with server:
        said = server.log.read_text()
    checks.equal(said.count("a new installation was begun"), 1, "and only the first one does")
    before = digests(server.data)
    doctor = server.command("doctor", "--config", server.configuration)
    checks.that(doctor.returncode == 0 and "is whole" in doctor.stdout and digests(server.data) == before,
                "benji doctor reads a database and changes no file", doctor.stdout)
    with server:
        server.create_app()
        server.attach("attach", "127.8.0.5", "13900000009")
        server.kill9()
    before = digests(server.data)
    checks.that(server.data.joinpath("benji.sqlite-wal").stat().st_size > 0, "a killed server leaves a log")
    doctor = server.command("doctor", "--config", server.configuration)
    checks.that(doctor.returncode == 0 and "1 app," in doctor.stdout and digests(server.data) == before,
                "benji doctor reads the log of a killed server, and changes neither it nor the database", doctor.stdout)

    # A restored copy under the log of the database that it replaced.
    copy = server.folder / "copy.sqlite"
    with server:
        pass
    shutil.copy(server.data / "benji.sqlite", copy)
    for number in range(30):
        server.create_app("--bundle", "com.example." + "long" * 40, name=f"Shop {number}")
    with server:
        server.attach("attach", "127.8.0.6", "13900000010")
        server.kill9()
    shutil.copy(copy, server.data / "benji.sqlite")
    doctor = server.command("doctor", "--config", server.configuration)
    checks.that(doctor.returncode == 1 and "BAD   database" in doctor.stdout and "benji.sqlite-wal" in doctor.stdout,
                "benji doctor calls a database damaged over which another's log lies, and names the log", doctor.stdout)

    # The database is moved away.
    for name, wanted in (("benji.sqlite", "benji.sqlite is missing"), ("master.key", "directory.journal")):
        for companion in ("-wal", "-shm"):
            (server.data / f"benji.sqlite{companion}").unlink(missing_ok=True)
        (server.data / name).unlink()
        before = sorted(path.name for path in server.data.iterdir())
        done = server.command("serve", "--config", server.configuration)
        checks.that(done.returncode == 1 and wanted in done.stdout + done.stderr
                    and "nothing was made" in done.stdout + done.stderr
                    and sorted(path.name for path in server.data.iterdir()) == before,
                    f"beside what is left after {name} was moved away benji serve begins nothing",
                    done.stdout + done.stderr)


def test_no_rights(checks):
    server = Server()
    server.command("init", "--config", server.configuration)
    server.data.chmod(0o700)
    other = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    if not other:
        server.data.chmod(0)
    server.folder.chmod(0o755)
    done = run([binary(), "app", "list", "--data", str(server.data)], env=environment(), cwd="/", **other)
    server.data.chmod(0o700)
    checks.that(done.returncode == 1 and f"{server.data} may not be read" in done.stderr
                and "run this as" in done.stderr
                and "benji init" not in done.stderr, "a folder that one may not read is told so, and as whom to run",
                done.stdout + done.stderr)


# The system's and the libraries' own words, which do not name a remedy.
RAW = ("NSCocoaErrorDomain", "NSPOSIXErrorDomain", "Error Domain", "The operation could", "HTTPClientError", "(errno",
       "unexpected error", "\0")
# Commands and what else they need; @ is the file, in quotation marks where a folder is wanted.
OF_FILES = [
    ("app list -c @", ()), ("app list --server https://127.0.0.1:1 --token-file @", ()),
    ("app list --server https://127.0.0.1:1 --server-authority @", ()),
    ("app list --server https://127.0.0.1:1 --client-certificate @ --client-key @", ()),
    ("app set APP -c CONFIG --rsa-public-key @", ()), ("app set APP -c CONFIG --add-attester @", ()),
    ("app create --name x -c CONFIG --attester @", ()),
    ("app openid set APP -c CONFIG --redirect-uri https://a.example/b --page @", ()),
    ("app openid set APP -c CONFIG --redirect-uri https://a.example/b --page PAGE --media logo=@", ("empty", "binary")),
    ("app openid set APP -c CONFIG --redirect-uri https://a.example/b --page PAGE --jwks @", ()),
    ("phone login --server https://127.0.0.1:1 --app APP --bundle x --yes --trust @", ("empty", "binary")),
    ("phone login --server http://127.0.0.1:1 --app APP --bundle x --yes --key-file @", ("absent",)),
    ("phone login --server http://127.0.0.1:1 --app APP --bundle x --yes --page @", ()),
    ("backup verify -c CONFIG @", ()), ("restore --dry-run -c CONFIG @", ()), ("receipt verify PAGE --keys @", ()),
    ("receipt verify @ --keys KEYS", ("empty", "binary")),
    ("admin grant x --role auditor -c CONFIG --certificate @", ()), ("replay @", ()), ("policy check @", ()),
    ("serve -c CONFIG --set policy=@", ()), ("serve -c CONFIG --set tls.certificate=@ --set tls.key=@", ()),
    ("page lint @", ()), ("page digest @", ()), ("page diff PAGE @", ()), ("page submit APP @ -c CONFIG", ()),
]


def test_files_that_cannot_be_used(checks):
    place = folder()
    place.chmod(0o777)
    server = Server()
    app = server.create_app()["id"]
    shutil.copy(server.configuration, place / "benji.yaml")
    (place / "benji.yaml").chmod(0o644)
    (place / "folder").mkdir(0o777)
    (place / "empty").touch(0o600)
    (place / "binary").write_bytes(bytes([0x80, 1, 0xff, 0, 10]) * 60)
    (place / "secret").write_text("{}")
    for name in ("binary", "empty"):
        (place / name).chmod(0o600)
    (place / "secret").chmod(0)
    run([binary(), "page", "new", "--out", "PAGE"], cwd=place, env=environment())
    (place / "KEYS").write_text(server.command("receipt", "keys", "-c", server.configuration).stdout)
    other = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    wanted = {"absent": "there is no such file", "folder": "folder", "secret": "ls -l secret"}
    for words, passed_over in OF_FILES:
        for file in ("absent", "folder", "secret", "empty", "binary"):
            if file in passed_over or (file == "secret" and "CONFIG" in words and "policy=" not in words):
                continue  # only its owner may open an installation
            said = [word.replace("@", file).replace("APP", app).replace("CONFIG", str(place / "benji.yaml"))
                    for word in words.split()]
            done = run([binary(), *said], 30, cwd=place, env=environment() | {"BENJI_ADMIN_TOKEN": "benji_admin_x"},
                       stdin=subprocess.DEVNULL,
                       **(other if file == "secret" else {}))
            error = done.stderr
            checks.that(done.returncode in (1, 2) and (file in error or file == "empty" and "no installation" in error)
                        and wanted.get(file, "") in error and not any(word in error for word in RAW),
                        f"benji {words}: {file} is named, and what is wrong with it", error)
    # Where something is to be written.
    server.command("backup", "-c", server.configuration, str(place / "b.sqlite"))
    for words in ("page new --out {}/x.json", "page render PAGE --out {}/x.html",
                  f"backup -c {server.configuration} {{}}/x.sqlite",
                  f"backup rehearse -c {server.configuration} b.sqlite --in {{}}", "init --data {}/x",
                  "bench --folder {} --seconds 1"):
        for target, problem in (("PAGE", "is a file and not a folder"), ("none/deeper", "does not exist")):
            if problem == "does not exist" and words.split()[0] in ("init", "bench"):
                continue  # these make it
            done = run([binary(), *words.format(target).split()], 30, cwd=place, env=environment(),
                       stdin=subprocess.DEVNULL)
            checks.that(done.returncode == 1 and problem in done.stderr and target.split("/")[0] in done.stderr
                        and not any(word in done.stderr for word in RAW), f"benji {words.format(target)}: {problem}",
                        done.stderr)
    done = server.command("subscriber", "export", "-c", server.configuration, "--number", "13900000009", "--out",
                          "/none/deeper/x.json")
    checks.that(done.returncode == 1
                and "/none/deeper/x.json cannot be written: the folder /none/deeper does not exist" in done.stderr,
                "an export says where it cannot write before it looks at anybody", done.stderr)
    looks = first_json(server.command("audit", "-c", server.configuration, "--order", "subscriber.export",
                                      "--json").stdout)
    checks.equal(looks["entries"], [], "and nobody was looked at")
    done = run([binary(), "app", "list", "--data", "PAGE"], cwd=place, env=environment())
    checks.that(done.returncode == 1 and "PAGE (from the command line) is a file and not a folder" in done.stderr,
                "a data directory that is a file is told so", done.stderr)


def test_words_for_people(checks):
    server = Server()
    app = server.create_app()["id"]

    def benji(*words):
        done = server.command(*words, "--config", server.configuration)
        checks.equal(done.returncode, 0, f"benji {' '.join(words)}")
        return done.stdout

    said = benji("keys", "rotate-receipt")
    checks.that("stay valid for good" in said and "benji receipt keys" in said
                and "Apps on phones need nothing" in said,
                "a new receipt key: what becomes of earlier receipts, and who must do what", said)
    benji("admin", "grant", "ana", "--role", "support")
    benji("app", "rotate-key", app)
    benji("app", "delete", app)
    said = benji("audit")
    checks.that(re.search(r"expiresAt: none → 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", said)
                and re.search(r"deletedAfter: none → 20\d\d-", said)
                and not re.search(r"\b1[6-9]\d{11}\b", said), "the audit log has no milliseconds for people", said)
    checks.that(re.search(r'"expiresAt":1\d{12}\b', benji("audit", "--json")), "and has them for programs")


def test_misused(checks):
    place = folder()
    run([binary(), "init"], cwd=place, env=environment())

    def benji(*words):
        return run([binary(), *words], cwd=place, env=environment())

    app = first_json(benji("app", "create", "--name", "Shop", "--server-address", "203.0.113.7", "--json").stdout)["id"]
    benji("app", "rotate-key", app)
    for words, status, wanted in (
            (["app", "retire-key", app, "--version", "1"], 64, "did you mean --key-version?"),
            (["app", "list", "--data", "a", "--data", "b"], 64, "--data is given twice"),
            (["app", "create", "--nmae", "Shop"], 64, "did you mean --name?"),
            (["help", "ap"], 64, "did you mean app?"),
            (["app", "create", "--name", "x", "--daily-quota", "0"], 64, "--daily-quota"),
            (["app", "create", "--name", "x", "--approved-content", "abc"], 1, "see: benji page digest"),
            (["app", "create", "--name", "x", "--server-address", "203.0.113.7", "--wide-addresses"], 64,
             "--wide-addresses has nothing to do"),
            (["app", "openid", "set", app], 64, "nothing to change was named"),
            (["app", "openid", "set", app, "--digits"], 1, "--redirect-uri and --page"),
            (["app", "openid", "show", "399999999999"], 1, "no app has this id; see: benji app list"),
            (["app", "openid", "remove", app], 1, "the app is no OpenID client"),
            (["app", "team", "invite", app, "Ben"], 1, "lower-case letters"),
            (["app", "team", "add", app, "ben"], 1, "has this name"),
            (["app", "team", "remove", app, "ben"], 1, "has this name"),
            (["app", "team", "list", "399999999999"], 1, "no app has this id"),
            (["app", "logins", "--last", "32"], 1, "last: 1 to 31"),
            (["app", "set", app, "--remove-server-address", "9.9.9.9"], 1, "it has 203.0.113.7"),
            (["app", "set", app, "--remove-bundle", "com.x"], 1, "it has none"),
            (["app", "set", app, "--remove-capability", "face"], 1, "it has login")):
        done = benji(*words)
        checks.that(done.returncode == status and wanted in done.stderr, f"benji {' '.join(words)}: {wanted}",
                    done.stdout + done.stderr)
    benji("page", "new", "--out", "login.json")
    made = benji("app", "openid", "set", app, "--redirect-uri", "https://a.example/b", "--page", "login.json")
    checks.equal(made.returncode, 0, "a client is made")
    for option, value in (("redirect-uri", "https://b.example/"), ("purpose", "dpv:FraudPreventionAndDetection"),
                          ("media", "logo"),
                          ("frame-ancestor", "https://b.example")):
        done = benji("app", "openid", "set", app, f"--remove-{option}", value)
        checks.that(done.returncode == 1 and value in done.stderr and "to remove" in done.stderr,
                    f"benji app openid set --remove-{option}: what is not there is not removed",
                    done.stdout + done.stderr)


def test_a_check_before_the_start(checks):
    server = Server()
    place = server.folder
    authority = CertificateAuthority(place)
    for name, dates in (("one", ["-days", "30"]), ("two", ["-days", "30"]), ("old", OF_JANUARY_2020)):
        authority.issue(name, dates)

    def check(certificate, key, *more):
        return server.command("serve", "--check", "--config", server.configuration, "--set",
                              f"tls.certificate={place / certificate}",
                              "--set", f"tls.key={place / key}", *more)

    good = check("one.pem", "one.key")
    checks.that(good.returncode == 0 and "certificate and key were read and belong together" in good.stdout
                and "ports were not tried" in good.stdout,
                "serve --check says what it looked at, and what not", good.stdout + good.stderr)
    checks.that(not server.data.exists(), "and makes nothing")
    for certificate, key, wanted in (("no.pem", "one.key", "no.pem cannot be read"),
                                     ("one.pem", "no.key", "no.key cannot be read"),
                                     ("one.pem", "two.key", "two.key is not the key"),
                                     ("old.pem", "old.key", "expired on 2020-02-01")):
        done = check(certificate, key)
        checks.that(done.returncode == 1 and wanted in done.stdout + done.stderr, f"serve --check: {wanted}",
                    done.stdout + done.stderr)
    unread = server.command("serve", "--check", "--set", "nas.pgw.secret=short")
    checks.that(unread.returncode == 1 and "nas.pgw.secret" in unread.stderr and "nas.names" in unread.stderr
                and "short" not in unread.stderr,
                "a setting that nothing reads is refused by name", unread.stderr)
    server.configuration.chmod(0o644)
    exposed = server.command("serve", "--check", "--config", server.configuration)
    checks.that(exposed.returncode == 0 and "warn" in exposed.stdout and "chmod o-rwx" in exposed.stdout
                and SECRET not in exposed.stdout,
                "a configuration with secrets that everybody may read is warned about", exposed.stdout + exposed.stderr)
    doctor = server.command("doctor", "--config", server.configuration)
    checks.that(doctor.returncode == 1 and "BAD   configuration" in doctor.stdout and not server.data.exists(),
                "benji doctor calls it wrong, and makes nothing", doctor.stdout)
    example = server.command("serve", "--example").stdout
    checks.that("session-stop-indicator  " in example, "the example keeps long settings apart from their meaning",
                example)
