"""The page designer in a browser: properties by form and as JSON, boxes dragged and moved by keys, fixed findings,
versions, links, compiled exports. It runs as `benji page design`, and in the sandbox."""

import base64
import glob
import hashlib
import json
import re
import subprocess
import urllib.error
import urllib.request

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from support import axe, looks
from support.browser import Browser
from support.checks import Stop, end, eventually, folder, run, start
from support.sandbox import Sandbox
from support.server import ROOT, binary, environment

pytestmark = pytest.mark.seconds(300)
OPTIONS = {"pictures": None}

EXAMPLES = sorted((ROOT / "Examples/Pages").glob("*.json"))
#: Every field of a description, each at another value than its default.
CHANGED = ROOT / "Tests/BenjiPageTests/Golden/changed-page.json"
#: What must do nothing in a text.
HOSTILE = "\"'><img src=x onerror=window.hacked=1><script>window.hacked=1</script>{{7*7}}"

# Changes one control as a person would, and says what the JSON then has. The value is taken from what the control
# offers.
CHANGE = """
const [id, done] = arguments;
const control = document.getElementById(id);
const digest = () => document.getElementById('digest').textContent;
const own = () => JSON.parse(document.getElementById('json').value);
const parts = control.dataset.path.replace(/\\[(\\d+)\\]/g, '.$1').split('.');
const at = () => parts.reduce((value, part) => value?.[part], own());
const before = JSON.stringify(at()), digestBefore = digest(), text = document.getElementById('json').value;
const other = {
  flag: () => { control.click(); }, part: () => { control.click(); }, words: () => { control.click(); },
}[control.dataset.kind];
if (other) other();
else {
  if (control.tagName === 'SELECT')
    control.value = [...control.options].map(each => each.value).find(each => each !== control.value);
  else if (control.type === 'number')
    control.value = String(Number(control.value || 0) + 1 > Number(control.max)
      ? Number(control.value) - 1 : Number(control.value || 0) + 1);
  else if (control.dataset.kind === 'color') control.value = control.value === '#123456' ? '#654321' : '#123456';
  else control.value = (control.value || 'https://app.example/x') + 'x';
  control.dispatchEvent(new Event(control.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
}
const wait = started => {
  if (digest() === digestBefore && performance.now() - started < 3000) { setTimeout(wait, 5, started); return; }
  const result = { path: control.dataset.path, part: control.dataset.part, before, after: JSON.stringify(at()),
                   changed: digest() !== digestBefore };
  document.getElementById('undo').click();
  result.undone = document.getElementById('json').value === text;
  const settle = again => {
    if (digest() !== digestBefore && performance.now() - again < 3000) { setTimeout(settle, 5, again); return; }
    done({ ...result, restored: digest() === digestBefore });
  };
  settle(performance.now());
};
wait(performance.now());
"""


class Designer:
    """`benji page design` on a file of its own."""

    def __init__(self, text=None):
        self.file = folder() / "login.json"
        if text is not None:
            self.file.write_text(text)
        self.out = folder() / "out.txt"
        with open(self.out, "wb") as out:
            self.process = start([binary(), "page", "design", str(self.file)], stdout=out, stdin=subprocess.DEVNULL,
                                 env=environment())
        if not eventually(lambda: "Open http" in self.out.read_text() or self.process.poll() is not None,
                          20) or self.process.poll() is not None:
            raise Stop(f"benji page design does not begin: {self.out.read_text()}")
        self.address = self.out.read_text().split()[1]

    def stop(self):
        return end(self.process)

    def ask(self, method, path="", body=None, base=None, **headers):
        """(status, text) of a request to it."""
        request = urllib.request.Request((base or self.address) + path, data=body, method=method,
                                         headers={key.replace("_", "-"): value for key, value in headers.items()})
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10) as answer:
                return answer.status, answer.read().decode(errors="replace")
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(errors="replace")


@pytest.fixture(scope="module")
def designer():
    made = Designer()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def window():
    with Browser(None, language="en", size=(1500, 900)) as made:
        made.driver.set_script_timeout(60)
        yield made


@pytest.fixture
def page(designer, window):
    """The designer with an untouched page."""
    opened(window, designer.address)
    window.run("localStorage.clear()")
    window.resize(1500, 900)
    opened(window, designer.address)
    return window


