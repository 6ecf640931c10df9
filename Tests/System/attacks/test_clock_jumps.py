"""The server's clock jumps by an hour, forwards and back: clear codes, no token twice or again, and no hands needed.

Only the clock of the day jumps (support/clock.c); a jump is a new offset to the machine's. Phones and packet core keep
the true time, except where a line says that they learnt the server's. A double, a store of tokens that judges lives by
the clock of the day alone, brings an expired token back, and is told apart.
"""

import time

import pytest

from support.checks import eventually
from support.operators import LOGIN, login_request
from support.radius import INTERIM, START, PacketCore
from support.server import SECRET

SERVER = {"log": {"level": "notice"}}

HOUR = 3600
NUMBER, ADDRESS = "13900000061", "127.8.60.1"


class Scene:
    def __init__(self, server, app, clock, phone, backend):
        self.server, self.app, self.clock, self.phone, self.backend = server, app, clock, phone, backend
        self.core = PacketCore(server.accounting, SECRET)

    def tell(self, status, offset=0):
        """Whether accounting of so many seconds from now is answered."""
        return self.core.answered(self.event(status, offset))[0]

    @staticmethod
    def event(status, offset):
        return status, "session", ADDRESS, {
            "number": "86" + NUMBER, "imsi": "460001234500061", "at": int(time.time()) + offset}

    def token(self, offset=0):
        """(code, token) for a phone whose clock is ahead of the true time."""
        self.phone.clock_offset, self.phone.offer = offset, None
        return self.phone.token()

    def redeem(self, token):
        return self.backend.redeem(self.app, token)[0]


@pytest.fixture(scope="module")
def scene(clock, server, app, phone, backend):
    made = Scene(server, app, clock, phone(ADDRESS, NUMBER), backend)
    made.answered = made.tell(START)
    return made


def test_a_naive_double(checks):
    offset = 0
    double = NaiveTokens(lambda: time.time() + offset)
    double.issue("token")
    offset = HOUR
    first = double.redeem("token")
    offset = 0
    checks.equal((first, double.redeem("token")), ("104201", "103000"),
                 "a double that judges by the clock of the day brings an expired token back, and that is seen")


def test_forwards_and_back(checks, scene):
    checks.that(scene.answered, "the session's Start is answered")
    tokens = [scene.token()[1] for _ in range(4)]
    request = login_request(scene.app, tokens[0])
    checks.equal(scene.backend.post(LOGIN, request)[1]["resultCode"], "103000", "a token yields its number")

    scene.clock.jump_to(HOUR)
    checks.equal(scene.redeem(tokens[1]), "104201", "an hour on: a token has expired (104201)")
    checks.equal(scene.redeem(tokens[0]), "104201", "an hour on: a spent token is spent")
    checks.equal(scene.token()[0], "clock_skew", "an hour on: a phone with the true time hears clock_skew")
    code = scene.token(HOUR)[0]
    # A session that has been silent for hours is freed: then its address is unknown.
    checks.that(code in ("success", "address_stale", "address_unknown"),
                "an hour on: with the server's time it gets a token or a clear code", code)
    checks.that(scene.tell(INTERIM, HOUR), "an hour on: accounting of that hour is answered")
    ahead = scene.token(HOUR)
    checks.equal(ahead[0], "success", "an hour on: then a phone with the server's time gets a token")
    checks.equal(scene.server.ready()[0], 200, "an hour on: ready")

    scene.clock.jump_to(0)
    checks.equal(scene.redeem(tokens[1]), "104201", "and back: the token that had expired does not come back")
    checks.equal(scene.redeem(tokens[2]), "104201", "and back: neither does one that nobody showed meanwhile")
    checks.equal(scene.redeem(tokens[0]), "104201", "and back: a spent token is spent")
    checks.equal(scene.backend.post(LOGIN, request)[1]["resultCode"], "103505",
                 "and back: the same request is a replay")
    checks.equal(scene.redeem(ahead[1]), "103000", "and back: a token that was issued meanwhile lives on")
    checks.equal(scene.redeem(ahead[1]), "104201", "and back: once")
    comes_back(checks, scene, "and back", 0)


def comes_back(checks, scene, when, offset):
    """Checks that a phone with the server's time logs in, at once or as soon as accounting has reported the session."""
    def login():
        scene.tell(INTERIM, offset)
        code, token = scene.token(offset)
        return (code, token and scene.redeem(token))

    said = eventually(lambda: (said := login()) == ("success", "103000") and said)
    checks.equal(said, ("success", "103000"), f"{when}: phones with the server's time log in, without hands")


class NaiveTokens:
    """The usual way of programs: a life ends by the time of day."""

    def __init__(self, now):
        self.now, self.tokens = now, {}

    def issue(self, name, life=120):
        self.tokens[name] = self.now() + life

    def redeem(self, name):
        return "103000" if self.now() < self.tokens[name] else "104201"


def test_back(checks, scene):
    checks.that(scene.tell(INTERIM), "the true time: accounting is answered")
    token = scene.token()[1]
    spent = scene.token()[1]
    checks.equal(scene.redeem(spent), "103000", "a token yields its number")
    scene.clock.jump_to(-HOUR)
    checks.equal(scene.redeem(spent), "104201", "an hour back: a spent token is spent")
    checks.equal(scene.token()[0], "clock_skew", "an hour back: a phone with the true time hears clock_skew")
    checks.equal(scene.redeem(token), "103000", "an hour back: a token lives on")
    checks.equal(scene.redeem(token), "104201", "an hour back: once")
    answered = scene.core.answered(scene.event(INTERIM, 0), scene.event(INTERIM, -HOUR))
    checks.equal(answered, [False, True], "an hour back: accounting from the future is not answered")
    checks.equal(scene.server.ready()[0], 200, "an hour back: ready")
    comes_back(checks, scene, "an hour back", -HOUR)
    scene.clock.jump_to(0)
    comes_back(checks, scene, "the true time again", 0)


@pytest.mark.own_processes("looks at one process")
def test_the_process(checks, scene):
    checks.equal(scene.server.process.poll(), None, "the process is still the same")
