"""Libraries of C for LD_PRELOAD, and the pages by which a script steers them."""

import concurrent.futures
import itertools
import mmap
import os
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


def preload(source):
    """LD_PRELOAD with the library of a file beside this one, and what this process has in it."""
    return ":".join([str(library(source)), *filter(None, [os.environ.get("LD_PRELOAD")])])


def every_moment(attempt, at_once=3):
    """`attempt(n)` with a program that moment.c kills before its nth step, until it is not killed any more. An attempt
    returns whether the program was killed, and the findings then; all of these pairs.
    """
    given = []
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        for first in itertools.count(1, at_once):
            given += pool.map(attempt, range(first, first + at_once))
            if not all(killed for killed, _ in given[-at_once:]):
                return given


def shared_page(path):
    """A new file of one page of zeros, mapped: the library sees writes to it at once."""
    path.write_bytes(bytes(mmap.PAGESIZE))
    with open(path, "r+b") as file:
        return mmap.mmap(file.fileno(), mmap.PAGESIZE)
