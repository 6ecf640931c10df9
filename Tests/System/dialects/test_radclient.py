"""FreeRADIUS's client starts, updates and stops sessions; phones are recognised accordingly, and what must not be heard
is not."""

import time

import pytest

from support.checks import eventually, kill
from support.freeradius import RadClient, session
from support.operators import Backend
from support.server import Server, wait_a_second

NUMBER, OTHER, THIRD = "8613900000009", "8613900000010", "8613900000011"
IMSI = "460001234567890"
GENERAL = "127.8.1.1"


@pytest.fixture(scope="module")
def client(server):
    return RadClient(server.accounting)


def recognised(checks, server, app, backend, address, number, sentence):
    """Whether the phone at an address gets a token that yields a number, given without its country code."""
    token, situation, said = server.phone("login", app, address)
    if checks.that(token is not None, f"{sentence}: the phone gets a token", said):
        checks.equal(backend.redeem(app, token), ("103000", number[2:]), f"{sentence}: the token yields its number")


def refused(checks, server, app, address, situation, sentence):
    token, got, said = server.phone("verify", app, address)
    checks.that(token is None and got == situation, f"{sentence}: {situation}", said)


def test_life_of_a_session(checks, server, app, backend, client):
    mobile = {
        "User-Name": '"someone@internet"', "Called-Station-Id": '"cmnet"', "NAS-IP-Address": "10.9.9.9",
        "3GPP-IMSI": f'"{IMSI}"', "3GPP-Charging-ID": "77", "3GPP-PDP-Type": "0", "3GPP-SGSN-Address": "10.9.9.1",
        "3GPP-GGSN-Address": "10.9.9.2", "3GPP-IMSI-MCC-MNC": '"46000"', "3GPP-GGSN-MCC-MNC": '"46000"',
        "3GPP-SGSN-MCC-MNC": '"46000"', "3GPP-NSAPI": '"5"', "3GPP-Selection-Mode": '"0"',
        "3GPP-Charging-Characteristics": '"0800"', "3GPP-RAT-Type": "6", "3GPP-IMEISV": '"3512340000000001"',
        "3GPP-User-Location-Info": "0x8264f0000001", "3GPP-MS-Time-Zone": "0x2300", "3GPP-Negotiated-DSCP": "10",
        "Class": "0x6265", "Acct-Delay-Time": "0", "Service-Type": "Framed-User", "Framed-Protocol": "GPRS-PDP-Context",
    }
    refused(checks, server, app, GENERAL, "address_unknown", "before Start")
    code, said = client.send({**session("Start", "life", GENERAL, NUMBER), **mobile})
    checks.that(code == "Accounting-Response", "a Start with every 3GPP attribute is answered", said)
    recognised(checks, server, app, backend, GENERAL, NUMBER, "after Start")
    code, said = client.send({
        **session("Interim-Update", "life", GENERAL, NUMBER, Acct_Session_Time="300", Acct_Input_Octets="1000"),
        **mobile, "Message-Authenticator": "0x00"})
    checks.that(code == "Accounting-Response", "an Interim-Update with a Message-Authenticator is answered", said)
    recognised(checks, server, app, backend, GENERAL, NUMBER, "after Interim-Update")

    code, said = client.send({**session("Stop", "life", GENERAL, NUMBER), **mobile})
    checks.that(code == "Accounting-Response", "the Stop of one bearer is answered", said)
    recognised(checks, server, app, backend, GENERAL, NUMBER, "after a Stop without 3GPP-Session-Stop-Indicator")
    code, said = client.send({
        **session("Stop", "life", GENERAL, NUMBER, Acct_Terminate_Cause="User-Request"), **mobile,
        "3GPP-Session-Stop-Indicator": "255"})
    checks.that(code == "Accounting-Response", "the Stop of the session is answered", said)
    refused(checks, server, app, GENERAL, "address_unknown", "after Stop")

    code, _ = client.send(session("Interim-Update", "lost-start", "127.8.1.2", OTHER))
    checks.equal(code, "Accounting-Response", "an Interim-Update whose Start was lost is answered")
    recognised(checks, server, app, backend, "127.8.1.2", OTHER, "after an Interim-Update alone")


def test_ports_of_a_nat(checks, server, app, backend, client):
    """RFC 8045: two subscribers behind one public address, told apart by their ports."""
    public, now = "127.8.2.254", int(time.time())

    def block(first, last, alloc="Allocation"):
        return {"IP-Port-Range-Ext-IPv4-Addr": public, "IP-Port-Range-Alloc": alloc,
                "IP-Port-Range-Range-Start": first, "IP-Port-Range-Range-End": last}

    high, low = (16384, 65535), (1024, 16383)
    for name, address, number, ports in (
            ("nat-1", "127.8.2.1", NUMBER, high), ("nat-2", "127.8.2.2", OTHER, low)):
        code, said = client.send(
            {**session("Start", name, address, number, **{"Event-Timestamp": now}), **block(*ports)})
        checks.that(code == "Accounting-Response", f"a Start with the port block {ports} is answered", said)
    recognised(checks, server, app, backend, public, NUMBER, "behind the NAT, from a port of the first's block")
    client.send({**session("Interim-Update", "nat-1", "127.8.2.1", NUMBER, **{"Event-Timestamp": now + 10}),
                 **block(*high, "Deallocation")})
    refused(checks, server, app, public, "address_unknown", "after the block was given back")
    client.send({**session("Interim-Update", "nat-2", "127.8.2.2", OTHER, **{"Event-Timestamp": now + 20}),
                 **block(*high)})
    recognised(checks, server, app, backend, public, OTHER, "after the block was given to the second")


