"""Draws the example pages in Chromium and measures every box, line and link.

Eight pages, three carriers, four screens: each box and each run of text must lie within one point of the scene that the
layout made. Each hit area and link must be hit where the scene has it. The form must wait for the tick, and lines must
break as in the layout. All 96 must look as in the golden pictures, which people looked at. Pages that were moved,
spaced, drawn with another typeface, put under a clear pane or robbed of their terms must fall.
"""

import html
import json
import os
import subprocess

import pytest

from support import sheets
from support.browser import SCREENS, chromium, harness_result
from support.checks import folder
from support.server import ROOT

pytestmark = pytest.mark.seconds(90)
OPTIONS = {"pictures": None, "record": False}

GALLERY = os.environ.get("BENJI_PAGE_GALLERY", str(ROOT / ".build/debug/PageGallery"))
GOLDEN = ROOT / "Tests/System/golden/pages"
TOLERANCE = 1.0

# Reads the boxes of every frame. Each frame is a document of its own, of the size of its screen.
HARNESS = """<!doctype html><meta charset=utf-8><style>iframe{border:0;display:block}</style>%s<pre id=out></pre>
<script type="application/json" id=scenes>%s</script><script>
const scenes = JSON.parse(document.getElementById("scenes").textContent);
const rect = r => [r.left, r.top, r.width, r.height];
addEventListener("load", async () => {
  const all = {};
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument;
    await page.fonts.ready;
    const boxes = [...page.querySelectorAll("[data-role]")].map(element => ({
      role: element.dataset.role, rect: rect(element.getBoundingClientRect()),
      runs: [...element.querySelectorAll("span[class*=r]")].filter(span => /r\\d+c\\d+$/.test(span.className))
        .map(span => [span.textContent, ...rect(span.getBoundingClientRect())]) }));
    // What a finger would hit in the middle of each hit area and of each link.
    const hits = [];
    for (const box of scenes[frame.name]?.boxes ?? []) {
      const [x, y] = box.textOrigin ?? [0, 0];
      (box.text?.lines ?? []).forEach((line, row) => line.filter(run => run[3]).forEach(run => {
        const height = box.text.lineHeight;
        const hit = page.elementFromPoint(
          box.frame[0] + x + run[0] + run[1] / 2, box.frame[1] + y + (row + 0.5) * height);
        hits.push(["link", hit?.closest("a")?.getAttribute("href") === run[3]]);
      }));
      if (!box.hitArea) continue;
      const [left, top, width, height] = box.hitArea;
      // The middle of the mask lies under the panel.
      const [dx, dy] = box.role === "mask" ? [2, 2] : [width / 2, height / 2];
      for (const [px, py] of box.role === "mask" ? [[dx, dy]] : [[dx, dy], [2, height / 2], [width - 2, height / 2]]) {
        const hit = page.elementFromPoint(left + px, top + py);
        const role = hit?.closest("label") ? page.getElementById(hit.closest("label").htmlFor).dataset.role
          : hit?.closest("[data-role]")?.dataset.role;
        hits.push([box.role, role === box.role]);
      }
    }
    const form = page.querySelector("form");
    const tick = page.querySelector("input[type=checkbox]");
    const before = form.checkValidity();
    const label = page.querySelector("label");
    label.click();
    const agrees = !before && tick.checked && form.checkValidity();
    label.click();
    all[frame.name] = {boxes, hits, agrees, scrolls: page.documentElement.scrollWidth > frame.clientWidth};
  }
  document.getElementById("out").textContent = JSON.stringify(all);
});
</script>"""


def measure(folder, documents, scenes):
    """Chromium's measurements of documents: name → boxes."""
    frames = []
    for name, (text, (width, height)) in documents.items():
        frames.append(f'<iframe name="{name}" width="{width}" height="{height}" srcdoc="{html.escape(text)}"></iframe>')
    return harness_result(folder, HARNESS % ("\n".join(frames), json.dumps(scenes).replace("<", "\\u003c"))) or {}


