"""The sandbox through one port: it runs in a network namespace, as in a container, of which one port is forwarded to
the loopback. A browser reaches a phone by the phone's name; an app and an app's server use paths."""

import base64
import json
import os
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

import pytest

from support.browser import Browser
from support.checks import PATIENCE, Stop, end, eventually, folder, run, start
from support.forwarded import ForwardedPort
from support.provider import tick_and_tap
from support.server import ROOT, binary, environment

INSIDE = ("10.88.0.2", 8090)
SCRIPT = f"""
ip link set lo up
ip address add {INSIDE[0]}/24 dev lo
exec {binary()} demo --sandbox-only --json --page-address 0.0.0.0 --page-port {INSIDE[1]}
"""


@pytest.fixture(scope="module")
def page():
    """The sandbox's page, by the name that people call it."""
    out = folder() / "out.txt"
    with open(out, "wb") as file:
        process = start(["unshare", "--net", "bash", "-ec", SCRIPT], stdout=file, stderr=subprocess.STDOUT,
                        env=environment())

    def is_up():
        if process.poll() is not None:
            raise Stop(f"the sandbox ended: {out.read_text()}")
        return '"sandbox"' in out.read_text()

    forwarded = None
    try:
        if not eventually(is_up):
            raise Stop(f"the sandbox does not come up: {out.read_text()}")
        forwarded = ForwardedPort(process.pid, INSIDE)
        yield f"http://localhost:{forwarded.port}"
    finally:
        if forwarded:
            forwarded.close()
        end(process)


def get(address):
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        return json.load(answer)


def set_phone(page, name="phone-1", **change):
    """Changes a phone, as the sandbox's page does."""
    request = urllib.request.Request(f"{page}/api/phones/{name}", json.dumps(change).encode(),
                                     {"Content-Type": "application/json"}, method="PATCH")
    urllib.request.urlopen(request, timeout=PATIENCE).close()


def test_names(checks, page):
    """The interface for scripts gives addresses on the one port only."""
    phone = get(f"{page}/api/phones")["phones"][0]
    port = urllib.parse.urlsplit(page).port
    for name in ("shop", "pages"):
        place = urllib.parse.urlsplit(phone[name])
        checks.that(place.hostname.endswith("phone-1.localhost") and place.port == port,
                    f"{name} has a name on the port", phone[name])


def test_a_login(checks, page):
    """A browser opens the page, and the shop on a phone, and logs in there."""
    with Browser(None, language="en") as browser:
        browser.open(page + "/?lang=en")
        checks.that(browser.says("Phone 1", "#device"), "the page is there", browser.text("body"))
        shop = get(f"{page}/api/phones")["phones"][0]["shop"]
        browser.open(shop + "/login?next=/account")
        browser.click("#login")
        checks.that(eventually(lambda: "login.phone-1.localhost" in browser.address),
                    "the login page comes by its name", browser.address)
        checks.that("138****0011" in browser.text("body"), "the phone is recognised", browser.text("body"))
        tick_and_tap(browser)
        checks.that(eventually(lambda: browser.address.startswith(shop + "/account")),
                    "the shop has the person logged in", browser.address)


def test_another_phone(checks, page):
    """The provider names the login pages of phone 1, and a browser on phone 2 stays there."""
    set_phone(page, "phone-2", sim="mobile", network="cellular")
    with Browser(None, language="en") as browser:
        browser.open(get(f"{page}/api/phones/phone-2")["shop"] + "/login?next=/account")
        browser.click("#login")
        checks.that(eventually(lambda: "login.phone-2.localhost" in browser.address),
                    "the login page comes by phone 2's name", browser.address)
        checks.that("138****0012" in browser.text("body"), "and knows phone 2", browser.text("body"))


def test_the_console(checks, page):
    """The console is behind the same port, and a form of it works there."""
    with Browser(None, language="en") as browser:
        browser.open(page + "/?lang=en")
        browser.run("document.querySelector('form[action=\"/console\"]').removeAttribute('target')")
        browser.click("form[action='/console'] button")
        checks.that(browser.says("Example Shop", "main") and browser.address.startswith(f"{page}/console"),
                    "the console opens", browser.address)
        browser.open(f"{page}/console/apps/{get(f'{page}/api/app')['id']}/settings")
        browser.type("[name=bundles]", "\ncom.example.port")
        browser.click("section:first-of-type .filled")
        checks.that(browser.shows(".done"), "and an order is given there", browser.text("main")[:300])


