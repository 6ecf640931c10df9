"""Builds a carrier's network from namespaces and shows a login on it step by step. Then it shows the attacks that such
a network invites, each with a naive gateway that falls for it. `make lab` runs it; docs/lab.md describes it.

Needs root, iproute2 and nftables. Everything that it makes is in namespaces of its own and goes away with it.
"""

import faulthandler
import signal
import socket
import time

import pytest

from support import lab_attest, lab_flood, lab_guest, lab_ipv6, lab_link, lab_tether
from support.carrier import (
    DEVICE_PORT, FEED_GATEWAY, OPERATOR, OPERATOR6, OUTSIDE, OUTSIDER, PHONES, PICTURE, SHOP, CarrierNetwork, Client,
    OperatorServer, how_to_enter, ports_of)
from support.checks import eventually
from support.naive import FORGEABLE, NaiveDirectory, NaiveGateway, ask
from support.phones import DeviceKey
from support.server import SECRET

pytestmark = pytest.mark.seconds(160)
OPTIONS = {"keep": False}

ONE, TWO = PHONES


def recognised(checks, server, app, phone, sentence, version=4):
    """The SDK on a phone logs in over mobile data, and its token yields the phone's own number."""
    answer, _, said = server.sdk(app, phone.machine, "--interface", "wwan0", version=version)
    if checks.that(answer, f"{sentence}: a token", said):
        checks.equal(server.redeemed(app, answer["token"]), ("103000", phone.number), f"{sentence}: its own number")


def refused(checks, server, app, machine, situation, sentence, *arguments, version=4):
    answer, got, said = server.sdk(app, machine, *arguments, version=version)
    checks.that(answer is None and got == situation, f"{sentence}: {situation}", said)


def a_login(checks, network, server, core, app):
    print("\nA login, step by step")
    refused(checks, server, app, "phone1", "cellular_data_off",
            "before the packet core gave wwan0 an address, Wi-Fi being up", "--interface", "wwan0")
    for phone in PHONES:
        network.attach(phone)
        code, said = core.send(core.attributes("Start", phone))
        checks.that(code == "Accounting-Response",
                    f"the packet core gives {phone.machine} {phone.address} and {phone.prefix}/64; the gateway answers "
                    "its Start", said)
    for target in (OPERATOR, OPERATOR6):
        route = network.asks_ip("phone1", f"route get {target}")
        checks.that("dev wlan0" in route, f"phone1's way to {target} is Wi-Fi by default", route)
    answer, _, said = server.sdk(app, "phone1", "--interface", "wwan0")
    if not checks.that(answer, "the SDK on phone1 logs in by wwan0 all the same", said):
        return
    by_wifi = lambda: network.counted("phone1", "inet watch wifi")
    checks.equal(by_wifi(), 0, "not a packet of it left by Wi-Fi")
    checks.equal(answer["assurance"], "net", "without an attestation the token says: net")
    thief = server.backend("outsider", OUTSIDER)
    code, number = thief.redeem(app, answer["token"])
    thief.close()
    checks.that(code not in (None, "103000") and number is None,
                "an outsider with token and app key cannot redeem: not the app's address", code)
    checks.equal(server.redeemed(app, answer["token"]), ("103000", ONE.number),
                 "the app's server redeems the token: phone1's number")
    checks.equal(server.redeemed(app, answer["token"]), ("104201", None), "and only once")
    for version in (4, 6):
        refused(checks, server, app, "phone1", "address_unknown", f"by Wi-Fi alone, IPv{version}", version=version)
    checks.that(by_wifi() > 0, "those packets were counted on Wi-Fi, so the count can tell")
    recognised(checks, server, app, ONE, "phone1 over IPv6, by its prefix", version=6)


def an_outsider(checks, network, server, core, app):
    print("\nAn outsider")
    for version in (4, 6):
        refused(checks, server, app, "outsider", "address_unknown",
                f"an outsider with the app's id and key, IPv{version}", version=version)
    unmoved = 0
    for name in FORGEABLE:
        for claim in (ONE.address, OUTSIDE, ONE.number):
            outsider = Client(server, "outsider", app)
            outsider.headers = {name: f"for={claim}" if name == "Forwarded" else claim}
            code = outsider.prefetch()
            outsider.close()
            unmoved += code == "address_unknown"
    checks.equal(unmoved, 3 * len(FORGEABLE),
                 f"{len(FORGEABLE)} forged headers, with address, public address and number of phone1, change nothing")
    naive = NaiveGateway(network, "operator", OPERATOR, 8091, "header", {ONE.address: ONE.number})
    checks.equal(ask(network, "outsider", OPERATOR, 8091, headers={"X-Forwarded-For": ONE.address}), ONE.number,
                 "a naive gateway that believes X-Forwarded-For gives the outsider phone1's number")
    naive.close()
    with network.inside("outsider"), socket.create_connection((OPERATOR, DEVICE_PORT), timeout=5) as line:
        line.sendall(f"PROXY TCP4 {ONE.address} {OPERATOR} 1024 {DEVICE_PORT}\r\n".encode())
        try:
            said = line.recv(4096)
        except OSError:
            said = b""
    checks.that(b"HTTP" not in said, "a forged PROXY header is no start of a conversation", said)

    def stolen(machine, interface=None, key=True):
        """The result of phone1's scrip elsewhere, with or without phone1's device key."""
        phone = Client(server, "phone1", app, interface="wwan0")
        if phone.prefetch() != "success":
            return "no scrip"
        phone.close()
        phone.machine, phone.interface = machine, interface
        phone.key = phone.key if key else DeviceKey()
        code, _ = phone.authorize()
        phone.close()
        return code

    checks.equal(stolen("outsider"), "address_unknown", "phone1's scrip and device key, stolen by the outsider")
    checks.equal(stolen("phone2", "wwan0"), "subscription_mismatch", "phone1's scrip and device key, stolen by phone2")
    checks.equal(stolen("phone1", "wwan0", key=False), "scrip_wrong_device",
                 "phone1's scrip on phone1, without the device key")

    # Somebody who knows even the packet core's secret.
    forged = core.attributes("Start", TWO, **{
        "Framed-IP-Address": ONE.address, "Framed-IPv6-Prefix": f"{ONE.prefix}/64"})
    naive = NaiveDirectory(SECRET)
    naive.listen(network, "operator", FEED_GATEWAY, 1814)
    network.ip("phone2", f"route add {FEED_GATEWAY}/32 dev wwan0")
    unknown = server.metric("benji_gateway_accounting_packets_total", result="unknown_nas") or 0
    code, _ = core.send(forged, "phone2", wait=0.5, tries=1)
    checks.that(code is None, "a phone that sends accounting with the right secret gets no answer", code)
    checks.that(eventually(lambda: (server.metric(
        "benji_gateway_accounting_packets_total", result="unknown_nas") or 0) > unknown, 3),
                "its packet did arrive, and was dropped for its source")
    core.send(forged, "phone2", wait=0.2, tries=1, gateway=f"{FEED_GATEWAY}:1814")
    checks.that(eventually(lambda: naive.owner.get(ONE.address) == f"86{TWO.number}"),
                "a naive gateway that looks at the secret alone now takes phone1 for phone2", naive.owner)
    network.ip("phone2", f"route del {FEED_GATEWAY}/32 dev wwan0")
    recognised(checks, server, app, ONE, "phone1 after all that")


