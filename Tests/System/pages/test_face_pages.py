"""Face login's pages in Chromium with a camera that is a file. A portrait that a program bends passes the challenge, as
docs/face.md explains. A still picture, another person, another movement, a recording and hostile posts do not. The
pages are operated by keyboard, read in three languages and photographed."""

import base64
import hashlib
import http.client
import json
import os
import re
import secrets
import struct
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from support import looks
from support.browser import Browser
from support.checks import Stop, end, eventually, folder, run, start
from support.puppet import FACE, Puppet
from support.server import BUNDLE, Server, binary, environment

pytestmark = pytest.mark.seconds(420)
OPTIONS = {"pictures": None}

TRIAL = "/face/trial"
FRAMES = "application/vnd.benji.face-frames"
# Keeps what the page posts, for the recording.
RECORD = """
window.posts = [];
const send = window.fetch;
window.fetch = async (path, options) => {
  if (options?.body instanceof Uint8Array) window.posts.push(options.body);
  return send(path, options);
};
"""
# Keeps whom the app has been told of.
WHO = """
const send = window.fetch;
window.fetch = async (path, options) => {
  const answer = await send(path, options);
  if (path.endsWith("/finish")) window.openId = (await answer.clone().json()).openId;
  return answer;
};
"""
# Answers the first erasure as the server does when the face was shown too long ago.
LATE = """
const way = window.fetch;
let asked = false;
window.fetch = async (path, options) => {
  if (!path.endsWith("/erase") || asked) return way(path, options);
  asked = true;
  return new Response(JSON.stringify({code: "confirmation_needed", detail: "late"}), {status: 403});
};
"""
# The characters that encodeURIComponent leaves, besides letters and digits.
UNRESERVED = "-_.!~*'()"


@pytest.fixture(scope="module")
def site():
    made = Site()
    yield made
    end(made.process)


class Accounts(Server):
    """`benji serve` with face login, where this machine's browsers are phones with a number."""

    def __init__(self):
        # No attester vouches for a browser, so it earns net and no more.
        super().__init__(nas={"pgw": {"pools": ["127.0.0.1/32"]}}, face={
            "enabled": True, "terms-url": "https://id.example/face-terms", "models": f"{FACE}/models",
            "least-assurance": "net"})

    def __enter__(self):
        super().__enter__()
        self.attach("attach", "127.0.0.1", "13800000005")
        app = self.create_app(name="Face Demo")
        self.allow_face(app, "--attributes", "--groups")
        self.app = app
        self.page = f"{self.device_url}/face/account?app={app['id']}&bundle={BUNDLE}#key={app['key']}"
        return self

    def call(self, method, path, **members):
        """A signed call of the app's server: what it is answered with."""
        members |= {"app_id": self.app["id"], "timestamp": str(int(time.time())), "noncestr": secrets.token_hex(8)}
        joined = "&".join(f"{name}={quote(value, safe=UNRESERVED)}" for name, value in sorted(members.items()))
        members["signature"] = hashlib.md5(f"{joined}:{self.app['serverSecret']}".encode()).hexdigest()
        connection = http.client.HTTPConnection("127.0.0.1", self.server, timeout=10, source_address=("127.0.2.1", 0))
        try:
            if method == "GET":
                connection.request(method, f"{path}?{urlencode(members)}")
            else:
                connection.request(method, path, json.dumps(members), {"Content-Type": "application/json"})
            return json.loads(connection.getresponse().read()).get("data")
        finally:
            connection.close()


class Site:
    """`benji face try` on a free port."""

    def __init__(self):
        self.process = start(
            [binary(), "face", "try", "--port", "0", "--models", f"{FACE}/models"], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=environment())
        self.said = []
        threading.Thread(target=lambda: self.said.extend(self.process.stdout), daemon=True).start()
        found = eventually(lambda: re.search(r"http://127\.0\.0\.1:(\d+)", "".join(self.said)), 20)
        if not found:
            raise Stop("benji face try does not say where it listens")
        self.port = int(found[1])
        self.address = f"http://127.0.0.1:{self.port}"

    def call(self, method, path, body=None, type="application/json"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, {"Content-Type": type} if body is not None else {})
            response = connection.getresponse()
            return response, response.read()
        finally:
            connection.close()

    def begin(self):
        return json.loads(self.call("POST", TRIAL + "/challenge", b"{}")[1])

    def post(self, challenge, frames, head=None):
        """Status and answer of a post; frames are pairs of milliseconds and bytes."""
        head = head if head is not None else json.dumps({
            "session": challenge["session"], "challenge": challenge["challenge"],
            "frames": [{"at": at, "bytes": len(data)} for at, data in frames]}).encode()
        body = struct.pack(">I", len(head)) + head + b"".join(data for _, data in frames)
        response, answer = self.call("POST", TRIAL + "/frames", body, FRAMES)
        return response.status, json.loads(answer)

    @property
    def memory(self):
        """Mebibytes that the server has had at the most."""
        return int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())[1]) / 1024


