"""Many accounting packets at once, from several ports. Each gets its own answer, whether the kernel takes answers that
leave together in one segmented datagram or refuses them."""

import select
import socket
import struct

import pytest

from support.checks import eventually, folder
from support.preload import preload, shared_page
from support.radius import INTERIM, accounting_request, is_answer
from support.server import SECRET, Server

PORTS, EACH = 3, 200
PROXY_STATE = 33


class Segments:
    """Counts the segmented datagrams of a server that does not run yet, or has them refused."""

    def __init__(self, server):
        control = folder() / "segments"
        self._page = shared_page(control)
        server.environment |= {"LD_PRELOAD": preload("segments.c"), "SEGMENTS_CONTROL": str(control)}

    @property
    def sent(self):
        return struct.unpack("=Q", self._page[:8])[0]

    def refuse(self):
        self._page[8] = 1


@pytest.fixture
def segments(installation):
    return Segments(installation)


@pytest.fixture
def installation():
    return Server(log={"level": "notice"})


@pytest.fixture
def server(segments, installation):
    with installation:
        yield installation


def requests_of(port):
    """Requests of one port with identifiers of their own; every seventh came through a proxy, so its answer is
    longer."""
    made = {}
    for number in range(EACH):
        made[number] = accounting_request(
            SECRET, INTERIM, f"{port}-{number}", f"127.8.{port}.{number + 1}", identifier=number,
            proxy_state=bytes([port, number]) if number % 7 == 0 else None)
    return made


def answers_to(server, bursts):
    """Sends all requests at once, and each second again those that are not answered, because the kernel may drop some.

    Gives the answers of each port by identifier."""
    sockets = []
    for _ in bursts:
        opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        opened.connect(("127.0.0.1", server.accounting))
        sockets.append(opened)
    answers = [{} for _ in bursts]

    def are_complete():
        while ready := select.select(sockets, [], [], 0)[0]:
            for opened in ready:
                answer = opened.recv(4096)
                answers[sockets.index(opened)].setdefault(answer[1], answer)
        for opened, burst, got in zip(sockets, bursts, answers):
            for number in burst.keys() - got.keys():
                opened.send(burst[number])
        return all(len(got) == EACH for got in answers)

    eventually(are_complete, pause=1)
    for opened in sockets:
        opened.close()
    return answers


def all_answered(checks, server, how):
    bursts = [requests_of(port) for port in range(PORTS)]
    answers = answers_to(server, bursts)
    checks.equal([len(got) for got in answers], [EACH] * PORTS, f"{how}: every packet of every port is answered")
    wrong = [(port, number) for port, got in enumerate(answers) for number, answer in got.items()
             if not is_answer(answer, bursts[port][number], SECRET)]
    checks.equal(wrong, [], f"{how}: each with its own answer")
    states = [(port, number) for port, got in enumerate(answers) for number, answer in got.items()
              if answer[20:] != (bytes([PROXY_STATE, 4, port, number]) if number % 7 == 0 else b"")]
    checks.equal(states, [], f"{how}: Proxy-State comes back where there was one, and nowhere else")


def test_together(checks, segments, server):
    all_answered(checks, server, "together")
    checks.that(segments.sent > 0, "answers leave together", segments.sent)


def test_refused(checks, segments, server):
    segments.refuse()
    all_answered(checks, server, "refused")
    checks.equal(segments.sent, 0, "no segmented datagram has passed")
