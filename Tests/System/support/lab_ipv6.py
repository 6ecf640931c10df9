"""The lab's part on a hotspot's guest over IPv6: the differences of his packets from the phone's own, also once he
knows of the check. It comes after the part on tethering, which connects the laptop."""

import socket
import struct

from .carrier import OPERATOR6

PORT = 7007
# Linux's numbers, of linux/in6.h; Python's socket module has not all of them.
RECEIVE_FLOW, FLOW = 11, 11


def run_part(checks, network, phone):
    print("\nA guest of phone1's hotspot over IPv6: can his packets be told from the phone's?")
    with network.inside("operator"):
        ear = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    ear.settimeout(5)
    ear.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_RECVHOPLIMIT, 1)
    ear.setsockopt(socket.IPPROTO_IPV6, RECEIVE_FLOW, 1)
    ear.bind((OPERATOR6, PORT))

    def seen(machine, address, hops=None, interface=None):
        """A packet from this address of a machine, as the operator gets it: who it is from, its hop limit and its flow
        label."""
        with network.inside(machine):
            sender = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        if interface:
            sender.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, interface.encode() + b"\0")
        if hops:
            sender.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS, hops)
        sender.bind((address, 0))
        sender.connect((OPERATOR6, PORT))
        sender.send(b"hello")
        _, said, _, source = ear.recvmsg(100, 200)
        values = {kind: data for _, kind, data in said}
        label = struct.unpack("!I", values[FLOW])[0] & 0xFFFFF if FLOW in values else 0
        # A challenge to the address that called, as a gateway could send one.
        ear.sendto(b"are you the phone?", source)
        sender.settimeout(5)
        answered = sender.recv(100) == b"are you the phone?"
        sender.close()
        return source[0], struct.unpack("i", values[socket.IPV6_HOPLIMIT])[0], label, answered

    # As phones do for privacy (RFC 8981).
    temporary, laptop = f"{phone.prefix}c0de", f"{phone.prefix}2"
    network.ip(phone.machine, f"address add {temporary}/128 dev wwan0 nodad", version=6)
    own = [seen(phone.machine, address, interface="wwan0") for address in (phone.address6, temporary, temporary)]
    guest = [seen("laptop", laptop) for _ in range(2)]
    knowing = seen("laptop", laptop, hops=65)

    checks.equal([source for source, *_ in own[:2]], [phone.address6, temporary],
                 "the phone itself calls from two addresses of its prefix, and accounting names neither")
    checks.that(guest[0][0] == laptop and laptop.startswith(phone.prefix),
                "the guest's address is of the same prefix: its length, and the session, are the phone's", guest[0])
    checks.equal(guest[0][1], own[0][1] - 1,
                 "a packet of the guest who does not know that somebody looks has one hop less left, for the phone "
                 "passed it on")
    checks.equal(knowing[1], own[0][1], "NOT STOPPED by the hop limit: the guest begins with 65 instead of 64")
    labels = {label for _, _, label, _ in own + guest}
    checks.that(len(labels) == len(own) + len(guest),
                "NOT STOPPED by the flow label: it is another for every flow, the phone's own too", labels)
    checks.that(all(answered for *_, answered in own + guest + [knowing]),
                "NOT STOPPED by a challenge to the address that calls: it is the guest's own, so he answers")
    ear.close()
