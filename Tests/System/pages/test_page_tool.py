"""`benji page` as a newcomer uses it: a page to start from is drawn, spoilt, checked and compared. An error in a file
or an option is reported with its place and the remedy."""

import json
import re

import pytest

from support.browser import SCREENS
from support.checks import folder, run
from support.server import ROOT, binary, environment

PIXEL = bytes.fromhex("89504e470d0a1a0a")

# The content of a file, and the words that must be printed about it.
WRONG_FILES = {
    "": ["$: the text ends"],
    "{": ["$: "],
    "[]": ["$: must be an object, is an array"],
    "logo: 1": ["$: not a JSON value"],
    '{"pages": {}}': ["$.pages: there is no such field"],
    '{"logo": {"sise": 3}}': ["$.logo.sise: there is no such field"],
    '{"logo": {"cornerRadius": -1}}': ["$.logo.cornerRadius: must lie within 0"],
    '{"logo": {"cornerRadius": NaN}}': ["$.logo.cornerRadius: not a JSON value"],
    '{"logo": {"cornerRadius": "1"}}': ["$.logo.cornerRadius: must be a number, is a string"],
    '{"logo": {}, "logo": {}}': ["$"],
    '{"presentation": {"style": "slide"}}': ["$.presentation.style: must be one of: "],
    '{"terms": {"items": [{"title": "《A》", "url": "javascript:alert(1)"}]}}': ["$.terms.items[0].url: "],
    '{"terms": {"items": [{"title": "《A》"}]}}': ["$.terms.items[0].url: "],
    '{"loginButton": {"text": "登\u202e录"}}': ["$.loginButton.text: "],
    '{"loginButton": {"text": "' + "登" * 3_000_000 + '"}}': ["$.loginButton.text: "],
    " " * 300_000: ["more than 262144 bytes"],
}

# Arguments, the status, and the words that must be said.
WRONG_COMMANDS = [
    (["lint", "absent.json"], 2, ["absent.json: there is no such file", "benji page new --out absent.json"]),
    (["lint", "."], 2, [".: is a folder"]),
    (["lint"], 64, ["<files>"]),
    (["render", "absent.json"], 2, ["absent.json: there is no such file"]),
    (["diff", "login.json", "absent.json"], 2, ["absent.json: there is no such file"]),
    (["diff", "-", "-"], 64, ["only one of them can be standard input"]),
    (["render", "login.json", "--screen", "fone"], 64, ["'fone'", "small, phone, side, tablet", "430x932"]),
    (["render", "login.json", "--screen", "99x500"], 64, ["width must lie within 100 and 10000"]),
    (["render", "login.json", "--screen", "500xnan"], 64, ["height must lie within"]),
    (["render", "login.json", "--safe-area", "59"], 64, ["top,left,bottom,right"]),
    (["render", "login.json", "--safe-area", "59,0,0,-1"], 64, ["top,left,bottom,right"]),
    (["render", "login.json", "--text-scale", "4"], 64, ["--text-scale: 1 to 3"]),
    (["render", "login.json", "--carrier", "orange"], 64, ["'orange'", "mobile"]),
    (["render", "login.json", "--language", "fr"], 64, ["'fr'", "zh-Hans"]),
    (["render", "login.json", "--appearance", "sepia"], 64, ["'sepia'", "light"]),
    (["lint", "login.json", "--profile", "old"], 64, ["'old'", "current"]),
    (["render", "login.json", "--media", "logo"], 64, ["--media: write name=file"]),
    (["render", "login.json", "--media", "logo=logo.exe"], 64, ["--media: logo.exe: must end in"]),
    (["render", "login.json", "--media", "logo=none.png"], 1, ["--media: none.png: there is no such file"]),
    (["render", "login.json", "--out", "no/folder/x.html"], 1, ["no/folder/x.html cannot be written"]),
    (["render", "login.json", "--out", "login.png", "--browser", "netscape"], 1,
     ["--browser: there is no program netscape"]),
    (["render", "login.json", "--out", "login.png", "--scene"], 64, ["--scene: is JSON"]),
    (["render", "login.json", "--browser", "chromium"], 64, ["--browser: only for pictures"]),
    (["render", "login.json", "--out", "login.png", "--screen", "phone", "--screen", "side"], 64, ["one screen"]),
    (["render", "login.json", "--out", "no/folder/x.png"], 1, ["no/folder/x.png cannot be written"]),
    (["new", "--kind", "circle"], 64, ["'circle'", "full-screen"]),
    (["new", "--out", "login.json"], 1, ["login.json is there already", "--force"]),
]


@pytest.fixture
def tool():
    """The program, with a page to start from."""
    made = Tool()
    made("new", "--out", "login.json")
    return made


