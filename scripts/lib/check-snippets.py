#!/usr/bin/env -S python3 -B
"""Holds every code sample of the documents to something that compiles, reads or runs it. A sample is one of these:

  - compiled for iOS by scripts/ios/documents.py;
  - in a guide (docs/guides), whose commands and programs Tests/System/operating/test_docs.py runs; a guide in
  Chinese has the samples of the English one;
  - a row of Verification/snippets.tsv, by the sample's first line: `test`, the test or check that runs it, which names
  the document, and words of
    the sample or its language to find it by; `run`, the one that runs the commands in a new installation; `same`, a
    file of tests, or a guide, that has it word for word; `read`, the test that holds its commands, options and paths to
    the program; `part`, why it cannot run by itself. A test or script that a reason names exists;
  - settings in YAML, carriers' records in JSON, or what somebody types in a terminal (console), which
  Tests/System/operating/test_samples.py and test_docs.py
    give the program to read;
  - other JSON or XML, which is read here.

The others show output of a program, messages, and drawings: no code.

    check-snippets.py              fails for a sample that nothing runs, and for a row without a sample
    check-snippets.py --self-test  shows that both are found
"""

import re
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts/ios"), str(ROOT / "scripts/lib")]

import documents  # noqa: E402
from samples import TABLE, first, is_policy, members, rows, samples, typed  # noqa: E402

# Languages of program output and of wire data, which are no code.
DATA = ("", "text", "http")
KINDS = ("test", "run", "same", "read", "part")
# How a command begins, which has no place in a sample without a language: there nothing reads it.
COMMAND = re.compile(r"(?m)^(?:\$ )?(?:sudo )?(?:benji|make|scripts/\S+) \S")


def unread(language, sample):
    """(the kind of check that holds a sample without a row, or nothing; its fault, or nothing)."""
    if language in DATA:
        return None, COMMAND.search(
            sample) and "a command stands in a block that nothing reads; write ```sh or ```console"
    if language == "yaml":
        return "configuration", None
    if language == "console":
        return "console", None if typed(sample) else "no line begins with `$ `"
    try:
        if language == "json":
            said = members(sample)
            return "policy" if is_policy(said) else "json", None
        if language == "xml":
            xml.etree.ElementTree.fromstring(f"<dict>{sample}</dict>")
            return "xml", None
    except (ValueError, xml.etree.ElementTree.ParseError) as error:
        return language, f"cannot be read: {error}"
    return "", None


def finds(test, language, sample):
    """Whether the text of a test has what it could find the sample by: its language, or a string that stands in the
    sample."""
    by_language = language and re.search(rf"[\"`]{re.escape(language)}\b", test)
    return by_language or any(len(words) >= 6 and words in sample
                              for words in re.findall(r'"((?:[^"\\\n]|\\.)*)"', test))


def absent(root, reason):
    """The tests and scripts that a reason names and that do not exist."""
    return [name for name in re.findall(r"\btest_\w+\.py\b|\bscripts/[\w./-]+\.(?:py|sh)\b", reason)
            if not (root / name).is_file() and not list(root.glob(f"Tests/**/{name}"))]


