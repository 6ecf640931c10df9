"""The bill of an app as five witnesses report it, and the facts that they must agree on.

The statement, the ledger's lines, the events that a callback's receiver got, and the answers that app servers hold:
each comes from another place. `judge` takes what they said and knows no server and no database. Amounts are decimal
numbers, and no sum is rounded. """

import copy
import csv
import io
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from .checks import Stop, first_json
from .operations import Fault, is_success, is_unsure
from .operators import CHINA, month_of

# The ledger's word for each answer that spends a token.
RESULTS = {"103000": "released", "000": "matched", "001": "differs"}


@dataclass
class Evidence:
    """Of one app; `rates` are the contract's, by the ledger's word."""

    statements: list  # one of each month
    sheet: list  # rows of the statements' CSV, by column
    lines: list  # (trace, result) of the ledger
    events: list  # (event's id, trace, result) as often as they came
    history: list = field(default_factory=list)
    rates: dict = field(default_factory=dict)

    @property
    def totals(self):
        return [total for each in self.statements for total in each["totals"]]


def command(server, *words):
    done = server.command(*words, "--config", server.configuration)
    if done.returncode != 0:
        raise Stop(f"benji {words}: {done.stdout} {done.stderr}")
    return done.stdout


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def day(ahead=0, at=None):
    """A day of UTC+8, counted from that of a moment, or from today."""
    return ((at or datetime.now(CHINA)) + timedelta(days=ahead)).strftime("%Y-%m-%d")


def from_today(order):
    """Calls `order` with today's date in UTC+8. Calls it again if midnight passed before the order arrived."""
    try:
        return order(day())
    except Stop as refused:
        if "is over" not in str(refused):
            raise
        return order(day())


def evidence(server, app, receiver, history, rates):
    """Asks the program itself, whatever it keeps its books in. A month may have ended since the first answer."""
    with receiver.lock:
        events = [(event["id"], event["data"]["trace"], event["data"]["result"]) for event in receiver.events]
    rows = table(command(server, "ledger", "list", app["id"], "--csv"))
    months = {month_of(datetime.strptime(row["time"], "%Y-%m-%dT%H:%M:%S%z").timestamp() * 1000) for row in rows}
    words = [("ledger", "statement", app["id"], "--month", month) for month in sorted(months)]
    return Evidence([first_json(command(server, *each, "--json")) for each in words],
                    [row for each in words for row in table(command(server, *each, "--csv"))],
                    [(row["trace"], row["result"]) for row in rows], events, list(history), rates)


def judge(found):
    """Every disagreement."""
    lines = Counter(result for _, result in found.lines)
    return [*judge_statement(found, lines), *judge_events(found), *judge_answers(found, lines)]


def judge_statement(found, lines):
    faults = []

    def hold(rule, is_so, says):
        if not is_so:
            faults.append(Fault(rule, says))

    charged, answers = Counter(), 0
    for said in found.statements:
        hold("statement", said["reconciled"] is True, "the statement and the count of the quota differ")
        hold("statement",
             len({charge["result"] for charge in said["charges"]}) == len(said["charges"]) and not said["free"],
             "an answer is charged twice, or free under a contract")
        answers += said["answers"]
        for charge in said["charges"]:
            charged[charge["result"]] += charge["answers"]
            rate = found.rates.get(charge["result"])
            hold("amount", (charge.get("rate") is None) if rate is None else (
                Decimal(charge["rate"]) == rate and Decimal(charge["amount"]) == rate * charge["answers"]),
                 f"{charge} at {rate}")
    hold("statement", answers == len(found.lines), f"{answers} answers for {len(found.lines)} lines of the ledger")
    hold("statement", dict(charged) == dict(lines), f"charges for {charged} of {dict(lines)}")
    owed = sum((found.rates.get(result, 0) * count for result, count in lines.items()), Decimal(0))
    totals = found.totals
    hold("amount", sum(Decimal(total["amount"]) for total in totals) == owed, f"{totals} are not {owed}")
    hold("sheet", sum(int(row["answers"]) for row in found.sheet) == len(found.lines), "the sheet has other answers")
    hold("sheet", sum(Decimal(row["amount"] or 0) for row in found.sheet) == owed, "the sheet has another sum")
    return faults


def judge_events(found):
    told = {}
    faults = []
    for name, trace, result in found.events:
        if told.setdefault(name, (trace, result)) != (trace, result):
            faults.append(Fault("told", f"{name} tells two things"))
    (untold, unbilled) = (Counter(found.lines) - Counter(told.values()), Counter(told.values()) - Counter(found.lines))
    if untold:
        faults.append(Fault("told", f"{sum(untold.values())} lines of the ledger were told to nobody"))
    if unbilled:
        faults.append(Fault("told", f"{sum(unbilled.values())} events tell of answers that are not in the ledger"))
    return faults


