"""Runs the scripts of Tests/System, two at a time, and each one that says that it runs alone by itself at the end.

What a script prints is shown when it has ended, so that two do not mix. A script runs alone if it has a line that begins
with `# Runs alone:` and gives the reason.
"""

import argparse
import concurrent.futures
import subprocess
import sys
import threading
import time
from pathlib import Path

ALONE = "# Runs alone:"
# After so many seconds without an end of any script it is told what is running.
QUIET = 30


class Running:
    """What runs now, and for how long."""

    def __init__(self, names):
        self.left = len(names)
        self.since = {}
        self.lock = threading.Lock()
        self.ended = threading.Condition(self.lock)

    def run(self, script):
        started = time.monotonic()
        with self.lock:
            self.since[script.stem] = started
        done = subprocess.run(
            [str(script)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            stdin=subprocess.DEVNULL)
        seconds = time.monotonic() - started
        with self.lock:
            del self.since[script.stem]
            self.left -= 1
            verdict = "passed" if done.returncode == 0 else f"FAILED with status {done.returncode}"
            print(f"==> interop: {script.stem}, {verdict} after {seconds:.0f} s, {self.left} left\n{done.stdout}", end="", flush=True)
            self.ended.notify()
        return script.stem, done.returncode == 0, seconds

    def tell(self):
        """Says what is running whenever nothing has ended for a while; ends with the last script."""
        with self.lock:
            while self.left:
                if not self.ended.wait(QUIET) and self.since:
                    now = time.monotonic()
                    print("    running: " + ", ".join(f"{name} ({now - at:.0f} s)" for name, at in self.since.items()), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--result", type=Path, help="write a line for each script there: passed or failed, and its name")
    parser.add_argument("--jobs", type=int, default=2, help="how many run at once (default: %(default)s)")
    parser.add_argument("scripts", nargs="+", type=Path)
    options = parser.parse_args()
    alone = [script for script in options.scripts if any(line.startswith(ALONE) for line in script.read_text().splitlines())]
    running = Running(options.scripts)
    threading.Thread(target=running.tell, daemon=True).start()
    results = []
    for scripts, jobs in (([script for script in options.scripts if script not in alone], options.jobs), (alone, 1)):
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            results += pool.map(running.run, scripts)
    slowest = sorted(results, key=lambda result: -result[2])[:8]
    print("==> interop: the slowest were " + ", ".join(f"{name} {seconds:.0f} s" for name, _, seconds in slowest))
    if options.result:
        options.result.write_text("".join(f"{'passed' if passed else 'failed'} {name}\n" for name, passed, _ in results))
    sys.exit(0 if all(passed for _, passed, _ in results) else 1)


if __name__ == "__main__":
    main()
