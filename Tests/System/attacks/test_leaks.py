"""Numbers and credentials of a run are not in logs, metrics, traces, database, write-ahead log, journal or on the
terminal. Forms are clear, base64, hexadecimal, URL-encoded or, for numbers and IMSIs, plain SHA-256."""

import base64
import hashlib
import json
import urllib.parse

from support.checks import Stop, eventually, folder, kill, start
from support.server import binary, environment


def base64_forms(secret):
    """The forms of a secret inside a longer base64 text, in both alphabets. Each of the three alignments is without the
    characters that depend on neighbours."""
    forms = set()
    for shift in range(3):
        text = base64.b64encode(b"\0" * shift + secret)
        first = (shift * 8 + 5) // 6
        last = (shift + len(secret)) * 8 // 6
        core = text[first:last]
        if len(core) >= 8:
            forms |= {core, core.replace(b"+", b"-").replace(b"/", b"_")}
    return forms


def forms(kind, secret):
    """Every way of writing a secret that counts as a leak."""
    raw = secret.encode()
    found = {
        "in clear": {raw}, "in hexadecimal": {raw.hex().encode(), raw.hex().upper().encode()},
        "in base64": base64_forms(raw),
        "URL-encoded": {b"".join(b"%%%02X" % byte for byte in raw), b"".join(b"%%%02x" % byte for byte in raw),
                        urllib.parse.quote(secret, safe="").encode()},
    }
    if kind in ("number", "imsi"):
        # Credentials carry too many random bits to be guessed from their hash, which is how the store knows them;
        # numbers do not.
        digest = hashlib.sha256(raw).digest()
        found["as SHA-256"] = {digest, digest.hex().encode(), digest.hex().upper().encode(),
                               base64.b64encode(digest).rstrip(b"="),
                               base64.urlsafe_b64encode(digest).rstrip(b"=")}
    if kind == "number" and not secret.startswith("86"):
        found |= {f"{how}, with +86": ways
                  for how, ways in forms("number", "+86" + secret).items()} if not secret.startswith("+") else {}
    return found


def search(secrets, places):
    """(kind, how, place) of every leak."""
    leaks = []
    for kind, values in secrets.items():
        for value in values:
            for how, ways in forms(kind, value).items():
                leaks += [(kind, how, place) for place, content in places.items()
                          if any(way in content for way in ways)]
    return leaks


def self_test(checks, secrets):
    """Plants each kind of secret in each form, and finds it."""
    for kind, values in secrets.items():
        value = sorted(values)[0]
        for how, ways in forms(kind, value).items():
            for way in ways:
                if search({kind: [value]}, {"planted": b"noise " + way + b" noise"}) == []:
                    checks.that(False, f"a {kind} planted {how} is found")
                    return
    checks.that(search({"number": ["13800000001"]}, {"planted": base64.b64encode(b'{"n":"13800000001"}')}) != [],
                "planted secrets are found in every form, also inside a longer base64 text")


def test_nothing_leaks(checks):
    place = folder()
    with open(place / "log", "wb") as log, open(place / "terminal", "wb") as terminal:
        # Not --once: the files are read while the server holds them, and once more after it was killed.
        demo = start([binary(), "demo", "--json", "--data", str(place / "data"), "--evidence", str(place / "evidence"),
                      "--log", "trace"], stdout=terminal, stderr=log, env=environment())
        # Its address is printed when all else has been written.
        if not eventually(lambda: b'"sandbox"' in (place / "terminal").read_bytes() or demo.poll() is not None):
            raise Stop("the demo left no evidence")
        evidence = json.loads((place / "evidence/secrets.json").read_text())
        secrets = {kind: set(values) for kind, values in evidence.items()}
        for kind, least in {"number": 6, "imsi": 3, "key": 3, "credential": 100}.items():
            checks.that(len(secrets.get(kind, ())) >= least, f"the run used {least} or more secrets of the kind {kind}",
                        len(secrets.get(kind, ())))
        secrets["master key"] = {(place / "data/master.key").read_text().strip().split(":", 1)[1]}
        alive = read(place, "running")
        kill(demo)
    places = {**alive, **read(place, "killed")}
    for name in ("running data/benji.sqlite", "running data/benji.sqlite-wal", "running data/directory.journal",
                 "running log",
                 "running evidence/metrics.txt", "running evidence/traces.txt", "running terminal"):
        checks.that(len(places.get(name, b"")) > 0, f"there is something to search: {name}", sorted(places))
    self_test(checks, secrets)
    leaks = search(secrets, {name: content for name, content in places.items() if not name.endswith("master.key")})
    checks.equal(sorted(set(leaks)), [],
                 f"none of {sum(map(len, secrets.values()))} secrets is found in {len(places)} places")


def read(place, when):
    return {f"{when} {path.relative_to(place)}": path.read_bytes() for path in place.rglob("*")
            if path.is_file() and path.name not in ("secrets.json",)}
