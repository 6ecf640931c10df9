#!/usr/bin/env python3
"""Tables, plot and comparison of what the benchmarks found.

    bench_report.py --self-test   shows that altered figures are noticed, and that what is written can be read again
"""

import copy
import html
import math
import re
import sys
from typing import NamedTuple, Optional


class Aim(NamedTuple):
    """What a figure shall reach: a benchmark's ratio, or one of its rows."""

    benchmark: str
    row: Optional[str]
    least: Optional[float]
    most: Optional[float]
    what: str


AIMS = [
    Aim("redeem", None, 0.15, None, "redeem a token over HTTP, durably, to nginx's static answer"),
    Aim("accounting", None, 2.5, None, "accounting packets with directory and journal, to FreeRADIUS answering only"),
    Aim("directory", "v4, many sessions", 1e6, None, "look-ups a second on one core, 10 million sessions"),
    Aim("directory", None, 0.9, None, "look-ups with 10 million sessions, to those with 1 million"),
    Aim("directory", "bytes a session, v4", None, 96, "bytes a session, 10 million sessions"),
    Aim("prefetch", "cached", None, 10_000, "a cached prefetch, in microseconds"),
    Aim("page", "a page laid out and judged", None, 1000, "the page laid out, validated and judged, in microseconds"),
    Aim("face", "a login with its challenge / everything in its frames", None, 1.2,
        "processor time of a login by face with its challenge, to measuring everything in its frames"),
    Aim("face", "search in a group / opening its templates", None, 10,
        "processor time of a search in a group of 10,000, to opening as many templates"),
    Aim("login", None, None, None, "processor time of a login, to that of its three signature checks"),
    Aim("demo", "make demo in a fresh clone", None, None, "`make demo` in a fresh clone, in seconds"),
]


def checked(result):
    """The result of one benchmark, if everything that is read of it is there."""
    rows = [row["name"] for row in result["rows"]]
    if len(set(rows)) != len(rows):
        raise ValueError(f"{result['benchmark']}: two figures have one name")
    for figure in figures(result).values():
        if not figure["spread"]["lowest"] <= figure["median"] <= figure["spread"]["highest"]:
            raise ValueError(f"{result['benchmark']}: a median lies outside its spread")
    for aim in AIMS:
        if aim.benchmark == result["benchmark"] and aim.row not in [None, *rows]:
            raise ValueError(f"{aim.benchmark}: there is no figure {aim.row!r}, for which there is an aim")
    return result


def figures(result):
    """All figures of one benchmark by name, the ratio first."""
    ratio = {"name": result["ratioOf"], "unit": "×", "note": "", "median": result["ratio"], "spread": result["spread"]}
    return {ratio["name"]: ratio, **{row["name"]: row for row in result["rows"]}}


def short(value):
    """Three significant digits, thousands separated, as the benchmarks print them."""
    if value == 0:
        return "0"
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.{max(2 - math.floor(math.log10(abs(rounded))), 0)}f}"


def aimed(found):
    """(aim, figure, whether it is reached or None) for every aim that was measured."""
    for aim in AIMS:
        for result in found["benchmarks"]:
            if result["benchmark"] == aim.benchmark:
                figure = figures(result)[aim.row or result["ratioOf"]]
                reached = None
                if aim.least is not None:
                    reached = figure["median"] >= aim.least
                if aim.most is not None:
                    reached = figure["median"] <= aim.most
                yield aim, figure, reached


def headline(found):
    """The table of the README."""
    lines = ["| what is measured | median | lowest – highest | first aim | |", "|---|---:|---:|---:|---|"]
    for aim, figure, reached in aimed(found):
        spread = f"{short(figure['spread']['lowest'])} – {short(figure['spread']['highest'])}"
        goal = f"≥ {short(aim.least)}" if aim.least is not None else f"≤ {short(aim.most)}" if aim.most else ""
        verdict = {True: "reached", False: "**not reached**", None: ""}[reached]
        lines.append(f"| {aim.what} | {short(figure['median'])} | {spread} | {goal} | {verdict} |")
    return "\n".join(lines)


def summary(found):
    """The same for a terminal."""
    lines = []
    for aim, figure, reached in aimed(found):
        verdict = {True: "reached", False: "NOT REACHED", None: ""}[reached]
        lines.append(f"{short(figure['median']):>10}  {aim.what}  {verdict}".rstrip())
    return "\n".join(lines)


def described(found):
    """The machine in one sentence."""
    machine = dict(found["machine"])
    text = f"{machine.pop('processor')}, {machine.pop('cores')} cores, {machine.pop('memory')}"
    return text + "; " + ", ".join(
        f"{'' if name == 'system' else name + ' '}{value}" for name, value in machine.items() if value != "unknown")


