"""The requests of phones and app servers, their answers, and the faults that such a history must never have.

A history is a list of operations, one JSON object a line:

    {"start": µs, "end": µs, or null if no answer came, "op": "start|prefetch|authorize|redeem|verify",
     "phone": index, "app": id, "token": first characters of the token's SHA-256 in hexadecimal, or null,
     "outcome": result code, or null, "released": index of the phone whose number was released or confirmed, or null}

The judge knows no server: it takes a history and, if there are, the books that the server kept. An operation whose
answer never came, or was that the store is unavailable, may have happened or not; every other answer counts. `start`
and `end` are of one clock for the whole history, across restarts.
"""

import hashlib
import json
import random
import sqlite3
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from .checks import PATIENCE

# Answers that spent the token. 001 says that the number is another one: it spends and is billed as well.
SPENT = {"redeem": {"103000"}, "verify": {"000", "001"}}
# Answers that the token is not, or not any more, to be had. The documents have one code for unknown, spent and expired.
GONE = {"redeem": {"104201"}, "verify": {"606"}}
# Answers that leave open whether the write happened.
UNSURE = {"redeem": {"103214", "103205"}, "verify": {"999"}}
ISSUED = {"success", "103000"}
# The shortest life of a token in the standard policy, in microseconds.
LIFETIME = 120_000_000
# How many characters of a token's hash stand for the token in a history.
SHORT = 16


def short_hash(token):
    return hashlib.sha256(token.encode()).hexdigest()[:SHORT]


def microseconds():
    return time.monotonic_ns() // 1000


class Recorder:
    """Writes a history down from many threads."""

    def __init__(self):
        self.operations = []
        self._lock = threading.Lock()

    def begin(self, op, phone=None, app=None, token=None, **more):
        """Booked before the request leaves: from then on it may have happened."""
        operation = {"start": microseconds(), "end": None, "op": op, "phone": phone, "app": app, "token": token,
                     "outcome": None, "released": None, **more}
        with self._lock:
            self.operations.append(operation)
        return operation

    @staticmethod
    def finish(operation, outcome, **more):
        operation.update(outcome=outcome, **more)
        operation["end"] = microseconds()

    def write(self, path):
        with open(path, "w") as file:
            file.writelines(json.dumps(operation) + "\n" for operation in self.operations)


def read(path):
    with open(path) as file:
        return [json.loads(line) for line in file if line.strip()]


@dataclass
class Books:
    """The content of a server's database: tokens by the hash of their texts, ledger and bill."""

    spent: dict = field(default_factory=dict)  # token hash -> (was it spent?, trace)
    ledger: Counter = field(default_factory=Counter)  # trace -> rows
    billed: int = 0
    damage: str | None = None

    @staticmethod
    def of(path):
        """Reads a database file without a server. What cannot be read is damage."""
        books = Books()
        try:
            database = sqlite3.connect(path, timeout=PATIENCE)
            try:
                (said,) = database.execute("PRAGMA integrity_check").fetchone()
                books.damage = None if said == "ok" else said
                for hashed, spent_at, trace in database.execute(
                    "SELECT lower(hex(substr(hash, -32))), spent_at, trace FROM token"):
                    books.spent[hashed] = (spent_at is not None, trace)
                for trace, rows in database.execute("SELECT trace, count(*) FROM ledger GROUP BY trace"):
                    books.ledger[trace] = rows
                (books.billed,) = database.execute("SELECT coalesce(sum(answered), 0) FROM billing_day").fetchone()
            finally:
                database.close()
        except sqlite3.Error as error:
            books.damage = str(error)
        return books

    def find(self, token):
        """(spent?, trace) of a token by the beginning of its hash, or None."""
        if token in self.spent:
            return self.spent[token]
        return next((state for hashed, state in self.spent.items() if hashed.startswith(token)), None)

    def shortened(self):
        """The same with token names as short as a history's, so that each is found at once."""
        return Books({hashed[:SHORT]: state for hashed, state in self.spent.items()}, self.ledger, self.billed,
                     self.damage)


