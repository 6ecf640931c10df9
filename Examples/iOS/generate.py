#!/usr/bin/env python3
"""Writes Examples.xcodeproj from apps.json: an app for each entry, with this repository as its package.

    generate.py                writes the project, to be opened in Xcode 26 or later
    generate.py --sandbox http://localhost:8090
                               and Sandbox.xcconfig, with the app that the running sandbox has registered, on its
                               phone-1
    --phone phone-2            another of its phones
    --app 300000000002 [--key KEY]
                               another of its apps; without a key, one that is registered for phones without
    --settings FILE            another file
    generate.py --check        writes nothing: reads the project back that it would write, and holds it to apps.json
    generate.py --self-test    proves that a project with a mistake is noticed

The same apps.json gives the same project, byte for byte: objects are named by a digest of what they are. So the project
is not kept in the repository.
"""

import argparse
import hashlib
import json
import pathlib
import re
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
IOS = "16.0"


def project(described):
    """The objects by their ids, and the id of the root."""
    objects = {}

    def add(isa, what, **values):
        name = hashlib.sha256(f"{isa} {what}".encode()).hexdigest()[:24].upper()
        if name in objects:
            raise SystemExit(f"error: apps.json names {what} twice")
        # As Xcode writes them.
        objects[name] = {"isa": isa, **dict(sorted(values.items()))}
        return name

    def configurations(what, base, **settings):
        made = [
            add("XCBuildConfiguration", f"{what} {name}", name=name,
                **({"baseConfigurationReference": base} if base else {}),
                buildSettings={**settings, **({"SWIFT_OPTIMIZATION_LEVEL": "-Onone"} if name == "Debug" else {})})
            for name in ("Debug", "Release")]
        return add("XCConfigurationList", what, buildConfigurations=made, defaultConfigurationIsVisible="0",
                   defaultConfigurationName="Release")

    def file(path, kind):
        return add("PBXFileReference", path, lastKnownFileType=kind, path=path, sourceTree="<group>")

    xcconfig = file("Examples.xcconfig", "text.xcconfig")
    files = {path: file(path, "sourcecode.swift")
             for path in dict.fromkeys(path for app in described["apps"] for path in app["sources"])}
    package = add("XCLocalSwiftPackageReference", described["package"], relativePath=described["package"])
    targets, products = [], []
    for app in described["apps"]:
        name = app["name"]
        needed = [add("XCSwiftPackageProductDependency", f"{name} {each}", package=package, productName=each)
                  for each in app["products"]]
        sources = add("PBXSourcesBuildPhase", name, buildActionMask="2147483647",
                      runOnlyForDeploymentPostprocessing="0", files=[
            add("PBXBuildFile", f"{name} {path}", fileRef=files[path]) for path in app["sources"]])
        frameworks = add("PBXFrameworksBuildPhase", name, buildActionMask="2147483647",
                         runOnlyForDeploymentPostprocessing="0", files=[
            add("PBXBuildFile", f"{name} product {product}", productRef=dependency)
            for product, dependency in zip(app["products"], needed)])
        product = add("PBXFileReference", f"{name}.app", explicitFileType="wrapper.application", includeInIndex="0",
                      path=f"{name}Example.app",
                      sourceTree="BUILT_PRODUCTS_DIR")
        products.append(product)
        settings = {
            "PRODUCT_NAME": f"{name}Example", "PRODUCT_BUNDLE_IDENTIFIER": "$(BENJI_BUNDLE_ID)",
            "INFOPLIST_FILE": "Info.plist",
            # Without one the key is empty: such an app never asks for the camera.
            "EXAMPLE_CAMERA_USAGE": app.get("camera", ""), "GENERATE_INFOPLIST_FILE": "NO",
            "TARGETED_DEVICE_FAMILY": "1,2",
            "CODE_SIGN_STYLE": "Automatic"}
        targets.append(add(
            "PBXNativeTarget", name, name=f"{name}Example", productName=f"{name}Example",
            productType="com.apple.product-type.application",
            productReference=product, buildConfigurationList=configurations(f"target {name}", None, **settings),
            buildPhases=[sources, frameworks],
            buildRules=[], dependencies=[], packageProductDependencies=needed))
    made = add("PBXGroup", "products", children=products, name="Products", sourceTree="<group>")
    main = add("PBXGroup", "main", children=[*files.values(), file("Info.plist", "text.plist.xml"), xcconfig, made],
               sourceTree="<group>")
    root = add(
        "PBXProject", described["project"],
        attributes={"BuildIndependentTargetsInParallel": "YES", "LastUpgradeCheck": "1600"},
        buildConfigurationList=configurations(
            "project", xcconfig, SDKROOT="iphoneos", IPHONEOS_DEPLOYMENT_TARGET=IOS, SWIFT_VERSION="6.0",
            ENABLE_USER_SCRIPT_SANDBOXING="YES"),
        compatibilityVersion="Xcode 14.0", developmentRegion="en", hasScannedForEncodings="0",
        knownRegions=["en", "Base"], mainGroup=main,
        packageReferences=[package], productRefGroup=made, projectDirPath="", projectRoot="", targets=targets)
    return objects, root