def test_headers(checks, site):
    response, body = site.call("GET", TRIAL)
    policy, page = response.getheader("Content-Security-Policy"), body.decode()
    for part in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
                 "require-trusted-types-for 'script'"):
        checks.that(part in policy, f"the page's policy says {part}", policy)
    checks.that("unsafe" not in policy and "http" not in policy, "and names no other host and nothing unsafe", policy)
    checks.that(response.getheader("Permissions-Policy", "").startswith("camera=(self), microphone=()"),
                "only the page itself may use the camera, and nothing the microphone")
    checks.that(response.getheader("X-Frame-Options") == "DENY" and response.getheader("Cache-Control") == "no-store",
                "it is neither framed nor kept")
    checks.that(not re.search(r"(src|href)=\"(https?:)?//", page)
                and " on" not in re.sub(r"<script.*?</script>", "", page, flags=re.S),
                "it holds nothing from elsewhere and no inline handler")


def test_a_portrait_that_moves_and_its_recording(checks, site, pictures):
    posts = passes(checks, site, pictures)
    if posts:
        recordings(checks, site, posts)


def passes(checks, site, pictures):
    puppet = Puppet("president-1.jpg")
    with Browser(language="zh-CN", more=puppet.arguments) as browser:
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=RECORD)
        browser.open(site.address + TRIAL)
        checks.that(browser.says("试试刷脸"), "the page speaks simplified Chinese to a Chinese browser")
        take(checks, browser, pictures, "start")
        for tag, words in (("en", "Try the camera"), ("zh-Hant", "試試刷臉"), ("zh-Hans", "试试刷脸")):
            browser.click(f"footer [lang={tag}]")
            checks.that(browser.says(words, "h1") and browser.run("return document.documentElement.lang") == tag,
                        f"and {tag} at a tap")
        browser.click(".actions .button")
        checks.that(browser.shows(".stage .prompt"), "the camera's screen is shown")
        checks.that(browser.run(
            "return [document.querySelector('.prompt').getAttribute('aria-live'), "
            "document.querySelector('.hint').getAttribute('aria-live')]")
            == ["assertive", "polite"], "what to do is read out by screen readers")
        seen = set()

        def look(word):
            if pictures and word not in seen:
                seen.add(word)
                take(checks, browser, pictures, f"ask-{word}", quick=True)
            return word

        def retry():
            press(browser, "重试")

        begin = time.monotonic()
        outcome = puppet.obey(browser, other=look)
        if outcome == "failed":
            browser.run("posts.length = 0")
            retry()
            outcome = puppet.persist(browser, retry, ("passed",), attempts=2)
        checks.equal(outcome, "passed", f"a bent portrait passes the challenge: {browser.text('main')[:200]}")
        checks.note(f"in {time.monotonic() - begin:.0f} s")
        checks.that(browser.find("[data-attribute=age]"), "and attributes are shown", browser.text("main"))
        take(checks, browser, pictures, "passed")
        checks.equal([a for a in browser.loaded if not a.startswith(site.address)], [],
                     "nothing came from another host")
        posts = [base64.b64decode(post) for post in browser.run(
            "return posts.map(body => { let text = ''; for (const byte of body) text += String.fromCharCode(byte); "
            "return btoa(text); })")]
        # Two of three challenges ask for it.
        for _ in range(9):
            if outcome != "passed" or "open_mouth" in puppet.seen:
                break
            retry()
            outcome = puppet.persist(browser, retry, ("passed",))
        checks.equal((outcome, "open_mouth" in puppet.seen), ("passed", True), "and one that asks for an open mouth")
    puppet.close()
    return posts