def differences(scene, drawn):
    """Where a drawn page is not what its scene says, as sentences; and the greatest distance."""
    wrong, greatest = [], 0.0

    def compare(what, is_, should):
        nonlocal greatest
        distance = max(abs(a - b) for a, b in zip(is_, should))
        greatest = max(greatest, distance)
        if distance > TOLERANCE:
            wrong.append(f"{what} is at {is_}, should be at {should}")

    if [box["role"] for box in drawn["boxes"]] != [box["role"] for box in scene["boxes"]]:
        return ["the boxes are not those of the scene"], 1e9
    for box, seen in zip(scene["boxes"], drawn["boxes"]):
        compare(box["role"], seen["rect"], box["frame"])
        if "text" not in box:
            continue
        x, y = (a + b for a, b in zip(box["frame"][:2], box["textOrigin"]))
        height = box["text"]["lineHeight"]
        expected = [(run, row) for row, line in enumerate(box["text"]["lines"]) for run in line]
        if len(expected) != len(seen["runs"]):
            wrong.append(f"{box['role']} has {len(seen['runs'])} runs, should have {len(expected)}")
            continue
        for (run, row), drawn_run in zip(expected, seen["runs"]):
            text = run[2]
            width = drawn_run[3]
            # Spaces at a line's end are drawn but not counted.
            should = run[1] if text == text.rstrip(" ") else width
            compare(f"{box['role']} “{text}”", drawn_run[1:], [x + run[0], y + row * height, should, height])
    if drawn["scrolls"]:
        wrong.append("the page scrolls sideways")
    return wrong, greatest


# Breaks each text at its width and says where lines begin.
BREAKS = """<!doctype html><meta charset=utf-8><body lang=zh-CN><pre id=out></pre>
<script type="application/json" id=cases>%s</script>
<style>div{position:absolute;white-space:normal;overflow-wrap:anywhere;line-height:20px;font-kerning:none;
text-spacing-trim:space-all;font-variant-ligatures:none}</style><script>
addEventListener("load", async () => {
  await document.fonts.ready;
  const cases = JSON.parse(document.getElementById("cases").textContent);
  document.getElementById("out").textContent = JSON.stringify(cases.map(([text, size, width]) => {
    const box = document.createElement("div");
    box.style.cssText = `font-family:'Noto Sans CJK SC';font-size:${size}px;width:${width}px`;
    box.textContent = text;
    document.body.append(box);
    const lines = [];
    let top = null;
    const range = document.createRange();
    for (let index = 0; index < text.length; index++) {
      range.setStart(box.firstChild, index);
      range.setEnd(box.firstChild, index + 1);
      const rects = range.getClientRects();
      // A space at a line's end has no place of its own.
      if (rects.length && text[index] != " " && rects[0].top !== top) { top = rects[0].top; lines.push(""); }
      lines[lines.length - 1] += text[index];
    }
    box.remove();
    return lines;
  }));
});
</script>"""


def test_line_breaks(checks, private, pages):
    chunks = json.loads((pages / "line-breaks.json").read_text())
    cases = [case for chunk in chunks for case in chunk]
    drawn = harness_result(private, BREAKS % json.dumps(cases).replace("<", "\\u003c")) or []
    different = [(case[1:], lines) for case, lines in zip(cases, drawn) if case[3] != lines]
    checks.that(len(drawn) == len(cases) > 1000 and not different,
                f"Chromium breaks lines where the layout does, in {len(cases)} cases",
                f"{len(drawn)} drawn, {len(different)} differ: {different[:2]}")
    naive = [case for case, lines in zip(cases, drawn) if count_characters(*case[:3]) == lines]
    checks.that(len(naive) < len(cases) / 10, "a layout that only counts characters breaks lines elsewhere")


