"""What an app is billed, as five witnesses tell it, and what they must agree on.

The statement, the ledger's lines, the events that a callback's receiver got, and the answers that app servers hold: each comes from
another place. `judge` takes what they said and knows no server and no database. Amounts are decimal numbers, and no sum is rounded.
"""

import copy
import csv
import io
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal

from .checks import Stop, first_json
from .operations import Fault, is_success, is_unsure

# The ledger's word for each answer that spends a token.
RESULTS = {"103000": "released", "000": "matched", "001": "differs"}


@dataclass
class Evidence:
    """Of one app and month; `rates` are the contract's, by the ledger's word."""

    statement: dict
    sheet: list  # rows of the statement's CSV, by column
    lines: list  # (trace, result) of the ledger
    events: list  # (event's id, trace, result) as often as they came
    history: list = field(default_factory=list)
    rates: dict = field(default_factory=dict)


def command(server, *words):
    done = server.command(*words, "--config", server.configuration)
    if done.returncode != 0:
        raise Stop(f"benji {words}: {done.stdout} {done.stderr}")
    return done.stdout


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def evidence(server, app, receiver, history, rates):
    """Asks the program itself, whatever it keeps its books in."""
    month = ("ledger", "statement", app["id"])
    with receiver.lock:
        events = [(event["id"], event["data"]["trace"], event["data"]["result"]) for event in receiver.events]
    lines = [(row["trace"], row["result"]) for row in table(command(server, "ledger", "list", app["id"], "--csv"))]
    return Evidence(first_json(command(server, *month, "--json")), table(command(server, *month, "--csv")), lines, events, list(history), rates)


def judge(found):
    """Every disagreement."""
    lines = Counter(result for _, result in found.lines)
    return [*judge_statement(found, lines), *judge_events(found), *judge_answers(found, lines)]


def judge_statement(found, lines):
    faults = []

    def hold(rule, is_so, says):
        if not is_so:
            faults.append(Fault(rule, says))

    said = found.statement
    hold("statement", said["reconciled"] is True, "the statement and the count of the quota differ")
    hold("statement", said["answers"] == len(found.lines), f"{said['answers']} answers for {len(found.lines)} lines of the ledger")
    charged = {charge["result"]: charge for charge in said["charges"]}
    hold("statement", len(charged) == len(said["charges"]) and not said["free"], "an answer is charged twice, or free under a contract")
    hold("statement", {result: charge["answers"] for result, charge in charged.items()} == dict(lines),
         f"charges for {charged} of {dict(lines)}")
    for result, charge in charged.items():
        rate = found.rates.get(result)
        hold("amount", (charge.get("rate") is None) if rate is None else (
            Decimal(charge["rate"]) == rate and Decimal(charge["amount"]) == rate * lines[result]),
             f"{charge} at {rate} for {lines[result]} lines")
    owed = sum((found.rates.get(result, 0) * count for result, count in lines.items()), Decimal(0))
    hold("amount", sum(Decimal(total["amount"]) for total in said["totals"]) == owed, f"{said['totals']} are not {owed}")
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
               for op, token, outcome in (("redeem", "a", "103000"), ("redeem", "a", "104201"), ("verify", "b", "000"), ("redeem", "c", "103000"))]
    history.append({"op": "redeem", "token": "d", "start": 3, "end": None, "outcome": None})
    good = Evidence(
        {"reconciled": True, "answers": 4, "free": 0, "totals": [{"currency": "CNY", "amount": "0.1551"}], "charges": [
            {"result": "matched", "answers": 1, "rate": "0.0201", "amount": "0.0201"},
            {"result": "released", "answers": 3, "rate": "0.045", "amount": "0.135"}]},
        [{"answers": "1", "amount": "0.0201"}, {"answers": "3", "amount": "0.135"}],
        [("1", "released"), ("2", "matched"), ("3", "released"), ("4", "released")],
        [("e1", "1", "released"), ("e2", "2", "matched"), ("e2", "2", "matched"), ("e3", "3", "released"), ("e4", "4", "released")],
        history, rates)
    checks.equal([str(fault) for fault in judge(good)], [], "witnesses that agree are believed, doubles and a lost answer included")

    def wrong(rule, what, change):
        bad = copy.deepcopy(good)
        change(bad)
        checks.that(rule in {fault.rule for fault in judge(bad)}, f"{what} is noticed", [str(fault) for fault in judge(bad)])

    wrong("statement", "an answer that the statement charges twice", lambda bad: bad.statement["charges"][1].update(answers=4, amount="0.18"))
    wrong("statement", "a free answer under a contract", lambda bad: bad.statement.update(free=1))
    wrong("statement", "a count that differs", lambda bad: bad.statement.update(reconciled=False))
    wrong("amount", "a rounded amount", lambda bad: bad.statement["charges"][0].update(amount="0.02"))
    wrong("amount", "a rounded total", lambda bad: bad.statement["totals"][0].update(amount="0.16"))
    wrong("sheet", "a sheet with another sum", lambda bad: bad.sheet.pop())
    wrong("told", "an event that never came", lambda bad: bad.events.pop())
    wrong("told", "an event of an answer that was not billed", lambda bad: bad.events.append(("e5", "5", "released")))
    wrong("told", "two events of one line", lambda bad: bad.events.append(("e5", "4", "released")))
    wrong("answers", "an answer that was not billed", lambda bad: bad.history.append(
        {"op": "redeem", "token": "e", "start": 5, "end": 6, "outcome": "103000"}) or bad.history.append(
        {"op": "redeem", "token": "f", "start": 5, "end": 6, "outcome": "103000"}))
    wrong("answers", "a line that nobody can have earned", lambda bad: bad.history.pop())
