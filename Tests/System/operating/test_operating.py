"""An operator changes an app, stops it, looks a login up and reads the books, by the command line and beside the
running server."""

import json
import re
import time

import pytest

from support.checks import eventually, first_json, run
from support.operators import month_of
from support.server import environment

ADDRESS, NUMBER = "127.8.71.1", "13900000071"
# How an app is stopped, how it goes on, and what its phones are told meanwhile.
STOPS = (
    (("suspend", "--reason", "shows the page late"), "resume", "app_suspended"),
    (("disallow",), "allow", "app_not_allowed"), (("delete", "--after-days", "3"), "keep", "app_suspended"))


@pytest.fixture(scope="module")
def give(server):
    """Gives an order; its answer as JSON, or None and all that was printed."""

    def order(*arguments, json=True):
        done = server.command(*arguments, "--config", server.configuration, *(["--json"] if json else []))
        return (first_json(done.stdout) if json
                else done.stdout) if done.returncode == 0 else None, done.stdout + done.stderr

    return order


@pytest.fixture(scope="module")
def app(server):
    server.attach("attach", ADDRESS, NUMBER)
    return server.create_app("--not-allowed", name="Fresh", server_address="192.0.2.9")


def test_a_new_app_is_admitted_and_set_right(checks, server, app, give, backend):
    token, situation, said = server.phone("login", app, ADDRESS)
    checks.equal(situation, "app_not_allowed", f"an app that is not on the allow-list gets no token: {said}")
    checks.that(give("app", "allow", app["id"])[0], "benji app allow admits it")
    token, _, said = server.phone("login", app, ADDRESS)
    checks.that(token is not None, "its phone logs in at once", said)
    checks.equal(backend.redeem(app, token)[0], "103511", "its server is refused at an address that is not its own")
    made, said = give("app", "set", app["id"], "--add-server-address", "127.0.2.0/24", "--daily-quota", "100")
    checks.that(made and made["serverAddresses"] == ["192.0.2.9", "127.0.2.0/24"],
                "benji app set names one more address", said)
    checks.equal(backend.redeem(app, token), ("103000", NUMBER), "and the token yields the number")


def test_a_stopped_app_is_refused(checks, server, app, give, backend):
    token, _, _ = server.phone("login", app, ADDRESS)
    for (verb, *more), go_on, code in STOPS:
        checks.that(give("app", verb, app["id"], *more)[0], f"benji app {verb}")
        _, situation, said = server.phone("login", app, ADDRESS)
        checks.equal(situation, code, f"after {verb} its phones are refused: {said}")
        answer = backend.redeem(app, token)
        checks.that(answer[0] not in ("103000", None) and answer[1] is None, f"after {verb} its server is refused",
                    answer)
        checks.that(give("app", go_on, app["id"])[0], f"benji app {go_on}")
    checks.equal(backend.redeem(app, token), ("103000", NUMBER), "after all is taken back the token yields the number")
    _, said = give("app", "keep", app["id"])
    checks.that("not being deleted" in said, "what is not being deleted cannot be kept", said)
    _, said = give("app", "suspend", "300000000099")
    checks.that("no app has this id" in said, "an app that is not there is named as such", said)


def test_support_finds_a_login_and_its_cause(checks, server, app, give, backend):
    token, _, _ = server.phone("login", app, ADDRESS)
    checks.equal(backend.redeem(app, token)[0], "103000", "a login ends well")
    code = backend.redeem(app, token)[0]
    found = None

    def is_found():
        nonlocal found, said
        found, said = give("trace", "--app", app["id"], "--code", code, "--since", "10m")
        return found and found["traces"]

    said = ""
    # The server writes steps down with its next commit, or after a fifth of a second.
    eventually(is_found)
    checks.that(found and len(found["traces"]) == 1, f"the login is found by the code {code} that the server got", said)
    stages = {}

    def is_counted():
        nonlocal stages, said
        counted, said = give("app", "logins", app["id"])
        stages = {each["stage"]: each["count"] for each in counted["stages"]} if counted else {}
        return counted and any(each["situation"] == "token_spent" for each in counted["steps"])

    checks.that(eventually(is_counted)
                and stages["asked"] >= stages["recognised"] >= stages["agreed"] >= stages["redeemed"] >= 1,
                "the chart of the app's logins has it within seconds", said)
    chart, _ = give("app", "logins", app["id"], json=False)
    checks.that(chart and "how far" in chart and "█" in chart and re.search(r"token_spent .*1 ", chart),
                "and the refusal beside it", chart)
    login = found["traces"][0]
    checks.equal((login["situation"], login.get("then")),
                 ("success", {"step": "loginTokenValidate", "situation": "token_spent"}),
                 "the login went well, and what was refused afterwards is told besides")
    trace = login["trace"]
    story, _ = give("trace", trace, json=False)
    checks.that(story and "prefetch" in story and "token_spent" in story,
                "its story tells the steps and what went wrong", story)
    checks.that(story and "The app's server got its answer. A later step was refused:" in story,
                "and that it went well before", story)
    checks.that(story and "has been redeemed" in story and "log in again" in story,
                "and what that means, and what to do", story)
    chinese, _ = give("trace", trace, "--language", "zh", json=False)
    checks.that(chinese and "令牌已被兑换" in chinese, "in Chinese too", chinese)
    checks.that(NUMBER not in story and token not in story, "without number and token")
    ofs, _ = give("trace", "--number", NUMBER, "--limit", "500")
    checks.that(ofs and trace in [login["trace"] for login in ofs["traces"]], "the login is found by the number")
    lines, _ = give("audit", "--order", "trace.find")
    checks.that(lines and lines["entries"] and lines["entries"][0]["subject"].startswith("subscription "),
                "and the audit log says that somebody looked", lines)
    checks.that(NUMBER not in json.dumps(lines), "without the number")
    consents, said = give("consent", "show", trace)
    shown = consents and consents["consents"][0]["shown"]
    checks.that(shown and shown["contentDigest"] == consents["consents"][0]["contentDigest"],
                "the consent is shown as it was signed", said)
    _, said = give("trace", "0" * 32)
    checks.that("no login has this trace" in said, "a trace that nobody has is named as such", said)
    _, said = give("trace", "--code", "424242")
    checks.that("benji explain 424242" in said, "a code that there is not is refused", said)


