"""Pictures of the example pages, drawn by Chromium: one sheet a page, with three carriers on four screens.

The sheets under `Tests/System/golden/pages` were looked at by people; a page that looks otherwise is told by name.
"""

import base64
import html
import json

from .browser import chromium, harness_result

# The share of a frame's pixels that may differ by more than GREATEST in a channel. Another release of the browser or of
# the typeface smooths edges in its own way.
SHARE = 0.002
GREATEST = 64
SCALE = 0.5

COMPARE = """<!doctype html><meta charset=utf-8><pre id=out></pre>
<script type="application/json" id=sheets>%s</script><script>
const load = url => new Promise((done, fail) => {
  const image = new Image();
  image.onload = () => done(image);
  image.onerror = () => fail(new Error("no picture"));
  image.src = url;
});
const pixels = (image, [x, y, width, height]) => {
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(image, -x, -y);
  return canvas.getImageData(0, 0, width, height).data;
};
addEventListener("load", async () => {
  const found = {};
  for (const {name, golden, drawn, frames, greatest} of JSON.parse(document.getElementById("sheets").textContent)) {
    const images = [await load(golden), await load(drawn)];
    if (images[0].width !== images[1].width || images[0].height !== images[1].height) {
      found[name] = 1;
      continue;
    }
    for (const [frame, area] of Object.entries(frames)) {
      const [before, after] = images.map(image => pixels(image, area));
      let changed = 0;
      for (let index = 0; index < before.length; index += 4)
        if ([0, 1, 2].some(channel => Math.abs(before[index + channel] - after[index + channel]) > greatest)) changed++;
      found[frame] = changed * 4 / before.length;
    }
  }
  document.getElementById("out").textContent = JSON.stringify(found);
});
</script>"""


def page_of(name):
    """The page of a document such as `bottom-sheet-mobile-phone`."""
    return name.rsplit("-", 2)[0]


def draw(private, target, documents):
    """Writes one sheet for each page into `target`; returns page → document → its place on the sheet, in pixels."""
    places = {}
    for page in sorted({page_of(name) for name in documents}):
        frames, x, y, row, width = [], 0, 0, 0, 0
        places[page] = {}
        for name, (text, (wide, high)) in documents.items():
            if page_of(name) != page:
                continue
            # Each carrier has a row of its own.
            if row and name.rsplit("-", 2)[1] != carrier:
                x, y, row = 0, y + row, 0
            carrier = name.rsplit("-", 2)[1]
            frames.append(f'<iframe style="left:{x}px;top:{y}px" width="{wide}" height="{high}" '
                          f'srcdoc="{html.escape(text)}"></iframe>')
            places[page][name] = [round(value * SCALE) for value in (x, y, wide, high)]
            x, row = x + wide, max(row, high)
            width = max(width, x)
        sheet = private / "sheet.html"
        style = "body{margin:0;background:#888}iframe{border:0;position:absolute}"
        sheet.write_text(f"<!doctype html><style>{style}</style>" + "".join(frames))
        chromium(private, f"--window-size={width},{y + row}", f"--force-device-scale-factor={SCALE}",
                 "--virtual-time-budget=3000", f"--screenshot={target / (page + '.png')}", sheet.as_uri())
    return places


def compare(private, golden, drawn, places):
    """document → share of its pixels that are not those of the golden sheet."""
    def picture(path):
        return "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode() if path.exists() else "data:,"

    sheets = [{"name": page, "golden": picture(golden / f"{page}.png"), "drawn": picture(drawn / f"{page}.png"),
               "frames": frames, "greatest": GREATEST} for page, frames in places.items()]
    return harness_result(private, COMPARE % json.dumps(sheets)) or {}
