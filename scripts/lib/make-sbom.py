#!/usr/bin/env python3
"""Writes the bill of materials of a package as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/), which is checked
against its schema.

    make-sbom.py PACKAGE FILE

What is in it: the Swift packages in the versions that were resolved, the Swift runtime, and Debian's libraries in the
versions of this machine, which the container image holds and the package depends on. Names and licences are those of
docs/bill-of-materials.tsv. The same sources give the same file.
"""

import importlib.util
import json
import os
import subprocess
import sys
import uuid
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from cyclonedx.model import HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parents[2]
VERSION = SchemaVersion.V1_6


def module(name):
    """A program of this folder, as a module."""
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), ROOT / f"scripts/lib/{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def field(package, name):
    return subprocess.run(["dpkg-deb", "-f", package, name], capture_output=True, text=True, check=True).stdout.strip()


def made(kind, name, version, licence, purl, **more):
    return Component(
        type=kind, name=name, version=version, bom_ref=str(purl), purl=purl,
        licenses=[LicenseExpression(licence)] if licence else [], **more)


def components(rows, resolved, installed):
    """- rows: of the bill; - resolved: (where it comes from, version, revision) of each Swift package; - installed:
    (version, architecture) of each Debian package."""
    for (kind, name), row in rows.items():
        if kind == "swift":
            source, version, revision = resolved[name]
            place = urlsplit(source.removesuffix(".git"))
            group, _, last = f"{place.netloc}{place.path}".rpartition("/")
            yield made(ComponentType.LIBRARY, name, version, row["licence"], PackageURL("swift", group, last, version),
                       hashes=[HashType(alg=HashAlgorithm.SHA_1, content=revision)])
        elif kind == "debian":
            version, architecture = installed[name]
            # CycloneDX takes the expressions of SPDX; Debian's libraries of curl's licence have its name.
            yield made(ComponentType.LIBRARY, name, version, row["licence"],
                       PackageURL("deb", "debian", name, version, {"arch": architecture, "distro": "debian-12"}))
        elif kind == "toolchain":
            said = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
            version = said.split("Swift version ")[1].split()[0]
            yield made(ComponentType.LIBRARY, "swift-runtime", version, row["licence"],
                       PackageURL("generic", None, "swift-runtime", version))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1].strip())
    package, file = sys.argv[1], Path(sys.argv[2])
    rows, complaints = module("check-bill-of-materials").read_bill(
        (ROOT / "docs/bill-of-materials.tsv").read_text(encoding="utf-8"))
    if complaints:
        sys.exit("\n".join(f"error: {each}" for each in complaints))
    resolved = {each["identity"]: (each["location"], each["state"]["version"], each["state"]["revision"])
                for each in json.loads((ROOT / "Server/Package.resolved").read_text())["pins"]}
    installed = {}
    for name in (name for kind, name in rows if kind == "debian"):
        said = subprocess.run(["dpkg-query", "-W", "-f", "${Version} ${Architecture}\n", name], capture_output=True,
                              text=True, check=True)
        installed[name] = tuple(said.stdout.split("\n")[0].split())
    version = field(package, "Version")
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"benji {version} {field(package, 'Architecture')}"))
    bom.metadata.timestamp = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    subject = made(ComponentType.APPLICATION, "benji", version, "Apache-2.0",
                   PackageURL("generic", None, "benji", version))
    bom.metadata.component = subject
    parts = list(components(rows, resolved, installed))
    for each in parts:
        bom.components.add(each)
    bom.register_dependency(subject, parts)
    text = make_outputter(bom, OutputFormat.JSON, VERSION).output_as_string(indent=2)
    if fault := JsonStrictValidator(VERSION).validate_str(text):
        sys.exit(f"error: {file.name} is no CycloneDX: {fault}")
    file.write_text(text + "\n", encoding="utf-8")
    print(f"==> made {file}: {len(parts)} components")


if __name__ == "__main__":
    main()
