"""The content of a folder after a power cut, from the record that disk.c keeps of a program's writes and syncs.

The disk promises no more than POSIX. Bytes are kept once a sync of their file has succeeded that began after they were
written. A name is kept once a sync of its folder has. Of everything else any part may be there, in whole sectors, or
nothing. Data that waited when a sync failed is gone, although the running system still shows it. Linux treats pages
that it could not write in this way.
"""

import struct
from dataclasses import dataclass, replace
from pathlib import Path

from .checks import folder
from .preload import preload, shared_page

HONEST, LYING, FAILING_SYNC, READ_ONLY, IGNORING = range(5)
SECTOR = 512
HEAD = struct.Struct("<QQqII")
# Shared memory of SQLite's, which is not on any disk.
NOT_KEPT = ("-shm",)


class DiskRecorder:
    """Makes a server run on a disk with a memory."""

    def __init__(self, server):
        self.server = server
        own = folder()
        self.log = own / "disk.log"
        control = own / "control"
        self._control = shared_page(control)
        server.data.mkdir(mode=0o700, exist_ok=True)
        server.environment |= {"LD_PRELOAD": preload("disk.c"), "DISK_FOLDER": str(server.data.resolve()),
                               "DISK_LOG": str(self.log), "DISK_CONTROL": str(control)}

    def behave(self, mode):
        """From the next call on: HONEST; LYING, syncs succeed and do nothing; FAILING_SYNC; READ_ONLY; IGNORING, writes
        succeed and do nothing. The last plays a program that does not look at the result of a write."""
        self._control[0] = mode

    def begin(self):
        """Forgets the record: the present content of the folder counts as kept. For a server that does not run."""
        self.log.unlink(missing_ok=True)
        return Disk.of(self.server.data)

    def records(self):
        return read(self.log)

    def restore(self, files):
        """Replaces the folder's content by that after a power cut. For a server that does not run."""
        for path in self.server.data.iterdir():
            path.unlink()
        write_files(files, self.server.data)


@dataclass
class Record:
    microseconds: int
    kind: str
    file: int
    offset: int
    data: bytes