def judge_answers(found, lines):
    held, unsure = Counter(), Counter()
    attempts = {}
    for operation in found.history:
        if operation["op"] in ("redeem", "verify") and operation["token"]:
            attempts.setdefault((operation["token"], operation["op"]), []).append(operation)
    for (_, op), tries in attempts.items():
        won = [operation for operation in tries if is_success(operation)]
        for operation in won:
            held[RESULTS[operation["outcome"]]] += 1
        if not won and any(is_unsure(operation) for operation in tries):
            unsure[op] += 1
    faults = []
    for op, results in (("redeem", ("released",)), ("verify", ("matched", "differs"))):
        billed, answered = (sum(count[result] for result in results) for count in (lines, held))
        if not answered <= billed <= answered + unsure[op]:
            faults.append(Fault("answers", f"{op}: {billed} billed, {answered} answered, {unsure[op]} may have been"))
        faults += [Fault("answers", f"{held[result]} answers {result}, {lines[result]} billed") for result in results
                   if held[result] > lines[result]]
    return faults


def self_test(checks):
    """Evidence that agrees is accepted; with any one witness changed, it is not."""
    rates = {"released": Decimal("0.045"), "matched": Decimal("0.0201")}
    history = [{"op": op, "token": token, "start": 1, "end": 2, "outcome": outcome}
               for op, token, outcome in (("redeem", "a", "103000"), ("redeem", "a", "104201"), ("verify", "b", "000"),
                                          ("redeem", "c", "103000"))]
    history.append({"op": "redeem", "token": "d", "start": 3, "end": None, "outcome": None})
    good = Evidence(
        [{"reconciled": True, "answers": 3, "free": 0, "totals": [{"currency": "CNY", "amount": "0.1101"}], "charges": [
            {"result": "matched", "answers": 1, "rate": "0.0201", "amount": "0.0201"},
            {"result": "released", "answers": 2, "rate": "0.045", "amount": "0.09"}]},
         {"reconciled": True, "answers": 1, "free": 0, "totals": [{"currency": "CNY", "amount": "0.045"}], "charges": [
             {"result": "released", "answers": 1, "rate": "0.045", "amount": "0.045"}]}],
        [{"answers": "1", "amount": "0.0201"}, {"answers": "2", "amount": "0.09"}, {"answers": "1", "amount": "0.045"}],
        [("1", "released"), ("2", "matched"), ("3", "released"), ("4", "released")],
        [("e1", "1", "released"), ("e2", "2", "matched"), ("e2", "2", "matched"), ("e3", "3", "released"),
         ("e4", "4", "released")],
        history, rates)
    checks.equal([str(fault) for fault in judge(good)], [],
                 "witnesses that agree are believed, doubles, a lost answer and two months included")

    def wrong(rule, what, change):
        bad = copy.deepcopy(good)
        change(bad)
        checks.that(rule in {fault.rule for fault in judge(bad)}, f"{what} is noticed",
                    [str(fault) for fault in judge(bad)])

    wrong("statement", "an answer that the statement charges twice", lambda bad: bad.statements[0]["charges"][1].update(
        answers=3, amount="0.135"))
    wrong("statement", "a free answer under a contract", lambda bad: bad.statements[0].update(free=1))
    wrong("statement", "a count that differs", lambda bad: bad.statements[1].update(reconciled=False))
    wrong("statement", "a month that is left out", lambda bad: bad.statements.pop())
    wrong("amount", "a rounded amount", lambda bad: bad.statements[0]["charges"][0].update(amount="0.02"))
    wrong("amount", "a rounded total", lambda bad: bad.statements[0]["totals"][0].update(amount="0.11"))
    wrong("sheet", "a sheet with another sum", lambda bad: bad.sheet.pop())
    wrong("told", "an event that never came", lambda bad: bad.events.pop())
    wrong("told", "an event of an answer that was not billed", lambda bad: bad.events.append(("e5", "5", "released")))
    wrong("told", "two events of one line", lambda bad: bad.events.append(("e5", "4", "released")))
    wrong("answers", "an answer that was not billed", lambda bad: bad.history.append(
        {"op": "redeem", "token": "e", "start": 5, "end": 6, "outcome": "103000"}) or bad.history.append(
        {"op": "redeem", "token": "f", "start": 5, "end": 6, "outcome": "103000"}))
    wrong("answers", "a line that nobody can have earned", lambda bad: bad.history.pop())
