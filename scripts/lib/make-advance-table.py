#!/usr/bin/python3
"""Writes Sources/BenjiPage/Text/AdvanceTable+NotoSansCJKSC.swift from the font itself.

Needs the Debian packages fonts-noto-cjk and python3-fonttools. Run it again when the font changes.
"""
import pathlib
from fontTools.ttLib import TTCollection

FONT = "/usr/share/fonts/opentype/noto/NotoSansCJK-%s.ttc"
TARGET = pathlib.Path(__file__).parents[2] / "Sources/BenjiPage/Text/AdvanceTable+NotoSansCJKSC.swift"


def advances(weight):
    faces = TTCollection(FONT % weight).fonts
    face = next(face for face in faces if face["name"].getDebugName(1) == "Noto Sans CJK SC")
    if face["head"].unitsPerEm != 1000:
        raise SystemExit("the font does not count in thousandths")
    widths = face["hmtx"]
    return {code: widths[name][0] for code, name in face.getBestCmap().items()}


def main():
    regular, bold = advances("Regular"), advances("Bold")
    ranges = []
    for code in sorted(regular):
        pair = (regular[code], bold[code])
        # The one-em rest needs no entry; above the first plane there is nothing else.
        if pair == (1000, 1000) or code < 0x20 or code > 0xFFFF:
            continue
        if ranges and ranges[-1][1] == code - 1 and ranges[-1][2:] == pair:
            ranges[-1] = (ranges[-1][0], code, *pair)
        else:
            ranges.append((code, code, *pair))
    numbers = [str(number) for entry in ranges for number in entry]
    lines, line = [], "        "
    for number in numbers:
        if len(line) + len(number) + 2 > 119:
            lines.append(line.rstrip())
            line = "        "
        line += number + ", "
    lines.append(line.rstrip())
    TARGET.write_text(
        "// Written by scripts/lib/make-advance-table.py from Noto Sans CJK SC. Do not edit.\n"
        "// swift-format-ignore-file\n\n"
        "extension AdvanceTable {\n"
        "    /// Scalars that are not one em wide: first, last, advance in thousandths of an em, the same when bold; "
        "rising.\n"
        "    static let notoSansCJKSC: [UInt16] = [\n" + "\n".join(lines) + "\n    ]\n}\n")
    print(f"{len(ranges)} ranges")


main()
