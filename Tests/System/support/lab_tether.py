"""The lab's part on tethering: what a device behind the phone can do at each assurance, and what the phone can."""

from .carrier import PHONES, SHOP, Client, Relay
from .checks import folder
from .phones import DeviceKey


def run_part(checks, network, server, plain, phone):
    print("\nA laptop tethered behind phone1, at each assurance")
    network.tether(phone)
    attester = DeviceKey()
    jwk = folder() / "attester.json"
    jwk.write_text(attester.jwk_text)
    apps = {"net": plain}
    for assurance in ("net+app", "net+app+address"):
        apps[assurance] = server.create_app(
            "--least-assurance", assurance, "--attester", str(jwk), name=assurance, server_address=SHOP)

    def outcome(machine, assurance, claims=None, attested=True, version=4, interface=None, by=attester, through=None):
        """The code of a whole walk, and whose number the token releases."""
        app = apps[assurance]
        client = Client(server, machine, app, version, interface)
        client.local_address, client.through = claims, through
        if attested:
            client.headers = {"OAuth-Client-Attestation": by.attestation(app, client.key.thumbprint,
                                                                         client.challenge())}
        code, token = client.token()
        client.close()
        if token is None:
            return code
        _, number = server.redeemed(app, token)
        return "phone1's number" if number == phone.number else f"redeemed: {number}"

    won = "phone1's number"
    laptop, laptop6 = "192.168.43.2", f"{phone.prefix}2"

    # The honest phone earns every assurance.
    for version, own in ((4, phone.address), (6, phone.address6)):
        for assurance in ("net+app", "net+app+address"):
            checks.equal(outcome("phone1", assurance, own, version=version, interface="wwan0"), won,
                         f"the genuine app on phone1 earns {assurance} over IPv{version}")

    # Not a genuine app.
    for machine, interface in (("laptop", None), ("phone1", "wwan0")):
        who = "a script on the laptop" if machine == "laptop" else "another app on phone1"
        checks.equal(outcome(machine, "net", attested=False, interface=interface), won,
                     f"NOT STOPPED at net: {who} with the copied app key logs in as phone1")
        checks.equal(outcome(machine, "net+app", attested=False, interface=interface), "assurance_too_low",
                     f"stopped at net+app: {who} with the copied app key")
    checks.equal(outcome("laptop", "net+app", by=DeviceKey()), "attestation_invalid",
                 "stopped at net+app: an attestation that the laptop signed itself")

    # A genuine app, on a device behind phone1. As it comes, the SDK binds to cellular and the laptop has none.
    answer, situation, said = server.sdk(plain, "laptop", "--interface", "wwan0")
    checks.that(answer is None and situation == "cellular_data_off",
                "stopped by the SDK: a genuine app on a tethered device looks for mobile data of its own", said)
    checks.equal(outcome("laptop", "net+app", laptop), won,
                 "NOT STOPPED at net+app: a genuine app that was made to use the hotspot logs in as phone1")
    checks.equal(outcome("laptop", "net+app+address", laptop), "assurance_too_low",
                 "stopped at net+app+address over IPv4: it names its own address, which is not the session's")
    checks.equal(outcome("laptop", "net+app+address"), "assurance_too_low",
                 "stopped at net+app+address: it names no address")
    checks.equal(outcome("laptop", "net+app+address", phone.address), won,
                 "NOT STOPPED at net+app+address: an attested app that lies about its address, as a hooked one can")
    checks.equal(outcome("laptop", "net+app+address", laptop6, version=6), won,
                 "NOT STOPPED at net+app+address over IPv6: the laptop's own address is in phone1's prefix")
    checks.equal(outcome("laptop", "net+app+address", phone.address6, version=6), "assurance_too_low",
                 "stopped at net+app+address over IPv6: naming another address than the one it calls from")

    # Malware on phone1 and the attacker's own phone2, which reach each other over Wi-Fi.
    relay = (phone.wifi, 9999)
    Relay(network, phone.machine, *relay)
    checks.equal(outcome("phone2", "net+app", PHONES[1].address, through=relay), won,
                 "NOT STOPPED at net+app: malware on phone1 that passes on what a genuine app on phone2 sends")
    checks.equal(outcome("phone2", "net+app+address", PHONES[1].address, through=relay), "assurance_too_low",
                 "stopped at net+app+address: the same, for the app on phone2 names phone2's address")
    checks.equal(outcome("phone2", "net+app+address", phone.address, through=relay), won,
                 "NOT STOPPED at net+app+address: malware on phone1 and a lying attested app on phone2")
