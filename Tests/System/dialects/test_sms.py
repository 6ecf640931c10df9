"""Short messages over a real SMSC (smpp34's server of SMPP 3.4): handed over at most once, whatever happens on the way.

Kannel 1.4.5, which Debian has, is an SMPP client only; its SMPP server (opensmppbox) is not packaged. So it is the
second client of the same SMSC here: what it writes for a text is what we write.
"""

import json
import re
import stat
import time

import pytest

from support.checks import eventually, folder
from support.provider import CertificateAuthority
from support.server import Server
from support.smsc import SMSC, Kannel, Line, Provider, Sender, smpp

pytestmark = pytest.mark.seconds(180)
NUMBER = "86138001380"


def test_what_becomes_of_messages(checks):
    smsc = SMSC()
    sender = Sender(*smpp("smsc", smsc.port))
    checks.that(sender.ready(), "a session is bound by itself", sender.said)

    sent = sender.send(NUMBER + "01")
    checks.equal(sent.get("outcome"), "accepted", "a message that the SMSC takes is accepted")
    taken = smsc.wait("submit")[-1]
    checks.equal((bytes.fromhex(taken["submit"]), taken["to"], taken["ton"], taken["source"], taken["coding"],
                  taken["wants"]),
                 (b"Code 123456", NUMBER + "01", 1, "10690", 0, 1),
                 "number, text and source arrive as they were given, and a receipt is asked for")
    receipt = sender.wait("receipt", sent.get("reference"))
    checks.that(receipt and receipt[0]["state"] == "delivered" and receipt[0]["by"] == "smsc",
                "the receipt of a delivered message names it and says so", sender.said)

    for digits, state in (("03", "expired"), ("06", "rejected"), ("09", "undeliverable")):
        sent = sender.send(NUMBER + digits)
        receipt = sender.wait("receipt", sent.get("reference"))
        checks.that(receipt and receipt[0]["state"] == state,
                    f"a message that was accepted and then {state} has a receipt that says so",
                    sender.said[-3:])
    for digits, reason in (("02", "destination"), ("04", "throttled"), ("07", "throttled")):
        sent = sender.send(NUMBER + digits)
        checks.equal((sent.get("outcome"), sent.get("reason")), ("notTaken", reason),
                     f"an SMSC's error for number ..{digits} is not taken, reason {reason}")
    sent = sender.send(NUMBER + "05")
    time.sleep(1)
    checks.that(sent["outcome"] == "accepted" and not sender.wait("receipt", sent["reference"], seconds=0.1),
                "a message whose receipt is lost stays accepted, and nothing is sent again")

    long = "验证码" * 50
    sent = sender.send(NUMBER + "01", long)
    parts = smsc.wait("submit", count=11)[-3:]
    text = b"".join(bytes.fromhex(part["submit"])[6:] for part in parts).decode("utf-16-be")
    checks.that(sent["outcome"] == "accepted" and text == long
                and all(part["coding"] == 8 and part["esm"] == 0x40 for part in parts),
                "a long Chinese text arrives in parts that make it up", parts)
    checks.equal([part["wants"] for part in parts], [0, 0, 1], "the last part alone asks for a receipt")

    smsc.tell(text="TD", **{"from": NUMBER + "01"})
    checks.that(sender.wait("message", "TD"), "a phone's message is heard", sender.said[-2:])
    numbers = [line["to"] for line in smsc.submits()]
    checks.equal(len(numbers), 8 + 3, "every message was written once, and a long one once for each part")
    sender.process.stdin.close()
    checks.equal(sender.process.wait(timeout=10), 0, "the program ends when it is told")
    checks.that(smsc.wait("unbound"), "a session that ends says goodbye to its SMSC", smsc.said[-2:])


def test_a_listener_that_cannot_keep(checks):
    smsc = SMSC()
    sender = Sender(*smpp("smsc", smsc.port))
    sender.ready()
    sender.tell(keep=False)
    sent = sender.send(NUMBER + "01")
    checks.that(sender.wait("receipt", sent["reference"], count=2), "a receipt that was not kept comes again",
                sender.said)
    checks.that(all(line["status"] == 0x64 for line in smsc.all("delivered")),
                "it is answered with ESME_RX_T_APPN until it is kept", smsc.all("delivered"))
    sender.tell(keep=True)
    checks.that(smsc.wait("status", 0), "and with success then", smsc.said[-3:])
    count = len(sender.all("receipt"))
    time.sleep(1)
    checks.equal(len(sender.all("receipt")), count, "a receipt that was kept does not come again")


