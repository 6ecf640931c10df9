"""Fixtures, options and limits of all system tests. Each check is reported by its sentence.

docs/testing.md says how to run them and how to add one.
"""

import faulthandler
import os
import random
import re
import resource
import signal
import sys
import types
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

from support import checks as support
from support import clustered, looks, suites
from support.browser import Browser, PhoneProxy
from support.clock import JumpingClock
from support.disk import DiskRecorder
from support.operators import Backend
from support.phones import Phone
from support.postgres import Postgres
from support.report import Report
from support.server import ROOT, Server

sys.path.append(str(ROOT / "scripts/lib"))
from stacks import stacks  # noqa: E402 (found by the line above)

# A test that needs longer than HANG states its seconds on an idle machine. It is ended after so many times as long.
SLOWEST = 3
# Seconds after which the whole process ends, if a test that hangs does not let itself be ended.
LAST_RESORT = int(3 * support.PATIENCE)
# Characters that XML does not allow. Programs print some of them.
NOT_XML = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ITEM_CHECKS, TERMINAL, BEGUN, SEED = (pytest.StashKey() for _ in range(4))
PROCESSOR = "processor seconds"

# Module -> the checks of its tests.
MADE = {}


# Options. A test module says in OPTIONS which ones it takes, and what they are unless they are given.

def pytest_addoption(parser):
    group = parser.getgroup("benji", "Benji's system tests")
    group.addoption("--quarantined", action="store_true",
                    help="only the tests in quarantine, which make test leaves out")
    group.addoption("--part", choices=tuple(suites.PARTS),
                    help="the tests of make test (gate), or of a part of make proof, and no others")
    group.addoption("--on", choices=("processes", "cluster"), default="processes",
                    help="run those tests that can on a cluster, in one process of pytest (docs/testing.md)")
    group.addoption("--checks-xml", metavar="FILE", help="write every check into a JUnit file, by its sentence")
    for name, kind, text in (
            ("--rounds", int, "kills, power cuts or rounds of a storm"),
            ("--seed", int, "the seed of the order of files and of random choices"),
            ("--report", str, "file to write a report to, in Markdown"),
            ("--pictures", Path, "keep pictures of pages in this folder"),
            ("--phases", str, "phases of schemathesis, with commas"),
            ("--history", str, "keep the history of a storm in this file"),
            ("--judge", str, "judge a kept history or trace"),
            ("--keep-trace", str, "keep the trace of system calls in this file"),
            ("--phones", int, "phones of a storm"),
            ("--servers", int, "app servers of a storm"), ("--each", int, "seconds of a hostile attack"),
            ("--rate", float, "logins a second"),
            ("--duration", int, "seconds of a soak, or after which a storm has no further round"),
            ("--tokens", int, "tokens of a race"),
            ("--examples", int, "requests that schemathesis draws for an operation"),
            ("--guesses", int, "guesses at one SMS code"), ("--requests", int, "requests for SMS codes")):
        group.addoption(name, type=kind, help=text)
    group.addoption("--long", action="store_true",
                    help="also the long tests, and pages in every size, colour scheme and language")
    for name, text in (("--one-by-one", "one hostile attack after the other"),
                       ("--maximum", "soak at half the highest rate"),
                       ("--record", "write the golden pictures of pages anew"),
                       ("--keep", "leave the lab's network standing until Ctrl-C"),
                       ("--answers", "count schemathesis's answers")):
        group.addoption(name, action="store_true", default=None, help=text)


def options_of(config, module):
    """A module's OPTIONS, replaced by those of the command line."""
    values = dict(getattr(module, "OPTIONS", {}))
    for name in values:
        given = config.getoption(name)
        values[name] = values[name] if given is None else given
    if "seed" in values and values["seed"] is None:
        values["seed"] = seed_of(config)
    return types.SimpleNamespace(**values)


def seed_of(config):
    """One for all processes of a run, and printed, so that a run can be repeated."""
    if SEED not in config.stash:
        given = getattr(config, "workerinput", {}).get("seed", config.getoption("seed"))
        config.stash[SEED] = random.randrange(1 << 32) if given is None else given
    return config.stash[SEED]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    node.workerinput["seed"] = seed_of(node.config)


def pytest_report_header(config):
    return f"order of files and random choices: --seed {seed_of(config)}"


@pytest.fixture(scope="module")
def chance(request):
    """The module's random choices, drawn from the run's seed."""
    return random.Random(f"{seed_of(request.config)} {request.module.__name__}")


@pytest.fixture(scope="module")
def options(request):
    chosen = options_of(request.config, request.module)
    if getattr(chosen, "pictures", None):
        chosen.pictures = chosen.pictures.resolve()
        chosen.pictures.mkdir(parents=True, exist_ok=True)
    return chosen


@pytest.fixture(scope="module")
def pictures(options):
    """The folder to keep pictures in, or None."""
    return options.pictures


# Checks.

@pytest.fixture
def checks(request, subtests):
    made = support.Checks(subtests)
    request.node.stash[ITEM_CHECKS] = made
    MADE.setdefault(request.module.__name__, []).append(made)
    return made


