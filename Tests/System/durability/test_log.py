"""The public log of released numbers and consents (docs/log.md): `benji serve`, the verifier of Examples, a kill, and
logs that lie.

    test_log.py                  three kills
    test_log.py --rounds 30      more of them
    test_log.py --pictures DIR   pictures of the page that people see
"""

import hashlib
import importlib.util
import json
import random
import sqlite3
import subprocess
import sys
import time
import urllib.request

import pytest

from support.browser import Browser, PhoneProxy
from support.checks import eventually, folder
from support.lying_log import Key, LyingLog, encode, inclusion, root_of, signed_by
from support.operators import Backend
from support.provider import CertificateAuthority, looked_at
from support.server import ROOT, Server, environment
from support.storm import Storm

pytestmark = pytest.mark.seconds(lambda options: 100 + 8 * options.rounds)
OPTIONS = {"rounds": 3, "seed": None, "pictures": None}

VERIFIER = ROOT / "Examples/LogVerifier/verifier.py"
PHONE, NUMBER = "127.8.0.1", "13800000001"
OTHER = "13900000002"


class Follower:
    """The verifier, as somebody outside runs it."""

    def __init__(self, url):
        self.url, self.folder = url, folder()
        self.state = self.folder / "log.json"

    def run(self, *arguments):
        return subprocess.run(
            [sys.executable, "-B", VERIFIER, *map(str, arguments)], capture_output=True, text=True, timeout=60,
            check=False,
            env=environment())

    def look(self, *more):
        return self.run("follow", self.url, "--state", self.state, *more)

    def check(self, evidence, *more):
        file = self.folder / "evidence.json"
        file.write_text(json.dumps(evidence))
        return self.run("evidence", file, "--state", self.state, "--url", self.url, *more)

    @property
    def size(self):
        return int(self.run("compare", self.state, self.state, "--url", self.url).stdout.split()[2])


def naively_followed(log):
    """The log's size by any head that a key of the log's own list has signed; None if no key has."""
    def asked(path):
        with urllib.request.urlopen(f"{log.url}/log/v1/{path}", timeout=5) as answer:
            return json.load(answer)

    head = asked("sth")["head"]
    return next((claims["size"] for key in asked("keys")["keys"] if (claims := signed_by(key, head))), None)


def lied(done, word):
    return done.returncode == 1 and f"THE LOG LIED: {word}" in done.stderr


@pytest.fixture(scope="module")
def installed():
    with Server() as server:
        server.attach("attach", PHONE, NUMBER)
        yield server


def login(server, app, address=PHONE):
    token, situation, said = server.phone("login", app, address)
    assert token, situation
    backend = Backend(server.server)
    code, number = backend.redeem(app, token)
    backend.close()
    return number if code == "103000" else None


def verified(server):
    return server.command("log", "verify", "--config", server.configuration)


