"""One gateway and two nodes of an authority over one PostgreSQL: each is killed, paused and brought back under a storm
of logins.

Logins go on while one node is away. Nothing that was answered is lost, and no token is won twice, whichever nodes
issued it and were shown it. The judge reads the history of all operations and the database's books.

A browser's login, begun at one node, is finished at the other when the first is killed. Who has a gateway's certificate
may speak for that gateway's carriers alone, on the paths of browsers too.
"""

import base64
import http.client
import json
import re
import signal
import time
import urllib.parse

import pytest

from support.apart import House, LinkCaller, books
from support.checks import Stop, eventually, first_json
from support.operations import judge
from support.operators import h5_request
from support.storm import Storm

pytestmark = pytest.mark.seconds(240)


@pytest.fixture(scope="module")
def house(postgres):
    made = House(postgres)
    made.start()
    yield made
    for node in made.nodes:
        if node.process is not None and node.process.poll() is None:
            node.process.send_signal(signal.SIGCONT)
    made.stop()


def issued(storm):
    return sum(1 for operation in list(storm.history) if operation["op"] == "authorize" and operation["token"])


def goes_on(storm, seconds, more=20):
    """Whether so many tokens more are issued in this time."""
    before = issued(storm)
    return eventually(lambda: issued(storm) >= before + more, seconds)


def test_nodes_are_killed_and_paused(checks, postgres, house):
    one, two = house.nodes
    checks.equal(house.warnings(), (200, []), "the gateway is ready, and says nothing of its nodes")
    storm = Storm(house, house.app, phones=8, servers=6, network="127.8.40")
    storm.start()
    checks.that(goes_on(storm, 20), "phones log in")

    house.up = [two]
    one.kill9()
    checks.that(goes_on(storm, 10), "while a node is dead phones log in")
    said = eventually(lambda: house.warnings()[1], 10)
    checks.that(house.warnings()[0] == 200
                and any(f"127.0.0.1:{house.links[0]} is left alone: link unreachable" in line for line in said),
                "readiness names the node that is dead, and is ready", house.warnings())
    checks.equal((house.gateway.metric("benji_link_authority_answers", authority=f"127.0.0.1:{house.links[0]}"),
                  house.gateway.metric("benji_link_authority_answers", authority=f"127.0.0.1:{house.links[1]}")),
                 (0, 1),
                 "the metric says which node answers")
    one.start()
    house.up = [one, two]
    checks.that(eventually(lambda: house.warnings() == (200, []), 25), "when it is back, it is asked again",
                house.warnings())
    checks.that(goes_on(storm, 10), "and phones log in")

    house.up = [one]
    two.process.send_signal(signal.SIGSTOP)
    checks.that(goes_on(storm, 20), "while a node is paused phones log in")
    said = eventually(lambda: house.warnings()[1], 10)
    checks.that(any("left alone: link timed_out" in line for line in said), "readiness names the node that is paused",
                said)
    # Long enough for every call that had been sent to it to be given up.
    time.sleep(3)
    faults_before = house.gateway.metric("benji_link_faults_total", authority=f"127.0.0.1:{house.links[1]}")
    checks.that(goes_on(storm, 10, 60), "and once it is known, they log in without waiting")
    asked = house.gateway.metric("benji_link_faults_total", authority=f"127.0.0.1:{house.links[1]}") - faults_before
    checks.that(asked <= 8, "the paused node is asked a question now and then and no more", asked)
    two.process.send_signal(signal.SIGCONT)
    house.up = [one, two]
    checks.that(eventually(lambda: house.warnings() == (200, []), 25), "when it goes on, it is asked again",
                house.warnings())
    checks.that(goes_on(storm, 10), "and phones log in")

    both = {f"127.0.0.1:{port}" for port in house.links}
    storm.stop()
    again = storm.ask_again()
    figures = storm.figures()
    checks.note(f"{figures}, asked again {again}, other answers {dict(storm.unexpected)}")
    faults = judge(storm.history, books(postgres))
    checks.equal([str(fault) for fault in faults[:5]], [],
                 f"{figures['won']} tokens won: nothing answered is lost, none is won twice")
    checks.that(figures["won"] > 100, "the storm was one", figures)
    refused = {said: count for said, count in storm.unexpected.items() if said.split()[0] in ("prefetch", "authorize")}
    checks.that(set(refused) <= {"authorize overloaded"} and sum(refused.values()) <= 2 * 8,
                "phones were refused nothing but the tokens that were under way when a node went, one for each phone "
                "at most", refused)
    log = house.gateway.log.read_text()
    checks.that("no authority answers" not in log and all(name in log for name in both),
                "the log names both nodes, and one always answered")


