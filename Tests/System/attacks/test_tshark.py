"""tshark reads the accounting port's packets with the shared secret: nothing malformed, every authenticator right."""

import json
import signal
import subprocess
import time

import pytest

from support.checks import Stop, end, eventually, folder, require, run, start
from support.freeradius import RadClient, session
from support.radius import is_answer, is_signed_request
from support.server import SECRET, Server, wait_a_second

pytestmark = pytest.mark.seconds(90)

NUMBER = "8613900000031"


class Capture:
    """tshark on the loopback, for one UDP port, into a file."""

    def __init__(self, port):
        self.program = require("tshark", "tshark")
        self.port = port
        self.folder = folder()
        self.file = self.folder / "capture.pcap"

    def __enter__(self):
        with open(self.folder / "log.txt", "wb") as log:
            self.process = start(
                [self.program, "-i", "lo", "-n", "-f", f"udp port {self.port}", "-w", str(self.file)], stdout=log,
                stderr=log, stdin=subprocess.DEVNULL)
        said = self.folder / "log.txt"
        if not eventually(lambda: "Capture started" in said.read_text() or self.process.poll() is not None, 15):
            raise Stop(f"tshark does not start to capture: {said.read_text()}")
        if self.process.poll() is not None:
            raise Stop(f"tshark ended with {self.process.returncode}: {said.read_text()}")
        time.sleep(0.5)
        return self

    def __exit__(self, *_):
        time.sleep(1.5)  # dumpcap hands packets over in batches
        end(self.process, ((signal.SIGINT, 10), (signal.SIGTERM, 5), (signal.SIGKILL, 5)))

    def packets(self, secret, filter_text=None):
        """The decoded packets: name of a field -> its values, in order."""
        command = [
            self.program, "-r", str(self.file), "-n", "-T", "json", "--no-duplicate-keys", "-d",
            f"udp.port=={self.port},radius", "-o", f"radius.shared_secret:{secret}", "-o",
            "radius.validate_authenticator:TRUE"]
        done = run(command + (["-Y", filter_text] if filter_text else []), 60)
        if done.returncode != 0:
            raise Stop(f"tshark cannot read the capture: {done.stderr}")
        return [fields(packet["_source"]["layers"]) for packet in json.loads(done.stdout or "[]")]


def fields(tree, found=None):
    """All leaves of tshark's tree by their name."""
    found = {} if found is None else found
    for name, value in tree.items():
        for one in value if isinstance(value, list) else [value]:
            found.setdefault(name, [])
            if isinstance(one, dict):
                fields(one, found)
            else:
                found[name].append(one)
    return found


def payload(packet):
    return bytes.fromhex(packet["udp.payload"][0].replace(":", ""))


def test_what_tshark_reads(checks):
    with Server(nas={"pgw": {"pools": ["127.8.0.0/16", "2001:db8::/32"]}}) as server:
        client = RadClient(server.accounting)
        with Capture(server.accounting) as capture:
            for attributes in (
                session("Start", "wire", "127.8.5.1", NUMBER, **{
                    "3GPP-IMSI": '"460001234567892"', "3GPP-SGSN-MCC-MNC": '"46000"', "3GPP-RAT-Type": 6,
                    "Framed-IPv6-Prefix": "2001:db8:1::/64", "Proxy-State": "0xaabb"}),
                session("Interim-Update", "wire", "127.8.5.1", NUMBER, **{"Message-Authenticator": "0x00"}),
                session("Stop", "wire", "127.8.5.1", NUMBER, **{"3GPP-Session-Stop-Indicator": 255}),
            ):
                code, said = client.send(attributes)
                checks.that(code == "Accounting-Response", f"radclient's {attributes['Acct-Status-Type']} is answered",
                            said)
                wait_a_second()
            code, said = client.send({"Message-Authenticator": "0x00"}, kind="status")
            checks.that(code is not None, "radclient's Status-Server is answered", said)
            for what, number in (("attach", "13900000031"), ("update", "13900000031"), ("detach", None)):
                done = server.attach(what, "127.8.5.2", number, imsi="460001234567893" if number else None)
                checks.equal(done.returncode, 0, f"benji phone {what} is answered")
            # outside the pools: no answer
            client.send(session("Start", "wire", "127.9.5.3", NUMBER), wait=0.5, tries=1)

        packets = capture.packets(SECRET)
        requests = [packet for packet in packets if packet.get("radius.code") == ["4"]]
        answers = [packet for packet in packets if packet.get("radius.code") == ["5"]]
        checks.equal(len(packets), 15,
                     "tshark saw every packet: seven Accounting-Requests, a Status-Server, seven answers")
        checks.that(len(requests) == 7 and len(answers) == 7, "seven requests, seven answers",
                    f"{len(requests)}, {len(answers)}")
        malformed = capture.packets(SECRET, "_ws.malformed || _ws.expert.severity >= 0x600000")
        checks.equal(malformed, [], "tshark finds nothing malformed and nothing to warn of")
        # tshark pairs answers with Accounting-Requests only, and checks the authenticators of answers only. What it
        # leaves out is checked here, by the RFC's words.
        status = [packet for packet in packets if packet.get("radius.code") == ["12"]]
        # By the port too: another request may have drawn the same identifier.
        left_out = [packet for packet in answers if packet["radius.id"] == status[0]["radius.id"]
                    and packet["udp.dstport"] == status[0]["udp.srcport"]]
        matched = [packet for packet in answers if packet not in left_out]
        checks.equal([packet.get("radius.authenticator.valid") for packet in matched], [["1"]] * 6,
                     "tshark finds the authenticator of every answer to an Accounting-Request right")
        frames = [packet.get("radius.reqframe", ["?"])[0] for packet in matched]
        known = [packet["frame.number"][0] for packet in requests]
        checks.that(len(set(frames)) == 6 and set(frames) <= set(known),
                    "tshark finds the one Accounting-Request of every answer", f"{frames} of {known}")
        checks.that(all(is_signed_request(payload(packet), SECRET) for packet in requests),
                    "the authenticator of every Accounting-Request is right")
        checks.that(len(left_out) == 1 and is_answer(payload(left_out[0]), payload(status[0]), SECRET),
                    "the authenticator of the answer to the Status-Server is right")
        states = [packet["radius.Proxy_State"] for packet in answers if "radius.Proxy_State" in packet]
        checks.equal(len(states), 1, "one answer returns a Proxy-State, as one request had one")

        ours = [packet for packet in requests if "benji-phone" in packet.get("radius.NAS_Identifier", [])]
        checks.equal(len(ours), 3, "benji phone sent three packets")
        checks.equal(
            [value for packet in ours for value in packet.get("radius.Calling_Station_Id", [])], ["8613900000031"] * 2,
            "tshark reads the number that benji phone sent, in international form without plus")
        checks.equal(
            [value for packet in ours for value in packet.get("radius.3GPP_IMSI", packet.get("e212.imsi", []))],
            ["460001234567893"] * 2, "tshark reads the IMSI that benji phone sent")
        checks.equal(
            [value for packet in ours for value in packet.get("radius.Framed-IP-Address", [])], ["127.8.5.2"] * 3,
            "tshark reads the address that benji phone sent")

        wrong = capture.packets("another secret altogether")
        checks.that(
            any(packet.get("radius.authenticator.invalid") == ["1"] for packet in wrong),
            "with another secret tshark does find the authenticators wrong (so the check above can fail)")