def test_an_app_server(checks, page):
    """`benji` earns a token through the port, and it is redeemed at the address that the interface for scripts
    gives."""
    settings = environment() | {"BENJI_SANDBOX": page}
    app = get(f"{page}/api/app")
    checks.that(app["server"].startswith(page) and app["gateway"].startswith(page), "both addresses are on the port",
                str(app))
    token = run([binary(), "phone", "token", "phone-1"], env=settings).stdout.strip()
    checks.equal(redeemed(page, token), "+8613800000011", "the token is redeemed")
    with urllib.request.urlopen(f"{page}/codes/token_spent", timeout=PATIENCE) as answer:
        checks.that("<h1>token_spent</h1>" in answer.read().decode(), "and the page of a code is where problems say")


def redeemed(page, token):
    """The number that the app's server gets for a token."""
    app = get(f"{page}/api/app")
    request = urllib.request.Request(f"{app['server']}/v1/tokens/redeem", json.dumps({"token": token}).encode(), {
        "Content-Type": "application/json",
        "Authorization": "Basic " + base64.b64encode(f"{app['id']}:{app['serverSecret']}".encode()).decode()})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)["number"]


def samples(*arguments):
    """The lines that the SDK's samples print."""
    program = ROOT / ".build/debug/FacadeSamples"
    if not os.access(program, os.X_OK):
        raise Stop(f"{program} is missing; build it with: make build")
    done = run([program, *arguments], 60, env=environment())
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def test_a_debug_build(checks, page):
    """An app that `Configuration.sandbox` leads to a phone: the SDK stands for a simulator."""
    checked, login = samples("sandbox", page, "phone-1")
    checks.equal(checked, {}, "diagnose() finds nothing wrong")
    checks.equal(redeemed(page, login.get("token")), "+8613800000011", "the app logs in as phone 1")
    set_phone(page, network="wifi")
    try:
        checked, login = samples("sandbox", page, "phone-1")
        checks.equal((checked, login["error"]), ({"failed": "mobile_data"}, "cellular_data_off"),
                     "without mobile data it is told so")
    finally:
        set_phone(page, network="cellular")
    [wrong] = samples("sandbox", page, "phone-7")
    checks.that(wrong["error"] == "invalid_argument" and "phone-7" in wrong["detail"],
                "a phone that is not there is named", str(wrong))


def test_a_vendors_calls(checks, page):
    """The example apps' way in: their settings, and what a vendor's SDK then calls."""
    file = folder() / "Sandbox.xcconfig"
    done = run([sys.executable, "-B", ROOT / "Examples/iOS/generate.py", "--check", "--sandbox", page, "--settings",
                file])
    checks.equal(done.returncode, 0, "the examples' project is told of the sandbox's app")
    told = {name: value.replace("$()", "")
            for name, value in (line.split(" = ") for line in file.read_text().splitlines() if " = " in line)}
    said = {line["said"]: line["sender"] for line in samples(
        "tyrzsdk", told["BENJI_SERVER"], told["BENJI_APP_ID"], told["BENJI_APP_KEY"], told["BENJI_BUNDLE_ID"],
        "127.0.0.1")}
    checks.equal(said.get("取号成功", {}).get("securityphone"), "138XXXX0011",
                 "a simulator that calls the phone's path is phone 1")
    checks.that(said.get("授权登录成功", {}).get("token"), "and logs in", str(said))
    done = run([sys.executable, "-B", ROOT / "Examples/iOS/generate.py", "--check", "--sandbox", page, "--phone",
                "phone-7", "--settings", file])
    checks.that(done.returncode != 0 and "phone-7" in done.stderr, "a phone that is not there is named", done.stderr)


def test_another_site(checks, page):
    """A page of another site cannot use the paths for programs."""
    for path in ("/server/v1/tokens/redeem", "/phones/phone-1/gateway/device/v1/prefetch"):
        request = urllib.request.Request(page + path, b"{}",
                                         {"Origin": "https://elsewhere.example", "Content-Type": "application/json"})
        try:
            urllib.request.urlopen(request, timeout=PATIENCE)
            status = 200
        except urllib.error.HTTPError as error:
            status = error.code
        checks.equal(status, 403, f"{path} from another site")