def test_an_smsc_that_dies(checks):
    smsc = SMSC()
    sender = Sender(*smpp("smsc", smsc.port))
    sender.ready()
    smsc.kill()
    words = eventually(lambda: sender.troubles(), seconds=10)
    checks.that(words and words[0].startswith("smsc: "), "health names the sender whose SMSC is gone", words)
    sent = sender.send(NUMBER + "01")
    checks.equal((sent.get("outcome"), sent.get("reason")), ("notTaken", "unavailable"),
                 "a message for an SMSC that is gone is not taken, at once and without waiting")
    checks.that(eventually(lambda: any("connection refused" in word for word in sender.troubles()), seconds=5),
                "health says why there is no connection", sender.troubles())
    again = SMSC(port=smsc.port, offset=1000)
    checks.that(sender.ready(), "the session comes back by itself when the SMSC does", sender.troubles())
    checks.equal(sender.send(NUMBER + "01").get("outcome"), "accepted", "and takes messages again")
    again.wait("submit")
    checks.equal(len(again.submits()), 1, "what was not taken while it was dead is not sent later")


def test_an_smsc_that_stands_still(checks):
    smsc = SMSC()
    sender = Sender(*smpp("smsc", smsc.port))
    sender.ready()
    smsc.pause()
    sent = sender.send(NUMBER + "01")
    checks.equal(sent.get("outcome"), "unknown", "a message that a stopped SMSC may have read is unknown")
    words = sender.troubles()
    checks.that(words, "health says that it does not answer", words)
    sent = sender.send(NUMBER + "02")
    checks.equal((sent.get("outcome"), sent.get("reason")), ("notTaken", "unavailable"),
                 "the next message is not written to it")
    time.sleep(6)
    smsc.resume()
    checks.that(sender.ready(), "the session comes back when it goes on", sender.troubles())
    checks.equal(sender.send(NUMBER + "03").get("outcome"), "accepted", "and takes messages again")
    smsc.wait("submit", count=2)
    checks.equal([len(smsc.submits(NUMBER + digits)) for digits in ("01", "02", "03")], [1, 0, 1],
                 "the unknown message had arrived once, and nothing was written twice")


def test_a_connection_that_is_cut_between_message_and_answer(checks):
    smsc = SMSC()
    line = Line(smsc.port)
    sender = Sender(*smpp("smsc", line.port), "--response-time", "8")
    sender.ready()
    line.holds_answers = True
    number = sender.begin(NUMBER + "01")
    checks.that(smsc.wait("to", NUMBER + "01"), "the SMSC has the message", smsc.said)
    line.cut()
    line.holds_answers = False
    checks.equal(sender.outcome(number).get("outcome"), "unknown",
                 "a message whose connection was cut before the answer is unknown: the SMSC may have it, and here it "
                 "has")
    checks.that(sender.ready(), "the session comes back", sender.troubles())
    time.sleep(2)
    checks.equal(len(smsc.submits()), 1, "what is unknown is never sent again")
    number = sender.begin(NUMBER + "08", seconds=2)
    checks.equal(sender.outcome(number).get("outcome"), "unknown",
                 "a message that the SMSC never answers is unknown at the caller's deadline")


def test_another_sender_is_asked_only_when_nobody_has_the_message(checks):
    first, second = SMSC(), SMSC(offset=5000)
    line = Line(first.port)
    sender = Sender(*smpp("first", line.port), *smpp("second", second.port))
    sender.ready()
    checks.equal(sender.send(NUMBER + "01").get("by"), "first", "the first of the list is asked first")
    sent = sender.send(NUMBER + "02")
    checks.equal((sent.get("reason"), len(second.submits())), ("destination", 0), "a refusal of the number is final")
    # ..04 is throttled by both.
    sent = sender.send(NUMBER + "04")
    second.wait("submit")
    checks.equal((sent.get("reason"), len(second.submits())), ("throttled", 1),
                 "the second is asked when the first takes no more")
    time.sleep(1.1)
    line.holds_answers = True
    sent = sender.send(NUMBER + "03")
    checks.equal((sent.get("outcome"), sent.get("by"), len(second.submits(NUMBER + "03"))), ("unknown", "first", 0),
                 "the second is not asked for a message that the first may have")
    sent = sender.send(NUMBER + "05")
    checks.equal((sent.get("outcome"), sent.get("by")), ("accepted", "second"), "the next message goes to the second")
    line.cut()
    first.kill()
    sent = sender.send(NUMBER + "06")
    checks.equal((sent.get("outcome"), sent.get("by")), ("accepted", "second"), "and so while the first is dead")
    everybody = [line["to"] for smsc in (first, second) for line in smsc.submits() if line["kind"] == 0]
    checks.equal(len(everybody), len(set(everybody)), "no message that was accepted was written to two")


