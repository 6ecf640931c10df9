"""The lab's part on a guest of phone1's hotspot who has copied the app's key: what he cannot do to phone1, at the
default settings. It comes after the part on tethering, which connects the laptop."""

from .carrier import SHOP, Client
from .checks import folder
from .phones import DeviceKey

# As a server counted that looked at app and number alone.
NAIVE_LIMIT = 60
FLOOD = 150


def run_part(checks, network, server, phone):
    print("\nA guest of phone1's hotspot, with the copied app key, against phone1")
    app = server.create_app(name="guests", server_address=SHOP)

    def on_phone(key=None):
        client = Client(server, phone.machine, app, interface="wwan0")
        client.key = key or client.key
        return client

    def login(client):
        """(code or phone1's number, seconds that the scrip lived)."""
        code = client.prefetch()
        if code != "success":
            return code, 0
        lifetime = client.offer["scripLifetime"]
        code, token = client.authorize()
        if token is None:
            return code, lifetime
        _, number = server.redeemed(app, token)
        return ("its own number" if number == phone.number else f"redeemed: {number}"), lifetime

    familiar = on_phone()
    checks.equal(login(familiar)[0], "its own number", "before the guest comes, phone1 logs in")

    guest = Client(server, "laptop", app)
    naive, answers, masks, leaked = 0, [], set(), 0
    for _ in range(FLOOD):
        guest.key = DeviceKey()
        answers.append(guest.prefetch())
        naive += answers[-1] == "success"
        if guest.offer:
            masks.add(guest.offer["maskedNumber"])
            leaked += phone.number in str(guest.offer)
    checks.equal(set(answers), {"success"}, f"the guest asks {FLOOD} times, each time with a new key")
    checks.that(naive > NAIVE_LIMIT,
                "a naive server that counts by app and number refuses phone1 now, for ten minutes", naive)
    checks.equal(masks, {f"{phone.number[:3]}****{phone.number[7:]}"},
                 "NOT STOPPED at net: the guest learns the mask, seven of eleven digits")
    checks.equal(leaked, 0, "the guest learns no more of the number from any answer")
    said, lifetime = login(familiar)
    checks.equal((said, lifetime), ("its own number", 3600), "phone1, which has logged in before, notices nothing")
    said, lifetime = login(on_phone())
    checks.equal((said, lifetime), ("its own number", 120), "a new install on phone1 logs in all the same")

    # Tokens that are never redeemed.
    hoard = []
    for _ in range(FLOOD):
        guest.key = DeviceKey()
        code, token = guest.token("verification")
        if token is not None:
            hoard.append(token)
    checks.that(len(hoard) > 120, "the guest hoards more tokens than a naive server lets a number have", len(hoard))
    checks.equal(login(familiar)[0], "its own number", "phone1 gets its token and logs in")
    one = DeviceKey()
    guest.key, codes = one, []
    guest.prefetch()
    for _ in range(40):
        if guest.offer is None and guest.prefetch() != "success":
            break
        codes.append(guest.authorize("verification")[0])
        if codes[-1] != "success":
            break
    checks.that("too_many_unused_tokens" in codes or len(codes) >= 30,
                "one key of the guest's that hoards stops itself alone", codes[-3:])
    checks.equal(login(familiar)[0], "its own number", "and phone1 again")
    thief = server.backend("laptop", "192.168.43.2")
    code, number = thief.redeem(app, hoard[-1])
    thief.close()
    checks.that(code not in (None, "103000") and number is None,
                "the guest cannot redeem what he earned: his is not the address of the app's server", code)

    # An app that asks for more: what earns too little is not counted.
    attester = DeviceKey()
    jwk = folder() / "guests-attester.json"
    jwk.write_text(attester.jwk_text)
    strict = server.create_app("--least-assurance", "net+app", "--attester", str(jwk), name="strict",
                               server_address=SHOP)
    guest.app, codes = strict, set()
    for _ in range(FLOOD):
        guest.key = DeviceKey()
        codes.add(guest.prefetch())
    checks.equal(codes, {"assurance_too_low"}, f"at net+app the guest is refused {FLOOD} times")
    genuine = Client(server, phone.machine, strict, interface="wwan0").attested(attester)
    checks.equal(genuine.prefetch(), "success", "and the genuine app on phone1 is served")
    for client in (guest, familiar, genuine):
        client.close()
    a_face(checks, server, phone, attester, jwk)


def a_face(checks, server, phone, attester, jwk):
    """His own face, tied to phone1's number at an app whose tokens he can earn."""
    app = server.create_app("--attester", str(jwk), name="faces", server_address=SHOP)
    server.allow_face(app)
    for version in (4, 6):
        guest = Client(server, "laptop", app, version)
        checks.equal(guest.begin_face_session(), ("assurance_too_low", None),
                     f"the guest cannot tie his face to phone1's number, IPv{version}")
        guest.close()
    genuine = Client(server, phone.machine, app, interface="wwan0").attested(attester)
    checks.equal(genuine.begin_face_session(), ("success", True),
                 "and the genuine app on phone1 begins to, for its holder")
    genuine.close()


def a_face_at_net(checks, server):
    """The same at an operator's who takes one-tap tokens that are worth `net`."""
    app = server.create_app(name="faces", server_address=SHOP)
    server.allow_face(app)
    guest = Client(server, "laptop", app, 6)
    checks.equal(guest.begin_face_session(), ("success", True),
                 "NOT STOPPED where face.least-assurance is net: the guest ties his face to phone1's number")
    guest.close()