@dataclass
class Fault:
    rule: str
    says: str

    def __str__(self):
        return f"{self.rule}: {self.says}"


def is_success(operation):
    return operation["end"] is not None and operation["outcome"] in SPENT.get(operation["op"], ())


def is_unsure(operation):
    return operation["end"] is None or operation["outcome"] in UNSURE.get(operation["op"], ())


def is_gone(operation):
    return operation["end"] is not None and operation["outcome"] in GONE.get(operation["op"], ())


def judge(history, books=None, lifetime=LIFETIME):
    """Every fault of a history; none if a server that keeps its promises could have given it."""
    faults = []
    issues, attempts = defaultdict(list), defaultdict(list)
    for operation in history:
        if operation["token"] is None:
            continue
        if operation["op"] == "authorize":
            issues[operation["token"]].append(operation)
        elif operation["op"] in SPENT:
            attempts[operation["token"]].append(operation)
    for token, issued in issues.items():
        if len(issued) > 1:
            faults.append(Fault("issued once", f"{token} was issued {len(issued)} times"))
    for token, tries in attempts.items():
        if token not in issues:
            faults.append(Fault("issued before it is shown", f"{token} was shown but never issued"))
            continue
        faults += judge_token(token, issues[token][0], tries, lifetime)
    if books is not None:
        faults += judge_books(issues, attempts, books)
    return faults


def judge_token(token, issue, tries, lifetime):
    faults = []
    won = sorted((operation for operation in tries if is_success(operation)), key=lambda operation: operation["start"])
    if len(won) > 1:
        kind = "real-time order" if won[1]["start"] > won[0]["end"] else "won once"
        faults.append(Fault(kind, f"{token} was answered with success {len(won)} times"))
    for operation in won:
        about = operation.get("claimed", operation["released"])
        if operation["outcome"] == "001":
            if about is not None and about == issue["phone"]:
                faults.append(Fault("own number", f"{token}: the number of phone {about} was denied to phone {about}"))
        elif operation["released"] != issue["phone"]:
            faults.append(Fault("own number", f"{token} of phone {issue['phone']} released {operation['released']}"))
    # The callers that could have spent it: those with a success, and those without an answer.
    spenders = [operation for operation in tries if is_success(operation) or is_unsure(operation)]
    for operation in tries:
        if not is_gone(operation):
            continue
        if operation["end"] >= issue["start"] + lifetime:
            continue  # it may have expired
        if not any(other["start"] < operation["end"] for other in spenders):
            faults.append(Fault("redeemable until spent", f"{token} was gone although nobody can have spent it"))
        late = next((other for other in won if other["start"] > operation["end"]), None)
        if late:
            faults.append(Fault("spent stays spent", f"{token} was gone, and was won afterwards"))
    return faults


def judge_books(issues, attempts, books):
    if books.damage:
        return [Fault("readable", f"the database is damaged: {books.damage}")]
    faults = []
    successes = unsure = 0
    spent_by_trace = Counter(trace for spent, trace in books.spent.values() if spent)
    for trace in set(spent_by_trace) | set(books.ledger):
        if spent_by_trace[trace] != books.ledger[trace]:
            faults.append(Fault("ledger",
                                f"{spent_by_trace[trace]} tokens of a login were spent, {books.ledger[trace]} billed"))
    for token, issued in issues.items():
        state = books.find(token)
        if state is None:
            faults.append(Fault("kept", f"{token} was issued and is not in the books"))
            continue
        tries = attempts.get(token, [])
        won = any(is_success(operation) for operation in tries)
        may = any(is_unsure(operation) for operation in tries)
        successes += won
        unsure += may and not won
        if won and not state[0]:
            faults.append(Fault("ledger", f"{token} was answered with success and is unspent in the books"))
        if state[0] and not won and not may:
            faults.append(Fault("ledger", f"{token} is spent in the books although nobody can have spent it"))
    rows = sum(books.ledger.values())
    if not successes <= rows <= successes + unsure:
        faults.append(Fault("ledger", f"{rows} rows for {successes} answers and {unsure} attempts without one"))
    if rows != books.billed:
        faults.append(Fault("bill", f"{rows} rows in the ledger, {books.billed} billed"))
    return faults


