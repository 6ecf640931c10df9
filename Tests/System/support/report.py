"""What a long run found, as a few lines of Markdown that a document can quote."""

import datetime
import os
import platform
import random
from pathlib import Path


def add_arguments(parser, rounds=None, counted="", seed=None, report="file to write a report to, in Markdown"):
    """The options that long runs share: --rounds with its default and what it counts, --seed, --report; each may be None."""
    if rounds is not None:
        parser.add_argument("--rounds", type=int, default=rounds, help=f"{counted} (default: {rounds})")
    if seed:
        parser.add_argument("--seed", type=int, help=seed)
    if report:
        parser.add_argument("--report", help=report)


def settle_seed(checks, options, *more):
    """Draws a seed unless one was given, and says it, so that a run can be repeated."""
    options.seed = options.seed if options.seed is not None else random.randrange(1 << 32)
    checks.note(", ".join([f"seed {options.seed}", *more]))


def origin(command, checks, after_cores=","):
    """The last line of a report: by what it was made, when and where, and how the checks went."""
    return (f"`{command}`, {datetime.date.today()}, Linux {platform.release().split('-')[0]}, "
            f"{os.cpu_count()} cores{after_cores} {checks.passed} checks held, {checks.failed} failed.")


class Report:
    """Collects figures; writes them if the script was given `--report FILE`. A report that is there is added to."""

    def __init__(self, script, options):
        self.script, self.path = script, options.report
        self.seed = getattr(options, "seed", None)
        self.rounds = getattr(options, "rounds", None)
        self.parts = []

    def add(self, title, figures, faults):
        self.parts.append((title, {**figures, "faults": len(faults)}))

    def write(self, checks):
        if not self.path:
            return
        lines = []
        for title, figures in self.parts:
            lines += [f"## {title}", "", "| | |", "|---|---|"]
            lines += [f"| {name} | {value:,} |" if isinstance(value, int) else f"| {name} | {value} |"
                      for name, value in figures.items()]
            lines.append("")
        given = [f" --{name} {value}" for name, value in (("rounds", self.rounds), ("seed", self.seed)) if value is not None]
        lines += [origin(self.script + "".join(given), checks), ""]
        with open(Path(self.path), "a") as file:
            file.write("\n".join(lines) + "\n")
        checks.note(f"report: {self.path}")
