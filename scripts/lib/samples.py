"""The code samples of the documents, and Verification/snippets.tsv, which says what holds those that a compiler does
not: scripts/lib/check-snippets.py and Tests/System/operating/test_samples.py read them here."""

import csv
import io
import json
import re

PAGES = ("README*.md", "docs/**/*.md", "Examples/*/*.md", "Sources/*/*.docc/*.md", "packaging/*/README.md")
# The tutorial's files, each a sample.
FILES = {"docs/*.docc/Resources/*.swift": "swift", "docs/*.docc/Resources/*.sh": "sh"}
TABLE = "Verification/snippets.tsv"


def samples(root):
    """(document, line, language, sample), in the order of the documents."""
    for page in sorted({page for pattern in PAGES for page in root.glob(pattern)}):
        text = page.read_text(encoding="utf-8")
        for found in re.finditer(r"(?ms)^( *)```(\w*)[^\n]*\n(.*?)^ *```$", text):
            yield page.relative_to(root).as_posix(), text.count("\n", 0, found.start()) + 1, found[2], found[3]
    for pattern, language in FILES.items():
        for file in sorted(root.glob(pattern)):
            yield file.relative_to(root).as_posix(), 1, language, file.read_text(encoding="utf-8")


def rows(root):
    """(document, first line) -> the table's row."""
    text = io.StringIO((root / TABLE).read_text(encoding="utf-8"))
    return {(row["document"], row["begins"]): row
            for row in csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE)}


def first(sample):
    return sample.split("\n")[0].strip()


def members(sample):
    """The members of an object in JSON, of which a document may show some without the braces around them."""
    text = sample.strip()
    return json.loads(text if text.startswith("{") else "{" + text + "}")


def is_policy(said):
    """Whether members are carriers' records, as a policy has them."""
    return bool(said) and all(isinstance(record, dict) and "lifetimes" in record for record in said.values())


def typed(sample):
    """The typed lines of a sample in which a program answers: those after `$ `, as a shell reads them."""
    return "".join(f"{line[2:]}\n" for line in sample.split("\n") if line.startswith("$ "))
