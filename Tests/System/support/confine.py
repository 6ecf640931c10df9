"""Runs a program under the filter of system calls that a systemd unit describes, and kills it at the first call that
the unit forbids.

    confine.py UNIT COMMAND...

It is a program of its own because libseccomp's module belongs to Debian's Python. `allowed` is what tests compare a
trace with. """

import os
import re
import subprocess
import sys

FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10, "AF_NETLINK": 16}
# Protections of memory (mman.h).
WRITE, EXECUTE = 2, 4


def settings(unit, name):
    """The words of every line that sets `name`, line by line."""
    with open(unit) as file:
        return [line.split() for line in re.findall(rf"^{name}=(.*)$", file.read(), re.MULTILINE)]


def groups():
    """systemd's sets of system calls: what each one names."""
    found, name = {}, None
    for line in subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager"], check=True, capture_output=True,
                               text=True).stdout.splitlines():
        if line.startswith("@"):
            name = line.strip()
            found[name] = []
        elif name and line.startswith(" ") and not line.strip().startswith("#"):
            found[name].append(line.strip())
        elif not line.startswith(" "):
            # An empty line, or the calls of the kernel that are in no set.
            name = None
    return found


def allowed(unit):
    """The names of the system calls that the unit's SystemCallFilter= lets through; the first line is an allow list
    (systemd.exec(5))."""
    known = groups()

    def members(name):
        return {name} if not name.startswith("@") else {call for each in known[name] for call in members(each)}

    # @default is in every allow list.
    result = members("@default")
    for words in settings(unit, "SystemCallFilter"):
        without = words[0].startswith("~")
        words[0] = words[0].lstrip("~")
        named = {call for word in words for call in members(word)}
        result = result - named if without else result | named
    return result


def main():
    import seccomp

    unit, command = sys.argv[1], sys.argv[2:]
    rules = seccomp.SyscallFilter(defaction=seccomp.KILL_PROCESS)
    special = {
        "socket": [[seccomp.Arg(0, seccomp.EQ, FAMILIES[family])]
                   for family in settings(unit, "RestrictAddressFamilies")[0]],
        # MemoryDenyWriteExecute=
        "mmap": [[seccomp.Arg(2, seccomp.MASKED_EQ, WRITE | EXECUTE, bits)] for bits in (0, WRITE, EXECUTE)],
        "mprotect": [[seccomp.Arg(2, seccomp.MASKED_EQ, EXECUTE, 0)]],
    }
    if settings(unit, "MemoryDenyWriteExecute") != [["yes"]]:
        sys.exit(f"{unit} has no MemoryDenyWriteExecute=yes, which this program assumes")
    for name in allowed(unit):
        if seccomp.resolve_syscall(seccomp.Arch(), name) < 0:
            continue  # of another architecture
        for conditions in special.get(name, [[]]):
            rules.add_rule(seccomp.ALLOW, name, *conditions)
    rules.load()
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