def read(path):
    """All whole records of a log."""
    data, place, records = Path(path).read_bytes(), 0, []
    while place + HEAD.size <= len(data):
        at, file, offset, length, kind = HEAD.unpack_from(data, place)
        place += HEAD.size
        if place + length > len(data):
            break
        records.append(Record(at // 1000, chr(kind), file, offset, data[place:place + length]))
        place += length
    return records


def write_files(files, target):
    target.mkdir(mode=0o700, exist_ok=True)
    for path, content in files.items():
        copy = target / Path(path).name
        copy.write_bytes(content)
        copy.chmod(0o600)


def change(content, record, upto=None):
    """Applies a write, or its first bytes, or a truncation."""
    if record.kind == "T":
        del content[record.offset:]
        content.extend(bytes(record.offset - len(content)))
        return
    data = record.data if upto is None else record.data[:upto]
    if len(content) < record.offset:
        content.extend(bytes(record.offset - len(content)))
    content[record.offset:record.offset + len(data)] = data


class Disk:
    """Names and contents that are safe, and what waits for a sync."""

    def __init__(self):
        self.names = {}  # path -> file
        self.contents = {}  # file -> bytes that a sync has covered
        self.waiting = {}  # file -> changes that none has
        self.live = {}  # inode -> file; an inode is another file's after the first is gone
        self.waiting_names = []
        self.syncs = {}  # number of a sync under way -> what it will cover

    @staticmethod
    def of(path):
        disk = Disk()
        for file in Path(path).resolve().iterdir():
            if not file.name.endswith(NOT_KEPT):
                number = file.stat().st_ino
                disk.names[str(file)], disk.contents[number] = number, bytearray(file.read_bytes())
        return disk

    def apply(self, record):
        if record.kind in "WT":
            self.waiting.setdefault(self.live.get(record.file, record.file), []).append(record)
        elif record.kind in "CRU":
            if record.kind == "C":
                new = self.live[record.file] = -1 - len(self.contents)
                self.contents[new] = bytearray()
                record = replace(record, file=new)
            self.waiting_names.append(record)
        elif record.kind == "B":
            number = self.live.get(record.offset, record.offset)
            self.syncs[record.file] = (number, list(self.waiting.get(number, ())))
        elif record.kind == "D":
            self.syncs[record.file] = (None, list(self.waiting_names))
        elif record.kind in "EF":
            self.end_sync(*self.syncs.pop(record.file), record.kind == "E")

    def end_sync(self, number, covered, succeeded):
        ids = set(map(id, covered))
        if number is None:
            # A folder's names are in the file system's own journal: they wait for the next sync that succeeds.
            if succeeded:
                for record in covered:
                    rename(self.names, record)
                self.waiting_names = [record for record in self.waiting_names if id(record) not in ids]
            return
        if succeeded:
            content = self.contents.setdefault(number, bytearray())
            for record in self.waiting.get(number, ()):
                if id(record) in ids:
                    change(content, record)
        self.waiting[number] = [record for record in self.waiting.get(number, ()) if id(record) not in ids]

    def cut(self, chance=None):
        """The content if the power goes now: {path: content}. Only safe data. With `chance`, a random.Random, also some
        that waits: by file all up to a moment, or any of it, torn at a sector."""
        names = dict(self.names)
        if chance:
            for record in self.waiting_names[:chance.randint(0, len(self.waiting_names))]:
                rename(names, record)
        files = {}
        for path, number in names.items():
            if path.endswith(NOT_KEPT):
                continue
            content = bytearray(self.contents.get(number, b""))
            waiting = self.waiting.get(number, [])
            if chance and waiting:
                in_order = chance.random() < 0.5
                kept = waiting[:chance.randint(0, len(waiting))] if in_order else \
                    [record for record in waiting if chance.random() < 0.5]
                for record in kept:
                    torn = chance.random() < 0.2 and record.kind == "W"
                    change(content, record, chance.randrange(0, len(record.data) + 1, SECTOR) if torn else None)
            files[path] = bytes(content)
        return files


def rename(names, record):
    """Applies a change of names."""
    text = record.data.decode()
    if record.kind == "C":
        names[text] = record.file
    elif record.kind == "U":
        names.pop(text, None)
    else:
        source, target = text.split("\n")
        if source in names:
            names[target] = names.pop(source)


def cuts(disk, records, moments, chance):
    """(microseconds, files) for each moment, an index of a record: the content if the power goes after it. Half of them
    keep nothing that was not safe."""
    wanted = sorted(moments)
    for index, record in enumerate(records):
        disk.apply(record)
        while wanted and wanted[0] == index:
            wanted.pop(0)
            until = records[index + 1].microseconds if index + 1 < len(records) else record.microseconds
            yield until, disk.cut(chance if chance.random() < 0.5 else None)


def self_test(checks):
    """The data that the disk must keep and must lose, record by record."""

    def made(*kinds):
        return [Record(at, kind, file, offset, data) for at, (kind, file, offset, data) in enumerate(kinds)]

    def left(*kinds):
        disk = Disk()
        for record in made(*kinds):
            disk.apply(record)
        return disk.cut()

    born = (("C", 7, 0, b"/d/a"), ("D", 1, 1, b""), ("E", 1, 0, b""))
    first, second = ("W", 7, 0, b"one"), ("W", 7, 3, b"two")
    sync, done, failed = ("B", 2, 7, b""), ("E", 2, 0, b""), ("F", 2, 0, b"")
    for kinds, wanted, sentence in (
            ((*born, first, sync, done), {"/d/a": b"one"}, "keeps what a sync covered"),
            ((*born, first), {"/d/a": b""}, "loses what no sync covered"),
            ((*born, first, sync), {"/d/a": b""}, "loses what a sync under way has not finished"),
            ((*born, first, sync, second, done), {"/d/a": b"one"}, "loses what was written after the sync began"),
            ((*born, first, sync, failed, ("B", 3, 7, b""), ("E", 3, 0, b"")), {"/d/a": b""},
             "loses what a failed sync covered, although the next one succeeds"),
            ((("C", 7, 0, b"/d/a"), first, sync, done), {}, "loses a name whose folder was never synced"),
            ((*born, first, sync, done, ("R", 0, 0, b"/d/a\n/d/b")), {"/d/a": b"one"}, "keeps the old name until then"),
            ((*born, first, sync, done, ("T", 7, 1, b"")), {"/d/a": b"one"}, "takes back a truncation without a sync")):
        checks.equal(left(*kinds), wanted, f"the disk model {sentence}")
