"""The Debian package: its content, how tightly its unit binds the service, and its installation, upgrade, removal and
purge on a new machine. And the container image that is made from it.

The machine is this system under a layer of its own (support/machine.py). The unit's filter of system calls is compared
with the program's calls. First with a trace, then in force, where one forbidden call would kill it.
"""

import hashlib
import json
import re
import subprocess
import time
from pathlib import Path

import pytest

from support.checks import Stop, end, eventually, first_json, folder, require, run, start
from support.confine import allowed
from support.image import unpacked
from support.link import operations
from support.machine import Machine
from support.server import ROOT, binary, environment

pytestmark = [pytest.mark.seconds(480),
              pytest.mark.long("makes the package and an image of it: two minutes of a processor")]

UNIT = ROOT / "packaging/benji.service"
CONFIGURATION = "/etc/benji/benji.yaml"
DATA = "/var/lib/benji"
ADMIN = "http://127.0.0.1:8082"
# Exposure on systemd's scale of 0 to 100, of which up to 40 is called OK.
THRESHOLD = 20


@pytest.fixture(scope="module")
def package():
    """The program under test, packaged."""
    place = folder()
    made = run([str(ROOT / "scripts/deb.sh"), "--program", binary(), "--into", str(place)], 240,
               env=environment() | {"DEBFULLNAME": "Benji's tests", "DEBEMAIL": "tests@debian.org"})
    found = list(place.glob("benji_*.deb"))
    if made.returncode != 0 or len(found) != 1:
        raise Stop(f"scripts/deb.sh made no package: {made.stdout}{made.stderr}")
    return found[0]


@pytest.fixture(scope="module")
def contents(package):
    place = folder()
    run(["dpkg-deb", "-x", str(package), str(place)])
    return place


@pytest.fixture
def machine():
    with Machine() as made:
        yield made


def install(machine, package):
    machine.copy(package, "/tmp/benji.deb")
    return machine.run("dpkg", "--force-unsafe-io", "-i", "/tmp/benji.deb")


def later(package, version):
    """The same package under another version."""
    place = folder()
    run(["dpkg-deb", "-R", str(package), str(place / "tree")])
    control = place / "tree/DEBIAN/control"
    control.write_text(re.sub(r"^Version: .*$", f"Version: {version}", control.read_text(), flags=re.MULTILINE))
    run(["dpkg-deb", "--root-owner-group", "-Znone", "-b", str(place / "tree"), str(place / "later.deb")])
    return place / "later.deb"


def status_of(machine):
    """The package's state in dpkg, such as installed or config-files; empty if dpkg does not know it."""
    return machine.run("dpkg-query", "-W", "-f", "${db:Status-Status}", "benji").stdout


def owner(machine, path):
    return machine.run("stat", "-c", "%a %U:%G", path).stdout.strip()


def digest(machine, path):
    return hashlib.sha256(machine.path(path).read_bytes()).hexdigest()


class Service:
    """`benji serve` in the machine, as the unit's user, by the unit's command line, behind a wrapper such as strace."""

    def __init__(self, machine, *wrapper, user="benji"):
        self.machine = machine
        self.user = user
        line = next(line for line in UNIT.read_text().splitlines() if line.startswith("ExecStart="))
        self.command = [*wrapper, *line.removeprefix("ExecStart=").split()]
        self.process = None
        self.log = folder() / "log.txt"

    def ready(self):
        return self.machine.status(f"{ADMIN}/health/ready") == "200"

    def __enter__(self):
        is_restart = self.machine.path(f"{DATA}/directory.journal").exists()
        with open(self.log, "wb") as log:
            self.process = start(self.machine.words(*self.command, user=self.user), stdout=log, stderr=log,
                                 stdin=subprocess.DEVNULL)
        eventually(lambda: self.process.poll() is not None or self.ready(), 30)
        if is_restart:
            # Events dated in the second of a restart confirm no earlier session.
            time.sleep(1 - time.time() % 1)
        return self

    def stop(self):
        """Its status after SIGTERM."""
        self.machine.signal(self.process, "benji")
        try:
            return self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            return None

    def __exit__(self, *_):
        self.stop()
        end(self.process)


