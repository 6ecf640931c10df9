"""Makes small changes of meaning in the server's sources and lists those that no test notices.

The changes are made in a copy of the checkout, which this process alone sees in the checkout's place (a mount
namespace). The checkout is not touched, and the copy of its build folder is used as it is. One build holds all changes,
each behind a switch that the environment sets. Only the files that hold one are compiled: a change is in no interface,
so what imports their modules stays as it is. A run of a suite without a change notes which changes it comes by, and
only of those it is asked. The suites that are likely to notice a change are asked first: those of its own room, and of
them those that use most of what its file declares. """

import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
import changes as drawing

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts/lib"))
from compiler_commands import commands, linking  # noqa: E402

SURVIVORS = Path(__file__).resolve().parent / "survivors.tsv"
# The rooms that decide who is who, how many of a hundred changes each gets, and the tests that are asked first.
ROOMS = {
    "Gateway": ("Server/Sources/Gateway", 26, "GatewayTests"),
    "login": ("Server/Sources/Authority", 30, "AuthorityTests"),
    "requests": ("Server/Sources/Requests", 4, "AuthorityTests"),
    "OpenID": ("Server/Sources/OpenIDProvider", 14, "EndpointsTests"),
    "CAMARA": ("Server/Sources/OpenIDProvider/CAMARA", 6, "EndpointsTests"),
    "Face": ("Server/Sources/FaceAccounts", 8, "FaceAccountsTests"),
    "store": ("Server/Sources/StoreSQLite", 8, "StoreSQLiteTests"),
    "rows": ("Server/Sources/StoreRows", 4, "StoreSQLiteTests"),
}
# Of these the short form draws its changes: each room more is compiled once more.
SHORT_ROOMS, SHORT_COUNT = ("Gateway", "login"), 6
KINDS = {"comparison": 22, "condition": 32, "bound": 12, "statement": 18, "truth": 6, "query": 8, "swap": 4}
SWITCH = """\
import %(libc)s

// Laid here by scripts/mutate.sh for one build.
private let chosen = getenv("BENJI_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
private nonisolated(unsafe) let seen: UnsafeMutableRawPointer? = {
    guard let path = getenv("BENJI_MUTANTS_SEEN") else { return nil }
    let file = open(path, O_RDWR)
    guard file >= 0, let place = mmap(nil, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), place != MAP_FAILED
    else { return nil }
    return place
}()

@inline(never) func benjiMutant(_ number: Int) -> Bool {
    seen?.storeBytes(of: 1, toByteOffset: number, as: UInt8.self)
    return number == chosen
}
""" % {"libc": "Glibc"}
PRODUCT = "benji-serverPackageTests"
BINARY = f"Server/.build/debug/{PRODUCT}.xctest"


def say(text):
    print(f"==> {text}", flush=True)


def room_of(path):
    """The room whose folder is the nearest above a file."""
    best = max((folder for folder, _, _ in ROOMS.values() if path.startswith(folder + "/")), key=len, default=None)
    return next((name for name, (folder, _, _) in ROOMS.items() if folder == best), None)


def draw(seed, only, keys, pointless, kinds):
    """All changes of these kinds, room by room and kind by kind, in an order that the seed decides; a change elsewhere
    moves none. `keys` are those that are wanted, or nothing for all but those that are known to be `pointless`."""
    drawn = {}
    for path in sorted({path for folder, _, _ in ROOMS.values() for path in (ROOT / folder).rglob("*.swift")}):
        name = str(path.relative_to(ROOT))
        if path.name.startswith("Schema") or (only and only not in name):
            continue
        for change in drawing.changes(name, path.read_text()):
            if change.key in keys if keys else change.key not in pointless and change.kind in kinds:
                drawn.setdefault(room_of(name), {}).setdefault(change.kind, []).append(change)
    for kinds in drawn.values():
        for found in kinds.values():
            found.sort(key=lambda change: hashlib.sha256(f"{seed}{change.key}".encode()).digest())
    return drawn


class Hand:
    """The changes drawn so far: takes the next change of a room whose kind is furthest behind its share."""

    def __init__(self, drawn):
        self.left = drawn
        self.taken = {room: Counter() for room in drawn}
        self.spans = {}

    def take(self, room):
        while True:
            kinds = [kind for kind, found in self.left.get(room, {}).items() if found]
            if not kinds:
                return None
            kind = min(kinds, key=lambda kind: self.taken[room][kind] / KINDS[kind])
            change = self.left[room][kind].pop(0)
            spans = self.spans.setdefault(change.path, [])
            if all(change.end <= start or end <= change.start for start, end in spans):
                spans.append((change.start, change.end))
                self.taken[room][kind] += 1
                return change

    def deal(self, count):
        whole = sum(share for name, (_, share, _) in ROOMS.items() if name in self.left)
        dealt = []
        for name, (_, share, _) in ROOMS.items():
            if name in self.left:
                wanted = max(1, round(count * share / whole))
                dealt += [change for change in (self.take(name) for _ in range(wanted)) if change]
        while len(dealt) < count and (more := next(filter(None, map(self.take, self.left)), None)):
            dealt.append(more)
        return dealt[:count]


