"""Contracts, free calls, limits and bills (docs/operations/apps.md, Contracts and bills), from the operator's commands
to the sum of a month.

Under a storm with kills four sources agree: the statement, the ledger, the events of a callback's receiver, and the
answers to app servers. The store is SQLite or PostgreSQL.

    test_bills.py                    three kills on each
    test_bills.py --rounds 50        more of them
"""

import random
import time
from datetime import datetime
from decimal import Decimal

import pytest

from support import bills
from support.apart import books
from support.bills import command
from support.callbacks import NUMBER, PHONE, Receiver, Sender
from support.checks import eventually, first_json
from support.clock import JumpingClock
from support.operations import judge
from support.operators import CHINA, Backend
from support.provider import CertificateAuthority
from support.server import Server
from support.storm import Storm

pytestmark = pytest.mark.seconds(lambda options: 420 + 10 * options.rounds)
OPTIONS = {"rounds": 3, "seed": None, "phones": 6, "servers": 6}

RATES = {"released": "0.045", "matched": "0.0201", "differs": "0.000001"}


NOON = datetime.now(CHINA).replace(day=15, hour=12, minute=0, second=0, microsecond=0)


def at_noon(server):
    """Puts the clock of a server that does not run yet at noon in mid-month, so that neither day nor month ends in a
    test."""
    JumpingClock(server).jump_to(round(NOON.timestamp() - time.time()))
    return server


def day(ahead=0):
    """A day of UTC+8, as servers at noon have it."""
    return bills.day(ahead, NOON)


def agree(server, app, *arguments, rates=RATES):
    words = [word for name, rate in rates.items() for word in ("--rate", f"{name}={rate}")]
    return first_json(command(server, "app", "contract", "set", app["id"], "--reference", "2026-117", "--currency",
                              "CNY", *words,
                              "--json", *arguments))


def login(server, app, what="login"):
    token, situation, said = server.phone(what, app, PHONE)
    assert token, f"{situation}: {said}"
    return token


def test_free_calls_and_a_contract(checks):
    """Without a contract two calls a day are free. With one all of the day are billed, by unchangeable rates."""
    with at_noon(Server(log={"level": "warning"}, quotas={"free-per-day": "2"})) as server:
        server.attach("attach", PHONE, NUMBER)
        app, other = server.create_app(), server.create_app("--daily-quota", "3")
        backend = Backend(server.server)

        def verify(who):
            return backend.verify(who, login(server, who, "verify"), NUMBER)

        checks.equal([verify(app) for _ in range(3)], ["000", "000", "102315"],
                     "the third of two free calls is refused as the document has it")
        late = login(server, app)
        checks.equal(backend.redeem(app, late)[0], "103911", "and so is another interface, in its own words")
        checks.equal([verify(other) for _ in range(4)], ["000", "000", "000", "102315"],
                     "an app with a quota of its own has that")
        shown = command(server, "ledger", "statement", app["id"])
        checks.that("2 answers without a contract: free" in shown and "total" not in shown,
                    "the statement says that they are free", shown)
        contract = first_json(command(server, "app", "contract", "show", app["id"], "--json"))
        checks.equal((contract["entry"], contract["dailyQuota"]), (None, 2), "and the contract that there is none")

        agreed = agree(server, app, "--from", day(), "--daily-limit", "5", "--monthly-limit", "4")
        checks.equal((agreed["entry"]["entry"], agreed["dailyQuota"], agreed["monthlyQuota"]), (1, 5, 4),
                     "terms hold at once")
        checks.equal(backend.redeem(app, late), ("103000", NUMBER), "the token that was refused was not spent")
        checks.equal([backend.verify(app, login(server, app, "verify"), NUMBER[:-1] + "9"), verify(app)],
                     ["001", "102315"],
                     "the month's limit counts what was answered before the contract")
        said = first_json(command(server, "ledger", "statement", app["id"], "--json"))
        checks.equal([(charge["result"], charge["answers"], charge["rate"], charge["amount"])
                      for charge in said["charges"]],
                     [("differs", 1, "0.000001", "0.000001"), ("matched", 2, "0.0201", "0.0402"),
                      ("released", 1, "0.045", "0.045")],
                     "each answer of the day has its rate")
        checks.equal((said["totals"], said["free"]), ([{"currency": "CNY", "amount": "0.085201"}], 0),
                     "and the sum is exact")
        sheet = bills.table(command(server, "ledger", "statement", app["id"], "--csv"))
        checks.equal(sum(Decimal(row["amount"]) for row in sheet), Decimal("0.085201"), "the sheet adds up to it")

        for words, problem in ((("--from", day()), "terms that hold today"), (("--from", day(-1)), "is over"),
                               (("--until", day(0)), "is before the first day")):
            try:
                agree(server, app, *words)
                said = "taken"
            except Exception as error:
                said = str(error)
            checks.that(problem in said, f"terms {words[0]} {words[1]} are refused", said)
        next_terms = agree(server, app, "--until", day(9), rates={"released": "1"})
        checks.equal((next_terms["entry"]["entry"], next_terms["next"]["from"]), (1, day(1)), "others begin tomorrow")
        command(server, "app", "contract", "end", app["id"], "--last-day", day(3))
        listed = command(server, "app", "contract", "list", app["id"])
        checks.that(listed.count("entry") == 3 and "none from that day on" in listed, "all of it stays in the list",
                    listed)
        holds = {ahead: first_json(command(server, "app", "contract", "show", app["id"], "--day", day(ahead),
                                           "--json"))["entry"]
                 for ahead in (0, 1, 3, 4)}
        checks.equal([holds[ahead] and holds[ahead]["entry"] for ahead in (0, 1, 3, 4)], [1, 2, 2, None],
                     "each day has its terms")
        lines = first_json(command(server, "audit", "--app", app["id"], "--json"))["entries"]
        orders = [line["order"] for line in lines if line["order"].startswith("app.contract")
                  and line["outcome"] == "success"]
        checks.equal(orders, ["app.contract.end", "app.contract.set", "app.contract.set"], "each order left its line")
        backend.close()


