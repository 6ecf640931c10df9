"""What a backend developer copies: the redemptions of docs/cmpassport-dialect.md and of the sandbox's page, in curl and in Python, run
word for word against the sandbox; and the examples of docs/openapi/operators.yaml, whose signs are computed again."""

import json
import os
import re
import subprocess
import sys

import pytest

from support import operators
from support.checks import folder
from support.sandbox import Sandbox
from support.server import ROOT, binary, environment

pytestmark = pytest.mark.seconds(90)

NUMBER = "13800000011"


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as made:
        yield made


@pytest.fixture(scope="module")
def shell(sandbox):
    return Shell(sandbox)


def blocks(text, language):
    return re.findall(rf"(?m)^```{language}\n(.*?)^```$", text, re.DOTALL)


def spoilt(text):
    """The same with the version twice in the sign, or its join reversed: a mistake that an example could have."""
    return text.replace('"${SANDBOX_APP}2.0', '"${SANDBOX_APP}2.02.0').replace('"".join(body.values())', '"".join(reversed(body.values()))')


class Shell:
    """A developer's shell, with `benji` on the PATH."""

    def __init__(self, sandbox):
        place = folder()
        (place / "benji").symlink_to(binary())
        self.settings = environment() | {
            "PATH": f"{place}:{os.environ['PATH']}", "BENJI_SANDBOX": sandbox.page.rstrip("/")}
        said = self.run("benji sandbox app --shell")
        self.settings |= dict(re.findall(r"(?m)^export (\w+)='(.*)'$", said.stdout))

    def run(self, text):
        return subprocess.run(["bash", "-euc", text], capture_output=True, text=True, timeout=60, env=self.settings)

    def python(self, text):
        return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, env=self.settings)


def test_the_examples_of_openapi(checks):
    import yaml
    document = yaml.safe_load((ROOT / "docs/openapi/operators.yaml").read_text())
    key = re.search(r"right for the server secret `(\w+)`", document["info"]["description"])[1]
    number = re.search(r"and the number (\d+)", document["info"]["description"])[1]

    def examples(path):
        content = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]
        return [each["value"] for each in content.get("examples", {}).values()]

    for body in examples(operators.LOGIN):
        fields = [body[name] for name in ("appid", "version", "msgid", "systemtime", "strictcheck", "token")]
        checks.equal(body["sign"], operators.login_sign(*fields, key), "loginTokenValidate: the example's sign is right")
    for body in examples(operators.VERIFY):
        head, rest = body["header"], body["body"]
        checks.equal(rest["phoneNum"], operators.number_hash(number, key, head["timestamp"]), "tokenValidate: the example's hash is right")
        checks.equal(rest["sign"], operators.verification_sign(
            head["appId"], head["msgId"], rest["phoneNum"], head["timestamp"], rest["token"], head["version"], key),
            "tokenValidate: the example's sign is right")
    for body in examples("/h5/getMobile"):
        signed = operators.h5_request({"id": body["appId"], "serverSecret": key}, **{name: value for name, value in body.items() if name != "sign"})
        checks.equal(body["sign"], signed["sign"], "getMobile: the example's sign is right")
    checks.that(all(examples(path) for path in (operators.LOGIN, operators.VERIFY, "/h5/getMobile")), "each has an example")


def test_the_documents(checks, shell):
    text = (ROOT / "docs/cmpassport-dialect.md").read_text()
    (curl,), (python,) = blocks(text, "sh"), blocks(text, "python")
    said = shell.run(curl)
    answer = json.loads(said.stdout or "{}")
    checks.that(answer.get("resultCode") == "103000" and answer.get("msisdn") == NUMBER, "the page's curl redeems a token", said)
    printed = json.loads(blocks(text, "json")[0])
    checks.equal(list(printed), list(answer), "what the page prints has the members of a real answer, in their order")
    checks.equal(printed["desc"], answer.get("desc"), "and its text")
    said = shell.python(python)
    checks.that(said.stdout.strip() == f"the number is {NUMBER}", "the page's Python redeems a token", said)
    for name, said in (("curl", shell.run(spoilt(curl))), ("Python", shell.python(spoilt(python)))):
        checks.that("103101" in said.stdout, f"with another sign the page's {name} would be refused", said)


def test_the_page(checks, sandbox, shell):
    html = sandbox.ask("GET", "/?lang=en")[1]
    snippets = dict(re.findall(r'(?s)data-snippet="(\w+)"><code>(.*?)</code>', html))
    snippets = {name: text.replace("&quot;", '"').replace("&#39;", "'").replace("&lt;", "<").replace("&gt;", ">")
                .replace("&amp;", "&") for name, text in snippets.items()}
    checks.equal(sorted(snippets), ["curl", "openid", "python"], "the sandbox's page has snippets to copy")
    for name, said in (("curl", shell.run(snippets["curl"])), ("python", shell.python(snippets["python"]))):
        checks.that("103000" in said.stdout and NUMBER in said.stdout, f"the page's {name} snippet redeems a token as it stands", said)


def test_a_phone_brings_a_token_or_says_why_not(checks, sandbox, shell):
    checks.equal(shell.run("benji phone token phone-1 --verification").stdout[:5], "STsid", "benji phone token")
    sandbox.set(network="wifi")
    said = shell.run("benji phone token phone-1")
    checks.that(said.returncode == 1 and "cellular_data_off" in said.stderr and not said.stdout,
                "a phone without mobile data brings no token, and says why", said)
    sandbox.set(network="cellular")
