#!/usr/bin/env -S python3 -B
"""Document 003's sample, translated to Swift, against a real server with real models, and pictures for a camera.

A still picture has to fail the challenge, whoever is on it: everything before that (app token, one tap, consent, challenge,
pictures) has been taken by then. Pictures of a portrait that a program bends pass it (docs/face.md says what that means): the account is
made, logged in again by face alone, read and taken back. BENJI_FACE_PICTURES names other pictures, one folder for each prompt
(look_straight, turn_left, turn_right, blink), 25 to a movement and no two alike.
"""

import json
import os
import shutil

from support.checks import Stop, folder, main, run
from support.puppet import POLICY, Puppet
from support.server import BUNDLE, FACE, ROOT, Server, environment

PHONE, NUMBER = "127.8.1.1", "13800001111"
PROGRAM = ROOT / ".build/debug/FacadeSamples"


def sample(server, app, pictures):
    """Every line that the sample prints: (what was told, the dictionary)."""
    if not os.access(PROGRAM, os.X_OK):
        raise Stop(f"{PROGRAM} is missing; build it with: make build")
    done = run([str(PROGRAM), "superid", server.device_url, app["id"], app["key"], BUNDLE, PHONE, str(pictures)], seconds=300,
               env=environment())
    if done.returncode != 0:
        raise Stop(f"FacadeSamples superid: status {done.returncode}: {done.stderr}")
    return [(line["said"], line["sender"]) for line in map(json.loads, done.stdout.splitlines())]


def still(checks, server, app):
    pictures = folder() / "still"
    pictures.mkdir()
    shutil.copy(FACE / "portraits/president-1.jpg", pictures / "0.jpg")
    said = sample(server, app, pictures)
    retries = [sender for what, sender in said if what == "retry"]
    checks.equal([(what, sender) for what, sender in said if what != "retry"],
                 [("state", {"state": 1}), ("refused", {"situation": "attributes_denied"}),
                  ("refused", {"situation": "number_not_mainland"}), ("login", {"code": -1000})],
                 "003: nobody is bound yet, attributes and a foreign number are refused at once, a still picture ends in -1000")
    checks.that(retries and all(sender["sentence"] for sender in retries), "003: each failed attempt is told in words", retries)


def person(checks, server, app, pictures):
    said = [(what, sender) for what, sender in sample(server, app, pictures) if what != "retry"]
    checks.equal([what for what, _ in said],
                 ["state", "refused", "refused", "login", "uid", "user info", "state", "feature", "verified", "state", "login",
                  "cancel"],
                 "003: the sample goes through to the end")
    login, uid, info, state, feature, verified, by_open_id, again, cancel = [sender for _, sender in said[3:]]
    checks.equal((login["info"]["phone"], login["info"]["regioncode"], login["uid"] == login["info"]["app_uid"]),
                 (NUMBER, "86", True), "003: a first login hands over the number and a random uid")
    checks.equal((uid, info, state), ({"state": 2}, {"state": 0}, {"state": 0}), "003: uid and user info are updated")
    checks.that(feature["info"].get("age"), "003: the attributes hold an age", feature)
    checks.equal((verified, by_open_id), ({"state": 0}, {"state": 0}),
                 "1.9: the face is verified once more, and the person is asked about by their openId")
    checks.equal((again["uid"], again["info"]["email"]), ("SuperID_1", "xxxx@gmail.com"),
                 "003: after logging out the face alone logs in, with the app's own uid")
    checks.equal(cancel, {}, "003: the authorisation is taken back without an error")


def body(checks, _):
    if not (FACE / "models").is_dir():
        raise Stop("the face models are missing: make face-models ARGS=--portraits")
    policy = folder() / "policy.json"
    policy.write_text(json.dumps(POLICY))
    server = Server(face={"enabled": True, "terms-url": "https://id.example/face-terms", "policy": str(policy)})
    server.environment["BENJI_FACE"] = str(FACE)
    with server:
        server.attach("attach", PHONE, NUMBER)
        app = server.create_app()
        done = run([server.binary, "app", "face", "set", app["id"], "--config", str(server.configuration)], seconds=30,
                   env=environment())
        if done.returncode != 0:
            raise Stop(f"benji app face set: {done.stdout}{done.stderr}")
        still(checks, server, app)
        person(checks, server, app, os.environ.get("BENJI_FACE_PICTURES") or Puppet.pictures("president-1.jpg"))


main(body, 180, __doc__)
