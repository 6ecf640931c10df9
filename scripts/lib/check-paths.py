#!/usr/bin/env python3
"""Holds the paths that the documents name to the tree: a file or folder that is named exists, and a walk visits no file twice.
And each target opens with a paragraph, in the file of its name (in C its header), whose files exist.

    check-paths.py               README.md, CONTRIBUTING.md, docs/ and the targets
    check-paths.py --self-test   proves on throw-away documents that mistakes are found
"""

import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A path of ours in backticks; a pattern (*, …) or a placeholder in capitals between dots is none, nor is what a build makes.
PATH = re.compile(r"`((?:Sources|Server|Tests|Examples|Fuzzing|Verification|WebAssembly|scripts|deploy|docs)/(?!\.build)[\w./+-]+)`")

# Where each folder is a target, and the file that a paragraph names, beginning in the target's folder.
TARGETS = ("Sources/*", "Sources/Compatibility/*", "Server/Sources/*", "Server/Tools/*", "Server/Tests/Support/*")
FILE = re.compile(r"`([\w/+-]+\.swift)`")


def openings(root):
    """What is wrong with the paragraphs that targets open with."""
    for folder in sorted(folder for pattern in TARGETS for folder in root.glob(pattern) if folder.is_dir()):
        if folder == root / "Sources/Compatibility":
            continue
        files = [*folder.glob(f"{folder.name}.swift"), *folder.rglob("*.h")]
        head = files[0].read_text(encoding="utf-8").splitlines() if files else []
        head = head[:next((number for number, line in enumerate(head) if not line.startswith("//")), len(head))]
        place = folder.relative_to(root)
        if not head or head[0].startswith("///"):
            yield f"{place}: {folder.name}.swift does not open with a paragraph about the target"
        for path in FILE.findall(" ".join(head)):
            if not (folder / path).exists():
                yield f"{place}: its paragraph names {path}, which is not there"


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
    return found + list(openings(root))


def self_test():
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place)
        (root / "docs").mkdir()
        for name, opening in (("A", "/// A type."), ("B", "// Begin with `b.swift`."), ("C", "// Begin with `C.swift`.")):
            (root / "Sources" / name).mkdir(parents=True)
            (root / f"Sources/{name}/{name}.swift").write_text(opening + "\n", encoding="utf-8")
        (root / "Sources/a.swift").touch()
        (root / "docs/a.md").write_text(
            "`Sources/a.swift` `Sources/*.swift` `Sources/b.swift` `Server/.build/debug`\n| 1 | `Sources/a.swift` |\n| 2 | `Sources/a.swift` |\n", encoding="utf-8")
        expected = ["docs/a.md:1: there is no Sources/b.swift", "docs/a.md:3: the walk visits Sources/a.swift a second time",
                    "Sources/A: A.swift does not open with a paragraph about the target",
                    "Sources/B: its paragraph names b.swift, which is not there"]
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
            sys.exit(f"error: {len(wrong)} paths or openings are wrong")
        print("    every path that the documents name is there, no walk visits a file twice, and each target opens with a paragraph")