@pytest.fixture(scope="module")
def report(request, options):
    """Collects figures of a long run; with --report they are written at the module's end."""
    made = Report(Path(request.module.__file__).name, options)
    yield made
    every = MADE[request.module.__name__]
    made.write(types.SimpleNamespace(passed=sum(each.passed for each in every),
                                     failed=sum(each.failed for each in every)))


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    result = yield
    if pyfuncitem.stash.get(ITEM_CHECKS, None) is None or not pyfuncitem.stash[ITEM_CHECKS].count:
        pytest.fail("the test checked nothing", pytrace=False)
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report):
    """A line for each check, with its sentence."""
    context = getattr(report, "context", None)
    if context is not None:
        return ("failed", "u", f"FAIL  {context.msg}:") if report.failed else ("subtests passed", ".",
                                                                               f"PASS  {context.msg}:")
    return None


def reason(fault):
    """The exception's line in a failure report; without one, the first line that pytest did not add."""
    lines = [line.strip() for line in NOT_XML.sub("\ufffd", fault).splitlines() if line.strip()
             and not line.startswith("[gw")]
    return next((line[1:].strip() for line in lines if line.startswith("E ")), lines[0] if lines else "")


class Tally:
    """Counts checks where their reports arrive, and writes them down. A test that broke off is one more that failed."""

    def __init__(self, config):
        self.config = config
        self.path = config.getoption("checks_xml")
        self.tests = {}  # test -> [(sentence, None or why it failed)]
        self.seconds = {}
        self.processor = {}

    def pytest_runtest_logreport(self, report):
        found = self.tests.setdefault(report.nodeid, [])
        context = getattr(report, "context", None)
        if context is not None:
            found.append((context.msg, report.longreprtext if report.failed else None))
            return
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration
        if report.when == "teardown":
            self.processor[report.nodeid] = dict(report.user_properties).get(PROCESSOR, 0)
        if report.failed and not (report.when == "call" and "failed subtest" in str(report.longrepr)):
            found.append(("the test runs to its end", report.longreprtext))

    def pytest_terminal_summary(self, terminalreporter, exitstatus):
        every = [check for found in self.tests.values() for check in found]
        failed = sum(fault is not None for _, fault in every)
        files = {}
        for test, found in self.tests.items():
            each = files.setdefault(test.split("::")[0], [0, 0, 0])
            for place, more in enumerate((self.seconds.get(test, 0), self.processor.get(test, 0), len(found))):
                each[place] += more
        terminalreporter.section("checks; seconds, and of these a processor's")
        for name, (seconds, processor, count) in sorted(files.items(), key=lambda item: -item[1][0]):
            terminalreporter.write_line(f"{seconds:6.0f} s {processor:6.0f} s {count:5} checks  {name}")
        terminalreporter.write_line(f"{len(every) - failed} checks held, {failed} failed")

    def pytest_sessionfinish(self):
        if self.path:
            self.write()

    def write(self):
        root = xml.Element("testsuites")
        suites = {}
        for test, found in self.tests.items():
            name, _, story = test.partition("::")
            if name not in suites:
                suites[name] = xml.SubElement(root, "testsuite", name=name)
            for place, (sentence, fault) in enumerate(found):
                case = xml.SubElement(suites[name], "testcase", classname=test, name=NOT_XML.sub("�", sentence),
                                      time=f"{self.seconds.get(test, 0) if place == 0 else 0:.3f}")
                if fault is not None:
                    xml.SubElement(case, "failure", message=reason(fault)).text = NOT_XML.sub("�", fault)
        for suite in suites.values():
            suite.set("tests", str(len(suite)))
            suite.set("failures", str(len(suite.findall("testcase/failure"))))
            suite.set("time", f"{sum(float(case.get('time')) for case in suite):.3f}")
        for name in ("tests", "failures"):
            root.set(name, str(sum(int(suite.get(name)) for suite in root)))
        Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        xml.ElementTree(root).write(self.path, encoding="utf-8", xml_declaration=True)


# Order, and the end of a test that hangs.

def pytest_configure(config):
    if config.getoption("on") == "cluster" and config.getoption("numprocesses", None):
        raise pytest.UsageError("a run has one cluster, and so one process of pytest: --here --on cluster")
    with config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        config.stash[TERMINAL] = os.fdopen(os.dup(2), "w")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Tally(config), "benji-tally")
    looks.thorough = bool(config.getoption("long"))
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def stop(*_):
        """Ends the run in order, once: the tests' own processes and folders go first."""
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)
        if not hasattr(config, "workerinput") and config.getoption("numprocesses", None):
            stop_workers()
        pytest.exit("stopped by a signal", pytest.ExitCode.INTERRUPTED)

    for number in numbers:
        signal.signal(number, stop)


def stop_workers():
    """Stops the workers of pytest-xdist with SIGTERM, and waits until they have stopped their own processes."""
    workers = support.children(os.getpid())
    for worker in workers:
        os.kill(worker, signal.SIGTERM)
    support.eventually(lambda: not any(map(support.children, workers)))


