"""Three nodes of PostgreSQL under Patroni and etcd, by the files of docs/operations/postgresql-nodes.md. Only folders
are others."""

import base64
import functools
import http.client
import json
import os
import re
import shlex
import shutil
import signal
import ssl
import subprocess
from types import SimpleNamespace

from .checks import Stop, children, eventually, folder, require, run, start
from .clock import JumpingClock
from .link import blocks, operations
from .postgres import AS_POSTGRES, program

NAMES = ("db-1", "db-2", "db-3")


def block(language, words):
    found = [text for text in blocks(language) if words in text]
    if len(found) != 1:
        raise Stop(f"docs/operations has {len(found)} blocks of {language} with {words}")
    return found[0]


def find(pattern):
    return re.search(pattern, operations())


def make_certificates(place):
    """db-ca.pem and each machine's certificate and key, by the page's openssl commands. They are valid from yesterday,
    for servers whose clocks jump."""
    text = block("sh", "db-ca.key")
    each = text[text.index("# For each machine"):]
    commands = text + "".join(each.replace("db-1", name).replace("10.0.0.11", f"10.0.0.1{name[-1]}")
                              for name in NAMES[1:])
    require("openssl", "openssl")
    openssl = SimpleNamespace(environment=dict(os.environ))
    JumpingClock(openssl).jump_to(-86_400)
    made = run(["bash", "-euo", "pipefail", "-c", commands], cwd=place, env=openssl.environment)
    if made.returncode != 0:
        raise Stop(f"openssl: {made.stdout}{made.stderr}")


class Member:
    """A machine of the page: its etcd, its Patroni and the PostgreSQL under it.

    `place` has the certificates, and the first machine's configuration of Patroni. `inside` is what a thread enters to
    be on it."""

    def __init__(self, name, place, inside):
        self.name, self.inside = name, inside
        self.address = f"10.0.0.1{name[-1]}"
        self.folder = place / name
        self.folder.mkdir()
        self.etcd = self.patroni = None
        for file in ("db-ca.pem", f"{name}.pem", f"{name}.key"):
            shutil.copy(place / file, self.folder)
        if AS_POSTGRES:
            for path in (self.folder, *self.folder.iterdir()):
                shutil.chown(path, "postgres", "postgres")
        self.settings = self.own(block("ini", "ETCD_NAME"))
        self.configuration = self.own((place / "config.yml").read_text())

    def own(self, text):
        """The first machine's file as this one has it. A line that names all machines is the same for each."""
        written = text.replace("/var/lib/etcd/benji", f"{self.folder}/etcd").replace(
            "/var/lib/postgresql/15/benji",
            f"{self.folder}/data").replace("/usr/lib/postgresql/15/bin", str(Path(program("postgres")).parent)).replace(
            "/var/run/postgresql", str(self.folder)).replace("/etc/ssl/benji", str(self.folder))
        return re.sub(r"^(?!.*(?:10\.0\.0\.12|/32))(.*)$",
                     lambda line: line[1].replace("db-1", self.name).replace("10.0.0.11", self.address), written,
                      flags=re.MULTILINE)

    def start(self):
        with self.inside():
            self.start_here()

    def start_here(self):
        settings = dict(re.findall(r'^(ETCD_\w+)="(.*)"$', self.settings, re.MULTILINE))
        with open(self.folder / "etcd.log", "ab") as log:
            self.etcd = start([*AS_POSTGRES, require("etcd", "etcd-server")], stdout=log, stderr=log,
                              stdin=subprocess.DEVNULL, cwd=self.folder,
                              env={"PATH": os.environ["PATH"], **settings})
        configuration = self.folder / "config.yml"
        configuration.write_text(self.configuration)
        if AS_POSTGRES:
            shutil.chown(configuration, "postgres", "postgres")
        configuration.chmod(0o600)
        with open(self.folder / "patroni.log", "ab") as log:
            self.patroni = start([*AS_POSTGRES, require("patroni", "patroni"), str(configuration)], stdout=log,
                                 stderr=log,
                                 stdin=subprocess.DEVNULL, cwd=self.folder,
                                 env={"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C"})

    def signal(self, number):
        """To all of the machine's processes, each before those that it has started.
        :return: whom it reached."""
        waiting = [process.pid for process in (self.etcd, self.patroni) if process is not None]
        waiting += self.postmaster()
        reached = []
        while waiting:
            each = waiting.pop(0)
            if each not in reached and self.reach(each, number):
                reached.append(each)
                waiting += children(each)
        return reached

    def postmaster(self):
        """PostgreSQL's first process, which is not Patroni's child for long. Its file may name one that is gone."""
        try:
            number = int((self.folder / "data/postmaster.pid").read_text().split("\n")[0])
            return [number] if str(self.folder).encode() in Path(f"/proc/{number}/cmdline").read_bytes() else []
        except (OSError, ValueError):
            return []

    @staticmethod
    def reach(process, number):
        try:
            os.kill(process, number)
        except ProcessLookupError:
            return False
        return True

    def kill9(self):
        """As if the machine lost its power."""
        for process in self.signal(signal.SIGSTOP):
            self.reach(process, signal.SIGKILL)
        for process in (self.etcd, self.patroni):
            if process is not None:
                process.wait(timeout=20)

    def pause(self):
        self.signal(signal.SIGSTOP)

    def resume(self):
        self.signal(signal.SIGCONT)

    def tail(self):
        return "".join(f"{path.name}: {path.read_text(errors='replace')[-1200:]}\n"
                       for path in self.folder.glob("*.log"))


