"""A person is exported and erased. Then the files of the data directory are searched for references to them, with the
master key. Wherever the order is killed, the person is there or gone, and the next run finishes it."""

import itertools
import json
import os
import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from support import journal
from support.checks import eventually, first_json, folder, run
from support.operators import Backend
from support.preload import every_moment, preload
from support.server import Server, binary, environment, free_ports, wait_a_second
from support.vault import Vault

SERVER = {"log": {"level": "warning"}}
PEOPLE = {"127.8.81.1": "13900000081", "127.8.81.2": "13900000082", "127.8.81.3": "13900000083"}
(ADDRESS, NUMBER), *OTHERS = PEOPLE.items()


def pieces(value):
    """Parts that tell as much as the whole; what a page keeps of it may be cut off."""
    return [value[place:place + 8] for place in range(0, len(value) - 7, 8)]


def found(data, values):
    """Which of the values are in some file of a folder, whole or in part."""
    files = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    return [(name, path.name) for name, value in values.items() for path, content in files.items()
            if any(piece in content for piece in pieces(value))]


def traces_of(vault, data, number, openid=None):
    """The references to a number: the bytes of its row, and the apps' id of the person."""
    index, sealed, key = vault.rows(data / "benji.sqlite")[f"86{number}"]
    # The version and the master key's id are those of every value.
    values = {"index": index, "sealed number": sealed[9:], "epoch key": key}
    return values | ({"openId": openid.encode()} if openid else {})


@pytest.fixture(scope="module")
def logins(server, app, backend):
    """Everybody logs in, and their tokens are redeemed: {number: (openId, an unspent token)}."""
    made = {}
    for address, number in PEOPLE.items():
        server.attach("attach", address, number, imsi=f"4600{number}")
        for _ in range(2):
            done = server.command(
                "phone", "login", "--server", server.device_url, "--app", app["id"], "--key", app["key"], "--bundle",
                "com.example.shop",
                "--from", address, "--json", "--yes")
            answer = first_json(done.stdout) or {}
            assert answer.get("token"), done.stderr
            if number not in made:
                assert backend.redeem(app, answer["token"]) == ("103000", number)
            made[number] = answer["openId"], answer["token"]
    return made


def give(server, *order):
    done = server.command("subscriber", *order, "--config", server.configuration)
    return done, done.stdout + done.stderr


def test_a_person_is_exported(checks, server, app, logins):
    openid, token = logins[NUMBER]
    place = folder() / "person.json"
    done, said = give(server, "export", "--number", NUMBER, "--out", str(place), "--reason", "they asked")
    checks.that(done.returncode == 0 and place.stat().st_mode & 0o777 == 0o600, "an export is its owner's alone", said)
    text = place.read_text()
    told = json.loads(text)
    checks.equal([each["openId"] for each in told["apps"]], [openid], "it has what the app knows the person as")
    checks.equal((len(told["logins"]), len(told["consents"]), len(told["ledger"])), (2, 2, 1),
                 "their logins, consents and lines of the ledger")
    checks.that(told["deviceKeys"] and told["credentials"] and told["register"]["carrier"] == "mobile",
                "keys, credentials and the register", told)
    checks.equal(told["number"], f"+86{NUMBER}", "their own number")
    checks.that(not any(secret in text for secret in (token, logins[OTHERS[0][1]][0], OTHERS[0][1])),
                "no token, nobody else")
    checks.equal([path.name for path in place.parent.iterdir()], [place.name], "and nothing lies beside it")
    before = place.read_bytes()
    done, said = give(server, "export", "--number", OTHERS[0][1], "--out", str(place))
    checks.that(done.returncode == 1 and "there already" in said and place.read_bytes() == before,
                "a file that is there is not replaced", said)