def two_behind_one(checks, network, server, app):
    print("\nTwo phones behind one public address")
    naive = NaiveGateway(network, "operator", OPERATOR, 8090, "address", {OUTSIDE: TWO.number})
    got = [ask(network, phone.machine, OPERATOR, 8090, interface="wwan0") for phone in PHONES]
    from_blocks = [address == OUTSIDE and ports_of(phone.address)[0] <= port <= ports_of(phone.address)[1]
                   for phone, (address, port) in zip(PHONES, naive.callers)]
    checks.that(from_blocks == [True, True],
                f"both reach the operator as {OUTSIDE}, each from its own block of ports", naive.callers)
    checks.equal(got[0], TWO.number, "a naive gateway that looks at the address alone takes phone1 for phone2")
    naive.close()
    for phone in PHONES:
        recognised(checks, server, app, phone, f"{phone.machine}, by blocks that follow from the address (RFC 7422)")


def blocks_by_accounting(checks, network, core):
    """A gateway that was told nothing of the NAT refuses, until the packet core reports the blocks. Its operator also
    lets weaker tokens tie a face to a number."""
    print("\nThe same, when the gateway was not told how the NAT shares ports")
    with OperatorServer(network, knows_nat=False, least_face="net") as server:
        app = server.create_app(server_address=SHOP)
        for phone in PHONES:
            core.send(core.attributes("Start", phone, **{"Event-Timestamp": int(time.time())}))
            refused(checks, server, app, phone.machine, "address_unknown", f"{phone.machine} over IPv4",
                    "--interface", "wwan0")
        recognised(checks, server, app, ONE, "phone1 over IPv6 as before", version=6)
        for phone in PHONES:
            update = core.attributes("Interim-Update", phone, **{"Event-Timestamp": int(time.time()) + 1})
            code, said = core.send({**update, **core.block(phone)})
            checks.that(code == "Accounting-Response",
                        f"the packet core reports {phone.machine}'s block (RFC 8045)", said)
        for phone in PHONES:
            recognised(checks, server, app, phone, f"{phone.machine}, by the block that was reported")
        lab_guest.a_face_at_net(checks, server)


def stay(network, server, app):
    """Leaves the network standing for a person to look around."""
    print(f"""
The network stays up until Ctrl-C. Its machines:
{chr(10).join("  " + line for line in how_to_enter(network))}
A login, on phone1:
  {" ".join(server.sdk_command(app, "login", 4, "--interface", "wwan0"))}
The server's log: {server.log}""", flush=True)
    signal.alarm(0)
    faulthandler.cancel_dump_traceback_later()
    try:
        signal.pause()
    except (KeyboardInterrupt, pytest.exit.Exception):
        print("\nthe network is taken down", flush=True)


@pytest.fixture(scope="module")
def network():
    made = CarrierNetwork()
    print(PICTURE, flush=True)
    yield made
    made.remove()


@pytest.fixture(scope="module")
def core(network):
    return network.packet_core()


@pytest.fixture(scope="module")
def server(network):
    with OperatorServer(network) as made:
        yield made


@pytest.fixture(scope="module")
def app(server):
    return server.create_app(server_address=SHOP)


def test_the_lab(checks, options, network, core, server, app):
    """On one network, in an order: later attackers find what earlier ones left."""
    a_login(checks, network, server, core, app)
    an_outsider(checks, network, server, core, app)
    two_behind_one(checks, network, server, app)
    lab_tether.run_part(checks, network, server, app, ONE)
    lab_attest.run_part(checks, network, server, ONE)
    lab_ipv6.run_part(checks, network, ONE)
    lab_guest.run_part(checks, network, server, ONE)
    lab_link.round_trips_part(checks, network, server, core, app, ONE)
    lab_link.lossy_part(checks, network, server, core, app, ONE)
    if options.keep:
        stay(network, server, app)
        pytest.exit("the network is taken down", 0)
    checks.equal(server.stop(), 0, "benji serve ends with 0")
    blocks_by_accounting(checks, network, core)


def test_floods(checks):
    lab_flood.run_part(checks)