def test_a_release_is_in_the_log(checks, installed):
    """A login's consent and number come into the log; the person's evidence is checked by somebody outside."""
    app = installed.create_app(name="Bookshop")
    follower = Follower(f"http://127.0.0.1:{installed.server}")
    checks.that(eventually(lambda: follower.look().returncode == 0, 10), "the log has a head from the beginning",
                follower.look().stderr)
    checks.equal(login(installed, app), NUMBER, "a number is released")
    checks.that(eventually(lambda: follower.look().stdout.startswith("2 leaves"), 10), "it is in the log in seconds",
                follower.look().stdout)
    done = verified(installed)
    checks.that(done.returncode == 0
                and "2 leaves, 2 made anew from their rows, 2 of them with their number" in done.stdout,
                "the operator makes the log anew and it is whole", done.stdout + done.stderr)
    shown = installed.command("log", "show", "--config", installed.configuration)
    checks.that("leaves  2" in shown.stdout, "and sees its head", shown.stdout)

    proven = installed.command("log", "prove", "--config", installed.configuration, "--number", NUMBER, "--json")
    answer = json.loads(proven.stdout)
    checks.equal([leaf["kind"] for leaf in answer["leaves"]], ["release", "consent"], "a person's leaves, newest first")
    checks.equal({leaf["name"] for leaf in answer["leaves"]}, {"Bookshop"}, "who got the number")
    checks.that(NUMBER not in proven.stdout, "the number itself is not in it", proven.stdout)
    words = installed.command("log", "prove", "--config", installed.configuration, "--number", NUMBER).stdout
    checks.that("Bookshop" in words and "number told by loginTokenValidate" in words, "people can read it", words)
    mine = follower.check(answer, "--number", f"+86{NUMBER}")
    checks.that(mine.returncode == 0 and mine.stdout.count("in the log as leaf") == 2, "the evidence holds",
                mine.stdout + mine.stderr)
    checks.that(lied(follower.check(answer, "--number", f"+86{OTHER}"), "the leaf is about another number"),
                "for no other number")
    release, consent = (leaf["evidence"] for leaf in answer["leaves"])
    checks.that(lied(follower.check(release | {"leaf": consent["leaf"]}), "NOT INCLUDED"),
                "a proof of another leaf proves nothing")
    checks.that(lied(follower.check(release | {"path": consent["path"]}), "NOT INCLUDED"), "nor does another path")
    checks.that(lied(follower.check(release | {"leaf": release["leaf"].replace("release", "consent")}), "NOT INCLUDED"),
                "nor does a leaf that was written anew")

    audit = installed.command("audit", "--config", installed.configuration, "--order", "log.prove", "--json").stdout
    checks.that(audit.count("log.prove") >= 2 and NUMBER not in audit, "looks at a person's leaves are written down",
                audit)
    answers = [public(installed, path) for path in ("sth", "entries?start=0&end=2", "keys")]
    checks.that(not any(NUMBER in each or app["id"] in each for each in answers), "what is public names nobody",
                answers)


