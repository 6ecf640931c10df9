"""Two gateways of the same addresses over one authority and PostgreSQL. The one that answers is killed, stopped and
woken, and cut off. Meanwhile addresses pass from hand to hand and phones ask both gateways all the time.

No phone may be told the number of an address's previous holder. The same judge condemns two gateways that are no pair
and are switched as one. One slept while addresses passed on; the other got the feed earlier and not the rest."""

import json
import random
import secrets
import signal
import time

import pytest

from support.apart import LinkCaller
from support.checks import eventually
from support.pairs import Feed, PairHouse, Phones, Rush, previous_holders
from support.phones import Phone
from support.postgres import Postgres
from support.radius import START, STOP
from support.server import BUNDLE

pytestmark = pytest.mark.seconds(300)
ADDRESSES = [f"127.8.60.{last}" for last in range(1, 7)]


@pytest.fixture(scope="module")
def house(postgres):
    made = PairHouse(postgres).start()
    yield made
    for part in made.gateways:
        if part.process is not None and part.process.poll() is None:
            part.process.send_signal(signal.SIGCONT)
    made.stop()


def storm(house):
    feed = Feed(house, ADDRESSES)
    phones = Phones(house, feed)
    feed.start()
    phones.start()
    return feed, phones


def told(feed, gateway):
    return sum(1 for entry in list(feed.history) if entry["op"] == "told" and entry["gateway"] == gateway
               and entry["token"])


def is_told(feed, gateway):
    """Whether phones get tokens at this gateway."""
    before = told(feed, gateway)
    return eventually(lambda: told(feed, gateway) >= before + 3)


def all_pass_on(feed):
    """Whether every address gets another holder: the one before has gone, and the packet core was told so."""
    def holders():
        return {entry["address"]: entry["number"] for entry in list(feed.history) if entry["op"] == "begin"}.items()
    before = holders()
    return eventually(lambda: before.isdisjoint(holders()))


def end(feed, phones):
    feed.is_over = True
    for thread in (*feed.threads, *phones.threads):
        thread.join(15)


def test_the_owner_is_killed_stopped_and_cut_off(checks, postgres, house):
    checks.that(eventually(lambda: house.owner() == 0), "the first gateway owns the pair",
                [part.ready() for part in house.gateways])
    said = eventually(lambda: house.gateways[1].ready()[0] == 503
                      and "standby: gateway-1 owns the pair" in house.gateways[1].ready()[1])
    checks.that(said, "the other one is not ready, and says whose the pair is", house.gateways[1].ready())
    feed, phones = storm(house)
    checks.that(is_told(feed, 0), "phones log in")
    chance = random.Random(7)
    fence = 1
    for what in ("stopped", "killed", "cut off", "stopped", chance.choice(["killed", "cut off"])):
        owner, other = feed.active, 1 - feed.active
        part, begun = house.gateways[owner], time.monotonic()
        if what == "killed":
            part.kill9()
        elif what == "stopped":
            part.process.send_signal(signal.SIGSTOP)
        else:
            house.relays[owner].is_cut = True
        taken = eventually(lambda: house.gateways[other].ready()[0] == 200, 25)
        checks.that(taken, f"{what}: the other gateway takes over", house.gateways[other].ready())
        if not taken:
            break
        checks.note(f"{what}: the other gateway answers after {time.monotonic() - begun:.1f} s")
        fence += 1
        # The address of accounting moves; phones ask both.
        feed.active = other
        checks.that(is_told(feed, other), f"{what}: phones log in at the other gateway")
        checks.that(all_pass_on(feed), f"{what}: every address passes on meanwhile", feed.history[-10:])
        if what == "killed":
            house.begin(owner)
        elif what == "stopped":
            part.process.send_signal(signal.SIGCONT)
        else:
            house.relays[owner].is_cut = False
        followed = eventually(lambda: "standby: gateway" in part.ready()[1])
        checks.that(followed, f"{what}: when it is back it follows", part.ready())
    checks.that(is_told(feed, feed.active), "phones log in at the end")
    end(feed, phones)
    faults = previous_holders(feed.history)
    masks = sum(1 for entry in feed.history if entry["op"] == "told")
    checks.note(f"{masks} phones were told a number, {sum(1 for entry in feed.history if entry['op'] == 'end')} "
                f"sessions ended; answers {phones.answers}")
    checks.equal(faults[:3], [], f"no address with its previous holder, of {masks} answers")
    checks.that(masks > 100, "the storm was one", masks)
    standing = postgres.value("SELECT owner || ' ' || fence FROM benji.gateway_pair WHERE name = 'east'")
    checks.equal(standing, f"{['gateway-1', 'gateway-2'][feed.active]} {fence}",
                 "the database says who owns the pair, and that every change of hands counted")
    texts = "".join(part.log.read_text() for part in (*house.gateways, house.authority))
    checks.that("has taken over its pair" in texts and "13800000" not in texts,
                "the logs tell of the changes, and no number")
    rows = int(postgres.value("SELECT count(*) FROM benji.gateway_entry WHERE ended_at IS NULL"))
    checks.that(rows <= 3 * len(ADDRESSES), "the record is as large as the sessions that live", rows)


