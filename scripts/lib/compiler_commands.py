"""How SwiftPM compiled the server's targets in the last debug build, for checks that compile them in another way."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "Server/.build"


def commands():
    """The compiler's words for each target, by its name."""
    return _words(r"\w+", "module")


def linking(product):
    """The linker's words for a package's tests."""
    return _words(re.escape(product), "test")[product]


def _words(name, kind):
    manifest = BUILD / "debug.yaml"
    if not manifest.exists():
        sys.exit("error: the server is not built.\n       Run: make build")
    pattern = rf'^  "C\.({name})-[^"]*\.{kind}":.*?^    args: (\[.*?\])$'
    return {name: json.loads(words) for name, words in re.findall(pattern, manifest.read_text(), re.M | re.S)}
