#!/usr/bin/env python3
"""Draws the images of the facades' resource bundles, under the names and sizes that the vendors' documents give them.

    make-resource-images.py            writes them into Sources/Compatibility/OneTapPageTypes/Resources
    make-resource-images.py --check    fails when a file there is not what this would write

The icons are our own. An app replaces one by putting its own image under the same name into a bundle of the same name.
"""

import math
import pathlib
import struct
import sys
import zlib

PLACE = pathlib.Path(__file__).resolve().parents[2] / "Sources/Compatibility/OneTapPageTypes/Resources"
SCALES = (2, 3)

BLACK, WHITE, GREY = (0, 0, 0, 255), (255, 255, 255, 255), (0x76, 0x76, 0x76, 255)
BLUE, HAIRLINE = (0x16, 0x66, 0xD9, 255), (0x76, 0x76, 0x76, 160)


def segment(x, y, ax, ay, bx, by):
    """The distance of a point from a line's part."""
    dx, dy = bx - ax, by - ay
    share = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
    return math.hypot(x - ax - share * dx, y - ay - share * dy)


def line(points, width):
    """A shape: the distance from its edge, negative inside."""
    return lambda x, y: min(segment(x, y, *a, *b) for a, b in zip(points, points[1:])) - width / 2


def box(left, top, right, bottom, radius):
    def distance(x, y):
        dx = abs(x - (left + right) / 2) - (right - left) / 2 + radius
        dy = abs(y - (top + bottom) / 2) - (bottom - top) / 2 + radius
        return math.hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - radius

    return distance


def arrow(width, height, stroke):
    middle, inset = height / 2, stroke / 2 + 1
    return line([(width - inset, inset), (inset, middle), (width - inset, height - inset)], stroke)


# A name's figures are its size in points. Shapes from back to front, in points.
TICK = line([(3, 6.2), (5.2, 8.4), (9, 3.8)], 1.4)
ARROW = [(14.5, 3), (6.5, 11), (14.5, 19)]
CLOSE = [(line([(1.5, 1), (9.5, 9)], 1.4), GREY), (line([(9.5, 1), (1.5, 9)], 1.4), GREY)]
# A phone with a dot: "this phone".
LOGO = [
    (box(0, 0, 80, 80, 18), BLUE), (box(26, 14, 54, 66, 6), WHITE), (box(29.5, 20, 50.5, 56, 2), BLUE),
    (box(37.5, 58.5, 42.5, 63.5, 2.5), BLUE), (box(35, 33, 45, 43, 5), WHITE),
]
COMMON = {
    "close_icon_11x10_": CLOSE,
    "logo_80x80_": LOGO,
    "check_12x12_": [(box(0, 0, 12, 12, 2), BLUE), (TICK, WHITE)],
    "uncheck_12x12_": [(box(0, 0, 12, 12, 2), GREY), (box(1, 1, 11, 11, 1.2), WHITE)],
}
BUNDLES = {
    # GeYan's document: a black arrow.
    "TYRZResource.bundle": COMMON | {"back_13x21_": [(arrow(13, 21, 2), BLACK)]},
    # OneLogin's document: a white arrow, on a bar that is white by default. A hairline keeps it visible there.
    "OneLoginResource.bundle": COMMON
    | {
        "back_22x22_": [
            (line(ARROW, 3.4), HAIRLINE), (line(ARROW, 2.2), WHITE)
        ]
    },
}


def draw(shapes, width, height, scale):
    rows = []
    for row in range(height * scale):
        pixels = bytearray()
        for column in range(width * scale):
            red = green = blue = alpha = 0.0
            for distance, color in shapes:
                inside = distance((column + 0.5) / scale, (row + 0.5) / scale) * scale
                share = max(0.0, min(1.0, 0.5 - inside)) * color[3] / 255
                red, green, blue = (old * (1 - share) + new * share for old, new in zip((red, green, blue), color))
                alpha = alpha * (1 - share) + share
            # Colours were mixed with their opacity; a PNG keeps them apart.
            pixels += bytes(round(part / alpha) if alpha else 0
                            for part in (red, green, blue)) + bytes([round(alpha * 255)])
        rows.append(bytes(1) + bytes(pixels))
    return b"".join(rows)


def png(shapes, width, height, scale):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width * scale, height * scale, 8, 6, 0, 0, 0)
    pixels = zlib.compress(draw(shapes, width, height, scale), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def same(path, image):
    """Whether a file shows the same, however it was compressed."""

    def pixels(png):
        return png[:33], zlib.decompress(png[41 : 41 + struct.unpack(">I", png[33:37])[0]])

    return path.exists() and pixels(path.read_bytes()) == pixels(image)


def main():
    wrong = []
    for bundle, images in BUNDLES.items():
        for name, shapes in images.items():
            width, height = map(int, name.rstrip("_").rsplit("_", 1)[1].split("x"))
            for scale in SCALES:
                path = PLACE / bundle / f"{name}@{scale}x.png"
                image = png(shapes, width, height, scale)
                if "--check" in sys.argv[1:]:
                    if not same(path, image):
                        wrong.append(path)
                else:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(image)
    for path in wrong:
        print(f"{path}: is not what {pathlib.Path(__file__).name} draws; run it again", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