def prefetch(house, caller, sighting):
    """A new phone's prefetch as a gateway forwards it, with a sighting as the gateway may report it."""
    phone, name = Phone(house.gateways[0], house.app, None, None), secrets.token_hex(16)
    body = json.dumps({"app": house.app["id"], "bundle": BUNDLE, "dialect": "device",
                       "appKeyProof": phone.app_key_proof(name)}).encode()
    path, base = "/device/v1/prefetch", house.gateways[0].device_url
    proof = phone.key.proof(base + path, body, name, time.time())
    return caller.forward("POST", path, body, {"Content-Type": "application/json", "DPoP": proof}, [base],
                          sighting=sighting)


def test_a_gateway_that_was_replaced_obtains_nothing(checks, postgres, house):
    """The requests of a gateway that has not noticed: its sightings under its old fence, straight to the authority."""
    owner, fence = postgres.value("SELECT owner || ' ' || fence FROM benji.gateway_pair").split()
    row = int(postgres.value("SELECT max(id) FROM benji.subscription"))
    generation = int(postgres.value(f"SELECT sim_generation FROM benji.subscription WHERE id = {row}"))
    former = next(name for name in ("gateway-1", "gateway-2") if name != owner)

    def ask(name, **changes):
        seen = {"subscription": row, "epoch": 1, "simGeneration": generation, "carrier": "mobile", "binding": 7,
                "gateway": name,
                "time": int(time.time() * 1000), "localAddressConfirmed": False, "roaming": False} | changes
        status, _, text = prefetch(house, callers[name], seen)
        said = json.loads(text)
        return status, said.get("code"), said.get("maskedNumber")

    callers = {name: LinkCaller(house.link, house.certificates, name) for name in (owner, former)}
    scrips = "SELECT count(*) FROM benji.scrip"
    before = postgres.value(scrips)
    old = int(fence) - 1
    for sentence, name, changes in (
            ("under its old fence", former, {"fence": old}),
            ("under the owner's fence in its own name", former, {"fence": int(fence)}),
            ("by the owner, under an old fence", owner, {"fence": old}),
            ("under a fence that is not there yet", owner, {"fence": int(fence) + 1})):
        status, code, mask = ask(name, **changes)
        checks.equal((status, code, mask), (200, "address_stale", None), f"a sighting {sentence} is refused")
    status, code, mask = ask(owner)
    checks.equal((status, code, mask), (200, "gateway_not_trusted", None), "a sighting without a fence is refused")
    checks.equal(postgres.value(scrips), before, "nothing was stored for any of them")
    status, code, mask = ask(owner, fence=int(fence))
    checks.that(code == "success" and mask, "under the present fence it is answered", f"{status} {code}")
    status, answer = callers[former].post("/link/v1/pair/record",
                                          {"fence": old, "after": 0, "entries": [["AA", "AA", 0]]})
    checks.that(answer == {"answer": {}}, "a gateway that was replaced records nothing", answer)