def document(found):
    """Everything, as docs/performance.md shows it."""
    lines = [f"Measured at {found['at']} with commit {found['commit']} on: {described(found)}.", "", headline(found)]
    for result in found["benchmarks"]:
        rounds = f"{result['rounds']} round{'s' if result['rounds'] != 1 else ''}"
        lines += ["", f"### {result['benchmark']}", "", f"{rounds}.", "",
                  "| | median | lowest | highest | unit | |", "|---|---:|---:|---:|---|---|"]
        *ratio, = figures(result).values()
        for figure in [*ratio[1:], ratio[0]]:
            name = f"**{figure['name']}**" if figure is ratio[0] else figure["name"]
            spread = figure["spread"]
            lines.append(f"| {name} | {short(figure['median'])} | {short(spread['lowest'])} | "
                         f"{short(spread['highest'])} | {figure['unit']} | {figure['note']} |")
    return "\n".join(lines) + "\n"


def between(text, marker, content):
    """`text` with `content` between the two comments of a marker."""
    begin, end = f"<!-- {marker}: begin -->", f"<!-- {marker}: end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"the markers {begin} and {end} must be there once, in this order")
    return text[:text.index(begin) + len(begin)] + "\n" + content.strip() + "\n" + text[text.index(end):]


def write(found, root):
    """Puts tables and plot where readers look."""
    pages = {root / "docs/performance.md": document(found), root / "README.md": headline(found)}
    changed = {path: between(path.read_text(), "figures of make bench", content) for path, content in pages.items()}
    for path, text in changed.items():
        path.write_text(text)
    (root / "docs/figures").mkdir(exist_ok=True)
    (root / "docs/figures/performance.svg").write_text(plot(found))


# How much two single figures may differ: they are shown with three digits.
ROUNDING = 0.01


def agree(one, other):
    """Whether the spreads of two figures meet."""
    def widened(figure):
        slack = abs(figure["median"]) * ROUNDING / 2
        return figure["spread"]["lowest"] - slack, figure["spread"]["highest"] + slack

    (low, high), (other_low, other_high) = widened(one), widened(other)
    return low <= other_high and other_low <= high


def compare(earlier, later):
    """(lines, whether all agree): for each figure of either run, whether their spreads meet."""
    lines, apart = [], 0
    runs = [{result["benchmark"]: result for result in run["benchmarks"]} for run in (earlier, later)]
    if earlier["machine"] != later["machine"]:
        lines.append("The machines differ: " + described(earlier) + " and " + described(later) + ".")
    count = 0
    for name in sorted(set(runs[0]) | set(runs[1])):
        lines.append(name)
        if name not in runs[0] or name not in runs[1]:
            lines.append("  APART   only one of the runs has it")
            apart, count = apart + 1, count + 1
            continue
        before, after = figures(runs[0][name]), figures(runs[1][name])
        for figure in [*before, *(figure for figure in after if figure not in before)]:
            count += 1
            if figure not in before or figure not in after:
                verdict, text = "APART", "only one of the runs has it"
            else:
                one, other = before[figure], after[figure]
                verdict = "agrees" if agree(one, other) else "APART"
                text = " and ".join(
                    f"{short(each['median'])} ({short(each['spread']['lowest'])} – {short(each['spread']['highest'])})"
                    for each in (one, other)) + f" {one['unit']}"
            apart += verdict == "APART"
            lines.append(f"  {verdict:6}  {figure}: {text}")
    lines.append(f"{count - apart} of {count} figures agree: their spreads, lowest to highest, meet")
    return lines, apart == 0


# The plot

WIDTH, LABELS, ROW, GAP = 860, 330, 22, 34
STYLE = """
    text { font: 13px system-ui, sans-serif; fill: #1f2328; }
    .title { font-weight: 600; font-size: 15px; }
    .quiet { fill: #656d76; }
    .bar { fill: #4a7bd0; } .ours { fill: #1f9d68; }
    .spread { stroke: #1f2328; stroke-width: 1.5; fill: none; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; } .quiet { fill: #8d96a0; }
      .bar { fill: #5b8ee6; } .ours { fill: #34b37c; } .spread { stroke: #e6edf3; }
    }"""