def public(server, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{server.server}/log/v1/{path}", timeout=5) as answer:
        return answer.read().decode()


def test_the_next_holder_sees_nothing(checks, installed):
    """Another subscriber gets the number, and then is erased: the leaves stay, and identify no person."""
    follower = Follower(f"http://127.0.0.1:{installed.server}")
    follower.look()
    size = follower.size
    configured = ("--config", installed.configuration, "--number", NUMBER)
    given = installed.command("phone", "reassign", *configured)
    checks.equal(given.returncode, 0, "the number is given to somebody else")
    said = installed.command("log", "prove", *configured, "--json")
    checks.equal(said.returncode and said.stderr or json.loads(said.stdout)["leaves"], [],
                 "who sees no leaf of the one before")
    erased = installed.command("subscriber", "erase", *configured, "--reason", "asked")
    checks.that(erased.returncode == 0, "the number is erased", erased.stdout + erased.stderr)
    checks.that(eventually(lambda: follower.look().returncode == 0, 5) and follower.size >= size, "no leaf goes",
                follower.look().stderr)
    done = verified(installed)
    checks.that(done.returncode == 0 and " 0 of them with their number" in done.stdout, "and the log is whole",
                done.stdout)


def test_tampering_is_found(checks, installed):
    """Somebody with the database changes a leaf, past what protects it there."""
    copy = folder() / "copy"
    subprocess.run(["cp", "-r", installed.data, copy], check=True, timeout=20)
    settings = json.loads(installed.configuration.read_text()) | {"data": str(copy)}
    configuration = folder() / "copy.yaml"
    configuration.touch(0o600)
    configuration.write_text(json.dumps(settings))
    checks.that(installed.command("log", "verify", "--config", configuration).returncode == 0, "a copy is whole")
    with sqlite3.connect(copy / "benji.sqlite") as database:
        database.execute("DROP TRIGGER log_leaf_is_never_changed")
        database.execute("UPDATE log_leaf SET hash = zeroblob(32) WHERE leaf = 0")
    database.close()
    done = installed.command("log", "verify", "--config", configuration)
    checks.that(done.returncode == 1 and "leaf 0 is not the hash" in done.stdout, "a changed leaf is named",
                done.stdout + done.stderr)


def test_a_person_asks(checks, pictures):
    """`/log/mine` in Chromium over the phone's connection: one tap, the list, its proof; Wi-Fi, and the page switched
    off."""
    authority = CertificateAuthority()
    with Server(**{"public-log": {"page": True}}) as server:
        server.attach("attach", PHONE, NUMBER)
        app = server.create_app(name="书店 Bookshop")
        checks.equal(login(server, app), NUMBER, "a number is released")
        checks.that(eventually(lambda: count(server, "SELECT count(*) FROM log_leaf") == 2, 10),
                    "it comes into the log")
        # Browsers' modems carry TLS alone.
        server.stop()
        settings = json.loads(server.configuration.read_text())
        settings["tls"] = {"certificate": authority.certificate, "key": authority.key}
        server.configuration.write_text(json.dumps(settings))
        server.start()
        server.attach("attach", PHONE, NUMBER)
        address = f"https://127.0.0.1:{server.device}/log/mine"
        modem = PhoneProxy(PHONE)
        try:
            for language, words in (("zh-CN", ("谁拿到了我的号码", "拿到了您的号码", "下载证明")),
                                    ("en-GB", ("Who got my number", "got your number", "Download the proof"))):
                with Browser(modem, language=language) as browser:
                    browser.open(address)
                    checks.that(words[0] in browser.text("h1") and "Bookshop" not in browser.text("main"),
                                f"{language}: the page tells nothing by itself")
                    looked_at(checks, browser, pictures, f"log-question-{language}")
                    browser.click(".actions button")
                    checks.that(
                        eventually(lambda browser=browser: browser.driver.find_elements("css selector", ".leaf"), 10),
                                f"{language}: one tap shows the list", browser.text("main"))
                    said = browser.text("main")
                    checks.that("书店 Bookshop" in said and words[1] in said and words[2] in said,
                                f"{language}: who got the number", said)
                    checks.that(NUMBER not in browser.driver.page_source, f"{language}: the number is not on it")
                    looked_at(checks, browser, pictures, f"log-list-{language}")
                    browser.click("details summary")
                    checks.that("登录" in browser.text("details"), f"{language}: and on which page",
                                browser.text("details"))
                    looked_at(checks, browser, pictures, f"log-page-{language}")
                    browser.click(".leaf .button")
                    checks.that(browser.shows("#number"), f"{language}: a proof asks for the whole number",
                                browser.text("main"))
                    looked_at(checks, browser, pictures, f"log-number-{language}")
                    browser.type("#number", OTHER)
                    browser.click("main form .button")
                    checks.that(browser.shows("#problem"), f"{language}: another number has no proof",
                                browser.text("main"))
                    checks.that(OTHER not in browser.driver.page_source,
                                f"{language}: and is not on the page that says so")
                    looked_at(checks, browser, pictures, f"log-wrong-{language}")
            asked = [call_by_hand(address, f"proof=0&number={number}")
                     for number in ("%2B86+138-0000-0001", NUMBER, OTHER, NUMBER)]
            proven = json.loads(server.command("log", "prove", "--config", server.configuration, "--number", NUMBER,
                                               "--json").stdout)
            evidence = proven["leaves"][-1]["evidence"]
            checks.that(all(json.loads(said)["salt"] == evidence["salt"] for said in (asked[0], asked[1], asked[3])),
                        "whoever types the number, as people write it, has the evidence", asked)
            checks.that(evidence["salt"] not in asked[2], "nobody else has", asked[2])
            for _ in range(2):
                call_by_hand(address, f"proof=0&number={OTHER}")
            said = call_by_hand(address, f"proof=0&number={NUMBER}")
            checks.that(evidence["salt"] not in said and "明天" in said,
                        "after five wrong numbers there is none until the next day", said)
            checks.that("书店 Bookshop" in call_by_hand(address, ""), "but still the list")
        finally:
            modem.close()
        with Browser(None, language="en-GB") as browser:
            browser.open(address)
            browser.click(".actions button")
            checks.that(eventually(lambda: "not recognised" in browser.text("main"), 10),
                        "over Wi-Fi nobody is recognised", browser.text("main"))
            looked_at(checks, browser, pictures, "log-refused")
    with Server() as off:
        answer = subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", f"{off.device_url}/log/mine"],
                                capture_output=True, text=True, timeout=10, check=False)
        checks.equal(answer.stdout, "404", "unless it is switched on there is no such page")


