"""Programs of PyPI that scripts/interop-tools.sh installs in a folder of their own."""

import os
import subprocess
import sys
from pathlib import Path

from .checks import Stop
from .server import ROOT

FOLDER = Path(os.environ.get("BENJI_TOOLS", ROOT / ".tools"))


def install():
    """Has them installed, if they are not. What is missing is a failure, never a reason to skip."""
    done = subprocess.run([ROOT / "scripts/interop-tools.sh"], capture_output=True, text=True)
    if done.returncode != 0:
        raise Stop(f"scripts/interop-tools.sh: {done.stdout}{done.stderr}")


def python():
    """The Python that knows them. Run them with -m: their own programs name the folder they were installed in."""
    install()
    return str(FOLDER / "bin/python")


def use():
    """Lets this process import them before what Debian has."""
    install()
    (packages,) = FOLDER.glob("lib/python3.*/site-packages")
    sys.path.insert(0, str(packages))
