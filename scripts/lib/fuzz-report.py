#!/usr/bin/env python3
"""Prints the results in libFuzzer's logs as one table, and how to reproduce a finding.

    fuzz-report.py BUILD_FOLDER PARSER=STATUS...

Ends with 1 if a parser's run ended with a status other than 0, or if its log does not show that it ran.
"""

import re
import sys
from pathlib import Path

COUNTERS = re.compile(r"INFO: Loaded \d+ modules\s+\((\d+) (?:inline 8-bit counters|guards)\)")
PROGRESS = re.compile(r"^#(\d+)\s+\w+\s.*?cov: (\d+) ft: \d+ corp: (\d+)/", re.MULTILINE)
STAT = re.compile(r"^stat::(\w+):\s+(\d+)", re.MULTILINE)
DONE = re.compile(r"^Done (\d+) runs in (\d+) second", re.MULTILINE)
ARTIFACT = re.compile(r"Test unit written to (\S+)")
REASON = re.compile(r"^(?:.*Fatal error: (.+)|==\d+==\s*ERROR: \w+: (.+?)(?: on | \(|$))", re.MULTILINE)


def read(log):
    """The figures of one log; a missing number is None."""
    stats = dict(STAT.findall(log))
    progress = PROGRESS.findall(log)
    count, edges, corpus = progress[-1] if progress else (None, None, None)
    counters, done = COUNTERS.search(log), DONE.search(log)
    reasons = [first or second for first, second in REASON.findall(log)]
    return {
        "runs": stats.get("number_of_executed_units") or (done and done[1]) or count,
        "rate": stats.get("average_exec_per_sec"), "edges": edges, "counters": counters and counters[1],
        "corpus": corpus, "artifacts": ARTIFACT.findall(log), "reason": reasons[0] if reasons else None,
    }


def main(folder, results):
    rows = [("parser", "runs", "runs/s", "edges", "of", "corpus", "result")]
    findings, failed = [], False
    for name, status in (result.rsplit("=", 1) for result in results):
        path = folder / "logs" / f"{name}.log"
        said = read(path.read_text(errors="replace") if path.exists() else "")
        ran = said["runs"] is not None and int(said["runs"]) > 0
        if status == "0" and ran:
            result = "nothing found"
        elif said["artifacts"]:
            result = "FOUND: " + (said["reason"] or "see the log")
            findings += [(name, artifact) for artifact in said["artifacts"]]
        else:
            result = f"ended with {status}, see .build-fuzz/logs/{name}.log"
        failed |= result != "nothing found"
        rows.append((name, *(said[key] or "-" for key in ("runs", "rate", "edges", "counters", "corpus")), result))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    for row in rows:
        numbers = [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:])]
        print("  ".join([row[0].ljust(widths[0]), *numbers, row[-1]]))
    for name, artifact in findings:
        print(f"reproduce: scripts/fuzz.sh --reproduce {name} {artifact}")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
