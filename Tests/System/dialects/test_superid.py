"""SuperID's sample, translated to Swift, against a real server with real models, and pictures for a camera.

A still picture has to fail the challenge, whatever person it shows. Everything before that (app token, one tap,
consent, challenge, pictures) has been taken by then. Pictures of a portrait that a program bends pass it (docs/face.md
explains it). The account is made, logged in again by face alone, read, verified, found in a group of the app's, and
taken back. That test has the roles apart: a gateway and two nodes of an authority over one PostgreSQL. The node that
serves the person is killed in the middle. BENJI_FACE_PICTURES names other pictures, one folder for each prompt
(look_straight, turn_left, turn_right, blink, open_mouth), 25 to a movement and no two alike.
"""

import hashlib
import http.client
import json
import os
import re
import secrets
import shutil
import subprocess
import threading
import time
import urllib.parse

import pytest

from support.apart import House, books
from support.checks import Stop, eventually, folder, start
from support.clustered import Nodes
from support.phones import DeviceKey, Phone
from support.puppet import Puppet
from support.server import BUNDLE, FACE, ROOT, Server, environment

pytestmark = pytest.mark.seconds(300)
SERVER = {"face": {"enabled": True, "terms-url": "https://id.example/face-terms", "least-assurance": "net"}}

PHONE, NUMBER = "127.8.1.1", "13800001111"
OTHER_PHONE, OTHER_NUMBER = "127.8.1.2", "13800002222"
# The characters that encodeURIComponent leaves as they are.
SAFE = "-_.!~*'()"
PROGRAM = ROOT / ".build/debug/FacadeSamples"


@pytest.fixture(scope="module")
def house(request, postgres):
    check_models()
    if request.config.getoption("on") == "cluster":
        made = Nodes(request.getfixturevalue("server"), request.getfixturevalue("app"))
        made.gateway.attach("attach", OTHER_PHONE, OTHER_NUMBER)
        yield made
        return
    made = House(postgres, face=SERVER["face"])
    made.start()
    first = made.nodes[0]
    first.allow_face(made.app, "--groups")
    for address, number in ((PHONE, NUMBER), (OTHER_PHONE, OTHER_NUMBER)):
        made.gateway.attach("attach", address, number)
    yield made
    made.stop()


def check_models():
    if not (FACE / "models").is_dir():
        raise Stop("the face models are missing: make face-models ARGS=--portraits")


@pytest.fixture(scope="module")
def app(server):
    """No attester vouches for the sample."""
    check_models()
    server.attach("attach", PHONE, NUMBER)
    made = server.create_app()
    server.allow_face(made, "--groups")
    return made


@pytest.fixture(scope="module")
def pictures():
    return os.environ.get("BENJI_FACE_PICTURES") or Puppet.pictures("president-1.jpg", challenges=10)


