"""Compiles the samples of the documents that app developers copy: every block of Swift that begins with an import."""

import re
from pathlib import Path

from toolchain import Refused, Toolchain

DOCUMENTS = ("README.md", "README.zh-CN.md", "docs/ios.md")


def samples(text: str) -> list[tuple[int, str]]:
    """(line, sample) of a document."""
    found = re.finditer(r"(?m)^```swift\n(import .*?)^```$", text, re.DOTALL)
    return [(text.count("\n", 0, each.start()) + 2, each[1]) for each in found]


def check(toolchain: Toolchain, root: Path) -> list[str]:
    """What does not compile, as lines of text. A document without a sample is wrong too."""
    wrong, count = [], 0
    for name in DOCUMENTS:
        found = samples((root / name).read_text())
        if not found:
            wrong.append(f"{name}: there is no sample that begins with an import")
        for line, sample in found:
            try:
                toolchain.check(sample, ["-swift-version", "6"])
                count += 1
            except Refused as words:
                wrong.append(f"{name}:{line}: the sample does not compile:\n{words}")
    # What the check must refuse: the first sample with a name that nobody declares.
    _, first = samples((root / DOCUMENTS[0]).read_text())[0]
    try:
        toolchain.check(first.replace("prefetch()", "prefetchAll()"), ["-swift-version", "6"])
        wrong.append("the check of samples does not notice a call that does not exist")
    except Refused:
        pass
    if not wrong:
        print(f"    documents: {count} samples compile")
    return wrong
