"""Writes an Xcode project with a framework for each module that a product brings, for scripts/xcframeworks.sh.

frameworks.py FOLDER PRODUCT...   writes FOLDER/Frameworks.xcodeproj, and prints the modules, each after those that it
needs frameworks.py --check             writes nothing: holds the project of all products to the podspecs, which have
the same modules

A module has the parts that its podspec names, and podspecs follow the manifest (scripts/lib/podspecs.py).
"""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/lib"), str(ROOT / "Examples/iOS")]

import generate  # noqa: E402
import podspecs  # noqa: E402
from package import Package  # noqa: E402

KINDS = {".swift": "sourcecode.swift", ".c": "sourcecode.c.c", ".m": "sourcecode.c.objc", ".h": "sourcecode.c.h",
         ".xcprivacy": "text.xml",
         ".bundle": "wrapper.plug-in"}


def module(spec):
    return spec.get("module_name", spec["name"])


def order(specs, products):
    """The specs that the products need, each after its own needs."""
    found = []

    def visit(name):
        if name not in found:
            for other in specs[name].get("dependencies", {}):
                visit(other)
            found.append(name)

    for product in products:
        visit(podspecs.pod(product))
    return [specs[name] for name in found]


def files(patterns):
    found = []
    for pattern in patterns:
        ends = re.search(r"\{(.*)\}", pattern)
        for each in ([pattern.replace(ends[0], end) for end in ends[1].split(",")] if ends else [pattern]):
            found += sorted(ROOT.glob(each))
    return found


def project(specs, folder):
    objects = {}

    def add(isa, what, **values):
        name = hashlib.sha256(f"{isa} {what}".encode()).hexdigest()[:24].upper()
        objects[name] = {"isa": isa, **dict(sorted(values.items()))}
        return name

    def configuration(what, **settings):
        made = add("XCBuildConfiguration", what, name="Release", buildSettings=settings)
        return add("XCConfigurationList", what, buildConfigurations=[made], defaultConfigurationIsVisible="0",
                   defaultConfigurationName="Release")

    def phase(isa, name, built):
        return add(isa, name, buildActionMask="2147483647", runOnlyForDeploymentPostprocessing="0", files=built)

    root = hashlib.sha256(b"PBXProject Frameworks").hexdigest()[:24].upper()
    references, products, targets = [], {}, {}
    for spec in specs:
        name = module(spec)

        def built(path, **settings):
            kind = KINDS[path.suffix]
            reference = add("PBXFileReference", f"{name} {path.relative_to(ROOT)}", lastKnownFileType=kind,
                            name=path.name,
                            path=os.path.relpath(path, folder), sourceTree="SOURCE_ROOT")
            references.append(reference)
            return add("PBXBuildFile", f"{name} {path.relative_to(ROOT)}", fileRef=reference,
                       **({"settings": settings} if settings else {}))

        sources = files(spec["source_files"])
        resources = files([*spec.get("resources", []),
                           *(each for some in spec.get("resource_bundles", {}).values() for each in some)])
        needed = [module(other) for other in (next(each for each in specs if each["name"] == need)
                                              for need in spec.get("dependencies", {}))]
        products[name] = add("PBXFileReference", f"{name}.framework", explicitFileType="wrapper.framework",
                             includeInIndex="0",
                             path=f"{name}.framework", sourceTree="BUILT_PRODUCTS_DIR")
        phases = [
            phase("PBXHeadersBuildPhase", name,
                  [built(each, ATTRIBUTES=["Public"]) for each in sources if each.suffix == ".h"]),
            phase("PBXSourcesBuildPhase", name, [built(each) for each in sources if each.suffix != ".h"]),
            phase("PBXFrameworksBuildPhase", name,
                  [add("PBXBuildFile", f"{name} links {other}", fileRef=products[other]) for other in needed]),
            phase("PBXResourcesBuildPhase", name, [built(each) for each in resources])]
        dependencies = []
        for other in needed:
            proxy = add("PBXContainerItemProxy", f"{name} {other}", containerPortal=root, proxyType="1",
                        remoteGlobalIDString=targets[other], remoteInfo=other)
            dependencies.append(add("PBXTargetDependency", f"{name} {other}", target=targets[other], targetProxy=proxy))
        targets[name] = add(
            "PBXNativeTarget", name, name=name, productName=name, productType="com.apple.product-type.framework",
            productReference=products[name],
            buildConfigurationList=configuration(
                name, PRODUCT_NAME=name, PRODUCT_BUNDLE_IDENTIFIER=f"benji.{name}", CURRENT_PROJECT_VERSION="1",
                MARKETING_VERSION=spec["version"],
                GENERATE_INFOPLIST_FILE="YES", SKIP_INSTALL="NO", CODE_SIGNING_ALLOWED="NO",
                **spec.get("pod_target_xcconfig", {"DEFINES_MODULE": "YES"})),
            buildPhases=phases, buildRules=[], dependencies=dependencies)
    made = add("PBXGroup", "products", children=list(products.values()), name="Products", sourceTree="<group>")
    main = add("PBXGroup", "main", children=[*references, made], sourceTree="<group>")
    add("PBXProject", "Frameworks", attributes={"LastUpgradeCheck": "2600"}, compatibilityVersion="Xcode 14.0",
        developmentRegion="en",
        buildConfigurationList=configuration(
            "project", SDKROOT="iphoneos", IPHONEOS_DEPLOYMENT_TARGET=specs[0]["platforms"]["ios"], SWIFT_VERSION="6.0",
            SWIFT_OPTIMIZATION_LEVEL="-O", SWIFT_COMPILATION_MODE="wholemodule",
            DEBUG_INFORMATION_FORMAT="dwarf-with-dsym"),
        hasScannedForEncodings="0", knownRegions=["en", "Base"], mainGroup=main, productRefGroup=made,
        projectDirPath="", projectRoot="",
        targets=list(targets.values()))
    return generate.text(objects, root)


