"""Databases that an installation cannot use, and clocks that differ from the database's: doctor names the cause and the
remedy.

Each has an honest counterpart of which doctor finds nothing wrong.
"""

import json
import re
from datetime import datetime

import pytest

from support.apart import House
from support.checks import Stop, eventually
from support.clock import JumpingClock
from support.postgres import Postgres
from support.server import free_ports

AHEAD = 1800


@pytest.fixture(scope="module")
def postgres():
    """It listens on an address of the loopback as well, without TLS."""
    made = Postgres(port=free_ports(1)[0]).start()
    made.create()
    yield made
    made.stop()


def examined(server, *arguments):
    """(exit status, findings) of `benji doctor`."""
    done = server.command("doctor", "-c", server.configuration, "--json", *arguments)
    if not done.stdout.startswith("["):
        raise Stop(f"benji doctor: {done.stdout}{done.stderr}")
    return done.returncode, json.loads(done.stdout)


def wrong(findings):
    return [(each["subject"], each["text"]) for each in findings if each["verdict"] == "wrong"]


def of_database(checks, found, sentence, *words):
    """Whether doctor fails for the database alone, with these words, once."""
    status, findings = found
    said = wrong(findings)
    checks.that(status == 1 and [subject for subject, _ in said] == ["database"]
                and all(word in said[0][1] for word in words), sentence, found)


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_another_encoding(checks, postgres, installation, encoding):
    for name in (encoding, "UTF8"):
        made = postgres.psql(f"CREATE DATABASE {encoding}_and_{name} TEMPLATE template0 ENCODING '{name}'", "postgres")
        checks.equal(made.returncode, 0, f"a database in {name} is made")

    def doctor(name):
        return examined(installation, "--set", f"store.postgres={postgres.place_of(f'{encoding}_and_{name}'.lower())}")

    of_database(checks, doctor(encoding),
                f"doctor names {encoding} as the database's encoding, and how a right one is made",
                f"server_encoding is {encoding}", "createdb -T template0 -E UTF8")
    checks.equal(wrong(doctor("UTF8")[1]), [], "of a database in UTF8 nothing is wrong")


def test_no_tls(checks, postgres, installation):
    place = f"host=db.example.com hostaddr=127.0.0.1 port={postgres.port} dbname=benji user=benji"
    checks.equal(postgres.value("SHOW ssl"), "off", "PostgreSQL offers no TLS")
    of_database(checks, examined(installation, "--set", f"store.postgres={place}"),
                "over a network doctor names a server that offers no TLS, and the setting that mends it",
                "127.0.0.1 offers no TLS, which sslmode=verify-full requires; set ssl = on")
    _, naive = examined(installation, "--set", f"store.postgres={place} sslmode=prefer")
    checks.equal(wrong(naive), [], "libpq's own default talks to it without TLS")
    checks.that(any(each["subject"] == "store.postgres" and each["verdict"] == "warning"
                    and "take sslmode= out" in each["text"] for each in naive),
                "doctor warns of that mode", naive)


def apart(text):
    """How many seconds the two times in a text differ; 0 if it does not name two."""
    times = [datetime.fromisoformat(each) for each in re.findall(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", text)]
    return (times[0] - times[1]).total_seconds() if len(times) == 2 else 0


def names_both_times(text):
    return abs(apart(text) - AHEAD) < AHEAD / 2 and "run NTP" in text


def of_clock(node):
    """The findings of doctor about a node's clock and the database's: (verdict, text)."""
    return [(each["verdict"], each["text"]) for each in examined(node)[1] if each["subject"] == "clock"
            and "the database's" in each["text"]]


def test_another_clock(checks, postgres):
    house = House(postgres)
    right, ahead = house.nodes
    clock = JumpingClock(ahead)
    house.start()
    agrees = [("good", "agrees with the database's")]
    checks.equal([of_clock(node) for node in house.nodes], [agrees, agrees],
                 "doctor finds that both nodes' clocks agree with the database's")
    clock.jump_to(AHEAD)

    status, text = ahead.unready()
    said = json.loads(text)["checks"]["clock"] if status == 503 else ""
    checks.that(names_both_times(said), "a node that is half an hour ahead is not ready, and names both times and NTP",
                text)
    said = of_clock(ahead)
    checks.that([verdict for verdict, _ in said] == ["wrong"] and names_both_times(said[0][1]),
                "so does doctor at that node", said)
    checks.equal((right.ready()[0], of_clock(right)), (200, agrees),
                 "the other node on the same database is ready, and doctor says that its clock agrees")

    clock.jump_to(0)
    checks.equal(eventually(lambda: ahead.ready()[0] == 200), True, "a node whose clock is put right is ready again")
    house.stop()
