"""The bill of materials against the program that was built: every library that it is linked to is listed, and nothing
else."""

import sys

import pytest

from support.checks import run
from support.server import ROOT, binary, environment

pytestmark = pytest.mark.seconds(60)

CHECK = ROOT / "scripts/lib/check-bill-of-materials.py"


def test_bill_of_materials(checks):
    for arguments, sentence in ((["--self-test"], "planted differences are found, each in words"),
                                (["--program", str(binary())],
                                 "the program is built from what docs/bill-of-materials.tsv lists")):
        said = run([sys.executable, str(CHECK), *arguments], seconds=60, env=environment())
        checks.that(said.returncode == 0, sentence, said.stdout + said.stderr)
