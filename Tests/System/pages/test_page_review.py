"""A developer submits pages, an operator looks, refuses, approves and withdraws, and phones log in on approved pages
alone."""

import json

import pytest

from support.checks import eventually, first_json
from support.server import Server, free_ports

ADDRESS, NUMBER = "127.8.72.1", "13900000072"


@pytest.fixture(scope="module")
def administration():
    """The port of the admin interface."""
    return free_ports(1)[0]


@pytest.fixture(scope="module")
def installation(administration):
    return Server(listen={"administration": f"127.0.0.1:{administration}"})


@pytest.fixture(scope="module")
def page(server):
    """`benji page`: its answer as JSON, or None, and all that was printed."""

    def order(*arguments, json=True):
        done = server.command("page", *arguments, "--config", server.configuration, *(["--json"] if json else []))
        return (first_json(done.stdout) if json
                else done.stdout) if done.returncode == 0 else None, done.stdout + done.stderr

    return order


@pytest.fixture(scope="module")
def app(server):
    server.attach("attach", ADDRESS, NUMBER)
    return server.create_app(name="Reviewed")


@pytest.fixture(scope="module")
def pages(server):
    """Descriptions in files: one that keeps every rule, one that does not, and the first with another colour."""
    good = json.loads(server.command("page", "new").stdout)
    made = {"good": good, "bad": good | {"number": {"font": {"size": 10}}},
            "changed": good | {"loginButton": {"cornerRadius": 3}}}
    paths = {}
    for name, description in made.items():
        paths[name] = server.folder / f"{name}.json"
        paths[name].write_text(json.dumps(description), encoding="utf-8")
    return paths


def test_from_submission_to_withdrawal(checks, server, app, page, pages):
    def login(name, *arguments):
        token, situation, said = server.phone("login", app, ADDRESS, "--page", pages[name], *arguments)
        return "token" if token else situation, said

    def refused_page():
        """The trace of the last refused login."""
        found = server.command("trace", "--app", app["id"], "--code", "consent_invalid", "--limit", "1", "--json",
                               "--config", server.configuration)
        traces = (first_json(found.stdout) or {}).get("traces")
        return server.command("trace", traces[0]["trace"], "--config",
                              server.configuration).stdout if traces else found.stderr

    checks.equal(login("bad")[0], "token", "while no page was approved, a page is not asked about")
    digest = server.command("page", "digest", pages["bad"]).stdout.strip()
    submitted, said = page("submit", app["id"], pages["bad"], "--note", "screenshots: files/12")
    checks.that(submitted and submitted["digest"] == digest and submitted["state"] == "submitted",
                "benji page submit keeps a page under the digest that benji page digest prints", said)
    rules = [finding["rule"] for finding in submitted["report"]["findings"]]
    checks.that(submitted["errors"] == 1 and rules == ["number-size"], "with what the rules find", submitted["report"])
    text, _ = page("show", submitted["id"], json=False)
    own, _ = page("show", submitted["id"], "--app", app["id"])
    other, _ = page("show", submitted["id"], "--app", "300000000001")
    checks.that(own and other is None, "whoever names the app sees its submissions alone")
    checks.that(text and "number-size" in text and "screenshots: files/12" in text and digest in text,
                "which its reviewer reads", text)
    _, said = page("approve", submitted["id"])
    checks.that("give a reason" in said, "a page that breaks an error's rule is not approved just so", said)
    _, said = page("refuse", submitted["id"])
    checks.that("--reason" in said, "and none is refused without a word", said)
    refused, said = page("refuse", submitted["id"], "--reason", "the number is too small")
    checks.that(refused and refused["state"] == "refused" and refused["reason"] == "the number is too small",
                "it is refused with one", said)

    second, said = page("submit", app["id"], pages["good"])
    checks.that(second and second["errors"] == 0, "the changed page keeps every rule", said)
    waiting, _ = page("reviews")
    checks.equal([each["id"] for each in waiting["submissions"]], [second["id"]], "and alone waits for a decision")
    drawn, said = page("show", second["id"], "--language", "en", "--out", server.folder / "seen.html", json=False)
    html = (server.folder / "seen.html").read_text(encoding="utf-8") if drawn is not None else said
    checks.that("Log in with one tap" in html, "the reviewer looks at it", html[:400])
    description, said = page("show", second["id"], "--description", json=False)
    (server.folder / "kept.json").write_text(description or "", encoding="utf-8")
    same = server.command("page", "diff", pages["good"], server.folder / "kept.json")
    checks.that(same.returncode == 0 and "the same page" in same.stdout, "and gets the very description back",
                same.stdout + same.stderr)
    approved, said = page("approve", second["id"])
    checks.that(approved and approved["state"] == "approved", "benji page approve", said)

    for language in ("zh-Hans", "en"):
        checks.equal(login("good", "--language", language)[0], "token",
                     f"a phone logs in on the approved page in {language}")
    for name in ("changed", "bad"):
        situation, said = login(name)
        checks.equal(situation, "consent_invalid", f"a phone with the {name} page is refused: {said}")
        shown = server.command("page", "digest", pages[name]).stdout.strip()
        checks.that(eventually(lambda: shown in refused_page()),
                    "the login's trace names the digest that would have to be approved",
                    refused_page())
    situation, said = server.phone("login", app, ADDRESS)[1:]
    checks.equal(situation, "consent_invalid", f"so is an app that draws its page itself: {said}")
    checks.that(page("withdraw", second["id"], "--reason", "complaints")[0], "benji page withdraw")
    checks.equal(login("good")[0], "consent_invalid", "a phone with the withdrawn page is refused at once")
    again, said = page("withdraw", second["id"])
    checks.that(again is None and "withdrawn" in said, "what is withdrawn is not withdrawn again", said)

    log = first_json(server.command("audit", "--app", app["id"], "--config", server.configuration, "--json").stdout)
    orders = [entry["order"] for entry in reversed(log["entries"]) if entry["outcome"] == "success"]
    checks.equal(orders, ["app.create", "page.submit", "page.refuse", "page.submit", "page.approve", "page.withdraw"],
                 "the audit log has a line for each")
    every, _ = page("reviews", "--all", "--app", app["id"])
    checks.equal([each["state"] for each in every["submissions"]], ["withdrawn", "refused"], "and the submissions stay")


