#!/usr/bin/env python3
"""Holds the paths that the documents name to the tree: a file or folder that is named exists, a walk visits no file
twice, and each link leads to a file, and to a heading if it names one; a guide, which needs no other page, has links in
its last section alone. And each target opens with a paragraph, in the file of its name (in C its header), whose files
exist.

    check-paths.py               README.md, CONTRIBUTING.md, docs/ and the targets; links also in CHANGELOG.md and other
    folders' README.md check-paths.py --self-test   proves on throw-away documents that mistakes are found
"""

import pathlib
import re
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A path of ours in backticks; a pattern (*, …) or a placeholder in capitals between dots is none, nor is what a build
# makes.
PATH = re.compile(
    r"`((?:Sources|Server|Tests|Examples|Fuzzing|Verification|WebAssembly|scripts|deploy|docs)/(?!\.build)[\w./+-]+)`")

# Where each folder is a target, and the file that a paragraph names, beginning in the target's folder.
TARGETS = ("Sources/*", "Sources/Compatibility/*", "Server/Sources/*", "Server/Tools/*", "Server/Tests/Support/*")
FILE = re.compile(r"`([\w/+-]+\.swift)`")


# Where documents are, beginning at the repository.
PAGES = ("*.md", "docs/**/*.md", "Examples/*/*.md", "Verification/*/*.md")
LINK = re.compile(r"\]\(<?([^()\s<>]+)>?(?:\s+\"[^\"]*\")?\)|^\[[^\]]+\]:\s+<?([^\s<>]+)")
HEADING = re.compile(r"#{1,6}\s+(.*?)(?:\s+#+)?\s*$")


def lines(page):
    """(number, line) of each line outside of listings."""
    fence = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = None
        elif mark:
            fence = mark[1]
        else:
            yield number, line


def anchors(page):
    """By what a page's headings are linked to, as GitHub makes it of their words."""
    found = set()
    for _, line in lines(page):
        if heading := HEADING.match(line):
            words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
            plain = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
            name, count = plain, 0
            while name in found:
                count += 1
                name = f"{plain}-{count}"
            found.add(name)
    return found


def links(root):
    """Links between documents, and to files, that lead nowhere."""
    known = {}
    for page in [page for pattern in PAGES for page in sorted(root.glob(pattern))]:
        for number, line in lines(page):
            for match in LINK.finditer(re.sub(r"`[^`]*`", lambda code: " " * len(code[0]), line)):
                target = match[1] or match[2]
                if re.match(r"[a-z][a-z0-9+.-]*:", target, re.I):
                    continue
                path, _, anchor = urllib.parse.unquote(target).partition("#")
                place = (page.parent / path).resolve() if path else page
                if not place.is_relative_to(root.resolve()) or not place.exists():
                    yield f"{page.relative_to(root)}:{number}: the link to {target} leads to no file"
                elif anchor and place.suffix == ".md" and anchor not in known.setdefault(place, anchors(place)):
                    yield f"{page.relative_to(root)}:{number}: the link to {target} leads to no heading"


def guides(root):
    """Links of a guide that stand before its section of what to read then."""
    for page in sorted(root.glob("docs/guides/*/*.md")):
        heads = [number for number, line in lines(page) if line.startswith("## ")]
        for number, line in lines(page):
            if LINK.search(line) and number < heads[-1]:
                yield (f"{page.relative_to(root)}:{number}: a guide needs no other page; "
                       "a link stands in its last section")


def openings(root):
    """The faults of the paragraphs that targets open with."""
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
    return found + list(links(root)) + list(guides(root)) + list(openings(root))


def self_test():
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place, "repository")
        (root / "docs").mkdir(parents=True)
        (root.parent / "outside.md").touch()
        (root / "docs/guides/en").mkdir(parents=True)
        (root / "docs/guides/en/x.md").write_text(
            "# A\n[a](../../a.md)\n## B\n```sh\n[a](../../a.md)\n```\n## Then\n[a](../../a.md)\n", encoding="utf-8")
        for name, opening in (("A", "/// A type."), ("B", "// Begin with `b.swift`."),
                              ("C", "// Begin with `C.swift`.")):
            (root / "Sources" / name).mkdir(parents=True)
            (root / f"Sources/{name}/{name}.swift").write_text(opening + "\n", encoding="utf-8")
        (root / "Sources/a.swift").touch()
        (root / "docs/a.md").write_text(
            "`Sources/a.swift` `Sources/*.swift` `Sources/b.swift` `Server/.build/debug`\n| 1 | `Sources/a.swift` "
            "|\n| 2 | `Sources/a.swift` |\n", encoding="utf-8")
        (root / "docs/b.md").write_text(
            "# Two `words`, twice\n## Two words, twice\n### [Ein Wort](a.md)\n```sh\n# no "
            "heading\n[x](in-a-listing.md)\n```\n"
            "[good](a.md) [good](#two-words-twice-1) [good](b.md#ein-wort) [good](https://example.com/none.md#none) "
            "`[code](none.md)`\n"
            "[bad](../none.md) [bad](b.md#no-heading)\n[bad](#two-words-twice-2) [bad](../../outside.md)\n[bad]: c.md\n"
            "![bad](figures/none.svg)\n", encoding="utf-8")
        expected = ["docs/a.md:1: there is no Sources/b.swift",
                    "docs/a.md:3: the walk visits Sources/a.swift a second time",
                    "docs/b.md:9: the link to ../none.md leads to no file",
                    "docs/b.md:9: the link to b.md#no-heading leads to no heading",
                    "docs/b.md:10: the link to #two-words-twice-2 leads to no heading",
                    "docs/b.md:10: the link to ../../outside.md leads to no file",
                    "docs/b.md:11: the link to c.md leads to no file",
                    "docs/b.md:12: the link to figures/none.svg leads to no file",
                    "docs/guides/en/x.md:2: a guide needs no other page; a link stands in its last section",
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
            sys.exit(f"error: {len(wrong)} paths, links or openings are wrong")
        print("    every path that the documents name is there, every link leads somewhere, no walk visits a file "
              "twice, and each target "
              "opens with a paragraph")
