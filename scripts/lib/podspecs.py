#!/usr/bin/env -S python3 -B
"""Writes the podspecs of what apps add, from Package.swift, so that both ways to add Benji bring the same.

Specs/ is laid out as CocoaPods wants a source of specs, so a Podfile names this repository as one. A pod is a target,
because a pod is a module: its sources, settings, resources and dependencies are those of the manifest. The version is
that of the newest release in CHANGELOG.md, which is the program's.

    podspecs.py                        fails when Specs/ is not what the manifest says
    podspecs.py --write                writes the specs of the present version
    podspecs.py --write --source URL   the same, of a copy of this repository elsewhere
    podspecs.py --self-test            proves that a spec which says something else is noticed
"""

import copy
import json
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPECS = ROOT / "Specs"
sys.path.insert(0, str(ROOT / "scripts/ios"))

from package import Package  # noqa: E402

# Products of the manifest that apps and their tests add. Their dependencies follow.
FOR_APPS = (
    "Benji", "BenjiFace", "OneTapSMS", "TYRZSDK", "TYRZLogin", "OneLoginSDK", "GeYanSdk", "SuperIDSDK", "BenjiTesting",
    "BenjiFaceTesting",
    "OneTapTesting")
# Pods that have the name under which apps know them; the module keeps its own.
NAMES = {"SuperIDSDK": "SuperID"}
# Products of other packages, as pods: (pod, module, sources).
OTHERS = {"Crypto": ("BenjiCrypto", "Crypto", ["packaging/pods/Crypto.swift"])}
ACCESSOR = "packaging/pods/Bundle+Module.swift"
URL = "https://github.com/your-organisation/benji.git"


