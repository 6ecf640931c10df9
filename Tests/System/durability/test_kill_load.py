"""benji serve is killed with SIGKILL under a storm of logins and redemptions, and started again.

Phones get tokens, app servers spend them on many connections at once, often several for one token. Whatever the moment
of a kill: nothing that was answered is lost, nothing is billed twice, no token is won twice. The judge reads the
history of all operations and the server's own books.

    test_kill_load.py                          about 15 kills
    test_kill_load.py --rounds 200             the storm (make kill-storm ROUNDS=200)
    test_kill_load.py --seed 7                 the same choices again; where in a write a kill falls remains the
    machine's test_kill_load.py --history storm.jsonl    keeps the history
    test_kill_load.py --judge storm.jsonl      judges a history that was kept, without a server
"""

import random
import shutil
import time

import pytest

from support import operations
from support.checks import eventually
from support.server import Server
from support.storm import Storm

pytestmark = pytest.mark.seconds(lambda options: 90 + 4 * options.rounds)
OPTIONS = {"rounds": 15, "seed": None, "report": None, "phones": 10, "servers": 10, "history": None, "judge": None}

# A restarted server is given this long before the next kill, so that the storm is under way again.
SHORTEST, LONGEST = 0.05, 0.8


def test_a_forgetful_double(checks, options):
    """The real server, given back an old copy of its files at one of the kills: a disk that forgets. The judge must
    find the losses."""
    with Server(log={"level": "error"}) as double:
        storm = Storm(double, double.create_app(), phones=4, servers=6, seed=options.seed, network="127.8.31")
        storm.start()
        old = double.folder / "old"
        for step in range(3):
            before = len(storm.secrets)
            eventually(lambda: len(storm.secrets) > before + 10, 10)
            time.sleep(0.5)
            double.kill9()
            storm.server_is_gone()
            if step == 1:
                for name in ("benji.sqlite", "benji.sqlite-wal", "benji.sqlite-shm"):
                    (double.data / name).unlink(missing_ok=True)
                    if (old / name).exists():
                        shutil.copy(old / name, double.data / name)
            if step == 0:
                shutil.copytree(double.data, old)
            double.start()
            storm.server_is_back()
        time.sleep(0.3)
        storm.stop()
        double.stop()
        rules = {fault.rule for fault in storm.faults()}
    checks.that("kept" in rules, "a double that is given back old files at a kill has lost tokens, and is condemned",
                rules)
    # An old token that is gone, or answered twice, shows in the answers alone.
    checks.note(f"it broke: {', '.join(sorted(rules))}")


def test_a_storm_of_kills(checks, options, report):
    random_source = random.Random(options.seed)
    began = time.monotonic()
    with Server(log={"level": "error"}) as server:
        storm = Storm(server, server.create_app(), phones=options.phones, servers=options.servers, seed=options.seed)
        storm.start()
        missed, slowest = 0, 0.0
        for number in range(options.rounds):
            time.sleep(random_source.uniform(SHORTEST, LONGEST))
            server.kill9()
            storm.server_is_gone()
            back = time.monotonic()
            server.start()
            slowest = max(slowest, time.monotonic() - back)
            missed += len(storm.server_is_back())
            if options.rounds > 40 and number % 20 == 19:
                checks.note(f"{number + 1} kills, {storm.figures()}")
        time.sleep(0.5)
        storm.stop()
        asked = storm.ask_again()
        server.stop()
        if options.history:
            storm.recorder.write(options.history)
        figures = storm.figures()
        faults = storm.faults()
    figures |= {"kills": options.rounds, "seconds": round(time.monotonic() - began),
                "slowest restart in s": round(slowest, 2)}
    checks.note(f"{figures}, asked again {asked}")
    checks.note(f"other answers: {dict(storm.unexpected)}")
    checks.equal([str(fault) for fault in faults[:5]], [],
                 f"{options.rounds} kills, {figures['won']} tokens won: nothing answered is lost, none is won or "
                 "billed twice")
    checks.equal(missed, 0, "after each restart the gateway answers accounting again")
    checks.that(figures["won"] >= options.rounds and figures["answers lost"] >= options.rounds,
                "the storm was one: more tokens won than kills, and each kill took answers with it", figures)
    checks.that(figures["tokens shown more than once"] >= figures["tokens issued"] / 4,
                "a quarter of the tokens was shown by several connections", figures)
    report.add("kills under redemptions", figures, faults)


def test_the_judge(checks):
    operations.self_test(checks)


@pytest.mark.wants("judge")
def test_a_kept_history(checks, options):
    faults = operations.judge(operations.read(options.judge))
    checks.equal([str(fault) for fault in faults[:10]], [], f"{options.judge}: nothing is won twice, lost or another's")