def test_many_begin_and_end_at_once(checks, postgres, house):
    """How many beginnings and endings a pair takes in a second is told and not judged: docs/performance.md has figures
    of a quiet machine."""
    part = house.gateways[house.owner()]
    count, at = 3000, int(time.time())
    rush = Rush(part.accounting, count)
    # The first time the register learns every number; from then on it knows them.
    for status, begun in ((START, at - 4), (STOP, at - 3)):
        rush.run(status, begun)
    for status, begun, what in ((START, at - 2, "beginnings"), (STOP, at - 1, "endings")):
        seconds = rush.run(status, begun)
        alive = "SELECT count(*) FROM benji.gateway_entry WHERE ended_at IS NULL AND get_byte(key, 0) = 0"
        checks.note(f"{count} {what} in {seconds:.2f} s: {count / seconds:.0f} a second")
        rows = int(postgres.value(alive))
        checks.that(rows >= count if status == START else rows <= 6,
                    f"every one of {count} {what} is recorded when it is answered", rows)
    rush.close()


def test_a_gateway_that_ends_gives_the_pair_back(checks, house):
    owner = house.owner()
    begun = time.monotonic()
    house.gateways[owner].stop()
    checks.that(eventually(lambda: house.gateways[1 - owner].ready()[0] == 200, 10), "the other gateway takes over",
                house.gateways[1 - owner].ready())
    checks.note(f"the other gateway answers {time.monotonic() - begun:.1f} s after SIGTERM")
    journal = house.gateways[owner].data / "directory.journal"
    journal.write_bytes(b"")
    refused = house.gateways[owner].command("serve", "--config", house.gateways[owner].configuration)
    checks.that(refused.returncode != 0 and str(journal.name) in refused.stderr and "delete it" in refused.stderr,
                "a gateway with a journal of before does not start as one of a pair, and says what to do",
                refused.stderr)
    journal.unlink()
    house.begin(owner)
    shown = house.authority.command("gateway", "pairs", "--config", house.authority.configuration)
    checks.that(shown.returncode == 0 and f"gateway-{2 - owner}" in shown.stdout and "east" in shown.stdout,
                "`benji gateway pairs` says who owns it", shown.stdout + shown.stderr)


@pytest.fixture(scope="module")
def naive():
    database = Postgres().start()
    database.create()
    made = PairHouse(database, is_pair=False).start()
    yield made
    for part in made.gateways:
        if part.process is not None and part.process.poll() is None:
            part.process.send_signal(signal.SIGCONT)
    made.stop()
    database.stop()


def test_gateways_that_are_no_pair_are_condemned(checks, naive):
    """The same storm and the same judge, with an owner that nothing fences and a standby that reads no record."""
    feed, phones = storm(naive)
    checks.that(is_told(feed, 0), "phones log in")
    # The first one sleeps meanwhile, and is asked when it wakes.
    naive.gateways[0].process.send_signal(signal.SIGSTOP)
    feed.active = 1
    checks.that(all_pass_on(feed), "every address passes on while the first one sleeps", feed.history[-10:])
    naive.gateways[0].process.send_signal(signal.SIGCONT)
    condemned = eventually(lambda: any(entry["gateway"] == 0 for entry in previous_holders(list(feed.history))))
    checks.that(condemned, "an owner that nothing fences is condemned", phones.answers)
    # The second one received the feed until now. The first receives the rest, and dies.
    checks.that(is_told(feed, 1), "the second one knows who holds addresses")
    feed.active = 0
    checks.that(all_pass_on(feed), "every address passes on while the first one alone hears the feed",
                feed.history[-10:])
    naive.gateways[0].kill9()
    begun = time.monotonic()
    condemned = eventually(
        lambda: any(entry["gateway"] == 1 and entry["begun"] > begun for entry in previous_holders(list(feed.history))))
    checks.that(condemned, "a standby that did not follow is condemned", phones.answers)
    end(feed, phones)