PHONE, NUMBER, CALLBACK = "127.8.50.5", "13800005005", "https://shop.example/callback"
VERIFIER, CHALLENGE = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def called(port, source, method, path, form=None, **headers):
    """(status, headers, text) of one request from an address."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10, source_address=(source, 0))
    try:
        body = urllib.parse.urlencode(form) if form else None
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
        connection.request(method, path, body, kind | headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


@pytest.fixture(scope="module")
def client(house):
    """The shop as a client of the provider, with the phone of somebody who visits it."""
    first = house.nodes[0]
    page = first.folder / "login.json"
    made = first.command("page", "new", "--out", page)
    app = house.app
    if made.returncode == 0:
        made = first.command("app", "openid", "set", app["id"], "--config", first.configuration, "--redirect-uri",
                             CALLBACK,
                             "--page", page, "--json")
    attached = house.gateway.attach("attach", PHONE, NUMBER)
    if made.returncode != 0 or attached.returncode != 0:
        raise Stop(f"{made.stdout}{made.stderr}{attached.stdout}{attached.stderr}")
    return app | first_json(made.stdout)


def parameters(client):
    return {"client_id": client["client_id"], "redirect_uri": CALLBACK, "response_type": "code",
            "scope": "openid phone",
            "state": "x", "code_challenge": CHALLENGE, "code_challenge_method": "S256"}


def opened(house, client):
    """The form and the cookie of a login page on the phone, and all of the answer."""
    status, headers, page = called(house.device, PHONE, "GET",
                                   "/openid/authorize?" + urllib.parse.urlencode(parameters(client)))
    secret = re.search(r'name="page" value="([A-Za-z0-9]+)"', page)
    return (secret[1] if secret else "", (headers["Set-Cookie"] or "").split(";")[0], f"{status} {page[:300]}")


def test_a_page_outlives_its_node(checks, house, client):
    one, two = house.nodes
    secret, cookie, said = opened(house, client)
    checks.that(secret and cookie, "the gateway shows the login page", said)
    # A line of the log may come a moment after the answer that it records.
    holders = eventually(lambda: [node for node in house.nodes if "route=/openid/authorize" in node.log.read_text()])
    checks.equal(len(holders), 1, "one node was asked for it")
    (holder,) = holders
    other = two if holder is one else one
    holder.kill9()
    status, headers, said = called(house.device, PHONE, "POST", "/openid/login",
                                   {"page": secret, "action": "login", "agreed": "yes"},
                                   Cookie=cookie)
    landing = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(headers["Location"] or "").query))
    checks.that(status == 303 and landing.get("code"), "with that node killed, the tap buys a code",
                f"{status} {said[:300]} {landing}")
    pair = base64.b64encode(f"{client['client_id']}:{client['client_secret']}".encode()).decode()
    exchange = {"grant_type": "authorization_code", "code": landing.get("code", ""), "redirect_uri": CALLBACK,
                "code_verifier": VERIFIER}
    status, _, said = called(other.server, "127.0.2.1", "POST", "/openid/token", exchange,
                             Authorization=f"Basic {pair}")
    token = json.loads(said).get("access_token", "")
    checks.that(status == 200 and token, "the app's server exchanges it at the node that is left", said)
    status, _, said = called(other.server, "127.0.2.1", "GET", "/openid/userinfo", Authorization=f"Bearer {token}")
    checks.equal((status, json.loads(said).get("phone_number")), (200, "+86" + NUMBER), "and gets the number")
    status, _, said = called(house.device, PHONE, "POST", "/openid/login",
                             {"page": secret, "action": "login", "agreed": "yes"}, Cookie=cookie)
    checks.that(status >= 400 and "code=" not in said, "the page buys nothing twice", f"{status} {said[:300]}")
    holder.start()
    status, _, said = called(holder.server, "127.0.2.1", "POST", "/openid/token", exchange,
                             Authorization=f"Basic {pair}")
    checks.equal((status, json.loads(said).get("error")), (400, "invalid_grant"),
                 "nor does the code, at the other node")
    checks.that(eventually(lambda: house.warnings() == (200, []), 25), "the node that is back is asked again",
                house.warnings())


def sighting(row, **changes):
    return {"subscription": row, "epoch": 1, "simGeneration": 1, "carrier": "mobile", "binding": 7,
            "gateway": "gateway-1",
            "time": int(time.time() * 1000), "localAddressConfirmed": False, "roaming": False} | changes


def test_a_gateway_speaks_for_its_own(checks, postgres, house, client):
    """Somebody with the gateway's certificate and key, who says what he likes on the paths of browsers."""
    caller = LinkCaller(house.links[0], house.certificates)
    row = int(postgres.value("SELECT max(id) FROM subscription"))
    secret, cookie, said = opened(house, client)
    form = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie, "Accept-Language": "en"}
    tap = urllib.parse.urlencode({"page": secret, "action": "login", "agreed": "yes"}).encode()
    requests = {
        "/openid/authorize": lambda: ("GET", "/openid/authorize?" + urllib.parse.urlencode(parameters(client))),
        "/openid/login": lambda: ("POST", "/openid/login", tap, form),
        "/h5/getMobile": lambda: ("POST", "/h5/getMobile", json.dumps(h5_request(client)).encode(),
                                  {"Content-Type": "application/json", "Origin": "https://shop.example"}),
    }
    # The answer of each to an honest phone.
    wanted = {"/openid/authorize": (200, 'name="page"'), "/openid/login": (303, ""), "/h5/getMobile": (200, '"token"')}

    def is_answered(path, answered, text):
        status, word = wanted[path]
        return answered == status and word in text

    for path, request in requests.items():
        for sentence, stated in (("in another gateway's name is refused", {"gateway": "gateway-2"}),
                                 ("of some minutes ago is refused", {"time": int(time.time() * 1000) - 200_000})):
            status, _, text = caller.forward(*request(), sighting=sighting(row, **stated))
            checks.that(status == 403 and json.loads(text).get("code") == "gateway_not_trusted",
                        f"{path}: a sighting {sentence}", f"{status} {text}")
        status, answered, text = caller.forward(*request(), sighting=sighting(row, carrier="unicom"))
        checks.that(status == 200 and not is_answered(path, answered, text),
                    f"{path}: so is one of a carrier that the gateway may not speak for", f"{answered} {text[:300]}")
    # The same requests with an honest sighting, so that it is the sighting that was refused.
    for path, request in requests.items():
        status, answered, text = caller.forward(*request(), sighting=sighting(row))
        checks.that(status == 200 and is_answered(path, answered, text), f"{path}: an honest sighting is answered",
                    f"{status} {answered} {text[:300]}")
    checks.equal(house.warnings(), (200, []), "none of it makes the gateway doubt its nodes")


def test_no_node_answers(checks, house):
    for node in house.nodes:
        node.kill9()
    status, said = house.gateway.unready(10)
    checks.that(status == 503 and said.count("link unreachable") == 2,
                "the gateway is not ready, and says which nodes do not answer", said)
    house.nodes[1].start()
    checks.that(eventually(lambda: house.gateway.ready()[0] == 200, 10), "with one of them it is ready again",
                house.gateway.ready())


def test_nodes_of_two_installations(checks, house):
    """A second node that somebody began by itself instead of giving it the first one's database."""
    stranger = house.nodes[0]
    settings = json.loads(stranger.configuration.read_text())
    del settings["store"]
    settings["data"] = str(stranger.folder / "other")
    stranger.data = stranger.folder / "other"
    stranger.configuration.write_text(json.dumps(settings))
    stranger.start()
    said = eventually(lambda: [line for line in house.warnings()[1] if "other_installation" in line], 25)
    checks.that(said, "a node of another installation is left alone, and readiness says why", house.warnings())
    checks.equal(house.stop(), [0, 0, 0], "gateway and nodes end with 0")
