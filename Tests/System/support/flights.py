"""Counts round trips in what passed over a wire, instead of trusting a clock.

A round trip is: something left that the other side has to answer (a TCP SYN or payload), and then something came. Pure
acknowledgements, the end of a connection, TLS's farewell included, and repeated segments are none.
"""

import struct
from dataclasses import dataclass

SYN = 0x02
# A record of TLS 1.3 with an alert in it: two bytes, their type and the tag. Both sides say close_notify so.
FAREWELL = b"\x17\x03\x03\x00\x13"


@dataclass(frozen=True)
class Segment:
    source: tuple  # (address, port)
    target: tuple
    sequence: int
    flags: int
    payload: bytes


def tcp(packet):
    """The TCP segment in an IP packet, or None."""
    if packet[0] >> 4 == 4:
        head, protocol, size = (packet[0] & 15) * 4, packet[9], struct.unpack("!H", packet[2:4])[0]
        source, target = packet[12:16], packet[16:20]
    else:
        head, protocol, size = 40, packet[6], 40 + struct.unpack("!H", packet[4:6])[0]
        source, target = packet[8:24], packet[24:40]
    if protocol != 6:
        return None
    part = packet[head:size]
    from_port, to_port, sequence = struct.unpack("!HHI", part[:8])
    return Segment((source, from_port), (target, to_port), sequence, part[13], part[(part[12] >> 4) * 4:])


def flights(passed, port):
    """The directions, `up` and `down` in turn, of what a server at `port` and its clients said to each other."""
    turns, told = [], {}
    for one in passed:
        segment = tcp(one.packet)
        if segment is None or port not in (segment.source[1], segment.target[1]):
            continue
        opens = segment.flags & SYN
        if not segment.payload and not opens or segment.payload.startswith(FAREWELL) and len(segment.payload) == 24:
            continue
        # Only bytes that were not said before count. A segment that is repeated may be cut otherwise than the first
        # time.
        way = segment.source, segment.target
        end = segment.sequence + (1 if opens else 0) + len(segment.payload)
        begun = told.get(way)
        if begun and (not opens or begun[0] == segment.sequence) and not 0 < (end - begun[1]) % (1 << 32) < 1 << 31:
            continue
        told[way] = (segment.sequence if opens or not begun else begun[0], end)
        if not turns or turns[-1] != one.direction:
            turns.append(one.direction)
    return turns


def round_trips(passed, port):
    """How often somebody on the near side had to wait for the far side."""
    turns = flights(passed, port)
    return sum(1 for first, second in zip(turns, turns[1:]) if (first, second) == ("up", "down"))


def connections(passed, port):
    """How many connections the near side opened."""
    opened = set()
    for one in passed:
        segment = tcp(one.packet)
        if segment and one.direction == "up" and segment.target[1] == port and segment.flags & SYN:
            opened.add((segment.source, segment.sequence))
    return len(opened)