def recordings(checks, site, posts):
    challenge = site.begin()
    frames = []
    for body in posts:
        (length,) = struct.unpack(">I", body[:4])
        head, place = json.loads(body[4:4 + length]), 4 + length
        for frame in head["frames"]:
            frames.append((frame["at"], body[place:place + frame["bytes"]]))
            place += frame["bytes"]
    checks.that(len(frames) > 15, "a whole session was recorded", len(frames))
    response, answer = site.call("POST", TRIAL + "/frames", posts[-1], FRAMES)
    checks.equal(json.loads(answer).get("sentence"), "attempt_over",
                 "a recorded post is worth nothing once its challenge is over")
    time.sleep(1)
    _, answer = site.post(challenge, [(500, frames[0][1])])
    checks.equal((answer.get("state"), answer.get("sentence")), ("failed", "replayed"),
                 "nor its frames in another challenge")


def test_refused(checks, site, pictures):
    """The attempts that must not pass."""
    def outcome(portrait, act, wanted, sentence, name=None):
        puppet = Puppet(portrait)
        with Browser(language="en-US", more=puppet.arguments) as browser:
            browser.open(site.address + TRIAL)
            browser.click(".actions .button")
            screen = act(puppet, browser)
            said = browser.text("main")
            checks.that(screen == "failed" and wanted in said, sentence, f"{screen}: {said}")
            checks.that(browser.run("return document.querySelector('[role=alert]') !== null"),
                        "  said to screen readers too")
            if name:
                take(checks, browser, pictures, name)
            # By keyboard alone, from the title on: the first button tries again.
            browser.press("Tab", "Enter")
            checks.that(browser.shows(".stage"), "  and the keyboard tries again")
        puppet.close()

    seen = set()

    def noise(puppet, browser):
        def nothing(word):
            if pictures and word not in seen:
                seen.add(word)
                take(checks, browser, pictures, f"camera-{word}")
            return "lookStraight"

        return puppet.obey(browser, other=nothing)

    def still(puppet, browser):
        puppet.tell("still")
        return puppet.obey(browser, other=lambda word: "still")

    def wrong(puppet, browser):
        others = {"turnLeft": "turnRight", "turnRight": "turnLeft", "blink": "openMouth", "openMouth": "turnLeft"}
        return puppet.obey(browser, other=others.get)

    def change(puppet, browser):
        def other(word):
            puppet.become("vice-president.jpg")
            return word

        return puppet.obey(browser, other=other)

    outcome("president-1.jpg", noise, "The movement was not seen", "a photo before the camera fails", "missed")
    outcome("president-1.jpg", still, "The picture never changes",
            "the same picture without a camera's noise fails at once", "still")
    outcome("president-1.jpg", wrong, "That was another movement", "another movement fails", "wrong")
    outcome("president-1.jpg", change, "The face changed midway", "another person who takes over fails", "changed")


def test_camera(checks, site, pictures):
    puppet = Puppet("president-1.jpg")
    arguments = [each for each in puppet.arguments if "fake-ui" not in each]
    with Browser(language="zh-TW", more=arguments) as browser:
        browser.open(site.address + TRIAL)
        browser.devtools("Browser.setPermission", permission={"name": "camera"}, setting="denied", origin=site.address)
        browser.click(".actions .button")
        checks.that(browser.says("無法啟動相機") and "(-1004)" in browser.text("main") and "網址列" in browser.text("main"),
                    "a refused camera is -1004, with what to do", browser.text("main"))
        take(checks, browser, pictures, "camera-refused")
    puppet.close()


def another(picture):
    """The same picture in other bytes: a comment after its first mark."""
    return picture[:2] + b"\xff\xfe\x00\x0a" + os.urandom(8) + picture[2:]


