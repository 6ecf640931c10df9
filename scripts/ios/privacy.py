"""Holds the privacy manifests to what the code calls: Apple takes no app whose SDK calls certain interfaces without saying why.

What a library calls is read from its compiled form (SIL), where every call stands by the name of its symbol, also one that came
in through another module's inlined code. A library that calls such an interface needs the category in its own manifest, and no
manifest may name a category that its library does not call.
"""

import plistlib
import re
from pathlib import Path

MANIFEST = "PrivacyInfo.xcprivacy"
CATEGORY = "NSPrivacyAccessedAPICategory"

# Apple's list of interfaces whose use needs a reason.
REQUIRED = {
    "FileTimestamp": [
        "stat", "fstat", "lstat", "fstatat", "getattrlist", "fgetattrlist", "getattrlistat", "getattrlistbulk",
        "NSFileCreationDate", "NSFileModificationDate", "NSURLCreationDateKey", "NSURLContentModificationDateKey",
        "fileModificationDate", "creationDate", "modificationDate",
    ],
    "SystemBootTime": ["mach_absolute_time", "systemUptime"],
    "DiskSpace": [
        "statfs", "statvfs", "fstatfs", "fstatvfs", "NSFileSystemFreeSize", "NSFileSystemSize",
        "NSURLVolumeAvailableCapacityKey", "NSURLVolumeTotalCapacityKey",
    ],
    "ActiveKeyboards": ["activeInputModes"],
    "UserDefaults": ["NSUserDefaults", "UserDefaults"],
}


def called(sil: str) -> dict[str, str]:
    """The categories of which something is called, each with a symbol that is."""
    found: dict[str, str] = {}
    for category, symbols in REQUIRED.items():
        # A C function is `@fstat`, a method or property `#NSURL.creationDate`, a class or constant its name.
        match = re.search(rf"[@#.$ ]({'|'.join(symbols)})(?![\w(])", sil)
        if match:
            found[category] = match[1]
    return found


def declared(manifest: Path) -> dict[str, list[str]]:
    """The categories that a manifest names, each with its reasons."""
    if not manifest.exists():
        return {}
    told = plistlib.loads(manifest.read_bytes())
    return {
        entry["NSPrivacyAccessedAPIType"].removeprefix(CATEGORY): entry["NSPrivacyAccessedAPITypeReasons"]
        for entry in told.get("NSPrivacyAccessedAPITypes", [])}


def problems(name: str, calls: dict[str, str], manifest: Path) -> list[str]:
    said = declared(manifest)
    return [
        f"{name} calls {symbol}, and {manifest} does not say why ({CATEGORY}{category})"
        for category, symbol in calls.items() if not said.get(category)
    ] + [
        f"{manifest} gives a reason for {CATEGORY}{category}, and {name} calls nothing of it"
        for category in said if category not in calls]


def self_test(folder: Path) -> list[str]:
    """What the check does not see, of what it must."""
    empty = folder / "privacy-empty.xcprivacy"
    empty.write_bytes(plistlib.dumps({"NSPrivacyAccessedAPITypes": []}))
    full = folder / "privacy-full.xcprivacy"
    full.write_bytes(plistlib.dumps({"NSPrivacyAccessedAPITypes": [
        {"NSPrivacyAccessedAPIType": f"{CATEGORY}FileTimestamp", "NSPrivacyAccessedAPITypeReasons": ["C617.1"]}]}))
    call = "  %1 = function_ref @fstat : $@convention(c) (Int32, UnsafeMutablePointer<stat>) -> Int32\n"
    unseen = []
    if not problems("it", called(call), empty):
        unseen.append("a call of fstat without a reason")
    if problems("it", called(call), full):
        unseen.append("that the reason is given")
    if not problems("it", called("  return %1 : $()\n"), full):
        unseen.append("a reason for what is not called")
    if called("  %1 = function_ref @fstatsOfGames : $@convention(thin) () -> ()\n"):
        unseen.append("that a longer name is another")
    return unseen