def problems(text, specs, folder):
    try:
        whole = generate.read(text)
    except ValueError as error:
        return [f"it cannot be read: {error}"]
    objects, wrong = whole["objects"], []
    for name, each in objects.items():
        for key in ("fileRef", "target", "targetProxy", "mainGroup", "buildConfigurationList", "productReference",
                    "files", "buildPhases", "targets"):
            values = each.get(key, [])
            wrong += [f"{each['isa']} {name}: {key} leads nowhere"
                      for other in (values if isinstance(values, list) else [values]) if other not in objects]
        if each["isa"] == "PBXFileReference" and each["sourceTree"] == "SOURCE_ROOT" and not (
            folder / each["path"]).exists():
            wrong.append(f"there is no {each['path']}")
    if wrong:
        return wrong
    made = {}
    for target in (objects[each] for each in objects[whole["rootObject"]]["targets"]):
        phases = {objects[each]["isa"]: objects[each]["files"] for each in target["buildPhases"]}
        made[target["name"]] = (
            {objects[objects[each]["target"]]["name"] for each in target["dependencies"]},
            {objects[objects[each]["fileRef"]]["path"].removesuffix(".framework")
             for each in phases["PBXFrameworksBuildPhase"]},
            len(phases["PBXSourcesBuildPhase"]) + len(phases["PBXHeadersBuildPhase"]))
    for spec in specs:
        needed = {module(next(each for each in specs if each["name"] == need)) for need in spec.get("dependencies", {})}
        if made.get(module(spec)) != (needed, needed, len(files(spec["source_files"]))):
            wrong.append(f"{module(spec)} is not as its podspec has it")
    return wrong


def main():
    package = Package(ROOT)
    specs = podspecs.specs(package, podspecs.version(), podspecs.URL)
    is_check = sys.argv[1:] == ["--check"]
    folder = ROOT / ".build-xcframeworks" if is_check else Path(sys.argv[1]).absolute()
    products = list(podspecs.FOR_APPS) if is_check else sys.argv[2:]
    if unknown := [each for each in products if each not in podspecs.FOR_APPS]:
        sys.exit(f"error: {unknown[0]} is no product that apps add: {', '.join(podspecs.FOR_APPS)}")
    wanted = order(specs, products)
    folder.mkdir(exist_ok=True)
    text = project(wanted, folder)
    if wrong := problems(text, wanted, folder):
        sys.exit("\n".join(f"error: the project of frameworks: {words}" for words in wrong))
    if is_check:
        for what, spoilt in (("a dependency that is gone",
                              re.sub(r"dependencies = \(\n\t+[0-9A-F]{24},\n", "dependencies = (\n", text, count=1)),
                             ("a source that is gone",
                              text.replace("Benji/PhoneLogin.swift", "Benji/PhoneLogout.swift", 1)),
                             ("a bracket that is missing", text.replace(");", ";", 1))):
            if spoilt == text or not problems(spoilt, wanted, folder):
                sys.exit(f"error: the check of the project of frameworks does not notice {what}")
        # The commands that a Mac would run.
        asked = subprocess.run([ROOT / "scripts/xcframeworks.sh", "--dry-run", "Benji"], capture_output=True, text=True)
        made = re.findall(r"-output \S+/(\w+)\.xcframework", asked.stdout)
        if asked.returncode != 0 or made != [module(spec) for spec in order(specs, ["Benji"])]:
            sys.exit(f"error: xcframeworks.sh does not ask for the modules of Benji: {made} {asked.stderr}")
        print(f"    {len(wanted)} frameworks, as the podspecs have them; no Xcode has built them")
        return
    place = folder / "Frameworks.xcodeproj"
    place.mkdir(exist_ok=True)
    (place / "project.pbxproj").write_text(text, encoding="utf-8")
    print(*(module(spec) for spec in wanted), sep="\n")


if __name__ == "__main__":
    main()
