"""A new master key while phones log in, while `benji keys rotate` is killed again and again, and before each of its
steps.

Nothing that was answered may be lost, no request may fail, every number must open, and everybody must stay who they are
to the apps. Wherever a rotation is killed, everything opens, and the next run ends it. Each former key lies in a file
of its own before it leaves master.key, so that earlier backups open. A key that was to be discarded lies in none.
"""

import itertools
import json
import random
import shutil
import sqlite3
import subprocess
import time

import pytest

from support.checks import first_json, folder, run, start
from support.operators import Backend
from support.phones import Phone
from support.preload import every_moment, preload
from support.radius import START, PacketCore
from support.server import SECRET, Server, binary, environment
from support.storm import Storm

pytestmark = pytest.mark.seconds(lambda options: 150 + 6 * options.rounds)
OPTIONS = {"seed": None, "rounds": 8}
SERVER = {"log": {"level": "warning"}}
ADDRESS, NUMBER, IMSI = "127.8.71.1", "13730000001", "460001234500071"
# Silent subscribers, so that a rotation takes a while.
SILENT = 1500


def benji(*arguments, seconds=60, **variables):
    return run([binary(), *map(str, arguments)], seconds, env=environment() | variables, stdin=subprocess.DEVNULL)


def keys(configuration, *place):
    """The keys of `benji keys show`, as state → the keys that have it."""
    done = benji("keys", "show", "-c", configuration, *place, "--json")
    found = {}
    for key in (first_json(done.stdout) or {}).get("keys", []):
        found.setdefault(key["state"], []).append(key)
    return found or {"said": done.stderr}


def former_files(data):
    """The files of former keys in a data directory, by the key's id."""
    return {path.name.rpartition("-")[2]: path for path in data.glob("master.key.former-*")}