class Tool:
    """The program in a folder of its own."""

    def __init__(self):
        self.place = folder()

    def __call__(self, *arguments, **options):
        return run([binary(), "page", *arguments], cwd=self.place, env=environment(), **options)

    def write(self, name, value):
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        (self.place / name).write_text(text, encoding="utf-8")

    def read(self, name):
        return json.loads((self.place / name).read_text(encoding="utf-8"))


def test_first_steps(checks):
    tool = Tool()
    done = tool("new", "--out", "login.json")
    checks.equal((done.returncode, done.stdout, done.stderr), (0, "", ""), "`new` writes a page without a word")
    for kind in ("full-screen", "popup", "bottom-sheet"):
        plain, full = tool("new", "--kind", kind).stdout, tool("new", "--kind", kind, "--full").stdout
        tool.write("plain.json", plain)
        tool.write("full.json", full)
        checks.equal(tool("lint", "plain.json").returncode, 0, f"a page to start from, {kind}, keeps every rule")
        same = tool("diff", "plain.json", "full.json")
        checks.that(same.returncode == 0 and "the same page" in same.stdout and len(full) > 2 * len(plain),
                    f"{kind} with its defaults written out is the same page", same.stdout)
    pages = sorted(str(path) for path in (ROOT / "Examples/Pages").glob("*.json"))
    done = tool("lint", "--strict", "--json", *pages)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    checks.that(done.returncode == 0 and len(pages) >= 8 and [report["file"] for report in reports] == pages
                and all(report["viewings"] >= 18 and not report["findings"] for report in reports),
                "the example pages keep every rule, even strictly", done.stdout)


def test_drawing(checks, tool):
    (tool.place / "logo.png").write_bytes(PIXEL)
    done = tool("render", "login.json", "--screen", "phone", "--screen", "side", "--language", "en",
                "--carrier", "telecom", "--appearance", "dark", "--media", "logo=logo.png", "--out", "login.html")
    text = (tool.place / "login.html").read_text(encoding="utf-8")
    checks.that(done.returncode == 0 and not done.stdout and text.startswith("<!doctype html>")
                and 'lang="en"' in text and "Log in with one tap" in text and "天翼账号提供认证服务" in text
                and 'content="dark"' in text and "data:image/png;base64,iVBORw0KGgo=" in text and "<script" not in text,
                "`render` draws for the language, carrier and appearance that were asked, with the app's emblem",
                text[:500])
    for screen, size in (("phone", (786, 1704)), ("100x200", (500, 1000)), ("side", (1704, 786))):
        done = tool("render", "login.json", "--screen", screen, "--out", "login.png")
        picture = (tool.place / "login.png").read_bytes()
        found = (int.from_bytes(picture[16:20], "big"), int.from_bytes(picture[20:24], "big"))
        checks.that(done.returncode == 0 and not done.stdout and picture.startswith(PIXEL) and found == size,
                    f"`render --out login.png` makes a picture of the screen {screen}", (done.stderr, found))
    nonces = {re.search(r"nonce-([\w-]+)", tool("render", "login.json").stdout)[1] for _ in range(3)}
    checks.that(len(nonces) == 3 and all(len(nonce) == 22 for nonce in nonces),
                "each document has a nonce of its own", nonces)
    wanted = [*SCREENS.values(), (430, 932)]
    done = tool("render", "login.json", "--scene", "--safe-area", "59,0,34,0",
                *(part for name in [*SCREENS, "430x932"] for part in ("--screen", name)))
    scenes = [json.loads(line) for line in done.stdout.splitlines()]
    sizes = [(scene["width"], scene["height"]) for scene in scenes]
    checks.equal(sizes, wanted, "`--scene` writes a scene for each screen")

    def tick(*arguments):
        scene = json.loads(tool("render", "login.json", "--scene", *arguments).stdout)
        return next(box["ticked"] for box in scene["boxes"] if box["role"] == "tick")
    checks.equal((tick(), tick("--ticked")), (False, True), "the tick is set when it is asked for and no sooner")


