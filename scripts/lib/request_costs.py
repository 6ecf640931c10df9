#!/usr/bin/env python3
"""Counts the instructions of a prefetch, an authorize, a redemption, a look-up and an accounting packet with callgrind,
and compares them with those that are kept beside the program that does them.

  request_costs.py             counts, and fails if one takes over 5 % more than the kept figure
  request_costs.py --write     keeps the counts; commit them with the change that causes them
  request_costs.py --runs 3    counts several times and shows the spread
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "Server/.build/debug/RequestCosts"
KEPT = ROOT / "Server/Benchmarks/RequestCosts/instructions.tsv"
TOLERANCE = 0.05
HEAD = "operation\tinstructions"

# Nothing may depend on chance: neither the order of dictionaries nor how many threads take turns.
SETTINGS = {"SWIFT_DETERMINISTIC_HASHING": "1", "LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1"}


class Fault(Exception):
    pass


def totals(folder):
    """The instructions of each part, by its name, from callgrind's files."""
    found = {}
    for file in folder.glob("counts.*"):
        text = file.read_text(errors="replace")
        name = re.search(r"^desc: Trigger: Client Request: (.+)$", text, re.MULTILINE)
        total = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
        # "between" and the last file have the instructions that are not counted.
        if name and total:
            found[name[1].strip()] = found.get(name[1].strip(), 0) + int(total[1])
    return found


def count(program=PROGRAM):
    """Instructions for one of each operation, in the order in which they run."""
    with tempfile.TemporaryDirectory() as place:
        # Debian 12's valgrind does not read the debug information of Swift's compiler, and gives up on it.
        bare = Path(place) / program.name
        subprocess.run(["strip", "--strip-debug", "-o", str(bare), str(program)], check=True)
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={place}/counts", str(bare)],
            capture_output=True, text=True, timeout=600, check=False,
            env={**os.environ, **SETTINGS, "TMPDIR": place})
        if done.returncode != 0:
            raise Fault(f"{program.name} ended with {done.returncode}: {(done.stdout + done.stderr)[-2000:]}")
        found = totals(Path(place))
    counted = {}
    for line in done.stdout.splitlines():
        part = json.loads(line)
        if part["operation"] not in found:
            raise Fault(
                f"callgrind wrote nothing of {part['operation']}: was the program built without valgrind's header? "
                        "Install valgrind, touch Server/Benchmarks/CBenchmarkSystem/system.c and build again")
        counted[part["operation"]] = round(found[part["operation"]] / part["count"])
    return counted


def read(file=KEPT):
    head, *lines = file.read_text().splitlines()
    if head != HEAD:
        raise Fault(f"{file} does not begin with: {HEAD}")
    return {name: int(value) for name, value in (line.split("\t") for line in lines)}


def write(counted, file=KEPT):
    file.write_text("\n".join([HEAD, *(f"{name}\t{value}" for name, value in counted.items())]) + "\n")


def judge(counted, kept):
    """The faults: operations that take more than is kept, and those that only one side knows."""
    faults = []
    for name in [*counted, *(name for name in kept if name not in counted)]:
        if name not in counted or name not in kept:
            faults.append(f"{name}: {'kept, but not counted' if name in kept else 'counted, but not kept'}; run "
                          f"{Path(__file__).name} --write")
        elif counted[name] > kept[name] * (1 + TOLERANCE):
            faults.append(f"{name}: {counted[name]:,} instructions, {counted[name] / kept[name] - 1:+.1%} over the "
                          f"{kept[name]:,} that are kept. "
                          f"Find out why; if it must be so, run scripts/lib/{Path(__file__).name} --write and commit "
                          "the figure with the change")
    return faults


def table(counted, kept):
    lines = []
    for name, value in counted.items():
        change = f"{value / kept[name] - 1:+.2%}" if kept.get(name) else "new"
        lines.append(f"{name:<26}{value:>14,}{change:>10}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="keep what was counted")
    parser.add_argument("--runs", type=int, default=1, help="count so often")
    options = parser.parse_args()
    try:
        if not PROGRAM.exists():
            raise Fault(f"{PROGRAM} is missing; build it: swift build --product RequestCosts --package-path Server")
        kept = read()
        for _ in range(options.runs):
            counted = count()
            print(table(counted, kept), flush=True)
        if options.write:
            write(counted)
            return 0
        faults = judge(counted, kept)
    except Fault as fault:
        faults = [str(fault)]
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
