"""Paints masks, dark glasses, hands and hair on faces, for fit_cover.py. Pictures are arrays of blue, green and red; a
face is its mesh of 468 points. Every choice is drawn from `rng`, so that no two people wear the same."""

import cv2
import numpy

OVAL = [10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149,
        150, 136, 172,
        58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109]
JAW_LEFT = [234, 93, 132, 58, 172, 136, 150, 149, 176, 148]
JAW_RIGHT = [454, 323, 361, 288, 397, 365, 379, 378, 400, 377]
CLOTHS = [(200, 170, 120), (235, 235, 235), (30, 30, 30), (150, 190, 120), (190, 150, 220), (90, 60, 40), (60, 60, 160),
          (120, 120, 120), (60, 90, 50), (170, 200, 230), (210, 210, 170)]
LENSES = [(12, 12, 12), (20, 25, 45), (25, 40, 25), (60, 35, 20), (40, 40, 40), (90, 60, 30), (70, 45, 90)]
FRAMES = [(10, 10, 10), (30, 40, 60), (160, 160, 170), (60, 120, 170)]
HAIR = [(20, 20, 25), (30, 45, 70), (60, 100, 140), (90, 140, 180), (120, 120, 125)]


def grid(picture):
    down, across = numpy.mgrid[0:picture.shape[0], 0:picture.shape[1]].astype(numpy.float32)
    return across, down


def polygon(picture, points):
    area = numpy.zeros(picture.shape[:2], numpy.float32)
    cv2.fillPoly(area, [numpy.round(numpy.array(points)).astype(numpy.int32)], 1)
    return area


def pixel(point):
    return tuple(int(value) for value in point)


def cloth(picture, rng, others):
    """A plain, striped, dotted, folded or knitted cloth, or a piece of some other picture."""
    height, width = picture.shape[:2]
    across, down = grid(picture)
    color = numpy.array(CLOTHS[rng.integers(len(CLOTHS))], numpy.float32) + rng.normal(0, 18, 3)
    result = numpy.ones((height, width, 3), numpy.float32) * color
    kind = rng.integers(6)
    if kind == 1:
        angle, period = rng.uniform(0, numpy.pi), rng.uniform(4, 16)
        wave = numpy.sin((across * numpy.cos(angle) + down * numpy.sin(angle)) * 2 * numpy.pi / period)
        result[wave > rng.uniform(-.3, .5)] = rng.uniform(0, 255, 3)
    elif kind == 2:
        for _ in range(rng.integers(20, 120)):
            place = (int(rng.integers(width)), int(rng.integers(height)))
            cv2.circle(result, place, int(rng.integers(1, 6)), tuple(rng.uniform(0, 255, 3)), -1)
    elif kind == 3:
        result += (numpy.sin(down * 2 * numpy.pi / rng.uniform(6, 18)) * rng.uniform(5, 18))[..., None]
    elif kind == 4:
        other = others[rng.integers(len(others))]
        top, left = rng.integers(60, size=2)
        result = cv2.resize(other[top:top + 110, left:left + 60], (width, height)).astype(numpy.float32)
    elif kind == 5:
        knit = numpy.sin(down * 2 * numpy.pi / 3.5) * numpy.sin(across * 2 * numpy.pi / 4)
        result += (knit * rng.uniform(8, 25))[..., None]
    return result + rng.normal(0, rng.uniform(1, 6), (height, width, 1))


def skin(picture, mesh, rng, point, direction, period):
    """Fingers: the colour of a cheek with dark lines between."""
    height, width = picture.shape[:2]
    across, down = grid(picture)
    x, y = (int(numpy.clip(mesh[point][axis], 0, most - 1)) for axis, most in ((0, width), (1, height)))
    color = picture[y, x].astype(numpy.float32) * rng.uniform(.7, 1.15) + rng.normal(0, 6, 3)
    wave = numpy.abs(numpy.sin((across * numpy.cos(direction) + down * numpy.sin(direction)) * numpy.pi / period))
    result = numpy.ones((height, width, 3), numpy.float32) * color * (1 - .35 * (wave < .2))[..., None]
    return cv2.GaussianBlur(result, (0, 0), .8) + rng.normal(0, 3, (height, width, 1))


def lay(picture, area, stuff, rng, lit=False, opacity=1.0):
    """Paints stuff over an area, with soft edges; if `lit`, in the light of the picture below."""
    if lit:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(numpy.float32)
        light = cv2.GaussianBlur(grey, (0, 0), max(picture.shape) / rng.uniform(6, 20))
        mean = light[area > .5].mean() if (area > .5).any() else 128
        stuff = stuff * numpy.clip((light / max(mean, 1)) ** rng.uniform(.3, 1), .4, 1.7)[..., None]
        stuff = stuff * numpy.clip(mean / 130, .45, 1.25)
    soft = cv2.GaussianBlur(area, (0, 0), rng.uniform(.5, 1.5))[..., None] * opacity
    return numpy.clip(picture * (1 - soft) + stuff * soft, 0, 255).astype(numpy.uint8)