# Histories that the judge must condemn and those that it must accept


class Model:
    """A store that keeps its promises, and on request breaks one; it makes histories with crashes and lost answers."""

    def __init__(self, seed, breaks=None):
        self.random, self.breaks = random.Random(seed), breaks
        self.now = 0
        self.history, self.tokens, self.durable = [], {}, None
        self.ledger, self.billed = Counter(), 0

    def tick(self):
        self.now += self.random.randint(1, 50)
        return self.now

    def record(self, op, answered, **more):
        start = self.tick()
        operation = {"start": start, "end": None, "op": op, "phone": None, "app": "a", "token": None, "outcome": None,
                     "released": None, **more}
        if answered:
            # Others may have begun before this one ended.
            operation["end"] = self.now + self.random.randint(1, 120)
        else:
            operation["outcome"] = operation["released"] = None
        self.history.append(operation)

    def issue(self):
        token = f"{len(self.tokens):016x}"
        answered = self.random.random() > 0.1
        self.tokens[token] = {"phone": self.random.randrange(5), "spent": False, "trace": token}
        if answered:
            self.record("authorize", True, token=token, phone=self.tokens[token]["phone"], outcome="success")
            self.now = max(self.now, self.history[-1]["end"])

    def redeem(self, known):
        token = self.random.choice(known)
        state = self.tokens.get(token)
        answered = self.random.random() > 0.15
        op = self.random.choice(["redeem", "verify"])
        if state is None or (state["spent"] and not (self.breaks == "check then set" and self.random.random() < 0.3)):
            return self.record(op, answered, token=token, outcome=min(GONE[op]))
        if answered and self.random.random() < 0.05:
            return self.record(op, answered, token=token, outcome=min(UNSURE[op]))
        if not answered and self.random.random() < 0.5:
            return self.record(op, False, token=token)  # it never arrived
        state["spent"] = True
        rows = 2 if self.breaks == "billed twice" and self.random.random() < 0.2 else 1
        self.ledger[state["trace"]] += rows
        self.billed += 1 if self.breaks != "bill differs" or self.random.random() > 0.2 else 0
        phone = state["phone"]
        if self.breaks == "wrong number" and self.random.random() < 0.3:
            phone += 1
        self.record(op, answered, token=token, outcome=min(SPENT[op]), released=phone)

    def crash(self):
        """Here a store that answers before it syncs loses what it said."""
        if self.breaks == "drops unsynced writes" and self.durable:
            self.tokens, self.ledger, self.billed = self.durable
        self.tick()
        self.now += 200

    def sync(self):
        self.durable = ({token: dict(state) for token, state in self.tokens.items()}, Counter(self.ledger), self.billed)

    def run(self, steps=250):
        for step in range(steps):
            known = [operation["token"] for operation in self.history if operation["op"] == "authorize"]
            chance = self.random.random()
            if chance < 0.35 or not known:
                self.issue()
            elif chance < 0.95:
                self.redeem(known[-8:])
            else:
                self.crash()
            if step % 40 == 0:
                self.sync()
        books = Books({token: (state["spent"], state["trace"]) for token, state in self.tokens.items()}, self.ledger,
                      self.billed)
        return self.history, books


