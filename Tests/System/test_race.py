#!/usr/bin/env -S python3 -B
"""Two processes, released together on one token, again and again: one of them wins, never both, never neither."""

from pathlib import Path

from support.checks import main, run
from support.server import binary


def body(checks, options):
    race = str(Path(binary()).parent / "RedeemRace")
    said = run([race, "--tokens", str(options.tokens)], seconds=600)
    checks.that(said.returncode == 0, f"{options.tokens} tokens are spent once each, and each process wins a tenth or more",
                said.stdout + said.stderr)
    checks.note(said.stdout.strip())
    naive = run([race, "--tokens", "2000", "--naive"], seconds=120)
    checks.that(naive.returncode == 1 and "spent twice 0" not in naive.stdout,
                "a store that checks first and writes afterwards is caught spending tokens twice", naive.stdout + naive.stderr)
    checks.note(naive.stdout.strip())


main(body, 720, __doc__, lambda parser: parser.add_argument("--tokens", type=int, default=10_000))
