"""The promises of conftest.py to every system test, shown by the output of a small file of failing stories."""

import itertools
import os
import re
import struct
import sys
import xml.etree.ElementTree as xml
from pathlib import Path
from types import SimpleNamespace

import pytest

from conftest import in_drawn_order
from support import suites
from support.checks import folder, run
from support.flights import FAREWELL, SYN, round_trips

STORIES = '''
import signal
import threading
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


def test_hangs(checks):
    left = start(["sleep", "3600"])
    Path(__file__).with_name("left").write_text(f"{left.pid} {folder()}")
    # The limit strikes now.
    checks.that(signal.alarm(1) > 0, "there is a limit")
    threading.Event().wait()


@pytest.fixture
def broken():
    raise ValueError("no such thing")


def test_cannot_begin(checks, broken):
    checks.that(True, "never looked at")


@pytest.mark.part('time')
def test_of_another_part(checks):
    checks.that(False, "not looked at")


@pytest.mark.wants("pictures")
def test_pictures(checks):
    checks.that(True, "only when it is asked for")
'''

AFTERWARDS = '''
from pathlib import Path


def test_afterwards(checks):
    process, place = Path(__file__).with_name("left").read_text().split()
    checks.that(not Path(f"/proc/{process}").exists() and not Path(place).exists(),
                "nothing is left of the file before")
'''


@pytest.fixture(scope="module")
def told():
    """(what a run of the stories printed, its status, its checks: story and sentence → why it failed)."""
    place = folder()
    (place / "test_stories.py").write_text(STORIES)
    (place / "test_stories_afterwards.py").write_text(AFTERWARDS)
    here, files = Path(__file__).parents[1], [place / "test_stories.py", place / "test_stories_afterwards.py"]
    seed = next(each for each in itertools.count() if in_drawn_order(files, each) == files)
    done = run([sys.executable, "-m", "pytest", "-v", "-c", here / "pytest.ini", "--rootdir", place, "-p", "conftest",
                "-p",
                "no:cacheprovider", "--part", "gate", "--seed", str(seed), "--checks-xml", place / "out.xml", place],
               env={**os.environ, "PYTHONPATH": str(here), "BENJI_HANG": "600"}, cwd=place)
    cases = {(case.get("classname").split("::")[-1], case.get("name")): case.findtext("failure")
             for case in xml.parse(place / "out.xml").getroot().iter("testcase")}
    return done.stdout + done.stderr, done.returncode, cases


def test_reports(checks, told):
    said, status, cases = told
    held = [("test_one_fails", "the first holds"), ("test_one_fails", "the third is looked at all the same"),
            ("test_breaks_off", "something held"), ("test_hangs", "there is a limit"),
            ("test_afterwards", "nothing is left of the file before")]
    broke = "the test runs to its end"
    failed = {("test_one_fails", "the second does not"): "got 1, wanted 2",
              ("test_checks_nothing", broke): "checked nothing",
              ("test_breaks_off", broke): "broke off", ("test_hangs", broke): "it hangs: not finished within 600 s",
              ("test_cannot_begin", broke): "no such thing"}
    checks.equal(sorted(cases), sorted([*held, *failed]), "JUnit has every check by its sentence, and no other")
    checks.equal([case for case in held if cases.get(case)], [],
                 "what held is told as held, after a failed check too, and what a file started and kept goes with it")
    checks.that(all(words in (cases.get(case) or "") for case, words in failed.items()),
                "a check that fails, a story without a check, one that breaks off, hangs or cannot begin: all fail",
                cases)
    checks.that(status == 1 and "5 checks held, 5 failed" in said, "the last lines count them", said[-1500:])
    checks.that("PASS  the first holds:" in said and "FAIL  the second does not:" in said,
                "each check is shown as it comes", said)


def test_a_hang_is_shown(checks, told):
    said = told[0]
    shown = said.partition("::test_hangs hangs: not finished within 600 s")[2]
    checks.that("in test_hangs" in shown, "the Python stacks of a test that hangs are printed", said)
    checks.that(re.search(r"process \d+: sleep 3600\n +thread \d+ sleep: state S, in \w", shown),
                "and of each program that it started command, threads and where they wait", said)


def test_the_order_is_drawn(checks, told):
    checks.that(re.search(r"order of files and random choices: --seed \d+", told[0]),
                "the seed of a run is printed", told[0])
    files = [f"test_{number}.py" for number in range(60)]
    orders = [in_drawn_order(each, seed) for each in (files, files[::-1]) for seed in (1, 2)]
    checks.equal(orders[:2], orders[2:], "one seed gives one order")
    checks.that(orders[0] != orders[1] and sorted(orders[0]) == sorted(files), "another seed gives another one")


def test_which_files_run_on_a_cluster(checks, tmp_path):
    checks.equal(suites.faults(), [], "every file of tests is in one part, and runs on a cluster or has a reason")
    for name in (*suites.ON_CLUSTER, *suites.OWN_PROCESSES):
        (tmp_path / name).touch()
    checks.equal(suites.faults(tmp_path), [], "so it is of the same files elsewhere")
    (tmp_path / "test_new.py").touch()
    (tmp_path / "test_story.py").unlink()
    checks.equal(suites.faults(tmp_path), [
        "test_new.py is in neither list of support/suites.py", "test_new.py is in no part of support/suites.py",
        "test_story.py is in support/suites.py, and there is no such file"],
                 "a file that is in no list is named, and one that is gone")
    here = Path(__file__).parents[1]
    kept = run([sys.executable, "-m", "pytest", "-c", here / "pytest.ini", "--rootdir", here, "-p", "no:cacheprovider",
                "--on", "cluster",
                "--collect-only", "-q", here / "dialects/test_openid.py",
                here / "durability/test_kill9.py"], cwd=here)
    checks.that("[together]" in kept.stdout and "[apart]" not in kept.stdout and "test_kill9" not in kept.stdout,
                "with --on cluster a file and a story that have processes of their own are left out",
                kept.stdout + kept.stderr)


def segment(near, sequence, payload=b"", flags=0x10):
    """A TCP segment in an IPv4 packet, between a client's port 40000 and a server's 443; `near`: from the client."""
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