def findings(root):
    """The faults, a line each; and the number of samples by the kind of check."""
    table = rows(root)
    used, counts, wrong = set(), {}, []

    def held(kind):
        counts[kind] = counts.get(kind, 0) + 1

    guides = {}
    for document, line, language, sample in samples(root):
        place = f"{document}:{line}"
        if document.startswith("docs/guides/"):
            guides.setdefault(document, []).append((language, sample))
        row = table.get((document, first(sample)))
        if documents.compiles(document, language, sample):
            held("compiled")
        elif row:
            used.add((document, first(sample)))
            kind, by = row["kind"], row["by"]
            if kind not in KINDS or not by:
                wrong.append(f"{TABLE}: {document}, {first(sample)}: a row says {', '.join(KINDS[:-1])} or part, and "
                             "by what or why")
            elif kind != "part" and not (root / by).is_file():
                wrong.append(f"{TABLE}: there is no {by}")
            elif kind == "test" and (name := document if Path(document).stem == "README"
                                     else Path(document).name) not in (root / by).read_text(encoding="utf-8"):
                wrong.append(f"{TABLE}: {by} does not name {name}")
            elif kind == "test" and not finds((root / by).read_text(encoding="utf-8"), language, sample):
                wrong.append(f"{place}: {by} has nothing by which it could find the sample: {first(sample)}")
            elif kind == "part" and (names := absent(root, by)):
                wrong.append(f"{TABLE}: {document}, {first(sample)}: there is no {', '.join(names)}")
            elif kind == "same" and sample not in (root / by).read_text(encoding="utf-8"):
                wrong.append(f"{place}: the sample is not word for word in {by}")
            held(kind)
        elif document.startswith("docs/guides/") and language in ("sh", "python"):
            held("guide")
        else:
            by, fault = unread(language, sample)
            if fault:
                wrong.append(f"{place}: {fault}: {first(sample)}")
            if by:
                held(by)
            elif by == "":
                wrong.append(
                    f"{place}: nothing compiles or runs this {language}, and {TABLE} has no reason: {first(sample)}")
    for document, found in guides.items():
        # A code is explained in the guide's own language.
        english = [(language, sample.replace("--language en", "--language zh"))
                   for language, sample in guides.get(document.replace("/zh/", "/en/"), [])]
        if "/zh/" in document and found != english:
            wrong.append(f"{document}: its samples are not those of the English guide")
    wrong += [f"{TABLE}: no sample of {document} begins with: {begins}" for document, begins in table
              if (document, begins) not in used]
    return wrong, counts


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in {
            "README.md": "```sh\nmake none\n```\n```json\n{}\n```\n", "Tests/a.py": "b.md",
            "Tests/c.swift": "let a = 1\n", "Tests/d.py": '"a.md", "sql", "make other"',
            "docs/X.docc/Resources/1.sh": "make d\n", "packaging/npm/README.md": "```js\nlet b\n```\n",
            "docs/a.md": "```sh\nmake a\n```\n```sh\nmake b\n```\n```swift\nlet a = 2\n```\n```sql\nBEGIN;\n```\n"
                         "```sh\nmake e\n```\n```js\nlet c\n```\n```js\nlet d\n```\n",
            "docs/b.md": "```json\n\"a\": {\n```\n```xml\n<key>a</key\n```\n```\nmake "
                         "drawing\n```\n```console\nbenji\n```\n"
                         "```yaml\na: b\n```\n```json\n\"a\": 1\n```\n```xml\n<key>a</key>\n```\n```\na --> "
                         "b\n```\n```console\n$ benji\n```\n",
            "docs/guides/en/x.md": "```sh\necho 1\n```\n", "docs/guides/zh/x.md": "```sh\necho 2\n```\n",
            TABLE: "document\tbegins\tkind\tby\ndocs/a.md\tmake a\ttest\tTests/a.py\ndocs/a.md\tmake "
                   "b\ttest\tTests/b.py\n"
                   "docs/a.md\tlet a = 2\tsame\tTests/c.swift\ndocs/a.md\tBEGIN;\tpart\t\ndocs/a.md\tmake "
                   "c\tpart\tno reason\n"
                   "docs/a.md\tmake e\ttest\tTests/d.py\ndocs/a.md\tlet c\tpart\ttest_none.py runs "
                   "it\ndocs/a.md\tlet d\tpart\ta reason\n"}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        found = findings(root)[0]
        expected = ["README.md:1: nothing", "a.py does not name a.md", "there is no Tests/b.py",
                    "word for word in Tests/c.swift",
                    "a row says test", "docs/b.md:1: cannot be read", "docs/b.md:4: cannot be read",
                    "docs/b.md:7: a command", "docs/b.md:10: no line",
                    "are not those of the English guide", "begins with: make c",
                    "docs/X.docc/Resources/1.sh:1: nothing", "packaging/npm/README.md:1: nothing",
                    "could find the sample: make e", "there is no test_none.py"]
        if len(found) != len(expected) or not all(any(word in each for each in found) for word in expected):
            sys.exit("error: the check of samples does not find what it must:\n" + "\n".join(found))


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        faults, held = findings(ROOT)
        if faults:
            print("\n".join(faults))
            sys.exit(f"error: {len(faults)} samples, or rows of {TABLE}, are wrong")
        print(f"    {sum(held.values())} samples: "
              + ", ".join(f"{count} {kind}" for kind, count in sorted(held.items())))
