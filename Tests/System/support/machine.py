"""A machine without Benji: this system's files, or those of a folder, under a layer of its own (overlayfs). It has its
own processes and, unless told otherwise, its own loopback.

Folders of developers' machines, /opt, /work and the homes, are empty, and so are /run and /tmp. No systemd runs. No
mirror of Debian is needed; a package's dependencies are installed as far as `make setup` does. Needs root.
"""

import contextlib
import os
import shutil
import signal
from pathlib import Path

from .checks import Stop, children, end, eventually, folder, require, run, start

# Inside namespaces of its own: mounts, network, processes. The layer is in memory, because it must lie outside of what
# it covers.
SCRIPT = r"""
set -e
mount -t tmpfs -o mode=755 layer "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=$2,upperdir=$1/upper,workdir=$1/work" "$1/root"
mkdir -p "$1/root/run" "$1/root/tmp"
for place in opt work root home srv mnt media run tmp; do
    [ -d "$1/root/$place" ] || continue
    mount -t tmpfs -o mode=755 "$place" "$1/root/$place"
done
chmod 1777 "$1/root/tmp"
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
[ "$2" != / ] || rm -rf "$1/root/etc/benji" "$1/root/var/lib/benji"
# Whatever is installed, the index of all of this system's manual pages is left alone.
rm -f "$1/root/var/lib/man-db/auto-update"
ip link set lo up
touch "$1/root/run/standing"
exec sleep infinity
"""


class Machine:
    def __init__(self, base="/", environment=(), has_own_network=True):
        """- base: the folder whose files it has. - environment: NAME=VALUE, beside every machine's. - has_own_network:
          whether its loopback is its own, or that of the test's machine.
        """
        if os.geteuid() != 0:
            raise Stop("this needs root, to make a machine of namespaces: run it with sudo, or in a container with "
                       "CAP_SYS_ADMIN")
        require("ip", "iproute2")
        self.base = base
        self.environment = environment
        self.network = ["--net"] if has_own_network else []
        self.place = folder()
        self.log = self.place.with_suffix(".log")
        self.process = None
        self.inside = None

    def __enter__(self):
        with open(self.log, "w") as log:
            self.process = start(["unshare", "--mount", *self.network, "--pid", "--fork", "--kill-child",
                                  "--propagation", "private",
                                  "bash", "-c", SCRIPT, "machine", str(self.place), str(self.base)], stdout=log,
                                 stderr=log)

        def stands():
            if self.process.poll() is not None:
                raise Stop(f"no machine could be made: {self.log.read_text()}")
            below = children(self.process.pid)
            self.inside = below[0] if below else None
            with contextlib.suppress(OSError):
                return self.inside and Path(f"/proc/{self.inside}/comm").read_text().strip() == "sleep" and self.path(
                    "/run/standing").exists()

        if not eventually(stands, 20):
            raise Stop(f"the machine does not stand: {self.log.read_text()}")
        return self

    def __exit__(self, *_):
        # unshare takes no SIGTERM while it waits. What it started goes with it.
        end(self.process, ((signal.SIGKILL, 5),))
        self.log.unlink(missing_ok=True)

    def path(self, inside):
        """Where a file of the machine is seen from here."""
        return Path(f"/proc/{self.inside}/root{self.place}/root{inside}")

    def copy(self, file, inside):
        shutil.copy(file, self.path(inside))

    def words(self, *command, user=None):
        """The command line that runs a command in it, as root or as `user`, with an environment of its own."""
        return [*self.beside(require("chroot", "coreutils"), *([f"--userspec={user}:{user}"] if user else []),
                             f"{self.place}/root"), *map(str, command)]

    def beside(self, *command):
        """The command line that runs one of this system's programs in the machine's namespaces, with this system's
        files."""
        return ["nsenter", f"--target={self.inside}", "--mount", *self.network, "--pid", "env", "-i",
                "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", "HOME=/tmp", *self.environment, *map(str, command)]

    @staticmethod
    def signal(process, program, number=signal.SIGTERM):
        """Sends a signal to a program that was started by words(), through whatever waits for it there, such as nsenter
        and strace."""
        below = [process.pid]
        for each in below:
            below += children(each)
            with contextlib.suppress(OSError):
                if Path(f"/proc/{each}/comm").read_text().strip() == program:
                    os.kill(each, number)

    def run(self, *command, user=None, seconds=60):
        return run(self.words(*command, user=user), seconds)

    def status(self, url):
        """The HTTP status that its loopback answers with; 000 without an answer."""
        return run(self.beside(require("curl", "curl"), "-s", "-m", "2", "-o", "/dev/null", "-w", "%{http_code}",
                               url)).stdout
