"""Recognises a whole SDK for iPhones, and otherwise names the missing parts."""

import json
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Files that the check reads first. A copy that was broken off, or one without Swift, lacks some of them.
NEEDED = [
    "usr/lib/swift/Swift.swiftmodule/arm64-apple-ios.swiftinterface", "usr/include/dispatch/dispatch.h",
    "usr/lib/swift/Network.swiftmodule/arm64-apple-ios.swiftinterface",
    "System/Library/Frameworks/UIKit.framework/Headers/UIKit.h",
    "System/Library/Frameworks/SwiftUI.framework/Modules/SwiftUI.swiftmodule/arm64-apple-ios.swiftinterface",
]


class NoSDK(Exception):
    """The named folder is no SDK; the text names the missing parts."""


def settings(sdk: Path) -> dict:
    """Returns an SDK's settings, once it is known to be whole and for iPhones."""
    if not sdk.is_dir():
        raise NoSDK(f"there is no folder {sdk}")
    if ROOT in sdk.resolve().parents:
        raise NoSDK(f"{sdk} lies in this repository, where no file of Apple's may be; move it elsewhere")
    try:
        said = json.loads((sdk / "SDKSettings.json").read_text())
    except (OSError, ValueError):
        raise NoSDK(f"{sdk} is no SDK: it has no readable SDKSettings.json") from None
    name = said.get("CanonicalName") if isinstance(said, dict) else None
    if not isinstance(name, str) or not name.startswith("iphoneos"):
        raise NoSDK(f"{sdk} is the SDK of {name or 'something unnamed'}; name one for iPhones (iphoneos…)")
    for part in NEEDED:
        if not (sdk / part).exists():
            raise NoSDK(f"{sdk} is not whole: {part} is missing")
    return said


def self_test() -> list[str]:
    """Returns the folders that are accepted and should not be, or the other way round."""
    wrong = []

    def expect(folder: Path, words: str) -> None:
        try:
            settings(folder)
        except NoSDK as said:
            if not words or words not in str(said):
                wrong.append(f"an SDK's folder is refused with '{said}', not with '{words}'")
        else:
            if words:
                wrong.append(f"what should be refused with '{words}' is taken for an SDK")

    with tempfile.TemporaryDirectory(prefix="benji-sdk-") as name:
        folder = Path(name)
        expect(folder / "nowhere", "there is no folder")
        expect(ROOT / "Sources", "lies in this repository")
        expect(folder, "has no readable SDKSettings.json")
        for text, words in {
            "{": "has no readable SDKSettings.json", "[]": "something unnamed",
            '{"CanonicalName": "macosx14.0"}': "is the SDK of macosx14.0",
            '{"CanonicalName": "iphoneos16.4"}': "is not whole",
        }.items():
            (folder / "SDKSettings.json").write_text(text)
            expect(folder, words)
        for part in NEEDED:
            (folder / part).parent.mkdir(parents=True, exist_ok=True)
            (folder / part).touch()
        expect(folder, "")
    return wrong
