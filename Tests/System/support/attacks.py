"""Attacks of hostile clients on a listener.

Each attack takes its time, then lets go of everything, and says what it saw.
"""

import socket
import struct
import time

from .radius import START, accounting_request

HEAD = b"POST /device/v1/prefetch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"


def addresses(count, network=0):
    """Addresses of the packet core's pool that no honest phone has."""
    return [f"127.8.{200 + network}.{index + 1}" for index in range(count)]


def connect(port, source, timeout=2.0, receive_buffer=None):
    """A connected socket, or None if it was not taken."""
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            # On the loopback segments are 64 KiB, and the sender's buffer is made for ten of them.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        connection.settimeout(timeout)
        connection.bind((source, 0))
        connection.connect(("127.0.0.1", port))
        connection.setblocking(False)
        return connection
    except OSError:
        connection.close()
        return None


def is_closed(connection):
    """Whether the other side has ended the connection; what it sent is read and thrown away."""
    try:
        while True:
            if not connection.recv(65536):
                return True
    except (BlockingIOError, InterruptedError):
        return False
    except OSError:
        return True


class Crowd:
    """Many connections from several addresses."""

    def __init__(self, port, sources, each, **options):
        self.connections = [made for source in sources for _ in range(each)
                            if (made := connect(port, source, **options)) is not None]
        self.wanted = len(sources) * each

    def send(self, data):
        for connection in self.connections:
            try:
                connection.send(data)
            except OSError:
                pass

    def still_open(self):
        return sum(not is_closed(connection) for connection in self.connections)

    def close(self, reset=False):
        for connection in self.connections:
            if reset:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()


def drip(port, seconds, opening, sources, each):
    """Connections that send `opening`, and then a byte a quarter of a second. How many are open at the end."""
    crowd = Crowd(port, sources, each)
    crowd.send(opening)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        crowd.send(b"a")
        time.sleep(0.25)
    left = crowd.still_open()
    crowd.close()
    return {"opened": len(crowd.connections), "open at the end": left}


def slow_headers(port, seconds, sources, each):
    return drip(port, seconds, b"GET /device/v1/policy HTTP/1.1\r\nX-Slow: ", sources, each)


def slow_bodies(port, seconds, sources, each):
    return drip(port, seconds, HEAD + b"DPoP: a.b.c\r\nContent-Length: 20000\r\n\r\n", sources, each)


def idle(port, seconds, sources, each):
    """Connections that never say anything."""
    crowd = Crowd(port, sources, each)
    opened = len(crowd.connections)
    time.sleep(seconds)
    left = crowd.still_open()
    crowd.close()
    return {"opened": opened, "open at the end": left}


def slow_readers(port, seconds, sources, each):
    """Clients that ask again and again, not too fast, and never read the answers. The buffers on the way take a while
    to fill, so this one may last twice as long; it ends when all were dropped."""
    crowd = Crowd(port, sources, each, receive_buffer=2048)
    opened = len(crowd.connections)
    asking = set(crowd.connections)
    deadline = time.monotonic() + seconds * 2
    while time.monotonic() < deadline and asking:
        for connection in list(asking):
            try:
                connection.send(b"GET /device/v1/policy HTTP/1.1\r\nHost: a\r\n\r\n" * 4)
            except BlockingIOError:
                pass
            except OSError:
                asking.discard(connection)
        time.sleep(0.04)
    crowd.close(reset=True)
    return {"opened": opened, "open at the end": len(asking)}


def pour(crowd, seconds, piece):
    """Sends `piece` on every connection for as long as it is taken. The most that one connection took, in bytes."""
    taken = dict.fromkeys(crowd.connections, 0)
    ended = set()
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and len(ended) < len(taken):
        moved = False
        for connection in crowd.connections:
            if connection in ended:
                continue
            try:
                taken[connection] += connection.send(piece)
                moved = True
            except BlockingIOError:
                if is_closed(connection):
                    ended.add(connection)
            except OSError:
                ended.add(connection)
        if not moved:
            time.sleep(0.02)
    left = crowd.still_open()
    crowd.close()
    return {"opened": len(taken), "open at the end": left, "KiB taken from one": max(taken.values(), default=0) >> 10}


def huge_bodies(port, seconds, sources, each):
    """Bodies that say that they are a gibibyte, and bring it."""
    crowd = Crowd(port, sources, each)
    crowd.send(HEAD + b"DPoP: a.b.c\r\nContent-Length: 1073741824\r\n\r\n")
    return pour(crowd, seconds, b"x" * 65536)


def endless_chunks(port, seconds, sources, each):
    """Bodies that do not say how long they are, and do not end."""
    crowd = Crowd(port, sources, each)
    crowd.send(HEAD + b"DPoP: a.b.c\r\nTransfer-Encoding: chunked\r\n\r\n")
    return pour(crowd, seconds, b"1000\r\n" + b"x" * 4096 + b"\r\n")


def huge_headers(port, seconds, sources, each):
    """One header line without end."""
    crowd = Crowd(port, sources, each)
    crowd.send(b"GET /device/v1/policy HTTP/1.1\r\nX-Huge: ")
    return pour(crowd, seconds, b"x" * 65536)


def many_headers(port, seconds, sources, each):
    """Header lines without end."""
    crowd = Crowd(port, sources, each)
    crowd.send(b"GET /device/v1/policy HTTP/1.1\r\n")
    return pour(crowd, seconds, b"X-More: 1\r\n" * 1000)


def requests_ahead(port, seconds, sources, each):
    """Clients that send requests as fast as they are taken, and never read the answers."""
    crowd = Crowd(port, sources, each)
    return pour(crowd, seconds, b"GET /device/v1/policy HTTP/1.1\r\nHost: a\r\n\r\n" * 400)


def churn(port, seconds, sources, each):
    """Connections that are cut as soon as they are there."""
    deadline = time.monotonic() + seconds
    count = 0
    while time.monotonic() < deadline:
        crowd = Crowd(port, sources, max(each // 10, 1), timeout=0.5)
        crowd.send(b"GET / HT")
        crowd.close(reset=True)
        count += len(crowd.connections)
    return {"opened": count}


def flood(port, seconds, source, secret, nas, packets=20000, a_second=15000):
    """Accounting-Requests of ever new sessions, sent without waiting for answers, each packet again and again."""
    made = [accounting_request(secret, START, f"flood-{index}", f"127.9.{index >> 8 & 255}.{index & 255}",
                               number=f"861360{index:07d}", imsi=f"46000{index:010d}", nas=nas,
                               identifier=index & 255)
            for index in range(256, 256 + packets)]
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.bind((source, 0))
    sender.setblocking(False)
    began = time.monotonic()
    sent = lost = 0
    while (elapsed := time.monotonic() - began) < seconds:
        while sent < elapsed * a_second:
            try:
                sender.sendto(made[sent % len(made)], ("127.0.0.1", port))
            except OSError:
                lost += 1
            sent += 1
        time.sleep(0.002)
    sender.close()
    return {"packets": sent, "not even sent": lost}