def opened(browser, address):
    browser.open("about:blank")
    browser.open(address)
    if not eventually(lambda: browser.run("return 'ready' in document.documentElement.dataset"), 20):
        raise Stop(f"the designer is not ready: {browser.text('body')[:300]}")


def write(browser, text):
    """Puts a text into the JSON field, as one that was pasted."""
    browser.run("const field = document.getElementById('json'); field.value = arguments[0]; field.dispatchEvent(new "
                "Event('input'))",
                text if isinstance(text, str) else json.dumps(text, ensure_ascii=False, indent=2))
    eventually(lambda: browser.run("return document.getElementById('broken').hidden === false")
               or shown(browser) is not None, 1)
    browser.driver.execute_async_script("setTimeout(arguments[0], 260)")


def source(browser):
    return browser.run("return document.getElementById('json').value")


def shown(browser):
    try:
        return json.loads(source(browser))
    except ValueError:
        return None


def digest(browser):
    return browser.run("return document.getElementById('digest').textContent")


def digest_of(path):
    return run([binary(), "page", "digest", str(path)]).stdout.strip()


def findings(browser):
    return set(map(tuple, browser.run(
        "return [...document.querySelectorAll('#findings li')].map(each => [each.dataset.rule, each.dataset.role])")))


def full_page():
    page = json.loads(CHANGED.read_text())
    page["webPage"]["back"]["image"] = {"name": "back", "width": 13, "height": 21}
    give_typefaces(page)
    return page


def give_typefaces(part):
    for name, value in part.items():
        if isinstance(value, dict):
            give_typefaces(value)
            if name == "font":
                value["typeface"] = "Serif"


def few_previews(page):
    """One instead of eight, where it does not matter how often a page is drawn."""
    for choice in ("small", "en", "dark"):
        page.run("document.querySelector(`#choices [value=${arguments[0]}]`).click()", choice)
    if page.run("return document.querySelectorAll('figure').length") != 1:
        raise Stop("the choice of previews is not taken")


def test_every_property(checks, page):
    page.run("localStorage.clear()")
    few_previews(page)
    write(page, full_page())
    fields = page.driver.execute_async_script("""
        const done = arguments[0];
        import(new URL('benji-page.js', location.href).href).then(async module => {
          const ask = await module.loadPageEngine(fetch('benji-page.wasm'));
          done(ask({ do: 'fields' }).fields.map(field => [field.path, field.kind]));
        })""")
    controls = page.run("return [...document.querySelectorAll('#form [data-path]')].map(each => [each.id, "
                        "each.dataset.path, each.dataset.kind])")
    offered = {re.sub(r"\[\d+\]", "[]", path) for _, path, _ in controls} | {re.sub(r"\[\d+\]$", "", path)
                                                                             for _, path, _ in controls}
    lists = set(page.run("return [...document.querySelectorAll('[data-add]')].map(each => each.dataset.add)"))
    missing = [path for path, kind in fields if kind != "group" and path not in offered | lists]
    checks.equal(missing, [], "the form has a control for every field of the description")
    checks.equal(len({identity for identity, _, _ in controls}), len(controls), "no two controls have the same name")
    wrong = []
    for identity, path, kind in controls:
        result = page.driver.execute_async_script(CHANGE, identity)
        if not (result["changed"] and result["before"] != result["after"] and result["undone"] and result["restored"]):
            wrong.append(result)
    checks.equal(wrong, [], f"each of {len(controls)} controls changes its field in the JSON and the page digest, "
                            "and undo takes that back")
    checks.equal(page.run("return document.querySelectorAll('#form [aria-invalid]').length"), 0,
                 "none of that was wrong")