@pytest.mark.own_processes("searches the files of SQLite")
def test_a_person_is_erased_beside_the_server(checks, server, app, logins, backend):
    vault = Vault(server.data / "master.key")
    openid, token = logins[NUMBER]
    values = traces_of(vault, server.data, NUMBER, openid)
    checks.equal(vault.index(f"86{NUMBER}"), values["index"], "the master key gives the index of the number")
    checks.that({name for name, _ in found(server.data, values)} >= {"index", "sealed number", "epoch key"},
                "the search finds who is there")

    done, said = give(server, "erase", "--number", NUMBER, "--dry-run")
    checks.that(done.returncode == 0 and "2 consents" in done.stdout and "backups" in done.stdout,
                "a dry run counts what would go", said)
    checks.equal(backend.redeem(app, token)[0], "103000", "and changes nothing")
    done, said = give(server, "erase", "--number", NUMBER, "--reason", "they asked")
    checks.that(done.returncode == 0 and "removed from the database" in done.stdout, "benji subscriber erase", said)

    checks.equal(found(server.data, values), [],
                 "no file of the data directory holds index, sealed number, epoch key or openId, or a part")
    rows = vault.rows(server.data / "benji.sqlite")
    checks.equal(set(rows), {f"86{number}" for _, number in OTHERS},
                 "no row opens to the number, and everybody else's does")
    checks.that(not found(server.data, {"number": NUMBER.encode()}), "the number was never there in clear")
    _, situation, said = server.phone("login", app, ADDRESS)
    checks.equal(situation, "address_stale", f"the session on the network says nobody: {said}")
    for address, number in OTHERS:
        other, _, said = server.phone("login", app, address)
        checks.that(backend.redeem(app, other) == ("103000", number), "somebody else logs in", said)

    consents = server.command("audit", "--order", "subscriber.erase", "--config", server.configuration, "--json")
    entries = first_json(consents.stdout)["entries"]
    checks.that(len(entries) == 1 and entries[0]["reason"] == "they asked" and NUMBER not in consents.stdout,
                "the audit log has the order, without the number", consents.stdout)
    done, said = give(server, "erase", "--number", NUMBER)
    checks.that(done.returncode == 1 and "does not know this number" in said, "a second order finds nobody", said)

    wait_a_second()
    server.attach("attach", ADDRESS, NUMBER, imsi=f"4600{NUMBER}")
    done = server.command(
        "phone", "login", "--server", server.device_url, "--app", app["id"], "--key", app["key"], "--bundle",
        "com.example.shop",
        "--from", ADDRESS, "--json", "--yes")
    again = first_json(done.stdout) or {}
    checks.that(again.get("openId") and again["openId"] != openid,
                "the number's next login is somebody new to the app", done.stderr)
    checks.equal(backend.redeem(app, again.get("token", "")), ("103000", NUMBER), "and works")
    values.pop("index")  # the number has the same one again
    checks.equal(found(server.data, values), [], "nothing else of before has come back")


@pytest.mark.part("kills")
@pytest.mark.own_processes("searches the files of SQLite")
def test_an_erasure_killed_at_every_step(checks, server, app, logins):
    """Copies of the folder of a server that was killed: what it had is in database and log."""
    server.kill9()
    vault = Vault(server.data / "master.key")
    number = OTHERS[0][1]
    values = traces_of(vault, server.data, number)
    place, moments = folder(), preload("moment.c")
    states = []

    def attempt(step):
        data = place / f"step-{step}"
        shutil.copytree(server.data, data)
        data.chmod(0o700)
        order = [binary(), "subscriber", "erase", "-c", str(server.configuration), "--data", str(data), "--number",
                 number]
        killed = run(order, env=environment() | {"LD_PRELOAD": moments, "DIES_AT": str(step)})
        if killed.returncode == 0:
            return False, None
        left = f"86{number}" in vault.rows(data / "benji.sqlite")
        states.append("there" if left else "gone")
        again = run(order, env=environment())
        # Gone and searched already: then the number is not known.
        is_done = again.returncode == 0 or not left and "does not know this number" in again.stderr
        rest = found(data, values)
        others = set(vault.rows(data / "benji.sqlite"))
        shutil.rmtree(data)
        if is_done and not rest and f"86{number}" not in others and len(others) == 2:
            return True, None
        return True, (f"step {step}: {left} then {again.returncode} {again.stdout} {again.stderr}, found {rest}, "
                      f"{len(others)} others")

    given = every_moment(attempt)
    faults = [fault for killed, fault in given if killed and fault]
    checks.equal(faults, [], "an erasure that is killed before any of its steps is whole or not begun; the next run "
                             "ends it, in the files too")
    checks.that({"there", "gone"} <= set(states) and len(states) >= 4, "kills came before and after the commit", states)