def self_test(checks, rounds=150):
    """One history for each rule, then random ones from a model that keeps its promises and from models that do not."""

    def operation(op, start, end, outcome, released=None, token="t", phone=0, **more):
        return {"start": start, "end": end, "op": op, "phone": phone, "app": "a", "token": token, "outcome": outcome,
                "released": released, **more}

    issued = operation("authorize", 0, 10, "success")
    won = operation("redeem", 20, 30, "103000", 0)
    lost = operation("redeem", 20, None, None)
    gone = operation("redeem", 50, 60, "104201")
    refused = operation("redeem", 20, 30, "103214")
    late = operation("redeem", 70, 80, "103000", 0)
    unspent, spent = {"t": (False, "x")}, {"t": (True, "x")}
    kept, nothing = Books(spent, Counter(x=1), 1), Books(unspent)
    wrong = (
        ([issued, won, operation("redeem", 22, 28, "103000", 0)], None, "won once", "two connections win one token"),
        ([issued, won, late], None, "real-time order", "a token is won again after the answer"),
        ([issued, won, operation("verify", 70, 80, "000", 0)], None, "real-time order",
         "it is won through another interface"),
        ([issued, gone], None, "redeemable until spent", "a token is gone that nobody has spent"),
        ([issued, gone, late], None, "redeemable until spent", "a token is gone, and comes back"),
        ([issued, lost, gone, late], None, "spent stays spent", "a token spent by an unanswered attempt comes back"),
        ([issued, operation("redeem", 20, 30, "103000", 1)], None, "own number", "another phone's number is released"),
        ([issued, operation("redeem", 20, 30, "103000", None)], None, "own number", "a stranger's number is released"),
        ([issued, operation("verify", 20, 30, "001", None, claimed=0)], None, "own number",
         "a phone is denied its own number"),
        ([issued, won, operation("authorize", 40, 50, "success")], None, "issued once", "a token is issued twice"),
        ([won], None, "issued before it is shown", "a token is won that was never issued"),
        ([issued, won], nothing, "ledger", "an answered token is unspent in the books"),
        ([issued, won], Books(spent, Counter(), 0), "ledger", "an answered token is not in the ledger"),
        ([issued, won], Books(spent, Counter(x=2), 2), "ledger", "an answered token is in the ledger twice"),
        ([issued], kept, "ledger", "a token is in the ledger that nobody showed"),
        ([issued, won], Books(spent, Counter(x=1), 2), "bill", "the bill is higher than the ledger"),
        ([issued], Books(), "kept", "an issued token is not in the books"),
        ([issued], Books(damage="malformed"), "readable", "the database is damaged"),
    )
    for history, books, rule, sentence in wrong:
        faults = judge(history, books)
        checks.that(any(fault.rule == rule for fault in faults), f"the judge condemns: {sentence}", [*map(str, faults)])
    right = (
        ([issued, won, gone], kept, "won once, then gone"),
        ([issued, operation("redeem", 20, 30, "104201"), operation("redeem", 19, 31, "103000", 0)], kept,
         "two race, one wins"),
        ([issued, lost, gone], kept, "an answer lost after the commit"),
        ([issued, lost, late], kept, "a request lost before the commit"),
        ([issued, refused, gone], kept, "the store was unavailable, and the write was there after all"),
        ([issued, refused, late, ], kept, "the store was unavailable, and the token is good afterwards"),
        ([issued, operation("redeem", LIFETIME + 5, LIFETIME + 9, "104201")], nothing, "an expired token"),
        ([issued, operation("verify", 20, 30, "001", None, claimed=3)], kept, "another number is denied"),
    )
    for history, books, sentence in right:
        faults = judge(history, books)
        checks.equal([*map(str, faults)], [], f"the judge accepts: {sentence}")
    accused = [str(fault) for seed in range(rounds) for fault in judge(*Model(seed).run())]
    checks.equal(accused[:3], [], f"the judge accepts {rounds} random histories of a store that keeps its promises")
    for breaks in ("drops unsynced writes", "check then set", "billed twice", "bill differs", "wrong number"):
        caught = sum(bool(judge(*Model(seed, breaks).run())) for seed in range(rounds))
        checks.that(caught >= rounds * 0.9,
                    f"the judge condemns nine of ten histories of a store that breaks: {breaks}", caught)
