"""A network of namespaces: each a machine of its own, joined by virtual cables (veth). Needs root and iproute2.

Every namespace is called benji-ID-NUMBER-NAME, where ID is this process's, so that several networks can stand at once.
All go away with the process; what a killed one left behind, the next one removes.
"""

import atexit
import contextlib
import ctypes
import itertools
import os
import re
import signal
import subprocess
from pathlib import Path

from .checks import Stop, require

PLACE = Path("/run/netns")
CLONE_NEWNET = 0x40000000
PREFIX = "benji-"
_numbers = itertools.count(1)
_libc = ctypes.CDLL(None, use_errno=True)


def require_network():
    """Stops with a clear sentence where such a network cannot be built."""
    if os.geteuid() != 0:
        raise Stop("this needs root, to make network namespaces: run it with sudo, or in a container with "
                   "CAP_SYS_ADMIN and CAP_NET_ADMIN")
    require("ip", "iproute2")
    require("nft", "nftables")
    if not os.path.exists("/dev/net/tun"):
        raise Stop("/dev/net/tun is missing, which carries the radio links: load the module tun, or give the device "
                   "to the container")
    probe = f"{PREFIX}{os.getpid()}-probe"
    made = _ip(f"netns add {probe}")
    if made.returncode != 0:
        raise Stop(f"the system refuses to make a network namespace: {made.stderr.strip()}")
    table = subprocess.run(
        ["nft", "-f", "-"], input="table ip probe { chain c { type nat hook postrouting priority 100; masquerade; }; }",
        capture_output=True, text=True, preexec_fn=lambda: _enter(probe))
    _ip(f"netns del {probe}")
    if table.returncode != 0:
        raise Stop("nft cannot translate addresses here; does the kernel have nf_tables and nf_nat? "
                   + table.stderr.strip())


def _ip(command, text=None):
    return subprocess.run(["ip", *command.split()], capture_output=True, text=True, input=text)


def _enter(name):
    with open(PLACE / name, "rb") as file:
        if _libc.setns(file.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"cannot enter the namespace {name}")


def remove_leftovers():
    """Removes namespaces of processes that run no more."""
    for path in PLACE.glob(f"{PREFIX}*") if PLACE.exists() else []:
        owner = re.match(rf"{PREFIX}(\d+)-", path.name)
        if owner and not Path(f"/proc/{owner[1]}").exists():
            for process in _ip(f"netns pids {path.name}").stdout.split():
                os.kill(int(process), signal.SIGKILL)
            _ip(f"netns del {path.name}")


class Network:
    """Machines by their short names; removed with the process at the latest."""

    def __init__(self):
        require_network()
        remove_leftovers()
        self.machines, self.number = [], next(_numbers)
        atexit.register(self.remove)

    def full(self, name):
        return f"{PREFIX}{os.getpid()}-{self.number}-{name}"

    def machine(self, name, *settings):
        """A machine with its loopback up. `settings` are sysctls, such as net.ipv4.ip_forward=1."""
        made = _ip(f"netns add {self.full(name)}")
        if made.returncode != 0:
            raise Stop(f"namespace {name}: {made.stderr}")
        self.machines.append(name)
        self.ip(name, "link set lo up")
        # These cables have no other machines: no waiting for duplicate addresses, no automatic addresses.
        for setting in ("net.ipv6.conf.default.accept_dad=0", "net.ipv6.conf.default.accept_ra=0",
                        "net.ipv6.conf.default.autoconf=0", *settings):
            self.set(name, setting)

    def router(self, name, *settings):
        self.machine(name, "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1", *settings)

    def set(self, name, setting):
        key, value = setting.split("=")
        with self.inside(name):
            Path("/proc/sys", key.replace(".", "/")).write_text(value)

    def ip(self, name, *commands, version=4):
        """`ip` commands on one machine. `version` counts where a command does not name an address."""
        done = _ip(f"-n {self.full(name)} {'-6 ' if version == 6 else ''}-batch -", "\n".join(commands) + "\n")
        if done.returncode != 0:
            raise Stop(f"{name}: ip {' / '.join(commands)}: {done.stderr.strip()}")

    def asks_ip(self, name, command):
        """The output of an `ip` command on one machine."""
        return _ip(f"-n {self.full(name)} {command}").stdout

    def cable(self, one, its_port, other, others_port):
        """Joins two machines; the ports have no address yet."""
        self.ip(one, f"link add {its_port} type veth peer name {others_port} netns {self.full(other)}",
                f"link set {its_port} up")
        self.ip(other, f"link set {others_port} up")

    def nft(self, name, rules):
        with self.inside(name):
            done = subprocess.run(["nft", "-f", "-"], input=rules, capture_output=True, text=True)
        if done.returncode != 0:
            raise Stop(f"{name}: nft: {done.stderr}")

    def counted(self, name, counter):
        """Packets that a named counter of nft has seen, given as `family table counter`."""
        with self.inside(name):
            listed = subprocess.run(["nft", "list", "counter", *counter.split()], capture_output=True, text=True).stdout
        return int(re.search(r"packets (\d+)", listed)[1])

    @contextlib.contextmanager
    def inside(self, name):
        """Sockets and programs that this thread opens or starts here are on that machine and stay there."""
        with open("/proc/thread-self/ns/net", "rb") as before:
            _enter(self.full(name))
            try:
                yield
            finally:
                if _libc.setns(before.fileno(), CLONE_NEWNET) != 0:
                    os._exit(70)  # a thread on the wrong machine would make everything after it a lie

    def move_to(self, name):
        """This thread, and what it starts from now on, stands on that machine to the end."""
        _enter(self.full(name))

    def remove(self):
        for name in self.machines:
            _ip(f"netns del {self.full(name)}")
        self.machines = []
