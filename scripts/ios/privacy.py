"""Holds the privacy manifests to what the code calls: Apple takes no app whose SDK calls certain interfaces without
saying why.

The calls of a library are read from its compiled form (SIL), which has every call by the name of its symbol. That
includes calls that came in through another module's inlined code. A library that calls such an interface needs the
category in its own manifest. No manifest may name a category that its library does not call, or a reason that Apple
does not have for the category. Targets with headers in C or Objective-C, which declare what Swift cannot, have no such
form and are not checked.
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
        "NSURLVolumeAvailableCapacityKey", "NSURLVolumeAvailableCapacityForImportantUsageKey",
        "NSURLVolumeAvailableCapacityForOpportunisticUsageKey", "NSURLVolumeTotalCapacityKey",
    ],
    "ActiveKeyboards": ["activeInputModes"],
    "UserDefaults": ["NSUserDefaults", "UserDefaults"],
}

# The reasons that Apple takes for each.
REASONS = {
    "FileTimestamp": {"DDA9.1", "C617.1", "3B52.1", "0A2A.1"},
    "SystemBootTime": {"35F9.1", "8FFB.1", "3D61.1"},
    "DiskSpace": {"85F4.1", "E174.1", "7D9E.1", "B728.1"},
    "ActiveKeyboards": {"3EC4.1", "54BD.1"},
    "UserDefaults": {"CA92.1", "1C8F.1", "C56D.1", "AC6B.1"},
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
        for category in said if category not in calls
    ] + [
        f"{manifest} gives the reason {reason} for {CATEGORY}{category}, which is none of Apple's for it"
        for category, reasons in said.items() for reason in reasons if reason not in REASONS.get(category, ())]


def self_test(folder: Path) -> list[str]:
    """Returns the faults that the check must see and does not."""
    empty = folder / "privacy-empty.xcprivacy"
    empty.write_bytes(plistlib.dumps({"NSPrivacyAccessedAPITypes": []}))
    full = folder / "privacy-full.xcprivacy"
    full.write_bytes(plistlib.dumps({"NSPrivacyAccessedAPITypes": [
        {"NSPrivacyAccessedAPIType": f"{CATEGORY}FileTimestamp", "NSPrivacyAccessedAPITypeReasons": ["C617.1"]}]}))
    call = "  %1 = function_ref @fstat : $@convention(c) (Int32, UnsafeMutablePointer<stat>) -> Int32\n"
    other = folder / "privacy-other.xcprivacy"
    other.write_bytes(full.read_bytes().replace(b"C617.1", b"CA92.1"))
    capacity = "  %1 = global_addr @NSURLVolumeAvailableCapacityForImportantUsageKey : $*NSURLResourceKey\n"
    unseen = []
    if not problems("it", called(call), other):
        unseen.append("a reason of another category")
    if not problems("it", called(capacity), empty):
        unseen.append("a question for the room on a volume")
    if not problems("it", called(call), empty):
        unseen.append("a call of fstat without a reason")
    if not problems("it", called(call), folder / "privacy-none.xcprivacy"):
        unseen.append("a call of fstat in a library without a manifest")
    if problems("it", called(call), full):
        unseen.append("that the reason is given")
    if not problems("it", called("  return %1 : $()\n"), full):
        unseen.append("a reason for what is not called")
    if called("  %1 = function_ref @fstatsOfGames : $@convention(thin) () -> ()\n"):
        unseen.append("that a longer name is another")
    return unseen