def log_in(machine, number, address, user="benji"):
    """Attaches a phone of that number at a free address and logs in at an app. Returns the last command."""
    secret = re.search(r"secret: (\S+)", machine.path(CONFIGURATION).read_text())[1]
    made = machine.run("benji", "app", "create", "-c", CONFIGURATION, "--name", "Shop", "--bundle", "com.example.shop",
                       "--json", user=user)
    app = first_json(made.stdout)
    if app is None:
        return made
    attached = machine.run("benji", "phone", "attach", "--gateway", "127.0.0.1:1813", "--secret", secret, "--address",
                           address,
                           "--number", number)
    if attached.returncode != 0:
        return attached
    return machine.run("benji", "phone", "login", "--server", "http://127.0.0.1:8080", "--app", app["id"], "--key",
                       app["key"],
                       "--bundle", "com.example.shop", "--from", address, "--json", "--yes")


def test_contents(checks, package, contents):
    version = run([binary(), "--version"]).stdout.strip()
    architecture = run(["dpkg", "--print-architecture"]).stdout.strip()
    checks.equal(package.name, f"benji_{version}_{architecture}.deb",
                 "the package is named by what benji --version says")
    said = run([require("lintian", "lintian"), "--allow-root", "--suppress-tags",
                "uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball", str(package)], 300,
               env=environment() | {"TMPDIR": str(folder())})
    checks.equal((said.returncode, said.stdout), (0, ""),
                 "lintian finds no error, gives no warning, and needs every override")
    paths = [run([require("readelf", "binutils"), "-d", str(file)]).stdout
             for file in [contents / "usr/bin/benji", *(contents / "usr/lib/benji").iterdir()]]
    found = {path for text in paths for path in re.findall(r"(?:RUNPATH|RPATH).*\[(.*)\]", text)}
    checks.equal(found, {"/usr/lib/benji"}, "programs and libraries look for the Swift runtime in /usr/lib/benji alone")
    names = {line.split()[0] for text in run([binary(), "--help"]).stdout.split("SUBCOMMANDS:")[1:]
             for line in text.splitlines()
             if re.match(r"  [a-z]", line)}
    page = run(["man", "--warnings", "-E", "UTF-8", "-l", str(contents / "usr/share/man/man1/benji.1.gz")],
               env=environment() | {"LC_ALL": "C.UTF-8", "MANWIDTH": "100"})
    checks.that(page.returncode == 0 and page.stderr == "", "the manual page has no fault that groff knows",
                page.stderr)
    checks.equal({name for name in names if not re.search(rf"^ +benji {name}\b", page.stdout, re.MULTILINE)}, set(),
                 "the manual page has every command")
    completed = run(["bash", "-c", ". " + str(contents / "usr/share/bash-completion/completions/benji") + """
        COMP_WORDS=(benji ser) COMP_CWORD=1 COMP_LINE='benji ser' COMP_POINT=9
        $(complete -p benji | sed 's/.*-F \\([^ ]*\\).*/\\1/') benji ser benji; echo "${COMPREPLY[@]}" """])
    checks.equal(completed.stdout.split(), ["serve"], "bash completes benji ser to benji serve")
    notices = run(["zcat", str(contents / "usr/share/doc/benji/notices.gz")]).stdout
    listed = [line.split("\t")[1] for line in (ROOT / "docs/bill-of-materials.tsv").read_text().splitlines()
              if line.startswith("swift\t")]
    checks.equal([name for name in [*listed, "the Swift runtime"] if f"==== {name}" not in notices], [],
                 "the licence of every package of Swift, and of the runtime, comes along")
    mistaken = [["--debug", "--program", "x"], ["--into"], ["--release"]]
    checks.equal([run([str(ROOT / "scripts/deb.sh"), *words]).returncode for words in mistaken], [1, 1, 1],
                 "scripts/deb.sh refuses what it does not understand")
    nothing = run([str(ROOT / "scripts/deb.sh"), "--program", "/no/such/benji", "--into", str(folder())])
    checks.that(nothing.returncode == 1 and "/no/such/benji is not there" in nothing.stderr,
                "and says which program is not there", nothing.stderr)


def exposure(unit, threshold=THRESHOLD):
    return run([require("systemd-analyze", "systemd"), "security", "--no-pager", "--offline=true",
                f"--threshold={threshold}", str(unit)])