def test_a_provider_over_http(checks):
    provider = Provider()
    path = folder() / "messages.jsonl"
    sender = Sender("--http", f"provider,{provider.url}")
    provider.answers.put((201, '{"id": "m-1"}'))
    sent = sender.send(NUMBER + "01")
    checks.equal((sent.get("outcome"), sent.get("reference")), ("accepted", "m-1"),
                 "a provider's 2xx with an id is an acceptance")
    headers, body = provider.requests[0]
    checks.equal((body["to"], body["text"], headers.get("authorization")),
                 (f"+{NUMBER}01", "Code 123456", "Bearer secret"),
                 "the provider has number, text and secret")
    for status, outcome in ((429, "throttled"), (400, "refused"), (401, "unavailable"), (503, "unavailable")):
        provider.answers.put((status, "{}"))
        checks.equal(sender.send(NUMBER + "01").get("reason"), outcome, f"status {status} is not taken: {outcome}")
    checks.that(any("status 503" in words for words in sender.troubles()), "health says what the provider answers",
                sender.troubles())
    for answer, sentence in (((500, "{}"), "status 500 is unknown"), ((200, "{}"), "200 without an id is unknown"),
                             ((None, 8), "a provider that has the request and does not answer is unknown"),
                             (("head", 8), "a provider whose answer stops after its header is unknown")):
        provider.answers.put(answer)
        checks.equal(sender.send(NUMBER + "01", seconds=4).get("outcome"), "unknown", sentence)
    count = len(provider.requests)
    checks.equal(count, 9, "every message was one request")
    many = Sender("--http", f"provider,{provider.url}", "--response-time", "20")
    begun = [many.begin(NUMBER + "01", seconds=20) for _ in range(30)]
    checks.that(eventually(lambda: len(provider.requests) == count + 30, seconds=15),
                "thirty messages are with a slow provider at once",
                len(provider.requests) - count)
    for _ in begun:
        provider.answers.put((201, '{"id": "m-2"}'))
    checks.equal({many.outcome(number, 25).get("outcome") for number in begun}, {"accepted"}, "and each has its answer")
    provider.server.shutdown()
    provider.server.server_close()
    checks.equal(sender.send(NUMBER + "01").get("reason"), "unavailable", "a provider that nobody reaches took nothing")

    sender = Sender("--http", f"provider,{provider.url}", "--file", f"file,{path}")
    sent = sender.send(NUMBER + "01")
    checks.equal((sent.get("outcome"), sent.get("by")), ("accepted", "file"),
                 "the file takes what the provider did not")
    checks.equal(stat.S_IMODE(path.stat().st_mode), 0o600, "the file is its owner's alone")


def test_kannel_writes_the_same(checks):
    """Another program's SMPP for the same texts: the SMSC must be unable to tell who wrote them."""
    smsc = SMSC()
    sender = Sender(*smpp("smsc", smsc.port))
    sender.ready()
    kannel = Kannel(smsc.port)
    checks.that(smsc.wait("bound", "kannel", seconds=20), "Kannel binds to the SMSC of these tests", smsc.said)

    def taken(count):
        """The last messages, without the reference of a long text, which is its writer's own. Kannel may write the last
        part first."""
        messages = [(bytes.fromhex(line["submit"]), line["coding"], line["esm"] & 0x40, line["ton"])
                    for line in smsc.submits()[-count:]]
        return sorted((octets[:3] + octets[4:] if header else octets, coding, header, ton)
                      for octets, coding, header, ton in messages)

    for text, coding, count in (("Code 123456 €[]{}~|^@£$", 0, 1), ("验证码 123456", 2, 1), ("a" * 200, 0, 2),
                                ("验" * 100, 2, 2)):
        before = len(smsc.submits())
        sender.send(NUMBER + "05", text)
        smsc.wait("submit", count=before + count)
        ours = taken(count)
        kannel.send(NUMBER + "05", text, coding)
        smsc.wait("submit", count=before + 2 * count)
        checks.equal((len(smsc.submits()) - before, ours), (2 * count, taken(count)),
                     f"Kannel writes the same octets for {text[:12]!r}")


