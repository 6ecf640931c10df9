"""The careless operator: every command in an empty folder, a lost master key, a second start, a check before the start, and settings
that do nothing. Nothing is made by accident, and every refusal says what to do."""

import hashlib
import json
import os
import re
import shutil
import socket
import subprocess

import pytest

from support.certificates import OF_JANUARY_2020, CertificateAuthority
from support.checks import first_json, folder, run
from support.server import SECRET, Server, binary, environment, free_ports

pytestmark = pytest.mark.seconds(240)

# A value for each argument that some command requires. A new command with another argument must be given one here.
VALUES = {
    "name": "Shop", "id": "300000000001", "redirect-uri": "https://shop.example/callback", "gateway": "127.0.0.1:9",
    "secret": "sixteen-bytes-or-more", "address": "127.8.0.5", "number": "13900000009", "server": "http://127.0.0.1:9",
    "app": "300000000001", "bundle": "com.example.shop", "carrier": "mobile", "phone": "phone-1", "sim": "mobile",
    "network": "wifi", "step": "page", "pictures": "/dev/null", "pairs": "/dev/null",
    "role": "support", "trace": "0" * 32, "keys": "/dev/null", "out": "person.json", "submission": "7", "before": "current", "after": "mTq2",
}
PAGES = {"page", "file", "files", "old", "new"}  # a page's description
# What is well formed only with an option that the parser does not require.
FURTHER = {"phone set-fault": ["--drop"], "phone attach": [], "app set": ["--name", "Shop"], "explain": ["103902"],
           "app openid set": ["--digits"], "page refuse": ["--reason", "too small"]}
