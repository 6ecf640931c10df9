"""Compares the answers until a moment with the data that a power cut at that moment left."""

import ipaddress
import sqlite3
import tempfile
import threading
import time
from pathlib import Path

from . import disk, journal, operations
from .operations import Books, microseconds
from .radius import START, STOP, PacketCore
from .server import SECRET

NETWORK = "127.8.40"


class Handovers:
    """Passes a few addresses from subscriber to subscriber, one packet after the other, and keeps the books."""

    def __init__(self, server, addresses=6):
        self.core, self.packets, self.over = PacketCore(server.accounting, SECRET), [], threading.Event()
        self.addresses = [f"{NETWORK}.{index + 1}" for index in range(addresses)]
        # Each Start brings a number that is new, and so the next subscription.
        self.next = 1 + newest_subscription(server)
        self.thread = threading.Thread(target=self.work, daemon=True)

    def send(self, status, address, owner, subscription):
        """Repeats a packet until it is answered, as packet cores do; False if the storm ended first."""
        packet = journal.Packet(int(ipaddress.ip_address(address)), owner, microseconds())
        self.packets.append(packet)
        number = f"138{subscription:08d}"
        while not self.over.is_set():
            if self.core.send(status, f"handover-{subscription}", address, seconds=0.5, number="86" + number,
                              imsi="46000" + number):
                packet.answered = microseconds()
                return True
            time.sleep(0.02)
        return False

    def work(self):
        holders = {}
        while not self.over.is_set():
            for address in self.addresses:
                if address in holders and not self.send(STOP, address, None, holders[address]):
                    return
                holders[address], self.next = self.next, self.next + 1
                if not self.send(START, address, holders[address], holders[address]):
                    return


def at(history, until):
    """The history as it stood then: what had no answer yet has none."""
    known = []
    for operation in history:
        if operation["start"] < until:
            if operation["end"] is None or operation["end"] >= until:
                token = None if operation["op"] == "authorize" else operation["token"]
                operation = {**operation, "end": None, "outcome": None, "released": None, "token": token}
            known.append(operation)
    return known


def judge_cut(history, packets, until, files):
    """All faults of what a power cut left."""
    with tempfile.TemporaryDirectory() as place:
        disk.write_files(files, Path(place))
        books = Books.of(Path(place) / "benji.sqlite").shortened()
        kept = Path(place) / "directory.journal"
        found = journal.faults(kept.read_bytes() if kept.exists() else b"", packets, until)
    return [*map(str, operations.judge(at(history, until), books)), *(f"journal: {fault}" for fault in found)]


def newest_subscription(server):
    with sqlite3.connect(f"file:{server.data}/benji.sqlite?mode=ro", uri=True, timeout=10) as database:
        return database.execute("SELECT coalesce(max(id), 0) FROM subscription").fetchone()[0]
