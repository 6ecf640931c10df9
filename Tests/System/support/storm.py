"""Phones and app servers that work without pause while a server is killed under them, and write down what they hear."""

import contextlib
import http.client
import queue
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from .operations import ISSUED, SPENT, UNSURE, Books, Recorder, is_unsure, judge, short_hash
from .operators import Backend
from .phones import Phone
from .radius import INTERIM, START, PacketCore
from .server import SECRET

NO_ANSWER = (OSError, http.client.HTTPException, ValueError)
# Verified numbers are now and then another phone's: the answer is no, and is billed as well.
WRONG_NUMBER = 0.2


@dataclass(frozen=True)
class Place:
    """By which addresses phones and packet core reach the gateway, and apps' servers the authority; and where the
    former stand."""

    gateway: str = "127.0.0.1"
    authority: str = "127.0.0.1"
    core: str = "127.0.0.1"
    shop: str = "127.0.2.1"
    # How long a phone waits for an answer before it begins again, in seconds.
    patience: float = 5
    # The context that a thread of theirs enters before it opens a socket.
    among_phones: Callable = contextlib.nullcontext
    in_shop: Callable = contextlib.nullcontext


class Storm:
    """`phones` threads that get tokens and `servers` threads that spend them, several often racing for one."""

    def __init__(self, server, app, phones=6, servers=8, seed=0, network="127.8.30", place=Place(), is_patient=False,
                 pause=0.0):
        """`is_patient`: app servers show a token again until they are told something about it, so that a long fault
        leaves none unspent. `pause`: seconds that a phone waits after each token."""
        self.is_patient, self.pause = is_patient, pause
        self.server, self.app, self.seed, self.place = server, app, seed, place
        self.recorder = Recorder()
        self.numbers = [f"1371000{index:04d}" for index in range(phones)]
        self.addresses = [f"{network}.{index + 1}" for index in range(phones)]
        with place.among_phones():
            self.core = PacketCore(server.accounting, SECRET, place.core, place.gateway)
        self.waiting = queue.Queue(maxsize=64)
        self.recent = []  # (token, phone, purpose) shown before, to be shown again
        self.servers = servers
        self.up, self.over = threading.Event(), threading.Event()
        self.threads = []
        self.unexpected = Counter()
        self.broken = Counter()  # "operation error" -> how often nothing was answered for it
        # when a token was won, and when a phone was given one, in seconds of time.monotonic
        self.wins, self.issues = [], []
        self.secrets = {}  # short hash -> (token, phone, purpose)

    # The packet core

    def announce(self, status=INTERIM):
        """Announces every session to the gateway; after a restart that makes the phones known again."""
        return [index for index in range(len(self.numbers)) if not self.speak(index, status, self.core)]

    def speak(self, index, status, core, seconds=3.0):
        """Announces one session to the gateway. True if it is answered."""
        number = self.numbers[index]
        return core.send(status, f"storm-{index}", self.addresses[index], seconds=seconds, number="86" + number,
                         imsi="46000" + number)

    # Threads

    def start(self):
        if missed := self.announce(START):
            raise RuntimeError(f"accounting of phones {missed} is not answered")
        self.up.set()
        for index in range(len(self.numbers)):
            self.threads.append(threading.Thread(target=self.stand,
                                                 args=(self.place.among_phones, self.be_phone, index), daemon=True))
        for index in range(self.servers):
            self.threads.append(threading.Thread(target=self.stand,
                                                 args=(self.place.in_shop, self.be_app_server, index), daemon=True))
        for thread in self.threads:
            thread.start()

    def server_is_gone(self):
        self.up.clear()

    def server_is_back(self):
        """Call it when the server runs again."""
        missed = self.announce()
        self.up.set()
        return missed

    def stop(self):
        """Ends the threads, after their work under way."""
        self.over.set()
        self.up.set()
        for thread in self.threads:
            thread.join(timeout=30)

    @staticmethod
    def stand(where, body, index):
        with where():
            body(index)

    def phone(self, index):
        return Phone(self.server, self.app, self.addresses[index], self.numbers[index], timeout=self.place.patience,
                     host=self.place.gateway)

    def backend(self):
        return Backend(self.server.server, self.place.shop, timeout=5, host=self.place.authority)

    def be_phone(self, index):
        chance = random.Random(self.seed * 1000 + index)
        phone = self.phone(index)
        while not self.over.is_set():
            self.up.wait()
            # The limits of one number hold for a storm too: a scrip serves several tokens.
            try:
                if phone.offer is None or chance.random() < 0.05:
                    operation = self.recorder.begin("prefetch", index, self.app["id"])
                    code = phone.prefetch()
                    self.recorder.finish(operation, code)
                    if code != "success":
                        self.note("prefetch", code)
                        # A refused prefetch counts against the limit of the number too.
                        time.sleep(0.25)
                        continue
                purpose = "login" if chance.random() < 0.7 else "verification"
                code, token = self.authorize(phone, index, purpose)
            except NO_ANSWER as error:
                self.broken[f"phone {type(error).__name__}"] += 1
                phone.offer = None
                time.sleep(0.1 if self.is_patient else 0.01)
                continue
            if not token:
                self.note("authorize", code)
                time.sleep(0.02)
                continue
            time.sleep(self.pause)
            entry = (token, index, purpose)
            for _ in range(chance.choice((1, 1, 2, 3, 4))):
                while not self.over.is_set():
                    try:
                        self.waiting.put(entry, timeout=0.2)
                        break
                    except queue.Full:
                        continue

    def authorize(self, phone, index, purpose):
        operation = self.recorder.begin("authorize", index, self.app["id"])
        code, token = phone.authorize(purpose)
        if token:
            operation["token"] = short_hash(token)
            self.secrets[operation["token"]] = (token, index, purpose)
            self.issues.append(time.monotonic())
        self.recorder.finish(operation, code)
        return code, token

    def earn(self, index=0):
        """A token that no app server of the storm is given; `show` shows it."""
        phone = self.phone(index)
        said = phone.prefetch()
        code, token = self.authorize(phone, index, "login") if said == "success" else (said, None)
        if not token:
            raise RuntimeError(f"no token: {code}")
        return token, index, "login"

    def be_app_server(self, index):
        chance = random.Random(self.seed * 1000 + 500 + index)
        backend = None
        while not self.over.is_set():
            self.up.wait()
            if self.recent and chance.random() < 0.15:
                entry = chance.choice(self.recent[-200:])
            else:
                try:
                    entry = self.waiting.get(timeout=0.1)
                except queue.Empty:
                    continue
            while True:
                backend = backend or self.backend()
                code = self.show(backend, entry, chance)
                if not code:
                    backend.close()
                    backend = None
                    time.sleep(0.01)
                if not self.is_patient or self.over.is_set() or code and code not in UNSURE[self.operation(entry)]:
                    break
                time.sleep(0.2)
            self.recent.append(entry)

    @staticmethod
    def operation(entry):
        return "redeem" if entry[2] == "login" else "verify"

    def show(self, backend, entry, chance):
        """Shows a token once.
        :return: the answer's code; None if no answer came."""
        token, phone, _ = entry
        op = self.operation(entry)
        operation = self.recorder.begin(op, phone, self.app["id"], short_hash(token))
        try:
            if op == "redeem":
                code, number = backend.redeem(self.app, token)
                released = None if number is None else self.index(number)
            else:
                claimed = (phone + 1) % len(self.numbers) if chance.random() < WRONG_NUMBER else phone
                operation["claimed"] = claimed
                code = backend.verify(self.app, token, self.numbers[claimed])
                released = claimed if code == "000" else None
        except NO_ANSWER as error:
            self.broken[f"app server {type(error).__name__}"] += 1
            return None
        self.recorder.finish(operation, code, released=released)
        self.note(op, code)
        if code in SPENT[op]:
            self.wins.append(time.monotonic())
        return code

    def index(self, number):
        """The index of a number; -1 for one that is not ours."""
        return self.numbers.index(number) if number in self.numbers else -1

    def note(self, op, code):
        if code not in ISSUED and code not in SPENT.get(op, ()):
            self.unexpected[f"{op} {code}"] += 1

    # Afterwards

    def ask_again(self, limit=400):
        """Shows every token whose last attempt had no clear answer once more, one after the other."""
        last = {}
        for operation in self.recorder.operations:
            if operation["op"] in SPENT and operation["token"]:
                last[operation["token"]] = operation
        chance = random.Random(0)
        open_ones = [token for token, operation in last.items() if is_unsure(operation)]
        with self.place.in_shop():
            backend = self.backend()
            for token in open_ones[-limit:]:
                if not self.show(backend, self.secrets[token], chance):
                    backend = self.backend()
            backend.close()
        return len(open_ones)

    @property
    def history(self):
        return self.recorder.operations

    def books(self, path=None):
        return Books.of(path or self.server.data / "benji.sqlite").shortened()

    def faults(self, path=None):
        return judge(self.history, self.books(path))

    def figures(self):
        """Counts for a report."""
        history = list(self.history)
        tokens = [operation for operation in history if operation["op"] == "authorize" and operation["token"]]
        shown = [operation for operation in history if operation["op"] in SPENT]
        won = [operation for operation in shown if operation["outcome"] in SPENT[operation["op"]]]
        per_token = Counter(operation["token"] for operation in shown)
        return {"operations": len(history), "tokens issued": len(tokens), "tokens shown": len(shown),
                "won": len(won), "answers lost": sum(operation["end"] is None for operation in history),
                "tokens shown more than once": sum(count > 1 for count in per_token.values())}