def test_a_numbers_day(checks):
    """A contract may say how many tokens one number is given in a day, whatever becomes of them."""
    with at_noon(Server(log={"level": "warning"})) as server:
        server.attach("attach", PHONE, NUMBER)
        server.attach("attach", "127.8.40.2", "13800000042")
        app, other = server.create_app(), server.create_app()
        agree(server, app, "--from", day(), "--daily-limit-per-number", "2")
        backend = Backend(server.server)
        checks.equal(backend.redeem(app, login(server, app)), ("103000", NUMBER), "the first is used")
        login(server, app, "verify")
        situation = server.phone("login", app, PHONE)[1]
        checks.equal(situation, "number_quota_exceeded", "the third is refused")
        checks.that(server.phone("login", app, "127.8.40.2")[0] and server.phone("login", other, PHONE)[0],
                    "another number and another app have their own")
        server.kill9()
        server.start()
        server.attach("update", PHONE, NUMBER)
        checks.equal(server.phone("login", app, PHONE)[1], "number_quota_exceeded", "a restart forgets no count")
        backend.close()


def test_the_judge(checks):
    bills.self_test(checks)


@pytest.mark.parametrize(
    "engine", [pytest.param("sqlite", marks=pytest.mark.long("test_kill9.py kills one with SQLite")), "postgres"])
def test_kills(checks, options, request, engine):
    """Whatever the moment of a kill, no unanswered call is billed, and the four sources agree."""
    chance = random.Random(options.seed)
    authority = CertificateAuthority()
    postgres = request.getfixturevalue("postgres") if engine == "postgres" else None
    beside = {"store": {"postgres": postgres.place}} if postgres else {}
    with Receiver(authority) as receiver, Sender(authority, receiver.port, beside=beside) as server:
        app = server.create_app()
        server.register(app, receiver)
        bills.from_today(lambda today: agree(server, app, "--from", today, "--daily-limit", "1000000",
                                             "--monthly-limit", "1000000",
                                             "--daily-limit-per-number", "100000"))
        storm = Storm(server, app, phones=options.phones, servers=options.servers, seed=options.seed,
                      network="127.8.42")
        storm.start()
        for number in range(options.rounds):
            before = len(storm.wins)
            eventually(lambda before=before: len(storm.wins) > before + 10, 20)
            time.sleep(chance.uniform(0.1, 1.0))
            server.kill9()
            storm.server_is_gone()
            if postgres and number % 2:
                postgres.stop_at_once()
                postgres.start()
            server.start()
            storm.server_is_back()
        before = len(storm.wins)
        eventually(lambda: len(storm.wins) > before + 10, 20)
        storm.stop()
        storm.ask_again()
        # Events that a dead process had claimed come back when its lease ends.
        waited = eventually(lambda: not server.deliveries(app, "--state", "waiting"), 120)
        checks.that(waited, f"{engine}: every event was delivered", server.deliveries(app, "--state", "waiting")[:3])
        found = bills.evidence(server, app, receiver, storm.history,
                               {name: Decimal(rate) for name, rate in RATES.items()})
        said = books(postgres) if postgres else storm.books()
        server.stop()
    faults = [*judge(storm.history, said), *bills.judge(found)]
    checks.equal([str(fault) for fault in faults[:8]], [],
                 f"{engine}: after {options.rounds} kills statement, ledger, callbacks and answers agree")
    checks.that(len(found.lines) > 10 * options.rounds, f"{engine}: the storm was billed", len(found.lines))
    checks.equal(receiver.refused, [], f"{engine}: every signature was right")
    doubles = len(found.events) - len({name for name, _, _ in found.events})
    checks.note(f"{engine}: {options.rounds} kills, {len(found.lines)} lines, {found.totals}, {doubles} doubles, "
                f"{storm.figures()}")
