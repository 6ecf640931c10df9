"""Samples of the documents that are parts of something. Settings are put into a whole configuration that `benji serve
--check` reads, and carriers' records into a policy that `benji policy check` reads. The commands of the table's kind
`run` are run in a new installation. Each part is then spoilt, and must be refused."""

import base64
import copy
import json
import os
import re
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.checks import Stop, folder, require, run
from support.hsm import SoftHSM
from support.link import make_certificates
from support.server import ROOT, binary, environment

sys.path.append(str(ROOT / "scripts/lib"))
import samples as documents  # noqa: E402 (found by the line above)

pytestmark = pytest.mark.seconds(300)

# A picture of one dot.
DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
# The parts of a whole configuration that a sample leaves out.
WHOLE = {
    "listen": {"device": "127.0.0.1:8080", "server": "127.0.0.1:8081", "admin": "127.0.0.1:8082",
               "accounting": "127.0.0.1:1813"},
    "public": {"urls": ["http://127.0.0.1:8080"]},
    "nas": {"names": ["pgw"], "pgw": {"sources": ["127.0.0.1/32"], "secret": "of-the-packet-core-1813",
                                      "pools": ["127.8.0.0/16"], "carrier": "mobile"}},
}
# Settings that a part needs and that are in another sample of its document.
ALSO = {"console": {"listen": {"administration": "127.0.0.1:8084"},
                    "administration": {"hosts": ["benji-admin.internal"]}}}
# A fault of this machine, which lacks the service: the look at it is no part of reading a configuration.
ELSEWHERE = "store.postgres: PostgreSQL at "


def merged(one, other):
    """Two configurations as one; of what both say the second counts."""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return copy.deepcopy(other)
    return copy.deepcopy(one) | {key: merged(one[key], value) if key in one else copy.deepcopy(value)
                                 for key, value in other.items()}


def parts(text):
    """(role or None, settings) of a sample: more than one where comments name files of several roles."""
    import yaml
    pieces = re.split(r"(?m)^# (authority|gateway)\.yaml", text)
    for role, piece in zip([None, *pieces[1::2]], pieces[::2]):
        # The rest of the line after the file's name.
        if settings := yaml.safe_load("#" + piece if role else piece):
            yield role or settings.get("role"), settings


