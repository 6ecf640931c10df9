"""Alert rules and the dashboard: promtool accepts and tests them, and they name only metrics and labels that the
program has."""

import json
import re
from pathlib import Path

from support.checks import eventually, require, run
from support.operators import Backend
from support.server import ROOT

RULES, RULE_TESTS = ROOT / "deploy/prometheus/benji.rules.yaml", ROOT / "deploy/prometheus/benji.rules.test.yaml"
DASHBOARD, METRICS = ROOT / "deploy/grafana/benji.json", ROOT / "docs/operations/monitoring.md"
RUNBOOK = ROOT / "docs/operations/alerts.md"
NUMBER, ADDRESS = "13900000071", "127.8.13.1"
# Names that Prometheus and Grafana add themselves.
OF_PROMETHEUS, ADDED = {"up"}, {"job", "instance", "le"}
LINES = {"histogram": ("_bucket", "_sum", "_count")}


def documented():
    """Name -> (kind, labels) in the table of docs/operations/monitoring.md."""
    rows = re.findall(r"^\| `(benji_\w+)` \| (\w+) \| (.*?) \| (.*?) \|$", METRICS.read_text(), re.MULTILINE)
    return {name: (kind, set(re.findall(r"`(\w+)`", labels)), meaning) for name, kind, labels, meaning in rows}


def expressions():
    """Each expression of rules and dashboard, with its place."""
    for block in re.split(r"\n(?= *- alert:)", RULES.read_text())[1:]:
        name = re.search(r"alert: (\w+)", block)[1]
        text = re.search(r"expr: (?:\|\n)?(.*?)\n\s+(?:for|labels):", block, re.DOTALL)[1]
        yield f"alert {name}", text
    dashboard = json.loads(DASHBOARD.read_text())
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield f"panel {panel['title']}", target["expr"]
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            yield f"variable {variable['name']}", variable["definition"]


def faults(place, expression, known):
    """The names in an expression that do not exist."""
    text = re.sub(r'"[^"]*"', '""', expression)
    found = []
    names = set(re.findall(r"\b(benji_\w+)", text))
    if not names and "up{" not in text:
        found.append(f"{place}: names no metric")
    labels = {}
    for name in names:
        base = next((base for base, (kind, own, _) in known.items()
                     if name == base or kind in LINES and name in [base + end for end in LINES[kind]]), None)
        if base is None:
            found.append(f"{place}: there is no metric {name}")
        else:
            labels[name] = known[base][1] | ADDED
    for name, selector in re.findall(r"\b(benji_\w+)\{([^}]*)\}", text):
        for label in re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", selector):
            if label not in labels.get(name, ADDED):
                found.append(f"{place}: {name} has no label {label}")
    every = set().union(ADDED, *labels.values())
    for group in re.findall(r"\b(?:by|on|without)\s*\(([^)]*)\)", text):
        found += [f"{place}: nothing has the label {label}" for label in re.findall(r"\w+", group)
                  if label not in every]
    for name, label in re.findall(r"label_values\((\w+)(?:\{[^}]*\})?, (\w+)\)", text):
        if label not in labels.get(name, ADDED):
            found.append(f"{place}: {name} has no label {label}")
    return found


def test_promtool(checks):
    promtool = require("promtool", "prometheus")
    done = run([promtool, "check", "rules", str(RULES)])
    checks.that(done.returncode == 0, "promtool accepts the rules", done.stdout + done.stderr)
    done = run([promtool, "test", "rules", str(RULE_TESTS)])
    checks.that(done.returncode == 0, "every alert comes when it should and not before", done.stdout + done.stderr)
    alerts = re.findall(r"- alert: (\w+)", RULES.read_text())
    tests = RULE_TESTS.read_text()
    for alert in alerts:
        fired = re.search(rf"alertname: {alert}\n\s+exp_alerts:\n\s+- exp_labels", tests)
        quiet = re.search(rf"alertname: {alert}, exp_alerts: \[\]", tests)
        checks.that(fired and quiet, f"{alert} is tested both ways")
    headings = {re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-")
                for line in re.findall(r"^#+ (.*)$", RUNBOOK.read_text(), re.MULTILINE)}
    for link in re.findall(r"runbook_url: (\S+)", RULES.read_text()):
        page, _, anchor = link.partition("#")
        checks.that(Path(ROOT / page) == RUNBOOK and anchor in headings, f"{link} is a section of the runbook")
    checks.equal(len(re.findall("runbook_url:", RULES.read_text())), len(alerts), "every alert has a runbook link")


def test_names(checks, server):
    known = documented()
    checks.that(not faults("good", 'sum by (le, app) (rate(benji_logins_total{app="x"}[5m]))', known),
                "the judge accepts what exists")
    for bad in ("benji_nothing > 0", 'benji_logins_total{application="x"}', "sum by (color) (benji_gateway_sessions)",
                "vector(1)",
                "label_values(benji_gateway_sessions, app)"):
        checks.that(faults("bad", bad, known), f"the judge condemns {bad}")
    found = [fault for place, expression in expressions() for fault in faults(place, expression, known)]
    checks.that(len(list(expressions())) > 25 and not found,
                "rules and dashboard name only metrics and labels that exist", found)

    # The table says what a running server says.
    server.attach("attach", ADDRESS, NUMBER)
    app = server.create_app()
    token, _, _ = server.phone("login", app, ADDRESS)
    Backend(server.server).redeem(app, token)
    server.phone("login", app, "127.8.99.99")
    steps = {(step, code): {"app": app["id"], "carrier": carrier, "step": step, "party": party, "code": code}
             for step, party, code, carrier in (
                 ("prefetch", "authority", "success", "mobile"), ("authorize", "authority", "success", "mobile"),
                 ("loginTokenValidate", "app-server", "success", "mobile"),
                 ("prefetch", "authority", "address_unknown", "unknown"))}
    # A request is counted after its answer.
    eventually(lambda: all(server.metric("benji_logins_total", **labels) for labels in steps.values()))
    page = server.get("/metrics")[1]
    helps = dict(re.findall(r"^# HELP (\S+) (.*)$", page, re.MULTILINE))
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", page, re.MULTILINE))
    checks.equal(set(kinds) - set(helps), set(), "every metric has a line that says what it counts")
    checks.equal({name: (kind, helps.get(name)) for name, kind in kinds.items()},
                 {name: (kind, meaning) for name, (kind, _, meaning) in known.items()},
                 "the table of metrics is what the server says")
    seen = {}
    for name, labels in re.findall(r"^(benji_\w+)(?:\{(.*)\})? \S+$", page, re.MULTILINE):
        base = name if name in kinds else re.sub(r"_(bucket|sum|count)$", "", name)
        seen.setdefault(base, set()).update(set(re.findall(r'(\w+)="', labels)) - {"le"})
    checks.equal(seen, {name: known[name][1] for name in seen},
                 "every metric has the labels of the table and no others")
    checks.that({"benji_logins_total", "benji_health_check", "benji_gateway_sessions"} <= set(seen),
                "the metrics of a login were seen")

    done = run([require("promtool", "prometheus"), "check", "metrics"], input=page)
    checks.that(done.returncode == 0, "promtool finds nothing wrong with the page of metrics",
                done.stdout + done.stderr)
    for (step, code), labels in steps.items():
        checks.equal(server.metric("benji_logins_total", **labels), 1.0,
                     f"{step} that ended in {code} is counted by app and carrier")
    checks.that(NUMBER not in page and token not in page and ADDRESS not in page,
                "no number, token or address is in the metrics")