def test_unheard(checks, server, app, client):
    address = "127.8.3.1"
    start = session("Start", "wrong", address, NUMBER)

    def silence(sentence, reason, attributes=start, **options):
        before = server.metric("benji_gateway_accounting_packets_total", result=reason) or 0
        process = client.begin(attributes, **options)
        counted = lambda: server.metric("benji_gateway_accounting_packets_total", result=reason) or 0
        # Packets that the kernel keeps out are counted once a second.
        checks.that(eventually(lambda: counted() > before), f"{sentence}: counted as {reason}",
                    f"{before}, then {counted()}")
        # A packet that is sent after it is answered.
        client.send({"Message-Authenticator": "0x00"}, kind="status")
        checks.equal(process.poll(), None, f"{sentence}: no answer")
        kill(process)

    silence("a wrong secret", "bad_authenticator", secret="not-the-secret-of-anybody")
    silence("a source that is no NAS", "unknown_nas", source="127.0.9.9")
    silence("an address outside the pool", "outside_pools", session("Start", "wrong", "127.9.0.1", NUMBER))
    silence("a port block outside the pool", "outside_pools", {
        **start, "IP-Port-Range-Ext-IPv4-Addr": "127.9.0.2", "IP-Port-Range-Alloc": "Allocation",
        "IP-Port-Range-Range-Start": 1024, "IP-Port-Range-Range-End": 2047})
    silence("an event an hour ahead", "clock", {**start, "Event-Timestamp": int(time.time()) + 3600})
    untimed = {name: value for name, value in start.items() if name != "Event-Timestamp"}
    silence("a packet that does not say when", "no_event_timestamp", untimed)
    silence("an Access-Request on the accounting port", "unexpected_code", {
        "User-Name": '"a"', "User-Password": '"b"', "NAS-Identifier": '"pgw"'}, kind="auth")
    refused(checks, server, app, address, "address_unknown", "after all that was not heard")
    refused(checks, server, app, "127.9.0.1", "address_unknown", "at the address outside the pool")
    code, said = client.send({"Message-Authenticator": "0x00"}, kind="status")
    checks.that(code is not None, "a Status-Server is answered", said)


def test_handing_over(checks, server, app, backend, client):
    address, now = "127.8.1.3", int(time.time())
    client.send(session("Start", "old", address, NUMBER, Event_Timestamp=now))
    token, _, _ = server.phone("login", app, address)
    client.send(session("Start", "new", address, OTHER, Event_Timestamp=now + 10))
    recognised(checks, server, app, backend, address, OTHER, "after another's Start, the Stop lost")
    checks.equal(
        backend.redeem(app, token)[0], "104201", "a token that the previous holder of the address earned is dead")
    client.send(session("Stop", "old", address, NUMBER, Event_Timestamp=now + 5))
    recognised(checks, server, app, backend, address, OTHER, "after the late Stop of the previous session")

    address = "127.8.1.4"
    client.send(session("Start", "sim-1", address, THIRD, **{"3GPP-IMSI": f'"{IMSI}"', "Event-Timestamp": now}))
    token, _, _ = server.phone("login", app, address)
    client.send(session(
        "Start", "sim-2", "127.8.1.5", THIRD, **{"3GPP-IMSI": '"460009999999999"', "Event-Timestamp": now + 10}))
    checks.equal(backend.redeem(app, token)[0], "104201", "a token that was earned with the replaced SIM is dead")

    client.send(session("Accounting-On", "reset", Event_Timestamp=now + 20))
    refused(checks, server, app, "127.8.1.5", "address_unknown", "after the packet core's Accounting-On")


def test_restart_under_another_name(checks, server, app, backend, client):
    """RFC 2866 section 5.1 allows a NAS to name itself by NAS-Identifier in one packet and by NAS-IP-Address in the
    next."""
    address, now = "127.8.1.6", int(time.time())
    client.send(session("Start", "named", address, NUMBER, NAS_Identifier='"pgw-6"', NAS_IP_Address="10.6.6.6",
                        Event_Timestamp=now))
    recognised(checks, server, app, backend, address, NUMBER, "after a Start with both names")
    restart = session("Accounting-On", "reset", NAS_IP_Address="10.6.6.6", Event_Timestamp=now + 2)
    del restart["NAS-Identifier"]
    code, said = client.send(restart)
    checks.equal(code, "Accounting-Response", "an Accounting-On with the address alone is answered")
    refused(checks, server, app, address, "address_stale", "after the restart")
    client.send(session("Interim-Update", "named", address, NUMBER, NAS_Identifier='"pgw-6"', Event_Timestamp=now + 4))
    recognised(checks, server, app, backend, address, NUMBER, "after an Interim-Update with the identifier alone")


@pytest.mark.own_processes("phones of a cluster have IPv4")
def test_version_6(checks):
    """The loopback's only IPv6 address stands for a phone: its prefix ::/64 is announced and the listener is on ::1."""
    with Server(nas={"pgw": {"pools": ["::/64"]}}, device_host="::1") as server:
        app, client = server.create_app(), RadClient(server.accounting)
        backend = Backend(server.server)
        code, said = client.send(session("Start", "six", number=NUMBER, **{"Framed-IPv6-Prefix": "::/64"}))
        checks.that(code == "Accounting-Response", "a Start with a Framed-IPv6-Prefix is answered", said)
        recognised(checks, server, app, backend, "::1", NUMBER, "inside its IPv6 prefix")
        wait_a_second()
        code, _ = client.send(session("Stop", "six", number=NUMBER, **{"Framed-IPv6-Prefix": "::/64"}))
        checks.equal(code, "Accounting-Response", "its Stop is answered")
        refused(checks, server, app, "::1", "address_unknown", "after its Stop")


def test_the_end(checks, server):
    checks.equal(server.stop(), 0, "benji serve ends with 0")