def count_characters(text, size, width):
    """Lines as a naive layout makes them: as many characters as there are ems."""
    count = int(width // size)
    return [text[start:start + count] for start in range(0, len(text), count)]


def test_golden_pictures(checks, private, documents, options):
    drawn = GOLDEN if options.record else private / "drawn"
    drawn.mkdir(parents=True, exist_ok=True)
    places = sheets.draw(private, drawn, documents)
    found = sheets.compare(private, GOLDEN, drawn, places)
    wrong = sorted(f"{name} ({share:.1%})" for name, share in found.items() if share > sheets.SHARE)
    checks.that(len(found) == len(documents) and not wrong, "all of them look as in the golden pictures",
                f"{len(found)} compared; otherwise: {', '.join(wrong)}; look at them, then use --record")
    checks.note(f"at most {max(found.values(), default=1):.2%} of a page's pixels differ")
    moved = private / "moved"
    moved.mkdir()
    page = {name: (text.replace(".s0b5{", ".s0b5{margin-left:3px;"), size) for name, (text, size) in documents.items()
            if sheets.page_of(name) == "photo"}
    found = sheets.compare(private, GOLDEN, moved, sheets.draw(private, moved, page))
    checks.that(len(found) == len(page) and min(found.values()) > sheets.SHARE,
                "pages of which one line was moved by three points look otherwise", found)


def draw_pictures(private, target, documents):
    """One picture of each page, for the documents: people look at them, nothing compares them."""
    for page in sorted({name.rsplit("-", 2)[0] for name in documents}):
        text, (width, height) = documents[f"{page}-unicom-{'side' if page == 'landscape' else 'phone'}"]
        # Debian's Chromium makes no window narrower than 500; the frame inside it is as wide as the screen.
        frame = private / "frame.html"
        style = "body{margin:0;background:#888;text-align:center}iframe{border:0}"
        frame.write_text(f'<!doctype html><style>{style}</style>'
                         f'<iframe width="{width}" height="{height}" srcdoc="{html.escape(text)}"></iframe>')
        chromium(private, f"--window-size={max(width, 500)},{height}", "--virtual-time-budget=3000",
                 f"--screenshot={target / (page + '.png')}", frame.as_uri())


@pytest.fixture(scope="module")
def private():
    return folder()


@pytest.fixture(scope="module")
def pages(private):
    made = private / "pages"
    made.mkdir()
    subprocess.run([GALLERY, str(ROOT / "Examples/Pages"), str(made)], check=True, timeout=60)
    return made


@pytest.fixture(scope="module")
def scenes(pages):
    return {path.name[:-len(".scene.json")]: json.loads(path.read_text())
            for path in sorted(pages.glob("*.scene.json"))}


@pytest.fixture(scope="module")
def documents(pages, scenes):
    return {name: ((pages / f"{name}.html").read_text(), SCREENS[name.rsplit("-", 1)[1]]) for name in scenes}


def test_boxes_and_hits(checks, private, scenes, documents):
    checks.equal(len(scenes), 96, "there are eight pages for three carriers on four screens")
    drawn = measure(private, documents, scenes)
    checks.equal(set(drawn), set(scenes), "Chromium draws all of them")
    greatest, boxes, runs, wrong = 0.0, 0, 0, []
    for name, scene in scenes.items():
        sentences, distance = differences(scene, drawn[name])
        greatest = max(greatest, distance)
        boxes += len(scene["boxes"])
        runs += sum(len(box["runs"]) for box in drawn[name]["boxes"])
        wrong += [f"{name}: {sentence}" for sentence in sentences]
    checks.that(not wrong, "every box and every run of text is within one point of its scene", "\n".join(wrong[:10]))
    checks.that(boxes > 900 and runs > 900, "there was something to measure")
    checks.note(f"{boxes} boxes and {runs} runs; the greatest distance is {greatest:.3f} points")

    misses = [f"{name}: {role}" for name, seen in drawn.items() for role, hit in seen["hits"] if not hit]
    count = sum(len(seen["hits"]) for seen in drawn.values())
    checks.that(count > 1000 and not misses, f"a finger in a hit area or on a link meets what it means, {count} times",
                misses[:10])
    checks.that(all(seen["agrees"] for seen in drawn.values()),
                "the form is refused until a finger beside the tick has set it")


@pytest.mark.wants("pictures")
def test_pictures(checks, private, documents, pictures):
    draw_pictures(private, pictures, documents)
    kept = {path.stem for path in pictures.glob("*.png")}
    checks.equal({name.rsplit("-", 2)[0] for name in documents} - kept, set(), "a picture of each page is kept")


def test_changed_pages_fall(checks, private, scenes, documents):
    name = "photo-mobile-phone"
    text, size = documents[name]
    changed = {
        "moved by two points": text.replace(".s0b5{", ".s0b5{margin-left:2px;"),
        "spaced more widely": text.replace("letter-spacing:0", "letter-spacing:.2px"),
        "drawn with another typeface": text.replace("Noto Sans CJK SC", "DejaVu Sans Mono"),
        "under a clear pane": text.replace("</form>", '<div class="pane"></div></form>').replace(
            "*{box-sizing", ".pane{position:absolute;left:0;top:0;width:100%;height:100%}*{box-sizing"),
        "without its terms": text.replace('data-role="terms"', ""),
    }
    tampered = measure(private, {str(index): (page, size) for index, page in enumerate(changed.values())},
                       {str(index): scenes[name] for index in range(len(changed))})
    for index, what in enumerate(changed):
        seen = tampered[str(index)]
        falls = differences(scenes[name], seen)[0] or not all(hit for _, hit in seen["hits"])
        checks.that(falls, f"a page that is {what} falls")