def test_hostile(checks, site):
    with open(f"{FACE}/portraits/president-1.jpg", "rb") as file:
        portrait = file.read()
    base = site.memory
    cases = [
        ("no frames", [], 200, "pictures_wrong"), ("65 frames", [(i + 1, b"x") for i in range(65)], 400, None),
        ("nine frames", [(i + 1, b"x") for i in range(9)], 200, "pictures_wrong"),
        ("a frame of 600 KiB", [(1, bytes(600 << 10))], 200, "pictures_wrong"),
        ("a text", [(1, b"hello" * 100)], 200, "pictures_wrong"),
        ("a picture that is cut off", [(1, portrait[:90_000])], 200, "pictures_wrong"),
        ("frames out of order", [(2, portrait), (1, portrait)], 400, None),
        ("a frame from the future", [(60_000, portrait)], 200, "pictures_wrong"),
    ]
    for name, frames, status, sentence in cases:
        begin = time.monotonic()
        got, answer = site.post(site.begin(),
                                [(at, another(data) if data == portrait else data) for at, data in frames])
        checks.that(got == status and (sentence is None or answer.get("sentence") == sentence) and
                    time.monotonic() - begin < 3, f"{name}: {sentence or answer.get('code')}", (got, answer))
    for name, head in (("a head that is no JSON", b"{"), ("an empty head", b""), ("a head of another kind", b"[]")):
        got, answer = site.post({}, [], head)
        checks.equal((got, answer.get("code")), (400, "malformed_request"), name)
    try:
        response, _ = site.call("POST", TRIAL + "/frames", bytes(7 << 20), FRAMES)
        checks.equal(response.status, 413, "seven mebibytes are refused")
    except (BrokenPipeError, ConnectionError):
        checks.that(True, "seven mebibytes are refused: the connection is closed")
    # Many at once: no request waits for ever, and memory stays bounded.
    answers = []

    def crowd():
        # Two frames each: more would keep one engine busy for longer than a test may take.
        challenge = site.begin()
        time.sleep(0.1)
        answers.append(site.post(challenge, [(at, another(portrait)) for at in (1, 2)]))

    threads = [threading.Thread(target=crowd) for _ in range(64)]
    begin = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    checks.that(len(answers) == 64 and time.monotonic() - begin < 60, "64 posts at once are all answered",
                f"{len(answers)} after {time.monotonic() - begin:.0f} s")
    checks.that(site.memory < base + 300, "within 300 MiB more", f"{base:.0f} to {site.memory:.0f} MiB")


def press(browser, words):
    """Presses the button with these words."""
    if not eventually(lambda: browser.run(
            "const found = [...document.querySelectorAll('main button')].find(each => each.textContent === "
            "arguments[0]);"
            "found?.click(); return Boolean(found)", words), 10):
        raise Stop(f"no button says {words}: {browser.text('main')[:300]}")


def is_at(browser, name):
    return bool(eventually(lambda: browser.run("return document.querySelector('main').dataset.screen") == name, 15))


