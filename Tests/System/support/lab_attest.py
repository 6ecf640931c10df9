"""The lab's part on App Attest: a recorded assertion, a copied key, a hooked app and a wrong clock. The double is a
gateway that takes any word of a registered key."""

import json
import secrets

from .attest import TEAM, Chip
from .carrier import SHOP, Client
from .phones import base64url, sha256
from .server import BUNDLE

ATTESTED = ("/device/v1/prefetch", "/device/v1/authorize")


class AttestedClient(Client):
    """An install whose chip signs each request of a login."""

    def __init__(self, server, machine, app, chip, key=None, interface=None):
        super().__init__(server, machine, app, interface=interface)
        self.chip = chip
        self.key = key or self.key
        self.sent = []  # each request of a login, as somebody saw it
        self.clock_error = 0

    def register(self):
        """Has the key registered, as the SDK does once."""
        challenge, name = self.challenge(), secrets.token_hex(16)
        evidence = self.chip.attest(self.app, challenge, self.key.thumbprint)
        _, answer = self.post("/device/v1/attestation", {
            "app": self.app["id"], "bundle": BUNDLE, "appKeyProof": self.app_key_proof(name),
            "format": "apple-appattest",
            "key": self.chip.name, "challenge": challenge, "evidence": base64url(evidence)}, name)
        return answer["code"]

    def post(self, path, body, name=None, at=None, proof=None):
        if path not in ATTESTED or proof:
            return super().post(path, body, name, at, proof)
        name, moment, data = name or secrets.token_hex(16), int(self.now + self.clock_error), json.dumps(body).encode()
        url = self.url + path
        said = {"jti": name, "htm": "POST", "htu": url, "iat": moment, "bh": base64url(sha256(data)),
                "la": self.local_address}
        self.headers = {"OAuth-Client-Attestation": self.chip.assertion(self.app, self.challenge(), said,
                                                                        self.key.thumbprint)}
        proof = self.key.proof(url, data, name, moment, self.local_address)
        self.sent.append((path, body, proof, dict(self.headers)))
        return super().post(path, body, name, proof=proof)


class NaiveGateway:
    """Takes whatever names a key that was registered once, and has a signature."""

    def __init__(self, *chips):
        self.known = {chip.name for chip in chips}

    def takes(self, headers):
        parts = headers["OAuth-Client-Attestation"].split(".")
        return parts[0] == "apple-appattest" and parts[1] in self.known and len(parts[3]) > 100


def run_part(checks, network, server, phone):
    print("\nApp Attest: assertions that were seen, copied keys, hooked apps and wrong clocks")
    app = server.create_app("--least-assurance", "net+app", "--apple-team", TEAM, name="App Attest",
                            server_address=SHOP)

    def outcome(client):
        """The code of a whole walk, and whose number the token releases."""
        code, token = client.token()
        client.close()
        if token is None:
            return code
        _, number = server.redeemed(app, token)
        return "phone1's number" if number == phone.number else f"redeemed: {number}"

    won = "phone1's number"
    honest = AttestedClient(server, "phone1", app, Chip(server.apple), interface="wwan0")
    checks.equal(honest.register(), "success",
                 "the chip of phone1 has its key registered, which Apple's stand-in vouches for")
    checks.equal(outcome(honest), won, "the genuine app on phone1 earns net+app by its key")
    naive = NaiveGateway(honest.chip)

    # Seen, by another app on phone1 or by the laptop behind it.
    path, body, proof, headers = honest.sent[0]
    seen = Client(server, "laptop", app)
    seen.headers = headers
    checks.that(naive.takes(headers), "a naive gateway takes an assertion that was seen")
    _, answer = seen.post(path, body, proof=proof)
    checks.equal(answer["code"], "proof_replayed", "stopped: a request of phone1's, shown again as it was")
    checks.equal(seen.prefetch(), "attestation_invalid",
                 "stopped: its assertion, beside a new proof of the laptop's own")
    seen.key = honest.key
    checks.equal(seen.prefetch(), "attestation_invalid",
                 "stopped: its assertion, beside a new proof under phone1's device key")
    seen.close()

    # A clock is no way back to a request that was seen, and none to one of later.
    for error, words in ((-3600, "an hour slow"), (3600, "an hour fast")):
        wrong = AttestedClient(server, "phone1", app, honest.chip, honest.key, interface="wwan0")
        wrong.clock_error = error
        code = wrong.prefetch()
        checks.that(naive.takes(wrong.headers), f"a naive gateway takes what is signed by a clock that is {words}")
        checks.equal(code, "clock_skew", f"stopped: what phone1 signs while its clock is {words}; it is told the time")
        wrong.close()

    # Both keys, copied out of phone1, on the laptop behind it.
    thief = AttestedClient(server, "laptop", app, honest.chip.copied(), honest.key)
    checks.equal(outcome(thief), won,
                 "NOT STOPPED at net+app until phone1's next login: its keys, copied out of its chip onto the laptop")
    checks.equal(outcome(honest), "attestation_invalid", "phone1's next login finds that somebody has counted further")
    honest.chip = Chip(server.apple)
    checks.equal((honest.register(), outcome(honest)), ("success", won), "its SDK makes another key, and logs in")
    thief.chip.counter += 1_000_000
    code = outcome(thief)
    checks.that(naive.takes(thief.headers), "a naive gateway still takes the copied key")
    checks.equal(code, "attestation_invalid", "stopped from then on: the copied key has ended, however far it counts")

    # The attacker's own device, genuine and hooked.
    hooked = AttestedClient(server, "laptop", app, Chip(server.apple))
    checks.equal(hooked.register(), "success",
                 "the attacker's own device, behind phone1, has a genuine app and a key of its own")
    checks.equal(outcome(hooked), won,
                 "NOT STOPPED at net+app: a hooked app, whose chip signs what it is made to, logs in as phone1")
    checks.equal(outcome(honest), won, "phone1 after all that")
