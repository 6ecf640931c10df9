"""The master key under a key of an HSM (SoftHSM): a whole life, and kills at every step of a rotation. Also moves from
file to HSM to HSM and back, restores on another machine, and every fault of an HSM.

The file of master keys never holds one in clear, the PIN is never printed, and trying never locks a token.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from support.checks import Stop, first_json, folder, run
from support.hsm import PIN, WRONG_PIN, SoftHSM, faulty_module
from support.operators import Backend
from support.preload import every_moment, preload
from support.server import Server, binary, environment

pytestmark = pytest.mark.seconds(150)
ADDRESS, NUMBER, IMSI = "127.8.91.1", "13790000001", "460001234500091"
CLEAR, WRAPPED = "benji-master-key-1:", "benji-wrapped-key-1:"
# All that programs have said, to look for secrets in.
SAID = []


def nothing_was_told(checks):
    everything = "\n".join(SAID)
    checks.equal([word for word in (PIN, WRONG_PIN, CLEAR, WRAPPED) if word in everything], [],
                 "neither PIN nor key is in any output or log")


class Installation:
    """A server whose configuration may change, and a phone of its subscriber."""

    def __init__(self, hsm, **master_key):
        self.hsm = hsm
        self.server = Server(log={"level": "info"}, **{"master-key": master_key})
        self.server.environment |= hsm.environment
        self.file = self.server.data / "master.key"
        self.app = None

    def benji(self, *arguments, seconds=60, **variables):
        done = run([binary(), *map(str, arguments)], seconds, stdin=subprocess.DEVNULL,
                   env=environment() | self.hsm.environment | {name: str(value) for name, value in variables.items()})
        SAID.append(done.stdout + done.stderr)
        return done

    def keys(self, *arguments):
        return self.benji("keys", *arguments, "-c", self.server.configuration)

    def configure(self, **master_key):
        """Writes the settings; who runs has the former ones."""
        settings = json.loads(self.server.configuration.read_text())
        settings["master-key"] = master_key
        self.server.configuration.write_text(json.dumps(settings))

    def restart(self):
        self.server.stop()
        self.server.start()
        self.attach()

    def attach(self):
        self.server.attach("attach", ADDRESS, NUMBER, imsi=IMSI)

    def log_in(self):
        """The openId that the phone is told and the number that the app is told."""
        for _ in range(3):
            token, _, said = self.server.phone("login", self.app, ADDRESS)
            if token:
                return first_json(said).get("openId"), Backend(self.server.server).redeem(self.app, token)[1]
        return said

    def lines(self):
        return self.file.read_text().split()

    def kinds(self):
        """How the master keys are kept, one after the other."""
        return [line[:line.index(":") + 1] for line in self.lines()]


@pytest.fixture(scope="module")
def hsm():
    return SoftHSM("benji", "second")


@pytest.fixture(scope="module")
def module():
    return faulty_module()


@pytest.fixture(scope="module")
def stopped(hsm):
    """An installation that was begun under a wrapping key, with a subscriber; it does not run."""
    made = Installation(hsm, **{"wrapping-key": hsm.key()})
    created = made.keys("new-wrapping-key")
    if created.returncode != 0:
        raise Stop(created.stderr)
    made.app = made.server.create_app()
    with made.server:
        made.attach()
        made.openid, number = made.log_in()
        if number != NUMBER:
            raise Stop(f"the phone cannot log in: {number}")
    return made


def copy_of(stopped):
    """The same installation in a folder of its own: the data directory and how commands name it."""
    data = folder() / "data"
    shutil.copytree(stopped.server.data, data)
    data.chmod(0o700)
    return data, ("-c", stopped.server.configuration, "--data", data)


def test_a_whole_life(checks):
    hsm = SoftHSM("benji")
    place = Installation(hsm, **{"wrapping-key": hsm.key()})
    without = place.benji("init", "-c", place.server.configuration)
    checks.that(without.returncode == 1 and "benji keys new-wrapping-key" in without.stderr,
                "without the key in the HSM nothing begins, and it is said how to make it",
                without.stderr)
    checks.that(not place.file.exists(), "and no master key is made")
    made, again = place.keys("new-wrapping-key"), place.keys("new-wrapping-key")
    checks.equal(made.returncode, 0, "the wrapping key is made in the HSM")
    checks.that(again.returncode == 1 and "has this key already" in again.stderr, "and only once", again.stderr)
    begun = place.benji("init", "-c", place.server.configuration)
    checks.that(begun.returncode == 0 and "wrapped by pkcs11:token=benji;object=master" in begun.stdout,
                "an installation begins, and it is said what wraps its key",
                begun.stdout + begun.stderr)
    checks.equal(place.kinds(), [WRAPPED], "its master key is wrapped in the file")
    place.app = place.server.create_app()
    with place.server as server:
        place.attach()
        openid, number = place.log_in()
        checks.equal(number, NUMBER, "a phone logs in, and its number opens")
        first = place.lines()
        rotated = place.keys("rotate")
        checks.that(rotated.returncode == 0 and place.kinds() == [WRAPPED] and place.lines() != first,
                    "a rotation brings another key, wrapped too", rotated.stderr)
        checks.equal(place.log_in(), (openid, NUMBER), "the server follows it, and the phone is who it was")
        checks.that(PIN not in Path(f"/proc/{server.process.pid}/cmdline").read_text(),
                    "the PIN is not in the process list")

        hsm.disconnect()
        checks.equal(place.log_in(), (openid, NUMBER), "without the HSM the server works on")
        refused = place.keys("rotate")
        checks.that(refused.returncode == 1 and "has no such token" in refused.stderr,
                    "a command is told that the token is gone", refused.stderr)
        server.kill9()
        ended = run([binary(), "serve", "-c", str(server.configuration)], 20, env=environment() | hsm.environment)
        SAID.append(ended.stdout + ended.stderr)
        checks.that(ended.returncode == 1 and "pkcs11:token=benji;object=master: the HSM has no such token"
                    in ended.stderr, "a start without the HSM ends, and names the key",
                    ended.stderr)
        hsm.connect()
        server.start()
        place.attach()
        checks.equal(place.log_in(), (openid, NUMBER), "with it the server starts again, and the phone is who it was")
        doctor = place.benji("doctor", "-c", server.configuration)
        checks.that("pkcs11:token=benji;object=master, wraps and unwraps" in doctor.stdout,
                    "doctor has tried the wrapping key", doctor.stdout)
        SAID.append(server.log.read_text())
    nothing_was_told(checks)


@pytest.mark.long("test_key_rotation.py kills at every step without an HSM")
def test_killed_at_every_step(checks, stopped):
    moments = preload("moment.c")

    def attempt(number):
        data, where = copy_of(stopped)
        done = stopped.benji("keys", "rotate", *where, LD_PRELOAD=moments, DIES_AT=number)
        if done.returncode == 0:
            return False, None
        between = stopped.benji("app", "show", stopped.app["id"], *where)
        again = stopped.benji("keys", "rotate", *where)
        opened = stopped.benji("doctor", *where)
        lines = (data / "master.key").read_text().split()
        kept = [path.read_text().split() for path in data.glob("master.key.former-*")]
        if (between.returncode == again.returncode == 0 and "keys open" in opened.stdout and len(lines) == 1
            and lines[0].startswith(WRAPPED)
                and kept and all(len(each) == 1 and each[0].startswith(WRAPPED) for each in kept)):
            return True, None
        return True, f"step {number}: {between.stderr} {again.stderr} {lines} {opened.stdout} {kept}"

    # One after the other: SoftHSM writes a token's file at each login, and a reader at that moment finds no token.
    given = every_moment(attempt, at_once=1)
    checks.equal([fault for _, fault in given if fault], [],
                 "a rotation that is killed before any of its steps leaves everything open, and the next run ends it "
                 "with one wrapped key")
    checks.that(sum(killed for killed, _ in given) >= 8, "there were steps to be killed at", given)


def test_moving(checks, hsm, stopped):
    second = hsm.key("second", "other")
    place = Installation(hsm)
    place.app = place.server.create_app()
    with place.server:
        place.attach()
        openid, _ = place.log_in()
        clear = place.lines()
        before = folder() / "before.sqlite"
        checks.equal(place.benji("backup", "-c", place.server.configuration, before).returncode, 0,
                     "an earlier backup is made")
        checks.equal(place.kinds(), [CLEAR], "an installation without a wrapping key has its master key in clear")

        place.configure(**{"wrapping-key": hsm.key()})
        place.restart()
        doctor = place.benji("doctor", "-c", place.server.configuration)
        checks.that("holds a key in clear" in doctor.stdout and "benji keys rotate" in doctor.stdout,
                    "with the setting doctor says that the key lies in clear, and what to do", doctor.stdout)
        checks.equal(place.log_in(), (openid, NUMBER), "with the setting the key in clear opens as before")
        rotated = place.keys("rotate")
        checks.equal((rotated.returncode, place.kinds(), place.log_in()), (0, [WRAPPED], (openid, NUMBER)),
                     "a rotation moves the installation to the HSM while it runs")
        (left,) = place.server.data.glob("master.key.former-*")
        checks.that(left.read_text().startswith(WRAPPED) and "wrapped by a key in an HSM" in rotated.stdout
                    and not any(clear[0] in path.read_text() for path in place.server.data.glob("master.key*")),
                    "the key that lay in clear is kept for earlier backups, wrapped, and in clear nowhere",
                    rotated.stdout)
        verified = place.benji("backup", "verify", "-c", place.server.configuration, before)
        checks.that(verified.returncode == 0 and str(left) in verified.stdout, "and opens them",
                    verified.stdout + verified.stderr)
        alone = place.benji("app", "list", "-c", place.server.configuration, BENJI_MASTER_KEY=clear[0])
        checks.that(alone.returncode == 1 and "is not the key" in alone.stderr,
                    "the key that lay in clear opens nothing of it any more", alone.stderr)

        place.configure(**{"wrapping-key": second, "former-wrapping-key": hsm.key()})
        made = place.keys("new-wrapping-key")
        place.restart()
        rotated = place.keys("rotate")
        checks.equal((made.returncode, rotated.returncode, place.log_in()), (0, 0, (openid, NUMBER)),
                     "in the same way it moves to another token")
        place.configure(**{"wrapping-key": hsm.key()})
        other = place.benji("app", "list", "-c", place.server.configuration)
        checks.that(other.returncode == 1 and "pkcs11:token=benji;object=master has not wrapped" in other.stderr,
                    "whose key is now the one that opens it", other.stderr)

        place.configure()
        unset = place.benji("app", "list", "-c", place.server.configuration)
        checks.that(unset.returncode == 1 and "set master-key.wrapping-key" in unset.stderr,
                    "without the setting the file is refused, and the setting is named", unset.stderr)
        place.configure(**{"former-wrapping-key": second})
        place.restart()
        rotated = place.keys("rotate")
        checks.equal((rotated.returncode, place.kinds(), place.log_in()), (0, [CLEAR], (openid, NUMBER)),
                     "and back into the file")
        kept = [path.read_text() for path in place.server.data.glob("master.key.former-*")]
        checks.that(len(kept) == 3 and all(text.startswith(WRAPPED) for text in kept),
                    "former keys stay wrapped all the way", len(kept))
        place.configure()
        place.restart()
        checks.equal(place.log_in(), (openid, NUMBER), "where no HSM is needed any more, and the phone is who it was")
        SAID.append(place.server.log.read_text())
    nothing_was_told(checks)


def test_keys_that_wait(checks, hsm, stopped):
    """Somebody has left keys in master.key as keys were kept before: in clear, and under the former wrapping key."""
    data, where = copy_of(stopped)
    file = data / "master.key"
    former, present = hsm.key(), hsm.key("second", "waits")

    def waiting(**master_key):
        other = Installation(hsm, **master_key)
        other.benji("init", "-c", other.server.configuration)
        return other.lines()

    def benji(*arguments, alone=False):
        settings = [("wrapping-key", present)] + ([] if alone else [("former-wrapping-key", former)])
        return stopped.benji(*arguments, *where,
                             *(word for name, key in settings for word in ("--set", f"master-key.{name}={key}")))

    def warnings():
        return [line for line in benji("doctor").stdout.splitlines() if line.startswith("warn")
                and "master key" in line]

    benji("keys", "new-wrapping-key")
    left = waiting() + waiting(**{"wrapping-key": former})
    file.write_text("\n".join(file.read_text().split() + left) + "\n")
    opens = "that only master-key.former-wrapping-key (pkcs11:token=benji;object=master) opens (key"
    said = warnings()
    checks.that(len(said) == 3 and f"{opens} 1 of 3" in said[0] and "benji keys rotate" in said[0],
                "doctor names the key that only the former wrapping key opens, and the command that moves it", said)
    checks.that(len(said) == 3 and "holds a key in clear (key 2 of 3" in said[1] and f"{opens} 3 of 3" in said[2]
                and all("take it out" in line for line in said[1:]),
                "and keys that wait in clear or under it, which the operator takes out", said)
    rotated = benji("keys", "rotate")
    lines = file.read_text().split()
    checks.that(rotated.returncode == 0 and len(lines) == 3 and lines[:2] == left and lines[2].startswith(WRAPPED)
                and "passed over" in rotated.stdout,
                "a rotation to another HSM takes neither of them, leaves them, and says so",
                rotated.stdout + rotated.stderr)
    said = warnings()
    checks.that(len(said) == 2 and all("take it out" in line for line in said), "doctor goes on warning of them", said)
    needed = benji("app", "list", alone=True)
    checks.that(needed.returncode == 1 and "has not wrapped" in needed.stderr,
                "and nothing starts without the former setting as long as they are there", needed.stderr)
    file.write_text(lines[-1] + "\n")
    checks.equal((warnings(), benji("app", "list", alone=True).returncode), ([], 0),
                 "without them doctor warns of nothing, and the former setting is not needed")
    nothing_was_told(checks)


def test_a_rotation_that_the_server_was_not_told_of(checks, hsm, stopped):
    """The setting is there, and the operator forgot to restart the server."""
    place = Installation(hsm)
    place.app = place.server.create_app()
    with place.server as server:
        place.attach()
        openid, _ = place.log_in()
        earned, _, _ = server.phone("login", place.app, ADDRESS)
        unmoved = place.keys("rotate")
        checks.that(unmoved.returncode == 0 and "warning: process" not in unmoved.stderr,
                    "a rotation that moves no key warns of nobody", unmoved.stderr)
        place.configure(**{"wrapping-key": hsm.key()})
        rotated = place.keys("rotate")
        checks.equal((rotated.returncode, place.kinds()), (0, [WRAPPED]), "the rotation ends")
        checks.that(f"warning: process {server.process.pid} has the database open" in rotated.stderr
                    and "restart it first" in rotated.stderr,
                    "it has warned of the server, which was started before the configuration was changed",
                    rotated.stderr)
        status, text = server.ready()
        reason = json.loads(text)["checks"].get("master-key", "")
        checks.that(status == 503 and "set master-key.wrapping-key" in reason and str(place.file) in reason,
                    "the server is not ready from then on, and says which setting is missing", text)
        for _ in range(3):
            token, situation, said = server.phone("login", place.app, ADDRESS)
            checks.equal((token, situation), (None, "store_unavailable"),
                         "the server, which knows no wrapping key, asks the phone to come back")
        refused = Backend(server.server).redeem(place.app, earned)
        checks.equal(refused, ("103214", None), "and an app's server that shows an earlier token, which is not spent")
        told = [line for line in server.log.read_text().splitlines() if "master key is not at hand" in line]
        checks.that(len(told) == 1 and "set master-key.wrapping-key" in told[0], "its log says why, once", told)
        checks.that(server.metric("benji_health_check", check="master-key") == 0.0, "and so do its metrics")
        place.restart()
        checks.equal(Backend(server.server).redeem(place.app, earned), ("103000", NUMBER),
                     "a restart mends it: the earlier token is worth what it was")
        checks.equal((place.log_in(), server.ready()[0]), ((openid, NUMBER), 200), "and the phone logs in")
        repeated = place.keys("rotate")
        checks.that(repeated.returncode == 0 and "warning: process" not in repeated.stderr,
                    "a rotation after it warns of nobody", repeated.stderr)
        SAID.append(server.log.read_text())
    nothing_was_told(checks)


def test_a_restore_on_another_machine(checks, hsm, stopped):
    place = folder()
    data, where = copy_of(stopped)
    made = stopped.benji("backup", *where, place / "benji.sqlite")
    checks.equal(made.returncode, 0, "a backup is made")
    elsewhere = SoftHSM("benji")
    machine = Installation(elsewhere, **{"wrapping-key": elsewhere.key()})
    machine.keys("new-wrapping-key")
    machine.app = stopped.app
    machine.server.data.mkdir(0o700)

    def restore():
        return machine.benji("restore", "-c", machine.server.configuration, place / "benji.sqlite")

    bare = restore()
    checks.that(bare.returncode == 1 and "no master key is at hand" in bare.stderr,
                "without the file of the master key a restore is refused", bare.stderr)
    shutil.copy2(data / "master.key", machine.file)
    other = restore()
    checks.that(other.returncode == 1 and "has not wrapped" in other.stderr and "a copy of that HSM" in other.stderr,
                "with a token of the same name and another key it is refused, and it is said what to bring",
                other.stderr)
    machine.configure()
    unset = restore()
    checks.that(unset.returncode == 1 and "set master-key.wrapping-key" in unset.stderr,
                "without the setting it is refused", unset.stderr)
    machine.configure(**{"wrapping-key": elsewhere.key()})
    elsewhere.disconnect()
    gone = restore()
    checks.that(gone.returncode == 1 and "no such token" in gone.stderr, "without a token it is refused", gone.stderr)
    checks.that(not (machine.server.data / "benji.sqlite").exists(), "and nothing was put in place")
    # As an HSM's own backup brings a token to another one.
    elsewhere.connect()
    shutil.rmtree(elsewhere.tokens)
    shutil.copytree(hsm.tokens, elsewhere.tokens)
    rehearsed = machine.benji("backup", "rehearse", "-c", machine.server.configuration, place / "benji.sqlite")
    checks.that(rehearsed.returncode == 0, "with a copy of the token the backup is rehearsed", rehearsed.stderr)
    done = restore()
    checks.equal(done.returncode, 0, "and restored")
    with machine.server:
        machine.attach()
        checks.equal(machine.log_in(), (stopped.openid, NUMBER), "the phone logs in there and is who it was")


def test_what_can_be_wrong(checks, hsm, module, stopped):
    data, where = copy_of(stopped)
    before = (data / "master.key").read_text()
    logins = folder() / "logins"
    exposed, empty = hsm.file("exposed", PIN, 0o644), hsm.file("empty", "")
    missing = hsm.folder / "no-pin"

    def said(key, *words, fault="", command=("app", "list")):
        done = stopped.benji(*command, *where, "--set", f"master-key.wrapping-key={key}", HSM_FAULT=fault,
                             HSM_LOGINS=logins)
        text = done.stderr + done.stdout
        return done.returncode == 1 and all(word in text for word in words), text

    for key, words, sentence in (
            (hsm.key(module="/nowhere/hsm.so"), ["there is no module /nowhere/hsm.so", "module-path"],
             "a module that is not there"),
            (hsm.key(module="/usr/bin/env"), ["/usr/bin/env"], "a module that is none"),
            (hsm.key("absent"), ["has no such token", "token=benji"],
             "a token that is not there, beside those that are"),
            (hsm.key(key="absent"), ["has no such AES key", "new-wrapping-key"], "a key that is not there"),
            (hsm.key(pin=missing), [f"{missing}, is missing"], "a PIN's file that is not there"),
            (hsm.key(pin=exposed), [f"chmod o-rwx {exposed}"], "a PIN that everybody may read"),
            (hsm.key(pin=empty), [f"{empty} is empty"], "a PIN's file without a PIN"),
            (hsm.key() + "&pin-value=" + PIN, ["pin-source=file:"], "a PIN in the configuration")):
        checks.that(*[(found := said(key, *words))[0], f"{sentence} is named", found[1]])
    for fault, words, sentence in (
            ("no-gcm", ["CKM_AES_GCM"], "a token without the mechanism is named"),
            ("removed", ["CKR_DEVICE_REMOVED"], "a token that is drawn in the middle is named by PKCS#11's word"),
            ("locked", ["locked itself", "security officer"], "a locked token is named, and who unlocks it"),
            ("final-try", ["was not tried", "--login"], "before the last PIN that a token takes nothing is tried")):
        logins.unlink(missing_ok=True)
        checks.that(*[(found := said(hsm.key(module=module), *words, fault=fault))[0], sentence, found[1]])
    checks.that(not logins.exists(), "and no PIN was given to it")
    wrong = hsm.key(module=module, pin=hsm.wrong_pin)
    for command in (("app", "list"), ("doctor",), ("serve", "--check"), ("keys", "rotate")):
        logins.unlink(missing_ok=True)
        holds, text = said(wrong, "refuses the PIN", "locks itself", command=command)
        checks.that(holds, f"benji {' '.join(command)} says that the PIN is wrong", text)
        checks.equal(logins.read_text().count("login"), 1,
                     f"benji {' '.join(command)} gives a token a wrong PIN once, for it counts them")
    def logged_in(*keys):
        """How often doctor logs in to the token that is named in these ways."""
        logins.unlink(missing_ok=True)
        settings = (word for name, key in zip(("wrapping-key", "former-wrapping-key"), keys)
                    for word in ("--set", f"master-key.{name}={key}"))
        stopped.benji("doctor", *where, *settings, HSM_LOGINS=logins)
        return logins.read_text().count("login") if logins.exists() else 0

    checks.equal(logged_in(wrong, hsm.key(key="other", module=module, pin=hsm.wrong_pin)), 1,
                 "a token that two settings name is given a wrong PIN once")
    checks.equal(logged_in(hsm.key(pin=hsm.wrong_pin), hsm.key(key="other", module=module, pin=hsm.wrong_pin)), 0,
                 "also when they come to it by different modules")
    checks.equal(logged_in(wrong, hsm.key(key="other", module=module, pin=hsm.file("another-pin", "22222222"))), 2,
                 "and two wrong PINs once each")
    checks.equal(logged_in(hsm.key(module=module)), 2,
                 "doctor asks an HSM twice: it tries the wrapping key, and has the master keys unwrapped once")
    weak = stopped.benji("doctor", *where, "--set", f"master-key.wrapping-key={hsm.key(module=module)}",
                         HSM_FAULT="extractable")
    checks.that("may be taken out of the HSM (CKA_EXTRACTABLE)" in weak.stdout,
                "doctor warns of a key that can be taken out", weak.stdout)
    checks.equal(((data / "master.key").read_text(), stopped.benji("app", "list", *where).returncode), (before, 0),
                 "nothing of this changed anything")
    nothing_was_told(checks)
