"""Libraries of C for LD_PRELOAD, and the pages by which a script steers them."""

import mmap
from pathlib import Path

from .checks import Stop, folder, require, run


def library(source):
    """The path of a library made from a file beside this one, such as disk.c."""
    path = (folder() / source).with_suffix(".so")
    made = run([require("gcc", "gcc"), "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-o", str(path),
                str(Path(__file__).with_name(source))])
    if made.returncode != 0:
        raise Stop(f"{source} does not compile: {made.stderr}")
    return path


def shared_page(path):
    """A new file of one page of zeros, mapped: what is written into it the library sees at once."""
    path.write_bytes(bytes(mmap.PAGESIZE))
    with open(path, "r+b") as file:
        return mmap.mmap(file.fileno(), mmap.PAGESIZE)
