#!/usr/bin/env python3
"""Holds the paths that the documents name to the tree: a file or folder that is named exists, and a walk visits no file twice.

    check-paths.py               README.md, CONTRIBUTING.md and docs/
    check-paths.py --self-test   proves on throw-away documents that mistakes are found
"""

import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A path of ours in backticks; a pattern (*, …) or a placeholder in capitals between dots is none.
PATH = re.compile(r"`((?:Sources|Server|Tests|Examples|Fuzzing|Verification|WebAssembly|scripts|docs)/[\w./+-]+)`")


def findings(root):
    found = []
    for page in [*root.glob("*.md"), *sorted((root / "docs").rglob("*.md"))]:
        if page.name == "CHANGELOG.md":
            continue
        visited = set()
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("**"):
                visited = set()
            for path in PATH.findall(line):
                if not (root / path).exists():
                    found.append(f"{page.relative_to(root)}:{number}: there is no {path}")
                # A row of a walk begins with its number.
                if re.match(r"\| \d+ \|", line):
                    if path in visited:
                        found.append(f"{page.relative_to(root)}:{number}: the walk visits {path} a second time")
                    visited.add(path)
    return found


def self_test():
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place)
        (root / "docs").mkdir()
        (root / "Sources").mkdir()
        (root / "Sources/a.swift").touch()
        (root / "docs/a.md").write_text(
            "`Sources/a.swift` `Sources/*.swift` `Sources/b.swift`\n| 1 | `Sources/a.swift` |\n| 2 | `Sources/a.swift` |\n", encoding="utf-8")
        expected = ["docs/a.md:1: there is no Sources/b.swift", "docs/a.md:3: the walk visits Sources/a.swift a second time"]
        if findings(root) != expected:
            sys.exit(f"error: the check of paths does not find what it must: {findings(root)}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        wrong = findings(ROOT)
        if wrong:
            print("\n".join(wrong))
            sys.exit(f"error: {len(wrong)} paths in the documents are wrong")
        print("    every path that the documents name is there, and no walk visits a file twice")
