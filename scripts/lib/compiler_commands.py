"""How SwiftPM compiled the server's targets in the last debug build, for checks that compile them in another way."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "Server/.build"


def commands():
    """The compiler's words for each target, by its name."""
    manifest = BUILD / "debug.yaml"
    if not manifest.exists():
        sys.exit("error: the server is not built.\n       Run: make build")
    found = re.findall(r'^  "C\.(\w+)-[^"]*\.module":.*?^    args: (\[.*?\])$', manifest.read_text(), re.M | re.S)
    return {name: json.loads(words) for name, words in found}
