"""Admins who come with a client certificate instead of a token: known by its key, and by nothing else."""

import json

from support.certificates import CertificateAuthority
from support.checks import first_json
from support.server import Server, free_ports


def test_an_admin_with_a_certificate(checks):
    (port,) = free_ports(1)
    server = Server(listen={"administration": f"127.0.0.1:{port}"})
    authority = CertificateAuthority(server.folder)
    for name in ("server", "robot", "stranger"):
        authority.issue(name, ["-days", "20"])
    place = {name: (server.folder / f"{name}.pem", server.folder / f"{name}.key") for name in ("server", "robot", "stranger")}
    settings = json.loads(server.configuration.read_text())
    settings["tls"] = {"certificate": str(place["server"][0]), "key": str(place["server"][1])}
    settings["administration"] = {"client-authority": str(authority.certificate)}
    server.configuration.write_text(json.dumps(settings))

    def give(who, *order):
        certificate, key = place[who]
        done = server.command(*order, "--json", "--server", f"https://127.0.0.1:{port}", "--server-authority", authority.certificate,
                              "--client-certificate", certificate, "--client-key", key)
        return json.loads(done.stdout) if done.returncode == 0 else None, done.stdout + done.stderr

    with server:
        app = server.create_app()
        granted = server.command("admin", "grant", "robot", "--role", "auditor", "--certificate", place["robot"][0], "--json",
                                 "--config", server.configuration)
        made = first_json(granted.stdout) or {}
        checks.that(made.get("credential") == "certificate" and "token" not in made, "a certificate is granted, without a token", granted.stderr)
        apps, said = give("robot", "app", "list")
        checks.that(apps and [each["id"] for each in apps] == [app["id"]], "its holder looks", said)
        none, said = give("robot", "app", "suspend", app["id"])
        checks.that(none is None and "may not give this order" in said, "and is kept to the role", said)
        none, said = give("stranger", "app", "list")
        checks.that(none is None and "no admin has this credential" in said, "another certificate of the authority is nobody's", said)
        revoked = server.command("admin", "revoke", "robot", "--config", server.configuration)
        none, said = give("robot", "app", "list")
        checks.that(revoked.returncode == 0 and none is None and "no admin has this credential" in said, "revoked, it ends at once", said)