def sample(server, app, pictures, groups=lambda said: []):
    """Every line that the sample prints: (its text, the dictionary). `groups` gives the ids of the groups to search,
    once the sample has logged in a second time."""
    if not os.access(PROGRAM, os.X_OK):
        raise Stop(f"{PROGRAM} is missing; build it with: make build")
    process = start([str(PROGRAM), "superid", server.device_url, app["id"], app["key"], BUNDLE, PHONE, str(pictures)],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
    late = threading.Timer(300, process.kill)
    late.start()
    said, asked = [], False
    for line in process.stdout:
        line = json.loads(line)
        said.append((line["said"], line["sender"]))
        if not asked and [what for what, _ in said].count("login") == 2:
            asked = True
            process.stdin.write("".join(f"{group}\n" for group in groups(said)))
            process.stdin.close()
    late.cancel()
    if process.wait() != 0:
        raise Stop(f"FacadeSamples superid: status {process.returncode}: {process.stderr.read()}")
    return said


def call(server, app, method, path, **members):
    """Makes a signed call of the app's server, as SuperID's own clients do. Returns the answer's `data`."""
    members |= {"app_id": app["id"], "timestamp": str(int(time.time())), "noncestr": secrets.token_hex(8)}
    joined = "&".join(f"{name}={urllib.parse.quote(members[name], safe=SAFE)}" for name in sorted(members))
    members["signature"] = hashlib.md5(f"{joined}:{app['serverSecret']}".encode()).hexdigest()
    connection = http.client.HTTPConnection("127.0.0.1", server.server, timeout=10, source_address=("127.0.2.1", 0))
    connection.request(method, path, json.dumps(members), {"Content-Type": "application/json"})
    answer = json.loads(connection.getresponse().read())
    connection.close()
    if answer.get("message") != "success":
        raise Stop(f"{path}: {answer}")
    return answer["data"]


def test_a_guest(checks):
    """A person's face is tied to a number, and another person's device has the number's address for a moment."""
    attester = DeviceKey()
    jwk = folder() / "attester.json"
    jwk.write_text(attester.jwk_text)
    for floor in (None, "net"):
        server = Server(face={"enabled": True, "terms-url": "https://id.example/face-terms"} | (
            {"least-assurance": floor} if floor else {}))
        with server:
            server.attach("attach", PHONE, NUMBER)
            app = server.create_app("--attester", str(jwk))
            server.allow_face(app)
            phone = Phone(server, app, PHONE, NUMBER)
            script = phone.begin_face_session()
            if floor:
                checks.equal(script, ("success", True),
                             "NOT STOPPED at net: a script with the copied app key begins to tie its face to the "
                             "holder's number")
                said = server.command("doctor", "--config", server.configuration).stdout
                checks.that("tie its own face" in said, "  and benji doctor says so", said)
            else:
                checks.equal(script, ("assurance_too_low", None),
                             "stopped by the usual floor: a script with the copied app key ties no face to the "
                             "holder's number")
                checks.equal(phone.attested(attester).begin_face_session(), ("success", True),
                             "  where the genuine app does")
            phone.close()


def test_a_still_picture(checks, server, app):
    pictures = folder() / "still"
    pictures.mkdir()
    shutil.copy(FACE / "portraits/president-1.jpg", pictures / "0.jpg")
    said = sample(server, app, pictures)
    retries = [sender for what, sender in said if what == "retry"]
    checks.equal([(what, sender) for what, sender in said if what != "retry"],
                 [("state", {"state": 1}), ("refused", {"situation": "attributes_denied"}),
                  ("refused", {"situation": "number_not_mainland"}), ("login", {"code": -1000})],
                 "SuperID: nobody is bound yet, attributes and a foreign number are refused at once, a still picture "
                 "ends in -1000")
    checks.that(retries and all(sender["sentence"] for sender in retries),
                "SuperID: each failed attempt is told in words", retries)


def asked(house):
    """How often each node was asked by the gateway for face login."""
    return [len(re.findall(r"listener=gateways\b.* route=/superid/v1/", node.log.read_text())) for node in house.nodes]


def serving(house, before):
    """(the node that was asked since, the others)."""
    # A line of the log may come a moment after the answer that it records.
    now = eventually(lambda: (counts := asked(house)) != before and counts)
    served = [node for node, earlier, count in zip(house.nodes, before, now or before) if count > earlier]
    return served[0] if len(served) == 1 else None, [node for node in house.nodes if node not in served]


def kill(house, node):
    """Kills a node, and waits until the gateway knows: a request on a connection that had just died would be told
    `overloaded`."""
    node.kill9()
    if not eventually(lambda: house.warnings()[1], 10):
        raise Stop("the gateway does not notice that a node is dead")


def test_a_node_dies(checks, house):
    """The answers in the middle of a session when the node that holds it is killed."""
    before = asked(house)
    phone = Phone(house.gateway, house.app, OTHER_PHONE, OTHER_NUMBER)
    checks.equal(phone.begin_face_session(), ("success", True), "a session begins through the gateway")
    earlier = phone.face
    node, others = serving(house, before)
    if node is None:
        raise Stop(f"not one node was asked for all of it: {before}, {asked(house)}")
    checks.equal(phone.post("/superid/v1/challenge", {"session": earlier["session"]})[1]["code"], "consent_missing",
                 "and goes on at the same node")
    kill(house, node)
    checks.equal(phone.post("/superid/v1/challenge", {"session": earlier["session"]})[1]["code"],
                 "face_session_invalid",
                 "with that node killed the next one says that the session is gone")
    checks.equal(phone.post("/superid/v1/begin", {
        "appToken": earlier["appToken"], "purpose": "login", "token": earlier["token"],
        "language": "zh-Hans"})[1]["code"],
        "app_token_invalid", "  and the app token, so that nothing counts a second time by an earlier request")
    checks.equal(phone.begin_face_session(), ("success", True), "the person begins again there")
    status, answer = phone.post("/superid/v1/begin", {
        "appToken": phone.face["appToken"], "purpose": "login", "token": earlier["token"], "language": "zh-Hans"})
    checks.equal((status, answer["code"]), (409, "token_spent"), "with the one-tap token of before spent for good")
    node.start()
    checks.that(eventually(lambda: house.warnings() == (200, []), 25), "the node that is back is asked again",
                house.warnings())
    answer = phone.post("/superid/v1/challenge", {"session": phone.face["session"]})[1]
    checks.equal(answer["code"], "face_session_invalid", "and knows nothing of what was begun at the other")
    connection = http.client.HTTPConnection("127.0.0.1", house.device, timeout=10)
    connection.request("GET", "/face/account")
    page = connection.getresponse()
    checks.that(page.status == 200 and "camera=(self)" in page.headers["Permissions-Policy"],
                "the gateway shows the pages", page.status)
    connection.close()
    phone.close()


def test_a_person(checks, postgres, house, pictures):
    app = house.app
    before = asked(house)

    def groups(said):
        """One with the person in it, and one without. Then the node that serves the person is killed."""
        checks.equal(postgres.value("SELECT count(*) FROM face_account"), "1", "two logins made one account")
        open_id = next(sender["info"]["openId"] for what, sender in said if what == "login" and "info" in sender)
        made = [call(house, app, "POST", "/v1/group/create", name=name, source_app_id=app["id"])["id"]
                for name in ("staff", "other")]
        call(house, app, "POST", f"/v1/group/{made[0]}/users", open_id=open_id)
        node, others = serving(house, before)
        if node is None:
            raise Stop(f"the phone went to more than one node: {before}, {asked(house)}")
        kill(house, node)
        house.up = others
        return [*made, "0" * 32]

    said = [(what, sender) for what, sender in sample(house, app, pictures, groups) if what != "retry"]
    checks.equal([what for what, _ in said],
                 ["state", "refused", "refused", "login", "uid", "user info", "state", "feature", "verified", "state",
                  "login",
                  "search", "search", "search", "cancel"],
                 "SuperID: the sample goes through to the end")
    login, uid, info, state, feature, verified, by_open_id, again, *searches, cancel = [sender
                                                                                        for _, sender in said[3:]]
    checks.equal((login["info"]["phone"], login["info"]["regioncode"], login["uid"] == login["info"]["app_uid"]),
                 (f"{NUMBER[:3]}****{NUMBER[-4:]}", "86", True),
                 "SuperID: a first login hands over the masked number and a random uid")
    checks.equal((uid, info, state), ({"state": 2}, {"state": 0}, {"state": 0}),
                 "SuperID: uid and user info are updated")
    checks.that(feature["info"].get("age"), "SuperID: the attributes hold an age", feature)
    checks.equal((verified, by_open_id), ({"state": 0}, {"state": 0}),
                 "1.9: the face is verified once more, and the person is asked about by their openId")
    checks.equal((again["uid"], again["info"]["email"]), ("SuperID_1", "xxxx@gmail.com"),
                 "SuperID: after logging out the face alone logs in, with the app's own uid")
    checks.equal(searches, [{"found": login["info"]["openId"]}, {}, {"situation": "group_unknown"}],
                 "1.6: who agreed to it is found in the app's group and in no other, by the node that is left")
    checks.equal(cancel, {}, "SuperID: the authorisation is taken back without an error")
    checks.equal(postgres.value("SELECT (SELECT count(*) FROM face_account), (SELECT count(*) FROM face_binding),"
                                " (SELECT count(*) FROM face_group_member)"), "1|0|0",
                 "and at once, while the account stays a week: the node that had seen the face is gone")
    kept = books(postgres)
    spent = [trace for is_spent, trace in kept.spent.values() if is_spent]
    checks.that(spent and sorted(kept.ledger.elements()) == sorted(spent),
                "each one-tap token was spent and billed once",
                f"{len(spent)} {kept.ledger}")
