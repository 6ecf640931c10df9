"""A server whose time of day jumps at a test's command."""

import os
import struct
from pathlib import Path

from .checks import folder
from .preload import library, shared_page


class JumpingClock:
    """Makes a server read the machine's time and an offset. For a server that does not run yet."""

    def __init__(self, server):
        offset = folder() / "offset"
        self._page = shared_page(offset)
        # scripts/shake.sh moves the clock of the tests by the same library, which needs to be there once.
        outer = os.environ.get("CLOCK_OFFSET")
        self._ahead = struct.unpack("=q", Path(outer).read_bytes()[:8])[0] if outer else 0
        self.jump_to(0)
        server.environment |= {"LD_PRELOAD": str(library("clock.c")), "CLOCK_OFFSET": str(offset)}

    def jump_to(self, seconds):
        """From now on the server's clock is that of the tests and so many seconds."""
        self._page[:8] = struct.pack("=q", seconds + self._ahead)
