"""The disk fills up, or becomes read-only, under a storm: clear codes, nothing lost, and all is well once it can be
written.

The full disk is a small tmpfs of a mount namespace of the script's own, filled by a file. A kernel lets no program make
a disk read-only while files on it are open for writing, save for its own emergency. A library that answers EROFS plays
that (support/disk.c). A remount is real where it is possible: while the server does not run. A double whose writes are
lost without a word, as in a program that does not look at their results, is condemned.
"""

import ctypes
import os
import random
import time

import pytest

from support.checks import Stop, eventually, require, run
from support.operators import Backend
from support.disk import HONEST, IGNORING, READ_ONLY, DiskRecorder
from support.phones import Phone
from support.radius import START
from support.server import Server, environment
from support.storm import Storm

pytestmark = pytest.mark.seconds(120)
OPTIONS = {"seed": None}
SERVER = {"log": {"level": "notice"}}

CLONE_NEWNS = 0x20000
MOUNTED = []
SIZE = 96 << 20  # the log alone may take 32 MB and more before it begins again


@pytest.fixture(scope="module")
def own_mounts():
    """From here on what this process mounts is seen by its children only, and goes with them. It does not come back: a
    thread whose threads share its place cannot. What others mount later it does not see, and no test needs that."""
    require("mount", "mount")
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
        raise Stop(f"a mount namespace needs root: {os.strerror(ctypes.get_errno())}")
    mount("--make-rprivate", "/")
    yield
    for path in MOUNTED:
        run(["umount", "--lazy", str(path)])


def mount(*arguments):
    done = run(["mount", *map(str, arguments)])
    if done.returncode != 0:
        raise Stop(f"mount {arguments}: {done.stderr}")


def small_disk(path):
    """Puts a disk of its own at a folder. It goes before the folders are removed: a place where something is mounted
    cannot be."""
    mount("-t", "tmpfs", "-o", f"size={SIZE},mode=0700", "benji-small-disk", path)
    MOUNTED.append(path)


class Newcomer:
    """A phone whose session begins while the disk refuses writes."""

    def __init__(self, server, app, index):
        self.server, self.app, self.session = server, app, f"newcomer-{index}"
        self.address, self.number = f"127.8.31.{index + 1}", f"137200099{index:02d}"
        self.is_answered = False

    def begin(self, core, seconds):
        """True if the gateway answers, which is its promise that the session is kept."""
        self.is_answered = core.send(START, self.session, self.address, seconds=seconds, number="86" + self.number,
                                     imsi="46000" + self.number) or self.is_answered
        return self.is_answered

    def phone(self):
        return Phone(self.server, self.app, self.address, self.number)


