"""Samples that backend developers copy, run word for word against the sandbox. They are the redemptions of
docs/cmpassport-dialect.md, in curl and Python, and of the sandbox's page, in all its languages. And the examples of
docs/openapi: their shapes, and the signs of those in operators.yaml and vendors.yaml, which are computed again."""

import html
import json
import os
import re
import shlex
import subprocess
import sys

import pytest

from support import examples as openapi
from support import operators, redeeming, vendors
from support.checks import folder
from support.sandbox import Sandbox
from support.server import ROOT, binary, environment

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
    return text.replace('"${SANDBOX_APP}2.0', '"${SANDBOX_APP}2.02.0').replace('"".join(body.values())',
                                                                               '"".join(reversed(body.values()))')


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
        return subprocess.run(["bash", "-euc", text], capture_output=True, text=True, env=self.settings)

    def python(self, text):
        return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=self.settings)


def described(name):
    """An OpenAPI document of ours, and the server secret that its examples are signed with."""
    document = openapi.described(name)
    return document, re.search(r"right for the server secret\s+`(\w+)`", document["info"]["description"])[1]


def examples(document, path):
    """(request bodies, bodies of answers) that the document shows for a path; the schemas that they are held to."""
    post = document["paths"][path]["post"]
    contents = post["requestBody"]["content"]["application/json"], post["responses"]["200"]["content"][
        "application/json"]
    return [([each["value"] for each in content.get("examples", {}).values()], content["schema"])
            for content in contents]


def test_the_shape_of_the_examples(checks):
    """Each operation of four documents has a request and an answer that keep its schemas. In two the answer's text is
    that of the code's table. test_examples.py gets the answers of face.yaml and camara.yaml from a server."""
    import jsonschema_rs
    tables = {"/check_phone": "onelogin_check_phone", "/v2.0/check_gateway": "onepass_check_gateway",
              operators.LOGIN: "cm_phone",
              operators.USER: "tyrz_platform", "/h5/getMobile": "cm_phone",
              "/v1/gy/ct_login/gy_get_pn": "geyan_gy_get_pn", "/v2/gy/ct_login/gy_get_pn": "geyan_gy_get_pn"}
    for name in ("operators", "vendors", "face", "camara"):
        document = openapi.described(name)

        def validator(schema):
            return jsonschema_rs.validator_for({**schema, "components": document["components"]})

        for method, path, operation in openapi.operations(document):
            shown, schema = openapi.content(document, operation.get("requestBody", {}))
            kinds = [("request", shown, schema)] if schema else []
            for parameter in operation.get("parameters", []):
                if parameter.get("in") in ("path", "query"):
                    kinds += [(f"{parameter['name']} of its request",
                               [parameter["example"]] if "example" in parameter else [], parameter["schema"])]
            answers = [(f"answer {status}", bodies, schema)
                       for status, bodies, schema in openapi.answers(document, operation)]
            checks.that(any(bodies for _, bodies, _ in answers), f"{method} {path} shows an example of an answer")
            # Not every refusal has one.
            kinds += [each for each in answers if each[1] or each[0] == "answer 200"]
            # A member of a query may be left out.
            optional = {f"{each['name']} of its request" for each in operation.get("parameters", []) if "name" in each
                        and not each.get("required")}
            for kind, bodies, schema in kinds:
                checks.that(bodies or kind in optional, f"{method} {path} shows an example of its {kind}")
                wrong = [str(error) for body in bodies for error in validator(schema).iter_errors(body)]
                checks.equal(wrong, [], f"{method} {path}: each example of its {kind} keeps the schema")
            if path not in tables:
                continue
            rows = [row.split("\t")
                    for row in (ROOT / f"Server/Sources/Catalogue/Tables/{tables[path]}.tsv").read_text().splitlines()]
            meanings = {row[0]: row[2] for row in rows if len(row) > 2}
            for body in examples(document, path)[1][0]:
                said = {**body, **body.get("header", {}), **body.get("body", {}), **(body.get("data") or {})}
                code = str(said.get("resultCode") or said.get("result" if "errno" in said else "status"))
                text = next(said[name] for name in ("desc", "resultDesc", "msg", "error_msg") if name in said)
                # OneLogin's success has no text.
                checks.equal(text, "" if code == "200" else meanings.get(code),
                             f"{path}: the example's text is that of {code}")