def test_form_and_json(checks, page):
    write(page, {"number": {"font": {"size": 31}}})
    checks.equal(page.run("return document.getElementById('f-number-font-size').value"), "31",
                 "what is written as JSON is in the form")
    before = source(page)
    broken = before.replace('"size": 31', '"sise": 31')
    write(page, broken)
    checks.that(page.says("Line 4, column 7: $.number.font.sise: there is no such field", "#broken"),
                "a wrong field is named with its line",
                page.text("#broken"))
    checks.equal(source(page), broken, "what was written is still there")
    checks.that(page.run("return document.getElementById('form').inert"),
                "the form waits meanwhile, so that nothing is written over")
    write(page, before[:-1])
    checks.that(page.says("Line 7, column 1", "#broken"), "JSON that ends too soon is named with its line",
                page.text("#broken"))
    page.click("#go-back")
    checks.equal(source(page), before, "the last good description comes back")
    page.run("const field = document.getElementById('f-number-font-size'); field.value = '4000'; "
             "field.dispatchEvent(new Event('input', {bubbles: true}))")
    checks.equal(page.run("return [...document.querySelectorAll('[data-wrong]:not([hidden])')].map(each => "
                          "[each.dataset.wrong, each.textContent])"),
                 [["number.font.size", "must lie within 1 and 200"]],
                 "a value out of its range is refused at its field")
    checks.equal(shown(page)["number"]["font"]["size"], 31, "and leaves the page as it was")


def test_undo_and_redo(checks, page):
    states = [source(page)]
    for size in (20, 30, 40):
        page.run("const field = document.getElementById('f-number-font-size'); field.value = arguments[0]; "
                 "field.dispatchEvent(new Event('input', {bubbles: true}))", str(size))
        page.driver.execute_async_script("setTimeout(arguments[0], 1050)")
        states.append(source(page))
    for state in reversed(states[:-1]):
        page.click("#undo")
        checks.equal(source(page), state, "undo goes back one step")
    checks.that(page.run("return document.getElementById('undo').disabled"), "there is nothing before the first")
    webdriver.ActionChains(page.driver).key_down(Keys.CONTROL).key_down(Keys.SHIFT).send_keys("z").key_up(
        Keys.SHIFT).key_up(Keys.CONTROL).perform()
    checks.equal(source(page), states[1], "redo by keys goes forward again")


def test_fixes(checks, page):
    bad = {
        "number": {"font": {"size": 11}, "color": "#cccccc"},
        "terms": {"items": [], "font": {"size": 8}, "tick": {"initiallySet": True}, "hint": {"shown": False}},
        "loginButton": {"text": "下一步", "fills": {"normal": "#c79a00"}, "placement": {"width": 185, "height": 36}},
        "switchButton": {"hidden": True},
        "navigationBar": {"back": {"hidden": True}},
    }
    write(page, bad)
    there = findings(page)
    expected = {"number-size", "contrast", "own-terms", "terms-size", "unticked-at-first", "missing-tick",
                "login-wording", "login-size", "other-login", "closable"}
    checks.that(expected <= {rule for rule, _ in there}, "a bad page has its findings", sorted(there))
    marked = set(page.run(
        "return [...document.querySelectorAll('figure:first-child .badge')].map(each => each.dataset.finding)"))
    checks.that({"number", "login", "terms", "tick"} <= marked, "they are marked on the boxes that cause them",
                sorted(marked))
    for _ in range(20):
        fixes = page.find("#findings [data-fix]")
        if not fixes:
            break
        item = fixes[0].get_attribute("data-fix"), fixes[0].find_element("xpath",
                                                                         "ancestor::li").get_attribute("data-role")
        before = findings(page)
        page.run("arguments[0].click()", fixes[0])
        after = findings(page)
        checks.that(item not in after and after < before,
                    f"the fix of {item[0]} at {item[1]} makes it vanish and brings nothing else", sorted(after))
    checks.equal(findings(page), set(), "in the end the page keeps every rule")
    file = folder() / "fixed.json"
    file.write_text(source(page))
    checks.equal(run([binary(), "page", "lint", "--strict", str(file)]).returncode, 0,
                 "and `benji page lint` says so too")


def box(page, name):
    return page.run("return document.querySelector(`figure:first-child [data-box=\"${arguments[0]}\"]`)", name)


