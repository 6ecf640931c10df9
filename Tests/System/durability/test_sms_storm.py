"""Guesses at one code, and requests for codes, in crowds: from many addresses, over many connections, at two nodes of
an authority.

  test_sms_storm.py                                        some hundreds of each
  test_sms_storm.py --guesses 10000 --requests 100000      the long form, a quarter of an hour

Guesses learn no more often whether they are right than a code has tries, however many arrive at once. So a guesser has
the chance that the threat model computes. Requests send as many messages as the budgets have, and not one more.
"""

import concurrent.futures
import json
import random
import re
from collections import Counter

import pytest

from support.apart import House
from support.checks import Stop, folder
from support.phones import Phone
from support.server import wait_a_second

pytestmark = pytest.mark.seconds(lambda options: 120 + (options.guesses + options.requests) // 20)
OPTIONS = {"guesses": 600, "requests": 1000, "seed": None}

NUMBER, ADDRESS = "13900000009", "127.8.0.5"
WORKFLOW = ("--workflow", "one-tap-then-sms", "--least-assurance", "sms")
TRIES, APPS_BUDGET, RANGES_BUDGET, ADDRESSES_BUDGET, NUMBERS_BUDGET = 5, 200, 40, 3, 2
RANGES = [f"138001{last}" for last in range(8)]
AT_ONCE = 48


class City(House):
    """Two nodes that send into one file, an app whose workflow has codes, and a phone that was on the network."""

    def __init__(self, postgres):
        super().__init__(postgres)
        self.outbox = folder() / "messages.jsonl"
        for node in self.nodes:
            node.configure(**node.settings | {
                "sms": {"names": ["file"], "file": {"kind": "file", "path": str(self.outbox)}},
                "sms-codes": {"per-app-and-day": APPS_BUDGET, "per-prefix-and-hour": RANGES_BUDGET,
                              "per-minute": NUMBERS_BUDGET,
                              "per-device-address-and-hour": ADDRESSES_BUDGET}})
        self.start()
        if (attached := self.gateway.attach("attach", ADDRESS, NUMBER, imsi="460001234567890")).returncode != 0:
            raise Stop(attached.stderr)
        wait_a_second()
        self.gateway.attach("detach", ADDRESS, NUMBER)

    def create_app(self, name):
        return self.nodes[0].create_app(*WORKFLOW, name=name, server_address=self.shop)

    def messages(self):
        return [json.loads(line) for line in self.outbox.read_text().splitlines()] if self.outbox.exists() else []

    def asked(self, route):
        """How many such requests of the gateway each node has answered."""
        return [node.metric("benji_http_requests_total", listener="gateways", route=f"/device/v1/{route}") or 0
                for node in self.nodes]


@pytest.fixture(scope="module")
def city(postgres):
    made = City(postgres)
    yield made
    made.stop()


def elsewhere(place):
    """One of 60,000 addresses that are no subscriber's."""
    return f"127.{20 + place // 60_000}.{place // 250 % 240}.{1 + place % 250}"


def at_once(work, count):
    """The results of each."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as crowd:
        return list(crowd.map(work, range(count)))


def counts(postgres):
    """(kind, name, count) for each hour or day in which messages were counted for a name."""
    return [tuple(row) for row in json.loads(postgres.value(
        "SELECT json_agg(json_build_array(kind, encode(name, 'hex'), count)) FROM sms_budget") or "[]")]


def sums(rows):
    """How many messages were counted, by kind and name."""
    found = Counter()
    for kind, name, count in rows:
        found[kind, name] += count
    return found


def test_a_crowd_of_guesses_learns_no_more_than_a_codes_tries(checks, city, options):
    """A guesser who has the phone's key, or a copied app's."""
    app = city.create_app("Guessed")
    asker = Phone(city.gateway, app, elsewhere(0), NUMBER)
    checks.equal(asker.ask_for_code(NUMBER), "success", "a code is sent")
    sent, code = asker.sent, re.search(r"\d{6}", city.messages()[-1]["text"])[0]
    wrong = [guess for guess in range(1_000_000) if f"{guess:06}" != code]
    guesses = random.Random(options.seed).sample(wrong, options.guesses)

    def guess(place):
        phone = Phone(city.gateway, app, elsewhere(place), NUMBER, timeout=30)
        phone.key = asker.key
        said = phone.log_in_by_code(f"{guesses[place]:06}", sent)
        phone.close()
        return said

    said = Counter(code for code, _ in at_once(guess, len(guesses)))
    # A node that has no time for an answer in two seconds reports that, and nothing of the code.
    busy = said["overloaded"]
    checks.that(said["code_wrong"] <= TRIES <= said["code_wrong"] + busy,
                f"of {len(guesses)} guesses {TRIES} are told to be wrong, so the chance was {TRIES} of a million", said)
    checks.equal(said["success"], 0, "none of them logs in")
    checks.that(said["code_tries_exceeded"] == len(guesses) - said["code_wrong"] - busy,
                "the others are told that there were too many", said)
    checks.that(min(city.asked("sms-login")) > options.guesses / 10, "both nodes were shown many",
                city.asked("sms-login"))
    checks.equal(asker.log_in_by_code(code, sent), ("code_tries_exceeded", None),
                 "the right code is worth nothing after that")


def test_a_crowd_of_requests_sends_what_the_budgets_have(checks, city, postgres, options):
    """Many phones, or one that says it is many, at many addresses, for many numbers. Each hour and each day counts for
    itself."""
    app = city.create_app("Pumped")
    before, counted_before = len(city.messages()), sums(counts(postgres))
    draw = random.Random(options.seed)
    # Most from addresses and for numbers of their own; some all from few addresses, and for few numbers. Most are of
    # one range.
    asks = [(elsewhere(draw.randrange(50_000) if draw.random() < 0.7 else draw.randrange(20)),
             (RANGES[0] if draw.random() < 0.7
              else draw.choice(RANGES)) + f"{draw.randrange(10_000) if draw.random() < 0.7 else draw.randrange(3):04}")
            for _ in range(options.requests)]

    def ask(place):
        address, number = asks[place]
        phone = Phone(city.gateway, app, address, number, timeout=30)
        said = phone.ask_for_code(number)
        phone.close()
        return said, address

    def most(kind):
        return max(count for counted, _, count in counts(postgres) if counted == kind)

    answers = at_once(ask, len(asks))
    days = [name for kind, name, _ in counts(postgres) if kind == "app" and (kind, name) not in counted_before]
    if len(days) > 1 and most("app") < APPS_BUDGET:
        # A day ended meanwhile, and neither had all of the requests.
        answers += at_once(ask, len(asks))
    said = Counter(code for code, _ in answers)
    sent = city.messages()[before:]
    checks.equal(most("app"), APPS_BUDGET, f"{len(asks)} requests send as many messages as the app has a budget for")
    checks.that(said["success"] == len(sent), "each that was told so has sent one", said)
    numbers = Counter(message["to"] for message in sent)
    ranges = Counter(message["to"][:-4] for message in sent)
    addresses = Counter(address for code, address in answers if code == "success")
    checks.that(min(city.asked("sms-code")) > options.requests / 10, "both nodes were asked often",
                city.asked("sms-code"))
    checks.equal(most("prefix"), RANGES_BUDGET, "no range of numbers is sent more than its budget, and one as many")
    checks.that(most("source") <= ADDRESSES_BUDGET, "no address has more sent than its budget",
                addresses.most_common(3))
    counted = sums(counts(postgres)) - counted_before
    for kind, messages in (("app", [len(sent)]), ("prefix", ranges.values()), ("source", addresses.values())):
        checks.equal(sorted(count for (counted_for, _), count in counted.items() if counted_for == kind),
                     sorted(messages),
                     f"each message that was sent is counted for its {kind}")
    in_a_minute = postgres.value(
        "SELECT max(count), count(*) FROM (SELECT count(*) OVER (PARTITION BY number ORDER BY issued_at RANGE "
        "BETWEEN 59999 PRECEDING AND"
        f" CURRENT ROW) FROM sms_code WHERE app = '{app['id']}') AS minutes")
    most_of_one, codes = map(int, in_a_minute.split("|"))
    checks.that(most_of_one <= NUMBERS_BUDGET and codes == len(sent),
                "no number is sent more than its limit in a minute",
                (in_a_minute, len(sent), numbers.most_common(3)))
