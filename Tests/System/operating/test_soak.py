"""benji serve under steady logins for a long time: does it stay as large as it is?

Phones and app servers (`benji bench`) log in at half the rate that the machine was found to keep up with. Memory,
descriptors, threads, the data folder and the time of a login are looked at all the while. Flat means: the straight line
through the second half of the run rises by less than 5 %. Data that a login leaves in memory on purpose is forgotten
after ten minutes. A run whose second half begins earlier may grow by a stated amount, and sees large leaks only.

    test_soak.py                                  25 seconds at 20 logins a second, and the history is judged
    test_soak.py --duration 1800 --maximum        half an hour at half the maximum (make soak)
    test_soak.py --report soak.md                 writes a report, with a plot in soak.svg
"""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support import flat, operations
from support.bench import Bench
from support.checks import Stop, end, eventually, first_json, start
from support.report import origin
from support.server import Server, environment
from support.watch import Watch, mebibytes, sample

pytestmark = pytest.mark.seconds(lambda options: options.duration + 300 + 600 * options.maximum)
OPTIONS = {"duration": 25, "rate": None, "maximum": False, "report": None}

# Proofs are remembered for four minutes, prefetches of a number are counted for ten (docs/load.md).
WARM_AFTER = 600
# Before that: what a login may leave, and what an allocator that is settling may take.
PER_LOGIN, SETTLING = 2048, 24 << 20
# Connections of the moment when a sample is taken.
BUSY_DESCRIPTORS = 200


def allowance(duration, logins):
    """How much memory may grow in the second half beyond 5 %, in bytes."""
    return 0 if duration / 2 >= WARM_AFTER else SETTLING + PER_LOGIN * logins / 2


