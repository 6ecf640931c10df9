"""Writes the symbol graphs of the SDK's modules as a phone sees them, with what needs UIKit: what DocC makes an
interface's pages from.

symbols.py OUTPUT   a folder of symbol graphs; the libraries are compiled for iOS first where they changed
"""

import subprocess
import sys
from pathlib import Path

import check
from package import Package
from toolchain import Toolchain

ROOT = Path(__file__).resolve().parents[2]
# The modules that an app links, and those whose types they use.
MODULES = ("Benji", "BenjiPage", "BenjiFace", "BenjiTesting", "BenjiFaceTesting", "BenjiClient", "BenjiProtocol",
           "BenjiPageUIKit",
           "BenjiFaceProtocol", "BenjiValues")


def main(output: Path) -> int:
    package = Package(ROOT)
    toolchain = Toolchain(ROOT, package.ios_floor)
    if check.build(package, toolchain) is None:
        return 1
    output.mkdir(parents=True, exist_ok=True)
    searched = [word for word in toolchain.flags if not word.startswith("-")]
    places = [folder for folder in searched if folder.startswith(str(toolchain.sdk))
              or folder.startswith(str(toolchain.cache))]
    resources, modules = str(toolchain.cache / "resources"), str(toolchain.cache / "module-cache")
    for module in MODULES:
        ended = subprocess.run(
            ["swift", "symbolgraph-extract", "-module-name", module, "-target", toolchain.triple, "-resource-dir",
             resources,
             "-module-cache-path", modules,
             *[word for place in places if place not in (resources, modules) for word in ("-I", place)],
             "-minimum-access-level", "public", "-skip-inherited-docs", "-skip-synthesized-members", "-output-dir",
             str(output)],
            capture_output=True, text=True)
        if ended.returncode != 0:
            return check.fail(f"no symbol graph of {module}:\n{ended.stdout}{ended.stderr}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