# The parts of the checkout that a build and its tests use.
COPIED = ("Package.swift", "Package.resolved", "Sources", "Tests", "Server", "Examples", "WebAssembly", "Verification",
          "docs", "scripts",
          ".build-wasm")


def work_on_a_copy():
    """Runs this program again with a copy of the checkout in its place, in a mount namespace of its own. So the build
    folder, whose paths are absolute, is used as it is, and the checkout itself is not touched."""
    if os.environ.get("BENJI_MUTATE_COPY") == str(ROOT):
        return
    if os.geteuid() != 0:
        sys.exit("error: to put a copy in the place of the checkout needs root.\n       Run it with sudo.")
    # Beside the checkout, so that file systems that can share blocks do.
    place = tempfile.mkdtemp(prefix="benji-mutate.", dir=os.environ.get("TMPDIR") or ROOT.parent)
    try:
        os.mkdir(f"{place}/copy")
        say("copying the checkout with its build folder")
        subprocess.run(
            ["cp", "-a", "--reflink=auto", *(str(ROOT / name) for name in COPIED if (ROOT / name).exists()),
             f"{place}/copy"], check=True)
        script = 'mount --bind "$2/copy" "$1" && cd "$1" && shift 2 && exec "$@"'
        status = subprocess.run(
            ["unshare", "-m", "--propagation", "private", "bash", "-c", script, "bash", str(ROOT), place,
             sys.executable, __file__, *sys.argv[1:]],
            env=os.environ | {"BENJI_MUTATE_COPY": str(ROOT), "BENJI_MUTATE_PLACE": place}).returncode
    finally:
        shutil.rmtree(place, ignore_errors=True)
    sys.exit(status)


def write(numbered, originals):
    """Writes every file with its changes; a file whose text stays the same keeps its time."""
    files = {}
    for number, change in numbered.items():
        files.setdefault(change.path, []).append((number, change))
    for path in set(files) | set(originals):
        if path not in originals:
            originals[path] = (ROOT / path).read_text()
        text = drawing.applied(originals[path], files.get(path, []))
        if (ROOT / path).read_text() != text:
            (ROOT / path).write_text(text)


def add_switch(module, words):
    """Makes the switch a source of a module, and its object one of the tests'. A file of its own: in a file that others
    use, another declaration would have all of these compiled."""
    switch = ROOT / "Server/Sources" / module / "MutantSwitch.swift"
    if switch.exists():
        return
    switch.write_text(SWITCH)
    sources = Path(next(word for word in words if word.startswith("@"))[1:])
    known = sources.read_text().split("\n")[0].strip("'\" ")
    sources.write_text(f"{sources.read_text().rstrip()}\n{switch}\n")
    outputs = Path(words[words.index("-output-file-map") + 1])
    listed = json.loads(outputs.read_text())
    made = {kind: str(Path(path).with_name(Path(path).name.replace(Path(known).stem, switch.stem)))
            for kind, path in listed[known].items()}
    outputs.write_text(json.dumps(listed | {str(switch): made}))
    objects = Path(next(word for word in linking(PRODUCT) if word.startswith("@"))[1:])
    objects.write_text(f"{objects.read_text().rstrip()}\n{made['object']}\n")


def compiled(modules):
    """The compiler's errors for these modules' changed files. If it takes them all, the tests are linked with them."""
    said = ""
    for name, words in commands().items():
        if name not in modules:
            continue
        add_switch(name, words)
        words = [word for word in words if word != "-parseable-output"]
        interface = Path(words[words.index("-emit-module-path") + 1])
        kept = interface.read_bytes(), interface.stat().st_mtime_ns
        said += output_if_it_fails(words)
        # Others were compiled against this one.
        interface.write_bytes(kept[0])
        os.utime(interface, ns=(kept[1], kept[1]))
    return said or output_if_it_fails(linking(PRODUCT))


def output_if_it_fails(words):
    run = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL,
        cwd=ROOT / "Server")
    return (run.stdout or f"error: {words[0]} ended with {run.returncode}") if run.returncode else ""