def plot(found):
    """Bars of the medians with the whole spread, a panel for each benchmark, as SVG for light and dark pages."""
    parts, y = [], 10
    for result in found["benchmarks"]:
        unit = result["rows"][0]["unit"]
        rows = [row for row in result["rows"] if row["unit"] == unit]
        spread = result["spread"]
        parts.append(f'<text class="title" x="0" y="{y + 14}">{html.escape(result["benchmark"])}</text>')
        parts.append(f'<text class="quiet" x="{LABELS}" y="{y + 14}">{html.escape(result["ratioOf"])}: '
                     f'{short(result["ratio"])} ({short(spread["lowest"])} – {short(spread["highest"])})</text>')
        y += 26
        longest = max(row["spread"]["highest"] for row in rows)
        scale = (WIDTH - LABELS - 110) / longest if longest > 0 else 0
        for row in rows:
            low, high = row["spread"]["lowest"] * scale + LABELS, row["spread"]["highest"] * scale + LABELS
            middle = y + ROW / 2
            kind = "bar" if re.match(r"FreeRADIUS|nginx|bare|Dictionary|checking", row["name"]) else "ours"
            parts.append(f'<text x="0" y="{middle + 4:.1f}">{html.escape(row["name"])}</text>')
            parts.append(f'<rect class="{kind}" x="{LABELS}" y="{y + 3}" width="{max(row["median"] * scale, 1):.1f}" '
                         f'height="{ROW - 6}" rx="2"/>')
            parts.append(f'<path class="spread" d="M{low:.1f} {middle:.1f}H{high:.1f}M{low:.1f} {middle - 4:.1f}v8'
                         f'M{high:.1f} {middle - 4:.1f}v8"/>')
            parts.append(f'<text x="{max(high, LABELS) + 8:.1f}" y="{middle + 4:.1f}">'
                         f'{short(row["median"])} {html.escape(unit)}</text>')
            y += ROW
        y += GAP
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y - GAP + 12}" role="img" '
            'aria-label="Medians of all benchmarks with their spread">\n'
            f"<style>{STYLE}\n</style>\n" + "\n".join(parts) + "\n</svg>\n")


# The self-test

def sample():
    def row(name, unit, *values):
        return {"name": name, "unit": unit, "note": "", "median": sorted(values)[len(values) // 2],
                "spread": {"lowest": min(values), "highest": max(values)}}

    return {"machine": {"processor": "P", "cores": 2, "memory": "8 GiB", "Swift": "6.3"}, "at": "2026-01-01",
            "commit": "abc", "benchmarks": [
                {"benchmark": "accounting", "ratioOf": "a / b", "ratio": 2.0, "rounds": 3,
                 "spread": {"lowest": 1.9, "highest": 2.1},
                 "rows": [row("a < b & c", "/s", 190, 200, 210), row("FreeRADIUS", "/s", 98, 100, 103)]},
                {"benchmark": "login", "ratioOf": "c / d", "ratio": 5.0, "rounds": 3,
                 "spread": {"lowest": 4.9, "highest": 5.2}, "rows": [row("one", "µs", 84.0)]}]}


def self_test():
    """Judges what must be found, and what must not."""
    from xml.etree import ElementTree

    def altered(change):
        later = copy.deepcopy(sample())
        change(later["benchmarks"])
        return compare(sample(), later)

    def scale(figure, factor):
        figure["median"] *= factor
        figure["spread"] = {end: value * factor for end, value in figure["spread"].items()}

    lines, agrees = compare(sample(), sample())
    assert agrees and "5 of 5 figures agree" in lines[-1], lines
    assert altered(lambda found: scale(found[0]["rows"][0], 1.02))[1], "a figure inside the spread agrees"
    assert altered(lambda found: scale(found[1]["rows"][0], 1.004))[1], "a difference that is not shown agrees"
    for what, change in {
        "a row that became slower": lambda found: scale(found[0]["rows"][1], 0.9),
        "a row that became faster": lambda found: scale(found[0]["rows"][1], 1.2),
        "a single figure": lambda found: scale(found[1]["rows"][0], 1.03),
        "a ratio": lambda found: found[0].update(ratio=3.0, spread={"lowest": 2.9, "highest": 3.1}),
        "a row that is gone": lambda found: found[0]["rows"].pop(),
        "a row that is new": lambda found: found[1]["rows"].append(found[0]["rows"][0]),
        "a benchmark that is gone": lambda found: found.pop(),
    }.items():
        lines, agrees = altered(change)
        assert not agrees and any("APART" in line for line in lines), f"{what} is not noticed: {lines}"
    for value, text in {1234567: "1,230,000", 12.345: "12.3", 999.9: "1,000", 0.001234: "0.00123", 0: "0"}.items():
        assert short(value) == text, (value, short(value))

    ElementTree.fromstring(plot(sample()))
    page = "before\n<!-- m: begin -->\nold\n<!-- m: end -->\nafter\n"
    assert between(page, "m", "new") == "before\n<!-- m: begin -->\nnew\n<!-- m: end -->\nafter\n"
    for broken in ("no markers", page + page, "<!-- m: end --><!-- m: begin -->"):
        try:
            between(broken, "m", "new")
        except ValueError:
            continue
        raise AssertionError(f"text with broken markers is written: {broken!r}")
    assert "**not reached**" in headline(sample()) and "| accounting" in headline(sample())
    for spoil in (lambda result: result["rows"].append(result["rows"][0]),
                  lambda result: result.update(ratio=9.0), lambda result: result.update(benchmark="prefetch")):
        result = copy.deepcopy(sample()["benchmarks"][0])
        checked(result)
        spoil(result)
        try:
            checked(result)
        except ValueError:
            continue
        raise AssertionError("a broken result is taken")
    print("bench report: altered, missing and new figures are noticed; tables and plot hold")


if __name__ == "__main__":
    if sys.argv[1:] != ["--self-test"]:
        sys.exit(__doc__)
    self_test()
