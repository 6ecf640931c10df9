#!/usr/bin/env python3
"""Prints, from llvm-cov's JSON, how many lines of each parser's files its inputs have run, and which were never run.

    fuzz-coverage.py ROOT PARSER=FILE...
"""

import json
import sys
from pathlib import Path


def missed(segments):
    """The lines that hold code and never ran, as ranges. A segment is [line, column, count, has count, is entry,
    gap]."""
    lines = set()
    for this, following in zip(segments, segments[1:]):
        # A gap lies between statements; what ends at column 1 ends on the line before.
        if this[3] and this[2] == 0 and not this[5]:
            lines.update(range(this[0], following[0] + (1 if following[1] > 1 else 0)))
    ranges = []
    for line in sorted(lines):
        if ranges and ranges[-1][1] == line - 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)


def main(root, pairs):
    for name, path in (pair.split("=", 1) for pair in pairs):
        data = json.loads(Path(path).read_text())["data"][0]
        total = data["totals"]["lines"]
        print(f"{name}: {total['covered']} of {total['count']} lines, {total['percent']:.1f} %")
        for file in data["files"]:
            lines = file["summary"]["lines"]
            relative = Path(file["filename"]).relative_to(root)
            print(f"    {lines['covered']:4} of {lines['count']:4}  {relative}")
            if lines["covered"] < lines["count"]:
                print(f"                  not entirely run: {missed(file['segments'])}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2:])
