"""The demo, as a newcomer runs it: three phones log in, every line ends as it states, and what it says to try next
works."""

import json
import re
import shlex
import subprocess

import pytest

from support.checks import end, eventually, folder, run, start
from support.server import ROOT, binary, environment, patient

# The outcomes that the demo exists to show. A line that vanishes is noticed here.
OUTCOMES = {
    "Phone 1 logs in, China Mobile": ["success", "success", "103000"],
    "Phone 2 logs in, China Unicom": ["success", "success", "103000"],
    "Phone 3 logs in, China Telecom": ["success", "success", "103000"],
    "Is this your number? No page, so no number": ["success", "105018", "000", "success", "001"],
    "Not on mobile data": ["address_unknown", "address_unknown"],
    "A token twice, and a wrong sign": ["success", "103101", "103000", "104201"],
    "A stolen scrip": ["success", "scrip_wrong_device", "scrip_wrong_device"],
    "An expired scrip": ["success", "scrip_expired"],
    "The 31st unused token": ["success", "success", "too_many_unused_tokens"],
    "A script that copied an app's id and key": ["assurance_too_low", "success", "success", "103000"],
    "A phone with App Attest": ["success", "success", "103000", "assurance_too_low"],
    "An app that came from OneLogin, and one from GeYan": ["success", "200", "12101", "success", "20000"],
    "A phone goes away": ["answered", "address_unknown"],
}


def test_once(checks):
    said = run([binary(), "demo", "--once", "--json"], env=environment())
    checks.equal(said.returncode, 0, "the demo ends well")
    chapters = {}
    for line in said.stdout.splitlines():
        line = json.loads(line)
        chapters.setdefault(line["chapter"], []).append(line["outcome"])
        checks.that(line["asStated"], f'{line["chapter"]}: {line["request"]} ends as stated', line)
    for chapter, outcomes in OUTCOMES.items():
        checks.equal(chapters.get(chapter), outcomes, f"{chapter}: the outcomes are told in order")
    spoken = run([binary(), "demo", "--once"], env=environment())
    checks.that("every one as stated" in spoken.stdout and "What to try next" in spoken.stdout,
                "people read how it ended", spoken.stdout)
    checks.equal(spoken.stderr, "", "nothing is complained about")
    # The name is the name.
    chinese = [line for line in spoken.stdout.splitlines()
               if re.search(r"[\u3400-\u9fff]", line.replace("Benji 本机", ""))]
    checks.equal(chinese, [], "the demo speaks one language, English")


@pytest.mark.part("cluster")
def test_cluster(checks):
    """By its script, which starts the services that it needs and removes them."""
    place = folder()
    # PostgreSQL is another user.
    place.chmod(0o755)
    said = run([ROOT / "scripts/demo.sh", "--cluster", "--once", "--json"],
               env=environment() | {"BENJI_BINARY": binary(), "TMPDIR": str(place)}, stdin=subprocess.DEVNULL)
    checks.equal(said.returncode, 0, "over two nodes, a gateway and PostgreSQL the demo ends well")
    lines = [json.loads(line) for line in said.stdout.splitlines() if line.startswith("{")]
    wanted = sum(map(len, OUTCOMES.values()))
    wrong = [line for line in lines if not line["asStated"]]
    checks.that(len(lines) >= wanted and not wrong, "with the same outcomes",
                f"{wrong} {said.stdout[-900:]} {said.stderr[-900:]}")
    checks.equal(list(place.iterdir()), [], "nothing of it is left in the file system")
    left = run(["pgrep", "-af", str(place)]).stdout
    checks.equal(left, "", "and no process")


def test_help(checks):
    # The terminal's width decides where a paragraph breaks, not the width of the source.
    helps = json.loads(run([binary(), "--experimental-dump-help"], env=environment()).stdout)
    broken = [name for name, text in discussions(helps["command"]) if re.search(r"(?m)^[^ \n].*\n[^ \n]", text)]
    checks.equal(broken, [], "no help page breaks a paragraph by itself")


@pytest.mark.parametrize("more", ([], ["--sandbox-only"]), ids=("all", "sandbox"))
def test_try_next(checks, more):
    """Runs every command that a demo which stays up says to try."""
    name = " ".join(["benji demo", *more])
    out = folder() / "out.txt"
    with open(out, "wb") as file:
        demo = start([binary(), "demo", "--page-port", "0", *more], stdout=file, stderr=subprocess.STDOUT,
                     stdin=subprocess.DEVNULL, env=environment())
    eventually(lambda: "Ctrl-C ends it" in out.read_text())
    said = out.read_text()
    commands = re.findall(r"(?m)^ {4}(benji .*|curl .*|export .*)$", said.partition("What to try next")[2])
    commands = [re.split(r" {3,}", each)[0] for each in commands]
    checks.that(any("phone login" in each for each in commands) != bool(more)
                and any("phone attach" in each for each in commands),
                f"{name}: it says how to be a phone", said)
    settings = environment()
    for command in commands:
        words = shlex.split(command)
        if words[0] == "export":
            variable, _, value = words[1].partition("=")
            settings[variable] = value
            continue
        words = [binary(), *patient(words[1:])] if words[0] == "benji" else words
        if words[0] == "curl":
            words += ["-sS", "--fail"]
        # A login asks for the tick, as it does of a person.
        done = subprocess.run(words, input="yes\n", capture_output=True, text=True, env=settings)
        checks.that(done.returncode == 0, f"{name}: what it says to try works: {' '.join(words[1:3])}",
                    f"{command}\n{done.stdout[-500:]}{done.stderr[-500:]}")
    end(demo)


def discussions(command):
    yield command["commandName"], command.get("discussion", "")
    for child in command.get("subcommands", []):
        yield from discussions(child)
