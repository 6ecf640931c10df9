"""The lab's parts on what links do to a login: round trips at 100 ms, and accounting that is lost and repeated."""

import os
import subprocess
import threading
import time

from .carrier import DEVICE_PORT, Client
from .checks import Stop, end, first_json, start
from .flights import connections, round_trips
from .freeradius import session
from .naive import NaiveDirectory
from .server import SECRET, environment

RTT = 0.1


class AtThePage:
    """The SDK on a phone with its page open: the person has not ticked yet."""

    def __init__(self, server, app, phone, version):
        with server.network.inside(phone.machine):
            self.process = start(
                server.sdk_command(app, "login", version, "--interface", "wwan0"), stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        self.page = ""
        while "Type yes" not in self.page:
            piece = os.read(self.process.stderr.fileno(), 4096)
            if not piece:
                raise Stop(f"no page came: {self.page}")
            self.page += piece.decode(errors="replace")

    def tap(self):
        """Ticks, taps, and gives the token or None."""
        self.process.stdin.write(b"yes\n")
        self.process.stdin.flush()
        token = self.process.stdout.read().decode()
        end(self.process)
        return (first_json(token) or {}).get("token")


def masked(number):
    return f"{number[:3]}****{number[-4:]}"


def round_trips_part(checks, network, server, core, app, phone):
    print("\nRound trips, with 100 ms for each on phone1's radio link")
    air = network.air[phone.machine]
    air.delay = RTT / 2
    for version in (4, 6):
        air.watch()
        began = time.monotonic()
        login = AtThePage(server, app, phone, version)
        to_mask, taken = air.seen(), (time.monotonic() - began) / RTT
        mask = masked(phone.number)
        checks.that(mask in login.page, f"IPv{version}: the page shows {mask}", login.page)
        trips = round_trips(to_mask, DEVICE_PORT)
        checks.that(1 <= trips <= 3,
                    f"IPv{version}: {trips} round trips from cold to the masked number (TCP, TLS, prefetch)")
        air.watch()
        token = login.tap()
        to_token = air.seen()
        trips = round_trips(to_token, DEVICE_PORT)
        checks.that(token, f"IPv{version}: the tap brings a token")
        checks.equal(trips, 1, f"IPv{version}: one round trip more to the token")
        checks.equal((connections(to_mask, DEVICE_PORT), connections(to_token, DEVICE_PORT)), (1, 0),
                     f"IPv{version}: all over one connection")
        checks.note(f"by the clock the masked number took {taken:.1f} round trips, the start of the program included")

    naive = Client(server, phone.machine, app, interface="wwan0")
    air.watch()
    naive.prefetch()
    naive.close()
    naive.authorize()
    naive.close()
    checks.equal(round_trips(air.seen(), DEVICE_PORT), 6,
                 "a naive client that connects for every request pays 6, and the count shows it")

    # The cellular address changes while the page is open.
    login = AtThePage(server, app, phone, 4)
    other = "100.64.0.12"
    core.send(core.attributes("Interim-Update", phone, **{"Framed-IP-Address": other}))
    network.readdress(phone, phone.address, other)
    token = login.tap()
    number = server.redeemed(app, token)[1] if token else None
    checks.equal(number, phone.number,
                 "when the cellular address changes while the page is open, the tap leaves by the new one")
    time.sleep(1.01)
    core.send(core.attributes("Interim-Update", phone))
    network.readdress(phone, other, phone.address)
    air.delay = 0.0


def lossy_part(checks, network, server, core, app, phone):
    """An address passes from one subscriber to the next while accounting is lost, repeated and late."""
    print("\nAccounting over a link that loses 30 % and repeats everything two seconds later")
    owners = [f"1390000001{index}" for index in range(6)]
    address = "100.64.0.13"
    network.readdress(phone, phone.address, address)
    naive = NaiveDirectory(SECRET)

    def tap(direction, packet):
        if direction == "up" and packet[9] == 17:
            naive.hear(packet[(packet[0] & 15) * 4 + 8:])

    feed = network.feed
    feed.delivered, feed.loss, feed.duplication, feed.lag = tap, 0.3, 1.0, 2.0
    first = int(time.time())
    unanswered, wrong, asked = [], [], 0
    told = {"sent": -1, "answered": -1}  # the newest owner that accounting named, and that the gateway answered for
    between, over = [], threading.Event()

    def released():
        """The number that the phone at the address gets now; None for a refusal."""
        client = Client(server, phone.machine, app, interface="wwan0")
        _, token = client.token()
        client.close()
        return None if token is None else server.redeemed(app, token)[1]

    def tell(status, index, at):
        code, _ = core.send(session(status, f"lossy-{index}", address, f"86{owners[index]}", **{
            "3GPP-IMSI": f'"4600033333333{index:02d}"', "Event-Timestamp": at, "3GPP-Session-Stop-Indicator": "255"}),
            wait=0.2, tries=40)
        if code is None:
            unanswered.append((status, index))

    def ask_all_the_time():
        """Meanwhile the address may yield an owner that was named and not yet answered for, never an earlier one."""
        while not over.wait(0.15):
            least = told["answered"]
            number = released()
            if number:
                between.append((least, owners.index(number) if number in owners else -1, told["sent"]))

    asker = threading.Thread(target=ask_all_the_time, daemon=True)
    asker.start()
    for index, owner in enumerate(owners):
        # Of every second owner the Stop comes after the next one's Start, with its own, earlier time.
        if index and index % 2:
            tell("Stop", index - 1, first + index * 4 - 1)
        told["sent"] = index
        tell("Start", index, first + index * 4)
        told["answered"] = index
        if index and not index % 2:
            tell("Stop", index - 1, first + index * 4 - 1)
        number = released()
        asked += 1
        if number != owner:
            wrong.append((owner, number))
    late = feed.lag + 0.3
    time.sleep(late)
    over.set()
    asker.join(timeout=10)
    checks.that(not unanswered,
                f"the packet core repeats itself until all {2 * len(owners) - 1} packets are answered", unanswered)
    checks.that(feed.lost > 0 and feed.duplicated > 0, f"{feed.lost} packets were lost and {feed.duplicated} repeated")
    checks.that(not wrong and asked == len(owners),
                f"after each of {asked} answered Starts the address yields the new owner's number", wrong)
    early = [one for one in between if not one[0] <= one[1] <= one[2]]
    checks.that(between and not early,
                f"{len(between)} numbers that were released meanwhile were never an earlier owner's", early)
    checks.equal(released(), owners[-1], "after the last late repetition the address is the last owner's")
    checks.that(naive.went_back(address),
                "a naive directory that believes packets as they come gave the address back to an earlier owner",
                naive.said)
    feed.delivered, feed.loss, feed.duplication = None, 0.0, 0.0
    tell("Stop", len(owners) - 1, first + len(owners) * 4)
    checks.equal(released(), None, "after the last Stop nobody is recognised there")
    network.readdress(phone, address, phone.address)
    checks.equal(released(), phone.number, "phone1 at its own address is phone1 as before")
