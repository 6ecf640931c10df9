"""Reads a gateway's journal without the gateway's code, and says whether its promise to a packet core was kept."""

import struct
import zlib
from dataclasses import dataclass

from .history import AddressHistory

MAGIC = b"BENJIGW3"


def sessions(data):
    """{session: (address, subscription)} after the last whole record."""
    held, place = {}, len(MAGIC)
    if not data.startswith(MAGIC):
        return held
    while place + 8 <= len(data):
        length, checksum = struct.unpack_from("<II", data, place)
        payload = data[place + 8:place + 8 + length]
        if len(payload) < max(length, 1) or zlib.crc32(payload) != checksum:  # zeros are a hole, not a record
            break
        place += 8 + length
        key = payload[1:13]
        if payload[0] == 1:
            (scope,) = struct.unpack_from("<H", payload, 13)
            subscription, _, _, _, address = struct.unpack_from("<qiiqI", payload, 15 + scope)
            held[key] = (address, subscription)
        elif payload[0] == 2:
            held.pop(key, None)
    return held


@dataclass
class Packet:
    """From here on `owner`, a subscription's number, holds the address, or none does. Times in microseconds."""

    address: int
    owner: int | None
    sent: int
    answered: int | None = None


def faults(data, packets, until):
    """The faults of a journal that was cut at `until`: holders that the packets until then do not permit."""
    histories, holders = {}, {}
    for packet in packets:
        if packet.sent < until:
            answered = packet.answered is not None and packet.answered < until
            histories.setdefault(packet.address, AddressHistory()).told(packet.owner, answered)
    for address, subscription in sessions(data).values():
        holders.setdefault(address, set()).add(subscription)
    found = []
    for address, history in histories.items():
        for holder in holders.get(address, {None}):
            if holder not in history.permitted:
                found.append(f"{holder} holds {address:#x}, permitted: {history.permitted}")
    return found