class Reader:
    """A folder with what configurations name, and the program in it."""

    def __init__(self, wholes):
        self.folder, self.wholes = folder(), wholes
        self.hsm = SoftHSM("benji")
        make_certificates(self.folder)
        made = run([require("openssl", "openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-days", "90",
                    "-subj", "/CN=id.example", "-addext",
                    "subjectAltName=DNS:id.example,DNS:gw.example,DNS:mtls.id.example,DNS:benji-admin.internal,"
                    "IP:127.0.0.1",
                    "-keyout", "key.pem", "-out", "cert.pem"], 30, cwd=self.folder)
        if made.returncode != 0:
            raise Stop(made.stdout + made.stderr)
        for name in ("radsec.pem", "radsec-ca.pem", "clients-ca.pem", "admins-ca.pem", "id-ca.pem"):
            (self.folder / name).write_bytes((self.folder / "cert.pem").read_bytes())
        self.secret("radsec.key", (self.folder / "key.pem").read_text())
        for name in ("provider.secret", "console.secret"):
            self.secret(name, base64.b64encode(os.urandom(24)).decode())
        self.secret("smsc.password", "smpp-pw")

    def secret(self, name, text):
        path = self.folder / name
        path.touch(0o600)
        path.write_text(text)
        return path

    def refused(self, name, role, settings):
        """The faults that the program finds in a part of a whole configuration."""
        whole = self.wholes.get(role, {"role": "all"} | WHOLE)
        for key, more in ALSO.items():
            if key in settings:
                whole = merged(whole, more)
        # A sample states all network elements, or none.
        whole = {key: value for key, value in whole.items() if key != "nas" or key not in settings}
        whole = merged(whole, settings) | {"data": f"{name}-data"}
        path = self.secret(f"{name}.yaml", json.dumps(whole).replace("file:/etc/benji/hsm-pin", f"file:{self.hsm.pin}"))
        if "wrapping-key" in settings.get("master-key", {}):
            run([binary(), "keys", "new-wrapping-key", "-c", str(path)], 60, cwd=self.folder,
                env=environment() | self.hsm.environment)
        said = run([binary(), "serve", "-c", str(path), "--check"], 60, cwd=self.folder,
                   env=environment() | self.hsm.environment)
        wrong = re.findall(r"(?m)^BAD +(.*)$", said.stdout)
        found = [words for words in wrong if ELSEWHERE not in words]
        return found if wrong or said.returncode == 0 else [said.stdout + said.stderr]


def misspelt(settings):
    """Settings with one unknown name."""
    key, value = next(iter(settings.items()))
    if isinstance(value, dict):
        return {key: {f"{name}x" if at == 0 else name: each for at, (name, each) in enumerate(value.items())}} | {
            name: each for name, each in settings.items() if name != key}
    return {f"{name}x" if name == key else name: each for name, each in settings.items()}


def test_parts_of_configurations(checks):
    table = documents.rows(ROOT)
    found, wholes = [], {}
    for document, line, language, text in documents.samples(ROOT):
        row = table.get((document, documents.first(text)))
        if language != "yaml" or row and "patroni" in row["by"]:
            continue
        for at, (role, settings) in enumerate(parts(text)):
            found.append((f"{document}:{line}", f"part-{line}-{at}", role, settings))
            # The whole ones of docs/operations/gateways.md.
            if "role" in settings:
                wholes[role] = settings
    checks.that(len(found) > 15 and set(wholes) == {"authority", "gateway"},
                "the documents have many parts of configurations, and whole ones of both roles", found)
    reader = Reader(wholes)

    def both(part):
        place, name, role, settings = part
        return place, reader.refused(name, role, settings), reader.refused(f"{name}-spoilt", role, misspelt(settings))

    with ThreadPoolExecutor(2) as pool:
        for place, wrong, spoilt in pool.map(both, found):
            checks.equal(wrong, [], f"{place}: the settings are read by the program")
            checks.that(spoilt, f"{place}: with a name misspelt they are refused")


def test_carriers_records(checks):
    """A sample is a new carrier's record or changes a member of one. Both are put into the standard policy."""
    place, count = folder(), 0
    standard = json.loads(run([binary(), "policy"], 30).stdout)

    def check(records):
        (place / "policy.json").write_text(json.dumps(merged(standard, {"carriers": records})))
        return run([binary(), "policy", "check", str(place / "policy.json")], 30)

    for document, line, language, text in documents.samples(ROOT):
        if language != "json" or not documents.is_policy(records := documents.members(text)):
            continue
        count += 1
        said = check(records)
        checks.that(said.returncode == 0 and all(name in said.stdout for name in records),
                    f"{document}:{line}: the records are a policy's", said)
        spoilt = {name: record | {"lifetimes": {dialect: {**life, "tokenSeconds": 0} for dialect, life in record[
            "lifetimes"].items()}} for name, record in records.items()}
        checks.that(check(spoilt).returncode != 0, f"{document}:{line}: with a life of no seconds they are refused")
    checks.that(count >= 2, "the documents have such records", count)


class Installation:
    """A new one, with what the commands of a document name, and `benji` on the PATH."""

    def __init__(self, text):
        self.folder = folder()
        (self.folder / "benji").symlink_to(binary())
        self.settings = environment() | {"PATH": f"{self.folder}:{os.environ['PATH']}",
                                         "BENJI_DATA": str(self.folder / "data")}
        (self.folder / "benji.yaml").touch(0o600)
        (self.folder / "benji.yaml").write_text(json.dumps({"role": "all", "data": "data"} | WHOLE))
        (self.folder / "logo.png").write_bytes(DOT)
        make_certificates(self.folder)
        (self.folder / "client.pem").write_bytes((self.folder / "gateway-1.pem").read_bytes())
        (self.folder / "keys.json").write_text(json.dumps({"keys": [{  # of RFC 7517, A.1
            "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": "1",
                                                                     "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
            "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]}))
        begun = self.run("benji init -c benji.yaml"
                         + ("" if "page new --out login.json" in text else " && benji page new --out login.json"))
        # The apps that the document names; one that it makes gets another id.
        for app in sorted(set(re.findall(r"\b3000000000\d\d\b", text))):
            if begun.returncode == 0:
                begun = self.run(f"benji app create -c benji.yaml --id {app} --name Shop --bundle com.example.shop "
                                 "--server-address 203.0.113.7")
        if begun.returncode != 0:
            raise Stop(f"the installation is not begun: {begun.stdout}{begun.stderr}")

    def run(self, text):
        return run(["bash", "-euo", "pipefail", "-c", text], 60, cwd=self.folder, env=self.settings)


def test_commands_that_run(checks):
    table, found = documents.rows(ROOT), {}
    for document, line, _, text in documents.samples(ROOT):
        if table.get((document, documents.first(text)), {}).get("kind") == "run":
            found.setdefault(document, []).append((line, text))
    checks.that(sum(map(len, found.values())) >= 10, "many samples are run", found)

    def follow(document):
        """One after the other, as somebody who reads it."""
        installation = Installation("".join(text for _, text in found[document]))
        said = [(f"{document}:{line}", installation.run(text)) for line, text in found[document]]
        # It must refuse the last command with an unknown app, a broken address or a configuration that is not there.
        last = found[document][-1][1]
        wrong = (r"\b3000000000\d\d\b", "300000000077") if re.search(r"(?m)^benji app (?!create)",
                                                                     last) else (r"203\.0\.113\.7", "203.0.113")
        spoilt = re.sub(*wrong, last) if re.search(wrong[0], last) else last.replace("benji.yaml", "absent.yaml")
        return said, (document, installation.run(spoilt), spoilt != last)

    with ThreadPoolExecutor(2) as pool:
        for said, (document, spoilt, has_changed) in pool.map(follow, found):
            for place, each in said:
                checks.equal((each.returncode, each.stderr if each.returncode else ""), (0, ""),
                             f"{place}: its commands run as they stand")
            checks.that(has_changed and spoilt.returncode != 0,
                        f"{document}: with another app, address or configuration they would not",
                        shlex.join(map(str, spoilt.args)) + spoilt.stdout)
