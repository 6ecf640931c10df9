"""A PostgreSQL of a test's own: in a folder of its own, on a socket there and nowhere else, durable as in production."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

from .checks import Stop, children, end, eventually, folder, run, start

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
    def __init__(self, source=None, place=None):
        """A new one, or a standby that follows `source`, which must run; in a folder of its own, or in that of one that is gone."""
        self.folder = place or folder()
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        self.data, self.log = self.folder / "data", self.folder / "log.txt"
        self.process = None
        if AS_POSTGRES:
            # The folder above is this user's alone; its socket is for both.
            shutil.chown(self.folder, "postgres", "postgres")
        self.folder.chmod(0o755)
        if source:
            made = run([*AS_POSTGRES, program("pg_basebackup"), "-D", str(self.data), "-X", "stream", "-c", "fast", "-R",
                        "-d", f"host={source.folder} user=benji application_name=standby"])
        else:
            made = run([*AS_POSTGRES, program("initdb"), "-D", str(self.data), "-A", "trust", "-U", "benji", "-E", "UTF8", "--locale=C"])
        if made.returncode != 0:
            raise Stop(f"{self.data} was not made: {made.stdout}{made.stderr}")

    @property
    def place(self):
        """As the setting store.postgres has it."""
        return f"host={self.folder} dbname=benji user=benji"

    def start(self):
        with open(self.log, "ab") as log:
            self.process = start(
                [*AS_POSTGRES, program("postgres"), "-D", str(self.data), "-k", str(self.folder), "-c", "listen_addresses="],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        if not eventually(lambda: self.psql("SELECT 1", "postgres").returncode == 0, 30):
            raise Stop(f"PostgreSQL is not ready: {self.log.read_text()[-1500:]}")
        return self

    def create(self):
        made = self.psql("CREATE DATABASE benji", "postgres")
        if made.returncode != 0:
            raise Stop(f"CREATE DATABASE: {made.stderr}")

    def psql(self, sql, database="benji"):
        return run([program("psql"), "-h", str(self.folder), "-U", "benji", "-d", database, "-qAtc", sql], 20)

    def value(self, sql):
        return self.psql(sql).stdout.strip()

    def waits_for_standby(self):
        """From now on no commit is answered before the standby has it."""
        for sql in ("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"):
            self.psql(sql, "postgres")
        if not eventually(lambda: self.psql("SELECT sync_state FROM pg_stat_replication", "postgres").stdout.strip() == "sync", 20):
            raise Stop("the standby does not follow")

    def promote(self):
        done = run([*AS_POSTGRES, program("pg_ctl"), "promote", "-D", str(self.data), "-w", "-t", "20"])
        if done.returncode != 0:
            raise Stop(f"pg_ctl promote: {done.stdout}{done.stderr}")

    def signal_all(self, number, named=""):
        """A signal to all of its processes, or to those whose title has a word. The first of them first, so that it starts no others."""
        everybody = [self.process.pid, *children(self.process.pid)]
        for each in everybody:
            try:
                if named in Path(f"/proc/{each}/cmdline").read_bytes().replace(b"\0", b" ").decode():
                    os.kill(each, number)
            except (FileNotFoundError, ProcessLookupError):
                pass

    def pause(self):
        self.signal_all(signal.SIGSTOP)

    def resume(self):
        self.signal_all(signal.SIGCONT)

    def kill9(self):
        """As if its machine were gone: none of its processes says goodbye."""
        self.pause()
        self.signal_all(signal.SIGKILL)
        self.process.wait(timeout=20)

    def stop_at_once(self):
        """As a crash: nothing is written back."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(timeout=20)

    def stop(self):
        if self.process is not None:
            end(self.process, ((signal.SIGINT, 10), (signal.SIGKILL, 5)))
