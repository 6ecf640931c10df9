#!/usr/bin/env python3
"""Tables, plot and comparison of the benchmarks' figures.

    bench_report.py --self-test   shows that altered figures are noticed, and that a written report can be read again
"""

import copy
import html
import math
import pathlib
import re
import sys
import tempfile
from typing import NamedTuple, Optional


class Aim(NamedTuple):
    """The aim of a figure: a benchmark's ratio, or one of its rows."""

    benchmark: str
    row: Optional[str]
    least: Optional[float]
    most: Optional[float]
    what: str


AIMS = [
    Aim("redeem", None, 0.15, None, "redeem a token over HTTP, durably, to nginx's static answer"),
    Aim("redeem", "benji / nginx with Redis", 1, None,
        "redeem a token over HTTP, durably, to nginx with Redis doing the same"),
    Aim("redeem", "benji / PostgreSQL function", 3, None,
        "redeem a token over HTTP, durably, to a PostgreSQL function doing the same without HTTP"),
    Aim("redeem", "benji / glewlwyd", 20, None, "redeem a token over HTTP, durably, to glewlwyd's code for a token"),
    Aim("accounting", "Interim-Updates: benji / FreeRADIUS", 2.5, None,
        "Interim-Updates with directory and journal, to FreeRADIUS answering only"),
    Aim("accounting", None, 1.5, None,
        "whole lives of sessions with directory and journal, to FreeRADIUS answering only"),
    Aim("accounting", "benji / FreeRADIUS with PostgreSQL", 10, None,
        "whole lives of sessions with directory and journal, to FreeRADIUS with PostgreSQL"),
    Aim("directory", "v4, many sessions", 1e6, None, "look-ups a second on one core, 10 million sessions"),
    Aim("directory", "whole sighting beside accounting", 1e6, None, "sightings a second beside full accounting"),
    Aim("directory", None, 0.9, None, "look-ups with 10 million sessions, to those with 1 million"),
    Aim("directory", "bytes a session, v4", None, 64, "bytes a session, 10 million sessions"),
    Aim("directory", "bytes a session, v4 and v6 prefix", None, 66, "bytes a session with an IPv6 prefix too"),
    Aim("prefetch", "cached", None, 10_000, "a cached prefetch, in microseconds"),
    Aim("page", "a page laid out and judged", None, 1000, "the page laid out, validated and judged, in microseconds"),
    Aim("face", "a login with its challenge / everything in its frames", None, 1.2,
        "processor time of a login by face with its challenge, to measuring everything in its frames"),
    Aim("face", "search in a group / opening its templates", None, 10,
        "processor time of a search in a group of 10,000, to opening as many templates"),
    Aim("login", None, None, 7, "processor time of a login, to that of its three signature checks"),
    Aim("login", "App Attest costs a login", None, 200,
        "processor time that App Attest adds to a login, in microseconds"),
    Aim("login", "DPoP costs a login over OpenID Connect", None, 200,
        "processor time that DPoP adds to a login over OpenID Connect, in microseconds"),
    Aim("cluster", "a pair's beginnings and endings, PostgreSQL with a replica", 3000, None,
        "beginnings and endings of sessions a second, committed by PostgreSQL and its replica before they are "
        "answered"),
    Aim("cluster", "a login, all parts: most authorities / one", None, 1.1,
        "processor time of a login with four authorities over one PostgreSQL, to that with one"),
    Aim("demo", "make demo in a fresh clone", None, None, "`make demo` in a fresh clone, in seconds"),
]


def checked(result):
    """The result of one benchmark, if everything that is read of it is there."""
    rows = [row["name"] for row in result["rows"]]
    if len(set(rows)) != len(rows):
        raise ValueError(f"{result['benchmark']}: two figures have one name")
    for figure in everything(result).values():
        if not figure["spread"]["lowest"] <= figure["median"] <= figure["spread"]["highest"]:
            raise ValueError(f"{result['benchmark']}: a median lies outside its spread")
    for series in result.get("series") or []:
        sizes = [point["size"] for point in series["points"]]
        if not sizes or sizes != sorted(set(sizes)) or sizes[0] < 1:
            raise ValueError(f"{result['benchmark']}: the sizes of {series['name']} do not grow")
    for aim in AIMS:
        if aim.benchmark == result["benchmark"] and aim.row not in [None, *rows]:
            raise ValueError(f"{aim.benchmark}: there is no figure {aim.row!r}, for which there is an aim")
    return result


