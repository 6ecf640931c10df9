"""Redeems tokens by the programs that the console and the sandbox's page have for developers to copy, as they stand
there."""

from concurrent.futures import ThreadPoolExecutor

from .checks import folder, require, run
from .server import ROOT

# Where the code for Apple's systems was built against stand-ins of their frameworks, and swift-crypto with it.
STANDINS = ROOT / ".build-standins"
CRYPTO = [part for name in ("", "CCryptoBoringSSL", "CCryptoBoringSSLShims", "CXKCP", "CXKCPShims")
          for part in ("-I", str(STANDINS / "crypto" / name))]

# Language -> its file, what starts it, and the Debian package that has that.
INTERPRETED = {"curl": ("redeem.sh", "bash", "bash"), "python": ("redeem.py", "python3", "python3"),
               "node": ("redeem.mjs", "node", "nodejs"),
               "php": ("redeem.php", "php", "php-cli")}
# These are compiled first.
COMPILED = {"java": ("Redeem.java", "javac", "openjdk-17-jdk-headless"), "go": ("redeem.go", "go", "golang-go"),
            "swift": ("redeem.swift", "swiftc", "a toolchain of Swift")}
LANGUAGES = {*INTERPRETED, *COMPILED}


def commands(checks, snippets, languages=LANGUAGES):
    """Language -> the command that runs its program, but for the token; without those that do not compile, which is a
    failure.

    A language that this machine has no program for is a failure too: scripts/setup.sh gets all of them."""
    checks.equal(set(snippets), LANGUAGES, "there is a program in each language")
    found, place = {}, folder()
    for name, (file, program, package) in INTERPRETED.items():
        if name in languages:
            (place / file).write_text(snippets[name])
            found[name] = [require(program, package), str(place / file)]

    def built(name):
        file, program, package = COMPILED[name]
        path, compiler = place / file, require(program, package)
        path.write_text(snippets[name])
        command = {
            "java": [compiler, "-d", str(place), str(path)],
            "go": [compiler, "build", "-o", str(place / "redeem-go"), str(path)],
            "swift": [compiler, "-swift-version", "6", *CRYPTO, "-o", str(place / "redeem-swift"), str(path), "-L",
                      str(STANDINS / "crypto"), "-lCrypto", "-lstdc++"],
        }[name]
        return run(command)

    wanted = [name for name in COMPILED if name in languages]
    with ThreadPoolExecutor() as pool:
        for name, said in zip(wanted, pool.map(built, wanted)):
            if checks.that(said.returncode == 0, f"the program in {name} compiles as it stands",
                           said.stdout + said.stderr):
                found[name] = {"java": [require("java", "openjdk-17-jre-headless"), "-cp", str(place), "Redeem"],
                               "go": [str(place / "redeem-go")],
                               "swift": [str(place / "redeem-swift")]}[name]
    return found
