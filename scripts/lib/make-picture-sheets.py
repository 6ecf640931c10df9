#!/usr/bin/env python3
"""Puts the pictures that a system test keeps (--pictures) side by side, for the documents: of each page one WebP, with
the desk and the phone in light and dark. Chromium draws it.

    scripts/system-tests.sh test_console.py --pictures /tmp/pictures
    scripts/lib/make-picture-sheets.py /tmp/pictures docs/images/console en-logins zh-logins
"""

import argparse
import base64
import json
import re
import subprocess
import tempfile
from pathlib import Path

PARTS = ("desktop-light", "desktop-dark", "phone-light", "phone-dark")
PAGE = """<!doctype html><meta charset=utf-8><pre id=out></pre><script>
const load = url => new Promise((done, fail) => {
  const image = new Image(); image.onload = () => done(image); image.onerror = fail; image.src = url;
});
(async () => {
  const scale = 0.625, gap = 12, images = await Promise.all(%s.map(load));
  const sizes = images.map(image => [Math.round(image.width * scale), Math.round(image.height * scale)]);
  const sheet = document.createElement("canvas");
  sheet.width = sizes.reduce((sum, [width]) => sum + width, gap * (images.length - 1));
  sheet.height = Math.max(...sizes.map(([, height]) => height));
  const context = sheet.getContext("2d");
  context.fillStyle = "#85858a";
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.imageSmoothingQuality = "high";
  images.reduce((left, image, number) => {
    context.drawImage(image, left, 0, ...sizes[number]);
    return left + sizes[number][0] + gap;
  }, 0);
  document.getElementById("out").textContent = sheet.toDataURL("image/webp", 0.8);
})();
</script>"""


def draw(files, target):
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "sheet.html"
        page.write_text(PAGE % json.dumps([file.resolve().as_uri() for file in files]), encoding="utf-8")
        said = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
             "--virtual-time-budget=10000",
             f"--user-data-dir={folder}/profile", "--dump-dom", page.as_uri()], capture_output=True, text=True,
             timeout=60, check=True).stdout
    found = re.search(r"data:image/webp;base64,([A-Za-z0-9+/=]+)", said)
    if not found:
        raise SystemExit(f"Chromium drew no sheet of {', '.join(file.name for file in files)}")
    target.write_bytes(base64.b64decode(found[1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pictures", type=Path, help="what --pictures kept")
    parser.add_argument("target", type=Path, help="the folder of the documents")
    parser.add_argument("names", nargs="+", metavar="name", help="a page; name=other gives its sheet another name")
    options = parser.parse_args()
    options.target.mkdir(parents=True, exist_ok=True)
    for each in options.names:
        name, _, other = each.partition("=")
        files = [options.pictures / f"{name}-{part}.png" for part in PARTS]
        target = options.target / f"{other or name}.webp"
        draw(files, target)
        print(f"{target}  {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