def written(value, depth=0):
    """As an old-style property list, in which Xcode keeps projects."""
    tabs = "\t" * (depth + 1)
    if isinstance(value, dict):
        return "{\n" + "".join(f"{tabs}{written(key)} = {written(each, depth + 1)};\n"
                               for key, each in value.items()) + "\t" * depth + "}"
    if isinstance(value, list):
        return "(\n" + "".join(f"{tabs}{written(each, depth + 1)},\n" for each in value) + "\t" * depth + ")"
    return value if re.fullmatch(r"[\w./]+", value,
                                 re.A) else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def text(objects, root):
    return "// !$*UTF8*$!\n" + written(
        {"archiveVersion": "1", "classes": {}, "objectVersion": "60", "objects": dict(sorted(objects.items())),
         "rootObject": root}) + "\n"


def read(text):
    """An old-style property list, as strictly as `plutil` takes it."""
    tokens = re.findall(r'//[^\n]*|\s+|[{}()=;,]|"(?:[^"\\]|\\.)*"|[\w./$-]+|.', text, re.A | re.S)
    tokens = [token for token in tokens if not token.isspace() and not token.startswith("//")]
    place = 0

    def next_is(*wanted):
        nonlocal place
        if place >= len(tokens) or (wanted and tokens[place] not in wanted):
            raise ValueError(f"{wanted} is wanted at {' '.join(tokens[place:place + 5]) or 'the end'}")
        place += 1
        return tokens[place - 1]

    def value():
        token = next_is()
        if token == "{":
            found = {}
            while tokens[place] != "}":
                key = value()
                next_is("=")
                if key in found:
                    raise ValueError(f"{key} stands twice")
                found[key] = value()
                next_is(";")
            next_is("}")
            return found
        if token == "(":
            found = []
            while tokens[place] != ")":
                found.append(value())
                if next_is(",", ")") == ")":
                    return found
            next_is(")")
            return found
        if token.startswith('"'):
            if len(token) < 2 or not token.endswith('"'):
                raise ValueError("a text has no end")
            return re.sub(r"\\(.)", r"\1", token[1:-1])
        if not re.fullmatch(r"[\w./]+", token, re.A):
            raise ValueError(f"{token} must stand in quotes")
        return token

    whole = value()
    if place != len(tokens):
        raise ValueError("something stands behind the end")
    return whole


# The references of each kind of object, and the kinds that they lead to.
REFERENCES = {
    "baseConfigurationReference": {"PBXFileReference"}, "buildConfigurationList": {"XCConfigurationList"},
    "buildConfigurations": {"XCBuildConfiguration"}, "buildPhases": {"PBXSourcesBuildPhase", "PBXFrameworksBuildPhase"},
    "children": {"PBXFileReference", "PBXGroup"}, "fileRef": {"PBXFileReference"}, "files": {"PBXBuildFile"},
    "mainGroup": {"PBXGroup"},
    "package": {"XCLocalSwiftPackageReference"}, "packageProductDependencies": {"XCSwiftPackageProductDependency"},
    "packageReferences": {"XCLocalSwiftPackageReference"}, "productRef": {"XCSwiftPackageProductDependency"},
    "productReference": {"PBXFileReference"}, "productRefGroup": {"PBXGroup"}, "targets": {"PBXNativeTarget"}}