def under_trouble(checks, server, app, storm, begin, end, names, reason):
    """The storm goes on while `begin()` makes the disk refuse writes, and after `end()`."""
    storm.start()
    kept, backend, chance = storm.earn(), Backend(server.server), random.Random(0)
    time.sleep(0.6)
    begin()
    status, said = server.unready(15)
    checks.that(status == 503 and reason in said, f"{names}: readiness says why", (status, said))
    checks.equal(server.get("/health/live")[0], 200, f"{names}: the process is alive")
    since = len(storm.history)
    time.sleep(1)
    during = list(storm.history)[since:]
    codes = {f"{operation['op']} {operation['outcome']}" for operation in during if operation["end"] is not None}
    checks.that("prefetch store_unavailable" in codes, f"{names}: phones hear that the store is unavailable", codes)
    checks.equal(storm.show(backend, kept, chance), "103214",
                 f"{names}: an app server with a good token hears that the store is unavailable")
    checks.that("None" not in " ".join(codes), f"{names}: every question has an answer with a code", codes)
    newcomers = [Newcomer(server, app, index) for index in range(40)]
    # A disk that is full for most may have room for a small write. Who is answered is kept then, as is seen below.
    refused = next((one for one in newcomers if not one.begin(storm.core, 1)), None)
    checks.that(refused, f"{names}: a new session is not answered, so the packet core will repeat it")
    refused = refused or newcomers[-1]
    log = server.log.read_text()
    checks.that("advice=" in log and log.count("writes fail;") < 10,
                f"{names}: the log says what to do, and does not flood",
                log[-1500:])
    process = server.process.pid
    end()
    # The packet core repeats unanswered packets, and so the gateway notices that its register is back.
    checks.that(eventually(lambda: refused.begin(storm.core, 1), 15), f"{names}, over: the new session is answered")
    checks.that(eventually(lambda: server.ready()[0] == 200, 15), f"{names}, over: ready again without hands",
                server.ready())
    since = len(storm.history)
    checks.equal(storm.announce(), [], f"{names}, over: accounting is answered again")
    answered = [one for one in newcomers if one.is_answered]
    checks.equal([one.address for one in answered if one.phone().prefetch() != "success"], [],
                 f"{names}, over: every session that was answered is known ({len(answered)})")

    def won():
        return sum(operation["outcome"] in ("103000", "000", "001") for operation in list(storm.history)[since:])

    checks.that(eventually(lambda: won() > 5, 10), f"{names}, over: tokens are won again", won())
    checks.equal(storm.show(backend, kept, chance), "103000",
                 f"{names}, over: the token that could not be spent is good still")
    storm.stop()
    storm.ask_again()
    checks.equal((server.process.poll(), server.process.pid), (None, process),
                 f"{names}: the process is still the same")
    server.stop()
    checks.equal([str(fault) for fault in storm.faults()][:5], [],
                 f"{names}: nothing is lost, none won or billed twice ({storm.figures()['won']} won)")


def test_an_ignoring_double(checks, options):
    """The same server with the results of writes ignored."""
    server = Server(log={"level": "critical"})
    app = server.create_app()
    recorder = DiskRecorder(server)
    server.start()
    storm = Storm(server, app, phones=5, servers=5, seed=options.seed)
    storm.start()
    time.sleep(0.6)
    recorder.behave(IGNORING)
    time.sleep(0.6)
    server.kill9()
    storm.server_is_gone()
    storm.stop()
    faults = [str(fault) for fault in storm.faults()]
    checks.that(faults, "a double whose writes are lost without a word is condemned")
    checks.note(f"it broke: {', '.join(sorted({fault.split(':')[0] for fault in faults}))}")


def test_a_full_disk(checks, options, own_mounts):
    server = Server(log={"level": "notice"})
    server.data.mkdir(mode=0o700)
    small_disk(server.data)
    app = server.create_app()
    server.start()
    filler = server.data / "filler"

    def fill():
        with open(filler, "wb", buffering=0) as file:
            for size in (1 << 16, 1 << 12):
                try:
                    while file.write(bytes(size)) == size:
                        pass
                except OSError:
                    pass

    under_trouble(checks, server, app, Storm(server, app, phones=5, servers=5, seed=options.seed), fill, filler.unlink,
                  "a full disk", "full")


def test_a_read_only_disk(checks, options, disk, server, app):
    under_trouble(checks, server, app, Storm(server, app, phones=5, servers=5, seed=options.seed),
                  lambda: disk.behave(READ_ONLY), lambda: disk.behave(HONEST), "a read-only disk", "disk")


def test_read_only_at_the_start(checks, own_mounts):
    server = Server(log={"level": "notice"})
    server.data.mkdir(mode=0o700)
    small_disk(server.data)
    server.create_app()
    mount("-o", "remount,ro", server.data)
    said = run([server.binary, "serve", "--config", str(server.configuration)], env=environment())
    text = (said.stdout + said.stderr).lower()
    checks.that(said.returncode not in (0, 124) and ("read-only" in text or "cannot be opened for writing" in text),
                "on a disk that was remounted read-only the server does not start, and says so",
                (said.returncode, text))
    mount("-o", "remount,rw", server.data)
    server.start()
    server.stop()
    checks.that(True, "remounted for writing, it starts")
