#!/usr/bin/env python3
"""Prints the figures of docs/architecture.md, "The house in figures": the columns SDK and server, and the sentence
below the table.

Read are the tracked `.swift` files of Sources/ (SDK) and of Server/Sources/ and Server/Tools/ (server and its tools),
without tests, benchmarks and manifests. How is counted:

- A line of comment holds nothing but a comment. A line of code is any other that is not blank.
- A declaration is a line that begins with the access level, after attributes and other modifiers, and declares
  something. The level is `public` or `open` for the SDK, `package` for the server. Imports do not count, nor do
  declarations whose level comes from an extension or a protocol.
- 90 of 100 files have at most as many lines as the second figure says.

    house-figures.py
"""

import json
import math
import pathlib
import re
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]

DECLARES = (
    r"func|var|let|init|subscript|struct|class|enum|actor|protocol|typealias|extension|case|associatedtype|macro|"
    r"operator"
)
MODIFIERS = (
    r"static|class|final|mutating|nonmutating|nonisolated|override|convenience|required|indirect|lazy|weak|dynamic|"
    r"consuming|borrowing|isolated|unowned|(?:public|package|internal|private|fileprivate|nonisolated|unowned)\(\w+\)"
)


def declaration(levels):
    return re.compile(
        rf"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:{MODIFIERS})\s+)*(?:{levels})\s+(?:(?:{MODIFIERS})\s+)*(?:{DECLARES})\b")


PUBLIC, PACKAGE = declaration("public|open"), declaration("package")


def tracked(*folders):
    named = subprocess.run(
        ["git", "ls-files", "-z", "--", *folders], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / path for path in named.split("\0") if path.endswith(".swift")]


def lines(file):
    return file.read_text(encoding="utf-8").splitlines()


def declared(pattern, files):
    return sum(bool(pattern.match(line)) for file in files for line in lines(file))


def kinds(files):
    """(lines of code, lines of comment)"""
    code = comment = 0
    for file in files:
        inside = False
        for line in map(str.strip, lines(file)):
            if inside or line.startswith(("//", "/*")):
                comment += 1
                inside = (inside or line.startswith("/*")) and "*/" not in line
            else:
                code += bool(line)
    return code, comment


def targets(package):
    said = subprocess.run(
        ["swift", "package", "--package-path", str(ROOT / package), "dump-package"], check=True, capture_output=True,
        text=True)
    types = [target["type"] for target in json.loads(said.stdout)["targets"]]
    return f"{len(types)}, {types.count('test')}"


def column(files, pattern, package):
    sizes = sorted(len(lines(file)) for file in files)
    folders = len({file.parent for file in files})
    code, comment = kinds(files)
    return [
        f"{len(files):,}", f"{round(sum(sizes), -2):,}",
        f"{round(statistics.median(sizes))}, {sizes[math.ceil(0.9 * len(sizes)) - 1]}, {sizes[-1]:,}",
        f"{folders}; {len(files) / folders:.1f}", f"{1000 * declared(pattern, files) / code:.0f}",
        f"{comment / code:.2f}",
        targets(package),
    ]


def main():
    sdk, server = tracked("Sources"), tracked("Server/Sources", "Server/Tools")
    names = [
        "files", "lines", "lines a file: median, 90 of 100 have at most, most", "folders with sources; files in each",
        "declarations for 1,000 lines of code: `public` in the SDK, `package` in the server",
        "lines of comment for one of code",
        "targets, tests among them",
    ]
    print("| | SDK | server and its tools |\n|---|--:|--:|")
    for row in zip(names, column(sdk, PUBLIC, "."), column(server, PACKAGE, "Server")):
        print("| " + " | ".join(row) + " |")
    parts = [
        declared(PUBLIC, tracked(folder))
        for folder in ("Sources/BenjiPage", "Sources/Compatibility", "Sources/BenjiProtocol")
    ]
    print(
        f"\nThe SDK's `public` declarations are {declared(PUBLIC, sdk):,}: {parts[0]} describe and judge a page "
        f"(`BenjiPage`), {parts[1]} are the "
        f"five\nvendors' interfaces, {parts[2]} are words that the server shares (`BenjiProtocol`).")
    largest = max(server, key=lambda file: len(lines(file)))
    print(f"The largest file of the server is {largest.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
