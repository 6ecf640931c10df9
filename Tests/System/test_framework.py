"""What conftest.py promises of every system test: a small file of stories that fail is run by it, and what it says is read."""

import os
import struct
import sys
import xml.etree.ElementTree as xml
from pathlib import Path
from types import SimpleNamespace

import pytest

from support import suites
from support.checks import folder, run
from support.flights import FAREWELL, SYN, round_trips

pytestmark = pytest.mark.seconds(60)

STORIES = '''
import time
from pathlib import Path

import pytest

from support.checks import folder, start


def test_one_fails(checks):
    checks.that(True, "the first holds")
    checks.equal(1, 2, "the second does not")
    checks.that(True, "the third is looked at all the same")


def test_checks_nothing(checks):
    pass


def test_breaks_off(checks):
    checks.that(True, "something held")
    raise ValueError("broke off")


@pytest.mark.seconds(1)
def test_takes_too_long(checks):
    checks.that(True, "it began")
    left = start(["sleep", "3600"])
    Path(__file__).with_name("left").write_text(f"{left.pid} {folder()}")
    time.sleep(30)


@pytest.fixture
def broken():
    raise ValueError("no such thing")


def test_cannot_begin(checks, broken):
    checks.that(True, "never looked at")


@pytest.mark.alone("it says so")
def test_alone(checks):
    checks.that(True, "alone")


@pytest.mark.wants("pictures")
def test_pictures(checks):
    checks.that(True, "only when it is asked for")
'''

AFTERWARDS = '''
from pathlib import Path


def test_afterwards(checks):
    process, place = Path(__file__).with_name("left").read_text().split()
    checks.that(not Path(f"/proc/{process}").exists() and not Path(place).exists(), "nothing is left of the file before")
'''


@pytest.fixture(scope="module")
def told():
    """(what a run of the stories printed, its status, its checks: story and sentence → why it failed)."""
    place = folder()
    (place / "test_stories.py").write_text(STORIES)
    (place / "test_stories_afterwards.py").write_text(AFTERWARDS)
    here = Path(__file__).parent
    done = run([sys.executable, "-m", "pytest", "-v", "-c", here / "pytest.ini", "--rootdir", place, "-p", "conftest", "-p",
                "no:cacheprovider", "--alone", "no", "--checks-xml", place / "out.xml", place], 50,
               env={**os.environ, "PYTHONPATH": str(here)}, cwd=place)
    cases = {(case.get("classname").split("::")[-1], case.get("name")): case.findtext("failure")
             for case in xml.parse(place / "out.xml").getroot().iter("testcase")}
    return done.stdout + done.stderr, done.returncode, cases


def test_reports(checks, told):
    said, status, cases = told
    held = [("test_one_fails", "the first holds"), ("test_one_fails", "the third is looked at all the same"),
            ("test_breaks_off", "something held"), ("test_takes_too_long", "it began"),
            ("test_afterwards", "nothing is left of the file before")]
    broke = "the test runs to its end"
    failed = {("test_one_fails", "the second does not"): "got 1, wanted 2", ("test_checks_nothing", broke): "checked nothing",
              ("test_breaks_off", broke): "broke off", ("test_takes_too_long", broke): "not finished within 3 s",
              ("test_cannot_begin", broke): "no such thing"}
    checks.equal(sorted(cases), sorted([*held, *failed]), "JUnit has every check by its sentence, and no other")
    checks.equal([case for case in held if cases.get(case)], [],
                 "what held is told as held, after a failed check too, and what a file started and kept goes with it")
    checks.that(all(words in (cases.get(case) or "") for case, words in failed.items()),
                "a check that fails, a story without a check, one that breaks off, takes too long or cannot begin: all fail", cases)
    checks.that(status == 1 and "5 checks held, 5 failed" in said, "the last lines count them", said[-1500:])
    checks.that("PASS  the first holds:" in said and "FAIL  the second does not:" in said, "each check is shown as it comes", said)


def test_which_files_run_on_a_cluster(checks, tmp_path):
    checks.equal(suites.faults(), [], "every file of tests is said to run on a cluster, or why it does not")
    for name in (*suites.ON_CLUSTER, *suites.OWN_PROCESSES):
        (tmp_path / name).touch()
    checks.equal(suites.faults(tmp_path), [], "so it is of the same files elsewhere")
    (tmp_path / "test_new.py").touch()
    (tmp_path / "test_story.py").unlink()
    checks.equal(suites.faults(tmp_path), ["test_new.py is in neither list of support/suites.py", "test_story.py is in support/suites.py, and there is no such file"],
                 "a file that is in neither list is named, and one that is gone")
    here = Path(__file__).parent
    kept = run([sys.executable, "-m", "pytest", "-c", here / "pytest.ini", "--rootdir", here, "-p", "no:cacheprovider", "--on", "cluster",
                "--collect-only", "-q", here / "test_openid.py", here / "test_kill9.py"], 50, cwd=here)
    checks.that("[together]" in kept.stdout and "[apart]" not in kept.stdout and "test_kill9" not in kept.stdout,
                "with --on cluster a file and a story that have processes of their own are left out", kept.stdout + kept.stderr)


def segment(near, sequence, payload=b"", flags=0x10):
    """A TCP segment between a client's port 40000 and a server's 443, as it lies in an IPv4 packet; `near` says that the client sends it."""
    client, server = (b"\x0a\0\0\1", 40000), (b"\x0a\0\0\2", 443)
    (source, from_port), (target, to_port) = (client, server) if near else (server, client)
    head = struct.pack("!BxHxxxxBBxx4s4s", 0x45, 40 + len(payload), 64, 6, source, target)
    tcp = struct.pack("!HHIIBBHxxxx", from_port, to_port, sequence % (1 << 32), 0, 5 << 4, flags, 0)
    return SimpleNamespace(direction="up" if near else "down", packet=head + tcp + payload)


def test_round_trips(checks):
    syn = [segment(True, 99, flags=SYN), segment(False, 499, flags=SYN)]
    request, answer = segment(True, 100, b"q" * 3000), segment(False, 500, b"a" * 200)
    checks.equal(round_trips([*syn, request, answer], 443), 2, "a connection and an answer are two round trips")
    repeated = [segment(True, 100, b"q" * 1400), segment(True, 1500, b"q" * 1400), segment(False, 500, b"a" * 200)]
    checks.equal(round_trips([*syn, request, answer, *repeated], 443), 2, "what is repeated in other pieces is none")
    again = [segment(True, 3100, b"q"), segment(False, 700, b"a")]
    checks.equal(round_trips([*syn, request, answer, *again], 443), 3, "another question is one more")
    ended = [segment(True, 3100, FAREWELL + b"x" * 19), segment(False, 700, FAREWELL + b"y" * 19)]
    checks.equal(round_trips([*syn, request, answer, *ended], 443), 2, "the end of TLS is none")
    wrapped = [segment(True, 2**32 - 1, b"q" * 9), answer, segment(True, 2**32 + 8, b"q"), segment(False, 700, b"a")]
    checks.equal(round_trips(wrapped, 443), 2, "so it is where sequence numbers begin again")
    checks.equal(round_trips([*syn, *syn, segment(True, 77, flags=SYN), segment(False, 888, flags=SYN)], 443), 2,
                 "another connection of the same port is one more, a repeated beginning is none")
