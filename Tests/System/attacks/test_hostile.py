"""benji serve among hostile clients: slow ones, silent ones, huge ones, hasty ones, and floods of accounting.

Honest phones and app servers (`benji bench`) work all the time. Under every attack the server's memory and descriptors
stay within stated bounds, and every honest login succeeds. Two servers without limits fall under the same attacks by
the same judge.

    test_hostile.py                       four seconds an attack, several at a time
    test_hostile.py --each 30             longer attacks
    test_hostile.py --one-by-one          one attack after the other
    test_hostile.py --report hostile.md   writes a report
"""

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from support import attacks
from support.bench import Bench
from support.checks import eventually, start
from support.server import SECRET, Server, free_ports
from support.watch import Sample, Watch, mebibytes, sample

pytestmark = pytest.mark.seconds(lambda options: 150 + 30 * options.each)

# The server under test has small limits, so that a small machine can reach them.
CONNECTIONS, PER_ADDRESS, PATIENCE = 2500, 100, 2
# Seconds of an attack, PATIENCE + 2 or more; attacks one by one; honest logins a second.
OPTIONS = {"each": PATIENCE + 2, "one_by_one": False, "rate": 15, "report": None}
LIMITS = {"connections": CONNECTIONS, "connections-per-address": PER_ADDRESS, "head-timeout": PATIENCE,
          "body-timeout": PATIENCE, "idle-timeout": 10, "write-timeout": PATIENCE}
NO_LIMITS = {"connections": 1_000_000, "connections-per-address": 1_000_000, "head-timeout": 86400,
             "body-timeout": 86400, "idle-timeout": 86400, "write-timeout": 86400}
# The cost that an attack may have: all places of its addresses, and memory for the data that each may send.
MEMORY = 96 << 20
SLACK = 200
ADDRESSES = 6
FLOOD_RATE = 2000

SECOND_CORE = {"sources": ["127.0.0.9/32"], "pools": ["127.9.0.0/16"], "rate": FLOOD_RATE}


def verdict(before, samples, places, memory=MEMORY, slack=SLACK):
    """The faults of a process that may give attacks so many places; empty if it was bounded."""
    faults = []
    if not samples:
        return ["the process is gone"]
    grown = max(seen.memory for seen in samples) - before.memory
    if grown > memory:
        faults.append(f"memory grew by {mebibytes(grown)}, more than {mebibytes(memory)}")
    more = max(seen.descriptors for seen in samples) - before.descriptors
    if more > places + slack:
        faults.append(f"{more} descriptors more, more than {places + slack}")
    return faults


def test_the_judge(checks):
    """The judge must condemn what grows without bound and accept what does not."""
    before = Sample(0, 50 << 20, 30, 8)
    calm = [Sample(at, (50 << 20) + at * 1000, 40, 8) for at in range(10)]
    for samples, is_fault, sentence in (
            (calm, False, "a process that hardly grows"),
            ([*calm, Sample(9, 200 << 20, 40, 8)], True, "memory that grows by 150 MiB"),
            ([*calm, Sample(9, 51 << 20, ADDRESSES * PER_ADDRESS + 500, 8)], True,
             "descriptors of connections that nobody limits"),
            ([], True, "a process that is gone")):
        faults = verdict(before, samples, ADDRESSES * PER_ADDRESS)
        checks.that(bool(faults) == is_fault, f"the judge {'condemns' if is_fault else 'accepts'}: {sentence}", faults)


# Attacks that are carried out together. Each has the connections from every one of its addresses, whether the server
# must have ended all of them, and its name. Requests that are answered come with the first listener only.
TOGETHER = (
    ((attacks.slow_headers, 50, True, "headers that come byte by byte"),
     (attacks.slow_bodies, 50, True, "bodies that come byte by byte"),
     (attacks.idle, 300, True, "silent connections, three times as many as an address may have")),
    ((attacks.huge_bodies, 10, True, "bodies of a gibibyte"),
     (attacks.endless_chunks, 10, True, "chunked bodies without end"),
     (attacks.huge_headers, 10, True, "a header line without end"),
     (attacks.many_headers, 10, True, "header lines without end")),
    ((attacks.slow_readers, 2, True, "clients that ask and never read"),
     (attacks.requests_ahead, 15, True, "clients that ask without pause and never read"),
     (attacks.churn, 100, False, "connections that are cut at once")),
)