def axes(mesh):
    """Up along the face, across it, and its width."""
    up = mesh[10] - mesh[152]
    up = up / numpy.linalg.norm(up)
    across = mesh[454] - mesh[234]
    return up, across / numpy.linalg.norm(across), numpy.linalg.norm(across)


def mask(picture, mesh, rng, others):
    kind = rng.choice(["high", "middle", "low", "scarf", "hand"], p=[.3, .3, .14, .13, .13])
    up, across, width = axes(mesh)
    if kind == "hand":
        center = mesh[13] * .6 + mesh[0] * .4 + across * rng.normal(0, .04) * width
        angle = numpy.degrees(numpy.arctan2(across[1], across[0])) + rng.uniform(-25, 25)
        area = numpy.zeros(picture.shape[:2], numpy.float32)
        size = (2 * width * rng.uniform(.24, .42), 2 * width * rng.uniform(.2, .3))
        cv2.ellipse(area, (tuple(map(float, center)), size, float(angle)), 1, -1)
        direction = numpy.radians(angle + 90 * rng.integers(2))
        return lay(picture, area, skin(picture, mesh, rng, 50, direction, width * rng.uniform(.1, .16)), rng)
    edge = {"high": mesh[197] + (mesh[6] - mesh[197]) * rng.uniform(-.2, .6),
            "low": mesh[2] + (mesh[0] - mesh[2]) * rng.uniform(0, .5)}.get(
                str(kind), mesh[195] + (mesh[4] - mesh[195]) * rng.uniform(-.3, .9))
    middle, wide = (mesh[234] + mesh[454]) / 2, rng.uniform(0, .12)
    left, right = ([mesh[i] + (mesh[i] - middle) * wide for i in jaw] for jaw in (JAW_LEFT, JAW_RIGHT))
    chin = [mesh[152] - up * wide * width / 2]
    if kind == "high":
        left[0], right[0] = (mesh[234] + mesh[93]) / 2, (mesh[454] + mesh[323]) / 2
    else:
        skipped = rng.integers(1, 3)
        left, right = left[skipped:], right[skipped:]
    if kind == "scarf":
        left, right = left[:4] + [left[4] - up * width * .7], right[:4] + [right[4] - up * width * .7]
        chin = [mesh[152] - up * width * .6]
    rise = [(side[0] + edge) / 2 + up * width * rng.uniform(-.02, .05) for side in (right, left)]
    result = lay(picture, polygon(picture, left + chin + right[::-1] + [rise[0], edge, rise[1]]),
                 cloth(picture, rng, others), rng, lit=True)
    if kind in ("high", "middle") and rng.random() < .6:
        color = tuple(rng.uniform(150, 255, 3))
        for start, ear in ((left[0], mesh[234]), (right[0], mesh[454])):
            cv2.line(result, pixel(start), pixel(ear + up * width * .15), color, max(1, int(width * .015)), cv2.LINE_AA)
    return result