def test_an_app_that_needs_reviewed_pages_from_the_start(checks, server, page, pages):
    app = server.create_app("--requires-page-review", name="Strict")
    checks.that(app["requiresPageReview"] is True, "app create can ask for reviewed pages", app)

    def login():
        return server.phone("login", app, ADDRESS, "--page", pages["good"])

    checks.equal(login()[1], "consent_invalid", "before any page is approved nobody logs in")
    verified = server.phone("verify", app, ADDRESS)
    checks.that(verified[0], "a verification shows no page and is answered", verified[2])
    digest = server.command("page", "digest", pages["good"]).stdout.strip()
    done = server.command("app", "set", app["id"], "--add-approved-content", digest, "--config", server.configuration)
    checks.that(done.returncode == 0 and login()[0], "the operator may approve a digest without a submission",
                done.stderr)
    done = server.command("app", "set", app["id"], "--remove-approved-content", digest, "--config",
                          server.configuration)
    checks.that(done.returncode == 0 and login()[0] is None, "and take it back", done.stderr)
    dashed = "-" + "A" * 42
    for change in ("add", "remove"):
        done = server.command("app", "set", app["id"], f"--{change}-approved-content={dashed}", "--config",
                              server.configuration)
        checks.equal(done.returncode, 0, f"a digest that begins with a dash is one, too: {change}")
    done = server.command("app", "set", app["id"], "--no-requires-page-review", "--config", server.configuration)
    checks.that(done.returncode == 0 and login()[0], "until pages are not asked about any more", done.stderr)