def call_by_hand(address, form):
    """The reply to a request from the phone's connection, without a browser."""
    return subprocess.run(["curl", "-sk", "--interface", PHONE, "-d", form, address], capture_output=True, text=True,
                          timeout=10, check=False).stdout


def test_kills(checks, options):
    """Killed in a storm of logins, the log goes on: no leaf twice, none left out, and for who follows it the same
    log."""
    seed = options.seed or random.randrange(1 << 30)
    checks.note(f"--seed {seed}")
    choices = random.Random(seed)
    with Server() as server:
        app = server.create_app()
        follower = Follower(f"http://127.0.0.1:{server.server}")
        storm = Storm(server, app, phones=4, servers=4, seed=seed, network="127.8.42")
        storm.start()
        for _ in range(options.rounds):
            before = len(storm.wins)
            eventually(lambda before=before: len(storm.wins) > before + 5, 20)
            checks.equal(follower.look().stderr, "", "what a follower sees before a kill holds")
            time.sleep(choices.uniform(0.1, 1.0))
            server.kill9()
            storm.server_is_gone()
            server.start()
            storm.server_is_back()
            checks.that(eventually(lambda: follower.look().returncode == 0, 10),
                        "the log after a kill continues the one before it",
                        follower.look().stderr)
        storm.stop()
        rows = count(server, "SELECT (SELECT count(*) FROM consent) + (SELECT count(*) FROM ledger WHERE result LIKE "
                             "'released%')")
        checks.that(rows > 8, "numbers were released in the storm", rows)
        checks.that(eventually(lambda: count(server, "SELECT count(*) FROM log_leaf") >= rows, 15),
                    "all of it comes into the log",
                    (rows, count(server, "SELECT count(*) FROM log_leaf")))
        checks.equal(count(server, "SELECT count(DISTINCT kind || source) FROM log_leaf"),
                     count(server, "SELECT max(leaf) + 1 FROM log_leaf"),
                     "and each row once, without a gap")
        done = verified(server)
        checks.that(done.returncode == 0, "the log is whole", done.stdout + done.stderr)
        checks.that(follower.look().returncode == 0, "also for who follows it", follower.look().stderr)


def count(server, statement):
    database = sqlite3.connect(f"file:{server.data / 'benji.sqlite'}?mode=ro", uri=True)
    try:
        return database.execute(statement).fetchone()[0]
    finally:
        database.close()


def test_an_honest_log_is_believed(checks):
    """The verifier against trees of the RFC's own definition: it must not cry where nothing is wrong."""
    with LyingLog() as log:
        follower = Follower(log.url)
        for size in (0, 1, 2, 3, 7, 8, 13):
            while len(log.inputs) < size:
                log.inputs.append(f"leaf {len(log.inputs)}".encode())
            done = follower.look()
            checks.that(done.returncode == 0 and done.stdout.startswith(f"{size} leaves"), f"{size} leaves",
                        done.stderr)


def test_a_busy_log_is_waited_for(checks):
    """A log that answers "too many" now and then is no lie, and one with no other answer is given up."""
    with LyingLog(3) as log:
        follower = Follower(log.url)
        log.busy = 2
        done = follower.look()
        checks.that(done.returncode == 0 and done.stdout.startswith("3 leaves"), "the follower waits and goes on",
                    done.stdout + done.stderr)
        log.busy = 1000
        done = follower.look()
        checks.that(done.returncode == 2 and " 429 " in done.stderr, "after some tries it says that it could not ask",
                    done.stdout + done.stderr)


@pytest.fixture
def followed():
    with LyingLog(9) as log:
        follower = Follower(log.url)
        assert follower.look().returncode == 0
        yield log, follower