class Spectacles:
    """Where glasses sit on a face, and their shape."""

    def __init__(self, picture, mesh, rng, shape):
        eyes = (mesh[33] + mesh[133]) / 2, (mesh[263] + mesh[362]) / 2
        self.size = numpy.linalg.norm(eyes[1] - eyes[0])
        self.across = (eyes[1] - eyes[0]) / self.size
        self.down = numpy.array([-self.across[1], self.across[0]])
        self.ears = mesh[127], mesh[356]
        self.wide, self.high = self.size * rng.uniform(.34, .48), self.size * rng.uniform(.24, .4)
        shift, apart = self.down * self.size * rng.uniform(-.02, .1), self.across * self.size * rng.uniform(0, .06)
        self.centers = eyes[0] + shift - apart, eyes[1] + shift + apart
        self.shape, self.angle = shape, float(numpy.degrees(numpy.arctan2(self.across[1], self.across[0])))
        self.area = numpy.zeros(picture.shape[:2], numpy.float32)
        if shape in ("shield", "bar"):
            beyond, above, below = (self.size * rng.uniform(*span) for span in ((.38, .55), (.22, .36), (.22, .42)))
            middle = (self.centers[0] + self.centers[1]) / 2
            nose = middle + self.down * below * (.5 if shape == "shield" else 1)
            corners = [self.at(0, -beyond, -above), self.at(1, beyond, -above), self.at(1, beyond * .9, below), nose,
                       self.at(0, -beyond * .9, below)]
            self.area = polygon(picture, corners)
        for lens in (0, 1) if shape not in ("shield", "bar") else ():
            if shape == "oval":
                cv2.ellipse(self.area,
                            (tuple(map(float, self.centers[lens])), (2 * self.wide, 2 * self.high), self.angle), 1, -1)
                continue
            outer = 1 if lens else -1
            corners = {
                "box": [(-1, -.8), (1, -.8), (.92, .9), (-.92, .9)],
                "aviator": [(-.95, -.7), (.95, -.7), (.9 if lens else .6, .3), (outer * .3, 1.25),
                            (-.6 if lens else -.9, .3)],
            }[shape]
            self.area = numpy.maximum(self.area, polygon(
                picture, [self.at(lens, x * self.wide, y * self.high) for x, y in corners]))

    def at(self, lens, across, down):
        return self.centers[lens] + self.across * across + self.down * down

    def draw_frame(self, picture, rng):
        color, thick = FRAMES[rng.integers(len(FRAMES))], max(1, int(self.size * rng.uniform(.02, .1)))
        edges, _ = cv2.findContours((self.area > .5).astype(numpy.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(picture, edges, -1, color, thick, cv2.LINE_AA)
        x, y = self.wide, -.3 * self.high
        lines = [(self.at(0, -x, y), self.ears[0] + self.down * y), (self.at(1, x, y), self.ears[1] + self.down * y)]
        if self.shape != "shield":
            lines.append((self.at(0, .9 * x, y), self.at(1, -.9 * x, y)))
        for start, end in lines:
            cv2.line(picture, pixel(start), pixel(end), color, thick, cv2.LINE_AA)
        return picture

    def shine(self, stuff, rng, lens):
        place = self.at(lens, -.2 * self.wide, -.3 * self.high)
        size = self.wide * rng.uniform(.2, .9), self.high * rng.uniform(.1, .4)
        cv2.ellipse(stuff, (tuple(map(float, place)), size, self.angle + float(rng.uniform(-30, 30))),
                    tuple(rng.uniform(60, 230, 3)), -1)


def dark_glasses(picture, mesh, rng, others):
    shape = str(rng.choice(["oval", "box", "aviator", "shield", "bar", "hand"], p=[.23, .23, .23, .15, .1, .06]))
    worn = Spectacles(picture, mesh, rng, "bar" if shape == "hand" else shape)
    if shape == "bar":
        return lay(picture, worn.area, cloth(picture, rng, others), rng, lit=rng.random() < .5)
    if shape == "hand":
        fingers = skin(picture, mesh, rng, 50, numpy.pi / 2, worn.size * rng.uniform(.22, .35))
        return lay(picture, worn.area, fingers, rng)
    stuff = numpy.ones(picture.shape, numpy.float32) * numpy.array(LENSES[rng.integers(len(LENSES))], numpy.float32)
    slope = (grid(picture)[1] - worn.centers[0][1]) / max(worn.high, 1) * rng.uniform(-.2, .9)
    stuff *= rng.uniform(.6, 1.5) * numpy.clip(1 + slope, .4, 2.2)[..., None]
    if rng.random() < .5:
        for lens in (0, 1):
            worn.shine(stuff, rng, lens)
        stuff = cv2.GaussianBlur(stuff, (0, 0), max(.6, worn.size * .03))
    if rng.random() < .2:
        other = cv2.resize(others[rng.integers(len(others))], picture.shape[1::-1]).astype(numpy.float32)
        stuff = stuff * .5 + other * .4
    return worn.draw_frame(lay(picture, worn.area, stuff, rng, opacity=rng.uniform(.75, 1)), rng)


def clear_glasses(picture, mesh, rng, others):
    """Glasses through which the eyes are seen: nothing is covered."""
    worn = Spectacles(picture, mesh, rng, str(rng.choice(["oval", "box"])))
    stuff = numpy.ones(picture.shape, numpy.float32) * rng.uniform(0, 255)
    result = lay(picture, worn.area, stuff, rng, opacity=rng.uniform(0, .25))
    if rng.random() < .5:
        shining = result.astype(numpy.float32)
        for lens in (0, 1):
            worn.shine(shining, rng, lens)
        result = cv2.addWeighted(result, .6, shining.astype(numpy.uint8), .4, 0)
    return worn.draw_frame(result, rng)


def half(picture, mesh, rng, others):
    """One side from the middle of the face outward: a wall, a cloth, a hand, hair."""
    kind = rng.choice(["wall", "cloth", "hand", "hair"])
    up, across, width = axes(mesh)
    side = rng.choice([-1, 1])
    center = mesh[168] * .3 + mesh[4] * .4 + mesh[152] * .3 + across * side * width * rng.uniform(-.12, .1)
    along, far = up + across * rng.uniform(-.12, .12), 2 * max(picture.shape)
    out = across * side * far
    area = polygon(picture,
                   [center + along * far, center - along * far, center - along * far + out, center + along * far + out])
    if kind in ("hand", "hair"):
        middle = (mesh[234] + mesh[454]) / 2
        area *= polygon(picture, [mesh[i] + (mesh[i] - middle) * .12 for i in OVAL])
    if kind == "hand":
        direction = rng.uniform(-.5, .5) + numpy.pi / 2 * rng.integers(2)
        return lay(picture, area,
                   skin(picture, mesh, rng, 280 if side < 0 else 50, direction, width * rng.uniform(.1, .17)), rng)
    if kind == "hair":
        strands = cv2.GaussianBlur(rng.normal(0, 1, picture.shape[:2]).astype(numpy.float32), (0, 0), sigmaX=.8,
                                   sigmaY=8)
        strands = strands / strands.std() * rng.uniform(6, 22)
        color = numpy.array(HAIR[rng.integers(len(HAIR))], numpy.float32)
        return lay(picture, area, numpy.clip(color + strands[..., None], 0, 255), rng)
    return lay(picture, area, cloth(picture, rng, others), rng, lit=kind == "cloth")