def build(numbered, originals, hand):
    """Builds with these changes; one that does not compile is replaced by the next of its room."""
    next_number = max(numbered) + 1
    for attempt in range(1, 13):
        write(numbered, originals)
        say(f"building with {len(numbered)} changes (attempt {attempt})")
        said = compiled({Path(path).parts[2] for path in originals})
        if not said:
            return
        errors = set(re.findall(rf"^{re.escape(str(ROOT))}/(\S+?\.swift):(\d+):\d+: error:", said, re.M))
        bad = set()
        for path, line in errors:
            near = [(abs(change.line - int(line)), number) for number, change in numbered.items()
                    if change.path == path]
            if near:
                least = min(near)[0]
                bad |= {number for distance, number in near if distance == least}
        if not bad:
            print(said[-4000:])
            sys.exit("error: the build fails, and not because of a change; does `make build` pass?")
        for number in bad:
            say(f"does not compile, and is replaced: {numbered[number].key}  {numbered[number].describe()}")
            room = room_of(numbered.pop(number).path)
            # The last attempts only leave out, so that they end.
            change = hand.take(room) if attempt < 8 else None
            if change:
                numbered[next_number] = change
                next_number += 1
    sys.exit("error: no build succeeded in twelve attempts")


class Suites:
    """The suites of the test program: the changes that each reaches, and its result under one."""

    def __init__(self, place, jobs):
        self.place, self.jobs = Path(place), jobs
        listed = subprocess.run(
            [str(ROOT / BINARY), "--testing-library", "swift-testing", "--list-tests"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True).stdout
        self.names = sorted({line.split("/")[0] for line in listed.splitlines() if re.match(r"\w+\.\w+/", line)
                             and not line.split("/")[0].endswith(("TimingTests", "RealFaceTests", "RowBudgetTests"))})
        if not self.names:
            sys.exit("error: the test program lists no tests")
        self.reach, self.seconds = {}, {}
        self.noting = {name: threading.Lock() for name in self.names}

    def run(self, suite, number, seen=None, limit=300):
        """Whether all tests of a suite pass, the seconds that they took, and what failed. The first test that fails
        ends it."""
        # A backtrace would keep the pipe open after the program has ended.
        environment = os.environ | {"BENJI_MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no"} | (
            {"BENJI_MUTANTS_SEEN": str(seen)} if seen else {})
        started = time.monotonic()
        process = subprocess.Popen(
            [str(ROOT / BINARY), "--testing-library", "swift-testing", "--filter", f"^{re.escape(suite)}/"],
            env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", cwd=ROOT / "Server",
            stdin=subprocess.DEVNULL)
        late = threading.Timer(limit, process.kill)
        late.start()
        failed, counted = None, "0"
        for line in process.stdout:
            line = re.sub(r"\x1b\[[0-9;]*m", "", line)
            failed = re.search(r'✘ Test "?(.*?)"? (?:with \d+ test cases )?(?:failed|recorded)', line)
            if failed:
                process.kill()
                break
            if found := re.search(r"Test run with (\d+) test", line):
                counted = found.group(1)
        process.stdout.close()
        status = process.wait()
        late.cancel()
        seconds = time.monotonic() - started
        if failed:
            return False, seconds, failed.group(1)
        if seconds >= limit:
            return False, limit, "ran out of time"
        if status == 0 and counted == "0":
            sys.exit(f"error: {suite} ran no test")
        return status == 0, seconds, f"ended with {status}"

    def reached(self, name):
        """The changes that a suite comes by when nothing is changed."""
        with self.noting[name]:
            if name not in self.reach:
                self.reach[name], self.seconds[name] = self.noted(name)
            return self.reach[name]

    def noted(self, name):
        """A run of a suite without a change: what it comes by, and its seconds."""
        seen = self.place / f"seen-{name}"
        # Twice, because on a busy machine a test may have waited for too long.
        for _ in range(2):
            seen.write_bytes(bytes(65536))
            passed, seconds, reason = self.run(name, 0, seen)
            if passed:
                return {number for number, byte in enumerate(seen.read_bytes()) if byte}, seconds
        # It notices nothing here. A change that no other suite notices survives, and is told.
        say(f"{name} fails without a change on this busy machine, so it is not asked: {reason}")
        return set(), seconds

    def likely(self, path, room):
        """All suites, the likely ones first: those of the file's room, and of them those that mention most of its
        declarations."""
        declared = {name for name in re.findall(r"\b(?:actor|case|class|enum|func|let|struct|var) (\w+)",
                                                (ROOT / path).read_text()) if len(name) > 4}

        def unlikely(name):
            module, suite = name.split(".")[:2]
            return module != room, -len(declared & self.words(module, suite)), name

        return sorted(self.names, key=unlikely)

    @functools.cache
    def words(self, module, suite):
        """The words of a suite, which is in the file of its name."""
        text = "".join(file.read_text() for file in (ROOT / "Server/Tests" / module).rglob(f"{suite}.swift"))
        return set(re.findall(r"\w+", text)) | {suite.removesuffix("Tests")}

    def verdict(self, number, path, room):
        """Whether a suite notices a change, and why; None if none reaches it. Traces suites when it is their turn."""
        come_by = 0
        for name in self.likely(path, room):
            if number in self.reached(name):
                come_by += 1
                reason = self.asked(name, number)
                if reason:
                    return True, reason
        return (False, "every test passes") if come_by else (None, "no test comes by")

    def asked(self, name, number):
        """Why a suite notices a change, or nothing. A suite that fails only once of two times is flaky, and notices
        nothing."""
        for attempt in range(2):
            passed, _, reason = self.run(name, number, limit=60 + 10 * self.seconds[name])
            if passed:
                if attempt:
                    print(f"flaky test: {name} failed once of two times: {first}", flush=True)
                return None
            first = reason
        return reason


def known_survivors():
    """The reasons that people have given: key, kind of reason, words."""
    known = {}
    for row, line in enumerate(SURVIVORS.read_text().splitlines() if SURVIVORS.exists() else [], 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 4 or cells[1] not in ("equivalent", "uncompilable", "harmless", "system"):
            sys.exit(f"error: {SURVIVORS}:{row}: must be key, equivalent, uncompilable, harmless or system, where "
                     "and what, reason")
        known[cells[0]] = cells
    return known


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/mutate.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="how many changes (default: %(default)s)")
    parser.add_argument("--seed", default="1", help="draws other changes (default: %(default)s)")
    parser.add_argument("--only", metavar="TEXT", help="only files whose path contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many run at once (default: one a core)")
    parser.add_argument("--out", metavar="FILE", help="write every verdict there, tab-separated")
    parser.add_argument("--short", action="store_true",
                        help=f"{SHORT_COUNT} changes of {' and '.join(SHORT_ROOMS)} with a fixed seed; each must be "
                             "noticed or explained")
    parser.add_argument("--again", metavar="FILE", help="only the changes that survived in what --out wrote there")
    parser.add_argument("--list", action="store_true", help="name the changes that would be made, and stop")
    options = parser.parse_args()
    if options.short:
        options.count, options.seed = SHORT_COUNT, "short"
    keys = set()
    if options.again:
        rows = [line.split("\t") for line in Path(options.again).read_text().splitlines()]
        keys = {row[0] for row in rows if row[1] == "SURVIVED"}
        if not keys:
            sys.exit(f"error: nothing survived in {options.again}")
        options.count = len(keys)
    known = known_survivors()
    # The short form asks unknown changes that compile: of five swaps one does, and each other costs a build.
    pointless = {key for key, cells in known.items() if options.short or cells[1] in ("equivalent", "uncompilable")}
    kinds = [kind for kind in KINDS if not (options.short and kind == "swap")]
    drawn = draw(options.seed, options.only, keys, pointless, kinds)
    hand = Hand({room: drawn[room] for room in SHORT_ROOMS if room in drawn} if options.short else drawn)
    numbered = dict(enumerate(hand.deal(options.count), 1))
    if not numbered:
        sys.exit(f"error: nothing to change{f' in files named like {options.only}' if options.only else ''}")
    if options.list:
        for change in numbered.values():
            print(f"{change.key}  {change.describe()}")
        return
    work_on_a_copy()
    originals, started = {}, time.monotonic()
    build(numbered, originals, hand)
    suites = Suites(os.environ["BENJI_MUTATE_PLACE"], max(1, options.jobs))
    say(f"{len(numbered)} changes, each asked of the suites that come by it")
    rows, noticed, unexplained = [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        asked = {number: pool.submit(suites.verdict, number, change.path, ROOMS[room_of(change.path)][2])
                 for number, change in numbered.items()}
        for number, change in numbered.items():
            seen, reason = asked[number].result()
            told = known.get(change.key)
            if seen:
                word = "noticed"
                noticed += 1
            elif told:
                word, reason = told[1], told[3]
            else:
                word = "SURVIVED"
                unexplained += 1
            rows.append((change.key, word, change.describe(), reason))
            print(f"{word:10} {change.key}  {change.describe()}  ({reason})", flush=True)
    if options.out:
        Path(options.out).write_text("".join("\t".join(row) + "\n" for row in rows))
    explained = len(rows) - noticed - unexplained
    print(f"{len(rows)} changes: {noticed} noticed ({100 * noticed // len(rows)} %), {explained} explained, "
          f"{unexplained} survived without a reason; {(time.monotonic() - started) / 60:.1f} minutes")
    if unexplained and (options.short or noticed * 10 < len(rows) * 9):
        sys.exit("error: write a test that notices each survivor, or its reason into scripts/mutate/survivors.tsv")


if __name__ == "__main__":
    main()