def test_unit(checks, package):
    said = exposure(UNIT)
    rated = re.search(r"exposure level for benji.service: ([\d.]+) (\w+)", said.stdout)
    checks.that(said.returncode == 0 and rated and rated[2] == "OK", "systemd rates the unit's exposure as OK",
                said.stdout[-300:] + said.stderr)
    bare = folder() / "benji.service"
    bare.write_text("[Service]\nUser=benji\nExecStart=/usr/bin/benji serve -c /etc/benji/benji.yaml\n")
    checks.that(exposure(bare).returncode != 0, "a unit that only starts the program is over the threshold")
    with Machine() as machine:
        install(machine, package)
        verify = ("systemd-analyze", "verify", "--man=yes", "/lib/systemd/system/benji.service")

        def faults():
            # Units of other packages on this machine are not ours to judge.
            said = machine.run(*verify)
            return [line for line in (said.stdout + said.stderr).splitlines() if "benji" in line]

        checks.equal(faults(), [],
                     "systemd reads every line of the installed unit, finds the program and the manual page")
        drop_ins = re.findall(r"```ini\n(\[Service\].*?)```", operations(), re.DOTALL)
        place = machine.path("/etc/systemd/system/benji.service.d")
        place.mkdir(parents=True)
        for number, text in enumerate(drop_ins):
            (place / f"{number}.conf").write_text(text)
        checks.equal((len(drop_ins), faults()), (3, []), "and the drop-ins of install.md and keys.md")
        (place / "9.conf").write_text("[Service]\nLoadCredentials=a:b\n")
        checks.that(faults(), "a misspelt drop-in would be seen")
        (place / "9.conf").unlink()
        unit = machine.path("/lib/systemd/system/benji.service")
        unit.write_text(unit.read_text().replace("ProtectHome=", "ProtectHomes="))
        checks.that(any("ProtectHomes" in line for line in faults()), "a misspelt line would be seen", faults())


def test_system_calls(checks, package, machine):
    install(machine, package)
    permitted = allowed(UNIT)
    checks.that({"read", "socket", "setpriority"} <= permitted
                and not {"mount", "ptrace", "fchown", "bpf", "setuid"} & permitted,
                "the unit's filter is read as systemd reads it", sorted(permitted))
    with Service(machine, "strace", "-f", "-qq", "-c", "-S", "name", "-U", "name", "-o", "/tmp/calls") as service:
        traced = log_in(machine, "13900000005", "127.8.0.5")
        checks.that(traced.returncode == 0 and first_json(traced.stdout), "a login is traced",
                    traced.stdout + traced.stderr + service.log.read_text())
    calls = set(re.findall(r"^(\w+)$", machine.path("/tmp/calls").read_text(), re.MULTILINE)) - {"syscall", "name",
                                                                                                 "total"}
    checks.that({"setsockopt", "recvmsg", "fdatasync", "openat"} <= calls,
                "the trace has what accounting and store must call", sorted(calls))
    # The program's own beginning is not under the filter yet: systemd sets it just before execve, which is in it.
    checks.equal(sorted(calls - permitted), [], "the unit's filter lets through every system call of the service")

    machine.copy(ROOT / "Tests/System/support/confine.py", "/tmp/confine.py")
    machine.copy(UNIT, "/tmp/benji.service")
    confined = ("/usr/bin/python3", "/tmp/confine.py", "/tmp/benji.service")
    killed = machine.run(*confined, "/usr/bin/setpriv", "--reuid=benji", "--clear-groups", "/bin/true")
    # 128 and SIGSYS.
    checks.that(killed.returncode in (159, -31), "a program that calls what the unit forbids is killed", str(killed))
    for address in ("AF_PACKET", "AF_INET"):
        opened = machine.run(*confined, "/usr/bin/python3", "-c",
                             f"import socket; socket.socket(socket.{address}, socket.SOCK_DGRAM)")
        checks.equal(opened.returncode == 0, address == "AF_INET", f"{address} is as the unit says")
    with Service(machine, *confined) as service:
        lived = log_in(machine, "13900000006", "127.8.0.6")
        checks.that(lived.returncode == 0 and first_json(lived.stdout),
                    "under the filter, where a forbidden call kills, a phone logs in",
                    lived.stdout + lived.stderr + service.log.read_text())
        log = service.log.read_text()
        checks.that("listening for accounting" in log and " error " not in log,
                    "the kernel's filter of strangers and the buffer of accounting are set under it", log)
        warnings = machine.run("curl", "-s", f"{ADMIN}/health/ready").stdout
        checks.that("filter" not in warnings, "and readiness misses no filter", warnings)
        checks.equal(service.stop(), 0, "it stops in order at SIGTERM")