def test_boxes(checks, page):
    write(page, {**shown(page), "loginButton": {"placement": {"portrait": {"center": 40, "top": 300}}}})
    scale = page.run("const screen = document.querySelector('figure .screen'); return "
                     "screen.getBoundingClientRect().width / screen.viewBox.baseVal.width")
    webdriver.ActionChains(page.driver).drag_and_drop_by_offset(box(page, "login-0"), round(-37 * scale),
                                                                round(30 * scale)).perform()
    place = shown(page)["loginButton"]["placement"]["portrait"]
    checks.equal(place.get("center", 0), 0, "a box that is dragged near the middle snaps to it")
    checks.that(place["top"] > 315, "and stands lower", place)
    webdriver.ActionChains(page.driver).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).perform()
    webdriver.ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(Keys.ARROW_DOWN).key_up(Keys.SHIFT).perform()
    moved = shown(page)["loginButton"]["placement"]["portrait"]
    checks.equal((moved["center"], moved["top"]), (2, place["top"] + 10),
                 "arrow keys move it by one point, with Shift by ten")
    checks.equal(page.run("return document.activeElement.dataset.box"), "login-0", "it keeps the focus")
    checks.that(page.says("Login button: left", "#said"), "where it is then is said", page.text("#said"))
    webdriver.ActionChains(page.driver).key_down(Keys.ALT).send_keys(Keys.ARROW_RIGHT).key_up(Keys.ALT).perform()
    checks.equal(shown(page)["loginButton"]["placement"].get("width"), 301, "Alt and an arrow make it wider")
    page.press("Enter")
    checks.that(page.run("return document.activeElement.closest('[data-group=loginButton]') !== null"),
                "Enter leads to its fields")
    handle = page.run("return document.querySelector('figure:first-child [data-handle]')")
    webdriver.ActionChains(page.driver).drag_and_drop_by_offset(handle, round(-60 * scale), 0).perform()
    checks.that(shown(page)["loginButton"]["placement"]["width"] < 280, "its corner can be dragged",
                shown(page)["loginButton"]["placement"])


def test_previews(checks, page):
    page.click("#views summary")
    for name in ("large", "side", "split"):
        page.click(f"#choices [value={name}]")
    page.click("#choices [value=unicom]")
    page.click("#choices [value=zh-Hant]")
    captions = page.run("return [...document.querySelectorAll('figcaption')].map(each => each.textContent)")
    checks.equal(len(captions), 24, "as many previews are drawn as fit")
    checks.that(page.says("of 60 are drawn", "#limited"), "and how many there would be is said", page.text("#limited"))
    page.run(
        "const size = document.querySelector('[name=size]'); size.value = '3'; size.dispatchEvent(new Event('change'))")
    checks.that("3×" in page.run("return document.querySelector('figcaption').textContent"), "text can be made larger")
    texts = page.run("return document.querySelector('figure .screen').textContent")
    checks.that("138****0000" in texts and "一键登录" in texts, "the page is drawn", texts)


def test_begin(checks, page):
    page.click("#new")
    checks.that(eventually(lambda: len(page.find("#dialog .card")) == 8, 10),
                "the eight examples are offered as pictures")
    page.run("document.querySelector('[data-example=branded]').click()")
    checks.equal(shown(page), json.loads((ROOT / "Examples/Pages/branded.json").read_text()),
                 "an example is begun with")
    page.click("#new")
    page.shows("#brand")
    page.run("const color = document.getElementById('brand'); color.value = '#ffcc00'; "
             "document.getElementById('begin').click()")
    checks.equal(findings(page), set(), "a page in a bright colour keeps every rule, contrast too")
    checks.equal(shown(page)["loginButton"]["fills"]["normal"]["dark"], "#ffcc00",
                 "and has the colour where it can be read")
    page.click("#new")
    page.click("#from-nothing")
    checks.equal(source(page), "{}", "nothing can be begun with")
    logo = folder() / "logo.svg"
    logo.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40" '
                    'onload="window.hacked=1"><script>window.hacked=1</script>'
                    '<rect width="80" height="40" fill="#aa0055"/></svg>')
    page.click("#new")
    page.shows("#brand-logo")
    page.find("#brand-logo")[0].send_keys(str(logo))
    checks.that(eventually(lambda: page.run("return document.getElementById('brand').value") == "#aa0055", 5),
                "the colour is taken from the logo",
                page.run("return document.getElementById('brand').value"))
    page.click("#begin")
    checks.equal(shown(page)["logo"]["image"], {"name": "logo", "width": 144, "height": 72}, "the logo keeps its shape")
    checks.that(page.run("return document.querySelector('figure image')?.getAttribute('href')").startswith("blob:"),
                "and is in the previews")
    checks.equal(page.run("return window.hacked ?? null"), None, "a script in it does not run")


