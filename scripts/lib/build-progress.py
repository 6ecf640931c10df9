#!/usr/bin/env python3
"""Runs a SwiftPM command and says on one line how far it is.

    build-progress.py TITLE -- swift build ...

On a terminal one line is rewritten; elsewhere a line is printed about every 20 seconds. Nothing else is shown unless
the command fails: then the compiler's own errors are. The command's exit status is passed on.
"""

import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time

STEP = re.compile(r"^\[(\d+)/(\d+)\]\s*(.*)$")
PHASE = re.compile(
    r"^(?:Fetching|Fetched|Updating|Updated|Cloning|Creating|Computing|Computed|Working copy|Resolv|Planning|"
    r"Building for)"
)
DIAGNOSTIC = re.compile(r"(?:^|\s)(?:error|fatal error):")
QUIET_INTERVAL = float(os.environ.get("BENJI_PROGRESS_SECONDS", "20"))


def elapsed(seconds):
    minutes, seconds = divmod(int(seconds), 60)
    return f"{minutes}m{seconds:02d}s" if minutes else f"{seconds}s"


class Progress:
    """Turns lines of output into a state, and a state into one line. Knows no process and no screen."""

    def __init__(self, title):
        self.title = title
        self.done = self.total = 0
        self.what = "starting"
        self.others = []  # everything that is not a step: where the diagnostics are

    def take(self, line):
        step = STEP.match(line)
        if step:
            self.done, self.total, self.what = int(step[1]), int(step[2]), step[3] or self.what
        elif PHASE.match(line):
            self.what = re.sub(r"https?://\S*/", "", line)
            self.others.append(line)
        elif line.strip():
            self.others.append(line)

    def describe(self, seconds):
        counted = f"[{self.done}/{self.total}] {100 * self.done // self.total}% " if self.total else ""
        return f"{self.title}: {counted}{self.what} ({elapsed(seconds)})"

    def failure(self, limit=400):
        """The lines to show after a failure: from the first error on, each only once."""
        seen, unique = set(), []
        for line in self.others:
            if PHASE.match(line):
                continue
            if DIAGNOSTIC.search(line):
                if line in seen:
                    continue
                seen.add(line)
            unique.append(line)
        first = next((i for i, line in enumerate(unique) if DIAGNOSTIC.search(line)), 0)
        shown = unique[first:]
        return shown if len(shown) <= limit else shown[:limit] + [f"... {len(shown) - limit} more lines"]


def run(title, command):
    progress, begin = Progress(title), time.monotonic()
    terminal = sys.stdout.isatty()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _: child.send_signal(received))
    descriptor, pending, last = child.stdout.fileno(), b"", begin
    try:
        while True:
            if select.select([descriptor], [], [], 0.5)[0]:
                chunk = os.read(descriptor, 65536)
                if not chunk:
                    break
                # A rewritten line ends with a carriage return instead of a line feed.
                *lines, pending = (pending + chunk).replace(b"\r", b"\n").split(b"\n")
                for line in lines:
                    progress.take(line.decode("utf-8", "replace"))
            now = time.monotonic()
            if terminal:
                width = shutil.get_terminal_size().columns - 1
                sys.stdout.write("\r\x1b[K" + progress.describe(now - begin)[:width])
                sys.stdout.flush()
            elif now - last >= QUIET_INTERVAL:
                print(progress.describe(now - begin), flush=True)
                last = now
    except KeyboardInterrupt:
        child.send_signal(signal.SIGINT)
    if pending:
        progress.take(pending.decode("utf-8", "replace"))
    status = child.wait()
    took = elapsed(time.monotonic() - begin)
    if terminal:
        sys.stdout.write("\r\x1b[K")
    if status == 0:
        print(f"{title}: done in {took}", flush=True)
    else:
        print(f"{title}: FAILED after {took}", flush=True)
        print("\n".join(progress.failure()), file=sys.stderr, flush=True)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[2] != "--":
        sys.exit(__doc__)
    sys.exit(run(sys.argv[1], sys.argv[3:]))