@pytest.mark.own_processes("is about SQLite's files")
def test_an_erasure_over_http_leaves_the_server_its_files(checks):
    """A process that opens and closes SQLite's file drops its own locks on it. The next command then removes the log
    that the server goes on writing, and the answers since are lost."""
    port, = free_ports(1)
    installation = Server(**SERVER, listen={"administration": f"127.0.0.1:{port}"})
    app = installation.create_app()
    with installation as server:
        for address, number in (("127.8.84.1", "13900000093"), ("127.8.84.2", "13900000094")):
            server.attach("attach", address, number, imsi=f"4600{number}")
        granted = server.command("admin", "grant", "op", "--role", "operator", "--json", "--config",
                                 server.configuration)
        token = server.folder / "token"
        token.write_text(first_json(granted.stdout)["token"])
        token.chmod(0o600)
        done = server.command("subscriber", "erase", "--number", "13900000093", "--reason", "they asked", "--server",
                              f"http://127.0.0.1:{port}", "--token-file", token)
        checks.that(done.returncode == 0 and "removed from the database's files" in done.stdout,
                    "the order is carried out", done.stdout + done.stderr)
        checks.equal(server.command("app", "list", "--config", server.configuration).returncode, 0,
                     "another command comes and goes")
        open_files = [os.readlink(each) for each in Path(f"/proc/{server.process.pid}/fd").iterdir()
                      if each.is_symlink()]
        checks.equal([name for name in open_files if "benji.sqlite" in name and "deleted" in name], [],
                     "the server's files are there still")
        token, _, said = server.phone("login", app, "127.8.84.2")
        backend = Backend(server.server)
        checks.equal(backend.redeem(app, token), ("103000", "13900000094"), f"a phone logs in: {said}")
        server.kill9()
        server.start()
        checks.equal(Backend(server.server).redeem(app, token)[0], "104201",
                     "what was answered is known after a kill: the token is spent")


def test_a_session_is_looked_up_by_its_address(checks):
    """A support agent with an unrecognised phone at hand asks which session holds its address."""
    port, = free_ports(1)
    with Server(**SERVER, listen={"administration": f"127.0.0.1:{port}"}) as server:
        server.attach("attach", "127.8.84.5", "13900000095", imsi="460013900000095")
        granted = server.command("admin", "grant", "sue", "--role", "support", "--json", "--config",
                                 server.configuration)
        token = server.folder / "token"
        token.write_text(first_json(granted.stdout)["token"])
        token.chmod(0o600)

        def ask(*words):
            return server.command("gateway", "session", *words, "--server", f"http://127.0.0.1:{port}", "--token-file",
                                  token)

        said = ask("127.8.84.5").stdout
        checks.that(re.search(r"login +good", said) and re.search(r"row +\d+ of the register", said),
                    "it is good, and names the register's row", said)
        checks.that("13900000095" not in said, "without the number", said)
        session, = first_json(ask("127.8.84.5", "--json").stdout)["sessions"]
        checks.that(session["situation"] is None and session["doubts"] == [] and session["carrier"] == "mobile",
                    "the same as JSON", session)
        said = ask("127.8.84.6").stdout
        checks.that("no session holds 127.8.84.6" in said and "address_unknown" in said,
                    "of an address that nobody has it says so", said)
        for words, wanted in (("13900000095",), "address: an IPv4 or IPv6"), (("127.8.84.5", "--port", "0"),
                                                                              "port: 1 to 65535"):
            done = ask(*words)
            checks.that(done.returncode != 0 and wanted in done.stderr, f"{' '.join(words)}: {wanted}", done.stderr)
        done = server.command("gateway", "session", "127.8.84.5", "--config", server.configuration)
        checks.that(done.returncode != 0 and "--server" in done.stderr,
                    "a data directory has no sessions, and the message says whom to ask", done.stderr)
        looks = first_json(server.command("audit", "--order", "session.show", "--json", "--config",
                                          server.configuration).stdout)["entries"]
        checks.that(looks and all(entry["actor"] == "sue" for entry in looks), "each look is in the audit log", looks)


