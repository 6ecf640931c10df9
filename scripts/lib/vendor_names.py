"""The vendors whose names stand in their own rooms only, for who looks for them in sources and for who looks in
programs."""

import re

# A name in lower case; "-" is where its parts are joined, with nothing, "_" or "-" between them. Then what must not
# stand before and behind it: "PhoneLogin", "phonePass" and "getuid" are no vendor's.
VENDORS = [
    ("ge-yan", "", ""),
    ("ge-tui", "", "d"),
    ("ge-xin", "", ""),
    ("gee-test", "", ""),
    ("one-login", "ph", ""),
    ("one-pass", "ph", ""),
    ("tyrz", "", ""),
    ("cm-passport", "", ""),
    ("super-id", "", ""),
    ("camara", "", ""),
    ("ali-yun", "", ""),
    ("yi-dun", "", ""),
    ("个推", "", ""),
    ("个验", "", ""),
    ("极验", "", ""),
    ("阿里云", "", ""),
    ("易盾", "", ""),
]


def in_text(name, before, behind):
    guard = (f"(?<!{before})" if before else "") + name.replace("-", "[_-]?")
    return guard + (f"(?!{behind})" if behind else "")


def pattern(*without):
    """The pattern that finds the names in sources and symbols, in any case, but for those of `without`."""
    return re.compile("|".join(in_text(*vendor) for vendor in VENDORS if vendor[0] not in without), re.I)


def in_bytes(name, before, behind):
    """The same in the bytes of a program: a short text stands in the instructions, eight bytes at a time, so no word is
    longer."""
    if not name.isascii():
        return re.escape(name.encode())
    found = []
    for joint in ("", "_") if "-" in name else ("",):
        word = name.replace("-", joint)
        # Four letters of any case are among any instructions.
        found.append(f"(?-i:{word}|{word.upper()}|{word.capitalize()})" if len(word) < 5 else word[:8])
    guard = f"(?<!{before})" if before else ""
    return f"{guard}(?:{'|'.join(found)}){f'(?!{behind})' if behind else ''}".encode()


BYTES = b"|".join(in_bytes(*vendor) for vendor in VENDORS)