def test_lies(checks, followed):
    """Each lie of an operator who holds the key is found by who looked before, and what shows it is kept."""
    log, follower = followed
    honest, head = list(log.inputs), log.sign()

    def lie(word, sentence, size=9, *, is_believed=True):
        done = follower.look()
        checks.that(lied(done, word), sentence, done.stdout + done.stderr)
        if is_believed:
            checks.equal(naively_followed(log), size, f"a naive follower believes {sentence}")
        log.inputs, log.head, log.shown_leaves, log.published = list(honest), None, None, None

    log.inputs[4] = b"another"
    lie("FORK", "a fork: two heads of one size")
    kept = json.loads((follower.folder / "log.json.lie").read_text())
    checks.that({"first", "second"} <= kept.keys(), "the two signed heads are kept, for others to see", kept)
    log.inputs[4] = b"another"
    log.inputs.append(b"more")
    lie("REWRITTEN", "a leaf that was rewritten under a larger log", 10)
    del log.inputs[4:]
    lie("TRUNCATED", "a log that was cut off", 4)
    log.head = log.sign(at=time.time() - 30)
    lie("REPLAYED", "a head of before, shown as the newest")
    log.head = log.sign(at=time.time() - 3600)
    lie("OLD", "a head that is signed no more")
    log.head = log.sign(at=time.time() + 3600)
    lie("EARLY", "a head of the future, which nothing would ever follow")
    log.head = log.sign(log="other")
    lie("OTHER", "another log in its place")
    log.inputs.append(b"more")
    log.shown_leaves = [*log.leaves[:9], log.leaves[0]]
    lie("REWRITTEN", "leaves that do not make the signed root", 10)
    log.inputs.append(b"more")
    log.shown_leaves = log.leaves[:9]
    lie("MISSING", "leaves that are not shown", 10)
    stranger = Key()
    log.head, log.published = log.sign(key=stranger), [stranger.jwk]
    lie("no key that is trusted", "a head under a key that nobody named")
    log.published = [log.key.jwk | {"exp": int(time.time()) - 3600}]
    lie("a text is signed by a key that was not in use", "a head under a key that has ended")
    log.head = head[:-4] + "AAAA"
    lie("no key that is trusted", "a head whose signature is another", is_believed=False)
    checks.equal(naively_followed(log), 9, "the naive follower believes the honest log too")


def test_two_followers_find_a_fork(checks):
    """Whom the log shows two histories, they find out by comparing."""
    with LyingLog(9) as log:
        mine, friends = Follower(log.url), Follower(log.url)
        checks.equal(mine.look().returncode, 0, "one follower looks")
        log.inputs[4] = b"another"
        checks.equal(friends.look().returncode, 0, "another one, who knows nothing, believes another history")
        checks.that(naively_followed(log) == 9, "a naive follower remembers no head, and sees one log of nine leaves")
        done = mine.run("compare", mine.state, friends.state, "--url", log.url)
        checks.that(lied(done, "FORK"), "together they see two", done.stdout + done.stderr)
        log.inputs.append(b"more")
        checks.equal(friends.look().returncode, 0, "the other history grows")
        done = mine.run("compare", mine.state, friends.state, "--url", log.url)
        checks.that(lied(done, "REWRITTEN"), "and is not the first one's", done.stdout + done.stderr)


def test_a_new_key_is_named(checks, followed):
    """After a rotation a follower asks for the new key's name."""
    log, follower = followed
    old, log.key = log.key, Key()
    log.published = [log.key.jwk, old.jwk]
    checks.that(lied(follower.look(), "no key that is trusted"), "a new key is not believed by itself")
    spec = importlib.util.spec_from_file_location("verifier", VERIFIER)
    verifier = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(verifier)
    done = follower.look("--key", verifier.thumbprint(log.key.jwk))
    checks.equal(done.returncode, 0, "but once the operator has named it")


def test_evidence_of_another_log(checks, followed):
    """Evidence that holds in itself, under a head that is none of the log that is followed."""
    log, follower = followed
    text = f"benji-log-leaf/1\nrelease\n1\n300000000001\n-\nx\n{encode(bytes(32))}\n"
    forged = [*log.inputs[:4], text.encode(), *log.inputs[5:]]
    leaves = [hashlib.sha256(b"\0" + each).digest() for each in forged]
    evidence = {"format": "benji-log-evidence/1", "leaf": text, "salt": encode(bytes(32)), "index": 4,
                "path": [encode(each) for each in inclusion(4, leaves)], "head": log.sign(leaves)}
    done = follower.check(evidence)
    checks.that(lied(done, "FORK"), "a head made for the occasion is a fork", done.stdout + done.stderr)
    checks.equal(len(root_of(leaves)), 32, "the forged tree has a root")
