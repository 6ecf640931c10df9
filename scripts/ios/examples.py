"""Compiles the example apps (Examples/iOS) and what CocoaPods adds to the libraries, and holds the examples' project to
its description."""

import json
import subprocess
import sys
from pathlib import Path

from toolchain import Refused, Toolchain

FLAGS = ["-swift-version", "6"]


def check(toolchain: Toolchain, root: Path, stamps: dict[str, str]) -> list[str]:
    """Returns the faults as lines of text. - stamps: of the libraries that apps import."""
    here = root / "Examples/iOS"
    wrong, apps = [], json.loads((here / "apps.json").read_text())["apps"]
    for option in ("--self-test", "--check"):
        ended = subprocess.run([sys.executable, "-B", str(here / "generate.py"), option], capture_output=True,
                               text=True)
        if ended.returncode != 0:
            wrong.append(ended.stdout + ended.stderr)
    units = {f"Example{app['name']}": [here / path for path in app["sources"]] for app in apps}
    units |= {f"Pods{path.stem.split('+')[0]}": [path] for path in sorted((root / "packaging/pods").glob("*.swift"))}
    for name, sources in units.items():
        stamp = toolchain.digest(sources, toolchain.stamp, *sorted(stamps.values()))
        if toolchain.is_fresh(name, stamp):
            continue
        try:
            toolchain.check_files(name, sources, FLAGS)
            toolchain.keep(name, stamp)
        except Refused as words:
            wrong.append(f"{name} does not compile:\n{words}")
    # The check must refuse an example that calls an undeclared method.
    broken = (here / "TYRZLogin/TYRZLoginExample.swift").read_text().replace("loginImplicitly(", "loginExplicitly(")
    spoilt = toolchain.cache / "SpoiltExample.swift"
    spoilt.write_text(broken)
    try:
        toolchain.check_files("Spoilt", [*(here / path for path in apps[2]["sources"][:-1]), spoilt], FLAGS)
        wrong.append("the check of examples does not notice a call that does not exist")
    except Refused as words:
        if "loginExplicitly" not in str(words):
            wrong.append(f"the check of examples refuses something else than a call that does not exist:\n{words}")
    if not wrong:
        print(f"    examples: {len(apps)} apps compile, and their project is as apps.json has it")
    return wrong