def people(path):
    """For each subscriber of a database the ids of the keys that number and SIM are sealed under."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        rows = database.execute("SELECT sealed_number, sealed_sim FROM subscription").fetchall()
    database.close()
    return [{bytes(value[1:9]).hex() for value in row if value is not None} for row in rows]


@pytest.fixture(scope="module")
def stopped():
    """A server that was stopped, with an app and a subscriber."""
    server = Server(**SERVER)
    app = server.create_app()
    with server:
        server.attach("attach", ADDRESS, NUMBER, imsi=IMSI)
        assert openid_of(server, app), "the phone cannot log in"
    return server, app


@pytest.mark.parametrize("options_of_former", [
    (), pytest.param(("--discard-former",), marks=pytest.mark.long("the same steps without one"))],
                         ids=["kept", "discarded"])
def test_killed_at_every_step(checks, stopped, options_of_former):
    server, app = stopped
    place, moments = folder(), preload("moment.c")
    first = (server.data / "master.key").read_text().strip()
    made = benji("backup", "-c", server.configuration, place / "before.sqlite")
    checks.equal(made.returncode, 0, "an earlier backup is made")

    def attempt(number):
        data = place / f"data-{number}"
        shutil.copytree(server.data, data)
        data.chmod(0o700)
        where = ("-c", server.configuration, "--data", data)
        done = benji("keys", "rotate", *options_of_former, *where, LD_PRELOAD=moments, DIES_AT=str(number))
        if done.returncode == 0:
            return False, None
        between = benji("app", "show", app["id"], *where)
        held = any(first in path.read_text() for path in (data / "master.key", *former_files(data).values()))
        again = benji("keys", "rotate", *options_of_former, *where)
        now = keys(server.configuration, "--data", data)
        lines = (data / "master.key").read_text().split()
        good = (between.returncode == 0 and again.returncode == 0 and set(now) == {"current", "retired"}
                and len(now["current"]) == 1
                and not now["retired"][0]["sealed"] and len(lines) == 1
                and (data / "master.key").stat().st_mode & 0o777 == 0o600)
        opened = benji("doctor", *where)
        good = good and "keys open" in opened.stdout and people(data / "benji.sqlite") == [{now["current"][0]["id"]}]
        kept, names = former_files(data), sorted(path.name for path in data.glob("master.key*"))
        good = good and names == sorted(["master.key", "master.key.lock", *(path.name for path in kept.values())])
        verified = benji("backup", "verify", *where, place / "before.sqlite")
        if options_of_former:
            good = good and not kept and verified.returncode == 1
        else:
            good = (good and held and verified.returncode == 0 and set(kept) == {key["id"] for key in now["retired"]}
                    and all(path.stat().st_mode & 0o777 == 0o600 for path in kept.values()))
        if good:
            shutil.rmtree(data)
            return True, len(now["retired"])
        return True, (f"step {number}: {between.stderr} {again.returncode} {again.stderr} {now} {lines} "
                      f"{opened.stdout} {held} {names} {verified.stderr}")

    given = every_moment(attempt)
    found = [what for killed, what in given if killed]
    checks.equal([fault for fault in found if isinstance(fault, str)], [],
                 "a rotation that is killed before any of its steps leaves everything open, and the next run ends it "
                 "with one key; each former key is "
                 + ("in no file" if options_of_former
                    else "always in master.key or in its own file, and earlier backups open"))
    checks.that(len(found) >= 8, "there were steps to be killed at", len(found))


def test_a_storm(checks, installation, options):
    chance = random.Random(options.seed)
    app = installation.create_app()
    former = (installation.data / "master.key").read_text()
    with installation as server:
        core = PacketCore(server.accounting, SECRET)
        for index in range(SILENT):
            core.send(START, f"silent-{index}", f"127.8.{80 + index // 250}.{index % 250 + 1}",
                      number=f"8613740{index:06d}", imsi=f"46000{index:010d}")
        core.close()
        server.attach("attach", ADDRESS, NUMBER, imsi=IMSI)
        phone = Phone(server, app, ADDRESS, NUMBER)
        storm = Storm(server, app, phones=8, servers=8, seed=options.seed, network="127.8.70")
        storm.start()
        time.sleep(1)
        order = [binary(), "keys", "rotate", "-c", str(server.configuration)]
        began, killed, openids = time.monotonic(), 0, set()
        # Kills fall anywhere in what a run takes here, so that they do on a quick machine too.
        run(order, stdin=subprocess.DEVNULL, env=environment())
        whole_run = time.monotonic() - began
        for _ in range(options.rounds):
            process, started = start(order, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                     env=environment()), time.monotonic()
            try:
                process.wait(timeout=chance.uniform(0.1, 1) * whole_run)
                # The first one may have run beside more than the others do.
                whole_run = min(whole_run, time.monotonic() - started)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                killed += 1
            openids.add(openid_of(server, app))
        last = benji("keys", "rotate", "-c", server.configuration, "--reason", "storm")
        checks.equal(last.returncode, 0, "the last run ends it")
        # At least one from the key of now to another one, whatever the kills did.
        whole = benji("keys", "rotate", "-c", server.configuration, "--json")
        checks.that(whole.returncode == 0 and first_json(whole.stdout)["sealed"] > SILENT,
                    "and another one runs from beginning to end", whole.stderr)
        openids.add(openid_of(server, app))
        time.sleep(1)
        storm.stop()
        asked = storm.ask_again()
        faults = storm.faults()
        figures = storm.figures()
        # Not of the storm, so not before it is judged.
        _, token = phone.token()
        checks.equal(Backend(server.server).redeem(app, token or "none"), ("103000", NUMBER),
                     "the phone that was there before logs in, and its number opens")
        refused = {name: count for name, count in storm.unexpected.items()
                   if name.split()[-1] not in ("104201", "606", "prefetch_limited", "rate_limited")}
        checks.note(f"{killed} kills in {time.monotonic() - began:.0f} s, {figures}, other answers "
                    f"{dict(storm.unexpected)}, asked again {asked}")
        checks.that(killed >= options.rounds // 3, "rotations were killed in the middle", killed)
        checks.equal(refused, {}, "no request failed meanwhile")
        checks.equal([str(fault) for fault in faults[:5]], [],
                     "every answered login stays, and each token bought one answer")
        checks.equal((figures["answers lost"], len(openids), None in openids), (0, 1, False),
                     "nobody waited in vain, and the phone has one openId throughout")
        now = keys(server.configuration)
        checks.equal((len(now.get("current", [])), now.get("outgoing")), (1, None),
                     "there is one current key and none on its way out")
        checks.equal([key["sealed"] for key in now["retired"]], [{}] * len(now["retired"]),
                     "and nothing under those before")
        rows = people(server.data / "benji.sqlite")
        checks.equal((len(rows), {key for row in rows for key in row}), (SILENT + 9, {now["current"][0]["id"]}),
                     "every subscriber has one row, under the current key")
        audit = first_json(benji("audit", "--order", "keys.rotate", "--limit", "500", "-c", server.configuration,
                                 "--json").stdout)
        ends = [line for line in audit["entries"] if "retired" in (line.get("after") or {})]
        begins = [line for line in audit["entries"] if "masterKey" in (line.get("after") or {})]
        checks.equal((len(begins), len(ends)), (len(now["retired"]),) * 2,
                     "the audit log has the beginning and the end of each rotation")
        kept = former_files(server.data)
        checks.equal([path for path in server.data.glob("master.key*")
                      if former.split(":")[1].strip() in path.read_text()], [kept.get(now["retired"][0]["id"])],
                     "the first key is in no file any more but its own")
        checks.equal(({key["id"]: key.get("formerKeyFile", {}).get("path") for key in now["retired"]},
                      [key for key in now["current"] if "formerKeyFile" in key]),
                     ({key: str(path) for key, path in kept.items()}, []),
                     "and every former key has one, which benji keys show names")
    text = server.log.read_text()
    checks.that("master key" not in text and NUMBER not in text, "the server's log has no complaint", text[-500:])
    alone = benji("app", "list", "-c", installation.configuration, BENJI_MASTER_KEY=former.strip())
    checks.that(alone.returncode == 1 and "is not the key under which" in alone.stderr,
                "the first key opens nothing of it", alone.stderr)
    with installation as server:
        server.attach("attach", ADDRESS, NUMBER, imsi=IMSI)
        checks.equal(openid_of(server, app), next(iter(openids)), "after a restart the phone is who it was")


def openid_of(server, app):
    """The openId that `benji phone login` is told."""
    for _ in range(3):
        done = server.command("phone", "login", "--server", server.device_url, "--app", app["id"], "--key", app["key"],
                              "--bundle",
                              "com.example.shop", "--from", ADDRESS, "--json", "--yes")
        if said := first_json(done.stdout):
            return said.get("openId")
    return None


def test_backups_of_before(checks, stopped):
    server, app = stopped
    place = folder()
    data, vault = place / "data", folder()
    shutil.copytree(server.data, data)
    data.chmod(0o700)
    where = ("-c", server.configuration, "--data", data)
    former = (data / "master.key").read_text().strip()
    made = benji("backup", *where, place / "before.sqlite")
    rotated = benji("keys", "rotate", *where)
    ((key, left),) = former_files(data).items()
    checks.that(made.returncode == 0 and rotated.returncode == 0, "a backup, and then a rotation",
                made.stderr + rotated.stderr)
    checks.that(f"The former key {key} lies in {left}. Backups made before 20" in rotated.stdout
                and "Move it to where you keep the keys of your backups" in rotated.stdout,
                "its end says which file holds the former key, which backups need it, and where to move it",
                rotated.stdout)
    shown, doctor = benji("keys", "show", *where), benji("doctor", *where)
    checks.that(str(left) in shown.stdout and "move it" in shown.stdout, "benji keys show names the file", shown.stdout)
    hints = [line for line in doctor.stdout.splitlines() if line.startswith("hint")]
    checks.that(len(hints) == 1 and str(left) in hints[0] and "opens backups made before" in hints[0]
                and "BAD " not in "".join(line[:4] for line in doctor.stdout.splitlines() if "key" in line),
                "benji doctor names it as a hint", doctor.stdout)
    there = benji("backup", "verify", *where, place / "before.sqlite")
    checks.that(there.returncode == 0 and f"{left} fits" in there.stdout,
                "as long as the file is there, the earlier backup opens with it", there.stdout + there.stderr)
    moved = vault / left.name
    left.rename(moved)
    for command in (("backup", "verify"), ("backup", "rehearse"), ("restore",)):
        refused = benji(*command, *where, place / "before.sqlite")
        checks.that(refused.returncode == 1 and f"it needs the master key {key}" in refused.stderr
                    and "--master-key FILE" in refused.stderr
                    and "belongs to the key that was in use" in refused.stderr,
                    f"benji {' '.join(command)}: without it the earlier backup does not open, and it is said which "
                    "key it needs and how to give it", refused.stderr)
    kept = benji("backup", "verify", *where, place / "before.sqlite", BENJI_MASTER_KEY=former)
    checks.equal(kept.returncode, 0, "it opens with the key that was in use then")
    for command in ("verify", "rehearse"):
        named = benji("backup", command, *where, "--master-key", moved, place / "before.sqlite")
        checks.that(named.returncode == 0 and str(moved) in named.stdout,
                    f"benji backup {command} takes the file from wherever it is named", named.stdout + named.stderr)
    after = benji("backup", *where, place / "after.sqlite")
    rehearsed = benji("backup", "rehearse", *where, place / "after.sqlite")
    checks.that(after.returncode == 0 and rehearsed.returncode == 0,
                "a backup of now is rehearsed with the key of now", after.stderr + rehearsed.stderr)
    present = (data / "master.key").read_text()
    dry = benji("restore", *where, "--master-key", moved, "--dry-run", place / "before.sqlite")
    checks.that(dry.returncode == 0 and f"{key} of {moved} would be put into" in dry.stdout and (
        data / "master.key").read_text() == present, "a dry run of a restore says what it would do to master.key",
                dry.stdout + dry.stderr)
    restored = benji("restore", *where, "--master-key", moved, place / "before.sqlite")
    opened = benji("app", "show", app["id"], *where)
    checks.that(restored.returncode == 0 and opened.returncode == 0,
                "a restore puts the key into master.key, and everything opens", restored.stderr + opened.stderr)
    again = benji("restore", *where, place / "after.sqlite")
    checks.equal((again.returncode, benji("app", "show", app["id"], *where).returncode), (0, 0),
                 "and the backup of after can be restored over it, for its key is still there")
    stolen = benji("keys", "rotate", "--discard-former", *where)
    checks.that(stolen.returncode == 0 and "is in no file any more" in stolen.stdout and not former_files(data)
                and len((data / "master.key").read_text().split()) == 1,
                "a rotation that discards former keys leaves no file of them, and says so",
                stolen.stdout + stolen.stderr)


def test_a_restore_with_a_former_key_killed_at_every_step(checks, stopped):
    server, app = stopped
    place, moments = folder(), preload("moment.c")
    rotated = place / "rotated"
    shutil.copytree(server.data, rotated)
    rotated.chmod(0o700)
    made = benji("backup", "-c", server.configuration, place / "before.sqlite")
    done = benji("keys", "rotate", "-c", server.configuration, "--data", rotated)
    ((_, left),) = former_files(rotated).items()
    left.rename(place / "kept.key")
    checks.equal((made.returncode, done.returncode), (0, 0),
                 "a backup, and then a rotation whose former key is moved away")
    between = set()

    def attempt(number):
        data = place / f"data-{number}"
        shutil.copytree(rotated, data)
        data.chmod(0o700)
        where = ("-c", server.configuration, "--data", data)
        order = ("restore", *where, "--master-key", place / "kept.key", place / "before.sqlite")
        if benji(*order, LD_PRELOAD=moments, DIES_AT=str(number)).returncode == 0:
            return False, None
        opened = benji("app", "show", app["id"], *where)
        between.add(len(keys(server.configuration, "--data", data).get("retired", [])))
        again, after = benji(*order), benji("app", "show", app["id"], *where)
        lines = (data / "master.key").read_text().split()
        if opened.returncode == again.returncode == after.returncode == 0 and len(lines) == 2:
            shutil.rmtree(data)
            return True, None
        return True, f"step {number}: {opened.stderr} {again.stderr} {after.stderr} {len(lines)}"

    found = [fault for killed, fault in every_moment(attempt) if killed]
    checks.equal([fault for fault in found if fault], [],
                 "a restore that needs a former key and is killed before any of its steps leaves a database that "
                 "opens, and the next run ends it")
    checks.equal(between, {0, 1}, "there were kills before the database was replaced and after it")


def test_keys_from_outside(checks, stopped):
    """BENJI_MASTER_KEY, and a credential as systemd hands it over."""
    server, app = stopped
    place = folder()
    data, credentials = place / "data", place / "credentials"
    shutil.copytree(server.data, data)
    data.chmod(0o700)
    credentials.mkdir(0o700)
    where = ("-c", server.configuration, "--data", data)
    (data / "master.key").rename(credentials / "benji-master-key")
    missing = benji("app", "list", *where)
    checks.that(missing.returncode == 1 and "is missing" in missing.stderr, "without the file nothing opens",
                missing.stderr)
    given = {"CREDENTIALS_DIRECTORY": str(credentials)}
    checks.equal(benji("app", "show", app["id"], *where, **given).returncode, 0, "the credential is the key")
    doctor = benji("doctor", *where, **given)
    checks.that(f"{credentials}/benji-master-key" in doctor.stdout, "doctor says where it comes from", doctor.stdout)
    refused = benji("keys", "rotate", *where, **given)
    checks.that(refused.returncode == 1 and "benji keys new" in refused.stderr,
                "a rotation says that it cannot add a key there", refused.stderr)
    new = benji("keys", "new").stdout
    (credentials / "benji-master-key").write_text((credentials / "benji-master-key").read_text() + new)
    done = benji("keys", "rotate", *where, **given)
    checks.that(done.returncode == 0 and "take it out" in done.stdout,
                "beside the present one the new key takes its place", done.stdout + done.stderr)
    checks.that("master.key.former-" in done.stdout and not former_files(data) and not former_files(credentials),
                "it says where the former one belongs, and writes it nowhere in clear", done.stdout)
    former = keys(server.configuration, "--data", data)
    checks.that("is missing" in former.get("said", ""), "without the credential there is no key", former)
    retired = done.stdout.split("(id ")[1].split(")")[0]
    (data / "master.key").write_text(new)
    (data / "master.key").chmod(0o600)
    doctor = benji("doctor", *where, **given)
    checks.that(f"still holds {retired}" in doctor.stdout, "doctor warns of the former key that is still there",
                doctor.stdout)
    checks.that("master.key lies beside the database" in doctor.stdout, "and of a file of keys that nobody uses",
                doctor.stdout)
    (data / "master.key").unlink()
    checks.equal(benji("app", "show", app["id"], *where, BENJI_MASTER_KEY=new.strip()).returncode, 0,
                 "and is enough from then on")
    checks.that(not (data / "master.key").exists(), "no file was made")


def test_stolen_id_token_keys_and_receipts(checks, installation):
    server, place, moments = installation, folder(), preload("moment.c")
    where = ("-c", server.configuration)
    apps = [server.create_app(name=name)["id"] for name in ("First", "Second")]
    before = json.loads(benji("receipt", "keys", *where).stdout)["keys"]
    done = benji("keys", "rotate-receipt", *where, "--json")
    after = json.loads(benji("receipt", "keys", *where).stdout)["keys"]
    checks.that(done.returncode == 0 and len(after) == 2 and after[1]["kid"] == before[0]["kid"],
                "the former receipt key stays published", done.stderr)
    checks.that("exp" in after[1] and "exp" not in after[0] and after[0]["nbf"] <= after[1]["exp"], "with its end",
                after)
    none = benji("app", "openid", "rotate-keys", "--now", *where)
    checks.that(none.returncode == 1 and "no keys yet" in none.stderr, "there are no ID-token keys to be stolen yet",
                none.stderr)

    page = place / "page.json"
    page.write_text(benji("page", "new").stdout)
    for app, algorithm in zip(apps, ([], ["--rs256"])):
        made = benji("app", "openid", "set", app, "--redirect-uri", "https://shop.example/callback", "--page", page,
                     *algorithm, *where)
        checks.equal(made.returncode, 0, f"an app is a client: {algorithm or 'ES256'}")
    stolen = signing(server.data / "benji.sqlite")
    checks.equal(sorted(algorithm for _, algorithm, *_ in stolen), ["ES256", "RS256"],
                 "there is a key of each algorithm")
    for step in itertools.count(1):
        data = place / f"data-{step}"
        shutil.copytree(server.data, data)
        data.chmod(0o700)
        done = benji("app", "openid", "rotate-keys", "--now", *where, "--data", data, LD_PRELOAD=moments,
                     DIES_AT=str(step))
        left = {key[0] for key in signing(data / "benji.sqlite")} & {key[0] for key in stolen}
        checks.that(len(left) in (0, 2), f"killed before step {step}, all stolen keys are there or none", left)
        shutil.rmtree(data)
        if done.returncode == 0:
            break
    checks.equal(len(left), 0, "a run that ends removes all of them")
    checks.that(step > 2, "there were steps to be killed at", step)
    rotated = benji("app", "openid", "rotate-keys", *where)
    halves = sorted((until is None, sealed is None, public is None)
                    for _, _, until, sealed, public in signing(server.data / "benji.sqlite"))
    checks.equal((rotated.returncode, halves), (0, [(False, True, False)] * 2 + [(True, False, False)] * 2),
                 "keys that sign no more are shown, and have no private half any more")


def signing(path):
    """The ID-token keys of a database: id, algorithm, until when they are shown, private half, public half."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        rows = database.execute(
            "SELECT id, algorithm, published_until, sealed_key, public_key FROM openid_key").fetchall()
    database.close()
    return rows