def test_the_judge(checks):
    """The judge must condemn what leaks and accept what does not; and the sampler must see a process that leaks."""
    source = random.Random(1)
    base, half_an_hour = 200 << 20, range(0, 1800, 2)
    noise = lambda: source.uniform(-3, 3) * (1 << 20)
    for points, is_fault, sentence in (
            ([(at, base + noise()) for at in half_an_hour], False, "noise around a level"),
            ([(at, base + min(at, 700) * 200_000 + noise()) for at in half_an_hour], False, "a level that is reached"),
            ([(at, base + (at % 300) * 30_000 + noise()) for at in half_an_hour], False, "a saw that comes back"),
            ([(at, base - at * 20_000 + noise()) for at in half_an_hour], False, "memory that is given back"),
            ([(at, base + at * 20_000 + noise()) for at in half_an_hour], True,
             "a leak of 200 bytes a login at 100 logins a second"),
            ([(at, base + (at > 1300) * (40 << 20) + noise()) for at in half_an_hour], True, "a step late in the run"),
            ([(at, base + (at / 1800) ** 3 * (60 << 20) + noise()) for at in half_an_hour], True,
             "a leak that gets worse"),
            ([(at, base) for at in range(5)], True, "a run that was hardly looked at")):
        said = flat.fault(points)
        checks.that((said is not None) == is_fault,
                    f"the judge {'condemns' if is_fault else 'accepts'}: {sentence}", said)
    for line, leaks in (("kept.append(b'x' * (1 << 20))", True), ("kept = [b'x' * (1 << 20)]", False)):
        # Looked at after each step, however long that takes.
        code = f"import sys\nkept = []\nfor _ in sys.stdin:\n    {line}\n    print(flush=True)\n"
        process = start([sys.executable, "-B", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        points = []
        for step in range(100):
            print(file=process.stdin, flush=True)
            process.stdout.readline()
            points.append((step, sample(process.pid).memory))
        process.stdin.close()
        said = flat.fault(points)
        sentence = "leaks is condemned" if leaks else "does not leak is accepted"
        checks.that((said is not None) == leaks, f"the sampler's series of a process that {sentence}", said)


def maximum(server):
    """The rate that a fresh server of the bench's own keeps up with, found by stepping up."""
    bench = start([server.binary, "bench", "--maximum", "--json", "--seconds", "6", "--folder", str(server.folder)],
                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                  env=environment())
    try:
        said, errors = bench.communicate(timeout=600)
    except BaseException:  # it ends its server only if it is asked to end
        end(bench, ((signal.SIGTERM, 20), (signal.SIGKILL, 5)))
        raise
    found = first_json(said.strip().splitlines()[-1] if said.strip() else "")
    if not found or not found.get("rate"):
        raise Stop(f"no rate held: {said[-600:]} {errors[-600:]}")
    return float(found["rate"])


def rows(server):
    """How many rows each table holds, largest first."""
    with sqlite3.connect(server.data / "benji.sqlite", timeout=10) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        counts = {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def test_soak(checks, options):
    with Server(log={"level": "error"}) as server:
        highest = maximum(server) if options.maximum else None
        rate = options.rate or (highest / 2 if highest else 20)
        app = server.create_app()
        history = server.folder / "history.jsonl"
        keeps = ["--history", history] if options.duration <= 120 else []
        checks.note(f"{rate:.1f} logins a second for {options.duration} s"
                    + (f", half of {highest:.1f}" if highest else ""))
        with Watch(server.process.pid, server.data, every=max(0.2, options.duration / 1800)) as watch:
            bench = Bench(server, app, "--rate", rate, "--seconds", options.duration, *keeps)
            if not eventually(bench.seconds, 120):
                raise Stop(f"the bench does not begin: {bench.errors}")
            began = bench.seconds()[0]["heard"] - bench.seconds()[0]["at"]
            status = bench.wait(options.duration + 120)
            ended = time.monotonic()
        samples = [seen for seen in watch.samples if began <= seen.at <= ended]
        counts = rows(server)
        server.stop()
        steps = (bench.last("summary") or {}).get("run", {}).get("steps", {})
        login = steps.get("login", {"succeeded": 0, "failed": 0, "failures": {}})
        checks.equal((status, login["failed"]), (0, 0),
                     f"every one of {login['succeeded']} logins succeeds, and every update of a session is answered")
        judge(checks, options, samples, login["succeeded"])
        if keeps:
            faults = operations.judge(operations.read(history),
                                      operations.Books.of(server.data / "benji.sqlite").shortened())
            checks.equal([*map(str, faults[:5])], [],
                         "the judge accepts the history against the books: nothing is lost, won or billed twice")
        if options.report:
            write(options, checks, rate, highest, samples, bench, began, counts, steps)


def judge(checks, options, samples, logins):
    memory = [(seen.at, seen.memory) for seen in samples]
    extra = allowance(options.duration, logins)
    seen = flat.growth(memory)
    about = f"+{mebibytes(seen.amount)}, {seen.share:+.1%}, permitted 5 %" if seen else ""
    about += f" and {mebibytes(extra)}, as the run is too short to be warm" if extra else ""
    checks.equal(flat.fault(memory, allowance=extra), None, f"memory is flat in the second half ({about})")
    half = len(samples) // 2
    for name, slack in (("descriptors", BUSY_DESCRIPTORS), ("threads", 8)):
        first, second = (max(getattr(seen, name) for seen in part) for part in (samples[:half], samples[half:]))
        checks.that(second <= first + slack,
                    f"{name} do not grow: {first} at most in the first half, {second} in the second")
    grown = samples[-1].data - samples[0].data
    checks.note(f"the data folder grew by {mebibytes(grown)}, {grown / max(logins, 1):,.0f} bytes a login, as it must: "
                "see docs/load.md")


def write(options, checks, rate, highest, samples, bench, began, counts, steps):
    """A report in Markdown, with its plot."""
    path = Path(options.report)
    path.parent.mkdir(parents=True, exist_ok=True)
    plot = path.with_suffix(".svg")
    seconds = [event for event in bench.seconds() if event["login"]["succeeded"]]
    flat.draw(plot, [
        ("memory of the server, MiB", [(seen.at - began, seen.memory / (1 << 20)) for seen in samples]),
        ("99th percentile of a login by second, ms",
         [(event["at"], event["login"]["p99"] / 1000) for event in seconds]),
        ("data folder, MiB", [(seen.at - began, seen.data / (1 << 20)) for seen in samples]),
    ])
    memory = flat.growth([(seen.at, seen.memory) for seen in samples])
    login, middle = steps.get("login", {}), len(samples) // 2
    data = samples[-1].data - samples[0].data
    lines = ["# Soak", "", f"`benji serve` under {rate:.1f} logins a second for {options.duration} seconds"
             + (f", half of the {highest:.1f} that it was found to keep up with" if highest else "") + ".", "",
             f"![memory, time of a login and data folder over time]({plot.name})", "", "| | |", "|---|---|",
             f"| logins that succeeded | {login.get('succeeded', 0):,} |",
             f"| that failed | {login.get('failed', 0):,} |",
             f"| memory at the start, in the middle, at the end | {mebibytes(samples[0].memory)}, "
             f"{mebibytes(samples[middle].memory)}, {mebibytes(samples[-1].memory)} |",
             f"| line through the second half | {mebibytes(memory.start)} to {mebibytes(memory.end)}, "
             f"{memory.share:+.2%} |",
             f"| most descriptors, threads | {max(seen.descriptors for seen in samples)}, "
             f"{max(seen.threads for seen in samples)} |",
             f"| data folder | +{mebibytes(data)}, {data / max(login.get('succeeded', 0), 1):,.0f} bytes a login |",
             f"| rows | {', '.join(f'{name} {count:,}' for name, count in counts.items() if count)} |", "",
             "| step | p50 ms | p90 ms | p99 ms | max ms |", "|---|---|---|---|---|"]
    lines += [f"| {name} | " + " | ".join(f"{step[key] / 1000:.1f}" for key in ("p50", "p90", "p99", "max")) + " |"
              for name, step in steps.items() if name != "start"]
    command = f"test_soak.py --duration {options.duration}{' --maximum' if options.maximum else ''}"
    lines += ["", origin(command, checks, after_cores=", which the load shared;"), ""]
    path.write_text("\n".join(lines))
    checks.note(f"report: {path}, plot: {plot}")
