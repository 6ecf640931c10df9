#!/usr/bin/env python3
"""Checks that the optimiser takes every target of the product. No test is built with optimisation, and a compiler that
crashes there would be noticed in the first release build only.

    check-optimised.py [TARGET...]     all targets of the product, or those named; takes the compiler's commands from
    the last debug
                                       build of the server
    check-optimised.py --self-test     proves that a source which does not compile is noticed

The optimiser runs, and no code of a machine is made: that takes half the time of a release build's share."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from compiler_commands import ROOT, commands

# They write what a build needs, or keep the optimiser out.
DROPPED = ("-emit-module", "-emit-dependencies", "-incremental", "-c", "-enable-batch-mode", "-serialize-diagnostics",
           "-parseable-output", "-emit-objc-header", "-Onone", "-enable-testing", "-DDEBUG", "-j2")
DROPPED_WITH_VALUE = ("-emit-module-path", "-output-file-map", "-index-store-path", "-emit-objc-header-path")


def of_the_product():
    """How SwiftPM compiles each target whose sources are ours and part of the product."""
    found = {}
    for name, words in commands().items():
        sources = pathlib.Path(next(word for word in words if word.startswith("@"))[1:])
        if not sources.exists():
            continue
        first = pathlib.Path(sources.read_text().split("\n")[0].strip("'\" "))
        if any(first.is_relative_to(ROOT / place) for place in ("Sources", "Server/Sources")):
            found[name] = words
    return found


def optimised(words):
    kept, skipped = [], False
    for word in words:
        if skipped:
            skipped = False
        elif word in DROPPED_WITH_VALUE:
            skipped = True
        elif word not in DROPPED and not re.fullmatch(r"-j\d+", word):
            kept.append(word)
    return [*kept, "-O", "-wmo", "-emit-sil", "-o", "/dev/null", "-suppress-warnings"]


def fault(words, extra=()):
    """The compiler's errors for a target; empty if it takes it."""
    done = subprocess.run([*optimised(words), *extra], capture_output=True, text=True, check=False, cwd=ROOT / "Server")
    return "".join(f"{line[:400]}\n"
                   for line in (done.stdout + done.stderr).splitlines()[:30]) if done.returncode else ""


def main():
    found = of_the_product()
    names = sys.argv[1:] or sorted(found)
    if unknown := [name for name in names if name not in found]:
        sys.exit(f"error: there is no target {unknown[0]} in the last build; there are {', '.join(sorted(found))}")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = dict(zip(names, pool.map(lambda name: fault(found[name]), names)))
    for name, said in faults.items():
        if said:
            print(f"{said}error: {name} does not compile with optimisation, so no release can be built",
                  file=sys.stderr)
    if any(faults.values()):
        sys.exit(1)
    print(f"the optimiser takes all of {len(names)} targets")


def self_test():
    words = commands()["Sightings"]
    with tempfile.TemporaryDirectory() as place:
        broken = pathlib.Path(place) / "Broken.swift"
        broken.write_text("func broken() -> Int { \"no number\" }\n", encoding="utf-8")
        if "no number" not in fault(words, [str(broken)]):
            sys.exit("error: a source that does not compile is not noticed")
    print("a source that does not compile is noticed")


if sys.argv[1:] == ["--self-test"]:
    self_test()
elif any(word.startswith("-") for word in sys.argv[1:]):
    sys.exit(__doc__)
else:
    main()
