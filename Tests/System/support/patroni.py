"""Three nodes of PostgreSQL under Patroni and etcd, by the files of docs/operations.md. Only folders are others."""

import functools
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

from .checks import Stop, children, eventually, folder, require, run, start
from .link import blocks
from .postgres import AS_POSTGRES, program

NAMES = ("db-1", "db-2", "db-3")


def block(language, words):
    found = [text for text in blocks(language) if words in text]
    if len(found) != 1:
        raise Stop(f"docs/operations.md has {len(found)} blocks of {language} with {words}")
    return found[0]


def find(pattern):
    return re.search(pattern, (Path(__file__).parents[3] / "docs/operations.md").read_text())


class Member:
    """A machine of the page: its etcd, its Patroni and the PostgreSQL under it.

    `inside` is what a thread enters to be on it."""

    def __init__(self, name, place, inside):
        self.name, self.inside = name, inside
        self.folder = place / name
        self.folder.mkdir()
        self.etcd = self.patroni = None
        if AS_POSTGRES:
            shutil.chown(self.folder, "postgres", "postgres")

    def text(self, language, words):
        """The first machine's file as this one has it."""
        written = block(language, words).replace("/var/lib/etcd/benji", f"{self.folder}/etcd").replace(
            "/var/lib/postgresql/15/benji", f"{self.folder}/data").replace("/usr/lib/postgresql/15/bin", str(Path(program("postgres")).parent)).replace(
            "/var/run/postgresql", str(self.folder))
        return re.sub(r"^(?!.*(?:INITIAL_CLUSTER=|etcd:))(.*)$",
                     lambda line: line[1].replace("db-1", self.name).replace("10.0.0.11", f"10.0.0.1{self.name[-1]}"), written, flags=re.MULTILINE)

    def start(self):
        with self.inside():
            self.start_here()

    def start_here(self):
        settings = dict(re.findall(r'^(ETCD_\w+)="(.*)"$', self.text("ini", "ETCD_NAME"), re.MULTILINE))
        with open(self.folder / "etcd.log", "ab") as log:
            self.etcd = start([*AS_POSTGRES, require("etcd", "etcd-server")], stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder,
                              env={"PATH": os.environ["PATH"], **settings})
        configuration = self.folder / "config.yml"
        configuration.write_text(self.text("yaml", "scope: benji"))
        if AS_POSTGRES:
            shutil.chown(configuration, "postgres", "postgres")
        configuration.chmod(0o600)
        with open(self.folder / "patroni.log", "ab") as log:
            self.patroni = start([*AS_POSTGRES, require("patroni", "patroni"), str(configuration)], stdout=log, stderr=log,
                                 stdin=subprocess.DEVNULL, cwd=self.folder, env={"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C"})

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
        return "".join(f"{path.name}: {path.read_text(errors='replace')[-1200:]}\n" for path in self.folder.glob("*.log"))


class Patroni:
    """The cluster of the page, on machines with its addresses.

    `inside` enters a machine by its name; databases are made on the first authority's. `waits_for_none` is to be said of one that was
    configured so."""

    def __init__(self, inside):
        self.folder = folder()
        self.folder.chmod(0o755)
        self.inside, self.waits_for_none = inside, False
        self.members = [Member(name, self.folder, functools.partial(inside, name)) for name in NAMES]
        (password,) = find(r"`\*:5432:\*:benji:(.*?)`").groups()
        self.passwords = self.folder / "pgpass"
        self.passwords.write_text(f"*:5432:*:benji:{password}\n")
        self.passwords.chmod(0o600)

    @property
    def place(self):
        """As the setting store.postgres has it; with the file of the password, which is not this user's own."""
        (place,) = find(r'store: \{postgres: "(host=10.*?)"\}').groups()
        return f"{place} passfile={self.passwords}"

    def start(self):
        for member in self.members:
            member.start()
        if not eventually(self.stands, 90, pause=1):
            raise Stop("".join(f"{member.name}: {member.tail()}" for member in self.members))
        return self.create_database()

    def create_database(self):
        """As the page does."""
        with self.inside("authority-1"):
            made = run(["bash", "-euo", "pipefail", "-c", block("sh", "createdb --maintenance-db")], 30,
                       env=os.environ | {"PGPASSFILE": str(self.passwords)})
        if made.returncode != 0:
            raise Stop(f"createdb: {made.stdout}{made.stderr}")
        # A standby that does not have it yet ends an attempt to connect by saying so.
        if not eventually(lambda: all(self.psql(member, "SELECT 1", "benji").returncode == 0 for member in self.members), 20):
            raise Stop("a standby does not have the database")
        return self

    def drop_database(self):
        """With whatever an installation kept there."""
        dropped = self.psql(self.primary, "DROP DATABASE benji WITH (FORCE)")
        if dropped.returncode != 0:
            raise Stop(f"DROP DATABASE: {dropped.stderr}")

    def psql(self, member, sql, database="postgres"):
        return run([*AS_POSTGRES, program("psql"), "-h", str(member.folder), "-U", "postgres", "-d", database, "-qAtc", sql], 10,
                   env=os.environ | {"PGOPTIONS": "-c search_path=benji"})

    @property
    def primary(self):
        """The member that can be written to; `None` while there is none, or two that say so."""
        found = [member for member in self.members if self.psql(member, "SELECT pg_is_in_recovery()").stdout.strip() == "f"]
        return found[0] if len(found) == 1 else None

    def stands(self):
        """Whether there is one primary with both others behind it, one of which commits wait for."""
        primary = self.primary
        behind = primary and self.psql(primary, "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'").stdout.strip()
        return behind == "2" and (self.waits_for_none or self.synchronous() is not None)

    def synchronous(self):
        """The member that commits wait for."""
        primary = self.primary
        named = primary and self.psql(primary, "SELECT application_name FROM pg_stat_replication WHERE sync_state = 'sync'").stdout.strip()
        return next((member for member in self.members if member.name == named), None)

    def configure(self, settings):
        """Changes what the members agree on.
        :return: what Patroni says to it."""
        member = self.primary
        with member.inside():
            connection = http.client.HTTPConnection(f"10.0.0.1{member.name[-1]}", 8008, timeout=10)
            try:
                connection.request("PATCH", "/config", json.dumps(settings), {"Content-Type": "application/json"})
                return connection.getresponse().read().decode()
            finally:
                connection.close()

    def value(self, sql):
        """As support.apart.books asks."""
        return self.psql(self.primary, sql, "benji").stdout.strip()

    def stop(self):
        for member in self.members:
            member.kill9()
