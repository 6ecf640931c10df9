"""The manifest of the root package: libraries in dependency order, settings, platforms."""

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

# Libraries that no phone runs, and why. Every other library of the manifest must compile for phones.
NOT_FOR_PHONES = {
    "BenjiTransportCurl": "binds libcurl to an interface, for devices that run Linux",
    "BenjiServerAPI": "is for apps' servers",
}


@dataclass
class Target:
    name: str
    folder: Path
    flags: list[str]
    targets: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    has_resources: bool = False

    @property
    def sources(self) -> list[Path]:
        return sorted(self.folder.rglob("*.swift"))

    @property
    def files(self) -> list[Path]:
        """Everything of which a change asks for a new look."""
        kinds = {".swift", ".h", ".c", ".m", ".modulemap", ".xcprivacy"}
        return [file for file in sorted(self.folder.rglob("*")) if file.suffix in kinds]

    @property
    def headers(self) -> Path | None:
        """The public headers, when this is a C target."""
        include = self.folder / "include"
        return include if include.is_dir() and not self.sources else None


class Package:
    def __init__(self, root: Path):
        self.root = root
        self.manifest = json.loads(
            subprocess.run(
                ["swift", "package", "--package-path", str(root), "dump-package"],
                check=True, capture_output=True, text=True,
            ).stdout
        )
        self.targets = {target["name"]: self._read(target) for target in self.manifest["targets"]}

    @property
    def ios_floor(self) -> str:
        return next(entry["version"] for entry in self.manifest["platforms"] if entry["platformName"] == "ios")

    def for_phones(self) -> list[Target]:
        """All libraries that phones run, products or not, each after those that it imports."""
        order: list[Target] = []

        def visit(name: str) -> None:
            target = self.targets[name]
            if target in order:
                return
            for needed in target.targets:
                visit(needed)
            order.append(target)

        libraries = [
            target["name"] for target in self.manifest["targets"]
            # Targets in Tests only serve tests.
            if target["type"] == "regular" and not target.get("path", "").startswith("Tests/")
        ]
        for stale in NOT_FOR_PHONES.keys() - set(libraries):
            raise SystemExit(f"error: {stale} is listed as not for phones in {__file__}, but is no library any more")
        for name in libraries:
            if name not in NOT_FOR_PHONES:
                visit(name)
        return order

    def _read(self, target: dict) -> Target:
        read = Target(target["name"], self.root / target.get("path", f"Sources/{target['name']}"), [])
        read.has_resources = bool(target.get("resources"))
        modes = self.manifest.get("swiftLanguageVersions") or ["5"]
        read.flags += ["-swift-version", modes[-1], "-package-name", self.manifest["name"]]
        for setting in target["settings"]:
            read.flags += self._flags(setting, target["name"])
        for dependency in target["dependencies"]:
            kind, value = next(iter(dependency.items()))
            platforms = (value[-1] or {}).get("platformNames", [])
            if platforms and "ios" not in platforms:
                continue
            if kind == "product" or value[0] not in [other["name"] for other in self.manifest["targets"]]:
                read.outside.append(value[0])
            else:
                read.targets.append(value[0])
        return read

    @staticmethod
    def _flags(setting: dict, target: str) -> list[str]:
        kind, value = next(iter(setting["kind"].items()))
        if (setting.get("condition") or {}).get("platformNames", ["ios"]).count("ios") == 0:
            return []
        match kind:
            case "enableUpcomingFeature":
                return ["-enable-upcoming-feature", value["_0"]]
            case "enableExperimentalFeature":
                return ["-enable-experimental-feature", value["_0"]]
            case "define":
                return ["-D", value["_0"]]
            case "linkedFramework" | "linkedLibrary":
                return []
        raise SystemExit(f"error: {target} has the setting {kind}, which the check for iOS does not know yet")