def test_share_and_versions(checks, designer, page):
    text = (ROOT / "Examples/Pages/editorial.json").read_text()
    write(page, text)
    wanted = digest(page)
    page.click("#share")
    page.shows("#link")
    link = page.run("return document.getElementById('link').value")
    checks.note(f"{len(link)} characters for a page of {len(text)} bytes")
    with Browser(None, language="zh-CN", size=(393, 760)) as other:
        opened(other, link)
        checks.that(eventually(lambda: digest(other) == wanted, 5), "whoever opens the link has the same page")
        checks.that(all("#p=" not in each and "editorial" not in each for each in other.loaded),
                    "what is in the link is sent to nobody")
        opened(other, link[:-20] + "AAAA")
        checks.that(eventually(lambda: "链接中没有可读取的页面" in other.text("#said"), 5), "a link that was cut short says so",
                    other.text("#said"))
    page.click("#dialog-close")
    page.click("#versions")
    page.type("#version-name", "Autumn <b>1</b>")
    page.click("#keep")
    checks.that(page.says("Autumn <b>1</b>", ".versions"), "a version is kept under its name")
    page.click("#dialog-close")
    write(page, {**shown(page), "number": {"font": {"size": 44}}})
    page.click("#versions")
    page.click("#compare")
    checks.that(page.says("number.font.size", "#comparison"), "two versions are compared field by field",
                page.text("#comparison"))
    checks.that("44" in page.text("#comparison"), "with what they say")
    opened(page, designer.address)
    page.click("#versions")
    page.click("[data-open='0']")
    checks.that(eventually(lambda: digest(page) == wanted, 5), "a version comes back after the window was closed")


def test_hostile_text(checks, page):
    description = full_page()
    hostile = HOSTILE
    description["loginButton"]["text"] = hostile
    description["terms"]["items"] = [{"title": hostile, "url": "https://app.example/" + "a"},
                                     {"title": {"zh-Hans": hostile, "en": hostile}, "url": "https://app.example/b"}]
    description["terms"]["words"] = [hostile] * 4
    description["terms"]["hint"]["text"] = hostile
    description["switchButton"]["text"] = hostile
    description["navigationBar"]["title"]["text"] = hostile
    description["webPage"]["title"]["text"] = hostile
    description["custom"][0]["label"] = hostile
    for name in ("title", "agree", "disagree"):
        description["consentDialog"][name]["text"] = hostile
    write(page, description)
    checks.that(page.run("return document.getElementById('broken').hidden"), "the text is a description's",
                page.text("#broken"))
    page.click("#versions")
    page.type("#version-name", hostile)
    page.click("#keep")
    page.click("#compare")
    page.click("#dialog-close")
    page.click("#export")
    for target in ("swift", "json", "one-login", "ge-yan", "tyrz"):
        page.run("const target = document.getElementById('target'); target.value = arguments[0]; "
                 "target.dispatchEvent(new Event('change'))", target)
    page.click("#dialog-close")
    write(page, '{"%s": 1}' % hostile.replace('"', '\\"'))
    page.run("document.querySelector('#search').value = arguments[0]; "
             "document.querySelector('#search').dispatchEvent(new Event('input'))", hostile)
    checks.equal(page.run("return window.hacked ?? null"), None, "script in a text does not run")
    checks.equal(page.run("return document.querySelectorAll('body script, img, [onerror]').length"), 0,
                 "and is nowhere in the page but as text")
    policy = page.run("return fetch(location.href).then(answer => answer.headers.get('content-security-policy'))")
    checks.that("default-src 'none'" in policy and "unsafe-inline" not in policy and "'unsafe-eval'" not in policy,
                "the policy would not let it run", policy)


