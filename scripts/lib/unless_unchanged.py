#!/usr/bin/env python3
"""Runs a command, unless the files that its verdict follows from are as they were when it last ended well here.

    unless_unchanged.py NAME FILE-OR-FOLDER... -- COMMAND...

What was seen is kept in .build/unchanged/NAME; without that folder, as in a fresh clone, the command runs."""

import hashlib
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEFT_OUT = ("__pycache__", ".build")


def digest(places):
    """Of everything in these files and folders of the repository, by name and contents."""
    whole = hashlib.sha256()
    for name in places:
        place = ROOT / name
        for path in sorted(path for path in place.rglob("*") if path.is_file()) if place.is_dir() else [place]:
            if not set(LEFT_OUT) & set(path.relative_to(ROOT).parts):
                whole.update(f"{path.relative_to(ROOT)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def main():
    words = sys.argv[1:]
    if "--" not in words[2:] or words[-1] == "--":
        sys.exit(__doc__)
    at = words.index("--")
    name, places, command = words[0], words[1:at], words[at + 1:]
    stamp = ROOT / ".build/unchanged" / name
    compiler = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=False).stdout
    now = f"{digest(places)} {hashlib.sha256(compiler.encode()).hexdigest()}\n"
    if stamp.exists() and stamp.read_text() == now:
        print(f"==> unchanged since it ended well, so not done again: {' '.join(command)}")
        return
    status = subprocess.run(command, check=False).returncode
    if status == 0:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(now)
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
