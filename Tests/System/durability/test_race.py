"""Two processes, released together on one token, again and again: one of them wins, never both, never neither."""

import os
from pathlib import Path

import pytest

from support.checks import run
from support.server import binary

pytestmark = pytest.mark.seconds(720)
# `--tokens 10000` is the long form.
OPTIONS = {"tokens": 4000}
# In memory: who wins is asked here, not what a disk keeps.
ENVIRONMENT = os.environ | {"TMPDIR": "/dev/shm"}


def test_two_processes_and_one_token(checks, options):
    race = str(Path(binary()).parent / "RedeemRace")
    said = run([race, "--tokens", str(options.tokens)], seconds=600, env=ENVIRONMENT)
    checks.that(said.returncode == 0,
                f"{options.tokens} tokens are spent once each, and each process wins a tenth or more",
                said.stdout + said.stderr)
    checks.note(said.stdout.strip())


def test_a_naive_store(checks):
    race = str(Path(binary()).parent / "RedeemRace")
    naive = run([race, "--tokens", "2000", "--naive"], seconds=120, env=ENVIRONMENT)
    checks.that(naive.returncode == 1 and "spent twice 0" not in naive.stdout,
                "a store that checks first and writes afterwards is caught spending tokens twice",
                naive.stdout + naive.stderr)
    checks.note(naive.stdout.strip())
