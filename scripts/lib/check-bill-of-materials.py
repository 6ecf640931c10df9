#!/usr/bin/env python3
"""Holds docs/bill-of-materials.tsv to what a service is built from: packages of Swift, Debian's libraries, and models.

    check-bill-of-materials.py              manifests, resolved packages, installed libraries, models, requirements.txt
    check-bill-of-materials.py --program F  the same, and that every library that the program F is linked to is listed
    check-bill-of-materials.py --self-test  shows that planted differences are found, each in words

It needs no network once the server's packages are resolved (`make build` resolves them). A difference names what
changed and what to do. """

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BILL = Path("docs/bill-of-materials.tsv")
HEADER = ["kind", "name", "version", "licence", "what for"]
KINDS = ("swift", "toolchain", "debian", "model")
#: Manifests of services. The root manifest is an app's, and keeps ranges.
MANIFESTS = ("Server", "Examples/Shop")


def read_bill(text):
    """(rows by kind and name, complaints)."""
    rows, complaints = {}, []
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    if not lines or lines[0].split("\t") != HEADER:
        return rows, [f"{BILL}: the first line must name the columns: {', '.join(HEADER)}"]
    for line in lines[1:]:
        cells = line.split("\t")
        if len(cells) != len(HEADER) or cells[0] not in KINDS or not all(cells):
            complaints.append(f"{BILL}: this line does not have {len(HEADER)} filled columns, or another kind than "
                              f"{', '.join(KINDS)}: {line}")
            continue
        key = (cells[0], cells[1])
        if key in rows:
            complaints.append(f"{BILL}: {cells[1]} is listed twice")
        rows[key] = dict(zip(HEADER, cells))
    return rows, complaints


def of_kind(rows, kind):
    return {name: row for (its, name), row in rows.items() if its == kind}


def manifest_faults(rows, requirements):
    """`requirements`: by manifest, (package, what it asks for) of every dependency that is fetched."""
    listed = of_kind(rows, "swift")
    for manifest, asked in requirements.items():
        for name, wanted in sorted(asked.items()):
            if not wanted.startswith("exact "):
                yield (f"{manifest}/Package.swift takes {name} {wanted}; write exact: and the version, so that every "
                       "build is the same")
            elif name not in listed:
                yield f"{manifest}/Package.swift takes {name}, which {BILL} does not list; add a line with its licence"
            elif wanted != f"exact {listed[name]['version']}":
                yield (f"{manifest}/Package.swift takes {name} {wanted}, {BILL} lists {listed[name]['version']}; "
                       "make them agree")
    for name in sorted(set(listed) - set(requirements["Server"])):
        yield (f"Server/Package.swift gives {name} no version, so it could change without a word; add it with exact: "
               "and to "
               "PinnedDependencies, or take its line away")


def resolved_faults(rows, resolved, licences):
    listed = of_kind(rows, "swift")
    for name, version in sorted(resolved.items()):
        if name not in listed:
            yield (f"{name} {version} was resolved, and {BILL} does not list it; add it there and, with exact:, "
                   "to Server/Package.swift")
        elif listed[name]["version"] != version:
            yield (f"{name} {version} was resolved, {BILL} lists {listed[name]['version']}. Was a manifest changed? "
                   "Read the package's "
                   "release notes and change the line; else run: swift package --package-path Server resolve")
        elif name in licences and licences[name] != listed[name]["licence"]:
            yield (f"{name}: its licence reads as {licences[name] or 'none that is known'}, "
                   f"{BILL} says {listed[name]['licence']}")
    for name in sorted(set(listed) - set(resolved)):
        yield f"{name} is in {BILL} and was not resolved; take its line away"


def licence(text):
    """The SPDX expression of a licence text that our dependencies have."""
    if "Apache License" in text and "Version 2.0" in text:
        return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge" in re.sub(r"\s+", " ", text):
        return "MIT"
    return ""


def debian_faults(rows, installed, compare):
    """`installed`: version by package. `compare(version, ">=", wanted)`: as dpkg compares."""
    for name, row in sorted(of_kind(rows, "debian").items()):
        relation, _, wanted = row["version"].partition(" ")
        if relation != ">=":
            yield f"{BILL}: {name} needs a version such as >= 1.2, not {row['version']}"
        elif name not in installed:
            yield f"the Debian package {name} is not installed; run: make setup"
        elif not compare(installed[name], relation, wanted):
            yield f"the Debian package {name} is {installed[name]}, and the program needs {row['version']}; upgrade it"


