"""The findings of a long run, as a few lines of Markdown that a document can quote."""

import datetime
import os
import platform
from pathlib import Path


def origin(command, checks, after_cores=","):
    """The last line of a report: by what it was made, when and where, and how the checks went."""
    return (f"`{command}`, {datetime.date.today()}, Linux {platform.release().split('-')[0]}, "
            f"{os.cpu_count()} cores{after_cores} {checks.passed} checks held, {checks.failed} failed.")


class Report:
    """Collects figures; writes them if `--report FILE` was given. A report that is there is added to."""

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
        given = [f" --{name} {value}" for name, value in (("rounds", self.rounds), ("seed", self.seed))
                 if value is not None]
        lines += [origin(self.script + "".join(given), checks), ""]
        with open(Path(self.path), "a") as file:
            file.write("\n".join(lines) + "\n")
        print(f"report: {self.path}")
