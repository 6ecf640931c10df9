"""A server whose clock of the day jumps when a test says so."""

import struct

from .checks import folder
from .preload import library, shared_page


class JumpingClock:
    """Makes a server read the machine's time and an offset. For a server that does not run yet."""

    def __init__(self, server):
        offset = folder() / "offset"
        self._page = shared_page(offset)
        server.environment |= {"LD_PRELOAD": str(library("clock.c")), "CLOCK_OFFSET": str(offset)}

    def jump_to(self, seconds):
        """From now on the server's clock is the machine's and so many seconds."""
        self._page[:8] = struct.pack("=q", seconds)
