#!/usr/bin/env -S python3 -B
"""The demo, as a newcomer runs it: three phones log in, and every line ends as it states."""

import json
import re

from support.checks import main, run
from support.server import binary, environment

# What the demo exists to show. A line that vanishes is noticed here.
OUTCOMES = {
    "Phone 1 logs in, 中国移动": ["success", "success", "103000"],
    "Phone 2 logs in, 中国联通": ["success", "success", "103000"],
    "Phone 3 logs in, 中国电信": ["success", "success", "103000"],
    "Is this your number? No page, so no number": ["success", "103810", "000", "success", "001"],
    "Not on mobile data": ["address_unknown", "address_unknown"],
    "A token twice, and a wrong sign": ["success", "103101", "103000", "104201"],
    "A stolen scrip": ["success", "scrip_wrong_device", "scrip_wrong_device"],
    "An expired scrip": ["success", "scrip_expired"],
    "The 31st unused token": ["success", "success", "too_many_unused_tokens"],
    "A script that copied an app's id and key": ["assurance_too_low", "success", "success", "103000"],
    "An app that came from OneLogin, and one from GeYan": ["success", "200", "12101", "success", "20000"],
    "A phone goes away": ["answered", "address_unknown"],
}


def body(checks, _):
    said = run([binary(), "demo", "--once", "--json"], seconds=60, env=environment())
    checks.equal(said.returncode, 0, "the demo ends well")
    chapters = {}
    for line in said.stdout.splitlines():
        line = json.loads(line)
        chapters.setdefault(line["chapter"], []).append(line["outcome"])
        checks.that(line["asStated"], f'{line["chapter"]}: {line["request"]} ends as stated', line)
    for chapter, outcomes in OUTCOMES.items():
        checks.equal(chapters.get(chapter), outcomes, f"{chapter}: the outcomes are told in order")
    spoken = run([binary(), "demo", "--once"], seconds=60, env=environment())
    checks.that("every one as stated" in spoken.stdout and "What to try next" in spoken.stdout, "people read how it ended", spoken.stdout)
    checks.equal(spoken.stderr, "", "nothing is complained about")


    # The terminal's width decides where a paragraph breaks, not the width of the source.
    helps = json.loads(run([binary(), "--experimental-dump-help"], seconds=60, env=environment()).stdout)
    broken = [name for name, text in discussions(helps["command"]) if re.search(r"(?m)^[^ \n].*\n[^ \n]", text)]
    checks.equal(broken, [], "no help page breaks a paragraph by itself")


def discussions(command):
    yield command["commandName"], command.get("discussion", "")
    for child in command.get("subcommands", []):
        yield from discussions(child)


main(body, 150, __doc__)