def problems(text, described, here=HERE):
    try:
        whole = read(text)
        objects, root = whole["objects"], whole["rootObject"]
        if objects[root]["isa"] != "PBXProject":
            return ["the root is no project"]
    except (ValueError, KeyError, IndexError, TypeError) as error:
        return [f"it cannot be read: {error}"]
    wrong, used = [], {root}
    for name, each in objects.items():
        if not re.fullmatch(r"[0-9A-F]{24}", name):
            wrong.append(f"{name} is no id")
        for key, kinds in REFERENCES.items():
            values = each.get(key, [])
            for other in values if isinstance(values, list) else [values]:
                used.add(other)
                if objects.get(other, {}).get("isa") not in kinds:
                    wrong.append(f"{each['isa']} {name}: {key} leads to no {' or '.join(sorted(kinds))}")
        if each["isa"] == "PBXFileReference" and each["sourceTree"] == "<group>" and not (
            here / each["path"]).is_file():
            wrong.append(f"there is no {each['path']}")
        if each["isa"] == "XCLocalSwiftPackageReference" and not (
            here / each["relativePath"] / "Package.swift").is_file():
            wrong.append(f"there is no package at {each['relativePath']}")
    wrong += [f"nothing leads to {objects[name]['isa']} {name}" for name in sorted(objects.keys() - used)]
    if wrong:
        return wrong
    apps = {}
    for target in (objects[name] for name in objects[root]["targets"]):
        phases = {objects[name]["isa"]: [objects[file] for file in objects[name]["files"]]
                  for name in target["buildPhases"]}
        apps[target["name"]] = (
            [objects[file["fileRef"]]["path"] for file in phases["PBXSourcesBuildPhase"]],
            [objects[file["productRef"]]["productName"] for file in phases["PBXFrameworksBuildPhase"]],
            [objects[name]["productName"] for name in target["packageProductDependencies"]])
    wanted = {f"{app['name']}Example": (app["sources"], app["products"], app["products"]) for app in described["apps"]}
    return [f"{name} is not as apps.json has it" for name in sorted(wanted.keys() | apps.keys())
            if wanted.get(name) != apps.get(name)]


def described():
    return json.loads((HERE / "apps.json").read_text(encoding="utf-8"))


def self_test():
    right = text(*project(described()))
    if wrong := problems(right, described()):
        raise SystemExit(f"error: the check of the examples' project refuses what is right: {wrong}")
    lost = described()
    lost["apps"][0]["sources"] = ["Shared/Settings.swift", "Benji/Nowhere.swift"]
    first = re.search(r"fileRef = ([0-9A-F]{24})", right)[1]
    for what, wrong, against in (
            ("a bracket that is missing", right.replace(");", ";", 1), described()),
            ("a text without quotes", right.replace('"$(BENJI_BUNDLE_ID)"', "$(BENJI_BUNDLE_ID)", 1), described()),
            ("a reference that leads nowhere", right.replace(f"fileRef = {first}", f"fileRef = {'0' * 24}", 1),
             described()),
            ("a file that is not there", text(*project(lost)), lost),
            ("a product that is another", right.replace("productName = GeYanSdk", "productName = OneLoginSDK"),
             described()),
            ("an app that is missing", text(*project({**described(), "apps": described()["apps"][1:]})), described())):
        if wrong == right or not problems(wrong, against):
            raise SystemExit(f"error: the check of the examples' project does not notice {what}")


def settings(sandbox, phone, changes):
    """The sandbox's app, as a file of build settings. Two slashes would begin a comment there."""
    sandbox = sandbox.rstrip("/")
    try:
        with urllib.request.urlopen(f"{sandbox}/api/phones/{phone}",
                                    timeout=10), urllib.request.urlopen(f"{sandbox}/api/app", timeout=10) as answer:
            app = {**json.load(answer), **changes}
    except (OSError, ValueError) as error:
        raise SystemExit(f"error: {sandbox}: {error}; is the sandbox there (make demo), and has it {phone}?") from None
    gateway = f"{sandbox}/phones/{phone}/gateway".replace("//", "/$()/")
    return "\n".join([
        "// The app that the running sandbox has registered. Written by generate.py, and not for the repository.",
        f"BENJI_SERVER = {gateway}", f"BENJI_APP_ID = {app['id']}", f"BENJI_APP_KEY = {app['key']}",
        f"BENJI_BUNDLE_ID = {app['bundleId']}", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--sandbox")
    parser.add_argument("--phone", default="phone-1")
    parser.add_argument("--app")
    parser.add_argument("--key", default="")
    parser.add_argument("--settings", type=pathlib.Path, default=HERE / "Sandbox.xcconfig")
    given = parser.parse_args()
    if given.self_test:
        return self_test()
    wanted = text(*project(described()))
    if wrong := problems(wanted, described()):
        raise SystemExit("\n".join(f"error: Examples/iOS: {words}" for words in wrong))
    if given.sandbox:
        given.settings.write_text(settings(given.sandbox, given.phone,
                                           {"id": given.app, "key": given.key} if given.app else {}), encoding="utf-8")
        print(f"{given.settings.name} has the app of the sandbox, on {given.phone}")
    if not given.check:
        place = HERE / f"{described()['project']}.xcodeproj"
        place.mkdir(exist_ok=True)
        (place / "project.pbxproj").write_text(wanted, encoding="utf-8")
        print(f"{place.name} has {len(described()['apps'])} apps; open it in Xcode")


if __name__ == "__main__":
    main()