def pytest_collection_finish(session):
    if session.config.getoption("on") == "cluster" and session.items and not session.config.option.collectonly:
        clustered.Clustered.site = clustered.Site()
        Server.deployed = (clustered.Clustered,)


def pytest_unconfigure():
    if clustered.Clustered.site:
        clustered.Clustered.site.stop()
    support.clean_all()


def pytest_collection_modifyitems(config, items):
    part = config.getoption("part")

    is_clustered = config.getoption("on") == "cluster"
    if is_clustered:
        suites.check()

    # A file, a test or a word on the command line selects long tests too.
    all_lengths = config.getoption("long") or config.option.keyword or not all(Path(each).is_dir()
                                                                               for each in config.args)

    quarantined, only = suites.quarantined(), config.getoption("quarantined")

    def is_wanted(item):
        # An id begins with the file's place in the repository.
        if (only
            or part == "gate") and (f"Tests/System/{item.nodeid.removeprefix('Tests/System/')}" in quarantined) != only:
            return False
        if item.get_closest_marker("long") and not all_lengths:
            return False
        if is_clustered and not suites.is_for_cluster(item):
            return False
        wants = item.get_closest_marker("wants")
        return (not wants or config.getoption(wants.args[0]) is not None) and (not part or suites.part_of(item) == part)

    kept = [item for item in items if is_wanted(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    # No file needs another one to run before it. The tests of a file share its server, and keep their order.
    files = in_drawn_order({item.path for item in kept}, seed_of(config))
    items[:] = sorted(kept, key=lambda item: files.index(item.path))


def in_drawn_order(files, seed):
    return random.Random(seed).sample(sorted(files), len(files))


def bound_of(item):
    marker = item.get_closest_marker("seconds")
    bound = marker.args[0] if marker else 0
    return max(support.HANG, SLOWEST * (bound(options_of(item.config, item.module)) if callable(bound) else bound))


def bounded(item):
    """Ends a test that hangs, and shows where it and its programs are; and ends all, if that does not end the test."""
    bound = bound_of(item)

    def expire(*_):
        faulthandler.dump_traceback_later(LAST_RESORT, exit=True, file=terminal)
        print(f"\n{item.nodeid} hangs: not finished within {bound} s. This process:", file=terminal, flush=True)
        faulthandler.dump_traceback(file=terminal)
        print(stacks(os.getpid(), without=(os.getpid(),)), file=terminal, flush=True)
        raise support.Stop(f"it hangs: not finished within {bound} s; the stacks of its processes were printed")

    terminal = item.config.stash[TERMINAL]
    signal.signal(signal.SIGALRM, expire)
    signal.alarm(bound)
    faulthandler.dump_traceback_later(bound + LAST_RESORT, exit=True, file=item.config.stash[TERMINAL])
    try:
        return (yield)
    finally:
        signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item):
    item.stash[BEGUN] = processor_seconds()
    return (yield from bounded(item))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item):
    return (yield from bounded(item))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item):
    try:
        return (yield from bounded(item))
    finally:
        item.user_properties.append((PROCESSOR, processor_seconds() - item.stash[BEGUN]))


def processor_seconds():
    """The processor seconds of this process and of its children that have ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


@pytest.fixture(scope="module", autouse=True)
def nothing_is_left():
    """Every process and every folder of a module goes with it."""
    yield
    support.clean()


# Fixtures of most modules. SERVER holds the settings of a module's server. A module may replace a fixture.

@pytest.fixture(scope="module")
def installation(request):
    """One installation whose server has not been started."""
    return Server(**getattr(request.module, "SERVER", {}))


@pytest.fixture(scope="module")
def clock(installation):
    """The clock of the module's server, to jump with; to be named before `server`."""
    return JumpingClock(installation)


@pytest.fixture(scope="module")
def disk(installation):
    """The disk under the module's server; to be named before `server`."""
    return DiskRecorder(installation)


@pytest.fixture(scope="module")
def server(installation):
    """The module's server, started. Its tests share it, in their order."""
    with installation:
        yield installation


@pytest.fixture(scope="module")
def app(server):
    return server.create_app()


@pytest.fixture(scope="module")
def postgres():
    """A PostgreSQL of the module's own, with an empty database; or the cluster's."""
    if clustered.Clustered.site:
        yield clustered.Clustered.site.patroni
        return
    made = Postgres().start()
    made.create()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def backend(server):
    """The app's server."""
    made = Backend(server.server)
    yield made
    made.close()


@pytest.fixture(scope="module")
def phone(server, app):
    """Makes phones at addresses; they are closed at the end."""
    made = []

    def new(address, number, **options):
        made.append(Phone(server, app, address, number, **options))
        return made[-1]

    yield new
    for each in made:
        each.close()


@pytest.fixture(scope="module")
def proxy(request):
    """The modem of the module's PHONE, for a browser."""
    made = PhoneProxy(request.module.PHONE)
    yield made
    made.close()


@pytest.fixture(scope="module")
def browser(proxy):
    """A window of Chromium that leaves by the phone's modem."""
    with Browser(proxy) as made:
        yield made