def program_faults(rows, owners):
    """`owners`: by library that the program is linked to, the Debian package that it is of, or `swift`."""
    listed = set(of_kind(rows, "debian")) | set(of_kind(rows, "toolchain"))
    for library, owner in sorted(owners.items()):
        if owner not in listed:
            yield (f"the program is linked to {library} of {owner or 'no package'}, which {BILL} does not list; "
                   "add a line with its licence")
    for name in sorted(listed - set(owners.values())):
        yield f"{BILL} lists {name}, and the program is not linked to anything of it; take its line away"


def model_faults(rows, models):
    """`models`: the wheel that each model comes from."""
    listed = of_kind(rows, "model")
    for name, wheel in sorted(models.items()):
        if name not in listed:
            yield f"scripts/face/models.json has {name}, which {BILL} does not list; add a line with its licence"
        elif listed[name]["version"] != wheel:
            yield f"{name} comes from {wheel}, {BILL} says {listed[name]['version']}; make them agree"
    for name in sorted(set(listed) - set(models)):
        yield f"{BILL} lists the model {name}, and scripts/face/models.json does not; take its line away"


def pin_faults(place, text):
    for line in text.splitlines():
        if line.strip() and not line.startswith("#") and not re.fullmatch(r"[\w.-]+==[\w.]+", line.strip()):
            yield f"{place}: {line.strip()} is not pinned; write name==version"


# The actual parts


def run(*command):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))} failed:\n{done.stderr}")
    return done.stdout


def requirements_of(folder):
    with tempfile.TemporaryDirectory() as scratch:
        manifest = json.loads(run("swift", "package", "--package-path", ROOT / folder, "--scratch-path", scratch,
                                  "dump-package"))
    found = {}
    for dependency in manifest["dependencies"]:
        for each in dependency.get("sourceControl", []):
            kind, value = next(iter(each["requirement"].items()))
            found[each["identity"]] = f"exact {value[0]}" if kind == "exact" else f"by {kind} {json.dumps(value)}"
    return found


def resolved_packages():
    """(version, licence) by name, from what SwiftPM wrote down."""
    state = ROOT / "Server/.build/workspace-state.json"
    if not state.exists():
        run("swift", "package", "--package-path", ROOT / "Server", "resolve")
    versions, licences = {}, {}
    for each in json.loads(state.read_text())["object"]["dependencies"]:
        checkout = each["state"].get("checkoutState")
        if not checkout:
            continue
        name = each["packageRef"]["identity"]
        versions[name] = checkout.get("version") or checkout["revision"]
        folder = ROOT / "Server/.build/checkouts" / each["subpath"]
        texts = sorted(folder.glob("LICEN[SC]E*")) if folder.is_dir() else []
        if texts:
            licences[name] = licence(texts[0].read_text(errors="replace"))
    return versions, licences


def installed_packages(names):
    found = {}
    for name in names:
        done = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", name], capture_output=True,
                              text=True)
        status, _, version = done.stdout.partition(" ")
        if done.returncode == 0 and status == "installed":
            found[name] = version
    return found


def compare_versions(version, _, wanted):
    return subprocess.run(["dpkg", "--compare-versions", version, "ge", wanted]).returncode == 0


def owners_of(program):
    """The packages of the libraries that are named in the program itself; what those need in turn is Debian's
    concern."""
    needed = re.findall(r"\(NEEDED\).*\[(.+?)\]", run("readelf", "-d", program))
    places = dict(re.findall(r"(\S+) => (\S+)", run("ldd", program)))
    owners = {}
    for library in needed:
        place = Path(places.get(library, f"/lib64/{library}"))
        if "/lib/swift/" in str(place):
            owners[library] = "swift"
            continue
        # dpkg knows a file by the name under which it was installed, which need not be the one that the loader found.
        for name in dict.fromkeys([str(place), str(place.resolve()), f"/usr{place}", str(place).removeprefix("/usr")]):
            said = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
            if said.returncode == 0:
                owners[library] = re.split(r"[:,]", said.stdout)[0]
                break
        else:
            owners[library] = ""
    return owners