class Patroni:
    """The cluster of the page, on machines with its addresses.

    `inside` enters a machine by its name; databases are made on the first authority's. `waits_for_none` is to be said
    of one that was configured so. `owns`: whether servers connect as the owner of the tables, for versions that know no
    serving role."""

    def __init__(self, inside, owns=False):
        self.folder = folder()
        self.folder.chmod(0o755)
        self.inside, self.owns, self.waits_for_none = inside, owns, False
        make_certificates(self.folder)
        made = run(["bash", "-euo", "pipefail", "-c",
                    block("sh", "scope: benji").replace("/etc/patroni", str(self.folder))])
        if made.returncode != 0:
            raise Stop(f"config.yml: {made.stdout}{made.stderr}")
        configuration = (self.folder / "config.yml").read_text()
        self.secrets = dict(re.findall(r'(?:username: )?(\w+)[:,] \{?password: "(.*?)"', configuration))
        self.members = [Member(name, self.folder, functools.partial(inside, name)) for name in NAMES]
        self.passwords = self.folder / "pgpass"
        self.passwords.write_text("".join(
            find(rf"`(\*:5432:\*:{role}:PASSWORD)`")[1].replace("PASSWORD", self.secrets[role]) + "\n"
            for role in ("benji", "benji_owner")))
        self.passwords.chmod(0o600)

    @property
    def place(self):
        """As the setting store.postgres has it; with the file of the password, which is not this user's own."""
        place = self.sample[2]
        return self.here(place.replace("user=benji ", "user=benji_owner ") if self.owns else place)

    @property
    def sample(self):
        """The settings of a node on the page: the serving role, then the database."""
        return find(r'store: \{serving-role: (\w+), postgres: "(host=10.*?)"\}')

    @property
    def store(self):
        """The settings of store, of a node."""
        return {"postgres": self.place} | ({} if self.owns else {"serving-role": self.sample[1]})

    def here(self, place):
        return f"{place} passfile={self.passwords}".replace("/etc/benji", str(self.folder))

    @property
    def as_owner(self):
        """The options of the owner's commands, as the page gives them."""
        if self.owns:
            return ()
        words = shlex.split(block("sh", "--set store.postgres=").replace("\\\n", " "))
        return tuple(self.here(word) if word.startswith("store.postgres=") else word
                     for word in words[words.index("--set"):])

    def start(self):
        for member in self.members:
            member.start()
        if not eventually(self.stands, 90, pause=1):
            raise Stop("".join(f"{member.name}: {member.tail()}" for member in self.members))
        return self.create_database()

    def create_database(self):
        """As the page does."""
        member = self.primary
        command = block("sh", "createdb --owner").replace("sudo -u postgres createdb", program("createdb"))
        made = run([*AS_POSTGRES, "bash", "-euo", "pipefail", "-c", command], 30,
                   env=os.environ | {"PGHOST": str(member.folder)})
        if made.returncode != 0:
            raise Stop(f"createdb: {made.stdout}{made.stderr}")
        # A standby that does not have it yet ends an attempt to connect by saying so.
        if not eventually(lambda: all(self.psql(member, "SELECT 1", "benji").returncode == 0
                                      for member in self.members), 20):
            raise Stop("a standby does not have the database")
        return self

    def drop_database(self):
        """With whatever an installation kept there."""
        dropped = self.psql(self.primary, "DROP DATABASE benji WITH (FORCE)")
        if dropped.returncode != 0:
            raise Stop(f"DROP DATABASE: {dropped.stderr}")

    def psql(self, member, sql, database="postgres"):
        return run([*AS_POSTGRES, program("psql"), "-h", str(member.folder), "-U", "postgres", "-d", database, "-qAtc",
                    sql], 10,
                   env=os.environ | {"PGOPTIONS": "-c search_path=benji"})

    @property
    def primary(self):
        """The member that can be written to; `None` while there is none, or two claim to be it."""
        found = [member for member in self.members
                 if self.psql(member, "SELECT pg_is_in_recovery()").stdout.strip() == "f"]
        return found[0] if len(found) == 1 else None

    def stands(self):
        """Whether there is one primary with both others behind it, one of which commits wait for."""
        primary = self.primary
        behind = primary and self.psql(
            primary, "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'").stdout.strip()
        return behind == "2" and (self.waits_for_none or self.synchronous() is not None)

    def synchronous(self):
        """The member that commits wait for."""
        primary = self.primary
        named = primary and self.psql(
            primary, "SELECT application_name FROM pg_stat_replication WHERE sync_state = 'sync'").stdout.strip()
        return next((member for member in self.members if member.name == named), None)

    def configure(self, settings, machine=None, has_certificate=True, has_password=True):
        """Changes what the members agree on, by the primary's REST API.
        :param machine: where the caller is, by its name; on the primary's if there is none.
        :return: status and text of Patroni's answer; 0 and the error if there is none."""
        member = self.primary
        headers = {"Content-Type": "application/json"}
        if has_password:
            headers["Authorization"] = "Basic " + base64.b64encode(
                f"patroni:{self.secrets['patroni']}".encode()).decode()
        context = ssl.create_default_context(cafile=f"{self.folder}/db-ca.pem")
        if has_certificate:
            context.load_cert_chain(f"{member.folder}/{member.name}.pem", f"{member.folder}/{member.name}.key")
        with self.inside(machine or member.name):
            connection = http.client.HTTPSConnection(member.address, 8008, timeout=10, context=context)
            try:
                connection.request("PATCH", "/config", json.dumps(settings), headers)
                answer = connection.getresponse()
                return answer.status, answer.read().decode()
            except OSError as error:
                return 0, str(error)
            finally:
                connection.close()

    def asked(self, machine, more=""):
        """The answer that a client on a machine receives over the network, with Benji's connection string and
        `more`."""
        with self.inside(machine):
            return run([program("psql"), f"{self.place} {more}", "-qAtc", "SELECT 'answered'"], 10)

    def value(self, sql):
        """As support.apart.books asks."""
        return self.psql(self.primary, sql, "benji").stdout.strip()

    def stop(self):
        for member in self.members:
            member.kill9()