def test_install_to_purge(checks, package, machine):
    done = install(machine, package)
    checks.that(done.returncode == 0 and status_of(machine) == "installed" and "deb-systemd" not in done.stderr,
                "the package installs where no systemd runs", done.stdout + done.stderr)
    user = machine.run("getent", "passwd", "benji").stdout.strip().split(":")
    checks.that(len(user) == 7 and 0 < int(user[2]) < 1000 and user[5:] == [DATA, "/usr/sbin/nologin"],
                "the system user benji is there", user)
    checks.equal({path: owner(machine, path) for path in ("/etc/benji", CONFIGURATION, DATA)},
                 {"/etc/benji": "750 root:benji", CONFIGURATION: "640 root:benji", DATA: "700 benji:benji"},
                 "the configuration is root's and may be read by benji, the data directory is benji's alone")
    configuration = machine.path(CONFIGURATION).read_text()
    secret = re.search(r"^ +secret: ([0-9a-f]{48})$", configuration, re.MULTILINE)
    checks.that(secret and "change-me" not in configuration, "the configuration has a random secret for RADIUS",
                configuration[:900])
    checks.that(secret and secret[1] not in done.stdout + done.stderr, "which the installation does not print")
    version = machine.run("benji", "--version")
    checks.equal((version.returncode, version.stdout), (0, run([binary(), "--version"]).stdout),
                 "benji runs without the compiler's folders")
    check = machine.run("benji", "serve", "--check", "-c", CONFIGURATION, user="benji")
    checks.that(check.returncode == 0 and "everybody on the machine" not in check.stdout + check.stderr,
                "benji serve --check takes the installed configuration as it is", check.stdout + check.stderr)
    machine.run("systemctl", "enable", "benji")
    checks.that(machine.path("/etc/systemd/system/multi-user.target.wants/benji.service").is_symlink(),
                "the service can be enabled")

    with Service(machine) as service:
        checks.that(service.ready(), "benji serve starts as benji, and readiness says so", service.log.read_text())
        logged = log_in(machine, "13900000007", "127.8.0.7")
        checks.that(logged.returncode == 0 and first_json(logged.stdout), "a phone logs in",
                    logged.stdout + logged.stderr)
        checks.equal(service.stop(), 0, "the service stops at SIGTERM")
    doctor = machine.run("benji", "doctor", "-c", CONFIGURATION, "--json", user="benji")
    wrong = [each for each in json.loads(doctor.stdout) if each["verdict"] == "wrong"]
    checks.that(doctor.returncode == 0 and not wrong, "benji doctor finds nothing wrong", doctor.stdout + doctor.stderr)

    edited = machine.path(CONFIGURATION)
    edited.write_text(edited.read_text().replace("interim: 300", "interim: 600"))
    machine.path("/etc/benji/tls.key").write_text("an operator's own\n")
    kept = {path: digest(machine, path) for path in (CONFIGURATION, f"{DATA}/master.key", f"{DATA}/benji.sqlite")}

    def unchanged():
        return {path: digest(machine, path) for path in kept} == kept and owner(machine,
                                                                                CONFIGURATION) == "640 root:benji"

    new = install(machine, later(package, "99.0"))
    checks.that(new.returncode == 0 and machine.run("dpkg-query", "-W", "-f", "${Version}", "benji").stdout == "99.0",
                "a later version installs over it", new.stdout + new.stderr)
    checks.that(unchanged(), "an upgrade keeps configuration and data")
    with Service(machine) as service:
        checks.that(service.ready(), "and the service starts with them", service.log.read_text())
        listed = machine.run("benji", "app", "list", "-c", CONFIGURATION, user="benji")
        checks.that("Shop" in listed.stdout, "and knows its apps", listed.stdout + listed.stderr)
    kept = {path: digest(machine, path) for path in kept}

    gone = machine.run("dpkg", "-r", "benji")
    checks.that(gone.returncode == 0 and status_of(machine) == "config-files"
                and not machine.path("/usr/bin/benji").exists()
                and not machine.path("/usr/lib/benji").exists(), "removal takes program and runtime away",
                gone.stdout + gone.stderr)
    checks.that(unchanged(), "and keeps configuration and data")
    again = install(machine, package)
    checks.that(again.returncode == 0 and unchanged(), "installed again, it goes on with them",
                again.stdout + again.stderr)

    purged = machine.run("dpkg", "--purge", "benji")
    checks.that(purged.returncode == 0 and status_of(machine) in ("", "not-installed"), "purging works",
                purged.stdout + purged.stderr)
    checks.equal([file.name for file in machine.path("/etc/benji").iterdir()], ["tls.key"],
                 "it removes the configuration, and no file of the operator's")
    checks.that(digest(machine, f"{DATA}/master.key") == kept[f"{DATA}/master.key"] and f"kept {DATA}" in purged.stdout,
                "it keeps the master key and the database, and says where they are", purged.stdout)
    left = machine.run("find", "/etc", "/usr", "/lib/systemd", "/var/lib/systemd", "/var/cache", "-name", "*benji*",
                       "-not", "-path", "/etc/benji*").stdout
    checks.equal(left, "", "nothing else is left of it")


