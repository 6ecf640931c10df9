"""What conftest.py promises of every system test: a small file of stories that fail is run by it, and what it says is read."""

import os
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

from support.checks import folder, run

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
              ("test_breaks_off", broke): "broke off", ("test_takes_too_long", broke): "not finished within 1 s",
              ("test_cannot_begin", broke): "no such thing"}
    checks.equal(sorted(cases), sorted([*held, *failed]), "JUnit has every check by its sentence, and no other")
    checks.equal([case for case in held if cases.get(case)], [],
                 "what held is told as held, after a failed check too, and what a file started and kept goes with it")
    checks.that(all(words in (cases.get(case) or "") for case, words in failed.items()),
                "a check that fails, a story without a check, one that breaks off, takes too long or cannot begin: all fail", cases)
    checks.that(status == 1 and "5 checks held, 5 failed" in said, "the last lines count them", said[-1500:])
    checks.that("PASS  the first holds:" in said and "FAIL  the second does not:" in said, "each check is shown as it comes", said)