@pytest.mark.own_processes("reads SQLite's files")
def test_a_reader_in_the_way_is_told(checks):
    """Somebody reads an older state, so that the bytes cannot be taken from the files yet."""
    installation = Server(**SERVER)
    installation.create_app()
    with installation as server:
        server.attach("attach", "127.8.83.1", "13900000092", imsi="460013900000092")
        with sqlite3.connect(f"file:{server.data}/benji.sqlite?mode=ro", uri=True, isolation_level=None) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM subscription").fetchone()
            done, said = give(server, "erase", "--number", "13900000092")
            checks.that(done.returncode == 1 and "may still have bytes of them" in said,
                        "the order says that it is not finished", said)
            who = f"process {os.getpid()} ("
            checks.that(who in done.stderr.split("Error: ")[-1] and "reads an older state" in done.stderr,
                        "and names who reads", said)
            checks.that(f"or wait for it: {who}" in said, "so does the log", said)
            checks.that("locked by another process" in said and "end whatever reads the database" in said,
                        "and the log what is in the way", said)
            status, answer = server.ready()
            checks.that(status == 200 and "1 erased subscriber's bytes may still be in" in str(answer),
                        "readiness warns", answer)
            doctor = server.command("doctor", "--config", server.configuration)
            checks.that("erased" in doctor.stdout, "the doctor tells it too, and waits for nobody",
                        doctor.stdout + doctor.stderr)
            reader.execute("COMMIT")
        reader.close()
        done, said = give(server, "erase", "--number", "13900000092")
        checks.equal(done.returncode, 0, "once the reader has gone, the next order finishes it")
        checks.that("warnings" not in str(server.ready()[1]), "and nobody warns any more", server.ready())


@pytest.mark.own_processes("searches the files of SQLite")
def test_a_kill_after_the_commit(checks):
    """The content of the files after a kill right after the commit."""
    installation = Server(**SERVER)
    installation.create_app()
    with installation:
        installation.attach("attach", "127.8.82.1", "13900000091", imsi="460013900000091")
    vault = Vault(installation.data / "master.key")
    values = traces_of(vault, installation.data, "13900000091")
    place, moments = folder(), preload("moment.c")
    for step in itertools.count(1):
        data = place / f"step-{step}"
        shutil.copytree(installation.data, data)
        data.chmod(0o700)
        order = [binary(), "subscriber", "erase", "-c", str(installation.configuration), "--data", str(data),
                 "--number", "13900000091"]
        killed = run(order, env=environment() | {"LD_PRELOAD": moments, "DIES_AT": str(step)})
        if killed.returncode == 0 or not vault.rows(data / "benji.sqlite"):
            break
    checks.that(killed.returncode != 0 and found(data, values),
                "killed right after its commit an erasure leaves bytes in the files")
    mistyped = run([*order[:-1], "13900000092"], env=environment())
    checks.that(mistyped.returncode == 1 and "does not know this number" in mistyped.stderr,
                "meanwhile a number that nobody has is refused", mistyped.stdout + mistyped.stderr)
    again = run(order, env=environment())
    checks.that(again.returncode == 0 and "was finished" in again.stdout, "the same order finishes it",
                again.stdout + again.stderr)
    checks.equal(found(data, values), [], "then nothing is found")


@pytest.mark.own_processes("reads the journal, which a pair of gateways does not keep")
def test_the_gateway_forgets(checks):
    """The server looks for erased rows when it starts, and every ten seconds."""
    installation = Server(**SERVER)
    installation.create_app()

    def rows():
        return sorted(
            row for _, row in journal.sessions((installation.data / "directory.journal").read_bytes()).values())

    with installation:
        for address, number in PEOPLE.items():
            installation.attach("attach", address, number, imsi=f"4600{number}")
        before = rows()
        checks.equal(len(before), len(PEOPLE), "the journal has everybody's session")
        done, said = give(installation, "erase", "--number", NUMBER)
        checks.that(done.returncode == 0, "the first of them is erased", said)
        installation.stop()
        installation.start()
        checks.that(eventually(lambda: rows() == [0, *before[1:]]),
                    "then the journal does not name their row any more", rows())