def test_accounts(checks, pictures):
    puppet = Puppet("president-1.jpg")
    with Accounts() as server, Browser(language="zh-CN", more=puppet.arguments) as browser:
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=f"{{{WHO}}}{{{LATE}}}")
        browser.open(server.page)

        def retry():
            press(browser, "重试")

        checks.that(is_at(browser, "welcome"), "the account's page opens", browser.text("body"))
        checks.that("key=" not in browser.address, "and does not leave the app's key in the address", browser.address)
        take(checks, browser, pictures, "welcome", languages=True)

        # Enrolment.
        press(browser, "用本机号码登录")
        checks.that(is_at(browser, "number") and "138****0005" in browser.text("main"),
                    "the browser's own number is shown, masked",
                    browser.text("main"))
        checks.that(browser.run("return document.querySelector('main .button').disabled"),
                    "no tap counts before the tick")
        take(checks, browser, pictures, "number")
        browser.click(".tick input")
        press(browser, "本机号码一键登录")
        checks.that(is_at(browser, "consent") and "不同意也能用其他方式登录" in browser.text("main"),
                    "a consent of its own is asked for the face, and there is another way", browser.text("main"))
        checks.that(browser.run("return document.querySelector('main .button').disabled"), "it is not given by default")
        take(checks, browser, pictures, "consent", languages=True)
        browser.click(".tick input")
        press(browser, "同意")
        checks.equal(puppet.persist(browser, retry, ("profile",)), "profile",
                     "a passed challenge enrols: " + browser.text("main"))
        press(browser, "下一步")
        checks.that("请填写名字" in browser.text("main"), "a name is asked for")
        browser.type("input[type=text]", "艾琳" * 15)
        checks.equal(browser.run("return document.querySelector('input[type=text]').value"), "艾琳" * 10 + "艾",
                     "a name grows to the 64 bytes that the server takes, not to 64 letters")
        browser.run("document.querySelector('input[type=text]').value = ''")
        browser.type("input[type=text]", "艾琳")
        checks.that("请填写名字" not in browser.text("main"), "and no longer once there is one", browser.text("main"))
        take(checks, browser, pictures, "profile")
        press(browser, "下一步")
        checks.that(is_at(browser, "authorization") and "Face Demo" in browser.text("h1"),
                    "the app asks to be let know the person",
                    browser.text("main"))
        take(checks, browser, pictures, "authorization", languages=True)
        press(browser, "允许")
        checks.that(is_at(browser, "groups-consent") and "Face Demo" in browser.text("h1") and
                    "不允许也不影响使用" in browser.text("main"),
                    "being found in the app's groups is a question of its own, and may be declined",
                    browser.text("main"))
        take(checks, browser, pictures, "groups-consent", languages=True)
        press(browser, "不允许")
        checks.that(is_at(browser, "home") and browser.text("dd.name") == "艾琳", "the person is logged in",
                    browser.text("main"))
        take(checks, browser, pictures, "home")

        # Attributes.
        press(browser, "人脸属性")
        checks.that(is_at(browser, "attributes") and browser.find("[data-attribute=age]"),
                    "attributes are read from one picture",
                    browser.text("main"))
        take(checks, browser, pictures, "attributes")
        press(browser, "返回")

        groups(checks, server, browser, puppet, pictures, retry)

        # The next login needs no number, but the same face.
        press(browser, "退出登录")
        press(browser, "刷脸登录")
        checks.equal(puppet.persist(browser, retry, ("home",)), "home",
                     "the next login is by face alone: " + browser.text("main"))
        press(browser, "退出登录")
        puppet.become("vice-president.jpg")
        time.sleep(2)
        press(browser, "刷脸登录")
        outcome = puppet.persist(browser, retry, ("home",), refusal="与账号的人脸不一致")
        checks.that(outcome == "failed" and "与账号的人脸不一致" in browser.text("main"), "another person is refused",
                    f"{outcome} {browser.text('main')}")
        take(checks, browser, pictures, "other-person")
        puppet.become("president-1.jpg")
        time.sleep(2)
        press(browser, "重试")
        checks.equal(puppet.persist(browser, retry, ("home",)), "home",
                     "and the account's owner is let in again: " + browser.text("main"))

        # Unbinding.
        press(browser, "设置")
        checks.that(is_at(browser, "settings"), "the settings open", browser.text("main"))
        take(checks, browser, pictures, "settings", languages=True)
        press(browser, "解除绑定")
        checks.that(is_at(browser, "confirm"), "unbinding is confirmed first", browser.text("main"))
        take(checks, browser, pictures, "unbind-confirm", languages=True)
        press(browser, "返回")
        press(browser, "销毁人脸账号")
        take(checks, browser, pictures, "erase-confirm", languages=True)
        press(browser, "销毁人脸账号")
        checks.equal(puppet.persist(browser, retry, ("unbound",)), "unbound",
                     "erasing takes the face once more when it was shown long ago: " + browser.text("main"))
        checks.that("已销毁" in browser.text("main"), "and then the account is erased", browser.text("main"))
        take(checks, browser, pictures, "unbound")
        press(browser, "关闭")
        checks.that(is_at(browser, "welcome") and "刷脸登录" not in [
            browser.run("return arguments[0]", text) for text in browser.text("main .actions").split("\n")],
            "and nobody is remembered", browser.text("main"))
    puppet.close()


def groups(checks, server, browser, puppet, pictures, retry):
    """The groups in which the person may be found: asked again, agreed to, and taken back."""
    def open_groups():
        press(browser, "设置")
        press(browser, "人脸组")
        return is_at(browser, "groups") and browser.text("main")

    said = open_groups()
    checks.that(said and "您没有允许" in said and "不在任何人脸组" in said, "who said no is found in no group", said)
    press(browser, "返回")
    press(browser, "返回")
    group = server.call("POST", "/v1/group/create", name="前台访客")["id"]
    server.call("POST", f"/v1/group/{group}/users", open_id=browser.run("return window.openId"))
    said = open_groups()
    checks.that(said and "前台访客" in said and "您没有允许" in said,
                "being put into a group by the app is no yes, and is shown", said)
    take(checks, browser, pictures, "groups", languages=True)
    press(browser, "允许认出我")
    checks.that(is_at(browser, "groups-consent"), "the yes can be given later", browser.text("main"))
    press(browser, "允许")
    checks.equal(puppet.persist(browser, retry, ("groups",)), "groups", "with one's own face: " + browser.text("main"))
    checks.that("您已允许" in browser.text("main") and "前台访客" in browser.text("main"), "and then it stands there",
                browser.text("main"))
    take(checks, browser, pictures, "groups-agreed")
    press(browser, "退出并收回允许")
    checks.that(browser.says("您没有允许") and browser.says("不在任何人脸组"), "leaving takes both back", browser.text("main"))
    checks.equal(server.call("GET", f"/v1/group/{group}/users"), {"count": 0, "users": []},
                 "and the app sees nobody there")
    press(browser, "返回")
    press(browser, "返回")


