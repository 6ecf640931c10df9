#!/usr/bin/env bash
# Proves the dependencies that an app takes on with Benji. The package that the guide for iOS begins with depends on
# this repository and may resolve swift-crypto and swift-asn1, nothing else.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

ALLOWED="swift-asn1 swift-crypto"
GUIDE="$ROOT/docs/guides/en/ios.md"
PLACE="$(mktemp -d)"
trap 'rm -rf "$PLACE"' EXIT
APP="$PLACE/FirstLogin"

# As the guide says: a copy of the repository, and the package next to it.
ln -s "$ROOT" "$PLACE/benji"
mkdir -p "$APP/Tests/FirstLoginTests"
cp "$ROOT/Tests/BenjiClientTests/AppTests/FirstLoginTests.swift" "$APP/Tests/FirstLoginTests"
awk '/^```/ { inside = 0 } inside { print } /^```swift/ && !found { inside = found = 1 }' "$GUIDE" >"$APP/Package.swift"
grep -q '^let package = Package' "$APP/Package.swift" || die "the first Swift of $GUIDE is no package"

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


# The app has one dependency, this repository, whose identity is the name of the folder of the copy.
if len(app["dependencies"]) != 1:
    sys.exit("error: the throw-away app did not resolve Benji")
walk(app["dependencies"][0])
extra = sorted(found - allowed)
if extra:
    sys.exit("error: an app that adds Benji would also resolve " + ", ".join(extra)
             + "; move what needs it to Server/ or to a package of its own")
print("    only " + (" and ".join(sorted(found)) or "Benji itself"))
PYTHON
