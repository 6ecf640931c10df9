#!/usr/bin/env -S python3 -B
"""The bill of materials against the program that was built: every library that it is linked to is listed, and nothing else."""

import sys

from support.checks import main, run
from support.server import ROOT, binary, environment

CHECK = ROOT / "scripts/check-bill-of-materials.py"


def body(checks, _):
    for arguments, sentence in ((["--self-test"], "planted differences are found, each in words"),
                                (["--program", str(binary())], "the program is built from what docs/bill-of-materials.tsv lists")):
        said = run([sys.executable, str(CHECK), *arguments], seconds=60, env=environment())
        checks.that(said.returncode == 0, sentence, said.stdout + said.stderr)


main(body, 60, __doc__)