def test_the_signs_of_the_examples(checks):
    document, key = described("operators")
    number = re.search(r"and the number\s+(\d+)", document["info"]["description"])[1]

    def requests(path):
        return examples(document, path)[0][0]

    for body in requests(operators.LOGIN):
        fields = [body[name] for name in ("appid", "version", "msgid", "systemtime", "strictcheck", "token")]
        checks.equal(body["sign"], operators.login_sign(*fields, key),
                     "loginTokenValidate: the example's sign is right")
    for body in requests(operators.VERIFY):
        head, rest = body["header"], body["body"]
        checks.equal(rest["phoneNum"], operators.number_hash(number, key, head["timestamp"]),
                     "tokenValidate: the example's hash is right")
        checks.equal(rest["sign"], operators.verification_sign(
            head["appId"], head["msgId"], rest["phoneNum"], head["timestamp"], rest["token"], head["version"], key),
            "tokenValidate: the example's sign is right")
    public = re.search(r"-----BEGIN PUBLIC KEY-----.*?-----END PUBLIC KEY-----\n", document["info"]["description"],
                       re.DOTALL)[0]
    public = re.sub(r"(?m)^ +", "", public)
    signed = [body for body in requests(operators.USER) if "sign" in body["header"]]
    checks.equal([operators.rsa_verifies(public, body["header"]["appid"] + body["body"]["token"],
                                         body["header"]["sign"]) for body in signed],
                 [True], "tokenValidate of TYRZLogin: the example's sign is right")
    for body in requests("/h5/getMobile"):
        made = operators.h5_request({"id": body["appId"], "serverSecret": key},
                                    **{name: value for name, value in body.items() if name != "sign"})
        checks.equal(body["sign"], made["sign"], "getMobile: the example's sign is right")


def test_the_signs_of_the_vendors_examples(checks):
    document, key = described("vendors")
    app = {"id": re.search(r"for the app id\s+`(\w+)`", document["info"]["description"])[1], "serverSecret": key}

    def requests(path):
        return examples(document, path)[0][0]

    for path in ("/check_phone", "/v2.0/check_gateway"):
        for body in requests(path):
            checks.equal(body["sign"], vendors.onelogin_sign(app["id"], body["timestamp"], key),
                         f"{path}: the example's sign is right")
    for path in ("/v1/gy/ct_login/gy_get_pn", "/v2/gy/ct_login/gy_get_pn"):
        for body in requests(path):
            rest = {name: value for name, value in body.items() if name != "sign"}
            right = vendors.long_signed(app, rest)["sign"] if "processId" in body else vendors.short_sign(
                app, body["timestamp"])
            checks.equal(body["sign"], right, f"{path}: the example's sign is right")
    sealed = [body["data"]["data"]["pn"] for body in examples(document, "/v2/gy/ct_login/gy_get_pn")[1][0]
              if "data" in body["data"]]
    checks.equal([pn if len(pn) == 11 else vendors.decrypt(pn, key, 128) for pn in sealed], ["13800000000"] * 2,
                 "gy_get_pn: the number that answers the short sign opens with the server secret")


def test_the_documents(checks, shell):
    text = (ROOT / "docs/cmpassport-dialect.md").read_text()
    (curl,), (python,) = [block for block in blocks(text, "sh") if "curl" in block], blocks(text, "python")
    said = shell.run(curl)
    answer = json.loads(said.stdout or "{}")
    checks.that(answer.get("resultCode") == "103000" and answer.get("msisdn") == NUMBER,
                "the page's curl redeems a token", said)
    printed = json.loads(blocks(text, "json")[0])
    checks.equal(list(printed), list(answer), "what the page prints has the members of a real answer, in their order")
    checks.equal(printed["desc"], answer.get("desc"), "and its text")
    said = shell.python(python)
    checks.that(said.stdout.strip() == f"the number is {NUMBER}", "the page's Python redeems a token", said)
    for name, said in (("curl", shell.run(spoilt(curl))), ("Python", shell.python(spoilt(python)))):
        checks.that("103101" in said.stdout, f"with another sign the page's {name} would be refused", said)


def programs(sandbox):
    """The samples of the sandbox's page, by language."""
    found = re.findall(r'(?s)data-snippet="(\w+)"><code>(.*?)</code>', sandbox.ask("GET", "/?lang=en")[1])
    return {name: html.unescape(text) for name, text in found}


@pytest.mark.parametrize("languages", [
    ("curl", "python"), pytest.param(redeeming.LANGUAGES - {"curl", "python"}, marks=pytest.mark.part("operator"))],
                         ids=["here", "elsewhere"])
def test_the_page(checks, sandbox, shell, languages):
    snippets = programs(sandbox)
    checks.that("OIDC_CLIENT_SECRET=" in snippets.pop("openid", ""),
                "the sandbox's page has an OpenID client's settings to copy")
    checks.that("export BENJI_SANDBOX=" in snippets.pop("shell", ""), "and what a terminal is told first")
    for name, command in redeeming.commands(checks, snippets, languages).items():
        # curl's line asks a phone for its token itself.
        token = "" if name == "curl" else '"$(benji phone token phone-1)"'
        said = shell.run(f"{shlex.join(command)} {token}")
        checks.that(f"+86{NUMBER}" in said.stdout, f"the page's program in {name} redeems a token as it stands", said)
        told = re.search(r"(?m)^(//|#) .*$", snippets[name])
        checks.that((told is not None and token in told[0]) if token else told is None,
                    f"and says how it is started, in {name}", told)


def test_a_phone_brings_a_token_or_says_why_not(checks, sandbox, shell):
    checks.equal(shell.run("benji phone token phone-1 --verification").stdout[:5], "STsid", "benji phone token")
    sandbox.set(network="wifi")
    said = shell.run("benji phone token phone-1")
    checks.that(said.returncode == 1 and "cellular_data_off" in said.stderr and not said.stdout,
                "a phone without mobile data brings no token, and says why", said)
    sandbox.set(network="cellular")