@pytest.mark.own_processes("runs benji demo")
def test_demo(checks):
    """The demo offers the same, with nothing to set up."""
    process = start([binary(), "demo", "--face", "--sandbox-only", "--json", "--page-port", "0"], text=True,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL, env={**environment(), "BENJI_FACE": str(FACE)})
    said = json.loads(process.stdout.readline() or "{}")
    checks.that("/face/account?app=" in said.get("face", ""), "the demo says where its face login is", said)
    puppet = Puppet("president-1.jpg")
    with Browser(language="zh-CN", more=puppet.arguments) as browser:
        def retry():
            press(browser, "重试")

        browser.open(said["sandbox"] + "?lang=zh")
        browser.run("document.querySelector('.next a[href*=\"/face\"]').removeAttribute('target')")
        browser.click(".next a[href*='/face']")
        checks.equal(browser.address.split("#")[0], said["face"].split("#")[0], "the sandbox's page leads to it")
        press(browser, "用本机号码登录")
        checks.that(is_at(browser, "number") and "138****0005" in browser.text("main"),
                    "and there a browser has a number",
                    browser.text("main"))
        browser.click(".tick input")
        press(browser, "本机号码一键登录")
        is_at(browser, "consent")
        browser.click(".tick input")
        press(browser, "同意")
        checks.equal(puppet.persist(browser, retry, ("profile",)), "profile",
                     "a face enrols there: " + browser.text("main"))
        browser.type("input[type=text]", "艾琳")
        press(browser, "下一步")
        press(browser, "允许")
        if browser.shows("[data-screen=groups-consent]", 30):
            press(browser, "不允许")
        checks.that(is_at(browser, "home"), "a person is logged in", browser.text("main"))
        press(browser, "人脸属性")
        checks.that(is_at(browser, "attributes") and browser.find("[data-attribute=age]"), "its attributes are read",
                    browser.text("main"))
        press(browser, "返回")
        press(browser, "退出登录")
        press(browser, "刷脸登录")
        checks.equal(puppet.persist(browser, retry, ("home",)), "home", "it logs in: " + browser.text("main"))
        press(browser, "设置")
        press(browser, "解除绑定")
        is_at(browser, "confirm")
        press(browser, "解除绑定")
        checks.that(is_at(browser, "unbound") and "已销毁" in browser.text("main"), "and is unbound", browser.text("main"))
    puppet.close()
    end(process)
    missing = run([binary(), "demo", "--face", "--once"], 30, env={**environment(), "BENJI_FACE": str(folder())})
    checks.that(missing.returncode != 0 and "make face-models" in missing.stderr,
                "without models it says how to get them",
                missing.stdout[-300:] + missing.stderr)


def take(checks, browser, pictures, name, quick=False, languages=False):
    """With --long axe-core looks at a screen, but not while a challenge waits for an answer; pictures are kept where
    they are wanted."""
    if looks.thorough and not quick:
        looks.seen(checks, browser, f"face-{name}")
    if not pictures:
        return
    for tag in ("en", "zh-Hant", "zh-Hans") if languages else ():
        browser.click(f"footer [lang={tag}]")
        browser.resize(390, 780)
        browser.picture(pictures / f"{name}-phone-{tag}.png")
    sizes = {"phone": (390, 780)}
    if not quick:
        sizes |= {"small": (320, 568), "side": (780, 390), "tablet": (768, 1024), "desktop": (1280, 800)}
    for appearance in ("light",) if quick else ("light", "dark"):
        browser.appearance(appearance)
        for size, (width, height) in sizes.items():
            browser.resize(width, height)
            browser.picture(pictures / f"{name}-{size}-{appearance}.png")
    browser.appearance("light")
    browser.resize(430, 900)