def test_digest_and_export(checks, page):
    work = folder()
    modules = ROOT / "Server/.build/debug"
    objects = [each for name in ("BenjiPage", "BenjiValues") for each in glob.glob(str(modules / f"{name}.build/*.o"))]
    (work / "main.swift").write_text(
        "import BenjiPage\nprint(String(decoding: try loginPage.bytesForDigest(), as: UTF8.self), terminator: \"\")\n")
    standins = ROOT / ".build-standins"
    include = ["-I", str(standins / "debug/Modules"), "-I", str(standins / "crypto")]
    include += [part for each in ("CCryptoBoringSSL", "CCryptoBoringSSLShims", "CXKCP", "CXKCPShims")
                for part in ("-I", str(standins / "crypto" / each))]
    include += [part for each in glob.glob(str(standins / "debug/*.build/module.modulemap"))
                for part in ("-Xcc", f"-fmodule-map-file={each}")]
    full = work / "full.json"
    full.write_text(json.dumps(full_page(), ensure_ascii=False))
    hostile = work / "hostile.json"
    hostile.write_text(json.dumps({"loginButton": {"text": "\\(fatalError()) \"#\\u{41}"},
                                   "terms": {"words": ["\"", "\\", "", "\\\""]}}))
    for path in [*EXAMPLES, full, hostile]:
        wanted = digest_of(path)
        write(page, path.read_text())
        checks.that(eventually(lambda: digest(page) == wanted, 5),
                    f"{path.name}: the digest is the one that `benji page digest` prints", digest(page))
        for target in ("swift", "one-login", "ge-yan"):
            written = run([binary(), "page", "export", str(path), "--for", target])
            page.click("#export")
            page.run("const target = document.getElementById('target'); target.value = arguments[0]; "
                     "target.dispatchEvent(new Event('change'))", target)
            checks.equal(page.run("return document.getElementById('exported').value"), written.stdout,
                         f"{path.name}: browser and command export the same for {target}")
            page.click("#dialog-close")
            # A compiler takes its seconds: those that differ most, and the one with every field.
            if path.stem not in ("dark", "editorial", "popup", "full", "hostile"):
                continue
            if target == "swift":
                (work / "LoginPage.swift").write_text(written.stdout)
                built = run(["swiftc", "-swift-version", "6", "-I", str(modules / "Modules"), "-o",
                             str(work / "program"), str(work / "main.swift"),
                             str(work / "LoginPage.swift"), *objects])
                made = run([str(work / "program")]).stdout if built.returncode == 0 else built.stderr
                checks.equal(base64.urlsafe_b64encode(hashlib.sha256(made.encode()).digest()).decode().rstrip("="),
                             wanted,
                             f"{path.name}: what is exported as Swift compiles, and makes the very same page")
                continue
            (work / "VendorPage.swift").write_text(written.stdout)
            built = run(["swiftc", "-swift-version", "6", "-typecheck", *include, str(work / "VendorPage.swift")])
            checks.equal((built.returncode, built.stderr), (0, ""),
                         f"{path.name}: what is exported for {target} compiles against its SDK")


def test_saving(checks, designer, page):
    write(page, {"logo": {"hidden": True}})
    page.click("#save")
    checks.that(page.says("Saved.", "#said"), "saving says so", page.text("#said"))
    checks.equal(json.loads(designer.file.read_text()), {"logo": {"hidden": True}}, "and the file has the page")
    origin = designer.address.split("/")[2]
    kept = designer.file.read_text()
    for headers in ({"Origin": "http://evil.example"}, {"Host": "evil.example"},
                    {"Sec_Fetch_Site": "cross-site", "Origin": f"http://{origin}"},
                    {"Sec_Fetch_Site": "same-site", "Origin": "null"}):
        status, _ = designer.ask("PUT", "page.json", b"{}", **headers)
        checks.equal(status, 403, f"another site cannot save: {headers}")
    checks.equal(designer.ask("GET", Host="evil.example")[0], 403, "nor read under another name")
    status, text = designer.ask("PUT", "page.json", b'{"lago": 1}')
    checks.that(status == 400 and "there is no such field" in text, "what is no description is not saved",
                (status, text))
    checks.equal(designer.file.read_text(), kept, "the file is as it was")
    checks.equal([designer.ask("GET", path, base=f"http://{origin}/")[0]
                  for path in ("", "designer.html", "page.json", "x/page.json")], [404] * 4,
                 "without the random word there is nothing")