def test_the_books_agree(checks, server, app, give):
    lines, _ = give("ledger", "list", app["id"], "--limit", "500")
    answers = len(lines["entries"])
    checks.that(answers >= 3, "the ledger has a line for each answer", lines)
    # Two, where a month ends between these answers.
    months = sorted({month_of(line["at"]) for line in lines["entries"]})
    statements = [give("ledger", "statement", app["id"], "--month", month)[0] for month in months]
    checks.that(sum(each["answers"] for each in statements) == answers
                and all(each["reconciled"] is True for each in statements),
                "the month's statement has as many answers, and the quota's count agrees", statements)
    rows = []
    for month in months:
        bill, _ = give("ledger", "statement", app["id"], "--month", month, "--csv", json=False)
        head, *found = [line.split(",") for line in bill.splitlines()]
        checks.equal(head, ["app", "day", "interface", "result", "answers", "currency", "rate", "amount"],
                     "the statement's CSV names its columns")
        rows += found
    checks.that({len(row) for row in rows} == {8} and sum(int(row[4]) for row in rows) == answers,
                "the statement's CSV has a line for each day, interface and result, which add up to it", rows)
    checks.equal(sorted(tuple(row[1:5]) for row in rows),
                 sorted((line["day"], line["interface"], line["result"], str(line["answers"]))
                        for each in statements for line in each["daily"]),
                 "and the JSON has the same lines")
    csv, _ = give("ledger", "list", app["id"], "--csv", json=False)
    rows = csv.splitlines()
    checks.that(rows[0] == "id,time,app,trace,interface,result,assurance" and len(rows) == answers + 1,
                "and so has the CSV", csv)
    _, said = give("ledger", "statement", app["id"], "--month", "2026-13")
    checks.that("month" in said, "a month that there is not is refused", said)


def test_the_audit_log_has_each_order(checks, server, app, give):
    log, _ = give("audit", "--app", app["id"], "--limit", "500")
    orders = [entry["order"] for entry in reversed(log["entries"])]
    checks.equal(orders[:3], ["app.create", "app.allow", "app.set"], "the first orders, in their order")
    checks.equal(orders[3:9], ["app.suspend", "app.resume", "app.allow", "app.allow", "app.delete", "app.keep"],
                 "and the next ones")
    refused = [entry["outcome"] for entry in log["entries"] if entry["outcome"] != "success"]
    checks.equal(refused, ["parameter_invalid"], "what was refused is there with its code")
    suspended = next(entry for entry in log["entries"] if entry["order"] == "app.suspend")
    checks.equal((suspended["before"], suspended["after"], suspended["reason"]),
                 ({"suspended": False}, {"suspended": True}, "shows the page late"), "with what was, what is, and why")
    text, _ = give("audit", "--app", app["id"], json=False)
    checks.that("suspended: false → true" in text and "because: shows the page late" in text, "a person reads it too",
                text)


