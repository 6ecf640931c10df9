"""Builds the page engine for browsers and lets it answer in Chromium what the native engine answered.

Eight pages, three carriers, four screens and a handful of malformed requests: scene, findings and errors must be the
same bytes. The engine may import nothing, and must still answer after ten thousand requests, without growing. The
sample of docs/page.md asks it as it stands.
"""

import base64
import json
import os
import re
import subprocess

import pytest

from support.browser import harness_result
from support.checks import folder
from support.server import ROOT

pytestmark = pytest.mark.seconds(300)

GALLERY = os.environ.get("BENJI_PAGE_GALLERY", str(ROOT / ".build/debug/PageGallery"))

HARNESS = """<!doctype html><meta charset=utf-8><pre id=out></pre><script type=module>
%s
const bytes = Uint8Array.from(atob("%s"), letter => letter.charCodeAt(0));
const out = document.getElementById("out");
try {
  const module = new WebAssembly.Module(bytes);
  const ask = await loadPageEngine(bytes);
  const answers = {};
  const requests = JSON.parse(document.getElementById("requests").textContent);
  for (const [name, text] of Object.entries(requests)) answers[name] = ask.text(text);
  const usual = Object.values(requests).find(text => text.length > 1000);
  const first = ask.text(usual);
  let same = true;
  const start = performance.now();
  for (let round = 0; round < 200; round++) same = same && ask.text(usual) === first;
  const milliseconds = (performance.now() - start) / 200;
  const before = ask.memory.buffer.byteLength;
  for (let round = 0; round < 10000; round++) ask.text('{"page":{"logo":{"sise":' + round + '}}}');
  const grown = ask.memory.buffer.byteLength - before;
  out.textContent = JSON.stringify({answers, same, grown, milliseconds,
    imports: WebAssembly.Module.imports(module).length});
} catch (error) { out.textContent = JSON.stringify({fault: String(error)}); }
</script><script type="application/json" id=requests>%s</script>"""


# The sample's own module and file, as a page on a disk has them, and what it gets.
SAMPLE = """<!doctype html><meta charset=utf-8><pre id=out></pre><script type=module>
const out = document.getElementById("out");
try {
%s
  out.textContent = JSON.stringify({error: error ?? null, kinds: [typeof scene, Array.isArray(findings)]});
} catch (error) { out.textContent = JSON.stringify({fault: String(error)}); }
</script>"""


def test_the_sample_of_the_document(checks):
    private = folder()
    subprocess.run([str(ROOT / "scripts/lib/build-wasm.sh")], check=True, timeout=600, stdout=subprocess.DEVNULL)
    (sample,) = re.findall(r"(?ms)^```js\n(.*?)^```$", (ROOT / "docs/page.md").read_text(encoding="utf-8"))
    (named,) = re.findall(r'^import (\{ \w+ \}) from "./benji-page.js";\n', sample)
    for name in ("benji-page.js", "benji-page.wasm"):
        (private / name).write_bytes((ROOT / ".build-wasm" / name).read_bytes())

    def asked(text):
        # In a function an import is written otherwise.
        text = re.sub(r'^import .*\n', f'const {named} = await import("./benji-page.js");\n', text)
        return harness_result(private, SAMPLE % text)

    checks.equal(asked(sample), {"error": None, "kinds": ["object", True]},
                 "the sample of page.md gets a scene and findings")
    spoilt = asked(sample.replace("width:", "wide:"))
    checks.that(spoilt and spoilt.get("error"), "with a name misspelt it gets an error", spoilt)


def test_the_engine_in_chromium(checks):
    private = folder()
    pages = private / "pages"
    pages.mkdir()
    subprocess.run([str(ROOT / "scripts/lib/build-wasm.sh")], check=True, timeout=600, stdout=subprocess.DEVNULL)
    subprocess.run([GALLERY, str(ROOT / "Examples/Pages"), str(pages)], check=True, timeout=60)
    requests = {path.name[:-len(".request.json")]: path.read_text() for path in sorted(pages.glob("*.request.json"))}
    native = {name: (pages / f"{name}.answer.json").read_text() for name in requests}
    wrapper = (ROOT / "WebAssembly/benji-page.js").read_text().replace("export async", "async")
    wasm = base64.b64encode((ROOT / ".build-wasm/benji-page.wasm").read_bytes()).decode()
    page = HARNESS % (wrapper, wasm, json.dumps(requests).replace("<", "\\u003c"))
    result = harness_result(private, page) or {"fault": "no answer"}
    if not checks.that("answers" in result, "the engine runs in Chromium", result.get("fault", "")):
        return
    answers = result["answers"]
    differing = [name for name in native if answers.get(name) != native[name]]
    checks.equal(len(native), 106, "there are 96 pages and ten malformed requests")
    checks.equal(differing, [], "native and WebAssembly give the same bytes for each of them")
    refused = [name for name in answers if "error" in json.loads(answers[name])]
    checks.equal(sorted(refused), sorted(name for name in native if name.startswith("malformed")),
                 "the malformed requests are refused and no other")
    checks.that(
        answers["popup-mobile-phone"] != native["popup-unicom-phone"], "another carrier's page is another answer")
    checks.equal(result["imports"], 0, "the engine imports nothing")
    checks.that(result["same"], "the same request gets the same answer every time")
    checks.equal(result["grown"], 0, "ten thousand requests take no more memory")
    checks.note(f"{result['milliseconds']:.2f} ms for a request, its page laid out and judged")
