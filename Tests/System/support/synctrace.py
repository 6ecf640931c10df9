"""Reads what strace saw of a server and says which answers left before their writes were safe.

The write that carries a success on a socket is the first one of the write-ahead log with the request's name (`msgid`).
The same transaction stores that name. The next sync of the log that begins afterwards must end well, and before the
answer begins. The transaction's last frame must have been written before that sync began.
"""

import re
from dataclasses import dataclass, field

# strace -f -y -s 4200, with these calls, into a file: each line begins with the thread.
CALLS = "fsync,fdatasync,write,writev,sendto,sendmsg,pwrite64"
COMMAND = ["strace", "-D", "-f", "-ttt", "-y", "-s", "4200", "-e", f"trace={CALLS}", "-e", "signal=none"]

LINE = re.compile(r"(\d+) +([\d.]+) (?:<\.\.\. (\w+) resumed>(.*)|(\w+)\((\d+)<([^>]*)>(.*))$", re.DOTALL)
SUCCESS = re.compile(r'inresponseto\\":\\"(\w+)\\".*?resultCode\\":\\"103000\\"')
FRAME_HEAD = 24
ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)
LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f"}


@dataclass
class Call:
    name: str
    path: str
    text: str
    began: int  # line
    ended: int | None = None
    result: str = ""


def calls(lines):
    """Every call with the lines where it began and ended; what the trace ends in the middle of has no end."""
    made, open_calls = [], {}
    for number, line in enumerate(lines):
        found = LINE.match(line.rstrip("\n"))
        if not found:
            continue
        thread, _, _, rest, name, _, path, text = found.groups()
        if name is None:
            call = open_calls.pop(thread, None)
            if call:
                call.ended, call.result = number, rest.rpartition(" = ")[2]
            continue
        call = Call(name, path, text, number)
        made.append(call)
        if text.endswith("<unfinished ...>"):
            open_calls[thread] = call
        else:
            call.ended, call.result = number, text.rpartition(" = ")[2]
    return made


def unescaped(text):
    """The bytes of strace's first string."""
    inside = re.match(r'[^"]*"((?:[^"\\]|\\.)*)"', text)
    if not inside:
        return b""
    return ESCAPE.sub(
        lambda found: bytes([int(found[1], 8)]) if found[1][:1].isdigit() else LETTERS.get(found[1], found[1]),
        inside[1].encode("latin-1", "replace"))


@dataclass
class Verdict:
    answers: int = 0
    syncs: int = 0
    faults: list = field(default_factory=list)


def judge(lines, log="benji.sqlite-wal"):
    """Every answered redemption of a trace, and those that no sync covered."""
    verdict = Verdict()
    writes, commits, syncs, answers = [], [], [], []
    for call in calls(lines):
        if call.path.endswith(log):
            if call.name in ("fsync", "fdatasync"):
                syncs.append(call)
            elif call.name == "pwrite64":
                writes.append(call)
                data = unescaped(call.text) if f", {FRAME_HEAD}, " in call.text else b""
                if len(data) == FRAME_HEAD and any(data[4:8]):
                    commits.append(call)
        elif found := SUCCESS.search(call.text):
            answers.append((found[1], call))
    verdict.answers, verdict.syncs = len(answers), len(syncs)
    for name, answer in answers:
        fault = uncovered(name, answer, writes, commits, syncs)
        if fault:
            verdict.faults.append(f"the answer to {name}, line {answer.began + 1}: {fault}")
    return verdict


def uncovered(name, answer, writes, commits, syncs):
    """The fault of an answer, or None."""
    carrier = next((write for write in writes if name in write.text and write.began < answer.began), None)
    if carrier is None:
        return "no write before it carries its name"
    if carrier.ended is None:
        return "the write that carries it had not ended"
    sync = next((sync for sync in syncs if sync.began > carrier.ended), None)
    if sync is None or sync.began > answer.began:
        return "no sync began between its write and the answer"
    if sync.ended is None or sync.ended > answer.began:
        return "the sync had not ended"
    if sync.result != "0":
        return f"the sync failed: {sync.result}"
    # The head of a transaction's last page says that it is the last, and is written right before that page.
    head = next((write for write in reversed(writes) if write.began < carrier.began), carrier)
    if not any(head.began <= commit.began < sync.began for commit in commits):
        return "the sync began before its transaction was complete"
    return None


def self_test(checks):
    """Traces that must be condemned, and traces that must not."""
    log, socket = "7</d/benji.sqlite-wal>", "9<socket:[1]>"
    page = f'pwrite64({log}, "..msg1..", 4096, 56) = 4096'
    head = f'pwrite64({log}, "\\0\\0\\0\\3\\0\\0\\0\\0saltsaltchecksum", 24, 32) = 24'
    last = f'pwrite64({log}, "\\0\\0\\0\\4\\0\\0\\0\\5saltsaltchecksum", 24, 4152) = 24'
    sync, answer = f"fdatasync({log}) = 0", (
        f'writev({socket}, [{{iov_base="{{\\"inresponseto\\":\\"msg1\\",\\"resultCode\\":\\"103000\\"}}"}}], 1) = 99')
    opened, closed = f"fdatasync({log} <unfinished ...>", "<... fdatasync resumed>) = 0"
    other = "fdatasync(8</d/benji.sqlite>) = 0"
    good = (1, head), (1, page), (1, last), (1, sync), (2, answer)
    at_end = (1, head), (1, page.replace("msg1", "msg0")), (1, last), (1, page), (1, sync), (2, answer)
    overlapping = (1, head), (1, page), (1, last), (1, opened), (2, "write(2<pipe:[3]>, \"x\", 1) = 1"), (1, closed), (
        2, answer)
    bad = (
        ("no sync at all", (1, head), (1, page), (1, last), (2, answer)),
        ("the sync follows the answer", (1, head), (1, page), (1, last), (2, answer), (1, sync)),
        ("the sync was before the write", (1, sync), (1, head), (1, page), (1, last), (2, answer)),
        ("the sync was of another file", (1, head), (1, page), (1, last), (1, other), (2, answer)),
        ("the sync failed", (1, head), (1, page), (1, last), (1, f"fdatasync({log}) = -1 EIO (Input/output error)"),
         (2, answer)),
        ("the first sync failed and a second did not", (1, head), (1, page), (1, last),
         (1, f"fdatasync({log}) = -1 EIO (Input/output error)"), (1, sync), (2, answer)),
        ("the sync was under way", (1, head), (1, page), (1, last), (1, opened), (2, answer), (1, closed)),
        ("the sync began during the write", (1, head), (1, last), (1, page.replace(" = 4096", " <unfinished ...>")),
         (3, sync),
         (1, "<... pwrite64 resumed>) = 4096"), (2, answer)),
        ("the transaction's end was not written", (1, head), (1, page), (1, sync), (1, last), (2, answer)),
        ("nothing was written", (1, sync), (2, answer)))

    def verdict(steps):
        return judge([f"{thread} 1.{number:06d} {text}" for number, (thread, text) in enumerate(steps)])

    for sentence, *steps in bad:
        said = verdict(steps)
        checks.that(said.answers == 1 and len(said.faults) == 1, f"the judge condemns a trace in which {sentence}",
                    said)
    for sentence, steps in (("written, synced, answered", good), ("the same in the transaction's last page", at_end),
                            ("the same with calls that overlap", overlapping)):
        said = verdict(steps)
        checks.that(said.answers == 1 and not said.faults, f"the judge accepts a trace: {sentence}", said)