def test_refused_orders_leave_a_line(checks, server, app, give):
    for words, wanted in ((("app", "openid", "set", app["id"], "--digits"), "--redirect-uri and --page"),
                          (("app", "openid", "remove", app["id"], "--reason", "a test"), "no OpenID client"),
                          (("face", "freeze", "--number", NUMBER), "has no face account"),
                          (("phone", "port", "--number", NUMBER, "--carrier", "tiger"),
                           "the policy has no carrier tiger"),
                          (("phone", "reassign", "--number", "13900009999"), "the register does not know this number")):
        answer, said = give(*words, json=False)
        checks.that(answer is None and wanted in said, f"benji {' '.join(words[:3])}: {wanted}", said)
    log, _ = give("audit", "--limit", "5")
    checks.equal([(entry["order"], entry["outcome"]) for entry in log["entries"]],
                 [("number.reassign", "number_unknown"), ("number.port", "parameter_invalid"),
                  ("face.freeze", "not_found"),
                  ("app.openid.remove", "app_unknown"), ("app.openid.set", "parameter_invalid")],
                 "each of them has its line, newest first")
    checks.that(NUMBER not in json.dumps(log) and "13900009999" not in json.dumps(log), "without a number")
    row, said = give("phone", "show", "--number", NUMBER)
    checks.that(row and row["carrier"] == "mobile" and row["number"] == f"+86{NUMBER}",
                "benji phone show says what the register knows", said)
    looks, _ = give("audit", "--order", "number.show")
    checks.equal([entry["subject"] for entry in looks["entries"]], [f"subscription {row['subscription']}"],
                 "and the audit log that somebody looked")
    _, said = give("audit", "--order", "app.suspended")
    checks.that("there is none called app.suspended" in said and "app.suspend," in said,
                "an order that there is not is named, and those that there are", said)


def test_a_login_is_played_again(checks, server, app, give):
    found, _ = give("trace", "--app", app["id"], "--code", "token_spent")
    done = server.command("trace", "export", found["traces"][0]["trace"], "--config", server.configuration)
    recorded = first_json(done.stdout)
    checks.that(recorded and recorded["steps"][-1]["situation"] == "token_spent",
                "a login that failed is written down", done.stderr)
    checks.that(not any(secret in done.stdout for secret in (NUMBER, app["id"], found["traces"][0]["trace"])),
                "without number, app and trace", done.stdout)
    place = server.folder / "login.json"
    place.write_text(done.stdout)
    played = server.command("replay", place)
    checks.that(played.returncode == 0 and "ended as the recorded one did" in played.stdout,
                "the sandbox's login ends in the same",
                played.stdout + played.stderr)
    other = {**recorded, "steps": [
        {**step, "step": step["step"].replace("loginTokenValidate", "/v1/tokens/redeem")}
        for step in recorded["steps"]]}
    place.write_text(json.dumps(other))
    played = server.command("replay", place)
    checks.that(played.returncode == 0 and "ended as the recorded one did" in played.stdout,
                "and one that the server API redeemed",
                played.stdout + played.stderr)
    recorded["steps"][-1]["situation"] = "success"
    place.write_text(json.dumps(recorded))
    played = server.command("replay", place)
    checks.that(played.returncode == 1
                and "differs app-server loginTokenValidate: success, in the sandbox" in played.stdout,
                "one that ends otherwise is told, with status 1", played.stdout + played.stderr)
    recorded["steps"][-1]["step"] = "openid.token"
    place.write_text(json.dumps(recorded))
    played = server.command("replay", place)
    checks.that(played.returncode == 1 and "cannot be played" in played.stderr and "openid.token" in played.stderr,
                "what the sandbox cannot play is said", played.stderr)


def test_the_configuration_is_found(checks, server, app):
    """BENJI_CONFIG names the file that -c would."""
    def listed(file):
        return run([server.binary, "app", "list"], env=environment() | server.environment | {"BENJI_CONFIG": str(file)})

    checks.that(app["id"] in listed(server.configuration).stdout, "the apps of the file's installation")
    missing = listed(server.folder / "missing.yaml")
    checks.that(missing.returncode != 0 and "missing.yaml" in missing.stderr, "a file that is not there is named",
                missing.stderr)


def test_how_long_things_are_kept(checks, server, give):
    kept, said = give("retention")
    checks.equal(kept and kept["days"], {"traces": 7, "login-counts": 400, "device-keys": 180, "consents": 1827,
                                         "ledger": 3653, "delivered-events": 3,
                                           "dead-events": 30}, "benji retention")
    text, _ = give("retention", json=False)
    checks.that("the audit log" in text and "for good" in text and "retention.consents" in text,
                "a person reads what is set and what is not", text)
    refused = server.command("serve", "--check", "--config", server.configuration, "--set", "retention.ledger=30")
    checks.that(refused.returncode != 0 and "retention.ledger" in refused.stderr and "62" in refused.stderr,
                "a ledger that is shorter than a statement needs is refused", refused.stderr)


@pytest.mark.part("time")
def test_a_stopped_app_is_refused_at_once(checks, server, give, backend):
    server.attach("attach", ADDRESS, NUMBER)
    app = server.create_app(name="Stopped")
    token, _, _ = server.phone("login", app, ADDRESS)
    for (verb, *more), go_on, _ in STOPS:
        give("app", verb, app["id"], *more)
        before = time.monotonic()
        refused = server.phone("login", app, ADDRESS)[0] is None and backend.redeem(app, token)[1] is None
        checks.that(refused and time.monotonic() - before < 10, f"after {verb} neither phone nor server waited")
        give("app", go_on, app["id"])
