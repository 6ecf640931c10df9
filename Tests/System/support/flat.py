"""Whether something stays flat over time, or grows; and how a series looks, as an SVG file."""

from dataclasses import dataclass
from html import escape


@dataclass
class Growth:
    """A straight line through the second half of a series."""

    start: float  # of the line, at the beginning of the second half
    end: float
    seconds: float

    @property
    def amount(self):
        return self.end - self.start

    @property
    def share(self):
        return self.amount / self.start if self.start else 0.0


def growth(points):
    """The least-squares line through the second half of (time, value) points. None if there are too few."""
    if len(points) < 8:
        return None
    middle = (points[0][0] + points[-1][0]) / 2
    half = [(at - middle, value) for at, value in points if at >= middle]
    mean_at = sum(at for at, _ in half) / len(half)
    mean = sum(value for _, value in half) / len(half)
    spread = sum((at - mean_at) ** 2 for at, _ in half)
    slope = sum((at - mean_at) * (value - mean) for at, value in half) / spread if spread else 0.0
    first, last = half[0][0], half[-1][0]
    return Growth(mean + slope * (first - mean_at), mean + slope * (last - mean_at), last - first)


def fault(points, share=0.05, allowance=0.0):
    """The fault of a series that should be flat: its second half rises by more than `share` of itself and `allowance`.
    None if it is flat."""
    seen = growth(points)
    if seen is None:
        return f"{len(points)} samples are too few to judge"
    permitted = seen.start * share + allowance
    if seen.amount > permitted:
        return f"rises by {seen.amount:,.0f} in the second half ({seen.share:.1%}), more than {permitted:,.0f}"
    return None


# One panel below the other, with a common axis of time.
WIDTH, PANEL, LEFT, RIGHT, TOP, GAP = 860, 190, 76, 20, 34, 44
COLOURS = ("#1f6fb2", "#c2571a", "#2c8a57", "#7a4fa3")


def nice_step(span, count):
    """A step of 1, 2 or 5 times a power of ten that cuts `span` into about `count`."""
    rough = max(span, 1e-9) / count
    power = 1.0
    while power * 10 <= rough:
        power *= 10
    while power > rough:
        power /= 10
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)


def ticks(low, high, count=5):
    step = nice_step(high - low, count)
    first = int(low / step) if low >= 0 else int(low / step) - 1
    return [step * index for index in range(first, first + 3 * count) if low - step / 2 <= step * index <= high]


def number(value):
    return f"{value:,.0f}" if abs(value) >= 10 or value == int(value) else f"{value:g}"


def panel(title, points, top, colour, seconds):
    """The elements of one panel; values from 0 to a little above the highest."""
    bottom, right = top + PANEL, WIDTH - RIGHT
    high = max((value for _, value in points), default=0) * 1.08 or 1
    x = lambda at: LEFT + (right - LEFT) * at / max(seconds, 1e-9)
    y = lambda value: bottom - PANEL * value / high
    lines = [f'<text x="{LEFT}" y="{top - 8}" class="title">{escape(title)}</text>']
    for value in ticks(0, high):
        lines.append(f'<line x1="{LEFT}" x2="{right}" y1="{y(value):.1f}" y2="{y(value):.1f}" class="grid"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{number(value)}</text>')
    for at in ticks(0, seconds, 8):
        lines.append(f'<text x="{x(at):.1f}" y="{bottom + 18}" text-anchor="middle">{number(at)} s</text>')
    # No more points than can be seen.
    step = max(1, len(points) // 1500)
    path = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in points[::step])
    lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
    return lines


def draw(path, panels):
    """Writes an SVG file. `panels` is a list of (title, [(seconds, value)])."""
    seconds = max((points[-1][0] for _, points in panels if points), default=1)
    height = TOP + len(panels) * (PANEL + GAP)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
             'font-size="12" fill="#333">',
             "<style>.grid{stroke:#ddd}.title{font-weight:bold}</style>",
             f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>']
    for index, (title, points) in enumerate(panels):
        lines += panel(title, points, TOP + index * (PANEL + GAP), COLOURS[index % len(COLOURS)], seconds)
    with open(path, "w") as file:
        file.write("\n".join([*lines, "</svg>", ""]))