def version():
    """That of the newest release; the program must say the same."""
    found = re.search(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$",
                      (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    if not found:
        sys.exit("error: CHANGELOG.md has no release (## [1.2.3] - 2026-01-31)")
    program = ROOT / "Server/Sources/ServerRuntime/ServerRelease.swift"
    if f'version = "{found[1]}"' not in program.read_text(encoding="utf-8"):
        sys.exit(f"error: the newest release of CHANGELOG.md is {found[1]}, and the program says another version "
                 "(Server/Sources/ServerRuntime/ServerRelease.swift)")
    return found[1]


def pod(target):
    return NAMES.get(target, target)


def summary(folder, name):
    """The first paragraph that says what the target is for, in one line."""
    file = next((each for each in (folder / f"{name}.swift", folder / f"include/{name}.h") if each.exists()), None)
    lines = [] if file is None else file.read_text(encoding="utf-8").splitlines()
    said = []
    for line in lines:
        if not line.startswith("//"):
            if said:
                break
            continue
        if not (words := line.lstrip("/").strip()):
            break
        said.append(words)
    text = " ".join(said)
    if not text:
        sys.exit(f"error: {name} does not say in its first file what it is for")
    return textwrap.shorten(re.split(r"(?<=[.:])\s", text)[0].rstrip(".:"), 139, placeholder="")


def specs(package, at, source):
    """Each pod's spec by its name."""
    made, needed = {}, [name for product in package.manifest["products"] if product["name"] in FOR_APPS
                        for name in product["targets"]]
    if missing := set(FOR_APPS) - {product["name"] for product in package.manifest["products"]}:
        sys.exit(f"error: Package.swift has no product {', '.join(sorted(missing))}")
    ios = package.ios_floor
    common = {
        "version": at, "homepage": source.removesuffix(".git"), "license": {"type": "Apache-2.0", "file": "LICENSE"},
        "authors": {"Benji": source.removesuffix(".git")}, "source": {"git": source, "tag": at},
        "platforms": {"ios": ios},
        "swift_versions": ["6.0"]}
    for target in needed:
        if target in made:
            continue
        it = package.targets[target]
        folder = it.folder.relative_to(ROOT).as_posix()
        spec = {"name": pod(target), "summary": summary(it.folder, target), **common}
        if pod(target) != target:
            spec["module_name"] = target
        if it.headers:
            spec["source_files"] = [f"{folder}/*.{{c,m}}", f"{folder}/include/*.h"]
            spec["public_header_files"] = [f"{folder}/include/*.h"]
            spec["pod_target_xcconfig"] = {"DEFINES_MODULE": "YES"}
        else:
            spec["source_files"] = [f"{folder}/**/*.swift"]
            # The language mode is swift_versions.
            words = it.flags[it.flags.index("-package-name"):]
            spec["pod_target_xcconfig"] = {"DEFINES_MODULE": "YES",
                                           "OTHER_SWIFT_FLAGS": " ".join(["$(inherited)", *words])}
        resources = [f"{folder}/{each['path'].removeprefix(folder + '/')}" for each in resources_of(package, target)]
        if manifests := [each for each in resources if each.endswith(".xcprivacy")]:
            spec["resource_bundles"] = {f"{target}_Privacy": manifests}
        if others := [each for each in resources if not each.endswith(".xcprivacy")]:
            spec["resources"] = others
            spec["source_files"].append(ACCESSOR)
        spec["dependencies"] = {
            **{OTHERS[each][0]: [at] for each in it.outside}, **{pod(each): [at] for each in it.targets}}
        if not spec["dependencies"]:
            del spec["dependencies"]
        made[target] = spec
        needed += it.targets
        for each in it.outside:
            name, module, sources = OTHERS[each]
            made[each] = {
                "name": name, "module_name": module,
                "summary": f"The module {module} for Benji's pods: the system's CryptoKit", **common,
                "source_files": sources}
    return {spec["name"]: spec for spec in made.values()}


def resources_of(package, target):
    return next(each for each in package.manifest["targets"] if each["name"] == target).get("resources", [])


def text(spec):
    return json.dumps(spec, indent=2, ensure_ascii=False) + "\n"


def place(spec):
    return f"{spec['name']}/{spec['version']}/{spec['name']}.podspec.json"


def differences(wanted, found):
    """- wanted: specs by name. - found: texts by place, of the present version."""
    places = {place(spec): text(spec) for spec in wanted.values()}
    return [f"Specs/{each} {what}" for what, names in (
        ("is missing", places.keys() - found.keys()), ("is of no target that apps add", found.keys() - places.keys()),
        ("says something else than Package.swift",
         {each for each in places.keys() & found.keys() if places[each] != found[each]}))
        for each in sorted(names)]


def unfit(wanted, root):
    """The faults that CocoaPods would refuse, as far as they can be seen here."""
    for spec in wanted.values():
        for key in ("name", "version", "summary", "homepage", "license", "authors", "source", "source_files"):
            if not spec.get(key):
                yield f"{spec['name']} has no {key}"
        for pattern in [*spec["source_files"], *spec.get("public_header_files", []), *spec.get("resources", []),
                        *(each for files in spec.get("resource_bundles", {}).values() for each in files)]:
            ends = re.search(r"\{(.*)\}", pattern)
            if not any(next(root.glob(pattern.replace(ends[0], end) if ends else pattern), None)
                       for end in (ends[1].split(",") if ends else [""])):
                yield f"{spec['name']}: no file is {pattern}"
        for name in spec.get("dependencies", {}):
            if name not in wanted:
                yield f"{spec['name']} needs {name}, which is no pod here"


def present(at):
    return {file.relative_to(SPECS).as_posix(): file.read_text(encoding="utf-8")
            for file in SPECS.glob(f"*/{at}/*.podspec.json")}


def self_test(wanted):
    right = {place(spec): text(spec) for spec in wanted.values()}
    if differences(wanted, right) or list(unfit(wanted, ROOT)):
        sys.exit("error: the check of podspecs refuses what is right")
    for what, change in {
        "a dependency that is gone": lambda spec: spec["dependencies"].pop("BenjiPage"),
        "another platform": lambda spec: spec["platforms"].update(ios="15.0"),
        "sources elsewhere": lambda spec: spec.update(source_files=["Sources/Elsewhere/**/*.swift"]),
        "a setting that is gone": lambda spec: spec["pod_target_xcconfig"].pop("OTHER_SWIFT_FLAGS"),
    }.items():
        changed = copy.deepcopy(wanted["Benji"])
        change(changed)
        if not differences(wanted, {**right, place(changed): text(changed)}):
            sys.exit(f"error: the check of podspecs does not notice {what}")
    without = {name: each for name, each in right.items() if not name.startswith("SuperID/")}
    if not differences(wanted, without) or not differences(wanted, {**right, "Old/0.0.1/Old.podspec.json": "{}"}):
        sys.exit("error: the check of podspecs does not notice a pod that is missing or one too many")
    lost = copy.deepcopy(wanted)
    lost["Benji"]["source_files"] = ["Sources/Elsewhere/**/*.swift"]
    lost["Benji"]["dependencies"]["Nowhere"] = []
    if len(list(unfit(lost, ROOT))) != 2:
        sys.exit("error: the check of podspecs does not notice sources and pods that are nowhere")


def main():
    at, package = version(), Package(ROOT)
    found = present(at)
    said = [json.loads(each)["source"]["git"] for each in found.values()]
    source = sys.argv[sys.argv.index("--source") + 1] if "--source" in sys.argv else (said or [URL])[0]
    wanted = specs(package, at, source)
    if "--self-test" in sys.argv:
        return self_test(wanted)
    if wrong := list(unfit(wanted, ROOT)):
        sys.exit("\n".join(f"error: {words}" for words in wrong))
    if "--write" in sys.argv:
        for old in found:
            (SPECS / old).unlink()
        for spec in wanted.values():
            file = SPECS / place(spec)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text(spec), encoding="utf-8")
    elif wrong := differences(wanted, found):
        print(*wrong, sep="\n")
        sys.exit("error: the podspecs are out of date; run scripts/lib/podspecs.py --write")
    print(f"    {len(wanted)} pods of version {at}, as Package.swift has them")


if __name__ == "__main__":
    main()
