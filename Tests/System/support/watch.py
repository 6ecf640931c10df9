"""The resources that a process takes while something happens to it: memory, descriptors, threads, files."""

import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Sample:
    at: float  # seconds, monotonic
    memory: int  # bytes present (VmRSS)
    descriptors: int
    threads: int
    data: int = 0  # bytes of the data folder


def sample(process, folder=None):
    """One look, or None if the process is gone."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
        fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        return Sample(time.monotonic(), int(fields["VmRSS"].split()[0]) * 1024, len(os.listdir(f"/proc/{process}/fd")),
                      int(fields["Threads"]), size(folder) if folder else 0)
    except (OSError, KeyError, ValueError):
        return None


def size(folder):
    """Bytes of all files of a folder. A file that goes away meanwhile counts nothing."""
    total = 0
    for path in Path(folder).rglob("*"):
        try:
            total += path.stat().st_size
        except OSError:
            continue
    return total


class Watch:
    """Looks at a process every so often, from a thread of its own."""

    def __init__(self, process, folder=None, every=0.2):
        self.process, self.folder, self.every = process, folder, every
        self.samples = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while not self._over.wait(self.every):
            if (seen := sample(self.process, self.folder)) is not None:
                self.samples.append(seen)

    def __enter__(self):
        if (seen := sample(self.process, self.folder)) is not None:
            self.samples.append(seen)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join(timeout=5)


def mebibytes(count):
    return f"{count / (1 << 20):.1f} MiB"
