"""A PostgreSQL of a test's own: in a folder of its own, on a socket there, durable as in production."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

from .checks import PATIENCE, Stop, end, eventually, folder, run, start

# It refuses to run as root.
AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []


def program(name):
    """A program of the newest PostgreSQL that is installed."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    found = folders[-1] / name if folders else shutil.which(name)
    if not found or not os.access(found, os.X_OK):
        raise Stop(f"{name} is missing; install it with: apt-get install postgresql")
    return str(found)


class Postgres:
    def __init__(self, port=None):
        """With a port it also listens on 127.0.0.1."""
        self.port = port
        self.folder = folder()
        self.data, self.log = self.folder / "data", self.folder / "log.txt"
        self.process = None
        if AS_POSTGRES:
            # The folder above is this user's alone; its socket is for both.
            shutil.chown(self.folder, "postgres", "postgres")
        self.folder.chmod(0o755)
        made = run([*AS_POSTGRES, program("initdb"), "-D", str(self.data), "-A", "trust", "-U", "benji", "-E", "UTF8",
                    "--locale=C"])
        if made.returncode != 0:
            raise Stop(f"{self.data} was not made: {made.stdout}{made.stderr}")

    @property
    def place(self):
        """As the setting store.postgres has it."""
        return self.place_of("benji")

    def place_of(self, database):
        """The same of another database."""
        return f"host={self.folder}{f' port={self.port}' if self.port else ''} dbname={database} user=benji"

    @property
    def settings(self):
        """The settings of store, for a server that waits for this database as long as tests do."""
        return {"postgres": self.place, "queue-timeout": int(PATIENCE), "answer-timeout": int(PATIENCE)}

    def start(self):
        listens = ["-c", "listen_addresses=127.0.0.1", "-p",
                   str(self.port)] if self.port else ["-c", "listen_addresses="]
        with open(self.log, "ab") as log:
            self.process = start(
                [*AS_POSTGRES, program("postgres"), "-D", str(self.data), "-k", str(self.folder), *listens],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        if not eventually(lambda: self.psql("SELECT 1", "postgres").returncode == 0):
            raise Stop(f"PostgreSQL is not ready: {self.log.read_text()[-1500:]}")
        return self

    def create(self):
        made = self.psql("CREATE DATABASE benji", "postgres")
        if made.returncode != 0:
            raise Stop(f"CREATE DATABASE: {made.stderr}")

    def psql(self, sql, database="benji"):
        return run([program("psql"), "-d", self.place_of(database), "-qAtc", sql])

    def value(self, sql):
        return self.psql(sql).stdout.strip()

    def stop_at_once(self):
        """As a crash: nothing is written back."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(PATIENCE)

    def stop(self):
        if self.process is not None:
            end(self.process, ((signal.SIGINT, PATIENCE), (signal.SIGKILL, PATIENCE)))
