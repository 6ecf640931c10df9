"""A FreeRADIUS server stands between the packet core and Benji, as in many operators' networks.

FreeRADIUS adds a Proxy-State to packets that it passes on and drops an answer that does not return it. So an answer
that reaches the packet core shows that ours did.
"""

import re

import pytest

from support.checks import eventually
from support.freeradius import Proxy, RadClient, session
from support.operators import Backend
from support.server import Server, wait_a_second

pytestmark = pytest.mark.seconds(120)

NUMBER, ADDRESS, PROXY = "8613900000021", "127.8.4.1", "127.0.4.1"
CORE_SECRET = "between-packet-core-and-proxy"


def test_accounting_through_freeradius(checks):
    # Only the proxy is a known source: what reaches Benji, the proxy has passed on.
    with Server(nas={"proxy": {"sources": [f"{PROXY}/32"]}}) as server:
        app, backend = server.create_app(), Backend(server.server)
        with Proxy(server.accounting, PROXY, CORE_SECRET) as proxy:
            client = RadClient(proxy.port, CORE_SECRET)
            direct, said = RadClient(server.accounting).send(session("Start", "direct", ADDRESS, NUMBER), tries=1)
            checks.that(direct is None, "past the proxy, Benji does not answer", said)

            for status in ("Start", "Interim-Update"):
                code, said = client.send(session(status, "proxied", ADDRESS, NUMBER,
                                                 **{"3GPP-IMSI": '"460001234567891"'}))
                checks.that(
                    code == "Accounting-Response", f"the {status} is answered through FreeRADIUS",
                    said + proxy.said()[-800:])
                token, _, said = server.phone("login", app, ADDRESS)
                if checks.that(token is not None, f"after {status}, the phone is recognised", said):
                    checks.equal(backend.redeem(app, token), ("103000", NUMBER[2:]), "its token yields its number")

            # A packet core behind another proxy: two Proxy-States, of which FreeRADIUS returns the first to us.
            code, said = client.send({**session("Interim-Update", "proxied", ADDRESS, NUMBER),
                                      "Proxy-State": "0x010203"})
            checks.that(
                code == "Accounting-Response" and re.search(r"Received.*\n(?:.*\n)*.*Proxy-State = 0x010203", said),
                "a Proxy-State from before the proxy comes back to its owner", said)
            wait_a_second()
            code, said = client.send({**session("Stop", "proxied", ADDRESS, NUMBER),
                                      "3GPP-Session-Stop-Indicator": 255})
            checks.that(code == "Accounting-Response", "the Stop is answered through FreeRADIUS", said)
            _, situation, said = server.phone("verify", app, ADDRESS)
            checks.that(situation == "address_unknown", "after Stop, the address is unknown", said)

            log = proxy.said()
            sent = re.findall(r"Sent Accounting-Request Id \d+ from \S+ to 127\.0\.0\.1:%d(?:.*\n)(?:\(\d+\).*\n)*"
                              % server.accounting, log)
            checks.that(
                len(sent) >= 4 and all("Proxy-State" in packet for packet in sent),
                "FreeRADIUS put a Proxy-State into every packet it passed on", f"{len(sent)} packets passed on")
            checks.that(
                not re.search(r"verification failed|No outstanding request was found|Discarding", log),
                "FreeRADIUS discarded no answer of Benji's", log[-1500:])

            # FreeRADIUS thinks Benji is dead until a Status-Server is answered.
            server.stop()
            code, _ = client.send(session("Start", "while-down", "127.8.4.2", NUMBER), wait=1, tries=1)
            checks.that(code is None, "while Benji is down, FreeRADIUS has no answer to give")
            server.start()
            answered = eventually(
                lambda: client.send(session("Start", "again", "127.8.4.3", NUMBER), tries=1)[0] is not None, 40, 0.5)
            checks.that(answered, "after Benji's restart, FreeRADIUS passes accounting on again", proxy.said()[-1500:])
