"""Face matching from the command line: hostile pictures, each in a process whose time and memory are measured; real
portraits; a server without models. The pictures are made here or fetched by face-models.sh."""

import json
import re
import struct
import sys
import zlib

import pytest

from support.checks import Stop, folder, run
from support.server import FACE, ROOT, binary, environment

pytestmark = pytest.mark.seconds(180)

BINARY = str(binary())
PORTRAITS = f"{FACE}/portraits"
SECONDS, MEBIBYTES = 6, 400


@pytest.fixture
def env():
    return {**environment(), "BENJI_FACE": str(FACE)}


@pytest.fixture
def place():
    return folder()


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width, height, color, depth, data, extra=b""):
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def grey(width, height, color, depth, size):
    """Rows of nothing: a few kilobytes that unpack to as much as the header says."""
    row = bytes(1 + width * size * depth // 8)
    packer = zlib.compressobj(9)
    return png(width, height, color, depth, b"".join(packer.compress(row) for _ in range(height)) + packer.flush())


def segment(mark, content):
    return bytes([0xFF, mark]) + struct.pack(">H", len(content) + 2) + content


def progressive(side, components, scans):
    """A progressive JPEG that says the same again and again; the decoder must keep every coefficient."""
    numbers = range(1, components + 1)
    blocks = (side // 8) ** 2 * components
    frame = struct.pack(">BHHB", 8, side, side, components) + b"".join(bytes([n, 0x11, 0]) for n in numbers)
    scan = segment(0xDA,
                   bytes([components]) + b"".join(bytes([n, 0]) for n in numbers) + bytes(3)) + bytes(blocks // 8 + 1)
    return (b"\xff\xd8" + segment(0xDB, b"\0" + b"\1" * 64) + segment(0xC2, frame) + segment(0xC4, b"\0\1" + bytes(16))
            + scan * scans + b"\xff\xd9")


def hostile(portrait):
    """Name, bytes, and the code that must be the answer."""
    small = grey(100, 100, 2, 8, 3)
    yield "nothing", b"", "image empty"
    yield "a text", b"hello " * 1000, "image unknown format"
    yield "a GIF", b"GIF89a" + bytes(1000), "image unknown format"
    yield "17 MiB", b"\xff\xd8\xff" + bytes(17 << 20), "image too many bytes"
    yield "a PNG of 0 × 0", png(0, 0, 2, 8, zlib.compress(b"")), "image too small"
    yield "a PNG of two billion squared", png(2**31 - 1, 2**31 - 1, 2, 8, zlib.compress(b"")), "image too many pixels"
    yield "a bomb of 900 megapixels", grey(30_000, 30_000, 0, 1, 1), "image too many pixels"
    yield "a bomb within the limit, 25 megapixels", grey(5000, 5000, 6, 8, 4), "no face"
    yield "a bomb as a strip", grey(390_000, 64, 2, 8, 3), "image too small"
    yield "a text that unpacks to 256 MiB", png(
        100, 100, 2, 8, zlib.compress(bytes(100 * 301)),
        chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(1 << 28), 9))), "no face"
    yield "a PNG that is cut off", small[:-20], "image damaged"
    yield "a PNG of 16 bits", grey(100, 100, 2, 16, 3), "image unsupported"
    yield "an animated PNG", png(100, 100, 2, 8, zlib.compress(bytes(100 * 301)),
                                 chunk(b"acTL", bytes(8))), "image unsupported"
    yield "a JPEG of four colours", progressive(256, 4, 1), "image unsupported"
    yield "a JPEG of 65 scans", progressive(256, 1, 65), "image too many scans"
    yield "a JPEG of 17 scans over 25 megapixels", progressive(5000, 3, 17), "image too many scans"
    yield "a JPEG of 16 scans over 25 megapixels", progressive(5000, 3, 16), "no face"
    yield "the JPEG that takes most memory", progressive(5000, 3, 1), "no face"
    yield "a JPEG of 65,500 × 65,500", progressive(256, 1, 1).replace(b"\x01\x00\x01\x00\x01\x01",
                                                                      b"\xff\xdc\xff\xdc\x01\x01"), \
        "image too many pixels"
    yield "a JPEG that is cut off", portrait[:len(portrait) // 2], "image damaged"
    yield "a JPEG with a flipped header", portrait[:2] + b"\x00" + portrait[3:], "image unknown format"


# A process of its own starts the program. The kernel counts its starter's memory as the program's, too, and a process
# that has run many tests has taken much.
MEASURE = """
import json, os, subprocess, sys, time
begin = time.monotonic()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
output = process.stdout.read()
_, status, usage = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
print(json.dumps([process.returncode, output, time.monotonic() - begin, usage.ru_maxrss / 1024]))
"""


def measured(arguments, env):
    """Status, output, seconds and mebibytes of one run."""
    done = run([sys.executable, "-c", MEASURE, BINARY, *arguments], 60, env=env)
    if done.returncode != 0:
        raise Stop(f"benji {arguments}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def test_hostile_pictures(checks, env, place):
    done = run([str(ROOT / "scripts/face-models.sh"), "--portraits", "--check"], 60, env=env)
    checks.equal(done.returncode, 0, f"models and portraits are there: {done.stderr[-300:]}")
    with open(f"{PORTRAITS}/president-1.jpg", "rb") as file:
        portrait = file.read()

    _, _, seconds, base = measured(["face", "inspect", f"{PORTRAITS}/president-1.jpg"], env)
    checks.note(f"a portrait, start and models included: {seconds:.1f} s, {base:.0f} MiB")
    worst = (0, 0)
    for name, data, code in hostile(portrait):
        path = place / "picture"
        path.write_bytes(data)
        status, output, seconds, size = measured(["face", "inspect", str(path), "--json"], env)
        found = json.loads(output).get("refused") if output.startswith("{") else output[-300:]
        worst = max(worst[0], seconds), max(worst[1], size)
        checks.that(status == 1 and found == code, f"{name}: {code}", found)
        checks.that(seconds < SECONDS and size < MEBIBYTES, f"{name}: within {SECONDS} s and {MEBIBYTES} MiB",
                    f"{seconds:.1f} s, {size:.0f} MiB")
    checks.note(f"at the most {worst[0]:.1f} s and {worst[1]:.0f} MiB")

    # A device without an end: only as much is read as shows that it is too large.
    status, output, seconds, size = measured(["face", "inspect", "/dev/zero", "--json"], env)
    checks.that(status == 1 and "image too many bytes" in output, "a file without an end: image too many bytes",
                output[-300:])
    checks.that(seconds < SECONDS and size < MEBIBYTES,
                f"a file without an end: within {SECONDS} s and {MEBIBYTES} MiB",
                f"{seconds:.1f} s, {size:.0f} MiB")


def test_evaluation(checks, env, place):
    names = ["president-1.jpg", "president-2.jpg", "president-3.jpg", "president-partial-1.jpg",
             "president-partial-2.jpg"]
    others = ["vice-president.jpg", "astronaut.png"]
    pairs = [f"{one}\t{two}\tsame" for i, one in enumerate(names) for two in names[i + 1:]]
    pairs += [f"{one}\t{two}\tdifferent" for one in names for two in others] + ["\t".join(others) + "\tdifferent"]
    (place / "pairs.txt").write_text("\n".join(pairs))
    evaluate = ["face", "evaluate", str(place / "pairs.txt"), "--images", PORTRAITS]
    done = run([BINARY, *evaluate, "--engines", "2"], 60, env=env)
    checks.equal(done.returncode, 0, f"the portraits are evaluated: {done.stderr[-300:]}")
    checks.that("21 of 21 pairs compared: 10 of one person, 11 of two" in done.stdout, "every pair is compared",
                done.stdout)
    checks.that("accuracy 100.0 %" in done.stdout and "EER 0.0 %" in done.stdout, "no pair is confused", done.stdout)
    row = re.search(r"verification, 1:1 .*", done.stdout)
    checks.that(row and "0 of 11" in row[0] and "0 of 10" in row[0], "nor at the policy's threshold", done.stdout)
    checks.that("7 of 7 pictures" in done.stderr, "progress is told", done.stderr)

    # The labels turned round: an evaluation that did not look would find the same.
    swapped = "\n".join(line.replace("same", "x").replace("different", "same").replace("x", "different")
                        for line in pairs)
    (place / "swapped.txt").write_text(swapped)
    done = run([BINARY, "face", "evaluate", str(place / "swapped.txt"), "--images", PORTRAITS], 60, env=env)
    checks.that("EER 100.0 %" in done.stdout, "wrong labels are seen in the figures", done.stdout)


def test_groups(checks, env, place):
    """Rates of groups, which the list names; the labels of one are turned round, so that its rates differ."""
    one = [f"president-{i}.jpg" for i in (1, 2, 3)] + [f"president-partial-{i}.jpg" for i in (1, 2)]
    same = [(a, b) for i, a in enumerate(one) for b in one[i + 1:]]
    different = [(a, b) for a in one for b in ("vice-president.jpg", "astronaut.png")]
    lines = [f"{a},{b},same,right & <well>" for a, b in same] + [f"{a},{b},different,right & <well>"
                                                                 for a, b in different]
    lines += [f"{a},{b},different,swapped" for a, b in same] + [f"{a},{b},same,swapped" for a, b in different]
    (place / "groups.csv").write_text("\n".join(lines))
    done = run([BINARY, "face", "evaluate", str(place / "groups.csv"), "--images", PORTRAITS], 60, env=env)
    checks.equal(done.returncode, 0, f"groups are evaluated: {done.stderr[-300:]}")
    rows = {name: row for row in done.stdout.splitlines() for name in ("right & <well>", "swapped")
            if row.startswith(name)}
    checks.that("10 + 10" in rows.get("right & <well>", "") and rows["right & <well>"].count("0.0 % (0.0 % to") == 3,
                "the group with right labels has no error, and an interval", done.stdout)
    checks.that("10 + 10" in rows.get("swapped", "") and rows["swapped"].count("100.0 % (") == 2,
                "the group with swapped labels has nothing but errors", done.stdout)
    checks.that("FNMR: higher for swapped than for right & <well>" in done.stdout, "that they differ is said",
                done.stdout)
    checks.that("share of refused pictures: the intervals overlap" in done.stdout, "and where they do not", done.stdout)

    # Without groups there is no table of them.
    (place / "plain.csv").write_text("\n".join(line.rsplit(",", 1)[0] for line in lines[:20]))
    done = run([BINARY, "face", "evaluate", str(place / "plain.csv"), "--images", PORTRAITS], 60, env=env)
    checks.that(done.returncode == 0 and "by group" not in done.stdout, "without groups there is no such table",
                done.stdout)


def test_turned_pictures(checks, env, place):
    """A camera that says how it was held is believed; a picture that is then on its side is refused as such."""
    with open(f"{PORTRAITS}/president-1.jpg", "rb") as file:
        portrait = file.read()
    for orientation, turned in ((1, False), (3, True), (6, True), (8, True)):
        tiff = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0" + bytes([orientation]) + bytes(6)
        path = place / "turned.jpg"
        path.write_bytes(portrait[:2] + segment(0xE1, b"Exif\0\0" + tiff) + portrait[2:])
        done = run([BINARY, "face", "inspect", str(path), f"{PORTRAITS}/president-2.jpg", "--json"], 60, env=env)
        first = json.loads(done.stdout.splitlines()[0])
        if turned:
            checks.equal(first.get("refused"), "image turned", f"orientation {orientation} is refused as turned")
            checks.that("isMatch" not in done.stdout, "and nothing is compared with it", done.stdout)
        else:
            checks.that("refused" not in first and first["flaws"] == []
                        and '"isMatch":true' in done.stdout.replace(" ", ""),
                        "an upright picture is compared", done.stdout)


def test_wrong_lists(checks, env, place):
    for text, words in ((b"a b\n", "line 1: 2 fields"), (b"", "the list is empty"),
                        (b"10 300\nA 1 2\n", "announces 10"),
                        (b"a b same x\n\nc d same\n", "line 3: no group"), (b"a b same\nc d 0 x\n", "line 2: a group"),
                        (b"a b same x y\n", "line 1: 5 fields")):
        (place / "wrong.txt").write_bytes(text)
        done = run([BINARY, "face", "evaluate", str(place / "wrong.txt")], 30, env=env)
        checks.that(done.returncode != 0 and words in done.stderr, f"a wrong list: {words}", done.stderr)
    (place / "missing.txt").write_text("nobody.jpg\tnowhere.jpg\tsame\n")
    done = run([BINARY, "face", "evaluate", str(place / "missing.txt")], 30, env=env)
    checks.that(done.returncode == 1 and "2 pictures refused" in done.stdout, "missing pictures are counted",
                done.stdout)


def test_without_models(checks, env, place):
    done = run([BINARY, "face", "inspect", "--models", str(place), f"{PORTRAITS}/astronaut.png"], 30, env=env)
    checks.that(done.returncode != 0 and "not available" in done.stderr and "make face-models" in done.stderr,
                "without models face matching says that it is not available, and what to do", done.stderr)
