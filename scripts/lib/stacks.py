"""The stacks of a process and of everything below it, for a test or a command that hangs."""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path


def below(process):
    """The ids of a process and of all its descendants."""
    found = [process]
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            for child in Path(f"/proc/{process}/task/{thread}/children").read_text().split():
                found += below(int(child))
    return found


def stacks(process, without=()):
    """Command, state and stacks of a process and of all its descendants, as text. `eu-stack` of elfutils prints the
    frames."""
    said = []
    for each in below(process):
        if each in without:
            continue
        place = Path(f"/proc/{each}")
        with contextlib.suppress(OSError):
            words = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            said.append(f"--- process {each}: {words[:300]}")
            for thread in sorted((place / "task").iterdir(), key=lambda path: int(path.name)):
                state = (thread / "stat").read_text().rpartition(")")[2].split()[0]
                waits = (thread / "wchan").read_text().strip()
                said.append(f"    thread {thread.name} {(thread / 'comm').read_text().strip()}: state {state}, in "
                            f"{waits or '-'}")
        if shutil.which("eu-stack"):
            with contextlib.suppress(subprocess.TimeoutExpired):
                done = subprocess.run(
                    ["eu-stack", "-p", str(each), "-n", "40"], capture_output=True, text=True, timeout=60, check=False)
                said.append(done.stdout or done.stderr.strip())
    return "\n".join(said)


if __name__ == "__main__":
    print(stacks(int(sys.argv[1])))