def faults(program=None):
    rows, complaints = read_bill((ROOT / BILL).read_text())
    yield from complaints
    yield from manifest_faults(rows, {folder: requirements_of(folder) for folder in MANIFESTS})
    yield from resolved_faults(rows, *resolved_packages())
    debian = of_kind(rows, "debian")
    if subprocess.run(["which", "dpkg-query"], capture_output=True).returncode == 0:
        yield from debian_faults(rows, installed_packages(debian), compare_versions)
    models = json.loads((ROOT / "scripts/face/models.json").read_text())
    yield from model_faults(rows, {each["name"]: each["package"] for each in models["models"]})
    place = "Tests/System/requirements.txt"
    yield from pin_faults(place, (ROOT / place).read_text())
    yield from pin_faults("scripts/face/models.json", "\n".join(models["tools"]))
    if program:
        yield from program_faults(rows, owners_of(program))


def self_test():
    text = "\t".join(HEADER) + """
swift\ta\t1.0.0\tMIT\tx
swift\tb\t2.0.0\tApache-2.0\tx
toolchain\tswift\t>= 6.3\tApache-2.0\tx
debian\tlibz\t>= 1.2\tZlib\tx
model\tm.onnx\twheel==1\tMIT\tx
"""
    rows, complaints = read_bill(text)
    good = {"Server": {"a": "exact 1.0.0", "b": "exact 2.0.0"}, "Examples/Shop": {"a": "exact 1.0.0"}}
    same = lambda version, _, wanted: version >= wanted  # noqa: E731
    honest = [complaints, manifest_faults(rows, good),
              resolved_faults(rows, {"a": "1.0.0", "b": "2.0.0"}, {"a": "MIT"}),
              debian_faults(rows, {"libz": "1.3"}, same),
              program_faults(rows, {"libz.so": "libz", "libswiftCore.so": "swift"}),
              model_faults(rows, {"m.onnx": "wheel==1"}), pin_faults("r", "# x\na==1.0\n")]
    wrong = [list(each) for each in honest if list(each)]
    planted = {
        "a version that floats": manifest_faults(rows, {**good, "Server": {**good["Server"], "a": "by range [1]"}}),
        "a manifest of another version": manifest_faults(rows, {**good, "Examples/Shop": {"a": "exact 1.0.1"}}),
        "a manifest with one more": manifest_faults(rows, {**good, "Server": {**good["Server"], "c": "exact 1.0.0"}}),
        "one that comes along unpinned": manifest_faults(rows, {"Server": {"a": "exact 1.0.0"}}),
        "another version resolved": resolved_faults(rows, {"a": "1.0.1", "b": "2.0.0"}, {}),
        "one more resolved": resolved_faults(rows, {"a": "1.0.0", "b": "2.0.0", "c": "1.0.0"}, {}),
        "one less resolved": resolved_faults(rows, {"a": "1.0.0"}, {}),
        "another licence": resolved_faults(rows, {"a": "1.0.0", "b": "2.0.0"}, {"b": "MIT"}),
        "an old library": debian_faults(rows, {"libz": "1.1"}, same),
        "a library that is missing": debian_faults(rows, {}, same),
        "one more library": program_faults(rows, {"libz.so": "libz", "libx.so": "libx", "libswiftCore.so": "swift"}),
        "one library less": program_faults(rows, {"libswiftCore.so": "swift"}),
        "a model from elsewhere": model_faults(rows, {"m.onnx": "wheel==2"}),
        "a model more": model_faults(rows, {"m.onnx": "wheel==1", "n.onnx": "wheel==1"}),
        "a model less": model_faults(rows, {}),
        "a tool that floats": pin_faults("r", "a>=1.0"),
        "a line without its licence": read_bill("\t".join(HEADER) + "\nswift\ta\t1.0.0\t\tx")[1],
        "a line twice": read_bill(text + "swift\ta\t1.0.0\tMIT\tx")[1],
    }
    missed = [name for name, found in planted.items() if len(list(found)) != 1]
    if wrong or missed:
        sys.exit(f"error: the check of the bill of materials complains about what is right {wrong} or misses {missed}")
    print(f"    the check finds all {len(planted)} planted differences")


def main():
    if "--self-test" in sys.argv:
        return self_test()
    program = sys.argv[sys.argv.index("--program") + 1] if "--program" in sys.argv else None
    found = list(faults(program))
    if found:
        print("\n".join(found))
        sys.exit(f"error: {len(found)} differences from {BILL}")
    rows, _ = read_bill((ROOT / BILL).read_text())
    print("    " + ", ".join(f"{len(of_kind(rows, kind))} {kind}" for kind in KINDS) + ": as listed")


main()
