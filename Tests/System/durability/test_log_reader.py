"""The reader of the server's log stops: the server does not wait, and later reports how much was missed."""

import fcntl
import http.client
import json
import os
import select
import signal
import subprocess
import time

import pytest

from support.checks import Stop, eventually, start
from support.server import Server, environment

pytestmark = pytest.mark.seconds(180)

# Of requests' lines so many are more than the pipe and the server hold: 4 KiB and 1 MiB.
REQUESTS = 9000


@pytest.fixture(scope="module")
def piped():
    """A server whose log goes into a small pipe, and the end of it that is not read."""
    server = Server(log={"format": "json"})
    server.create_app()
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    server.process = start([server.binary, "serve", "--config", str(server.configuration)], stdout=subprocess.DEVNULL,
                           stderr=writing, stdin=subprocess.DEVNULL, env=environment() | server.environment)
    os.close(writing)
    if not eventually(lambda: server.ready()[0] == 200, 20):
        raise Stop("benji serve is not ready")
    yield server, reading
    server.stop()
    os.close(reading)


def ask(server, count):
    """Requests on one connection, each with a line of the log; the longest time that one took."""
    connection = http.client.HTTPConnection("127.0.0.1", server.device, timeout=20)
    longest = 0
    for _ in range(count):
        begin = time.monotonic()
        connection.request("GET", "/nothing/here")
        connection.getresponse().read()
        longest = max(longest, time.monotonic() - begin)
    connection.close()
    return longest


def read(pipe, seconds, until=None):
    """The bytes from a pipe until a text has come, its other end is closed, or nothing comes for so long."""
    said = bytearray()
    while select.select([pipe], [], [], seconds)[0]:
        piece = os.read(pipe, 1 << 20)
        said += piece
        if not piece or until and until in said[-4096:]:
            break
    return bytes(said)


def parsed(checks, said, sentence):
    lines, torn = [], []
    for line in said.splitlines():
        try:
            lines.append(json.loads(line))
        except ValueError:
            torn.append(line[:200])
    checks.equal(torn, [], sentence)
    return lines


def test_a_reader_that_stops_and_reads_again(checks, piped):
    server, pipe = piped
    longest = ask(server, REQUESTS)
    checks.that(longest < 5, "with a full pipe every request is answered", f"{longest:.1f} s")
    checks.equal(server.ready()[0], 200, "and the server is ready")
    lines = parsed(checks, read(pipe, 5, until=b"were left out"), "what is read later is whole lines")
    told = [line for line in lines if "were left out" in line["message"]]
    checks.that(len(told) == 1 and told[0]["level"] == "warning" and int(told[0]["metadata"]["lines"]) > 0,
                "a line tells how many were left out", told or lines[-1:])
    missing = sum(int(line["metadata"]["lines"]) for line in told)
    requests = sum(line["message"] == "request" and line["metadata"].get("listener") == "device" for line in lines)
    checks.that(requests + missing >= REQUESTS > requests, "and every request has its line or is counted",
                f"{requests} lines and {missing} left out of {REQUESTS}")
    ask(server, 3)
    after = parsed(checks, read(pipe, 2), "from then on the lines are whole")
    checks.equal(sum(line["message"] == "request" and line["metadata"].get("status") == "404" for line in after), 3,
                 "and each request has its line again")


def test_the_end_with_a_full_pipe(checks, piped):
    server, pipe = piped
    ask(server, 200)
    begin = time.monotonic()
    checks.equal(server.stop(signal.SIGTERM, seconds=15), 0, "with a full pipe SIGTERM ends the server")
    checks.that(time.monotonic() - begin < 8, "within seconds", f"{time.monotonic() - begin:.1f} s")
    said = read(pipe, 2)
    checks.that(said.count(b"\n") > 5, "what had been written is in the pipe", said[-300:])


def test_a_pipe_that_is_closed_from_the_start(checks):
    server = Server(log={"format": "json"})
    server.create_app()
    reading, writing = os.pipe()
    os.close(reading)
    server.process = start([server.binary, "serve", "--config", str(server.configuration)], stdout=subprocess.DEVNULL,
                           stderr=writing, stdin=subprocess.DEVNULL, env=environment() | server.environment)
    os.close(writing)
    checks.that(eventually(lambda: server.ready()[0] == 200, 20),
                "a server whose log nobody reads from its first line on is ready")
    begin = time.monotonic()
    checks.equal(server.stop(signal.SIGTERM, seconds=15), 0, "and SIGTERM ends it")
    checks.that(time.monotonic() - begin < 8, "without waiting for a reader", f"{time.monotonic() - begin:.1f} s")