def under(group, port, process, seconds):
    """Carries out attacks at the same time. (what each saw, faults, growth of memory)"""
    before, saw = sample(process), [None] * len(group)

    def carry_out(number, attack, each):
        saw[number] = attack(port, seconds, attacks.addresses(ADDRESSES, number), each)

    with Watch(process, every=0.1) as watch:
        threads = [threading.Thread(target=carry_out, args=(number, attack, each), daemon=True)
                   for number, (attack, each, _, _) in enumerate(group)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        time.sleep(0.2)
    grown = max(seen.memory for seen in watch.samples) - before.memory
    places = sum(ADDRESSES * min(each, PER_ADDRESS) for _, each, _, _ in group)
    return saw, verdict(before, watch.samples, places), mebibytes(grown)


def crowd_of_one(checks, port, process, limit, sentence):
    """Three times as many connections from one address as it may have, on a server that has nothing else to do."""
    time.sleep(0.5)  # what asked whether it is ready has gone
    before = sample(process).descriptors
    crowd = attacks.Crowd(port, attacks.addresses(1, network=9), 3 * PER_ADDRESS)
    seen = lambda: (crowd.still_open(), sample(process).descriptors - before)
    # Less time than a silent connection has.
    eventually(lambda: seen() == (limit, limit), PATIENCE / 2)
    checks.equal(seen(), (limit, limit), f"{sentence}, the server as many")
    other = attacks.connect(port, attacks.addresses(2, network=9)[1])
    time.sleep(0.2)
    checks.that(other is not None and not attacks.is_closed(other), "and another address is let in")
    crowd.close()


def honest(checks, bench, since, until, sentence):
    """That every login of a time succeeded; how long they took is only said."""
    seconds = bench.seconds(since=since, until=until + 1.1)
    succeeded = sum(second["login"]["succeeded"] for second in seconds)
    failures = [second["login"]["failures"] for second in seconds if second["login"]["failed"]]
    slowest = max((second["login"]["p99"] for second in seconds), default=0) / 1000
    checks.that(succeeded > 0 and not failures,
                f"{sentence}: every one of {succeeded} honest logins succeeds, the slowest in {slowest:.0f} ms",
                failures)
    return {"honest logins": succeeded, "slowest in ms": round(slowest)}


def test_hostile_clients(checks, options, report):
    groups = [tuple([one]) for group in TOGETHER for one in group] if options.one_by_one else TOGETHER
    with Server(nas={"pgw": {}, "other": SECOND_CORE}, log={"level": "error"}, limits=LIMITS) as server:
        app, process = server.create_app(), server.process.pid
        for name, port in (("device", server.device), ("server", server.server)):
            crowd_of_one(checks, port, process, PER_ADDRESS, f"{name}: one address holds {PER_ADDRESS} connections")
        bench = Bench(server, app, "--rate", options.rate, "--seconds", 40 * len(groups) * (options.each + 4),
                      "--interim", 5, "--phones", 300, "--timeout", 20)
        checks.that(eventually(bench.seconds, 20), "honest phones and app servers are at work", bench.errors)
        times = []
        for name, port in (("device", server.device), ("server", server.server)):
            for group in groups:
                # The app servers' answers are too short to fill a buffer in a test's time.
                group = [one for one in group if name == "device" or one[0] is not attacks.slow_readers]
                if not group:
                    continue
                began = time.monotonic()
                saw, faults, grown = under(group, port, process, options.each)
                about = " and ".join(one[3] for one in group)
                checks.equal(faults, [], f"{name}: under {about}: memory and descriptors are bounded (+{grown})")
                for seen, (_, _, ends, what) in zip(saw, group):
                    if ends:
                        checks.equal(seen["open at the end"], 0,
                                     f"{name}: {what}: none is left open when its time is over ({seen})")
                times.append((f"{name}: {about}", began, time.monotonic(), grown, faults))
        times += floods(checks, options, server, process)
        time.sleep(1.2)  # the last second's line
        for about, began, ended, grown, faults in times:
            report.add(about, {"memory": f"+{grown}", **honest(checks, bench, began, ended, about)}, faults)
        checks.equal(bench.stop(), 0, "in the whole time no honest login failed")
        summary = (bench.last("summary") or {}).get("run", {}).get("steps", {})
        checks.equal(summary.get("update", {}).get("failed"), 0, "every honest Interim-Update was answered")
        checks.note(f"honest in all: {summary.get('login')}")
        checks.equal(server.ready()[0], 200, "the server is ready afterwards")
        checks.that(eventually(lambda: sample(process).descriptors < 100, 10),
                    "and has let go of every connection", sample(process))


def floods(checks, options, server, process):
    times = []
    for about, source, secret, a_second in (
            ("a flood of accounting from a stranger", "127.0.0.77", "not the secret", 10_000),
            ("a flood of accounting from a known source under a wrong secret", "127.0.0.9", "not the secret", 10_000),
            ("a flood of well-signed accounting, twice over its rate", "127.0.0.9", SECRET, 2 * FLOOD_RATE)):
        began, before = time.monotonic(), sample(process)
        with Watch(process, every=0.1) as watch:
            saw = attacks.flood(server.accounting, options.each - 1, source, secret, "flood", a_second=a_second)
            time.sleep(0.2)
        faults = verdict(before, watch.samples, 0)
        grown = mebibytes(max(seen.memory for seen in watch.samples) - before.memory)
        checks.equal(faults, [], f"{about}: memory and descriptors are bounded (+{grown}, {saw})")
        times.append((about, began, time.monotonic(), grown, faults))
    return times


def test_a_naive_double(checks):
    """A server written in an afternoon falls under the same attacks."""
    (port,) = free_ports(1)
    double = start([sys.executable, "-B", str(Path(__file__).parents[1] / "support/unlimited.py"), str(port)],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    checks.that(eventually(lambda: attacks.connect(port, "127.0.0.1"), 5), "the naive server listens")
    for one in ((attacks.huge_bodies, 10, True, "bodies of a gibibyte"),
                (attacks.idle, 300, True, "silent connections")):
        (saw,), faults, _ = under([one], port, double.pid, 2)
        checks.that(faults and saw["open at the end"], f"a server without limits falls under {one[3]}: {faults}", saw)


def test_a_limitless_double(checks):
    """The real server with its limits configured away falls as well: the limits are what holds."""
    with Server(log={"level": "error"}, limits=NO_LIMITS) as server:
        process = server.process.pid
        crowd_of_one(checks, server.device, process, 3 * PER_ADDRESS,
                     "with limits configured away, one address holds as many as it likes")
        (saw,), faults, _ = under([(attacks.idle, 300, True, "")], server.device, process, PATIENCE + 1)
        checks.that(faults and saw["open at the end"] == saw["opened"],
                    f"with limits configured away, silent connections stay for ever: {faults}", saw)
        (saw,), _, _ = under([(attacks.slow_headers, 50, True, "")], server.device, process, PATIENCE + 1)
        checks.that(saw["open at the end"] == saw["opened"], f"and so do headers that come byte by byte: {saw}", saw)
