"""A new operator is a record in a file: its subscribers log in, and mistakes in the file are named."""

import json

import pytest

from support.checks import run
from support.freeradius import RadClient, session
from support.operators import Backend
from support.server import Server, binary

LION, MVNO = "6581234567", "8617012345678"
LIFETIMES = {"device": {"scripSeconds": 600, "scripReusable": True, "tokenSeconds": 120}}


def record(chinese, english, country, **more):
    return {
        "enabled": True, "names": {"zh": chinese, "en": english}, "country": country, "lifetimes": LIFETIMES,
        "page": {"termsTitle": f"{english} terms", "termsURL": "https://operator.example/terms",
                 "slogan": f"by {english}"},
        **more}


@pytest.fixture
def policy():
    """The policy that comes along, with an operator of another country and an MVNO."""
    done = run([binary(), "policy"])
    policy = json.loads(done.stdout)
    policy["carriers"]["lion"] = record("狮城移动", "Lion Mobile", "SG", networks=["52511"])
    policy["carriers"]["mvno-170"] = record("阿里通信", "Example MVNO", "CN")
    return policy


def test_login(checks, policy, tmp_path):
    path = tmp_path / "policy.json"
    path.write_text(json.dumps(policy))
    done = run([binary(), "policy", str(path)])
    checks.that(done.returncode == 0 and "Lion Mobile" in done.stdout and "52511" in done.stdout,
                "the file is checked and listed",
                done.stdout + done.stderr)
    nas = {
        "lion": {"carrier": "lion", "sources": ["127.0.0.1/32"], "pools": ["127.8.0.0/24"]},
        "mvno": {"carrier": "mvno-170", "sources": ["127.0.0.2/32"], "pools": ["127.8.1.0/24"]},
    }
    with Server(nas, policy=str(path)) as server:
        app = server.create_app()
        client, backend = RadClient(server.accounting), Backend(server.server)
        for name, carrier, source, address, number, national in (
                ("lion", "lion", "127.0.0.1", "127.8.0.1", LION, LION),
                ("mvno", "mvno-170", "127.0.0.2", "127.8.1.1", MVNO, MVNO[2:])):
            client.send(session("Start", name, address, number), source=source)
            done = server.command("phone", "login", "--server", server.device_url, "--app", app["id"], "--key",
                                  app["key"],
                                  "--bundle", "com.example.shop", "--from", address, "--json", "--yes")
            checks.that(done.returncode == 0, f"{name}: a subscriber logs in", done.stdout + done.stderr)
            said = json.loads(done.stdout)
            checks.equal(said.get("carrier"), carrier, f"{name}: the answer names the carrier")
            checks.equal(backend.redeem(app, said["token"]), ("103000", national),
                         f"{name}: the token yields the number")
        client.send(session("Start", "chinese", "127.8.0.2", "8613800000001"), source="127.0.0.1")
        token, situation, said = server.phone("login", app, "127.8.0.2")
        checks.that(token is None and situation == "subscriber_unsupported",
                    "a number of another country than the operator's is nobody's", said)
        done = server.command("phone", "port", "--config", str(server.configuration), "--number", "+" + LION,
                              "--carrier", "tiger")
        checks.that(done.returncode != 0 and "the policy has no carrier tiger" in done.stderr and "lion" in done.stderr,
                    "a number cannot move to a carrier without a record", done.stderr)


@pytest.mark.parametrize("spoil, place", (
    (lambda carriers: carriers["lion"].pop("names"), "$.carriers.lion.names"),
    (lambda carriers: carriers["lion"].update(country="XX"), "$.carriers.lion.country"),
    (lambda carriers: carriers.update(Lion=carriers.pop("lion")), "$.carriers.Lion"),
    (lambda carriers: carriers["lion"].update(networks=["5251"]), "$.carriers.lion.networks[0]"),
), ids=("no names", "no such country", "no name", "no network"))
def test_mistakes(checks, policy, tmp_path, spoil, place):
    spoil(policy["carriers"])
    path = tmp_path / "policy.json"
    path.write_text(json.dumps(policy))
    done = run([binary(), "policy", str(path)])
    checks.that(done.returncode != 0 and place in done.stderr and str(path) in done.stderr, f"{place} is named",
                done.stderr)


@pytest.mark.own_processes("is about one process's words; a cluster's authority has its carriers in gateways.NAME")
def test_carrier_without_record(checks):
    server = Server({"pgw": {"carrier": "lion"}})
    done = server.command("serve", "--config", str(server.configuration))
    checks.that(done.returncode != 0 and "nas.pgw.carrier" in done.stderr
                and "mobile, unicom or telecom" in done.stderr,
                "a NAS of a carrier without a record is refused by name", done.stderr)