@pytest.mark.long("the page again on each screen; test_previews has them in the designer")
def test_screens(checks, options, page):
    pictures = options.pictures
    write(page, (ROOT / "Examples/Pages/photo.json").read_text())
    for language in ("en", "zh"):
        page.run("document.querySelector(`[data-language=${arguments[0]}]`).click()", language)
        for scheme in ("light", "dark"):
            page.appearance(scheme)
            for name, size in {"phone": (320, 640), "large-phone": (393, 760), "tablet": (1024, 768),
                               "desktop": (1500, 900), "wide": (2560, 1440), "4k": (3840, 2160)}.items():
                page.resize(*size)
                for pane in ("previews", "form", "findings", "json") if size[0] < 900 else ("previews",):
                    if size[0] < 900:
                        page.click(f"#panes [data-shows={pane}]")
                    looks.fits(checks, page, f"{name}, {pane}, {language}, {scheme}", reads=scheme == "light")
                    if pictures:
                        page.picture(pictures / f"designer-{name}-{pane}-{language}-{scheme}.png")
    page.appearance("light")
    page.resize(1500, 900)
    unnamed = page.run("""
        return [...document.querySelectorAll(
            'input:not([type=hidden]), select, textarea, button, summary, [role=button]')]
          .filter(each => !(each.labels?.length || each.textContent.trim()
            || each.getAttribute('aria-label') || each.getAttribute('aria-labelledby')))
          .map(each => each.outerHTML)""")
    checks.equal(unnamed, [], "every control has a name that a screen reader says")


@pytest.mark.long("axe-core on every dialog")
def test_nobody_is_kept_out(checks, page):
    """axe-core looks at each part of the designer and at each of its dialogs."""
    few_previews(page)
    write(page, {**full_page(), "number": {"font": {"size": 11}, "color": "#cccccc"}})
    page.run("for (const each of document.querySelectorAll('details')) each.open = true")
    for language, scheme in (("zh", "light"), ("en", "dark")):
        page.click(f"[data-language={language}]")
        page.appearance(scheme)
        page.resize(1500, 900)
        checks.equal(axe.faults(page), [], f"the designer, {language}, {scheme}: nothing grave")
        # A dialog stands before the whole page, which was looked at.
        for dialog in ("new", "share", "versions", "export"):
            page.click(f"#{dialog}")
            page.shows("#dialog-body > *")
            checks.equal(axe.faults(page, "#dialog"), [], f"{dialog}, {language}, {scheme}: nothing grave")
            page.click("#dialog-close")
    # In a narrow window there is one part at a time, in the same colours.
    page.resize(320, 640)
    for pane in ("previews", "form", "findings", "json"):
        page.click(f"#panes [data-shows={pane}]")
        for place in ("header", "#panes", f"#{pane}-pane"):
            checks.equal(axe.faults(page, place), [], f"{place} at 320 pixels, with {pane}: nothing grave")
    page.resize(1500, 900)
    page.appearance("light")


def test_in_the_sandbox(checks):
    with Sandbox() as sandbox, Browser(None, language="en", size=(1500, 900)) as browser:
        browser.open(sandbox.page + "?lang=en")
        browser.click(".to-designer")
        checks.that(eventually(lambda: browser.run("return 'ready' in document.documentElement.dataset"), 20),
                    "the sandbox leads to the designer")
        write(browser, {**json.loads((ROOT / "Examples/Pages/minimal.json").read_text()),
                        "loginButton": {"text": "Log in to my shop", "cornerRadius": 24}})
        browser.click("#shop")
        checks.that(browser.says("The sandbox's shop now has this page.", "#said"),
                    "a page is given to the sandbox's shop", browser.text("#said"))
        status, _, _ = sandbox.ask("POST", "/design/shop", raw='{"lago": 1}',
                                   headers={"Content-Type": "application/json"})
        checks.equal(status, 400, "what is no description is not")
        status, _, _ = sandbox.ask("POST", "/design/shop", raw="{}", headers={"Origin": "http://evil.example"})
        checks.equal(status, 403, "nor is another site's")
        sandbox.ask("POST", "/phones/phone-1/screen", raw="action=begin",
                    headers={"Content-Type": "application/x-www-form-urlencoded"})
        drawn = eventually(lambda: "Log in to my shop" in (sandbox.ask("GET", "/phones/phone-1/screen")[1] or ""), 10)
        checks.that(drawn, "and its drawn phone shows it at the next login")
