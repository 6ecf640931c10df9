#!/usr/bin/env bash
# Proves what an app takes on with Benji: a throw-away app depends on this repository and may resolve
# swift-crypto and swift-asn1, nothing else.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

ALLOWED="swift-asn1 swift-crypto"
APP="$(mktemp -d)"
trap 'rm -rf "$APP"' EXIT

mkdir -p "$APP/Sources/App"
echo 'import Benji' >"$APP/Sources/App/App.swift"
cat >"$APP/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "App",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [.package(name: "benji", path: "$ROOT")],
    targets: [.target(name: "App", dependencies: [.product(name: "Benji", package: "benji")])]
)
MANIFEST

say "app-resolve: what an app resolves with Benji"
swift package --package-path "$APP" resolve >"$APP/log" 2>&1 ||
    { cat "$APP/log" >&2; die "an app that depends on Benji does not resolve (see above)"; }
swift package --package-path "$APP" show-dependencies --format json >"$APP/dependencies.json" 2>"$APP/log" ||
    { cat "$APP/log" >&2; die "the dependencies of the app cannot be shown (see above)"; }

python3 - "$APP/dependencies.json" "$ALLOWED" <<'PYTHON'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
app = json.loads(text[text.index("{"):])
allowed = set(sys.argv[2].split())
found = set()


def walk(node):
    for child in node["dependencies"]:
        found.add(child["identity"])
        walk(child)


# The app has one dependency, this repository, whose identity is the name of the folder that it was cloned into.
if len(app["dependencies"]) != 1:
    sys.exit("error: the throw-away app did not resolve Benji")
walk(app["dependencies"][0])
extra = sorted(found - allowed)
if extra:
    sys.exit("error: an app that adds Benji would also resolve " + ", ".join(extra)
             + "; move what needs it to Server/ or to a package of its own")
print("    only " + (" and ".join(sorted(found)) or "Benji itself"))
PYTHON