def test_an_smsc_over_tls(checks):
    authority, other = CertificateAuthority(), CertificateAuthority()
    smsc = SMSC()
    line = Line(smsc.port, authority)
    password = folder() / "password"
    password.touch(0o600)
    password.write_text("secret08\n")
    common = {"kind": "smpp", "system-id": "benji", "password-file": str(password)}
    server = Server(sms={
        "names": ["known", "strange", "plain"],
        "known": common | {"address": f"127.0.0.1:{line.port}", "tls-authority": authority.ca},
        "strange": common | {"address": f"127.0.0.1:{line.port}", "tls-authority": other.ca},
        "plain": common | {"address": f"127.0.0.1:{line.port}", "tls": False}})

    def send(name):
        done = server.command("sms", "send", "-c", server.configuration, "--number", "13800138000", "--sender", name,
                              seconds=40)
        return done.returncode, done.stdout + done.stderr
    status, said = send("known")
    checks.that(status == 0 and smsc.wait("submit"),
                "a message goes out over TLS, to an SMSC whose certificate is known", said)
    count = len(smsc.all("bound"))
    status, said = send("strange")
    checks.that(status == 1 and "certificate is not trusted" in said,
                "an SMSC with another authority's certificate is sent nothing, and it is said why", said)
    status, said = send("plain")
    checks.equal(status, 1, "and nothing goes out plain where TLS is spoken")
    checks.equal((len(smsc.submits()), len(smsc.all("bound"))), (1, count),
                 "neither bound, so neither showed its password")


def test_a_server_keeps_sessions_and_says_what_is_wrong(checks):
    smsc = SMSC()
    secrets = folder()
    for name in ("password", "token"):
        (secrets / name).touch(0o600)
        (secrets / name).write_text("secret08\n")
    server = Server(sms={
        "names": ["smsc", "dead", "file"],
        "smsc": {"kind": "smpp", "address": f"127.0.0.1:{smsc.port}", "system-id": "benji",
                 "password-file": str(secrets / "password"),
                 "tls": False, "response-timeout": 2},
        "dead": {"kind": "smpp", "address": "127.0.0.1:1", "system-id": "benji",
                 "password-file": str(secrets / "password"), "tls": False},
        "file": {"kind": "file", "path": "messages.jsonl"},
    })
    doctor = server.command("doctor", "-c", server.configuration)
    checks.that(re.search(r"^ok +sms smsc +127\.0\.0\.1:\d+ takes the bind", doctor.stdout, re.MULTILINE)
                and re.search(r"^BAD +sms dead +cannot be reached: connection refused", doctor.stdout, re.MULTILINE)
                and re.search(r"^warn +sms file ", doctor.stdout, re.MULTILINE),
                "doctor binds to each SMSC and says what is wrong", doctor.stdout)
    smsc.wait("unbound")

    def send(*words):
        done = server.command("sms", "send", "-c", server.configuration, "--number", "13800138000", *words)
        return done.returncode, done.stdout + done.stderr
    status, said = send("--text", "does it arrive?")
    smsc.wait("submit")
    checks.that(status == 0 and "smsc took the message" in said and len(smsc.submits()) == 1,
                "an operator sends a message to see whether it arrives", said)
    status, said = send("--sender", "dead")
    checks.that(status == 1 and "cannot be reached: connection refused" in said
                and "no sender could be reached" in said, "by the sender that he names", said)
    status, said = send("--sender", "third")
    checks.that(status != 0 and "smsc, dead, file" in said,
                "one that there is not is refused, with those that there are", said)
    with server:
        checks.that(smsc.wait("bound", "benji", count=3), "a server binds to its SMSC by itself", smsc.said)

        def warnings():
            answer = json.loads(server.get("/health/ready")[1])
            return [words for words in answer.get("warnings", [])
                    if words.startswith("sms: ")] if answer["status"] == "ready" else None
        checks.that(eventually(lambda: warnings() == ["sms: dead: cannot be reached: connection refused"], seconds=20),
                    "readiness warns of the sender without a session, and stays ready", server.get("/health/ready")[1])
        smsc.kill()
        checks.that(eventually(lambda: any(words.startswith("sms: smsc: ") for words in warnings() or []), seconds=20),
                    "and of one whose SMSC has died", warnings())
        again = SMSC(port=smsc.port)
        checks.that(again.wait("bound", "benji", seconds=30)
                    and eventually(lambda: len(warnings() or []) == 1, seconds=10),
                    "until the SMSC is back", warnings())
        checks.equal(server.stop(), 0, "a server with sessions ends by itself when it is stopped")
    checks.that(again.wait("unbound", seconds=5), "and says goodbye to its SMSC", again.said)
    checks.that("secret08" not in server.tail(1000), "no password is in the log")