def test_a_page_that_the_app_draws_is_submitted_by_its_words(checks, server, page):
    app = server.create_app(name="Own page")
    token = server.command(
        "phone", "login", "--server", server.device_url, "--app", app["id"], "--key", app["key"], "--bundle",
        "com.example.shop",
        "--from", ADDRESS, "--json", "--yes")
    trace = first_json(token.stdout)["trace"]
    shown = first_json(server.command("consent", "show", trace, "--config", server.configuration, "--json").stdout)
    path = server.folder / "content.json"
    path.write_text(json.dumps(shown["consents"][0]["shown"]["content"], ensure_ascii=False), encoding="utf-8")
    submitted, said = page("submit", app["id"], path)
    checks.that(submitted and submitted["digest"] == shown["consents"][0]["contentDigest"] and submitted["errors"] == 0,
                "the content of a consent is submitted under its content digest", said)
    text, _ = page("show", submitted["id"], json=False)
    checks.that(text and "本机号码一键登录" in text, "its reviewer reads what it says", text)
    _, said = page("show", submitted["id"], "--out", server.folder / "own.html", json=False)
    checks.that("the app draws this page itself" in said, "and learns why there is no picture", said)
    checks.that(page("approve", submitted["id"])[0], "it is approved")
    checks.that(server.phone("login", app, ADDRESS)[0], "and the app's phones log in on it")


def test_a_developer_takes_a_page_back(checks, server, administration, pages):
    """Over the admin interface, as developers do."""
    app, other = server.create_app(name="Shop"), server.create_app(name="Other")

    def grant(*arguments):
        done = server.command("admin", "grant", *arguments, "--json", "--config", server.configuration)
        return (first_json(done.stdout) or {}).get("token", "")

    def page(token, *arguments):
        (server.folder / "token").touch(0o600)
        (server.folder / "token").write_text(token)
        done = server.command("page", *arguments, "--json", "--server", f"http://127.0.0.1:{administration}",
                              "--token-file", server.folder / "token")
        return first_json(done.stdout) if done.returncode == 0 else None, done.stdout + done.stderr

    developer = grant("shop-dev", "--role", "developer", "--app", app["id"])
    stranger = grant("other-dev", "--role", "developer", "--app", other["id"])
    operator = grant("ops", "--role", "operator")
    submitted, said = page(developer, "submit", app["id"], pages["good"])
    checks.that(submitted and submitted["state"] == "submitted", "a developer submits a page", said)
    number = submitted["id"]
    for arguments in ((number,), (number, "--app", app["id"]), (number, "--app", other["id"])):
        none, said = page(stranger, "withdraw", *arguments)
        checks.that(none is None, "another app's developer does not take it back", said)
    none, said = page(developer, "withdraw", number)
    checks.that(none is None and "--app ID" in said, "its developer names the app, and is told to", said)
    taken, said = page(developer, "withdraw", number, "--app", app["id"], "--reason", "a typo")
    checks.that(taken and taken["state"] == "withdrawn" and taken["decidedBy"] == "shop-dev"
                and taken["reason"] == "a typo",
                "and takes back the page that waits", said)
    none, said = page(operator, "approve", number)
    checks.that(none is None and "withdrawn" in said, "which is not approved any more", said)
    again, said = page(developer, "submit", app["id"], pages["good"])
    approved, said = page(operator, "approve", again["id"])
    checks.that(approved and approved["state"] == "approved", "submitted again it is approved", said)
    none, said = page(developer, "withdraw", again["id"], "--app", app["id"])
    shown, _ = page(developer, "show", again["id"], "--app", app["id"])
    checks.that(none is None and "the operator" in said and shown["state"] == "approved",
                "and an approval is not its developer's to take back", said)
    gone, said = page(operator, "withdraw", again["id"], "--reason", "complaints")
    checks.that(gone and gone["state"] == "withdrawn", "but the operator's", said)


def test_what_is_no_page_is_refused_with_its_place(checks, server, app, page, tmp_path):
    path = tmp_path / "page.json"
    for text, place in (('{"lgoo": {}}', "$.lgoo"), ("", "page.json: $: "), ('{"drawnBy": "app"}', "$.language")):
        path.write_text(text, encoding="utf-8")
        answer, said = page("submit", app["id"], path)
        checks.that(answer is None and place in said, f"{text or 'an empty file'} is refused with its place", said)
    answer, said = page("submit", app["id"], tmp_path / "none.json")
    checks.that(answer is None and "there is no such file" in said, "so is a file that is not there", said)
    answer, said = page("show", "4711")
    checks.that(answer is None and "no page was submitted under the number 4711" in said,
                "a number that there is not is named", said)
