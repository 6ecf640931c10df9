"""A release (scripts/release.sh), and the guides followed by readers who have nothing else. They have the Debian
package on a machine without a network, or the container image behind one port."""

import json
import re

import pytest

from support import guides
from support.checks import Stop, folder, run
from support.image import unpacked
from support.server import ROOT, binary, environment

pytestmark = [pytest.mark.seconds(480),
              pytest.mark.long("makes the package and an image of it: two minutes of a processor")]


@pytest.fixture(scope="module")
def release():
    """The program under test, as a release."""
    place = folder() / "release"
    made = run([str(ROOT / "scripts/release.sh"), "--program", binary(), "--into", str(place)], 400,
               env=environment() | {"DEBFULLNAME": "Benji's tests", "DEBEMAIL": "tests@debian.org"})
    if made.returncode != 0:
        raise Stop(f"scripts/release.sh made no release: {made.stdout}{made.stderr}")
    return place


@pytest.fixture(scope="module")
def package(release):
    return next(release.glob("benji_*.deb"))


@pytest.fixture(scope="module")
def installed(package):
    made = guides.PackageReader(package)
    yield made
    made.close()


@pytest.fixture(scope="module")
def container(release):
    made = guides.ContainerReader(*unpacked(next(release.glob("*.oci.tar"))))
    yield made
    made.close()


def test_what_a_release_has(checks, release, package):
    name = package.stem
    version = run([binary(), "--version"]).stdout.strip()
    wanted = {f"{name}.deb", f"{name}.oci.tar", f"benji_{version}.cdx.json", f"benji_{version}_notes.md",
              f"benji-login-{version}.tgz", "SHA256SUMS"}
    checks.equal({file.name for file in release.iterdir()}, wanted,
                 "package, image, bill of materials, notes, npm package and sums are there")
    summed = run(["bash", "-euc", guides.blocks("docs/installing.md")[0][1]], cwd=release)
    checks.that(summed.returncode == 0 and summed.stdout.count(": OK") == len(wanted) - 1, "the sums hold for each",
                summed.stdout + summed.stderr)
    (release / "SHA256SUMS").write_text((release / "SHA256SUMS").read_text().replace("0", "1"))
    spoilt = run(["bash", "-euc", guides.blocks("docs/installing.md")[0][1]], cwd=release)
    checks.that(spoilt.returncode != 0, "and a file that differs is noticed")
    bill = json.loads((release / f"benji_{version}.cdx.json").read_text())
    names = {each["name"]: each["version"] for each in bill["components"]}
    linked = re.findall(r"([a-z0-9.+-]+) \(", run(["dpkg-deb", "-f", str(package), "Depends"]).stdout)
    checks.equal([each for each in linked if each not in names], [],
                 "the bill has each package of Debian that the program needs")
    checks.equal((bill["specVersion"], bill["metadata"]["component"]["version"], names["swift-nio"]),
                 ("1.6", version, "2.101.2"),
                 "and the Swift packages, in their versions")
    untidy = run([str(ROOT / "scripts/release.sh"), "--program"], env=environment())
    checks.that(untidy.returncode == 1 and "usage" in untidy.stderr,
                "scripts/release.sh refuses what it does not understand")


@pytest.mark.parametrize("guide", ["ios", "backend", "web", "operator", "auditor"])
def test_the_package(checks, installed, guide):
    getattr(guides, f"follow_{guide}")(checks, installed)


@pytest.mark.parametrize("guide", ["ios", "backend", "web"])
def test_the_image(checks, container, guide):
    getattr(guides, f"follow_{guide}")(checks, container)