# These make what they need, and say so; or run until they are stopped.
BEGINNERS = {"serve", "init"}
UNTIL_STOPPED = {"demo", "bench", "face try"}
# These work on a backup, also where there is no installation.
OF_BACKUPS = {"backup verify", "backup rehearse", "restore"}
# This works on an HSM that the configuration names.
OF_HSMS = {"keys new-wrapping-key"}


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
    checks.that(len(every) > 40 and BEGINNERS | UNTIL_STOPPED <= set(every), "the program names its commands", sorted(every))
    helped = {name: run([binary(), *name.split(), "--help"], env=environment()) for name in every}
    checks.equal([name for name, said in helped.items() if said.returncode != 0 or f"USAGE: benji {name}" not in said.stdout], [],
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
        checks.equal(sorted(path.name for path in empty.iterdir()), [], f"benji {name} leaves nothing behind in an empty folder")
        checks.that(done.returncode != 64, f"benji {name}: it was understood", done.stderr)
        if name in OF_BACKUPS:
            checks.that(done.returncode == 1 and f"{page}: the file is not a database" in done.stderr,
                        f"benji {name}: it says that the file is no backup, and which", done.stderr)
        if name in OF_HSMS:
            checks.that(done.returncode == 1 and "set master-key.wrapping-key" in done.stderr,
                        f"benji {name}: it says that no HSM's key is named, and where to name it", done.stderr)
        if name in working - {"doctor"} - OF_BACKUPS - OF_HSMS:
            checks.that(done.returncode == 1 and f"no installation in {empty}/benji-data" in done.stderr
                        and "benji init" in done.stderr, f"benji {name}: it says that there is no installation, and where", done.stderr)
        typed = run([binary(), *said, "--data", str(empty / "typo")], 60, cwd=empty, env=environment(), stdin=subprocess.DEVNULL)
        if name in working:
            checks.that(not (empty / "typo").exists(), f"benji {name} --data typo makes no folder", typed.stdout + typed.stderr)
    # What the former program did, so that the look itself is known to see it.
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
    checks.that("Back the key up" in begun.stdout and f"installation: {place}/benji-data (from the default)" in begun.stderr,
                "it says which installation it made, and to back the key up", begun.stdout + begun.stderr)
    key = (place / "benji-data/master.key").read_bytes()
    again = run([binary(), "init"], cwd=place, env=environment())
    checks.that(again.returncode == 1 and "already" in again.stderr and (place / "benji-data/master.key").read_bytes() == key,
                "a second benji init changes nothing", again.stderr)
    made = run([binary(), "app", "create", "--name", "Shop", "--bundle", "com.example.shop", "--json"], cwd=place, env=environment())
    app = first_json(made.stdout)
    checks.that(app and f"installation: {place}/benji-data (from the default)" in made.stderr,
                "a command says on standard error which installation it works on", made.stderr)
    shown = run([binary(), "app", "show", app["id"], "--data", "benji-data"], cwd=place, env=environment())
    checks.that(re.search(r"createdAt +20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", shown.stdout) and "(from the command line)" in shown.stderr,
                "benji app show tells when the app was made as a date", shown.stdout + shown.stderr)
    refused = run([binary(), "app", "create", "--name", "x", "--bundle", "com example"], cwd=place, env=environment())
    checks.that(refused.returncode == 1 and "bundle id com example" in refused.stderr, "a bundle id with a space is refused", refused.stderr)
    mistyped = run([binary(), "app", "creat", "--name", "x"], cwd=place, env=environment())
    checks.that(mistyped.returncode == 64 and "did you mean create?" in mistyped.stderr, "a mistyped command is guessed", mistyped.stderr)
    nowhere = run([binary(), "serve", "-c", "nofile"], cwd=place, env=environment())
    checks.that("nofile" in nowhere.stderr and "no such file" in nowhere.stderr, "a configuration that is not there is told so", nowhere.stderr)


def test_a_lost_key_and_a_second_start(checks):
    server = Server()
    with server:
        app = server.create_app()
    key = server.data / "master.key"
    backup = key.read_bytes()
    shutil.copytree(server.data, server.folder / "backup")
    key.unlink()
    before = sorted(path.name for path in server.data.iterdir())
    for command in (["serve"], ["app", "list"], ["app", "create", "--name", "x"], ["face", "count"], ["serve", "--check"]):
        done = server.command(*command, "--config", server.configuration)
        said = done.stdout + done.stderr
        checks.that(done.returncode == 1 and f"{key} is missing" in said and "backup" in said and "lost" in said,
                    f"benji {' '.join(command)} without the master key: it ends, names the file and says what to do", said)
        checks.equal(sorted(path.name for path in server.data.iterdir()), before, f"benji {' '.join(command)} makes no new key")
    doctor = server.command("doctor", "--config", server.configuration)
    lines = [line for line in doctor.stdout.splitlines() if "master.key is missing" in line]
    checks.that(doctor.returncode == 1 and len(lines) == 1 and lines[0].startswith("BAD   master key") and "Refusal" not in doctor.stdout,
                "benji doctor says so once, in the key's own line, in words", doctor.stdout)
    other = Server()
    other.command("init", "--config", other.configuration)
    shutil.copy(other.data / "master.key", key)
    for command in (["serve"], ["app", "list"]):
        done = server.command(*command, "--config", server.configuration)
        checks.that(done.returncode == 1 and f"{key} is not the key under which" in done.stderr,
                    f"benji {' '.join(command)} with another installation's key: it ends and names the file", done.stderr)
    server.environment = {"BENJI_MASTER_KEY": backup.decode().strip()}
    with server:
        checks.equal(server.ready()[0], 200, "with the right key in BENJI_MASTER_KEY it starts, whatever file lies there")
    server.environment = {}
    key.write_bytes(backup)
    key.chmod(0o640)
    refused = server.command("app", "list", "--config", server.configuration)
    checks.that(refused.returncode == 1 and "chmod 600" in refused.stderr, "a key that a group may read is refused", refused.stderr)
    key.chmod(0o600)
    with server:
        listed = server.command("app", "list", "--config", server.configuration)
        checks.that(app["id"] in listed.stdout, "with its own key the restored installation is what it was", listed.stdout)

        # A second start on the same folder.
        ports = free_ports(4)
        second = server.command(
            "serve", "--config", server.configuration, *(part for name, port in zip(("device", "server", "admin"), ports)
                                                        for part in ("--set", f"listen.{name}=127.0.0.1:{port}")),
            "--set", f"listen.accounting=127.0.0.1:{ports[3]}")
        checks.that(second.returncode == 1 and "another benji serve is running" in second.stderr and str(server.data) in second.stderr
                    and f"process {server.process.pid}" in second.stderr,
                    "a second start says which process has the folder", second.stderr)
        checks.equal(server.ready()[0], 200, "and the first goes on")
        wrong = server.attach("attach", "127.8.0.9", "13900000077", secret="not-the-secret-of-it")
        checks.that(wrong.returncode == 1 and "secret" in wrong.stderr, "a wrong RADIUS secret is among the reasons that are told", wrong.stderr)


def digests(place):
    """What each file of a folder holds; the index of a log is SQLite's own memory of it and may be made anew."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(place.iterdir()) if not path.name.endswith("-shm")}


def test_relative_paths(checks):
    place = folder()
    (place / "etc").mkdir()
    (place / "run").mkdir()
    device, server, admin, accounting = free_ports(4)
    (place / "etc/benji.yaml").write_text(
        f"data: ./x\nlisten: {{device: '127.0.0.1:{device}', server: '127.0.0.1:{server}', admin: '127.0.0.1:{admin}', "
        f"accounting: '127.0.0.1:{accounting}'}}\n")
    begun = run([binary(), "init", "-c", "benji.yaml"], cwd=place / "etc", env=environment())
    checks.that(begun.returncode == 0 and (place / "etc/x/benji.sqlite").exists(), "data: ./x is beside the file", begun.stderr)
    listed = run([binary(), "app", "list", "-c", "../etc/benji.yaml"], cwd=place / "run", env=environment())
    checks.that(listed.returncode == 0 and f"installation: {place}/etc/x (" in listed.stderr and not list((place / "run").iterdir()),
                "from another folder -c names the same installation", listed.stdout + listed.stderr)
    nothing = run([binary(), "app", "list", "-c", "../etc/benji.yaml", "--data", "x y"], cwd=place / "run", env=environment())
    checks.that(nothing.returncode == 1 and "benji init -c ../etc/benji.yaml --data 'x y'" in nothing.stderr and f"{place}/run/x y" in nothing.stderr,
                "--data counts from the shell's folder, and the advice repeats what was named", nothing.stderr)
    with socket.create_server(("127.0.0.1", server)):
        taken = run([binary(), "serve", "-c", "../etc/benji.yaml", "--data", "new"], cwd=place / "run", env=environment())
    checks.that(taken.returncode == 1 and f"listen.server: 127.0.0.1:{server} cannot be bound" in taken.stderr and not (place / "run/new").exists(),
                "a first start whose port is taken makes nothing", taken.stdout + taken.stderr)


def test_first_start(checks):
    server = Server()
    with server:
        said = server.log.read_text()
    checks.that("notice" in said and "a new installation was begun" in said and f"master-key={server.data}/master.key" in said and "back it up" in said,
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
    checks.that(doctor.returncode == 0 and "1 apps" in doctor.stdout and digests(server.data) == before,
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
        checks.that(done.returncode == 1 and wanted in done.stdout + done.stderr and "nothing was made" in done.stdout + done.stderr
                    and sorted(path.name for path in server.data.iterdir()) == before,
                    f"beside what is left after {name} was moved away benji serve begins nothing", done.stdout + done.stderr)


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
    checks.that(done.returncode == 1 and f"{server.data} may not be read" in done.stderr and "run this as" in done.stderr
                and "benji init" not in done.stderr, "a folder that one may not read is told so, and as whom to run", done.stdout + done.stderr)


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
            (["app", "create", "--name", "x", "--server-address", "203.0.113.7", "--wide-addresses"], 64, "--wide-addresses has nothing to do"),
            (["app", "openid", "set", app], 64, "nothing to change was named"),
            (["app", "openid", "set", app, "--digits"], 1, "--redirect-uri and --page"),
            (["app", "openid", "show", "399999999999"], 1, "no app has this id"),
            (["app", "openid", "remove", app], 1, "the app is no OpenID client"),
            (["app", "set", app, "--remove-server-address", "9.9.9.9"], 1, "it has 203.0.113.7"),
            (["app", "set", app, "--remove-bundle", "com.x"], 1, "it has none"),
            (["app", "set", app, "--remove-capability", "face"], 1, "it has login")):
        done = benji(*words)
        checks.that(done.returncode == status and wanted in done.stderr, f"benji {' '.join(words)}: {wanted}", done.stdout + done.stderr)
    benji("page", "new", "--out", "login.json")
    made = benji("app", "openid", "set", app, "--redirect-uri", "https://a.example/b", "--page", "login.json")
    checks.equal(made.returncode, 0, "a client is made")
    for option, value in (("redirect-uri", "https://b.example/"), ("purpose", "dpv:FraudPreventionAndDetection"), ("media", "logo"),
                          ("frame-ancestor", "https://b.example")):
        done = benji("app", "openid", "set", app, f"--remove-{option}", value)
        checks.that(done.returncode == 1 and value in done.stderr and "to remove" in done.stderr,
                    f"benji app openid set --remove-{option}: what is not there is not removed", done.stdout + done.stderr)


def test_a_check_before_the_start(checks):
    server = Server()
    place = server.folder
    authority = CertificateAuthority(place)
    for name, dates in (("one", ["-days", "30"]), ("two", ["-days", "30"]), ("old", OF_JANUARY_2020)):
        authority.issue(name, dates)

    def check(certificate, key, *more):
        return server.command("serve", "--check", "--config", server.configuration, "--set", f"tls.certificate={place / certificate}",
                              "--set", f"tls.key={place / key}", *more)

    good = check("one.pem", "one.key")
    checks.that(good.returncode == 0 and "certificate and key were read and belong together" in good.stdout and "ports were not tried" in good.stdout,
                "serve --check says what it looked at, and what not", good.stdout + good.stderr)
    checks.that(not server.data.exists(), "and makes nothing")
    for certificate, key, wanted in (("no.pem", "one.key", "no.pem cannot be read"), ("one.pem", "no.key", "no.key cannot be read"),
                                     ("one.pem", "two.key", "two.key is not the key"), ("old.pem", "old.key", "expired on 2020-02-01")):
        done = check(certificate, key)
        checks.that(done.returncode == 1 and wanted in done.stdout + done.stderr, f"serve --check: {wanted}", done.stdout + done.stderr)
    unread = server.command("serve", "--check", "--set", "nas.pgw.secret=short")
    checks.that(unread.returncode == 1 and "nas.pgw.secret" in unread.stderr and "nas.names" in unread.stderr and "short" not in unread.stderr,
                "a setting that nothing reads is refused by name", unread.stderr)
    server.configuration.chmod(0o644)
    exposed = server.command("serve", "--check", "--config", server.configuration)
    checks.that(exposed.returncode == 0 and "warn" in exposed.stdout and "chmod o-rwx" in exposed.stdout and SECRET not in exposed.stdout,
                "a configuration with secrets that everybody may read is warned about", exposed.stdout + exposed.stderr)
    doctor = server.command("doctor", "--config", server.configuration)
    checks.that(doctor.returncode == 1 and "BAD   configuration" in doctor.stdout and not server.data.exists(),
                "benji doctor calls it wrong, and makes nothing", doctor.stdout)
    example = server.command("serve", "--example").stdout
    checks.that("session-stop-indicator  " in example, "the example keeps long settings apart from their meaning", example)