def test_spoiling(checks, tool):
    page = tool.read("login.json")
    page["loginButton"]["text"] = {"zh-Hans": "一键登录", "en": "Get your reward"}
    tool.write("spoilt.json", page)
    done = tool("lint", "spoilt.json", "--report-language", "en")
    checks.that(done.returncode == 1 and "1 error " in done.stdout
                and "login-wording  login  language en" in done.stdout
                and "why" in done.stdout and "fix" in done.stdout and "原因" not in done.stdout,
                "a rule that one language breaks is told once, with why, fix and where", done.stdout)
    example = (ROOT / "docs/page.md").read_text(encoding="utf-8")
    said = [line.replace("spoilt.json", "login.json") for line in done.stdout.splitlines()[:5] if line]
    checks.that(len(said) == 4 and "\n".join(said[:1] + [""] + said[1:]) in example,
                "docs/page.md shows the very words", "\n".join(said))
    checks.equal(tool("lint", "spoilt.json", "--language", "zh-Hans").returncode, 0,
                 "where nobody sees it, it is not told")
    report = json.loads(tool("lint", "spoilt.json", "--json", "--carrier", "unicom").stdout)
    finding = report["findings"][0]
    checks.that(report["errors"] == 1 and report["viewings"] == 24 and finding["rule"] == "login-wording"
                and finding["explanation"]["zh"] and finding["fix"]["en"] and finding["source"]
                and len(finding["where"]) == 8 and {place["language"] for place in finding["where"]} == {"en"}
                and {place["carrier"] for place in finding["where"]} == {"unicom"},
                "programs get every finding with every place", report)

    page = tool.read("login.json")
    page["switchButton"] = {"hidden": True}
    tool.write("warned.json", page)
    checks.equal([tool("lint", "warned.json", *more).returncode for more in ([], ["--strict"])], [0, 1],
                 "a warning counts only with --strict")
    done = tool("lint", "absent.json", "spoilt.json", "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    checks.that(done.returncode == 2 and "error" in lines[0] and lines[1]["errors"] == 1,
                "a file that cannot be read does not keep the next from being checked", done.stdout)


def test_comparing(checks, tool):
    page = tool.read("login.json")
    page["number"] = {"placement": {"portrait": {"top": 60}}}
    page["switchButton"] = {"hidden": True}
    page["loginButton"]["fills"]["normal"] = "#0a5a3c"
    tool.write("changed.json", page)
    done = tool("diff", "login.json", "changed.json")
    checks.that(done.returncode == 1 and "$.number.placement.portrait.top: not there -> 60" in done.stdout
                and re.search(r"moved +number .* -> ", done.stdout)
                and re.search(r"removed +switchAccount", done.stdout)
                and re.search(r"changed +login +fill", done.stdout) and "Findings gained" in done.stdout
                and "other-login" in done.stdout, "`diff` tells fields, boxes and findings", done.stdout)
    there = json.loads(tool("diff", "login.json", "changed.json", "--json").stdout)
    back = json.loads(tool("diff", "changed.json", "login.json", "--json").stdout)
    checks.that(not there["same"] and re.fullmatch(r"[\w-]{43}", there["digests"]["old"])
                and there["digests"] == {"old": back["digests"]["new"], "new": back["digests"]["old"]}
                and there["gained"] == back["lost"] != [] and there["lost"] == back["gained"] == [],
                "the way back is the way there, turned round", there["digests"])
    digests = [tool("digest", name).stdout.strip() for name in ("login.json", "changed.json")]
    checks.equal(digests, [there["digests"]["old"], there["digests"]["new"]], "`digest` prints the same, alone")
    linted = json.loads(tool("lint", "changed.json", "--json").stdout)
    checks.that(linted["digest"] == digests[1] and digests[1] in tool("lint", "changed.json").stdout,
                "and so does `lint`", linted["digest"])
    both = tool("digest", "login.json", "changed.json").stdout.splitlines()
    checks.equal(both, [f"{digests[0]}  login.json", f"{digests[1]}  changed.json"],
                 "of several files each on a line with its name")
    text = (tool.place / "login.json").read_text(encoding="utf-8")
    turned = json.dumps(dict(reversed(json.loads(text).items())), indent=7)
    done = tool("diff", "-", "login.json", "--json", input=turned)
    checks.that(done.returncode == 0 and json.loads(done.stdout)["same"],
                "order, spaces and escapes change nothing, and standard input is a file too", done.stdout)


def test_mistakes(checks, tool):
    for text, words in WRONG_FILES.items():
        tool.write("wrong.json", text)
        shown = text[:60].encode("ascii", "backslashreplace").decode()
        done = tool("lint", "wrong.json")
        checks.that(done.returncode == 2 and not done.stdout and all(word in done.stderr for word in words)
                    and done.stderr.startswith("Error: wrong.json: $") and "What to do:" in done.stderr
                    and len(done.stderr) < 600,
                    f"{shown or 'an empty file'}: refused with the place and what to do", done.stderr)
    for arguments, status, words in WRONG_COMMANDS:
        done = tool(*arguments)
        checks.that(done.returncode == status and not done.stdout and all(word in done.stderr for word in words),
                    f"page {' '.join(arguments)}: status {status}, and the words that help",
                    f"{done.returncode} {done.stderr}")
    for command in ("new", "render", "lint", "diff", "digest"):
        done = tool(command, "--help")
        checks.that(done.returncode == 0 and f"benji page {command}" in done.stdout and "Examples:" in done.stdout,
                    f"`{command} --help` teaches by examples", done.stdout)