def test_purge_of_an_unused_package(checks, package, machine):
    install(machine, package)
    purged = machine.run("dpkg", "--purge", "benji")
    checks.that(purged.returncode == 0 and not machine.path("/etc/benji").exists() and not machine.path(DATA).exists(),
                "purged before it was ever started, it leaves neither configuration nor data directory",
                purged.stdout + purged.stderr)


def test_image(checks, package):
    place = folder()
    made = run([str(ROOT / "scripts/image.sh"), "--package", str(package), "--uncompressed", "--into", str(place)], 300)
    archives = list(place.iterdir())
    checks.that(made.returncode == 0 and [file.name for file in archives] == [package.stem + ".oci.tar"],
                "scripts/image.sh makes an image of the package, and nothing else", made.stdout + made.stderr)
    files, configuration = unpacked(archives[0])
    checks.equal({name: configuration[name] for name in ("Entrypoint", "Cmd", "User")},
                 {"Entrypoint": ["/usr/bin/benji"], "Cmd": ["serve", "-c", CONFIGURATION], "User": "65532:65532"},
                 "it runs benji serve as nobody in particular")
    checks.that(DATA in configuration["Volumes"] and {"8080/tcp", "1813/udp"} <= set(configuration["ExposedPorts"]),
                "it names its volume and its ports", configuration)
    checks.equal([name for name in ("bin", "usr/sbin", "usr/bin/sh", "usr/bin/perl", CONFIGURATION[1:])
                  if (files / name).exists()], [],
                 "it has no shell and no configuration")
    with Machine(files, configuration["Env"]) as machine:
        version = machine.run("/usr/bin/benji", "--version", user="65532")
        checks.equal((version.returncode, version.stdout), (0, run([binary(), "--version"]).stdout),
                     "everything that the program is linked to is in the image")
        example = machine.path("/usr/share/benji/benji.yaml").read_text()
        own = machine.path(CONFIGURATION)
        own.write_text(example.replace("change-me-to-sixteen-or-more", "a-secret-of-the-test-alone"))
        own.chmod(0o644)
        begun = machine.run("/usr/bin/benji", "init", user="65532")
        checks.that(begun.returncode == 0 and owner_id(machine.path(f"{DATA}/master.key")) == (65532, 0o600),
                    "benji init begins an installation in the volume", begun.stdout + begun.stderr)
        with Service(machine, user="65532") as service:
            checks.that(service.ready(), "benji serve starts, and readiness says so", service.log.read_text())
            logged = log_in(machine, "13900000008", "127.8.0.8", user="65532")
            checks.that(logged.returncode == 0 and first_json(logged.stdout), "a phone logs in",
                        logged.stdout + logged.stderr)
            checks.equal(service.stop(), 0, "it stops in order at SIGTERM")


def owner_id(path):
    found = path.stat()
    return found.st_uid, found.st_mode & 0o777
