#!/usr/bin/env python3
"""Compares the table of docs/operations/kept-state.md, "What each process keeps", with the sources. It must name every
property that keeps something between requests, and nothing that does not exist.

With several processes each such property holds for one of them alone, and goes with it. A row states where it lives,
the effect of two processes, and the loss. Found are actors, properties under a lock, and limiters.

    check-kept-state.py               the sources and the table
        check-kept-state.py --self-test   proves on throw-away sources that a property that the table lacks is found
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE, CHAPTER = "docs/operations/kept-state.md", "What each process keeps"
TARGETS = ("Authority", "Callbacks", "OpenIDProvider", "Gateway", "Requests", "ServerHTTP", "Link",
           "Endpoints", "FaceAccounts", "FaceEndpoints",
           "FaceMatching", "Administration",
           "AdministrationEndpoints", "Console")

LOCKS = "Mutex|NSLock|NIOLock|NIOLockedValueBox|Atomic|ManagedAtomic"
# Types that keep state for others. The property that holds one is named, not its content.
BLOCKS = ("RateLimiter", "RateBucket", "SourceLimiter", "PrefetchBudget", "FaceBudget", "FreshProofs",
          "ProofReplayCache")

TYPE = re.compile(r"^( *)(?:[a-z]+(?:\([a-z]+\))? |@\w+ )*(class|struct|enum|actor|extension|protocol) (\w+)")
KEPT = re.compile(r"^( *)(?:[a-z]+(?:\([a-z]+\))? |@\w+ )*(?:let|var) (\w+)(?:: *| *= *)(?:\w+\.)?(%s|%s)\b" % (
    LOCKS, "|".join(BLOCKS)))


def kept(text):
    """The state of a source file: `Type.property`, or `Type` of an actor."""
    around = []
    for line in text.splitlines():
        if closing := re.match(r" *(?=\})", line):
            around = [(depth, name) for depth, name in around if depth < len(closing[0])]
        if found := TYPE.match(line):
            if line.count("{") > line.count("}"):
                around.append((len(found[1]), found[3]))
            if found[2] == "actor":
                yield found[3]
        elif found := KEPT.match(line):
            # A local variable stands deeper than a member of the type.
            owners = [name for depth, name in around if depth + 4 == len(found[1])]
            if owners and owners[-1] not in BLOCKS:
                yield f"{owners[-1]}.{found[2]}"


def sources(root):
    return {name: path.relative_to(root) for target in TARGETS
            for path in sorted((root / "Server/Sources" / target).rglob("*.swift")) for name in kept(path.read_text())}


def named(page):
    """The names in the column `kept in` of the chapter's table."""
    chapter = page.split(f"# {CHAPTER}\n", 1)[-1].split("\n#", 1)[0]
    rows = [line.split("|") for line in chapter.splitlines() if line.startswith("|")]
    return {name for row in rows[2:] for name in re.findall(r"`([A-Z]\w+(?:\.\w+)?)`", row[2])}


def findings(found, told):
    for name in sorted(set(found) - told):
        yield (f"{found[name]}:1: {name} keeps something between requests and is not in {PAGE}, \"{CHAPTER}\"; add "
               "it to a row: what it is, "
               "what it is with several processes, and what is lost with its process")
    for name in sorted(told - set(found)):
        yield f"{PAGE}:1: \"{CHAPTER}\" names {name}, which keeps nothing any more; take it out"


def self_test():
    source = """
package final class Desk: Sendable {
    private let seen = Mutex<[String: Int]>([:])
    package let limiter: RateLimiter
    private struct State { var x = 1 }
    func ask() {
        let local = Mutex(0)
    }
}

package actor Ring {
}

final class RateLimiter {
    private let lock = NSLock()
}
"""
    assert sorted(kept(source)) == ["Desk.limiter", "Desk.seen", "Ring"], sorted(kept(source))
    page = (f"## {CHAPTER}\n\n| what | kept in | several | lost |\n|---|---|---|---|\n"
            "| a | `Desk.seen`, `Ring`, `Gone.x` | b | `Not.this` |\n\n## Next\n| | | | |\n")
    told = named(page)
    assert told == {"Desk.seen", "Ring", "Gone.x"}, told
    said = list(findings({name: "a.swift" for name in kept(source)}, told))
    assert len(said) == 2 and "Desk.limiter" in said[0] and "Gone.x" in said[1], said


if "--self-test" in sys.argv:
    self_test()
    sys.exit(0)
found = sources(ROOT)
said = list(findings(found, named((ROOT / PAGE).read_text())))
print("\n".join(said) if said
      else f"    {len(found)} properties keep something between requests, and the table names each")
sys.exit(1 if said else 0)
