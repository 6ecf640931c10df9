"""A network link with delay, loss and duplication, for machines whose kernel has no netem.

The link is a pair of TUN devices, one on each machine, and a thread that carries IP packets from one to the other.
Packets keep their addresses, TCP handshakes cross the link like everything else, and the thread can write down what
passes.
"""

import fcntl
import heapq
import os
import random
import select
import struct
import threading
import time
from dataclasses import dataclass

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000


@dataclass(frozen=True)
class Passed:
    """A packet as the first machine saw it: `up` left there at `at`, `down` arrived there at `at`."""

    at: float
    direction: str
    packet: bytes


class Wire:
    """Joins `name` on machine `near` to `far_name` on machine `far`.

    `delay` is in seconds and each way. `loss` and `duplication` are shares of the packets of either direction. A
    duplicate comes `lag` seconds after the packet, also when the packet itself was lost.
    """

    def __init__(self, network, near, name, far, far_name, seed=0):
        self.delay = self.loss = self.duplication = self.lag = 0.0
        self.delivered = None  # told direction and packet when a packet reaches its end
        self.lost = self.duplicated = 0
        self.record = None  # a list of Passed while somebody counts
        self.chance = random.Random(seed)
        self.lock = threading.Lock()
        self.ends = {"up": self._device(network, near, name), "down": self._device(network, far, far_name)}
        self.queue, self.order = [], 0
        threading.Thread(target=self._carry, daemon=True).start()

    @staticmethod
    def _device(network, machine, name):
        with network.inside(machine):
            device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
            fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
        network.ip(machine, f"link set {name} up")
        return device

    def _carry(self):
        """`up` is read at the near end and written at the far one."""
        readers = {self.ends["up"]: "up", self.ends["down"]: "down"}
        writers = {"up": self.ends["down"], "down": self.ends["up"]}
        while True:
            pause = max(0.0, self.queue[0][0] - time.monotonic()) if self.queue else None
            for ready in select.select(list(readers), [], [], pause)[0]:
                self._take(ready, readers[ready])
            while self.queue and self.queue[0][0] <= time.monotonic():
                _, _, direction, packet = heapq.heappop(self.queue)
                if direction == "down":
                    self._note("down", packet)
                if self.delivered:
                    self.delivered(direction, packet)
                try:
                    os.write(writers[direction], packet)
                except OSError:
                    pass  # the device is down: a link that is gone loses packets

    def _take(self, device, direction):
        while True:
            try:
                packet = os.read(device, 65536)
            except OSError:
                return
            # The kernel's own neighbour and router messages are no subscriber's traffic.
            if packet[0] >> 4 == 6 and packet[6] == 58:
                continue
            if direction == "up":
                self._note("up", packet)
            now = time.monotonic()
            if self.chance.random() < self.loss:
                self.lost += 1
            else:
                self._later(now + self.delay, direction, packet)
            if self.chance.random() < self.duplication:
                self.duplicated += 1
                self._later(now + self.delay + self.lag, direction, packet)

    def _later(self, at, direction, packet):
        self.order += 1
        heapq.heappush(self.queue, (at, self.order, direction, packet))

    def _note(self, direction, packet):
        with self.lock:
            if self.record is not None:
                self.record.append(Passed(time.monotonic(), direction, packet))

    def watch(self):
        """Writes down what passes from now on."""
        with self.lock:
            self.record = []

    def seen(self):
        """The packets that have passed since `watch`."""
        with self.lock:
            return list(self.record or [])
