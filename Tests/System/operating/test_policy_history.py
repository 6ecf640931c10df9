"""Policies are checked with line numbers, and each that a server started with is written down: which lifetimes held
when?"""

import json
import time

import pytest

from support.checks import first_json
from support.server import Server, wait_a_second


def written(policy):
    """As a person writes it, over many lines."""
    return json.dumps(policy, ensure_ascii=False, indent=2)


@pytest.fixture(scope="module")
def standard():
    return json.loads(Server().command("policy").stdout)


def test_mistakes_are_told_with_their_lines(checks, standard, tmp_path):
    path, tool = tmp_path / "policy.json", Server()
    text = written(standard)

    def check(text):
        path.write_text(text, encoding="utf-8")
        done = tool.command("policy", "check", path)
        return done.returncode, done.stdout + done.stderr

    status, said = check(text)
    checks.that(status == 0 and "中国移动" in said, "the policy that comes along is right, and its carriers are listed",
                said)
    line = next(number for number, line in enumerate(text.splitlines(), 1) if '"tokenSeconds"' in line)
    lifetime = text.splitlines()[line - 1].strip().rstrip(",")
    status, said = check(text.replace(lifetime, '"tokenSeconds": 0', 1))
    checks.that(status == 1 and f"policy.json:{line}, $.carriers." in said and "tokenSeconds" in said,
                "a lifetime that cannot be is named with line and member", said)
    status, said = check(text.replace('"scripReusable"', '"scripReuse"', 1))
    reuse = next(number for number, line in enumerate(text.splitlines(), 1) if '"scripReusable"' in line)
    lines = {f"policy.json:{number}," for number in range(reuse - 3, reuse + 1)}
    checks.that(status == 1 and any(line in said for line in lines),
                "so is a member that is missing, by what it should be in", said)
    status, said = check(text.replace('"country": "CN"', '"country": "XX"', 1))
    country = next(number for number, line in enumerate(text.splitlines(), 1) if '"country"' in line)
    checks.that(status == 1 and f"policy.json:{country}," in said and "numbers of XX" in said,
                "so is a country without a number plan", said)
    status, said = check(text.replace('"version"', 'version', 1))
    checks.that(status == 1 and "policy.json:2," in said, "and what is no JSON", said)
    status, said = check("")
    checks.that(status == 1 and "policy.json" in said, "and an empty file", said)


def test_what_held_when(checks, standard, tmp_path):
    path = tmp_path / "policy.json"
    own = json.loads(json.dumps(standard)) | {"version": "own-1"}
    own["carriers"]["mobile"]["lifetimes"]["device"]["tokenSeconds"] = 77
    path.write_text(written(own), encoding="utf-8")
    first = Server()

    def give(*arguments, json=True):
        done = first.command("policy", *arguments, "--config", first.configuration, *(["--json"] if json else []))
        return (first_json(done.stdout) if json else done.stdout), done.stdout + done.stderr

    first.create_app()
    _, said = give("show")
    checks.that("when a server starts" in said, "before a start no policy is written down", said)
    with first:
        pass
    wait_a_second()
    middle = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    wait_a_second()
    configuration = json.loads(first.configuration.read_text())
    for settings in (configuration | {"policy": str(path)}, configuration | {"policy": str(path)}, configuration):
        first.configuration.write_text(json.dumps(settings))
        with first:
            pass
    history, said = give("history")
    versions = [policy["version"] for policy in history["policies"]]
    checks.equal(versions, [standard["version"], "own-1", standard["version"]],
                 f"each change is written down once: {said}")
    newest, changed, oldest = history["policies"]
    checks.that(str(path) in changed["origin"] and changed["recordedBy"] and changed["until"] == newest["since"],
                "with its file, who started the server, and from when to when", changed)
    checks.that(oldest["digest"] == newest["digest"] != changed["digest"], "the same policy has the same digest",
                history)
    held, said = give("show", "--at", middle)
    checks.that(held and held["id"] == oldest["id"] and held["policy"] == standard,
                "the one that held at a moment is shown", said)
    shown, said = give("show", changed["digest"][:8])
    checks.that(shown and shown["policy"]["carriers"]["mobile"]["lifetimes"]["device"]["tokenSeconds"] == 77,
                "and one by the beginning of its digest", said)
    _, said = give("show", "--at", "2020-01-01")
    checks.that("no policy is known to have held here at that time" in said,
                "a time before the first is named as such", said)
    again, said = give("show", changed["digest"], json=False)
    (tmp_path / "again.json").write_text(again, encoding="utf-8")
    same = first.command("policy", "check", tmp_path / "again.json")
    checks.that(same.returncode == 0 and json.loads(again) == json.loads(path.read_text()),
                "what is shown is a policy file again", same.stdout + same.stderr)
    log = first_json(first.command("audit", "--order", "policy.change", "--config", first.configuration,
                                   "--json").stdout)
    checks.equal([entry["after"].get("version") for entry in log["entries"]],
                 [standard["version"], "own-1", standard["version"]],
                 "the audit log has a line for each change")