def figures(result):
    """All figures of one benchmark by name, the ratio first."""
    ratio = {"name": result["ratioOf"], "unit": "×", "note": "", "median": result["ratio"], "spread": result["spread"]}
    return {ratio["name"]: ratio, **{row["name"]: row for row in result["rows"]}}


def points(result):
    """The figure of each point of each series, by name."""
    return {name: {**point, "name": name, "unit": series["unit"], "note": ""}
            for series in result.get("series") or [] for point in series["points"]
            for name in [f"{series['name']}, {point['size']:,} {series['over']}"]}


def everything(result):
    """All figures and points of one benchmark by name."""
    return {**figures(result), **points(result)}


def short(value):
    """Three significant digits, thousands separated, as the benchmarks print them."""
    if value == 0:
        return "0"
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.{max(2 - math.floor(math.log10(abs(rounded))), 0)}f}"


def cells(figure):
    """Median, lowest and highest as a table shows them, or the text in their place."""
    if figure.get("instead"):
        return [figure["instead"], "", ""]
    return [short(value) for value in (figure["median"], figure["spread"]["lowest"], figure["spread"]["highest"])]


def aimed(found):
    """(aim, figure, whether it is reached or None) for every aim that was measured.

    Beside a peer that is not durable nothing is reached, and nothing missed.
    """
    for aim in AIMS:
        for result in found["benchmarks"]:
            if result["benchmark"] == aim.benchmark:
                figure = figures(result)[aim.row or result["ratioOf"]]
                reached = None
                if aim.least is not None and not figure.get("instead"):
                    reached = figure["median"] >= aim.least
                if aim.most is not None and not figure.get("instead"):
                    reached = figure["median"] <= aim.most
                yield aim, figure, reached


def headline(found):
    """The table of the README."""
    lines = ["| what is measured | median | lowest – highest | first aim | |", "|---|---:|---:|---:|---|"]
    for aim, figure, reached in aimed(found):
        median, lowest, highest = cells(figure)
        spread = f"{lowest} – {highest}" if lowest else ""
        goal = f"≥ {short(aim.least)}" if aim.least is not None else f"≤ {short(aim.most)}" if aim.most else ""
        verdict = {True: "reached", False: "**not reached**", None: ""}[reached]
        lines.append(f"| {aim.what} | {median} | {spread} | {goal} | {verdict} |")
    return "\n".join(lines)


def summary(found):
    """The same for a terminal."""
    lines = []
    for aim, figure, reached in aimed(found):
        verdict = {True: "reached", False: "NOT REACHED", None: ""}[reached]
        lines.append(f"{cells(figure)[0]:>11}  {aim.what}  {verdict}".rstrip())
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
            lines.append(f"| {name} | {' | '.join(cells(figure))} | {figure['unit']} | {figure['note']} |")
        for series in result.get("series") or []:
            lines += ["", f"| {series['name']}: {series['over']} | median, {series['unit']} | lowest | highest |",
                      "|---:|---:|---:|---:|"]
            for point in series["points"]:
                spread = point["spread"]
                lines.append(f"| {point['size']:,} | {short(point['median'])} | {short(spread['lowest'])} | "
                             f"{short(spread['highest'])} |")
    return "\n".join(lines) + "\n"


def between(text, marker, content):
    """`text` with `content` between the two comments of a marker."""
    begin, end = f"<!-- {marker}: begin -->", f"<!-- {marker}: end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"the markers {begin} and {end} must be there once, in this order")
    return text[:text.index(begin) + len(begin)] + "\n" + content.strip() + "\n" + text[text.index(end):]


def write(found, root):
    """Puts tables and the plot where readers look."""
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
        before, after = everything(runs[0][name]), everything(runs[1][name])
        for figure in [*before, *(figure for figure in after if figure not in before)]:
            count += 1
            if figure not in before or figure not in after:
                verdict, text = "APART", "only one of the runs has it"
            elif before[figure].get("instead") or after[figure].get("instead"):
                one, other = (each[figure].get("instead") or short(each[figure]["median"]) for each in (before, after))
                verdict, text = "agrees" if one == other else "APART", f"{one} and {other}"
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

