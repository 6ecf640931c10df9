"""A server whose clock of the day jumps when a test says so."""

import mmap
import struct
from pathlib import Path

from .checks import Stop, folder, require, run


class JumpingClock:
    """Makes a server read the machine's time and an offset. For a server that does not run yet."""

    def __init__(self, server):
        own = folder()
        library, offset = own / "clock.so", own / "offset"
        made = run([require("gcc", "gcc"), "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-o", str(library),
                    str(Path(__file__).with_name("clock.c"))])
        if made.returncode != 0:
            raise Stop(f"clock.c does not compile: {made.stderr}")
        offset.write_bytes(bytes(mmap.PAGESIZE))
        self._file = open(offset, "r+b")
        self._page = mmap.mmap(self._file.fileno(), mmap.PAGESIZE)
        self.seconds = 0
        server.environment |= {"LD_PRELOAD": str(library), "CLOCK_OFFSET": str(offset)}

    def jump_to(self, seconds):
        """From now on the server's clock is the machine's and so many seconds."""
        self._page[:8] = struct.pack("=q", seconds)
        self.seconds = seconds
