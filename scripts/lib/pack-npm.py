#!/usr/bin/env -S python3 -B
"""Packs benji.js for npm: the file that every provider serves, with types, README and license, as `npm install FILE`
takes it.

    pack-npm.py                fails when package.json or the types do not fit the module
    pack-npm.py FOLDER         writes benji-login-VERSION.tgz into it. The same sources give the same bytes
    pack-npm.py --self-test    proves that types of another module are noticed
"""

import gzip
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "packaging/npm"
SCRIPT = ROOT / "Server/Sources/Endpoints/OpenID/Script/benji.js"


def exported(text):
    return set(re.findall(r"^export (?:async )?(?:function|class|const) (\w+)", text, re.M))


def files():
    """The files of the package, by name."""
    return {
        "package.json": (HERE / "package.json").read_bytes(), "benji.js": SCRIPT.read_bytes(),
        "index.d.ts": (HERE / "index.d.ts").read_bytes(),
        "README.md": (HERE / "README.md").read_bytes(), "LICENSE": (ROOT / "LICENSE").read_bytes()}


def problems(packed):
    said = json.loads(packed["package.json"])
    release = re.search(r"^## \[(\d+\.\d+\.\d+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    if not release or said["version"] != release[1]:
        yield (f"package.json says version {said['version']}, "
               f"and the newest release of CHANGELOG.md is {release and release[1]}")
    script, types = packed["benji.js"].decode(), packed["index.d.ts"].decode()
    for name in sorted(exported(script) ^ exported(types)):
        yield f"{name} is exported by {'benji.js' if name in exported(script) else 'index.d.ts'} only"
    for name in (said["main"], said["types"], *said["exports"]["."].values(), *said["files"]):
        if name.removeprefix("./") not in packed:
            yield f"package.json names {name}, which is not packed"
    # The options that the module takes out of what it is given.
    for words in re.findall(r"function (?:begin|login)\(\{([^}]*)\}", script):
        for option in re.findall(r"(?<![.\w])(\w+)(?=\s*[,=]|\s*$)", re.sub(r"\"[^\"]*\"", "", words)):
            if option not in ("client", "auto") and not option.isdigit() and not re.search(rf"\b{option}\??:", types):
                yield f"the option {option} has no type"


def pack(folder):
    packed = files()
    said = json.loads(packed["package.json"])
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in sorted(packed.items()):
            entry = tarfile.TarInfo(f"package/{name}")
            # The time that npm gives every file.
            entry.size, entry.mode, entry.mtime = len(content), 0o644, 499162500
            tar.addfile(entry, io.BytesIO(content))
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{said['name']}-{said['version']}.tgz"
    file.write_bytes(gzip.compress(made.getvalue(), mtime=0))
    return file


def compiled(packed):
    """TypeScript's errors for a page that uses the packed files; empty if it compiles."""
    if shutil.which("tsc") is None:
        return "there is no tsc; scripts/setup.sh installs it (node-typescript)"
    with tempfile.TemporaryDirectory() as place:
        page, module = pathlib.Path(place), pathlib.Path(place) / "node_modules/benji-login"
        module.mkdir(parents=True)
        for name, content in packed.items():
            (module / name).write_bytes(content)
        (page / "package.json").write_text('{"type": "module"}')
        (page / "use.ts").write_bytes((HERE / "use.ts").read_bytes())
        done = subprocess.run(
            ["tsc", "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--moduleResolution",
             "nodenext", "--lib", "es2022,dom", "use.ts"],
            cwd=page, capture_output=True, text=True)
        return "" if done.returncode == 0 else done.stdout + done.stderr


def self_test():
    right = files()
    if wrong := list(problems(right)):
        sys.exit(f"error: the check of the npm package refuses what is right: {wrong}")
    for what, name, change in (
            ("a function without a type", "index.d.ts", (b"function receive", b"function received")),
            ("an option without a type", "index.d.ts", (b"seconds?:", b"minutes?:")),
            ("another version", "package.json", (b'"version": "', b'"version": "9')),
            ("a file that is not packed", "package.json", (b"./benji.js", b"./index.js"))):
        if not list(problems({**right, name: right[name].replace(*change)})):
            sys.exit(f"error: the check of the npm package does not notice {what}")
    if "TS2322" not in compiled({**right,
                                 "index.d.ts": right["index.d.ts"].replace(b"seconds?: number", b"seconds?: string")}):
        sys.exit("error: the check of the npm package does not notice an option of another type")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if wrong := list(problems(files())):
        sys.exit("\n".join(f"error: {words}" for words in wrong))
    if sys.argv[1:]:
        print(pack(pathlib.Path(sys.argv[1])))
    else:
        if said := compiled(files()):
            sys.exit(f"error: the types of benji.js do not compile:\n{said}")
        print(f"    benji.js and its types have the same {len(exported(SCRIPT.read_text(encoding='utf-8')))} names, "
              "and a page that uses them compiles")


if __name__ == "__main__":
    main()