# Pixels: of the bars with their figures, of a row, between panels, and of a character in the widest of the usual fonts.
BARS, ROW, GAP, CHARACTER = 530, 22, 34, 7
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
    def shown(result):
        return [row for row in result["rows"] if row["unit"] == result["rows"][0]["unit"]]

    # The longest name ends before the bars.
    left = max(len(row["name"]) for result in found["benchmarks"] for row in shown(result)) * CHARACTER + 8
    parts, y = [], 10
    for result in found["benchmarks"]:
        rows, spread = shown(result), result["spread"]
        unit = rows[0]["unit"]
        parts.append(f'<text class="title" x="0" y="{y + 14}">{html.escape(result["benchmark"])}</text>')
        parts.append(f'<text class="quiet" x="0" y="{y + 32}">{html.escape(result["ratioOf"])}: '
                     f'{short(result["ratio"])} ({short(spread["lowest"])} – {short(spread["highest"])})</text>')
        y += 42
        longest = max(row["spread"]["highest"] for row in rows)
        scale = (BARS - 110) / longest if longest > 0 else 0
        for row in rows:
            low, high = row["spread"]["lowest"] * scale + left, row["spread"]["highest"] * scale + left
            middle = y + ROW / 2
            kind = "bar" if re.match(r"FreeRADIUS|nginx|PostgreSQL|pgbench|glewlwyd|bare|Dictionary|checking",
                                     row["name"]) else "ours"
            parts.append(f'<text x="0" y="{middle + 4:.1f}">{html.escape(row["name"])}</text>')
            parts.append(f'<rect class="{kind}" x="{left}" y="{y + 3}" width="{max(row["median"] * scale, 1):.1f}" '
                         f'height="{ROW - 6}" rx="2"/>')
            parts.append(f'<path class="spread" d="M{low:.1f} {middle:.1f}H{high:.1f}M{low:.1f} {middle - 4:.1f}v8'
                         f'M{high:.1f} {middle - 4:.1f}v8"/>')
            parts.append(f'<text x="{high + 8:.1f}" y="{middle + 4:.1f}">'
                         f'{short(row["median"])} {html.escape(unit)}</text>')
            y += ROW
        y += GAP
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + BARS} {y - GAP + 12}" role="img" '
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
                 "rows": [row("a < b & c", "/s", 190, 200, 210), row("FreeRADIUS", "/s", 98, 100, 103),
                          row("Interim-Updates: benji / FreeRADIUS", "×", 2.0),
                          row("benji / FreeRADIUS with PostgreSQL", "×", 12.0)]},
                {"benchmark": "redeem", "ratioOf": "a / nginx", "ratio": 0.2, "rounds": 3,
                 "spread": {"lowest": 0.2, "highest": 0.2},
                 "rows": [row("benji / nginx with Redis", "×", 2.0),
                          {**row("benji / PostgreSQL function", "×", 9.0), "instead": "not durable"},
                          row("benji / glewlwyd", "×", 7.0)]},
                {"benchmark": "login", "ratioOf": "c / d", "ratio": 5.0, "rounds": 3,
                 "spread": {"lowest": 4.9, "highest": 5.2}, "rows": [
                     row("one", "µs", 84.0), row("App Attest costs a login", "µs", -3.0, 80.0, 90.0),
                     row("DPoP costs a login over OpenID Connect", "µs", 130.0)]},
                {"benchmark": "series", "ratioOf": "e / f", "ratio": 1.1, "rounds": 3,
                 "spread": {"lowest": 1.0, "highest": 1.2}, "rows": [row("bytes", "B", 64.0)],
                 "series": [{"name": "redeem", "over": "apps & more", "unit": "µs", "points": [
                     {"size": size, "median": 200.0, "spread": {"lowest": 190.0, "highest": 230.0}}
                     for size in (1, 100, 100_000)]}]}]}


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
    assert agrees and "18 of 18 figures agree" in lines[-1], lines
    assert altered(lambda found: scale(found[0]["rows"][0], 1.02))[1], "a figure inside the spread agrees"
    assert altered(lambda found: scale(found[1]["rows"][0], 1.004))[1], "a difference that is not shown agrees"
    for what, change in {
        "a row that became slower": lambda found: scale(found[0]["rows"][1], 0.9),
        "a row that became faster": lambda found: scale(found[0]["rows"][1], 1.2),
        "a single figure": lambda found: scale(found[1]["rows"][0], 1.03),
        "a ratio": lambda found: found[0].update(ratio=3.0, spread={"lowest": 2.9, "highest": 3.1}),
        "a peer that is durable now": lambda found: found[1]["rows"][1].pop("instead"),
        "a peer that no longer is": lambda found: found[1]["rows"][0].update(instead="not durable"),
        "a row that is gone": lambda found: found[0]["rows"].pop(),
        "a row that is new": lambda found: found[1]["rows"].append(found[0]["rows"][0]),
        "a point of a series": lambda found: scale(found[3]["series"][0]["points"][1], 1.3),
        "a point that is gone": lambda found: found[3]["series"][0]["points"].pop(),
        "a benchmark that is gone": lambda found: found.pop(),
    }.items():
        lines, agrees = altered(change)
        assert not agrees and any("APART" in line for line in lines), f"{what} is not noticed: {lines}"
    for value, text in {1234567: "1,230,000", 12.345: "12.3", 999.9: "1,000", 0.001234: "0.00123", 0: "0"}.items():
        assert short(value) == text, (value, short(value))

    def fits(found):
        """Whether no text of the plot reaches the bars next to it, or the plot's edge."""
        image = ElementTree.fromstring(plot(found))
        bars, edge = (float(text) for text in (
            next(element.get("x") for element in image.iter() if element.tag.endswith("rect")),
            image.get("viewBox").split()[2]))
        texts = [element for element in image.iter() if element.tag.endswith("text")]
        return all(float(text.get("x")) + len(text.text) * CHARACTER <=
                   (edge if text.get("class") or float(text.get("x")) else bars) for text in texts)

    long = sample()
    long["benchmarks"][3]["rows"][0]["name"] = "bytes a session, 1,000,000 sessions with an IPv6 prefix too"
    long["benchmarks"][0]["ratioOf"] = "a page laid out and judged / its description read by JSONSerialization"
    assert fits(sample()) and fits(long), "a text of the plot is cut off or covered"
    assert "| 100,000 | 200 | 190 | 230 |" in document(sample()), "the points of a series are not in the table"
    page = "before\n<!-- m: begin -->\nold\n<!-- m: end -->\nafter\n"
    assert between(page, "m", "new") == "before\n<!-- m: begin -->\nnew\n<!-- m: end -->\nafter\n"
    for broken in ("no markers", page + page, "<!-- m: end --><!-- m: begin -->"):
        try:
            between(broken, "m", "new")
        except ValueError:
            continue
        raise AssertionError(f"text with broken markers is written: {broken!r}")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "docs").mkdir()
        markers = "\n".join(f"<!-- figures of make bench: {end} -->" for end in ("begin", "end"))
        for name in ("docs/performance.md", "README.md"):
            (root / name).write_text(markers)
        write(sample(), root)
        written = (root / "docs/performance.md").read_text()
        assert "| 100,000 |" in written, written
    assert "**not reached**" in headline(sample()) and "| whole lives" in headline(sample())
    for text in (headline(sample()), summary(sample()), document(sample())):
        line, = [line for line in text.splitlines() if "PostgreSQL function" in line and "durably" in line] or [""]
        assert "not durable" in text and "9.00" not in text and "eached" not in line, text
    for spoil in (lambda result: result["rows"].append(result["rows"][0]),
                  lambda result: result.update(ratio=9.0), lambda result: result.update(benchmark="prefetch"),
                  lambda result: result["series"][0]["points"].reverse(),
                  lambda result: result["series"][0]["points"][0].update(median=9.0)):
        result = copy.deepcopy({**sample()["benchmarks"][3], "benchmark": "growing"})
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
