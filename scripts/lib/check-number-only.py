#!/usr/bin/env python3
"""Checks that the program compiles without face login: without the trait Face, and with no module of face login in
sight.

    check-number-only.py               takes the compiler's command from the last debug build of the server
    check-number-only.py --self-test   proves that a file which uses face login whatever the trait is refused

Nothing is linked; `make build ARGS=--without-face` does that, and builds for minutes."""

import pathlib
import subprocess
import sys
import tempfile

from compiler_commands import BUILD, ROOT, commands

# The modules of the trait's targets; docs/architecture.md lists them.
FACE = ("CFaceEngine", "FaceMatching", "FaceAccounts", "FaceEndpoints")


# The targets that use face login where the trait is on, in the order in which they depend on each other.
TARGETS = ("Administration", "BenjiCommand")


def command(target):
    """How SwiftPM compiles a target, without what writes files."""
    words = commands()[target]
    sources = next(word for word in words if word.startswith("@"))
    kept, skipped = [], 0
    for number, word in enumerate(words):
        if skipped:
            skipped -= 1
        elif word in ("-emit-module-path", "-output-file-map", "-index-store-path"):
            skipped = 1
        # Where modules of Swift are; those of C are named behind -Xcc.
        elif word == "-I" and words[number - 1] != "-Xcc":
            skipped = 1
        elif word == "-Xcc" and words[number + 1].endswith("/CFaceEngine/include/module.modulemap"):
            skipped = 1
        elif word not in ("-emit-module", "-emit-dependencies", "-incremental", "-c", "-enable-batch-mode",
                          "-serialize-diagnostics", "-parseable-output", "-DFace", sources):
            kept.append(word)
    return kept, sources


def faults(alone=None):
    """The compiler's errors for the targets, or for a file `alone` in the last one's place; empty if it takes them."""
    with tempfile.TemporaryDirectory() as place:
        for module in (BUILD / "debug/Modules").iterdir():
            if module.stem not in (*FACE, *TARGETS):
                (pathlib.Path(place) / module.name).symlink_to(module)
        for target in TARGETS[-1:] if alone else TARGETS:
            words, sources = command(target)
            # A target that others import leaves them its module without face login.
            if target == TARGETS[-1]:
                work = ["-typecheck"]
            else:
                work = ["-emit-module", "-emit-module-path", f"{place}/{target}.swiftmodule"]
            done = subprocess.run(
                [*words, *work, "-I", place, alone or sources], capture_output=True, text=True, cwd=ROOT / "Server")
            if done.returncode != 0:
                return "".join(f"{line[:400]}\n" for line in (done.stdout + done.stderr).splitlines()[-60:])
    return ""


def self_test():
    with tempfile.TemporaryDirectory() as place:
        file = pathlib.Path(place) / "Careless.swift"
        file.write_text("import FaceAccounts\n", encoding="utf-8")
        if "no such module 'FaceAccounts'" not in (said := faults(str(file))):
            sys.exit(f"error: an import of face login is let through, or something else is wrong:\n{said}")
        file.write_text("import Authority\n", encoding="utf-8")
        if said := faults(str(file)):
            sys.exit(f"error: a file that uses nothing of face login is refused:\n{said}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif sys.argv[1:]:
        sys.exit(__doc__)
    elif said := faults():
        sys.exit(f"{said}error: the program does not compile without face login; see docs/face.md")
